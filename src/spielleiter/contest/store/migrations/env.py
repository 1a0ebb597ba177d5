"""Runs the steps on the connection that ``store.database`` gives, inside its transaction."""

from __future__ import annotations

from alembic import context

from spielleiter.contest.store.schema import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, transactional_ddl=False, render_as_batch=True)
context.run_migrations()
