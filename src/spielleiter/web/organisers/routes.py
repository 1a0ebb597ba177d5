"""The addresses of the organisers."""

from __future__ import annotations

from spielleiter.web.organisers import news, people, rulings, season
from spielleiter.web.organisers.season import HOME
from spielleiter.web.rights import Access, Page

PAGES = (
    Page(HOME, season.season_page, Access.ORGANISER),
    Page(f"{HOME}/events", season.season_events, Access.ORGANISER),
    Page(f"{HOME}/run", season.run_season, Access.ORGANISER, "POST"),
    Page(f"{HOME}/pause", season.pause_season, Access.ORGANISER, "POST"),
    Page(f"{HOME}/lot", season.draw_lot, Access.ORGANISER, "POST"),
    Page(f"{HOME}/rulings", rulings.rulings_page, Access.ORGANISER),
    Page(f"{HOME}/annul", rulings.annul, Access.ORGANISER, "POST"),
    Page(f"{HOME}/disqualify", rulings.disqualify, Access.ORGANISER, "POST"),
    Page(f"{HOME}/undo/{{id:int}}", rulings.undo, Access.ORGANISER, "POST"),
    Page(f"{HOME}/audit", rulings.audit_page, Access.ORGANISER),
    Page(f"{HOME}/people", people.people_page, Access.ORGANISER),
    Page(f"{HOME}/invite", people.invite, Access.ORGANISER, "POST"),
    Page(f"{HOME}/accounts/{{id:int}}/invite", people.invite_again, Access.ORGANISER, "POST"),
    Page(f"{HOME}/accounts/{{id:int}}/remove", people.remove_account, Access.ORGANISER, "POST"),
    Page(f"{HOME}/invitations/{{id:int}}/revoke", people.revoke, Access.ORGANISER, "POST"),
    Page(f"{HOME}/news", news.news_page, Access.ORGANISER),
    Page(f"{HOME}/news", news.write_news, Access.ORGANISER, "POST"),
    Page(f"{HOME}/news/{{id:int}}/remove", news.remove_news, Access.ORGANISER, "POST"),
)
