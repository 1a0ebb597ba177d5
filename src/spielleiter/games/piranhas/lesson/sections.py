"""The rules of Piranhas in words and pictures."""

from __future__ import annotations

from spielleiter.game import Arrow, Illustration, Limits, Ranking, Section, Team, Text, contest_section, framed, prose
from spielleiter.games.piranhas.board_input import squares_of
from spielleiter.games.piranhas.lesson import questions
from spielleiter.games.piranhas.lesson.positions import IN_THE_WAY, START, SWARMS, UNITED, position
from spielleiter.games.piranhas.rules import Move, Rules, State


def summary(rules: Rules) -> Text:
    """The rules in short."""
    winner = _winner_in_short(rules)
    unless = Text("", "") if rules.union_beats_weight else Text(", wenn niemand vereint ist", " if nobody is united")
    return prose(
        f"""
        - **Ziel:** Bring alle deine Fische in einen einzigen Schwarm. Nachbarn sind sich Fische auch schräg.
        - **Zug:** Ein Fisch schwimmt gerade oder schräg, **genau so viele Felder, wie Fische auf der ganzen Linie
          sind**: beide Farben, er selbst zählt mit, Kraken nicht.
        - **Im Weg:** Über eigene Fische und Kraken darf er hinweg, über gegnerische nicht.
        - **Zielfeld:** leer, oder ein Gegner, der dann gefressen ist. Kein eigener Fisch, kein Krake.
        - **Ende:** nach der Runde, in der jemand vereint ist, spätestens nach 30 Runden. {winner.de}
        - Wer nicht ziehen kann, hat verloren{unless.de}.
        """,
        f"""
        - **Goal:** Bring all your fish into a single shoal. Fish are neighbours diagonally, too.
        - **Move:** A fish swims straight or diagonally, **exactly as many squares as there are fish on the whole
          line**: both colours, itself included, krakens not.
        - **In the way:** It may pass its own fish and krakens, but not the opponent's fish.
        - **Target:** empty, or an opponent, who is eaten. No fish of your own, no kraken.
        - **End:** after the round in which somebody is united, at the latest after 30 rounds. {winner.en}
        - Whoever cannot move has lost{unless.en}.
        """,
    )


def _winner_in_short(rules: Rules) -> Text:
    if not rules.union_beats_weight:
        return Text(
            "Der schwerste Schwarm gewinnt; bei gleichem Gewicht, wer zuerst vereint war.",
            "The heaviest shoal wins; if the weights are equal, whoever was united first.",
        )
    swarm = Text("schwerere", "heavier") if rules.weighted else Text("größere", "larger")
    return Text(
        f"Wer allein vereint ist, gewinnt; sonst gewinnt der {swarm.de} Schwarm.",
        f"Whoever alone is united wins; otherwise the {swarm.en} shoal wins.",
    )


def sections(rules: Rules) -> tuple[Section[State, Move], ...]:
    """All rules, from the goal to the contest."""
    tie_break = (
        Text("das durchschnittliche Gewicht des schwersten Schwarms", "the average weight of the heaviest shoal")
        if rules.score_is_weight
        else Text(
            "die durchschnittliche Zahl der Fische im größten Schwarm",
            "the average number of fish in the largest shoal",
        )
    )
    return (
        _goal(),
        _board(rules),
        _distance(rules),
        _in_the_way(rules),
        _swarms(rules),
        _end(rules),
        _winner(rules),
        _seasons(),
        contest_section(Limits(), Ranking.usual(official=rules.official), tie_break),
    )


def _goal() -> Section[State, Move]:
    return Section(
        Text("Worum es geht", "What it is about"),
        prose(
            """
            Deine Piranhas sind am Rand des Wassers verstreut. Bring sie zusammen! Wer **alle seine Fische zu einem
            einzigen Schwarm vereint**, hat das Ziel erreicht. Der Haken: Wie weit ein Fisch schwimmt, kannst du nicht
            frei wählen. Das bestimmen die anderen Fische.
            """,
            """
            Your piranhas are scattered along the edges of the water. Bring them together! Whoever **unites all their
            fish in a single shoal** has reached the goal. The catch: you cannot choose how far a fish swims. The other
            fish decide that.
            """,
        ),
    )


def _board(rules: Rules) -> Section[State, Move]:
    sizes = (
        Text(
            " Die Fische sind verschieden groß: Kleine wiegen **1**, mittlere **2**, große **3**. Die Größen werden "
            "vor dem Spiel ausgelost, kleine am häufigsten, große am seltensten. Beide Seiten bekommen die gleichen: "
            "gespiegelt an der Diagonale von A0 nach J9.",
            " The fish have different sizes: small ones weigh **1**, medium ones **2**, large ones **3**. The sizes "
            "are drawn before the game, small ones most often, large ones least often. Both sides get the same: "
            "mirrored on the diagonal from A0 to J9.",
        )
        if rules.weighted
        else Text("", "")
    )
    return Section(
        Text("Das Spielfeld", "The board"),
        prose(
            f"""
            Gespielt wird auf 10 mal 10 Feldern. Die Spalten heißen A bis J, die Reihen 0 bis 9; A0 ist unten links.
            **Rot** hat je acht Fische am linken und am rechten Rand, **Blau** am unteren und am oberen.{sizes.de}

            In der Mitte liegen zwei **Kraken**. Sie gehören niemandem und bewegen sich nie. Wo sie liegen, wird
            ausgelost: immer auf den inneren 6 mal 6 Feldern und nie beide in einer Reihe, Spalte oder Diagonale.

            **Rot beginnt**, dann zieht ihr abwechselnd. Ein Zug von Rot und einer von Blau sind eine **Runde**.
            Aussetzen darf niemand.
            """,
            f"""
            The board has 10 by 10 squares. The columns are called A to J, the rows 0 to 9; A0 is at the bottom left.
            **Red** has eight fish on the left and eight on the right edge, **Blue** at the bottom and top.{sizes.en}

            In the middle lie two **krakens**. They belong to nobody and never move. Their places are drawn: always
            on the inner 6 by 6 squares, and never both in one row, column or diagonal.

            **Red begins**, then you take turns. One move of Red and one of Blue are a **round**. Nobody may skip a
            move.
            """,
        ),
        (
            Illustration(
                position(rules, START, 0),
                Text(
                    "So beginnt eine Partie. Die Kraken liegen hier auf F7 und E2.",
                    "The start of a game. Here the krakens are on F7 and E2.",
                ),
            ),
        ),
    )


def _distance(rules: Rules) -> Section[State, Move]:
    start = position(rules, START, 0)
    large = (
        Text(" Auch ein großer Fisch zählt als ein Fisch.", " A large fish counts as one fish, too.")
        if rules.weighted
        else Text("", "")
    )
    return Section(
        Text("Wie weit ein Fisch schwimmt", "How far a fish swims"),
        prose(
            f"""
            Ein Fisch schwimmt geradeaus: waagerecht, senkrecht oder schräg, also in eine von acht Richtungen. Er
            schwimmt **genau so viele Felder weit, wie Fische auf dieser Linie sind**, nicht weniger und nicht mehr. So
            zählst du:

            - Es zählt die **ganze Linie** von Rand zu Rand, auch das Stück hinter dem Fisch.
            - Es zählen **rote und blaue** Fische, und der Fisch selbst zählt mit.{large.de}
            - Kraken zählen nicht.
            """,
            f"""
            A fish swims in a straight line: along a row, a column or a diagonal, so in one of eight directions. It
            swims **exactly as many squares as there are fish on that line**, no less and no more. This is how to count:

            - The **whole line** counts, from edge to edge, also the part behind the fish.
            - **Red and blue** fish count, and so does the fish itself.{large.en}
            - Krakens do not count.
            """,
        ),
        (
            Illustration(
                start,
                Text(
                    "In Reihe 4 sind zwei Fische, A4 und J4. Also schwimmt A4 genau zwei Felder weit, nach C4.",
                    "There are two fish in row 4, A4 and J4. So A4 swims exactly two squares, to C4.",
                ),
                framed(((0, 4), (9, 4)), Arrow((0, 4), (2, 4))),
            ),
            Illustration(
                start,
                Text(
                    "In Spalte A sind acht Fische. Also schwimmt A1 acht Felder weit, nach A9.",
                    "There are eight fish in column A. So A1 swims eight squares, to A9.",
                ),
                framed(tuple((0, y) for y in range(1, 9)), Arrow((0, 1), (0, 9))),
            ),
        ),
        (
            questions.how_far(rules),
            questions.all_targets(rules),
        ),
    )


def _in_the_way(rules: Rules) -> Section[State, Move]:
    return Section(
        Text("Was im Weg sein darf", "What may be in the way"),
        prose(
            """
            **Unterwegs** darf der Fisch über eigene Fische und über Kraken hinwegschwimmen. Ein gegnerischer Fisch
            versperrt ihm den Weg.

            **Am Ziel** muss das Feld leer sein, oder es ist ein gegnerischer Fisch darauf: Der wird **gefressen** und
            ist aus dem Spiel. Auf einem eigenen Fisch, auf einem Kraken oder außerhalb des Spielfelds darf kein Zug
            enden. Fressen musst du nie, du darfst es nur.
            """,
            """
            **On the way** a fish may pass its own fish and krakens. An opponent's fish blocks it.

            **At its target** the square must be empty, or there is an opponent's fish: that one is **eaten** and out
            of the game. No move may end on a fish of your own, on a kraken or off the board. You never have to eat,
            you only may.
            """,
        ),
        (
            Illustration(
                position(rules, IN_THE_WAY),
                Text(
                    "B6 darf über den eigenen Fisch C6 und den Kraken D6 hinweg nach E6. B3 müsste auch drei Felder "
                    "weit, aber der blaue Fisch auf C3 versperrt den Weg.",
                    "B6 may pass its own fish on C6 and the kraken on D6, and goes to E6. B3 would have to go three "
                    "squares as well, but the blue fish on C3 blocks it.",
                ),
                framed((), Arrow((1, 6), (4, 6)), Arrow((1, 3), (4, 3), "wrong")),
            ),
            Illustration(
                position(rules, START, 0),
                Text(
                    "Auf der Diagonale sind zwei Fische, A2 und C0: A2 schwimmt zwei Felder weit und frisst C0.",
                    "There are two fish on the diagonal, A2 and C0: A2 swims two squares and eats C0.",
                ),
                framed(((0, 2), (2, 0)), Arrow((0, 2), (2, 0))),
            ),
        ),
        (
            questions.why_not(rules),
            questions.eat(rules),
        ),
    )


def _swarms(rules: Rules) -> Section[State, Move]:
    state = position(rules, SWARMS)
    weight = (
        Text(
            " Wie groß ein Schwarm ist, sagt sein **Gewicht**: die Summe seiner Fische.",
            " The size of a shoal is its **weight**: the sum of its fish.",
        )
        if rules.weighted
        else Text(
            " Wie groß ein Schwarm ist, sagt die Zahl seiner Fische.", " The size of a shoal is its number of fish."
        )
    )
    larger = Text("wiegen zusammen 6, die unteren", "weigh 6 together, the lower ones") if rules.weighted else None
    return Section(
        Text("Was ein Schwarm ist", "What a shoal is"),
        prose(
            f"""
            Fische einer Farbe, die nebeneinander schwimmen, bilden einen **Schwarm**. Nebeneinander heißt: auf einem
            der acht Felder ringsum, auch schräg. Ein Fisch allein ist auch ein Schwarm.{weight.de}

            Du bist **vereint**, wenn alle deine Fische zu einem einzigen Schwarm gehören. Auch wer nur noch einen
            Fisch hat, ist vereint. Den Gegner leer zu fressen ist also gefährlich: Jeder gefressene Fisch ist einer
            weniger, den er zusammenbringen muss.
            """,
            f"""
            Fish of one colour that swim side by side are a **shoal**. Side by side means: on one of the eight squares
            around, also diagonally. A single fish is a shoal, too.{weight.en}

            You are **united** when all your fish belong to a single shoal. A player with one fish left is united as
            well. So eating is dangerous: every fish that you eat is one less that the opponent has to bring together.
            """,
        ),
        (
            Illustration(
                state,
                Text(
                    "Rot hat zwei Schwärme. Die umrahmten Fische hängen zusammen, C7 und D6 schräg"
                    + (f"; sie {larger.de} nur 2." if larger else "; sie sind zu dritt, die unteren nur zu zweit."),
                    "Red has two shoals. The framed fish hang together, C7 and D6 diagonally"
                    + (f"; they {larger.en} only 2." if larger else "; they are three, the lower ones only two."),
                ),
                framed(squares_of(state.largest_swarm(Team.ONE))),
            ),
        ),
        (questions.largest_swarm(rules),),
    )


def _end(rules: Rules) -> Section[State, Move]:
    tied = (
        Text(
            "Sind in dieser Runde beide vereint und ihre Schwärme gleich groß, geht es weiter.",
            "If both are united in that round and their shoals are equal, the game goes on.",
        )
        if rules.tied_union_goes_on
        else Text("", "")
    )
    return Section(
        Text("Wann das Spiel endet", "When the game ends"),
        prose(
            f"""
            Das Spiel ist zu Ende,

            - sobald **am Ende einer Runde** jemand vereint ist. {tied.de}
            - nach **30 Runden**, auch wenn niemand vereint ist.
            - wenn jemand am Zug ist, aber **keinen gültigen Zug** hat. Das gilt sofort, auch mitten in einer Runde.

            Weil jede Runde zu Ende gespielt wird, darf Blau noch antworten, wenn Rot sich vereint: Vielleicht kann
            Blau den Schwarm zerreißen oder sich selbst vereinen.
            """,
            f"""
            The game is over

            - as soon as somebody is united **at the end of a round**. {tied.en}
            - after **30 rounds**, even if nobody is united.
            - when somebody is to move but has **no legal move**. This counts at once, also in the middle of a round.

            As every round is played to its end, Blue may still answer when Red unites: maybe Blue can tear the shoal
            apart, or unite as well.
            """,
        ),
        (
            Illustration(
                position(rules, UNITED, 21),
                Text(
                    "Rot ist vereint, aber die Runde ist noch nicht vorbei: Blau ist am Zug. Kann Blau den Schwarm "
                    "nicht zerreißen, ist das Spiel zu Ende.",
                    "Red is united, but the round is not over yet: it is Blue's turn. If Blue cannot tear the shoal "
                    "apart, the game is over.",
                ),
                framed(squares_of(position(rules, UNITED, 21).one)),
            ),
        ),
        (
            questions.unite(rules),
            questions.tear_apart(rules),
        ),
    )


def _winner(rules: Rules) -> Section[State, Move]:
    if rules.union_beats_weight:
        swarm = (
            Text("der **schwerere** größte Schwarm", "the **heavier** one of the largest shoals")
            if rules.weighted
            else Text(
                "der größte Schwarm mit **mehr Fischen**", "the **larger** one of the largest shoals, counted in fish"
            )
        )
        text = prose(
            f"""
            - Ist am Ende **nur einer vereint**, gewinnt er.
            - Sind **beide** vereint oder **keiner**, gewinnt {swarm.de}. Ist auch das gleich, ist es ein
              **Unentschieden**.
            - Wer am Zug ist und nicht ziehen kann, hat **verloren**.
            """,
            f"""
            - If **only one is united** in the end, that one wins.
            - If **both** are united, or **nobody** is, {swarm.en} wins. If these are equal, it is a **draw**.
            - Whoever is to move and cannot has **lost**.
            """,
        )
    else:
        text = prose(
            """
            - Ist am Ende **jemand vereint**, gewinnt der **schwerere** größte Schwarm, auch wenn er dem anderen
              gehört! Bei gleichem Gewicht gewinnt, wer im Spiel **zuerst vereint** war.
            - Ist **niemand** vereint und hat jemand keinen gültigen Zug, hat er **verloren**.
            - Ist nach 30 Runden niemand vereint, gewinnt der schwerere Schwarm; bei gleichem Gewicht ist es ein
              **Unentschieden**.
            """,
            """
            - If **somebody is united** in the end, the **heavier** one of the largest shoals wins, even if it belongs
              to the other side! If the weights are equal, whoever was **united first** in the game wins.
            - If **nobody** is united and somebody has no legal move, that one has **lost**.
            - If nobody is united after 30 rounds, the heavier shoal wins; if the weights are equal, it is a **draw**.
            """,
        )
    return Section(Text("Wer gewinnt", "Who wins"), text, questions=(questions.who_wins(rules),))


def _seasons() -> Section[State, Move]:
    return Section(
        Text("2019 und 2026", "2019 and 2026"),
        prose(
            """
            Piranhas war zweimal das Spiel der Software-Challenge. Gezogen wird in beiden Saisons gleich.

            - **2019** sind alle Fische gleich; bei Schwärmen zählt die Zahl der Fische.
            - **2026** wiegen Fische 1, 2 oder 3; bei Schwärmen zählt das Gewicht. Für die Tabelle zählt aber die Zahl
              der Fische im schwersten Schwarm.

            Die Server der beiden Jahre haben nicht ganz so gewertet, wie es in den Regeln stand. Wer so spielen will,
            nimmt die Spiele mit `-official` im Namen:

            - **piranhas-2019-official:** Sind beide vereint und ihre Schwärme gleich groß, geht das Spiel weiter,
              höchstens bis zur Runde 30.
            - **piranhas-2026-official:** Sobald jemand vereint ist, gewinnt der schwerere Schwarm, wem er auch gehört;
              bei gleichem Gewicht, wer zuerst vereint war. Für die Tabelle zählt das Gewicht.
            """,
            """
            Piranhas was the game of the Software-Challenge twice. The moves are the same in both seasons.

            - **2019:** all fish are equal; shoals are compared by their number of fish.
            - **2026:** fish weigh 1, 2 or 3; shoals are compared by weight. In the standings, however, the number of
              fish in the heaviest shoal counts.

            The servers of these years did not referee quite as the rules said. To play like that, take the games with
            `-official` in their name:

            - **piranhas-2019-official:** if both are united and their shoals are equal, the game goes on, at most
              until round 30.
            - **piranhas-2026-official:** once somebody is united, the heavier shoal wins, whoever owns it; if the
              weights are equal, whoever was united first. In the standings the weight counts.
            """,
        ),
    )
