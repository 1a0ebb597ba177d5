"""The protocol of ``spielleiter engine serve``: requests and answers, each a JSON object in one line.

Documented for other programs in docs/engine-protocol.md. Laws: a request that cannot be carried out is refused whole,
and nothing of it is searched; every other request is answered once for each position that it asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf
from random import Random
from typing import Any

from spielleiter import __version__, games
from spielleiter.analysis.analyst import expected_lead
from spielleiter.errors import IllegalMove, NotationError, Refused, SettingsError, UnknownGame
from spielleiter.game import TEAMS, AnyGame, GameState, Text
from spielleiter.search import Budget
from spielleiter.search.engine import Analysis, Line, features, rule_sets, version, why_unavailable
from spielleiter.values import Values, parse_json

PROTOCOL = 1
"""Grows when a program written for the version before would misread an answer; new keys alone change nothing."""
MAX_LINE = 1 << 18
"""Bytes of a request."""
DEFAULT_SECONDS = 1.0
"""Seconds for each position of a request without a limit."""
_MAX_NAME = 200
_MAX_NODES = 10**12
_MAX_SECONDS = 86_400.0
_MAX_DEPTH = 1000
_MAX_LINES = 100
_MAX_SEED = 2**63 - 1
_MIN_INTERVAL = 0.05
_MAX_PRIORITY = 1_000_000
_SEARCHES = {"alpha-beta": False, "tree": True}


class Action(Enum):
    """What can be asked for besides an analysis."""

    VERSION = "version"
    TERMINATE = "terminate"
    TERMINATE_ALL = "terminate_all"


@dataclass(frozen=True, slots=True)
class Command:
    """A request for an action."""

    id: str
    action: Action
    target: str | None = None
    """The id of the analysis to terminate."""


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """Positions of one game to analyse."""

    id: str
    game: AnyGame
    positions: tuple[tuple[int, GameState[Any]], ...]
    """The requested positions, each with the number of moves before it."""
    budget: Budget
    """Budget for each position."""
    lines: int
    tree: bool
    """Whether by tree search instead of alpha-beta."""
    report_every: float
    """Seconds between two answers during a search; infinite without such answers."""
    priority: int


# --- requests ---------------------------------------------------------------------------------------------------------


def parse_line(data: bytes, number: int) -> tuple[str, Values]:
    """The id of the request in line ``number`` of the input, and what else stands there. Raises ``SettingsError``."""
    place = f"stdin:{number}"
    if len(data) > MAX_LINE:
        raise SettingsError(
            f"{place}: länger als {MAX_LINE // 1024} KiB", f"{place}: longer than {MAX_LINE // 1024} KiB"
        )
    values = parse_json(data, place, SettingsError)
    name = values.text("id")
    if len(name) > _MAX_NAME:
        raise values.expected("id", Text(f"höchstens {_MAX_NAME} Zeichen lang", f"at most {_MAX_NAME} characters long"))
    return name, values


def read_request(name: str, values: Values) -> AnalysisRequest | Command:
    """The request called ``name``. Raises ``SettingsError`` with what is wrong there."""
    if "action" in values:
        action = values.choice("action", {each.value: each for each in Action})
        needs_target = action is Action.TERMINATE
        values.refuse_unknown({"id", "action", *(("terminate",) if needs_target else ())})
        return Command(name, action, values.text("terminate") if needs_target else None)
    values.refuse_unknown(_KEYS)
    game, start = _start(values)
    budget = _budget(values)
    lines = values.whole("lines", 1, low=1, high=_MAX_LINES)
    return AnalysisRequest(
        name,
        game,
        _positions(values, game, start),
        budget,
        lines,
        _is_tree(values, game, budget),
        values.number("report_every", low=_MIN_INTERVAL, high=_MAX_SECONDS) if "report_every" in values else inf,
        values.whole("priority", 0, low=-_MAX_PRIORITY, high=_MAX_PRIORITY),
    )


_KEYS = (
    "id", "position", "seed", "moves", "analyze", "seconds", "nodes", "depth", "lines", "search", "report_every",
    "priority",
)  # fmt: skip


def _start(values: Values) -> tuple[AnyGame, GameState[Any]]:
    text = values.text("position")
    is_key = len(text.split()) == 1
    if "seed" in values and not is_key:
        raise values.wrong(
            "seed",
            Text(
                "seed gibt es nur, wenn position der Schlüssel eines Spiels ist.",
                "seed is for a position that is the key of a game",
            ),
        )
    try:
        if is_key:
            game = games.load(text.strip())
            state = game.new_state(Random(values.whole("seed", 0, high=_MAX_SEED)))
        else:
            game, state = games.parse_position(text)
    except (NotationError, UnknownGame) as problem:
        raise values.wrong("position", Text(f"position: {problem.text.de}", f"position: {problem.text.en}")) from None
    if (missing := why_unavailable(game.key)) is not None:
        raise values.wrong("position", missing)
    return game, state


def _budget(values: Values) -> Budget:
    limits: dict[str, float] = {}
    if "seconds" in values:
        limits["seconds"] = values.number("seconds", low=0.0, high=_MAX_SECONDS)
    if "nodes" in values:
        limits["nodes"] = values.whole("nodes", low=1, high=_MAX_NODES)
    if "depth" in values:
        limits["depth"] = values.whole("depth", low=1, high=_MAX_DEPTH)
    return Budget(**(limits or {"seconds": DEFAULT_SECONDS}))


def _is_tree(values: Values, game: AnyGame, budget: Budget) -> bool:
    can_be = budget.depth == inf
    tree = values.choice("search", _SEARCHES, game.tree_search and can_be)
    if tree and not can_be:
        raise values.wrong(
            "search",
            Text(
                "Die Baumsuche kennt keine Tiefe: ohne depth.",
                "the tree search knows no depth: leave out depth",
            ),
        )
    return tree


def _positions(values: Values, game: AnyGame, state: GameState[Any]) -> tuple[tuple[int, GameState[Any]], ...]:
    moves = values.texts("moves") if "moves" in values else ()
    wanted = {len(moves)}
    if "analyze" in values:
        plies = values.value("analyze", list)
        if not plies or not all(type(ply) is int and 0 <= ply <= len(moves) for ply in plies):
            expected = Text(
                f"eine Liste von Zahlen von 0 bis {len(moves)}", f"a list of numbers from 0 to {len(moves)}"
            )
            raise values.expected("analyze", expected)
        wanted = set(plies)
    found = [(0, state)] if 0 in wanted else []
    for ply, text in enumerate(moves, 1):
        try:
            state = state.play(game.notation.parse_move(state, text))
        except (NotationError, IllegalMove) as problem:
            why = problem.text if isinstance(problem, Refused) else problem.reason.value
            raise values.wrong(
                "moves",
                Text(f"moves, Zug {ply} ({text[:80]!r}): {why.de}", f"moves, ply {ply} ({text[:80]!r}): {why.en}"),
            ) from None
        if ply in wanted:
            found.append((ply, state))
    return tuple(found)


# --- answers ----------------------------------------------------------------------------------------------------------


def analysis_answer(
    request: AnalysisRequest,
    ply: int,
    state: GameState[Any],
    found: Analysis[Any] | None,
    *,
    during_search: bool = False,
    terminated: bool = False,
) -> dict[str, Any]:
    """What is known of one position; ``found`` is ``None`` where nothing was searched."""
    return {
        "id": request.id,
        "ply": ply,
        "turn": state.turn,
        "to_move": state.to_move.name,
        "during_search": during_search,
        "terminated": terminated,
        "outcome": _outcome(state),
        "depth": 0 if found is None else found.depth,
        "nodes": 0 if found is None else found.nodes,
        "seconds": 0.0 if found is None else round(found.seconds, 6),
        "win_probability": None if found is None else found.win_probability,
        "lines": [_line(request.game, state, line) for line in found.lines] if found and found.has_value else [],
    }


def _outcome(state: GameState[Any]) -> dict[str, Any] | None:
    if (outcome := state.outcome) is None:
        return None
    winner = None if outcome.winner is None else outcome.winner.name
    return {
        "winner": winner, "reason": outcome.reason.name, "points": [list(state.points(team)) for team in TEAMS]
    }  # fmt: skip


def _line(game: AnyGame, state: GameState[Any], line: Line[Any]) -> dict[str, Any]:
    texts = []
    lead = expected_lead(game, line)
    for move in line.moves:
        texts.append(game.notation.format_move(state, move))
        state = state.play_unchecked(move)
    proven = line.log_odds is None
    return {
        "moves": texts, "win_probability": line.win_probability, "score": line.score, "lead": lead, "proven": proven
    }  # fmt: skip


def version_answer(name: str) -> dict[str, Any]:
    """What this program speaks and knows."""
    return {
        "id": name,
        "protocol": PROTOCOL,
        "version": __version__,
        "engine": version(),
        "features": list(features()),
        "games": list(rule_sets()),
    }
