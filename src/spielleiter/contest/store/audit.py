"""The audit log: what people decide, and how it is named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy.orm import Session

from spielleiter.contest.store.database import now
from spielleiter.contest.store.schema import AuditRow, Base, Moment
from spielleiter.game import Text


class AuditAction(StrEnum):
    """Something that a person can do to a season."""

    ANNUL = "annul"
    DISQUALIFY = "disqualify"
    DRAW_LOT = "draw-lot"
    PAUSE = "pause"
    RESUME = "resume"
    RUN = "run"
    SEASON_FILE = "season file"
    CHALLENGE = "challenge"
    NEWS = "news"
    REMOVE_NEWS = "remove news"
    LEAVE_OUT = "leave out"
    INVITE = "invite"
    INVITE_AGAIN = "invite again"
    REVOKE = "revoke"
    ACCOUNT = "account"
    NEW_PASSWORD = "new password"  # noqa: S105 - an action
    REMOVE_ACCOUNT = "remove account"
    UNDO = "undo"

    @property
    def text(self) -> Text:
        """What was done, in a few words."""
        return _TEXTS[self]


_TEXTS = {
    AuditAction.ANNUL: Text("Annulliert", "Annulled"),
    AuditAction.DISQUALIFY: Text("Disqualifiziert", "Disqualified"),
    AuditAction.DRAW_LOT: Text("Los gezogen", "Lot drawn"),
    AuditAction.PAUSE: Text("Saison angehalten", "Season paused"),
    AuditAction.RESUME: Text("Saison fortgesetzt", "Season resumed"),
    AuditAction.RUN: Text("Saison gestartet", "Season started"),
    AuditAction.SEASON_FILE: Text("Saisondatei geändert", "Season file changed"),
    AuditAction.CHALLENGE: Text("Freundschaftsspiel vereinbart", "Friendly encounter arranged"),
    AuditAction.NEWS: Text("Nachricht veröffentlicht", "News published"),
    AuditAction.REMOVE_NEWS: Text("Nachricht entfernt", "News removed"),
    AuditAction.LEAVE_OUT: Text("Ohne Programm in die Saison", "Left out without a program"),
    AuditAction.INVITE: Text("Eingeladen", "Invited"),
    AuditAction.INVITE_AGAIN: Text("Neues Passwort ermöglicht", "Invited to set a new password"),
    AuditAction.REVOKE: Text("Einladung zurückgezogen", "Invitation revoked"),
    AuditAction.ACCOUNT: Text("Konto angelegt", "Account created"),
    AuditAction.NEW_PASSWORD: Text("Passwort geändert", "Password changed"),
    AuditAction.REMOVE_ACCOUNT: Text("Konto gelöscht", "Account removed"),
    AuditAction.UNDO: Text("Rückgängig gemacht", "Undone"),
}


def write_audit(
    session: Session,
    who: str,
    action: AuditAction,
    subject: str,
    reason: str = "",
    *,
    undo: Mapping[str, Any] | None = None,
) -> None:
    """Log who decided what, and why; ``undo`` is what was there before."""
    session.add(
        AuditRow(
            at=now(),
            who=who[:100],
            action=action,
            subject=subject[:200],
            reason=reason.strip()[:2000],
            undo=None if undo is None else dict(undo),
        )
    )


def row_data(row: Base, *names: str) -> dict[str, Any]:
    """The columns of a row, all or those named, as they can stand in the audit log."""
    values = {name: getattr(row, name) for name in names or row.__mapper__.column_attrs.keys()}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def row_values(kind: type[Base], data: Mapping[str, Any]) -> dict[str, Any]:
    """The reverse of ``row_data``."""
    moments = {
        attribute.key for attribute in kind.__mapper__.column_attrs if isinstance(attribute.columns[0].type, Moment)
    }
    return {
        name: datetime.fromisoformat(value) if name in moments and value is not None else value
        for name, value in data.items()
    }
