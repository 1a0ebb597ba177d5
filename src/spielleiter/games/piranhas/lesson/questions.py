"""Exercises of Piranhas."""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.game import (
    ChoiceQuestion,
    MoveQuestion,
    Square,
    SquaresQuestion,
    Team,
    Text,
    framed,
    refusal_from,
    winner_index,
)
from spielleiter.games.piranhas.board_input import PiranhasInput, squares_of
from spielleiter.games.piranhas.lesson.positions import (
    ALL_WAYS,
    BARRED,
    BREAK,
    FINAL,
    HEAVIEST,
    HUNGRY,
    LINE,
    UNITE,
    position,
)
from spielleiter.games.piranhas.rules import (
    MOVES,
    Direction,
    Move,
    PiranhasViolation,
    Rules,
    State,
    is_united,
    square_name,
)

_INPUT = PiranhasInput()


def how_far(rules: Rules) -> SquaresQuestion[State]:
    """The distance in one direction."""
    start = column, row = (1, 5)

    def target(state: State) -> Iterable[Square]:
        found = state.target(MOVES[column, row, Direction.RIGHT])
        return () if found is None else (found,)

    return SquaresQuestion(
        title=Text("Wie weit?", "How far?"),
        task=Text(
            "Der umrahmte rote Fisch auf B5 schwimmt nach rechts. Auf welchem Feld kommt er an?",
            "The framed red fish on B5 swims to the right. On which square does it arrive?",
        ),
        hint=Text(
            "Zähle alle Fische in Reihe 5, von A bis J. Der Fisch selbst zählt mit.",
            "Count all fish in row 5, from A to J. The fish itself counts, too.",
        ),
        praise=Text(
            "Genau: B5, F5 und H5 sind drei Fische, also drei Felder weit. Dass einer davon blau ist, spielt beim "
            "Zählen keine Rolle.",
            "Exactly: B5, F5 and H5 are three fish, so it swims three squares. That one of them is blue makes no "
            "difference to the count.",
        ),
        state=position(rules, LINE),
        look=framed([start]),
        answer=target,
        why_not=refusal_from(_INPUT, start),
    )


def all_targets(rules: Rules) -> SquaresQuestion[State]:
    """Every square that a fish can reach."""
    start = (3, 5)
    return SquaresQuestion(
        title=Text("In alle Richtungen", "In all directions"),
        task=Text(
            "Wohin kann der umrahmte Fisch auf D5 schwimmen? Wähle alle Felder.",
            "Where can the framed fish on D5 swim to? Choose all squares.",
        ),
        hint=Text(
            "Prüfe die vier Linien durch D5 nacheinander: Reihe, Spalte und beide Diagonalen. Auf jeder geht es in "
            "zwei Richtungen gleich weit.",
            "Check the four lines through D5 one by one: the row, the column and both diagonals. On each of them the "
            "distance is the same in both directions.",
        ),
        praise=Text(
            "Sehr gut! Nach D8 versperrt D7 den Weg, und auf B3 ist schon ein eigener Fisch.",
            "Very good! D7 blocks the way to D8, and on B3 there is a fish of your own.",
        ),
        state=position(rules, ALL_WAYS),
        look=framed([start]),
        answer=lambda state: [
            target for move in state.legal_moves() for origin, target in [_INPUT.picks(state, move)] if origin == start
        ],
        why_not=refusal_from(_INPUT, start),
    )


def why_not(rules: Rules) -> ChoiceQuestion[State]:
    """The rule that forbids a move."""
    to_the_right = MOVES[0, 5, Direction.RIGHT]
    reasons = (
        PiranhasViolation.OPPONENT_IN_THE_WAY,
        PiranhasViolation.KRAKEN_ON_TARGET,
        PiranhasViolation.OWN_FISH_ON_TARGET,
        PiranhasViolation.TARGET_OFF_BOARD,
    )
    replies = (
        Text(
            "Der blaue Fisch auf H5 ist weiter weg, als A5 schwimmt.", "The blue fish on H5 is farther than A5 swims."
        ),
        Text("", ""),
        Text("Zähle noch einmal: Wo kommt A5 an?", "Count again: where does A5 arrive?"),
        Text("So weit schwimmt er nicht. Zähle die Fische in Reihe 5.", "It does not swim that far. Count row 5."),
    )
    return ChoiceQuestion(
        title=Text("Warum nicht?", "Why not?"),
        task=Text(
            "Der umrahmte Fisch auf A5 darf nicht nach rechts schwimmen. Warum?",
            "The framed fish on A5 may not swim to the right. Why?",
        ),
        hint=Text(
            "In Reihe 5 sind zwei Fische. Was liegt zwei Felder rechts von A5?",
            "There are two fish in row 5. What lies two squares to the right of A5?",
        ),
        praise=Text(
            "Stimmt. Über einen Kraken hinweg dürfte er schwimmen, aber nicht auf ihm landen.",
            "Right. It might pass a kraken, but it may not land on one.",
        ),
        state=position(rules, BARRED),
        look=framed([(0, 5)]),
        options=tuple((reason.text, reply) for reason, reply in zip(reasons, replies, strict=True)),
        answer=lambda state: [reason is state.violation(to_the_right) for reason in reasons].index(True),
    )


def eat(rules: Rules) -> MoveQuestion[State, Move]:
    """Find the capture."""

    def shortfall(state: State, move: Move) -> Text | None:
        if state.play_unchecked(move).two != state.two:
            return None
        return Text("Erlaubt, aber da ist nichts zu fressen.", "Legal, but there is nothing to eat there.")

    return MoveQuestion(
        title=Text("Hungrig", "Hungry"),
        task=Text(
            "Du bist Rot. Nur ein einziger Zug frisst einen blauen Fisch. Findest du ihn?",
            "You are Red. There is just one move that eats a blue fish. Can you find it?",
        ),
        hint=Text(
            "Der Abstand zum blauen Fisch muss so groß sein wie die Zahl der Fische auf der Linie.",
            "The distance to the blue fish must equal the number of fish on the line.",
        ),
        praise=Text(
            "Guten Appetit! In Reihe 4 waren zwei Fische, und H4 ist zwei Felder entfernt.",
            "Enjoy your meal! There were two fish in row 4, and H4 is two squares away.",
        ),
        state=position(rules, HUNGRY),
        shortfall=shortfall,
    )


def largest_swarm(rules: Rules) -> SquaresQuestion[State]:
    """The fish of the largest swarm."""
    heavy = rules.weighted
    return SquaresQuestion(
        title=Text("Der größte Schwarm", "The largest shoal"),
        task=Text(
            "Welcher rote Schwarm ist der schwerste? Wähle alle seine Fische."
            if heavy
            else "Welcher rote Schwarm ist der größte? Wähle alle seine Fische.",
            "Which red shoal is the heaviest? Choose all its fish."
            if heavy
            else "Which red shoal is the largest? Choose all its fish.",
        ),
        hint=Text(
            "Kleine Fische wiegen 1, mittlere 2, große 3." if heavy else "Zähle die Fische, die sich berühren.",
            "Small fish weigh 1, medium ones 2, large ones 3." if heavy else "Count the fish that touch.",
        ),
        praise=Text(
            "Richtig: Drei große Fische wiegen 9, die fünf kleinen nur 5."
            if heavy
            else "Richtig: Fünf Fische hängen zusammen, auch schräg. Oben sind es nur drei.",
            "Right: three large fish weigh 9, the five small ones only 5."
            if heavy
            else "Right: five fish hang together, also diagonally. At the top there are only three.",
        ),
        state=position(rules, HEAVIEST),
        answer=lambda state: squares_of(state.largest_swarm(Team.ONE)),
        why_not=lambda state, square: _not_in_swarm(state, square, heavy),
    )


def _not_in_swarm(state: State, square: Square, heavy: bool) -> Text:
    name, there = square_name(*square), _INPUT.contents(state, square)
    if there.en.startswith("red"):
        return (
            Text(f"{name}: Dieser Schwarm ist leichter.", f"{name}: this shoal is lighter.")
            if heavy
            else Text(f"{name}: Dieser Schwarm ist kleiner.", f"{name}: this shoal is smaller.")
        )
    return Text(f"{name}: Das ist kein roter Fisch.", f"{name}: this is not a red fish.")


def unite(rules: Rules) -> MoveQuestion[State, Move]:
    """Unite a swarm with one move."""

    def shortfall(state: State, move: Move) -> Text | None:
        if is_united(state.play_unchecked(move).one):
            return None
        return Text(
            "Erlaubt, aber deine Fische sind noch nicht alle in einem Schwarm.",
            "Legal, but your fish are not all in one shoal yet.",
        )

    return MoveQuestion(
        title=Text("Vereine deinen Schwarm", "Unite your shoal"),
        task=Text(
            "Du bist Rot. Bring alle deine Fische mit einem Zug in einen Schwarm!",
            "You are Red. Bring all your fish into one shoal with one move!",
        ),
        hint=Text(
            "Nur I5 schwimmt noch allein. In welcher Richtung kommt er neben den anderen an?",
            "Only I5 is still alone. In which direction does it arrive next to the others?",
        ),
        praise=Text(
            "Vereint! F5 berührt E6 schräg. Nun hat Blau noch einen Zug, dann ist das Spiel zu Ende.",
            "United! F5 touches E6 diagonally. Blue has one more move now, then the game is over.",
        ),
        state=position(rules, UNITE),
        shortfall=shortfall,
    )


def tear_apart(rules: Rules) -> MoveQuestion[State, Move]:
    """Undo the union of the opponent."""

    def shortfall(state: State, move: Move) -> Text | None:
        after = state.play_unchecked(move)
        if not is_united(after.one):
            return None
        if after.one != state.one:
            return Text(
                "Gefressen, aber Rot ist immer noch vereint: So gewinnt Rot.",
                "Eaten, but Red is still united: Red wins like this.",
            )
        return Text("So bleibt Rot vereint und gewinnt.", "Like this Red stays united and wins.")

    return MoveQuestion(
        title=Text("Letzte Rettung", "Last chance"),
        task=Text(
            "Rot ist vereint, aber du bist Blau und hast noch einen Zug in dieser Runde. Zerreiß den Schwarm!",
            "Red is united, but you are Blue and have one more move in this round. Tear the shoal apart!",
        ),
        hint=Text(
            "Welcher rote Fisch hält die anderen zusammen? Ein Fisch am Ende der Kette ist es nicht.",
            "Which red fish holds the others together? It is not one at the end of the chain.",
        ),
        praise=Text(
            "Gerettet! Ohne diesen Fisch zerfällt der Schwarm, und das Spiel geht weiter.",
            "Saved! Without this fish the shoal falls apart, and the game goes on.",
        ),
        state=position(rules, BREAK, 21),
        shortfall=shortfall,
    )


def who_wins(rules: Rules) -> ChoiceQuestion[State]:
    """The winner when both are united."""
    heavy = rules.weighted
    return ChoiceQuestion(
        title=Text("Wer gewinnt?", "Who wins?"),
        task=Text(
            "Die Runde ist zu Ende, und beide sind vereint. Wie geht das Spiel aus?",
            "The round is over, and both are united. How does the game end?",
        ),
        hint=Text(
            "Zähle das Gewicht: Kleine Fische wiegen 1, große 3." if heavy else "Wie viele Fische hat jeder Schwarm?",
            "Add up the weights: small fish weigh 1, large ones 3." if heavy else "How many fish are in each shoal?",
        ),
        praise=Text(
            "Richtig: Zwei große Fische wiegen 6, vier kleine nur 4. Das Gewicht entscheidet, nicht die Zahl."
            if heavy
            else "Richtig: Vier Fische gegen zwei.",
            "Right: two large fish weigh 6, four small ones only 4. The weight decides, not the number."
            if heavy
            else "Right: four fish against two.",
        ),
        state=position(rules, FINAL),
        options=(
            (
                Text("Rot gewinnt.", "Red wins."),
                Text("Rot hat mehr Fische, aber wie schwer sind sie?", "Red has more fish, but how heavy are they?"),
            ),
            (
                Text("Blau gewinnt.", "Blue wins."),
                Text("Vergleiche die beiden Schwärme noch einmal.", "Compare the two shoals again."),
            ),
            (
                Text("Unentschieden.", "It is a draw."),
                Text("Die Schwärme sind nicht gleich groß.", "The shoals are not equal."),
            ),
        ),
        answer=winner_index,
    )
