"""The addresses of playing by hand."""

from __future__ import annotations

from spielleiter.web.play import friends, start, table
from spielleiter.web.rights import Access, Page

PAGES = (
    Page("/", start.start_page, Access.GUEST),
    Page("/tables/new", start.table_form, Access.GUEST),
    Page("/tables", start.new_table, Access.GUEST, "POST"),
    Page("/invite/{token}", friends.invitation_page, Access.GUEST),
    Page("/invite/{token}", friends.accept_invitation, Access.GUEST, "POST"),
    Page("/table/{key}", table.table_page, Access.GUEST),
    Page("/table/{key}/events", table.table_events, Access.GUEST),
    Page("/table/{key}/ply/{ply:int}", table.table_position, Access.GUEST),
    Page("/table/{key}/try", table.try_move, Access.GUEST),
    Page("/table/{key}/move", table.make_move, Access.GUEST, "POST"),
    Page("/table/{key}/{action}", table.table_action, Access.GUEST, "POST"),
)
