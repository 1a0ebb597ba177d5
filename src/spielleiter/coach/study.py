"""The costliest moves of a player: every position is looked at quickly, what looks costly a second time and longer.

The time is bounded: six tenths of it go into the first look, games that went worst first; the rest into the second one,
which also finds the acceptable moves. A move that is good on the second look is dropped. Without more time it stops
taking ``steps``; what is known by then stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.analysis import Analyst, GameAnalysis, MoveAnalysis, MoveClass, classify, loss_between, reasons_for
from spielleiter.coach.own_games import OwnGame, OwnGames
from spielleiter.coach.thoughts import thought_text
from spielleiter.game import AnyGame, Team, Text, Weight
from spielleiter.records.history import Ply
from spielleiter.search import Budget
from spielleiter.text import NO_TEXT

ACCEPTABLE_LOSS = MoveClass.INACCURACY.min_cost
"""A move is acceptable that loses less than this against the best one."""
MAX_CANDIDATES = 20
"""Moves that get a second look."""
_MAX_LINES = 8
"""Where more moves are as good, there is nothing to learn."""
_FIRST_SHARE = 0.6
_MIN_FIRST, _MAX_FIRST, _MAX_SECOND = 0.02, 0.25, 2.0
"""Seconds per position."""
_SHOWN = 4
"""Moves of a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostlyMove:
    """A move of the player that gave away much of its winning chance."""

    game: OwnGame
    ply: int
    """The number of moves played with it; the first is 1."""
    played: Ply
    best: Any
    position: str
    """Before the move, in notation."""
    before: float
    """The player's winning chance with the best move."""
    after: float
    better: tuple[str, ...]
    """The best line, in notation."""
    answer: tuple[str, ...]
    """How the game should have gone on after the move."""
    better_words: tuple[Text, ...]
    """``better`` and ``answer`` as people say them."""
    answer_words: tuple[Text, ...]
    reasons: tuple[Text, ...]
    """Why the move was worse, in the game's own terms."""
    why: Text
    noted: Text = NO_TEXT
    """What the player noted of it, where it did."""
    acceptable: tuple[str, ...] = ()
    """All acceptable moves, the best first; empty before the second look, or if there are too many."""

    @property
    def loss(self) -> float:
        """How much of its chance the player gave away, from 0 to 1."""
        return loss_between(self.before, self.after)

    @property
    def words(self) -> Text:
        """The move as people say it."""
        return self.game.history.game.move_text(self.played.before, self.played.move)

    @property
    def move_class(self) -> MoveClass:
        """How good it was."""
        return classify(self.loss)


class Study:
    """The search for costly moves in the games of one player, as far as it has come."""

    def __init__(
        self,
        own: OwnGames,
        seconds: float,
        analyst: Analyst | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own = own
        self._seconds = seconds
        self._analyst = analyst or Analyst()
        self._now = now
        self._queue = sorted(
            (game for game in own.games if game.history.moves),
            key=lambda game: 2.0 if game.points is None else game.points,
        )
        self._analyses: list[tuple[OwnGame, GameAnalysis]] = []
        self._second: dict[tuple[str, int], CostlyMove] = {}

    @property
    def games(self) -> int:
        """The number of games that were looked at from begin to end."""
        return sum(analysis.is_complete for _, analysis in self._analyses)

    @property
    def games_total(self) -> int:
        """The number of games with a record."""
        return len(self._queue)

    def steps(self) -> Iterator[tuple[int, int]]:
        """Do the work; after each step how much is done, and of how much. Raises ``EngineMissing``, ``RecordError``."""
        begin, done = self._now(), 0
        positions = sum(len(game.history.moves) + 1 for game in self._queue)
        first = Budget(seconds=min(_MAX_FIRST, max(_MIN_FIRST, _FIRST_SHARE * self._seconds / max(1, positions))))
        for game in self._queue:
            analysis = GameAnalysis(game.history)
            self._analyses.append((game, analysis))
            while not analysis.is_complete and self._now() - begin < _FIRST_SHARE * self._seconds:
                analysis.judge_next(self._analyst, first)
                done += 1
                yield done, positions + MAX_CANDIDATES
            if not analysis.is_complete:
                break
        candidates = self._candidates()
        for number, (game, analysis, move) in enumerate(candidates):
            left = self._seconds - (self._now() - begin)
            if left <= 0:
                break
            # Two searches for each candidate.
            budget = Budget(seconds=min(_MAX_SECOND, max(_MIN_FIRST, left / 2 / (len(candidates) - number))))
            if (found := self._second_look(game, analysis, move, budget)) is not None:
                self._second[game.history.place, move.ply] = found
            yield positions + number + 1, positions + max(len(candidates), MAX_CANDIDATES)

    @property
    def costly(self) -> list[CostlyMove]:
        """The moves that lost at least as much as an inaccuracy, the costliest first."""
        found = [
            self._second.get((game.history.place, move.ply)) or _first_look(game, analysis, move)
            for game, analysis, move in self._candidates()
        ]
        return sorted((move for move in found if move.move_class.is_error), key=lambda move: -move.loss)

    def _candidates(self) -> list[tuple[OwnGame, GameAnalysis, MoveAnalysis]]:
        found = [
            (game, analysis, move)
            for game, analysis in self._analyses
            for move in analysis.moves
            if move.team is game.team and classify(move.loss).is_error
        ]
        return sorted(found, key=lambda each: -each[2].loss)[:MAX_CANDIDATES]

    def _second_look(
        self, game: OwnGame, analysis: GameAnalysis, move: MoveAnalysis, budget: Budget
    ) -> CostlyMove | None:
        """What a longer search says of a move; ``None`` if the engine did not come to look."""
        rules, state, after = analysis.game, analysis.states[move.ply - 1], analysis.states[move.ply]
        lines = self._analyst.best_lines(rules, state, budget, _MAX_LINES)
        answer = self._analyst.judge(rules, after, budget)
        if not lines or answer is None:
            return None
        best, played = lines[0].win_probability, answer.chance(game.team)
        accepted = [line.moves[0] for line in lines if best - line.win_probability < ACCEPTABLE_LOSS]
        texts = tuple(rules.notation.format_move(state, each) for each in accepted)
        all_known = len(texts) < _MAX_LINES or len(state.legal_moves()) == len(texts)
        return _costly(
            game,
            analysis,
            move,
            chances=(best, best if after in map(state.play_unchecked, accepted) else played),
            better=lines[0].moves,
            answer=answer.line,
            acceptable=texts if all_known else (),
        )


def _first_look(game: OwnGame, analysis: GameAnalysis, move: MoveAnalysis) -> CostlyMove:
    before, after = analysis.judgements[move.ply - 1], analysis.judgements[move.ply]
    assert before is not None  # The move was judged.
    assert after is not None
    chances = before.chance(game.team), after.chance(game.team)
    return _costly(game, analysis, move, chances=chances, better=before.line, answer=after.line)


def _costly(
    game: OwnGame,
    analysis: GameAnalysis,
    move: MoveAnalysis,
    *,
    chances: tuple[float, float],
    better: Sequence[Any],
    answer: Sequence[Any],
    acceptable: tuple[str, ...] = (),
) -> CostlyMove:
    rules, state, after = analysis.game, analysis.states[move.ply - 1], analysis.states[move.ply]
    return CostlyMove(
        game=game,
        ply=move.ply,
        played=analysis.plies[move.ply - 1],
        best=better[0],
        position=rules.notation.format_state(state),
        before=chances[0],
        after=chances[1],
        better=_written(rules, state, better),
        answer=_written(rules, after, answer),
        better_words=_said(rules, state, better),
        answer_words=_said(rules, after, answer),
        reasons=reasons_for(rules, state, analysis.plies[move.ply - 1].move, better, answer),
        why=_why(rules, state, better, after, answer),
        noted=_noted(game, analysis, move, better[0], chances[0]),
        acceptable=acceptable,
    )


def _noted(game: OwnGame, analysis: GameAnalysis, move: MoveAnalysis, best: Any, chance: float) -> Text:
    noted = game.history.notes_at(move.ply - 1, game.team)
    if noted is None:
        return NO_TEXT
    played = analysis.plies[move.ply - 1]
    return thought_text(analysis.game, played.before, played.move, best, noted, chance)


def _written(game: AnyGame, state: Any, moves: Sequence[Any]) -> tuple[str, ...]:
    texts = []
    for move in moves[:_SHOWN]:
        texts.append(game.notation.format_move(state, move))
        state = state.play_unchecked(move)
    return tuple(texts)


def _said(game: AnyGame, state: Any, moves: Sequence[Any]) -> tuple[Text, ...]:
    texts = []
    for move in moves[:_SHOWN]:
        texts.append(game.move_text(state, move))
        state = state.play_unchecked(move)
    return tuple(texts)


def _why(game: AnyGame, state: Any, better: Sequence[Any], after: Any, answer: Sequence[Any]) -> Text:
    """What the move allowed and what the better one would have done; empty if only the lines can say it."""
    if after.outcome is not None:
        end = _end(game, after)
        return Text(f"Danach ist das Spiel vorbei: {end.de}", f"After it the game is over: {end.en}")
    said = [
        _prefixed(Text("Danach", "After it"), game, after, answer),
        _prefixed(Text("Besser", "Better"), game, state, better),
    ]
    known = [text for text in said if text is not None]
    return Text(" ".join(text.de for text in known), " ".join(text.en for text in known))


def _end(game: AnyGame, after: Any) -> Text:
    end: Text = after.outcome.describe_colors((game.team_name(Team.ONE), game.team_name(Team.TWO)))
    return end


def _prefixed(prefix: Text, game: AnyGame, state: Any, line: Sequence[Any]) -> Text | None:
    """What the commentator says of the first move of a line, if that is worth it."""
    if not line:
        return None
    move, after = line[0], state.play_unchecked(line[0])
    name = game.move_text(state, move)
    remark = None if game.commentary is None else game.commentary.remark(state, move, after)
    if after.outcome is not None:
        said = _end(game, after)
    elif remark is not None and remark.weight >= Weight.EVENT:
        said = remark.text
    else:
        return None
    return Text(f"{prefix.de} „{name.de}“: {said.de}", f"{prefix.en} “{name.en}”: {said.en}")
