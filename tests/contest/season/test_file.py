"""The season file: what it says, and every way in which it can be wrong, told with the line or the field."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.file import example, parse_season, read_text
from spielleiter.contest.season.model import Absence, Season, Stage
from spielleiter.errors import SettingsError
from spielleiter.game import Ranking
from spielleiter.values import MAX_BYTES
from tests.support.contest_seasons import FINAL, LEAGUE, season_text, team_lines

EIGHT = tuple("ABCDEFGH")


def head(season: str = "", championship: str = "") -> str:
    return f'[season]\nname = "Probe"\ngame = "piranhas-2026"\n{season}\n[championship]\n{championship}\n'


def minimal(season: str = "", championship: str = "", rest: str = "", teams: str | None = None) -> str:
    return head(season, championship) + rest + "\n" + (team_lines(EIGHT) if teams is None else teams)


def read_season(path: Path) -> Season:
    return parse_season(read_text(path), str(path))


def refused(text: str, message: str, line_of: str | None = None) -> None:
    """``text`` is refused with ``message``, and with the number of the first line that begins with ``line_of``."""
    with pytest.raises(SettingsError, match=message) as found:
        parse_season(text, "s.toml")
    refusal = str(found.value)
    assert "\n" not in refusal
    assert refusal.startswith("s.toml")
    if line_of is not None:
        lines = text.splitlines()
        at = next(number for number, line in enumerate(lines, 1) if line.startswith(line_of))
        assert refusal.startswith(f"s.toml, line {at}: "), refusal


# --- what it says -----------------------------------------------------------------------------------------------------


def test_the_example_is_a_season_without_remarks() -> None:
    season = parse_season(example("en"))
    assert season.notes == ()
    assert [phase.stage for phase in season.phases] == [
        Stage.TRIAL,
        Stage.CHAMPIONSHIP,
        Stage.CHAMPIONS_LEAGUE,
        Stage.FINAL,
    ]
    assert {group: len(teams) for group, teams in season.groups.items()} == {"A": 4, "B": 4}
    assert season.bracket_size == 8


def test_the_german_example_is_the_same_season() -> None:
    de, en = parse_season(example("de")), parse_season(example("en"))
    assert de.name != en.name
    assert replace(de, name=en.name) == en


def test_what_is_left_out_is_as_in_the_contest() -> None:
    season = parse_season(minimal(rest="[trial]\n[champions_league]\n[final]\n"))
    trial, championship, league, final = season.phases
    assert season.ranking is Ranking.BY_WINS
    assert not season.lots_by_hand
    assert not season.in_process
    assert season.memory == 1500
    assert (trial.matchdays, trial.without_program, trial.counts) == (3, Absence.RANDOM, False)
    assert {phase.games for phase in season.phases} == {6}
    assert (championship.qualify, championship.without_program) == (8, Absence.LOST)
    assert league.qualify == 8
    assert final.cap == 20
    assert (final.limits.soft, final.limits.hard) == (2.0, 10.0)


def test_time_and_games_hold_for_all_phases_unless_a_phase_says_otherwise() -> None:
    season = parse_season(minimal("time = 1\ngames = 4", "time = 0.5", "[final]\ngames = 10\n"))
    championship, final = season.phases
    assert (championship.limits.soft, championship.limits.hard, championship.games) == (0.5, 2.5, 4)
    assert (final.limits.soft, final.limits.hard, final.games) == (1.0, 5.0, 10)


def test_dates_have_a_time_zone_and_a_date_means_its_beginning() -> None:
    rest = "[final]\ndates = [2027-05-01, 2027-05-01T18:00:00, 2027-05-02T18:00:00Z]\ndeadline = 2027-04-30\n"
    final = parse_season(minimal(rest=rest)).phases[1]
    assert final.dates[0] == datetime(2027, 5, 1).astimezone()
    assert final.dates[2] == datetime(2027, 5, 2, 18, tzinfo=UTC)
    assert final.deadline is not None
    assert final.deadline.tzinfo is not None


def test_groups_are_drawn_by_the_seed() -> None:
    drawn = [parse_season(minimal(f"seed = {seed}", "groups = 2")).groups for seed in range(5)]
    assert all({len(teams) for teams in groups.values()} == {4} for groups in drawn)
    assert len({groups["A"] for groups in map(dict, drawn)}) > 1
    assert drawn[3] == parse_season(minimal("seed = 3", "groups = 2")).groups


def test_a_mark_at_the_beginning_and_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    path.write_bytes(b"\xef\xbb\xbf" + minimal().replace("\n", "\r\n").encode())
    assert read_season(path).name == "Probe"


# --- too few teams ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("teams", "played"), [(8, None), (7, "a Final Four with 4 teams"), (3, "a Final with 2 teams")]
)
def test_too_few_teams_for_a_final_eight_say_what_is_played_instead(teams: int, played: str | None) -> None:
    season = parse_season(minimal(rest=FINAL, teams=team_lines(EIGHT[:teams])))
    notes = [note.en for note in season.notes]
    if played is None:
        assert notes == []
    else:
        assert notes == [f"There are too few teams for a Final Eight ({teams}): {played} is played instead."]
        assert "stattdessen" in season.notes[0].de
    assert season.bracket_size == {8: 8, 7: 4, 3: 2}[teams]


def test_fewer_places_than_eight_make_a_smaller_final() -> None:
    season = parse_season(minimal(championship="qualify = 4", rest=FINAL))
    assert season.bracket_size == 4
    assert "a Final Four with 4 teams is played instead" in season.notes[0].en
    league = parse_season(minimal(rest="[champions_league]\nqualify = 6\n[final]\n"))
    assert league.bracket_size == 4


def test_a_small_group_goes_on_whole_and_that_is_said() -> None:
    teams = team_lines("ABC", "X") + team_lines("DEFGHIJKL", "Y")
    season = parse_season(minimal(rest=LEAGUE + FINAL, teams=teams))
    assert [note.en for note in season.notes] == ["One group has only 3 teams: all of them go on, not 8."]


def test_one_team_alone_cannot_play_a_final() -> None:
    refused(minimal(championship="qualify = 1", rest=FINAL), "only one team would play the final", "[final]")
    refused(minimal(championship="qualify = 1", rest=LEAGUE), "only 1 team would play the Champions League", "qualify")


# --- unknown and missing things ---------------------------------------------------------------------------------------


def test_an_unknown_key_is_reported_with_its_line() -> None:
    refused(
        minimal(championship="qualifi = 8"),
        "'qualifi' is unknown in .championship.: did you mean qualify. expected one of",
        "qualifi",
    )
    refused(minimal("colour = 1"), "'colour' is unknown in .season.", "colour")
    refused(minimal('"odd key" = 1'), "'odd key' is unknown", '"odd key"')
    refused(minimal(rest="[final]\nqualify = 8\n"), "'qualify' is unknown in .final.", "qualify")


def test_an_unknown_key_of_the_third_team_is_reported_with_its_line() -> None:
    text = minimal(teams=team_lines("AB") + '[[teams]]\nname = "C"\nplayr = "random"\n' + team_lines("DE"))
    refused(text, "'playr' is unknown in .teams.", "playr")


def test_an_unknown_section_is_reported_with_its_line() -> None:
    refused(minimal(rest="[playoffs]\n"), "'playoffs' is unknown here: expected one of champions_league", "[playoffs]")
    refused("colour = 1\n" + minimal(), "'colour' is unknown here", "colour")
    refused(minimal(rest="[final.cup]\ngames = 2\n"), "'cup' is unknown in .final.", "[final.cup]")
    refused(minimal(rest="[[finals]]\n"), "'finals' is unknown here: did you mean final", "[[finals]]")


def test_missing_parts_are_named() -> None:
    refused("", r"the section \[season\] with name and game is missing")
    refused('[season]\nname = "x"\n[championship]\n' + team_lines("AB"), "'game' is missing in .season.", "[season]")
    refused('[season]\ngame = "piranhas-2026"\n[championship]\n' + team_lines("AB"), "'name' is missing", "[season]")
    refused('[season]\nname = "x"\ngame = "piranhas-2026"\n' + team_lines("AB"), r"\[championship\] is missing")
    refused(minimal(teams='[[teams]]\nschool = "x"\n' + team_lines("AB")), "'name' is missing", "[[teams]]")


def test_an_unknown_game_is_reported_with_the_known_ones() -> None:
    text = minimal().replace("piranhas-2026", "chess")
    refused(text, "chess", "game")
    refused(text, "piranhas-2026")


# --- teams ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other", ["Möwe", "MÖWE", " Möwe ", "Mo\u0308we"], ids=["same", "capitals", "spaces", "written otherwise"]
)
def test_two_teams_of_one_name_are_refused(other: str) -> None:
    text = minimal(teams=team_lines(["Möwe", "Ada"]) + f'[[teams]]\n  name = "{other}"\n')
    refused(text, "two teams are called", "  name")


def test_a_group_of_one_is_refused() -> None:
    teams = team_lines("AB", "X") + '[[teams]]\nname = "C"\n  group = "Y"\n'
    refused(minimal(teams=teams), "group Y has only one team, 'C': a group needs at least two", "  group")
    refused(minimal(championship="groups = 5"), "group D has only one team|group . has only one team", "groups")


def test_a_team_without_a_group_beside_others_with_one_is_refused() -> None:
    teams = team_lines("AB", "X") + '[[teams]]\n  name = "C"\n'
    refused(minimal(teams=teams), "'C' has no group, others have one", "  name")


def test_groups_that_do_not_fit_the_teams_are_refused() -> None:
    teams = team_lines("AB", "X") + team_lines("CD", "Y")
    refused(minimal(championship="groups = 3", teams=teams), "groups is 3, but the teams name 2: X, Y", "groups")
    refused(minimal(championship="groups = 0"), "groups must lie between 1 and 26, not 0", "groups")


@pytest.mark.parametrize("number", [0, 1, 501])
def test_a_season_has_2_to_500_teams(number: int) -> None:
    refused(minimal(teams=team_lines(f"T{at}" for at in range(number))), f"has 2 to 500 teams.*, not {number}")


@pytest.mark.parametrize("python", ["2.7", "3", "3.12.1", "python3"])
def test_the_python_of_a_team_is_a_version(python: str) -> None:
    teams = team_lines(EIGHT)
    assert {team.python for team in parse_season(minimal()).teams} == {""}
    line = f'python = "{python}"'
    refused(minimal(teams=teams.replace("[[teams]]", f"[[teams]]\n{line}", 1)), "a version such as 3.12", "python")
    named = teams.replace("[[teams]]", '[[teams]]\npython = "3.12"', 1)
    assert [team.python for team in parse_season(minimal(teams=named)).teams] == ["3.12"] + [""] * 7


@pytest.mark.parametrize("group", ["A B", "A-1", "a/b", "x" * 21])
def test_the_name_of_a_group_is_letters_or_digits(group: str) -> None:
    text = minimal(teams=team_lines("AB") + f'[[teams]]\nname = "C"\ngroup = "{group}"\n')
    refused(text, "letters or digits|1 to 20 printable characters", "group")


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "two\\nlines", "\\u0007", "\\u202E"])
def test_a_name_can_be_printed_in_one_line(name: str) -> None:
    refused(minimal(teams=team_lines("AB") + f'[[teams]]\n  name = "{name}"\n'), "name must have 1 to 60", "  name")


def test_teams_are_written_one_by_one() -> None:
    refused(head() + '[teams]\nname = "A"\n', r"teams must be \[\[teams\]\] for each entry", "[teams]")
    refused("teams = 5\n" + head(), r"teams must be \[\[teams\]\]", "teams")
    refused("teams = [1, 2]\n" + head(), r"teams must be \[\[teams\]\]", "teams")
    refused("final = 3\n" + minimal(), r"final must be a section \[final\]", "final")
    refused(minimal(rest="[[final]]\n"), r"final must be a section \[final\]", "[[final]]")


# --- numbers, words, times --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("season", "message"),
    [
        ("seed = -1", "seed must lie between 0 and"),
        ("seed = 9223372036854775808", "seed must lie between 0 and"),
        ('seed = "7"', "seed must be a whole number, not '7'"),
        ("seed = true", "seed must be a whole number, not True"),
        ("seed = 1.5", "seed must be a whole number"),
        ("games = 5", "games must be even, so that both have the first move equally often, not 5"),
        ("games = 0", "games must lie between 2 and 1000, not 0"),
        ("games = -2", "games must lie between 2 and 1000, not -2"),
        ("games = 1002", "games must lie between 2 and 1000, not 1002"),
        ('standings = "points"', 'standings must be "wins" or "victory points" or "encounters", not \'points\''),
        ("standings = 1", "standings must be a text in quotes, not 1"),
        ('lots = "never"', 'lots must be "automatic" or "by hand"'),
        ('sandbox = "strong"', "sandbox must be"),
        ("memory = 10", "memory must lie between 50 and"),
        ("ponder = 0", "ponder must be true or false, not 0"),
        ("max_versions = 0", "max_versions must lie between 1 and"),
        ("max_upload = -1", "max_upload must lie between 1 and"),
        ('in_process = "yes"', "in_process must be true or false, not 'yes'"),
        ("time = 0", "time must lie between 0.01 and 3600, not 0"),
        ("time = -1.0", "time must lie between"),
        ("time = nan", "time must lie between"),
        ("time = inf", "time must lie between"),
        ('time = "2 s"', "time must be a number"),
        ("time = true", "time must be a number"),
    ],
)
def test_a_wrong_value_is_reported_with_its_line(season: str, message: str) -> None:
    refused(minimal(season), message, season.split(" ")[0])


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("[trial]\nmatchdays = 0", "matchdays must lie between 1 and 100"),
        ("[trial]\nmatchdays = 8", "8 trial days are too many: the smallest group has only 7 different ones"),
        ('[trial]\nwithout_program = "sleep"', 'without_program must be "random" or "lost"'),
        ("[champions_league]\nqualify = 0", "qualify must lie between 1 and"),
        ("[final]\ngames = 3", "games must be even"),
        ("[final]\ncap = 7", "cap must be even"),
        ("[final]\ncap = 4", "cap is 4, less than the 6 games that are played"),
        ("[final]\ntime = 0", "time must lie between"),
        ("[final]\ndates = 2027-05-01", "dates must be a list"),
        ("[final]\ndates = [2027-05-01, 2027-05-02]", "there are 2 dates for 3 matchdays"),
        ("[final]\ndates = [2027-05-02, 2027-05-01, 2027-05-03]", "the dates must be in their order"),
        ('[final]\ndates = ["1. Mai", 2027-05-01, 2027-05-03]', "dates must be dates like 2027-02-01"),
        ("[final]\ndates = [0001-01-01, 2027-05-01, 2027-05-03]", "dates must lie between the years 2000 and 2999"),
        ("[final]\ndeadline = 9999-12-31T23:59:59-12:00", "deadline must lie between the years"),
        ("[final]\ndeadline = 18:00:00", "deadline must be dates like"),
        ("[final]\ndeadline = true", "deadline must be dates like"),
        ("[trial]\nmatchdays = 2\ndates = [2027-05-01]", "there are 1 dates for 2 matchdays"),
    ],
)
def test_a_wrong_value_of_a_phase_is_reported_with_its_line(rest: str, message: str) -> None:
    refused(minimal(rest=rest), message, rest.splitlines()[-1].split(" ")[0])


def test_the_dates_of_a_phase_come_after_those_of_the_one_before() -> None:
    days = ", ".join(f"2027-05-0{day}" for day in range(1, 8))
    text = minimal(championship=f"dates = [{days}]", rest="[final]\n  dates = [2027-05-06, 2027-05-08, 2027-05-09]\n")
    refused(text, "must be in their order, and 2027-05-06 00:00 is before the last one", "  dates")


def test_a_smaller_final_needs_fewer_dates() -> None:
    # Four of eight teams go on: semi-finals and final, two days.
    rest = "[final]\ndates = [2027-05-01, 2027-05-02]\n"
    assert len(parse_season(minimal(championship="qualify = 4", rest=rest)).phases[1].dates) == 2


def test_the_league_of_all_groups_needs_its_own_dates() -> None:
    teams = team_lines("ABC", "X") + team_lines("DEF", "Y")
    # Two of each of two groups: four teams, three days.
    rest = "[champions_league]\ndates = [2027-05-01, 2027-05-02]\n"
    refused(minimal(championship="qualify = 2", rest=rest, teams=teams), "2 dates for 3 matchdays", "dates")


def test_several_groups_without_a_champions_league_have_no_final() -> None:
    teams = team_lines("ABC", "X") + team_lines("DEF", "Y")
    refused(
        minimal(rest=FINAL, teams=teams),
        "the final needs common standings before it: add .champions_league.",
        "[final]",
    )


# --- files ------------------------------------------------------------------------------------------------------------


def test_broken_toml_is_reported_with_its_line() -> None:
    refused(minimal("x ="), "at line 4, column")
    refused("{", "at line 1, column")
    refused(minimal("name = 'again'"), "Cannot overwrite a value")


def test_what_python_cannot_hold_is_refused() -> None:
    refused(minimal(f"seed = {'9' * 5000}"), "s.toml")
    refused(f"x = {'[' * 100_000}", "too many nested brackets")
    refused(minimal(rest="[final]\ndeadline = 2027-02-30\n"), "s.toml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    with pytest.raises(SettingsError, match=r"season.toml: there is no such file; 'spielleiter contest init' writes"):
        read_season(path)
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        read_season(tmp_path)
    path.write_bytes(minimal().encode("utf-16"))
    with pytest.raises(SettingsError, match="is not UTF-8 text"):
        read_season(path)
    path.write_bytes("name = 'Kö'".encode("latin-1"))
    with pytest.raises(SettingsError, match="is not UTF-8 text"):
        read_season(path)
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(SettingsError, match="larger than 2 MB"):
        read_season(path)


@given(st.data())
def test_whatever_stands_in_the_file_is_a_season_or_a_clear_refusal(data: st.DataObject) -> None:
    """A good file in which one line is replaced by something else."""
    lines = (example("en") if data.draw(st.booleans()) else season_text("ABCD", rest=FINAL)).splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    words = ["x", "name", "games", "dates", "group", "5", "-1", '""', '"A"', "true", "[]", "[[teams]]", "[final]"]
    key, value = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words) | st.text(max_size=8))
    lines[at] = data.draw(st.sampled_from([f"{key} = {value}", key, value, ""]))
    message = ""
    try:
        parse_season("\n".join(lines))
    except SettingsError as problem:
        message = str(problem)
    assert message == "" or message.startswith("season.toml")
    assert "\n" not in message
