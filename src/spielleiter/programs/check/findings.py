"""From what was observed in the trials to ticks and crosses, each cross with its fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

from spielleiter.game import AnyGame, Cause, Limits, Text
from spielleiter.programs.check.trial import MAX_OUTPUT, Incident, TrialReport
from spielleiter.programs.failure import CANNOT_EXECUTE, NOT_EXECUTABLE
from spielleiter.programs.sandbox import Breach, ResourceLimits
from spielleiter.text import NO_TEXT

_MAX_MEMORY = ResourceLimits().memory
_MUCH_OUTPUT = 1 << 20
"""Bytes of output in one game that nobody reads any more."""


class Mark(Enum):
    """What a check found."""

    GOOD = "✓"
    BAD = "✗"
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


_NOT_TRIED = Text("nicht geprüft", "not tried")


def _unknown(key: str, title: Text) -> Finding:
    return Finding(key, title, Mark.UNKNOWN, _NOT_TRIED)


def start_file(problems: Sequence[tuple[Text, Text]]) -> Finding:
    """Whether the ``start.sh`` has a shebang, LF, UTF-8 and its permission."""
    title = Text("start.sh: Shebang, LF, UTF-8, ausführbar", "start.sh: shebang, LF, UTF-8, executable")
    if not problems:
        return Finding("start_file", title, Mark.GOOD)
    detail = Text("; ".join(what.de for what, _ in problems), "; ".join(what.en for what, _ in problems))
    fix = Text("; ".join(how.de for _, how in problems), "; ".join(how.en for _, how in problems))
    return Finding("start_file", title, Mark.BAD, detail, fix)


def arguments(reports: Sequence[TrialReport]) -> Finding:
    """Whether it starts with all forms of arguments."""
    title = Text("startet mit allen Formen der Argumente", "starts with all forms of arguments")
    bad = [report for report in reports if not report.joined and not report.joined_elsewhere]
    if not bad:
        return Finding("arguments", title, Mark.GOOD)
    form = bad[0].plan.form.value.format(host="H", port="P", code="R")
    detail, fix = _why_not_there(bad[0]), _how_to_start(bad[0])
    if len(bad) < len(reports):
        detail = Text(f"nicht mit: {form}. {detail.de}", f"not with: {form}. {detail.en}")
        fix = Text(
            "Argumente nach GNU-Art lesen: jede Reihenfolge, -h -p -r, --schlüssel wert und --schlüssel=wert",
            "read arguments the GNU way: any order, -h -p -r, --key value and --key=value",
        )
    return Finding("arguments", title, Mark.BAD, detail, fix, bad[0].failure, bad[0].plan.name)


def _why_not_there(report: TrialReport) -> Text:
    if report.breach is Breach.OUTPUT:
        return Text("schrieb endlos, statt sich zu verbinden", "wrote without end instead of connecting")
    if report.exit_code is None:
        return Text("lief, kam aber nicht ins Spiel", "ran, but did not join the game")
    if report.leftovers:
        names = ", ".join(report.leftovers)
        return Text(
            f"endete, während {names} im Hintergrund lief; damit endet auch das",
            f"ended while {names} ran in the background, which ends with it",
        )
    return Text("endete, bevor es ins Spiel kam", "ended before it joined the game")


def _how_to_start(report: TrialReport) -> Text:
    if report.leftovers:
        return Text(
            'das Programm ohne & starten, als letzte Zeile von start.sh: exec PROGRAMM "$@"',
            'start the program without &, as the last line of start.sh: exec PROGRAM "$@"',
        )
    if report.exit_code == NOT_EXECUTABLE:
        return Text(
            "das Programm ausführbar machen, das start.sh startet: chmod +x PROGRAMM",
            "make the program executable that start.sh starts: chmod +x PROGRAM",
        )
    if report.exit_code in CANNOT_EXECUTE:
        return Text(
            "start.sh berichtigen: Sein Befehl lässt sich hier nicht starten",
            "correct start.sh: its command cannot be started here",
        )
    if report.exit_code is None:
        return Text(
            "an Host und Port der Argumente verbinden und <joinPrepared reservationCode=…/> senden",
            "connect to the host and port of the arguments and send <joinPrepared reservationCode=…/>",
        )
    return Text("den Fehler beheben und es von Hand starten", "fix the error, and try it by hand")


def reservation(reports: Sequence[TrialReport]) -> Finding:
    """Whether it takes the place that was reserved for it."""
    title = Text("nimmt den reservierten Platz ein", "takes the place that is reserved for it")
    if any(report.joined_elsewhere for report in reports):
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
    if any(report.joined for report in reports):
        return Finding("reservation", title, Mark.GOOD)
    return _unknown("reservation", title)


def both_sides(reports: Sequence[TrialReport], game: AnyGame) -> Finding:
    """Whether it plays a whole game on each side without a fault."""
    title = Text("spielt auf beiden Seiten bis zum Ende", "plays on both sides to the end")
    played = [report for report in reports if report.joined]
    if not played:
        return _unknown("sides", title)
    for report in played:
        if not report.played_well:
            return _not_to_the_end("sides", title, report, game, _how_to_play(report))
    if len(played) < len(reports):
        return _unknown("sides", title)
    return Finding("sides", title, Mark.GOOD, Text("zwei Spiele ohne Fehler", "two games without a fault"))


def _not_to_the_end(key: str, title: Text, report: TrialReport, game: AnyGame, fix: Text) -> Finding:
    side = game.team_name(report.plan.team)
    detail = Text(f"{side.de}: {report.reason.de}", f"{side.en}: {report.reason.en}")
    # A player of the kit tells the referee why it leaves.
    known = report.failure.en.partition(": ")[2] or report.failure.en
    failure = NO_TEXT if known in report.reason.en else report.failure
    return Finding(key, title, Mark.BAD, detail, fix, failure, report.plan.name)


def _how_to_play(report: TrialReport) -> Text:
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


def in_time(reports: Sequence[TrialReport], limits: Limits) -> Finding:
    """Whether all answers came within the limit, and how they are spread."""
    title = Text(f"antwortet in {limits.soft:g} s", f"answers within {limits.soft:g} s")
    return _times("time", title, reports, limits)


def forecast(report: TrialReport | None, limits: Limits, factor: float) -> Finding:
    """Whether it would also answer in time on the contest's machine."""
    title = Text(
        f"Prognose: rechtzeitig auch {_comma(factor, 1)}-mal langsamer",
        f"forecast: in time even {factor:.1f} times slower",
    )
    return _times("forecast", title, [] if report is None else [report], limits)


def _times(key: str, title: Text, reports: Sequence[TrialReport], limits: Limits) -> Finding:
    times = sorted(time for report in reports for time in report.times)
    if not times:
        silent = any(report.cause is Cause.HARD_TIMEOUT for report in reports)
        return Finding(key, title, Mark.BAD, _no_answer(), _think_less()) if silent else _unknown(key, title)
    longest = times[-1]
    middle, high = median(times), _quantile(times, 0.95)
    detail = Text(
        f"{len(times)} Züge: Median {_comma(middle)} s, 95 % {_comma(high)} s, längster {_comma(longest)} s",
        f"{len(times)} moves: median {middle:.3f} s, 95 % {high:.3f} s, longest {longest:.3f} s",
    )
    if any(report.cause is Cause.HARD_TIMEOUT for report in reports):
        return Finding(key, title, Mark.BAD, _no_answer(), _think_less())
    if longest > limits.soft or any(report.cause is Cause.SOFT_TIMEOUT for report in reports):
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


def incident(report: TrialReport | None, which: Incident, game: AnyGame) -> Finding:
    """Whether it went on after a pause, or after elements that it does not know."""
    key, title, fix = {
        Incident.PAUSE: (
            "pause",
            Text("übersteht eine Pause", "survives being paused"),
            Text(
                "auf die Zuganforderung warten, so lange es dauert; eine Stellung kann zweimal kommen",
                "wait for the request, however long it takes; a position may come twice",
            ),
        ),
        Incident.UNKNOWN_ELEMENTS: (
            "unknown_elements",
            Text("ignoriert unbekannte Elemente", "ignores unknown elements"),
            Text("XML-Elemente ignorieren, die es nicht kennt", "ignore XML elements that it does not know"),
        ),
    }[which]
    if report is None or not report.joined:
        return _unknown(key, title)
    if report.incident_survived:
        return Finding(key, title, Mark.GOOD)
    return _not_to_the_end(key, title, report, game, fix)


def ends(reports: Sequence[TrialReport], seconds: float) -> Finding:
    """Whether it ends by itself after the game."""
    title = Text("endet nach dem Spiel von selbst", "ends by itself after the game")
    played = [report for report in reports if report.joined]
    if not played:
        return _unknown("ends", title)
    if lingering := next((report for report in played if report.exit_code is None and report.breach is None), None):
        return Finding(
            "ends",
            title,
            Mark.BAD,
            Text(f"lief {seconds:g} s nach dem Ende noch", f"still ran {seconds:g} s after the end"),
            Text(
                "nach <left/> oder dem Ergebnis die Verbindung schließen und den Prozess beenden, auch alle Threads",
                "after <left/> or the result close the connection and end the process, with all its threads",
            ),
            trial=lingering.plan.name,
        )
    longest = max(report.ended_after or 0.0 for report in played)
    codes = sorted({report.exit_code for report in played if report.exit_code})
    shown = f" (Code {', '.join(map(str, codes))})" if codes else ""
    return Finding(
        "ends",
        title,
        Mark.GOOD,
        Text(f"nach {_comma(longest, 1)} s{shown}", f"after {longest:.1f} s{shown.lower()}"),
    )


def leftovers(reports: Sequence[TrialReport]) -> Finding:
    """Whether nothing that it started still runs after it."""
    title = Text("hinterlässt keinen Prozess", "leaves no process behind")
    found = sorted({name for report in reports for name in report.leftovers})
    if found:
        names = ", ".join(found)
        return Finding(
            "leftovers",
            title,
            Mark.BAD,
            Text(f"läuft weiter: {names}", f"still running: {names}"),
            Text(
                "Kindprozesse vor dem Ende beenden und auf sie warten", "end child processes first, and wait for them"
            ),
        )
    if all(report.exit_code is None for report in reports):
        return _unknown("leftovers", title)
    return Finding("leftovers", title, Mark.GOOD)


def log(reports: Sequence[TrialReport]) -> Finding:
    """Whether it writes no endless log."""
    title = Text("schreibt kein endloses Log", "writes no endless log")
    if not reports:
        return _unknown("log", title)
    output, growth = max(report.output for report in reports), max(report.growth for report in reports)
    if any(report.breach is Breach.OUTPUT for report in reports):
        detail = Text(
            f"über {MAX_OUTPUT / 1e6:.0f} MB Ausgabe, deshalb beendet",
            f"over {MAX_OUTPUT / 1e6:.0f} MB of output, so it was ended",
        )
    else:
        detail = Text(
            f"höchstens {_size(output)} Ausgabe, {_size(growth)} in Dateien",
            f"at most {_size(output)} of output, {_size(growth)} in files",
        )
        if output <= _MUCH_OUTPUT and growth <= 10 * _MUCH_OUTPUT:
            return Finding("log", title, Mark.GOOD, detail)
    return Finding(
        "log",
        title,
        Mark.BAD,
        detail,
        Text("weniger ausgeben, vor allem nichts in Schleifen", "print less, above all nothing in loops"),
    )


def memory(reports: Sequence[TrialReport]) -> Finding:
    """Whether it stays within the memory of the contest."""
    limit = _MAX_MEMORY / 1e9
    title = Text(f"bleibt unter {_comma(limit, 1)} GB Speicher", f"stays under {limit:.1f} GB of memory")
    peak = max((report.peak_memory for report in reports), default=0)
    if not peak:
        return _unknown("memory", title)
    detail = Text(f"höchstens {_size(peak)}", f"at most {_size(peak)}")
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
