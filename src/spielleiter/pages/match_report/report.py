"""Puts the report together: figures, tables, plots, games and logs in one HTML file.

Player names, reasons and logs come from strangers: they go into the page as data and are shown as text only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from spielleiter import __version__
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Language, Text
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Summary
from spielleiter.pages.match_report.plots import draw_plots
from spielleiter.pages.match_report.replays import last_position, load_replay, pack_volumes
from spielleiter.pages.match_report.spreadsheets import csv_text, write_parquet

WHOLE_REPLAYS = 300
"""So many games can be stepped through; of the others the page shows the end."""
_MOST_FAILURES = 200


def write_report(
    folder: Path,
    plan: MatchPlan,
    rows: Sequence[MatchGame],
    summary: Summary,
    notices: Sequence[Text] = (),
    language: Language = "en",
    *,
    whole_replays: int = WHOLE_REPLAYS,
) -> Path:
    """Write ``report.html``, ``results.csv`` and, with pyarrow, ``results.parquet``: the path of the page."""
    page = report_page(folder, plan, rows, summary, notices, language, whole_replays=whole_replays)
    path = folder / "report.html"
    try:
        for target, text in ((path, page), (folder / "results.csv", csv_text(rows))):
            draft = target.with_name(f".{target.name}.tmp")
            draft.write_text(text, encoding="utf-8")
            draft.replace(target)
        write_parquet(rows, folder / "results.parquet")
    except OSError as problem:
        raise RecordError(f"{folder}: the report cannot be written: {problem.strerror}") from None
    return path


def report_page(
    folder: Path,
    plan: MatchPlan,
    rows: Sequence[MatchGame],
    summary: Summary,
    notices: Sequence[Text] = (),
    language: Language = "en",
    *,
    whole_replays: int = WHOLE_REPLAYS,
) -> str:
    """The whole page."""
    game = plan.load_game()
    whole = set(_most_interesting(rows, whole_replays))
    replays = (load_replay(row, folder, game) if row.id in whole else last_position(row, game) for row in rows)
    volumes = pack_volumes(replays, game)
    plots = draw_plots(summary, rows, plan.limits().soft, language)
    data = {
        "names": summary.names,
        "teams": [game.team_name(team).to(language) for team in TEAMS],
        "games": [_game(row, language) for row in rows],
        "volumes": [volume.data for volume in volumes],
        "places": {name: at for at, volume in enumerate(volumes) for name in volume.ids},
        "words": {key: text.to(language) for key, text in WORDS.items()},
    }
    resources = files("spielleiter.pages.match_report")
    title = " – ".join(summary.names) if len(summary.names) <= 4 else f"{len(summary.names)} players"
    words = {key: escape(text.to(language)) for key, text in WORDS.items()}
    return Template((resources / "page.html").read_text(encoding="utf-8")).substitute(
        {key: text for key, text in words.items() if key != "standings"},
        standings_title=words["standings"],
        lang=language,
        title=escape(f"{title} · {game.title.to(language)}"),
        style=(resources / "page.css").read_text(encoding="utf-8"),
        script=(resources / "page.js").read_text(encoding="utf-8"),
        # Inside a script element only this could end it.
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        facts=_facts(plan, summary, language),
        sentences="".join(f"<p>{escape(text.to(language))}</p>" for text in summary.sentences),
        notices="".join(f'<p class="warning">{escape(text.to(language))}</p>' for text in notices),
        standings=_standings(summary, language),
        cross=_cross_table(summary),
        sides=_by_side(rows, [game.team_name(team).to(language) for team in TEAMS], language),
        starts=_by_start(rows, summary, language),
        causes=_causes(summary, language) + _failures(rows, language),
        plots=_plots(plots, language, duel=summary.duel is not None),
        version=__version__,
    )


def _most_interesting(rows: Sequence[MatchGame], most: int) -> list[str]:
    """The games to keep whole: those in which something went wrong, then the others from the first on."""
    ordered = sorted(rows, key=lambda row: all(side.fault is None for side in row.sides))
    return [row.id for row in ordered[:most]]


def _game(row: MatchGame, language: Language) -> dict[str, Any]:
    return {
        "id": row.id,
        "names": row.names,
        "winner": None if row.winner is None else int(row.winner),
        "counts": row.counts,
        "reason": row.reason.to(language),
        "plies": row.plies,
        "seconds": row.seconds,
        "record": row.record,
        "final": row.final,
        "sides": [
            {
                "fault": None if side.fault is None else side.fault.text.to(language),
                "points": side.points,
                "times": side.move_times,
                "log": side.log,
                "words": side.last_words,
                "lingered": side.lingered,
                "sandbox": side.sandbox,
                "memory": side.peak_memory,
            }
            for side in row.sides
        ],
    }


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], *, first_is_name: bool = True) -> str:
    """An HTML table; all cells are text."""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>"
        + "".join(
            f"<th scope='row'>{escape(cell)}</th>" if first_is_name and not at else f"<td>{escape(cell)}</td>"
            for at, cell in enumerate(line)
        )
        + "</tr>"
        for line in lines
    )
    return f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def _facts(plan: MatchPlan, summary: Summary, language: Language) -> str:
    limits = plan.limits()
    of = "" if summary.total is None else f" / {summary.total}"
    facts = [
        (Text("Spiel", "Game"), plan.load_game().title.to(language) + f" ({plan.game})"),
        (Text("Form", "Format"), plan.format.value),
        (Text("Spiele", "Games"), f"{summary.played}{of}"),
        (Text("Zeit je Zug", "Time of a move"), f"{limits.soft:g} s"),
        (
            Text("Anfänge", "Starts"),
            f"{len(plan.starts.positions)} positions" if plan.starts.positions else f"seed {plan.starts.seed}",
        ),
    ]
    return "".join(f"<dt>{escape(name.to(language))}</dt><dd>{escape(value)}</dd>" for name, value in facts)


def _standings(summary: Summary, language: Language) -> str:
    head = ("Spieler", "Punkte", "Spiele", "+", "=", "−", "Elo", "±", "50 %", "99 %", "max", "% der Grenze", "MB")
    if language == "en":
        head = ("Player", "Points", "Games", "+", "=", "−", "Elo", "±", "50 %", "99 %", "max", "% of the limit", "MB")
    lines = [
        [
            standing.name,
            f"{standing.points:g}",
            str(standing.games),
            str(standing.won),
            str(standing.drawn),
            str(standing.lost),
            "" if standing.elo is None else f"{standing.elo:+.0f}",
            "" if standing.margin is None else f"{standing.margin:.0f}",
            f"{standing.times.median:.3f}",
            f"{standing.times.most:.3f}",
            f"{standing.times.worst:.3f}",
            f"{standing.times.share:.0%}",
            f"{standing.peak_memory / 1e6:.0f}",
        ]
        for standing in summary.standings
    ]
    return _table(head, lines)


def _cross_table(summary: Summary) -> str:
    order = [standing.name for standing in summary.standings]
    lines = []
    for name in order:
        line = [name]
        for other in order:
            tally = None if name == other else summary.tally(name, other)
            line.append("" if tally is None else f"{tally.victory_points / 2:g} / {tally.games}")
        lines.append(line)
    return _table(("", *order), lines)


def _by_side(rows: Sequence[MatchGame], teams: Sequence[str], language: Language) -> str:
    counted = Counter(row.winner for row in rows if row.counts)
    head = (f"{teams[0]} (ONE)", f"{teams[1]} (TWO)", Text("unentschieden", "drawn").to(language))
    return _table(head, [[str(counted[TEAMS[0]]), str(counted[TEAMS[1]]), str(counted[None])]], first_is_name=False)


def _by_start(rows: Sequence[MatchGame], summary: Summary, language: Language) -> str:
    """For each start who scored what; the most lopsided starts first."""
    first = summary.names[0]
    scores: dict[str, list[float]] = {}
    for row in rows:
        if row.counts and first in row.names:
            scores.setdefault(row.start, []).append(row.victory_points[row.names.index(first)] / 2)
    ordered = sorted(scores.items(), key=lambda item: abs(sum(item[1]) / len(item[1]) - 0.5), reverse=True)
    head = (Text("Anfang", "Start").to(language), Text(f"Punkte von {first}", f"Points of {first}").to(language))
    return _table(head, [[start, f"{sum(points):g} / {len(points)}"] for start, points in ordered[:50]])


def _causes(summary: Summary, language: Language) -> str:
    lines = [
        [standing.name, fault.text.to(language), str(number)]
        for standing in summary.standings
        for fault, number in standing.faults.items()
    ]
    lines += [
        [standing.name, Text("endet nicht von selbst", "does not end by itself").to(language), str(standing.lingered)]
        for standing in summary.standings
        if standing.lingered
    ]
    if not lines:
        return f"<p>{escape(Text('Niemand hat einen Fehler gemacht.', 'Nobody made a mistake.').to(language))}</p>"
    return _table([text.to(language) for text in (WORDS["player"], WORDS["cause"], WORDS["games"])], lines)


def _failures(rows: Sequence[MatchGame], language: Language) -> str:
    """Every game that somebody lost by a fault, with links to what the program printed and to the record."""
    lines: list[str] = []
    for row in rows:
        for side in row.sides:
            if side.fault is not None and len(lines) < _MOST_FAILURES:
                links = [(WORDS["log"], side.log), (WORDS["record"], row.record)]
                shown = " · ".join(
                    f'<a href="{escape(quote(target))}">{escape(text.to(language))}</a>'
                    for text, target in links
                    if target
                )
                told = f"{row.id}: {side.name}: {row.reason.to(language)}"
                lines.append(f"<li>{escape(told)} {shown}</li>")
    return f'<ul class="failures">{"".join(lines)}</ul>' if lines else ""


def _plots(plots: dict[str, str] | None, language: Language, *, duel: bool) -> str:
    if plots is None:
        missing = Text(
            "Für die Kurven fehlt matplotlib: pip install 'spielleiter[report]'.",
            "The plots need matplotlib: pip install 'spielleiter[report]'.",
        )
        return f"<p>{escape(missing.to(language))}</p>"
    titles = {
        "elo": Text("Stärke im Laufe der Spiele, mit 95-%-Band", "Strength along the games, with its 95 % band")
        if duel
        else Text("Stärke mit 95-%-Intervall", "Strength with its 95 % interval"),
        "times": Text("Zeit je Zug", "Time of a move"),
        "lengths": Text("Länge der Spiele", "Length of the games"),
    }
    return "".join(
        f"<figure><figcaption>{escape(titles[name].to(language))}</figcaption>{svg}</figure>"
        for name, svg in sorted(plots.items())
    )


WORDS = {
    "player": Text("Spieler", "Player"),
    "cause": Text("Ursache", "Cause"),
    "games": Text("Spiele", "Games"),
    "standings": Text("Tabelle", "Table"),
    "cross_table": Text("Jeder gegen jeden", "Everybody against everybody"),
    "by_side": Text("Siege nach Seiten", "Wins by side"),
    "by_start": Text("Nach Anfängen, die einseitigsten zuerst", "By start, the most lopsided first"),
    "losses": Text("Was schiefging", "What went wrong"),
    "all_games": Text("Alle Spiele", "All games"),
    "meaning": Text("Was das heißt", "What this means"),
    "filter": Text("Filtern: Name, Grund, Nummer …", "Filter: name, reason, number …"),
    "step": Text(
        "Mit den Pfeiltasten durch das Spiel gehen, mit Auf und Ab zum nächsten.",
        "Step through the game with the arrow keys, up and down for the next one.",
    ),
    "moves": Text("Züge", "Moves"),
    "draw": Text("unentschieden", "draw"),
    "wins": Text("gewinnt", "wins"),
    "void": Text("zählt nicht", "does not count"),
    "log": Text("Ausgabe", "Output"),
    "record": Text("Aufzeichnung", "Record"),
    "more": Text("mehr", "more"),
    "only_end": Text(
        "Nur das Ende; das ganze Spiel steht in der Aufzeichnung.", "The end only; the record has it all."
    ),
    "to_first": Text("zum Anfang", "to the start"),
    "back": Text("zurück", "back"),
    "forward": Text("vor", "forward"),
    "to_last": Text("zum Ende", "to the end"),
    "made_by": Text("Erstellt von", "Made by"),
}
