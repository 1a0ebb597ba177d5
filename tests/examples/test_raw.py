"""Players of ``new --language`` against the real game master, and the pages that their client was written from."""

from __future__ import annotations

import asyncio
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from spielleiter import games
from spielleiter.client import ClientSettings, play_async
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import GameRow
from spielleiter.game import TEAMS, AnyGame, Limits, Team, random_game
from spielleiter.matches.arena import Arena, ArenaSettings
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.players import RandomPlayer
from spielleiter.programs.check import CheckReport, CheckSettings, Mark, check_program
from spielleiter.programs.check.trial import Patience
from spielleiter.programs.entrants import resolve
from spielleiter.programs.raw_players import ProgrammingLanguage
from spielleiter.programs.sandbox import choose
from spielleiter.referee import GameEnded
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.wire import ClientConnection, ServerConnection
from spielleiter.wire.messages import Unreadable
from tests.cli.test_cli import spielleiter
from tests.support.night import by_day
from tests.support.raw_players import DAY_PLAYERS, PLAYERS, SEASONS, RawPlayer
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "protocol"
CLIENTS = ROOT / "src" / "spielleiter" / "programs" / "template_clients"

GAME = games.load("blokus-2027")
NAMES = ('Jürgen & "Søhne"', "<🐟>")
"""Players whose names make a reader work."""

each_language = pytest.mark.parametrize("player", DAY_PLAYERS, ids=str)
each_player = pytest.mark.parametrize("player", by_day(PLAYERS, DAY_PLAYERS), ids=str)
WAYS = ("game type", "any game", "room")
PORTS = ("1", "65537", "none")
"""Where no game master can be."""


@dataclass(frozen=True)
class Ended:
    """How a player's process ended."""

    code: int
    out: str
    err: str


async def run(start: Path, *options: str) -> Ended:
    process = await asyncio.create_subprocess_exec(
        str(start), *options, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(60):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


def settings() -> MasterSettings:
    """A patient game master: whether a busy machine is fast enough is not what these tests ask."""
    return MasterSettings(port=0, limits=Limits(20, 40), language="en")


@cache
def late_position(game: AnyGame, moves_left: int = 4) -> Any:
    """A position with so many moves before the end of a random game."""
    states = list(random_game(game.new_state(Random(5)), Random(5)))
    return states[max(len(states) - 1 - moves_left, 0)]


async def random_player(address: tuple[str, int], **settings: Any) -> None:
    host, port = address
    await play_async(RandomPlayer(1), ClientSettings(host=host, port=port, **settings))


SEASONS_WITHOUT_A_REASON = (2021, 2022, 2023)
"""Those whose result says only who has won."""


def assert_played(player: Ended, game: AnyGame, ended: GameEnded) -> None:
    assert ended.offence is None
    assert ended.result.regular
    assert (player.code, player.out) == (0, ""), player.err
    reason = "the game is over" if game.year in SEASONS_WITHOUT_A_REASON else ended.result.describe().en
    assert player.err == f"result: {reason}\n"


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "team"),
    by_day(
        [(player, team) for player in PLAYERS for team in TEAMS],
        [(player, TEAMS[place % 2]) for place, player in enumerate(DAY_PLAYERS)],
    ),
    ids=lambda case: case.name.lower() if isinstance(case, Team) else str(case),
)
def test_it_plays_to_the_end_without_a_fault(
    player: RawPlayer, team: Team, build_player: Callable[[RawPlayer], Path]
) -> None:
    start = build_player(player)

    async def play() -> None:
        async with GameMaster(settings()) as master:
            room = master.open_room(player.game, names=NAMES, start=player.game.new_state(Random(1)))
            host, port = master.address
            code, other = room.codes[team], room.codes[team.opponent]
            options = (
                ["--host", host, "--port", str(port), "--reservation", code]
                if team is Team.ONE
                else ["-h", host, "-p", str(port), "-r", code]
            )
            ended, _ = await asyncio.gather(run(start, *options), random_player(master.address, reservation=other))
            assert_played(ended, player.game, await room.ended)

    asyncio.run(play())


@each_player
def test_it_reads_messages_in_pieces_and_ignores_what_it_does_not_know(
    player: RawPlayer, build_player: Callable[[RawPlayer], Path]
) -> None:
    start = build_player(player)

    async def play() -> None:
        async with GameMaster(settings()) as master:
            room = master.open_room(player.game, names=NAMES, start=late_position(player.game))
            async with await asyncio.start_server(splitter(master.address), "127.0.0.1", 0) as split:
                host, port = split.sockets[0].getsockname()
                options = (f"--host={host}", f"--port={port}", f"--reservation={room.codes[0]}", "--verbose")
                ended, _ = await asyncio.gather(
                    run(start, *options), random_player(master.address, reservation=room.codes[1])
                )
                assert_played(ended, player.game, await room.ended)

    asyncio.run(play())


@each_player
@pytest.mark.sandbox
def test_it_plays_in_the_best_sandbox(player: RawPlayer, build_player: Callable[[RawPlayer], Path]) -> None:
    one, two = resolve(str(build_player(player).parent)), resolve("random")
    start = player.game.notation.format_state(late_position(player.game))
    game = GameTask(id="1v2-00001a", game=player.game.key, start=start, entrants=(one, two), limits=Limits(20, 40))

    async def play() -> FinishedGame:
        level = (await choose()).level
        async with Arena(ArenaSettings(level=level)) as arena:
            return await arena.play(game)

    played = asyncio.run(play())
    assert [(side.fault, side.exit_code) for side in played.row.sides] == [(None, 0)] * 2, played.row


def with_unknown_parts(tag: bytes) -> bytes:
    """What may come instead of a tag: elements and attributes that no season knows."""
    if tag.startswith(b"<state "):
        return tag[:-1] + b' mood="&lt;&#x1F41F;&gt;"><weather wind="3"><field x="0" y="0">9</field></weather>'
    if tag == b"<board>":
        return tag + b'<compass north="up"/>'
    if tag == b'<data class="memento">':
        return tag + b"<title>a &amp; b</title>"
    if tag == b"</room>":
        return tag + b'<news><data class="weather"><state turn="3"/></data></news><news roomId="1"/>'
    return tag


def splitter(address: tuple[str, int]) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    """Takes a player to this address, and hands over the server's bytes one by one, with additions."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(*address)

        async def to_server() -> None:
            while data := await reader.read(1 << 16):
                server_writer.write(data)
            server_writer.write_eof()

        async def to_player() -> None:
            number = 0
            begun = b""  # a tag, and the text before it
            while data := await server_reader.read(1 << 16):
                *whole, begun = (begun + data).split(b">")
                for token in whole:
                    text, opened, tag = token.partition(b"<")
                    for byte in text + with_unknown_parts(opened + tag + b">"):
                        writer.write(bytes([byte]))
                        number += 1
                        # Bytes that follow at once may be read together; at some places they must not be.
                        if byte > 127 or number % 47 == 0:
                            await asyncio.sleep(0.001)
            writer.write_eof()

        await asyncio.gather(to_server(), to_player())
        for end in (writer, server_writer):
            end.close()

    return serve


@pytest.mark.parametrize(
    "player",
    by_day(
        PLAYERS,
        [player for player in DAY_PLAYERS if player.language in (ProgrammingLanguage.PYTHON, ProgrammingLanguage.CPP)],
    ),
    ids=str,
)
@pytest.mark.sandbox
def test_check_finds_nothing_wrong_with_it(player: RawPlayer, build_player: Callable[[RawPlayer], Path]) -> None:
    entrant = resolve(str(build_player(player).parent))

    async def check() -> CheckReport:
        level = (await choose()).level
        # A pause is as long as it must be for a program that does not expect one.
        patience = Patience(pause=0.3)
        return await check_program(
            entrant, CheckSettings(level=level, game=player.game, slowdown=1.5, patience=patience)
        )

    report = asyncio.run(check())
    assert [found for found in report.findings if found.mark is Mark.BAD] == []
    assert report.passed
    assert report.game is player.game


# --- joining ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "way"),
    by_day(
        [(player, way) for player in DAY_PLAYERS for way in WAYS],
        [(player, WAYS[place % 3]) for place, player in enumerate(DAY_PLAYERS)],
    ),
    ids=str,
)
def test_it_joins_in_every_way(player: RawPlayer, way: str, build_player: Callable[[RawPlayer], Path]) -> None:
    start, game = build_player(player), player.game

    async def play() -> None:
        ended: asyncio.Future[GameEnded] = asyncio.get_running_loop().create_future()
        async with GameMaster(settings(), start=(game, late_position(game))) as master:
            master.subscribe(lambda event: ended.set_result(event) if isinstance(event, GameEnded) else None)
            opponent = asyncio.create_task(random_player(master.address, game=game))
            waiting = await room_that_waits(master)
            options = {"game type": [], "any game": ["--game", "any"], "room": [f"--room={waiting}"]}[way]
            process = await run(start, "--port", str(master.address[1]), *options)
            await opponent
            assert_played(process, game, await ended)

    asyncio.run(play())


async def room_that_waits(master: GameMaster) -> str:
    """The id of the only room, as soon as there is one."""
    [room_id] = await until(lambda: master.lobby.rooms)
    return room_id


@each_language
def test_a_refusal_ends_it_with_the_server_s_words(
    player: RawPlayer, build_player: Callable[[RawPlayer], Path]
) -> None:
    start = build_player(player)

    async def play() -> None:
        async with GameMaster(settings()) as master:
            ended = await run(start, "--port", str(master.address[1]), "-r", "nowhere & <never>")
            assert (ended.code, ended.out) == (1, "")
            assert "there is no reservation 'nowhere & <never>', or it was used before" in ended.err

    asyncio.run(play())


@pytest.mark.parametrize(
    ("player", "port"),
    by_day(
        [(player, port) for player in DAY_PLAYERS for port in PORTS],
        [(player, PORTS[place % 3]) for place, player in enumerate(DAY_PLAYERS)],
    ),
    ids=str,
)
def test_without_a_server_it_says_so(player: RawPlayer, port: str, build_player: Callable[[RawPlayer], Path]) -> None:
    ended = asyncio.run(run(build_player(player), "--port", port))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("cannot play at localhost")
    assert len(ended.err.splitlines()) == 1


def test_without_rules_it_joins_and_says_what_is_to_be_written(tictactoe: AnyGame, tmp_path: Path) -> None:
    assert spielleiter("new", tmp_path / "x", "--language", "python", "--game", tictactoe.key).returncode == 0

    async def play() -> None:
        async with GameMaster(settings()) as master:
            room = master.open_room(tictactoe, names=NAMES, start=tictactoe.new_state(Random(1)))
            options = ("--port", str(master.address[1]), "-r", room.codes[0])
            process, _ = await asyncio.gather(
                run(tmp_path / "x" / "start.sh", *options), random_player(master.address, reservation=room.codes[1])
            )
            assert process.code == 1
            assert "write choose_move: it gives the <data> of a move in this state" in process.err
            ended = await room.ended
            assert ended.offence is not None

    asyncio.run(play())


# --- which there are --------------------------------------------------------------------------------------------------


def test_every_season_has_a_player_in_every_language() -> None:
    assert {str(player) for player in PLAYERS} == {
        f"{language}-{game.key}" for language in ProgrammingLanguage for game in SEASONS
    }
    assert {player.game for player in DAY_PLAYERS} == set(SEASONS)


def test_the_examples_are_those_that_new_copies() -> None:
    assert (ROOT / "examples" / "raw").resolve() == CLIENTS
    assert {folder.name for folder in CLIENTS.iterdir() if folder.is_dir()} == set(ProgrammingLanguage)


# --- the pages --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generate() -> Iterator[Any]:
    """The script that makes the pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PAGES)
        yield importlib.import_module("generate")


@pytest.mark.parametrize("game", SEASONS, ids=str)
def test_the_pages_of_a_season_are_what_the_program_makes(game: AnyGame, generate: Any) -> None:
    made = generate.pages(game)
    assert {f"{game.key}.md", f"conversation-{game.year}.md"} < made.keys()
    for name, text in made.items():
        assert (PAGES / name).read_text(encoding="utf-8") == text, f"run python docs/protocol/generate.py for {name}"


def test_the_page_of_an_administrator_is_what_the_program_makes(generate: Any) -> None:
    text = (PAGES / "administration.md").read_text(encoding="utf-8")
    assert text == generate.administration(), "run python docs/protocol/generate.py"


def test_long_lists_are_shown_by_their_ends(generate: Any) -> None:
    row = "  <row>\n    <field/>\n  </row>"
    assert generate.abridged("\n".join(["<board>", *[row] * 6, "</board>"])) == "\n".join(
        ["<board>", row, "  ...", row, "</board>"]
    )
    short = "\n".join(["<room>", "  <data>", *["    <field/>"] * 14, "  </data>", "</room>"])
    assert generate.abridged(short) == short


@pytest.mark.parametrize("game", SEASONS, ids=str)
def test_the_page_of_a_game_names_every_element_and_attribute_of_its_states(game: AnyGame) -> None:
    text = (PAGES / f"{game.key}.md").read_text(encoding="utf-8")
    said = (PAGES / f"conversation-{game.year}.md").read_text(encoding="utf-8")
    states = re.findall(r"<state.*?</state>", said, re.DOTALL)
    assert states
    words = {word for state in states for word in re.findall(r"<(\w+)| (\w+)=", state)}
    named = set(re.findall(r"\w+", re.sub(r"```xml.*?```", "", text, flags=re.DOTALL)))
    if game.key == "blokus-2021":  # it refers to the moves of the running season
        named |= set(re.findall(r"\w+", (PAGES / "blokus-2027.md").read_text(encoding="utf-8")))
    assert {element or attribute for element, attribute in words} - named == set()


def heard(connection: ClientConnection | ServerConnection, xml: str) -> Any:
    """What one side of the wire makes of a message."""
    connection.receive_data(f"<protocol>{xml}".encode())
    [message] = connection.events()
    return message


def test_every_request_is_on_the_page_of_messages() -> None:
    refused = heard(ServerConnection(), "<nonsense/>")
    assert isinstance(refused, Unreadable)
    known = refused.error.text.en.partition("expected one of ")[2].split(", ")
    assert "joinPrepared" in known
    text = (PAGES / "messages.md").read_text(encoding="utf-8")
    assert [name for name in known if not re.search(rf"<{name}[ />]", text)] == []


def examples(page: str) -> list[str]:
    return re.findall(r"```xml\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), re.DOTALL)


def test_every_example_on_the_page_of_messages_is_understood() -> None:
    for xml in examples("messages.md"):
        said = [heard(side, xml) for side in (ClientConnection(GAME.codec.dialect), ServerConnection())]
        assert not all(isinstance(message, Unreadable) for message in said), xml


def test_the_page_of_blokus_shows_a_state_and_both_moves() -> None:
    state, *moves = examples("blokus-2027.md")
    assert state.startswith('<state class="state" startTeam="ONE" turn="2"')
    read = [GAME.codec.read_move(heard(ServerConnection(), move).data) for move in moves]
    assert [str(move) for move in read] == ["R PENTO_P RIGHT 3,17", "R PASS"]


@pytest.mark.parametrize(
    "page", sorted([*PAGES.glob("*.md"), *CLIENTS.rglob("*.md")]), ids=lambda page: str(page.relative_to(ROOT))
)
def test_a_page_has_lines_of_a_hundred_characters_and_true_links(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    own_words = re.sub(r"```(xml|text)\n.*?```", "", text, flags=re.DOTALL)
    assert [line for line in own_words.splitlines() if len(line) > 100] == []
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE) if anchor else [""]
        assert anchor in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


# --- a season ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.sandbox
def test_a_season_of_many_languages_is_played_in_the_sandbox_and_proved(
    build_player: Callable[[RawPlayer], Path], tmp_path: Path
) -> None:
    languages = (
        ProgrammingLanguage.CPP,
        ProgrammingLanguage.JAVASCRIPT,
        ProgrammingLanguage.PYTHON,
        ProgrammingLanguage.RUBY,
    )
    teams = "\n".join(
        f'[[teams]]\nname = "{language}"\nplayer = "{build_player(RawPlayer(language, GAME)).parent}"\n'
        f'group = "{"AB"[place % 2]}"\n'
        for place, language in enumerate(languages)
    )
    (tmp_path / "season.toml").write_text(
        f'[season]\nname = "Many languages"\ngame = "{GAME.key}"\nseed = 1\ngames = 2\ntime = 20.0\n'
        f"[trial]\nmatchdays = 1\n[championship]\nqualify = 1\n[champions_league]\nqualify = 2\n"
        f"[final]\ngames = 2\ncap = 2\n{teams}"
    )

    def contest(*arguments: str) -> str:
        command = [sys.executable, "-m", "spielleiter", "contest", *arguments]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    contest("run")
    assert "Season proved" in contest("verify")
    with Contest.open(tmp_path / "season.toml", None) as opened, opened.store.reading() as session:
        games = list(session.scalars(select(GameRow)))
        stages = {game.encounter.stage for game in games}
    assert stages == set(Stage) - {Stage.FRIENDLY}
    assert {(game.fault_first, game.fault_second) for game in games} == {(None, None)}
