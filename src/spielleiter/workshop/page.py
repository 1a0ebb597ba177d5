"""What the page of the workshop shows and tells its scripts, with a server or without one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.game import AnyGame, Language
from spielleiter.pages import boards
from spielleiter.players import BUILT_IN
from spielleiter.workshop import assets
from spielleiter.workshop.completion import completions
from spielleiter.workshop.games import ENGINE_OPPONENTS, OPPONENTS
from spielleiter.workshop.program import MAX_CODE
from spielleiter.workshop.starter import first_player
from spielleiter.workshop.tasks import TASKS

SESSION = "spielleiter.workshop.session"
"""The module that answers the page."""


def page_context(game: AnyGame, language: Language, python: Mapping[str, Any], *, has_engine: bool) -> dict[str, Any]:
    """What the page shows; ``python`` says where Python for the browser is. Beside it may be the engine."""
    start = game.new_state(Random(game.key))
    engine_opponents = ENGINE_OPPONENTS if has_engine else ()
    return {
        "game": game,
        "games": games.seasons(),
        "input_kind": boards.input_kind(game),
        "board": boards.board(game, start),
        "opponents": [BUILT_IN[name] for name in OPPONENTS],
        "engine_opponents": [BUILT_IN[name] for name in engine_opponents],
        "tasks": TASKS,
        "data": {
            **python,
            "session": SESSION,
            "engine": assets.ENGINE,
            "engineOpponents": engine_opponents,
            "game": game.key,
            "language": language,
            "starter": first_player(game, language),
            "completions": completions(game),
            "seconds": game.limits.soft,
            "maxCode": MAX_CODE,
            "position": game.notation.format_state(start),
        },
    }
