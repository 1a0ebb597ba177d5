"""Why a move was worse: every sentence is recomputed by the second, naive implementation of its game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from spielleiter.analysis import reasons_for
from spielleiter.game import TEAMS, AnyGame, Team, WorseMove
from spielleiter.games import load
from spielleiter.games.blokus import Color
from spielleiter.games.blokus.board_input import kind_text
from spielleiter.games.blokus.rules import State as BlokusState
from spielleiter.games.blokus.shapes import Shape
from spielleiter.games.hase_und_igel.recordings import write_action
from spielleiter.games.piranhas.recordings import field_names
from tests.support import (
    blokus_naive,
    hase_und_igel_naive,
    ostseeschach_naive,
    pinguine_naive,
    piranhas_naive,
)
from tests.support.night import NIGHT
from tests.support.played import moves, needs_engine

Check = Callable[[WorseMove[Any, Any], re.Match[str]], bool]


def team_called(game: AnyGame, name: str) -> Team:
    return next(team for team in TEAMS if game.team_name(team).en == name)


def answer_to(worse: WorseMove[Any, Any]) -> Any:
    return worse.answer


def answered(worse: WorseMove[Any, Any]) -> Any:
    return worse.answered


# --- Blokus -----------------------------------------------------------------------------------------------------------


def _corners(state: BlokusState, color: Color) -> set[tuple[int, int]]:
    squares = {(x, y): state.color_at(x, y) for x in range(20) for y in range(20)}
    own = {square for square, found in squares.items() if found is color}
    at_corner = {(x + dx, y + dy) for x, y in own for dx in (-1, 1) for dy in (-1, 1)}
    at_edge = {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return {square for square in at_corner - at_edge if squares.get(square, own) is None}


def _fitting(state: BlokusState, color: Color, square: tuple[int, int] | None = None) -> int:
    """The kinds that ``color`` could lay, over ``square`` if one is given."""
    empty = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is None}
    own = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is color}
    edge = {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    free, wanted, kinds = empty - edge, _corners(state, color), set()
    for kind in state.kinds_left(color):
        for shape in blokus_naive.WAYS[kind.name]:
            places = ((x - a, y - b) for x, y in ({square} if square else wanted) for a, b in shape)
            laid = ({(x + a, y + b) for a, b in shape} for x, y in places)
            if any(cells <= free and cells & wanted and (square is None or square in cells) for cells in laid):
                kinds.add(kind)
    return len(kinds)


def _ways(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    color = Color[found[1].upper()]
    counted = [_fitting_ways(state, color) for state in (worse.after, worse.instead)]
    return counted == [int(found[2]), int(found[3])]


def _fitting_ways(state: BlokusState, color: Color) -> int:
    empty = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is None}
    own = {(x, y) for x in range(20) for y in range(20) if state.color_at(x, y) is color}
    free = empty - {(x + dx, y + dy) for x, y in own for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    wanted, laid = _corners(state, color), set()
    for kind in state.kinds_left(color):
        for shape in blokus_naive.WAYS[kind.name]:
            for x, y in wanted:
                for a, b in shape:
                    laid.add(frozenset((x - a + c, y - b + d) for c, d in shape))
    return sum(cells <= free for cells in laid)


def _placements(state: BlokusState) -> set[frozenset[tuple[int, int]]]:
    return {cells for _, cells in blokus_naive.legal_placements(state)}


def _blokus_answer(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    other, kind, x, y, count, mine = found.groups()
    color, answer = Color[mine.upper()], answer_to(worse)
    return (
        (answer.color.text.en, kind_text(answer.kind).en, answer.x, answer.y) == (other, kind, int(x), int(y))
        and frozenset(answer.cells) in _placements(worse.after)
        and frozenset(answer.cells) not in _placements(worse.instead)
        and len(_corners(worse.after, color)) - len(_corners(answered(worse), color)) == int(count)
        and color.team is worse.before.to_move
    )


def _blokus_corner(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    color, square = Color[found[1].upper()], (int(found[2]), int(found[3]))
    return (
        color.team is not worse.before.to_move
        and square in _corners(worse.after, color) - _corners(worse.instead, color)
        and _fitting(worse.after, color, square) == int(found[4])
    )


def _blokus_room(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    color = Color[found[1].upper()]
    now, instead = (_fitting(state, color) for state in (worse.after, worse.instead))
    return color is worse.before.color and (now, instead) == (int(found[2]), int(found[3])) and now < instead


def _size(move: Any) -> int:
    return len(blokus_naive.SHAPES[Shape(move.kind).name].split())


BLOKUS: dict[str, Check] = {
    r"(\w+) answers with the (.+) at (\d+),(\d+) and takes (\d+) corners from (\w+);"
    r" after the better move that would be impossible\.": _blokus_answer,
    r"(\w+) keeps the corner at (\d+),(\d+), where (\d+) pieces fit; the better move takes it\.": _blokus_corner,
    r"Of the pieces left to (\w+), (\d+) fits? on the board then, after the better move (\d+)\.": _blokus_room,
    r"(\w+) (?:would have|keeps) (\d+) ways to go on(?: then)?, after the better move (?:only )?(\d+)\.": _ways,
    r"The piece covers only (\d+) squares?, the better one (\d+)\.": lambda worse, found: (
        (_size(worse.move), _size(worse.better)) == (int(found[1]), int(found[2]))
    ),
    r"It was a pass although a piece fits\.": lambda worse, found: (
        str(worse.move).endswith("PASS") and frozenset(worse.better.cells) in _placements(worse.before)
    ),
}


# --- Piranhas ---------------------------------------------------------------------------------------------------------


def _eats(state: Any, move: Any) -> str | None:
    """The square of the fish that a move eats, by the naive rules; ``None`` without one, or if it is illegal."""
    if (move.x, move.y, move.direction.name) not in piranhas_naive.legal_moves(state):
        return None
    board = field_names(state)
    dx, dy = piranhas_naive.STEPS[move.direction.name]
    line = piranhas_naive._walk(move.x, move.y, dx, dy)
    behind = piranhas_naive._walk(move.x, move.y, -dx, -dy)
    fish = sum(piranhas_naive._owner(board[y][x]) is not None for x, y in line + behind)
    x, y = line[fish]
    return f"{'ABCDEFGHIJ'[x]}{y}" if piranhas_naive._owner(board[y][x]) is not None else None


def _sizes(state: Any, name: str) -> list[int]:
    return piranhas_naive.swarm_sizes(state, team_called(load("piranhas-2026"), name))


def _heaviest(state: Any, name: str) -> int:
    board, team = field_names(state), team_called(load("piranhas-2026"), name)
    left = {(x, y) for y in range(10) for x in range(10) if piranhas_naive._owner(board[y][x]) == team}
    weights = []
    while left:
        shoal = [left.pop()]
        for x, y in shoal:
            near = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= near
            shoal.extend(near)
        weights.append(sum(1 + "SML".index(board[y][x][-1]) for x, y in shoal))
    return max(weights)


def _count(text: str) -> int:
    return 1 if text == "one" else int(text)


PIRANHAS: dict[str, Check] = {
    r"(\w+) then eats the fish on (\w+); after the better move that would be impossible\.": lambda worse, found: (
        _eats(worse.after, answer_to(worse)) == found[2] and _eats(worse.instead, answer_to(worse)) is None
    ),
    r"The better move eats the fish on (\w+)\.": lambda worse, found: (
        _eats(worse.before, worse.better) == found[1] and _eats(worse.before, worse.move) is None
    ),
    r"(\w+) has (\d+) shoals then, after the better move (\w+) shoals?\.": lambda worse, found: (
        [len(_sizes(state, found[1])) for state in (worse.after, worse.instead)] == [int(found[2]), _count(found[3])]
    ),
    r"(\w+) keeps (\w+) shoals?; after the better move it would be (\d+)\.": lambda worse, found: (
        [len(_sizes(state, found[1])) for state in (worse.after, worse.instead)] == [_count(found[2]), int(found[3])]
    ),
    r"The heaviest shoal of (\w+) weighs (\d+) then, after the better move (\d+)\.": lambda worse, found: (
        [_heaviest(state, found[1]) for state in (worse.after, worse.instead)] == [int(found[2]), int(found[3])]
    ),
}


# --- Ostseeschach -----------------------------------------------------------------------------------------------------

_PIECES = {"cockle": "HERZMUSCHEL", "gull": "MOEWE", "starfish": "SEESTERN", "seal": "ROBBE"}


def _step(move: Any) -> tuple[int, int, int, int]:
    return (*move.start, *move.target)


def _place(name: str) -> tuple[int, int]:
    return int(name[1]) - 1, "abcdefgh".index(name[0])


def _wins(state: Any, move: Any) -> int:
    """The amber that a move wins; -1 if it is illegal."""
    board = ostseeschach_naive.board_of(state)
    if _step(move) not in ostseeschach_naive.legal_moves(board, state.to_move.name):
        return -1
    return ostseeschach_naive.play(board, _step(move))[1]


def _amber(text: str) -> int:
    return 1 if text == "a piece of" else int(text.split()[0])


def _takes(state: Any, move: Any, kind: str, place: str) -> bool:
    board = ostseeschach_naive.board_of(state)
    team, found, _ = board.get(_place(place), ("", "", 0))
    return (
        move.target == _place(place)
        and _step(move) in ostseeschach_naive.legal_moves(board, state.to_move.name)
        and (team, found) == (state.to_move.opponent.name, _PIECES[kind])
    )


def _can_take_back(state: Any, answer: Any) -> bool:
    board, team = ostseeschach_naive.board_of(state), state.to_move
    assert _step(answer) in ostseeschach_naive.legal_moves(board, team.name)
    after, _ = ostseeschach_naive.play(board, _step(answer))
    replies = ostseeschach_naive.legal_moves(after, team.opponent.name)
    return answer.target in after and any(reply[2:] == tuple(answer.target) for reply in replies)


def _unguarded(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    answer = answer_to(worse)
    both = [_takes(state, answer, found[1], found[2]) for state in (worse.after, worse.instead)]
    return all(both) and not _can_take_back(worse.after, answer) and _can_take_back(worse.instead, answer)


def _tower(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    height = ostseeschach_naive.board_of(worse.after)[_place(found[1])][2]
    return (
        height > 1
        and answer_to(worse).target == _place(found[1])
        and _wins(worse.after, answer_to(worse)) == _amber(found[2])
    )


OSTSEESCHACH: dict[str, Check] = {
    r"The tower on (\w\d) can be taken: (a piece of|\d+ pieces of) amber for \w+\.": _tower,
    r"\w+ then wins (a piece of|\d+ pieces of) amber on (\w\d); after the better move that would be impossible\.": (
        lambda worse, found: (
            _wins(worse.after, answer_to(worse)) == _amber(found[1])
            and answer_to(worse).target == _place(found[2])
            and _wins(worse.instead, answer_to(worse)) <= 0
        )
    ),
    r"The better move wins (a piece of|\d+ pieces of) amber, (this one none|not just one)\.": lambda worse, found: (
        _wins(worse.before, worse.better) == _amber(found[1])
        and _wins(worse.before, worse.move) == ("just" in found[2])
    ),
    r"\w+ then takes the (\w+) on (\w\d); after the better move that would be impossible\.": lambda worse, found: (
        _takes(worse.after, answer_to(worse), found[1], found[2])
        and not any(_takes(worse.instead, answer_to(worse), kind, found[2]) for kind in _PIECES)
    ),
    r"\w+ then takes the (\w+) on (\w\d), and \w+ cannot take back;"
    r" after the better move that would be possible\.": _unguarded,
    r"The better move takes the (\w+) on (\w\d)\.": lambda worse, found: _takes(
        worse.before, worse.better, found[1], found[2]
    ),
}


# --- Pinguine ---------------------------------------------------------------------------------------------------------


def _naive_place(name: str) -> pinguine_naive.Place:
    return int(name[1:]) - 1, "abcdefgh".index(name[0])


def _is_stuck(state: Any, team: Team, place: pinguine_naive.Place) -> bool:
    board = pinguine_naive.board_of(state)
    near = (pinguine_naive.next_place(place, direction) for direction in pinguine_naive.DIRECTIONS)
    return board[place] == team.name and not any(pinguine_naive.has_fish(board, each) for each in near)


def _reachable(state: Any, team: Team) -> int:
    board, found = pinguine_naive.board_of(state), set[pinguine_naive.Place]()
    waiting = pinguine_naive.penguins(board, team.name)
    while waiting:
        place = waiting.pop()
        for direction in pinguine_naive.DIRECTIONS:
            near = pinguine_naive.next_place(place, direction)
            if pinguine_naive.has_fish(board, near) and near not in found:
                found.add(near)
                waiting.append(near)
    return sum(int(board[place]) for place in found)


def _fish(state: Any, move: Any) -> int:
    step = pinguine_naive.step_of(move.start, move.target)
    return pinguine_naive.play(pinguine_naive.board_of(state), state.to_move.name, step)[1]


def _penguin_stuck(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    team, place = worse.before.to_move, _naive_place(found[1])
    return (
        _is_stuck(worse.after, team, place)
        and not _is_stuck(worse.instead, team, place)
        and pinguine_naive.board_of(worse.instead)[place] == team.name
    )


def _floe(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    target = pinguine_naive.step_of(None, answer_to(worse).target)[1]
    better = pinguine_naive.step_of(None, worse.better.target)[1]
    return target == better == _naive_place(found[1]) and _fish(worse.after, answer_to(worse)) == int(found[2])


def _within_reach(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    team = team_called(load("pinguine-2023"), found[1])
    return [_reachable(state, team) for state in (worse.after, worse.instead)] == [int(found[2]), int(found[3])]


PINGUINE: dict[str, Check] = {
    r"The penguin on (\w\d) is stuck then, after the better move it is not\.": _penguin_stuck,
    r"\w+ then takes the floe (\w\d) with (\d) fish\.": _floe,
    r"The move catches (\d) fish, the better one (\d)\.": lambda worse, found: (
        [_fish(worse.before, move) for move in (worse.move, worse.better)] == [int(found[1]), int(found[2])]
    ),
    r"(\w+) can still reach (\d+) fish then, after the better move (?:only )?(\d+)\.": _within_reach,
}


# --- Hase und Igel ----------------------------------------------------------------------------------------------------


def _own_hare(state: Any, move: Any) -> dict[str, Any]:
    """The hare that moves, just after it; what the next turn pays comes later."""
    board = hase_und_igel_naive.moved(hase_und_igel_naive.board_of(state), write_action(move))
    hare: dict[str, Any] = board["hares"][state.to_move]
    return hare


def _both(worse: WorseMove[Any, Any], what: str) -> list[int]:
    return [_own_hare(worse.before, move)[what] for move in (worse.move, worse.better)]


def _skipped(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    board = hase_und_igel_naive.play(hase_und_igel_naive.board_of(worse.after), write_action(answer_to(worse)))
    return bool(board["turn"] % 2 != worse.before.to_move)


def _field_taken(worse: WorseMove[Any, Any], found: re.Match[str]) -> bool:
    goal = int(found[2])
    board = hase_und_igel_naive.play(hase_und_igel_naive.board_of(worse.after), write_action(answer_to(worse)))
    field = worse.before.track.fields[goal].text.en
    return bool(
        _own_hare(worse.before, worse.better)["at"] == goal == board["hares"][1 - worse.before.to_move]["at"]
        and field == found[3]
    )


HASE_UND_IGEL: dict[str, Check] = {
    r"\w+ cannot move after the answer and is skipped\.": _skipped,
    r"\w+ keeps (one|\d+) salads?; the better move eats a salad\.": lambda worse, found: (
        _both(worse, "salads") == [_count(found[1]), _count(found[1]) - 1]
    ),
    r"(\w+) then takes field (\d+) \((.*)\), to which the better move leads\.": _field_taken,
    r"\w+ has (one|\d+) carrots? left then, after the better move (\d+)\.": lambda worse, found: (
        _both(worse, "carrots") == [_count(found[1]), int(found[2])]
    ),
    r"\w+ is on field (\d+) then, after the better move on field (\d+)\.": lambda worse, found: (
        _both(worse, "at") == [int(found[1]), int(found[2])]
    ),
}


# --- all of them ------------------------------------------------------------------------------------------------------

ALL = {
    "blokus-2027": BLOKUS,
    "piranhas-2026": PIRANHAS,
    "ostseeschach-2022": OSTSEESCHACH,
    "pinguine-2023": PINGUINE,
    "hase-und-igel-2025": HASE_UND_IGEL,
}


def comparisons(key: str) -> Iterator[WorseMove[Any, Any]]:
    """Two moves and an answer, drawn in positions of games of which half was played by the engine."""
    rng = Random(5)
    for before, _, _ in moves(key, range(12 if NIGHT else 2), nodes=300):
        for _ in range(6):
            legal = before.legal_moves()
            move, better = rng.choice(legal), rng.choice(legal)
            after = before.play(move)
            answers = after.legal_moves()
            if move != better:
                yield WorseMove.of(before, move, better, rng.choice(answers) if answers else None)


@needs_engine
@pytest.mark.slow
@pytest.mark.parametrize("key", ALL)
def test_every_reason_is_true_in_its_position(key: str) -> None:
    commentary, said = load(key).commentary, Counter[str]()
    assert commentary is not None
    for number, worse in enumerate(comparisons(key)):
        for reason in commentary.reasons(worse):
            pattern = next((each for each in ALL[key] if re.fullmatch(each, reason.en)), None)
            assert pattern is not None, reason.en
            assert re.findall(r"\d+", reason.de) == re.findall(r"\d+", reason.en), reason
            said[pattern] += 1
            if said[pattern] > 20 and number % 10:
                continue  # The naive way takes its time.
            found = re.fullmatch(pattern, reason.en)
            assert found is not None
            assert ALL[key][pattern](worse, found), (reason.en, load(key).notation.format_state(worse.before))
    unsaid = set(ALL[key]) - set(said)
    assert len(unsaid) <= 1, unsaid  # Some are rare in drawn moves.


@needs_engine
def test_at_most_two_reasons_and_none_for_the_best_move() -> None:
    game = load("ostseeschach-2022")
    for before, move, _ in moves(game.key, range(1), nodes=300):
        assert reasons_for(game, before, move, (move,)) == ()
        assert len(reasons_for(game, before, before.legal_moves()[0], before.legal_moves()[-1:])) <= 2


@needs_engine
@pytest.mark.parametrize("key", ["ostseeschach-2022", "piranhas-2026"])
def test_what_the_engine_expects_is_quoted_move_by_move_and_happens_there(key: str) -> None:
    game, said = load(key), 0
    states = [after for _, _, after in moves(key, range(2), nodes=300)]
    for number, before in enumerate(states[:-6]):
        line = [state.last_move for state in states[number + 1 : number + 6]]
        if not before.legal_moves() or before.violation(line[0]) is not None:
            continue
        for reason in reasons_for(game, before, line[0], before.legal_moves()[:1], line[1:]):
            if not (found := re.fullmatch(r"The engine then expects (.*): ([^“]*)", reason.en)):
                continue
            said += 1
            quoted, state = re.findall("“(.*?)”", found[1]), before.play(line[0])
            for text, move in zip(quoted, line[1:], strict=False):
                assert game.move_text(state, move).en == text
                previous, state = state, state.play(move)
            assert previous.to_move is before.to_move.opponent
            assert game.commentary is not None
            remark = game.commentary.remark(previous, state.last_move, state)
            assert remark is not None
            assert remark.text.en == found[2]
    assert said
