"""The scenes of the show as HTML, for the screen of a hall and for the phones in it."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from spielleiter.contest.season.names import parse_game_name
from spielleiter.contest.season.snapshot import Encounter, SeasonSnapshot
from spielleiter.feeds.live import Audience, LiveGame
from spielleiter.game import TEAMS, Language, Look, Team
from spielleiter.pages import boards, charts, words
from spielleiter.pages.environment import render
from spielleiter.pages.pictures import qr_code
from spielleiter.pages.season import views
from spielleiter.pages.season.introduction import introduce
from spielleiter.pages.season.programme import encounter_of_game, programme_of
from spielleiter.pages.updates import Moment, PageUpdate
from spielleiter.web.classroom.scenes import class_scene, shows_games
from spielleiter.web.watch.show import PROGRAMME_SECONDS, Scene, Shown, judgements
from spielleiter.web.web_app import WebApp

_OPEN_PLIES = 10
"""Who wins a game without a season may be guessed during so many plies."""


def now_shown(app: WebApp, audience: Audience) -> Shown:
    """What is on the screen, for a visitor with these rights."""
    if app.classroom is not None and app.show.held is None and not shows_games(app.classroom):
        return Shown(Scene.CLASS)
    snapshot = _snapshot(app)
    shown = app.show.shown(
        app.live.all(),
        has_season=snapshot is not None,
        is_over=snapshot is not None and bool(snapshot.knockout.places),
        now=time.monotonic(),
    )
    if shown.game is not None and shown.game.audience > audience:
        return Shown(Scene.WAITING if snapshot is None else Scene.PROGRAMME)
    return shown


def _snapshot(app: WebApp) -> SeasonSnapshot | None:
    return None if app.show.pages is None else app.show.pages.snapshot


def update(app: WebApp, template: str, language: Language, audience: Audience, *, qr: str = "") -> PageUpdate:
    """The scene for the screen (``stage``) or for a phone (``phone``), and what is to be said aloud."""
    shown = now_shown(app, audience)
    context: dict[str, Any]
    match shown.scene:
        case Scene.GAME | Scene.TURNING_POINT:
            assert shown.game is not None
            make = _game if shown.scene is Scene.GAME else _turning_point
            context = make(app, shown.game, shown.ply, language)
        case Scene.INTRODUCTION:
            assert shown.game is not None
            context = _introduction(app, shown.game, language)
        case Scene.PROGRAMME | Scene.WINNER:
            context = _programme(app)
        case Scene.CLASS:
            assert app.classroom is not None
            context = class_scene(app.classroom, language, app.base_url or app.own_url)
        case Scene.WAITING:
            context = {}
    html = render(
        f"watch/{template}.html",
        language,
        scene=shown.scene.value,
        held=app.show.held is not None,
        qr=qr_code(qr) if qr else "",
        address=qr.partition("://")[2],
        views=views,
        counts=app.show.guesses.counts,
        **context,
    )
    return PageUpdate(parts={template: html}, speech=context.get("speech"), moment=_moment(shown))


def _moment(shown: Shown) -> Moment | None:
    """How far the game on the screen is, for sounds; the winner of a season is a game that is won."""
    live = shown.game
    if shown.scene is Scene.WINNER or live is None:
        ending = "fanfare" if shown.scene is Scene.WINNER else ""
        return Moment(room=None, ply=0, mine=False, over=bool(ending), ending=ending)
    is_over = live.is_over and shown.scene is not Scene.INTRODUCTION
    return Moment(room=live.room_id, ply=shown.ply, mine=False, over=is_over)


# --- a game -----------------------------------------------------------------------------------------------------------


def _game(app: WebApp, live: LiveGame, ply: int, language: Language) -> dict[str, Any]:
    history = live.history
    is_newest = ply == len(history.plies)
    state, result = history.states[ply], history.result if is_newest else None
    with_engine = app.analyst.why_unavailable(history.game) is None
    said = app.show.remark(live, ply, with_engine=with_engine)
    chance = app.evaluation(live) if is_newest else live.chance_at(ply)
    asked = app.asked(live) if is_newest else None
    sides = words.players_at(
        history, ply, language, running=not live.is_over, result=result, asked=asked, now=time.monotonic()
    )
    return {
        **_around(app, live, sides, language),
        "board": boards.board(history.game, state, look=Look(score=False)),
        "chance": chance,
        "has_engine": with_engine,
        "curve": _curve(live, ply, (), language),
        "status": _status(app, live, ply, language),
        "remark": "" if said is None else said[1].to(language),
        "speech": None if said is None else {"id": f"{live.room_id} {said[0]}", "text": said[1].to(language)},
    }


def _introduction(app: WebApp, live: LiveGame, language: Language) -> dict[str, Any]:
    """The two teams before their first game; phones see the board already, and may guess."""
    snapshot = _snapshot(app)
    encounter = None if snapshot is None else encounter_of_game(snapshot, live.room_id)
    teams = () if snapshot is None or encounter is None else introduce(snapshot, encounter)
    context = _game(app, live, len(live.history.plies), language)
    if snapshot is not None and encounter is not None:
        context["title"] = snapshot.title(encounter).to(language)
    return {**context, "introductions": teams, "speech": None}


def _turning_point(app: WebApp, live: LiveGame, ply: int, language: Language) -> dict[str, Any]:
    """The position before the worst blunder, with what was played and what would have been better."""
    history, played, judged = live.history, live.history.plies[ply], live.judgements[ply]
    state = played.before
    assert judged is not None  # The engine is sure of a turning point.
    drawn = Look(last_move=False, score=False)
    with_played = boards.move_look(history.game, state, played.move, drawn, "mark")
    has_arrows = bool(with_played.arrows)  # Tiles of both moves could lie upon each other.
    if has_arrows:
        drawn = with_played
    drawn = boards.move_look(history.game, state, judged.move, drawn)
    # Nobody has won in that position: a winner beside a small chance would contradict the bar.
    sides = words.players_at(history, ply, language, running=False, result=None)
    said = app.show.remark(live, ply + 1, with_engine=True)
    return {
        **_around(app, live, sides, language),
        "board": boards.board(history.game, state, look=drawn),
        "chance": judged.win_probability,
        "has_engine": True,
        "curve": _curve(live, len(history.plies), (ply + 1,), language),
        "ply": ply + 1,
        "has_arrows": has_arrows,
        "remark": "" if said is None else said[1].to(language),
    }


def _around(app: WebApp, live: LiveGame, sides: list[dict[str, Any]], language: Language) -> dict[str, Any]:
    """Title, players and the score of the encounter; the team that its encounter names first stands on the left."""
    snapshot = _snapshot(app)
    encounter = None if snapshot is None else encounter_of_game(snapshot, live.room_id)
    left, number = TEAMS[0], 0
    for side in sides:
        side["school"] = ""
    if encounter is not None and snapshot is not None:
        left = Team.ONE if live.history.names[0] == encounter.teams[0].name else Team.TWO
        number = _number(live)
        for team, entry in zip((left, left.opponent), encounter.teams, strict=True):
            sides[team]["school"] = entry.school
    return {
        "family": live.history.game.family,
        "input_kind": boards.input_kind(live.history.game),
        "room": live.room_id,
        "title": title_of(app, live, language),
        "sides": [sides[left], sides[left.opponent]],
        "left": left.name.lower(),
        "score": None if encounter is None else _score(encounter, live, number, left),
        "question": _question(live, encounter),
    }


def title_of(app: WebApp, live: LiveGame, language: Language) -> str:
    """Where a game belongs: its matchday or round and its number there; without a season, what is played."""
    snapshot = _snapshot(app)
    encounter = None if snapshot is None else encounter_of_game(snapshot, live.room_id)
    if snapshot is None or not _number(live):
        return live.history.game.title.to(language)
    # An encounter that was drawn a moment ago is not yet in the snapshot, but its game may be on.
    place = snapshot.season.name if encounter is None else snapshot.title(encounter).to(language)
    return f"{place} · {'Spiel' if language == 'de' else 'Game'} {_number(live)}"


def _number(live: LiveGame) -> int:
    """The place of a game in its encounter; 0 outside of a season."""
    name = parse_game_name(live.room_id)
    return 0 if name is None else name.number


def _score(encounter: Encounter, live: LiveGame, number: int, left: Team) -> tuple[int, int]:
    """The games that each team has won, with the one that is just over: the store learns of it a little later."""
    one, two = encounter.won
    if live.history.result is None or live.history.result.winner is None or number <= encounter.games:
        return one, two
    return (one + 1, two) if live.history.result.winner is left else (one, two + 1)


def _curve(live: LiveGame, ply: int, marked: tuple[int, ...], language: Language) -> Markup:
    """The chances through the game; positions that went by too quickly for the engine leave no holes in it."""
    chances = [None if judged is None else judged.win_probability for judged in judgements(live, ply)]
    winner = None if live.history.result is None else live.history.result.winner
    if winner is not None and ply == len(live.history.plies):
        chances[-1] = float(winner is Team.ONE)  # As the bar below it has it.
    known = [(at, chance) for at, chance in enumerate(chances) if chance is not None]
    for (first, before), (last, after) in pairwise(known):
        for at in range(first + 1, last):
            chances[at] = before + (after - before) * (at - first) / (last - first)
    if known:
        last, chance = known[-1]
        chances[last:] = [chance] * (len(chances) - last)
    return charts.chance_curve(chances, marked, language)


def _status(app: WebApp, live: LiveGame, ply: int, language: Language) -> str:
    if live.history.result is not None and ply == len(live.history.plies):
        return words.ending(live.history, language)
    german = language == "de"
    if live.is_lost:
        return "Unterbrochen: geht gleich weiter" if german else "Interrupted: it will go on"
    color = live.history.game.color_to_move(live.history.states[ply]).to(language)
    return f"Zug {ply + 1}: {color}" if german else f"Move {ply + 1}: {color}"


# --- guesses ----------------------------------------------------------------------------------------------------------


def _question(live: LiveGame, encounter: Encounter | None) -> dict[str, Any]:
    """What can be guessed about this game: who wins its encounter, or the game itself where there is no season."""
    if encounter is not None:
        return question_of(encounter)
    is_open = len(live.history.plies) < _OPEN_PLIES and not live.is_over
    return {"id": live.room_id, "names": live.history.names, "is_open": is_open}


def question_of(encounter: Encounter) -> dict[str, Any]:
    """Who wins an encounter: to be guessed until its first game is over."""
    one, two = (team.name for team in encounter.teams)
    return {"id": encounter.key, "names": (one, two), "is_open": not encounter.games and not encounter.is_over}


def is_open(app: WebApp, question: str, audience: Audience) -> bool:
    """Whether something can be guessed just now."""
    snapshot = _snapshot(app)
    encounter = None if snapshot is None else snapshot.by_key.get(question)
    if encounter is not None:
        return bool(question_of(encounter)["is_open"])
    live = app.live.get(question)
    return live is not None and live.audience <= audience and bool(_question(live, None)["is_open"])


# --- between the games ------------------------------------------------------------------------------------------------


def _programme(app: WebApp) -> dict[str, Any]:
    pages = app.show.pages
    programme = None if pages is None else programme_of(pages)
    return {
        "programme": programme,
        "page": None if programme is None else programme.pages[programme_page(len(programme.pages))],
        "questions": [] if programme is None else [question_of(each) for each in programme.encounters],
    }


def programme_page(number: int) -> int:
    """Which of ``number`` pages has its turn to be shown."""
    return int(time.monotonic() / PROGRAMME_SECONDS) % max(1, number)
