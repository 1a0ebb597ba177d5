"""Recorded scenarios that end as on the reference servers: every message to everybody, byte for byte.

A script says who speaks next. A letter lets that connection send its next recorded message; ``@`` lets whoever is
asked for a move send one, as long as there is one; ``+2.1`` lets time pass; ``1!`` lets a connection hang up. Behind a
bar stand the connections that are compared, if not all are. A script that ends with dots is the beginning of a
scenario, and what was heard is the beginning of what was recorded.

Three things are left out of the comparison everywhere. A cancelled game has a winner for some reference servers, and
none for us. The points of an offender are 0 for us (RULES.md, Faults), and not for all of them. And we always close
our document, while the newest servers do so only after ``<close/>``.
Where we differ otherwise, test_room.py and test_lobby.py say how.
"""

import re

import pytest

from spielleiter.games import load
from spielleiter.referee import LobbySettings
from tests.support.theatre import (
    OFFICIAL,
    PASSWORD,
    SEASONS,
    Theatre,
    messages,
    recorded,
    recorded_ids,
    recorded_start,
    roles,
    without_texts,
)

NEWEST = {
    "b_admin": "aaa12 a1 a2 aa1 a2 aa1 aaa aa 1 a",
    "b_cancel0": "aaaa",
    "b_observe_late": "aa12 @ | 12 ...",
    "b_step_forced0": "aaaaa",
    "b_step_forced1": "aaa1aa",
    "c_prepared": "aaa 1 xxx 2 2 1 a",
    "c_unreserved": "aaa12 1 a",
    "d_non_move": "aaa12 1 a",
    "d_out_of_bounds": "aaa12 1 a",
    "d_unnamed": "a1a2 1",
    "e_1900ms": "aaa12 +1.9 1 a",
    "e_hard": "aaa12 +10 1",
    "e_notimeout": "aaa12 +12 1 a",
    "e_soft_2100ms": "aaa12 +2.1 1 a",
    "e_soft_9500ms": "aaa12 +9.5 1 a",
    "f_active_leaves": "aaa12 1!",
    "f_close_and_end": "aaa12 1 1 1",
    "f_close_tag": "aaa12 1 1",
    "f_fin": "aaa12 1 1!",
    "f_observer_leaves": "aaa12 a! 1 2 ...",
    "f_protocol_end": "aaa12 1 1",
    "f_rst": "aaa12 1 1!",
    "g_comment": "*",
    "g_join_in_game": "aaa12 1",
    "g_latin1": "*",
    "g_move_while_paused": "aaa12 1",
    "g_no_roomid": "aaa12 1 a",
    "g_other_root": "*",
    "g_out_of_turn": "aaa12 2",
    "g_response_tag": "*",
    "g_stranger": "aaa12 x a",
    "g_text_then_join": "*",
    "g_two_moves_at_once": "aaa12 11",
    "g_unknown_attr": "*",
    "g_utf8": "*",
    "g_wrong_room": "aaa12 1 1 a",
    "g_xml_header": "*",
    "j_notimeout": "12 +12 1",
    "j_paused": "12 aaa 1 aa | 12",
}
SCRIPTS = {
    2019: {
        "a0_handshake_silent": "**",
        "b_admin": "aaa12 1212 a1 a2 aa1 aa2 aa ...",
        "b2_startpaused": "aaa12 a1 a2 a1 a a! 2 1 ...",
        "b5_admin_sees_join": "a12aa @ | 12",
        "b6_doublestep": "aaa12 aa1 a 2 12 12 12 12 1 ...",
        "b8_escape": "aa12 @ | 2",
        "b9_overwhilepaused": "a1a2 1 a ...",
        "d_invalid_blocked": "aaa12 @ | 2",
        "d_invalid_childelements": "aaa12 @",
        "d_invalid_emptyfield": "aaa12 @ | 2",
        "d_invalid_fqcn": "aaa12 @",
        "d_invalid_hint": "aaa12 @",
        "d_invalid_off": "aaa12 @ | 2",
        "d_invalid_oneline": "aaa12 @ ...",
        "d_invalid_opponentfish": "aaa12 @ | 2",
        "d_invalid_unknownattr": "aaa12 @",
        "d_invalid_x10_RIGHT": "aaa12 @ | 2",
        "d_invalid_xneg_UPRIGHT": "aaa12 @ | 2",
        "d2_invalid_obst": "aaa12 @ | 1",
        "d2_invalid_own": "aaa12 @ | 2",
        "e_timeout_blue_never": "aaa12 @ +10",
        "e_timeout_cantimeout_false_12s": "aaa12 1 2 +12 1 ...",
        "e_timeout_never": "aaa12 1 2 +10 ...",
        "e_timeout_reply_after_1.80s": "aaa12 1 2 +1.8 1",
        "e_timeout_reply_after_1.95s": "aaa12 1 2 +1.95 1",
        "e_timeout_reply_after_2.05s": "aaa12 1 2 +2.05 1",
        "e_timeout_reply_after_2.30s": "aaa12 1 2 +2.3 1",
        "f_disconnect_offturn_fin": "aaa12 1 2 2!",
        "f_disconnect_onturn_closealias": "aaa12 1 2 1",
        "f_disconnect_onturn_closeobj": "aaa12 1 2 1",
        "f_disconnect_onturn_fin": "aaa12 1 2 1!",
        "f_disconnect_onturn_halfclose": "aaa12 1 2 1!",
        "f_disconnect_onturn_protocolend": "aaa12 1 2 1",
        "f_disconnect_onturn_rst": "aaa12 1 2 1!",
        "g_errors_bom": "*",
        "g_errors_comment": "*",
        "g_errors_objectstream": "*",
        "g_errors_unknownattr": "*",
        "g_errors_xmldecl": "*",
        "h_end": "aaa12 " + "12" * 30 + "...",
        "k_bothequal_continues": "12 @",
        "k_swarmwin": "12 @",
    },
    2021: {
        "b": "aaa oo 12 a1 aa2 aaaa 1 a2 a ...",
        "b6-doubleauth": "**",
        "c2": "a12a | 12",
        "d": "aaa12 @ | a2",
        "d2": "aaa12 @ | a1",
        "d3-outside": "aaa12 @ | a2",
        "d3-skipfirst": "aaa12 @ | a2",
        "d3-wrongcolor": "aaa12 @ | a2",
        "d3-wrongshape": "aaa12 @ | a2",
        "e1b": "aaa12 1 +2.05 2",
        "e3": "aaa12 +12 1 a",
        "f1": "aaa12 @ 1!",
        "f2": "aaa12 @ 2!",
        "f3": "aaa12 1 2 1 1",
        "f4": "aaa12 1 2 1",
        "f6": "aaa12 a! @",
        "h": "aaa12 a ...",
        "i": "aaa12 @ | a2",
        "m-sc.plugin2021.SetMove": "aaa12 @ a",
        "n": "aaa12 @ a",
    },
    2022: {
        "b": "aaa oo 12 a1 aa2 aaaa 1 a2 aa",
        "b2": "aaa12 @",
        "b3": "aa1aa | 1",
        "b4": "aaa1a",
        "b6-doubleauth": "**",
        "b6-noauth": "*",
        "b6-unknownroom": "**",
        "c1": "aa1a",
        "c1-invalid": "*",
        "c2": "a12a | 12",
        "c2-invalid": "*",
        "c3-missing": "*",
        "d": "aaa12 @",
        "d2": "aaa12 @",
        "d3-blocked": "aaa12 @",
        "d3-empty": "aaa12 @",
        "d3-nodata": "aaa12 @",
        "d3-nofrom": "aaa12 @",
        "d3-offboardfrom": "aaa12 @",
        "d3-outside": "aaa12 @",
        "d3-wrongcolor": "aaa12 @",
        "e3": "aaa12 +12 1 a",
        "f1": "aaa12 @ 1!",
        "f2": "aaa12 @ 2!",
        "f3": "aaa12 1 2 1 1",
        "f4": "aaa12 1 2 1",
        "f6": "aaa12 a! @",
        "g1-comment": "*",
        "g1-otherroot": "*",
        "g1-text": "*",
        "g1-unknownattr": "*",
        "g1-unknownchild": "*",
        "g1-xmldecl": "*",
        "g2-left": "*",
        "g2-nonmove": "aaa12 @",
        "g2-response": "*",
        "g3-missing": "*",
        "g5": "aaa12 2",
        "g5b": "aaa12 11",
        "g5d-paused": "aaa12 1",
        "g6": "aaa12 1",
        "g6c": "aaa12 1 | a1",
        "h": "aaa12 a ...",
        "i": "aaa12 @",
        "i2": "12 @",
        "m-move": "aaa12 @ a",
        "m-sc.plugin2022.Move": "aaa12 @ a",
        "n": "aaa12 @ a",
    },
    2023: {
        "b_admin": "aaa12 a oo 1 a2 aaaa 1 aaaaaaa",
        "b_cancel0": "aaaa",
        "b_cancel1": "aaa1a",
        "b_observe_late": "aaa12 @ a",
        "b_step1": "aaa1a",
        "b_step_forced0": "aaaa",
        "b_step_forced1": "aaa1a",
        "c_join": "a12a",
        "c_join_plain": "a12 1!",
        "c_prepared": "aaa21a",
        "c_unreserved": "aaa12a",
        "d_empty_from": "aaa12 @",
        "d_from_odd_parity": "aaa12 @",
        "d_no_to": "aaa12 @",
        "d_no_x": "aaa12 @ | 2",
        "d_nodata": "aaa12 @ a",
        "d_non_move": "aaa12 @ a",
        "d_not_straight": "aaa12 @",
        "d_off_board": "aaa12 @",
        "d_onto_hole": "aaa12 @",
        "d_onto_penguin": "aaa12 @",
        "d_opponents_penguin": "aaa12 @",
        "d_over_gap": "aaa12 @",
        "d_place_fifth": "aaa12 @",
        "d_place_hole": "aaa12 @",
        "d_place_odd_parity_two_fish": "aaa12 @",
        "d_place_penguin": "aaa12 @",
        "d_place_second_player": "aaa12 @",
        "d_place_two_fish": "aaa12 @",
        "d_place_unnamed": "aaa12 @",
        "d_same_field": "aaa12 @",
        "d_slide_before_any_penguin": "aaa12 @",
        "d_slide_while_placing": "aaa12 @",
        "e_1700ms": "aaa12 +1.7 1a",
        "e_notimeout": "aaa12 +12 1a",
        "f_close2": "aaa12 @",
        "f_close_and_end": "aaa12 1 2 1 1",
        "f_close_tag": "aaa12 @",
        "f_fin": "aaa12 @ 1!",
        "f_inactive_leaves": "aaa12 @ 2!",
        "f_observer_leaves": "aaa12 1 a! 2 1!",
        "f_protocol_end": "aaa12 @",
        "f_rst": "aaa12 @ 1!",
        "g_comment": "*",
        "g_join_in_game": "aaa12 1 a 1!",
        "g_latin1": "*",
        "g_move_while_paused": "aaa12 1",
        "g_no_roomid": "aaa12 @ a",
        "g_other_root": "*",
        "g_out_of_turn": "aaa12 2",
        "g_response_tag": "*",
        "g_sloppy": "aaa12 @ a",
        "g_stranger": "aaa12 x a",
        "g_text_then_join": "*",
        "g_two_moves_at_once": "aaa12 11",
        "g_unknown_attr": "*",
        "g_utf8": "*",
        "g_wrong_room": "aaa12 1 1 a",
        "g_xml_header": "*",
        "h_end": "aaa12 @ ...",
        "i_violation2": "aaa12 @",
        "j_load0": "12 @",
        "j_load10": "12 @",
        "j_load20": "12 @",
        "j_paused": "aa12 aa 1 a | 12",
        "k_pass": "aaa12 @",
        "k_pass_paused": "aaa12 " + "a1a2" * 23 + "a1",
        "m_from_null_first_order": "aaa12 @ a",
        "m_full_class_name": "aaa12 @ a",
    },
    2026: {
        **NEWEST,
        "d_empty_start": "aaa12 1 a",
        "d_jump": "aaa12 1",
        "d_squid": "aaa12 1",
        "d_wrong_start": "aaa12 1 a",
        "j_load": "12",
    },
    2027: {
        **NEWEST,
        "b_cancel1": "aaa1a",
        "b_step_forced_join": "a1aa",
        "d_not_on_border": "aaa12 1 a",
        "d_skip_first": "aaa12 1 a",
        "d_wrong_color": "aaa12 1 a",
        "d_wrong_shape": "aaa12 1 a",
        "d2_duplicate": "aaa12 @",
        "d2_no_corner": "aaa12 @",
        "d2_obstructed": "aaa12 @",
        "d2_skip_ok": "aaa12 @ a",
        "d2_skip_wrong_color": "aaa12 @",
        "d2_touches": "aaa12 @",
    },
}
SCENARIOS = [(year, name, script) for year in SEASONS for name, script in SCRIPTS.get(year, {}).items()]


def perform(year: int, scenario: str, script: str) -> tuple[Theatre, dict[str, str]]:
    game = load(OFFICIAL[year])
    names = roles(year, scenario)
    said = {letter: recorded(year, name, "s2c") for letter, name in names.items()}
    # A player has seen the start, an observer may have come later.
    states = [said[letter] for letter in sorted(said, key="123ao*x".index) if b"<state " in said[letter]]
    ids = [known for letter in sorted(said, key="ax12o3*".index) for known in recorded_ids(said[letter])]
    theatre = Theatre(
        game,
        start=recorded_start(game, states[0]) if states else None,
        ids=list(dict.fromkeys(ids)),
        settings=LobbySettings(
            password="secret" if scenario == "j_paused" else PASSWORD,
            paused=scenario == "j_paused",
            timeouts=scenario != "j_notimeout",
        ),
    )
    waiting = {letter: messages(recorded(year, name, "c2s")) for letter, name in names.items()}
    for cue in re.findall(r"\+[\d.]+|\S!|[^\s.]", script.partition("|")[0]):
        if cue[0] == "+":
            theatre.wait(float(cue[1:]))
        elif cue[1:] == "!":
            theatre.hang_up(names[cue[0]])
        elif cue == "@":
            while asked := [letter for letter, name in names.items() if theatre.asked[name] and waiting[letter]]:
                theatre.say(names[asked[0]], waiting[asked[0]].pop(0))
        else:
            theatre.say(names[cue], waiting[cue].pop(0))
    assert script.endswith("...") or not any(waiting.values()), "the script does not use all messages"
    return theatre, names


def compared(stream: list[bytes], cancelled: bool) -> list[bytes]:
    messages = (without_texts(message) for message in stream if message != b"\n</protocol>")
    return [
        re.sub(
            rb'<score cause="(?!REGULAR).*?</score>',
            lambda score: re.sub(rb"<part>\d+", b"<part>0", score[0]),
            message,
            flags=re.DOTALL,
        )
        for message in messages
        if not (cancelled and b'<data class="result">' in message)
    ]


@pytest.mark.parametrize(("year", "scenario", "script"), SCENARIOS)
def test_a_recorded_scenario_is_answered_as_the_reference_did(year: int, scenario: str, script: str) -> None:
    theatre, names = perform(year, scenario, script)
    cancelled = any(b"<cancel " in recorded(year, name, "c2s") for name in names.values())
    for letter in script.rstrip(" .").partition("| ")[2] or names:
        heard = compared(theatre.heard.get(names[letter], []), cancelled)
        expected = compared(messages(recorded(year, names[letter], "s2c")), cancelled)
        assert heard == (expected[: max(len(heard), 2)] if script.endswith("...") else expected), names[letter]
