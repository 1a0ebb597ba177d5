"""The addresses of people with an account: logging in, and what members of a team see and do."""

from __future__ import annotations

from spielleiter.web.members import coach, encounters, login, programs, team
from spielleiter.web.members.team import HOME
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/contest", login.home_redirect, Access.ACCOUNT),
    Page("/contest/login", login.login_page, Access.CONTEST),
    Page("/contest/login", login.log_in, Access.CONTEST, "POST"),
    Page("/contest/logout", login.log_out, Access.ACCOUNT, "POST"),
    Page("/contest/invitation/{invitation}", login.invitation_page, Access.CONTEST),
    Page("/contest/invitation/{invitation}", login.accept_invitation, Access.CONTEST, "POST"),
    Page("/contest/account", login.account_page, Access.ACCOUNT),
    Page("/contest/account/password", login.change_password, Access.ACCOUNT, "POST"),
    Page(HOME, team.team_page, Access.MEMBER),
    Page(f"{HOME}/friendly", team.challenge, Access.MEMBER, "POST"),
    Page(f"{HOME}/coach", coach.coach_page, Access.MEMBER),
    Page(f"{HOME}/coach/drill.json", coach.download_drill, Access.MEMBER),
    Page(f"{HOME}/programs", programs.upload_program, Access.MEMBER, "POST"),
    Page(f"{HOME}/check", programs.check_page, Access.MEMBER),
    Page(f"{HOME}/check/events", programs.check_events, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}", programs.program_page, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}/download", programs.download_program, Access.MEMBER),
    Page(f"{HOME}/programs/{{number:int}}/activate", programs.activate_program, Access.MEMBER, "POST"),
    Page(f"{HOME}/encounters", encounters.encounters_page, Access.MEMBER),
    Page(f"{HOME}/encounters/{{key}}", encounters.encounter_page, Access.MEMBER),
    Page(f"{HOME}/encounters/{{key}}/events", encounters.encounter_events, Access.MEMBER),
    Page(f"{HOME}/games/{{game:int}}/log", encounters.log_page, Access.MEMBER),
    Page(f"{HOME}/games/{{game:int}}/log.txt", encounters.log_page, Access.MEMBER),
)
