"""The whole Software-Challenge in one package; start at ``spielleiter.games``."""

import sys

__version__ = "1.0.0"

TOO_OLD = (
    "spielleiter needs Python 3.11 or newer (a packed player: 3.10), this is {}.{}: start it with a newer one, as"
    " python3.12".format(*sys.version_info)
)
if sys.version_info < (3, 10):  # noqa: UP036 - it is read by older ones too
    # Here and not in the command line: a packed player imports only the kit, on whatever Python the contest has.
    sys.exit(TOO_OLD)
