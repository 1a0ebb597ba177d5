"""Modules as one classic script, for pages that open without a server: browsers load no modules from files."""

from __future__ import annotations

import re

from spielleiter.pages.environment import STATIC

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(entry: str) -> str:
    """The module ``entry`` and all that it imports, each in a scope of its own, what is needed first.

    Raises ``ValueError`` for imports and exports in another form than ``import { a } from "./b.js"`` and ``export
    function``, ``class`` or ``const``.
    """
    scopes: dict[str, str] = {}
    _add(entry, scopes)
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(scopes.values()) + "})();\n"


def _add(name: str, scopes: dict[str, str]) -> None:
    source = (STATIC / name).read_text(encoding="utf-8")
    for needed in _IMPORT.finditer(source):
        if needed[2] not in scopes:
            _add(needed[2], scopes)
    exported = ", ".join(found[2] for found in _EXPORT.finditer(source))
    body = _EXPORT.sub(r"\1", _IMPORT.sub(r'const {\1} = modules["\2"];\n', source))
    if (other := _OTHER.search(body)) is not None:
        raise ValueError(f"{name}: {other[0]}")
    scopes[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();\n'
