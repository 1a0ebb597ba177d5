"""The lines of notes that programs in any language print: bounded, on the board, and clear about what is wrong."""

from __future__ import annotations

import pytest

from spielleiter.game.note import MAX_NOTES, MAX_OUTPUT, PlayerNote
from spielleiter.game.note_reader import read_notes, read_printed
from spielleiter.games import load

GAME = load("piranhas-2026")


def test_a_note_is_a_text_or_an_object() -> None:
    notes, problem = read_notes(
        [
            "@note looks good",
            '@note {"values":{"b4":0.83,"2,3":-1},"arrows":[["a1","b4"]],"table":{"depth":5},"chance":0.6}',
        ],
        GAME,
    )
    assert problem is None
    assert notes == (
        PlayerNote(text="looks good"),
        PlayerNote(values=(("B4", 0.83), ("C3", -1.0)), arrows=(("A1", "B4"),), table=(("depth", 5),), chance=0.6),
    )


def test_the_line_of_a_note_is_read_as_the_same_note() -> None:
    note = PlayerNote(
        text='ä "quoted"', squares=("A0",), arrows=(("A0", "B4"),), values=(("B4", 0.5),), table=(("a", "b"),), chance=0
    )
    assert read_notes([note.line], GAME) == ((note,), None)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("@note {", "damaged"),
        ('@note {"values":{"z9":1}}', "not a cell of this game: z9"),
        ('@note {"squares":["-1,5", "b4"]}', "not a cell of this game: -1,5"),
        ('@note {"values":[1]}', "values must be a table"),
        ('@note {"values":{"b4":"x"}}', "{square: number}"),
        ('@note {"values":{"b4":1e999}}', "values must lie between"),
        ('@note {"chance":7}', "chance must lie between 0 and 1"),
        ('@note {"arrows":[["b4"]]}', "a list of pairs of squares"),
        ('@note {"mood":"good"}', "'mood' is unknown"),
        ("@note " + "[" * 5000, ""),
        ("@note {" + '"a":{' * 1500, "damaged"),
        ("@note " + "x" * 100_000, "1 notes left out"),
    ],
)
def test_a_hostile_line_is_one_sentence(line: str, problem: str) -> None:
    notes, found = read_notes([line, "@note and on"], GAME)
    assert notes[-1].text == "and on"
    said = "" if found is None else found.en
    assert problem in said
    assert len(said) <= 200
    assert "\n" not in said


def test_of_thousands_of_notes_the_latest_are_kept() -> None:
    notes, problem = read_notes([f"@note {number}" for number in range(5000)], GAME)
    assert [note.text for note in notes] == [str(number) for number in range(5000 - MAX_NOTES, 5000)]
    assert problem is not None
    assert problem.en == f"{5000 - MAX_NOTES} notes left out: at most 32 / 8 KiB a move"


def test_notes_are_told_from_what_else_was_printed() -> None:
    err = b"start\n@note good\n\xff\x1b[31mwarn\n"
    assert read_printed(b"hello\n", err, GAME) == ((PlayerNote(text="good"),), None, "hello\nstart\n\ufffdwarn")
    assert read_printed(b"", b"@note \xff\n", GAME)[0] == (PlayerNote(text="\ufffd"),)
    assert read_printed(b"@note is on standard error only\n", b"", GAME)[0] == ()
    assert len(read_printed(b"x" * 10**6, b"", GAME)[2]) <= MAX_OUTPUT
