"""Tasks for all: made from a form, said in words, and how far the class has come with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from spielleiter import games
from spielleiter.errors import NotationError, Refused, UnknownGame
from spielleiter.game import AnyGame, Look, Text
from spielleiter.pages import boards, words
from spielleiter.pages.opponents import LADDER
from spielleiter.players import BUILT_IN
from spielleiter.puzzles import all_puzzles
from spielleiter.text import whole_number
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.state import ClassState, ClassTask, Participant, TaskKind, TaskSet, level_number

MAX_MINUTES = 180
_MAX_FIELD = 5000
_MAX_ARROWS = 5
"""Maximum on the projector: more of them would hide the board."""
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as a page shows it."""

    title: Text
    address: str
    """Where it is done; empty for a task that begins with a form (``level``)."""
    game: AnyGame
    level: str
    until: float | None
    """When the time is over, on the monotonic clock."""
    is_open: bool
    is_done: bool
    """Whether the visitor has done it."""


def task_title(task: ClassTask) -> Text:
    """What is to be done, in words."""
    game = games.load(task.game)
    match task.kind:
        case TaskKind.LESSON:
            title = exercise_titles(game)[int(task.what) - 1]
            return Text(f"Übung {task.what}: {title.de}", f"Exercise {task.what}: {title.en}")
        case TaskKind.POSITION:
            return Text("Diese Stellung: Was würdest du ziehen?", "This position: what would you play?")
        case TaskKind.LEVEL:
            title, number = BUILT_IN[task.what].title, level_number(task.what)
            level = Text(f"Stufe {number}: {title.de}", f"level {number}: {title.en}") if number else title
            return Text(f"Schlag {level.de}", f"Beat {level.en}")
        case TaskKind.PLAYER:
            return Text("Gib deinen Spieler ab", "Hand in your player")


def task_view(classroom: Classroom, task: ClassTask, person: Participant | None = None) -> TaskView:
    """A task for the visitor."""
    now = classroom.book.now()
    addresses = {
        TaskKind.LESSON: f"/learn/{task.game}/{task.what}",
        TaskKind.POSITION: "/class/position",
        TaskKind.LEVEL: "",
        TaskKind.PLAYER: "/class#player",
    }
    return TaskView(
        task_title(task),
        addresses[task.kind],
        games.load(task.game),
        task.what if task.kind is TaskKind.LEVEL else "",
        classroom.until(task.ends),
        task.is_open(now),
        person is not None and classroom.state.is_done(task, person.id),
    )


def exercise_titles(game: AnyGame) -> list[Text]:
    """The exercises of a game's lesson in their order."""
    if game.lesson is None:
        return []
    return [question.title for section in game.lesson().sections for question in section.questions]


def task_from_form(state: ClassState, form: Mapping[str, Any], now: float) -> TaskSet:
    """The task that a form describes. Raises ``Refused`` with what was expected."""
    game = _game(_field(form, "game") or state.game)
    try:
        kind = TaskKind(_field(form, "kind"))
    except ValueError:
        raise Refused("Wähle eine Aufgabe.", "Choose a task.") from None
    what = _what(kind, game, form)
    minutes = minutes_from_form(form)
    ends = now + 60 * minutes if minutes else None
    if kind is TaskKind.POSITION:
        game, what = _position(game, what)
    return TaskSet(len(state.tasks) + 1, kind, game.key, what, now, ends)


def minutes_from_form(form: Mapping[str, Any]) -> int | None:
    """How long something may take; ``None``: without an end. Raises ``Refused``."""
    text = _field(form, "minutes")
    minutes = whole_number(text)
    if text and (minutes is None or not 0 <= minutes <= MAX_MINUTES):
        raise Refused(
            f"Die Zeit ist eine ganze Zahl von Minuten, höchstens {MAX_MINUTES}; leer: ohne Ende.",
            f"The time is a whole number of minutes, at most {MAX_MINUTES}; empty: without an end.",
        )
    return minutes


def _what(kind: TaskKind, game: AnyGame, form: Mapping[str, Any]) -> str:
    match kind:
        case TaskKind.LESSON:
            number, count = whole_number(_field(form, "exercise")), len(exercise_titles(game))
            if number is None or not 1 <= number <= count:
                raise Refused(
                    f"{game.title.de} hat die Übungen 1 bis {count}.",
                    f"{game.title.en} has the exercises 1 to {count}.",
                )
            return str(number)
        case TaskKind.LEVEL:
            level = _field(form, "level")
            if level not in {player.name for player in LADDER}:
                raise Refused("Wähle eine Stufe.", "Choose a level.")
            return level
        case TaskKind.POSITION:
            return _field(form, "position")
        case TaskKind.PLAYER:
            return ""


def _field(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name, "")
    return value.strip()[:_MAX_FIELD] if isinstance(value, str) else ""


def _game(key: str) -> AnyGame:
    try:
        return games.load(key)
    except UnknownGame:
        raise Refused("Dieses Spiel gibt es nicht.", "There is no such game.") from None


def _position(game: AnyGame, text: str) -> tuple[AnyGame, str]:
    """The position that was pasted; without one that of a puzzle, or of a game that has just begun."""
    if not text:
        puzzles = [puzzle for puzzle in all_puzzles().values() if puzzle.game == game]
        if puzzles:
            return game, game.notation.format_state(_random.choice(puzzles).start)
        state = game.new_state(_random)
        for _ in range(8):
            after = state.play_unchecked(_random.choice(state.legal_moves()))
            state = state if after.outcome is not None else after
        return game, game.notation.format_state(state)
    try:
        game, state = games.parse_position(text)
    except (NotationError, UnknownGame) as problem:
        raise Refused(
            f"Das ist keine Stellung: {problem.text.de}", f"Not a valid position: {problem.text.en}"
        ) from None
    if state.outcome is not None:
        raise Refused("In dieser Stellung ist das Spiel schon zu Ende.", "In this position the game is already over.")
    return game, game.notation.format_state(state)


# --- the answers to a position ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move that some of the class would play."""

    text: str
    words: Text
    people: tuple[int, ...]


def chosen_moves(state: ClassState, task: ClassTask) -> list[ChosenMove]:
    """What the class would play, the most frequent move first."""
    game = games.load(task.game)
    position = game.notation.parse_state(task.what)
    answers = {person: move for person, move in state.answers.get(task.number, {}).items() if person in state.people}
    found = []
    for text, _ in Counter(answers.values()).most_common():
        move = game.notation.parse_move(position, text)
        said = Text(words.move_text(game, position, move, "de"), words.move_text(game, position, move, "en"))
        found.append(ChosenMove(text, said, tuple(person for person, own in answers.items() if own == text)))
    return found


def position_board(state: ClassState, task: ClassTask) -> Any:
    """The board of a position; with the answers of the class as arrows, once they are shown."""
    game = games.load(task.game)
    position = game.notation.parse_state(task.what)
    look = Look(last_move=False)
    if task.is_shown:
        # The most frequent last: it lies on top.
        for at, chosen in reversed(list(enumerate(chosen_moves(state, task)[:_MAX_ARROWS]))):
            move = game.notation.parse_move(position, chosen.text)
            drawn = boards.move_look(game, position, move, look, "mark" if at else "arrow")
            # Tiles of several moves could lie upon each other: then only the most frequent one is drawn.
            look = drawn if at == 0 or len(drawn.arrows) > len(look.arrows) else look
    return boards.board(game, position, look=look)
