"""The store of a season, in SQLite or PostgreSQL: schema, migrations, and claims on encounters."""

from spielleiter.contest.store.audit import row_data, row_values, write_audit
from spielleiter.contest.store.claims import Claims
from spielleiter.contest.store.database import Store, now
from spielleiter.contest.store.schema import (
    AccountRow,
    ActivationRow,
    AuditRow,
    EncounterRow,
    FeedRow,
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
    "EncounterRow",
    "FeedRow",
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
    "row_data",
    "row_values",
    "write_audit",
]
