"""Messages of the organisers for everybody, in both languages."""

from __future__ import annotations

from sqlalchemy import select

from spielleiter.contest.store import AuditAction, NewsRow, Store, now, write_audit
from spielleiter.errors import ContestError

MAX_LENGTH = 5000


def write_news(store: Store, de: str, en: str, *, who: str) -> NewsRow:
    """Publish a message; one language alone is used for both. Raises ``ContestError`` if it is empty or too long."""
    de, en = de.strip(), en.strip()
    if not de and not en:
        raise ContestError("Die Nachricht ist leer.", "The message is empty.")
    if max(len(de), len(en)) > MAX_LENGTH:
        raise ContestError(
            f"Die Nachricht hat mehr als {MAX_LENGTH} Zeichen.", f"The message has more than {MAX_LENGTH} characters."
        )
    with store.transaction() as session:
        news = NewsRow(at=now(), who=who[:100], text_de=de or en, text_en=en or de)
        session.add(news)
        session.flush()
        write_audit(session, who, AuditAction.NEWS, _short(en or de))
    return news


def remove_news(store: Store, id_: int, *, who: str) -> None:
    """Take a message back. Raises ``ContestError`` if it is gone already."""
    with store.transaction() as session:
        news = session.get(NewsRow, id_)
        if news is None:
            raise ContestError("Diese Nachricht gibt es nicht mehr.", "This message is gone.")
        write_audit(session, who, AuditAction.REMOVE_NEWS, _short(news.text_en), news.text_en)
        session.delete(news)


def all_news(store: Store, limit: int = 100) -> list[NewsRow]:
    """The messages, the newest first."""
    with store.reading() as session:
        return list(session.scalars(select(NewsRow).order_by(NewsRow.id.desc()).limit(limit)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
