from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from spielleiter.contest.accounts import accounts
from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run import news, programs, rulings
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance
from spielleiter.contest.run.proof import prove
from spielleiter.contest.run.standings import group_standings, totals
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.contest.store import (
    AccountRow,
    AuditRow,
    EncounterRow,
    GameRow,
    LotRow,
    MatchdayRow,
    SeasonRow,
    TeamRow,
)
from spielleiter.errors import ContestError, WrongPassword
from spielleiter.game import Text
from tests.support.clocks import WallClock, wrong_clock
from tests.support.contest_small_season import found, play, season_text

pytestmark = pytest.mark.slow

CHAMPIONSHIP = Until(Stage.CHAMPIONSHIP)


def test_an_annulled_game_stays_and_is_played_again(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        rulings.annul(contest, "m1-a1-2", "the hall was on fire", who="Eva")
        with contest.store.reading() as session:
            encounter = rulings.find_encounter(session, "M1-A1")
            assert (encounter.games, encounter.finished, encounter.winner_id) == (1, None, None)
        play(contest)
        with contest.store.reading() as session:
            games = session.scalars(
                select(GameRow)
                .where(GameRow.encounter_id == encounter.id, GameRow.number == 2)
                .order_by(GameRow.attempt)
            ).all()
            assert [(game.attempt, game.annulled) for game in games] == [(1, True), (2, False)]
            # The same start and the same players: the same game once more.
            assert games[0].final == games[1].final
            entry = session.scalars(select(AuditRow)).one()
            assert (entry.who, entry.action, entry.subject) == ("Eva", "annul", "M1-A1-2")
            assert entry.reason == "the hall was on fire"
        assert prove(contest).difference is None


def test_a_result_on_which_games_were_played_cannot_be_changed(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest)
        for change in (
            lambda: rulings.annul(contest, "M1-A1", "too late", who="Eva"),
            lambda: rulings.disqualify(contest, "Ada", "too late", who="Eva", subject="M1-A1"),
            lambda: rulings.annul(contest, "F1-1", "too late", who="Eva"),
        ):
            with pytest.raises(ContestError, match=r"cannot be changed any more|does not play in"):
                change()
        assert prove(contest).difference is None


def test_what_was_only_drawn_is_drawn_anew_after_a_ruling(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        with contest.store.transaction() as session:
            # Draw the final without playing it.
            assert advance(session, contest.season).stage is Stage.FINAL
            best = group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A").rows[0].team
            lost = session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.CHAMPIONSHIP)).all()
            keys = [one.key for one in lost if best in (one.first.name, one.second.name)]
        for key in keys:
            rulings.disqualify(contest, best, "cheated", who="Eva", subject=key)
        with contest.store.reading() as session:
            assert session.scalars(select(MatchdayRow).where(MatchdayRow.stage == Stage.FINAL)).all() == []
            assert session.scalars(select(LotRow)).all() == []
            sums = totals(session, Stage.CHAMPIONSHIP, "A")[best]
            assert (sums.won, sums.drawn, sums.lost, sums.secondary) == (0, 0, 6, 0)
        play(contest)
        assert prove(contest).difference is None


def test_a_disqualified_game_counts_nothing_for_the_team_and_a_win_for_the_other(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        with contest.store.reading() as session:
            encounter = rulings.find_encounter(session, "M1-A1")
            before = session.scalars(
                select(GameRow).where(GameRow.encounter_id == encounter.id).order_by(GameRow.number)
            ).all()
        rulings.disqualify(contest, encounter.first.name, "two programs at once", who="Eva", subject="M1-A1-1")
        with contest.store.reading() as session:
            game = session.get_one(GameRow, before[0].id)
            assert (game.points_first, game.secondary_first) == (0, 0)
            assert (game.points_second, game.secondary_second) == (2, before[0].secondary_second)
        rulings.disqualify(contest, encounter.second.name, "it as well", who="Eva", subject="M1-A1-1")
        with contest.store.reading() as session:
            game = session.get_one(GameRow, before[0].id)
            assert (game.points_first, game.points_second, game.secondary_second) == (0, 0, 0)
        assert prove(contest).difference is None


def test_a_disqualified_team_loses_what_it_has_not_played(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        rulings.disqualify(contest, "ada", "left the contest", who="Eva")
        with pytest.raises(ContestError, match="disqualified already"):
            rulings.disqualify(contest, "Ada", "again", who="Eva")
        play(contest, CHAMPIONSHIP)
        with contest.store.reading() as session:
            sums = totals(session, Stage.CHAMPIONSHIP, "A")["Ada"]
            walkovers = session.scalars(select(GameRow).where(GameRow.decision == "walkover")).all()
            assert len(walkovers) == 4
            assert sums.lost >= 4
            assert all("Ada" in game.reason_en for game in walkovers)
        assert prove(contest).difference is None


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("M9-Z9-1", "there is no encounter 'M9-Z9'"),
        ("nonsense", "there is no encounter 'nonsense'; an encounter is like M3-A2"),
        ("M1-A1-3", "M1-A1-3 has not been played yet"),
        ("M3-A1", "M3-A1 has not been played yet"),
    ],
)
def test_an_unknown_game_is_refused_with_what_was_expected(tmp_path: Path, subject: str, message: str) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        with pytest.raises(ContestError, match=message):
            rulings.annul(contest, subject, "because", who="Eva")
        with contest.store.reading() as session:
            assert session.scalars(select(AuditRow)).all() == []


def test_what_is_refused_is_reported_in_both_languages(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        for subject, german in (
            ("M9-Z9", "Eine Begegnung 'M9-Z9' gibt es nicht"),
            ("M1-A1-2", "M1-A1-2 ist noch nicht gespielt."),
            ("M1-A1", "M1-A1 ist noch nicht gespielt."),
        ):
            with pytest.raises(ContestError) as refused:
                rulings.annul(contest, subject, "why not", who="Eva")
            assert refused.value.text.de.startswith(german)
            assert refused.value.text.en == str(refused.value)
        with pytest.raises(ContestError) as refused:
            programs.activate(contest, "Nobody", who="Eva")
        assert refused.value.text.de.startswith("Ein Team 'Nobody' gibt es nicht")


def test_a_ruling_needs_a_reason_and_changes_nothing_without_one(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        with pytest.raises(ContestError, match="give a reason"):
            rulings.annul(contest, "M1-A1", "  ", who="Eva")
        with contest.store.reading() as session:
            assert session.scalars(select(GameRow).where(GameRow.annulled)).all() == []


def test_an_encounter_that_is_being_played_cannot_be_annulled(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        with contest.store.reading() as session:
            encounter = rulings.find_encounter(session, "M1-A1")
        claims = contest.store.claims()
        assert claims.take(encounter.id)
        with pytest.raises(ContestError, match="being played"):
            rulings.annul(contest, "M1-A1", "because", who="Eva")
        claims.close()
        rulings.annul(contest, "M1-A1", "because", who="Eva")


def test_a_paused_season_gives_no_games_until_it_is_resumed(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        rulings.pause(contest, True, who="Eva", reason="lunch")
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.PAUSE
        with contest.store.reading() as session:
            assert session.scalars(select(GameRow)).all() == []
            assert session.get_one(SeasonRow, 1).paused
        rulings.pause(contest, False, who="Eva")
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.NOTHING


def test_lots_by_hand_wait_for_a_person_and_keep_the_seed(tmp_path: Path) -> None:
    # Teams without programs lose everything, so that all are level.
    players = dict.fromkeys(("Ada", "Bit & Byte", "<script>alert(1)</script>", "Döner"), "")
    with found(tmp_path, season_text(players=players, season='lots = "by hand"')) as contest:
        with pytest.raises(ContestError, match="not over yet"):
            rulings.draw_by_hand(contest, Stage.CHAMPIONSHIP, "A", "1234", who="Eva")
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.LOT
        assert state.tie is not None
        assert len(state.tie.teams) == 4
        lot = rulings.draw_by_hand(contest, Stage.CHAMPIONSHIP, "A", "3 12 17 28 33 49", who="Eva")
        assert lot.seed == "3 12 17 28 33 49"
        with contest.store.reading() as session:
            rows = group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A").rows
            assert tuple(row.team for row in rows) == lot.order
        with pytest.raises(ContestError, match="no place of championship A needs a lot"):
            rulings.draw_by_hand(contest, Stage.CHAMPIONSHIP, "A", "again", who="Eva")
        state = play(contest)
        assert state is not None
        assert state.blocker is Blocker.NOTHING
        assert prove(contest).difference is None


def test_a_walkover_stays_proved_when_its_winner_is_disqualified_later(tmp_path: Path) -> None:
    with found(tmp_path, season_text(players={"Ada": ""})) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        with contest.store.reading() as session:
            wanted = select(EncounterRow).join(GameRow).where(GameRow.decision == "walkover").distinct()
            one = session.scalars(wanted).one()
        winner = one.second.name if one.first.name == "Ada" else one.first.name
        rulings.disqualify(contest, winner, "later", who="Eva")
        play(contest)
        assert prove(contest).difference is None


def test_a_clock_that_is_set_back_changes_nothing_about_a_disqualification(tmp_path: Path) -> None:
    with found(tmp_path) as contest, wrong_clock(WallClock()) as clock:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        rulings.disqualify(contest, "Ada", "left", who="Eva")
        ruling = last(contest)
        clock.error = -timedelta(hours=5)
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        assert prove(contest).difference is None
        with pytest.raises(ContestError, match="lost 2 games by walkover since"):
            rulings.undo(contest, ruling, who="Max")


def test_a_walkover_dated_by_a_clock_ahead_stays_won_by_a_team_disqualified_later(tmp_path: Path) -> None:
    with found(tmp_path, season_text(players={"Ada": ""})) as contest, wrong_clock(WallClock()) as clock:
        clock.error = timedelta(hours=5)
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        clock.error = timedelta()
        with contest.store.reading() as session:
            game = session.scalars(select(GameRow).where(GameRow.decision == "walkover")).first()
            assert game is not None
            winner = game.encounter.teams[game.points.index(2)].name
        rulings.disqualify(contest, winner, "later", who="Eva")
        assert prove(contest).difference is None


# --- asking and undoing -----------------------------------------------------------------------------------------------


def results(contest: Contest) -> list[tuple[object, ...]]:
    """Everything that a ruling may change."""
    with contest.store.reading() as session:
        games = session.scalars(select(GameRow).order_by(GameRow.id)).all()
        encounters = session.scalars(select(EncounterRow).order_by(EncounterRow.id)).all()
        lots = session.scalars(select(LotRow).order_by(LotRow.id)).all()
        teams = session.scalars(select(TeamRow).order_by(TeamRow.id)).all()
        return [
            *((game.id, game.annulled, game.decision, game.points_first, game.points_second) for game in games),
            *((one.key, one.games, one.won_first, one.won_second, one.winner_id) for one in encounters),
            *((lot.stage, tuple(lot.teams), lot.seed) for lot in lots),
            *((team.name, team.disqualified is None) for team in teams),
        ]


def last(contest: Contest) -> int:
    return read_snapshot(contest).undoable[0].id


def test_what_would_happen_is_said_and_nothing_happens(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        with contest.store.transaction() as session:
            advance(session, contest.season)  # The final is drawn.
        before = results(contest)
        said = rulings.annul(contest, "M1-A1", "fire", who="Eva", dry_run=True)
        assert said.en == (
            "M1-A1: 2 games will no longer count and be played again; the standings of Championship A change; "
            "2 encounters that are drawn but not played will be drawn anew."
        )
        assert "2 Spiele zählen nicht mehr" in said.de
        with contest.store.reading() as session:
            first = rulings.find_encounter(session, "M1-A1").first.name
        assert f"{first} loses 1 game in M1-A1-1; the standings" in (
            rulings.disqualify(contest, first, "copied", who="Eva", subject="M1-A1-1", dry_run=True).en
        )
        said = rulings.disqualify(contest, "Ada", "left", who="Eva", dry_run=True)
        assert re.match(r"Ada loses \d encounters? that (is|are) not finished yet, and all", said.en)
        assert results(contest) == before
        with contest.store.reading() as session:
            assert session.scalars(select(AuditRow)).all() == []


@pytest.mark.parametrize("ruling", ["annul", "disqualify in", "disqualify"])
def test_a_ruling_on_which_nothing_was_built_can_be_undone(tmp_path: Path, ruling: str) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        before = results(contest)
        with contest.store.reading() as session:
            first = rulings.find_encounter(session, "M1-A1").first.name
        match ruling:
            case "annul":
                rulings.annul(contest, "M1-A1", "fire", who="Eva")
            case "disqualify in":
                rulings.disqualify(contest, first, "copied", who="Eva", subject="M1-A1")
            case _:
                rulings.disqualify(contest, first, "left", who="Eva")
        changed = results(contest)
        assert changed != before
        rulings.undo(contest, last(contest), who="Max", dry_run=True)
        assert results(contest) == changed
        rulings.undo(contest, last(contest), who="Max", reason="a mistake")
        assert results(contest) == before
        with contest.store.reading() as session:
            entries = session.scalars(select(AuditRow).order_by(AuditRow.id)).all()
            assert [(entry.who, entry.action) for entry in entries] == [("Eva", ruling.split()[0]), ("Max", "undo")]
        assert not read_snapshot(contest).undoable
        with pytest.raises(ContestError, match="nothing to undo"):
            rulings.undo(contest, entries[0].id, who="Max")
        assert prove(contest).difference is None
        play(contest)
        assert prove(contest).difference is None


def test_what_was_built_on_is_not_undone(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        rulings.annul(contest, "M1-A1-1", "fire", who="Eva")
        annulled = last(contest)
        with contest.store.reading() as session:
            first = rulings.find_encounter(session, "M1-A2").first.name
        rulings.disqualify(contest, first, "copied", who="Eva", subject="M1-A2")
        taken = last(contest)
        play(contest, CHAMPIONSHIP)
        with pytest.raises(ContestError, match="has been played again already"):
            rulings.undo(contest, annulled, who="Max")
        play(contest)
        with pytest.raises(ContestError, match="cannot be changed any more"):
            rulings.undo(contest, taken, who="Max")
        assert prove(contest).difference is None


def test_walkovers_of_a_disqualified_team_are_annulled_before_it_plays_again(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        rulings.disqualify(contest, "Ada", "left", who="Eva")
        ruling = last(contest)
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        with pytest.raises(ContestError, match="lost 2 games by walkover since: annul them first"):
            rulings.undo(contest, ruling, who="Max")


def test_two_rulings_on_one_game_are_undone_in_reverse(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        play(contest, CHAMPIONSHIP)
        before = results(contest)
        with contest.store.reading() as session:
            one = rulings.find_encounter(session, "M1-A1")
        rulings.disqualify(contest, one.first.name, "copied", who="Eva", subject="M1-A1-1")
        earlier = last(contest)
        rulings.disqualify(contest, one.second.name, "it as well", who="Eva", subject="M1-A1")
        with pytest.raises(ContestError, match=f"undo number {last(contest)} first"):
            rulings.undo(contest, earlier, who="Max")
        rulings.undo(contest, last(contest), who="Max")
        rulings.undo(contest, earlier, who="Max")
        assert results(contest) == before


def test_what_was_removed_comes_back(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        store = contest.store
        message = news.write_news(store, Text("Titel", "Title"), Text("Inhalt", "Words"), who="Eva")
        news.remove_news(store, message.id, who="Eva")
        assert rulings.undo(contest, last(contest), who="Max").en == "The message is back."
        (again,) = read_snapshot(contest).news
        assert (again.title.de, again.text.en, again.at, again.who) == ("Titel", "Words", message.at, "Eva")

        token = accounts.invite(store, who="Eva", team="Ada")
        (invitation,) = accounts.open_invitations(store)
        accounts.revoke(store, invitation.id, who="Eva")
        rulings.undo(contest, last(contest), who="Max")
        accounts.accept(store, token, "grace", "a good long password")
        with store.reading() as session:
            account = session.scalars(select(AccountRow)).one()
        accounts.remove(store, account.id, by=accounts.Person(99, "Eva", None, "", True, account.created))
        rulings.undo(contest, last(contest), who="Max")
        (back,) = accounts.people(store)
        assert (back.name, back.team_id, back.organiser) == ("grace", account.team_id, False)
        with pytest.raises(WrongPassword):
            accounts.log_in(store, "grace", "a good long password")
        link = accounts.invite_again(store, back.id, who="Eva")
        assert accounts.accept(store, link, "", "another long password")
