"""Makes pages.png, the picture of the README: a game in the browser, and the table of its match. Needs Chromium.

python docs/pictures/screenshot.py
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

HERE = Path(__file__).parent
SPIELLEITER = [sys.executable, "-m", "spielleiter", "--lang", "en"]
PLAYERS = ["student", "greedy"]
PAGE, TERMINAL, WIDTH = (1280, 860), (1280, 250), 960
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]


def main() -> None:
    """Play a match, open its last game, and take the pictures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = _play(folder / "match")
        (folder / "table.html").write_text(f"<style>body{{margin:0;background:#fff}}svg{{width:100%}}</style>{table}")
        record = max((folder / "match" / "records").glob("*.jsonl"))
        pages = ["replay", "open", str(record), "--no-browser", "--port", "0", "--game-port", "0"]
        with subprocess.Popen(
            [*SPIELLEITER, *pages], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as web:
            assert web.stdout is not None
            address = next(found[0] for line in web.stdout if (found := re.search(r"http://\S+/replay/\S+", line)))
            page = _shot(folder, address, PAGE)
            web.terminate()
        terminal = _shot(folder, (folder / "table.html").as_uri(), TERMINAL)
        both = Image.new("RGB", (PAGE[0], PAGE[1] + TERMINAL[1]), "white")
        both.paste(page, (0, 0))
        both.paste(terminal, (0, PAGE[1]))
        small = both.resize((WIDTH, both.height * WIDTH // both.width), Image.Resampling.LANCZOS)
        small.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(HERE / "pages.png", optimize=True)


def _play(folder: Path) -> str:
    """What a match prints at its end, drawn as a window."""
    command = ["match", *PLAYERS, "--games", "20", "--in-process"]
    narrow = os.environ | {"COLUMNS": "84", "NO_COLOR": "1"}
    printed = subprocess.run(
        [*SPIELLEITER, *command, "--out", str(folder)], check=True, capture_output=True, text=True, env=narrow
    ).stdout.splitlines()
    first = max(number for number, line in enumerate(printed) if "Elo" in line and "player" in line)
    table = [line for line in printed[first:] if line.strip()][: 2 + len(PLAYERS)]
    verdict = next(line for line in printed[first:] if "% interval" in line)
    console = Console(record=True, width=84, file=StringIO(), legacy_windows=False, highlight=False)
    console.print(*table, "", f" {verdict}", sep="\n", markup=False)
    title = f"spielleiter {' '.join(command)}"
    return console.export_svg(title=title, theme=DEFAULT_TERMINAL_THEME)


def _shot(folder: Path, address: str, size: tuple[int, int]) -> Image.Image:
    command = [*CHROMIUM, f"--user-data-dir={folder}/chromium", f"--window-size={size[0]},{size[1]}"]
    subprocess.run([*command, f"--screenshot={folder}/shot.png", address], check=True, stderr=subprocess.DEVNULL)
    return Image.open(folder / "shot.png").convert("RGB")


if __name__ == "__main__":
    main()
