"""What tests in a browser share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Open = Callable[..., Any]
Keep = Callable[[Any, str], None]
AXE = Path(__file__).parents[1] / "web" / "vendor" / "axe-4.14.0.min.js"
RECORD_SOUNDS = """
window.sounds = [];
class Node { constructor() { this.frequency = this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
  connect(next) { return next; } start() { window.sounds.push(1); } stop() {} }
window.AudioContext = class { constructor() { this.state = "running"; this.currentTime = 0; window.contexts = 1; }
  async resume() {} createOscillator() { return new Node(); } createGain() { return new Node(); } };
"""

DEVICES: dict[str, dict[str, Any]] = {
    "computer": {"width": 1280, "height": 860, "reduced_motion": "reduce"},
    "phone": {"width": 390, "height": 844, "is_mobile": True, "has_touch": True},
}
"""On which every page is looked at, as the options of ``open_page``."""
_RULES: dict[str, dict[str, Any]] = {
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}},
    "phone": {"rules": {"color-contrast": {"enabled": False}}},
}
"""Those of axe that can find something which is not there in the light; the contrast takes half of its time."""


def looks(page: Any, device: str) -> Iterator[str]:
    """Show a page that is open in each look of its device; what a computer shows changes without a new page."""
    if device == "phone":
        yield "phone"
        return
    page.set_viewport_size({"width": 1280, "height": 860})
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look)
        yield look
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 820, "height": 1180})
    yield "tablet"
    page.set_viewport_size({"width": 1920, "height": 1080})
    yield "projector"


def check_look(page: Any, look: str) -> None:
    """The page fits into the window, and nobody meets a barrier."""
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{page.url} is too wide for {look}"
    if look not in ("tablet", "projector"):  # As in the light, only of another size.
        check_with_axe(page, look)


_COME_TO_REST = """() => Promise.allSettled(
    document.getAnimations()
        .filter((each) => each.effect.getComputedTiming().endTime < Infinity)
        .map((each) => each.finished)
).then(() => undefined)"""
"""What fades in has not its own colours yet."""


def check_with_axe(page: Any, look: str = "light") -> None:
    """No serious barrier for anybody. The script comes from the test, so the page's policy is not asked."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(_COME_TO_REST)
    options = {"resultTypes": ["violations"], "preload": False, **_RULES.get(look, {})}
    violations = page.evaluate("options => axe.run(document, options).then(found => found.violations)", options)
    serious = [
        f"{found['id']}: {found['nodes'][0]['html'][:200]} {found['nodes'][0]['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join(serious)
