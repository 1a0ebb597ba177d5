"""What a participant is doing just now, by the page that is open on their device."""

from __future__ import annotations

from dataclasses import dataclass

from spielleiter import games
from spielleiter.game import AnyGame, Text
from spielleiter.text import NO_TEXT
from spielleiter.web.play.tables import Tables

AWAY_SECONDS = 45.0
"""Without a sign of a device until its person counts as away; an open page gives one every 15 seconds."""
_MAX_PATH = 120


@dataclass(slots=True)
class Presence:
    """The last sign of a participant's device."""

    seen: float = 0.0
    """Monotonic time; 0: not since these pages were started."""
    path: str = ""

    def note(self, path: str, now: float) -> bool:
        """There is a sign; whether it changes what the host sees."""
        path = path[:_MAX_PATH]
        changes = path != self.path or not self.is_here(now)
        self.seen, self.path = now, path
        return changes

    def is_here(self, now: float) -> bool:
        """Whether the device was heard of lately."""
        return self.seen > 0 and now - self.seen < AWAY_SECONDS


def describe(path: str, browser: str, tables: Tables, own_game: str) -> Text:
    """What the page at ``path`` is for; the game of the class, ``own_game``, needs no name."""
    first, _, rest = path.strip("/").partition("/")
    key, _, number = rest.partition("/")
    match first:
        case "learn" if number.isdecimal():
            game = NO_TEXT if key == own_game else _game(key)
            return Text(f"Übung {number}{game.de}", f"Exercise {number}{game.en}")
        case "learn":
            return Text("liest die Regeln", "reads the rules")
        case "puzzles":
            return Text("löst Rätsel", "solves puzzles")
        case "table":
            return _at_table(key, browser, tables)
        case "workshop":
            return Text("schreibt einen Spieler", "writes a player")
        case "watch" | "phone" | "projector":
            return Text("schaut zu", "watches")
        case "replays" | "replay" | "analysis":
            return Text("sieht sich Spiele an", "looks at games")
        case "class" if key == "position":
            return Text("denkt über die Stellung nach", "thinks about the position")
        case "class":
            return Text("wartet", "waits")
        case _:
            return Text("wählt ein Spiel", "chooses a game")


def _game(key: str) -> Text:
    found: AnyGame | None = games.all_games().get(key)
    return NO_TEXT if found is None else Text(f" · {found.title.de}", f" · {found.title.en}")


def _at_table(key: str, browser: str, tables: Tables) -> Text:
    table = tables.get(key)
    if table is None:
        return Text("am Tisch", "at a table")
    hands = table.hands(browser)
    rivals = [seat.name for team, seat in enumerate(table.seats) if team not in hands]
    who = rivals[0] if len(rivals) == 1 else ""
    against = Text(f"spielt gegen {who}", f"plays {who}") if who else Text("spielt", "plays")
    if table.live is not None and table.live.is_over:
        return Text(f"{against.de}: zu Ende", f"{against.en}: over")
    plies = len(table.plies)
    return Text(f"{against.de}, {plies} Züge", f"{against.en}, {plies} moves") if plies > 1 else against
