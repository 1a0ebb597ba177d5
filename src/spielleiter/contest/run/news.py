"""Messages of the organisers for everybody, in both languages."""

from __future__ import annotations

from sqlalchemy import select

from spielleiter.contest.store import AuditRow, NewsRow, Store, now
from spielleiter.errors import ContestError

LONGEST = 5000


def write_news(store: Store, de: str, en: str, *, who: str) -> NewsRow:
    """Publish a message; one language alone stands for both. Raises ``ContestError`` for an empty or endless one."""
    de, en = de.strip(), en.strip()
    if not de and not en:
        raise ContestError("Die Nachricht ist leer.", "The message is empty.")
    if max(len(de), len(en)) > LONGEST:
        raise ContestError(
            f"Die Nachricht hat mehr als {LONGEST} Zeichen.", f"The message has more than {LONGEST} characters."
        )
    with store.transaction() as session:
        news = NewsRow(at=now(), who=who[:100], text_de=de or en, text_en=en or de)
        session.add(news)
        session.flush()
        session.add(AuditRow(at=now(), who=who[:100], action="news", subject=_short(en or de), reason=""))
    return news


def remove_news(store: Store, id_: int, *, who: str) -> None:
    """Take a message back. Raises ``ContestError`` if it is gone already."""
    with store.transaction() as session:
        news = session.get(NewsRow, id_)
        if news is None:
            raise ContestError("Diese Nachricht gibt es nicht mehr.", "This message is gone.")
        session.add(
            AuditRow(at=now(), who=who[:100], action="remove news", subject=_short(news.text_en), reason=news.text_en)
        )
        session.delete(news)


def all_news(store: Store, most: int = 100) -> list[NewsRow]:
    """The messages, the newest first."""
    with store.reading() as session:
        return list(session.scalars(select(NewsRow).order_by(NewsRow.id.desc()).limit(most)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
