"""``python -m spielleiter`` is the command ``spielleiter``."""

import sys

from spielleiter import TOO_OLD

if sys.version_info < (3, 11):  # Players in a ZIP run on 3.10, the command does not.
    sys.exit(TOO_OLD)

from spielleiter.cli import main

main()
