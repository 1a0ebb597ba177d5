"""One-line texts for Ostseeschach: ``ostseeschach-2022 rmshhsmr/8/8/8/8/8/8/RMSHHSMR 0-0 0`` and ``a1-b2``.

A position: the key of the rule set, the lines 8 to 1 from file a to h (upper case ONE, lower case TWO, ``+`` behind the
letter of a tower, a digit for so many empty squares), the ambers of ONE and TWO, the number of moves played.
"""

from __future__ import annotations

import re

from spielleiter.errors import NotationError
from spielleiter.game import TEAMS, Square, Team, Text, require_text
from spielleiter.game.board_input import Setup, SetupField, Stamp
from spielleiter.game.notation import MOVES_PLAYED, read_position_words, read_turn, write_board
from spielleiter.games.ostseeschach.moves import (
    FILES,
    HOME_LINE,
    SIZE,
    Move,
    Piece,
    PieceKind,
    move_between,
    square_name,
)
from spielleiter.games.ostseeschach.rules import AMBERS_TO_END, TURN_LIMIT, Rules, State

_WORDS = (Text("Spielfeld", "the board"), Text("Bernsteine", "the pieces of amber"), MOVES_PLAYED)
_AMBERS = re.compile(r"([0-9])-([0-9])")
_SQUARE = re.compile(rf"([{FILES}])([1-{SIZE}])|\((-?[0-9]{{1,9}}),(-?[0-9]{{1,9}})\)", re.IGNORECASE)
_KINDS = {kind.letter: kind for kind in PieceKind}
SETUP = Setup(
    tuple(
        Stamp(
            f"{kind.letter if team is Team.ONE else kind.letter.lower()}{tower}",
            Text(f"{kind.text.de}, {color.de}{name.de}", f"{color.en} {kind.text.en}{name.en}"),
        )
        for team, color in zip(TEAMS, (Text("rot", "red"), Text("blau", "blue")), strict=True)
        for tower, name in (("", Text("", "")), ("+", Text(", Turm", ", tower")))
        for kind in PieceKind
    ),
    (
        SetupField(Text("Bernsteine von Rot und Blau, etwa 0-1", "Pieces of amber of red and blue, as 0-1")),
        SetupField(Text("Gespielte Züge (gerade: Rot ist am Zug)", "Moves played (even: red is to move)")),
    ),
)
"""How positions are set up."""
_MAX_AMBERS = AMBERS_TO_END - 1 + 2  # one before the last round, and two more by one move in it (R14, R17)

_SUMS = {0: "."} | {
    1 + team + 4 * tower + 8 * 2**place: str(Piece(team, kind, 1 + tower))
    for team in TEAMS
    for tower in (0, 1)
    for place, kind in enumerate(PieceKind)
}
"""What is written for a square that lies in the sets of ONE (1), TWO (2), the towers (4), and of a kind (8 to 64)."""

_Placed = list[tuple[Square, Piece, int]]
"""Squares, what stands there, and where in the text that was written."""


class OstseeschachNotation:
    """Reads and writes the positions of one rule set, and moves."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def format_state(self, state: State) -> str:
        kinds = (state.herzmuscheln, state.moewen, state.seesterne, state.robben)
        board = write_board((state.one, state.two, state.towers, *kinds), SIZE, _SUMS)
        return f"{state.rules.key} {board} {state.ambers_one}-{state.ambers_two} {state.turn}"

    def parse_state(self, text: str) -> State:
        """The position that ``text`` describes; refuses what no game leads to, as far as the text shows it."""
        board, ambers, moves_played = read_position_words(text, self._rules.key, _WORDS)
        placed = _parse_board(text, *board)
        _refuse_impossible_pieces(text, placed, board.at)
        turn = read_turn(text, moves_played, TURN_LIMIT, MOVES_PLAYED)
        won = _parse_ambers(text, *ambers, turn)
        return State.of(self._rules, turn, ((square, piece) for square, piece, _ in placed), won)

    def format_move(self, state: State, move: Move) -> str:
        """The move as people write it: ``a1-b2``, or ``a1xb2`` where it captures an opponent's piece."""
        sign = "x" if _captures(state, move) else "-"
        return f"{square_name(move.start)}{sign}{square_name(move.target)}"

    def parse_move(self, state: State, text: str) -> Move:
        """The move that ``text`` names. ``-`` fits every move, ``x`` only one to a square of the opponent."""
        require_text(text)
        at = len(text) - len(text.lstrip())
        start, at = _parse_square(text, at)
        sign_at = at
        if text[sign_at : sign_at + 1] not in ("-", "x", "X"):
            raise NotationError(
                "erwartet: - oder x zwischen den beiden Feldern",
                "expected - or x between the two squares",
                text,
                sign_at,
            )
        target, at = _parse_square(text, sign_at + 1)
        if text[at:].strip():
            raise NotationError(
                "nach dem zweiten Feld darf nichts mehr kommen", "expected nothing after the second square", text, at
            )
        move = move_between(start, target)
        if text[sign_at] != "-" and not _captures(state, move):
            raise NotationError(
                f"erwartet: -, auf {square_name(target)} ist nichts zu schlagen",
                f"expected -, there is nothing to capture on {square_name(target)}",
                text,
                sign_at,
            )
        return move


def _captures(state: State, move: Move) -> bool:
    """Whether a piece of the side that waits stands on the target."""
    piece = state.piece_at(move.target)
    return piece is not None and piece.team is not state.to_move


def _parse_board(text: str, board: str, at: int) -> _Placed:
    """The pieces of the board, whose word starts at ``at``."""
    lines = board.split("/")
    if len(lines) != SIZE:
        raise NotationError(
            f"erwartet: {SIZE} Linien, getrennt durch /; gefunden: {len(lines)}",
            f"expected {SIZE} lines divided by /, found {len(lines)}",
            text,
            at,
        )
    placed: _Placed = []
    for x, line in zip(range(SIZE - 1, -1, -1), lines, strict=True):
        placed += _parse_line(text, line, at, x)
        at += len(line) + 1
    return placed


def _parse_line(text: str, line: str, at: int, x: int) -> _Placed:
    """The pieces of line ``x + 1``, written ``line``, which starts at ``at``."""
    placed: _Placed = []
    y, before = 0, ""
    for offset, letter in enumerate(line):
        here = at + offset
        if letter in "12345678":
            if before.isdigit():
                raise NotationError(
                    "erwartet: eine einzige Zahl für leere Felder nebeneinander",
                    "expected one number for all empty squares in a row",
                    text,
                    here,
                )
            y += int(letter)
        elif letter == "+":
            if not before.isalpha():
                raise NotationError(
                    "+ darf nur hinter dem Buchstaben einer Figur stehen",
                    "expected + only behind the letter of a piece",
                    text,
                    here,
                )
            square, piece, where = placed[-1]
            placed[-1] = (square, Piece(piece.team, piece.kind, 2), where)
        elif letter.isascii() and letter.upper() in _KINDS:
            placed.append(((x, y), Piece(Team.ONE if letter.isupper() else Team.TWO, _KINDS[letter.upper()]), here))
            y += 1
        else:
            raise NotationError(
                f"erwartet: HMSR, hmsr, + oder 1 bis 8; gefunden: {letter!r}",
                f"expected one of HMSR, hmsr, + and 1 to 8, found {letter!r}",
                text,
                here,
            )
        if y > SIZE:
            raise NotationError(
                f"erwartet: {SIZE} Felder in Linie {x + 1}; gefunden: mehr",
                f"expected {SIZE} squares in line {x + 1}, found more",
                text,
                here,
            )
        before = letter
    if y < SIZE:
        raise NotationError(
            f"erwartet: {SIZE} Felder in Linie {x + 1}; gefunden: {y}",
            f"expected {SIZE} squares in line {x + 1}, found {y}",
            text,
            at + len(line),
        )
    return placed


def _refuse_impossible_pieces(text: str, placed: _Placed, board_at: int) -> None:
    """Raise where pieces stand that cannot (R13), or more than there are (R3)."""
    seen = [[0] * len(PieceKind) for _ in TEAMS]
    for (x, y), piece, at in placed:
        team, kind = piece.team, piece.kind
        if kind.is_light and x == HOME_LINE[team.opponent]:
            square = square_name((x, y))
            raise NotationError(
                f"{piece} auf {square} ist unmöglich: eine Leichtfigur wird dort zum Bernstein",
                f"{piece} on {square} is impossible: a light piece leaves the board for a piece of amber there",
                text,
                at,
            )
        seen[team][kind] += 1
        if seen[team][kind] > 2:
            raise NotationError(
                f"{team.name} hat nur zwei Figuren {str(piece)[0]}, dies ist die dritte",
                f"{team.name} has only two pieces {str(piece)[0]}, this is the third",
                text,
                at,
            )
    for team in TEAMS:
        # R11: under the top of a tower lies a piece of the other side.
        covered = sum(piece.height - 1 for _, piece, _ in placed if piece.team is team.opponent)
        if sum(seen[team]) + covered > SIZE:
            uncovered = sum(seen[team])
            raise NotationError(
                f"{team.name} hat nur {SIZE} Figuren, aber hier stehen {uncovered} und {covered} liegen verdeckt",
                f"{team.name} has only {SIZE} pieces, but {uncovered} stand here and {covered} lie covered",
                text,
                board_at,
            )


def _parse_ambers(text: str, ambers: str, at: int, turn: int) -> tuple[int, int]:
    """The ambers of both teams, such as a game can have after ``turn`` moves."""
    found = _AMBERS.fullmatch(ambers)
    if found is None:
        raise NotationError(
            f"erwartet: Bernsteine wie 0-1; gefunden: {ambers}",
            f"expected pieces of amber like 0-1, found {ambers}",
            text,
            at,
        )
    won = (int(found[1]), int(found[2]))
    for team, moves in zip(TEAMS, ((turn + 1) // 2, turn // 2), strict=True):
        max_ambers = min(_MAX_AMBERS, 2 * moves)
        if won[team] > max_ambers:
            raise NotationError(
                f"{team.name} hat nach {turn} Zügen höchstens {max_ambers} Bernsteine",
                f"{team.name} has at most {max_ambers} pieces of amber after {turn} moves",
                text,
                at,
            )
    if turn % 2 and won[Team.TWO] >= AMBERS_TO_END:
        raise NotationError(
            "mit diesen Bernsteinen von TWO war das Spiel schon vor dem letzten Zug zu Ende (R17)",
            "with these pieces of amber of TWO the game had ended before the last move (R17)",
            text,
            at,
        )
    return won


def _parse_square(text: str, at: int) -> tuple[Square, int]:
    """The square written at ``at``, and where the text goes on."""
    found = _SQUARE.match(text, at)
    if found is None:
        last = f"{FILES[-1]}{SIZE}"
        raise NotationError(f"erwartet: ein Feld, a1 bis {last}", f"expected a square, a1 to {last}", text, at)
    file, line, x, y = found.groups()
    square = (int(x), int(y)) if file is None else (int(line) - 1, FILES.index(file.lower()))
    return square, found.end()
