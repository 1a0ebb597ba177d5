"""Hase und Igel on the wire: recorded scenarios byte for byte, spellings that are accepted, and states that cannot be.

Where the season's server is not followed: it closes silently at a move that it cannot read (``d_bad_card``,
``d_bad_number``, ``m_capital`` and the like), plays a move half before it refuses the rest (``k_swap_then_bad_card``),
accepts advances by 0 and backwards (R27), and stands still where neither hare can move (R20, ``k_standstill``).
"""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.errors import MessageError
from spielleiter.games import load
from spielleiter.games.hase_und_igel import Card
from spielleiter.games.hase_und_igel.moves import EAT_SALAD, FALL_BACK, Advance, ExchangeCarrots
from spielleiter.records.replay_xml import parse_replay, replay_bytes
from spielleiter.records.verify import verify_record
from spielleiter.wire.framing import parse_element
from tests.referee.test_recorded_scenarios import NEWEST, compared, perform
from tests.support.hase_und_igel_positions import play, position
from tests.support.theatre import _recordings as recorded_files
from tests.support.theatre import messages, recorded, roles, without_texts

GAME = load("hase-und-igel-2025-official")
YEAR = 2025


def scripts(names: str, script: str = "") -> dict[str, str]:
    """The same script for all these scenarios, or for each the one of the newest seasons."""
    return {name: script or NEWEST[name] for name in names.split()}


SCRIPTS = {
    **scripts("""
        b_cancel0 b_observe_late d_non_move e_hard e_notimeout f_observer_leaves g_comment g_latin1 g_move_while_paused
        g_no_roomid g_other_root g_out_of_turn g_response_tag g_stranger g_text_then_join g_two_moves_at_once
        g_unknown_attr g_utf8 g_wrong_room g_xml_header j_notimeout
    """),
    **scripts("""
        d_advance_negative d_advance_negative_start d_advance_zero d_beyond_goal d_card_on_normal_field
        d_eatsalad_not_there d_exchange_20 d_exchange_not_on_carrots d_fallback_no_hedgehog d_hare_card_not_owned
        d_hare_no_cards d_hedgehog d_market_no_card d_market_two_cards d_must_eat_salad d_occupied d_salad_twice
        d_second_player d_too_far d_unnamed f_close_old f_close_tag f_protocol_end i_violation2 k_kinds k_smart
    """, "aaa12 @"),
    **scripts("c_prepared c_unreserved d_exchange_ok d_salad_ok k_cancel_start", "aaa12 @ a"),
    **scripts("d_market_ok e_1700ms g_join_in_game g_sloppy m_distance_element m_full_class_name", "aaa12 1 a"),
    **scripts("b_cancel1 b_step1 b_step_forced1", "aaa1a"),
    **scripts("i_violation j_load0 j_load10 j_load20", "12 @"),
    **scripts("""
        k_award_after_end k_cards_chain k_exchange_too_poor k_fallback_card_when_behind k_fallback_occupied
        k_goal_no_reply_possible k_goal_salad_left k_goal_second_player k_goal_tie k_goal_too_many_carrots
        k_hare_no_card_given k_hurry_to_hedgehog k_hurry_to_market_no_buy k_hurry_when_ahead k_market_too_poor
        k_round_limit k_second_card_after_salad k_skip_end k_swap_beyond_salad
    """, "a1a2 @"),
    **scripts("k_cards_chain2 k_fallback_ok k_hurry_to_market_buys k_skip", "a1a2 @ a"),
    # Here the reference notified the administrator of the room and of the first join in the other order.
    **scripts("k_goal_reply k_salad_no_salad k_swap", "a1a2 @ | 12"),
    "k_position_awards": "a1a2 @ a | 12",
    "b_admin": "aaa oo 12 a1 a2 a1aaaa aaaaa | 12 ...",
    "b_step_forced0": "aaaa",
    "c_join": "a12 @ a",
    "e_hard_second": "aaa12 1 +10",
    "e_join_12s": "12 +12 1",
    "e_soft_2100ms": "aaa12 +2.1 1",
    "e_soft_5000ms": "aaa12 +5 1",
    "f_close_and_end": "aaa12 1 2 1 1",
    "f_fin": "aaa12 1 2 1!",
    "f_rst": "aaa12 1 2 1!",
    "g_no_password": "*",
    "h_end": "aaa12 @ ...",
    "j_paused": "12 aaa a 1 a | 12",
}  # fmt: skip


@pytest.mark.parametrize(("scenario", "script"), SCRIPTS.items())
def test_a_recorded_scenario_is_answered_as_the_reference_did(scenario: str, script: str) -> None:
    theatre, names = perform(YEAR, scenario, script)
    cancelled = any(b"<cancel " in recorded(YEAR, name, "c2s") for name in names.values())
    for letter in script.rstrip(" .").partition("| ")[2] or names:
        heard = compared(theatre.heard.get(names[letter], []), cancelled)
        expected = compared(messages(recorded(YEAR, names[letter], "s2c")), cancelled)
        assert heard == (expected[: max(len(heard), 2)] if script.endswith("...") else expected), names[letter]


def test_where_neither_hare_can_move_the_one_in_front_wins_at_once() -> None:
    theatre, _ = perform(YEAR, "k_standstill", "a1a2 @")
    said = theatre.heard[roles(YEAR, "k_standstill")["1"]]
    assert any(b'turn="60"' in message for message in said)
    assert any(b'regular="true"' in message for message in said)


def test_a_state_says_what_each_hare_has_and_did_last() -> None:
    state = play(position("3:60:5:ES:-", "12:7:4:F:-"), "+1 S")
    xml = GAME.codec.state_writer(("", ""))(state, ())
    assert (
        '\n        <hare team="ONE" position="4" salads="5" carrots="7">'
        '\n          <lastAction class="card">SWAP_CARROTS</lastAction>'
        "\n          <cards>\n            <card>EAT_SALAD</card>\n          </cards>\n        </hare>"
    ) in xml
    assert xml.endswith(
        '\n        <lastMove class="advance" distance="1">\n          <card>SWAP_CARROTS</card>'
        "\n        </lastMove>\n      </state>"
    )


@pytest.mark.parametrize(
    ("xml", "move"),
    [
        ('<data class="advance" distance="3"/>', Advance(3)),
        (
            '<data class="sc.plugin2025.Advance" distance="3"><card>EAT_SALAD</card></data>',
            Advance(3, (Card.EAT_SALAD,)),
        ),
        ('<data class="Advance"><distance>3</distance></data>', Advance(3)),
        ('<data class="eatsalad"/>', EAT_SALAD),
        ('<data class="EatSalad"/>', EAT_SALAD),
        ('<data class="fallback"/>', FALL_BACK),
        ('<data class="exchangecarrots" amount="-10"/>', ExchangeCarrots(-10)),
    ],
)
def test_a_move_is_read(xml: str, move: object) -> None:
    assert GAME.codec.read_move(parse_element(xml)) == move


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        ('<data class="advance"/>', "distance"),
        ('<data class="advance" distance="far"/>', "distance"),
        ('<data class="advance" distance="1"><card>RUN</card></data>', "card"),
        ('<data class="advance" distance="1">' + "<card>EAT_SALAD</card>" * 65 + "</data>", "cards"),
        ('<data class="exchangecarrots"/>', "amount"),
        ('<data class="card"/>', "class"),
        ("<data/>", "class"),
    ],
)
def test_a_move_that_cannot_be_read_is_refused_with_what_was_expected(xml: str, said: str) -> None:
    with pytest.raises(MessageError, match=said):
        GAME.codec.read_move(parse_element(xml))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("<field>GOAL</field>", "<field>HARE</field>", "R1"),
        ("<field>GOAL</field>", "", "65 fields"),
        ('turn="0"', 'turn="61"', "R21"),
        ('team="TWO"', 'team="ONE"', "only one hare"),
        ('carrots="68"', 'carrots="-1"', "R4"),
        ('salads="5"', 'salads="6"', "R4"),
        ('position="0"', 'position="65"', "R1"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_the_rule(old: str, new: str, rule: str) -> None:
    xml = GAME.codec.state_writer(("", ""))(GAME.new_state(Random(1)), ())
    assert old in xml
    with pytest.raises(MessageError, match=rule):
        GAME.codec.read_state(parse_element(xml.replace(old, new, 1)))


def test_the_fragments_of_the_score_are_those_of_the_season() -> None:
    assert [(part.name, part.aggregation, part.ranking) for part in GAME.scores] == [
        ("Siegpunkte", "SUM", True),
        ("Feldnummer", "AVERAGE", True),
        ("Karotten", "AVERAGE", True),
    ]


@pytest.mark.parametrize("name", ["i_replay_sample.xml", "i_replay_violation.xml", "i_replay_violation2.xml"])
def test_a_replay_of_the_server_is_read_and_written_byte_for_byte(name: str) -> None:
    data = recorded_files()[f"{YEAR}/{name}"]
    record = parse_replay(data, name)
    assert record.game_key == GAME.key
    assert verify_record(record).findings == ()
    assert without_texts(replay_bytes(record)) == without_texts(data)
