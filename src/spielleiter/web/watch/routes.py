"""The addresses of watching."""

from __future__ import annotations

from spielleiter.web.replays import rooms
from spielleiter.web.rights import Access, Page
from spielleiter.web.watch import projector, remote, trace, watch

PAGES = (
    Page("/watch", watch.watch_list, Access.SPECTATOR),
    Page("/watch/events", watch.list_events, Access.SPECTATOR),
    Page("/watch/{room}", watch.watch_page, Access.SPECTATOR),
    Page("/watch/{room}/events", watch.game_events, Access.SPECTATOR),
    Page("/watch/{room}/ply/{ply:int}", watch.game_position, Access.SPECTATOR),
    Page("/watch/{room}/replay", rooms.room_replay, Access.SPECTATOR),
    Page("/watch/{room}/trace", trace.trace_page, Access.HOST),
    Page("/watch/{room}/{action}", watch.administer, Access.HOST, "POST"),
    Page("/projector", projector.projector_page, Access.SPECTATOR),
    Page("/projector/events", projector.projector_events, Access.SPECTATOR),
    Page("/phone", projector.phone_page, Access.SPECTATOR),
    Page("/phone/events", projector.phone_events, Access.SPECTATOR),
    Page("/phone/guess", projector.guess, Access.SPECTATOR, "POST"),
    Page("/organiser/remote", remote.remote_page, Access.DIRECTOR),
    Page("/organiser/remote/events", remote.remote_events, Access.DIRECTOR),
    Page("/organiser/remote/{action}", remote.control, Access.DIRECTOR, "POST"),
)
