"""A second way of playing Hase und Igel: dictionaries and loops, straight from the words of the rules."""

from __future__ import annotations

from typing import Any

from spielleiter.games.hase_und_igel import State
from spielleiter.games.hase_und_igel.recordings import write_action

CARDS = ("EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD")
Board = dict[str, Any]
"""``track``: the names of the fields; ``turn``; ``hares``: two dictionaries."""


def board_of(state: State) -> Board:
    hares = [
        {
            "at": hare.position,
            "carrots": hare.carrots,
            "salads": hare.salads,
            "cards": sorted(card.name for card in hare.cards),
            "last": "" if hare.last_action is None else write_action(hare.last_action),
        }
        for hare in state.hares
    ]
    return {"track": [field.name for field in state.track.fields], "turn": state.turn, "hares": hares}


def is_over(board: Board) -> bool:
    return board["turn"] % 2 == 0 and (board["turn"] >= 60 or any(hare["at"] == 64 for hare in board["hares"]))


def legal_moves(board: Board) -> set[str]:
    """The legal moves in the words of the recordings."""
    found: set[str] = set()
    waiting = ["EAT_SALAD", "FALL_BACK", "EXCHANGE 10", "EXCHANGE -10", *(f"ADVANCE {d}" for d in range(1, 65))]
    while waiting:
        move = waiting.pop()
        result = moved(board, move)
        if result == "unfinished":
            waiting += [f"{move} {card}" for card in CARDS]
        elif result is not None:
            found.add(move)
    return set() if is_over(board) else found


def play(board: Board, move: str) -> Board:
    """The board after a legal move, when the next turn for which there is a move has started."""
    board = moved(board, move)
    while True:
        board["turn"] += 1
        if is_over(board):
            return board
        me, other = board["hares"][board["turn"] % 2], board["hares"][1 - board["turn"] % 2]
        field = board["track"][me["at"]]
        if field == "POSITION_1" and me["at"] > other["at"]:
            me["carrots"] += 10
        if field == "POSITION_2" and not me["at"] > other["at"]:
            me["carrots"] += 30
        if legal_moves(board):
            return board


def moved(board: Board, move: str) -> Any:
    """The board just after the move, ``None`` if it is illegal, ``"unfinished"`` if another card has to follow."""
    hares = [{**hare, "cards": list(hare["cards"])} for hare in board["hares"]]
    board = {**board, "hares": hares}
    me, other = hares[board["turn"] % 2], hares[1 - board["turn"] % 2]
    field, (kind, *words) = board["track"][me["at"]], move.split()
    has_to_eat = field == "SALAD" and me["last"] != "EAT_SALAD"
    if (kind == "EAT_SALAD") != has_to_eat:
        return None
    if kind == "EAT_SALAD":
        _eat(me, other)
    elif kind == "EXCHANGE":
        me["carrots"] += int(words[0])
        if field != "CARROTS" or me["carrots"] < 0:
            return None
    elif kind == "FALL_BACK":
        behind = [at for at in range(me["at"]) if board["track"][at] == "HEDGEHOG"]
        if not behind or behind[-1] == other["at"]:
            return None
        me["carrots"] += 10 * (me["at"] - behind[-1])
        me["at"] = behind[-1]
    else:
        return _advanced(board, me, other, int(words[0]), words[1:])
    me["last"] = move
    return board


def _eat(me: dict[str, Any], other: dict[str, Any]) -> None:
    me["salads"] -= 1
    me["carrots"] += 10 if me["at"] > other["at"] else 30


def _enters(board: Board, me: dict[str, Any], other: dict[str, Any], at: int) -> bool:
    if not 1 <= at <= 64 or (at == other["at"] and at != 64):
        return False
    me["at"] = at
    needed: dict[str, bool] = {
        "HEDGEHOG": False,
        "SALAD": me["salads"] > 0,
        "MARKET": me["carrots"] >= 10,
        "GOAL": me["carrots"] <= 10 and me["salads"] == 0,
    }
    return needed.get(board["track"][at], True)


def _advanced(board: Board, me: dict[str, Any], other: dict[str, Any], distance: int, cards: list[str]) -> Any:
    was_swapped = any(hare["last"] == "CARD SWAP_CARROTS" for hare in (me, other))
    me["carrots"] -= sum(range(distance + 1))
    me["last"] = whole = " ".join(("ADVANCE", str(distance), *cards))
    if me["carrots"] < 0 or not _enters(board, me, other, me["at"] + distance):
        return None
    for number, card in enumerate(cards, 1):
        field, is_last = board["track"][me["at"]], number == len(cards)
        if field == "MARKET":
            me["carrots"] -= 10
            me["cards"] = sorted((*me["cards"], card))
            me["last"] = whole
            return board if is_last else None
        if field != "HARE" or card not in me["cards"]:
            return None
        me["cards"].remove(card)
        me["last"] = f"CARD {card}"
        if card == "EAT_SALAD":
            may_play = me["salads"] > 0
            _eat(me, other)
            return board if may_play and is_last else None
        if card == "SWAP_CARROTS":
            last_salad = max(at for at, name in enumerate(board["track"]) if name == "SALAD")
            may_play = me["at"] < last_salad and other["at"] < last_salad and not was_swapped
            me["carrots"], other["carrots"] = other["carrots"], me["carrots"]
            return board if may_play and is_last else None
        ahead = me["at"] > other["at"]
        if ahead != (card == "FALL_BACK"):
            return None
        if not _enters(board, me, other, other["at"] + (-1 if card == "FALL_BACK" else 1)):
            return None
    return "unfinished" if board["track"][me["at"]] in ("HARE", "MARKET") else board
