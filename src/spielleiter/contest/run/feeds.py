"""Where the games of a season can be followed: the process that plays them says so in the store, while it lives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from spielleiter.contest.store import Claims, FeedRow, Store, now
from spielleiter.feeds import FeedAddress

_CLAIMS_FROM = 1 << 30
"""Claims of feeds are numbered from here; no season has so many encounters."""


@contextmanager
def announced(store: Store, address: FeedAddress) -> Iterator[None]:
    """Stands in the store while the block runs; what a killed process left there is removed. Raises ``StoreError``.

    Enter and leave it in the thread of all claims of this process.
    """
    claims = store.claims()
    try:
        with store.transaction() as session:
            _remove_stale(session, claims)
            row = FeedRow(host=address.host, port=address.port, key=address.key, opened=now())
            session.add(row)
            session.flush()
            claims.take(_CLAIMS_FROM + row.id)
        try:
            yield
        finally:
            with store.transaction() as session:
                session.execute(delete(FeedRow).where(FeedRow.id == row.id))
    finally:
        claims.close()


def _remove_stale(session: Session, claims: Claims) -> None:
    for row in session.scalars(select(FeedRow)):
        if claims.take(_CLAIMS_FROM + row.id):  # It is free: its process is dead.
            claims.release(_CLAIMS_FROM + row.id)
            session.delete(row)
    session.flush()


def addresses(store: Store) -> Mapping[str, FeedAddress]:
    """Where games may be played just now, by the id of the feed. Raises ``StoreError``."""
    with store.reading() as session:
        return {str(row.id): FeedAddress(row.host, row.port, row.key) for row in session.scalars(select(FeedRow))}
