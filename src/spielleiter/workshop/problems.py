"""What is wrong with a player, at its line, in words for somebody who has just begun to program."""

from __future__ import annotations

import builtins
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import FrozenInstanceError, dataclass
from difflib import get_close_matches

from spielleiter.errors import IllegalMove, PlayerFailed
from spielleiter.text import NO_TEXT, Text

FILE = "player.py"
"""What the text in the editor is called."""
_MAX_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, where, and what helps."""

    kind: str
    """For scripts: ``syntax``, ``error``, ``time``, ``memory``, ``recursion``, ``move`` or ``code``."""
    text: Text
    hint: Text = NO_TEXT
    line: int | None = None
    """The line of the editor, counted from 1."""


# --- syntax -----------------------------------------------------------------------------------------------------------

_SYNTAX: tuple[tuple[str, Text], ...] = (
    (
        r"expected ':'",
        Text("Am Ende dieser Zeile fehlt ein Doppelpunkt.", "A colon is missing at the end of this line."),
    ),
    (
        r"'(?P<what>[(\[{])' was never closed",
        Text("Die Klammer {what} wird nie geschlossen.", "The bracket {what} is never closed."),
    ),
    (
        r"unmatched '(?P<what>[)\]}])'|closing parenthesis '(?P<other>[)\]}])' does not match",
        Text("Zu dieser Klammer gibt es keine öffnende.", "There is no opening bracket for this one."),
    ),
    (
        r"unterminated (?:triple-quoted )?(?:f-)?string literal",
        Text(
            "Dieser Text wird nicht beendet: Es fehlt ein Anführungszeichen.",
            "This string has no end: a quotation mark is missing.",
        ),
    ),
    (
        r"unexpected indent",
        Text("Diese Zeile ist weiter eingerückt als die davor.", "This line is indented more than the one before it."),
    ),
    (
        r"unindent does not match|inconsistent use of tabs",
        Text(
            "Die Einrückung passt zu keiner Zeile davor: Zeilen, die zusammengehören, beginnen in derselben Spalte.",
            "The indentation fits no line above: lines that belong together begin in the same column.",
        ),
    ),
    (
        r"expected an indented block after (?P<what>.+?) on line (?P<at>\d+)",
        Text(
            "Nach Zeile {at} muss etwas Eingerücktes kommen; wenn dort nichts geschehen soll, schreib pass.",
            "Something indented must follow line {at}; write pass if nothing is to be done there.",
        ),
    ),
    (
        r"Maybe you meant '==' (?:or ':=' )?instead of '='",
        Text("Zum Vergleichen braucht es zwei Gleichheitszeichen: ==", "To compare you need two equals signs: =="),
    ),
    (r"Perhaps you forgot a comma", Text("Hier fehlt vielleicht ein Komma.", "Perhaps a comma is missing here.")),
    (r"'return' outside function", Text("return steht außerhalb einer Funktion.", "return is outside of a function.")),
    (
        r"'(?:break|continue)' (?:outside|not properly in) loop",
        Text("break und continue gehören in eine Schleife.", "break and continue belong into a loop."),
    ),
    (
        r"cannot assign to (?P<what>.+?)(?: here)?(?:\.|$)",
        Text("Links vom = muss ein Name stehen.", "There must be a name to the left of the =."),
    ),
    (
        r"Missing parentheses in call to '(?P<what>\w+)'",
        Text("{what} braucht Klammern: {what}(...)", "{what} needs brackets: {what}(...)"),
    ),
    (
        r"invalid (?:non-printable )?character '(?P<what>.+?)'",
        Text("Das Zeichen {what} kennt Python nicht.", "Python does not know the character {what}."),
    ),
)


def syntax_problem(error: SyntaxError) -> Problem:
    """Why Python cannot read the code."""
    said = error.msg or "invalid syntax"
    line = error.lineno
    for pattern, text in _SYNTAX:
        if (found := re.search(pattern, said)) is not None:
            parts = {name: value or "" for name, value in found.groupdict().items()}
            return Problem("syntax", Text(text.de.format(**parts), text.en.format(**parts)), line=line)
    return Problem(
        "syntax",
        Text(f"Python versteht diese Zeile nicht ({said}).", f"Python does not understand this line ({said})."),
        Text(
            "Schau auch auf die Zeile davor: Oft fehlt dort eine Klammer.",
            "Look at the line above, too: often a bracket is missing there.",
        ),
        line,
    )


# --- while it runs ----------------------------------------------------------------------------------------------------


def error_problem(error: BaseException, names: Iterable[str] = ()) -> Problem:
    """What the player's code raised; ``names`` are those that it has defined."""
    line = _line_of(error)
    for kind, explain in _EXPLANATIONS:
        if isinstance(error, kind):
            text, hint = explain(error, names)
            return Problem(_KINDS.get(kind, "error"), text, hint, line)
    said = f"{type(error).__name__}: {error}"[:_MAX_SHOWN]
    return Problem("error", Text(f"Hier bricht dein Spieler ab: {said}", f"Your player fails here: {said}"), line=line)


def _line_of(error: BaseException) -> int | None:
    """The innermost line of the player's own code."""
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    if isinstance(error, RecursionError) and own:
        return Counter(own).most_common(1)[0][0]  # Where it calls itself.
    return own[-1] if own else None


def _name(error: BaseException, names: Iterable[str]) -> tuple[Text, Text]:
    assert isinstance(error, NameError)
    name = error.name or ""
    if isinstance(error, UnboundLocalError):
        return (
            Text(f"{name} hat hier noch keinen Wert.", f"{name} has no value here yet."),
            Text(
                "Eine Variable, der eine Funktion etwas zuweist, gehört nur ihr: Gib ihr vorher einen Wert.",
                "A variable that a function assigns belongs to this function alone: give it a value before.",
            ),
        )
    return Text(f"Den Namen {name} gibt es nicht.", f"There is no name {name}."), _nearest(
        name, (*names, *dir(builtins))
    )


def _attribute(error: BaseException, names: Iterable[str]) -> tuple[Text, Text]:
    assert isinstance(error, AttributeError)
    name, owner = error.name or "", error.obj
    if owner is None and name:
        return (
            Text(f"Hier ist etwas None, und None hat kein {name}.", f"Something is None here, and None has no {name}."),
            Text(
                "None heißt „nichts“: Eine Funktion ohne return gibt es zurück, und state.outcome ist es, solange das "
                "Spiel läuft.",
                "None means “nothing”: a function without return gives it back, and state.outcome is None while the "
                "game runs.",
            ),
        )
    kind = type(owner).__name__
    if not name:
        return Text(str(error), str(error)), NO_TEXT
    public = [each for each in dir(owner) if not each.startswith("_")]
    return Text(f"{kind} hat kein {name}.", f"{kind} has no {name}."), _nearest(name, public)


def _nearest(word: str, known: Iterable[str]) -> Text:
    near = get_close_matches(word, list(known), n=1)
    return Text(f"Meinst du {near[0]}?", f"Did you mean {near[0]}?") if near else NO_TEXT


def _type(error: BaseException, names: Iterable[str]) -> tuple[Text, Text]:
    said = str(error)
    for pattern, text in _TYPES:
        if (found := re.search(pattern, said)) is not None:
            parts = found.groupdict()
            return Text(text.de.format(**parts), text.en.format(**parts)), NO_TEXT
    return (
        Text(f"Diese Werte passen nicht zusammen: {said}", f"These values do not fit together: {said}"),
        Text("Sieh sie dir mit print(...) an.", "Look at them with print(...)."),
    )


_TYPES: tuple[tuple[str, Text], ...] = (
    (
        r"(?P<what>[\w.]+\(\)) missing \d+ required positional arguments?: (?P<names>.+)",
        Text("Beim Aufruf von {what} fehlt: {names}", "The call of {what} lacks: {names}"),
    ),
    (
        r"(?P<what>[\w.]+\(\)) takes (?P<takes>.+?) positional arguments? but (?P<given>\d+) (?:was|were) given",
        Text("{what} bekommt {given} Werte, erwartet aber {takes}.", "{what} gets {given} values but takes {takes}."),
    ),
    (
        r"'NoneType' object is not (?:subscriptable|iterable|callable)",
        Text(
            "Hier steht None statt eines Wertes: Fehlt in einer Funktion ein return?",
            "There is None here instead of a value: is a return missing in a function?",
        ),
    ),
    (
        r"'(?P<what>\w+)' object is not callable",
        Text(
            "{what} ist keine Funktion: Sind die Klammern zu viel?",
            "{what} is not a function: are the brackets too many?",
        ),
    ),
    (
        r"'(?P<what>\w+)' object is not subscriptable",
        Text("Von {what} kann man mit [...] nichts nehmen.", "You cannot take anything from {what} with [...]."),
    ),
    (r"'(?P<what>\w+)' object is not iterable", Text("{what} ist keine Liste.", "{what} is not a list.")),
    (
        r"not supported between instances of '(?P<one>\w+)' and '(?P<two>\w+)'",
        Text("{one} und {two} kann man nicht vergleichen.", "You cannot compare {one} and {two}."),
    ),
    (
        r"unsupported operand type\(s\) for (?P<sign>\S+): '(?P<one>\w+)' and '(?P<two>\w+)'",
        Text(
            "{one} {sign} {two} geht nicht: Das sind keine zwei Zahlen.",
            "{one} {sign} {two} does not work: these are not two numbers.",
        ),
    ),
)


def _said(
    de: str, en: str, hint_de: str = "", hint_en: str = ""
) -> Callable[[BaseException, Iterable[str]], tuple[Text, Text]]:
    def explain(error: BaseException, names: Iterable[str]) -> tuple[Text, Text]:
        said = str(error)[:_MAX_SHOWN]
        return Text(de.format(said=said), en.format(said=said)), Text(hint_de, hint_en)

    return explain


_EXPLANATIONS: tuple[tuple[type[BaseException], Callable[[BaseException, Iterable[str]], tuple[Text, Text]]], ...] = (
    (
        RecursionError,
        _said(
            "Eine Funktion ruft sich immer wieder selbst auf und hört nie auf.",
            "A function calls itself again and again and never stops.",
            "Sie braucht am Anfang einen Fall, in dem sie ohne sich selbst antwortet, etwa bei Tiefe 0.",
            "It needs a case at its beginning in which it answers without itself, such as depth 0.",
        ),
    ),
    (
        MemoryError,
        _said(
            "Hier ist der Speicher voll: So viele Dinge passen nicht hinein.",
            "The memory is full here: so many things do not fit.",
            "Merk dir nur, was du brauchst, zum Beispiel den besten Zug statt aller Stellungen.",
            "Keep only what you need, such as the best move instead of all positions.",
        ),
    ),
    (FrozenInstanceError, _said(
        "Stellungen und Züge kann man nicht ändern.",
        "Positions and moves cannot be changed.",
        "state.play(move) gibt dir eine neue Stellung.",
        "state.play(move) gives you a new position.",
    )),
    (NameError, _name),
    (AttributeError, _attribute),
    (TypeError, _type),
    (IndexError, _said(
        "So lang ist die Liste nicht.",
        "The list is not that long.",
        "Die erste Stelle hat die Nummer 0, die letzte len(liste) - 1, und eine leere Liste hat gar keine.",
        "The first place has the number 0, the last one len(list) - 1, and an empty list has none.",
    )),
    (KeyError, _said(
        "Den Schlüssel {said} gibt es hier nicht.", "There is no key {said} here.",
        "Mit dict.get(schlüssel, 0) bekommst du stattdessen 0.", "dict.get(key, 0) gives you 0 instead.",
    )),
    (ZeroDivisionError, _said("Hier wird durch null geteilt.", "This divides by zero.")),
    (ModuleNotFoundError, _said(
        "Dieses Modul gibt es hier nicht ({said}).", "This module is not available here ({said}).",
        "Im Browser und im Wettbewerb gibt es nur Python selbst und spielleiter.",
        "In the browser and in the contest there is only Python itself and spielleiter.",
    )),
    (ImportError, _said("Das lässt sich nicht importieren: {said}", "This cannot be imported: {said}")),
    (ValueError, _said("Dieser Wert geht hier nicht: {said}", "This value does not work here: {said}")),
    (AssertionError, _said(
        "Hier stimmt etwas nicht, was du geprüft hast. {said}", "Something that you asserted is not true here. {said}",
    )),
    (SystemExit, _said(
        "sys.exit() beendet den Spieler mitten im Spiel.", "sys.exit() ends the player in mid-game.",
        "Gib stattdessen einen Zug zurück.", "Return a move instead.",
    )),
    (IllegalMove, _said(
        "Dein Spieler probiert mit state.play(...) einen Zug aus, der nicht erlaubt ist.",
        "Your player tries a move with state.play(...) that is not legal.",
        "Nimm nur Züge aus state.legal_moves().", "Take moves from state.legal_moves() alone.",
    )),
)  # fmt: skip
_KINDS: dict[type[BaseException], str] = {RecursionError: "recursion", MemoryError: "memory"}


# --- what it answered -------------------------------------------------------------------------------------------------


def answer_problem(refusal: PlayerFailed, move: object, line: int | None) -> Problem:
    """What is wrong with what ``choose`` returned."""
    if move is None:
        return Problem(
            "move",
            Text("Dein choose hat keinen Zug zurückgegeben.", "Your choose did not return a move."),
            Text(
                "Am Ende fehlt vielleicht return, oder es steht in einem if.",
                "Perhaps return is missing at its end, or is inside an if.",
            ),
            line,
        )
    legal = Text("Nimm einen Zug aus state.legal_moves().", "Take a move from state.legal_moves().")
    return Problem("move", refusal.text, legal, line)


def time_problem(limit: float, line: int | None) -> Problem:
    """The player did not answer in time."""
    shown = f"{limit:g}"
    return Problem(
        "time",
        Text(
            f"Dein Spieler rechnet nach {shown.replace('.', ',')} Sekunden immer noch.",
            f"Your player is still thinking after {shown} seconds.",
        ),
        Text(
            "Eine Schleife, die nie endet? Oder zu viele Züge: Sieh weniger weit voraus, oder achte auf seconds.",
            "A loop that never ends? Or too many moves at once: look less far ahead, or mind seconds.",
        ),
        line,
    )
