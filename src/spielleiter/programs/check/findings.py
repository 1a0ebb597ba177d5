"""Turns what was observed in the trials into ticks, crosses and notes, each of the last two with its fix.

A cross is for what loses a game of the contest; what only other servers or careful people mind is a note.
No finding rests on a game that did not happen: one that was not judged counts neither way, and a tick says how many
games and moves are behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

from spielleiter.game import AnyGame, Cause, Limits, Text
from spielleiter.programs.check.trial import MAX_OUTPUT, ArgumentForm, Incident, Trial
from spielleiter.programs.failure import CANNOT_EXECUTE, NOT_EXECUTABLE
from spielleiter.programs.runtimes import PythonChoice, how_to_install
from spielleiter.programs.sandbox import ResourceLimits
from spielleiter.programs.seat import DID_NOT_JOIN
from spielleiter.programs.side_result import Fault
from spielleiter.text import NO_TEXT

_MAX_MEMORY = ResourceLimits().memory
_MUCH_OUTPUT = 1 << 20
"""Bytes of output in one game that are too many to read."""


class Mark(Enum):
    """What a check found."""

    GOOD = "✓"
    BAD = "✗"
    NOTE = "~"
    """Worth knowing, but it loses no game of the contest."""
    UNKNOWN = "–"
    """Could not be tried, because of what was found before."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the list."""

    key: str
    """Stays the same in both languages, for JSON."""
    title: Text
    mark: Mark
    detail: Text = NO_TEXT
    fix: Text | None = None
    failure: Text = NO_TEXT
    """Why the program failed, in its own words; empty where it did not, or where ``detail`` says so."""
    trial: str = ""
    """The trial whose log tells more."""


_NEEDS_EQUALS = (ArgumentForm.EQUALS, ArgumentForm.MIXED)
"""The forms in which values stand behind an equals sign."""
_NOT_TRIED = Text("nicht geprüft", "not tried")


def _unknown(key: str, title: Text, reports: Sequence[Trial] = ()) -> Finding:
    """What could not be tried, with the reason of the first of ``reports`` that was not judged."""
    why = next((report.not_judged for report in reports if not report.is_judged), NO_TEXT)
    detail = Text(f"{_NOT_TRIED.de}: {why.de}", f"{_NOT_TRIED.en}: {why.en}") if why.en else _NOT_TRIED
    return Finding(key, title, Mark.UNKNOWN, detail)


def _games(reports: Sequence[Trial]) -> Text:
    number = len(reports)
    return Text(f"{number} Spiel{'' if number == 1 else 'e'}", f"{number} game{'' if number == 1 else 's'}")


def _moves(reports: Sequence[Trial]) -> Text:
    number = sum(len(report.times) for report in reports)
    return Text(f"{number} {'Zug' if number == 1 else 'Züge'}", f"{number} move{'' if number == 1 else 's'}")


def _games_and_moves(reports: Sequence[Trial]) -> Text:
    games, moves = _games(reports), _moves(reports)
    return Text(f"{games.de}, {moves.de}", f"{games.en}, {moves.en}")


def start_file(problems: Sequence[tuple[Text, Text]]) -> Finding:
    """Whether the ``start.sh`` has a shebang, LF, UTF-8 and its permission."""
    title = Text("start.sh: Shebang, LF, UTF-8, ausführbar", "start.sh: shebang, LF, UTF-8, executable")
    if not problems:
        return Finding("start_file", title, Mark.GOOD)
    detail = Text("; ".join(what.de for what, _ in problems), "; ".join(what.en for what, _ in problems))
    fix = Text("; ".join(how.de for _, how in problems), "; ".join(how.en for _, how in problems))
    return Finding("start_file", title, Mark.BAD, detail, fix)


def python(choice: PythonChoice) -> Finding | None:
    """Whether it gets the Python that it needs, if it needs a certain one."""
    need = choice.need
    if need is None or (need.or_newer and choice.problem is None):
        return None
    title = Text(f"bekommt sein Python {need}", f"gets its Python {need}")
    if choice.problem is None:
        return Finding("python", title, Mark.GOOD, need.reason)
    instead = NO_TEXT
    if choice.version is not None:
        instead = Text(f"; versucht mit {choice.version}", f"; tried with {choice.version}")
    detail = Text(
        f"nicht auf diesem Rechner ({need.reason.de}){instead.de}",
        f"not on this machine ({need.reason.en}){instead.en}",
    )
    how = how_to_install(need)
    return Finding("python", title, Mark.NOTE, detail, Text(f"installieren, z. B.: {how}", f"install it, e.g.: {how}"))


def arguments(reports: Sequence[Trial]) -> Finding:
    """Whether it starts with every form of arguments that was tried."""
    title = Text("startet mit den Argumenten des Wettbewerbs", "starts with the contest's arguments")
    if {report.plan.form for report in reports} == set(ArgumentForm):
        title = Text(
            "versteht die Startoptionen in jeder Schreibweise", "understands the start options however they are written"
        )
    came = [report for report in reports if report.joined or _is_elsewhere(report, reports)]
    bad = [report for report in reports if report not in came and report.is_judged]
    if not bad and len(came) < len(reports):
        return _unknown("arguments", title, reports)
    if not bad:
        return Finding("arguments", title, Mark.GOOD, _games(came))
    form = bad[0].plan.form.value.format(host="H", port="P", code="R")
    detail, fix, mark = _why_not_there(bad[0]), _how_to_start(bad[0]), Mark.BAD
    if len(bad) < len(reports):
        detail = Text(f"nicht mit: {form}. {detail.de}", f"not with: {form}. {detail.en}")
        fix = Text(
            "Argumente nach GNU-Art lesen: jede Reihenfolge, -h -p -r, --schlüssel wert und --schlüssel=wert",
            "read arguments the GNU way: any order, -h -p -r, --key value and --key=value",
        )
        if all(report.plan.form is not ArgumentForm.LONG for report in bad):
            mark = Mark.NOTE  # The contest writes them in the long form.
    return Finding("arguments", title, mark, detail, fix, _own_words(bad[0].side.failure), bad[0].plan.name)


def _is_elsewhere(report: Trial, reports: Sequence[Trial]) -> bool:
    """Whether it joined another room though it knew its reservation.

    One that took its place when the values stood by themselves did not read those behind an equals sign: it fell back
    to the port of every game master, and to no reservation.
    """
    if not report.joined_elsewhere:
        return False
    return report.plan.form not in _NEEDS_EQUALS or not any(
        other.joined for other in reports if other.plan.form not in _NEEDS_EQUALS
    )


def _own_words(failure: Text) -> Text:
    """The failure without what the detail says already."""
    de, en = failure.de.removeprefix(DID_NOT_JOIN.de), failure.en.removeprefix(DID_NOT_JOIN.en)
    return Text(de.removeprefix("; "), en.removeprefix("; "))


def _why_not_there(report: Trial) -> Text:
    if report.joined_elsewhere:
        return Text(
            "überlas sie und nahm seine Vorgaben (Port 13050, keine Reservierung)",
            "ignored them and took its defaults (port 13050, no reservation)",
        )
    if report.side.fault is Fault.OUTPUT:
        return Text("schrieb endlos, statt sich zu verbinden", "wrote without end instead of connecting")
    if report.side.exit_code is None:
        return DID_NOT_JOIN
    if report.side.leftovers:
        names = ", ".join(report.side.leftovers)
        return Text(
            f"endete, während {names} im Hintergrund lief; damit endet auch das",
            f"ended while {names} ran in the background, which ends with it",
        )
    return Text("endete, bevor es ins Spiel kam", "ended before it joined the game")


def _how_to_start(report: Trial) -> Text:
    if report.side.leftovers:
        return Text(
            'das Programm ohne & starten, als letzte Zeile von start.sh: exec PROGRAMM "$@"',
            'start the program without &, as the last line of start.sh: exec PROGRAM "$@"',
        )
    if report.side.exit_code == NOT_EXECUTABLE:
        return Text(
            "das Programm ausführbar machen, das start.sh startet: chmod +x PROGRAMM",
            "make the program executable that start.sh starts: chmod +x PROGRAM",
        )
    if report.side.exit_code in CANNOT_EXECUTE:
        return Text(
            "start.sh berichtigen oder installieren, was es startet: Sein Befehl lässt sich hier nicht starten",
            "correct start.sh, or install what it starts: its command cannot be started here",
        )
    if report.side.exit_code is None:
        return Text(
            "an Host und Port der Argumente verbinden und <joinPrepared reservationCode=…/> senden",
            "connect to the host and port of the arguments and send <joinPrepared reservationCode=…/>",
        )
    return Text("den Fehler beheben und es von Hand starten", "fix the error, and try it by hand")


def reservation(reports: Sequence[Trial]) -> Finding:
    """Whether it takes the place that was reserved for it."""
    title = Text("nimmt den reservierten Platz ein", "takes the place that is reserved for it")
    if any(_is_elsewhere(report, reports) for report in reports):
        return Finding(
            "reservation",
            title,
            Mark.BAD,
            Text("trat einem anderen Raum bei", "joined another room"),
            Text(
                "mit --reservation <joinPrepared reservationCode=…/> statt <join/> senden",
                "with --reservation send <joinPrepared reservationCode=…/> instead of <join/>",
            ),
        )
    if came := [report for report in reports if report.joined]:
        return Finding("reservation", title, Mark.GOOD, _games(came))
    return _unknown("reservation", title, reports)


def both_sides(reports: Sequence[Trial], game: AnyGame) -> Finding:
    """Whether it plays a whole game on each side without a fault."""
    title = Text("spielt auf beiden Seiten bis zum Ende", "plays on both sides to the end")
    for report in reports:
        if report.joined and report.is_judged and report.cause is not Cause.REGULAR:
            return _not_to_the_end("sides", title, report, game, _how_to_play(report))
    if not all(report.played_well for report in reports):
        return _unknown("sides", title, reports)
    moves = _moves(reports)
    detail = Text(f"zwei Spiele ohne Fehler, {moves.de}", f"two games without a fault, {moves.en}")
    return Finding("sides", title, Mark.GOOD, detail)


def first_moves(reports: Sequence[Trial], game: AnyGame) -> Finding:
    """Whether it plays its first moves on each side without a fault."""
    title = Text("spielt auf beiden Seiten seine ersten Züge", "plays its first moves on both sides")
    for report in reports:
        if report.joined and report.is_judged and report.cause is not Cause.REGULAR:
            return _not_to_the_end("sides", title, report, game, _how_to_play(report))
    if not all(report.played_well for report in reports):
        return _unknown("sides", title, reports)
    return Finding("sides", title, Mark.GOOD, _games_and_moves(reports))


def _not_to_the_end(key: str, title: Text, report: Trial, game: AnyGame, fix: Text, mark: Mark = Mark.BAD) -> Finding:
    side = game.team_name(report.plan.team)
    detail = Text(f"{side.de}: {report.reason.de}", f"{side.en}: {report.reason.en}")
    # A player of the kit tells the referee why it leaves.
    known = report.side.failure.en.partition(": ")[2] or report.side.failure.en
    failure = NO_TEXT if known in report.reason.en else report.side.failure
    return Finding(key, title, mark, detail, fix, failure, report.plan.name)


def _how_to_play(report: Trial) -> Text:
    again = f' spielleiter show "{report.position}"'
    match report.cause:
        case Cause.RULE_VIOLATION:
            return Text(f"die Stellung ansehen:{again}", f"look at the position:{again}")
        case Cause.SOFT_TIMEOUT | Cause.HARD_TIMEOUT:
            return Text("früher antworten; bei dieser Stellung:" + again, "answer earlier; in this position:" + again)
        case _:
            return Text(
                f"den Fehler beheben; es verließ das Spiel in dieser Stellung:{again}",
                f"fix the error; it left the game in this position:{again}",
            )


def in_time(reports: Sequence[Trial], limits: Limits) -> Finding:
    """Whether all answers came within the limit, and how they are spread."""
    soft = f"{limits.soft:g}"
    title = Text(f"antwortet in {soft.replace('.', ',')} s", f"answers within {soft} s")
    return _times("time", title, reports, limits)


def forecast(report: Trial | None, game: AnyGame, factor: float) -> Finding:
    """Whether it would also answer in time on the contest's machine."""
    title = Text(
        f"Prognose: rechtzeitig auch {_comma(factor, 1)}-mal langsamer",
        f"forecast: in time even {factor:.1f} times slower",
    )
    if report is not None and report.is_judged and report.cause in (Cause.LEFT, Cause.RULE_VIOLATION):
        return _not_to_the_end("forecast", title, report, game, _how_to_play(report))
    return _times("forecast", title, [] if report is None else [report], game.limits)


def _times(key: str, title: Text, reports: Sequence[Trial], limits: Limits) -> Finding:
    judged = [report for report in reports if report.is_judged]
    times = sorted(time for report in judged for time in report.times)
    if any(report.cause is Cause.HARD_TIMEOUT for report in judged):
        return Finding(key, title, Mark.BAD, _no_answer(), _think_less())
    if not times:
        return _unknown(key, title, reports)
    longest = times[-1]
    middle, high, extent = median(times), _quantile(times, 0.95), _games_and_moves(judged)
    detail = Text(
        f"{extent.de}: Median {_comma(middle)} s, 95 % {_comma(high)} s, längster {_comma(longest)} s",
        f"{extent.en}: median {middle:.3f} s, 95 % {high:.3f} s, longest {longest:.3f} s",
    )
    if longest > limits.soft or any(report.cause is Cause.SOFT_TIMEOUT for report in judged):
        return Finding(key, title, Mark.BAD, detail, _think_less())
    return Finding(key, title, Mark.GOOD, detail)


def _no_answer() -> Text:
    return Text("antwortete gar nicht", "did not answer at all")


def _think_less() -> Text:
    return Text(
        "beim Rechnen auf die Uhr sehen (seconds) und mehr Reserve lassen",
        "look at the clock while thinking (seconds) and keep more in reserve",
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _comma(number: float, digits: int = 3) -> str:
    """The number as Germans write it."""
    return f"{number:.{digits}f}".replace(".", ",")


def incident(report: Trial | None, which: Incident, game: AnyGame) -> Finding:
    """Whether it went on after a pause, or after elements that it does not know."""
    key, title, fix, mark = {
        Incident.PAUSE: (
            "pause",
            Text("übersteht eine Pause", "survives being paused"),
            Text(
                "auf die Zuganforderung warten, so lange es dauert; eine Stellung kann zweimal kommen",
                "wait for the request, however long it takes; a position may come twice",
            ),
            Mark.NOTE,
        ),
        Incident.UNKNOWN_ELEMENTS: (
            "unknown_elements",
            Text("ignoriert unbekannte Elemente", "ignores unknown elements"),
            Text(
                "XML-Elemente ignorieren, die es nicht kennt; wer das offizielle Java-SDK nimmt, kann das nicht ändern",
                "ignore XML elements that it does not know; with the official Java SDK you cannot change that",
            ),
            Mark.NOTE,
        ),
    }[which]
    if report is not None and report.incident_survived:
        return Finding(key, title, Mark.GOOD, _games_and_moves([report]))
    # A game that was over by the rules left no time for it.
    if report is None or not (report.joined and report.is_judged) or report.cause is Cause.REGULAR:
        return _unknown(key, title, [] if report is None else [report])
    return _not_to_the_end(key, title, report, game, fix, mark)


def ends(reports: Sequence[Trial], seconds: float) -> Finding:
    """Whether it ends by itself after the game."""
    title = Text("endet nach dem Spiel von selbst", "ends by itself after the game")
    played = [report for report in reports if report.joined and report.is_judged and report.cause is not None]
    if not played:
        return _unknown("ends", title, reports)
    if lingering := next((report for report in played if report.side.lingered), None):
        return Finding(
            "ends",
            title,
            Mark.NOTE,
            Text(f"lief {seconds:g} s nach dem Ende noch", f"still ran {seconds:g} s after the end"),
            Text(
                "nach <left/> oder dem Ergebnis die Verbindung schließen und den Prozess beenden, auch alle Threads",
                "after <left/> or the result close the connection and end the process, with all its threads",
            ),
            trial=lingering.plan.name,
        )
    longest = max(
        (report.side.ended_after for report in played if report.side.ended_after is not None), default=seconds
    )
    codes = sorted({report.side.exit_code for report in played if report.side.exit_code})
    shown, games = f" (Code {', '.join(map(str, codes))})" if codes else "", _games(played)
    detail = Text(
        f"{games.de}, nach höchstens {_comma(longest, 1)} s{shown}",
        f"{games.en}, after at most {longest:.1f} s{shown.lower()}",
    )
    return Finding("ends", title, Mark.GOOD, detail)


def leftovers(reports: Sequence[Trial]) -> Finding:
    """Whether nothing that it started still runs after it."""
    title = Text("hinterlässt keinen Prozess", "leaves no process behind")
    found = sorted({name for report in reports for name in report.side.leftovers})
    if found:
        names = ", ".join(found)
        return Finding(
            "leftovers",
            title,
            Mark.NOTE,
            Text(f"läuft weiter: {names}", f"still running: {names}"),
            Text(
                "Kindprozesse vor dem Ende beenden und auf sie warten", "end child processes first, and wait for them"
            ),
        )
    if all(report.side.exit_code is None for report in reports):
        return _unknown("leftovers", title)
    return Finding("leftovers", title, Mark.GOOD)


def _ran(reports: Sequence[Trial]) -> list[Trial]:
    """The trials in which the program played, or exceeded a limit before it could."""
    return [report for report in reports if report.joined or report.side.was_stopped]


def log(reports: Sequence[Trial]) -> Finding:
    """Whether it writes no endless log."""
    title = Text("schreibt kein endloses Log", "writes no endless log")
    ran = _ran(reports)
    if not ran:
        return _unknown("log", title, reports)
    output, growth, extent = (
        max(report.side.output for report in ran),
        max(report.side.growth for report in ran),
        _games(ran),
    )
    mark = Mark.NOTE
    if any(report.side.fault is Fault.OUTPUT for report in ran):
        mark = Mark.BAD
        detail = Text(
            f"über {MAX_OUTPUT / 1e6:.0f} MB Ausgabe, deshalb beendet",
            f"over {MAX_OUTPUT / 1e6:.0f} MB of output, so it was ended",
        )
    else:
        detail = Text(
            f"{extent.de}, höchstens {_size(output)} Ausgabe, {_size(growth)} in Dateien",
            f"{extent.en}, at most {_size(output)} of output, {_size(growth)} in files",
        )
        if output <= _MUCH_OUTPUT and growth <= 10 * _MUCH_OUTPUT:
            return Finding("log", title, Mark.GOOD, detail)
    return Finding(
        "log",
        title,
        mark,
        detail,
        Text("weniger ausgeben, vor allem nichts in Schleifen", "print less, above all nothing in loops"),
    )


def memory(reports: Sequence[Trial]) -> Finding:
    """Whether it stays within the memory of the contest."""
    limit = _MAX_MEMORY / 1e9
    title = Text(f"bleibt unter {_comma(limit, 1)} GB Speicher", f"stays under {limit:.1f} GB of memory")
    ran = _ran(reports)
    peak, extent = max((report.side.peak_memory for report in ran), default=0), _games(ran)
    if not peak:
        return _unknown("memory", title, reports)
    detail = Text(f"{extent.de}, höchstens {_size(peak)}", f"{extent.en}, at most {_size(peak)}")
    if peak <= _MAX_MEMORY:
        return Finding("memory", title, Mark.GOOD, detail)
    return Finding(
        "memory",
        title,
        Mark.BAD,
        detail,
        Text("Tabellen begrenzen; bei Java z. B. -Xmx1g", "bound your tables; with Java e.g. -Xmx1g"),
    )


def _size(number: int) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number //= 1000
    return f"{number} GB"
