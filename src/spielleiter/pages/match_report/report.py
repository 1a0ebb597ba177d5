"""The report of a match as one HTML file: standings, charts, every game to step through, and what programs printed.

Player names, reasons and logs come from other people: templates escape them, and the script shows them as text only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from spielleiter.atomic_files import atomic_write
from spielleiter.errors import WRITE, RecordError, SpielleiterError, refusing
from spielleiter.game import TEAMS, AnyGame, Language, Text
from spielleiter.matches.match import SprtCourse
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Standing, Summary
from spielleiter.pages import charts, notes
from spielleiter.pages.boards import game_colors
from spielleiter.pages.environment import STATIC, render
from spielleiter.pages.formatting import csv_text
from spielleiter.pages.match_report.spreadsheets import flat, write_parquet
from spielleiter.pages.replays import GAMES_IN_VOLUME, pack, read_or_last
from spielleiter.pages.scripts import bundle
from spielleiter.rating.bradley_terry import Rating
from spielleiter.rating.elo import estimate
from spielleiter.rating.pairs import Pentanomial, Results, Tally
from spielleiter.records.game_list import game_list
from spielleiter.records.history import History
from spielleiter.records.load import open_any

WHOLE_REPLAYS = 300
"""Games that can be stepped through; of the others the page shows the end."""
_MAX_FAILURES = 200
_MAX_STARTS = 50
_MAX_STEPS = 300


def write_report(
    folder: Path,
    plan: MatchPlan,
    rows: Sequence[MatchGame],
    summary: Summary,
    notices: Sequence[Text] = (),
    language: Language = "en",
    *,
    replaced: Sequence[MatchGame] = (),
    whole_replays: int = WHOLE_REPLAYS,
) -> Path:
    """Write ``report.html``, ``results.csv``, ``games.txt`` and, with pyarrow, ``results.parquet``: the page's path."""
    page = report_page(folder, plan, rows, summary, notices, language, replaced=replaced, whole_replays=whole_replays)
    texts = {"report.html": page, "results.csv": csv_text(map(flat, rows)), "games.txt": _games(folder, rows)}
    write_texts(folder, texts)
    with refusing(RecordError, folder, WRITE):
        write_parquet(rows, folder / "results.parquet")
    return folder / "report.html"


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files by name, each in one step. Raises ``RecordError``."""
    with refusing(RecordError, folder, WRITE):
        for name, text in texts.items():
            with atomic_write(folder / name) as draft:
                draft.write_text(text, encoding="utf-8")


def report_page(
    folder: Path,
    plan: MatchPlan,
    rows: Sequence[MatchGame],
    summary: Summary,
    notices: Sequence[Text] = (),
    language: Language = "en",
    *,
    replaced: Sequence[MatchGame] = (),
    whole_replays: int = WHOLE_REPLAYS,
) -> str:
    """The whole page; ``replaced`` are the attempts that do not count."""
    game = plan.load_game()
    teams = [game.team_name(team).to(language) for team in TEAMS]
    ratings = [_rating(standing) for standing in summary.standings if standing.elo is not None]
    volumes = _volumes(folder, rows, game, whole_replays, language)
    return render(
        "match_report/page.html",
        language,
        style=inline_static("style.css") + Markup(game_colors()),  # noqa: S704 - drawn by ourselves
        script=Markup(bundle("match-report.js")),  # noqa: S704 - our own files
        icon=inline_static("icon.svg"),
        charts=charts,
        plan=plan,
        game=game,
        summary=summary,
        notices=notices,
        teams=teams,
        limits=plan.limits(),
        scale=charts.elo_scale(ratings),
        ratings={rating.player: rating for rating in ratings},
        cross=_cross_table(summary),
        wins=Counter(row.winner for row in rows if row.counts),
        starts=_by_start(rows, summary.names[0])[:_MAX_STARTS],
        failures=_failures(rows)[:_MAX_FAILURES],
        replaced=replaced[:_MAX_FAILURES],
        elo=charts.elo_course(elo_steps(summary.names, rows), language, summary.names[0]) if summary.duel else None,
        llr=llr_plot(summary, SprtCourse.of(plan, rows).steps, language) if plan.sprt is not None else None,
        times=charts.time_distribution(_times(summary.names, rows), plan.limits().per_move, language),
        lengths=charts.length_histogram([row.plies for row in rows if row.counts], language),
        data={
            "teams": teams,
            "games": [_game(row, language) for row in rows],
            "volumes": volumes,
            "games_in_volume": GAMES_IN_VOLUME,
        },
    )


def _games(folder: Path, rows: Sequence[MatchGame]) -> str:
    """All games that have a record, in one text."""
    records = []
    for row in rows:
        if row.record:
            with suppress(SpielleiterError):  # A damaged record must not cost the others.
                # The id of the match, not that of the room: it names the pair.
                records.append(replace(open_any(folder / row.record), id=row.id))
    return game_list(records)


def inline_static(name: str) -> Markup:
    """A static file for a page that stands alone."""
    return Markup((STATIC / name).read_text(encoding="utf-8"))  # noqa: S704 - our own file


# --- games ------------------------------------------------------------------------------------------------------------


def _volumes(
    folder: Path, rows: Sequence[MatchGame], game: AnyGame, whole_replays: int, language: Language
) -> list[str]:
    """All games in volumes, in the order of the rows, with what the players noted: a report is for who played it."""
    noted = partial(notes.summary, language=language)
    whole = set(_most_interesting(rows, whole_replays))
    volumes = []
    for start in range(0, len(rows), GAMES_IN_VOLUME):
        some = rows[start : start + GAMES_IN_VOLUME]
        volumes.append(pack(((row.id, _replay(row, folder, game, whole=row.id in whole)) for row in some), game, noted))
    return volumes


def _most_interesting(rows: Sequence[MatchGame], number: int) -> list[str]:
    """The games to show whole: those in which something went wrong, then the others from the first on."""
    ordered = sorted(rows, key=lambda row: all(side.fault is None for side in row.sides))
    return [row.id for row in ordered[:number]]


def _replay(row: MatchGame, folder: Path, game: AnyGame, *, whole: bool) -> History:
    # A damaged record must not cost the report.
    return read_or_last(partial(open_any, folder / row.record) if whole and row.record else None, game, row.final)


def _game(row: MatchGame, language: Language) -> dict[str, Any]:
    return {
        "id": row.id,
        "names": row.names,
        "winner": None if row.winner is None else int(row.winner),
        "counts": row.counts,
        "reason": row.reason.to(language),
        "plies": row.plies,
        "record": row.record,
        "final": row.final,
        "sides": [
            {
                "fault": None if side.fault is None else side.fault.text.to(language),
                "failure": side.failure.to(language),
                "log": side.log,
                "last_words": side.last_words,
            }
            for side in row.sides
        ],
    }


# --- numbers ----------------------------------------------------------------------------------------------------------


def _rating(standing: Standing) -> Rating:
    assert standing.elo is not None
    return Rating(standing.name, standing.elo, standing.margin or 0.0, standing.games, None, None)


def _cross_table(summary: Summary) -> list[tuple[str, list[Tally | None]]]:
    """For each player the games against each other one, both in the order of the standings."""
    order = [standing.name for standing in summary.standings]
    return [(name, [None if name == other else summary.tally(name, other) for other in order]) for name in order]


def _by_start(rows: Sequence[MatchGame], first: str) -> list[tuple[str, list[float]]]:
    """For each opening the points of the first player; the most lopsided openings first."""
    scores: dict[str, list[float]] = {}
    for row in rows:
        if row.counts and first in row.names:
            scores.setdefault(row.start, []).append(row.victory_points[row.names.index(first)] / 2)
    return sorted(scores.items(), key=lambda item: abs(sum(item[1]) / len(item[1]) - 0.5), reverse=True)


def _failures(rows: Sequence[MatchGame]) -> list[tuple[MatchGame, int]]:
    """Every game that was lost by a fault, with the side that made it."""
    return [(row, at) for row in rows for at, side in enumerate(row.sides) if side.fault is not None]


def _times(names: Sequence[str], rows: Sequence[MatchGame]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in names}
    for row in rows:
        for side in row.sides:
            times[side.name] += side.move_times
    return times


def llr_plot(summary: Summary, steps: Sequence[tuple[int, float]], language: Language) -> Markup | None:
    """How the LLR of the match went between its bounds; ``None`` without an SPRT."""
    if summary.sprt is None:
        return None
    test = summary.sprt.test
    return charts.llr_course(steps, (test.lower, test.upper), language)


def elo_steps(names: Sequence[str], rows: Sequence[MatchGame]) -> list[tuple[int, float, float | None, float | None]]:
    """Games played, Elo of the first player, and both ends of its 95 % interval, along the match."""
    counts = [0, 0, 0, 0, 0]
    waiting: dict[str, int] = {}
    steps = []
    counted = [row for row in rows if row.counts]
    every = max(1, len(counted) // _MAX_STEPS)
    for number, row in enumerate(counted, 1):
        mine = row.victory_points[row.names.index(names[0])]
        if row.pair in waiting:
            counts[waiting.pop(row.pair) + mine] += 1
        else:
            waiting[row.pair] = mine
        if number % every == 0 or number == len(counted):
            zero, half, one, one_and_half, two = counts
            single = list(waiting.values())
            unpaired = Results(single.count(2), single.count(1), single.count(0))
            found = estimate(Tally(Pentanomial((zero, half, one, one_and_half, two)), unpaired))
            steps.append((number, found.elo, found.low, found.high))
    return steps
