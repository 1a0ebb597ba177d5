"""A ladder of small tasks for a player, each judged by real games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from spielleiter.game import AnyGame, Text
from spielleiter.players.builtin import alpha_beta
from spielleiter.search import Budget
from spielleiter.search.result import final_value
from spielleiter.text import NO_TEXT
from spielleiter.workshop.games import GameSetup, ProgramResult, play_match, summarise
from spielleiter.workshop.player import WorkshopPlayer
from spielleiter.workshop.problems import Problem
from spielleiter.workshop.program import Program


@dataclass(frozen=True, slots=True)
class TaskStep:
    """How far a task is, and once it is judged, how."""

    done: int
    total: int
    passed: bool | None = None
    """``None`` while it is judged."""
    text: Text = NO_TEXT
    problem: Problem | None = None
    history: Any = None
    """The game in which something went wrong, to look at."""


@dataclass(frozen=True, slots=True)
class Task:
    """One rung of the ladder."""

    key: str
    title: Text
    what: Text
    """What is asked."""
    hint: Text
    """What teaches, without giving the solution."""
    judge: Callable[[Program, GameSetup], Iterator[TaskStep]]


_LEGAL_GAMES, _GAMES, _TRAPS = 6, 20, 8
_NEEDED_TRAPS = 6


def _always_legal(program: Program, setup: GameSetup) -> Iterator[TaskStep]:
    for game in play_match(program, setup, _LEGAL_GAMES, seed=1):
        if game.problem is not None:
            yield TaskStep(game.number + 1, _LEGAL_GAMES, False, game.problem.text, game.problem, game.history)
            return
        yield TaskStep(game.number + 1, _LEGAL_GAMES)
    said = Text(f"{_LEGAL_GAMES} Spiele ohne einen Fehler.", f"{_LEGAL_GAMES} games without a fault.")
    yield TaskStep(_LEGAL_GAMES, _LEGAL_GAMES, True, said)


def _beats(program: Program, setup: GameSetup) -> Iterator[TaskStep]:
    games: list[ProgramResult] = []
    for game in play_match(program, setup, _GAMES, seed=2):
        games.append(game)
        yield TaskStep(len(games), _GAMES)
    summary = summarise(games, setup)
    passed = summary.elo.decided and summary.elo.elo > 0
    problem = next((game for game in games if game.problem is not None), None)
    lost = problem or next((game for game in games if game.points == 0), None)
    points = f"{sum(game.points for game in games):g}"
    said = Text(
        f"{points.replace('.', ',')} von {_GAMES} Punkten. {summary.sentences[0].de}",
        f"{points} of {_GAMES} points. {summary.sentences[0].en}",
    )
    yield TaskStep(
        _GAMES, _GAMES, passed, said, None if problem is None else problem.problem,
        None if passed or lost is None else lost.history,
    )  # fmt: skip


def _looks_ahead(program: Program, setup: GameSetup) -> Iterator[TaskStep]:
    """Positions in which the move that looks best at once allows an answer that spoils it."""
    found = 0
    total = 0
    player = WorkshopPlayer(program, setup.game)
    for trap in traps(setup.game, _TRAPS):
        thought = player.think(trap.state, setup.seconds)
        if thought.problem is not None:
            yield TaskStep(total + 1, _TRAPS, False, thought.problem.text, thought.problem)
            return
        total += 1
        found += _value_after(setup.game, trap.state, thought.move) >= (trap.tempting + trap.better) / 2
        yield TaskStep(total, _TRAPS)
    passed = found >= min(_NEEDED_TRAPS, total)
    yield TaskStep(
        _TRAPS, _TRAPS, passed,
        Text(
            f"In {found} von {total} Stellungen ist dein Spieler nicht in die Falle getappt.",
            f"Your player avoided the trap in {found} of {total} positions.",
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trap:
    """A position where the tempting move is clearly worse after the best answer; values as ``_value_after``."""

    state: Any
    tempting: float
    better: float


_MIN_GAP = 0.08
"""How much the answer must spoil, on the scale of ``Game.evaluate``."""
_MAX_TRIED = 250
"""Positions that are tried until enough traps are found."""


def traps(game: AnyGame, wanted: int) -> Iterator[Trap]:
    """Traps from games of ``greedy`` against anything; always the same ones."""
    rng = Random(f"{game.key} traps")
    greedy, student = alpha_beta(game, rng, noisy=False), alpha_beta(game, rng, noisy=False)
    state, found = game.new_state(rng), 0
    for _ in range(_MAX_TRIED):
        if found == wanted:
            return
        if state.outcome is not None:
            state = game.new_state(rng)
        tempting = greedy.search(state, Budget(depth=1)).move
        move = rng.choice(state.legal_moves()) if rng.random() < 0.4 else tempting
        if rng.random() < 0.5:
            best = student.search(state, Budget(depth=2)).move
            gap = Trap(state, _value_after(game, state, tempting), _value_after(game, state, best))
            if gap.better - gap.tempting >= _MIN_GAP:
                found += 1
                yield gap
        state = state.play_unchecked(move)


def _value_after(game: AnyGame, state: Any, move: Any) -> float:
    """The value of a move for the team that makes it, after the best next move."""
    team, after = state.to_move, state.play_unchecked(move)
    if after.outcome is not None:
        return max(-1.0, min(1.0, final_value(after, after.outcome, team)))
    score = alpha_beta(game, Random(0), noisy=False).search(after, Budget(depth=1)).score
    score = max(-1.0, min(1.0, score))
    return score if after.to_move is team else -score


def _against(title: Text, key: str, what: Text, hint: Text) -> Task:
    return Task(key, title, what, hint, _beats)


TASKS: tuple[Task, ...] = (
    Task(
        "legal",
        Text("Immer erlaubt", "Always legal"),
        Text(
            f"Spiele {_LEGAL_GAMES} Spiele zu Ende, ohne einen Fehler und ohne zu langsam zu sein.",
            f"Play {_LEGAL_GAMES} games to their end without a fault and without being too slow.",
        ),
        Text(
            "state.legal_moves() ist die Liste aller erlaubten Züge. Gib mit choose einen davon zurück.",
            "state.legal_moves() is the list of all legal moves. Let choose return one of them.",
        ),
        _always_legal,
    ),
    _against(
        Text("Schlägt random", "Beats random"),
        "random",
        Text(
            f"Sei deutlich besser als random, der irgendeinen Zug nimmt ({_GAMES} Spiele).",
            f"Be clearly better than random, which takes any move ({_GAMES} games).",
        ),
        Text(
            "Was macht einen Zug gut? Überleg dir eine Zahl, die größer ist, wenn du besser stehst, etwa aus "
            "state.points(...). So eine Zahl heißt Bewertung. state.play(move) zeigt dir die Stellung nach einem Zug.",
            "What makes a move good? Think of a number that is larger when you stand better, such as one made of "
            "state.points(...). That is called an evaluation. state.play(move) shows you the position after a move.",
        ),
    ),
    _against(
        Text("Schlägt greedy", "Beats greedy"),
        "greedy",
        Text(
            f"Sei deutlich besser als greedy, der den Zug nimmt, nach dem es am besten aussieht ({_GAMES} Spiele).",
            f"Be clearly better than greedy, which takes the move after which things look best ({_GAMES} games).",
        ),
        Text(
            "greedy denkt nur an seinen eigenen Zug. Was macht der Gegner danach? Lass deinen Spieler auch dessen "
            "Züge ausprobieren.",
            "greedy thinks of its own move alone. What will the opponent do? Let your player try their moves, too.",
        ),
    ),
    Task(
        "ahead",
        Text("Schaut einen Zug voraus", "Looks one move ahead"),
        Text(
            f"Tappe in {_NEEDED_TRAPS} von {_TRAPS} Stellungen nicht in die Falle: Der verlockendste Zug erlaubt dort "
            "eine starke Antwort.",
            f"Avoid the trap in {_NEEDED_TRAPS} of {_TRAPS} positions: the tempting move allows a strong answer there.",
        ),
        Text(
            "Nimm für jeden deiner Züge die beste Antwort des Gegners. Gut ist der Zug, nach dem selbst diese Antwort "
            "dir am wenigsten schadet. Das heißt Minimax.",
            "For each of your moves take the opponent's best answer. A move is good if even that answer harms you "
            "least. This is called minimax.",
        ),
        _looks_ahead,
    ),
    _against(
        Text("Schlägt student", "Beats student"),
        "student",
        Text(
            f"Sei deutlich besser als student, der auch an deine Antwort denkt ({_GAMES} Spiele).",
            f"Be clearly better than student, which thinks of your answer, too ({_GAMES} games).",
        ),
        Text(
            "Schau weiter voraus als zwei Züge: spielleiter.search.AlphaBeta lässt aus, was der Gegner nie zulassen "
            "würde. Oder finde eine bessere Bewertung.",
            "Look further ahead than two moves: spielleiter.search.AlphaBeta leaves out what the opponent would never "
            "allow. Or find a better evaluation.",
        ),
    ),
)
OPPONENT_OF = {"random": "random", "greedy": "greedy", "student": "student"}
"""Who plays in which task; in the others random does."""
