"""The rules of Ostseeschach in words and pictures."""

from __future__ import annotations

from spielleiter.game import Arrow, Illustration, Limits, Ranking, Section, Text, contest_section, framed, prose
from spielleiter.games.ostseeschach.lesson import questions
from spielleiter.games.ostseeschach.lesson.positions import (
    CAPTURE,
    GOAL,
    HERZMUSCHEL,
    MOEWE,
    ROBBE,
    SEESTERN,
    START,
    THREE_HIGH,
    position,
)
from spielleiter.games.ostseeschach.moves import Move
from spielleiter.games.ostseeschach.rules import Rules, State


def summary(rules: Rules) -> Text:
    """The rules in short."""
    return prose(
        """
        - **Ziel:** Gewinne Bernsteine. Mit zwei Bernsteinen endet das Spiel nach der laufenden Runde.
        - **Herzmuschel:** ein Feld schräg nach vorne. **Möwe:** ein Feld gerade, in alle vier Richtungen.
          **Seestern:** ein Feld nach vorne oder schräg in alle vier Richtungen. **Robbe:** springt wie ein Springer.
        - **Schlagen:** Deine Figur legt sich oben drauf. So entsteht ein Turm, der dir gehört und zieht wie seine
          oberste Figur.
        - **Bernstein** gibt es, wenn drei oder mehr Figuren übereinanderliegen, und wenn eine Leichtfigur (alle außer
          der Robbe) die Startlinie des Gegners erreicht. Alles auf diesem Feld verlässt das Brett.
        - **Sieg:** mehr Bernsteine; dann, wessen Leichtfiguren weiter vorne sind. Spätestens nach 30 Runden ist
          Schluss. Wer nicht ziehen kann, hat verloren.
        """,
        """
        - **Goal:** Win pieces of amber. With two pieces of amber the game ends after the current round.
        - **Cockle:** one square diagonally forward. **Gull:** one square straight, in all four directions.
          **Starfish:** one square forward, or diagonally in all four directions. **Seal:** jumps like a knight.
        - **Capture:** Your piece lies on top. This makes a tower, which is yours and moves like its top piece.
        - You win an **amber** when three or more pieces are on one square, and when a light piece (all but the seal)
          reaches the opponent's start line. Everything on that square leaves the board.
        - **Winner:** more pieces of amber; then, whose light pieces are farther ahead. After 30 rounds at the latest it
          is over. Whoever cannot move has lost.
        """,
    )


def sections(rules: Rules) -> tuple[Section[State, Move], ...]:
    """All rules, from the goal to the contest."""
    return (
        _goal(),
        _board(rules),
        _steps(rules),
        _towers(rules),
        _ambers(rules),
        _end(rules),
        _winner(rules),
        _server(),
        contest_section(
            Limits(),
            Ranking.usual(official=rules.official),
            Text("die durchschnittliche Zahl der Bernsteine", "the average number of pieces of amber"),
        ),
    )


def _goal() -> Section[State, Move]:
    return Section(
        Text("Worum es geht", "What it is about"),
        prose(
            """
            Am Strand der Ostsee liegen **Bernsteine**, und deine Meerestiere wollen sie haben. Es gibt zwei Wege zu
            einem Bernstein: Staple Figuren **zu einem Turm aus dreien**, oder bring eine deiner Leichtfiguren **ans
            andere Ufer**. Wer die meisten Bernsteine hat, gewinnt.
            """,
            """
            There is **amber** on the beach of the Baltic Sea, and your sea animals want it. There are two ways to win a
            piece: stack pieces **to a tower of three**, or bring one of your light pieces **to the other shore**.
            Whoever has the most pieces of amber wins.
            """,
        ),
    )


def _board(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Das Spielfeld", "The board"),
        prose(
            """
            Das Brett hat 8 mal 8 Felder. Die Spalten heißen a bis h, die Linien 1 bis 8; a1 ist unten links. **Rot**
            beginnt auf Linie 1 und zieht nach oben, **Blau** beginnt auf Linie 8 und zieht nach unten. „Vorne“ ist für
            jeden da, wo die Startlinie des anderen ist.

            Jede Seite hat acht Figuren: zwei **Herzmuscheln**, zwei **Möwen**, zwei **Seesterne** und zwei
            **Robben**. Die ersten drei sind **Leichtfiguren**, die Robbe ist keine. In welcher Reihenfolge sie stehen,
            wird ausgelost. Die Aufstellung von Blau ist die von Rot, um das halbe Brett gedreht: So ist es für beide
            gleich.

            **Rot fängt an**, dann zieht ihr abwechselnd mit einer Figur. Ein Zug von Rot und einer von Blau sind eine
            **Runde**. Aussetzen darf niemand.
            """,
            """
            The board has 8 by 8 squares. The files are called a to h, the lines 1 to 8; a1 is at the bottom left.
            **Red** starts on line 1 and moves upwards, **Blue** starts on line 8 and moves downwards. For each side,
            “forward” is where the other one's start line is.

            Each side has eight pieces: two **cockles**, two **gulls**, two **starfish** and two **seals**. The first
            three are **light pieces**, the seal is not. Their order is drawn. The line-up of Blue is that of Red,
            turned by half a turn: so it is the same for both.

            **Red begins**, then you take turns, one piece each time. One move of Red and one of Blue are a **round**.
            Nobody may skip a move.
            """,
        ),
        (
            Illustration(
                position(rules, START, 0),
                Text(
                    "So kann eine Partie beginnen: Rot unten auf Linie 1, Blau oben auf Linie 8.",
                    "A possible start: Red at the bottom on line 1, Blue at the top on line 8.",
                ),
            ),
        ),
    )


def _steps(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Wie die Figuren ziehen", "How the pieces move"),
        prose(
            """
            - **Herzmuschel:** ein Feld schräg nach vorne. Zurück kann sie nie.
            - **Möwe:** ein Feld geradeaus: vor, zurück, nach links oder nach rechts.
            - **Seestern:** ein Feld nach vorne, oder ein Feld schräg in eine der vier Richtungen.
            - **Robbe:** springt wie der Springer im Schach: zwei Felder geradeaus und eins zur Seite. Was dazwischen
              steht, stört sie nicht.

            Auf dem Zielfeld darf nichts stehen oder eine Figur des Gegners, nie eine eigene.
            """,
            """
            - **Cockle:** one square diagonally forward. It can never go back.
            - **Gull:** one square straight: forward, back, left or right.
            - **Starfish:** one square forward, or one square diagonally in any of the four directions.
            - **Seal:** jumps like the knight in chess: two squares straight and one to the side. Whatever stands
              between does not matter.

            The target square must be empty or hold a piece of the opponent, never one of your own.
            """,
        ),
        (
            _moves_of(rules, HERZMUSCHEL, Text("Die Herzmuschel auf d4", "The cockle on d4")),
            _moves_of(rules, MOEWE, Text("Die Möwe auf d4", "The gull on d4")),
            _moves_of(rules, SEESTERN, Text("Der Seestern auf d4", "The starfish on d4")),
            _moves_of(rules, ROBBE, Text("Die Robbe auf d4", "The seal on d4")),
        ),
        (questions.starfish(rules), questions.seal(rules)),
    )


def _moves_of(rules: Rules, board: str, name: Text) -> Illustration[State]:
    """All moves of the one red piece on the board."""
    state = position(rules, board)
    moves = state.legal_moves()
    return Illustration(
        state,
        Text(f"{name.de} hat hier {len(moves)} Züge.", f"{name.en} has {len(moves)} moves here."),
        framed((), *(Arrow(move.start, move.target) for move in moves)),
    )


def _towers(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Schlagen und Türme", "Captures and towers"),
        prose(
            """
            Ziehst du auf eine Figur des Gegners, hast du sie **geschlagen**: Deine Figur legt sich oben drauf, und es
            entsteht ein **Turm**. Der Turm gehört dir und zieht wie die Figur, die oben liegt. Was darunter liegt,
            kommt nie wieder frei.

            Auch einen Turm kannst du schlagen, und mit einem Turm kannst du schlagen: Dann zählt, wie viele Figuren
            zusammenkommen.
            """,
            """
            If you move onto a piece of the opponent, you **capture** it: your piece lies on top, and the two are a
            **tower**. The tower is yours and moves like the piece on top. What lies below never comes free again.

            You can capture a tower, too, and you can capture with a tower: then it counts how many pieces come
            together.
            """,
        ),
        (
            Illustration(
                position(rules, CAPTURE),
                Text(
                    "Der Seestern auf d4 schlägt die Möwe auf e5. Danach steht auf e5 ein roter Turm, der wie ein "
                    "Seestern zieht.",
                    "The starfish on d4 captures the gull on e5. Then a red tower stands on e5, which moves like a "
                    "starfish.",
                ),
                framed((), Arrow((3, 3), (4, 4))),
            ),
        ),
        (questions.build(rules),),
    )


def _ambers(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Bernsteine", "Pieces of amber"),
        prose(
            """
            Einen Bernstein gewinnst du mit deinem Zug,

            - wenn dadurch **drei oder mehr Figuren** auf einem Feld übereinanderliegen;
            - wenn eine deiner **Leichtfiguren**, auch oben auf einem Turm, die **Startlinie des Gegners** erreicht.
              Eine Robbe bleibt dort einfach stehen.

            Trifft beides zugleich zu, bekommst du **zwei**. Mit dem Bernstein verlässt alles, was auf diesem Feld
            liegt, das Brett. Der Bernstein gehört immer dem, der gezogen hat.
            """,
            """
            Your move wins a piece of amber

            - if it brings **three or more pieces** together on one square;
            - if one of your **light pieces**, also on top of a tower, reaches the **opponent's start line**. A seal
              just stays there.

            If both happen at once, you get **two**. With the amber, everything on that square leaves the board. The
            amber always belongs to the side that moved.
            """,
        ),
        (
            Illustration(
                position(rules, THREE_HIGH),
                Text(
                    "Die Möwe auf d4 steht schon auf einem Turm. Schlägt sie auf e4, liegen drei Figuren übereinander: "
                    "ein Bernstein.",
                    "The gull on d4 already stands on a tower. If it captures on e4, three pieces are on one square: "
                    "a piece of amber.",
                ),
                framed((), Arrow((3, 3), (3, 4))),
            ),
            Illustration(
                position(rules, GOAL),
                Text(
                    "Die Herzmuschel auf c7 erreicht mit dem nächsten Zug die letzte Linie: ein Bernstein.",
                    "The cockle on c7 reaches the last line with its next move: a piece of amber.",
                ),
                framed((), Arrow((6, 2), (7, 1)), Arrow((6, 2), (7, 3))),
            ),
        ),
        (questions.tall(rules), questions.last_line(rules), questions.double(rules)),
    )


def _end(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Wann das Spiel endet", "When the game ends"),
        prose(
            """
            Das Spiel ist zu Ende,

            - sobald **am Ende einer Runde** jemand mindestens **zwei Bernsteine** hat. Holt Rot den zweiten, darf Blau
              also noch antworten.
            - nach **30 Runden**.
            - wenn jemand am Zug ist und **nicht ziehen kann**: Dann hat er sofort verloren, ganz gleich, wie viele
              Bernsteine er hat.
            """,
            """
            The game is over

            - as soon as somebody has at least **two pieces of amber** **at the end of a round**. So if Red wins the
              second one, Blue may still answer.
            - after **30 rounds**.
            - when somebody is to move and **cannot**: that side has lost at once, however many pieces of amber it has.
            """,
        ),
        questions=(questions.is_it_over(rules),),
    )


def _winner(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Wer gewinnt", "Who wins"),
        prose(
            """
            - Wer **mehr Bernsteine** hat, gewinnt. Man kann auch drei haben, wenn der letzte Zug zwei auf einmal
              bringt.
            - Bei gleich vielen Bernsteinen zählt, wie **weit vorne die Leichtfiguren** sind, gezählt in Linien von der
              eigenen Startlinie. Zuerst werden die vordersten beider Seiten verglichen, dann die zweiten und so
              weiter, solange beide noch eine haben. Beim ersten Unterschied gewinnt, wer weiter ist. Ein Turm zählt
              einmal, nach der Figur, die oben liegt; Robben zählen nicht.
            - Ist auch das gleich, ist es ein **Unentschieden**.
            """,
            """
            - **More pieces of amber** win. A side can have three, if the last move wins two at once.
            - If they are equal, it counts how **far ahead the light pieces** are, in lines from their own start line.
              First the foremost ones of both sides are compared, then the second ones and so on, as long as both have
              one. At the first difference the one that is farther wins. A tower counts once, by the piece on top;
              seals do not count.
            - If that is equal, too, it is a **draw**.
            """,
        ),
        questions=(questions.who_wins(rules),),
    )


def _server() -> Section[State, Move]:
    return Section(
        Text("Die Saison 2022", "The season of 2022"),
        prose(
            """
            Ostseeschach war bisher in einer Saison das Spiel der Software-Challenge. Ihr Server hat so gewertet, wie
            es in den Regeln steht; deshalb unterscheiden sich `ostseeschach-2022` und `ostseeschach-2022-official` nur
            in der Tabelle (siehe unten). Zwei Fälle konnte der Server nicht: Hatte eine Seite keinen Zug, fragte er
            sie trotzdem, und hatte eine Seite am Ende keine Leichtfigur mehr, brach er ohne Ergebnis ab. Hier gibt es
            immer ein Ergebnis.
            """,
            """
            Baltic Sea Chess has been the game of one season of the Software-Challenge. Its server refereed as the
            rules say; so `ostseeschach-2022` and `ostseeschach-2022-official` differ only in the standings (see below).
            Two cases were too much for that server: it asked a side without a move all the same, and it stopped
            without a result if a side had no light piece left in the end. Here there is always a result.
            """,
        ),
    )
