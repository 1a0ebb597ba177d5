"""The pages and the game master in one process and one event loop."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import uvicorn

from spielleiter.contest.run.contest import Contest
from spielleiter.errors import SettingsError
from spielleiter.feeds.follower import FeedSource
from spielleiter.programs.sandbox import AUTO
from spielleiter.programs.temporary import temporary_folder
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.addresses import address_text, bind, is_local, reachable
from spielleiter.web.app import create_app
from spielleiter.web.classroom.book import ClassBook, ClassSettings
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.tournament import Tournaments
from spielleiter.web.connections import ConnectionLimits, Connections
from spielleiter.web.guard import Keys, is_loopback_name
from spielleiter.web.lab.laboratory import Laboratory, LabSettings, open_queue
from spielleiter.web.season.contest_app import ContestApp
from spielleiter.web.season.contest_slot import ContestSlot
from spielleiter.web.watch.sources import match_source
from spielleiter.web.web_app import WebApp

_FOLLOWED = 2
"""Tests of the laboratory whose games can be watched: the end of the one before may still be on its way."""


def default_records() -> Path:
    """Where the records of games go by default."""
    return _data_folder() / "records"


def default_class() -> Path:
    """The folder of a class by default."""
    return _data_folder() / "class"


def _data_folder() -> Path:
    """Where this system keeps the data of programs: our folder there."""
    match platform.system():
        case "Windows":
            base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        case "Darwin":
            base = Path.home() / "Library" / "Application Support"
        case _:
            base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "spielleiter"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """What can be chosen about the pages."""

    host: str = "127.0.0.1"
    port: int = 8050
    """0 takes a free one."""
    any_port: bool = False
    """Take other ports if these are taken: for those who named none."""
    master: MasterSettings = field(default_factory=MasterSettings)
    keys: Keys | None = None
    """Needed as soon as others can reach the pages."""
    contest: Contest | None = None
    """The season whose teams and organisers can log in; the caller that opened it closes it."""
    new_season: Path | None = None
    """A season file that does not exist yet: the host may create the season on the pages."""
    new_store: str | None = None
    """Where the store of that season will be; ``None``: beside the file."""
    sandbox: str = AUTO
    """The level in which programs at tables are started; a season names its own."""
    follow: tuple[Path, ...] = ()
    """Folders of matches whose games are shown while they are played."""
    public_url: str = ""
    """The URL of a reverse proxy in front of these pages: https://contest.example."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of reverse proxies whose ``X-Forwarded-For`` is believed; no other's is."""
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    classroom: ClassSettings | None = None
    """The class that the pages are for; it has keys of its own, which outlive a restart."""
    laboratory: LabSettings | None = None
    """The queue of tests that the pages are for."""


@dataclass(frozen=True, slots=True)
class Running:
    """Pages that are being served."""

    web_app: WebApp
    port: int
    settings: WebSettings
    connections: Connections
    contest_slot: ContestSlot

    @property
    def contest_app(self) -> ContestApp | None:
        """The pages' part of the contest, if there is one."""
        return self.contest_slot.app

    def address(self, path: str = "/") -> str:
        """The link for the one who started them."""
        keys = self.settings.keys
        return self._link(reachable(self.settings.host)[-1], path, "" if keys is None else keys.host)

    def guest_addresses(self) -> list[str]:
        """The links for others in the network; none if only this machine reaches the pages."""
        keys = self.settings.keys
        if keys is None or is_local(self.settings.host):
            return []
        others = (host for host in reachable(self.settings.host) if not is_local(host))
        return [self._link(host, "/", keys.guest) for host in others]

    def _link(self, host: str, path: str, key: str) -> str:
        return f"http://{address_text(host, self.port)}{path}{f'?key={key}' if key else ''}"


@asynccontextmanager
async def serving(
    settings: WebSettings, sockets: tuple[socket.socket, socket.socket] | None = None
) -> AsyncIterator[Running]:
    """Serve pages and games while the block runs, on ``sockets`` if they are bound already.

    Raises ``SettingsError`` if a port cannot be had.
    """
    book = None if settings.classroom is None else ClassBook(settings.classroom)
    queue = None if settings.laboratory is None else open_queue(settings.laboratory)
    keys = settings.keys if book is None else Keys(book.state.host_key, book.state.guest_key)
    settings = replace(settings, keys=keys)
    # A visitor through a reverse proxy seems to come from this machine.
    if keys is None and (settings.public_url or not is_loopback_name(settings.host)):
        keys = Keys()
        settings = replace(settings, keys=keys)
    listener, games = sockets or bind_ports(settings)
    uploads = temporary_folder("uploads")
    try:
        async with GameMaster(settings.master, sockets=[games]) as master:
            web_app = WebApp(master, keys, settings.master.records, uploads, settings.sandbox)
            if book is not None:
                web_app.classroom = _classroom(web_app, book, settings.sandbox)
            if queue is not None and settings.laboratory is not None:
                web_app.laboratory = Laboratory(settings.laboratory, queue, _follow_newest(web_app))
            slot = ContestSlot(web_app, settings.public_url, settings.new_season, settings.new_store)
            for folder in settings.follow:
                web_app.follow(match_source(folder, web_app.library))
            port = listener.getsockname()[1]
            web_app.own_url = f"http://{address_text(reachable(settings.host)[-1], port)}"
            web_app.base_url, web_app.is_public = _base_url(settings, port), bool(settings.public_url)
            web_app.phone_url = _phone_url(settings, web_app.base_url)
            if settings.contest is not None:
                await slot.open(settings.contest)
            connections = Connections(settings.limits, settings.trusted_proxies)
            per_address, public_url = settings.limits.per_address, settings.public_url
            config = uvicorn.Config(
                create_app(web_app, slot, per_address=per_address, public_url=public_url),
                http=connections.protocol,  # type: ignore[arg-type] # It is called as the class would be.
                proxy_headers=bool(settings.trusted_proxies), forwarded_allow_ips=list(settings.trusted_proxies),
                log_config=None, access_log=False, lifespan="off", server_header=False,
                timeout_graceful_shutdown=1, ws="none",
            )  # fmt: skip
            server = _Server(config)
            listener.listen()  # From now on a visitor waits instead of being refused.
            task = asyncio.create_task(server.serve([listener]))
            try:
                if web_app.classroom is not None:
                    web_app.classroom.tournaments.resume()
                if web_app.laboratory is not None:
                    web_app.laboratory.start()
                yield Running(web_app, listener.getsockname()[1], settings, connections, slot)
            finally:
                try:
                    await slot.close()
                    await web_app.close()
                finally:
                    slot.close_store()
                    server.should_exit = True
                    await task
    finally:
        shutil.rmtree(uploads, ignore_errors=True)
        if book is not None:
            book.close()
        if queue is not None:
            queue.close()


def _classroom(web_app: WebApp, book: ClassBook, sandbox: str) -> Classroom:
    """The class of these pages."""

    def follow(folder: Path) -> None:
        web_app.follow(match_source(folder, web_app.library))

    tournaments = Tournaments(book, sandbox, follow)
    return Classroom(book, web_app.tables, web_app.live, web_app.library, web_app.show.channel, tournaments)


def _follow_newest(web_app: WebApp) -> Callable[[Path], Awaitable[None]]:
    """Shows the games of the matches in the folders that it is given, until it was given two more."""
    followed: deque[FeedSource] = deque()

    async def follow(folder: Path) -> None:
        followed.append(source := match_source(folder, web_app.library))
        web_app.follow(source)
        if len(followed) > _FOLLOWED:
            await web_app.unfollow(followed.popleft())

    return follow


def _base_url(settings: WebSettings, port: int) -> str:
    """Where others reach the pages; empty if they cannot."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = next((host for host in reachable(settings.host) if not is_local(host)), "")
    return f"http://{address_text(host, port)}" if host and not is_local(settings.host) else ""


def _phone_url(settings: WebSettings, address: str) -> str:
    """Where phones in the hall see the show; a class needs no key. Empty if no phone gets here."""
    key = "" if settings.keys is None or settings.classroom is not None else f"?key={settings.keys.guest}"
    return f"{address}/phone{key}" if address else ""


class _Server(uvicorn.Server):
    """Leaves signals to the owner of the event loop."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``should_exit``."""
        await self._serve(sockets)


def bind_ports(settings: WebSettings) -> tuple[socket.socket, socket.socket]:
    """The sockets of the pages and of the game master, both or none. Raises ``SettingsError``."""
    pages = _bind(settings.host, settings.port, settings.any_port, "--port")
    try:
        return pages, _bind(settings.master.host, settings.master.port, settings.any_port, "--game-port")
    except SettingsError:
        pages.close()
        raise


def _bind(host: str, port: int, any_port: bool, option: str) -> socket.socket:
    try:
        return bind(host, port, option)
    except SettingsError:
        if not any_port:
            raise
        return bind(host, 0, option)


async def run(
    settings: WebSettings,
    sockets: tuple[socket.socket, socket.socket],
    ready: Callable[[Running], None],
    stop: asyncio.Event,
) -> None:
    """Serve until ``stop`` is set; ``ready`` is called when everything is up."""
    async with serving(settings, sockets) as running:
        ready(running)
        await stop.wait()
