"""The built-in players by name, with options behind a colon: ``random``, ``student:depth=3,seed=1``.

``onnx:net.onnx,nodes=200`` is the player from a network in that file (see ``players.onnx``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from spielleiter import plugins
from spielleiter.errors import UnknownPlayer
from spielleiter.game import AnyGame, AnyPlayer, Limit, Text
from spielleiter.players.builtin import RandomPlayer, SearchingPlayer, alpha_beta, monte_carlo
from spielleiter.players.engine import EnginePlayer, LimitedPlayer
from spielleiter.players.levels import LEVELS, PlayingLevel
from spielleiter.players.onnx import OnnxPlayer
from spielleiter.search import Budget, engine
from spielleiter.text import did_you_mean, whole_number

Options = Mapping[str, int]
NETWORK = "onnx"
"""The name of the player whose first option is the file of a network."""
_NETWORK_OPTIONS = ("nodes", "seed")
_RESERVED = ("manual",)
"""What else stands for a player, but names none."""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in player: how it is called, how it plays, and what can be set."""

    name: str
    text: Text
    options: tuple[str, ...]
    """Whole numbers that may stand behind the name. ``seed`` makes a player repeat itself."""
    make: Callable[[Options], AnyPlayer]
    uses_engine: bool = False
    """Whether it plays with the native engine where that knows the game, and in Python elsewhere."""
    level: PlayingLevel | None = None
    """Set for the eight opponents from beginner to expert."""
    nickname: Text | None = None
    """What people call it, where its name would be taken for that of another player."""

    @property
    def title(self) -> Text:
        """What people call it: a level has a name in their language."""
        return self.level.title if self.level is not None else self.nickname or Text(self.name, self.name)

    def why_weaker(self, game: AnyGame) -> Text | None:
        """Why it searches ``game`` in Python here, and so is weaker than on the engine; ``None`` if it does not."""
        return engine.why_unavailable(game.key) if self.uses_engine else None


def load(name: str) -> AnyPlayer:
    """A new player of this name, which plays every game. Raises ``UnknownPlayer`` with the nearest and all names."""
    base, _, rest = name.partition(":")
    if base == NETWORK:
        path, *parts = rest.split(",")
        return OnnxPlayer(path, **_read_options(base, parts, _NETWORK_OPTIONS))
    if base not in BUILT_IN:
        if (why := plugins.why_left_out(plugins.PLAYERS, base)) is not None:
            raise UnknownPlayer(why.de, why.en)
        hint = did_you_mean(base, BUILT_IN)
        raise UnknownPlayer(
            f"es gibt keinen eingebauten Spieler namens {base!r}: {hint.de}",
            f"there is no built-in player called {base!r}: {hint.en}",
        )
    player = BUILT_IN[base]
    options = _read_options(base, filter(None, rest.split(",")), player.options)
    return player.make(options)


def seeded(name: str, seed: int) -> str:
    """The player of this name with its chance decided by ``seed``, if it has any and its name does not decide that."""
    base, _, options = name.partition(":")
    known = _NETWORK_OPTIONS if base == NETWORK else BUILT_IN[base].options
    if "seed" not in known or any(part.startswith("seed=") for part in options.split(",")):
        return name
    return f"{base}:{','.join(filter(None, (options, f'seed={seed}')))}"


def _read_options(base: str, parts: Iterable[str], known: tuple[str, ...]) -> dict[str, int]:
    """The whole numbers behind the name ``base``, each like ``nodes=200``."""
    options: dict[str, int] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key not in known:
            hint = did_you_mean(key, known)
            raise UnknownPlayer(
                f"{base} hat keine Option {key!r}: {hint.de}", f"{base} has no option {key!r}: {hint.en}"
            )
        number = whole_number(value)
        if number is None or (number == 0 and key != "seed"):
            raise UnknownPlayer(
                f"{base} braucht eine ganze Zahl für {key}, wie in {base}:{key}=3, nicht {value!r}",
                f"{base} needs a whole number for {key}, as in {base}:{key}=3, but got {value!r}",
            )
        options[key] = number
    return options


_NOVICE = Limit(2, temperature=0.04)


# --- the players ------------------------------------------------------------------------------------------------------


def _random(options: Options) -> AnyPlayer:
    return RandomPlayer(options.get("seed"))


def _greedy(options: Options) -> AnyPlayer:
    return SearchingPlayer(lambda game: alpha_beta(game, _rng(options), noisy=False), Budget(depth=1))


def _student(options: Options) -> AnyPlayer:
    budget = Budget(depth=options.get("depth", 2))
    return SearchingPlayer(lambda game: alpha_beta(game, _rng(options), noisy=False), budget)


def _solid(options: Options) -> AnyPlayer:
    return SearchingPlayer(lambda game: alpha_beta(game, _rng(options)), _budget(options, "depth", "nodes"))


def _explorer(options: Options) -> AnyPlayer:
    return SearchingPlayer(lambda game: monte_carlo(game, _rng(options)), _budget(options, "nodes"))


def _rng(options: Options) -> Random:
    return Random(options.get("seed"))


def _novice(options: Options) -> AnyPlayer:
    limits = {"nodes": 400, **_engine_options(options)}
    return LimitedPlayer(lambda game: _NOVICE, seed=options.get("seed"), **limits)


def _club(options: Options) -> AnyPlayer:
    return EnginePlayer(share=0.1, **_engine_options(options))


def _expert(options: Options) -> AnyPlayer:
    return EnginePlayer(**_engine_options(options))


def _engine_options(options: Options) -> dict[str, Any]:
    names = {"nodes": "nodes", "threads": "threads", "hash": "table_mib"}
    return {names[option]: value for option, value in options.items() if option in names}


def _budget(options: Options, *names: str) -> Budget | None:
    """What the options allow, or ``None`` if they say nothing."""
    limits = {name: options[name] for name in names if name in options}
    return Budget(**limits) if limits else None


def _level(level: PlayingLevel) -> BuiltIn:
    return BuiltIn(
        level.name,
        level.text,
        ("seed",),
        lambda options: level.make(options.get("seed")),
        uses_engine=True,
        level=level,
    )


_ALL = (
    BuiltIn("random", Text("zieht irgendetwas", "plays anything"), ("seed",), _random),
    BuiltIn(
        "greedy",
        Text("nimmt den Zug, nach dem es am besten aussieht", "takes the move after which things look best"),
        ("seed",),
        _greedy,
    ),
    BuiltIn(
        "student",
        Text("denkt auch an die Antwort des Gegners", "thinks of the opponent's answer, too"),
        ("depth", "seed"),
        _student,
    ),
    BuiltIn(
        "solid",
        Text("sucht mit Alpha-Beta so tief, wie die Zeit reicht", "searches by alpha-beta as deep as time allows"),
        ("depth", "nodes", "seed"),
        _solid,
    ),
    BuiltIn(
        "explorer",
        Text("erkundet mit Monte-Carlo-Baumsuche, was sich lohnt", "explores what pays by Monte Carlo tree search"),
        ("nodes", "seed"),
        _explorer,
    ),
    BuiltIn(
        "novice",
        Text("spielt wie ein Anfänger", "plays like a beginner"),
        ("hash", "nodes", "seed"),
        _novice,
        uses_engine=True,
    ),
    BuiltIn(
        "club",
        Text("spielt mit einem Zehntel der Zeit", "plays with a tenth of the time"),
        ("hash", "nodes", "threads"),
        _club,
        uses_engine=True,
    ),
    BuiltIn(
        "expert",
        Text("spielt mit voller Kraft", "plays at full strength"),
        ("hash", "nodes", "threads"),
        _expert,
        uses_engine=True,
        nickname=Text("Großmeister", "Grandmaster"),  # "Expert" is level 8, and weaker.
    ),
    *map(_level, LEVELS),
)

_OWN = {player.name: player for player in _ALL}


class _KnownPlayers(Mapping[str, BuiltIn]):
    """Ours, then those of other packages, which are looked for only when ours do not answer."""

    def __getitem__(self, name: str) -> BuiltIn:
        return _OWN[name] if name in _OWN else _plugin_players()[name]

    def __iter__(self) -> Iterator[str]:
        yield from _OWN
        yield from _plugin_players()

    def __len__(self) -> int:
        return len(_OWN) + len(_plugin_players())


@cache
def _plugin_players() -> dict[str, BuiltIn]:
    """The players of other packages by name."""
    found: dict[str, BuiltIn] = {}
    for plugin in plugins.find(plugins.PLAYERS):
        player = _plugin_player(plugin, (*_OWN, NETWORK, *_RESERVED, *found))
        if player is not None:
            found[player.name] = player
    return found


def _plugin_player(plugin: plugins.Plugin, taken: Collection[str]) -> BuiltIn | None:
    """The player that an entry point names: a ``BuiltIn``, or what makes a player when it is called."""
    name = plugin.name
    if name in taken:
        plugin.leave_out(Text("Den Namen gibt es schon", "there is a player of that name already"))
    elif not plugins.NAME.fullmatch(name):
        plugin.leave_out(
            Text("Ein Name besteht aus Kleinbuchstaben, Ziffern, - und _", "a name is small letters, digits, - and _")
        )
    elif (value := plugin.load()) is None:
        pass
    elif isinstance(value, BuiltIn) and value.name == name:
        return value
    elif callable(value):
        origin = Text(f"aus dem Paket {plugin.package}", f"of the package {plugin.package}")
        return BuiltIn(name, origin, (), lambda options: value())
    else:
        plugin.leave_out(
            Text(
                f"{plugin.entry_point.value} ist weder ein BuiltIn dieses Namens noch eine Klasse oder Funktion,"
                " die einen Spieler macht",
                f"{plugin.entry_point.value} is neither a BuiltIn of that name nor a class or function that makes a"
                " player",
            )
        )
    return None


BUILT_IN: Mapping[str, BuiltIn] = _KnownPlayers()
"""Every player that has a name: those in Python, those on the engine, the eight levels, those of other packages."""
