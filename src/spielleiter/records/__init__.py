"""Records of games: write, read, replay and verify them.

A record is one file a game, one JSON object a line, in the order in which things happened::

    start   format, game (the rule set), id, started (UTC), start (position), names, limits of ONE and TWO,
            clock ("kernel" if it gives timestamps, else "reading"), referee, software, and isolation (how the programs
            of ONE and TWO were sandboxed) where that is known
    move    ply, turn, team, move, requested, received, read, took, judged (the clock that counted), hints
    notes   ply, team, notes (what the player noted for that move, or before the end), problem, output (what its program
            printed): for its own people only, ``History.seen_by``
    clock   ply, team, limits: an administrator gave a player other limits
    end     winner, teams (cause and points of ONE and TWO), reason, end (by the rules, or null), offence (team, text,
            sent, its times), final (position), finished

Times are seconds since the start, to the microsecond; positions and moves are in the notation of the game. A file that
has no ``end`` is that of an unfinished game. ``took`` runs from ``requested`` to ``received`` or ``read``, whichever
clock judged. The modules: ``record`` has the values, ``writer`` and ``reader`` the files, ``verify`` the proof,
``replay_xml`` the replays of the seasons' own servers, ``load`` opens any of them; ``reference`` is something else: it
replays the recordings by which our rules are proved.
"""
