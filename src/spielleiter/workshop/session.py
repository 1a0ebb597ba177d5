"""Answers the requests of a workshop's page: each is a value of JSON, and so are the events that come back.

Everything that a page shows of them is text, but ``svg``: a picture that we have drawn in the interpreter in which the
program of a stranger runs, too, so the page takes nothing out of it but shapes.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from importlib import import_module
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.errors import CodeRefused, EngineMissing, Refused
from spielleiter.game import TEAMS, AnyGame, Look, Team
from spielleiter.pages import boards, words
from spielleiter.records.history import History, RecordedNotes
from spielleiter.referee import MoveMade
from spielleiter.search import engine
from spielleiter.search.browser import BrowserEngine, Host
from spielleiter.text import Language, choose_language, one_line, upper_first
from spielleiter.workshop.games import (
    ENGINE_OPPONENTS,
    OPPONENTS,
    OWN,
    GameSetup,
    ProgramResult,
    WorkshopGame,
    opponent_title,
    play_match,
    summarise,
)
from spielleiter.workshop.player import Thought, WorkshopPlayer
from spielleiter.workshop.problems import Problem
from spielleiter.workshop.program import Program
from spielleiter.workshop.tasks import OPPONENT_OF, TASKS
from spielleiter.workshop.watch import OnLine

Emit = Callable[[dict[str, Any]], None]
MAX_GAMES = 200


def handle(request: str, emit: Callable[[str], None]) -> None:
    """Answer a request; every event goes to ``emit`` as it happens, as a line of JSON. Nothing is raised."""

    def send(event: dict[str, Any]) -> None:
        emit(json.dumps(event, separators=(",", ":"), ensure_ascii=False))

    wanted = json.loads(request)
    language: Language = "de" if wanted.get("language") == "de" else "en"
    choose_language(language)
    session = WorkshopSession(games.load(wanted["game"]), language, send)
    try:
        _REQUESTS[wanted["do"]](session, wanted)
    except CodeRefused as refused:
        send({"event": "problem", **session.problem(refused.problem)})
    except Refused as refused:
        send({"event": "problem", **session.problem(Problem("error", refused.text))})
    send({"event": "done"})


def warm_up() -> None:
    """Import what the first request would have to."""
    import_module("spielleiter.client")
    games.all_games()


def connect_engine(host: Host) -> str:
    """Let the players on the engine search with that of the page. Why that is not possible, or an empty text."""
    try:
        engine.connect(BrowserEngine(host))
    except (EngineMissing, RuntimeError) as problem:
        return str(problem)
    return ""


class WorkshopSession:
    """One request: its game, its language, and where events go."""

    def __init__(self, game: AnyGame, language: Language, send: Emit) -> None:
        self.game, self.language, self.send = game, language, send
        self.on_line: OnLine | None = None

    # --- the page counts the time, too, and ends what does not come back ----------------------------------------------

    def begins(self, seconds: float) -> None:
        """The program runs now."""
        self.send({"event": "thinking", "own": True, "seconds": seconds})

    def ends(self) -> None:
        """It does not run now."""
        self.send({"event": "thinking", "own": False})

    def _line_reached(self, line: int) -> None:
        self.send({"event": "line", "line": line})

    # --- requests -----------------------------------------------------------------------------------------------------

    def run(self, wanted: Mapping[str, Any]) -> None:
        """One game, move by move."""
        self.on_line = self._line_reached
        program = self.program(wanted)
        setup, team = self.setup(wanted), Team(int(wanted.get("team", 0)))
        position = wanted.get("position")
        start = self.game.notation.parse_state(position) if position else self.game.new_state(Random())
        played = WorkshopGame(program, setup, start, team)
        self._first(played.history, str(program.printed), team)
        for event in played.play():
            if isinstance(event, MoveMade):
                own = played.own.last if event.team is team else None
                self.send({"event": "ply", **self.ply(played.history, len(played.history.plies), own)})
        self._end(played)

    def match(self, wanted: Mapping[str, Any]) -> None:
        """Many games, and what they say."""
        program, setup = self.program(wanted), self.setup(wanted)
        total = max(2, min(MAX_GAMES, 2 * (int(wanted.get("games", 20)) // 2)))
        first = max(0, int(wanted.get("first", 0)))
        played: list[ProgramResult] = []
        for game in play_match(program, setup, total, seed=3 + first):
            played.append(game)
            self.send({"event": "game", "done": len(played), "total": total, **self._row(game)})
            self._match_so_far(played, setup)

    def _row(self, game: ProgramResult) -> dict[str, Any]:
        history = game.history
        return {
            "points": game.points,
            "first": game.team is Team.ONE,
            "text": words.ending(history, self.language),
            "problem": None if game.problem is None else self.problem(game.problem),
            "moves": [move.text for move in history.moves],
            "start": history.start,
            "team": int(game.team),
        }

    def _match_so_far(self, played: list[ProgramResult], setup: GameSetup) -> None:
        summary = summarise(played, setup)
        elo = summary.elo
        self.send(
            {
                "event": "summary",
                "points": sum(game.points for game in played),
                "games": len(played),
                "won": summary.tally.results.won,
                "drawn": summary.tally.results.drawn,
                "lost": summary.tally.results.lost,
                "pairs": list(summary.tally.pairs.counts),
                "elo": elo.elo,
                "low": elo.low,
                "high": elo.high,
                "decided": elo.decided,
                "sentences": [said.to(self.language) for said in summary.sentences],
            }
        )

    def look(self, wanted: Mapping[str, Any]) -> None:
        """A game again that is known by its moves."""
        history = History(game_key=self.game.key, id="", start=wanted["start"], names=self.setup(wanted).names)
        history.play(wanted["moves"])
        self._first(history, "", Team(int(wanted.get("team", 0))))
        for ply in range(1, len(history.plies) + 1):
            self.send({"event": "ply", **self.ply(history, ply, None)})

    def think(self, wanted: Mapping[str, Any]) -> None:
        """What the program would do in a position, and what it thinks of each move."""
        self.on_line = self._line_reached
        program = self.program(wanted)
        state = self.game.notation.parse_state(wanted["position"])
        if state.outcome is not None:
            raise Refused("Hier ist das Spiel schon vorbei.", "The game is over here.")
        player = WorkshopPlayer(program, self.game)
        seconds = self._seconds(wanted)
        thought = player.think(state, seconds, values=True)
        best = {value.move: value for value in thought.values}
        picture = self._noted(thought, state.to_move, Look())
        if thought.move is not None:
            picture = boards.move_look(self.game, state, thought.move, picture)
        self.send(
            {
                "event": "thought",
                "svg": boards.strict_svg(self.game.draw(state, picture)),
                "move": None if thought.move is None else self._move(state, thought.move),
                "notation": "" if thought.move is None else self.game.notation.format_move(state, thought.move),
                **self._thought(thought),
                "values": [
                    {
                        "move": self._move(state, move),
                        "value": found.value,
                        "number": found.number,
                        "chosen": move == thought.move,
                        "svg": boards.strict_svg(
                            self.game.draw(state, boards.move_look(self.game, state, move, Look()))
                        ),
                    }
                    for move, found in sorted(best.items(), key=lambda each: -each[1].number)[:_MAX_VALUES]
                ],
                "moves": len(state.legal_moves()),
                "considered": len(best),
            }
        )

    def task(self, wanted: Mapping[str, Any]) -> None:
        """Whether the program solves a task of the ladder."""
        task = next(task for task in TASKS if task.key == wanted["task"])
        program = self.program(wanted)
        setup = self.setup({**wanted, "opponent": OPPONENT_OF.get(task.key, "random")})
        for step in task.judge(program, setup):
            history: History | None = step.history
            self.send(
                {
                    "event": "step",
                    "task": task.key,
                    "done": step.done,
                    "total": step.total,
                    "passed": step.passed,
                    "text": step.text.to(self.language),
                    "problem": None if step.problem is None else self.problem(step.problem),
                    "game": None
                    if history is None
                    else {
                        "start": history.start,
                        "moves": [move.text for move in history.moves],
                        "opponent": setup.opponent,
                        "team": int(history.names[1] == setup.names[0]),
                    },
                }
            )

    def tests(self, wanted: Mapping[str, Any]) -> None:
        """The positions that the pupil has saved, and whether the program still plays the move there."""
        self.on_line = self._line_reached
        player = WorkshopPlayer(self.program(wanted), self.game)
        seconds = self._seconds(wanted)
        for number, test in enumerate(wanted["tests"]):
            state = self.game.notation.parse_state(test["position"])
            thought = player.think(state, seconds)
            played = "" if thought.move is None else self.game.notation.format_move(state, thought.move)
            self.send(
                {
                    "event": "tested",
                    "number": number,
                    "passed": played == test["move"],
                    "move": None if thought.move is None else self._move(state, thought.move),
                    "problem": None if thought.problem is None else self.problem(thought.problem),
                }
            )

    def download(self, wanted: Mapping[str, Any]) -> None:
        """The player as a file: its folder, or the ZIP for the contest."""
        files = import_module("spielleiter.workshop.files")  # Nobody who only plays waits for it.
        name, code = files.file_name(str(wanted.get("name") or ""), self.language), wanted["code"]
        if wanted["kind"] == "folder":
            positions = [(test["position"], test["move"]) for test in wanted["tests"]]
            data = files.folder_zip(name, self.game, self.language, code, positions)
        else:
            data = files.contest_zip(name, self.game, self.language, code)
        self.send({"event": "file", "name": f"{name}.zip", "data": b64encode(data).decode()})

    def open(self, wanted: Mapping[str, Any]) -> None:
        """The code in a file."""
        files = import_module("spielleiter.workshop.files")
        self.send({"event": "opened", "code": files.code_of(b64decode(wanted["data"]))})

    # --- what they have in common -------------------------------------------------------------------------------------

    def program(self, wanted: Mapping[str, Any]) -> Program:
        """The code of the request, run once. Raises ``CodeRefused``."""
        return Program(wanted["code"], self)

    def setup(self, wanted: Mapping[str, Any]) -> GameSetup:
        """How to play."""
        opponent = wanted.get("opponent")
        opponent = opponent if opponent in (*OPPONENTS, *ENGINE_OPPONENTS) else OPPONENTS[0]
        name = one_line(str(wanted.get("name") or ""))[:_MAX_NAME] or OWN.to(self.language)
        names = name, opponent_title(opponent).to(self.language)
        return GameSetup(self.game, opponent, self._seconds(wanted), names)

    def _seconds(self, wanted: Mapping[str, Any]) -> float:
        return max(0.05, min(10.0, float(wanted.get("seconds") or self.game.limits.soft)))

    def problem(self, problem: Problem) -> dict[str, Any]:
        """A problem for the page."""
        return {
            "kind": problem.kind,
            "line": problem.line,
            "text": upper_first(problem.text.to(self.language)),
            "hint": problem.hint.to(self.language),
        }

    def _first(self, history: History, printed: str, team: Team) -> None:
        self.send(
            {
                "event": "start",
                "printed": printed,
                "names": words.player_names(self.game, history.names, self.language),
                "team": int(team),
                **self.ply(history, 0, None),
            }
        )

    def ply(self, history: History, ply: int, thought: Thought | None) -> dict[str, Any]:
        """A position of a game, and the move that led there."""
        state = history.states[ply]
        found: dict[str, Any] = {
            "ply": ply,
            "svg": boards.strict_svg(self.game.draw(state, self._noted(thought, state.to_move, Look()))),
            "position": self.game.notation.format_state(state),
            "over": state.outcome is not None,
            "turn": None if state.outcome is not None else int(state.to_move),
            "points": [[list(part) for part in words.points(self.game, state, team, self.language)] for team in TEAMS],
        }
        if ply:
            played = history.plies[ply - 1]
            found |= {
                "text": words.move_label(self.game, played.before, played.move, played.text, self.language),
                "say": words.move_text(self.game, played.before, played.move, self.language),
                "seconds": played.seconds,
                "mover": int(played.team),
            }
        return found if thought is None else found | self._thought(thought)

    def _noted(self, thought: Thought | None, team: Team, look: Look) -> Look:
        """``look`` with what the program noted drawn on the board."""
        if thought is None or not thought.notes:
            return look
        return boards.notes_look(self.game, RecordedNotes(0, team, thought.notes), look, self.language)

    def _thought(self, thought: Thought) -> dict[str, Any]:
        return {
            "printed": thought.printed,
            "took": thought.seconds,
            "notes": [note.data for note in thought.notes],
            "noteProblem": thought.note_problem.to(self.language),
            "problem": None if thought.problem is None else self.problem(thought.problem),
        }

    def _move(self, state: Any, move: Any) -> str:
        return words.move_label(self.game, state, move, self.game.notation.format_move(state, move), self.language)

    def _end(self, played: WorkshopGame) -> None:
        history, problem = played.history, played.problem
        assert history.result is not None
        winner = history.result.winner
        self.send(
            {
                "event": "end",
                "text": words.ending(history, self.language),
                "won": winner is not None and winner is played.team,
                "lost": winner is not None and winner is not played.team,
                "winner": None if winner is None else int(winner),
                "printed": played.own.last.printed if problem is not None else "",
                "problem": None if problem is None else self.problem(problem),
            }
        )


_MAX_VALUES, _MAX_NAME = 40, 40
_REQUESTS: dict[str, Callable[[WorkshopSession, Mapping[str, Any]], None]] = {
    "run": WorkshopSession.run,
    "match": WorkshopSession.match,
    "look": WorkshopSession.look,
    "think": WorkshopSession.think,
    "task": WorkshopSession.task,
    "tests": WorkshopSession.tests,
    "download": WorkshopSession.download,
    "open": WorkshopSession.open,
}
