//! Many games at once, played by numbers: all of them step together, finished ones begin anew.
//!
//! Each game draws from a generator of its own, so that what happens depends on the seed and not on the threads.

use crate::any::{Any, OtherGame};
use crate::encoding::Encoded;
use crate::for_each_game;
use crate::game::{Move, Position, Team, Verdict, victory_points};
use crate::pool::Pool;
use crate::random::Random;
use crate::search::mcts::{self, Visits};
use crate::search::{Limits, Searchable, win_probability};
use crate::shared::Shared;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The action that leaves a game as it is.
pub const NO_ACTION: i64 = -1;

/// Fewer games than that are not worth another thread where each takes some nanoseconds only.
const LIGHT_GAMES: usize = 512;

/// Where the games are shown, one part for each game.
pub struct Views<'a> {
    /// Each game as the side to move sees it.
    pub observations: Shared<'a, u8>,
    /// 1 for each legal action.
    pub masks: Shared<'a, u8>,
    /// The side to move.
    pub to_move: Shared<'a, u8>,
    /// The turn counter of the rules.
    pub turns: Shared<'a, i32>,
    /// What the last step brought ONE and TWO.
    pub rewards: Shared<'a, f32>,
    /// Whether the last step ended the game.
    pub done: Shared<'a, u8>,
    /// The points of ONE and TWO, part by part, where the last step ended the game.
    pub points: Shared<'a, i32>,
}

impl<'a> Views<'a> {
    /// The views of `number` games, cut into those of `size` games each.
    fn parts(self, number: usize, size: usize) -> impl DoubleEndedIterator<Item = Views<'a>> + ExactSizeIterator {
        let length = |all: usize| (all / number.max(1) * size).max(1);
        let (observations, masks, points) = (self.observations, self.masks, self.points);
        let (observation, mask, point) = (length(observations.len()), length(masks.len()), length(points.len()));
        let boards = observations.parts(observation).zip(masks.parts(mask));
        let states = self.to_move.parts(size).zip(self.turns.parts(size));
        let ends = self.rewards.parts(2 * size).zip(self.done.parts(size)).zip(points.parts(point));
        boards.zip(states).zip(ends).map(|(((observations, masks), (to_move, turns)), ((rewards, done), points))| {
            Views { observations, masks, to_move, turns, rewards, done, points }
        })
    }
}

/// One game of a batch.
#[derive(Clone)]
struct Slot<P> {
    position: P,
    legal: Vec<Move>,
    random: Random,
    /// The move to play next, if any.
    chosen: Option<Move>,
}

/// What a search found for one game.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The actions that were visited, and how often; empty where the game is over or was not searched.
    pub visits: Vec<(i32, u32)>,
    /// The best action, `NO_ACTION` where there is none.
    pub best: i64,
    /// The chance of the side to move to win, from 0 to 1.
    pub win_probability: f64,
}

/// Games of one rule set.
pub struct Games<P> {
    slots: Vec<Slot<P>>,
    rules: u8,
    auto_reset: bool,
    pool: Pool,
}

/// Games of one rule set, of whatever game.
pub trait AnyGames: Send + Sync {
    /// See `Games::position`.
    fn position(&self, i: usize) -> Option<Any>;
    /// See `Games::set_position`; refuses a position of another game.
    fn set_position(&mut self, i: usize, position: Any) -> Result<(), OtherGame>;
    /// See `Games::reset`.
    fn reset(&mut self, seed: u64);
    /// See `Games::show`.
    fn show(&mut self, views: Views);
    /// See `Games::step`.
    fn step(&mut self, actions: &[i64], views: Views) -> Result<(), Illegal>;
    /// See `Games::random_actions`.
    fn random_actions(&mut self, actions: &mut [i64]);
    /// See `Games::search`.
    fn search(&mut self, nodes: u64, wanted: &[bool], stop: &AtomicBool) -> Vec<Target>;
    /// The same games, with threads of their own.
    fn copied(&self) -> Box<dyn AnyGames>;
    /// See `Games::seeds`.
    fn seeds(&self) -> Vec<u64>;
    /// See `Games::set_seeds`.
    fn set_seeds(&mut self, seeds: &[u64]);
}

/// `number` games of the rule set called `key`, each from a start position of its own; `None` if there is no such rule set.
pub fn begin(key: &str, number: usize, seed: u64, threads: usize, auto_reset: bool) -> Option<Box<dyn AnyGames>> {
    for_each_game!(Game, _family => if let Some(rules) = Game::rule_set(key) {
        return Some(Box::new(Games::<Game>::new(rules, number, seed, threads, auto_reset)));
    });
    None
}

impl<P: Encoded + Searchable + Into<Any> + TryFrom<Any, Error = OtherGame>> AnyGames for Games<P> {
    fn position(&self, i: usize) -> Option<Any> {
        self.position(i).map(P::into)
    }

    fn set_position(&mut self, i: usize, position: Any) -> Result<(), OtherGame> {
        self.set_position(i, position.try_into()?);
        Ok(())
    }

    fn reset(&mut self, seed: u64) {
        self.reset(seed);
    }

    fn show(&mut self, views: Views) {
        self.show(views);
    }

    fn step(&mut self, actions: &[i64], views: Views) -> Result<(), Illegal> {
        self.step(actions, views)
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        self.random_actions(actions);
    }

    fn search(&mut self, nodes: u64, wanted: &[bool], stop: &AtomicBool) -> Vec<Target> {
        self.search(nodes, wanted, stop)
    }

    fn copied(&self) -> Box<dyn AnyGames> {
        let pool = Pool::new(self.pool.threads());
        Box::new(Games { slots: self.slots.clone(), rules: self.rules, auto_reset: self.auto_reset, pool })
    }

    fn seeds(&self) -> Vec<u64> {
        self.seeds()
    }

    fn set_seeds(&mut self, seeds: &[u64]) {
        self.set_seeds(seeds);
    }
}

/// An action that cannot be played: the number of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal(pub usize);

impl<P: Encoded + Searchable> Games<P> {
    /// `number` games of the rule set with index `rules`, each from a start position of its own.
    pub fn new(rules: u8, number: usize, seed: u64, threads: usize, auto_reset: bool) -> Self {
        let pool = Pool::new(threads.min(number));
        Games { slots: Self::draw(rules, number, seed), rules, auto_reset, pool }
    }

    fn draw(rules: u8, number: usize, seed: u64) -> Vec<Slot<P>> {
        let mut seeds = Random::new(seed);
        let slots = (0..number).map(|_| {
            let mut random = Random::new(seeds.next());
            let position = P::draw_start(rules, &mut random);
            Slot { position, legal: Vec::new(), random, chosen: None }
        });
        slots.collect()
    }

    /// The position of game `i`.
    pub fn position(&self, i: usize) -> Option<P> {
        self.slots.get(i).map(|slot| slot.position)
    }

    /// Lets game `i` go on from `position`; it is seen after the next `show`.
    pub fn set_position(&mut self, i: usize, position: P) {
        if let Some(slot) = self.slots.get_mut(i) {
            slot.position = position;
        }
    }

    /// Draws new generators and a new start position for every game.
    pub fn reset(&mut self, seed: u64) {
        self.slots = Self::draw(self.rules, self.slots.len(), seed);
    }

    /// For each game the seed of a generator that goes on as its own does.
    pub fn seeds(&self) -> Vec<u64> {
        self.slots.iter().map(|slot| slot.random.seed()).collect()
    }

    /// Lets the generator of each game go on from its seed.
    pub fn set_seeds(&mut self, seeds: &[u64]) {
        for (slot, &seed) in self.slots.iter_mut().zip(seeds) {
            slot.random = Random::new(seed);
        }
    }

    /// Shows all games as they are; no step is made.
    pub fn show(&mut self, views: Views) {
        self.for_each(views, |slot, mut view, planes| {
            view.rewards.fill(0.0);
            view.points.fill(0);
            view.done.fill(0);
            slot.show(view, planes);
        });
    }

    /// Plays one action in each game, or none where it is `NO_ACTION`. If any of them is illegal, nothing is played.
    pub fn step(&mut self, actions: &[i64], views: Views) -> Result<(), Illegal> {
        let size = self.part_size().max(LIGHT_GAMES);
        let illegal = AtomicUsize::new(usize::MAX);
        let parts = self.slots.chunks_mut(size).zip(actions.chunks(size)).enumerate();
        self.pool.for_each(parts, |(part, (slots, actions))| {
            let wrong = slots.iter_mut().zip(actions).position(|(slot, &action)| !slot.choose(action));
            if let Some(i) = wrong {
                illegal.fetch_min(part * size + i, Ordering::Relaxed);
            }
        });
        let illegal = illegal.into_inner();
        if illegal != usize::MAX {
            return Err(Illegal(illegal));
        }
        let (rules, auto_reset) = (self.rules, self.auto_reset);
        self.for_each(views, |slot, view, planes| slot.step(rules, auto_reset, view, planes));
        Ok(())
    }

    /// One legal action of each game, all equally likely; `NO_ACTION` where the game is over.
    pub fn random_actions(&mut self, actions: &mut [i64]) {
        let size = self.part_size().max(LIGHT_GAMES);
        let parts = self.slots.chunks_mut(size).zip(actions.chunks_mut(size));
        self.pool.for_each(parts, |(slots, actions)| {
            for (slot, action) in slots.iter_mut().zip(actions) {
                *action = slot.random_action();
            }
        });
    }

    /// What a tree search of `nodes` nodes finds in each game that is `wanted`.
    pub fn search(&mut self, nodes: u64, wanted: &[bool], stop: &AtomicBool) -> Vec<Target> {
        let mut targets = vec![Target { best: NO_ACTION, ..Target::default() }; self.slots.len()];
        let parts = self.slots.iter_mut().zip(targets.iter_mut()).zip(wanted);
        self.pool.for_each(parts, |((slot, target), &wanted)| {
            if wanted && !slot.legal.is_empty() && !stop.load(Ordering::Relaxed) {
                *target = slot.search(nodes, stop);
            }
        });
        targets
    }

    /// Does `work` for each game with its part of the views, on all threads. It gets a buffer for planes of its own.
    fn for_each(&mut self, views: Views, work: impl Fn(&mut Slot<P>, Views, &mut Vec<u8>) + Sync) {
        let size = self.part_size();
        let views = views.parts(self.slots.len(), size);
        self.pool.for_each(self.slots.chunks_mut(size).zip(views), |(slots, views)| {
            let views = views.parts(slots.len(), 1);
            let mut planes = Vec::new();
            slots.iter_mut().zip(views).for_each(|(slot, view)| work(slot, view, &mut planes));
        });
    }

    /// How many games a thread takes at once: all if it is alone, else few enough that none waits long for another.
    fn part_size(&self) -> usize {
        let parts = if self.pool.threads() == 1 { 1 } else { 8 * self.pool.threads() };
        self.slots.len().div_ceil(parts).max(1)
    }
}

impl<P: Encoded + Searchable> Slot<P> {
    /// Keeps the move with this number for the next step; false if it is illegal.
    fn choose(&mut self, action: i64) -> bool {
        let found = usize::try_from(action).ok().and_then(|action| self.position.move_of(action));
        self.chosen = found.filter(|m| self.legal.contains(m));
        self.chosen.is_some() || action == NO_ACTION
    }

    fn random_action(&mut self) -> i64 {
        if self.legal.is_empty() {
            return NO_ACTION;
        }
        let m = self.legal[self.random.below(self.legal.len() as u32) as usize];
        self.position.action(m) as i64
    }

    fn step(&mut self, rules: u8, auto_reset: bool, mut view: Views, planes: &mut Vec<u8>) {
        view.rewards.fill(0.0);
        view.points.fill(0);
        view.done.fill(0);
        let Some(m) = self.chosen.take() else {
            return;
        };
        self.position = self.position.play(m);
        let verdict = self.list_moves();
        if let Some(verdict) = verdict {
            self.finish(verdict, &mut view.rewards, &mut view.points);
            view.done.fill(1);
            if auto_reset {
                self.position = P::draw_start(rules, &mut self.random);
                self.list_moves();
            }
        }
        self.write(view, planes);
    }

    fn show(&mut self, view: Views, planes: &mut Vec<u8>) {
        self.list_moves();
        self.write(view, planes);
    }

    /// Lists the legal moves, and says who has won if there are none.
    fn list_moves(&mut self) -> Option<Verdict> {
        self.legal.clear();
        self.position.moves(&mut self.legal);
        self.position.uncounted_moves(&mut self.legal);
        self.legal.is_empty().then(|| self.position.verdict().unwrap_or_else(|| self.position.verdict_without_move()))
    }

    fn finish(&self, verdict: Verdict, rewards: &mut Shared<f32>, points: &mut Shared<i32>) {
        let parts = points.len() / 2;
        for team in [Team::One, Team::Two] {
            rewards.set(team as usize, (victory_points(Some(verdict), team) - 1) as f32);
            for (i, part) in self.position.points(team).into_iter().take(parts).enumerate() {
                points.set(team as usize * parts + i, part);
            }
        }
    }

    fn write(&self, mut view: Views, planes: &mut Vec<u8>) {
        view.to_move.fill(self.position.to_move() as u8);
        view.turns.fill(self.position.turn() as i32);
        planes.resize(view.observations.len(), 0);
        self.position.observe(self.position.to_move(), planes);
        view.observations.copy_from(planes);
        view.masks.fill(0);
        for &m in &self.legal {
            view.masks.set(self.position.action(m), 1);
        }
    }

    fn search(&mut self, nodes: u64, stop: &AtomicBool) -> Target {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let settings = mcts::Settings::default();
        let (found, visits): (_, Visits) =
            mcts::search(&self.position, &limits, &settings, self.random.next(), stop, &|_| {});
        let number = |m: Move| self.position.action(m);
        let best = found.lines.first().and_then(|line| line.moves.first());
        Target {
            visits: visits.into_iter().map(|(m, visits)| (number(m) as i32, visits)).collect(),
            best: best.map_or(NO_ACTION, |&m| number(m) as i64),
            win_probability: found.lines.first().map_or(0.5, |line| win_probability::<P>(line.score)),
        }
    }
}
