"""A tuning run: has pairs of games played between two versions of a player, stores them, and follows SPSA.

Laws: a pair counts when both of its games have ended and its line is on the disk; killed at any moment and resumed,
exactly the missing pairs are played. The versions of a pair follow from the seed, its number and the values at its
start; with several pairs at a time those values are a few pairs old, which SPSA forgives.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from math import ceil, log10
from pathlib import Path
from typing import Any

from spielleiter import __version__, games
from spielleiter.errors import ProgramError, RecordError, SettingsError
from spielleiter.game import Limits, Text
from spielleiter.lab.parameter_file import option_text
from spielleiter.lab.spsa import Optimum, Parameter, Spsa, TunedPair, Values
from spielleiter.matches.executor import Executor
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import FORMAT, MatchPlan, entrant_json
from spielleiter.matches.results import LineFile, MatchGame
from spielleiter.matches.tasks import GameTask
from spielleiter.programs.entrants import OPTION_FORM, Entrant, EntrantKind, with_options
from spielleiter.programs.side_result import Fault
from spielleiter.rating.formatting import number
from spielleiter.rating.sprt import Sprt
from spielleiter.values import parse_json

PLAN, PAIRS, TEST = "tune.json", "pairs.jsonl", "test"
"""The files of a run, and the folder of the test at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningPlan:
    """Everything that decides what is played."""

    game: str
    player: Entrant
    parameters: tuple[Parameter, ...]
    form: str = OPTION_FORM
    pairs: int = 1000
    seed: int = 0
    openings: Openings = field(default_factory=Openings)
    seconds: float | None = None
    """Seconds per move; ``None``: the game's own limit."""
    in_process: bool = False

    def __post_init__(self) -> None:
        if self.pairs < 10:
            raise SettingsError(
                f"Mit weniger als 10 Paaren lässt sich nichts einstellen, nicht mit {self.pairs}.",
                f"nothing can be tuned with fewer than 10 pairs, not {self.pairs}",
            )
        if self.in_process and self.player.kind is not EntrantKind.BUILT_IN:
            raise SettingsError(
                "--in-process gibt es nur für eingebaute Spieler.", "--in-process is for built-in players only"
            )
        self.test_plan(self.start, None)  # What a match refuses is refused now.

    @property
    def start(self) -> Values:
        """The values with which the run begins."""
        return tuple(parameter.start for parameter in self.parameters)

    @property
    def spsa(self) -> Spsa:
        """The schedule of the run."""
        return Spsa(self.parameters, self.pairs, self.seed)

    def version(self, values: Values, name: str) -> Entrant:
        """The player with these values."""
        options = {p.name: option_text(p, value) for p, value in zip(self.parameters, values, strict=True)}
        return replace(with_options(self.player, options, self.form), name=name)

    def limits(self) -> Limits:
        """The time of a move."""
        return self.test_plan(self.start, None).limits()

    def test_plan(self, tuned: Values, sprt: Sprt | None, max_games: int | None = None) -> MatchPlan:
        """The match of the tuned values against those of the start, from openings that the run has not seen."""
        return MatchPlan(
            game=self.game,
            entrants=(self.version(tuned, "tuned"), self.version(self.start, "start")),
            games=max_games if sprt is not None else 2,
            sprt=sprt,
            openings=replace(self.openings, seed=self.openings.seed + 1),
            seconds=self.seconds,
            in_process=self.in_process,
        )

    def to_json(self) -> dict[str, Any]:
        """The plan as it stands in the file."""
        return {
            "format_version": FORMAT,
            "spielleiter": __version__,
            "game": self.game,
            "players": [entrant_json(self.player)],
            "parameters": [asdict(parameter) for parameter in self.parameters],
            "form": self.form,
            "pairs": self.pairs,
            "seed": self.seed,
            "opening_seed": self.openings.seed,
            "positions": list(self.openings.positions),
            "random_moves": self.openings.random_moves,
            "seconds": self.seconds,
            "in_process": self.in_process,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any], player: Entrant) -> TuningPlan:
        """The plan in a file, with its player as it is now. Raises ``SettingsError``."""
        try:
            return cls(
                game=data["game"],
                player=player,
                parameters=tuple(Parameter(**parameter) for parameter in data["parameters"]),
                form=data["form"],
                pairs=data["pairs"],
                seed=data["seed"],
                openings=Openings(
                    seed=data["opening_seed"], positions=tuple(data["positions"]), random_moves=data["random_moves"]
                ),
                seconds=data["seconds"],
                in_process=data["in_process"],
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise SettingsError(f"{PLAN}: ist kein Plan: {problem!r}", f"{PLAN}: not a plan: {problem!r}") from None


def explain(plan: TuningPlan, optima: Sequence[Optimum]) -> list[Text]:
    """What a run has found, a sentence for each parameter."""
    said = []
    for parameter, optimum in zip(plan.parameters, optima, strict=True):
        tuned, start = number(optimum.tuned, _digits(parameter)), number(parameter.start, _digits(parameter))
        de, en = f"{parameter.name}: {start.de} → {tuned.de}.", f"{parameter.name}: {start.en} → {tuned.en}."
        if optimum.low is None or optimum.high is None:
            de += " Wo der beste Wert liegt, zeigen die Spiele nicht: mehr Paare oder ein größerer Schritt (step)."
            en += " The games do not show where the best value is: more pairs, or a larger step."
        else:
            low, high = (number(end, _digits(parameter)) for end in (optimum.low, optimum.high))
            de += f" Die Spiele zeigen den besten Wert zwischen {low.de} und {high.de} (95 %)."
            en += f" The games show the best value between {low.en} and {high.en} (95 %)."
        said.append(Text(de, en))
    return said


def _digits(parameter: Parameter) -> int:
    """Places after the comma that make a tenth of a step visible."""
    return 0 if parameter.whole else max(0, ceil(1 - log10(parameter.step)))


class Tuning:
    """One run, stored in a folder; ``on_pair`` is called after each pair."""

    def __init__(
        self, plan: TuningPlan, folder: Path, executor: Executor, on_pair: Callable[[Tuning], None] | None = None
    ) -> None:
        self.plan = plan
        self.spsa = plan.spsa
        self.faults: Counter[Fault] = Counter()
        """Why games of this run ended by a player's fault."""
        self._game = games.load(plan.game)
        self._executor = executor
        self._on_pair = on_pair or (lambda run: None)
        self._file = LineFile(folder / PAIRS)
        try:
            self.played, size = read_pairs(folder / PAIRS)
            self._file.go_on_after(size)
        except BaseException:
            self._file.close()
            raise

    @property
    def values(self) -> Values:
        """Where the parameters are now."""
        return self.played[-1].values if self.played else self.plan.start

    def optima(self) -> tuple[Optimum, ...]:
        """What the games say so far about each parameter."""
        return self.spsa.optima(self.played)

    async def run(self) -> None:
        """Play all pairs that are missing. Raises ``ProgramError`` if the player does not start.

        May be cancelled at any time; the pairs that have ended by then are stored.
        """
        done = {pair.number for pair in self.played}
        missing = iter([number for number in range(1, self.plan.pairs + 1) if number not in done])
        running: set[asyncio.Task[TunedPair]] = set()
        try:
            while True:
                while len(running) < max(1, self._executor.slots // 2) and (number := next(missing, None)) is not None:
                    running.add(asyncio.create_task(self._play(number)))
                if not running:
                    return
                ended, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    self._record(task.result())
        finally:
            for task in running:
                task.cancel()
            for task in running:
                with suppress(asyncio.CancelledError, Exception):
                    await task
            self._file.close()

    async def _play(self, number: int) -> TunedPair:
        versions = self.spsa.versions(self.values, number)
        plus, minus = self.plan.version(versions.plus, "plus"), self.plan.version(versions.minus, "minus")
        start = self.plan.openings.position(self._game, number)
        finished = await asyncio.gather(
            *(
                self._executor.play(
                    GameTask(
                        id=f"{number:06d}{letter}",
                        game=self.plan.game,
                        start=start,
                        entrants=entrants,
                        limits=self.plan.limits(),
                        in_process=self.plan.in_process,
                    )
                )
                for letter, entrants in (("a", (plus, minus)), ("b", (minus, plus)))
            )
        )
        rows = [each.row for each in finished]
        ahead = sum(self._lead(row) for row in rows)
        return TunedPair(number, versions.plus, versions.minus, ahead, ())

    def _lead(self, row: MatchGame) -> float:
        """The points of plus minus those of minus."""
        for side in row.sides:
            if side.fault is not None:
                self.faults[side.fault] += 1
            if side.fault is Fault.NO_START or not row.counts:
                raise ProgramError(
                    f"{self.plan.player.name} startet mit diesen Werten nicht oder stürzt ab: {side.failure.de}",
                    f"{self.plan.player.name} does not start with these values, or crashes: {side.failure.en}",
                )
        points = row.victory_points
        return (points[0] - points[1]) / 2 * (1 if row.names[0] == "plus" else -1)

    def _record(self, pair: TunedPair) -> None:
        pair = replace(pair, values=self.spsa.after(self.values, pair.number, pair.ahead))
        self._file.append(asdict(pair))
        self.played.append(pair)
        self._on_pair(self)


def read_pairs(path: Path) -> tuple[list[TunedPair], int]:
    """The pairs in a file, and where the last whole line ends. Raises ``RecordError``."""
    pairs, size = [], 0
    for at, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        pairs.append(parse_json(line, f"{path}:{at}", RecordError).read(TunedPair))
        size += len(line)
    return pairs, size
