"""Who may log in: invitations, passwords and sessions, in the store.

Laws: the store never holds a secret: of links and cookies it has the SHA-256, of passwords the argon2 hash. An
invitation works once. A new password ends all other sessions. Whatever a person decides here is in the audit log.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, joinedload

from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.store import (
    AccountRow,
    InvitationRow,
    LoginSessionRow,
    Store,
    TeamRow,
    now,
    row_data,
    row_values,
    write_audit,
)
from spielleiter.errors import ContestError, WrongPassword
from spielleiter.game import Text

if TYPE_CHECKING:
    from argon2 import PasswordHasher

INVITATION = timedelta(days=14)
"""How long an invitation can be used."""
SESSION = timedelta(days=14)
"""How long a browser stays logged in."""
MIN_PASSWORD = 10
MAX_PASSWORD = 200
MAX_NAME = 40
_MAX_SESSIONS = 20
"""Per account; one more ends the oldest."""
_GUESSED_FIRST = frozenset(
    {
        "1234567890", "0123456789", "0987654321", "12345678910", "123456789a", "a123456789", "qwertyuiop", "qwertzuiop",
        "1q2w3e4r5t", "password123", "password1234", "passwort123", "passwort1234", "hallo12345", "hallowelt123",
        "softwarechallenge", "software-challenge", "spielleiter", "iloveyou123", "abcdefghij", "abc1234567",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """A person who is logged in."""

    id: int
    name: str
    team_id: int | None
    team: str
    """The name of the team, empty for an organiser."""
    organiser: bool
    created: datetime

    @property
    def who(self) -> str:
        """How the audit log names this person; no user at a terminal is called like that."""
        return f"{self.name} ({'organiser' if self.organiser else 'member'})"


@dataclass(frozen=True, slots=True)
class Invited:
    """What an invitation is for."""

    id: int
    team: str
    organiser: bool
    account: str
    """Whose password it sets anew; empty: it makes a new account."""
    who: str
    """Who invites."""
    expires: datetime


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


# --- passwords --------------------------------------------------------------------------------------------------------


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # Slow to import, and only log-ins need it.

    return PasswordHasher()


@cache
def _nobodys_password() -> str:
    """Compared for an unknown name, so that the answer takes as long."""
    return _hasher().hash(secrets.token_urlsafe(16))


def _matches(stored: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


def check_password(password: str, name: str = "") -> None:
    """Raises ``ContestError`` for a password that is too short, or one of those that are tried first."""
    if len(password) < MIN_PASSWORD:
        raise ContestError(
            f"Das Passwort braucht mindestens {MIN_PASSWORD} Zeichen; ein kurzer Satz ist gut.",
            f"The password needs at least {MIN_PASSWORD} characters; a short sentence is good.",
        )
    if len(password) > MAX_PASSWORD:
        raise ContestError(
            f"Das Passwort hat mehr als {MAX_PASSWORD} Zeichen.",
            f"The password has more than {MAX_PASSWORD} characters.",
        )
    plain = password.casefold()
    if plain in _GUESSED_FIRST or len(set(plain)) < 3 or (name and plain in {name.casefold(), name.casefold() * 2}):
        raise ContestError(
            "Dieses Passwort wird als Erstes geraten. Nimm ein anderes.",
            "This is one of the first passwords that people guess. Choose another one.",
        )


def check_name(name: str) -> str:
    """The name as it is stored. Raises ``ContestError`` for one that is ambiguous or not printable."""
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    good = all(char.isalnum() or char in " .-_'" for char in plain)
    if not 2 <= len(plain) <= MAX_NAME or not good or not plain[0].isalnum():
        raise ContestError(
            f"Ein Name hat 2 bis {MAX_NAME} Buchstaben oder Ziffern; auch Leerzeichen, Punkt und Strich gehen.",
            f"A name has 2 to {MAX_NAME} letters or digits; spaces, dots and hyphens are fine, too.",
        )
    return plain


# --- invitations ------------------------------------------------------------------------------------------------------


def invite(store: Store, *, who: str, team: str | None = None, organiser: bool = False) -> str:
    """A token for a link with which a person can become a member of a team, or an organiser; it is shown only once.

    Raises ``ContestError`` for a team that is not there.
    """
    if (team is not None) == organiser:
        raise ContestError(
            "Eine Einladung gilt für ein Mitglied eines Teams oder für die Spielleitung: Gib eins von beiden an.",
            "an invitation is for a member of a team, or for an organiser: name one of them",
        )
    with store.transaction() as session:
        team_id = None if team is None else _team(session, team)
        subject = team or "organiser"
        token = _add_invitation(session, who, team_id=team_id, organiser=organiser)
        write_audit(session, who, AuditAction.INVITE, subject)
    return token


def invite_again(store: Store, account: int, *, who: str) -> str:
    """A token with which the owner of an account who forgot its password can set a new one. Raises ``ContestError``."""
    with store.transaction() as session:
        found = _account(session, account)
        token = _add_invitation(session, who, team_id=found.team_id, organiser=found.organiser, account_id=found.id)
        write_audit(session, who, AuditAction.INVITE_AGAIN, found.name)
    return token


def _add_invitation(
    session: Session, who: str, *, team_id: int | None, organiser: bool, account_id: int | None = None
) -> str:
    token = secrets.token_urlsafe(32)
    session.add(
        InvitationRow(
            token=_digest(token),
            team_id=team_id,
            organiser=organiser,
            account_id=account_id,
            created=now(),
            who=who[:100],
            expires=now() + INVITATION,
        )
    )
    return token


def _team(session: Session, name: str) -> int:
    team = session.scalars(select(TeamRow).where(TeamRow.name == name)).first()
    if team is None:
        names = ", ".join(session.scalars(select(TeamRow.name).order_by(TeamRow.name)))
        raise ContestError(
            f"Ein Team {name!r} gibt es nicht: Es gibt {names}.", f"there is no team {name!r}: there are {names}"
        )
    return team.id


def _open_invitation(session: Session, token: str) -> InvitationRow:
    wanted = select(InvitationRow).where(InvitationRow.token == _digest(token))
    wanted = wanted.options(joinedload(InvitationRow.team), joinedload(InvitationRow.account))
    found = session.scalars(wanted).first()
    if found is None or found.used is not None or found.expires <= now():
        raise ContestError(
            "Diese Einladung gilt nicht mehr. Bitte die Spielleitung um eine neue.",
            "This invitation is not valid any more. Ask the organisers for a new one.",
        )
    return found


def read_invitation(store: Store, token: str) -> Invited:
    """What a link is for. Raises ``ContestError`` for one that is unknown, used or too old."""
    with store.reading() as session:
        return _invited(_open_invitation(session, token))


def _invited(row: InvitationRow) -> Invited:
    team, account = ("" if named is None else named.name for named in (row.team, row.account))
    return Invited(row.id, team, row.organiser, account, row.who, row.expires)


def accept(store: Store, token: str, name: str, password: str) -> str:
    """Make the account, or set its password anew, and log in: the value of the cookie. Raises ``ContestError``."""
    invited = read_invitation(store, token)
    name = invited.account or check_name(name)
    check_password(password, name)
    hashed = _hasher().hash(password)
    with store.transaction() as session:
        invitation = _open_invitation(session, token)
        invitation.used = now()
        account = invitation.account
        if account is None:
            if _by_name(session, name) is not None:
                raise ContestError("Diesen Namen hat schon jemand.", "This name is already taken.")
            account = AccountRow(
                name=name,
                password=hashed,
                team_id=invitation.team_id,
                organiser=invitation.organiser,
                created=now(),
            )
            session.add(account)
            session.flush()
            write_audit(session, _person(account).who, AuditAction.ACCOUNT, name)
        else:
            account.password = hashed
            _end_sessions(session, account.id)
            write_audit(session, _person(account).who, AuditAction.NEW_PASSWORD, account.name)
        return _open_session(session, account.id)


def open_invitations(store: Store) -> list[Invited]:
    """The invitations that can still be used, the newest first."""
    with store.reading() as session:
        wanted = select(InvitationRow).where(InvitationRow.used.is_(None), InvitationRow.expires > now())
        wanted = wanted.options(joinedload(InvitationRow.team), joinedload(InvitationRow.account))
        return [_invited(row) for row in session.scalars(wanted.order_by(InvitationRow.id.desc()))]


def revoke(store: Store, invitation: int, *, who: str) -> None:
    """Make an invitation worthless. Raises ``ContestError`` if there is none."""
    with store.transaction() as session:
        found = session.get(InvitationRow, invitation, options=[joinedload(InvitationRow.team)])
        if found is None or found.used is not None:
            raise ContestError("Diese Einladung gibt es nicht mehr.", "This invitation is gone.")
        subject = "organiser" if found.team is None else found.team.name
        write_audit(session, who, AuditAction.REVOKE, subject, undo=row_data(found))
        session.delete(found)


# --- logging in and out -----------------------------------------------------------------------------------------------


def _wrong_password() -> WrongPassword:
    return WrongPassword("Name oder Passwort stimmt nicht.", "The name or the password is wrong.")


def log_in(store: Store, name: str, password: str) -> str:
    """The value of the cookie of a new session. Raises ``WrongPassword``; takes as long for an unknown name."""
    with store.reading() as session:
        account = _by_name(session, name)
    stored = _nobodys_password() if account is None else account.password
    right = _matches(stored, password[: MAX_PASSWORD + 1])
    if not right or account is None:
        raise _wrong_password()
    with store.transaction() as session:
        again = session.get(AccountRow, account.id)
        if again is None or again.password != stored:
            raise _wrong_password()  # Removed or changed in this moment.
        if _hasher().check_needs_rehash(stored):
            again.password = _hasher().hash(password)
        return _open_session(session, again.id)


def _open_session(session: Session, account: int) -> str:
    session.execute(delete(LoginSessionRow).where(LoginSessionRow.expires <= now()))
    mine = select(LoginSessionRow).where(LoginSessionRow.account_id == account).order_by(LoginSessionRow.created.desc())
    for old in session.scalars(mine.offset(_MAX_SESSIONS - 1)):
        session.delete(old)
    cookie = secrets.token_urlsafe(32)
    session.add(LoginSessionRow(token=_digest(cookie), account_id=account, created=now(), expires=now() + SESSION))
    return cookie


def new_device(store: Store, account: int) -> str:
    """A token that proves later that this browser was logged in to the account, until its password changes."""
    with store.reading() as session:
        nonce = secrets.token_urlsafe(16)
        return f"{nonce}.{_device_mac(_account(session, account), nonce)}"


def is_known_device(store: Store, name: str, token: str) -> bool:
    """Whether a browser with this token was logged in to the account of that name."""
    nonce, _, mac = token.partition(".")
    with store.reading() as session:
        account = _by_name(session, name)
    return account is not None and hmac.compare_digest(mac.encode(), _device_mac(account, nonce).encode())


def _device_mac(account: AccountRow, nonce: str) -> str:
    # Keyed by the hash of the password: nothing more to store, and a new password forgets all devices.
    return hmac.new(account.password.encode(), f"device {account.id} {nonce}".encode(), hashlib.sha256).hexdigest()


def _end_sessions(session: Session, account: int) -> None:
    session.execute(delete(LoginSessionRow).where(LoginSessionRow.account_id == account))


def who_is(store: Store, cookie: str) -> Person | None:
    """Who is logged in with this cookie, or ``None``."""
    with store.reading() as session:
        found = session.get(
            LoginSessionRow, _digest(cookie), options=[joinedload(LoginSessionRow.account).joinedload(AccountRow.team)]
        )
        return None if found is None or found.expires <= now() else _person(found.account)


def log_out(store: Store, cookie: str) -> None:
    """End the session of this cookie."""
    with store.transaction() as session:
        session.execute(delete(LoginSessionRow).where(LoginSessionRow.token == _digest(cookie)))


def change_password(store: Store, person: Person, old: str, new: str) -> str:
    """Set a new password; all sessions end, and the cookie of a new one comes back. Raises ``ContestError``."""
    with store.reading() as session:
        stored = _account(session, person.id).password
    if not _matches(stored, old[: MAX_PASSWORD + 1]):
        raise ContestError("Das bisherige Passwort stimmt nicht.", "The current password is wrong.")
    check_password(new, person.name)
    hashed = _hasher().hash(new)
    with store.transaction() as session:
        account = _account(session, person.id)
        account.password = hashed
        _end_sessions(session, account.id)
        write_audit(session, person.who, AuditAction.NEW_PASSWORD, account.name)
        return _open_session(session, account.id)


# --- people -----------------------------------------------------------------------------------------------------------


def people(store: Store) -> list[Person]:
    """All accounts: organisers first, then by team and name."""
    with store.reading() as session:
        accounts = [_person(row) for row in session.scalars(select(AccountRow).options(joinedload(AccountRow.team)))]
    return sorted(accounts, key=lambda one: (not one.organiser, one.team, one.name.casefold()))


def remove(store: Store, account: int, *, by: Person) -> None:
    """Delete an account with its sessions. Raises ``ContestError`` for one's own."""
    if account == by.id:
        raise ContestError(
            "Dein eigenes Konto kannst du nicht löschen; das muss jemand anderes tun.",
            "You cannot remove your own account; another organiser has to do it.",
        )
    with store.transaction() as session:
        found = _account(session, account)
        _end_sessions(session, account)
        session.execute(delete(InvitationRow).where(InvitationRow.account_id == account))
        # Not the password: nothing secret of a person who left stays.
        kept = row_data(found, "name", "team_id", "organiser", "created")
        write_audit(session, by.who, AuditAction.REMOVE_ACCOUNT, found.name, undo=kept)
        session.delete(found)


def restore_account(session: Session, data: Mapping[str, Any]) -> Text:
    """Bring back an account that was removed. Raises ``ContestError`` if its name is taken now."""
    if _by_name(session, data["name"]) is not None:
        raise ContestError("Diesen Namen hat schon jemand.", "This name is already taken.")
    session.add(AccountRow(**row_values(AccountRow, data), password=""))
    return Text(
        f"Das Konto {data['name']} ist wieder da; es braucht einen Link für ein neues Passwort.",
        f"The account {data['name']} is back; it needs a link for a new password.",
    )


def restore_invitation(session: Session, data: Mapping[str, Any]) -> Text:
    """Let an invitation hold again that was revoked. Raises ``ContestError`` if it is too old, or its account gone."""
    invitation = InvitationRow(**row_values(InvitationRow, {**data, "id": None}))
    gone = invitation.account_id is not None and session.get(AccountRow, invitation.account_id) is None
    if gone or invitation.expires <= now():
        raise ContestError(
            "Die Einladung gilt ohnehin nicht mehr: Lade neu ein.", "The invitation is too old by now: invite again."
        )
    session.add(invitation)
    return Text("Die Einladung gilt wieder.", "The invitation works again.")


def _account(session: Session, id_: int) -> AccountRow:
    found = session.get(AccountRow, id_)
    if found is None:
        raise ContestError("Dieses Konto gibt es nicht mehr.", "This account is gone.")
    return found


def _by_name(session: Session, name: str) -> AccountRow | None:
    """The account of that name, however it is written; databases do not agree on what capital letters are."""
    wanted = plain_name(name)
    for id_, other in session.execute(select(AccountRow.id, AccountRow.name)):
        if plain_name(other) == wanted:
            return session.get(AccountRow, id_)
    return None


def plain_name(name: str) -> str:
    """What two ways to write the same name have in common: capitals, widths and spaces make no other account."""
    folded = unicodedata.normalize("NFKC", name[:100]).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())[:100]


def _person(account: AccountRow) -> Person:
    team = "" if account.team is None else account.team.name
    return Person(account.id, account.name, account.team_id, team, account.organiser, account.created)
