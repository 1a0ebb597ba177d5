# Made from the games found: python -m tests.games.test_load
from typing import Literal, overload

from spielleiter.game import AnyGame, Game
from spielleiter.games import blokus, hase_und_igel, ostseeschach, pinguine, piranhas

@overload
def load(
    key: Literal["blokus-2021", "blokus-2021-official", "blokus-2027", "blokus-2027-official"],
) -> Game[blokus.State, blokus.Move]: ...
@overload
def load(
    key: Literal["hase-und-igel-2025", "hase-und-igel-2025-official"],
) -> Game[hase_und_igel.State, hase_und_igel.Move]: ...
@overload
def load(
    key: Literal["ostseeschach-2022", "ostseeschach-2022-official"],
) -> Game[ostseeschach.State, ostseeschach.Move]: ...
@overload
def load(
    key: Literal["pinguine-2023", "pinguine-2023-official"],
) -> Game[pinguine.State, pinguine.Move]: ...
@overload
def load(
    key: Literal["piranhas-2019", "piranhas-2019-official", "piranhas-2026", "piranhas-2026-official"],
) -> Game[piranhas.State, piranhas.Move]: ...
@overload
def load(key: str) -> AnyGame: ...
