"""The audit log knows how to undo what was decided."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add what undoes a decision, and when it was undone; older decisions stay as they are."""
    op.add_column("audit", sa.Column("undo", sa.JSON(), nullable=True))
    op.add_column("audit", sa.Column("undone", sa.DateTime(), nullable=True))
