"""What a hall is told of two teams before their first game."""

from __future__ import annotations

from dataclasses import replace

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import Encounter, SeasonSnapshot
from spielleiter.pages.season.introduction import introduce


def _with(snapshot: SeasonSnapshot, encounters: list[Encounter]) -> SeasonSnapshot:
    return replace(snapshot, encounters=tuple(encounters))


def test_a_team_without_a_game_is_introduced_as_new(played: Contest) -> None:
    snapshot = read_snapshot(played)
    first = next(each for each in snapshot.encounters if each.stage is Stage.CHAMPIONSHIP)
    one, two = introduce(_with(snapshot, [first]), first)
    assert (one.record.de, one.sentence.de, one.style) == (
        "noch kein Spiel",
        "Die erste Begegnung dieser Saison.",
        None,
    )
    assert one.team == first.teams[0]
    assert two.team == first.teams[1]


def test_the_record_and_the_last_duel_are_those_of_the_encounters_before(played: Contest) -> None:
    snapshot = read_snapshot(played)
    base = next(each for each in snapshot.encounters if each.stage is Stage.CHAMPIONSHIP and each.games)
    duel = replace(base, id=901, won=(3, 1), drawn=2, games=6, secondary=(60, 30), winner=0)
    coming = replace(base, id=902, finished=None, games=0, won=(0, 0), drawn=0)
    one, two = introduce(_with(snapshot, [duel, coming]), coming)
    assert one.record.de == "3 gewonnen, 2 unentschieden, 1 verloren"
    assert two.record.en == "1 won, 2 drawn, 3 lost"
    assert one.sentence.de == "Hat das letzte Duell 3 : 1 gewonnen."
    assert two.sentence.de == "Will die Revanche: das letzte Duell ging 1 : 3 aus."
    assert one.style is not None
    assert one.style.de.endswith("im Schnitt: 10,0 (alle: 7,5)")


def test_without_a_duel_the_best_that_is_true_is_said(played: Contest) -> None:
    snapshot = read_snapshot(played)
    base = next(each for each in snapshot.encounters if each.stage is Stage.CHAMPIONSHIP and each.games)
    stranger = replace(base.teams[1], id=999, name="Stranger")
    met = replace(base, teams=(base.teams[0], stranger), games=4, drawn=0)
    won, lost = replace(met, won=(3, 1), winner=0), replace(met, won=(1, 3), winner=1)
    cases = {
        "Has won every encounter so far.": [won, won],
        "Has won its last 3 encounters.": [lost, won, won, won],
        "Highest win: 3 : 1 against Stranger.": [won, lost],
        "Still waits for its first win.": [lost],
    }
    for sentence, before in cases.items():
        coming = replace(base, id=902, finished=None, games=0)
        numbered = [replace(each, id=910 + at) for at, each in enumerate(before)]
        known = replace(snapshot, teams={**snapshot.teams, stranger.id: stranger})
        assert introduce(_with(known, [*numbered, coming]), coming)[0].sentence.en == sentence
