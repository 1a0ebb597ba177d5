"""What every command that serves says at its start: each address under which it is reached, and what to type there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spielleiter.cli.terminal import errors, language
from spielleiter.server import GameMaster
from spielleiter.server.addresses import address_text, is_local, reachable
from spielleiter.text import Text, shell_word

if TYPE_CHECKING:
    from spielleiter.web.server import Running


def announce_start(master: GameMaster, pages: Running | None = None, path: str = "/") -> None:
    """Print how browsers and players reach this server, and how to stop it."""
    lines = []
    if pages is not None:
        lines.append(
            Text(f"Spielleiter läuft: {pages.address(path)}", f"Spielleiter is running: {pages.address(path)}")
        )
        lines += _entrance(pages) if pages.web_app.classroom is not None else _guest_links(pages)
    lines += player_lines(*master.address)
    lines.append(Text("Beenden mit Strg-C.", "Stop with Ctrl-C."))
    for line in lines:
        announce(line)


def _guest_links(pages: Running) -> list[Text]:
    return [Text(f"Für Gäste: {link}", f"For guests: {link}") for link in pages.guest_addresses()]


def _entrance(pages: Running) -> list[Text]:
    """Where people come into a class, and what is known of it from before."""
    classroom = pages.web_app.classroom
    assert classroom is not None
    state, base = classroom.state, pages.web_app.base_url or pages.web_app.own_url
    lines = [Text(f"Zum Mitmachen: {base}/join   Code: {state.code}", f"To join: {base}/join   code: {state.code}")]
    if classroom.book.was_open_before:
        lines.append(_still_there(len(state.people), classroom.book.settings.folder))
    return lines


def _still_there(people: int, folder: Path) -> Text:
    """What is known of a class from before, and the command that forgets this one."""
    from spielleiter.web.server import default_class

    de, en = ("1 Person", "1 person") if people == 1 else (f"{people} Personen", f"{people} people")
    forget = "spielleiter class --forget"
    forget += "" if folder == default_class() else f" --folder {shell_word(folder)}"
    return Text(
        f"Alles ist noch da ({de}, {folder}). Neu anfangen: {forget}",
        f"All is still there ({en}, {folder}). To start afresh: {forget}",
    )


def player_lines(host: str, port: int) -> list[Text]:
    """The addresses for players of a game master that listens there, and the command that a player types."""
    addresses = reachable(host)
    listed = ", ".join(address_text(address, port) for address in addresses)
    lines = [Text(f"Adresse für Spieler: {listed}", f"Address for players: {listed}")]
    if is_local(host):
        lines[0] = Text(
            f"{lines[0].de} (nur auf diesem Rechner; --host 0.0.0.0 öffnet ihn für das Netz)",
            f"{lines[0].en} (this machine only; --host 0.0.0.0 opens it to the network)",
        )
    command = player_command(addresses[0], port)
    return [*lines, Text(f"Ein Spieler tritt bei mit: {command}", f"A player joins with: {command}")]


def player_command(host: str, port: int, reservation: str | None = None) -> str:
    """The command that starts a player of the kit there."""
    return f"python player.py --host {host} --port {port}" + (f" --reservation {reservation}" if reservation else "")


def announce(text: Text) -> None:
    """Print a line beside the output, which may be for programs."""
    errors.print(text.to(language()), markup=False, soft_wrap=True)
