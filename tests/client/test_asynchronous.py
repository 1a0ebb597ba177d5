"""``RemoteGame`` against a real game master: a player who answers when it likes, and an observer of any game."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spielleiter import games
from spielleiter.client import ClientSettings, RemoteGame
from spielleiter.client.session import ChooseMove, GameOver, GameReady, StateChanged
from spielleiter.errors import NoServer, ServerLeft
from spielleiter.game import AnyGame, Team
from spielleiter.server import GameMaster, MasterSettings
from tests.support.waiting import until

PASSWORD = "secret"


def settings(master: GameMaster, **more: Any) -> ClientSettings:
    host, port = master.address
    return ClientSettings(host=host, port=port, **more)


async def follow(remote: RemoteGame, moves: int) -> list[Any]:
    """Play the first legal move so many times and then leave; or just watch. What happened, without notes."""
    seen: list[Any] = []
    async with remote:
        async for action in remote.actions():
            if isinstance(action, ChooseMove):
                if moves == 0:
                    return seen
                moves -= 1
                await remote.send_move(action.state.legal_moves()[0])
            elif isinstance(action, GameReady | StateChanged | GameOver):
                seen.append(action)
    return seen


@pytest.mark.parametrize("game", games.all_games().values(), ids=lambda game: game.key)
def test_an_observer_sees_every_position_and_the_result_of_a_game(game: AnyGame) -> None:
    async def run() -> None:
        master_settings = MasterSettings(port=0, password=PASSWORD, official=game.official)
        async with GameMaster(master_settings) as master:
            room = master.open_room(game, names=("Ada", "Bob"))
            observer = RemoteGame(settings(master, observe=room.room_id, password=PASSWORD, game=game))
            await observer.connect()
            await until(lambda: master.lobby.rooms[room.room_id].observers)
            places = [RemoteGame(settings(master, reservation=code, game=game)) for code in room.codes]
            watching = asyncio.create_task(follow_connected(observer))
            one: list[Any]
            one, _ = await asyncio.gather(follow(places[0], 2), follow(places[1], 9))
            seen = await watching
        assert [type(action) for action in seen] == [GameReady, *[StateChanged] * (len(seen) - 2), GameOver]
        assert seen[0].team is None
        assert one[0].team is Team.ONE
        states = [action.state for action in seen if isinstance(action, StateChanged)]
        assert states[: len(one) - 1] == [action.state for action in one[1:]]
        assert seen[-1].result.winner is Team.TWO
        assert not seen[-1].result.regular
        assert not observer.session.doubtful

    asyncio.run(run())


async def follow_connected(remote: RemoteGame) -> list[Any]:
    try:
        return [action async for action in remote.actions() if isinstance(action, GameReady | StateChanged | GameOver)]
    finally:
        await remote.close()


@pytest.mark.parametrize("wrong", [{"password": "guess"}, {"password": None}, {"observe": "elsewhere"}])
def test_who_may_not_observe_hears_why(wrong: dict[str, str | None]) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, password=PASSWORD)) as master:
            room = master.open_room(games.load("piranhas-2026"))
            how: dict[str, Any] = {"observe": room.room_id, "password": PASSWORD, **wrong}
            with pytest.raises(ServerLeft, match=r"the server refuses \(observe\)"):
                await follow(RemoteGame(settings(master, **how)), 0)

    asyncio.run(run())


def test_who_closes_before_the_end_has_given_up_and_may_close_twice() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            room = master.open_room(games.load("piranhas-2026"))
            one, two = (RemoteGame(settings(master, reservation=code)) for code in room.codes)
            await one.connect()
            await two.connect()
            await two.close()
            await two.close()
            async with asyncio.timeout(60):
                assert (await room.ended).result.winner is Team.ONE
            await one.close()

    asyncio.run(run())


def test_without_a_server_connecting_says_so() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            nowhere = settings(master)
        with pytest.raises(NoServer):
            await RemoteGame(nowhere).connect()

    asyncio.run(run())
