"""A copy or a proof of a season, made by a process of low priority: ``python -m`` with the name of this module.

It reads what is wanted as JSON from its input, and writes a line with what is done and what there is to do now and
then; at the end one with the result as JSON: ``{"done": Text}`` or ``{"refused": Text}``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.proof import prove
from spielleiter.errors import ContestError, Refused
from spielleiter.game import Text
from spielleiter.pages.export import export

_SECONDS_BETWEEN_LINES = 0.2


def main() -> None:
    """Do what standard input asks for."""
    if sys.platform != "win32":
        os.nice(19)
    order = json.load(sys.stdin)
    try:
        with Contest.open_store(order["store"]) as contest:
            done = _do(contest, order)
        answer = {"done": {"de": done.de, "en": done.en}}
    except Refused as problem:
        answer = {"refused": {"de": problem.text.de, "en": problem.text.en}}
    _write(json.dumps(answer))


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _do(contest: Contest, order: dict[str, Any]) -> Text:
    written = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal written
        if done == total or time.monotonic() - written > _SECONDS_BETWEEN_LINES:
            written = time.monotonic()
            _write(f"{done} {total}")

    match order["kind"]:
        case "export":
            export(contest, Path(order["target"]), on_progress=progress)
            return Text("Der Export ist fertig.", "The export is ready.")
        case "backup":
            contest.store.backup(Path(order["target"]))
            return Text("Die Sicherung ist fertig.", "The backup is ready.")
        case _:
            proof = prove(contest, progress)
            if proof.difference is not None:
                raise ContestError(proof.text.de, proof.text.en)
            return proof.text


if __name__ == "__main__":
    main()
