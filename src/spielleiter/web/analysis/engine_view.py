"""What the engine has found so far, as the analysis board shows it: arrows, winning chance, lines, and its progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from spielleiter.game import AnyGame, Language, Look, Text
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.pages.formatting import number
from spielleiter.pages.updates import PageUpdate
from spielleiter.search.engine import Line
from spielleiter.web.analysis.engine_pool import EnginePool, Exploration

_COLORS = ("arrow", "second", "third")
"""Colours of the lines, the best first: names of ``game.drawing.PALETTE``."""
_MAX_CHARACTERS = 45
"""Moves of a line that are shown: what comes later is hardly more than a guess."""


def engine_update(
    pool: EnginePool, exploration: Exploration, state: Any, language: Language, *, flipped: bool
) -> PageUpdate:
    """The parts of the page that the engine changes; ``state`` is that of the exploration, with its last move.

    What is drawn stays the same until more is found: a viewer in the queue costs next to nothing.
    """
    analysis, key = exploration.analysis, (language, flipped, state.last_move)
    drawn = exploration.drawn.get(key)
    if drawn is None or drawn[0] is not analysis:
        drawn = exploration.drawn[key] = (analysis, _drawn(exploration, state, language, flipped=flipped))
    return PageUpdate(parts={**drawn[1], "engine": _progress(pool, exploration).to(language)})


def _drawn(exploration: Exploration, state: Any, language: Language, *, flipped: bool) -> dict[str, str]:
    """The board with the best moves, the winning chance and the lines; of a running game only when a line is known."""
    game, analysis = exploration.game, exploration.analysis
    if analysis is None and state.outcome is None:
        return {"evaluation": "", "lines": ""}
    lines = [] if analysis is None else list(zip(_COLORS, analysis.lines, strict=False))
    texts = Counter(game.move_text(state, line.moves[0]) for _, line in lines)
    alike = frozenset(text for text, count in texts.items() if count > 1)
    look = Look(flipped=flipped)
    for color, line in reversed(lines):  # The best on top.
        look = boards.move_look(game, state, line.moves[0], look, color)
    return {
        "board": str(boards.board(game, state, look=look)),
        "evaluation": str(charts.chance_bar(exploration.win_probability, language)),
        "lines": render(
            "analysis/lines.html",
            language,
            lines=[_line(game, state, color, line, language, alike) for color, line in lines],
            color=game.color_to_move(state),
        ),
    }


def _line(
    game: AnyGame, state: Any, color: str, line: Line[Any], language: Language, alike: Collection[Text]
) -> dict[str, Any]:
    """A line for the page; its first move says how it differs if others have the same name."""
    texts: list[str] = []
    labels: list[str] = []
    for move in line.moves:
        texts.append(text := game.notation.format_move(state, move))
        label, said = words.move_label(game, state, move, text, language), game.move_text(state, move)
        if not labels and said in alike and game.board_input is not None:
            detail = game.board_input.move_detail(state, move)
            label = label if detail is None else f"{label} ({detail.to(language)})"
        labels.append(label)
        state = state.play_unchecked(move)
        if sum(map(len, texts)) > _MAX_CHARACTERS:
            break
    return {
        "color": color,
        "chance": line.win_probability,
        "moves": [(label, ";".join(texts[:count])) for count, label in enumerate(labels, 1)],
    }


def _progress(pool: EnginePool, exploration: Exploration) -> Text:
    """How far the engine is, and whether it works, waits or has finished."""
    analysis, place = exploration.analysis, pool.place(exploration)
    if exploration.state.outcome is not None:
        return Text("Das Spiel ist hier zu Ende.", "The game is over here.")
    if exploration.has_failed:
        return Text(
            "Die Engine ist an dieser Stellung gescheitert; die Einzelheiten stehen im Terminal.",
            "The engine failed at this position; the details are in the terminal.",
        )
    waiting = Text(f"in der Warteschlange auf Platz {place}", f"number {place} in the queue")
    if analysis is None:
        return waiting if place else Text("Die Engine beginnt …", "The engine begins …")
    if exploration.is_complete:
        state = Text("fertig", "finished")
    else:
        state = waiting if place else Text("rechnet weiter …", "going on …")
    depth, nodes = analysis.depth, exploration.nodes
    return Text(
        f"Tiefe {depth} · {number(nodes / 1000, 'de')} Tsd. Stellungen · {state.de}",
        f"depth {depth} · {number(nodes / 1000, 'en')} k positions · {state.en}",
    )
