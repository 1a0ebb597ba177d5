"""A season that is disturbed, and what must hold all the same.

Laws: a game that was said to be recorded is there for good; no game counts twice; in the end everything is as in
the season that nobody disturbed, and ``contest verify`` proves it. What goes wrong on the way is one line for people.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from soak.scenario import Findings
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.proof import prove
from spielleiter.contest.store import EncounterRow, GameRow
from tests.support.contest_kills import check, play_undisturbed, text
from tests.support.contest_organiser import Organiser

ASSERTED = "no recorded game lost or doubled, the same end as undisturbed, contest verify"


@cache
def undisturbed() -> dict[str, Any]:
    """What becomes of the season if nobody disturbs it."""
    with TemporaryDirectory() as folder:
        return play_undisturbed(Path(folder))


class DisturbedSeason:
    """A season in a store, played by organisers that fail and are started again."""

    def __init__(self, folder: Path, url: str, findings: Findings) -> None:
        self.path = folder / "season.toml"
        self.url = url
        self.recorded: set[tuple[str, int]] = set()
        """The games that organisers said were recorded."""
        self.refusals: list[str] = []
        self._findings = findings
        self.path.write_text(text(), encoding="utf-8")

    def organiser(self) -> Organiser:
        return Organiser(self.path, self.url)

    def ended(self, organiser: Organiser) -> None:
        """Take note of what an organiser did that has ended."""
        again = self.recorded & set(organiser.recorded)
        self._findings.expect(not again, f"recorded twice: {sorted(again)[:3]}")
        self.recorded |= set(organiser.recorded)
        if organiser.refusal:
            self.refusals.append(organiser.refusal)
            one_line = "\n" not in organiser.refusal and "Traceback" not in organiser.refusal
            self._findings.expect(one_line, f"no clear line: {organiser.refusal!r}")

    def stored(self) -> set[tuple[str, int]]:
        with Contest.open(self.path, self.url) as contest, contest.store.reading() as session:
            rows = session.execute(
                select(EncounterRow.key, GameRow.number).join(EncounterRow, EncounterRow.id == GameRow.encounter_id)
            )
            return {(key, number) for key, number in rows}

    def check_recorded(self) -> None:
        """All that was said to be recorded is there."""
        lost = self.recorded - self.stored()
        self._findings.expect(not lost, f"{len(lost)} recorded games are lost: {sorted(lost)[:3]}")

    def prove(self) -> None:
        """What the season claims so far follows from its games."""
        with Contest.open(self.path, self.url) as contest:
            difference = prove(contest).difference
        self._findings.expect(difference is None, f"not proved: {difference and difference.en}")

    def finish(self) -> None:
        """Let one organiser play the rest; then the season is as if nobody had disturbed it."""
        last = self.organiser()
        last.finish()
        self.ended(last)
        self.check_recorded()
        with Contest.open(self.path, self.url) as contest:
            try:
                check(contest, undisturbed())
            except AssertionError as problem:
                self._findings.problems.append(f"not as undisturbed: {str(problem)[:200]}")
        self.prove()
