"""What a class sees on the projector: the way in, the task with its answers, the pairs of a round, the table."""

from __future__ import annotations

from typing import Any

from spielleiter.game import Language
from spielleiter.pages.pictures import qr_code
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.rounds import scores
from spielleiter.web.classroom.seats import JOIN
from spielleiter.web.classroom.state import ClassScene, ClassState, TaskKind
from spielleiter.web.classroom.tasks import chosen_moves, position_board, task_view

_MAX_NAMES = 60
_MAX_ROWS = 24
"""Rows of a table in two columns: more would be too small to read from the back of the room."""
_MAX_ANSWERS = 6


def shows_games(classroom: Classroom) -> bool:
    """Whether the projector shows the running games, as it does without a class."""
    return classroom.state.scene is ClassScene.GAMES


def class_scene(classroom: Classroom, language: Language, base: str) -> dict[str, Any]:
    """What the template needs for the scene that the host has chosen; where it has nothing to show, the way in."""
    state = classroom.state
    scene, address = _scene(state), f"{base}{JOIN}"
    found: dict[str, Any] = {"class_scene": scene.value, "state": state, "game": classroom.game}
    match scene:
        case ClassScene.JOIN:
            people = sorted(state.people.values(), key=lambda person: person.joined)
            found |= {
                "join_qr": qr_code(f"{address}?code={state.code}"),
                "join_address": address.partition("://")[2],
                "people": people[-_MAX_NAMES:],
                "number": len(people),
            }
        case ClassScene.TASK:
            task = state.task
            assert task is not None
            is_position = task.kind is TaskKind.POSITION
            found |= {
                "task": task_view(classroom, task),
                "done": sum(state.is_done(task, person) for person in state.people),
                "number": len(state.people),
                "is_position": is_position,
                "board": position_board(state, task) if is_position else "",
                "chosen": chosen_moves(state, task)[:_MAX_ANSWERS] if is_position and task.is_shown else [],
            }
        case ClassScene.ROUND:
            assert state.round is not None
            found |= {"round": state.round, "until": classroom.until(state.round.ends)}
        case ClassScene.TABLE:
            found |= {"rows": scores(state)[:_MAX_ROWS]}
        case ClassScene.TOURNAMENT:
            tournament = state.tournament
            assert tournament is not None
            found |= {
                "rows": classroom.tournaments.table(tournament)[:_MAX_ROWS],
                "shown": state.shown_names(tournament),
                "progress": classroom.tournaments.progress(tournament),
                "is_over": tournament.is_over,
            }
        case ClassScene.GAMES:
            pass
    return found


def _scene(state: ClassState) -> ClassScene:
    is_empty = {
        ClassScene.TASK: state.task is None,
        ClassScene.ROUND: state.round is None,
        ClassScene.TABLE: not scores(state),
        ClassScene.TOURNAMENT: state.tournament is None,
    }
    return ClassScene.JOIN if is_empty.get(state.scene, False) else state.scene
