"""A film of a recorded game, made by a process of low priority: ``python -m spielleiter.web.replays.film_process``.

It reads the record and the captions as JSON from its input. It writes a line with the number of drawn pictures and of
all for each picture, an empty line, and then the film.
"""

from __future__ import annotations

import json
import os
import sys

from spielleiter.pages import pictures
from spielleiter.records.reader import parse_record


def main() -> None:
    """Make the film that standard input describes."""
    if sys.platform != "win32":
        os.nice(19)
    order = json.load(sys.stdin)
    output = sys.stdout.buffer

    def progress(done: int, total: int) -> None:
        output.write(b"%d %d\n" % (done, total))
        output.flush()

    captions = [pictures.Caption((one, two), moment) for (one, two), moment in order["captions"]]
    film = pictures.gif(parse_record(order["record"].encode()), captions, progress=progress)
    output.write(b"\n" + film)
    output.flush()


if __name__ == "__main__":
    main()
