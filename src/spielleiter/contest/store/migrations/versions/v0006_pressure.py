"""Games know how busy the machine was on which they were played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the pressure; that of older games is unknown."""
    op.add_column("games", sa.Column("pressure", sa.Double(), nullable=True))
