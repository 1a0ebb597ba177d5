"""The games of one player, from the folder of a match or from records, each seen from its side of the board."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, AnyGame, Cause, Team, TeamResult, Text
from spielleiter.matches.plan import PLAN, RESULTS, planned_games, read_plan
from spielleiter.matches.results import MatchGame, is_being_written, last_attempts, read_rows
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.records.history import History, RecordedResult
from spielleiter.records.load import open_any
from spielleiter.records.verify import record_files
from spielleiter.text import NO_TEXT, did_you_mean, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGame:
    """One game, seen by one of its players, with what only a match or a season knows."""

    history: History
    """Without moves where no record was kept; its ``place`` is then the id in the match."""
    team: Team
    opponent: str
    points: float | None
    """1 for a win, 0.5 for a draw, 0 for a loss; ``None`` if the game broke off or does not count."""
    side: SideResult
    """What became of its program, as far as that is known."""
    untimely: bool = False
    """It lost on time while the machine was too busy to trust the times."""

    @property
    def limit(self) -> float | None:
        """Seconds for a move, where they are known."""
        limits = self.history.limits[self.team]
        return None if limits is None else limits.per_move


@dataclass(frozen=True, slots=True)
class OwnGames:
    """All games of one player that were found, all of one game, and what is to be said about the sources."""

    player: str
    game: AnyGame
    games: tuple[OwnGame, ...]
    notices: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A game that was found, before a player was chosen."""

    history: History
    names: tuple[str, str]
    row: MatchGame | None = None


def read_own_games(paths: Sequence[Path], player: str) -> OwnGames:
    """The games of ``player`` in these folders of matches, records, and folders of records.

    Raises ``RecordError`` or ``SettingsError`` for what cannot be read, for a player who is not there, and for several
    games at once.
    """
    notices: list[Text] = []
    found = [game for path in paths for game in _read(path, notices)]
    names = sorted({name for game in found for name in game.names if name})
    own = [game for game in found if player in game.names]
    if not own:
        hint = did_you_mean(player, names) if names else Text("kein Spieler hat einen Namen", "no player has a name")
        raise SettingsError(f"{player!r} hat hier kein Spiel: {hint.de}.", f"{player!r} has no game here: {hint.en}")
    keys = sorted({game.history.game_key for game in own})
    if len(keys) > 1:
        raise SettingsError(
            f"Das sind Aufzeichnungen verschiedener Spiele ({', '.join(keys)}): nimm die eines Spiels.",
            f"these are records of different games ({', '.join(keys)}): take those of one game",
        )
    games = tuple(_seen_by(team, game) for game in own for team in TEAMS if game.names[team] == player)
    broken_off = [game.history.place for game in games if game.history.result is None]
    if broken_off:
        listed = ", ".join(broken_off[:5]) + (", …" if len(broken_off) > 5 else "")
        notices.append(
            Text(
                f"Abgebrochen, zählt nicht als Ergebnis ({len(broken_off)}): {listed}.",
                f"Broken off, does not count as a result ({len(broken_off)}): {listed}.",
            )
        )
    if not any(game.history.moves for game in games):
        raise SettingsError(
            f"Zu den Spielen von {player!r} gibt es keine Aufzeichnungen.",
            f"there are no records of the games of {player!r}",
        )
    return OwnGames(player, games[0].history.game, games, tuple(notices))


def _read(path: Path, notices: list[Text]) -> Iterator[_Found]:
    if (path / PLAN).is_file():
        yield from _read_match(path, notices)
        return
    for file in record_files([path]):
        record = open_any(file)
        yield _Found(record, _clean(record.names))


def _read_match(folder: Path, notices: list[Text]) -> Iterator[_Found]:
    plan = read_plan(folder)
    # Asked first: a match that ends meanwhile has more rows than we say, never fewer.
    is_running = is_being_written(folder / RESULTS)
    rows = last_attempts(row for row, _ in read_rows(folder / RESULTS))
    if (notice := _progress_notice(folder, len(rows), planned_games(plan), is_running=is_running)) is not None:
        notices.append(notice)
    missing = 0
    for row in rows:
        file = folder / row.record
        is_there = bool(row.record) and file.is_file()
        missing += not is_there
        yield _Found(open_any(file) if is_there else _without_record(row, plan["game"]), _clean(row.names), row)
    if missing:
        notices.append(
            Text(
                f"{folder}: zu {missing} Spielen fehlt die Aufzeichnung; ihre Züge kann die Engine nicht ansehen.",
                f"{folder}: the records of {missing} games are missing; the engine cannot look at their moves.",
            )
        )


def _progress_notice(folder: Path, played: int, planned: int | None, *, is_running: bool) -> Text | None:
    """How far a match is that has not ended; ``None`` for one that has."""
    if is_running:
        of = Text("", "") if planned is None else Text(f" von {planned}", f" of {planned}")
        return Text(
            f"{folder}: das Match läuft noch; hier zählt, was schon zu Ende ist (Spiele: {played}{of.de}).",
            f"{folder}: the match is still being played; only what has ended counts here (games: {played}{of.en}).",
        )
    if planned is None or played >= planned:
        return None
    again = f"spielleiter match --resume {shlex.quote(str(folder))}"
    return Text(
        f"{folder}: das Match wurde abgebrochen (Spiele: {played} von {planned}). Es geht weiter mit: {again}",
        f"{folder}: the match was broken off (games: {played} of {planned}). Go on with: {again}",
    )


def _clean(names: tuple[str, str]) -> tuple[str, str]:
    one, two = map(one_line, names)
    return one, two


def _without_record(row: MatchGame, game: str) -> History:
    one, two = (TeamResult(Cause.REGULAR, side.points) for side in row.sides)
    result = RecordedResult((one, two), row.winner, row.reason, final=row.final)
    return History(game_key=game, id=row.id, start=row.start, names=row.names, result=result, place=row.id)


def _seen_by(team: Team, found: _Found) -> OwnGame:
    row, opponent = found.row, found.names[team.opponent]
    if row is None:
        return own_game(found.history, team, opponent)
    return OwnGame(
        history=found.history,
        team=team,
        opponent=opponent,
        points=row.victory_points[team] / 2 if row.counts else None,
        side=row.sides[team],
        untimely=row.untimely[team],
    )


def own_game(
    history: History, team: Team, opponent: str, fault: Fault | None = None, failure: Text = NO_TEXT
) -> OwnGame:
    """A game as its record says it; with what else is known of a fault of ``team``."""
    result = history.result
    decided = result is not None and (result.end is not None or result.winner is not None)
    return OwnGame(
        history=history,
        team=team,
        opponent=opponent,
        points=_points(result.winner, team) if result is not None and decided else None,
        side=SideResult(
            name=history.names[team],
            points=() if result is None else result.teams[team].points,
            fault=fault or (None if result is None else Fault.from_cause(result.teams[team].cause)),
            failure=failure,
            move_times=tuple(move.seconds for move in history.moves if move.team is team and move.seconds is not None),
        ),
    )


def _points(winner: Team | None, team: Team) -> float:
    return 0.5 if winner is None else float(winner is team)
