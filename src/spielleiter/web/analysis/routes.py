"""The addresses of the analysis board."""

from __future__ import annotations

from spielleiter.web.analysis import board, editor
from spielleiter.web.rights import Access, Page

# Where there is a season, its games are for everybody, and so is their analysis: the pool is bounded, and players come
# first.
PAGES = (
    Page("/analysis", board.free_board, Access.SPECTATOR),
    Page("/analysis/look", board.show_position, Access.SPECTATOR),
    Page("/analysis/events", board.engine_events, Access.SPECTATOR),
    Page("/analysis/try", board.try_move, Access.SPECTATOR),
    Page("/analysis/move", board.play_move, Access.SPECTATOR, "POST"),
    Page("/analysis/edit", editor.edit_page, Access.SPECTATOR),
    Page("/analysis/edit", editor.check_setup, Access.SPECTATOR, "POST"),
    Page("/analysis/record", board.free_record, Access.SPECTATOR),
    Page("/replay/{key}/analysis", board.replay_board, Access.SEASON_RECORD),
    Page("/replay/{key}/analysis/record", board.replay_record, Access.SEASON_RECORD),
    Page("/watch/{room}/analysis", board.live_board, Access.SPECTATOR),
)
