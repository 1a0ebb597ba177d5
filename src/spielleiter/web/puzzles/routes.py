"""The addresses of the puzzles."""

from __future__ import annotations

from spielleiter.web.puzzles import index, puzzle
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/puzzles", index.index_page, Access.GUEST),
    Page("/puzzles/daily", index.daily, Access.GUEST),
    Page("/puzzles/next", index.next_puzzle, Access.GUEST),
    Page("/puzzles/{id}", puzzle.puzzle_page, Access.GUEST),
    Page("/puzzles/{id}/move", puzzle.make_move, Access.GUEST, "POST"),
    Page("/puzzles/{id}/try", puzzle.try_move, Access.GUEST),
    Page("/puzzles/{id}/solution/{ply:int}", puzzle.solution_page, Access.GUEST),
    Page("/puzzles/{id}/{line}", puzzle.puzzle_page, Access.GUEST),
)
