"""The background jobs of a contest: the season, checks of programs, friendly games, the coach, and the archive."""

from __future__ import annotations

from spielleiter.contest.run.contest import Contest
from spielleiter.web.season.archive_jobs import ArchiveJobs
from spielleiter.web.season.coach_studies import CoachStudies
from spielleiter.web.season.friendly_games import FriendlyGames
from spielleiter.web.season.program_checks import ProgramChecks
from spielleiter.web.season.season_run import SeasonRun
from spielleiter.web.season.workers import Workers


class BackgroundJobs(Workers):
    """Everything that takes long, on shared workers. Make and close it in the event loop of the pages."""

    def __init__(self, contest: Contest) -> None:
        super().__init__(contest)
        self.season = SeasonRun(self)
        self.checks = ProgramChecks(self)
        self.friendly = FriendlyGames(self)
        self.coach = CoachStudies(self.spawn)
        self.archive = ArchiveJobs(self)

    async def close(self) -> None:
        """End everything that still runs."""
        self.coach.close()
        await super().close()
        self.archive.close()
