"""What the editor completes and explains: the types of a game as they are, read from the package itself."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from spielleiter.game import AnyGame, GameState, Outcome, Team

_MAX_DOC = 400


def completions(game: AnyGame) -> dict[str, Any]:
    """For each type that a player meets: its names, how each is called, and the first sentence of its description.

    ``owners`` says which type a variable of a usual name has.
    """
    return _completions(game.key, game)


@cache
def _completions(key: str, game: AnyGame) -> dict[str, Any]:
    state = game.new_state(Random(0))
    move = state.legal_moves()[0]
    types: dict[str, type] = {
        "State": type(state),
        "Move": type(move),
        "Team": Team,
        "Outcome": Outcome,
        "Game": type(game),
    }
    owners = {
        "State": ("state", "after", "next_state", "new_state", "before", "position", "self.state"),
        "Move": ("move", "best", "best_move", "answer", "reply"),
        "Team": ("team", "me", "opponent", "to_move", "winner"),
        "Outcome": ("outcome",),
        "Game": ("GAME", "game"),
    }
    return {
        "types": {name: list(_members(kind)) for name, kind in types.items()},
        "owners": {variable: name for name, variables in owners.items() for variable in variables},
    }


def _members(kind: type) -> Iterator[dict[str, str]]:
    fields = _field_docs(kind)
    annotations = _annotations(kind)
    ours = (base for base in kind.__mro__ if base.__module__.startswith("spielleiter"))
    for name in dict.fromkeys((*annotations, *(name for base in ours for name in sorted(vars(base))))):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(kind, name, None)
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if inspect.isfunction(value):
            yield {"name": name, "kind": "method", "detail": _signature(value), "doc": _doc(name, value)}
        elif isinstance(value, property):
            returned = _shown(typing.cast("Any", value.fget).__annotations__.get("return", ""))
            yield {"name": name, "kind": "property", "detail": returned, "doc": _doc(name, value)}
        elif name in annotations:
            yield {"name": name, "kind": "property", "detail": _shown(annotations[name]), "doc": fields.get(name, "")}
        elif isinstance(value, kind):
            yield {"name": name, "kind": "constant", "detail": kind.__name__, "doc": ""}


def _annotations(kind: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found |= inspect.get_annotations(base)
    return found


def _signature(function: Any) -> str:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "()"
    parameters = [
        parameter.name
        if parameter.annotation is parameter.empty
        else f"{parameter.name}: {_shown(parameter.annotation)}"
        for parameter in list(signature.parameters.values())
        if parameter.name not in ("self", "cls")
    ]
    returned = signature.return_annotation
    arrow = "" if returned is signature.empty else f" → {_shown(returned)}"
    return f"({', '.join(parameters)}){arrow}"


def _shown(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return text.replace("typing.", "")


def _doc(name: str, value: Any) -> str:
    """What it says of itself, or what the contract says of it."""
    return _first_sentence(value.__doc__ or getattr(getattr(GameState, name, None), "__doc__", None))


def _first_sentence(doc: str | None) -> str:
    text = " ".join(inspect.cleandoc(doc or "").split("\n\n")[0].split())
    return text.replace("``", "")[:_MAX_DOC]


def _field_docs(kind: type) -> dict[str, str]:
    """The texts below the fields of a class, which are there only in its source."""
    found: dict[str, str] = {}
    for base in kind.__mro__:
        try:
            tree = ast.parse(inspect.cleandoc(inspect.getsource(base)))
        except (OSError, TypeError, SyntaxError):
            continue
        [definition] = tree.body
        assert isinstance(definition, ast.ClassDef)
        for field, text in zip(definition.body, definition.body[1:], strict=False):
            is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
                assert isinstance(text, ast.Expr)
                assert isinstance(text.value, ast.Constant)
                found.setdefault(field.target.id, _first_sentence(str(text.value.value)))
    return found
