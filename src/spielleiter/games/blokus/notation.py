"""Blokus as text: positions like ``blokus-2027 20/.../20 0 PENTO_V BYRG -``, moves like ``B PENTO_V RIGHT FLIP 3,4``.

A position is: the key, the twenty rows from the top, the turn, the shape of the first pieces, the colours still in,
and the colours that laid all their pieces and the monomino last (``-`` for none). In a row B, Y, R and G are the
colours, a number stands for so many empty squares. Which pieces lie there follows from the board, because pieces of
one colour never touch along an edge.

A move is: colour, kind, rotation (none if it is not turned), FLIP if it is flipped, and the upper left corner of its
bounding box; or colour and PASS.
"""

from __future__ import annotations

import re

from spielleiter.errors import NotationError
from spielleiter.game import Text, require_text
from spielleiter.game.board_input import Setup, SetupField, Stamp
from spielleiter.game.notation import TURN, Word, read_position_words, read_turn, split_words
from spielleiter.games.blokus.board import SIDE, STRIDE, bit, orientation_of, pieces, reach
from spielleiter.games.blokus.moves import Move, Pass, Place
from spielleiter.games.blokus.rules import FULL_HAND, Four, Rules, State, can_lay
from spielleiter.games.blokus.shapes import COLORS, KINDS, ORIENTATIONS, PENTOMINOES, ROTATIONS, Color, Rotation, Shape

_LETTERS = {color.letter: color for color in COLORS}
_COLOR_WORDS = {
    **_LETTERS,
    **{color.name: color for color in COLORS},
    **{color.text.de.upper(): color for color in COLORS},
    "GRUEN": Color.GREEN,
}
_KIND_WORDS = {kind.name: kind for kind in KINDS}
_ROTATION_WORDS = {rotation.name: rotation for rotation in ROTATIONS}
_WORDS = (
    Text("Spielfeld", "the board"),
    TURN,
    Text("Form der ersten Steine", "the shape of the first pieces"),
    Text("Farben im Spiel", "the colours still in"),
    Text("Farben, die das Monomino zuletzt gelegt haben", "the colours that laid the monomino last"),
)
SETUP = Setup(
    tuple(Stamp(color.letter, color.text) for color in COLORS),
    (
        SetupField(Text("Zugnummer (reihum Blau, Gelb, Rot, Grün)", "Turn (blue, yellow, red, green in turn)")),
        SetupField(
            Text("Form der ersten Steine", "Shape of the first pieces"), tuple(kind.name for kind in PENTOMINOES)
        ),
        SetupField(Text("Farben im Spiel (aus BYRG, - für keine)", "Colours still in (of BYRG, - for none)")),
        SetupField(Text("Monomino zuletzt gelegt (aus BYRG, -)", "Monomino laid last (of BYRG, -)")),
    ),
)
"""How positions are set up: square by square in the colours."""
_PLACE = re.compile(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})")


class BlokusNotation:
    """Writes and reads the positions and moves of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    # --- positions ---

    def format_state(self, state: State) -> str:
        board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(state.rows()))
        ins, monos = (
            "".join(color.letter for color in COLORS if some >> color & 1) or "-"
            for some in (state.still_in, state.mono)
        )
        return f"{state.rules.key} {board} {state.turn} {state.start.name} {ins} {monos}"

    def parse_state(self, text: str) -> State:
        """The position that ``text`` describes; it is refused if no game can have led to it."""
        return _PositionReader(self._rules, text).read()

    # --- moves ---

    def format_move(self, state: State, move: Move) -> str:
        """The move with the rotation and flip that it was named by."""
        return str(move)

    def parse_move(self, state: State, text: str) -> Move:
        """The move that ``text`` names, legal or not; upper or lower case, colours by letter or name."""
        require_text(text)
        words = split_words(text)
        if len(words) < 2:
            raise NotationError(
                "erwartet: ein Zug wie B PENTO_V RIGHT FLIP 3,4 oder B PASS",
                "expected a move like B PENTO_V RIGHT FLIP 3,4 or B PASS",
                text,
                len(text),
            )
        word, at = words[0]
        color = _COLOR_WORDS.get(word.upper())
        if color is None:
            raise NotationError(
                "erwartet: eine Farbe, B, Y, R, G oder ihr Name", "expected a colour: B, Y, R, G or its name", text, at
            )
        word, at = words[1]
        if word.upper() in ("PASS", "SKIP", "PASSEN"):
            if len(words) > 2:
                raise NotationError(
                    "nach dem Passen darf nichts mehr kommen", "expected nothing after the pass", text, words[2].at
                )
            return Pass(color)
        kind = _KIND_WORDS.get(word.upper().replace("-", "_"))
        if kind is None:
            known = ", ".join(_KIND_WORDS)
            raise NotationError(
                f"erwartet: PASS oder eine Steinform ({known})", f"expected PASS or a kind of piece: {known}", text, at
            )
        return self._parse_place(text, color, kind, words[2:])

    def _parse_place(self, text: str, color: Color, kind: Shape, words: list[Word]) -> Place:
        rotation, flipped = Rotation.NONE, False
        if words and words[0].text.upper() in _ROTATION_WORDS:
            rotation = _ROTATION_WORDS[words.pop(0).text.upper()]
        if words and words[0].text.upper() in ("FLIP", "FLIPPED"):
            flipped = True
            del words[0]
        if not words:
            raise NotationError("erwartet: der Ort, wie 3,4", "expected the place, like 3,4", text, len(text))
        found = _PLACE.fullmatch(words[0].text)
        if found is None:
            known = ", ".join(_ROTATION_WORDS)
            raise NotationError(
                f"erwartet: eine Drehung ({known}), dann FLIP, dann ein Ort wie 3,4",
                f"expected a rotation ({known}), then FLIP, then a place like 3,4",
                text,
                words[0].at,
            )
        if len(words) > 1:
            raise NotationError(
                "nach dem Ort darf nichts mehr kommen", "expected nothing after the place", text, words[1].at
            )
        return Place(color, kind, rotation, flipped, int(found[1]), int(found[2]))


class _PositionReader:
    """Reads one position: first the words, then whether a game can have led there."""

    def __init__(self, rules: Rules, text: str) -> None:
        self._rules = rules
        self._text = text
        self._at_square: dict[int, int] = {}

    def _problem(self, de: str, en: str, at: int) -> NotationError:
        return NotationError(de, en, self._text, at)

    def read(self) -> State:
        """The position, or the first thing that is wrong with it."""
        words = read_position_words(self._text, self._rules.key, _WORDS)
        board, turn_word, start_word, ins_word, monos_word = words
        boards = self._read_board(*board)
        # Colours that are out may be skipped after the last round.
        turn = read_turn(self._text, turn_word, 4 * self._rules.rounds + len(COLORS) - 1)
        start = self._read_start(*start_word)
        still_in, mono = self._read_colors(*ins_word), self._read_colors(*monos_word)
        blue, yellow, red, green = (self._read_pieces(color, boards[color], start) for color in COLORS)
        state = State(self._rules, start, boards, (blue, yellow, red, green), turn, still_in, mono)
        self._check_turns(state, turn_word.at)
        self._check_colors_in(state, ins_word.at)
        for color in COLORS:
            if mono >> color & 1 and state.hands[color]:
                raise self._problem(
                    f"{color.letter} hat nicht alle Steine gelegt, also war keiner der letzte",
                    f"{color.letter} has not laid all its pieces, so none was the last",
                    monos_word.at,
                )
        return state

    # --- the words ---

    def _read_board(self, word: str, at: int) -> Four:
        rows = word.split("/")
        if len(rows) != SIDE:
            raise self._problem(
                f"erwartet: zwanzig Reihen, getrennt durch /; gefunden: {len(rows)}",
                f"expected twenty rows with / between them, but found {len(rows)}",
                at,
            )
        boards = [0] * len(COLORS)
        for y, row in enumerate(rows):
            x = 0
            for token in re.finditer(r"[1-9][0-9]*|.", row):
                if token[0] in _LETTERS:
                    if x < SIDE:
                        boards[_LETTERS[token[0]]] |= bit(x, y)
                        self._at_square[STRIDE * y + x] = at + token.start()
                    x += 1
                elif token[0].isascii() and token[0].isdecimal() and token[0] != "0":
                    x += int(token[0][:3])
                else:
                    raise self._problem(
                        f"erwartet in Reihe {y}: B, Y, R, G oder eine Anzahl leerer Felder",
                        f"expected B, Y, R, G or a number of empty squares in row {y}",
                        at + token.start(),
                    )
            if x != SIDE:
                raise self._problem(
                    f"erwartet: zwanzig Felder in Reihe {y}; gefunden: {x}",
                    f"expected twenty squares in row {y}, but found {x}",
                    at,
                )
            at += len(row) + 1
        blue, yellow, red, green = boards
        return blue, yellow, red, green

    def _read_start(self, word: str, at: int) -> Shape:
        kind = _KIND_WORDS.get(word)
        # Also a shape that is never drawn: such a position can be judged.
        if kind is None or kind not in PENTOMINOES:
            known = ", ".join(kind.name for kind in PENTOMINOES)
            raise self._problem(
                f"erwartet: die Form der ersten Steine ({known})",
                f"expected the shape of the first pieces: {known}",
                at,
            )
        return kind

    def _read_colors(self, word: str, at: int) -> int:
        if not re.fullmatch("-|B?Y?R?G?", word):
            raise self._problem(
                "erwartet: Farben in der Reihenfolge BYRG, oder - für keine",
                "expected colours in the order BYRG, or - for none",
                at,
            )
        return sum(1 << _LETTERS[letter] for letter in word if letter != "-")

    # --- whether a game can have led there ---

    def _at_piece(self, piece: int) -> int:
        """Where in the text the first square of ``piece`` stands."""
        return self._at_square[(piece & -piece).bit_length() - 1]

    def _read_pieces(self, color: Color, own: int, start: Shape) -> int:
        """The kinds that a colour has left, if its pieces can have been laid one after the other."""
        hand = FULL_HAND
        first = 0
        found = pieces(own)
        for piece in found:
            index = orientation_of(piece)
            if index is None:
                raise self._problem(
                    f"diese Felder von {color.letter} sind keiner der 21 Steine",
                    f"these squares of {color.letter} are none of the 21 pieces",
                    self._at_piece(piece),
                )
            kind = ORIENTATIONS[index].kind
            if not hand >> kind & 1:  # R3
                raise self._problem(
                    f"{color.letter} hat {kind.name} zweimal gelegt",
                    f"{color.letter} has laid {kind.name} twice",
                    self._at_piece(piece),
                )
            hand ^= 1 << kind
            if kind is start:
                first = piece
        if own:
            self._check_hangs_together(color, found, first, start)
        return hand

    def _check_hangs_together(self, color: Color, found: list[int], first: int, start: Shape) -> None:
        if not first:  # R6
            raise self._problem(
                f"{color.letter} hat Steine gelegt, aber nicht den ersten, {start.name}",
                f"{color.letter} has laid pieces, but not the first one, {start.name}",
                self._at_piece(found[0]),
            )
        if not first & self._rules.start_squares:  # R7
            where = (
                Text("am Rand", "on the border")
                if self._rules.start_on_border
                else Text("in einer Ecke", "in a corner")
            )
            raise self._problem(
                f"der erste Stein von {color.letter} muss {where.de} liegen",
                f"the first piece of {color.letter} must lie {where.en}",
                self._at_piece(first),
            )
        laid, rest = first, [piece for piece in found if piece != first]
        while rest:
            _, corners = reach(laid, 0, 0)
            touching = [piece for piece in rest if piece & corners]
            if not touching:  # R10
                raise self._problem(
                    f"dieser Stein von {color.letter} berührt keine Ecke der anderen",
                    f"this piece of {color.letter} touches no corner of the others",
                    self._at_piece(rest[0]),
                )
            laid |= sum(touching)
            rest = [piece for piece in rest if not piece & corners]

    def _check_turns(self, state: State, at: int) -> None:
        for color in COLORS:
            turns = (state.turn - color + 3) // 4
            laid = len(KINDS) - state.hands[color].bit_count()
            if laid > turns:
                raise self._problem(
                    f"{color.letter} hat in {turns} Zügen {laid} Steine gelegt",
                    f"{color.letter} has laid {laid} pieces in {turns} turns",
                    at,
                )
            if turns and not laid and state.still_in >> color & 1:  # R12
                raise self._problem(
                    f"{color.letter} hat nichts gelegt, aber der erste Zug darf kein Passen sein",
                    f"{color.letter} has laid nothing, but its first move cannot be a pass",
                    at,
                )
        limit = 4 * self._rules.rounds
        for turn in range(limit, state.turn):
            if state.still_in >> (turn & 3) & 1:  # R16
                letter = COLORS[turn & 3].letter
                raise self._problem(
                    f"das Spiel war mit Zug {turn} zu Ende: {letter} ist noch im Spiel",
                    f"the game was over at turn {turn}: {letter} is in",
                    at,
                )

    def _check_colors_in(self, state: State, at: int) -> None:
        """R13: who is out cannot lay a piece; whose turn it is can."""
        for color in COLORS:
            able = can_lay(self._rules, state.start, state.boards, state.hands, color)
            if able and not state.still_in >> color & 1:
                raise self._problem(
                    f"{color.letter} kann noch einen Stein legen, ist also nicht ausgeschieden",
                    f"{color.letter} can still lay a piece, so it is not out",
                    at,
                )
            if color is state.color and state.still_in:
                if not state.still_in >> color & 1:
                    raise self._problem(
                        f"{color.letter} ist am Zug, aber ausgeschieden",
                        f"it is the turn of {color.letter}, but it is out",
                        at,
                    )
                if not able:
                    raise self._problem(
                        f"{color.letter} ist am Zug, kann aber keinen Stein legen, ist also ausgeschieden",
                        f"it is the turn of {color.letter}, but it cannot lay a piece: it is out",
                        at,
                    )
