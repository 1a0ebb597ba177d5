"""Ratings over several matches: all games count once, versions are told apart, and wrong sources are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spielleiter.errors import RecordError, SettingsError
from spielleiter.game import Team, Text
from spielleiter.lab.match_ratings import rate_matches
from spielleiter.matches.plan import PLAN, RESULTS, MatchPlan, claim_folder
from spielleiter.matches.results import MatchGame, ResultFile
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.side_result import SideResult
from spielleiter.rating.elo import estimate

GAME = "piranhas-2026"


def played(folder: Path, one: str, two: str, points: str, *, game: str = GAME, version: str = "") -> Path:
    """A match in which ``one`` wins (1), draws (=) and loses (0) games one after the other, sides changed."""
    entrants = tuple(Entrant(name=name, text=name + version, kind=EntrantKind.BUILT_IN) for name in (one, two))
    claim_folder(folder, MatchPlan(game=game, entrants=entrants), resume=False)
    file = ResultFile(folder / RESULTS)
    for at, point in enumerate(points):
        names = (one, two) if at % 2 == 0 else (two, one)
        won = None if point == "=" else Team.ONE if (point == "1") == (names[0] == one) else Team.TWO
        sides = (SideResult(name=names[0], points=()), SideResult(name=names[1], points=()))
        file.append(
            MatchGame(
                id=f"1v2-{at // 2:05d}{'ab'[at % 2]}", pair=f"1v2-{at // 2:05d}", sides=sides, winner=won, counts=True,
                reason=Text("", ""), start="", final="", plies=0, seconds=0.0, started="",
            )
        )  # fmt: skip
    file.close()
    return folder


def test_several_matches_make_one_list(tmp_path: Path) -> None:
    paths = [played(tmp_path / "a", "ada", "bob", "1110" * 5), played(tmp_path / "b", "bob", "cem", "11=0" * 5)]
    found = rate_matches(paths, {"bob": 1000.0})
    assert [rating.player for rating in found.ratings.ratings] == ["ada", "bob", "cem"]
    assert (found.games, found.ratings.of("bob").games, found.ratings.of("bob").elo) == (40, 40, 1000.0)
    assert found.cross["ada", "bob"].results.won == 15
    assert found.superiority("ada", "cem") > 0.95
    data = json.loads(json.dumps(found.to_json()))
    assert data["meetings"][0].pop("superiority") > 0.95
    assert data["meetings"][0] == {"player": "ada", "opponent": "bob", "won": 15, "drawn": 0, "lost": 5}


def test_who_won_every_game_against_one_opponent_has_the_bound_that_match_shows(tmp_path: Path) -> None:
    alone = rate_matches([played(tmp_path / "a", "ada", "bob", "1" * 60)])
    assert any("all 60 games: at least 357 Elo stronger than bob" in note.en for note in alone.notes)
    third = rate_matches([tmp_path / "a", played(tmp_path / "b", "bob", "cem", "10")])
    assert not any("357" in note.en for note in third.notes), "by all games together it is another one"


def test_the_same_pair_of_two_matches_is_two_pairs(tmp_path: Path) -> None:
    paths = [played(tmp_path / name, "ada", "bob", "11") for name in "ab"]
    assert rate_matches(paths).cross["ada", "bob"].pairs.pairs == 2


def test_versions_of_a_player_are_rated_apart_unless_they_are_merged(tmp_path: Path) -> None:
    paths = [
        played(tmp_path / "a", "ada", "bob", "1100"),
        played(tmp_path / "b", "ada", "bob", "1111", version=":seed=2"),
    ]
    apart = rate_matches(paths)
    assert len({rating.player.partition("@")[0] for rating in apart.ratings.ratings}) == 2
    assert len(apart.ratings.ratings) == 4
    assert apart.notes[0].en == "Changed between the matches, so each version is rated for itself: ada, bob."
    together = rate_matches(paths, merge_names=True)
    assert [rating.player for rating in together.ratings.ratings] == ["ada", "bob"]
    assert together.notes[0].en == "Changed between the matches, rated as one here: ada, bob."


def test_wrong_sources_are_refused(tmp_path: Path) -> None:
    good = played(tmp_path / "a", "ada", "bob", "1100")
    other = played(tmp_path / "b", "ada", "bob", "1100", game="blokus-2027")
    with pytest.raises(SettingsError, match="one game is rated at a time, found: blokus-2027, piranhas-2026"):
        rate_matches([good, other])
    with pytest.raises(SettingsError, match="--anchor adda: did you mean ada"):
        rate_matches([good], {"adda": 3.0})
    with pytest.raises(SettingsError, match=f"not a match folder: {PLAN} is missing"):
        rate_matches([tmp_path])
    with pytest.raises(SettingsError, match="no game of these matches counts yet"):
        rate_matches([played(tmp_path / "c", "ada", "bob", "")])
    (tmp_path / "games.txt").write_text("nonsense\n")
    with pytest.raises(RecordError, match=r"games.txt:1: expected 8 columns"):
        rate_matches([tmp_path / "games.txt"])


def test_two_players_have_the_los_that_their_match_shows(tmp_path: Path) -> None:
    results = "1001" * 30 + "0=01" * 2
    found = rate_matches([played(tmp_path / "a", "ada", "bob", results)])
    los = estimate(found.cross["ada", "bob"]).superiority
    assert 0.05 < los < 0.45
    assert found.superiority("ada", "bob") == los
    assert found.superiority("bob", "ada") == pytest.approx(1 - los)
    # With a third player their games count, too.
    third = rate_matches([tmp_path / "a", played(tmp_path / "b", "bob", "cem", "1000" * 9)])
    assert third.superiority("ada", "bob") != los
