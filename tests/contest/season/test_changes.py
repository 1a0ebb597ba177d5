"""What may change in a season file while the season is played, and what may not."""

from __future__ import annotations

import pytest

from spielleiter.contest.season.changes import differences
from spielleiter.contest.season.file import parse_season
from spielleiter.contest.season.model import Season
from tests.support.contest_seasons import GAME, team_lines

EIGHT = tuple("ABCDEFGH")


def base(
    season: str = "", championship: str = "qualify = 8", rest: str = "[trial]\n[final]", teams: str = team_lines(EIGHT)
) -> Season:
    head = f'[season]\nname = "Probe"\ngame = "{GAME}"\n{season}'
    return parse_season(f"{head}\n[championship]\n{championship}\n{rest}\n{teams}")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"season": "seed = 1"}, "seed was 0 and is now 1"),
        ({"season": 'standings = "encounters"'}, "standings was wins and is now encounters"),
        ({"season": 'lots = "by hand"'}, "lots was 'automatic' and is now 'by hand'"),
        ({"season": "in_process = true"}, "in_process was false and is now true"),
        ({"season": "time = 1"}, "[trial] time was 2 and is now 1"),
        ({"championship": "qualify = 7"}, "[championship] qualify was 8 and is now 7"),
        ({"championship": 'without_program = "random"'}, "[championship] without_program was lost and is now random"),
        ({"rest": "[trial]\nmatchdays = 2\n[final]"}, "[trial] matchdays was 3 and is now 2"),
        ({"rest": "[trial]\n[final]\ngames = 2"}, "[final] games was 6 and is now 2"),
        ({"rest": "[trial]\n[final]\ncap = 8"}, "[final] cap was 20 and is now 8"),
        ({"rest": "[final]"}, "[trial] is missing"),
        ({"rest": "[trial]\n[champions_league]\n[final]"}, "[champions_league] is new"),
        ({"teams": team_lines("ABCDEFGX")}, "the team 'H' is missing"),
        ({"teams": team_lines("ABCDEFGHI")}, "the team 'I' is new"),
        ({"teams": team_lines("ABCDEFGH", "Z")}, "the team 'A' was in group A and is now in group Z"),
        (
            {"teams": team_lines("ABCDEFGH", player=lambda number: f"random:seed={10 * number}")},
            "the player of 'A' was 'random:seed=1' and is now 'random:seed=10' (use 'spielleiter contest submit')",
        ),
    ],
)
def test_what_decides_the_games_may_not_change(changes: dict[str, str], message: str) -> None:
    assert differences(base(), base(**changes), with_program=EIGHT)[0].en == message


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rest": "[trial]\n[final]\ndates = [2027-05-01, 2027-05-02, 2027-05-03]"},
        {"rest": "[trial]\ndeadline = 2027-02-01\n[final]"},
        {"season": "memory = 800"},
        {"season": 'sandbox = "auto"'},
        {"season": "max_versions = 3\nmax_upload = 5"},
        {"teams": team_lines("ABCDEFGH").replace('player = "', 'school = "x"\nplayer = "')},
    ],
)
def test_dates_and_the_like_may_change(changes: dict[str, str]) -> None:
    assert differences(base(), base(**changes), with_program=EIGHT) == []


def test_the_first_program_of_a_team_may_change_until_it_plays() -> None:
    changed = base(teams=team_lines("ABCDEFGH").replace("random:seed=1", "greedy", 1))
    assert differences(base(), changed) == []
    assert differences(base(), changed, with_program={"B"}) == []
    (found,) = differences(base(), changed, with_program={"A"})
    assert found.de.startswith("der Spieler von 'A' war 'random:seed=1' und ist jetzt 'greedy'")
