"""A short recorded game in which both players noted what they thought."""

from __future__ import annotations

from pathlib import Path

from spielleiter import games
from spielleiter.game import TEAMS, Team
from spielleiter.game.note import PlayerNote
from spielleiter.referee import NotesTaken
from tests.support.records_stage import Stage

GAME = games.load("piranhas-2026")
THOUGHTS = {Team.ONE: "thought of one", Team.TWO: "thought of two"}


def noted(folder: Path, names: tuple[str, str] = ("Ada", "Bö")) -> Path:
    """The record of a short game in which both players noted and printed something for each of their moves."""
    stage = Stage(folder, GAME, names=names)
    for ply in range(6):
        stage.play(1)
        note_ = PlayerNote(
            text=THOUGHTS[TEAMS[ply % 2]],
            values=(("B4", 0.83), ("C7", -0.5)),
            arrows=(("A1", "B4"),),
            table=(("Tiefe", ply),),
            chance=0.4 + ply / 20,
        )
        stage.follow(NotesTaken("room-1", TEAMS[ply % 2], ply, (note_,), output=f"printed at {ply} <b>&"))
    return stage.end("left")
