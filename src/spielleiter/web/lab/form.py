"""The form for a new test: what stands in it, and what it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path

from starlette.datastructures import FormData, UploadFile

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.lab.kept_versions import UploadedZip
from spielleiter.lab.queue import WantedTest
from spielleiter.matches.executor import parse_cores
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.rating.sprt import LIMITS, Sprt
from spielleiter.text import whole_number
from spielleiter.web.uploads import store_upload

_MAX_VERSION = 400
DEFAULTS: Mapping[str, str] = {
    "new": "", "old": "", "game": games.CURRENT_SEASON, "kind": "sprt", "elo0": "0", "elo1": "10", "alpha": "0.05",
    "beta": "0.05", "model": "logistic", "pairs": "", "seconds": "", "nodes": "", "openings": "0", "random_moves": "4",
    "concurrency": "", "cores": "", "in_process": "", "note": "",
}  # fmt: skip
"""Every field of the form, as it stands there at first."""
_NAMES = {
    "elo0": Text("Elo von H0", "Elo of H0"),
    "elo1": Text("Elo von H1", "Elo of H1"),
    "alpha": Text("Irrtumsanteil α", "Error rate α"),
    "beta": Text("Irrtumsanteil β", "Error rate β"),
    "pairs": Text("Paare von Spielen", "Pairs of games"),
    "seconds": Text("Sekunden je Zug", "Seconds per move"),
    "nodes": Text("Knoten je Zug", "Nodes per move"),
    "random_moves": Text("Zufällige Züge am Anfang", "Random moves at the start"),
    "concurrency": Text("Spiele zugleich", "Games at once"),
}
_MAX_RANDOM_MOVES = 60


def form_values(form: FormData) -> dict[str, str]:
    """What was typed into each field, to be shown again."""
    found = {}
    for name in DEFAULTS:
        value = form.get(name, "")
        found[name] = value.strip()[: 2 * _MAX_VERSION] if isinstance(value, str) else ""
    return found


async def read_wanted_test(form: FormData, values: Mapping[str, str], uploads: Path) -> WantedTest:
    """The test that the form asks for; its ZIPs are written into the folder ``uploads``.

    Raises ``SettingsError``, ``ProgramError`` or ``BoundsError`` with what is wrong.
    """
    pairs = _whole(values, "pairs")
    sprt = None
    if values["kind"] == "sprt":
        model = next((known for known in LIMITS if known == values["model"]), None)
        if model is None:
            raise SettingsError(f"Ein Modell ist {' oder '.join(LIMITS)}.", f"a model is {' or '.join(LIMITS)}")
        elo0, elo1, alpha, beta = (_needed(values, name) for name in ("elo0", "elo1", "alpha", "beta"))
        sprt = Sprt(elo0, elo1, alpha, beta, model)
    elif pairs is None:
        raise SettingsError("Wie viele Paare von Spielen sollen es sein?", "how many pairs of games shall it be?")
    random_moves = _whole(values, "random_moves") or 0
    if random_moves > _MAX_RANDOM_MOVES:
        raise SettingsError(
            f"Höchstens {_MAX_RANDOM_MOVES} zufällige Züge am Anfang.", f"at most {_MAX_RANDOM_MOVES} random moves"
        )
    game = games.load(values["game"]).key
    concurrency = _whole(values, "concurrency")
    if concurrency is not None and not 1 <= concurrency <= 1000:
        raise SettingsError(
            f"Zugleich laufen 1 bis 1000 Spiele, nicht {concurrency}.", f"1 to 1000 games at once, not {concurrency}"
        )
    return WantedTest(
        versions=(await _version(form, values, uploads, "new"), await _version(form, values, uploads, "old")),
        game=game,
        sprt=sprt,
        pairs=pairs,
        openings=choose_openings(values["openings"] or "0", Order.FILE, 0, random_moves, game),
        seconds=_number(values, "seconds"),
        nodes=_whole(values, "nodes"),
        in_process=values["in_process"] == "1",
        concurrency=concurrency,
        cores=parse_cores(values["cores"]) if values["cores"] else None,
        note=values["note"],
    )


async def _version(form: FormData, values: Mapping[str, str], uploads: Path, side: str) -> str | UploadedZip:
    upload = form.get(f"{side}_zip")
    if isinstance(upload, UploadFile) and upload.filename:
        name = Path(upload.filename.replace("\\", "/")).name
        if not name.lower().endswith(".zip"):
            raise SettingsError(
                f"{name}: hochgeladen wird ein ZIP; für anderes gib den Pfad an.",
                f"{name}: upload a ZIP; give the path of anything else",
            )
        path = uploads / f"{side}.zip"
        await store_upload(upload, path)
        return UploadedZip(name, path)
    text = values[side]
    if not text or len(text) > _MAX_VERSION or not text.isprintable():
        which = Text("neue", "new") if side == "new" else Text("alte", "old")
        raise SettingsError(
            f"Nenne die {which.de} Version: einen Spieler, einen Ordner, ein ZIP oder ORDNER@COMMIT.",
            f"name the {which.en} version: a player, a folder, a ZIP or FOLDER@COMMIT",
        )
    return text


def _needed(values: Mapping[str, str], name: str) -> float:
    found = _number(values, name)
    if found is None:
        raise _no_number(values, name)
    return found


def _number(values: Mapping[str, str], name: str) -> float | None:
    if not values[name]:
        return None
    with suppress(ValueError):
        if isfinite(found := float(values[name].replace(",", "."))):
            return found
    raise _no_number(values, name)


def _whole(values: Mapping[str, str], name: str) -> int | None:
    if not values[name]:
        return None
    found = whole_number(values[name])
    if found is None:
        raise _no_number(values, name)
    return found


def _no_number(values: Mapping[str, str], name: str) -> SettingsError:
    shown, what = repr(values[name][:40]), _NAMES[name]
    return SettingsError(
        f"{what.de}: erwartet wird eine Zahl, nicht {shown}.", f"{what.en}: expected a number, not {shown}"
    )
