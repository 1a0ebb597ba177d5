"""What is kept of a season, in SQLite or PostgreSQL: tables, opening and migrating, and who may play what."""

from spielleiter.contest.store.claims import Claims
from spielleiter.contest.store.database import Store, now
from spielleiter.contest.store.schema import (
    AccountRow,
    ActivationRow,
    AuditRow,
    Decision,
    EncounterRow,
    GameFilesRow,
    GameRow,
    InvitationRow,
    LoginSessionRow,
    LotRow,
    MatchdayRow,
    NewsRow,
    ProgramFileRow,
    ProgramRow,
    SeasonRow,
    TeamRow,
)

__all__ = [
    "AccountRow",
    "ActivationRow",
    "AuditRow",
    "Claims",
    "Decision",
    "EncounterRow",
    "GameFilesRow",
    "GameRow",
    "InvitationRow",
    "LoginSessionRow",
    "LotRow",
    "MatchdayRow",
    "NewsRow",
    "ProgramFileRow",
    "ProgramRow",
    "SeasonRow",
    "Store",
    "TeamRow",
    "now",
]
