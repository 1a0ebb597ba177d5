"""Handles and ratings of people: who gets which name, and what a rating says."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from spielleiter.errors import RecordError, Refused
from spielleiter.game import Team
from spielleiter.web.play.people import _MAX_CHANGES, MAX_HANDLE, People, check_handle, plain_handle

GAME = "blokus-2027"


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    found = People(tmp_path / "people.journal")
    yield found
    found.close()


@pytest.mark.parametrize("name", ["Ada", "ada_99", "Jürgen", "Ольга", " Grace "])
def test_an_ordinary_name_is_taken(name: str) -> None:
    assert check_handle(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    [
        "", "ab", "x" * (MAX_HANDLE + 1), "a b", "A\nda", "A\u202eda", "A\u200bda", "<b>Ada</b>", "'; DROP TABLE",
        "99Ada", "Ada-", "A--da", "Аda", "Spielleiter", "Sp1elleiter", "G\u0433ace", "Expert", "Groß-meister", "level1",
        "A\u0301\u0301\u0301",
    ],
)  # fmt: skip
def test_a_name_that_hides_something_or_pretends_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        check_handle(name)


@in_a_loop
async def test_nobody_gets_a_handle_that_looks_like_a_taken_one(people: People) -> None:
    await people.choose("browser-of-ada", "Ada_Love")
    for name in ("ada_love", "ADALOVE", "Àda-Lóve", "Ada.L0ve"):
        with pytest.raises(Refused):
            await people.choose("another-browser", name)
        with pytest.raises(Refused):
            people.check_name(name, "another-browser")
    people.check_name("Ada Love", "browser-of-ada")
    assert (await people.choose("browser-of-ada", "Countess")).handle == "Countess"
    assert (await people.choose("another-browser", "Ada_Love")).handle == "Ada_Love"


@in_a_loop
async def test_a_second_server_on_the_same_file_gives_no_names(people: People, tmp_path: Path) -> None:
    await people.choose("browser-of-ada", "Ada")
    other = People(tmp_path / "people.journal")
    assert not other.is_available
    with pytest.raises(Refused, match="No names can be stored"):
        await other.choose("another-browser", "Grace")


@in_a_loop
async def test_a_name_cannot_be_changed_for_ever(people: People) -> None:
    for number in range(_MAX_CHANGES + 1):
        await people.choose("browser-of-ada", f"Ada{number}x")
    with pytest.raises(Refused, match="that often"):
        await people.choose("browser-of-ada", "Countess")
    assert people.of("browser-of-ada") is not None


@in_a_loop
async def test_the_winner_is_rated_higher_and_the_ranges_shrink_with_the_games(people: People, tmp_path: Path) -> None:
    ada, grace = [await people.choose(f"browser-of-{name}", name) for name in ("Ada", "Grace")]
    both = (ada.id, grace.id)
    assert people.ranking(GAME) == []
    await people.record("room-0", GAME, both, Team.ONE)
    [first, second] = people.ranking(GAME)
    assert (first.handle, second.handle) == ("Ada", "Grace")
    assert first.elo > 1500 > second.elo
    wide = first.rating.margin
    assert wide > first.elo - second.elo  # One game proves nothing, and it is said so.
    for number in range(1, 9):
        await people.record(f"room-{number}", GAME, both, Team(number % 2))
    await people.record("room-8", GAME, both, Team.TWO)  # A room counts once.
    assert people.ranking(GAME)[0].rating.margin < wide
    assert people.ranking(GAME)[0].rating.games == 9
    assert people.ranking("piranhas-2026") == []
    people.close()
    assert [each.handle for each in People(tmp_path / "people.journal").ranking(GAME)] == ["Ada", "Grace"]


@in_a_loop
async def test_who_gives_the_handle_up_leaves_nothing_behind(people: People, tmp_path: Path) -> None:
    ada, grace = [await people.choose(f"browser-of-{name}", name) for name in ("Ada", "Grace")]
    await people.record("room", GAME, (ada.id, grace.id), Team.ONE)
    await people.forget("browser-of-Ada")
    assert people.of("browser-of-Ada") is None
    assert people.ranking(GAME) == []
    content = (tmp_path / "people.journal").read_bytes()
    assert b"Ada" not in content
    assert ada.id.encode() not in content
    await people.record("room-2", GAME, (ada.id, grace.id), Team.ONE)
    assert people.ranking(GAME) == []


@in_a_loop
async def test_without_a_folder_or_with_a_broken_file_there_are_no_handles_but_everything_else(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"not a journal\n")
    for people in (People(None), People(tmp_path / "nowhere" / "people"), People(tmp_path / "broken")):
        assert not people.is_available
        with pytest.raises(Refused):
            await people.choose("browser", "Ada")
        await people.record("room", GAME, ("a", "b"), None)
        assert people.ranking(GAME) == []


@in_a_loop
async def test_many_at_once_share_the_file(people: People) -> None:
    found = await asyncio.gather(*(people.choose(f"browser-{n}", f"Pupil{n}x") for n in range(20)))
    assert len({plain_handle(person.handle) for person in found}) == 20


@in_a_loop
async def test_a_handle_that_cannot_be_given_up_stays_and_so_does_what_comes_after(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await people.choose("browser-of-Ada", "Ada")

    def fail(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(RecordError, match="no space"):
        await people.forget("browser-of-Ada")
    monkeypatch.undo()
    await people.choose("browser-of-Ben", "Ben")
    people.close()
    again = People(tmp_path / "people.journal")
    assert [again.of(f"browser-of-{name}").handle for name in ("Ada", "Ben")] == ["Ada", "Ben"]  # type: ignore[union-attr]
    again.close()
