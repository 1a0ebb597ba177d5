"""Players without our kit: the conversation in a programming language, and the rules that a game has in it.

A folder of ``template_clients`` talks to the game master in one language and knows no game; ``template_players`` of a
game's own folder have its rules, and a function that chooses a move. Together they are a player that builds and starts.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.programs.start_script import START_SCRIPT
from spielleiter.text import Language, Text

BUILD_SCRIPT = "build.sh"
_CLIENTS = Path(__file__).parent / "template_clients"
_README = Text("README.de.md", "README.md")
_USAGE = Text("usage.de.md", "usage.md")


class ProgrammingLanguage(StrEnum):
    """A language in which there is a client."""

    CPP = "cpp"
    CSHARP = "csharp"
    GO = "go"
    JAVA = "java"
    JAVASCRIPT = "javascript"
    KOTLIN = "kotlin"
    PYTHON = "python"
    RUBY = "ruby"
    RUST = "rust"
    TYPESCRIPT = "typescript"

    @property
    def label(self) -> str:
        """What people call it."""
        return _LABELS.get(self, self.value.capitalize())

    @property
    def tools(self) -> tuple[str, ...]:
        """What has to be on the machine to build the player, and to run it."""
        return _TOOLS.get(self, (self.value,))

    @property
    def client(self) -> Path:
        """The folder with its client, and with the form for the rules of a game that has none."""
        return _CLIENTS / self

    @property
    def player_file(self) -> str:
        """The file with the rules and the function that chooses a move."""
        [file] = (file.name for file in self.client.iterdir() if file.stem.lower() == "player")
        return file


_LABELS = {
    ProgrammingLanguage.CPP: "C++",
    ProgrammingLanguage.CSHARP: "C#",
    ProgrammingLanguage.JAVASCRIPT: "JavaScript",
    ProgrammingLanguage.TYPESCRIPT: "TypeScript",
}
_TOOLS = {
    ProgrammingLanguage.CPP: ("g++",),
    ProgrammingLanguage.CSHARP: ("mcs", "mono"),
    ProgrammingLanguage.JAVA: ("javac", "java"),
    ProgrammingLanguage.JAVASCRIPT: ("node",),
    ProgrammingLanguage.KOTLIN: ("kotlinc", "java"),
    ProgrammingLanguage.PYTHON: ("python3",),
    ProgrammingLanguage.RUST: ("rustc",),
    ProgrammingLanguage.TYPESCRIPT: ("tsc", "node"),
}
_CHOICE = Text(
    "Bisher spielt er erlaubte Züge, ohne viel nachzudenken.", "So far it plays legal moves without much thought."
)
_NO_CHOICE = Text(
    "Die Regeln fehlen noch: Bis du sie schreibst, gibt er beim ersten Zug auf.",
    "The rules are still missing: until you write them, it gives up at its first move.",
)
_BUILD = Text(
    "    ./build.sh                # einmal, und nach jeder Änderung\n",
    "    ./build.sh                # once, and after each change\n",
)


def rules_folder(game: AnyGame, language: ProgrammingLanguage) -> Path | None:
    """Where the game has its rules in this language: those of one year, or those of all; ``None``: nowhere."""
    folder = games.folder_of(game) / "template_players"
    return next((found for found in (folder / str(game.year) / language, folder / language) if found.is_dir()), None)


def raw_player_files(game: AnyGame, language: ProgrammingLanguage, texts: Language) -> dict[str, bytes]:
    """The files of a player of this game, explained in the language of ``texts``; its scripts have to be executable.

    A folder of the game with a ``start.sh`` is a whole player by itself.
    """
    rules = rules_folder(game, language)
    files = {} if rules is None else _template(rules, texts)
    if START_SCRIPT not in files:
        files = _template(language.client, texts) | files
        usage = _CLIENTS / _USAGE.to(texts)
        files["README.md"] += b"\n" + usage.read_bytes()
    values = {
        "__YEAR__": str(game.year),
        "__GAME_TYPE__": game.wire_name,
        "__CHOICE__": (_NO_CHOICE if rules is None else _CHOICE).to(texts),
        "__BUILD__": _BUILD.to(texts) if BUILD_SCRIPT in files else "",
    }

    def filled(name: str, data: bytes) -> bytes:
        # Programs are in English for every reader.
        title = game.title.to(texts if name.endswith(".md") else "en")
        for word, value in {**values, "__TITLE__": title}.items():
            data = data.replace(word.encode(), value.encode())
        return data

    return {name: filled(name, data) for name, data in files.items()}


def _template(folder: Path, texts: Language) -> dict[str, bytes]:
    """The files of a folder, with the README in one language."""
    other = _README.en if texts == "de" else _README.de
    found = (file for file in sorted(folder.iterdir()) if file.is_file() and file.name != other)
    return {file.name.replace(_README.de, _README.en): file.read_bytes() for file in found}
