"""``python -m spielleiter`` is the command ``spielleiter``."""

from spielleiter.cli import main

main()
