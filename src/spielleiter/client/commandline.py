"""The command line of every player program, as the contest calls it, and what a student reads when things go wrong.

Exit codes: 0 the game was played, 1 the player failed, 2 the options make no sense, 3 there is no server,
4 the server refused or left, 5 the server said what cannot be, 130 interrupted.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import logging
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from spielleiter import games
from spielleiter.client.options import check_options
from spielleiter.client.player_runner import (
    Chooser,
    Fallback,
    PlayerRunner,
    TimePolicy,
    first_legal_move,
    own_traceback,
    verdict,
)
from spielleiter.client.session import PlayerResult
from spielleiter.client.settings import ClientSettings
from spielleiter.client.sync import play_game
from spielleiter.errors import (
    WRITE,
    NoServer,
    PlayerFailed,
    Refused,
    RemoteProtocolError,
    ServerLeft,
    ServerRefused,
    SettingsError,
    SpielleiterError,
    UnknownGame,
    refusing,
)
from spielleiter.game import AnyPlayer, Text
from spielleiter.text import Language, printable, show_every_text, system_language

log = logging.getLogger("spielleiter.player")

EXIT_PLAYED, EXIT_PLAYER, EXIT_OPTIONS, EXIT_NO_SERVER, EXIT_SERVER_LEFT, EXIT_SERVER_WRONG = range(6)
EXIT_INTERRUPTED = 130
_GONE_SECONDS, _RETRY_SECONDS = 60.0, 1.0
"""When a player that plays game after game gives up, and how often it tries."""

_CODES: tuple[tuple[type[Exception], int], ...] = (
    (PlayerFailed, EXIT_PLAYER),
    (SettingsError, EXIT_OPTIONS),
    (UnknownGame, EXIT_OPTIONS),
    (NoServer, EXIT_NO_SERVER),
    (ServerLeft, EXIT_SERVER_LEFT),
    (RemoteProtocolError, EXIT_SERVER_WRONG),
)


def play(
    player: AnyPlayer | Chooser,
    *,
    game: str | None = None,
    name: str | None = None,
    limit: float | None = None,
    margin: float = TimePolicy().margin,
    fallback: bool | Fallback = False,
    argv: Sequence[str] | None = None,
) -> PlayerResult:
    """Play one game as the command line says: how it ended. If it could not be played, the process exits.

    ``player`` is an object with a method ``choose(state, seconds)`` and maybe the hooks of ``Hooks``, or just such a
    function. ``game`` is the key of the game that it plays, if it plays only one; ``name`` is what others call it, by
    default as its file or folder. ``limit`` and ``margin`` are seconds: the time of a move instead of the game's own,
    and how much of it is reserved. ``fallback`` plays the first legal move, or the move of a given function, when
    ``choose`` fails or is about to be late.

    At the end of a player's file::

        if __name__ == "__main__":
            play(MyPlayer(), game="...", fallback=True)
    """
    atexit.unregister(_remind_of_play)
    chosen = first_legal_move if fallback is True else fallback or None
    settings = ClientSettings(time_policy=TimePolicy(limit=limit, margin=margin, fallback=chosen))
    code, result = EXIT_PLAYED, None
    show_every_text()
    try:
        arguments = sys.argv[1:] if argv is None else argv
        options = _parse(arguments, game, name or _program_name())
        check_options(arguments)
        _set_up_log(options.log, options.name)
        for unknown in options.unknown:
            ignored = Text(f"Unbekannte Option, nicht beachtet: {unknown}", f"ignored the unknown option {unknown}")
            log.warning("%s", ignored.to(system_language()))
        settings = _settings(options, settings)
        if options.rejoin:
            result = _play_on(player, settings)
        else:
            result, session = play_game(PlayerRunner(player, settings.time_policy), settings)
            code = EXIT_SERVER_WRONG if session.doubtful else EXIT_PLAYED
    except (SpielleiterError, KeyboardInterrupt) as problem:
        code = _report(problem)
    if result is None or code != EXIT_PLAYED:
        sys.exit(code)
    return result


@atexit.register
def _remind_of_play() -> None:
    """Tell the author of a player that a game master has started why it ended: it imported ``play``, and no more."""
    started = any(word.partition("=")[0] in ("--reservation", "-r") for word in sys.argv[1:])
    failed = hasattr(sys, "last_type")  # That says more.
    is_forgotten = getattr(sys.modules.get("__main__"), "play", None) is play and not _calls_play(sys.argv[0])
    if started and not failed and is_forgotten:
        forgotten = Text(
            "play(...) wurde nie aufgerufen: Am Ende der Datei fehlt play(choose) oder play(MyPlayer())",
            "play(...) was never called: play(choose) or play(MyPlayer()) is missing at the end of the file",
        )
        print(f"{Path(sys.argv[0]).name}: {forgotten.to(system_language())}", file=sys.stderr)  # noqa: T201


def _calls_play(path: str) -> bool:
    """Whether the file has such a call, which it then has not reached: it ended before, with words of its own."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return True
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "play" for node in ast.walk(tree))


def _play_on(player: AnyPlayer | Chooser, settings: ClientSettings) -> PlayerResult:
    """Play game after game: how the last one ended, when the game master has been gone for a minute.

    A failure costs one game: it is reported, and the next one begins. Raises ``ServerRefused`` when we are not wanted
    (any more), and ``NoServer`` when there was no game.
    """
    result, seen = None, time.monotonic()
    while True:
        try:
            result, _ = play_game(PlayerRunner(player, settings.time_policy), settings)
            seen = time.monotonic()
            print(f"{verdict(result).to(system_language())}: {result.reason}", file=sys.stderr)  # noqa: T201 - this is what the student reads
            continue
        except ServerRefused:
            raise
        except NoServer:
            if time.monotonic() - seen > _GONE_SECONDS:
                if result is None:
                    raise
                return result
        except (ServerLeft, PlayerFailed, RemoteProtocolError) as problem:
            _report(problem)
            seen = time.monotonic()
        time.sleep(_RETRY_SECONDS)


# --- options ----------------------------------------------------------------------------------------------------------


_ERRORS = (
    (r"argument (.+): expected one argument", r"die Option \1 braucht einen Wert"),
    (r"argument (.+): ignored explicit argument (.+)", r"die Option \1 nimmt keinen Wert, also nicht \2"),
)
"""What argparse says of our options, and the same in German."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        german = next((re.sub(*pair, message) for pair in _ERRORS if re.fullmatch(pair[0], message)), message)
        raise SettingsError(f"{german}; Hilfe: {self.prog} --help", f"{message}; for help: {self.prog} --help")


class _GermanFormatter(argparse.HelpFormatter):
    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, prefix or "Aufruf: ")


def _parse(argv: Sequence[str], game: str | None, name: str) -> argparse.Namespace:
    options, unknown = _parser(game, name, system_language()).parse_known_args(argv)
    options.unknown = unknown
    return options


def _parser(game: str | None, name: str, language: Language) -> argparse.ArgumentParser:
    def say(de: str, en: str) -> str:
        return Text(de, en).to(language)

    # -h is the host here, as the contest wants it: so there is no help in one letter.
    parser = _Parser(
        prog=Path(sys.argv[0]).name or "player",
        add_help=False,
        allow_abbrev=False,
        formatter_class=_GermanFormatter if language == "de" else argparse.HelpFormatter,
        description=say(
            "Ein Spieler für die Software-Challenge: verbindet sich mit einem Spielleiter und spielt ein Spiel.",
            "A player for the Software-Challenge: connects to a game master and plays one game.",
        ),
        epilog=say(
            "Exit-Codes: 0 das Spiel wurde gespielt, 1 der Spieler ist gescheitert, 2 die Optionen passen nicht, "
            "3 es gibt keinen Server, 4 der Server lehnte ab oder ging, 5 der Server sagte Unmögliches.",
            "Exit codes: 0 the game was played, 1 the player failed, 2 the options make no sense, 3 there is no "
            "server, 4 the server refused or left, 5 the server said what cannot be.",
        ),
    )
    add = parser.add_argument_group(say("Optionen", "options")).add_argument
    add(
        "-h",
        "--host",
        default="localhost",
        help=say("wo der Spielleiter ist", "where the game master is") + " (localhost)",
    )
    add("-p", "--port", default="13050", help=say("sein Port", "its port") + " (13050)")
    add("-r", "--reservation", metavar="CODE", help=say("der Code einer Reservierung", "the code of a reservation"))
    add("--room", metavar="ID", help=say("der Raum, in dem gespielt wird", "the id of a room to join"))
    add(
        "--game",
        metavar=say("SPIEL", "GAME"),
        default=game,
        help=say("das Spiel, das gespielt werden soll", "the game to ask for, and to expect"),
    )
    called = say("wie andere und das Protokoll diesen Spieler nennen", "what others and the log call this player")
    add("--name", default=name, help=f"{called} ({name.replace('%', '%%')})")
    rejoin = say(
        "Spiel um Spiel spielen, bis der Spielleiter eine Minute lang weg ist",
        "play game after game, until the game master is gone for a minute",
    )
    add("--rejoin", action="store_true", help=rejoin)
    everything = say("alles, was geschieht, in diese Datei schreiben", "write all that happens to this file")
    add("--log", type=Path, metavar=say("DATEI", "FILE"), help=everything)
    seconds = say("SEKUNDEN", "SECONDS")
    limit = say(
        "Zeit für einen Zug, wenn es nicht die des Spiels ist; 60+0.5: für ein ganzes Spiel, und je Zug dazu",
        "time of a move, if it is not that of the game; 60+0.5: of a whole game, and more for each move",
    )
    add("--limit", metavar=seconds, help=limit)
    add("--margin", metavar=seconds, help=say("wie viel davon Reserve bleibt", "how much of it to reserve"))
    fallback = say(
        "irgendeinen erlaubten Zug spielen, wenn der Spieler scheitert oder zu spät ist",
        "play any legal move when the player fails or is late",
    )
    add("--fallback", action="store_true", help=fallback)
    add("--help", action="help", help=say("diese Hilfe zeigen", "show this"))
    return parser


def _program_name() -> str:
    """The name of the file that was started; of one that is called like every other, that of its folder."""
    path = Path(sys.argv[0]).absolute()
    return path.parent.name if path.stem in ("player", "main", "__main__") else path.stem


def _settings(options: argparse.Namespace, given: ClientSettings) -> ClientSettings:
    policy = given.time_policy
    if options.limit is not None:
        limit, plus, increment = options.limit.partition("+")
        policy = replace(
            policy,
            limit=_seconds("--limit", limit),
            increment=_seconds("--limit", increment) if plus else None,
        )
    if options.margin is not None:
        policy = replace(policy, margin=_seconds("--margin", options.margin))
    if options.fallback and policy.fallback is None:
        policy = replace(policy, fallback=first_legal_move)
    if not (options.port.isdecimal() and 0 < int(options.port) < 65536):
        raise SettingsError(
            f"--port muss eine Zahl von 1 bis 65535 sein, nicht {options.port!r}",
            f"--port must be a number from 1 to 65535, not {options.port!r}",
        )
    return ClientSettings(
        host=options.host,
        port=int(options.port),
        reservation=options.reservation or None,
        room=options.room or None,
        name=options.name or None,
        game=None if options.game is None else games.load(options.game),
        time_policy=policy,
    )


def _seconds(option: str, text: str) -> float:
    with suppress(ValueError):
        seconds = float(text)
        if 0 <= seconds < 1e6:
            return seconds
    raise SettingsError(
        f"{option} muss eine Zahl von Sekunden sein, nicht {text!r}",
        f"{option} must be a number of seconds, not {text!r}",
    )


# --- what people read -------------------------------------------------------------------------------------------------


def _set_up_log(path: Path | None, name: str | None) -> None:
    """Everything goes to the file; without one, warnings go to the terminal."""
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if path is not None:
        with refusing(SettingsError, f"--log: {path}", WRITE):
            handler = logging.FileHandler(path, encoding="utf-8")
    else:
        handler.setLevel(logging.WARNING)
    who = f"{name.replace('%', '%%')} " if name else ""
    handler.setFormatter(logging.Formatter(f"%(asctime)s {who}%(levelname)s %(message)s"))
    ours = logging.getLogger("spielleiter")
    for old in ours.handlers[:]:
        ours.removeHandler(old)
        old.close()
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)


def _report(problem: BaseException) -> int:
    """Say what happened, so that a person can do something about it; the exit code."""
    if isinstance(problem, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    language = system_language()
    text = problem.text.to(language) if isinstance(problem, Refused) else str(problem)
    lines = []
    if isinstance(problem, PlayerFailed) and problem.position:
        again = Text("Die Stellung zum Nachspielen", "The position, to look at it again").to(language)
        lines += [problem.board, f'{again}:\n  spielleiter show "{problem.position}"']
    # The last line is what a match, a check and the pages quote.
    lines.append(f"{Path(sys.argv[0]).name or 'player'}: {text}")
    ours = logging.getLogger("spielleiter")
    to_file = any(isinstance(handler, logging.FileHandler) for handler in ours.handlers)
    if problem.__cause__ is not None and not to_file:
        lines.insert(0, own_traceback(problem.__cause__))
    if to_file:
        log.error("%s", "\n".join(lines), exc_info=problem.__cause__ or problem)
    print(printable("\n".join(lines)), file=sys.stderr)  # noqa: T201 - this is what the student reads
    return next((code for kind, code in _CODES if isinstance(problem, kind)), EXIT_PLAYER)
