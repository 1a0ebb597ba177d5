"""The addresses of recorded games."""

from __future__ import annotations

from spielleiter.web.replays import downloads, faults, replay, report
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/replays", replay.replay_list, Access.GUEST),
    Page("/replays", replay.open_replay, Access.GUEST, "POST"),
    Page("/replay/{key}", replay.replay_page, Access.SEASON_RECORD),
    Page("/replay/{key}/fault", faults.fault_page, Access.SEASON_RECORD),
    Page("/replay/{key}/fault/log.txt", faults.program_log, Access.SEASON_RECORD),
    Page("/replay/{key}/report", report.report_page, Access.GUEST),
    Page("/replay/{key}/{ply:int}", replay.replay_page, Access.SEASON_RECORD),
    Page("/replay/{key}/{ply:int}/{form}", downloads.picture, Access.SEASON_RECORD),
    Page("/embed/game/{id:int}", replay.embedded_game, Access.EVERYBODY),
    Page("/replay/{key}/download/{form}", downloads.download, Access.SEASON_RECORD),
)
