"""Seats that belong to one browser each: whose they are, and whether they are there.

Law: the link of an invitation opens its seat for the first browser that takes it, and for no other one afterwards.
Looking at the link takes nothing, because messengers look at links too.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

AWAY_SECONDS = 75.0
"""Seconds without a sign of a browser until its player is away; an open page gives one every 15 or 30 seconds."""
LEFT_SECONDS = 8.0
"""The same after the browser has said goodbye: it may only be reloading the page."""
MAX_GUESTS = 10
"""Browsers that are remembered to have looked at an invitation."""
FORFEIT_SECONDS = 600.0
"""Seconds away until a player has lost."""


@dataclass(slots=True, eq=False)
class Holder:
    """To whom a seat belongs."""

    browser: str = ""
    """The player's; empty while the seat is free."""
    token: str = ""
    """What the link of the invitation ends with; empty without an invitation to this seat."""
    seen: float = field(default_factory=time.monotonic)
    """When there was last a sign of the browser, on the monotonic clock."""
    guests: list[str] = field(default_factory=list)
    """The browsers that have looked at the invitation, as far as they are remembered."""
    has_left: bool = False
    """Whether the browser has said goodbye since."""

    @classmethod
    def invited(cls) -> Holder:
        """A seat for the first browser that comes."""
        return cls(token=secrets.token_urlsafe(16))

    @property
    def is_missing(self) -> bool:
        """Whether the seat is still free."""
        return not self.browser

    def take(self, browser: str) -> None:
        """The seat belongs to ``browser`` from now on."""
        self.browser = browser
        self.looked()

    def shown_to(self, browser: str) -> bool:
        """Remember a browser that has looked at the invitation; whether that is new."""
        if not browser or browser in self.guests:
            return False
        self.guests = [*self.guests[1 - MAX_GUESTS :], browser]
        return True

    def looked(self) -> None:
        """There was a sign of the browser."""
        self.seen, self.has_left = time.monotonic(), False

    def away_for(self, now: float) -> float:
        """For how many seconds the player has been away; 0 while they are there."""
        silence = now - self.seen
        return silence if silence > (LEFT_SECONDS if self.has_left else AWAY_SECONDS) else 0.0
