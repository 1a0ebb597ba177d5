"""The rules of Pinguine in words and pictures."""

from __future__ import annotations

from spielleiter.game import Arrow, Illustration, Limits, Ranking, Section, Text, contest_section, framed, prose
from spielleiter.games.pinguine.lesson import questions
from spielleiter.games.pinguine.lesson.positions import CATCH, CLOSED, PLACED, SLIDES, START, position
from spielleiter.games.pinguine.moves import Move
from spielleiter.games.pinguine.rules import Rules, State


def summary() -> Text:
    """The rules in short."""
    return prose(
        """
        - **Ziel:** Fang mehr Fische als dein Gegner.
        - **Setzen:** Zuerst setzt ihr abwechselnd je vier Pinguine, immer auf eine Scholle mit genau einem Fisch.
        - **Rutschen:** Dann rutscht in jedem Zug einer deiner Pinguine geradeaus in eine der sechs Richtungen, so weit
          du willst. Löcher, Pinguine und der Rand halten ihn auf.
        - **Fische:** Du bekommst die Fische der Scholle, auf der dein Pinguin ankommt. Wo er stand, bleibt ein Loch.
        - **Festsitzen:** Kann keiner deiner Pinguine mehr rutschen, zieht der Gegner allein weiter. Können es beide
          nicht mehr, ist das Spiel zu Ende.
        """,
        """
        - **Goal:** Catch more fish than your opponent.
        - **Placing:** First you take turns to place four penguins each, always on a floe with exactly one fish.
        - **Sliding:** Then, in each move, one of your penguins slides straight in one of the six directions, as far as
          you like. Holes, penguins and the edge stop it.
        - **Fish:** You get the fish of the floe on which your penguin arrives. Where it stood, a hole is left.
        - **Stuck:** If none of your penguins can slide any more, your opponent plays on alone. If nobody can, the game
          is over.
        """,
    )


def sections(rules: Rules) -> tuple[Section[State, Move], ...]:
    """All rules, from the goal to the contest."""
    return (
        _goal(),
        _board(rules),
        _placing(rules),
        _sliding(rules),
        _fish(rules),
        _stuck(rules),
        _end(rules),
        _season(),
        contest_section(
            Limits(),
            Ranking.usual(official=rules.official),
            Text("die durchschnittliche Zahl der Fische", "the average number of fish"),
        ),
    )


def _goal() -> Section[State, Move]:
    return Section(
        Text("Worum es geht", "What it is about"),
        prose(
            """
            Auf den Eisschollen liegen Fische, und deine vier Pinguine haben Hunger. Sie rutschen über das Eis und
            fangen, was sie bekommen können. Doch mit jedem Zug verschwindet eine Scholle: Das Eis wird knapp, und wer
            nicht aufpasst, sitzt fest. **Wer am Ende die meisten Fische hat, gewinnt.**
            """,
            """
            There are fish on the ice floes, and your four penguins are hungry. They slide over the ice and catch what
            they can. But with every move a floe disappears: the ice gets scarce, and who is careless gets stuck.
            **Whoever has the most fish in the end wins.**
            """,
        ),
    )


def _board(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Das Spielfeld", "The board"),
        prose(
            """
            Das Spielfeld hat 64 sechseckige Felder in acht Reihen. Die Reihen heißen 1 bis 8, von oben gezählt, die
            Felder einer Reihe a bis h, von links. Jede zweite Reihe ist um ein halbes Feld nach rechts verschoben.
            So hat ein Feld in der Mitte **sechs Nachbarn**.

            Ein Feld ist eine **Scholle** mit einem bis vier Fischen oder ein **Loch**. Wie die Fische verteilt sind,
            wird ausgelost, am oberen und unteren Rand liegen mehr als in der Mitte. Die untere Hälfte ist die obere, um
            eine halbe Drehung gedreht: So ist es für beide gleich.

            **Rot fängt an**, dann seid ihr abwechselnd dran. Ein Zug von Rot und einer von Blau sind eine **Runde**.
            """,
            """
            The board has 64 hexagonal fields in eight rows. The rows are called 1 to 8 from the top, the fields of a
            row a to h from the left. Every second row is shifted to the right by half a field. So a field in the middle
            has **six neighbours**.

            A field is a **floe** with one to four fish, or a **hole**. How the fish are distributed is drawn by lot;
            there are more of them at the upper and lower edge than in the middle. The lower half is the upper one,
            turned by half a turn: so it is the same for both.

            **Red begins**, then you take turns. One move of Red and one of Blue are a **round**.
            """,
        ),
        (
            Illustration(
                position(rules, START, 0, "0-0"),
                Text(
                    "So kann eine Partie beginnen: noch ohne Pinguine, mit einem bis drei Fischen auf jeder Scholle.",
                    "A possible start: still without penguins, with one to three fish on each floe.",
                ),
            ),
        ),
    )


def _placing(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Pinguine setzen", "Placing penguins"),
        prose(
            """
            In den ersten vier Runden setzt jeder in jedem Zug **einen seiner vier Pinguine** auf das Eis. Er darf auf
            jeder freien Scholle stehen, auf der **genau ein Fisch** liegt. Diesen Fisch hast du damit gefangen.

            Überleg dir gut, wo du anfängst: am besten dort, wo viele Fische in der Nähe sind und du nicht so leicht
            eingeschlossen wirst.
            """,
            """
            In the first four rounds each side places **one of its four penguins** on the ice in each move. It may stand
            on any free floe with **exactly one fish**. This fish is your first catch.

            Think about where you begin: best where many fish are near and you cannot easily be locked in.
            """,
        ),
        (
            Illustration(
                position(rules, PLACED, 3, "2-1"),
                Text(
                    "Rot hat Pinguine auf d2 und f7 gesetzt, Blau einen auf a4. Nun ist Blau an der Reihe.",
                    "Red has placed penguins on d2 and f7, Blue one on a4. Now it is Blue's turn.",
                ),
            ),
        ),
        (questions.room(rules),),
    )


def _sliding(rules: Rules) -> Section[State, Move]:
    state = position(rules, SLIDES, 10, "5-5")
    farthest = {}
    for move in state.legal_moves():
        if move.start == (6, 4):
            x, y = move.target[0] - 6, move.target[1] - 4
            farthest[(x > 0) - (x < 0), (y > 0) - (y < 0)] = move.target
    return Section(
        Text("Rutschen", "Sliding"),
        prose(
            """
            Stehen alle Pinguine, rutscht in jedem Zug **einer deiner Pinguine**: geradeaus in **eine der sechs
            Richtungen**, ein Feld oder so viele, wie du willst. Auf jedem Feld auf seinem Weg und auf dem Zielfeld
            müssen Fische liegen. Über **Löcher** und **andere Pinguine** kommt er nicht, auch nicht über eigene.
            """,
            """
            When all penguins are placed, in each move **one of your penguins** slides: straight in **one of the six
            directions**, by one field or as many as you like. There must be fish on every field that it slides over and
            on the one where it stops. It cannot get past **holes** and **other penguins**, not even your own.
            """,
        ),
        (
            Illustration(
                state,
                Text(
                    "Der Pinguin auf d5 rutscht so weit, wie die Pfeile zeigen, oder er hält schon vorher an.",
                    "The penguin on d5 slides as far as the arrows show, or stops before that.",
                ),
                framed((), *(Arrow((6, 4), target) for target in farthest.values())),
            ),
        ),
        (questions.ways(rules),),
    )


def _fish(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Fische fangen", "Catching fish"),
        prose(
            """
            Sobald dein Pinguin ankommt, gehören dir **alle Fische dieser Scholle**. Die Fische, über die er nur
            hinweggerutscht ist, bleiben liegen. Die Scholle, die er verlassen hat, versinkt: Dort ist nun ein **Loch**,
            über das niemand mehr kommt.
            """,
            """
            As soon as your penguin arrives, **all fish of that floe** are yours. The fish that it only slid over stay
            where they are. The floe that it has left sinks: there is a **hole** now, which nobody can cross any more.
            """,
        ),
        (
            Illustration(
                position(rules, CATCH, 16, "10-11"),
                Text(
                    "Der Pinguin auf e5 stand vorher auf d5. Dort ist jetzt ein Loch.",
                    "The penguin on e5 stood on d5 before. There is a hole now.",
                ),
                framed([(6, 4)], Arrow((6, 4), (8, 4))),
            ),
        ),
        (questions.three(rules), questions.greed(rules)),
    )


def _stuck(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Wer festsitzt", "Who is stuck"),
        prose(
            """
            Ein Pinguin, neben dem keine Scholle mit Fischen mehr ist, **sitzt fest**, und das bleibt so: Neue Schollen
            gibt es nicht. Solange ein anderer deiner Pinguine rutschen kann, musst du mit ihm ziehen. Freiwillig
            aussetzen darf niemand.

            Sitzen **alle vier** fest, wirst du von nun an übergangen, und dein Gegner zieht allein weiter, bis auch er
            nicht mehr kann. Es lohnt sich also, gegnerische Pinguine einzusperren, und eine große Insel für sich allein
            ist Gold wert.
            """,
            """
            A penguin with no floe with fish next to it **is stuck**, and will stay so: there are no new floes. As long
            as another of your penguins can slide, you have to move that one. Nobody may skip a move.

            If **all four** are stuck, you are passed over from now on, and your opponent plays on alone until nothing
            moves there either. So it pays to lock in penguins of the opponent, and a large island of your own is worth
            a lot.
            """,
        ),
        (
            Illustration(
                position(rules, CLOSED, 30, "20-19"),
                Text(
                    "Die umrahmten Pinguine sitzen fest: drei von Blau und einer von Rot. Die anderen vier haben noch "
                    "eine Scholle neben sich.",
                    "The framed penguins are stuck: three of Blue and one of Red. The other four still have a floe "
                    "next to them.",
                ),
                framed([(5, 3), (6, 6), (1, 7), (3, 5)]),
            ),
        ),
        (questions.trap(rules), questions.whose_turn(rules)),
    )


def _end(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Wann das Spiel endet und wer gewinnt", "When the game ends, and who wins"),
        prose(
            """
            Das Spiel ist zu Ende, sobald **kein Pinguin mehr rutschen kann**, weder ein roter noch ein blauer. Das kann
            auch mitten in einer Runde sein. Eine feste Zahl von Runden gibt es nicht.

            **Wer mehr Fische gefangen hat, gewinnt.** Bei gleich vielen ist es ein **Unentschieden**.
            """,
            """
            The game is over as soon as **no penguin can slide any more**, neither a red one nor a blue one. This may be
            in the middle of a round. There is no fixed number of rounds.

            **Whoever has caught more fish wins.** With equally many it is a **draw**.
            """,
        ),
        questions=(questions.who_wins(rules),),
    )


def _season() -> Section[State, Move]:
    return Section(
        Text("Die Saison 2023", "The season of 2023"),
        prose(
            """
            Pinguine war 2023 das Spiel der Software-Challenge; es hieß „Hey, danke für den Fisch!“. In den Regeln stand
            zuerst, dass Fische beim Verlassen einer Scholle gefangen werden; der Server hat sie, wie es ein Kasten in
            den Regeln sagt, bei der Ankunft gezählt. So ist es auch hier. `pinguine-2023` und `pinguine-2023-official`
            unterscheiden sich deshalb nur in der Tabelle (siehe unten).
            """,
            """
            Penguins was the game of the Software-Challenge in 2023; it was called “Hey, danke für den Fisch!”. At first
            the rules said that fish are caught when a floe is left; the server counted them on arrival, as a box in the
            rules says. So it is here. That is why `pinguine-2023` and `pinguine-2023-official` differ only in the
            standings (see below).
            """,
        ),
    )
