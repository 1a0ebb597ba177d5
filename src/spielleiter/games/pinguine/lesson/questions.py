"""Exercises of Pinguine."""

from __future__ import annotations

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
from spielleiter.games.pinguine.board_input import PinguineInput
from spielleiter.games.pinguine.lesson.positions import (
    FINISHED,
    GREED,
    PASSED,
    ROOM,
    THREE,
    TRAP,
    WAYS,
    position,
)
from spielleiter.games.pinguine.moves import NEIGHBOURS, Move, bit_of, field_name
from spielleiter.games.pinguine.rules import Rules, State

_INPUT = PinguineInput()


def room(rules: Rules) -> SquaresQuestion[State]:
    """Every floe on which a penguin may be placed."""

    def why_not(state: State, square: Square) -> Text:
        name, reason = field_name(square), _INPUT.refusal(state, (square,))
        return Text(f"{name}: {reason.de}", f"{name}: {reason.en}")

    return SquaresQuestion(
        title=Text("Ein Platz auf dem Eis", "A place on the ice"),
        task=Text(
            "Rot setzt seinen zweiten Pinguin. Wo darf er stehen? Wähle alle Felder.",
            "Red places the second penguin. Where may it stand? Choose all fields.",
        ),
        hint=Text("Zähle die Fische auf jeder Scholle.", "Count the fish on each floe."),
        praise=Text(
            "Genau! Nur Schollen mit einem einzigen Fisch kommen infrage, egal wo auf dem Spielfeld.",
            "Exactly! Only floes with a single fish will do, anywhere on the board.",
        ),
        state=position(rules, ROOM, 2, "1-1"),
        answer=lambda state: [move.target for move in state.legal_moves()],
        why_not=why_not,
    )


def ways(rules: Rules) -> SquaresQuestion[State]:
    """Every field that a penguin can reach."""
    start = (6, 4)
    return SquaresQuestion(
        title=Text("Wohin rutscht der Pinguin?", "Where does the penguin slide?"),
        task=Text(
            "Wohin darf der umrahmte Pinguin auf d5 rutschen? Wähle alle Felder.",
            "Where may the framed penguin on d5 slide? Choose all fields.",
        ),
        hint=Text(
            "Geh in jede der sechs Richtungen, bis ein Loch, ein Pinguin oder der Rand kommt.",
            "Go in each of the six directions until there is a hole, a penguin or the edge.",
        ),
        praise=Text(
            "Richtig! Er darf auch schon unterwegs anhalten, aber über Löcher und Pinguine kommt er nicht.",
            "Right! It may also stop on the way, but it cannot get past holes and penguins.",
        ),
        state=position(rules, WAYS, 20, "14-13"),
        look=framed([start]),
        answer=lambda state: [move.target for move in state.legal_moves() if move.start == start],
        why_not=refusal_from(_INPUT, start),
    )


def three(rules: Rules) -> MoveQuestion[State, Move]:
    """Catch three fish."""

    def shortfall(state: State, move: Move) -> Text | None:
        match state.fish_at(move.target):
            case 3:
                return None
            case 2:
                return Text("Zwei Fische sind gut, aber es gibt mehr.", "Two fish are good, but there is more.")
            case _:
                return Text(
                    "Nur ein Fisch: Es zählt allein die Scholle, auf der der Pinguin anhält.",
                    "Just one fish: only the floe on which the penguin stops counts.",
                )

    return MoveQuestion(
        title=Text("Der große Fang", "The big catch"),
        task=Text("Du bist Rot. Fang drei Fische mit einem Zug!", "You are Red. Catch three fish with one move!"),
        hint=Text(
            "Drei Schollen haben drei Fische. Zu welcher führt eine gerade Linie ohne Löcher?",
            "Three floes have three fish. To which of them is there a straight line without holes?",
        ),
        praise=Text(
            "Ein guter Fang! Die Fische, über die dein Pinguin gerutscht ist, sind noch da.",
            "A good catch! The fish that your penguin slid over are still there.",
        ),
        state=position(rules, THREE, 20, "13-14"),
        shortfall=shortfall,
    )


def trap(rules: Rules) -> MoveQuestion[State, Move]:
    """Take a penguin's last way out."""
    prisoner = (6, 4)

    def shortfall(state: State, move: Move) -> Text | None:
        after = state.play_unchecked(move)
        if not NEIGHBOURS[bit_of(prisoner)] & after.ice:
            return None
        return Text(
            "Erlaubt, aber der Pinguin auf d5 kann noch weg.", "Legal, but the penguin on d5 can still get away."
        )

    return MoveQuestion(
        title=Text("In der Falle", "In the trap"),
        task=Text(
            "Du bist Rot. Setz den umrahmten blauen Pinguin fest: Nach deinem Zug darf er nicht mehr rutschen können!",
            "You are Red. Trap the framed blue penguin: after your move it must not be able to slide any more!",
        ),
        hint=Text(
            "Um ihn herum ist nur noch eine Scholle. Wer kommt dorthin?",
            "Only one floe is left around it. Who can get there?",
        ),
        praise=Text(
            "Gefangen! Wo dein Pinguin steht, kommt keiner durch, und ringsum ist nur noch Wasser.",
            "Trapped! Nobody gets past your penguin, and all around there is only water.",
        ),
        state=position(rules, TRAP, 20, "14-13"),
        look=framed([prisoner]),
        shortfall=shortfall,
    )


def greed(rules: Rules) -> MoveQuestion[State, Move]:
    """Do not slide into a dead end."""

    def shortfall(state: State, move: Move) -> Text | None:
        if state.play_unchecked(move).can_slide(state.to_move):
            return None
        return Text(
            "Viele Fische, aber eine Sackgasse: Nun sitzen alle deine Pinguine fest.",
            "Many fish, but a dead end: now all your penguins are stuck.",
        )

    return MoveQuestion(
        title=Text("Nicht zu gierig", "Not too greedy"),
        task=Text(
            "Du bist Rot, und nur dein Pinguin auf d4 kann noch rutschen. Zieh so, dass du danach noch einmal ziehen "
            "kannst!",
            "You are Red, and only your penguin on d4 can still slide. Move so that you can move again afterwards!",
        ),
        hint=Text(
            "Schau nach, wie es hinter dem Zielfeld weitergeht.", "Look at what lies behind the field where you stop."
        ),
        praise=Text(
            "Klug! Auf dieser Seite liegen zusammen mehr Fische, und dein Pinguin kann sie noch holen.",
            "Clever! There are more fish on this side in all, and your penguin can still get them.",
        ),
        state=position(rules, GREED, 24, "20-18"),
        look=framed([(7, 3)]),
        shortfall=shortfall,
    )


def whose_turn(rules: Rules) -> ChoiceQuestion[State]:
    """A team that cannot move is passed over."""
    return ChoiceQuestion(
        title=Text("Wer ist dran?", "Whose turn is it?"),
        task=Text(
            "24 Züge sind gespielt, zuletzt hat Blau gezogen. Wer zieht jetzt?",
            "24 moves have been played, the last one by Blue. Who moves now?",
        ),
        hint=Text("Kann ein roter Pinguin noch rutschen?", "Can a red penguin still slide?"),
        praise=Text(
            "Richtig: Rot sitzt fest und wird von nun an übergangen. Blau fängt allein weiter Fische.",
            "Right: Red is stuck and passed over from now on. Blue goes on catching fish alone.",
        ),
        state=position(rules, PASSED, 24, "18-17"),
        options=(
            (
                Text("Rot", "Red"),
                Text("Kein roter Pinguin hat eine Scholle neben sich.", "No red penguin has a floe next to it."),
            ),
            (Text("Blau, noch einmal", "Blue, once more"), Text("", "")),
            (
                Text("Niemand: Das Spiel ist zu Ende.", "Nobody: the game is over."),
                Text("Noch nicht: Blau kann noch rutschen.", "Not yet: Blue can still slide."),
            ),
        ),
        answer=lambda state: 2 if state.outcome is not None else int(state.to_move is Team.TWO),
    )


def who_wins(rules: Rules) -> ChoiceQuestion[State]:
    """Only fish that were caught count."""
    return ChoiceQuestion(
        title=Text("Wer gewinnt?", "Who wins?"),
        task=Text(
            "Keiner kann mehr rutschen. Rot hat 31 Fische gefangen, Blau 33. Wer gewinnt?",
            "Nobody can slide any more. Red has caught 31 fish, Blue 33. Who wins?",
        ),
        hint=Text("Was zählt: gefangene Fische oder Pinguine?", "What counts: fish that were caught, or penguins?"),
        praise=Text(
            "Richtig! Die Fische, die noch auf dem Eis liegen, bekommt niemand.",
            "Right! Nobody gets the fish that are still on the ice.",
        ),
        state=position(rules, FINISHED, 50, "31-33"),
        options=(
            (
                Text("Rot gewinnt.", "Red wins."),
                Text("Was neben den roten Pinguinen liegt, ist zu weit weg.", "What is left is out of Red's reach."),
            ),
            (Text("Blau gewinnt.", "Blue wins."), Text("", "")),
            (
                Text("Unentschieden.", "It is a draw."),
                Text("Ein Unentschieden gibt es nur bei gleich vielen Fischen.", "A draw needs equally many fish."),
            ),
        ),
        answer=winner_index,
    )
