"""Imports everything that an organiser needs; see ``tests.support.contest_organiser``."""

import alembic.command
import alembic.config
import alembic.script
import psycopg
import sqlalchemy.dialects.postgresql.psycopg
import sqlalchemy.dialects.sqlite

import spielleiter.games.piranhas
import tests.support.contest_seasons

__all__ = ["alembic", "psycopg", "spielleiter", "sqlalchemy", "tests"]
