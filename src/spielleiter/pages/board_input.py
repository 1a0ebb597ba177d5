"""Playing on the picture of a board: what a page needs to know, and the move that it sent.

Scripts name a pick by a text: a square ``3,4``, a number ``12``, a thing by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from spielleiter.errors import NotationError, Refused
from spielleiter.game import AnyBoardInput, AnyGame, Language, Look, Pick, Square
from spielleiter.game.board_input import INCOMPLETE, NO_MOVE
from spielleiter.game.drawing import square_key
from spielleiter.pages import boards

_MAX_FIELD = 200
_MAX_PICKS = 20
_PICK = re.compile(
    r"(?P<square>-?[0-9]{1,3},-?[0-9]{1,3})|(?P<number>-?[0-9]{1,6})|(?P<name>[A-Za-z][A-Za-z0-9_-]{0,39})"
)


Tree = list[str] | dict[str, Any]
"""What can be picked next, and the tree behind each; a list if each of them completes a move.

A move that is complete although it could go on has the pick ``""``.
"""


def input_data(game: AnyGame, state: Any, language: Language, *, flipped: bool, mine: bool, ply: int) -> dict[str, Any]:
    """The squares of the board and, if it is the visitor's turn (``mine``), the legal moves."""
    board_input = game.board_input
    if board_input is None:
        return {"hand": "none", "ply": ply, "mine": False}
    look = Look(flipped=flipped)
    tray = board_input.tray(state, Look())
    return {
        "hand": board_input.hand,
        "ply": ply,
        "mine": mine,
        "extent": board_input.extent(look),
        **_cells(board_input, state, look, language),
        "side": game.color_to_move(state).to(language),
        "tray": str(boards.picture(tray, game)) if tray else "",
        **(_moves(board_input, state, language) if mine else {}),
    }


def _cells(board_input: AnyBoardInput, state: Any, look: Look, language: Language) -> dict[str, Any]:
    """Each cell with the corner of its box, its name and what is on it; and its shape, if that is not the first."""
    rows = board_input.rows if not look.flipped else [tuple(reversed(row)) for row in reversed(board_input.rows)]
    shapes: dict[tuple[tuple[float, float], ...], int] = {}

    def cell(square: Square) -> list[Any]:
        outline = board_input.outline(square, look)
        left, top = min(x for x, _ in outline), min(y for _, y in outline)
        shape = tuple((round(x - left, 3), round(y - top, 3)) for x, y in outline)
        number = shapes.setdefault(shape, len(shapes))
        name, contents = board_input.square_name(square), board_input.contents(state, square).to(language)
        return [square_key(square), round(left, 3), round(top, 3), name, contents, *([number] if number else [])]

    return {"rows": [[cell(square) for square in row] for row in rows], "shapes": list(shapes)}


def _moves(board_input: AnyBoardInput, state: Any, language: Language) -> dict[str, Any]:
    """The tree of the legal moves, what to know of them, and the things to choose from."""
    sequences, notes = [], {}
    for move in state.legal_moves():
        sequences.append(tuple(map(pick_key, board_input.picks(state, move))))
        if (note := board_input.note(state, move)) is not None:
            notes[" ".join(sequences[-1])] = [note.text.to(language), list(map(square_key, note.counted))]
    advice = board_input.advice(state)
    return {
        "tree": move_tree(sequences),
        "notes": notes,
        "things": {thing.name: thing.text.to(language) for thing in board_input.things(state)},
        "advice": "" if advice is None else advice.to(language),
        **board_input.hand_data(state),
    }


def pick_key(pick: Pick) -> str:
    """The pick as scripts name it."""
    return square_key(pick) if isinstance(pick, tuple) else str(pick)


def move_tree(sequences: Iterable[Sequence[str]]) -> Tree:
    """The sequences of picks, with their common beginnings written once."""
    root: dict[str, Any] = {}
    for sequence in sequences:
        node = root
        for pick in (*sequence, ""):
            node = node.setdefault(pick, {})
    return _without_ends(root)


def _without_ends(node: dict[str, Any]) -> Tree:
    if all(list(behind) == [""] for behind in node.values()):
        return list(node)
    return {pick: [] if list(behind) in ([], [""]) else _without_ends(behind) for pick, behind in node.items()}


def find_move(game: AnyGame, state: Any, form: Mapping[str, Any]) -> Any:
    """The move that a page sent: any in notation, or a legal one by its picks. Raises ``Refused``."""
    text = str(form.get("text", ""))[:_MAX_FIELD]
    board_input = game.board_input
    try:
        if text or board_input is None:
            return game.notation.parse_move(state, text)
    except NotationError as error:
        problem = error.problem
        raise Refused(f"Das ist kein Zug: {problem.de}", f"Not a valid move: {problem.en}") from None
    picks = _picks(str(form.get("picks", ""))[:_MAX_FIELD])
    why = NO_MOVE
    for move in state.legal_moves() if picks else ():
        own = board_input.picks(state, move)
        if own == picks:
            return move
        if own[: len(picks)] == picks:
            why = INCOMPLETE
    if picks and why is NO_MOVE:
        why = board_input.refusal(state, picks)
    raise Refused(why.de, why.en)


def _picks(text: str) -> tuple[Pick, ...]:
    """The picks that a page sent; none if one of them cannot be any."""
    keys = text.split()
    found = [_PICK.fullmatch(key) for key in keys[:_MAX_PICKS]]
    if len(keys) > _MAX_PICKS or None in found:
        return ()
    picks: list[Pick] = []
    for key, match in zip(keys, found, strict=True):
        assert match is not None
        if match["square"]:
            x, y = key.split(",")
            picks.append((int(x), int(y)))
        else:
            picks.append(int(key) if match["number"] else key)
    return tuple(picks)


def legal_move(game: AnyGame, state: Any, form: Mapping[str, Any]) -> Any:
    """The legal move that a page sent. Raises ``Refused``."""
    move = find_move(game, state, form)
    if (violation := state.violation(move)) is not None:
        raise Refused(violation.text.de, violation.text.en)
    return move
