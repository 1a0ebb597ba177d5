"""``spielleiter contest annul | accept | disqualify | undo | draw-lot | pause | resume | audit``: organisers decide."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.text import Text as RichText

from spielleiter.cli.contest.arguments import (
    SEASON,
    ReasonOption,
    SeasonOption,
    StoreOption,
    TeamArgument,
    YesOption,
    confirm,
    open_contest,
    open_readonly,
    read_stage,
)
from spielleiter.cli.terminal import JsonOption, console, language, say, t, word
from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run import rulings
from spielleiter.contest.run.contest import os_user
from spielleiter.game import Text


def draw_lot(
    phase: Annotated[str, typer.Argument(help=t("Phase.", "Phase."))],
    group: Annotated[str, typer.Argument(help=t(
        "Gruppe; die Champions League hat keine.", "Group; the Champions League has none."))] = "",
    seed: Annotated[str, typer.Option(prompt=t("Startwert", "Seed"), help=t(
        "Startwert, etwa die Lottozahlen von heute Abend.", "Seed, such as tonight's lottery numbers."))] = "",
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        stage = read_stage(phase, contest.season)
        say(rulings.draw_by_hand(contest, stage, group, seed, who=os_user()).text)


def annul(
    subject: Annotated[str, typer.Argument(help=t(
        "Spiel (M3-A2-4) oder Begegnung (M3-A2).", "Game (M3-A2-4) or encounter (M3-A2)."))],
    reason: ReasonOption,
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        confirm(rulings.annul(contest, subject, reason, who=os_user(), dry_run=True), yes)
        say(rulings.annul(contest, subject, reason, who=os_user()))


def accept(
    subject: Annotated[str, typer.Argument(help=t(
        "Spiel (M3-A2-4) oder Begegnung (M3-A2).", "Game (M3-A2-4) or encounter (M3-A2)."))],
    reason: ReasonOption,
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        confirm(rulings.accept(contest, subject, reason, who=os_user(), dry_run=True), yes)
        say(rulings.accept(contest, subject, reason, who=os_user()))


def disqualify(
    team: TeamArgument,
    reason: ReasonOption,
    subject: Annotated[str | None, typer.Option("--in", show_default=False, help=t(
        "Nur in diesem Spiel (M3-A2-4) oder dieser Begegnung (M3-A2).",
        "Only in this game (M3-A2-4) or encounter (M3-A2)."))] = None,
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        confirm(rulings.disqualify(contest, team, reason, who=os_user(), subject=subject, dry_run=True), yes)
        say(rulings.disqualify(contest, team, reason, who=os_user(), subject=subject))


def undo(
    number: Annotated[int | None, typer.Argument(show_default=False, help=t(
        "Nummer in „audit“; Standard: die letzte.", "Number in 'audit'; default: the last one."))] = None,
    reason: Annotated[str, typer.Option(help=t(
        "Begründung; alle können sie lesen.", "Reason; everybody can read it."))] = "",
    yes: YesOption = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        if number is None:
            number = next((entry.id for entry in read_snapshot(contest).undoable), 0)
        confirm(rulings.undo(contest, number, who=os_user(), reason=reason, dry_run=True), yes)
        say(rulings.undo(contest, number, who=os_user(), reason=reason))


def pause(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    with open_contest(season, store) as contest:
        rulings.pause(contest, True, who=os_user())
    say(Text("Angehalten. Weiter mit: spielleiter contest resume", "Paused. Go on with: spielleiter contest resume"))


def resume(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    with open_contest(season, store) as contest:
        rulings.pause(contest, False, who=os_user())
    say(Text("Weiter geht es mit: spielleiter contest run", "Go on with: spielleiter contest run"))


def audit(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    with open_readonly(season, store) as contest:
        entries = read_snapshot(contest).audit
        if as_json:
            keys = ("who", "action", "subject", "reason")
            rows = [
                {"number": one.id, "at": one.at.isoformat()}
                | {key: getattr(one, key) for key in keys}
                | {"undoable": one.is_undoable}
                for one in entries
            ]
            console.print_json(json.dumps(rows))
            return
        for one in entries:
            action = one.action.text.to(language())
            line = f"{one.id:4} {one.at.astimezone():%Y-%m-%d %H:%M} {one.who}: {action}: {one.subject}"
            line += f" – {one.reason}" if one.reason else ""
            undone = word(" (rückgängig gemacht)", " (undone)") if one.undone else ""
            console.print(RichText(line + undone, "dim" if undone else ""), soft_wrap=True)
