"""What changes on a page: sent by its event stream, or as the answer to an action there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a game is: for sounds, and for the list of its moves."""

    room: str | None
    ply: int
    mine: bool
    """Whether the visitor is to move."""
    over: bool
    beaten: str = ""
    """The game and the level that the visitor has just beaten from its start: ``blokus-2027 level1``."""
    ending: str = ""
    """``won``, ``lost`` or ``drawn`` by the visitor; empty for others, and before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageUpdate:
    """Parts of a page by the ids of their elements, and what its scripts need to know; what is ``None`` stays.

    ``static/live.js`` shows it.
    """

    parts: Mapping[str, str] = field(default_factory=dict)
    """HTML; the first page is rendered with the same parts."""
    lists: Mapping[str, Sequence[str]] | None = None
    """The ids of the children of an element, in their order."""
    say: str | None = None
    """For screen readers."""
    follow: str | None = None
    """The page on which all this goes on."""
    download: str | None = None
    """A file that is ready."""
    moment: Moment | None = None
    play: Mapping[str, Any] | None = None
    """What can be done on the board (``board_input.input_data``)."""
    notation: str | None = None
    """The position on the board."""
    over: bool | None = None
    """Whether the game is over in that position."""
    moved: str | None = None
    """The move that led there on the analysis board."""
    played: Sequence[str] | None = None
    """The moves of a running game that is analysed."""
    puzzle: Mapping[str, Any] | None = None
    reply: PageUpdate | None = None
    """What follows a moment later: the answer to a move."""
    speech: Mapping[str, str] | None = None
    """What the projector says aloud; with an id, so that it is said once."""
    season: str | None = None
    """The version of the season: pages of another one fetch themselves."""

    def to_json(self) -> dict[str, Any]:
        """What is known, as the scripts read it."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        found["moment"] = None if self.moment is None else asdict(self.moment)
        found["reply"] = None if self.reply is None else self.reply.to_json()
        found["parts"] = {name: str(html) for name, html in self.parts.items()}
        return {name: value for name, value in found.items() if value is not None}
