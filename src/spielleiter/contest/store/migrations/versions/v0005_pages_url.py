"""The season knows where its pages are, for links that are made elsewhere."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the address of the pages; it is unknown until they are served again."""
    op.add_column("season", sa.Column("pages_url", sa.String(300), nullable=True))
