"""Lists of teams as spreadsheets write them, and those that somebody made to do harm."""

from __future__ import annotations

import pytest

from spielleiter.contest.season.file import MAX_TEAMS
from spielleiter.contest.season.model import TeamEntry
from spielleiter.contest.season.team_list import MAX_BYTES, read_team_list, write_team_list
from spielleiter.errors import ContestError

LIST = "Team;Schule;Gruppe\r\nKieler Sprotten;Gymnasium an der Förde;A\r\nDie Ohrwürmer;Käthe-Kollwitz-Schule;B\r\n"
TEAMS = (
    TeamEntry("Kieler Sprotten", "Gymnasium an der Förde", "A"),
    TeamEntry("Die Ohrwürmer", "Käthe-Kollwitz-Schule", "B"),
)


@pytest.mark.parametrize(
    "data",
    [
        LIST.encode(),
        LIST.encode("utf-8-sig"),
        LIST.encode("cp1252"),
        LIST.encode("utf-16"),
        LIST.replace(";", ",").encode(),
        LIST.replace(";", "\t").encode("utf-16"),
        LIST.replace("\r\n", "\n").encode(),
        b"sep=,\r\n" + LIST.replace(";", ",").encode(),
        "Kieler Sprotten;Gymnasium an der Förde;A\n\n ;;\nDie Ohrwürmer;Käthe-Kollwitz-Schule;B".encode(),
        "Nr,Gruppe,Schule,Mannschaft\n1,A,Gymnasium an der Förde,Kieler Sprotten\n"
        '2,B,Käthe-Kollwitz-Schule,"Die Ohrwürmer"\n'.encode(),
    ],
    ids=["utf-8", "bom", "windows", "utf-16", "commas", "tabs", "lf", "sep=", "no heading", "other columns"],
)
def test_every_spreadsheet_writes_the_same_list(data: bytes) -> None:
    assert read_team_list(data) == read_team_list(LIST)
    assert read_team_list(data).teams == TEAMS


def test_each_refused_row_has_its_line_and_its_reason() -> None:
    found = read_team_list(
        'Name;School;Group;Reserve\nA;;\n;only a school;\n"B\nC";;\na;;\nD;;A!\n'
        + "E" * 61
        + ";;\nF;;;perhaps\n1 Reserve;;;yes\nZ",
        known=["z"],
    )
    assert [(team.name, team.reserve) for team in found.teams] == [("A", False), ("1 Reserve", True)]
    assert [(row.line, row.reason.en.split(",")[0]) for row in found.refused] == [
        (3, "the name of the team is missing"),
        (4, "name must have 1 to 60 printable characters"),
        (6, "two teams are called 'a'"),
        (7, "a group's name is letters or digits"),
        (8, "name must have 1 to 60 printable characters"),
        (9, "reserve place: “yes” or “no”"),
        (11, "two teams are called 'Z'"),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x" * (MAX_BYTES + 1), "larger than 200 kB"),
        ("\n".join(map(str, range(MAX_TEAMS + 1))), "at most 500 teams"),
        (b"PK\x03\x04\x00\x00", "save the spreadsheet as CSV"),
        (b"\x81\x8d\x8f", "save the spreadsheet as CSV"),
        (b"\xff\xfea", "save the spreadsheet as CSV"),
        ('A\n"B', "line 2: not valid CSV, perhaps a quotation mark is missing"),
    ],
    ids=["too large", "too many", "a ZIP", "no encoding", "half a letter", "an open quotation mark"],
)
def test_what_is_no_list_is_refused_as_a_whole(data: bytes | str, message: str) -> None:
    with pytest.raises(ContestError, match=message):
        read_team_list(data)


def test_what_our_own_csv_protects_from_spreadsheets_comes_back_as_it_was() -> None:
    assert [team.name for team in read_team_list("'=1+1\n'@x\n'Tis us\n").teams] == ["=1+1", "@x", "'Tis us"]


@pytest.mark.parametrize("player", ["/etc/passwd", "bots/kalle", "chess"])
def test_a_list_names_no_files_of_this_machine(player: str) -> None:
    assert read_team_list("A;;;student").teams[0].player == "student"
    (row,) = read_team_list(f"A;;;{player}").refused
    assert row.reason.en.startswith("the program is a built-in player like “student”")


def test_a_list_is_written_as_it_is_read() -> None:
    teams = (*TEAMS, TeamEntry("\"; ,'", "x"), TeamEntry("Reserve 1", reserve=True))
    assert read_team_list(write_team_list(teams)).teams == teams
