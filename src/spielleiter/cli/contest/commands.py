"""All commands of ``spielleiter contest``, in the order in which a season needs them."""

from __future__ import annotations

from spielleiter.cli.contest import decide as _decide  # noqa: F401 - registers its commands
from spielleiter.cli.contest import show as _show  # noqa: F401 - registers its commands
from spielleiter.cli.contest.invite import invite
from spielleiter.cli.contest.run import contest_app

contest_app.command()(invite)

__all__ = ["contest_app"]
