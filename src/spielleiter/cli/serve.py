"""``spielleiter serve``: the game master in the terminal."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import secrets
import signal
import sys
import time
import tomllib
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from spielleiter import games
from spielleiter.cli.terminal import errors, language
from spielleiter.errors import SettingsError
from spielleiter.game import AnyGame, Limits
from spielleiter.records.load import open_any, state_at
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.metrics import serve_metrics
from spielleiter.server.properties import read_properties


class LogForm(StrEnum):
    """How the log is written."""

    HUMAN = "human"
    JSON = "json"


def _read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Take the defaults of all options from server.properties in this folder and from the TOML file."""
    defaults: dict[str, Any] = {}
    properties = Path("server.properties")
    if properties.is_file():
        defaults.update(read_properties(properties))
    if path is not None:
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise SettingsError(f"{path}: {problem}") from None
        table = table.get("serve", table)
        known = {parameter.name for parameter in context.command.params}
        for key, value in table.items():
            name = key.replace("-", "_")
            if name not in known or isinstance(value, dict | list):
                raise SettingsError(
                    f"{path}: unknown setting {key!r}; known are {', '.join(sorted(filter(None, known)))}"
                )
            defaults[name] = value
    context.default_map = {**(context.default_map or {}), **defaults}
    return path


def serve(
    config: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file with settings, named like these options.",
            callback=_read_config, is_eager=True, exists=True, dir_okay=False,
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="For a join that names no game.")] = games.CURRENT_SEASON,
    official: Annotated[bool, typer.Option(help="Referee as the season's own server did.")] = False,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is everywhere.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes a free one.", min=0, max=65535)] = 13050,
    password: Annotated[str | None, typer.Option(help="For administrators; default: a random one.")] = None,
    records: Annotated[Path | None, typer.Option(help="Folder for the records of the games.", file_okay=False)] = None,
    timeout: Annotated[bool, typer.Option(help="Whether late moves lose.")] = True,
    soft: Annotated[float, typer.Option(help="Seconds for a move.", min=0.01)] = 2.0,
    hard: Annotated[float, typer.Option(help="Seconds until silence is given up.", min=0.01)] = 10.0,
    paused: Annotated[bool, typer.Option(help="Games begin paused.")] = False,
    load: Annotated[Path | None, typer.Option(help="Begin games from this record or replay.", exists=True)] = None,
    turn: Annotated[int, typer.Option(help="With --load: from this turn on.", min=0)] = 0,
    metrics: Annotated[int | None, typer.Option(help="Port for Prometheus.", min=0, max=65535)] = None,
    log: Annotated[LogForm, typer.Option(help="Form of the log.")] = LogForm.HUMAN,
    quiet: Annotated[bool, typer.Option(help="Log warnings only.")] = False,
) -> None:  # fmt: skip
    """Run the game master: player programs connect to it and play.

    Every option can also stand in the TOML file, or in the environment as SPIELLEITER_SERVE_NAME. A file
    server.properties of the reference server in this folder is read too.
    """
    if hard < soft:
        raise SettingsError(
            f"Das harte Zeitlimit ({hard:g} s) darf nicht unter dem weichen ({soft:g} s) liegen.",
            f"The hard limit ({hard:g} s) must not be below the soft limit ({soft:g} s).",
        )
    start = _load_start(load, turn, official) if load is not None else None
    shown_password = None
    if password is None:
        password = shown_password = secrets.token_urlsafe(12)
    settings = MasterSettings(
        host=host, port=port, game=game, official=official, password=password, records=records, timeouts=timeout,
        limits=Limits(soft, hard), paused=paused, language=language(),
    )  # fmt: skip
    _set_up_log(log, quiet)
    try:
        asyncio.run(_serve(settings, start, metrics, shown_password))
    except OSError as problem:
        raise SettingsError(f"cannot serve on {host}:{port}: {problem.strerror or problem}") from None


def _load_start(path: Path, turn: int, official: bool) -> tuple[AnyGame, Any]:
    record = open_any(path, official=official)
    return record.load_game(), state_at(record, turn)


async def _serve(
    settings: MasterSettings, start: tuple[AnyGame, Any] | None, metrics_port: int | None, shown_password: str | None
) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    warm_up()
    async with GameMaster(settings, start=start) as master:
        host, port = master.address
        errors.print(f"spielleiter serves {settings.game} and all other games on {host}:{port}")
        if shown_password is not None:
            errors.print(f"password for administrators: {shown_password}")
        server = None
        if metrics_port is not None:
            server = await serve_metrics(master.metrics, settings.host, metrics_port)
            errors.print(f"metrics on port {server.sockets[0].getsockname()[1]}")
        await stop.wait()
        if server is not None:
            server.close()


def warm_up() -> None:
    """Build all tables now, and let the garbage collector forget them: neither shall cost time in a game."""
    for game in games.all_games().values():
        game.new_state(Random(0)).legal_moves()
    gc.collect()
    gc.freeze()


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry = {"time": f"{stamp}.{record.msecs:03.0f}Z", "level": record.levelname, "message": record.getMessage()}
        return json.dumps(entry, ensure_ascii=False)


def _set_up_log(form: LogForm, quiet: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    human = logging.Formatter("%(asctime)s.%(msecs)03d %(levelname)-7s %(message)s", "%H:%M:%S")
    handler.setFormatter(_JsonFormatter() if form is LogForm.JSON else human)
    logging.basicConfig(handlers=[handler], level=logging.WARNING if quiet else logging.INFO)
