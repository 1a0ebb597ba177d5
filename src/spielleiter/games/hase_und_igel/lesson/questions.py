"""Exercises of Hase und Igel."""

from __future__ import annotations

from spielleiter.game import ChoiceQuestion, MoveQuestion, Square, SquaresQuestion, Text, framed, winner_index
from spielleiter.games.hase_und_igel.board_input import HaseUndIgelInput
from spielleiter.games.hase_und_igel.drawing import SQUARES
from spielleiter.games.hase_und_igel.lesson.positions import (
    BOTH_HOME,
    BUY,
    COST,
    GOAL,
    HEDGEHOG,
    HURRY,
    REACH,
    TWO_CARDS,
    position,
)
from spielleiter.games.hase_und_igel.moves import Advance, Card, Move
from spielleiter.games.hase_und_igel.rules import GOAL_CARROTS, Rules, State, cost
from spielleiter.games.hase_und_igel.track import LAST

_INPUT = HaseUndIgelInput()
_COSTS = (6, 12, 21, 36)


def price(rules: Rules) -> ChoiceQuestion[State]:
    """What six fields cost."""

    def answer(state: State) -> int:
        before = state.hares[state.to_move].carrots
        return _COSTS.index(before - state.hare_after(Advance(6)).carrots)

    return ChoiceQuestion(
        title=Text("Was kostet der Lauf?", "What does it cost?"),
        task=Text(
            "Rot läuft von Feld 8 auf Feld 14, also sechs Felder weit. Wie viele Karotten kostet das?",
            "Red runs from field 8 to field 14, which is six fields. How many carrots does that cost?",
        ),
        hint=Text(
            "Das erste Feld kostet 1 Karotte, das zweite 2, das dritte 3 …",
            "The first field costs 1 carrot, the second one 2, the third one 3 …",
        ),
        praise=Text(
            "Richtig: 1 + 2 + 3 + 4 + 5 + 6 = 21. Zweimal drei Felder würden zusammen nur 12 kosten.",
            "Right: 1 + 2 + 3 + 4 + 5 + 6 = 21. Two runs of three fields would only cost 12 together.",
        ),
        state=position(rules, COST),
        look=framed((SQUARES[8], SQUARES[14])),
        options=(
            (
                Text("6 Karotten", "6 carrots"),
                Text(
                    "Nicht jedes Feld kostet eine: Das zweite kostet schon zwei.",
                    "It is not one for each field: the second one already costs two.",
                ),
            ),
            (
                Text("12 Karotten", "12 carrots"),
                Text(
                    "So viel kosten zwei Züge von je drei Feldern. In einem Zug ist es teurer.",
                    "That is what two moves of three fields cost. In one move it is more.",
                ),
            ),
            (Text("21 Karotten", "21 carrots"), Text("", "")),
            (
                Text("36 Karotten", "36 carrots"),
                Text("Nicht sechs mal sechs: Zähle 1 + 2 + 3 + …", "Not six times six: add 1 + 2 + 3 + …"),
            ),
        ),
        answer=answer,
    )


def reach(rules: Rules) -> SquaresQuestion[State]:
    """Every field to which a hare can get with one move."""

    def answer(state: State) -> list[Square]:
        first = (_INPUT.picks(state, move)[0] for move in state.legal_moves())
        return [pick for pick in first if isinstance(pick, tuple)]

    def why_not(state: State, square: Square) -> Text:
        name, reason = _INPUT.square_name(square), _INPUT.refusal(state, (square,))
        return Text(f"Feld {name}: {reason.de}", f"Field {name}: {reason.en}")

    return SquaresQuestion(
        title=Text("Wohin mit 14 Karotten?", "Where to with 14 carrots?"),
        task=Text(
            "Der rote Hase auf Feld 20 hat 14 Karotten und 3 Salate. Wähle alle Felder, auf die er mit einem Zug "
            "kommt, nach vorne und nach hinten.",
            "The red hare on field 20 has 14 carrots and 3 salads. Choose all fields that it can get to with one "
            "move, forward and back.",
        ),
        hint=Text(
            "Vier Felder kosten 10 Karotten, fünf kosten 15. Was liegt auf dem Weg, und welcher Igel liegt dahinter?",
            "Four fields cost 10 carrots, five cost 15. What is on the way, and which hedgehog is behind?",
        ),
        praise=Text(
            "Genau! Auf 23 sitzt Blau, auf den Igel 24 läuft niemand, und auf den Igel 19 kann Rot zurückfallen.",
            "Exactly! Blue is on 23, nobody runs to the hedgehog on 24, and Red can fall back to the one on 19.",
        ),
        state=position(rules, REACH),
        look=framed([SQUARES[20]]),
        answer=answer,
        why_not=why_not,
    )


def hedgehog(rules: Rules) -> MoveQuestion[State, Move]:
    """Get carrots by falling back."""

    def shortfall(state: State, move: Move) -> Text | None:
        gained = state.hare_after(move).carrots - state.hares[state.to_move].carrots
        if gained >= 30:
            return None
        if gained > 0:
            return Text(f"Erlaubt, aber das bringt nur {gained}.", f"Legal, but this brings only {gained}.")
        return Text("Erlaubt, aber das bringt keine Karotten.", "Legal, but this brings no carrots.")

    return MoveQuestion(
        title=Text("Der Tank ist leer", "Out of carrots"),
        task=Text(
            "Rot hat nur noch 2 Karotten. Hol mit einem Zug mindestens 30 dazu!",
            "Red has only 2 carrots left. Get at least 30 more with one move!",
        ),
        hint=Text(
            "Auf dem Karottenfeld gibt es 10. Wer auf einen Igel zurückfällt, bekommt 10 für jedes Feld.",
            "The carrot field pays 10. Falling back to a hedgehog pays 10 for each field.",
        ),
        praise=Text(
            "Gut gemacht: vier Felder zurück, 40 Karotten mehr. Damit kommt dein Hase wieder weit.",
            "Well done: four fields back, 40 carrots more. That will carry your hare a long way.",
        ),
        state=position(rules, HEDGEHOG),
        shortfall=shortfall,
    )


def market(rules: Rules) -> MoveQuestion[State, Move]:
    """Buy the card with which a salad can be eaten."""

    def shortfall(state: State, move: Move) -> Text | None:
        cards = state.hare_after(move).cards
        if Card.EAT_SALAD in cards:
            return None
        if cards:
            return Text("Gekauft, aber das ist eine andere Karte.", "Bought, but that is another card.")
        return Text("Erlaubt, aber so bekommt Rot keine Karte.", "Legal, but Red gets no card this way.")

    return MoveQuestion(
        title=Text("Auf zum Markt", "Off to the market"),
        task=Text(
            "Kauf die Karte „Salat fressen“! Wähle erst den Markt, dann die Karte.",
            "Buy the card “eat a salad”! First choose the market, then the card.",
        ),
        hint=Text("Der nächste Markt ist auf Feld 17.", "The next market is on field 17."),
        praise=Text(
            "Gekauft! Der Weg hat 6 Karotten gekostet und die Karte 10. Spielen kannst du sie auf einem Hasenfeld.",
            "Bought! The way cost 6 carrots and the card 10. You can play it on a hare field.",
        ),
        state=position(rules, BUY),
        shortfall=shortfall,
    )


def hurry(rules: Rules) -> MoveQuestion[State, Move]:
    """Overtake with a card."""

    def shortfall(state: State, move: Move) -> Text | None:
        if state.hare_after(move).position > state.hares[state.to_move.opponent].position:
            return None
        return Text("Erlaubt, aber Blau liegt weiter vorne.", "Legal, but Blue is still ahead.")

    return MoveQuestion(
        title=Text("Überholen ohne Karotten", "Overtake without carrots"),
        task=Text(
            "Rot hat 5 Karotten und die Karte „Vorlaufen“. Überhole Blau mit einem einzigen Zug!",
            "Red has 5 carrots and the card “hurry ahead”. Overtake Blue with a single move!",
        ),
        hint=Text(
            "Karten spielst du auf einem Hasenfeld. Das nächste ist gleich vor dir.",
            "Cards are played on a hare field. The next one is right in front of you.",
        ),
        praise=Text(
            "Überholt! Für eine einzige Karotte bist du jetzt ein Feld vor Blau.",
            "Overtaken! For a single carrot you are one field ahead of Blue now.",
        ),
        state=position(rules, HURRY),
        shortfall=shortfall,
    )


def two_cards(rules: Rules) -> MoveQuestion[State, Move]:
    """Two cards in one move."""

    def shortfall(state: State, move: Move) -> Text | None:
        team = state.to_move
        hare, other = state.hare_after(move), state.hares[team.opponent]
        has_eaten = hare.salads < state.hares[team].salads
        if has_eaten and hare.position > other.position:
            return None
        if has_eaten:
            return Text(
                "Der Salat ist weg, aber dein Hase liegt noch hinten.",
                "The salad is gone, but your hare is still behind.",
            )
        return Text("Erlaubt, aber dein Hase hat keinen Salat gefressen.", "Legal, but your hare has eaten no salad.")

    return MoveQuestion(
        title=Text("Zwei Karten auf einmal", "Two cards at once"),
        task=Text(
            "Rot hat „Vorlaufen“ und „Salat fressen“. Überhole Blau und friss einen Salat, alles in einem Zug!",
            "Red has “hurry ahead” and “eat a salad”. Overtake Blue and eat a salad, all in one move!",
        ),
        hint=Text(
            "Führt eine Karte auf ein Hasenfeld, spielst du dort noch eine. Was für ein Feld liegt vor Blau?",
            "If a card leads to a hare field, you play another one there. Which field is in front of Blue?",
        ),
        praise=Text(
            "Eine Kette: Vorlaufen auf das Hasenfeld 33, und dort gleich der Salat.",
            "A chain: you hurried to the hare field 33 and ate the salad right there.",
        ),
        state=position(rules, TWO_CARDS),
        shortfall=shortfall,
    )


def goal(rules: Rules) -> MoveQuestion[State, Move]:
    """Make the goal reachable."""

    def shortfall(state: State, move: Move) -> Text | None:
        hare = state.hare_after(move)
        left = hare.carrots - cost(LAST - hare.position)
        if left > GOAL_CARROTS:
            return Text(
                f"Erlaubt, aber im Ziel wären dann noch {left} Karotten übrig.",
                f"Legal, but then there would be {left} carrots left in the goal.",
            )
        if left < 0:
            return Text("Von dort reichen die Karotten nicht bis ins Ziel.", "From there the carrots do not suffice.")
        return None

    return MoveQuestion(
        title=Text("Zu viel Gepäck", "Too much luggage"),
        task=Text(
            "Rot hat 26 Karotten und steht drei Felder vor dem Ziel. Mach den Zug, nach dem Rot im nächsten Zug "
            "ins Ziel laufen darf!",
            "Red has 26 carrots, three fields before the goal. Make the move after which Red may run into the goal "
            "with its next move!",
        ),
        hint=Text(
            "Drei Felder kosten 6 Karotten, und im Ziel dürfen höchstens 10 übrig sein.",
            "Three fields cost 6 carrots, and at most 10 may be left in the goal.",
        ),
        praise=Text(
            "Genau: 26 − 10 − 6 = 10. Auf einem Karottenfeld wirst du Karotten auch wieder los.",
            "Exactly: 26 − 10 − 6 = 10. On a carrot field you can also get rid of carrots.",
        ),
        state=position(rules, GOAL, 40),
        shortfall=shortfall,
    )


def who_wins(rules: Rules) -> ChoiceQuestion[State]:
    """Both hares in the goal."""
    return ChoiceQuestion(
        title=Text("Fotofinish", "Photo finish"),
        task=Text(
            "Rot ist ins Ziel gelaufen, und Blau in derselben Runde auch. Rot hat noch 7 Karotten, Blau noch 4. Wer "
            "gewinnt?",
            "Red has run into the goal, and so has Blue in the same round. Red has 7 carrots left, Blue has 4. Who "
            "wins?",
        ),
        hint=Text("Karotten sind auf dem Weg nützlich, im Ziel nicht.", "Carrots help on the way, not in the goal."),
        praise=Text(
            "Richtig: Sind beide im Ziel, gewinnt, wer weniger Karotten übrig hat.",
            "Right: if both are in the goal, the one with fewer carrots left wins.",
        ),
        state=position(rules, BOTH_HOME, 52),
        options=(
            (
                Text("Rot, weil Rot zuerst da war.", "Red, because Red came first."),
                Text(
                    "Die Runde wird zu Ende gespielt: Blau hatte noch seinen Zug.",
                    "The round is played to its end: Blue still had its move.",
                ),
            ),
            (Text("Blau", "Blue"), Text("", "")),
            (
                Text("Niemand, beide sind im Ziel.", "Nobody, both are in the goal."),
                Text("Erst zählen noch die Karotten.", "First the carrots are counted."),
            ),
        ),
        answer=winner_index,
    )
