"""A game against a built-in player on a page without a server: the page keeps its moves, and sends them each time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import SystemRandom
from typing import Any, Self

from spielleiter import games, players
from spielleiter.errors import Refused, UnknownGame
from spielleiter.game import TEAMS, AnyGame, Language, Look, Team, Text, deciding_score
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.pages.environment import render
from spielleiter.pages.opponents import LADDER, stronger_than
from spielleiter.pages.updates import Moment, PageUpdate
from spielleiter.players import BUILT_IN, BuiltIn
from spielleiter.records.history import History
from spielleiter.referee import Arrival, Room, Seat
from spielleiter.referee.events import GameEnded, MoveMade
from spielleiter.text import one_line
from spielleiter.workshop.games import OPPONENTS, opponent_title, require_engine

ADDRESS = "/table/computer"
_MAX_MOVES, _MAX_POSITION = 40_000, 5_000
"""Characters of an address or a form."""
_BETWEEN = ";"
"""Stands between two moves; no notation has it."""
_random = SystemRandom()
_ROWS = (tuple(BUILT_IN[name] for name in OPPONENTS), LADDER)
"""Whom one can choose: those in Python; and where the engine is there, the levels and full strength."""


@dataclass(frozen=True)
class ComputerGame:
    """What a page knows of its game: everything else follows."""

    game: AnyGame
    opponent: BuiltIn
    team: Team
    """The side of the visitor."""
    start: Any
    moves: tuple[str, ...] = ()
    has_resigned: bool = False
    is_turned: bool = False
    """Whether the visitor wants to see the board from the other side than usual."""

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Self:
        """The game that a page or an address names; a new one if it names no moves. Raises ``Refused``."""
        position = fields.get("position", "")[:_MAX_POSITION]
        try:
            if position:
                game, start = games.parse_position(position)
            else:
                game = games.load(fields.get("game", games.CURRENT_SEASON))
                start = game.new_state(_random)
        except UnknownGame:
            raise Refused("Dieses Spiel gibt es nicht.", "There is no such game.") from None
        side = fields.get("side")
        team = start.to_move if side is None and position else Team.TWO if side == "1" else Team.ONE
        text = fields.get("moves", "")
        if len(text) > _MAX_MOVES:
            raise Refused("Das sind zu viele Züge.", "These are too many moves.")
        name = fields.get("opponent", "")
        return cls(
            game,
            next((each for row in _ROWS for each in row if each.name == name), _ROWS[0][0]),
            team,
            start,
            tuple(text.split(_BETWEEN)) if text else (),
            fields.get("resigned") == "1",
            fields.get("flip") == "1",
        )

    @property
    def fields(self) -> dict[str, str]:
        """What names this game in a form or an address."""
        return {
            "position": self.game.notation.format_state(self.start),
            "opponent": self.opponent.name,
            "side": str(int(self.team)),
            "moves": _BETWEEN.join(self.moves),
            "resigned": str(int(self.has_resigned)),
            "flip": str(int(self.is_turned)),
        }

    @cached_property
    def history(self) -> History:
        """What was played, refereed again. Raises ``Refused`` if the moves are no game."""
        one, two = (Seat(team, label=self.game.team_name(team).en, by_hand=True) for team in TEAMS)
        room = Room("computer", self.game, self.start, (one, two), prepared=True)
        history = History(
            game_key=self.game.key, id="", start=self.game.notation.format_state(self.start), names=("", "")
        )
        at = Arrival(0.0)
        room.start(0.0)
        for text in self.moves:
            state = room.state
            if state.outcome is not None:
                raise Refused("Das Spiel ist schon vorbei.", "The game is already over.")
            _follow(history, room.play(state.to_move, self.game.notation.parse_move(state, one_line(text)), at))
        if self.has_resigned:
            _follow(history, room.resign(self.team, 0.0, self._resigns))
        return history

    @property
    def _resigns(self) -> Text:
        name = self.game.team_name(self.team)
        return Text(f"{name.de} {words.RESIGNED.de}", f"{name.en} {words.RESIGNED.en}")

    @property
    def is_mine(self) -> bool:
        """Whether the visitor is to move."""
        return self.history.result is None and self.history.state.to_move is self.team

    @property
    def stronger(self) -> BuiltIn | None:
        """The next stronger opponent of those that play in a browser."""
        return stronger_than(self.opponent.name, _ROWS)

    @property
    def flips(self) -> bool:
        """Whether the board stands on its head: usually so that the visitor sits below, else as they want it."""
        board_input = self.game.board_input
        return (self.team is Team.TWO and board_input is not None and board_input.flips_for_two) is not self.is_turned

    # --- what can be done ---------------------------------------------------------------------------------------------

    def move(self, form: Mapping[str, Any]) -> Self:
        """The visitor plays. Raises ``Refused``."""
        if not self.is_mine:
            raise Refused("Du bist nicht am Zug.", "It is not your turn.")
        state = self.history.state
        return self._with(state, legal_move(self.game, state, form))

    def answer(self) -> Self:
        """The computer plays, again and again while the visitor has to wait. Raises ``EngineMissing``."""
        require_engine(self.opponent.name)
        found = self
        player = players.load(self.opponent.name)
        while found.history.result is None and not found.is_mine:
            state = found.history.state
            found = found._with(state, player.choose(state, self.game.limits.soft))
        return found

    def _with(self, state: Any, move: Any) -> Self:
        return replace(self, moves=(*self.moves, self.game.notation.format_move(state, move)))

    def act(self, action: str) -> Self:
        """What a button does. Raises ``Refused``."""
        match action:
            case "again":
                return replace(self, moves=(), has_resigned=False)
            case "take-back":
                return self._before_own_move()
            case "resign":
                return replace(self, has_resigned=True)
            case "swap":
                return replace(self, moves=(), has_resigned=False, team=self.team.opponent)
            case "new-start":
                return replace(self, moves=(), has_resigned=False, start=self.game.new_state(_random))
            case "stronger" if (above := self.stronger) is not None:
                return replace(self, moves=(), has_resigned=False, opponent=above)
            case "look":
                return self
        raise Refused("Das gibt es hier nicht.", "There is no such thing here.")

    def _before_own_move(self) -> Self:
        """Without the visitor's last move, and what came after it."""
        own = [number for number, ply in enumerate(self.history.plies) if ply.team is self.team]
        return replace(self, moves=self.moves[: own[-1]] if own else self.moves, has_resigned=False)

    # --- what the page shows ------------------------------------------------------------------------------------------

    def page_context(self, language: Language) -> dict[str, Any]:
        """What the page of the table shows."""
        return {
            "table": {"key": "computer"},
            "game": self.game,
            "update": self.update(language),
            "events": "",
            "turned": self.is_turned,
            "input_kind": boards.input_kind(self.game),
            "example": self.game.notation.format_move(self.start, self.start.legal_moves()[0]),
            "people": True,
            "company": False,
            "can_take_back": True,
            "engine_missing": None,
            "can_hint": False,
            "room_id": None,
            "names": words.player_names(self.game, self._names(language), language),
        }

    def _names(self, language: Language) -> tuple[str, str]:
        """A visitor without a name is called by their colour."""
        other = opponent_title(self.opponent.name).to(language)
        return ("", other) if self.team is Team.ONE else (other, "")

    def update(self, language: Language) -> PageUpdate:
        """The changing parts of the page, and the possible moves as data."""
        history, game, mine = self.history, self.game, self.is_mine
        state, plies, result = history.state, history.plies, history.result
        history = replace(history, names=self._names(language))
        sides = words.players(
            game, history.names, state, language,
            result=result, asked=None, now=0.0, used=lambda team: None, limits=(None, None), running=True,
        )  # fmt: skip
        status = (
            words.ending(history, language)
            if result is not None
            else words.your_move(game, state, language)
            if mine
            else words.thinking(game, state, history.names[state.to_move], language)
        )
        last = words.move_text(game, plies[-1].before, plies[-1].move, language) if plies else ""
        rows = [row | {"seconds": None} for row in words.move_rows(game, plies, language)]  # There is no clock.
        return PageUpdate(
            parts={
                "board": boards.board(game, state, flipped=self.flips),
                "players": render(
                    "parts/players.html", language, sides=[side | {"has_clock": False} for side in sides]
                ),
                "status": render("parts/status.html", language, status=status, over=result is not None, mine=mine),
                "moves": render("parts/moves.html", language, rows=rows),
                "waiting": "",
                "after": self._after(language),
            },
            say=f"{last}. {status}" if last else status,
            moment=Moment(None, len(plies), mine=mine, over=result is not None, ending=self._ending()),
            play={
                "playing": result is None and bool(plies),
                "can": self._can(),
                "position": self.fields,
                "waits": result is None and not mine,
                **input_data(game, state, language, flipped=self.flips, mine=mine, ply=len(plies)),
            },
        )

    def _can(self) -> list[str]:
        """The buttons that do something now."""
        own = any(ply.team is self.team for ply in self.history.plies)
        possible = {"take-back": own, "resign": self.history.result is None}
        return [action for action, can in possible.items() if can]

    def look_at(self, ply: int, language: Language) -> PageUpdate:
        """An earlier position. Raises ``Refused``."""
        states, plies = self.history.states, self.history.plies
        if not 0 <= ply < len(states):
            raise Refused("So viele Züge hat das Spiel nicht.", "The game does not have that many moves.")
        said = "" if not ply else words.move_text(self.game, plies[ply - 1].before, plies[ply - 1].move, language)
        return PageUpdate(
            parts={"board": boards.board(self.game, states[ply], look=Look(flipped=self.flips))}, say=said
        )

    def _ending(self) -> str:
        result = self.history.result
        if result is None:
            return ""
        return "drawn" if result.winner is None else "won" if result.winner is self.team else "lost"

    def _after(self, language: Language) -> str:
        result, ending = self.history.result, self._ending()
        if result is None:
            return ""
        return render(
            "parts/after.html",
            language,
            table={"key": "computer"},
            live=None,
            ending=ending,
            score=deciding_score(self.history.state, self.team),
            reason=words.ending_reason(self.game, result, ending).to(language),
            resigned=self.has_resigned,
            worst=None,
            stronger=self.stronger,
            can_report=False,
            fault=False,
        )


def _follow(history: History, effects: Any) -> None:
    for effect in effects:
        if isinstance(effect, MoveMade | GameEnded):
            history.follow(effect)
