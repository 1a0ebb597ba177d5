"""Who may do what behind the log-in: every page for everybody, tokens, sessions, and what belongs to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from sqlalchemy import select, update

from spielleiter.contest.accounts import accounts
from spielleiter.contest.store import EncounterRow, GameRow, InvitationRow, LoginSessionRow, TeamRow, now
from spielleiter.web.app import PAGES, create_app
from spielleiter.web.season.contest_slot import ContestSlot
from spielleiter.web.season.sessions import SESSION_COOKIE, VISIT_COOKIE
from tests.support.contest_site import HOSTILE, MEMBER, OTHER, PASSWORD, PROGRAM, SECRET, ContestSite, Visitor
from tests.web.conftest import Site

pytestmark = pytest.mark.slow

EVERYBODY = {"stranger", "ada", "bob", "olga"}
LOGGED_IN = {"ada", "bob", "olga"}
MEMBERS = {"ada", "bob"}
ADA = {"ada"}
"""The objects that the addresses name belong to her team."""
OLGA = {"olga"}

RIGHTS = {
    "GET /contest": LOGGED_IN,
    "GET /contest/login": EVERYBODY,
    "POST /contest/login": EVERYBODY,
    "POST /contest/logout": LOGGED_IN,
    "GET /contest/invitation/{invitation}": EVERYBODY,
    "POST /contest/invitation/{invitation}": EVERYBODY,
    "GET /contest/account": LOGGED_IN,
    "POST /contest/account/password": LOGGED_IN,
    "GET /contest/my": MEMBERS,
    "POST /contest/my/programs": MEMBERS,
    "GET /contest/my/check": MEMBERS,
    "GET /contest/my/check/events": MEMBERS,
    "GET /contest/my/programs/{number:int}": ADA,
    "GET /contest/my/programs/{number:int}/download": MEMBERS,
    "POST /contest/my/programs/{number:int}/activate": MEMBERS,
    "GET /contest/my/encounters": MEMBERS,
    "GET /contest/my/encounters/{key}": ADA,
    "GET /contest/my/encounters/{key}/events": ADA,
    "GET /contest/my/games/{game:int}/log": ADA,
    "GET /contest/my/games/{game:int}/log.txt": ADA,
    "GET /contest/my/coach": MEMBERS,
    "GET /contest/my/coach/events": MEMBERS,
    "GET /contest/my/coach/drill.json": MEMBERS,
    "POST /contest/my/friendly": MEMBERS,
    "GET /contest/organise": OLGA,
    "GET /contest/organise/events": OLGA,
    "POST /contest/organise/run": OLGA,
    "POST /contest/organise/pause": OLGA,
    "POST /contest/organise/lot": OLGA,
    "GET /contest/organise/rulings": OLGA,
    "POST /contest/organise/annul": OLGA,
    "POST /contest/organise/accept": OLGA,
    "POST /contest/organise/disqualify": OLGA,
    "POST /contest/organise/undo/{id:int}": OLGA,
    "GET /contest/organise/people": OLGA,
    "POST /contest/organise/invite": OLGA,
    "POST /contest/organise/accounts/{id:int}/invite": OLGA,
    "POST /contest/organise/accounts/{id:int}/remove": OLGA,
    "POST /contest/organise/invitations/{id:int}/revoke": OLGA,
    "GET /contest/organise/news": OLGA,
    "POST /contest/organise/news": OLGA,
    "POST /contest/organise/news/{id:int}/remove": OLGA,
    "GET /contest/organise/audit": OLGA,
    "GET /contest/organise/teams": OLGA,
    "POST /contest/organise/teams": OLGA,
    "GET /contest/organise/teams.csv": OLGA,
    "POST /contest/organise/teams/new": OLGA,
    "POST /contest/organise/teams/school": OLGA,
    "POST /contest/organise/teams/reserve": OLGA,
    "GET /contest/organise/dates": OLGA,
    "POST /contest/organise/dates": OLGA,
    "GET /contest/organise/archive": OLGA,
    "GET /contest/organise/archive/events": OLGA,
    "POST /contest/organise/archive/{kind}": OLGA,
    "GET /contest/organise/archive/{kind}": OLGA,
}
"""Who may open each page behind the log-in. A new page must be entered here by somebody who has thought about it."""

NOT_THERE = {
    "GET /contest/my/check",
    "GET /contest/my/check/events",
    "GET /contest/my/coach/drill.json",
    "GET /contest/my/coach/events",
    "GET /contest/my/programs/{number:int}/download",
    "GET /contest/organise/archive/{kind}",
}
"""Of these there is nothing to see in this season: whoever may come in is told so."""


def test_every_page_is_in_the_table_of_rights() -> None:
    assert {f"{page.method} {page.path}" for page in PAGES if page.access.uses_session} == set(RIGHTS)


def test_no_other_page_is_served_than_those_of_the_table(site: Site) -> None:
    app: Any = create_app(site.web_app, ContestSlot(site.web_app))
    while not hasattr(app, "routes"):
        app = app._app if hasattr(app, "_app") else app.app
    known = {f"{page.method} {page.path}" for page in PAGES} | {"boards.css", "style.css", "static"}
    assert {route.name for route in app.routes} == known


@pytest.fixture(scope="module")
def address(contest: ContestSite) -> Any:
    """Fills an address with what belongs to ada's team, or, for organisers, with what is not there."""
    with contest.store.reading() as session:
        team = session.scalars(select(TeamRow).where(TeamRow.name == MEMBER)).one()
        encounter = session.scalars(
            select(EncounterRow).where(
                EncounterRow.games > 0, (EncounterRow.first_id == team.id) | (EncounterRow.second_id == team.id)
            )
        ).first()
        assert encounter is not None
        key = encounter.key
        game = session.scalars(select(GameRow.id).where(GameRow.encounter_id == encounter.id)).first()
    fill = {
        "{invitation}": "nothing",
        "{number:int}": str(PROGRAM),
        "{key}": key,
        "{game:int}": str(game),
        "{id:int}": "99999",
        "{kind}": "verify",
    }

    def filled(path: str) -> str:
        for part, value in fill.items():
            path = path.replace(part, value)
        return path

    return filled


def is_denied(answer: Any) -> bool:
    location = answer.headers.get("location", "")
    return answer.status_code in (403, 404) or (answer.status_code == 303 and location.startswith("/contest/login?"))


@pytest.mark.parametrize("page", RIGHTS)
def test_a_page_opens_for_those_who_may_and_for_nobody_else(contest: ContestSite, address: Any, page: str) -> None:
    method, path = page.split(" ")
    path = address(path)
    for name in sorted(EVERYBODY):
        visitor = contest.visitor(None if name == "stranger" else name)
        if path.endswith("/events") and name in RIGHTS[page]:
            with visitor.client.stream(method, path) as answer:
                status, denied = answer.status_code, is_denied(answer)
        else:
            answer = visitor.get(path) if method == "GET" else visitor.post(path)
            status, denied = answer.status_code, is_denied(answer)
        if page in NOT_THERE or "invitation/" in page:
            assert (status in (200, 404)) == (name in RIGHTS[page]), name
        else:
            assert denied == (name not in RIGHTS[page]), (name, status)
        assert status < 500


@pytest.mark.parametrize("page", [page for page in RIGHTS if page.startswith("POST")])
def test_a_form_without_the_token_of_this_session_does_nothing(contest: ContestSite, address: Any, page: str) -> None:
    path = address(page.split(" ")[1])
    foreign = contest.visitor("olga").token()
    for name in sorted(RIGHTS[page])[:2]:
        visitor = contest.visitor(None if name == "stranger" else name)
        for token in ("", "x" * 16 + "." + "0" * 64, foreign, "ä.ö"):
            answer = visitor.post(path, token=token)
            assert answer.status_code == 403, (name, token)
            assert "open for too long" in answer.text


def test_a_stranger_is_led_through_the_log_in_to_the_page_he_wanted(contest: ContestSite) -> None:
    visitor = contest.visitor(None)
    answer = visitor.get("/contest/my/encounters")
    assert answer.headers["location"] == "/contest/login?next=%2Fcontest%2Fmy%2Fencounters"
    page = visitor.text("/contest/login?next=/contest/my/encounters")
    assert 'name="next" value="/contest/my/encounters"' in page
    answer = visitor.post("/contest/login", name="ada", password=PASSWORD, next="/contest/my/encounters")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/contest/my/encounters"
    assert visitor.get("/contest/my/encounters").status_code == 200


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example", "/contest//evil.example", "/contest/\\evil", "/"]
)
def test_nobody_is_led_elsewhere_by_logging_in(contest: ContestSite, wanted: str) -> None:
    answer = contest.visitor(None).post("/contest/login", name="ada", password=PASSWORD, next=wanted)
    assert answer.headers["location"] == "/contest/my"


# --- sessions ---------------------------------------------------------------------------------------------------------


def test_the_cookie_is_for_this_site_alone_and_for_no_script(contest: ContestSite) -> None:
    answer = contest.visitor(None).post("/contest/login", name="Ada", password=PASSWORD)
    (cookie,) = [line for line in answer.headers.get_list("set-cookie") if line.startswith(f"{SESSION_COOKIE}=")]
    parts = {part.strip().lower().split("=")[0]: part.strip().lower() for part in cookie.split(";")[1:]}
    assert "httponly" in parts
    assert parts["samesite"] == "samesite=lax"
    assert parts["path"] == "path=/"
    assert int(parts["max-age"].split("=")[1]) == accounts.SESSION.total_seconds()
    assert "secure" not in parts  # We talk without TLS here.


def test_nobody_but_a_named_proxy_says_that_the_connection_is_encrypted(contest: ContestSite) -> None:
    visitor = contest.visitor(None)
    visitor.client.headers["x-forwarded-proto"] = "https"
    answer = visitor.get("/contest/login")
    assert "secure" not in answer.headers["set-cookie"].lower()


def test_a_planted_cookie_does_not_become_a_session(contest: ContestSite) -> None:
    visitor = contest.visitor(None)
    visitor.client.cookies.set(SESSION_COOKIE, "planted")
    visitor.client.cookies.set(VISIT_COOKIE, "planted too")
    assert visitor.post("/contest/login", name="ada", password=PASSWORD).status_code == 303
    assert Visitor(contest.base, "planted").get("/contest/my").status_code == 303
    kept = contest.scalars(select(LoginSessionRow.token))
    assert accounts._digest("planted") not in kept
    assert accounts._digest("planted too") not in kept


def test_logging_in_again_ends_the_session_before(contest: ContestSite) -> None:
    visitor = contest.visitor("ada")
    before = visitor.cookie
    visitor.post("/contest/login", name="bob", password=PASSWORD)
    assert Visitor(contest.base, before).get("/contest/my").status_code == 303


def test_logging_out_ends_the_session_and_not_only_the_cookie(contest: ContestSite) -> None:
    visitor = contest.visitor("ada")
    cookie = visitor.cookie
    answer = visitor.post("/contest/logout")
    assert answer.status_code == 303
    assert Visitor(contest.base, cookie).get("/contest/my").status_code == 303


def test_a_session_ends_by_itself(contest: ContestSite) -> None:
    visitor = contest.visitor("ada")
    assert visitor.get("/contest/my").status_code == 200
    with contest.store.transaction() as session:
        mine = update(LoginSessionRow).where(LoginSessionRow.token == accounts._digest(visitor.cookie))
        session.execute(mine.values(expires=now() - timedelta(seconds=1)))
    assert visitor.get("/contest/my").status_code == 303


def test_the_wrong_password_says_the_same_as_the_wrong_name(contest: ContestSite) -> None:
    answers = [
        contest.visitor(None).post("/contest/login", name=name, password="not this one") for name in ("ada", "nobody")
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    said = [re.findall(r'class="alert".*?</p>', answer.text) for answer in answers]
    assert said[0] == said[1] != []


def test_guessing_is_slowed_down_even_with_the_right_password_in_the_end(fresh_contest: ContestSite) -> None:
    visitor = fresh_contest.visitor(None)
    token = visitor.token()
    for _ in range(10):
        answer = visitor.post("/contest/login", token=token, name="ada", password="a wrong password")
        assert answer.status_code == 401
    answer = visitor.post("/contest/login", token=token, name="ADA", password=PASSWORD)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 500
    assert "Too many attempts" in answer.text
    full_width = "\uff41\uff44\uff41"
    assert visitor.post("/contest/login", token=token, name=full_width, password=PASSWORD).status_code == 429
    visitor.client.headers["x-forwarded-for"] = "192.0.2.1"
    assert visitor.post("/contest/login", token=token, name="ada", password=PASSWORD).status_code == 429
    assert visitor.post("/contest/login", token=token, name="bob", password=PASSWORD).status_code == 303


def test_a_stranger_at_the_same_address_does_not_lock_the_organiser_out(fresh_contest: ContestSite) -> None:
    olga, stranger = fresh_contest.visitor(None), fresh_contest.visitor(None)
    assert olga.post("/contest/login", name="olga", password=PASSWORD).status_code == 303
    token = stranger.token()
    for _ in range(50):
        answer = stranger.post("/contest/login", token=token, name="olga", password="a wrong password")
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    olga.post("/contest/logout")
    assert olga.post("/contest/login", name="Olga", password=PASSWORD).status_code == 303


# --- what belongs to whom ---------------------------------------------------------------------------------------------


def all_addresses(contest: ContestSite) -> Iterator[str]:
    for number in (1, 2, 3, PROGRAM):
        yield f"/contest/my/programs/{number}"
    for key in contest.scalars(select(EncounterRow.key)):
        yield f"/contest/my/encounters/{key}"
    for game in contest.scalars(select(GameRow.id)):
        yield f"/contest/my/games/{game}/log"
        yield f"/contest/my/games/{game}/log.txt"
    yield "/contest/my"
    yield "/contest/my/encounters"


def test_nobody_ever_sees_a_log_or_a_program_of_another_team(contest: ContestSite) -> None:
    for name, mine in (("ada", {MEMBER, "hello"}), ("eve", {HOSTILE}), ("bob", set()), ("olga", set())):
        visitor = contest.visitor(name)
        seen = set()
        for path in all_addresses(contest):
            text = visitor.get(path).text.replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"')
            text = text.replace("&#39;", "'").replace("&amp;", "&")
            seen |= {owner for owner in (MEMBER, OTHER, HOSTILE, "hello") if SECRET + owner in text}
        assert seen == mine, name


def test_a_log_of_another_team_is_refused_not_hidden(contest: ContestSite) -> None:
    game = contest.scalars(select(GameRow.id).order_by(GameRow.id))[0]
    answer = contest.visitor("bob").get(f"/contest/my/games/{game}/log")
    assert answer.status_code == 403
    assert "Your team did not play this game" in answer.text


def test_a_program_of_another_team_can_be_neither_seen_nor_activated(contest: ContestSite) -> None:
    bob = contest.visitor("bob")
    assert bob.get(f"/contest/my/programs/{PROGRAM}").status_code == 404
    assert bob.get(f"/contest/my/programs/{PROGRAM}/download").status_code == 404
    bob.post(f"/contest/my/programs/{PROGRAM}/activate")
    assert "does not have" in bob.notices("/contest/my")


# --- names ------------------------------------------------------------------------------------------------------------


def test_hostile_names_and_logs_are_escaped_everywhere(contest: ContestSite) -> None:
    token = accounts.invite(contest.store, who=f"{HOSTILE} (organiser)", team=HOSTILE)
    organiser, member, eve = contest.visitor("olga"), contest.visitor("ada"), contest.visitor("eve")
    organiser.post("/contest/organise/news", de=HOSTILE, en=HOSTILE)
    member.post("/contest/my/friendly", opponent="<script>alert(3)</script>")
    pages = [organiser.text(f"/contest/organise{path}") for path in ("", "/rulings", "/people", "/news", "/audit")]
    pages += [
        visitor.get(path).text for visitor in (member, eve) for path in all_addresses(contest) if ".txt" not in path
    ]
    pages += [contest.visitor(None).text(f"/contest/invitation/{token}"), member.text("/contest/account")]
    assert sum("&lt;script&gt;" in page for page in pages) >= 10
    for page in pages:
        assert "<script>alert" not in page
        assert "<b>" not in page
    contest.visitor("olga").get("/contest/organise/news")


def test_a_log_as_text_is_not_a_page(contest: ContestSite) -> None:
    game = contest.scalars(select(GameRow.id).order_by(GameRow.id))[0]
    answer = contest.visitor("ada").get(f"/contest/my/games/{game}/log.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "\x1b" not in answer.text


@pytest.mark.parametrize("path", ["/contest/login", "/contest/my", "/contest/organise", "/contest/organise/people"])
def test_the_pages_keep_to_the_strict_policy(contest: ContestSite, path: str) -> None:
    answer = contest.visitor("olga" if "organise" in path else "ada" if "my" in path else None).get(path)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    for forbidden in (" style=", "<style", "onclick=", "onsubmit=", "javascript:"):
        assert forbidden not in answer.text


def test_without_a_contest_there_is_nothing_to_log_in_to(site: Site) -> None:
    answer = httpx.get(site.base + "/contest/login", headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert "--season" in answer.text


def test_an_invitation_is_not_in_the_audit_log_or_the_store_as_it_is(contest: ContestSite) -> None:
    olga = contest.visitor("olga")
    olga.post("/contest/organise/invite", role="member", team=MEMBER)
    notices = olga.notices("/contest/organise/people")
    found = re.search(r"/contest/invitation/([\w-]{43})", notices)
    assert found is not None
    assert found[1] not in olga.text("/contest/organise/people")
    assert found[1] not in olga.text("/contest/organise/audit")
    assert found[1] not in contest.scalars(select(InvitationRow.token))
