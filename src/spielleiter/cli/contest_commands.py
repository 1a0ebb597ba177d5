"""All commands of ``spielleiter contest``, in the order in which a season needs them."""

from __future__ import annotations

from spielleiter.cli import contest_decide as _decide  # noqa: F401 - registers its commands
from spielleiter.cli import contest_show as _show  # noqa: F401 - registers its commands
from spielleiter.cli.contest_accounts import invite
from spielleiter.cli.contest_run import contest_app

contest_app.command()(invite)

__all__ = ["contest_app"]
