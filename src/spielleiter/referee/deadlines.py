"""Which room has to be looked at next, of all rooms with a deadline."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from spielleiter.referee.room import Room


class Deadlines:
    """The deadlines of ``rooms``. One that has changed or passed stays in the heap until it comes to the top."""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms
        self._heap: list[tuple[float, str]] = []
        self._known: dict[str, float] = {}

    def watch(self, room: Room) -> None:
        """The room's deadline may have changed."""
        if room.deadline is not None and room.deadline != self._known.get(room.room_id):
            self._known[room.room_id] = room.deadline
            heappush(self._heap, (room.deadline, room.room_id))

    def forget(self, room: Room) -> None:
        """The room is over."""
        self._known.pop(room.room_id, None)

    def next(self) -> float | None:
        """The earliest of all deadlines."""
        while self._heap:
            deadline, room_id = self._heap[0]
            room = self._rooms.get(room_id)
            if room is not None and room.deadline == deadline:
                return deadline
            heappop(self._heap)
        return None

    def pop(self, now: float) -> Room | None:
        """The room whose deadline was the first of those that are over, if there is one."""
        deadline = self.next()
        return None if deadline is None or deadline > now else self._rooms[heappop(self._heap)[1]]
