"""``spielleiter contest annul | disqualify | undo | draw-lot | pause | resume | audit``: what organisers decide."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.text import Text as RichText
from sqlalchemy import select

from spielleiter.cli.contest.arguments import (
    SEASON,
    ReasonOption,
    SeasonOption,
    StoreOption,
    TeamArgument,
    YesOption,
    confirm,
    look_at_contest,
    open_contest,
    read_stage,
)
from spielleiter.cli.terminal import JsonOption, console, language, say, word
from spielleiter.contest.run import rulings
from spielleiter.contest.run.contest import os_user
from spielleiter.contest.store import AuditAction, AuditRow
from spielleiter.game import Text


def draw_lot(
    phase: Annotated[str, typer.Argument(help="Phase.")],
    group: Annotated[str, typer.Argument(help="Group; the Champions League has none.")] = "",
    seed: Annotated[str, typer.Option(help="Seed, such as tonight's lottery numbers.", prompt=True)] = "",
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Draw the lot that decides a place, where the season file says that a person does it."""
    with open_contest(season, store) as contest:
        stage = read_stage(phase, contest.season)
        say(rulings.draw_by_hand(contest, stage, group, seed, who=os_user()).text)


def annul(
    subject: Annotated[str, typer.Argument(help="Game (M3-A2-4) or encounter (M3-A2).")],
    reason: ReasonOption,
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Annul a game or an encounter; it will be played again. Asks first; 'undo' takes it back."""
    with open_contest(season, store) as contest:
        confirm(rulings.annul(contest, subject, reason, who=os_user(), dry_run=True), yes)
        say(rulings.annul(contest, subject, reason, who=os_user()))


def disqualify(
    team: TeamArgument,
    reason: ReasonOption,
    subject: Annotated[
        str | None, typer.Option("--in", help="Only in this game (M3-A2-4) or encounter (M3-A2).", show_default=False)
    ] = None,
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Disqualify a team in a game or an encounter, or in all that it has not played yet. Asks; 'undo' takes it back."""
    with open_contest(season, store) as contest:
        confirm(rulings.disqualify(contest, team, reason, who=os_user(), subject=subject, dry_run=True), yes)
        say(rulings.disqualify(contest, team, reason, who=os_user(), subject=subject))


def undo(
    number: Annotated[
        int | None, typer.Argument(help="Number in 'audit'; default: the last one.", show_default=False)
    ] = None,
    reason: Annotated[str, typer.Option(help="Reason; everybody can read it.")] = "",
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Undo a ruling, or bring back what was removed, while nothing was built on it."""
    with open_contest(season, store) as contest:
        if number is None:
            with contest.store.reading() as session:
                number = next((entry.id for entry in rulings.undoable(session, 1)), 0)
        confirm(rulings.undo(contest, number, who=os_user(), reason=reason, dry_run=True), yes)
        say(rulings.undo(contest, number, who=os_user(), reason=reason))


def pause(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Stop every 'run' after the games that are being played."""
    with open_contest(season, store) as contest:
        rulings.pause(contest, True, who=os_user())
    say(Text("Angehalten. Weiter mit: spielleiter contest resume", "Paused. Go on with: spielleiter contest resume"))


def resume(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Allow 'run' again after a pause."""
    with open_contest(season, store) as contest:
        rulings.pause(contest, False, who=os_user())
    say(Text("Weiter geht es mit: spielleiter contest run", "Go on with: spielleiter contest run"))


def audit(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List what people decided: who, when, what and why."""
    with look_at_contest(season, store) as contest:
        with contest.store.reading() as session:
            entries = session.scalars(select(AuditRow).order_by(AuditRow.id)).all()
        if as_json:
            keys = ("who", "action", "subject", "reason")
            rows = [
                {"number": one.id, "at": one.at.isoformat()}
                | {key: getattr(one, key) for key in keys}
                | {"undoable": one.undo is not None and one.undone is None}
                for one in entries
            ]
            console.print_json(json.dumps(rows))
            return
        for one in entries:
            action = AuditAction(one.action).text.to(language())
            line = f"{one.id:4} {one.at.astimezone():%Y-%m-%d %H:%M} {one.who}: {action}: {one.subject}"
            line += f" – {one.reason}" if one.reason else ""
            undone = word(" (rückgängig gemacht)", " (undone)") if one.undone else ""
            console.print(RichText(line + undone, "dim" if undone else ""), soft_wrap=True)
