"""What a page of the workshop asks and hears, without a browser: the same module runs in Python as in Pyodide."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.search import engine
from spielleiter.workshop import session
from spielleiter.workshop.program import MAX_CODE, MAX_PRINTED
from spielleiter.workshop.starter import first_player

KEY = "ostseeschach-2022"
GAME = games.load(KEY)
START = GAME.notation.format_state(GAME.new_state(Random(3)))
FIRST = "def choose(state, seconds):\n    return state.legal_moves()[0]\n"
RATING = """\
def choose(state, seconds):
    return max(state.legal_moves(), key=lambda move: rate(state.play(move), state.to_move))


def rate(state, me):
    return len(state.legal_moves()) if state.to_move is me else -len(state.legal_moves())
"""
LATE = """\
def choose(state, seconds):
    if state.turn > 8:
        return favourite[state.turn]
    return state.legal_moves()[0]
"""
SAME = """\
first = None


def choose(state, seconds):
    global first
    first = first or state.legal_moves()[0]
    return first
"""


def ask(do: str, code: str = FIRST, **more: Any) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    request = {"do": do, "game": KEY, "language": "de", "name": "hugo", "code": code, "opponent": "random", **more}
    session.handle(json.dumps(request), lambda line: heard.append(json.loads(line)))
    assert heard.pop()["event"] == "done"
    return heard


def events(heard: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in heard if event["event"] == kind]


def problem_of(heard: list[dict[str, Any]]) -> dict[str, Any]:
    [found] = [event.get("problem") or event for event in heard if event["event"] in ("problem", "end")]
    return found


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("def choose(state, seconds)\n    return 1\n", 1, "fehlt ein Doppelpunkt"),
        ("def choose(state, seconds):\nreturn 1\n", 2, "muss etwas Eingerücktes kommen"),
        ("def choose(state, seconds):\n    return max((1, 2)\n", 2, "Die Klammer ( wird nie geschlossen"),
        (
            "def choose(state, seconds):\n    while True:\n        pass\n",
            (2, 3),
            "rechnet nach 0,2 Sekunden immer noch",
        ),
        ("def choose(state, seconds):\n    while True: pass\n", 2, "rechnet nach 0,2 Sekunden immer noch"),
        (
            "def choose(state, seconds):\n    while True:\n        try:\n            while True:\n"
            "                pass\n        except Exception:\n            pass\n",
            (4, 5),
            "rechnet nach 0,2 Sekunden immer noch",
        ),
        ("while True:\n    pass\n", (1, 2), "immer noch"),
        (LATE, 3, "Den Namen favourite gibt es nicht"),
        ("def choose(state, seconds):\n    state.legal_moves()[0]\n", 2, "keinen Zug zurückgegeben"),
        ("def choose(state, seconds):\n    return 'a1-a2'\n", 2, "keinen Zug"),
        (SAME, 7, "ist nicht erlaubt"),
        (
            "def f(n):\n    return f(n + 1)\n\n\ndef choose(state, seconds):\n    return f(0)\n",
            2,
            "ruft sich immer wieder",
        ),
        ("def choose(state, seconds):\n    return [0] * 10**15\n", 2, "Speicher voll"),
        ("def choose(state, seconds):\n    return state.legal_move()\n", 2, "State hat kein legal_move"),
        ("def choose(state, seconds):\n    return state.outcome.winner\n", 2, "None hat kein winner"),
        ("def choose(state, seconds):\n    return state.legal_moves()[9999]\n", 2, "So lang ist die Liste nicht"),
        ("def choose(state):\n    return 1\n", None, "bekommt 2 Werte"),
        ("import nothing_like_this\n", 1, "Dieses Modul gibt es hier nicht"),
        ("def chose(state, seconds):\n    return 1\n", None, "fehlt die Funktion choose"),
        ("import sys\n\n\ndef choose(state, seconds):\n    sys.exit()\n", 5, "beendet den Spieler mitten im Spiel"),
        ("x = 1\n" * MAX_CODE, None, "KiB Code"),
        ("\0", None, "Python versteht diese Zeile nicht"),
        ("(" * 5000, 1, ""),
    ],
)
def test_each_mistake_is_said_at_its_line_in_simple_words(code: str, line: Any, words: str) -> None:
    problem = problem_of(ask("run", code, seconds=0.2))
    assert words in problem["text"]
    assert problem["line"] in (line if isinstance(line, tuple) else (line,))


def test_the_limit_of_a_move_holds_for_all_limits_of_the_game() -> None:
    end = events(ask("run", "def choose(state, seconds):\n    while True: pass\n", seconds=0.2), "end")[0]
    assert end["lost"]
    assert "gewinnt" in end["text"]


def test_a_mistake_is_said_in_english_to_who_reads_english() -> None:
    problem = problem_of(ask("run", "def choose(state, seconds)\n    pass\n", language="en"))
    assert problem["text"] == "A colon is missing at the end of this line."


def test_what_is_printed_stands_beside_its_move_and_is_bounded() -> None:
    heard = ask("run", f"print('beginn')\n{FIRST}".replace("    return", "    print('x' * 10**6)\n    return"))
    assert events(heard, "start")[0]["printed"] == "beginn\n"
    own = [event for event in events(heard, "ply") if event["mover"] == 0]
    assert own
    assert all(len(event["printed"]) == MAX_PRINTED + 2 for event in own)


def test_notes_come_with_the_move() -> None:
    noting = FIRST.replace("    return", "    note('tief', chance=0.5)\n    return")
    code = f"from spielleiter.client import note\n{noting}"
    own = events(ask("run", code), "ply")[0]
    assert own["notes"] == [{"text": "tief", "chance": 0.5}]
    drawn = code.replace("chance=0.5", "squares=['a1'], arrows=[('a1', 'b2')]")
    noted, plain = (events(ask("think", each, position=START), "thought")[0]["svg"] for each in (drawn, code))
    assert noted.count("<") > plain.count("<")


def test_a_game_is_told_move_by_move_and_judged_by_the_referee() -> None:
    heard = ask("run", team=1)
    plies = events(heard, "ply")
    assert [event["ply"] for event in plies] == list(range(1, len(plies) + 1))
    assert all(event["svg"].startswith("<svg") for event in plies)
    assert events(heard, "start")[0]["names"] == ["random", "hugo"]
    assert events(heard, "end")[0]["problem"] is None
    assert plies[-1]["over"]


def test_hooks_are_called_as_by_the_kit() -> None:
    code = """\
class MyPlayer:
    def game_started(self, team, names):
        self.seen = []
        print(team.name, names)

    def state_changed(self, state):
        self.seen.append(state.turn)

    def choose(self, state, seconds):
        print(self.seen)
        return state.legal_moves()[0]
"""
    first, second = [event for event in events(ask("run", code), "ply") if event["mover"] == 0][:2]
    assert first["printed"] == "ONE ('hugo', 'random')\n[0]\n"
    assert second["printed"] == "[0, 1, 2]\n"


def test_play_hands_the_player_over_instead_of_looking_for_a_server() -> None:
    assert events(ask("run", f"from spielleiter.client import play\n{FIRST}\nplay(choose)\n"), "end")


def test_a_match_says_the_result_in_pairs_and_what_it_would_take_to_know_more() -> None:
    heard = ask("match", games=4)
    assert [event["done"] for event in events(heard, "game")] == [1, 2, 3, 4]
    summary = events(heard, "summary")[-1]
    assert sum(summary["pairs"]) == 2
    assert summary["won"] + summary["drawn"] + summary["lost"] == 4
    assert "hugo" in summary["sentences"][0]
    assert summary["decided"] or "weitere" in summary["sentences"][-1] or "Spiele noch" in summary["sentences"][-1]


def test_a_game_of_a_match_can_be_looked_at_again() -> None:
    game = events(ask("match", games=2), "game")[1]
    seen = ask("look", start=game["start"], moves=game["moves"], team=game["team"])
    assert len(events(seen, "ply")) == len(game["moves"])


def test_a_program_that_rates_by_infinity_or_by_more_is_shown_in_plain_numbers() -> None:
    for rating, shown in (
        ("math.inf if place else -math.inf", "∞"),
        ("10 ** 400 if place else 0", "∞"),
        ("math.nan if place else 3", "3"),
    ):
        code = f"""\
import math
def choose(state, seconds):
    return [(rate(state.play(move), place), move) for place, move in enumerate(state.legal_moves())][0][1]
def rate(state, place):
    return {rating}
"""
        [thought] = events(ask("think", code, position=START), "thought")
        assert {value["value"].lstrip("-") for value in thought["values"]} <= {shown, "0"}
        assert all(math.isfinite(value["number"]) for value in thought["values"])


def test_thinking_in_a_position_shows_what_the_program_returned_for_each_move() -> None:
    state = GAME.new_state(Random(3))
    [thought] = events(ask("think", RATING, position=GAME.notation.format_state(state)), "thought")
    assert thought["considered"] == thought["moves"] == len(state.legal_moves())
    numbers = [value["number"] for value in thought["values"]]
    assert numbers == sorted(numbers, reverse=True)
    [chosen] = [value for value in thought["values"] if value["chosen"]]
    assert chosen["number"] == numbers[0]
    assert chosen["move"] == thought["move"]


def test_a_kept_position_passes_only_while_the_move_is_played() -> None:
    state = GAME.new_state(Random(3))
    position = GAME.notation.format_state(state)
    first, second = (GAME.notation.format_move(state, move) for move in state.legal_moves()[:2])
    tests = [{"position": position, "move": first}, {"position": position, "move": second}]
    assert [event["passed"] for event in events(ask("tests", tests=tests), "tested")] == [True, False]


def test_always_legal_is_judged_by_games_and_shows_the_game_of_the_mistake() -> None:
    assert events(ask("task", task="legal"), "step")[-1]["passed"] is True
    failed = events(ask("task", LATE, task="legal"), "step")[-1]
    assert failed["passed"] is False
    assert failed["problem"]["line"] == 3
    assert len(failed["game"]["moves"]) >= 2


def test_who_looks_at_the_answer_avoids_the_traps_into_which_greedy_walks() -> None:
    searching = """\
from spielleiter.players import load

PLAYER = load("{name}")


def choose(state, seconds):
    return PLAYER.choose(state, seconds)
"""
    passed = {
        name: events(ask("task", searching.format(name=name), task="ahead"), "step")[-1]["passed"]
        for name in ("greedy", "student")
    }
    assert passed == {"greedy": False, "student": True}


@pytest.mark.parametrize("game", list(games.seasons()), ids=str)
def test_the_first_player_of_each_game_plays_to_the_end(game: Any) -> None:
    for language in ("de", "en"):
        heard = ask("run", first_player(game, language), game=game.key)
        assert events(heard, "end")[0]["problem"] is None


def test_a_player_on_the_engine_plays_where_it_is_and_is_refused_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    problem = problem_of(ask("run", opponent="level1", seconds=0.2))
    assert problem["text"] == "Die Engine ist hier nicht geladen. Wähle einen Gegner in Python."
    monkeypatch.undo()
    if engine.why_unavailable() is None:
        [start] = events(heard := ask("run", opponent="level1", seconds=0.2), "start")
        assert start["names"] == ["hugo", "Stufe 1"]
        assert events(heard, "end")


def test_an_engine_that_does_not_run_is_told_in_one_line() -> None:
    class Page:
        def ask(self, request: str, /) -> str:
            return "failed\nRuntimeError: unreachable"

    assert session.connect_engine(Page()) == "the engine failed: RuntimeError: unreachable"
    assert not engine._connected
