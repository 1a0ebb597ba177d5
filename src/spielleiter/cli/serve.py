"""``spielleiter serve``: the game master in the terminal."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from spielleiter import games
from spielleiter.cli.match.config import read_options
from spielleiter.cli.signals import stop_event
from spielleiter.cli.start_message import announce, announce_start
from spielleiter.cli.terminal import LogFormatter, language, t
from spielleiter.errors import SettingsError
from spielleiter.game import AnyGame, Limits
from spielleiter.records.load import open_any, state_at
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.addresses import address_text
from spielleiter.server.descriptors import allow_connections
from spielleiter.server.metrics import serve_metrics
from spielleiter.server.properties import read_properties
from spielleiter.server.trace import TracedMessage
from spielleiter.text import Text, printable
from spielleiter.values import read_toml

_DEFAULT = MasterSettings()


class LogFormat(StrEnum):
    """The values of --log."""

    HUMAN = "human"
    JSON = "json"


def _read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Take the defaults of all options from server.properties in this folder, then from the TOML file."""
    defaults: dict[str, Any] = {}
    properties = Path("server.properties")
    if properties.is_file():
        defaults.update(read_properties(properties))
    context.default_map = {**(context.default_map or {}), **defaults}
    if path is not None:
        top = read_toml(path)
        read_options(context, top.table("serve") if "serve" in top else top)
    return path


def serve(
    config: Annotated[Path | None, typer.Option(
        callback=_read_config, is_eager=True, exists=True, dir_okay=False, help=t(
        "Eine TOML-Datei mit Einstellungen, die wie diese Optionen heißen.",
        "A TOML file with settings named like these options."))] = None,
    game: Annotated[str, typer.Option(help=t(
        "Das Spiel, wenn keines genannt wird.", "Default game."))] = games.CURRENT_SEASON,
    official: Annotated[bool, typer.Option(help=t(
        "So leiten, wie es der Server der Saison tat.", "Referee as the season's own server did."))] = False,
    host: Annotated[str, typer.Option(help=t(
        "Adresse, unter der er zu erreichen ist; 0.0.0.0 für alle Netze.",
        "Address to listen on; 0.0.0.0 for all networks."))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port, auf dem er zu erreichen ist; 0 für irgendeinen freien.",
        "Port to listen on; 0 for any free one."))] = 13050,
    password: Annotated[str | None, typer.Option(help=t(
        "Passwort der Administratoren; Standard: ein zufälliges.",
        "Password of administrators; default: a random one."))] = None,
    records: Annotated[Path | None, typer.Option(file_okay=False, help=t(
        "Jedes Spiel in diesem Ordner aufzeichnen.", "Record every game in this folder."))] = None,
    timeout: Annotated[bool, typer.Option(help=t(
        "Ein Zug nach Ablauf der Zeit verliert das Spiel.", "A late move loses the game."))] = True,
    soft: Annotated[float, typer.Option(min=0.01, help=t(
        "Zeitlimit eines Zuges in Sekunden.", "Time limit of a move in seconds."))] = 2.0,
    hard: Annotated[float, typer.Option(min=0.01, help=t(
        "Wer so viele Sekunden nichts sendet, scheidet aus.",
        "A player that is silent for so many seconds forfeits."))] = 10.0,
    request_gap: Annotated[float | None, typer.Option(min=0, max=1, help=t(
        "Sekunden zwischen einer Stellung und der Zugaufforderung; Standard: 0,01 für 2019, 2021 und 2022, 0 für "
        "die anderen.",
        "Seconds between a state and the request for a move; default: 0.01 in 2019, 2021 and 2022, else 0."))] = None,
    paused: Annotated[bool, typer.Option(help=t("Spiele beginnen angehalten.", "Start games paused."))] = False,
    load: Annotated[Path | None, typer.Option(exists=True, help=t(
        "Spiele beginnen mit dieser Aufzeichnung oder diesem Replay.",
        "Start games from this record or replay."))] = None,
    turn: Annotated[int, typer.Option(min=0, help=t(
        "Mit --load: der Zug, mit dem begonnen wird.", "With --load: the turn to start from."))] = 0,
    max_connections: Annotated[int, typer.Option(min=2, help=t(
        "Höchstzahl gleichzeitiger Verbindungen.", "Maximum number of clients."))] = _DEFAULT.max_connections,
    max_per_address: Annotated[int, typer.Option(min=1, help=t(
        "Höchstzahl gleichzeitiger Verbindungen von einer fremden Adresse.",
        "Maximum number of clients from one remote address."))] = _DEFAULT.max_connections_per_address,
    metrics: Annotated[int | None, typer.Option(min=0, max=65535, help=t(
        "Port der Metriken für Prometheus.", "Port of the metrics for Prometheus."))] = None,
    log: Annotated[LogFormat, typer.Option(help=t("Format des Protokolls.", "Format of the log."))] = LogFormat.HUMAN,
    quiet: Annotated[bool, typer.Option(help=t("Nur Warnungen ausgeben.", "Log warnings only."))] = False,
    trace: Annotated[bool, typer.Option("--trace", help=t(
        "Jede Nachricht zeigen, wie sie übertragen wird.", "Show every message as it goes over the wire."))] = False,
    trace_only: Annotated[str | None, typer.Option(help=t(
        "Wie --trace, nur für einen Raum (Anfang seiner Nummer) oder einen Spieler (sein Name).",
        "Like --trace, for one room (id prefix) or one player (name) only."))] = None,
) -> None:  # fmt: skip
    if hard < soft:
        raise SettingsError(
            f"Das harte Zeitlimit ({hard:g} s) darf nicht unter dem weichen ({soft:g} s) liegen",
            f"the hard limit ({hard:g} s) must not be below the soft limit ({soft:g} s)",
        )
    start = _load_start(load, turn, official) if load is not None else None
    shown_password = None
    if password is None:
        password = shown_password = secrets.token_urlsafe(12)
    settings = MasterSettings(
        host=host,
        port=port,
        game=game,
        official=official,
        password=password,
        records=records,
        timeouts=timeout,
        limits=Limits(soft, hard),
        request_gap=request_gap,
        paused=paused,
        language=language(),
        max_connections=max_connections,
        max_connections_per_address=max_per_address,
        max_connections_from_here=max_connections * 9 // 10,
    )
    set_up_log(log, quiet)
    allow_connections(max_connections)
    show_message = _trace_printer(log, trace_only) if trace or trace_only else None
    asyncio.run(_serve(settings, start, metrics, shown_password, show_message))


def _load_start(path: Path, turn: int, official: bool) -> tuple[AnyGame, Any]:
    record = open_any(path, official=official)
    return record.game, state_at(record, turn)


async def _serve(
    settings: MasterSettings,
    start: tuple[AnyGame, Any] | None,
    metrics_port: int | None,
    shown_password: str | None,
    show_message: Callable[[TracedMessage], None] | None,
) -> None:
    stop = stop_event()
    warm_up()
    async with GameMaster(settings, start=start) as master:
        if show_message is not None:
            master.tracer.subscribe(show_message)
        where = address_text(*master.address)
        announce(
            Text(
                f"spielleiter spielt {settings.game} und alle anderen Spiele auf {where}",
                f"spielleiter serves {settings.game} and all other games on {where}",
            )
        )
        if shown_password is not None:
            announce(Text(f"Administrator-Passwort: {shown_password}", f"administrator password: {shown_password}"))
        announce_start(master)
        server = None
        if metrics_port is not None:
            server = await serve_metrics(master.metrics, settings.host, metrics_port)
            number = server.sockets[0].getsockname()[1]
            announce(Text(f"Metriken auf Port {number}", f"metrics on port {number}"))
        await stop.wait()
        if server is not None:
            server.close()


def _trace_printer(log: LogFormat, wanted: str | None) -> Callable[[TracedMessage], None]:
    show = _print_as_json if log is LogFormat.JSON else _print_message
    return show if wanted is None else lambda message: show(message) if message.is_of(wanted) else None


def _print_message(message: TracedMessage) -> None:
    print(f"{message.heading}\n{message.text}", file=sys.stderr)  # noqa: T201 - it is free of terminal commands


def _print_as_json(message: TracedMessage) -> None:
    print(json.dumps({"level": "TRACE", **asdict(message)}, ensure_ascii=False), file=sys.stderr)  # noqa: T201


def warm_up() -> None:
    """Build all tables of the rules and exempt them from garbage collection: neither may cost time in a game."""
    for game in games.all_games().values():
        game.new_state(Random(0)).legal_moves()
    gc.collect()
    gc.freeze()


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry = {
            "time": f"{stamp}.{record.msecs:03.0f}Z",
            "level": record.levelname,
            "message": printable(record.getMessage()),
        }
        return json.dumps(entry, ensure_ascii=False)


def set_up_log(log_format: LogFormat, quiet: bool) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonFormatter() if log_format is LogFormat.JSON else LogFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING if quiet else logging.INFO)
