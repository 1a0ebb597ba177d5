"""The pages and the game master in one process and one event loop."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from spielleiter.contest.run.contest import Contest
from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import AUTO
from spielleiter.server.master import GameMaster, MasterSettings
from spielleiter.web.app import create_app
from spielleiter.web.contest.contest_app import ContestApp
from spielleiter.web.guard import Keys, is_loopback_name
from spielleiter.web.web_app import WebApp


def default_records() -> Path:
    """Where the records of games go if nobody says otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "spielleiter" / "records"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """What can be chosen about the pages."""

    host: str = "127.0.0.1"
    port: int = 8050
    """0 takes a free one; so does a default port that is taken."""
    any_port: bool = False
    """Take another port if this one is taken."""
    master: MasterSettings = field(default_factory=MasterSettings)
    keys: Keys | None = None
    """Needed as soon as others can reach the pages."""
    contest: Contest | None = None
    """The season whose teams and organisers can log in; whoever opened it closes it."""
    sandbox: str = AUTO
    """The level in which programs at tables are started; a season names its own."""
    public_url: str = ""
    """Of a reverse proxy in front of these pages: https://contest.example."""


_MAX_REQUESTS = 2000
"""Requests and streams at once; more are answered with 503."""


@dataclass(frozen=True, slots=True)
class Running:
    """Pages that are being served."""

    web_app: WebApp
    port: int
    settings: WebSettings
    contest_app: ContestApp | None = None

    def address(self, path: str = "/") -> str:
        """The link for the one who started them."""
        host = "127.0.0.1" if self.settings.host in ("0.0.0.0", "::") else self.settings.host  # noqa: S104
        host = f"[{host}]" if ":" in host else host
        key = "" if self.settings.keys is None else f"?key={self.settings.keys.host}"
        return f"http://{host}:{self.port}{path}{key}"


@asynccontextmanager
async def serving(settings: WebSettings) -> AsyncIterator[Running]:
    """Serve pages and games while the block runs. Raises ``SettingsError`` if a port cannot be had."""
    keys = settings.keys
    # Whoever comes through a reverse proxy seems to come from this machine.
    if keys is None and (settings.public_url or not is_loopback_name(settings.host)):
        keys = Keys()
        settings = replace(settings, keys=keys)
    listener = _listen(settings.host, settings.port, settings.any_port)
    try:
        games = _listen(settings.master.host, settings.master.port, settings.any_port)
    except SettingsError:
        listener.close()
        raise
    with TemporaryDirectory(prefix="spielleiter-", ignore_cleanup_errors=True) as uploads:
        async with GameMaster(settings.master, sockets=[games]) as master:
            web_app = WebApp(master, keys, settings.master.records, Path(uploads), settings.sandbox)
            contest_app = None if settings.contest is None else ContestApp(settings.contest, settings.public_url)
            config = uvicorn.Config(
                create_app(web_app, contest_app),
                log_config=None, access_log=False, lifespan="off", server_header=False,
                timeout_graceful_shutdown=1, ws="none", limit_concurrency=_MAX_REQUESTS,
            )  # fmt: skip
            server = _Server(config)
            task = asyncio.create_task(server.serve([listener]))
            try:
                if contest_app is not None:
                    contest_app.jobs.friendly.resume()
                yield Running(web_app, listener.getsockname()[1], settings, contest_app)
            finally:
                try:
                    if contest_app is not None:
                        await contest_app.close()
                    await web_app.close()
                finally:
                    server.should_exit = True
                    await task


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the event loop."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``should_exit``."""
        await self._serve(sockets)


def _listen(host: str, port: int, any_port: bool) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        for candidate in (port, 0) if any_port and port else (port,):
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((host, candidate))
            except OSError:
                listener.close()
                if candidate == 0 or not any_port:
                    raise
                continue
            return listener
    except OSError as problem:
        why = problem.strerror or problem
        raise SettingsError(
            f"{host}:{port} ist nicht zu haben: {why}.", f"cannot listen on {host}:{port}: {why}"
        ) from None
    raise AssertionError("one of the candidates was bound, or an OSError raised")


async def run(settings: WebSettings, ready: Callable[[Running], None], stop: asyncio.Event) -> None:
    """Serve until ``stop`` is set; ``ready`` is called when everything is up."""
    async with serving(settings) as running:
        ready(running)
        await stop.wait()
