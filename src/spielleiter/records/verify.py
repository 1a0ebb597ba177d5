"""Proof of a record: the game is replayed by its rules, and everything the record claims is checked.

Every move must be legal and stand at its turn, the times must be possible and within the limits, the right clock must
have judged, and the result must be the one that the rules or the stated fault demand. The verdicts are worked out here
from the rules alone, not with the code that gave them. Records of a reference server have no times, and its habits in
faults were its own: there only the offender's loss is demanded.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from spielleiter.errors import RecordError, Refused
from spielleiter.game import TEAMS, AnyGame, Cause, Clock, Limits, MoveTiming, Outcome, Team, TeamResult, Text
from spielleiter.records.history import History, RecordedOffence, RecordedResult, Referee
from spielleiter.records.load import is_record_name, open_any
from spielleiter.records.reader import TIME_TOLERANCE
from spielleiter.records.variations import check_variations, play_move


class Flaw(Enum):
    """What can be wrong with a record."""

    UNREADABLE = Text("nicht lesbar", "unreadable")
    UNFINISHED = Text("unvollendet", "unfinished")
    ILLEGAL_MOVE = Text("ungültiger Zug", "illegal move")
    WRONG_TURN = Text("falsche Zugnummer", "wrong turn")
    WRONG_TEAM = Text("falsche Seite am Zug", "wrong team to move")
    IMPOSSIBLE_TIME = Text("unmögliche Zeit", "impossible time")
    LATE_MOVE = Text("Zug nach Ablauf der Zeit", "move after its time")
    WRONG_CLOCK = Text("falsche Uhr", "wrong clock")
    WRONG_END = Text("falsches Ende", "wrong end")
    WRONG_WINNER = Text("falscher Sieger", "wrong winner")
    WRONG_POINTS = Text("falsche Punkte", "wrong points")
    WRONG_OFFENCE = Text("Verstoß passt nicht", "offence does not fit")
    ILLEGAL_VARIATION = Text("ungültige Variante", "illegal variation")
    WRONG_FINAL_POSITION = Text("falsche Schlussstellung", "wrong final position")


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One thing that is wrong; ``ply`` says where in the game, if it is there."""

    kind: Flaw
    text: Text
    ply: int | None = None

    @property
    def sentence(self) -> Text:
        """Kind, place and details for people."""
        kind, at = self.kind.value, "" if self.ply is None else f" ({self.ply})"
        return Text(f"{kind.de}{at}: {self.text.de}", f"{kind.en}{at}: {self.text.en}")


@dataclass(frozen=True, slots=True)
class Verification:
    """What the check of one record has found; nothing, if all is well."""

    place: str
    findings: tuple[Discrepancy, ...]
    game: str | None = None
    plies: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether everything that the record claims is true."""
        return not self.findings


@dataclass(slots=True)
class VerificationSummary:
    """The counts of many verifications."""

    records: int = 0
    sound: int = 0
    plies: int = 0
    games: Counter[str] = field(default_factory=Counter)
    findings: Counter[Flaw] = field(default_factory=Counter)

    def add(self, verification: Verification) -> None:
        """Count one more record."""
        self.records += 1
        self.sound += verification.is_sound
        self.plies += verification.plies
        if verification.game is not None:
            self.games[verification.game] += 1
        self.findings.update(finding.kind for finding in verification.findings)


def record_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files themselves and all records below the folders, sorted. Raises ``RecordError`` for an empty folder."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = False
        for folder, subfolders, names in os.walk(path):
            subfolders.sort()
            for name in sorted(filter(is_record_name, names)):
                found = True
                yield Path(folder, name)
        if not found:
            raise RecordError(
                f"{path}: in diesem Ordner ist keine Aufzeichnung (.jsonl, .xml, auch .gz)",
                f"{path}: no record in this folder (.jsonl, .xml, also .gz)",
            )


def verify_file(path: Path, *, official: bool = True) -> Verification:
    """Check the record or reference replay in a file; what cannot be read is a finding.

    ``official`` says by which rules a replay is checked, see ``open_any``.
    """
    try:
        return verify_record(open_any(path, official=official))
    except RecordError as problem:
        return Verification(str(path), (Discrepancy(Flaw.UNREADABLE, problem.text),))


def verify_record(record: History) -> Verification:
    """Check everything that the record claims. Raises ``RecordError`` for a game or a start that makes no sense."""
    game = record.game
    findings: list[Discrepancy] = []
    state = _replay(record, findings)
    if record.referee is Referee.REFERENCE and (record.clock is not None or any(record.limits)):
        # A side that claims to have no part in the verdict must not have a clock.
        text = Text("ein Server der Saison misst nicht für uns", "a server of the season takes no times for us")
        findings.append(Discrepancy(Flaw.WRONG_CLOCK, text))
    findings.extend(_check_times(record))
    if record.result is None:
        plies = len(record.moves)
        findings.append(
            Discrepancy(Flaw.UNFINISHED, Text(f"bricht nach {plies} Zügen ab", f"breaks off after {plies} plies"))
        )
    elif state is not None:
        findings.extend(_check_result(record, record.result, game, state))
    if state is not None and record.variations:
        try:
            check_variations(game, record.states, record.variations)
        except Refused as problem:
            findings.append(Discrepancy(Flaw.ILLEGAL_VARIATION, problem.text))
    return Verification(record.place, tuple(findings), record.game_key, len(record.moves))


# --- the moves --------------------------------------------------------------------------------------------------------


def _replay(record: History, findings: list[Discrepancy]) -> Any | None:
    """The state after the last move, or ``None`` if the moves do not make a game."""
    state = record.first_state
    for recorded in record.moves:
        ply = recorded.ply
        if recorded.turn != state.turn:
            findings.append(
                Discrepancy(
                    Flaw.WRONG_TURN,
                    Text(
                        f"Zugnummer {recorded.turn}, nach den Regeln {state.turn}",
                        f"turn {recorded.turn}, by the rules {state.turn}",
                    ),
                    ply,
                )
            )
        if recorded.team is not state.to_move:
            findings.append(
                Discrepancy(
                    Flaw.WRONG_TEAM,
                    Text(
                        f"{recorded.team.name}, am Zug ist {state.to_move.name}",
                        f"{recorded.team.name}, but it is the turn of {state.to_move.name}",
                    ),
                    ply,
                )
            )
        try:
            _, state = play_move(record.game, state, recorded.text)
        except Refused as problem:
            findings.append(Discrepancy(Flaw.ILLEGAL_MOVE, problem.text, ply))
            return None
    return state


# --- the times --------------------------------------------------------------------------------------------------------


def _check_times(record: History) -> Iterator[Discrepancy]:
    earliest = 0.0
    for move in record.moves:
        possible = record.limits_at(move.ply, move.team)
        if move.timing is None:
            if record.clock is not None or any(possible):
                yield _impossible(move.ply, "keine Zeiten, obwohl eine Uhr lief", "no times although a clock was there")
            continue
        yield from _check_order(move.timing, earliest, move.ply)
        yield from _check_clock(record, move.timing, move.ply)
        took = move.timing.elapsed
        if _is_late(took, possible):
            text = f"{took:.6f} s, {{}} {_shown(possible)}"
            yield Discrepancy(Flaw.LATE_MOVE, Text(text.format("erlaubt"), text.format("allowed")), move.ply)
        earliest = max(earliest, move.timing.read)
    if record.result is not None:
        yield from _check_finish(record.result, earliest)


def _check_finish(result: RecordedResult, earliest: float) -> Iterator[Discrepancy]:
    if result.offence is not None and result.offence.timing is not None:
        earliest = max(earliest, result.offence.timing.read)
    finished = result.finished
    if finished is not None and finished < earliest - TIME_TOLERANCE:
        yield _impossible(
            None,
            f"Ende nach {finished:.6f} s, aber es kam noch etwas nach {earliest:.6f} s",
            f"the end after {finished:.6f} s, but something came after {earliest:.6f} s",
        )


def _is_late(took: float, possible: tuple[Limits | None, ...]) -> bool:
    return all(limits is not None and took > limits.soft + TIME_TOLERANCE for limits in possible)


def _impossible(ply: int | None, de: str, en: str) -> Discrepancy:
    return Discrepancy(Flaw.IMPOSSIBLE_TIME, Text(de, en), ply)


def _shown(possible: tuple[Limits | None, ...]) -> str:
    return " / ".join("∞" if limits is None else f"{limits.soft:g} s" for limits in possible)


def _check_order(timing: MoveTiming, earliest: float, ply: int | None) -> Iterator[Discrepancy]:
    if timing.requested < earliest - TIME_TOLERANCE:
        yield _impossible(
            ply,
            f"verlangt nach {timing.requested:.6f} s, vor dem Zug davor ({earliest:.6f} s)",
            f"requested after {timing.requested:.6f} s, before the move before ({earliest:.6f} s)",
        )
    if timing.read < timing.requested - TIME_TOLERANCE:
        yield _impossible(
            ply,
            f"gelesen nach {timing.read:.6f} s, verlangt erst nach {timing.requested:.6f} s",
            f"read after {timing.read:.6f} s, but requested only after {timing.requested:.6f} s",
        )


def _check_clock(record: History, timing: MoveTiming, ply: int | None) -> Iterator[Discrepancy]:
    received = timing.received
    slack = TIME_TOLERANCE if timing.judged_by is Clock.KERNEL else -TIME_TOLERANCE
    fits = received is not None and timing.requested - slack <= received <= timing.read + slack
    if record.clock is None:
        text = Text("Zeiten, obwohl keine Uhr lief", "times although no clock was there")
        yield Discrepancy(Flaw.WRONG_CLOCK, text, ply)
    elif timing.judged_by is Clock.KERNEL and record.clock is not Clock.KERNEL:
        text = Text(
            "der Kernel hat geurteilt, vergab aber keine Zeitstempel", "the kernel judged, but it gave no timestamps"
        )
        yield Discrepancy(Flaw.WRONG_CLOCK, text, ply)
    elif timing.judged_by is Clock.KERNEL and not fits:
        text = Text(
            "der Kernel hat geurteilt, aber sein Zeitstempel fehlt oder liegt nicht zwischen Aufforderung und Lesen",
            "the kernel judged, but its timestamp is missing or not between request and reading",
        )
        yield Discrepancy(Flaw.WRONG_CLOCK, text, ply)
    elif timing.judged_by is Clock.READING and record.clock is Clock.KERNEL and fits:
        text = Text("ein guter Zeitstempel des Kernels zählte nicht", "a good timestamp of the kernel did not count")
        yield Discrepancy(Flaw.WRONG_CLOCK, text, ply)


# --- the result -------------------------------------------------------------------------------------------------------


def _check_result(record: History, result: RecordedResult, game: AnyGame, state: Any) -> Iterator[Discrepancy]:
    final = game.notation.format_state(state)
    if final != result.final:
        yield Discrepancy(
            Flaw.WRONG_FINAL_POSITION,
            Text(f"{result.final}, nach den Zügen {final}", f"{result.final}, by the moves {final}"),
        )
    offenders = [team for team in TEAMS if result.teams[team].cause is not Cause.REGULAR]
    outcome: Outcome | None = state.outcome
    end = None if outcome is None else outcome.reason.name
    if record.referee is Referee.REFERENCE and (offenders or outcome is None):
        yield from _check_reference_fault(result, offenders)
    elif end != result.end or (end is not None and result.adjudicated):
        yield Discrepancy(
            Flaw.WRONG_END, Text(f"{result.end}, nach den Regeln {end}", f"{result.end}, by the rules {end}")
        )
    elif outcome is not None:
        yield from _compare(result, outcome.winner, [TeamResult(Cause.REGULAR, state.points(team)) for team in TEAMS])
    elif result.adjudicated:
        yield from _check_adjudication(result, state, offenders)
    else:
        winner = offenders[0].opponent if len(offenders) == 1 else None
        yield from _compare(result, winner, [_due(result, state, team, winner) for team in TEAMS])
        yield from _check_offences(record, result, game, state, offenders)


def _check_adjudication(result: RecordedResult, state: Any, offenders: list[Team]) -> Iterator[Discrepancy]:
    """Who seemed to win cannot be proved; that neither side was at fault and the scores stayed can."""
    if offenders:
        text = Text("vorzeitig gewertet wird nur ohne Verstoß", "adjudicated games have no offence")
        yield Discrepancy(Flaw.WRONG_END, text)
    yield from _compare(result, result.winner, [_due(result, state, team, result.winner) for team in TEAMS])


def _due(result: RecordedResult, state: Any, team: Team, winner: Team | None) -> TeamResult:
    """What ``team`` gets when the game did not reach its end: offenders nothing, others keep their scores."""
    cause, points = result.teams[team].cause, tuple(state.points(team))
    if cause is not Cause.REGULAR:
        return TeamResult(cause, (0,) * len(points))
    is_draw = result.adjudicated and winner is None
    return TeamResult(cause, (2 if team is winner else int(is_draw), *points[1:]))


def _compare(result: RecordedResult, winner: Team | None, teams: list[TeamResult]) -> Iterator[Discrepancy]:
    if result.winner is not winner:
        stated, due = _name(result.winner), _name(winner)
        yield Discrepancy(Flaw.WRONG_WINNER, Text(f"{stated}, verlangt ist {due}", f"{stated}, demanded is {due}"))
    for team, stated_result, due_result in zip(TEAMS, result.teams, teams, strict=True):
        if stated_result != due_result:
            was = f"{team.name} {stated_result.cause.value} {list(stated_result.points)}"
            is_due = f"{due_result.cause.value} {list(due_result.points)}"
            yield Discrepancy(Flaw.WRONG_POINTS, Text(f"{was}, verlangt ist {is_due}", f"{was}, demanded is {is_due}"))


def _name(winner: Team | None) -> str:
    return "-" if winner is None else winner.name


def _check_reference_fault(result: RecordedResult, offenders: list[Team]) -> Iterator[Discrepancy]:
    # They named no winner after a timeout, or even the offender, and they asked a side that had no legal move.
    for team in offenders:
        if result.teams[team].points[:1] not in ((), (0,)):
            text = Text(f"{team.name} war schuld und hat Siegpunkte", f"{team.name} was at fault and has points")
            yield Discrepancy(Flaw.WRONG_POINTS, text)
    if not offenders and result.winner is not None:
        text = Text(
            "niemand war schuld, und das Spiel ist nicht zu Ende", "nobody was at fault, and nothing is decided"
        )
        yield Discrepancy(Flaw.WRONG_END, text)


def _check_offences(
    record: History, result: RecordedResult, game: AnyGame, state: Any, offenders: list[Team]
) -> Iterator[Discrepancy]:
    offence = result.offence
    if offence is not None:
        if offence.team not in offenders:
            yield _misfit(f"{offence.team.name} hat nichts verloren", f"{offence.team.name} has lost nothing")
        if offence.timing is not None:
            yield from _check_clock(record, offence.timing, None)
            yield from _check_order(offence.timing, _last_read(record), None)
    for team in offenders:
        own = offence if offence is not None and offence.team is team else None
        match result.teams[team].cause:
            case Cause.SOFT_TIMEOUT | Cause.HARD_TIMEOUT as cause:
                yield from _check_timeout(record, result, state, team, cause, own)
            case Cause.RULE_VIOLATION:
                yield from _check_violation(record, state, team, own)
            case _:
                pass  # Leaving needs no proof.


def _misfit(de: str, en: str) -> Discrepancy:
    return Discrepancy(Flaw.WRONG_OFFENCE, Text(de, en))


def _last_read(record: History) -> float:
    return max((move.timing.read for move in record.moves if move.timing is not None), default=0.0)


def _check_timeout(
    record: History,
    result: RecordedResult,
    state: Any,
    team: Team,
    cause: Cause,
    offence: RecordedOffence | None,
) -> Iterator[Discrepancy]:
    if team is not state.to_move:
        yield _misfit(f"{team.name} war nicht am Zug", f"it was not the turn of {team.name}")
        return
    timing = None if offence is None else offence.timing
    if timing is not None:
        took = timing.elapsed
    elif cause is Cause.HARD_TIMEOUT and result.finished is not None:
        took = result.finished - _last_read(record)  # The request came later than that, so silence was shorter.
    else:
        yield _misfit("die Zeiten des späten Zuges fehlen", "the times of the late move are missing")
        return
    possible = record.limits_at(len(record.moves), team)
    if not any(_is_due(cause, took, limits) for limits in possible):
        shown = " / ".join("∞" if limits is None else f"{limits.soft:g}, {limits.hard:g} s" for limits in possible)
        yield _misfit(
            f"{cause.value} nach {took:.6f} s, erlaubt {shown}", f"{cause.value} after {took:.6f} s, allowed {shown}"
        )


def _is_due(cause: Cause, took: float, limits: Limits | None) -> bool:
    if limits is None:
        return False
    if cause is Cause.SOFT_TIMEOUT and limits.increment is None:
        return limits.soft - TIME_TOLERANCE <= took <= limits.hard + TIME_TOLERANCE
    return took >= limits.hard - TIME_TOLERANCE


def _check_violation(record: History, state: Any, team: Team, offence: RecordedOffence | None) -> Iterator[Discrepancy]:
    if offence is None or offence.timing is None or offence.sent is None:
        return  # Nothing that could be read, or a move that was not requested.
    if team is not state.to_move:
        yield _misfit(f"{team.name} war nicht am Zug", f"it was not the turn of {team.name}")
        return
    took, possible = offence.timing.elapsed, record.limits_at(len(record.moves), team)
    if _is_late(took, possible):
        yield _misfit(f"nach {took:.6f} s war es schon zu spät", f"after {took:.6f} s it was too late anyway")
    if (move := record.refused_move) is not None and state.violation(move) is None:
        yield _misfit(f"{offence.sent} ist ein gültiger Zug", f"{offence.sent} is a legal move")
