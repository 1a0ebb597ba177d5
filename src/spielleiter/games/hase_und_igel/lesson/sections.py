"""The rules of Hase und Igel in words and pictures."""

from __future__ import annotations

from spielleiter.game import Arrow, Illustration, Limits, Ranking, Section, Text, contest_section, framed, prose
from spielleiter.games.hase_und_igel.drawing import SQUARES
from spielleiter.games.hase_und_igel.lesson import questions
from spielleiter.games.hase_und_igel.lesson.positions import (
    BACK,
    CHAIN,
    MARKET,
    POSITION_FIELDS,
    RUNNING,
    SALAD,
    START,
    position,
)
from spielleiter.games.hase_und_igel.moves import Move
from spielleiter.games.hase_und_igel.rules import Rules, State


def summary() -> Text:
    """The rules in short."""
    return prose(
        """
        - **Ziel:** Lauf vor dem anderen Hasen auf Feld 64. Hinein darfst du nur **ohne Salat** und mit **höchstens 10
          Karotten**.
        - **Laufen:** 1 Feld kostet 1 Karotte, 2 Felder 3, 3 Felder 6, 4 Felder 10, 5 Felder 15 und so weiter. Nicht auf
          Igelfelder und nicht auf das Feld des anderen.
        - **Zurückfallen** auf den nächsten Igel hinter dir: 10 Karotten für jedes Feld.
        - **Salatfeld:** im nächsten Zug einen Salat fressen, +10 Karotten, wenn du vorne liegst, sonst +30.
          **Karottenfeld:** 10 Karotten nehmen oder abgeben. **Markt:** eine Karte kaufen, 10 Karotten.
          **Hasenfeld:** eine Karte spielen, sonst darfst du nicht darauf. **1** und **2:** Karotten am Anfang deines
          Zuges, wenn du vorne liegst (10) oder hinten (30).
        - **Karten:** Salat fressen, Karotten tauschen, Zurückfallen (direkt hinter den anderen), Vorlaufen (direkt vor
          ihn).
        - **Ende:** nach der Runde, in der ein Hase im Ziel ist, oder nach 30 Runden. Wer weiter vorne ist, gewinnt;
          sind beide im Ziel, wer weniger Karotten hat. Wer nicht ziehen kann, setzt aus.
        """,
        """
        - **Goal:** Get to field 64 before the other hare. You may enter it only **without salads** and with **at most
          10 carrots**.
        - **Running:** 1 field costs 1 carrot, 2 fields 3, 3 fields 6, 4 fields 10, 5 fields 15 and so on. Not to
          hedgehog fields, and not to the other hare's field.
        - **Falling back** to the nearest hedgehog behind you: 10 carrots for each field.
        - **Salad field:** eat a salad with your next move, +10 carrots if you are ahead, else +30. **Carrot field:**
          take or give back 10 carrots. **Market:** buy a card for 10 carrots. **Hare field:** play a card, otherwise
          you may not go there. **1** and **2:** carrots at the start of your turn if you are ahead (10) or behind (30).
        - **Cards:** eat a salad, swap carrots, fall back (to just behind the other hare), hurry ahead (to just in
          front of it).
        - **End:** after the round in which a hare is in the goal, or after 30 rounds. Whoever is further ahead wins; if
          both are in the goal, the one with fewer carrots. Whoever cannot move is skipped.
        """,
    )


def sections(rules: Rules) -> tuple[Section[State, Move], ...]:
    """All rules, from the goal to the contest."""
    return (
        _idea(rules),
        _running(rules),
        _hedgehogs(rules),
        _fields(rules),
        _cards(rules),
        _end(rules),
        _server(),
        contest_section(
            Limits(),
            Ranking.usual(official=rules.official),
            Text("die durchschnittliche Feldnummer", "the average number of the field"),
        ),
    )


def _idea(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Worum es geht", "What it is about"),
        prose(
            """
            Zwei Hasen laufen um die Wette, 64 Felder weit. **Karotten** sind ihr Treibstoff: Wer weit springt, zahlt
            viel. Aber mit vollem Bauch kommt niemand ins Ziel: Dort darfst du **höchstens 10 Karotten** übrig haben,
            und alle fünf **Salate** müssen vorher gefressen sein.

            Beide beginnen auf Feld 0 mit 68 Karotten und 5 Salaten. **Rot fängt an**, dann zieht ihr abwechselnd. Ein
            Zug von Rot und einer von Blau sind eine **Runde**. Die Strecke wird für jede Partie neu ausgelost; Salate
            und Igel liegen immer gleich.
            """,
            """
            Two hares run a race of 64 fields. **Carrots** are their fuel: a long run costs many. But nobody gets into
            the goal with a full belly: you may have **at most 10 carrots** left there, and all five **salads** must
            have been eaten before.

            Both start on field 0 with 68 carrots and 5 salads. **Red begins**, then you take turns. One move of Red and
            one of Blue are a **round**. The track is drawn anew for each game; salads and hedgehogs are always in the
            same places.
            """,
        ),
        (
            Illustration(
                position(rules, START, 0),
                Text(
                    "So kann eine Partie beginnen. Der Weg schlängelt sich von unten links bis zur Zielflagge oben "
                    "rechts; darunter steht, was jeder Hase hat.",
                    "A possible start. The path winds from the bottom left to the flag at the top right; below it is "
                    "what each hare has.",
                ),
            ),
        ),
    )


def _running(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Laufen", "Running"),
        prose(
            """
            Du läufst in einem Zug so weit du willst, solange die Karotten reichen. Das erste Feld kostet 1 Karotte, das
            zweite 2, das dritte 3 und so weiter:

            - 1 Feld: 1 Karotte, 2 Felder: 3, 3 Felder: 6, 4 Felder: 10, 5 Felder: 15
            - 6 Felder: 21, 7 Felder: 28, 8 Felder: 36, 9 Felder: 45, 10 Felder: 55

            Über den anderen Hasen darfst du hinweglaufen, aber **nicht auf seinem Feld** stehen bleiben (außer im
            Ziel). Auf **Igelfelder** läuft man nie. Bleiben darf dein Hase auch nicht: Aussetzen ist kein Zug.
            """,
            """
            In one move you run as far as you like, as long as you have the carrots. The first field costs 1 carrot, the
            second one 2, the third one 3 and so on:

            - 1 field: 1 carrot, 2 fields: 3, 3 fields: 6, 4 fields: 10, 5 fields: 15
            - 6 fields: 21, 7 fields: 28, 8 fields: 36, 9 fields: 45, 10 fields: 55

            You may run past the other hare, but **not stop on its field** (except in the goal). You never run to a
            **hedgehog field**. And your hare may not just stay: there is no passing.
            """,
        ),
        (
            Illustration(
                position(rules, RUNNING),
                Text(
                    "Rot läuft von Feld 1 auf Feld 5: vier Felder, 10 Karotten.",
                    "Red runs from field 1 to field 5: four fields, 10 carrots.",
                ),
                framed((), Arrow(SQUARES[1], SQUARES[5])),
            ),
        ),
        (questions.price(rules), questions.reach(rules)),
    )


def _hedgehogs(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Zurückfallen", "Falling back"),
        prose(
            """
            Karotten bekommst du zurück, wenn du auf das **nächste Igelfeld hinter dir** zurückfällst: **10 Karotten für
            jedes Feld**. Das geht, wenn der andere Hase nicht dort sitzt. Ein Igelfeld zu überspringen geht nicht.
            """,
            """
            You get carrots back by falling back to the **nearest hedgehog field behind you**: **10 carrots for each
            field**. You can do so if the other hare is not there. You cannot skip a hedgehog field.
            """,
        ),
        (
            Illustration(
                position(rules, BACK),
                Text(
                    "Rot hat nur noch 4 Karotten und fällt von Feld 36 auf den Igel 30 zurück: 60 Karotten mehr.",
                    "Red has only 4 carrots left and falls back from field 36 to the hedgehog on 30: 60 carrots more.",
                ),
                framed((), Arrow(SQUARES[36], SQUARES[30])),
            ),
        ),
        (questions.hedgehog(rules),),
    )


def _fields(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Die Felder", "The fields"),
        prose(
            """
            - **Salatfeld:** Du darfst nur darauf, wenn du noch einen Salat hast. Im nächsten Zug **musst** du einen
              fressen, und dafür gibt es 10 Karotten, wenn du vorne liegst, sonst 30. Danach läufst du weiter.
            - **Karottenfeld:** Statt zu laufen kannst du 10 Karotten nehmen oder 10 abgeben, auch mehrmals
              hintereinander.
            - **Markt:** Beim Betreten kaufst du genau eine Karte für 10 Karotten. So viele müssen nach dem Lauf noch
              übrig sein.
            - **Hasenfeld:** Beim Betreten spielst du eine Karte. Wer keine spielen kann, darf nicht darauf.
            - **Positionsfelder:** Stehst du am Anfang deines Zuges auf **1** und liegst vorne, bekommst du 10 Karotten;
              stehst du auf **2** und liegst nicht vorne, 30.
            """,
            """
            - **Salad field:** You may only go there if you still have a salad. With your next move you **have to** eat
              one, which pays 10 carrots if you are ahead, else 30. Then you run on.
            - **Carrot field:** Instead of running you can take 10 carrots or give back 10, also several times in a row.
            - **Market:** When you get there you buy exactly one card for 10 carrots. You must still have them after the
              run.
            - **Hare field:** When you get there you play a card. If you cannot play one, you may not go there.
            - **Position fields:** If you are on **1** when your turn starts, and ahead, you get 10 carrots; if you are
              on **2** and not ahead, 30.
            """,
        ),
        (
            Illustration(
                position(rules, SALAD),
                Text(
                    "Rot sitzt auf dem Salatfeld 22 und muss fressen. Blau liegt vorne, also bekommt Rot 30 Karotten.",
                    "Red is on the salad field 22 and has to eat. Blue is ahead, so Red gets 30 carrots.",
                ),
                framed([SQUARES[22]]),
            ),
            Illustration(
                position(rules, MARKET),
                Text(
                    "Auf den Markt 28 läuft Rot für 15 Karotten und kauft dort für 10 eine Karte.",
                    "Red runs to the market on 28 for 15 carrots and buys a card there for 10.",
                ),
                framed((), Arrow(SQUARES[23], SQUARES[28])),
            ),
            Illustration(
                position(rules, POSITION_FIELDS, 41),
                Text(
                    "Rot auf der 2 liegt hinten und bekommt am Anfang seines Zuges 30 Karotten, Blau auf der 1 liegt "
                    "vorne und bekommt 10.",
                    "Red on the 2 is behind and gets 30 carrots when its turn starts, Blue on the 1 is ahead and gets "
                    "10.",
                ),
                framed([SQUARES[47], SQUARES[60]]),
            ),
        ),
        (questions.market(rules),),
    )


def _cards(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Die Karten", "The cards"),
        prose(
            """
            Eine Karte spielst du, wenn du auf ein **Hasenfeld** kommst. Sie ist danach weg.

            - **Salat fressen:** Du frisst einen Salat und bekommst die Karotten dafür wie auf einem Salatfeld.
            - **Karotten tauschen:** Du tauschst alle Karotten mit dem anderen Hasen. Das geht nur, solange beide vor
              dem letzten Salatfeld (57) sind, und nicht, wenn einer von beiden in seinem letzten Zug getauscht hat.
            - **Vorlaufen:** Liegst du nicht vorne, kommst du auf das Feld direkt **vor** dem anderen Hasen.
            - **Zurückfallen:** Liegst du vorne, kommst du auf das Feld direkt **hinter** dem anderen Hasen.

            Vorlaufen und Zurückfallen kosten nichts, aber das Zielfeld der Karte musst du betreten dürfen. Ist es
            wieder ein Hasenfeld, spielst du **noch eine Karte**; ist es ein Markt, kaufst du dort eine. So kann ein Zug
            eine ganze **Kette** sein.
            """,
            """
            You play a card when you get to a **hare field**. Then it is gone.

            - **Eat a salad:** You eat a salad and get the carrots for it as on a salad field.
            - **Swap carrots:** You swap all carrots with the other hare. This is only possible while both are before
              the last salad field (57), and not if one of the two swapped with its last move.
            - **Hurry ahead:** If you are not ahead, you get to the field just **in front of** the other hare.
            - **Fall back:** If you are ahead, you get to the field just **behind** the other hare.

            Hurrying ahead and falling back cost nothing, but you must be allowed to enter the field. If it is a hare
            field again, you play **another card**; if it is a market, you buy one there. So a move can be a whole
            **chain**.
            """,
        ),
        (
            Illustration(
                position(rules, CHAIN),
                Text(
                    "Eine Kette von Rot: vom Hasenfeld 39 mit „Zurückfallen“ auf das Hasenfeld 34, hinter Blau, und "
                    "dort „Salat fressen“.",
                    "A chain of Red: from the hare field 39 with “fall back” to the hare field 34, behind Blue, and "
                    "“eat a salad” there.",
                ),
                framed((), Arrow(SQUARES[31], SQUARES[39]), Arrow(SQUARES[39], SQUARES[34], "second")),
            ),
        ),
        (questions.hurry(rules), questions.two_cards(rules)),
    )


def _end(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Das Ende", "The end"),
        prose(
            """
            Ins **Ziel** darfst du nur ohne Salat und mit höchstens 10 Karotten, die nach dem Lauf übrig sind. Das Spiel
            ist zu Ende nach der **Runde**, in der ein Hase ins Ziel kommt: Ist es Rot, darf Blau noch einmal ziehen.
            Spätestens nach **30 Runden** ist Schluss.

            - Wer **weiter vorne** ist, gewinnt.
            - Sind **beide im Ziel**, gewinnt, wer **weniger Karotten** hat. Bei gleich vielen ist es unentschieden.

            Wer gar keinen Zug hat, **setzt aus**, bis es wieder geht. Kann keiner von beiden mehr ziehen, gewinnt, wer
            weiter vorne ist.
            """,
            """
            You may enter the **goal** only without salads and with at most 10 carrots left after the run. The game is
            over after the **round** in which a hare gets there: if it is Red, Blue has one more move. After **30
            rounds** at the latest it is over.

            - Whoever is **further ahead** wins.
            - If **both are in the goal**, the one with **fewer carrots** wins. If these are equal, it is a draw.

            A hare that has no move at all **is skipped** until it has one. If neither can move any more, the one that
            is further ahead wins.
            """,
        ),
        questions=(questions.goal(rules), questions.who_wins(rules)),
    )


def _server() -> Section[State, Move]:
    return Section(
        Text("Die Saison 2025", "The season of 2025"),
        prose(
            """
            Der Server der Saison hat in zwei Fällen anders gewertet, als es in den Regeln steht. Er gab die Karotten
            eines Positionsfeldes auch nach dem letzten Zug noch einmal: So zählt es in `hase-und-igel-2025-official`,
            am Sieger ändert es nichts. Und konnte kein Hase mehr ziehen, fragte er trotzdem weiter, bis einer die Zeit
            überschritt. Hier gewinnt dann, wer weiter vorne ist.
            """,
            """
            The server of the season differed from the rules in two cases. It paid the carrots of a position field once
            more after the last move: that is how `hase-und-igel-2025-official` counts, and it never changes the winner.
            And if neither hare could move, it went on asking until one of them was out of time. Here the one that is
            further ahead wins.
            """,
        ),
    )
