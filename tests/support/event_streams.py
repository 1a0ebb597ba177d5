"""Reads a stream of looks as a page does: what changed is put into what is known."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from spielleiter.web.patches import apply_patch


def messages(stream: Any) -> Iterator[dict[str, Any]]:
    """Each look with all its parts; ``changed`` names those that were sent, ``sent`` is the message itself."""
    known: dict[str, str] = {}
    for line in stream.iter_lines():
        if line.startswith("data: "):
            sent = json.loads(line.removeprefix("data: "))
            new = sent.get("parts", {})
            new |= {name: apply_patch(known[name], patch) for name, patch in sent.get("patches", {}).items()}
            known |= new
            yield sent | {"parts": dict(known), "changed": set(new), "sent": sent}


def first_message(client: Any, address: str, *texts: str, seconds: float = 60.0) -> str:
    """The first line of the stream with one of these texts in it; the stream's beats let no test wait for ever."""
    deadline = time.monotonic() + seconds
    with client.stream("GET", address) as stream:
        for line in stream.iter_lines():
            if any(text in line for text in texts):
                return str(line)
            assert time.monotonic() < deadline, f"no message with {texts}"
    raise AssertionError("the stream has ended")
