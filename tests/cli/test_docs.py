"""``spielleiter docs`` shows the pages without a network, also from a wheel."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from spielleiter.cli import docs
from spielleiter.cli.app import app
from spielleiter.errors import SettingsError

ROOT = Path(__file__).parents[2]


def shown(*words: str) -> str:
    result = CliRunner().invoke(app, ["docs", *words], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.output


def test_without_a_name_every_page_is_listed_with_its_title_in_the_reader_s_language() -> None:
    for code, title in (("de", "Fragen und Antworten"), ("en", "Questions and answers")):
        printed = shown("--lang", code)
        assert re.search(rf"^faq +{title}$", printed, re.MULTILINE)
        listed = {line.split()[0] for line in printed.splitlines() if line and line[0].islower()}
        assert listed >= {"tutorial", "match", "statistics", "protocol", "protocol/messages"}


@pytest.mark.parametrize("name", ["tutorial", "docs/tutorial", "tutorial.md", "tutorial.de.md", "docs/tutorial.de.md"])
def test_a_page_is_found_as_people_and_messages_write_it(name: str) -> None:
    assert "Dein erster Spieler" in shown("--lang", "de", name)


def test_the_protocol_is_there_and_its_links_are_names_of_pages() -> None:
    printed = shown("--lang", "en", "protocol")
    assert "The protocol of the Software-Challenge" in printed
    assert "docs protocol/messages" in printed
    assert ".md)" not in printed
    assert "docs faq --lang en" in shown("--lang", "de", "faq"), "the same page in the other language"


def test_an_unknown_page_is_named_with_the_nearest_one() -> None:
    result = CliRunner().invoke(app, ["--lang", "en", "docs", "tutorail"])
    assert isinstance(result.exception, SettingsError)
    assert "did you mean tutorial?" in str(result.exception)


def test_in_the_browser_all_pages_lead_to_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shown("--lang", "en", "tutorial", "--browser")
    [address] = opened
    page = Path(address.removeprefix("file://"))
    text = page.read_text(encoding="utf-8")
    assert page.name == "tutorial.en.html"
    assert "<h1>Your first player" in text
    links = re.findall(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"', text)
    assert "pictures/pieces.svg" in links
    assert "statistics.html" in links
    assert [link for link in links if not (page.parent / link).is_file()] == []


def test_the_pages_are_found_where_a_wheel_puts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "share" / "doc" / "spielleiter"
    installed.mkdir(parents=True)
    (installed / "faq.md").write_text("# Installed\n")
    monkeypatch.setattr(docs, "__file__", str(tmp_path / "lib" / "spielleiter" / "cli" / "docs.py"))
    path = PurePosixPath("../../../share/doc/spielleiter/faq.md")
    file = SimpleNamespace(as_posix=path.as_posix, locate=lambda: installed / "faq.md")
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    assert docs.documentation() == installed
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "elsewhere"))
    monkeypatch.setattr(metadata, "files", lambda name: [file])
    assert docs.documentation() == installed
    monkeypatch.setattr(metadata, "files", lambda name: None)
    with pytest.raises(SettingsError, match="has no pages"):
        docs.documentation()


def test_a_wheel_has_every_page_and_picture() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["data-files"]
    packed = {
        f"{target.removeprefix('share/doc/spielleiter')}/{path.name}".lstrip("/")
        for target, patterns in settings.items()
        for pattern in patterns
        for path in ROOT.glob(pattern)
    }
    pages = {
        path.relative_to(ROOT / "docs").as_posix()
        for path in (ROOT / "docs").rglob("*")
        if path.suffix in (".md", ".svg", ".png")
    }
    assert packed == pages
