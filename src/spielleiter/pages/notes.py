"""What players noted, as HTML beside a move: texts, the best values, their own chance, and what was printed."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from spielleiter.game import TEAMS, Language, Look, Team
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.pages.formatting import number, short_number
from spielleiter.records.history import History, RecordedNotes
from spielleiter.text import one_line

_BEST_VALUES = 6


def notes_before(history: History, ply: int) -> list[RecordedNotes]:
    """What was noted for the move that led to the position after ``ply`` moves, or for the one before if nothing was.

    At the end also what came after it.
    """
    found = [history.notes_at(ply - 1) or (history.notes_at(ply - 2) if ply > 1 else None)] if ply else []
    if ply == len(history.moves):
        found += [history.notes_at(ply, team) for team in TEAMS]
    return [noted for noted in found if noted is not None]


def noted_look(history: History, ply: int, language: Language, look: Look) -> Look:
    """``look`` with what was noted for the move that led to this position."""
    noted = history.notes_at(ply - 1) if ply else None
    return look if noted is None else boards.notes_look(history.game, noted, look, language)


def noted_parts(history: History, ply: int, look: Look, *, language: Language) -> dict[str, str]:
    """The parts of a page that show what was noted: the board with it, and the panel beside."""
    drawn = noted_look(history, ply, language, look)
    board = boards.board(history.game, history.states[ply], look=drawn)
    return {"board": board, "notes": panel(history, ply, language)}


def panel(history: History, ply: int, language: Language) -> str:
    """The notes beside a position as HTML."""
    names = words.player_names(history.game, history.names, language)
    noted = [_shown(each, names[each.team], each.ply, language) for each in notes_before(history, ply)]
    return render("parts/notes.html", language, noted=noted, curve=_curve(history, ply, language))


def noted_chances(history: History) -> dict[Team, list[float | None]]:
    """The winning chances of the teams as their own players saw them, of those that noted any."""
    found = {team: history.chances_noted(team) for team in TEAMS}
    return {team: chances for team, chances in found.items() if any(each is not None for each in chances)}


def _curve(history: History, ply: int, language: Language) -> Markup:
    noted = noted_chances(history)
    if not noted:
        return Markup()
    return charts.chance_curve([None] * (len(history.moves) + 1), [ply] if ply else [], language, noted)


def _shown(noted: RecordedNotes, name: str, ply: int, language: Language) -> dict[str, Any]:
    values = {cell: value for note in noted.notes for cell, value in note.values}
    best = sorted(values.items(), key=lambda each: -each[1])[:_BEST_VALUES]
    chances = [note.chance for note in noted.notes if note.chance is not None]
    arrows = dict.fromkeys(arrow for note in noted.notes for arrow in note.arrows)
    return {
        "name": name,
        "team": noted.team.name.lower(),
        "ply": ply + 1,
        "texts": [note.text for note in noted.notes if note.text],
        "table": {key: _entry(value, language) for note in noted.notes for key, value in note.table},
        "values": [(cell, boards.value_label(value, language)) for cell, value in best],
        "more": len(values) - len(best),
        "squares": list(dict.fromkeys(cell for note in noted.notes for cell in note.squares)),
        "arrows": [f"{start} → {end}" for start, end in list(arrows)[:_BEST_VALUES]],
        "chance": number(100 * chances[-1], language, 0) if chances else "",
        "problem": None if noted.problem is None else noted.problem.to(language),
        "output": noted.output,
    }


def summary(noted: RecordedNotes, language: Language) -> str:
    """What was noted for one move, without what was printed, in one line for a terminal."""
    shown = _shown(noted, "", noted.ply, language)
    parts = [*shown["texts"], *(f"{key}: {value}" for key, value in shown["table"].items())]
    parts += [" ".join(f"{cell}: {value}" for cell, value in shown["values"]) + (" …" if shown["more"] > 0 else "")]
    parts += [" ".join(shown["squares"]), " ".join(each.replace(" ", "") for each in shown["arrows"])]
    parts += [f"{shown['chance']} %" if shown["chance"] else "", f"({shown['problem']})" if shown["problem"] else ""]
    return one_line(" | ".join(filter(None, parts)))


def _entry(value: str | float, language: Language) -> str:
    return value if isinstance(value, str) else short_number(value, language)
