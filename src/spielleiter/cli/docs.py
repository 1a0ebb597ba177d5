"""``spielleiter docs``: the pages of the documentation, as they came with this package."""

from __future__ import annotations

import re
import shutil
import sysconfig
import webbrowser
from difflib import get_close_matches
from functools import partial
from html import escape
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer
from markdown_it import MarkdownIt
from rich.markdown import Markdown
from rich.text import Text as RichText

from spielleiter.cli.terminal import console, language, say, t
from spielleiter.errors import READ, WRITE, SettingsError, refusing
from spielleiter.programs.temporary import kept_folder
from spielleiter.text import Text

_INSTALLED = "share/doc/spielleiter"
"""Where a wheel puts the pages, below the folder of the environment (``data-files`` in pyproject.toml)."""
_CONTENTS = "README"
_LANGUAGES = ("de", "en")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_PAGE = """\
<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>
:root {{ color-scheme: light dark }}
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }}
pre, code {{ background: #8882; border-radius: 4px }} pre {{ padding: .6rem; overflow-x: auto }}
code {{ padding: 0 .2em }}
table {{ border-collapse: collapse }} td, th {{ border: 1px solid #8886; padding: .2rem .5rem; text-align: left }}
img {{ max-width: 100%; background: white }}
</style><nav><a href="{top}README.html">{contents}</a></nav>{body}</html>
"""


def docs(
    page: Annotated[str | None, typer.Argument(autocompletion=lambda incomplete: _complete(incomplete), help=t(
        "Der Name einer Seite, etwa tutorial, faq oder protocol/messages; ohne ihn: die Liste.",
        "The name of a page, such as tutorial, faq or protocol/messages; without one: the list."))] = None,
    browser: Annotated[bool, typer.Option("--browser", help=t(
        "Im Browser statt im Terminal zeigen.", "Show it in the browser instead of the terminal."))] = False,
) -> None:  # fmt: skip
    folder = documentation()
    if browser:
        shown = _write_site(folder) / _find(folder, page or _CONTENTS).relative_to(folder).with_suffix(".html")
        say(Text(f"Geöffnet: {shown}", f"Opened: {shown}"))
        webbrowser.open(shown.as_uri())
    elif page is None:
        _print_list(folder)
    else:
        console.print(Markdown(_for_the_terminal(_find(folder, page), folder)))


def documentation() -> Path:
    """The folder of the pages: that of the wheel, or of the checkout. Raises ``SettingsError`` if there is none."""
    for folder in (Path(__file__).parents[3] / "docs", Path(sysconfig.get_path("data")) / _INSTALLED):
        if (folder / "faq.md").is_file():
            return folder
    # Installed for one user, say: then the package knows its files.
    for file in metadata.files("spielleiter") or ():
        if file.as_posix().endswith(f"{_INSTALLED}/faq.md"):
            return Path(str(file.locate())).resolve().parent
    raise SettingsError(
        "Zu dieser Installation gehören keine Seiten; im Quellcode stehen sie im Ordner docs.",
        "this installation has no pages; in the sources they are in the folder docs",
    )


def names(folder: Path) -> dict[str, Path]:
    """Every page by its name, in the language of the reader where there are two."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        stem, _, written_in = name.rpartition(".")
        if written_in in _LANGUAGES:
            if written_in == language() or stem not in found:
                found[stem] = path
        elif name.endswith(f"/{_CONTENTS}"):
            found[name.removesuffix(f"/{_CONTENTS}")] = path
        elif name not in found or found[name].name.split(".")[-2] != language():
            found[name] = path
    return found


def _complete(incomplete: str) -> list[str]:
    return [name for name in names(documentation()) if name.startswith(incomplete)]


def _find(folder: Path, page: str) -> Path:
    """The page of this name, also as a message or a link writes it. Raises ``SettingsError``."""
    known = names(folder)
    name = page.strip("/").removeprefix("docs/").removesuffix(".md").removesuffix(f"/{_CONTENTS}")
    stem, _, written_in = name.rpartition(".")
    if written_in in _LANGUAGES and (exact := folder / f"{name}.md").is_file():
        return exact
    if written_in in _LANGUAGES:
        name = stem
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    hint = (
        Text(f"Meintest du {near[0]}?", f"did you mean {near[0]}?")
        if near
        else Text("„spielleiter docs“ zählt sie auf.", "'spielleiter docs' lists them")
    )
    raise SettingsError(f"Es gibt keine Seite {page!r}. {hint.de}", f"there is no page {page!r}; {hint.en}")


def _read(path: Path) -> str:
    with refusing(SettingsError, path, READ):
        return _COMMENT.sub("", path.read_text(encoding="utf-8"))


def _title(path: Path) -> str:
    return next((line[2:] for line in _read(path).splitlines() if line.startswith("# ")), path.stem)


def _print_list(folder: Path) -> None:
    known = {name: path for name, path in names(folder).items() if name != _CONTENTS}
    width = max(map(len, known))
    for name, path in known.items():
        console.print(RichText(f"{name:{width}}  ", "bold") + RichText(_title(path), "not bold"), soft_wrap=True)
    say(Text("\nLesen: spielleiter docs NAME, im Browser: --browser",
             "\nTo read: spielleiter docs NAME, in the browser: --browser"))  # fmt: skip


def _target(page: Path, link: str, folder: Path) -> str | None:
    """The name of the page to which a link on a page leads, or ``None`` if it leads elsewhere."""
    path = link.partition("#")[0]
    if "://" in link or not path.endswith(".md"):
        return None
    target, inside = (page.parent / path).resolve(), folder.resolve()
    if not target.is_relative_to(inside):
        return None
    for name, known in names(folder).items():
        if known.resolve() == target:
            return name
    stem, _, written_in = target.relative_to(inside).with_suffix("").as_posix().rpartition(".")
    # The same page in the other language; English ones often have no mark.
    return f"{stem} --lang {written_in}" if written_in in _LANGUAGES else f"{written_in} --lang en"


def _for_the_terminal(page: Path, folder: Path) -> str:
    """The page with its links as a reader of a terminal can follow them: by name."""

    def by_name(link: re.Match[str]) -> str:
        text, address = link[1], link[2]
        if "://" in address:
            return f"{text} ({address})"
        name = _target(page, address, folder)
        return text if name is None else f"{text} (*docs {name}*)"

    return _LINK.sub(by_name, _read(page))


def _write_site(folder: Path) -> Path:
    """All pages as HTML in a folder for temporary files, so that their links lead from one to the other."""
    site = kept_folder("docs")
    parser = MarkdownIt("commonmark").enable("table")
    with refusing(SettingsError, site, WRITE):
        for path in folder.rglob("*"):
            below = path.relative_to(folder)
            if path.suffix in (".svg", ".png"):
                (site / below).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, site / below)
            elif path.suffix == ".md":
                (site / below).parent.mkdir(parents=True, exist_ok=True)
                text = _LINK.sub(partial(_as_html_link, path, folder), _read(path))
                made = _PAGE.format(
                    language=language(),
                    title=escape(_title(path)),
                    contents=Text("Alle Seiten", "All pages").to(language()),
                    top="../" * (len(PurePosixPath(below).parts) - 1),
                    body=parser.render(text),
                )
                (site / below).with_suffix(".html").write_text(made, encoding="utf-8")
    return site


def _as_html_link(page: Path, folder: Path, link: re.Match[str]) -> str:
    text, (path, mark, place) = link[1], link[2].partition("#")
    if "://" in path or not path:
        return link[0]
    if not (page.parent / path).resolve().is_relative_to(folder.resolve()):
        return text  # Of the sources: a wheel does not have it.
    return f"[{text}]({path.removesuffix('.md')}.html{mark}{place})" if path.endswith(".md") else link[0]
