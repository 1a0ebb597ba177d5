"""What is kept of a season, in SQLite or PostgreSQL: tables, opening and migrating, and who may play what."""

from spielleiter.contest.store.claims import Claims
from spielleiter.contest.store.database import Store, now
from spielleiter.contest.store.tables import (
    Account,
    Activation,
    AuditEntry,
    Encounter,
    Game,
    GameFiles,
    Invitation,
    LoginSession,
    LotDrawn,
    Matchday,
    News,
    Program,
    ProgramFile,
    SeasonRow,
    Team,
    Verdict,
)

__all__ = [
    "Account",
    "Activation",
    "AuditEntry",
    "Claims",
    "Encounter",
    "Game",
    "GameFiles",
    "Invitation",
    "LoginSession",
    "LotDrawn",
    "Matchday",
    "News",
    "Program",
    "ProgramFile",
    "SeasonRow",
    "Store",
    "Team",
    "Verdict",
    "now",
]
