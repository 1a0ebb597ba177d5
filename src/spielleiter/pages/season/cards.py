"""Pictures for shared links (OpenGraph): a game with its board and result, a team with its places."""

from __future__ import annotations

from textwrap import wrap

from markupsafe import escape

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import SeasonGame, SeasonSnapshot
from spielleiter.game import Language, Look, Text
from spielleiter.pages.pictures import nested
from spielleiter.pages.season import views

WIDTH, HEIGHT = 1200, 630
_MARGIN = 56
_PAPER, _INK, _FAINT, _ACCENT = "#f6f4ef", "#1f2a33", "#5a6772", "#0f766e"
_LETTER = 0.66
"""How wide a bold letter is, as a part of the font's size."""
_GAP = (14, "")
"""A line without a text, between two names."""
_FONTS = "DejaVu Sans, Noto Sans, Arial, sans-serif"


def game_card(snapshot: SeasonSnapshot, game: SeasonGame, language: Language) -> str:
    """The last position of a game, who played it and how it ended, as an SVG picture."""
    encounter = snapshot.by_id[game.encounter]
    side = HEIGHT - 2 * _MARGIN
    board = snapshot.game.draw(snapshot.game.notation.parse_state(game.final), Look(theme="light", size=side))
    left = _MARGIN + side + _MARGIN
    title = snapshot.title(encounter).to(language)
    lines = [
        *_lines(encounter.teams[game.one].name, 54, 2, left, spare=1, bold=True, mark=game.winner == game.one),
        _GAP,
        *_lines(encounter.teams[1 - game.one].name, 54, 2, left, spare=1, bold=True, mark=game.winner == 1 - game.one),
        _GAP,
        *_lines(_verdict(game, language), 32, 3, left),
        *_lines(f"{snapshot.season.name} · {title}", 28, 2, left, faint=True),
    ]
    return _card(nested(board, _MARGIN, _MARGIN, side, side) + _stacked(lines, left))


def _verdict(game: SeasonGame, language: Language) -> str:
    if game.winner is None:
        head = Text("Unentschieden", "Draw") if game.points[0] else Text("Ohne Sieger", "Nobody wins")
    else:
        head = Text("Sieg", "Win")
    return f"{head.to(language)}: {game.reason.to(language)}"


def team_card(snapshot: SeasonSnapshot, team: views.TeamPage, language: Language) -> str:
    """A team, its school and its best place, as an SVG picture."""
    places = [
        f"{row.rank}. {snapshot.season.stage_name(stage).to(language)}"
        + (f", {views.group_name(group).to(language)}" if group else "")
        for stage, group, row in team.places
    ]
    if team.final_place is not None:
        places.insert(0, f"{team.final_place}. {snapshot.season.stage_name(Stage.FINAL).to(language)}")
    lines = [
        *_lines(team.team.name, 84, 2, _MARGIN, bold=True),
        *_lines(team.team.school, 42, 2, _MARGIN),
        *(line for place in places[:3] for line in _lines(place, 36, 1, _MARGIN)),
        *_lines(f"{snapshot.season.name} · {snapshot.game.title.to(language)}", 30, 1, _MARGIN, faint=True),
    ]
    return _card(_stacked(lines, _MARGIN))


def _card(contents: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>'
        f'<rect width="{WIDTH}" height="14" fill="{_ACCENT}"/>{contents}</svg>'
    )


def _lines(
    text: str,
    size: int,
    max_lines: int,
    left: int,
    *,
    spare: int = 0,
    bold: bool = False,
    faint: bool = False,
    mark: bool = False,
) -> list[tuple[int, str]]:
    """``text`` in at most so many lines of a font's ``size``, each with its height; ``spare`` ones before it is cut."""
    text = " ".join(text.split())
    wanted = len(text) * _LETTER * size / max_lines / (WIDTH - left - _MARGIN)
    size = int(size / min(1.8, max(1.0, 1.15 * wanted)))  # A long name in smaller letters, rather than cut.
    width = int((WIDTH - left - _MARGIN) / (_LETTER * size))
    found = wrap(text, width, max_lines=max_lines + spare, placeholder=" …", break_long_words=True)
    weight = ' font-weight="bold"' if bold else ""
    color = _FAINT if faint else _ACCENT if mark else _INK
    style = f'font-family="{_FONTS}" font-size="{size}" fill="{color}"{weight}'
    return [(int(1.3 * size), f"<text {style} {{place}}>{escape(line)}</text>") for line in found]


def _stacked(lines: list[tuple[int, str]], left: int) -> str:
    """The lines below each other, in the middle of the height."""
    y = (HEIGHT - sum(height for height, _ in lines)) // 2
    parts = []
    for height, line in lines:
        y += height
        if not line:
            continue
        head, _, rest = line.partition("{place}")
        parts.append(f'{head}x="{left}" y="{y - height // 4}"{rest}')
    return "".join(parts)
