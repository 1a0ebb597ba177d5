"""The addresses of the season, which everybody may read."""

from __future__ import annotations

from spielleiter.web.rights import Access, Page
from spielleiter.web.season.live_games import live_events
from spielleiter.web.season.season_pages import season_card, season_feed, season_game, season_page

_KINDS = {
    "/season": "index",
    "/season/phase/{id}": "phase",
    "/season/bracket": "bracket",
    "/season/schedule": "schedule",
    "/season/day/{id:int}": "day",
    "/season/encounter/{id:int}": "encounter",
    "/season/teams": "teams",
    "/season/team/{id:int}": "team",
    "/season/rating": "rating",
    "/season/rulings": "rulings",
    "/season/news": "news",
}

PAGES = (
    *(Page(path, season_page(kind), Access.EVERYBODY) for path, kind in _KINDS.items()),
    Page("/season/game/{id:int}", season_game, Access.EVERYBODY),
    Page("/season/live/events", live_events, Access.SPECTATOR),
    Page("/season/game/{id:int}.png", season_card("game"), Access.EVERYBODY),
    Page("/season/team/{id:int}.png", season_card("team"), Access.EVERYBODY),
    Page("/season/news.atom", season_feed("atom", "application/atom+xml"), Access.EVERYBODY),
    Page("/season/calendar.ics", season_feed("ics", "text/calendar; charset=utf-8"), Access.EVERYBODY),
)
