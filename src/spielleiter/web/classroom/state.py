"""What is known of a class: people, tasks, rounds of games, handed-in players, as a fold of the events in its journal.

Laws: an event is applied after it is on the disk; applying the same events gives the same state; ids are never used
again, so that a participant keeps what they did under a new name and on another device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import assert_never

from spielleiter.errors import RecordError
from spielleiter.text import whole_number
from spielleiter.web.classroom.names import find_name


class TaskKind(Enum):
    """What all are asked to do."""

    LESSON = "lesson"
    POSITION = "position"
    LEVEL = "level"
    PLAYER = "player"


class ClassScene(Enum):
    """What a class sees on the projector."""

    JOIN = "join"
    TASK = "task"
    ROUND = "round"
    GAMES = "games"
    """The show of the running games."""
    TABLE = "table"
    """The standings of the rounds between people."""
    TOURNAMENT = "tournament"


# --- events: the lines of the journal ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassOpened:
    """The keys outlive a restart: they are in the browsers of the people."""

    game: str
    host_key: str
    guest_key: str
    at: float


@dataclass(frozen=True, slots=True)
class ClassGameChosen:
    """The class plays another game from now on."""

    game: str


@dataclass(frozen=True, slots=True)
class CodeRenewed:
    """Another join code; those before open nothing any more."""

    code: str


@dataclass(frozen=True, slots=True)
class DoorSet:
    """Whether new people may come in."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class NamesListed:
    """The names to choose from."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """A new person, or one whose seat was free."""

    id: int
    name: str
    browser: str
    at: float


@dataclass(frozen=True, slots=True)
class PersonRenamed:
    """Somebody has another name."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """The person may come back on another device."""

    id: int


@dataclass(frozen=True, slots=True)
class PersonRemoved:
    """Somebody's seat is gone; what they did stays, without a name."""

    id: int


@dataclass(frozen=True, slots=True)
class TaskSet:
    """A new task for all; the one before is over."""

    number: int
    kind: TaskKind
    game: str
    what: str
    """The number of the exercise, the position, or the name of the level."""
    at: float
    ends: float | None = None


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A task is over before its time."""

    number: int


@dataclass(frozen=True, slots=True)
class AnswersShown:
    """The answers to a position are on the projector from now on."""

    number: int


@dataclass(frozen=True, slots=True)
class PositionAnswered:
    """The move that a participant would play; the last answer counts."""

    number: int
    id: int
    move: str


@dataclass(frozen=True, slots=True)
class Achieved:
    """Somebody has solved an exercise or a puzzle, or beaten a level."""

    id: int
    kind: str
    game: str
    what: str


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """Who meets whom in a round."""

    number: int
    game: str
    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None
    ends: float | None = None


@dataclass(frozen=True, slots=True)
class PairSeated:
    """The room in which a pair plays; another one after a restart."""

    round: int
    pair: int
    room: str


@dataclass(frozen=True, slots=True)
class PairDecided:
    """The result of a game of people; one by the host replaces that of the board."""

    round: int
    pair: int
    points: float
    """Points of the first player: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class PlayerHandedIn:
    """A program for the tournament; it replaces the one before."""

    id: int
    file: str
    name: str
    at: float


@dataclass(frozen=True, slots=True)
class PlayerTried:
    """What the trial game of a handed-in player said."""

    id: int
    file: str
    works: bool
    de: str
    en: str


@dataclass(frozen=True, slots=True)
class TournamentBegun:
    """A tournament of the handed-in players."""

    number: int
    people: tuple[int, ...]
    names: tuple[str, ...]
    """Names of the people at that time: the entrants of the match."""


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """All its games are played, or the host has stopped it."""

    number: int


@dataclass(frozen=True, slots=True)
class SceneChosen:
    """What the projector shows."""

    scene: ClassScene


ClassEvent = (
    ClassOpened | ClassGameChosen | CodeRenewed | DoorSet | NamesListed | PersonJoined | PersonRenamed | SeatFreed
    | PersonRemoved | TaskSet | TaskEnded | AnswersShown | PositionAnswered | Achieved | RoundPaired | PairSeated
    | PairDecided | PlayerHandedIn | PlayerTried | TournamentBegun | TournamentEnded | SceneChosen
)  # fmt: skip


# --- the state --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody with a seat."""

    id: int
    name: str
    browser: str
    """Empty while the seat is free for another device."""
    joined: float


@dataclass(frozen=True, slots=True)
class ClassTask:
    """What all are asked to do just now, or were."""

    number: int
    kind: TaskKind
    game: str
    what: str
    at: float
    ends: float | None
    is_shown: bool = False
    is_over: bool = False

    def is_open(self, now: float) -> bool:
        """Whether answers count still."""
        return not self.is_over and (self.ends is None or now < self.ends)


@dataclass(frozen=True, slots=True)
class RoundPair:
    """Two people who play each other."""

    people: tuple[int, int]
    rooms: tuple[str, ...] = ()
    points: tuple[float, float] | None = None


@dataclass(slots=True)
class GameRound:
    """One round of games between people."""

    number: int
    game: str
    pairs: list[RoundPair]
    bye: int | None = None
    ends: float | None = None
    """When its time is over; nothing ends by itself, the host decides."""

    @property
    def is_over(self) -> bool:
        return all(pair.points is not None for pair in self.pairs)

    def pair_of(self, person: int) -> int | None:
        """The place of the pair in which a person plays."""
        return next((at for at, pair in enumerate(self.pairs) if person in pair.people), None)


@dataclass(frozen=True, slots=True)
class HandIn:
    """The player that the participant handed in last."""

    file: str
    name: str
    at: float
    works: bool | None = None
    """``None`` until its trial game is over."""
    de: str = ""
    en: str = ""


@dataclass(slots=True)
class ClassTournament:
    """A tournament of handed-in players, in the folder of its number."""

    number: int
    entrants: dict[int, str]
    """The names under which people's players play, by the id of the person."""
    is_over: bool = False


@dataclass(slots=True)
class ClassState:
    """Everything that outlives a restart."""

    game: str = ""
    host_key: str = ""
    guest_key: str = ""
    opened: float = 0.0
    code: str = ""
    old_codes: set[str] = field(default_factory=set)
    is_open: bool = True
    listed: tuple[str, ...] = ()
    people: dict[int, Participant] = field(default_factory=dict)
    last_id: int = 0
    removed: set[str] = field(default_factory=set)
    """Browsers whose person was removed, until they join again."""
    freed: set[str] = field(default_factory=set)
    tasks: list[ClassTask] = field(default_factory=list)
    answers: dict[int, dict[int, str]] = field(default_factory=dict)
    """The moves that people chose, by task."""
    achieved: dict[int, set[tuple[str, str, str]]] = field(default_factory=dict)
    rounds: list[GameRound] = field(default_factory=list)
    players: dict[int, HandIn] = field(default_factory=dict)
    tournaments: list[ClassTournament] = field(default_factory=list)
    scene: ClassScene = ClassScene.JOIN

    @classmethod
    def of(cls, events: Iterable[ClassEvent]) -> ClassState:
        """The state after these events."""
        state = cls()
        for event in events:
            state.apply(event)
        return state

    def apply(self, event: ClassEvent) -> None:
        """One more event. Raises ``RecordError`` for one that cannot follow: the journal was changed by hand."""
        try:
            self._apply(event)
        except (LookupError, ValueError):
            raise RecordError(f"Das kann nicht folgen: {event}", f"this cannot follow: {event}") from None

    def _apply(self, event: ClassEvent) -> None:  # noqa: C901 - one line for each kind of event
        match event:
            case ClassOpened():
                self.game, self.opened = event.game, event.at
                self.host_key, self.guest_key = event.host_key, event.guest_key
            case ClassGameChosen():
                self.game = event.game
            case CodeRenewed():
                self.old_codes |= {self.code} - {""}
                self.code = event.code
            case DoorSet():
                self.is_open = event.is_open
            case NamesListed():
                self.listed = event.names
            case PersonJoined():
                self.last_id = max(self.last_id, event.id)
                self.people[event.id] = Participant(event.id, event.name, event.browser, event.at)
                self.removed.discard(event.browser)
                self.freed.discard(event.browser)
            case PersonRenamed():
                self.people[event.id] = replace(self.people[event.id], name=event.name)
            case SeatFreed():
                self.freed.add(self.people[event.id].browser)
                self.people[event.id] = replace(self.people[event.id], browser="")
            case PersonRemoved():
                if browser := self.people.pop(event.id).browser:  # A seat that was free has none.
                    self.removed.add(browser)
            case TaskSet() | TaskEnded() | AnswersShown() | PositionAnswered() | Achieved():
                self._apply_task(event)
            case RoundPaired():
                pairs = [RoundPair(pair) for pair in event.pairs]
                self.rounds.append(GameRound(event.number, event.game, pairs, event.bye, event.ends))
            case PairSeated():
                pairs = self.rounds[event.round - 1].pairs
                pairs[event.pair] = replace(pairs[event.pair], rooms=(*pairs[event.pair].rooms, event.room))
            case PairDecided():
                pairs = self.rounds[event.round - 1].pairs
                pairs[event.pair] = replace(pairs[event.pair], points=(event.points, 1.0 - event.points))
            case PlayerHandedIn():
                self.players[event.id] = HandIn(event.file, event.name, event.at)
            case PlayerTried():
                if self.players[event.id].file == event.file:
                    tried = replace(self.players[event.id], works=event.works, de=event.de, en=event.en)
                    self.players[event.id] = tried
            case TournamentBegun():
                entrants = dict(zip(event.people, event.names, strict=True))
                self.tournaments.append(ClassTournament(event.number, entrants))
            case TournamentEnded():
                self.tournaments[event.number - 1].is_over = True
            case SceneChosen():
                self.scene = event.scene
            case _:
                assert_never(event)

    def _apply_task(self, event: TaskSet | TaskEnded | AnswersShown | PositionAnswered | Achieved) -> None:
        match event:
            case TaskSet():
                self.tasks = [replace(task, is_over=True) for task in self.tasks]
                self.tasks.append(ClassTask(event.number, event.kind, event.game, event.what, event.at, event.ends))
            case TaskEnded():
                self.tasks[event.number - 1] = replace(self.tasks[event.number - 1], is_over=True)
            case AnswersShown():
                self.tasks[event.number - 1] = replace(self.tasks[event.number - 1], is_shown=True, is_over=True)
            case PositionAnswered():
                self.answers.setdefault(event.number, {})[event.id] = event.move
            case Achieved():
                self.achieved.setdefault(event.id, set()).add((event.kind, event.game, event.what))
            case _:
                assert_never(event)

    # --- questions ----------------------------------------------------------------------------------------------------

    @property
    def task(self) -> ClassTask | None:
        """The newest task; it may be over."""
        return self.tasks[-1] if self.tasks else None

    @property
    def round(self) -> GameRound | None:
        """The newest round; it may be over."""
        return self.rounds[-1] if self.rounds else None

    @property
    def tournament(self) -> ClassTournament | None:
        """The newest tournament; it may be over."""
        return self.tournaments[-1] if self.tournaments else None

    def by_browser(self, browser: str) -> Participant | None:
        """Who sits at this browser."""
        return next((person for person in self.people.values() if browser and person.browser == browser), None)

    def by_name(self, name: str) -> Participant | None:
        """Who has this name, or one that looks the same."""
        found = find_name(name, [person.name for person in self.people.values()])
        return next((person for person in self.people.values() if person.name == found), None)

    def free_names(self) -> list[str]:
        """The names to choose from: of the list, and of seats that were freed."""
        taken = [person.name for person in self.people.values()]
        listed = [name for name in self.listed if find_name(name, taken) is None]
        return listed + [person.name for person in self.people.values() if not person.browser]

    def name_of(self, person: int) -> str:
        """The name of a person; of one who was removed, a dash."""
        found = self.people.get(person)
        return "–" if found is None else found.name

    def shown_names(self, tournament: ClassTournament) -> dict[str, str]:
        """How the entrants of a tournament are called now: a name that was removed is gone there, too."""
        return {entrant: self.name_of(person) for person, entrant in tournament.entrants.items()}

    def is_done(self, task: ClassTask, person: int) -> bool:
        """Whether a person has done what was asked for."""
        achieved = self.achieved.get(person, ())
        match task.kind:
            case TaskKind.LESSON:
                return ("lesson", task.game, task.what) in achieved
            case TaskKind.LEVEL:
                stronger = (what for kind, game, what in achieved if (kind, game) == ("level", task.game))
                return any(level_number(what) >= level_number(task.what) for what in stronger)
            case TaskKind.POSITION:
                return person in self.answers.get(task.number, {})
            case TaskKind.PLAYER:
                return person in self.players and self.players[person].works is not False

    def solved(self, person: int, kind: str, game: str = "") -> int:
        """How many exercises, puzzles or levels a person has achieved."""
        return sum(each[0] == kind and game in ("", each[1]) for each in self.achieved.get(person, ()))

    def games_of(self, person: int) -> Iterator[tuple[GameRound, RoundPair]]:
        """The games of a person in all rounds."""
        for played in self.rounds:
            for pair in played.pairs:
                if person in pair.people:
                    yield played, pair


def level_number(level: str) -> int:
    """The number in the name of a level; 0 for a player that is none."""
    return whole_number(level.removeprefix("level")) or 0
