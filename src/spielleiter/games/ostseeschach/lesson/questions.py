"""Exercises of Ostseeschach."""

from __future__ import annotations

from spielleiter.game import (
    ChoiceQuestion,
    MoveQuestion,
    Square,
    SquaresQuestion,
    Text,
    framed,
    refusal_from,
    winner_index,
)
from spielleiter.games.ostseeschach.board_input import OstseeschachInput
from spielleiter.games.ostseeschach.lesson.positions import (
    BUILD,
    DOUBLE,
    LAST_LINE,
    RACE,
    SEAL,
    SECOND_AMBER,
    STARFISH,
    TALL,
    position,
)
from spielleiter.games.ostseeschach.moves import SIZE, Move, PieceKind
from spielleiter.games.ostseeschach.rules import Rules, State

_INPUT = OstseeschachInput()


def starfish(rules: Rules) -> SquaresQuestion[State]:
    """Every square that a Seestern can reach."""
    return _targets(
        position(rules, STARFISH),
        (3, 3),
        title=Text("Der Seestern", "The starfish"),
        task=Text(
            "Wohin darf der umrahmte Seestern auf d4 ziehen? Wähle alle Felder.",
            "Where may the framed starfish on d4 go? Choose all squares.",
        ),
        hint=Text(
            "Ein Feld nach vorne oder ein Feld schräg, auch schräg zurück. Was steht schon dort?",
            "One square forward or one square diagonally, also diagonally back. What stands there already?",
        ),
        praise=Text(
            "Genau! Die blaue Möwe auf c5 darf er schlagen, aber auf e5 steht schon eine eigene Figur.",
            "Exactly! It may capture the blue gull on c5, but on e5 there is a piece of your own.",
        ),
    )


def seal(rules: Rules) -> SquaresQuestion[State]:
    """Every square that a Robbe can reach."""
    return _targets(
        position(rules, SEAL),
        (2, 1),
        title=Text("Die Robbe springt", "The seal jumps"),
        task=Text(
            "Wohin darf die umrahmte Robbe auf b3 springen? Wähle alle Felder.",
            "Where may the framed seal on b3 jump? Choose all squares.",
        ),
        hint=Text(
            "Zwei Felder geradeaus und eins zur Seite, in alle Richtungen. Am Rand ist Schluss.",
            "Two squares straight and one to the side, in all directions. The edge is the end.",
        ),
        praise=Text(
            "Richtig! Auf c5 schlägt sie den Seestern, und auf d4 steht eine eigene Figur.",
            "Right! On c5 it captures the starfish, and on d4 there is a piece of your own.",
        ),
    )


def _targets(
    state: State, start: Square, *, title: Text, task: Text, hint: Text, praise: Text
) -> SquaresQuestion[State]:
    return SquaresQuestion(
        title=title,
        task=task,
        hint=hint,
        praise=praise,
        state=state,
        look=framed([start]),
        answer=lambda state: [move.target for move in state.legal_moves() if move.start == start],
        why_not=refusal_from(_INPUT, start),
    )


def build(rules: Rules) -> MoveQuestion[State, Move]:
    """Capture, and make a tower."""

    def shortfall(state: State, move: Move) -> Text | None:
        if state.play_unchecked(move).towers:
            return None
        return Text("Erlaubt, aber so entsteht kein Turm.", "Legal, but this makes no tower.")

    return MoveQuestion(
        title=Text("Bau einen Turm", "Build a tower"),
        task=Text(
            "Du bist Rot und ziehst nach oben. Schlage eine blaue Figur!",
            "You are Red and move upwards. Capture a blue piece!",
        ),
        hint=Text(
            "Welche rote Figur kann ein Feld mit einer blauen erreichen? Eine Möwe zieht gerade, nicht schräg.",
            "Which red piece can reach a square with a blue one? A gull moves straight, not diagonally.",
        ),
        praise=Text(
            "Geschafft: Deine Möwe steht nun oben auf einem Turm aus zwei Figuren und zieht weiter wie eine Möwe.",
            "Done: your gull now stands on a tower of two pieces, and still moves like a gull.",
        ),
        state=position(rules, BUILD),
        shortfall=shortfall,
    )


def tall(rules: Rules) -> MoveQuestion[State, Move]:
    """An amber for a stack of three."""

    def shortfall(state: State, move: Move) -> Text | None:
        if _won(state, move):
            return None
        if state.play_unchecked(move).towers != state.towers:
            return Text(
                "Ein Turm aus zwei Figuren ist noch zu niedrig für einen Bernstein.",
                "A tower of two pieces is not high enough for a piece of amber yet.",
            )
        return Text("Erlaubt, aber dafür gibt es keinen Bernstein.", "Legal, but this wins no amber.")

    return MoveQuestion(
        title=Text("Hoch hinaus", "High up"),
        task=Text(
            "Auf d5 steht ein blauer Turm aus zwei Figuren. Gewinne mit einem Zug einen Bernstein!",
            "On d5 there is a blue tower of two pieces. Win a piece of amber with one move!",
        ),
        hint=Text(
            "Drei Figuren übereinander bringen einen Bernstein. Wer kommt auf d5?",
            "Three pieces on one square win a piece of amber. Who can get to d5?",
        ),
        praise=Text(
            "Ein Bernstein! Drei Figuren lagen übereinander; nun sind alle drei vom Brett.",
            "A piece of amber! Three pieces were on one square; now all three are off the board.",
        ),
        state=position(rules, TALL),
        shortfall=shortfall,
    )


def last_line(rules: Rules) -> MoveQuestion[State, Move]:
    """An amber for a light piece on the last line."""

    def shortfall(state: State, move: Move) -> Text | None:
        if _won(state, move):
            return None
        piece = state.piece_at(move.start)
        if piece is not None and piece.kind is PieceKind.ROBBE and move.target[0] == SIZE - 1:
            return Text(
                "Die Robbe ist keine Leichtfigur: Für sie gibt es hier keinen Bernstein.",
                "The seal is not a light piece: it wins no amber here.",
            )
        return Text("Erlaubt, aber dafür gibt es keinen Bernstein.", "Legal, but this wins no amber.")

    return MoveQuestion(
        title=Text("Ans andere Ufer", "To the other shore"),
        task=Text(
            "Du bist Rot. Bring eine Leichtfigur auf die letzte Linie und gewinne einen Bernstein!",
            "You are Red. Bring a light piece to the last line and win a piece of amber!",
        ),
        hint=Text(
            "Leichtfiguren sind Herzmuschel, Möwe und Seestern. Die Robbe ist keine.",
            "Cockle, gull and starfish are light pieces. The seal is not.",
        ),
        praise=Text(
            "Angekommen! Die Herzmuschel wird zum Bernstein und verlässt das Brett.",
            "Arrived! The cockle becomes a piece of amber and leaves the board.",
        ),
        state=position(rules, LAST_LINE),
        shortfall=shortfall,
    )


def double(rules: Rules) -> MoveQuestion[State, Move]:
    """Two ambers with one move."""

    def shortfall(state: State, move: Move) -> Text | None:
        match _won(state, move):
            case 2:
                return None
            case 1:
                return Text("Ein Bernstein ist gut, zwei sind besser.", "One amber is good, two are better.")
            case _:
                return Text("Erlaubt, aber dafür gibt es keinen Bernstein.", "Legal, but this wins no amber.")

    return MoveQuestion(
        title=Text("Zwei auf einmal", "Two at once"),
        task=Text(
            "Du bist Rot. Gewinne zwei Bernsteine mit einem einzigen Zug!",
            "You are Red. Win two pieces of amber with a single move!",
        ),
        hint=Text(
            "Es gibt einen Bernstein für die letzte Linie und einen für drei Figuren übereinander.",
            "There is a piece of amber for the last line, and one for three pieces on one square.",
        ),
        praise=Text(
            "Doppelt gewonnen: der Turm schlägt auf der letzten Linie. Damit hat Rot zwei Bernsteine.",
            "Won twice: the tower captures on the last line. Now Red has two pieces of amber.",
        ),
        state=position(rules, DOUBLE),
        shortfall=shortfall,
    )


def _won(state: State, move: Move) -> int:
    team = state.to_move
    return state.play_unchecked(move).ambers(team) - state.ambers(team)


def is_it_over(rules: Rules) -> ChoiceQuestion[State]:
    """Two ambers in the middle of a round."""
    return ChoiceQuestion(
        title=Text("Schon vorbei?", "Over already?"),
        task=Text(
            "Rot hat gerade den zweiten Bernstein gewonnen, Blau hat einen. Ist das Spiel zu Ende?",
            "Red has just won the second amber, Blue has one. Is the game over?",
        ),
        hint=Text("Wer hat die Runde begonnen?", "Who began the round?"),
        praise=Text(
            "Richtig: Die Runde wird zu Ende gespielt. Gewinnt Blau jetzt auch einen Bernstein, steht es 2 zu 2.",
            "Right: the round is played to its end. If Blue wins a piece of amber now, too, it is 2 to 2.",
        ),
        state=position(rules, SECOND_AMBER, 21, "2-1"),
        options=(
            (
                Text("Ja, Rot hat gewonnen.", "Yes, Red has won."),
                Text("Noch nicht: Rot hat die Runde begonnen.", "Not yet: Red began the round."),
            ),
            (Text("Nein, Blau darf noch einmal ziehen.", "No, Blue has one more move."), Text("", "")),
            (
                Text("Nein, man braucht drei Bernsteine.", "No, you need three pieces of amber."),
                Text("Zwei genügen.", "Two are enough."),
            ),
        ),
        answer=lambda state: 1 if state.outcome is None else 0,
    )


def who_wins(rules: Rules) -> ChoiceQuestion[State]:
    """The race of the light pieces after 30 rounds."""
    return ChoiceQuestion(
        title=Text("Wer ist weiter vorne?", "Who is farther ahead?"),
        task=Text(
            "30 Runden sind gespielt, jeder hat einen Bernstein. Wer gewinnt?",
            "30 rounds have been played, each side has one amber. Who wins?",
        ),
        hint=Text(
            "Vergleiche zuerst die vordersten Leichtfiguren, dann die zweiten. Robben zählen nicht.",
            "First compare the foremost light pieces, then the second ones. Seals do not count.",
        ),
        praise=Text(
            "Richtig: Die vordersten sind beide fünf Linien weit, aber dann ist Blau mit 4 gegen 2 weiter.",
            "Right: the foremost ones both came five lines, but then Blue is ahead, 4 to 2.",
        ),
        state=position(rules, RACE, 60, "1-1"),
        options=(
            (
                Text("Rot gewinnt.", "Red wins."),
                Text("Die Robbe auf e8 zählt hier nicht.", "The seal on e8 does not count here."),
            ),
            (Text("Blau gewinnt.", "Blue wins."), Text("", "")),
            (
                Text("Unentschieden.", "It is a draw."),
                Text(
                    "Die vordersten sind gleich weit. Aber dann kommen die zweiten an die Reihe.",
                    "The foremost ones are level. But then it is up to the second ones.",
                ),
            ),
        ),
        answer=winner_index,
    )
