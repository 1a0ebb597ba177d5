"""What tests in a browser share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Open = Callable[..., Any]
Keep = Callable[[Any, str], None]
AXE = Path(__file__).parents[1] / "web" / "vendor" / "axe-4.14.0.min.js"


def check_with_axe(page: Any) -> None:
    """No serious barrier for anybody. The script comes from the test, so the page's policy is not asked."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    serious = [
        f"{found['id']}: {found['nodes'][0]['html'][:200]} {found['nodes'][0]['failureSummary']}"
        for found in found["violations"]
        if found["impact"] in ("serious", "critical")
    ]
    assert serious == []
