"""The table of all pages behind the log-in: an address, what answers there, and who may ask."""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from spielleiter.web.members import login as entrance
from spielleiter.web.members import team
from spielleiter.web.organisers import organise
from spielleiter.web.rights import OfficePage, Right, guarded

UPLOADS = "/contest/my/programs"
"""Where programs are sent to."""

OFFICE_PAGES = (
    OfficePage("/contest", entrance.door, Right.PERSON),
    OfficePage("/contest/login", entrance.login_page, Right.ANYBODY),
    OfficePage("/contest/login", entrance.log_in, Right.ANYBODY, "POST"),
    OfficePage("/contest/logout", entrance.log_out, Right.PERSON, "POST"),
    OfficePage("/contest/invitation/{invitation}", entrance.invitation_page, Right.ANYBODY),
    OfficePage("/contest/invitation/{invitation}", entrance.accept_invitation, Right.ANYBODY, "POST"),
    OfficePage("/contest/account", entrance.account_page, Right.PERSON),
    OfficePage("/contest/account/password", entrance.change_password, Right.PERSON, "POST"),
    OfficePage("/contest/my", team.team_page, Right.MEMBER),
    OfficePage(UPLOADS, team.upload_program, Right.MEMBER, "POST"),
    OfficePage("/contest/my/check", team.check_page, Right.MEMBER),
    OfficePage("/contest/my/check/events", team.check_events, Right.MEMBER),
    OfficePage("/contest/my/programs/{number:int}", team.program_page, Right.MEMBER),
    OfficePage("/contest/my/programs/{number:int}/download", team.download_program, Right.MEMBER),
    OfficePage("/contest/my/programs/{number:int}/activate", team.activate_program, Right.MEMBER, "POST"),
    OfficePage("/contest/my/encounters", team.encounters_page, Right.MEMBER),
    OfficePage("/contest/my/encounters/{key}", team.encounter_page, Right.MEMBER),
    OfficePage("/contest/my/encounters/{key}/events", team.encounter_events, Right.MEMBER),
    OfficePage("/contest/my/games/{game:int}/log", team.log_page, Right.MEMBER),
    OfficePage("/contest/my/games/{game:int}/log.txt", team.log_page, Right.MEMBER),
    OfficePage("/contest/my/friendly", team.challenge, Right.MEMBER, "POST"),
    OfficePage("/contest/office", organise.office_page, Right.ORGANISER),
    OfficePage("/contest/office/events", organise.office_events, Right.ORGANISER),
    OfficePage("/contest/office/run", organise.run_season, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/pause", organise.pause_season, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/lot", organise.draw_lot, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/rulings", organise.rulings_page, Right.ORGANISER),
    OfficePage("/contest/office/annul", organise.annul, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/disqualify", organise.disqualify, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/people", organise.people_page, Right.ORGANISER),
    OfficePage("/contest/office/invite", organise.invite, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/accounts/{id:int}/invite", organise.invite_again, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/accounts/{id:int}/remove", organise.remove_account, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/invitations/{id:int}/revoke", organise.revoke, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/news", organise.news_page, Right.ORGANISER),
    OfficePage("/contest/office/news", organise.write_news, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/news/{id:int}/remove", organise.remove_news, Right.ORGANISER, "POST"),
    OfficePage("/contest/office/audit", organise.audit_page, Right.ORGANISER),
)


def office_routes() -> list[BaseRoute]:
    """The routes of all pages behind the log-in."""
    return [
        Route(page.path, guarded(page), methods=[page.method], name=f"{page.method} {page.path}")
        for page in OFFICE_PAGES
    ]
