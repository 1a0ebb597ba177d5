"""Makes pages.png, the picture of the README: a recorded game of Blokus in the browser. Needs Chromium.

python docs/pictures/screenshot.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

HERE = Path(__file__).parent
SPIELLEITER = [sys.executable, "-m", "spielleiter", "--lang", "en"]
SIZE = (1280, 860)
CHROMIUM = [
    "chromium",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
]


def main() -> None:
    """Play a match, open its last game, and take the picture."""
    with TemporaryDirectory() as folder:
        match = ["match", "student", "greedy", "--games", "2", "--in-process", "--out", f"{folder}/match"]
        subprocess.run([*SPIELLEITER, *match], check=True, stdout=subprocess.DEVNULL)
        record = max(Path(folder, "match", "records").glob("*.jsonl"))
        pages = ["replay", "open", str(record), "--no-browser", "--port", "8977", "--game-port", "13977"]
        with subprocess.Popen(
            [*SPIELLEITER, *pages], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as web:
            assert web.stdout is not None
            address = next(found[0] for line in web.stdout if (found := re.search(r"http://\S+/replay/\S+", line)))
            shot = [f"--user-data-dir={folder}/chromium", f"--window-size={SIZE[0]},{SIZE[1]}", "--hide-scrollbars"]
            command = [*CHROMIUM, *shot, f"--screenshot={folder}/pages.png", address]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            web.terminate()
        picture = Image.open(f"{folder}/pages.png").convert("RGB")
        picture.resize((960, 645), Image.Resampling.LANCZOS).quantize(200).save(HERE / "pages.png", optimize=True)


if __name__ == "__main__":
    main()
