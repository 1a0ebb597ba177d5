"""A season keeps how it ranks, whatever later versions of its rule set say."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add it; older seasons whose file does not say how they rank began by victory points."""
    ranking = sa.Column("default_ranking", sa.String(length=30), nullable=False, server_default="victory points")
    op.add_column("season", ranking)
