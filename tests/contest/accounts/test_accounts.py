"""Accounts in the store: invitations, passwords, sessions, and what the audit log says of them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'contest' is not installed")
argon2 = pytest.importorskip("argon2", reason="the extra 'web' is not installed")

from sqlalchemy import select, update

from spielleiter.contest.accounts import accounts
from spielleiter.contest.run import news
from spielleiter.contest.store import AccountRow, AuditRow, InvitationRow, LoginSessionRow, NewsRow, Store, TeamRow, now
from spielleiter.errors import ContestError, WrongPassword
from spielleiter.game import Text
from tests.support.passwords import quick_hashing

PASSWORD = "correct horse battery"


REAL_HASHER = accounts._hasher


@pytest.fixture(autouse=True)
def cheap_passwords() -> Iterator[None]:
    with quick_hashing():
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "season.db")) as opened:
        with opened.transaction() as session:
            session.add_all(
                [TeamRow(name="Sprotten", school="", group="A"), TeamRow(name="Quark", school="", group="A")]
            )
        yield opened


def everything(store: Store, what: Any) -> list[Any]:
    with store.reading() as session:
        return list(session.scalars(select(what)))


def member(store: Store, name: str = "ada", team: str = "Sprotten") -> str:
    return accounts.accept(store, accounts.invite(store, who="olga", team=team), name, PASSWORD)


def organiser(store: Store, name: str = "olga") -> accounts.Person:
    cookie = accounts.accept(store, accounts.invite(store, who="root", organiser=True), name, PASSWORD)
    person = accounts.who_is(store, cookie)
    assert person is not None
    return person


# --- invitations ------------------------------------------------------------------------------------------------------


def test_an_invitation_makes_a_member_of_its_team_who_is_logged_in(store: Store) -> None:
    person = accounts.who_is(store, member(store, " Ada  Lovelace "))
    assert person is not None
    assert (person.name, person.team, person.organiser) == ("Ada Lovelace", "Sprotten", False)
    assert [(entry.who, entry.action) for entry in everything(store, AuditRow)] == [
        ("olga", "invite"), ("Ada Lovelace (member)", "account"),
    ]  # fmt: skip


def test_an_invitation_works_once(store: Store) -> None:
    token = accounts.invite(store, who="olga", team="Sprotten")
    accounts.accept(store, token, "ada", PASSWORD)
    with pytest.raises(ContestError, match="not valid"):
        accounts.accept(store, token, "bob", PASSWORD)
    assert [account.name for account in everything(store, AccountRow)] == ["ada"]


def test_an_invitation_that_was_refused_can_be_tried_again(store: Store) -> None:
    token = accounts.invite(store, who="olga", team="Sprotten")
    member(store, "Ada")
    for name, password in (("a", PASSWORD), ("ada", PASSWORD), ("bob", "short"), ("<b>", PASSWORD)):
        with pytest.raises(ContestError):
            accounts.accept(store, token, name, password)
    accounts.accept(store, token, "bob", PASSWORD)


def test_an_invitation_expires(store: Store) -> None:
    token = accounts.invite(store, who="olga", organiser=True)
    assert accounts.read_invitation(store, token).organiser
    with store.transaction() as session:
        session.execute(update(InvitationRow).values(expires=now()))
    with pytest.raises(ContestError, match="not valid"):
        accounts.read_invitation(store, token)
    assert accounts.open_invitations(store) == []


def test_a_revoked_invitation_is_worthless(store: Store) -> None:
    token = accounts.invite(store, who="olga", team="Quark")
    (invitation,) = accounts.open_invitations(store)
    accounts.revoke(store, invitation.id, who="olga")
    with pytest.raises(ContestError):
        accounts.accept(store, token, "ada", PASSWORD)
    with pytest.raises(ContestError, match="gone"):
        accounts.revoke(store, invitation.id, who="olga")


@pytest.mark.parametrize("who_for", [{}, {"team": "Quark", "organiser": True}, {"team": "Nobody"}])
def test_an_invitation_names_a_person(store: Store, who_for: dict[str, Any]) -> None:
    with pytest.raises(ContestError):
        accounts.invite(store, who="olga", **who_for)


def test_the_store_holds_nothing_that_opens_a_door(store: Store) -> None:
    token = accounts.invite(store, who="olga", team="Sprotten")
    cookie = accounts.accept(store, token, "ada", PASSWORD)
    (invitation,), (session,), (account,) = (
        everything(store, what) for what in (InvitationRow, LoginSessionRow, AccountRow)
    )
    assert len(token) >= 43
    assert len(cookie) >= 43
    assert token not in invitation.token
    assert cookie not in session.token
    assert account.password.startswith("$argon2id$")
    assert PASSWORD not in account.password


def test_two_who_use_one_invitation_at_once_make_one_account(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(url) as store:
        token = accounts.invite(store, who="root", organiser=True)
        both_are_inside, by_name = Barrier(2), accounts._by_name

        def dawdle(session: Any, name: str) -> AccountRow | None:
            with suppress(BrokenBarrierError):  # As it should be: only one gets so far.
                both_are_inside.wait(0.5)
            return by_name(session, name)

        monkeypatch.setattr(accounts, "_by_name", dawdle)

        def use(name: str) -> bool:
            try:
                accounts.accept(store, token, name, PASSWORD)
            except ContestError:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            used = list(pool.map(use, ("ada", "bob")))
        assert sorted(used) == [False, True]
        assert len(everything(store, AccountRow)) == 1


def test_an_account_lives_and_ends_on_both_databases(url: str) -> None:
    with Store.open(url) as store:
        with store.transaction() as session:
            session.add(TeamRow(name="Sprotten", school="", group="A"))
        olga, ada = organiser(store), accounts.who_is(store, member(store))
        assert ada is not None
        accounts.change_password(store, ada, PASSWORD, "another good one")
        token = accounts.invite_again(store, ada.id, who=olga.who)
        accounts.accept(store, token, "", PASSWORD)
        assert accounts.who_is(store, accounts.log_in(store, "ADA", PASSWORD)) == ada
        accounts.remove(store, ada.id, by=olga)
        assert [account.name for account in accounts.people(store)] == ["olga"]


# --- names and passwords ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "password", ["", "short", "1234567890", "Passwort123", "aaaaaaaaaaaaa", "x" * 201, "adalovelace"]
)
def test_a_bad_password_is_refused(password: str) -> None:
    with pytest.raises(ContestError):
        accounts.check_password(password, "adalovelace")


@pytest.mark.parametrize("password", ["zehn zehn!", "correct horse battery", "äöüäöüßßßß", " leading space"])
def test_a_long_password_needs_nothing_else(password: str) -> None:
    accounts.check_password(password, "ada")


@pytest.mark.parametrize("name", ["", "a", "x" * 41, "<b>", "a\x00b", "olga (organiser)", "\u202eada", "ada@x", " ."])
def test_a_name_that_could_deceive_is_refused(name: str) -> None:
    with pytest.raises(ContestError):
        accounts.check_name(name)


@pytest.mark.parametrize("other", ["ADA", "ａｄａ", " ada "])
def test_two_names_are_never_alike(store: Store, other: str) -> None:
    member(store, "ada")
    with pytest.raises(ContestError, match="already taken"):
        member(store, other)


# --- logging in -------------------------------------------------------------------------------------------------------


def test_name_and_password_open_a_session_however_the_name_is_written(store: Store) -> None:
    member(store, "Ada")
    person = accounts.who_is(store, accounts.log_in(store, " aDA", PASSWORD))
    assert person is not None
    assert person.name == "Ada"


@pytest.mark.parametrize(("name", "password"), [("ada", "wrong password"), ("nobody", PASSWORD), ("ada", "")])
def test_anything_else_opens_nothing(store: Store, name: str, password: str) -> None:
    member(store, "ada")
    with pytest.raises(WrongPassword):
        accounts.log_in(store, name, password)
    assert len(everything(store, LoginSessionRow)) == 1  # That of the invitation.


def test_an_unknown_name_costs_a_comparison_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    member(store, "ada")
    compared: list[str] = []
    matches = accounts._matches
    monkeypatch.setattr(accounts, "_matches", lambda kept, given: compared.append(kept) or matches(kept, given))
    for name in ("ada", "nobody"):
        with pytest.raises(WrongPassword):
            accounts.log_in(store, name, "wrong password")
    assert len(compared) == 2
    assert compared[0].split("$")[:4] == compared[1].split("$")[:4]  # The same parameters, the same time.


def test_a_password_is_hashed_anew_when_the_parameters_change(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    member(store, "ada")
    before = everything(store, AccountRow)[0].password
    stronger = argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    monkeypatch.setattr(accounts, "_hasher", lambda: stronger)
    accounts.log_in(store, "ada", PASSWORD)
    after = everything(store, AccountRow)[0].password
    assert "t=1" in before
    assert "t=2" in after
    accounts.log_in(store, "ada", PASSWORD)
    assert everything(store, AccountRow)[0].password == after


def test_the_real_parameters_are_those_that_argon2_advises() -> None:
    hasher = REAL_HASHER()
    assert hasher.memory_cost >= 19 * 1024  # OWASP's least, in KiB.
    assert hasher.time_cost >= 2


def test_a_session_ends_with_time_and_by_logging_out(store: Store) -> None:
    member(store, "ada")
    cookie = accounts.log_in(store, "ada", PASSWORD)
    accounts.log_out(store, cookie)
    assert accounts.who_is(store, cookie) is None
    cookie = accounts.log_in(store, "ada", PASSWORD)
    with store.transaction() as session:
        session.execute(update(LoginSessionRow).values(expires=now() - timedelta(seconds=1)))
    assert accounts.who_is(store, cookie) is None
    accounts.log_in(store, "ada", PASSWORD)
    assert len(everything(store, LoginSessionRow)) == 1  # Old ones are cleared away.


def test_the_sessions_of_an_account_are_bounded(store: Store) -> None:
    first = member(store, "ada")
    for _ in range(accounts._MAX_SESSIONS):
        cookie = accounts.log_in(store, "ada", PASSWORD)
    assert len(everything(store, LoginSessionRow)) == accounts._MAX_SESSIONS
    assert accounts.who_is(store, first) is None
    assert accounts.who_is(store, cookie) is not None


@pytest.mark.parametrize("cookie", ["", "x", "\udcff", "x" * 10_000])
def test_an_unknown_cookie_belongs_to_no_account(store: Store, cookie: str) -> None:
    assert accounts.who_is(store, cookie) is None


# --- changing ---------------------------------------------------------------------------------------------------------


def test_a_new_password_ends_all_other_sessions(store: Store) -> None:
    before = member(store, "ada")
    person = accounts.who_is(store, before)
    assert person is not None
    with pytest.raises(ContestError, match="current password"):
        accounts.change_password(store, person, "wrong password", "another good one")
    assert accounts.who_is(store, before) is not None
    new = accounts.change_password(store, person, PASSWORD, "another good one")
    assert accounts.who_is(store, before) is None
    assert accounts.who_is(store, new) == person
    with pytest.raises(WrongPassword):
        accounts.log_in(store, "ada", PASSWORD)
    assert everything(store, AuditRow)[-1].action == "new password"


def test_a_forgotten_password_is_set_anew_by_a_link(store: Store) -> None:
    before = member(store, "ada")
    (account,) = accounts.people(store)
    token = accounts.invite_again(store, account.id, who="olga")
    assert accounts.read_invitation(store, token).account == "ada"
    assert accounts.who_is(store, before) is not None  # The link alone changes nothing.
    person = accounts.who_is(store, accounts.accept(store, token, "somebody else", "a new password"))
    assert person is not None
    assert (person.name, person.team) == ("ada", "Sprotten")
    assert accounts.who_is(store, before) is None
    accounts.log_in(store, "ada", "a new password")


def test_a_removed_account_is_out_at_once_and_its_links_are_worthless(store: Store) -> None:
    olga, cookie = organiser(store), member(store, "ada")
    ada = next(account for account in accounts.people(store) if account.name == "ada")
    token = accounts.invite_again(store, ada.id, who="olga")
    accounts.remove(store, ada.id, by=olga)
    assert accounts.who_is(store, cookie) is None
    with pytest.raises(WrongPassword):
        accounts.log_in(store, "ada", PASSWORD)
    with pytest.raises(ContestError):
        accounts.accept(store, token, "ada", PASSWORD)
    entry = everything(store, AuditRow)[-1]
    assert (entry.who, entry.action, entry.subject) == ("olga (organiser)", "remove account", "ada")


def test_nobody_removes_their_own_account(store: Store) -> None:
    olga = organiser(store)
    with pytest.raises(ContestError, match="your own account"):
        accounts.remove(store, olga.id, by=olga)


def test_organisers_come_first_in_the_list_of_people(store: Store) -> None:
    member(store, "zoe", "Quark")
    member(store, "ada", "Sprotten")
    organiser(store)
    assert [account.name for account in accounts.people(store)] == ["olga", "zoe", "ada"]


# --- news -------------------------------------------------------------------------------------------------------------


def test_news_in_one_language_stand_for_both(store: Store) -> None:
    news.write_news(store, Text("Eins", ""), Text(" Hallo ", ""), who="olga")
    news.write_news(store, Text("Zwei", "Two"), Text("Zwei", "Two"), who="olga")
    assert [(one.text_de, one.text_en) for one in everything(store, NewsRow)] == [("Hallo", "Hallo"), ("Zwei", "Two")]
    news.remove_news(store, everything(store, NewsRow)[1].id, who="olga")
    assert [one.text_en for one in everything(store, NewsRow)] == ["Hallo"]
    assert [entry.action for entry in everything(store, AuditRow)] == ["news", "news", "remove news"]
    assert everything(store, AuditRow)[-1].reason == "Two"


@pytest.mark.parametrize(
    ("title", "text"),
    [("x", ""), ("x", "   "), ("", "x"), ("x", "x" * (news.MAX_LENGTH + 1)), ("x" * (news.MAX_TITLE + 1), "x")],
)
def test_empty_or_endless_news_are_refused(store: Store, title: str, text: str) -> None:
    with pytest.raises(ContestError):
        news.write_news(store, Text(title, ""), Text(text, ""), who="olga")
