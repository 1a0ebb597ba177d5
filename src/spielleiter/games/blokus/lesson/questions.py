"""Exercises of Blokus."""

from __future__ import annotations

from spielleiter.game import ChoiceQuestion, Look, MoveQuestion, Square, SquaresQuestion, Text, framed
from spielleiter.games.blokus.board import beside
from spielleiter.games.blokus.board_input import BlokusInput
from spielleiter.games.blokus.lesson.positions import (
    ALL_LAID,
    FIRST_ROUND,
    GREEN_OUT,
    MIDDLE,
    SECOND_ROUND,
    position,
)
from spielleiter.games.blokus.moves import Move, Pass, Place
from spielleiter.games.blokus.rules import BlokusViolation, Rules, State
from spielleiter.games.blokus.shapes import COLORS, Color, Rotation, Shape

_INPUT = BlokusInput()
_PASSED = Text("Passen wäre erlaubt, aber gefragt ist ein Stein.", "Passing would be legal, but lay a piece.")


def first_piece(rules: Rules) -> MoveQuestion[State, Move]:
    """Lay the given piece where a colour may begin."""
    where = (
        Text("an den Rand des Spielfelds", "on the border of the board")
        if rules.start_on_border
        else Text("in eine Ecke des Spielfelds", "into a corner of the board")
    )
    return MoveQuestion(
        title=Text("Der erste Stein", "The first piece"),
        task=Text(
            f"Du bist Blau und fängst an. Lege den vorgegebenen Stein {where.de}. Du darfst ihn drehen und spiegeln.",
            f"You are Blue and begin. Lay the given piece {where.en}. You may turn and flip it.",
        ),
        hint=Text(
            "Mindestens ein Feld des Steins muss auf dem Rand liegen, und keines darf darüber hinausragen."
            if rules.start_on_border
            else "Ein Feld des Steins muss das Eckfeld bedecken. Vielleicht musst du ihn dafür drehen.",
            "At least one square of the piece must lie on the border, and none may stick out."
            if rules.start_on_border
            else "One square of the piece must cover the corner square. Maybe you have to turn it.",
        ),
        praise=Text(
            "Ein guter Anfang! Von hier aus wächst Blau weiter, von Ecke zu Ecke.",
            "A good start! From here Blue grows on, corner by corner.",
        ),
        state=State.begin(rules, Shape.PENTO_Z),
        shortfall=lambda state, move: None,
    )


def corners(rules: Rules) -> SquaresQuestion[State]:
    """The squares where the next piece can touch."""
    return SquaresQuestion(
        title=Text("Ecke an Ecke", "Corner to corner"),
        task=Text(
            "Auf welchen Feldern kann der nächste blaue Stein den ersten berühren? Wähle alle.",
            "On which squares can the next blue piece touch the first one? Choose all of them.",
        ),
        hint=Text(
            "Das sind die Felder, die schräg an einer Ecke des blauen Steins liegen, aber an keiner Kante.",
            "These are the squares that lie diagonally at a corner of the blue piece, but at none of its edges.",
        ),
        praise=Text(
            "Genau diese drei. Jeder weitere blaue Stein muss so ein Feld bedecken.",
            "Exactly these three. Every further blue piece has to cover such a square.",
        ),
        state=position(rules, FIRST_ROUND),
        answer=_INPUT.anchors,
        why_not=_not_a_corner,
    )


def _not_a_corner(state: State, square: Square) -> Text:
    """What a piece of one square would break there."""
    violation = state.violation(Place(state.color, Shape.MONO, Rotation.NONE, False, *square))
    assert violation is not None
    name = _INPUT.square_name(square)
    match violation:
        case BlokusViolation.OVERLAP:
            return Text(f"{name}: Das Feld ist schon belegt.", f"{name}: this square is taken.")
        case BlokusViolation.TOUCHES_EDGE:
            return Text(
                f"{name}: Hier läge der Stein Kante an Kante mit Blau.",
                f"{name}: here the piece shares an edge with Blue.",
            )
        case _:
            return Text(f"{name}: Hier berührt er keine blaue Ecke.", f"{name}: here it touches no corner of Blue.")


def why_not(rules: Rules) -> ChoiceQuestion[State]:
    """The rule that forbids a placement."""
    move = Place(Color.BLUE, Shape.TETRO_I, Rotation.NONE, False, 3, 13)
    reasons = (
        BlokusViolation.OVERLAP,
        BlokusViolation.TOUCHES_EDGE,
        BlokusViolation.NO_CORNER,
        BlokusViolation.OFF_BOARD,
    )
    replies = (
        Text("Die vier umrahmten Felder sind alle frei.", "The four framed squares are all free."),
        Text("", ""),
        Text(
            "Ecken berührt er, zum Beispiel die von 2,17. Aber was berührt er noch?",
            "It touches corners, such as that of 2,17. But what else does it touch?",
        ),
        Text("Er passt ganz auf das Spielfeld.", "All of it is on the board."),
    )
    return ChoiceQuestion(
        title=Text("Warum nicht?", "Why not?"),
        task=Text(
            "Blau möchte einen geraden Vierer auf die umrahmten Felder legen. Das ist verboten. Warum?",
            "Blue wants to lay a straight piece of four on the framed squares. This is forbidden. Why?",
        ),
        hint=Text(
            "Schau dir an, welche blauen Felder links neben den umrahmten liegen.",
            "Look at the blue squares to the left of the framed ones.",
        ),
        praise=Text(
            "Richtig: Steine derselben Farbe dürfen sich nur an Ecken berühren, nie an einer Kante.",
            "Right: pieces of one colour may touch at corners only, never at an edge.",
        ),
        state=position(rules, SECOND_ROUND),
        look=framed(move.cells),
        options=tuple((reason.text, reply) for reason, reply in zip(reasons, replies, strict=True)),
        answer=lambda state: [reason is state.violation(move) for reason in reasons].index(True),
    )


def large_piece(rules: Rules) -> MoveQuestion[State, Move]:
    """Lay a piece of five squares."""

    def shortfall(state: State, move: Move) -> Text | None:
        if isinstance(move, Pass):
            return _PASSED
        if move.kind.size == 5:
            return None
        return Text(
            f"Erlaubt, aber dieser Stein hat nur {move.kind.size} Felder. Die großen sind später schwer "
            "unterzubringen.",
            f"Legal, but this piece has only {move.kind.size} squares. The large ones are hard to fit in later.",
        )

    return MoveQuestion(
        title=Text("Die großen zuerst", "The large ones first"),
        task=Text(
            "Du bist Blau. Am Anfang ist noch viel Platz: Lege einen Stein mit fünf Feldern.",
            "You are Blue. There is plenty of room at the start: lay a piece of five squares.",
        ),
        hint=Text(
            "Die Punkte auf dem Brett zeigen, wo dein Stein anlegen kann. Drehe ihn, bis er passt.",
            "The dots on the board show where your piece can touch. Turn it until it fits.",
        ),
        praise=Text(
            "Gut gelegt! Jedes bedeckte Feld ist ein Punkt, und die großen Steine sind es, die am Ende übrig bleiben.",
            "Well laid! Every covered square is a point, and it is the large pieces that are left over in the end.",
        ),
        state=position(rules, SECOND_ROUND),
        shortfall=shortfall,
    )


def beside_yellow(rules: Rules) -> MoveQuestion[State, Move]:
    """Lay a piece along an edge of another colour."""

    def shortfall(state: State, move: Move) -> Text | None:
        if isinstance(move, Pass):
            return _PASSED
        if beside(move.squares) & state.boards[Color.YELLOW]:
            return None
        return Text(
            "Erlaubt, aber der Stein liegt nirgends Kante an Kante mit Gelb.",
            "Legal, but the piece shares no edge with Yellow.",
        )

    return MoveQuestion(
        title=Text("Ganz nah ran", "Up close"),
        task=Text(
            "Du bist Blau. Lege einen Stein so, dass er Kante an Kante mit einem gelben liegt. Das ist erlaubt!",
            "You are Blue. Lay a piece so that it shares an edge with a yellow one. This is legal!",
        ),
        hint=Text(
            "Such blaue Ecken, die nah an Gelb liegen: die von 6,11 oder 5,14 zum Beispiel.",
            "Look for corners of Blue that are close to Yellow, such as those of 6,11 or 5,14.",
        ),
        praise=Text(
            "Richtig: Wie du andere Farben berührst, ist egal. Nur die eigene Farbe darf nicht an der Kante liegen.",
            "Right: how you touch other colours does not matter. Only your own colour must not lie at an edge.",
        ),
        state=position(rules, MIDDLE),
        shortfall=shortfall,
    )


def block_yellow(rules: Rules) -> MoveQuestion[State, Move]:
    """Cover a square that the opponent needs."""
    needed = (6, 16)

    def shortfall(state: State, move: Move) -> Text | None:
        if isinstance(move, Pass):
            return _PASSED
        if needed in move.cells:
            return None
        return Text(
            "Erlaubt, aber das umrahmte Feld bleibt frei für Gelb.",
            "Legal, but the framed square is still there for Yellow.",
        )

    return MoveQuestion(
        title=Text("Versperr den Weg", "Block the way"),
        task=Text(
            "Du bist Blau. Gelb will über das umrahmte Feld 6,16 in die Ecke unten links. Besetze es!",
            "You are Blue. Yellow wants to use the framed square 6,16 to get into the corner at the bottom left. "
            "Take it!",
        ),
        hint=Text(
            "Von 6,17 oder 6,15 aus kommst du hin: Dort berührst du eine blaue Ecke.",
            "You get there from 6,17 or 6,15: there you touch a corner of Blue.",
        ),
        praise=Text(
            "Zu! Blokus gewinnt, wer sich selbst Wege offen hält und dem Gegner welche nimmt.",
            "Closed! Blokus is won by keeping your own ways open and closing those of the opponent.",
        ),
        state=position(rules, MIDDLE),
        look=framed([needed]),
        shortfall=shortfall,
    )


def who_is_next(rules: Rules) -> ChoiceQuestion[State]:
    """Whose turn it is when a colour is out."""
    replies = {
        Color.YELLOW: Text("Vor Gelb kommt noch eine Farbe.", "Another colour comes before Yellow."),
        Color.RED: Text("Rot hat gerade gelegt.", "Red has just laid a piece."),
        Color.GREEN: Text("Grün kann nicht mehr legen und ist ausgeschieden.", "Green cannot lay any more and is out."),
    }
    return ChoiceQuestion(
        title=Text("Wer ist dran?", "Whose turn is it?"),
        task=Text(
            "Rot hat gerade gelegt. Grün hat zwar noch Steine, aber keiner passt mehr. Welche Farbe ist jetzt am Zug?",
            "Red has just laid a piece. Green has pieces left, but none of them fits. Which colour moves now?",
        ),
        hint=Text(
            "Die Reihenfolge ist Blau, Gelb, Rot, Grün, und dann wieder von vorne.",
            "The order is blue, yellow, red, green, and then again from the start.",
        ),
        praise=Text(
            "Richtig: Grün ist ausgeschieden, also ist wieder Blau dran. So zieht dieselbe Seite zweimal nacheinander: "
            "Rot und Blau gehören zusammen.",
            "Right: Green is out, so it is Blue's turn again. So the same side moves twice in a row: Red and Blue "
            "belong together.",
        ),
        state=position(rules, GREEN_OUT),
        look=Look(score=False),
        options=tuple((color.text, replies.get(color, Text("", ""))) for color in COLORS),
        answer=lambda state: int(state.color),
    )


def points(rules: Rules) -> ChoiceQuestion[State]:
    """The bonus for laying all pieces."""
    values = (89, 104, 109)
    return ChoiceQuestion(
        title=Text("Punkte zählen", "Count the points"),
        task=Text(
            "Blau hat alle 21 Steine gelegt, das sind 89 Felder. Der letzte war der Einer. Wie viele Punkte hat Blau?",
            "Blue has laid all 21 pieces, which cover 89 squares. The last one was the single square. How many points "
            "has Blue?",
        ),
        hint=Text(
            "Für alle Steine gibt es etwas extra, und noch etwas für den richtigen letzten Stein.",
            "There is something extra for all pieces, and some more for the right last piece.",
        ),
        praise=Text(
            "Richtig: 89 Felder, 15 dazu für alle Steine und noch 5 für den Einer zum Schluss.",
            "Right: 89 squares, 15 more for all pieces, and another 5 for the single square at the end.",
        ),
        state=position(rules, ALL_LAID),
        look=Look(score=False),
        options=(
            (
                Text("89 Punkte", "89 points"),
                Text("Das sind nur die Felder. Es gibt noch etwas dazu.", "These are just the squares. There is more."),
            ),
            (
                Text("104 Punkte", "104 points"),
                Text("Fast: Der letzte Stein war der Einer.", "Almost: the last piece was the single square."),
            ),
            (Text("109 Punkte", "109 points"), Text("", "")),
        ),
        answer=lambda state: values.index(state.color_points(Color.BLUE)),
    )
