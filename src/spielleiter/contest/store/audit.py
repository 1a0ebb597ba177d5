"""The audit log: what people decide is written down, with what was there before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.store.database import now
from spielleiter.contest.store.schema import AuditRow, Base, UtcDateTime


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
        attribute.key
        for attribute in kind.__mapper__.column_attrs
        if isinstance(attribute.columns[0].type, UtcDateTime)
    }
    return {
        name: datetime.fromisoformat(value) if name in moments and value is not None else value
        for name, value in data.items()
    }
