"""Every game as a PettingZoo environment: its own conformance tests, and what we promise beyond them."""

from __future__ import annotations

import copy
import pickle
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from spielleiter import games, rl
from spielleiter.errors import IllegalMove, NotationError, SettingsError, UnknownGame
from spielleiter.game import TEAMS
from spielleiter.rl import states
from spielleiter.rl.environment import AGENTS
from spielleiter.search import engine

KEYS = list(games.all_games())
each_game = pytest.mark.parametrize("key", KEYS)
one_of_each = pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])

TWO_MOVES_TWICE = (
    "blokus-2027 13YYR2RR/11YYY2RRR1/8YYY3YY3R/8Y1Y2YYY1RRR/15BBB2/16BB1B/18BB/18B1/18B1/16BB2/16BB2/15B4/14BB4/"
    "9G4B5/7GGG10/7G12/8GGGG8/10G9/7GGG10/9GG9 13 PENTO_S BYRG -"
)
"""Yellow's turn; red after it has no move, so that green comes next."""


def act_at_random(env: Any, chance: Random) -> int:
    """One action of the agent to act, any legal one."""
    mask = env.observe(env.agent_selection)["action_mask"]
    action = int(chance.choice(np.flatnonzero(mask)))
    env.step(action)
    return action


@one_of_each
def test_without_the_engine_an_environment_is_the_same(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast: Any = rl.env(key)
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    slow: Any = rl.env(key)
    assert isinstance(slow.game.new_state(Random(1)), type(games.load(key).new_state(Random(1))))
    chance = Random(2)
    fast.reset(seed=5)
    slow.reset(seed=5)
    while fast.agents and not any(fast.terminations.values()):
        for agent in fast.agents:
            one, other = fast.observe(agent), slow.observe(agent)
            assert np.array_equal(one["observation"], other["observation"])
            assert np.array_equal(one["action_mask"], other["action_mask"])
        slow.step(act_at_random(fast, chance))
    assert (fast.rewards, fast.infos) == (slow.rewards, slow.infos)


# --- PettingZoo's own tests ------------------------------------------------------------------------------------------


@each_game
# We observe planes and mask in a dictionary as the classic games do, whose names the test knows by heart; when the game
# is over there is nothing to do.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
def test_pettingzoo_finds_the_interface_right(key: str) -> None:
    from pettingzoo.test.api_test import api_test

    api_test(rl.env(key, seed=1), num_cycles=60)


@each_game
def test_pettingzoo_finds_the_same_seed_to_give_the_same_game(key: str) -> None:
    from pettingzoo.test.seed_test import seed_test

    seed_test(lambda: rl.env(key), num_cycles=20)


# --- the game is the game --------------------------------------------------------------------------------------------


@each_game
def test_a_game_is_played_by_its_rules_to_its_end(key: str) -> None:
    game, chance = games.load(key), Random(3)
    env: Any = rl.env(key)
    env.reset(seed=3)
    state = game.new_state(Random(3))
    while state.outcome is None:
        assert env.agent_selection == AGENTS[state.to_move]
        assert set(env.rewards.values()) == {0.0}
        seen, waiting = env.observe(AGENTS[state.to_move]), env.observe(AGENTS[state.to_move.opponent])
        assert {game.encoding.move(state, int(action)) for action in np.flatnonzero(seen["action_mask"])} == set(
            state.legal_moves()
        )
        assert not waiting["action_mask"].any()
        assert seen["observation"].tobytes() == game.encoding.plane_bytes(state, state.to_move)
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in env.agents)
        state = state.play(game.encoding.move(state, act_at_random(env, chance)))
        assert env.game.notation.format_state(env.position) == game.notation.format_state(state)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    for team in TEAMS:
        assert env.rewards[AGENTS[team]] == state.outcome.victory_points(team) - 1
        assert env.infos[AGENTS[team]] == {"reason": state.outcome.reason.name, "points": state.points(team)}
        assert not env.observe(AGENTS[team])["action_mask"].any()
    left = []
    for agent in env.agent_iter():
        left.append(agent)
        env.step(None)
    assert sorted(left) == ["player_0", "player_1"]
    assert env.agents == []


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    env: Any = rl.env("ostseeschach-2022")
    env.reset(options={"position": "ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 1-0 58"})
    env.step(env.game.encoding.action(env.position, env.game.notation.parse_move(env.position, "c7-c8")))
    assert (env.agent_selection, set(env.rewards.values())) == ("player_1", {0.0})
    act_at_random(env, Random(1))
    assert env.last()[1:4] == (1.0, True, False)
    assert env.agent_selection == "player_0"
    env.step(None)
    assert env.last()[1:4] == (-1.0, True, False)


def test_a_draw_is_worth_nothing() -> None:
    env: Any = rl.env("ostseeschach-2022")
    env.reset(options={"position": "ostseeschach-2022 7m/8/8/8/8/8/8/R7 0-0 58"})
    for move in ("a1-b3", "h8-g8"):
        env.step(env.game.encoding.action(env.position, env.game.notation.parse_move(env.position, move)))
    assert env.infos["player_0"]["reason"] == "ROUNDS_EQUAL"
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}


def test_a_team_acts_twice_in_a_row_where_the_rules_say_so() -> None:
    env: Any = rl.env("blokus-2027")
    env.reset(options={"position": TWO_MOVES_TWICE})
    assert env.agent_selection == "player_1"
    env.step(min(np.flatnonzero(env.observe("player_1")["action_mask"])))
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["action_mask"].any()
    assert not env.observe("player_0")["action_mask"].any()


# --- what is refused -------------------------------------------------------------------------------------------------


def illegal_action(env: Any) -> int:
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


@one_of_each
def test_an_illegal_action_ends_the_game_as_in_the_classic_games(key: str) -> None:
    env: Any = rl.env(key, seed=1)
    env.reset()
    before = env.position
    env.step(illegal_action(env))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert env.position == before
    assert not env.observe(env.agent_selection)["action_mask"].any()
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    env.reset()
    assert env.agents == ["player_0", "player_1"]


@one_of_each
def test_the_bare_environment_refuses_an_illegal_action_and_stays_as_it_is(key: str) -> None:
    env = rl.raw_env(key, seed=1)
    env.reset()
    before = env.position
    with pytest.raises(IllegalMove):
        env.step(illegal_action(env))
    assert env.position is before
    act_at_random(env, Random(1))
    assert env.position.turn == 1


def test_a_number_that_is_not_an_action_is_refused() -> None:
    env: Any = rl.env("piranhas-2019", seed=1)
    env.reset()
    for action in (-1, 800, None, 1.5):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)


def test_steps_before_a_reset_are_refused() -> None:
    with pytest.raises(AssertionError, match="reset"):
        rl.env("piranhas-2019").step(0)


def test_an_unknown_game_and_an_unknown_render_mode_are_refused() -> None:
    with pytest.raises(UnknownGame, match="did you mean piranhas-2026"):
        rl.env("piranha-2026")
    with pytest.raises(SettingsError, match="'human'"):
        rl.env("piranhas-2026", render_mode="human")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "spielleiter.rl")
    with pytest.raises(ModuleNotFoundError, match=r"spielleiter\[rl\]"):
        __import__("spielleiter.rl")


# --- starts ----------------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_start_that_the_game_draws_from_it() -> None:
    env: Any = rl.env("piranhas-2026")
    env.reset(seed=7)
    game = games.load("piranhas-2026")
    assert env.game.notation.format_state(env.position) == game.notation.format_state(game.new_state(Random(7)))


def test_a_seed_at_the_making_is_for_a_row_of_games() -> None:
    rows = []
    for _ in range(2):
        env: Any = rl.env("piranhas-2026", seed=7)
        starts = []
        for _ in range(3):
            env.reset()
            starts.append(env.position)
        rows.append(starts)
    assert rows[0] == rows[1]
    assert len(set(rows[0])) == 3


def test_a_game_can_begin_from_any_running_position() -> None:
    env: Any = rl.env("ostseeschach-2022")
    env.reset(options={"position": "ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 1-0 57"})
    assert env.agent_selection == "player_1"
    assert env.position.turn == 57
    with pytest.raises(SettingsError, match="over"):
        env.reset(options={"position": "ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 2-0 58"})
    with pytest.raises(NotationError):
        env.reset(options={"position": TWO_MOVES_TWICE})


# --- what learners do with it ----------------------------------------------------------------------------------------


@one_of_each
def test_copies_and_pickles_play_on_alike(key: str) -> None:
    env: Any = rl.env(key, seed=1)
    env.reset()
    chance = Random(1)
    for _ in range(5):
        act_at_random(env, chance)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    seen = env.observe(env.agent_selection)
    action = act_at_random(env, chance)
    for twin in copies:
        assert twin.game is env.game
        for part in ("observation", "action_mask"):
            assert np.array_equal(twin.observe(twin.agent_selection)[part], seen[part])
        twin.step(action)
        assert twin.position == env.position


@one_of_each
def test_observations_belong_to_who_asked(key: str) -> None:
    env: Any = rl.env(key, seed=1)
    env.reset()
    env.observe("player_0")["observation"][:] = 9
    assert env.observe("player_0")["observation"].max() == 1


def test_numbers_of_numpy_stay_out_of_the_game() -> None:
    env: Any = rl.env("blokus-2027", seed=1)
    env.reset()
    env.step(np.flatnonzero(env.observe("player_0")["action_mask"])[0])
    assert type(env.position.last_move.x) is int


def test_the_text_is_that_of_the_terminal() -> None:
    env: Any = rl.env("piranhas-2026", seed=1, render_mode="ansi")
    env.reset()
    assert env.render() == str(env.position)


def test_without_a_render_mode_it_says_so() -> None:
    env: Any = rl.env("piranhas-2026", seed=1)
    env.reset()
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


def test_actions_are_drawn_alike_with_the_engine_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, slow = states.Actions(800, seed=5), states.Actions(800, seed=5)
    masks = np.random.default_rng(1).integers(0, 2, (20, 800), np.int8)
    masks[0, :] = np.arange(800) == 799  # One action, and the last one.
    drawn = [ours.sample(mask) for mask in masks]
    assert drawn[0] == 799
    assert all(masks[row, action] for row, action in enumerate(drawn))
    assert {type(action) for action in drawn} == {np.int64}
    apart = ours.sample(masks.T.copy().T[3])  # From memory that is not in one piece.
    monkeypatch.setattr(states, "HAS_ENGINE", False)
    assert [slow.sample(mask) for mask in masks] == drawn
    assert slow.sample(masks[3]) == apart


def test_every_allowed_action_is_equally_likely() -> None:
    space = states.Actions(300, seed=1)
    mask = np.zeros(300, np.int8)
    mask[[0, 127, 128, 299]] = 1
    counts = np.bincount([space.sample(mask) for _ in range(4000)], minlength=300)
    assert counts.sum() == counts[mask == 1].sum() == 4000
    assert counts[mask == 1].min() > 850, "five standard deviations below a quarter"


def test_what_is_not_a_mask_is_refused_as_gymnasium_does() -> None:
    ours = states.Actions(800, seed=5)
    assert ours == spaces.Discrete(800)
    assert ours.sample(np.zeros(800, np.int8)) == 0
    with pytest.raises(AssertionError, match="0 or 1"):
        ours.sample(np.full(800, 2, np.int8))
    with pytest.raises(AssertionError, match="dtype"):
        ours.sample(np.ones(800, np.bool_))
    with pytest.raises(TypeError):
        states.Actions(800, seed=np.random.default_rng(1))  # type: ignore[arg-type]


def test_before_a_reset_it_says_what_to_call() -> None:
    env: Any = rl.env("piranhas-2019")
    with pytest.raises(AttributeError, match=r"reset\(\) must be called before last"):
        env.last()
    with pytest.raises(AttributeError, match=r"reset\(\) must be called before agent_iter"):
        next(env.agent_iter())
