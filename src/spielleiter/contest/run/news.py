"""Public messages of the organisers, in both languages: a title, and a text in Markdown."""

from __future__ import annotations

from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.snapshot import News
from spielleiter.contest.store import NewsRow, Store, now, row_data, write_audit
from spielleiter.contest.store.values import news_value
from spielleiter.errors import ContestError
from spielleiter.text import Text

MAX_TITLE = 120
MAX_LENGTH = 5000


def write_news(store: Store, title: Text, text: Text, *, who: str) -> News:
    """Publish a message; one language alone is used for both. Raises ``ContestError`` if it is empty or too long."""
    title, text = _both(title), _both(text)
    if not title.de or not text.de:
        raise ContestError(
            "Eine Nachricht braucht einen Titel und einen Text.", "A message needs a title and a text; one is empty."
        )
    if max(len(title.de), len(title.en)) > MAX_TITLE:
        raise ContestError(
            f"Der Titel hat mehr als {MAX_TITLE} Zeichen.", f"The title has more than {MAX_TITLE} characters."
        )
    if max(len(text.de), len(text.en)) > MAX_LENGTH:
        raise ContestError(
            f"Die Nachricht hat mehr als {MAX_LENGTH} Zeichen.", f"The message has more than {MAX_LENGTH} characters."
        )
    with store.transaction() as session:
        news = NewsRow(at=now(), who=who[:100], title_de=title.de, title_en=title.en, text_de=text.de, text_en=text.en)
        session.add(news)
        session.flush()
        write_audit(session, who, AuditAction.NEWS, title.en)
    return news_value(news)


def _both(text: Text) -> Text:
    """``text`` without spaces around it; a missing language gets the text of the other one."""
    de, en = text.de.strip(), text.en.strip()
    return Text(de or en, en or de)


def remove_news(store: Store, id_: int, *, who: str) -> None:
    """Take a message back. Raises ``ContestError`` if it is gone already."""
    with store.transaction() as session:
        news = session.get(NewsRow, id_)
        if news is None:
            raise ContestError("Diese Nachricht gibt es nicht mehr.", "This message is gone.")
        write_audit(session, who, AuditAction.REMOVE_NEWS, news.title_en, news.text_en, undo=row_data(news))
        session.delete(news)
