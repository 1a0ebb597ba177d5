from __future__ import annotations

import re
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.programs.raw_players import ProgrammingLanguage, raw_player_files, rules_folder
from tests.cli.test_cli import spielleiter
from tests.support.raw_players import PLAYERS, RawPlayer

each_language = pytest.mark.parametrize("language", ProgrammingLanguage)


@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_a_player_has_a_client_and_the_rules_with_nothing_left_to_fill_in(player: RawPlayer) -> None:
    files = raw_player_files(player.game, player.language, "en")
    assert {"README.md", "start.sh", player.language.player_file} <= files.keys()
    assert [name for name, data in files.items() if re.search(rb"__(YEAR|GAME_TYPE|TITLE|CHOICE|BUILD)__", data)] == []
    assert "TO BE WRITTEN" not in files[player.language.player_file].decode()
    assert player.game.wire_name.encode() in b"".join(files.values())


@each_language
def test_it_is_explained_in_the_language_of_its_reader(language: ProgrammingLanguage) -> None:
    game = games.load("pinguine-2023")
    german, english = (raw_player_files(game, language, texts) for texts in ("de", "en"))
    assert german.keys() == english.keys()
    assert {name for name in german if german[name] != english[name]} == {"README.md"}
    title = f"in {language.label}".encode()
    assert german["README.md"].startswith(b"# Ein Spieler von Pinguine 2023 " + title)
    assert english["README.md"].startswith(b"# A player of Penguins 2023 " + title)
    has_build = "build.sh" in english
    assert (b"./build.sh  " in english["README.md"]) is has_build
    assert (b"./build.sh  " in german["README.md"]) is has_build


def test_the_official_rules_have_the_player_of_their_season() -> None:
    for game in games.all_games().values():
        for language in ProgrammingLanguage:
            season = games.load(game.key.removesuffix("-official"))
            assert rules_folder(game, language) == rules_folder(season, language)


@each_language
def test_a_game_without_rules_gets_a_client_and_a_form(language: ProgrammingLanguage, tictactoe: AnyGame) -> None:
    files = raw_player_files(tictactoe, language, "en")
    assert "TO BE WRITTEN" in files[language.player_file].decode()
    assert "Tic-tac-toe" in files[language.player_file].decode()
    assert b"The rules are still missing" in files["README.md"]
    assert tictactoe.wire_name.encode() in b"".join(files.values())


@pytest.mark.slow
def test_new_says_where_the_rules_are_to_be_written(tictactoe: AnyGame, tmp_path: Path) -> None:
    made = spielleiter("new", tmp_path / "x", "--language", "ruby", "--game", tictactoe.key, SPIELLEITER_LANG="en")
    assert made.returncode == 0, made.stderr
    assert f"what a move is, you write in {tmp_path / 'x' / 'player.rb'}" in made.stderr
    german = spielleiter("new", tmp_path / "y", "--language", "ruby", "--game", tictactoe.key, SPIELLEITER_LANG="de")
    assert f"schreibst du in {tmp_path / 'y' / 'player.rb'}" in german.stderr


def test_rules_of_one_year_go_before_those_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "folder_of", lambda game: tmp_path)
    everywhere, of_a_year = (tmp_path / "template_players" / name for name in ("go", "2027/go"))
    for folder in (everywhere, of_a_year):
        folder.mkdir(parents=True)
        (folder / "player.go").write_text(str(folder.relative_to(tmp_path)) + " of __TITLE__")
    for key, text in (
        ("blokus-2027", b"template_players/2027/go of Blokus 2027"),
        ("blokus-2021", b"template_players/go of Blokus 2021"),
    ):
        files = raw_player_files(games.load(key), ProgrammingLanguage.GO, "de")
        assert files["player.go"] == text
        assert "client.go" in files


def test_a_whole_player_of_a_game_needs_no_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "folder_of", lambda game: tmp_path)
    folder = tmp_path / "template_players" / "2027" / "go"
    folder.mkdir(parents=True)
    (folder / "start.sh").write_text("exec ./mine\n")
    (folder / "mine").write_bytes(b"\x7fELF\xff")
    assert raw_player_files(games.load("blokus-2027"), ProgrammingLanguage.GO, "en") == {
        "start.sh": b"exec ./mine\n", "mine": b"\x7fELF\xff"
    }  # fmt: skip
