"""What people do to a season, as the audit log names it."""

from __future__ import annotations

from enum import StrEnum

from spielleiter.game import Text


class AuditAction(StrEnum):
    """Something that a person can do to a season; a game is replayed by itself, too."""

    ANNUL = "annul"
    REPLAY = "replay"
    ACCEPT = "accept"
    DISQUALIFY = "disqualify"
    DRAW_LOT = "draw-lot"
    PAUSE = "pause"
    RESUME = "resume"
    RUN = "run"
    SEASON_FILE = "season file"
    CHALLENGE = "challenge"
    NEWS = "news"
    REMOVE_NEWS = "remove news"
    LEAVE_OUT = "leave out"
    INVITE = "invite"
    INVITE_AGAIN = "invite again"
    REVOKE = "revoke"
    ACCOUNT = "account"
    NEW_PASSWORD = "new password"  # noqa: S105 - an action
    REMOVE_ACCOUNT = "remove account"
    UNDO = "undo"

    @property
    def text(self) -> Text:
        """What was done, in a few words."""
        return _TEXTS[self]


_TEXTS = {
    AuditAction.ANNUL: Text("Annulliert", "Annulled"),
    AuditAction.REPLAY: Text("Automatisch wiederholt", "Replayed automatically"),
    AuditAction.ACCEPT: Text("Ergebnis bestätigt", "Result accepted"),
    AuditAction.DISQUALIFY: Text("Disqualifiziert", "Disqualified"),
    AuditAction.DRAW_LOT: Text("Los gezogen", "Lot drawn"),
    AuditAction.PAUSE: Text("Saison angehalten", "Season paused"),
    AuditAction.RESUME: Text("Saison fortgesetzt", "Season resumed"),
    AuditAction.RUN: Text("Saison gestartet", "Season started"),
    AuditAction.SEASON_FILE: Text("Saisondatei geändert", "Season file changed"),
    AuditAction.CHALLENGE: Text("Freundschaftsspiel vereinbart", "Friendly encounter arranged"),
    AuditAction.NEWS: Text("Nachricht veröffentlicht", "News published"),
    AuditAction.REMOVE_NEWS: Text("Nachricht entfernt", "News removed"),
    AuditAction.LEAVE_OUT: Text("Ohne Programm in die Saison", "Left out without a program"),
    AuditAction.INVITE: Text("Eingeladen", "Invited"),
    AuditAction.INVITE_AGAIN: Text("Neues Passwort ermöglicht", "Invited to set a new password"),
    AuditAction.REVOKE: Text("Einladung zurückgezogen", "Invitation revoked"),
    AuditAction.ACCOUNT: Text("Konto angelegt", "Account created"),
    AuditAction.NEW_PASSWORD: Text("Passwort geändert", "Password changed"),
    AuditAction.REMOVE_ACCOUNT: Text("Konto gelöscht", "Account removed"),
    AuditAction.UNDO: Text("Rückgängig gemacht", "Undone"),
}

PUBLIC_ACTIONS = (
    AuditAction.ANNUL,
    AuditAction.REPLAY,
    AuditAction.ACCEPT,
    AuditAction.DISQUALIFY,
    AuditAction.DRAW_LOT,
    AuditAction.LEAVE_OUT,
    AuditAction.PAUSE,
    AuditAction.RESUME,
    AuditAction.SEASON_FILE,
    AuditAction.UNDO,
)
"""The public part of the audit log."""
