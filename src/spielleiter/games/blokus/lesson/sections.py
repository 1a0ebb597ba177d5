"""The rules of Blokus in words and pictures."""

from __future__ import annotations

from spielleiter.game import Illustration, Limits, Ranking, Section, Text, contest_section, framed, prose
from spielleiter.games.blokus.board import BOARD, beside, squares
from spielleiter.games.blokus.board_input import BlokusInput
from spielleiter.games.blokus.drawing import draw_pieces_left
from spielleiter.games.blokus.lesson import questions
from spielleiter.games.blokus.lesson.positions import FINAL, FIRST_ROUND, GREEN_OUT, MIDDLE, SECOND_ROUND, position
from spielleiter.games.blokus.moves import Move
from spielleiter.games.blokus.rules import Rules, State
from spielleiter.games.blokus.shapes import Color, Shape


def summary(rules: Rules) -> Text:
    """The rules in short."""
    start = (
        Text("am Rand", "on the border") if rules.start_on_border else Text("in einer Ecke", "in a corner of the board")
    )
    finished = (
        Text("wenn eine Farbe alle Steine gelegt hat, ", "when a colour has laid all its pieces, ")
        if rules.ends_when_finished
        else Text("", "")
    )
    return prose(
        f"""
        - **Ziel:** Bedecke mit deinen zwei Farben mehr Felder als die andere Seite. Blau und Rot spielen gegen Gelb
          und Grün; gelegt wird in der Reihenfolge Blau, Gelb, Rot, Grün.
        - **Erster Stein:** die vorgegebene Form, {start.de}.
        - **Danach:** Jeder Stein berührt die eigene Farbe **an mindestens einer Ecke und an keiner Kante**. Andere
          Farben darfst du berühren, wie du willst. Drehen und Spiegeln ist erlaubt.
        - **Passen** darfst du immer, nur nicht beim ersten Stein. Wer nicht mehr legen kann, scheidet aus.
        - **Ende:** wenn keine Farbe mehr legen kann, {finished.de}spätestens nach {rules.rounds} Runden.
        - **Punkte:** jedes Feld 1; alle Steine gelegt +15; der Einer dabei zuletzt noch +5.
        """,
        f"""
        - **Goal:** Cover more squares with your two colours than the other side. Blue and red play yellow and green;
          the order is blue, yellow, red, green.
        - **First piece:** the given shape, {start.en}.
        - **Then:** Every piece touches its own colour **at one corner at least, and at no edge**. Other colours may be
          touched in any way. You may turn and flip pieces.
        - You may always **pass**, except with the first piece. A colour that cannot lay any more is out.
        - **End:** when no colour can lay a piece, {finished.en}at the latest after {rules.rounds} rounds.
        - **Points:** each square 1; all pieces laid +15; the single square last of them another +5.
        """,
    )


def sections(rules: Rules) -> tuple[Section[State, Move], ...]:
    """All rules, from the goal to the contest."""
    return (
        _goal(),
        _board(rules),
        _pieces(rules),
        _first_piece(rules),
        _touching(rules),
        _passing(rules),
        _end(rules),
        _points(rules),
        _seasons(),
        contest_section(
            Limits(),
            Ranking.usual(official=rules.official),
            Text("die durchschnittliche Zahl deiner Punkte", "the average number of their points"),
        ),
    )


def _goal() -> Section[State, Move]:
    return Section(
        Text("Worum es geht", "What it is about"),
        prose(
            """
            Vier Farben wachsen von außen in dasselbe Spielfeld hinein, Stein für Stein, immer **von Ecke zu Ecke**.
            Je mehr Felder deine Farben bedecken, desto besser. Also: Breite dich aus, such dir Lücken, und nimm den
            anderen den Platz weg.
            """,
            """
            Four colours grow into the same board from outside, piece by piece, always **corner to corner**. The more
            squares your colours cover, the better. So: spread out, find gaps, and take the room from the others.
            """,
        ),
    )


def _board(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Spielfeld und Farben", "Board and colours"),
        prose(
            """
            Das Spielfeld hat 20 mal 20 Felder. Ein Feld heißt nach Spalte und Reihe: 0,0 ist oben links, 19,0 oben
            rechts, 0,19 unten links.

            Es gibt vier Farben, aber nur zwei Seiten: Die eine spielt **Blau und Rot**, die andere **Gelb und Grün**.
            Reihum legt jede Farbe einen Stein: **Blau, Gelb, Rot, Grün**, und dann wieder Blau. Einmal reihum ist eine
            **Runde**.
            """,
            """
            The board has 20 by 20 squares. A square is named by column and row: 0,0 is at the top left, 19,0 at the
            top right, 0,19 at the bottom left.

            There are four colours, but only two sides: one plays **blue and red**, the other **yellow and green**. In
            turn each colour lays a piece: **blue, yellow, red, green**, and then blue again. Once around is a
            **round**.
            """,
        ),
        (
            Illustration(
                position(rules, MIDDLE),
                Text(
                    "Eine Partie nach sechs Runden. Unter dem Brett stehen die Punkte jeder Farbe.",
                    "A game after six rounds. The points of each colour are below the board.",
                ),
            ),
        ),
    )


def _pieces(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Die Steine", "The pieces"),
        prose(
            """
            Jede Farbe hat dieselben **21 Steine**: alle Formen, die sich aus einem bis fünf Feldern bauen lassen. Das
            sind ein Einer, ein Zweier, zwei Dreier, fünf Vierer und zwölf Fünfer. Vor dem Legen darfst du einen Stein
            **drehen und spiegeln**. Jeder Stein wird nur einmal gelegt und bleibt dann liegen.

            Wer ein Programm schreibt, muss einen Zug genau benennen: `B PENTO_V RIGHT FLIP 3,4` heißt, Blau nimmt den
            Fünfer V, dreht ihn zuerst nach rechts, spiegelt ihn dann links-rechts und legt ihn so hin, dass die linke
            obere Ecke des Rechtecks um ihn auf 3,4 kommt. Führen zwei Namen zu denselben Feldern, ist es derselbe Zug.
            """,
            """
            Each colour has the same **21 pieces**: all shapes that can be made of one to five squares. These are one
            piece of one square, one of two, two of three, five of four and twelve of five. Before you lay a piece, you
            may **turn and flip** it. Each piece is laid only once, and stays where it lies.

            Whoever writes a program has to name a move exactly: `B PENTO_V RIGHT FLIP 3,4` means that Blue takes the
            V of five squares, first turns it to the right, then flips it left to right, and lays it so that the upper
            left corner of the rectangle around it comes to 3,4. Two names that lead to the same squares are the same
            move.
            """,
        ),
        (
            Illustration(
                State.begin(rules, Shape.PENTO_Z),
                Text("Die 21 Steine von Blau.", "The 21 pieces of Blue."),
                draw=lambda state, look: draw_pieces_left(state, Color.BLUE, look),
            ),
        ),
    )


def _first_piece(rules: Rules) -> Section[State, Move]:
    where = (
        Text(
            "Jede Farbe legt ihn so, dass er **mindestens ein Feld des Randes** bedeckt, wo immer dort Platz ist.",
            "Each colour lays it so that it covers **at least one square of the border**, wherever there is room.",
        )
        if rules.start_on_border
        else Text(
            "Jede Farbe legt ihn so, dass er **eine der vier Ecken** des Spielfelds bedeckt, die noch frei ist. "
            "Der Fünfer X kommt dafür nicht in Frage, weil er in keine Ecke passt.",
            "Each colour lays it so that it covers **one of the four corners** of the board that is still free. The X "
            "of five squares is never drawn, because it fits into no corner.",
        )
    )
    return Section(
        Text("Der erste Stein", "The first piece"),
        prose(
            f"""
            Vor dem Spiel wird eine Form aus fünf Feldern ausgelost. Mit diesem Stein **fangen alle vier Farben an**.
            {where.de} Den ersten Stein muss jede Farbe legen; passen darf sie noch nicht.
            """,
            f"""
            Before the game, a shape of five squares is drawn. **All four colours begin** with this piece. {where.en}
            Each colour has to lay its first piece; it may not pass yet.
            """,
        ),
        (
            Illustration(
                position(rules, FIRST_ROUND),
                Text(
                    "Alle vier Farben haben ihren ersten Stein gelegt, hier jede in eine Ecke.",
                    "All four colours have laid their first piece, here each in a corner.",
                ),
            ),
        ),
        (questions.first_piece(rules),),
    )


def _touching(rules: Rules) -> Section[State, Move]:
    state = position(rules, SECOND_ROUND)
    own = state.boards[Color.BLUE]
    return Section(
        Text("Ecke an Ecke", "Corner to corner"),
        prose(
            """
            Für jeden weiteren Stein gilt:

            - Er liegt ganz auf dem Spielfeld und nur auf freien Feldern.
            - Er **berührt mindestens einen Stein der eigenen Farbe an einer Ecke**.
            - Er **berührt keinen Stein der eigenen Farbe an einer Kante**.
            - Wie er Steine anderer Farben berührt, ist egal, auch die der Farbe, mit der du zusammenspielst.
            """,
            """
            For every further piece:

            - It lies wholly on the board, on free squares only.
            - It **touches at least one piece of its own colour at a corner**.
            - It **touches no piece of its own colour at an edge**.
            - How it touches pieces of other colours does not matter, including the other colour of your side.
            """,
        ),
        (
            Illustration(
                state,
                Text(
                    "Umrahmt sind die Felder an blauen Ecken: Eines davon muss der nächste blaue Stein bedecken.",
                    "The framed squares lie at corners of Blue: the next blue piece has to cover one of them.",
                ),
                framed(BlokusInput().anchors(state)),
            ),
            Illustration(
                state,
                Text(
                    "Umrahmt sind die Felder an blauen Kanten: Auf keinem davon darf ein blauer Stein liegen.",
                    "The framed squares lie at edges of Blue: no blue piece may lie on any of them.",
                ),
                framed(squares(beside(own) & BOARD & ~state.occupied)),
            ),
        ),
        (
            questions.corners(rules),
            questions.why_not(rules),
            questions.large_piece(rules),
            questions.beside_yellow(rules),
            questions.block_yellow(rules),
        ),
    )


def _passing(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Passen und ausscheiden", "Passing, and going out"),
        prose(
            """
            Statt zu legen, darfst du **passen**, außer beim ersten Stein einer Farbe. Wer passt, bleibt im Spiel und
            ist in der nächsten Runde wieder dran. Klug ist das selten.

            Kommt eine Farbe an die Reihe und **kann keinen Stein mehr legen**, scheidet sie aus und wird von da an
            übersprungen. Das gilt auch, wenn sie alle Steine gelegt hat. Die anderen spielen weiter; so kann dieselbe
            Seite zweimal nacheinander dran sein.
            """,
            """
            Instead of laying a piece you may **pass**, except with the first piece of a colour. A colour that passes
            stays in the game and moves again in the next round. This is rarely clever.

            When it is a colour's turn and it **cannot lay any piece**, it is out and skipped from then on. This is
            also so when it has laid all its pieces. The others play on; so the same side can move twice in a row.
            """,
        ),
        (
            Illustration(
                position(rules, GREEN_OUT),
                Text(
                    "Grün hat noch Steine, aber keiner passt mehr: Grün ist ausgeschieden.",
                    "Green has pieces left, but none of them fits any more: Green is out.",
                ),
            ),
        ),
        (questions.who_is_next(rules),),
    )


def _end(rules: Rules) -> Section[State, Move]:
    finished = (
        Text(
            "wenn eine Farbe ihren **letzten Stein** gelegt hat; die Runde wird noch zu Ende gespielt",
            "when a colour has laid its **last piece**; the round is still played to its end",
        )
        if rules.ends_when_finished
        else Text(
            "aber nicht schon, wenn eine Farbe ihren letzten Stein gelegt hat: Die anderen spielen weiter",
            "but not yet when a colour has laid its last piece: the others play on",
        )
    )
    return Section(
        Text("Wann das Spiel endet", "When the game ends"),
        prose(
            f"""
            Das Spiel ist zu Ende,

            - wenn **alle Farben ausgeschieden** sind;
            - nach **{rules.rounds} Runden**;
            - {finished.de}.
            """,
            f"""
            The game is over

            - when **all colours are out**;
            - after **{rules.rounds} rounds**;
            - {finished.en}.
            """,
        ),
    )


def _points(rules: Rules) -> Section[State, Move]:
    state = position(rules, FINAL)
    blue, yellow, red, green = (state.color_points(color) for color in Color)
    return Section(
        Text("Punkte und Sieg", "Points and winner"),
        prose(
            """
            - Jedes **bedeckte Feld** ist ein Punkt für seine Farbe.
            - Hat eine Farbe **alle 21 Steine** gelegt, bekommt sie **15** Punkte dazu,
            - und noch einmal **5**, wenn der **Einer** ihr letzter Stein war.

            Deine Punkte sind die deiner beiden Farben zusammen. **Wer mehr hat, gewinnt**; bei gleich vielen ist es ein
            **Unentschieden**.
            """,
            """
            - Each **covered square** is a point for its colour.
            - A colour that has laid **all 21 pieces** gets **15** points more,
            - and another **5** if the **single square** was its last piece.

            Your points are those of your two colours together. **More points win**; equal points are a **draw**.
            """,
        ),
        (
            Illustration(
                state,
                Text(
                    f"Am Ende hat Blau {blue}, Rot {red}, Gelb {yellow} und Grün {green}: {blue + red} zu "
                    f"{yellow + green}, Gelb und Grün gewinnen.",
                    f"In the end Blue has {blue}, Red {red}, Yellow {yellow} and Green {green}: {blue + red} to "
                    f"{yellow + green}, Yellow and Green win.",
                ),
            ),
        ),
        (questions.points(rules),),
    )


def _seasons() -> Section[State, Move]:
    return Section(
        Text("2021 und 2027", "2021 and 2027"),
        prose(
            """
            Blokus ist zum zweiten Mal das Spiel der Software-Challenge. Die beiden Saisons unterscheiden sich im
            Anfang:

            - **2021** beginnt jede Farbe in einer Ecke, und der Fünfer X wird nie ausgelost.
            - **2027** beginnt jede Farbe irgendwo am Rand, und jeder der zwölf Fünfer kann ausgelost werden.

            Die Server werten nicht ganz so, wie es in den Regeln steht. Wer so spielen will, nimmt die Spiele mit
            `-official` im Namen: Bei ihnen ist das Spiel nicht zu Ende, wenn eine Farbe alle Steine gelegt hat. Und
            **blokus-2027-official** endet schon nach 24 Runden, alle anderen nach 25.
            """,
            """
            Blokus is the game of the Software-Challenge for the second time. The seasons differ in the start:

            - **2021:** each colour begins in a corner, and the X of five squares is never drawn.
            - **2027:** each colour begins anywhere on the border, and any of the twelve pieces of five squares can be
              drawn.

            The servers do not referee quite as the rules say. To play like that, take the games with `-official` in
            their name: there the game is not over when a colour has laid all its pieces. And **blokus-2027-official**
            ends after 24 rounds, all others after 25.
            """,
        ),
    )
