"""All games in one text: what is written is read again, and a wrong line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import AnyGame
from spielleiter.records.game_list import game_list, read_games, write_games
from spielleiter.records.history import History
from spielleiter.records.load import open_any
from tests.support.records_stage import Stage
from tests.support.rule_sets import each_game


def _games(folder: Path, game: AnyGame) -> list[History]:
    endings = ("regular", "late", "left")
    paths = [Stage(folder, game, seed=seed, game_id=f"g{seed}").play(4).end(end) for seed, end in enumerate(endings)]
    return [open_any(path) for path in paths]


@each_game
def test_a_text_says_who_played_what_and_how_it_ended(tmp_path: Path, game: AnyGame) -> None:
    records = _games(tmp_path, game)
    write_games(records, tmp_path / "games.txt")
    read = list(read_games(tmp_path / "games.txt"))
    for before, after in zip(records, read, strict=True):
        assert before.result is not None
        assert after.result is not None
        assert (after.game_key, after.id, after.names, after.start) == (game.key, before.id, before.names, before.start)
        assert [(move.team, move.turn, move.text) for move in after.moves] == [
            (move.team, move.turn, move.text) for move in before.moves
        ]
        assert (after.result.winner, after.result.teams) == (before.result.winner, before.result.teams)
        assert (after.result.end, after.result.final) == (before.result.end, before.result.final)
    assert game_list(read) == game_list(records)


@pytest.mark.parametrize(
    ("column", "text", "expected"),
    [
        (3, "1:0", "games.txt:2: a result is one of 1-0, 0-1, 1/2, *, not '1:0'"),
        (4, "2,x:0,0", "games.txt:2: points or end: "),
        (5, "NOBODY_KNOWS", "games.txt:2: the end should be NOBODY_KNOWS, but these moves lead to none"),
        (6, "chess-1475 board", "games.txt:2: there is no game"),
        (7, "A1-Z99", "games.txt:2: ply 0: "),
        (7, "A1-A2\tmore", "games.txt:2: expected 8 columns between tabs, found 9"),
    ],
)
def test_a_wrong_column_is_refused_with_its_line(tmp_path: Path, column: int, text: str, expected: str) -> None:
    [_, record, _] = _games(tmp_path, games.load("piranhas-2026"))
    columns = game_list([record]).splitlines()[1].split("\t")
    columns[column] = text
    (tmp_path / "games.txt").write_text("# a comment\n" + "\t".join(columns))
    with pytest.raises(RecordError) as problem:
        list(read_games(tmp_path / "games.txt"))
    assert expected in str(problem.value)
