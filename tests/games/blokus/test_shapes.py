"""The shapes of Blokus and the names of their positions."""

from __future__ import annotations

from collections import Counter

import pytest

from spielleiter.game import Team
from spielleiter.games.blokus import Color, Pass, Place, Rotation, Shape
from spielleiter.games.blokus.shapes import COLORS, KINDS, ORIENTATIONS, ORIENTATIONS_OF, PENTOMINOES, ROTATIONS
from tests.support import blokus_naive as naive
from tests.support.blokus_positions import start


def test_r2_the_teams_play_two_colors_each() -> None:
    assert [color.name for color in COLORS] == ["BLUE", "YELLOW", "RED", "GREEN"]
    assert [color.team for color in COLORS] == [Team.ONE, Team.TWO, Team.ONE, Team.TWO]
    assert "".join(color.letter for color in COLORS) == "BYRG"
    assert Color.GREEN.text.de == "Grün"


def test_r3_every_shape_of_one_to_five_squares_is_there_once() -> None:
    assert Counter(kind.size for kind in KINDS) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}
    assert sum(kind.size for kind in KINDS) == 89
    assert set(PENTOMINOES) == {kind for kind in Shape if kind.name.startswith("PENTO")}
    all_ways = [way for ways in naive.WAYS.values() for way in ways]
    assert len(all_ways) == len(set(all_ways)) == len(ORIENTATIONS) == 91


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("rotation", ROTATIONS, ids=lambda rotation: rotation.name)
@pytest.mark.parametrize("flipped", [False, True])
def test_r4_a_name_means_turn_then_flip_then_place(kind: Shape, rotation: Rotation, flipped: bool) -> None:
    placed = Place(Color.RED, kind, rotation, flipped, 7, -3)
    assert set(placed.cells) == naive.lay(kind.name, rotation.name, flipped, 7, -3)
    assert list(placed.cells) == sorted(placed.cells, key=lambda cell: (cell[1], cell[0]))


def test_r4_two_names_of_the_same_squares_are_one_move_that_keeps_its_name() -> None:
    plain = Place(Color.BLUE, Shape.PENTO_I, Rotation.NONE, False, 3, 4)
    turned = Place(Color.BLUE, Shape.PENTO_I, Rotation.MIRROR, True, 3, 4)
    assert plain == turned
    assert hash(plain) == hash(turned)
    assert (turned.rotation, turned.flipped) == (Rotation.MIRROR, True)
    assert str(turned) == "B PENTO_I MIRROR FLIP 3,4"
    after = start(kind=Shape.PENTO_I).play(Place(Color.BLUE, Shape.PENTO_I, Rotation.LEFT, True, 0, 0))
    assert isinstance(after.last_move, Place)
    assert after.last_move.rotation is Rotation.LEFT


@pytest.mark.parametrize(
    "other",
    [
        Place(Color.RED, Shape.PENTO_L, Rotation.NONE, False, 3, 4),
        Place(Color.BLUE, Shape.PENTO_Y, Rotation.NONE, False, 3, 4),
        Place(Color.BLUE, Shape.PENTO_L, Rotation.RIGHT, False, 3, 4),
        Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, True, 3, 4),
        Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, False, 4, 4),
        Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, False, 3, 5),
        Pass(Color.BLUE),
    ],
    ids=str,
)
def test_other_squares_colors_or_kinds_are_other_moves(other: Place) -> None:
    assert Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, False, 3, 4) != other


def first_names(kind: Shape) -> list[str]:
    ways = [ORIENTATIONS[index] for index in ORIENTATIONS_OF[kind]]
    return [f"{way.rotation.name}{' FLIP' if way.flipped else ''}" for way in ways]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Shape.MONO, ["NONE"]),
        (Shape.PENTO_X, ["NONE"]),
        (Shape.DOMINO, ["NONE", "RIGHT"]),
        (Shape.PENTO_I, ["NONE", "RIGHT"]),
        (Shape.TRIO_L, ["NONE", "NONE FLIP", "RIGHT", "RIGHT FLIP"]),
        (Shape.PENTO_Z, ["NONE", "NONE FLIP", "RIGHT", "RIGHT FLIP"]),
        (Shape.PENTO_W, ["NONE", "NONE FLIP", "RIGHT", "RIGHT FLIP"]),
        (Shape.PENTO_T, ["NONE", "RIGHT", "RIGHT FLIP", "MIRROR"]),
        (Shape.PENTO_L, [f"{turn}{flip}" for turn in ("NONE", "RIGHT", "MIRROR", "LEFT") for flip in ("", " FLIP")]),
    ],
)  # fmt: skip
def test_moves_are_listed_under_the_first_of_their_names_as_the_servers_do(kind: Shape, names: list[str]) -> None:
    assert first_names(kind) == names
    listed = {
        f"{move.rotation.name}{' FLIP' if move.flipped else ''}"
        for move in start("blokus-2027", kind).placements()
    }  # fmt: skip
    assert listed <= set(names)
