"""News have a title."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the titles; older news have none."""
    for name in ("title_de", "title_en"):
        op.add_column("news", sa.Column(name, sa.String(length=200), nullable=False, server_default=""))
