"""Where games are played elsewhere: by the runs of a season, which stand in its store, and by matches in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from spielleiter.contest.run import feeds
from spielleiter.contest.season.model import Live, Season, Stage
from spielleiter.errors import RecordError, SettingsError
from spielleiter.feeds import FeedAddress
from spielleiter.feeds.follower import FeedSource
from spielleiter.feeds.live import Audience
from spielleiter.matches.plan import FEED, PLAN
from spielleiter.web.replays.library import Library
from spielleiter.web.season.live_season import LiveSeason


def season_source(season: LiveSeason) -> FeedSource:
    """The games of a season, for whom its file says."""
    contest = season.contest

    def addresses() -> Mapping[str, FeedAddress]:
        return {} if contest.season.live is Live.AFTER else feeds.addresses(contest.store)

    return FeedSource(
        Audience.EVERYBODY if contest.season.live is Live.PUBLIC else Audience.MEMBERS,
        season.record_address,
        addresses,
        delay=lambda game_id: _delay(contest.season, game_id),
    )


def _delay(season: Season, game_id: str) -> int:
    """How many moves late a game is shown: its phase says so, which is the first letter of its name."""
    stage = next((stage for stage in Stage if game_id[:1].upper() == stage.letter), None)
    phase = None if stage is None else season.phase(stage)
    return 0 if phase is None else phase.live_delay


def match_source(folder: Path, library: Library) -> FeedSource:
    """The games of the match in a folder, as long as it is played there with `--watch`. Raises ``SettingsError``."""
    if not (folder / PLAN).is_file():
        raise SettingsError(
            f"{folder}: ist kein Ordner eines Matches, {PLAN} fehlt.",
            f"{folder}: not a match folder: {PLAN} is missing",
        )
    prefix = f"{folder.name}-"

    def addresses() -> Mapping[str, FeedAddress]:
        address = FeedAddress.read(folder / FEED)
        return {} if address is None else {"match": address}

    def record(room_id: str) -> str | None:
        name = room_id.removeprefix(prefix)
        if not room_id.startswith(prefix) or not name or "/" in name:
            return None
        try:
            return f"/replay/{library.open(folder / 'records' / f'{name}.jsonl').key}"
        except RecordError:
            return None

    return FeedSource(Audience.GUESTS, record, addresses, prefix)
