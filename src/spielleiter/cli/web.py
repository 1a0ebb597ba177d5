"""``spielleiter web``: the pages in the browser."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from spielleiter.cli.programs import Sandbox, SandboxOption
from spielleiter.cli.serve import LogFormat, set_up_log, warm_up
from spielleiter.cli.signals import stop_event
from spielleiter.cli.start_message import announce_start
from spielleiter.cli.terminal import language, say, t
from spielleiter.errors import SettingsError
from spielleiter.text import Text

if TYPE_CHECKING:
    from spielleiter.web.classroom.book import ClassSettings
    from spielleiter.web.lab.laboratory import LabSettings


def web(
    host: Annotated[str, typer.Option(help=t(
        "Adresse, unter der die Seiten zu erreichen sind; 0.0.0.0 für alle Netze, mit Schlüsseln.",
        "Address to listen on; 0.0.0.0 for all networks, with keys."))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port der Seiten; 0 für irgendeinen freien.", "Port of the pages; 0 for any free one."))] = 8050,
    game_port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port des Spielleiters.", "Port of the game master."))] = 13050,
    records: Annotated[Path | None, typer.Option(file_okay=False, help=t(
        "Jedes Spiel in diesem Ordner aufzeichnen.", "Record every game in this folder."))] = None,
    browser: Annotated[bool, typer.Option(help=t(
        "Die Seiten im Browser öffnen.", "Open the pages in the browser."))] = True,
    official: Annotated[bool, typer.Option(help=t(
        "So leiten, wie es die Server der Saisons taten.", "Referee as the seasons' own servers did."))] = False,
    season: Annotated[Path | None, typer.Option(dir_okay=False, help=t(
        "Den Wettbewerb dieser Saisondatei zeigen; gibt es sie noch nicht, legst du sie auf den Seiten an.",
        "Serve the contest of this season file; if it does not exist yet, you create it on the pages."))] = None,
    store: Annotated[str | None, typer.Option(help=t(
        "Datenbank der Saison, wie bei „contest“.", "Store of the season, as in 'contest'."))] = None,
    follow: Annotated[list[Path] | None, typer.Option(metavar="FOLDER", help=t(
        "Die Spiele von „match --watch“ in diesem Ordner zeigen; mehrfach möglich.",
        "Show the games of 'match --watch' in this folder; may be repeated."))] = None,
    sandbox: SandboxOption = Sandbox.AUTO,
    public_url: Annotated[str, typer.Option(metavar="URL", help=t(
        "Öffentliche URL hinter einem Reverse Proxy.", "Public URL behind a reverse proxy."))] = "",
    trusted_proxy: Annotated[list[str] | None, typer.Option(help=t(
        "Adresse oder Netz eines Reverse Proxys, der sagt, wer seine Besucher sind; mehrfach möglich.",
        "Address or network of a reverse proxy that says who its visitors are; can be repeated."))] = None,
) -> None:  # fmt: skip
    serve_pages(
        host=host,
        port=port,
        game_port=game_port,
        records=records,
        browser=browser,
        official=official,
        season=season,
        store=store,
        follow=tuple(follow or ()),
        public_url=public_url,
        trusted_proxies=trusted_proxy or (),
        sandbox=sandbox,
    )


@contextmanager
def _opened_contest(season: Path | None, store: str | None) -> Iterator[Any]:
    """The contest of a season file, if there is one. Raises ``SettingsError``, ``StoreError`` or ``ContestError``."""
    if (season is None and store is None) or _is_new(season):
        yield None
        return
    from spielleiter.cli.contest.arguments import SEASON, open_contest

    with open_contest(season or SEASON, store) as contest:
        yield contest


def _is_new(season: Path | None) -> bool:
    """Whether the season is still to be created, on the pages."""
    return season is not None and not season.exists()


def serve_pages(
    *,
    host: str = "127.0.0.1",
    port: int = 8050,
    game_port: int = 13050,
    any_port: bool = False,
    records: Path | None = None,
    browser: bool = True,
    official: bool = False,
    file: Path | None = None,
    season: Path | None = None,
    store: str | None = None,
    follow: tuple[Path, ...] = (),
    public_url: str = "",
    trusted_proxies: Sequence[str] = (),
    sandbox: Sandbox = Sandbox.AUTO,
    classroom: ClassSettings | None = None,
    laboratory: LabSettings | None = None,
) -> None:
    """Serve the pages until Ctrl-C; with ``any_port`` on free ports if these are taken. Raises ``SettingsError``."""
    from spielleiter.server import MasterSettings
    from spielleiter.server.descriptors import allow_connections
    from spielleiter.web.server import WebSettings, bind_ports, default_records

    settings = WebSettings(
        host=host,
        port=port,
        any_port=any_port,
        master=MasterSettings(
            host=host, port=game_port, official=official, records=records or default_records(), language=language()
        ),
        new_season=season if _is_new(season) else None,
        new_store=store,
        follow=follow,
        public_url=_base_url(public_url),
        trusted_proxies=tuple(map(_network, trusted_proxies)),
        sandbox=sandbox,
        classroom=classroom,
        laboratory=laboratory,
    )
    allow_connections(settings.master.max_connections + settings.limits.connections)
    pages, games = bind_ports(settings)
    with pages, games, _opened_contest(season, store) as contest:
        asyncio.run(_serve(replace(settings, contest=contest), (pages, games), file, browser))


def _base_url(text: str) -> str:
    """The URL as links begin with it. Raises ``SettingsError`` for what is none."""
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise SettingsError(
            f"--public-url erwartet eine URL wie https://contest.example, nicht {text!r}.",
            f"--public-url takes a URL like https://contest.example, not {text!r}",
        )
    return f"{parts.scheme}://{parts.netloc}"


def _network(text: str) -> str:
    """The network of a proxy; an address is one of its own. Raises ``SettingsError`` for what is neither."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise SettingsError(
            f"--trusted-proxy erwartet eine Adresse wie 127.0.0.1 oder ein Netz wie 10.0.0.0/8, nicht {text!r}.",
            f"--trusted-proxy takes an address like 127.0.0.1 or a network like 10.0.0.0/8, not {text!r}",
        ) from None


async def _serve(settings: Any, sockets: tuple[Any, Any], file: Path | None, browser: bool) -> None:
    from spielleiter.web.server import Running, run

    stop = stop_event()
    set_up_log(LogFormat.HUMAN, quiet=True)
    warm_up()

    def ready(running: Running) -> None:
        path = "/class/host" if settings.classroom is not None else "/lab" if settings.laboratory is not None else "/"
        if settings.new_season is not None:
            path = "/contest/new"
            say(
                Text(
                    f"{settings.new_season} gibt es noch nicht: Auf dieser Seite legst du die Saison an.",
                    f"{settings.new_season} does not exist yet: create the season on this page.",
                )
            )
        if file is not None:
            path = f"/replay/{running.web_app.library.open(file).key}"
        announce_start(running.web_app.master, running, path)
        if browser and has_browser():
            webbrowser.open(running.address(path))

    await run(settings, sockets, ready, stop)


def has_browser() -> bool:
    """Whether a browser would show up on a screen; without one, opening only makes noise."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
