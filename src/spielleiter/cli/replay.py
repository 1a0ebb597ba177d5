"""``spielleiter replay``: look at recorded games, verify, analyse and convert them."""

from __future__ import annotations

import json
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.progress import Progress, track
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.analysis import DEFAULT_BUDGET, GameAnalysis, MoveAnalysis, MoveClass, TeamSummary
from spielleiter.analysis import analyse as analyse_record
from spielleiter.cli.positions import scores_json
from spielleiter.cli.terminal import WIDE, JsonOption, console, errors, language, t
from spielleiter.errors import WRITE, RecordError, refusing
from spielleiter.game import TEAMS, AnyGame, Cause, Clock, MoveTiming, Team, Text
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.pages.notes import noted_chances, summary
from spielleiter.pages.words import CAUSES, RESIGNED, ending, side
from spielleiter.rating.formatting import number
from spielleiter.records.game_list import ENDING, read_games, write_games
from spielleiter.records.history import History, RecordedMove, RecordedResult
from spielleiter.records.load import open_any
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.verify import Flaw, Verification, VerificationSummary, record_files, verify_file
from spielleiter.records.writer import write_new_file, write_record
from spielleiter.search import Budget
from spielleiter.text import one_line, printable

replay = typer.Typer(no_args_is_help=True)


class ReplayRules(StrEnum):
    """The values of --rules: a reference replay does not say by which rules it was played."""

    OFFICIAL = "official"
    DOCUMENT = "document"


RecordFile = Annotated[Path, typer.Argument(dir_okay=False, help=t(
    "Eine Aufzeichnung (.jsonl) oder ein Replay des Referenzservers (.xml), auch gepackt (.gz).",
    "A record (.jsonl) or a reference replay (.xml), also gzipped."))]  # fmt: skip
ByRules = Annotated[ReplayRules, typer.Option("--rules", help=t(
    "Regeln eines Replays des Referenzservers: wie in seiner Saison geleitet oder nach dem Regeldokument.",
    "Rules of a reference replay: as refereed in its season, or by the rule document."))]  # fmt: skip


# --- show -------------------------------------------------------------------------------------------------------------


@replay.command(
    help=t(
        "Eine Stellung eines aufgezeichneten Spiels zeichnen, seine Züge mit Zeiten auflisten und sagen, wie es "
        "endete.",
        "Draw a position of a recorded game, list its moves with their times, and say how it ended.",
    )
)
def show(
    file: RecordFile,
    ply: Annotated[int | None, typer.Option(min=0, help=t(
        "Die Stellung nach so vielen Zügen zeichnen; Standard: die letzte.",
        "Draw the position after this number of moves; default: the last one."))] = None,
    moves: Annotated[bool, typer.Option(help=t(
        "Die Züge mit ihren Zeiten auflisten.", "List the moves with their times."))] = True,
    rules: ByRules = ReplayRules.OFFICIAL,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    record = open_any(file, official=rules is ReplayRules.OFFICIAL)
    game = record.game
    states = record.states
    at = len(states) - 1 if ply is None else ply
    if at >= len(states):
        raise RecordError(
            f"{file}: Zug {at} gibt es nicht, die Aufzeichnung hat {len(states) - 1}",
            f"{file}: there is no ply {at}, the record has {len(states) - 1}",
        )
    if as_json:
        console.print_json(json.dumps(_game_json(record, at, with_moves=moves)))
        return
    console.print(_heading(record), markup=False)
    console.print(RichText.from_ansi(game.draw_text(states[at], terminal_has_colors(), language())))
    console.print(game.notation.format_state(states[at]), soft_wrap=True, markup=False)
    if moves and record.moves:
        colors = [game.color_to_move(state).to(language()) for state in states]
        console.print(_move_table(record, colors, at))
    if ply:
        _print_output(record, ply)
    for line in _ending(record):
        console.print(line, markup=False, soft_wrap=True)


_CLOCKS = {
    Clock.KERNEL: Text("Kernel", "kernel"),
    Clock.READING: Text("Lesezeit", "reading"),
    Clock.PROCESSOR: Text("Rechenzeit", "CPU time"),
}


def _heading(record: History) -> str:
    players = " – ".join(_sides(record))
    started = "" if record.started is None else f", {record.started:%Y-%m-%d %H:%M:%S} UTC"
    return f"{record.game.title.to(language())}: {players}{started}\n"


def _sides(record: History) -> tuple[str, str]:
    one, two = (one_line(side(record.game, record.names, team, language())) for team in TEAMS)
    return one, two


def _game_json(record: History, at: int, *, with_moves: bool) -> dict[str, Any]:
    """What the command shows, for programs."""
    game, result = record.game, record.result
    shown: dict[str, Any] = {
        "game": game.key,
        "id": record.id,
        "players": list(record.names),
        "started": None if record.started is None else record.started.isoformat(),
        "ply": at,
        "position": game.notation.format_state(record.states[at]),
    }
    if with_moves:
        shown["moves"] = [_move_json(record, move) for move in record.moves]
    shown["result"] = None if result is None else _result_json(game, result)
    return shown


def _move_json(record: History, move: RecordedMove) -> dict[str, Any]:
    noted = record.notes_at(move.ply)
    return {
        "ply": move.ply,
        "turn": move.turn,
        "team": move.team.name,
        "move": move.text,
        "seconds": move.seconds,
        "hints": list(move.hints),
        "notes": [] if noted is None else [note.data for note in noted.notes],
        "output": "" if noted is None else printable(noted.output),
    }


def _result_json(game: AnyGame, result: RecordedResult) -> dict[str, Any]:
    return {
        "winner": None if result.winner is None else result.winner.name,
        "reason": result.reason.to(language()),
        "regular": result.regular,
        "end": result.end,
        "resigned": result.resigned,
        "teams": {
            team.name: {"cause": result.teams[team].cause.value, "scores": scores_json(game, result.teams[team].points)}
            for team in TEAMS
        },
    }


def _print_output(record: History, ply: int) -> None:
    """What the program printed for the move that led to this position."""
    noted = record.notes_at(ply - 1)
    if noted is not None and noted.output:
        name = _sides(record)[noted.team]
        title = Text(f"Ausgabe von {name} zu diesem Zug:", f"{name} printed for this move:")
        console.print(title.to(language()), style="dim", markup=False)
        console.print(RichText("\n".join(f"  {line}" for line in printable(noted.output).splitlines())), soft_wrap=True)


def _noted(record: History, move: RecordedMove) -> str:
    """The hints of a move, which all saw, and what its player noted."""
    noted = record.notes_at(move.ply)
    return one_line(" | ".join((*move.hints, *([summary(noted, language())] if noted is not None else []))))


def _move_table(record: History, colors: list[str], at: int) -> Table:
    moves = record.moves
    timed = any(move.timing is not None for move in moves)
    hinted = any(_noted(record, move) for move in moves)
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))

    def add(de: str, en: str, *, number: bool = False, wrap: bool = False) -> None:
        table.add_column(
            Text(de, en).to(language()), justify="right" if number else "left", no_wrap=not wrap, overflow="fold"
        )

    # In a narrow terminal moves and hints are wrapped, numbers never; only the duration is there below 80 columns, and
    # below 100 if hints need the room.
    wide = console.width >= WIDE + (20 if hinted else 0)
    add("Nr.", "ply", number=True)
    add("Zähler", "turn", number=True)
    add("Farbe", "colour")
    add("Zug", "move", wrap=True)
    if timed and wide:
        add("gefragt", "requested", number=True)
        add("empfangen", "received", number=True)
        add("gelesen", "read", number=True)
    if timed:
        add("Dauer", "elapsed", number=True)
        add("Uhr", "clock")
    if hinted:
        add("Notizen", "notes", wrap=True)
    for move, color in zip(moves, colors, strict=False):
        cells = [str(move.ply), str(move.turn), color, one_line(move.text)]
        cells += _time_cells(move.timing)[0 if wide else 3 :] if timed else ()
        cells += [_noted(record, move)] if hinted else ()
        table.add_row(*cells, style="reverse" if move.ply + 1 == at else None)
    return table


def _time_cells(timing: MoveTiming | None) -> tuple[str, ...]:
    if timing is None:
        return ("",) * 5

    def seconds(value: float, digits: int) -> str:
        return number(value, digits).to(language())

    received = "" if timing.received is None else seconds(timing.received, 3)
    return (
        seconds(timing.requested, 3), received, seconds(timing.read, 3), seconds(timing.elapsed, 6),
        _CLOCKS[timing.judged_by].to(language()),
    )  # fmt: skip


def _ending(record: History) -> list[str]:
    result = record.result
    if result is None:
        text = Text("Unvollendet: die Aufzeichnung bricht hier ab.", "Unfinished: the record breaks off here.")
        return [text.to(language())]
    sides = _sides(record)
    lines = [one_line(ending(record, language()))]
    lines += [_team_line(record.game, result, team, sides[team]) for team in TEAMS]
    if result.offence is not None and result.offence.sent is not None:
        sent = Text("gesendet", "sent").to(language())
        lines.append(f"{sides[result.offence.team]}: {sent} {one_line(result.offence.sent)}")
    return lines


def _team_line(game: AnyGame, result: RecordedResult, team: Team, name: str) -> str:
    end = result.teams[team]
    parts = ", ".join(
        f"{part.text.to(language())} {value}" for part, value in zip(game.scores, end.points, strict=False)
    )
    word = RESIGNED if result.resigned else CAUSES.get(end.cause)
    cause = "" if end.cause is Cause.REGULAR or word is None else f"{word.to(language())}, "
    return f"{name}: {cause}{parts}"


# --- verify -----------------------------------------------------------------------------------------------------------


@replay.command(
    help=t(
        "Aufgezeichnete Spiele nach den Regeln nachspielen und Züge, Zeiten und Ergebnisse prüfen. Exit-Code 1, wenn "
        "etwas nicht stimmt.",
        "Replay recorded games by the rules and check moves, times and results. Exit code 1 if anything is wrong.",
    )
)
def verify(
    paths: Annotated[list[Path], typer.Argument(exists=True, help=t(
        "Aufzeichnungen und Replays des Referenzservers, oder Ordner davon.",
        "Records and reference replays, or folders of them."))],
    as_json: JsonOption = False,
    unfinished: Annotated[bool, typer.Option("--unfinished", help=t(
        "Abgebrochene Spiele zulassen.", "Accept games that break off."))] = False,
    rules: ByRules = ReplayRules.OFFICIAL,
) -> None:  # fmt: skip
    summary = VerificationSummary()
    rows: list[dict[str, Any]] = []
    files = list(record_files(paths))
    for path in track(
        files, Text("Prüfen", "verify").to(language()), console=errors, transient=True, disable=not errors.is_terminal
    ):
        verification = verify_file(path, official=rules is ReplayRules.OFFICIAL)
        if unfinished:
            verification = _without(Flaw.UNFINISHED, verification)
        summary.add(verification)
        if as_json:
            rows.append(_as_row(verification))
        else:
            for finding in verification.findings:
                line = f"{path}: {finding.sentence.to(language())}"
                console.print(printable(line), markup=False, soft_wrap=True)
    if as_json:
        console.print_json(json.dumps({"summary": _counts(summary), "records": rows}))
    else:
        console.print(_conclusion(summary).to(language()))
    if summary.findings:
        raise typer.Exit(1)


def _without(kind: Flaw, verification: Verification) -> Verification:
    kept = tuple(finding for finding in verification.findings if finding.kind is not kind)
    return Verification(verification.place, kept, verification.game, verification.plies)


def _as_row(verification: Verification) -> dict[str, Any]:
    return {
        "file": verification.place,
        "game": verification.game,
        "plies": verification.plies,
        "sound": verification.is_sound,
        "findings": [
            {"kind": finding.kind.name, "ply": finding.ply, "text": finding.text.to(language())}
            for finding in verification.findings
        ],
    }


def _counts(summary: VerificationSummary) -> dict[str, Any]:
    return {
        "records": summary.records,
        "sound": summary.sound,
        "plies": summary.plies,
        "games": dict(sorted(summary.games.items())),
        "findings": {kind.name: number for kind, number in summary.findings.most_common()},
    }


def _conclusion(summary: VerificationSummary) -> Text:
    if summary.sound == summary.records:
        return Text(
            f"{summary.records} Spiele, {summary.plies} Züge: alles stimmt.",
            f"{summary.records} games, {summary.plies} plies: all is well.",
        )
    de = ", ".join(f"{number}× {kind.value.de}" for kind, number in summary.findings.most_common())
    en = ", ".join(f"{number}× {kind.value.en}" for kind, number in summary.findings.most_common())
    wrong = summary.records - summary.sound
    return Text(
        f"{summary.records} Spiele, {summary.plies} Züge: in {wrong} stimmt etwas nicht: {de}.",
        f"{summary.records} games, {summary.plies} plies: something is wrong in {wrong}: {en}.",
    )


# --- analyse ----------------------------------------------------------------------------------------------------------


@replay.command(
    help=t(
        "Ein Spiel mit der Engine analysieren: Gewinnchancen, Wendepunkte, die Güte jedes Zuges und die Genauigkeit.",
        "Analyse a game with the engine: winning chances, turning points, how good every move was, and the accuracy.",
    )
)
def analyse(
    file: RecordFile,
    seconds: Annotated[float | None, typer.Option(min=0.01, help=t(
        "Sekunden je Stellung, bei Fehlern das Vierfache; Standard ohne --nodes: 0,06.",
        "Seconds per position, errors four times; default: 0.06 without --nodes."))] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help=t(
        "Knoten je Stellung: das gleiche Ergebnis auf jedem Rechner.",
        "Nodes per position: the same result on every machine."))] = None,
    as_json: JsonOption = False,
    rules: ByRules = ReplayRules.OFFICIAL,
) -> None:  # fmt: skip
    record = open_any(file, official=rules is ReplayRules.OFFICIAL)
    budget = DEFAULT_BUDGET if seconds is nodes is None else Budget(seconds=seconds or inf, nodes=nodes or inf)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(Text("Analyse", "analyse").to(language()), total=None)
        analysis = analyse_record(
            record, budget, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if as_json:
        console.print_json(json.dumps(_analysis_row(analysis)))
        return
    for line in _analysis_lines(analysis):
        console.print(line, markup=False, soft_wrap=True)


def _analysis_row(analysis: GameAnalysis) -> dict[str, Any]:
    return {
        "game": analysis.game.key,
        "names": list(analysis.history.names),
        "finished": analysis.history.result is not None,
        "chances": [None if chance is None else round(chance, 4) for chance in analysis.chances],
        "moves": [
            {"ply": move.ply, "team": move.team.name, "move": move.text, "loss": round(move.loss, 4),
             "points": move.points, "stake": round(move.stake, 4), "class": move.move_class.name.lower(),
             "better": move.better, "reasons": [reason.to(language()) for reason in analysis.reasons(move)]}
            for move in analysis.moves
        ],
        "turning_points": [move.ply for move in analysis.turning_points],
        "slides": [
            {"first": slide.first, "last": slide.last, "team": slide.team.name, "before": round(slide.before, 4),
             "after": round(slide.after, 4)}
            for slide in analysis.slides
        ],
        "teams": {team.name: _summary_row(analysis.summary(team)) for team in TEAMS},
    }  # fmt: skip


def _summary_row(summary: TeamSummary) -> dict[str, Any]:
    return {
        "moves": summary.moves,
        "average_loss": round(summary.average_loss, 4),
        "average_points": round(summary.average_points, 2),
        "accuracy": None if summary.accuracy is None else round(summary.accuracy, 1),
        "classes": {found.name.lower(): summary.classes[found] for found in MoveClass},
    }


_BARS = "▁▂▃▄▅▆▇█"


def _sparkline(chances: list[float | None]) -> str:
    return "".join(" " if chance is None else _BARS[round(chance * (len(_BARS) - 1))] for chance in chances)


def _analysis_lines(analysis: GameAnalysis) -> list[str]:
    record = analysis.history
    sides = _sides(record)
    curve = Text(f"Gewinnchance von {sides[0]}:", f"Winning chance of {sides[0]}:")
    lines = [_heading(record), curve.to(language()), _sparkline(analysis.chances)]
    for team, chances in noted_chances(record).items():
        own = Text(f"Wie {sides[team]} die eigene notierte:", f"{sides[team]}'s own, as it noted it:")
        lines += [own.to(language()), _sparkline(chances)]
    lines.append("")
    lines += [_ending(record)[0], ""]
    turning_points, slides = analysis.turning_points, analysis.slides
    others = [move for move in analysis.moves if move.move_class.is_error and move not in turning_points]
    if turning_points or slides:
        lines.append(Text("Wendepunkte:", "Turning points:").to(language()))
    turns = [(move.ply, _error_line(move, analysis, explained=True)) for move in turning_points]
    turns += [(slide.first, "  " + slide.text(sides[slide.team]).to(language())) for slide in slides]
    lines += [line for _, line in sorted(turns)]
    if others:
        lines.append(Text("Weitere Fehler:", "Further errors:").to(language()))
    lines += [_error_line(move, analysis) for move in others]
    return lines + [analysis.summary(team).text(sides[team]).to(language()) for team in TEAMS]


def _error_line(move: MoveAnalysis, analysis: GameAnalysis, *, explained: bool = False) -> str:
    loss, points = number(100 * move.loss, 1), number(move.points, 1)
    game, played, what = analysis.game, analysis.plies[move.ply - 1], move.move_class.text
    said, best = game.move_text(played.before, played.move), game.move_text(played.before, move.best)
    text = Text(
        f"{move.ply}. {said.de} – {what.de}, −{loss.de} Prozentpunkte und −{points.de} Punkte, besser: {best.de}",
        f"{move.ply}. {said.en} – {what.en}, −{loss.en} percentage points and −{points.en} points, better: {best.en}",
    )
    reasons = analysis.reasons(move) if explained else ()
    return "\n".join((f"  {text.to(language())}", *(f"     {reason.to(language())}" for reason in reasons)))


# --- convert ----------------------------------------------------------------------------------------------------------


@replay.command(
    help=t(
        "Eine Aufzeichnung in ein Replay des Referenzservers umwandeln oder zurück, oder viele Spiele in einen Text "
        "oder zurück.",
        "Turn a record into a reference replay or back, or many games into one text or back.",
    )
)
def convert(
    source: Annotated[Path, typer.Argument(help=t(
        "Eine Aufzeichnung, ein Replay, ein Text mit vielen Spielen (.txt) oder ein Ordner mit Aufzeichnungen.",
        "A record, a reference replay, a text of many games (.txt), or a folder of records."))],
    target: Annotated[Path, typer.Argument(help=t(
        "Eine neue Datei: .jsonl für eine Aufzeichnung, .xml für ein Replay, .txt für alle Spiele in einem Text; "
        ".gz komprimiert. Zu einem Text mit vielen Spielen ein Ordner.",
        "A new file: .jsonl for a record, .xml for a reference replay, .txt for all games in one text; .gz "
        "compresses. Of a text of many games, a folder."))],
    rules: ByRules = ReplayRules.OFFICIAL,
) -> None:  # fmt: skip
    official, name = rules is ReplayRules.OFFICIAL, target.name.removesuffix(".gz")
    if name.endswith(ENDING):
        write_games((open_any(path, official=official) for path in record_files([source])), target)
        return
    if source.name.removesuffix(".gz").endswith(ENDING):
        _unlist(source, target)
        return
    record = open_any(source, official=official)
    if name.endswith(".jsonl"):
        write_record(record, target)
    elif name.endswith(".xml"):
        write_new_file(target, replay_bytes(record))
    else:
        raise RecordError(
            f"{target}: Der Name muss auf .jsonl, .xml oder .txt enden, oder darauf und .gz",
            f"{target}: the name must end in .jsonl, .xml or .txt, or in that and .gz",
        )


def _unlist(source: Path, folder: Path) -> None:
    """Write each game of a text as a record into a folder; all are checked before the first is written."""
    records = list(read_games(source))
    with refusing(RecordError, folder, WRITE):
        folder.mkdir(parents=True, exist_ok=True)
    for at, record in enumerate(records, 1):
        write_record(record, folder / f"{at:05d}.jsonl")


# --- open -------------------------------------------------------------------------------------------------------------


@replay.command("open", help=t("Ein aufgezeichnetes Spiel im Browser öffnen.", "Open a recorded game in the browser."))
def open_in_browser(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help=t(
        "Eine Aufzeichnung oder ein Replay des Referenzservers.", "A record or a reference replay."))],
    port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port der Seiten; ein anderer, wenn er belegt ist.", "Port of the pages; another one if it is taken."))] = 8050,
    game_port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port des Spielleiters, ebenso.", "Port of the game master, likewise."))] = 13050,
    browser: Annotated[bool, typer.Option(help=t(
        "Die Seiten im Browser öffnen.", "Open the pages in the browser."))] = True,
) -> None:  # fmt: skip
    from spielleiter.cli.web import serve_pages  # only here a web server is needed

    serve_pages(port=port, game_port=game_port, any_port=True, file=file, browser=browser)
