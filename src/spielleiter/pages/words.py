"""Sentences about players, moves, faults and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from spielleiter.game import TEAMS, AnyGame, Cause, Language, Limits, Team, Text, describe_outcome
from spielleiter.records.history import History, Ply, RecordedResult


def side(game: AnyGame, names: tuple[str, str], team: Team, language: Language) -> str:
    """A player with their colour: ``Ada (Rot)``."""
    color = game.team_name(team).to(language)
    return f"{names[team]} ({color})" if names[team] else color


def player_names(game: AnyGame, names: tuple[str, str], language: Language) -> tuple[str, str]:
    """The names of the players; one without a name is called by its colour."""
    one, two = (names[team] or game.team_name(team).to(language) for team in TEAMS)
    return one, two


def ending(history: History, language: Language) -> str:
    """How a finished game ended, in one sentence; where points decide, they say it: ``Ada (Rot) gewinnt 151 : 98``."""
    result, names = history.result, history.names
    assert result is not None
    one, two = (side(history.game, names, team, language) for team in TEAMS)
    if result.end is not None and (outcome := history.state.outcome) is not None:
        # The seasons' servers wrote words of their own.
        result = replace(result, reason=outcome.reason.text)
        if outcome.reason.is_by_points:
            return describe_outcome(history.state, (one, two)).to(language)
    return result.describe((one, two)).to(language)


def ending_reason(game: AnyGame, result: RecordedResult, ending: str) -> Text:
    """Why a game ended ``won``, ``lost`` or ``drawn`` for its reader; the loser reads whose fault it was."""
    if ending != "lost" or result.winner is None:
        return result.reason
    who = game.team_name(result.winner)
    return Text(f"{who.de} gewinnt: {result.reason.de}", f"{who.en} wins: {result.reason.en}")


def your_move(game: AnyGame, state: Any, language: Language) -> str:
    """The prompt to the reader, who is to move."""
    color = game.color_to_move(state)
    return Text(f"Du bist am Zug ({color.de}).", f"Your move ({color.en}).").to(language)


def thinking(game: AnyGame, state: Any, name: str, language: Language) -> str:
    """The line that says that another player is to move."""
    color = game.color_to_move(state)
    return Text(f"{name} denkt nach ({color.de}) …", f"{name} is thinking ({color.en}) …").to(language)


def clock_text(limits: Limits | None) -> Text:
    """A clock for people in words."""
    if limits is None:
        return Text("ohne Uhr", "no clock")
    minutes, each = f"{limits.soft / 60:g}", f"{limits.increment or 0:g}"
    return Text(f"{minutes} min + {each} s je Zug", f"{minutes} min + {each} s a move")


CAUSES = {
    Cause.LEFT: Text("ist gegangen", "has left"),
    Cause.RULE_VIOLATION: Text("Regelverstoß", "broke a rule"),
    Cause.SOFT_TIMEOUT: Text("zu langsam", "too slow"),
    Cause.HARD_TIMEOUT: Text("keine Antwort", "no answer"),
}


RESIGNED = Text("gibt auf", "resigns")


def cause_badge(cause: Cause, language: Language, *, resigned: bool = False) -> Markup:
    """A fault in a word, with its name in the protocol as a tooltip; empty if there was none."""
    if cause is Cause.REGULAR:
        return Markup()
    if resigned:
        return Markup('<span class="badge plain">{}</span>').format(RESIGNED.to(language))
    return Markup('<span class="badge bad" title="{}">{}</span>').format(cause.value, CAUSES[cause].to(language))


def points(game: AnyGame, state: Any, team: Team, language: Language) -> list[tuple[str, int, str]]:
    """The scores of a team and the words before and after each, without the victory points, which are for the end."""
    if game.live_scores is not None:
        found = list(game.live_scores(state, team))
    else:
        parts = zip(game.scores[1:], state.points(team)[1:], strict=False)
        found = [(score.single if value == 1 and score.single else score.text, value) for score, value in parts]
    return [_around(text.to(language), value) for text, value in found]


def _around(text: str, value: int) -> tuple[str, int, str]:
    """A number and the words before and after it; ``{}`` is its place in the text, else it stands before it."""
    before, place, after = text.partition("{}")
    return (before.rstrip(), value, after.lstrip()) if place else ("", value, text)


def move_text(game: AnyGame, before: Any, move: Any, language: Language) -> str:
    """A move in words."""
    return game.move_text(before, move).to(language)


def move_label(game: AnyGame, before: Any, move: Any, text: str, language: Language) -> str:
    """A move for a list: its notation ``text``, or words where those say more to people."""
    said = None if game.board_input is None else game.board_input.list_text(before, move)
    return text if said is None else said.to(language)


def move_rows(game: AnyGame, plies: Sequence[Ply], language: Language) -> list[dict[str, Any]]:
    """The moves of a game for a list, in notation and in words."""
    return [
        {
            "ply": number,
            "text": move_label(game, played.before, played.move, played.text, language),
            "words": move_text(game, played.before, played.move, language),
            "seconds": played.seconds,
        }
        for number, played in enumerate(plies, 1)
    ]


def players_at(
    history: History,
    ply: int,
    language: Language,
    *,
    running: bool,
    result: RecordedResult | None,
    asked: float | None = None,
    now: float = 0.0,
) -> list[dict[str, Any]]:
    """Both sides of a game after so many plies, see ``players``."""
    return players(
        history.game,
        history.names,
        history.states[ply],
        language,
        result=result,
        asked=asked,
        now=now,
        used=partial(history.used, plies=ply),
        left=partial(history.time_left, plies=ply),
        limits=history.current_limits,
        running=running,
    )


def players(
    game: AnyGame,
    names: tuple[str, str],
    state: Any,
    language: Language,
    *,
    result: RecordedResult | None,
    asked: float | None,
    now: float,
    used: Callable[[Team], float | None],
    left: Callable[[Team], float | None] = lambda team: None,
    limits: tuple[Limits | None, Limits | None],
    running: bool,
) -> list[dict[str, Any]]:
    """Both sides: name, colour, points, clock, and whose turn it is.

    ``asked`` is when the move was requested, ``now`` the present, both on the monotonic clock; ``asked`` is ``None`` if
    no clock runs; ``used`` says ``None`` if unmeasured, ``left`` without a clock for the whole game.
    """
    return [
        {
            "team": team.name.lower(),
            "name": player_names(game, names, language)[team],
            "color": game.team_name(team).to(language),
            "points": points(game, state, team, language),
            "turn": running and result is None and state.outcome is None and state.to_move is team,
            "asked": asked,
            "thinking": 0.0 if asked is None else max(0.0, now - asked),
            "used": used(team),
            "left": left(team),
            "limit": getattr(limits[team], "per_move", None),
            "won": result is not None and result.winner is team,
            "cause": ""
            if result is None
            else cause_badge(result.teams[team].cause, language, resigned=result.resigned),
        }
        for team in TEAMS
    ]
