"""Who comes into a class under which name, and that nothing of it is lost when the machine dies."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.errors import PageError, RecordError, Refused, SettingsError
from spielleiter.web.classroom.book import ClassBook, ClassSettings
from spielleiter.web.classroom.journal import JOURNAL, forget
from spielleiter.web.classroom.names import MAX_NAME, MAX_PEOPLE, checked_name, read_names
from spielleiter.web.classroom.state import Achieved, TaskKind, TaskSet

GAME = "ostseeschach-2022"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def guess_codes(book: ClassBook, times: int, address: str = "192.0.2.1") -> None:
    for _ in range(times):
        with pytest.raises(Refused) as refused:
            book.check_code("AAAAA", address)
        if isinstance(refused.value, PageError):
            raise refused.value


def let_bots_join(book: ClassBook, numbers: range) -> None:
    for number in numbers:
        book.join(book.state.code, f"Bot {number}", f"bot-{number}")


def open_book(folder: Path, game: str = GAME, names: tuple[str, ...] = (), clock: Clock | None = None) -> ClassBook:
    return ClassBook(ClassSettings(folder=folder / "class", game=game, names=names), clock or Clock())


def test_a_name_stays_with_its_device_when_the_process_is_killed_in_the_middle_of_a_line(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    ada = book.join(book.state.code.lower() + " ", "Ada", "browser-a")
    book.record(TaskSet(1, TaskKind.LESSON, GAME, "3", 1.0))
    book.record(Achieved(ada.id, "lesson", GAME, "3"))
    before = book.state
    book.close()
    with (tmp_path / "class" / JOURNAL).open("ab") as file:
        file.write(b'{"event":"PersonJoined","id":2,"na')
    again = open_book(tmp_path, game="")
    assert again.state == before
    assert again.state.by_browser("browser-a") == ada
    assert again.state.task is not None
    assert again.state.is_done(again.state.task, ada.id)
    again.join(again.state.code, "Ben", "browser-b")
    again.close()
    assert [person.name for person in open_book(tmp_path).state.people.values()] == ["Ada", "Ben"]


def test_two_windows_cannot_lead_one_class_and_an_open_one_is_not_forgotten(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    with pytest.raises(SettingsError, match="open in another window"):
        open_book(tmp_path)
    with pytest.raises(SettingsError, match="open in another window"):
        forget(tmp_path / "class")
    book.close()
    assert forget(tmp_path / "class")
    assert not (tmp_path / "class").exists()
    assert not forget(tmp_path / "class")


def test_forgetting_deletes_no_folder_that_is_none_of_a_class(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(SettingsError, match="nothing was deleted"):
        forget(tmp_path)
    assert (tmp_path / "thesis.txt").exists()


def test_a_damaged_journal_is_refused_with_its_line(tmp_path: Path) -> None:
    open_book(tmp_path).close()
    path = tmp_path / "class" / JOURNAL
    whole = path.read_bytes()
    for line in (b"nonsense\n", b'{"event":"Unknown"}\n', b'{"event":"PersonRemoved","id":true}\n'):
        path.write_bytes(whole + line)
        with pytest.raises(RecordError, match=rf"{JOURNAL}:3"):
            open_book(tmp_path)
    path.write_bytes(whole + b'{"event":"PersonRemoved","id":7}\n')
    with pytest.raises(RecordError, match="cannot follow"):
        open_book(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 500, "<b>Max</b>", "Max\u202e", "a\0b", "M\u0301\u0301\u0301\u0301ax", "---", "\ud800"],
)
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        checked_name(name)


def test_a_long_name_is_told_how_long_it_may_be() -> None:
    with pytest.raises(Refused, match=f"at most {MAX_NAME} characters; yours has 500"):
        checked_name("x" * 500)


@pytest.mark.parametrize("name", ["Ada", "Zoë-Marie", "O'Neil", "Jürgen 2", "李小龙", "Anna  B."])
def test_a_name_of_a_person_is_taken(name: str) -> None:
    assert checked_name(name) == " ".join(name.split())


def test_a_second_ada_is_asked_to_add_something(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    book.join(book.state.code, "Ada", "browser-a")
    with pytest.raises(Refused, match=r"Ada is here already.*'ada 2'"):
        book.join(book.state.code, "ada", "browser-b")
    assert book.join(book.state.code, "Ada", "browser-a").id == 1, "the same device has its seat"


def test_a_wrong_code_opens_nothing_and_an_old_one_says_so(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    old = book.state.code
    book.renew_code()
    with pytest.raises(Refused, match="no longer valid"):
        book.join(old, "Ada", "a")
    for wrong in ("AAAAA", "", "x" * 1000):
        with pytest.raises(Refused, match="projector"):
            book.join(wrong, "Ada", "a")
    assert not book.state.people


def test_guessing_the_code_is_slow_but_a_class_may_mistype_it(tmp_path: Path) -> None:
    clock = Clock()
    book = open_book(tmp_path, clock=clock)
    guess_codes(book, 120)
    with pytest.raises(PageError, match="Too many wrong codes"):
        guess_codes(book, 1000)
    with pytest.raises(PageError):
        book.check_code(book.state.code, "192.0.2.1")  # Else a script would only have to go on.
    book.check_code(book.state.code, "192.0.2.2")
    clock.now += 61
    book.check_code(book.state.code, "192.0.2.1")


def test_a_script_that_joins_again_and_again_is_stopped(tmp_path: Path) -> None:
    clock = Clock()
    book = open_book(tmp_path, clock=clock)
    with pytest.raises(PageError, match="Too many people"):
        let_bots_join(book, range(500))
    assert 30 < len(book.state.people) < MAX_PEOPLE
    clock.now += 61
    with pytest.raises(Refused, match=f"All {MAX_PEOPLE} seats"):
        let_bots_join(book, range(500, 1000))
    book.set_door(False)
    with pytest.raises(Refused, match="Nobody new"):
        book.join(book.state.code, "Ada", "a")


def test_the_host_renames_frees_and_removes(tmp_path: Path) -> None:
    book = open_book(tmp_path)
    ada = book.join(book.state.code, "Ada", "tablet")
    rude = book.join(book.state.code, "Rude Word", "phone")
    book.rename(ada.id, "Ada L.")
    with pytest.raises(Refused, match="already a Ada L"):
        book.rename(rude.id, "ada l.")
    book.remove(rude.id)
    assert "phone" in book.state.removed
    with pytest.raises(Refused, match="no longer here"):
        book.remove(rude.id)
    assert book.join(book.state.code, "Ben", "phone").id > rude.id, "ids are not used again"
    assert "phone" not in book.state.removed
    book.free_seat(ada.id)
    assert book.state.free_names() == ["Ada L."]
    assert book.join(book.state.code, "ada l.", "laptop").id == ada.id, "what she did stays hers"
    book.free_seat(ada.id)
    book.remove(ada.id)
    assert "" not in book.state.removed, "a new device would be taken for a removed one"


def test_names_are_chosen_from_a_list(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("# 8b\nAda Lovelace;8b\n\nBen\nCem\n", encoding="utf-8")
    book = open_book(tmp_path, names=read_names(file))
    assert book.join(book.state.code, "ben", "b").name == "Ben"
    assert book.state.free_names() == ["Ada Lovelace", "Cem"]
    with pytest.raises(Refused, match="not on the list"):
        book.join(book.state.code, "Eve", "e")
    book.add_name("Eve")
    assert book.join(book.state.code, "Eve", "e").name == "Eve"


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "has no names"), ("Ada\nada\n", "line 2: ada is there twice"), (f"Ada\n{'x' * 99}\n", "line 2: A name has")],
)
def test_a_list_of_names_that_cannot_be_used_names_its_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "names.txt"
    file.write_text(text)
    with pytest.raises(SettingsError, match=problem):
        read_names(file)
