"""The player with which the workshop begins: it already plays, and shows where to go on."""

from __future__ import annotations

from spielleiter.game import AnyGame
from spielleiter.text import Language, Text

_PLAYER = Text(
    '''\
"""Mein Spieler für {title.de}."""

from spielleiter import games
from spielleiter.client import note, play

GAME = games.load("{key}")


def choose(state, seconds):
    """Der Zug in dieser Stellung; nach so vielen Sekunden muss die Antwort da sein."""
    best = None
    best_value = -1000
    for move in state.legal_moves():
        after = state.play(move)  # die Stellung nach dem Zug
        v = value(after, state.to_move)
        if v > best_value:
            best, best_value = move, v
    print("So gut finde ich meinen Zug:", best_value)
    return best


def value(state, me):
    """Wie gut die Stellung für mich ist: Hier machst du den Spieler stärker."""
    mine = state.points(me)[-1]
    theirs = state.points(me.opponent)[-1]
    return mine - theirs


if __name__ == "__main__":
    play(choose, game=GAME.key)
''',
    '''\
"""My player for {title.en}."""

from spielleiter import games
from spielleiter.client import note, play

GAME = games.load("{key}")


def choose(state, seconds):
    """The move in this position; the answer must be there after so many seconds."""
    best = None
    best_value = -1000
    for move in state.legal_moves():
        after = state.play(move)  # the position after the move
        v = value(after, state.to_move)
        if v > best_value:
            best, best_value = move, v
    print("How good I think my move is:", best_value)
    return best


def value(state, me):
    """How good the position is for me: here you make the player stronger."""
    mine = state.points(me)[-1]
    theirs = state.points(me.opponent)[-1]
    return mine - theirs


if __name__ == "__main__":
    play(choose, game=GAME.key)
''',
)


def first_player(game: AnyGame, language: Language) -> str:
    """The code for a game, explained in a language."""
    return _PLAYER.to(language).format(title=game.title, key=game.key)
