//! Many games at once, played by numbers: all of them step together, finished ones begin anew.
//!
//! Each game draws from a generator of its own, so that what happens depends on the seed and not on the threads.

use crate::encoding::Encoded;
use crate::game::{Move, Team, Verdict, victory_points};
use crate::random::Random;
use crate::search::mcts::{self, Visits};
use crate::search::{Limits, Searchable, win_probability};
use std::sync::atomic::{AtomicBool, Ordering};

/// The action that leaves a game as it is.
pub const NO_ACTION: i64 = -1;

/// Where the games are shown, one part for each game.
pub struct Views<'a> {
    /// Each game as the side to move sees it.
    pub observations: &'a mut [u8],
    /// 1 for each legal action.
    pub masks: &'a mut [u8],
    /// The side to move.
    pub to_move: &'a mut [u8],
    /// The turn counter of the rules.
    pub turns: &'a mut [i32],
    /// What the last step brought ONE and TWO.
    pub rewards: &'a mut [f32],
    /// Whether the last step ended the game.
    pub done: &'a mut [u8],
    /// The points of ONE and TWO, part by part, where the last step ended the game.
    pub points: &'a mut [i32],
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
    threads: usize,
}

/// An action that cannot be played: the number of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal(pub usize);

/// The part of a game that one slot needs, split off all views.
struct View<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [u8],
    to_move: &'a mut u8,
    turn: &'a mut i32,
    rewards: &'a mut [f32],
    done: &'a mut u8,
    points: &'a mut [i32],
}

impl<P: Encoded + Searchable> Games<P> {
    /// `number` games of the rule set with index `rules`, each from a start position of its own.
    pub fn new(rules: u8, number: usize, seed: u64, threads: usize, auto_reset: bool) -> Self {
        let mut seeds = Random::new(seed);
        let slots = (0..number).map(|_| {
            let mut random = Random::new(seeds.next());
            let position = P::draw_start(rules, &mut random);
            Slot { position, legal: Vec::new(), random, chosen: None }
        });
        Games { slots: slots.collect(), rules, auto_reset, threads }
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
        *self = Games::new(self.rules, self.slots.len(), seed, self.threads, self.auto_reset);
    }

    /// Shows all games as they are; no step is made.
    pub fn show(&mut self, views: Views) {
        self.for_each(views, |slot, view| {
            view.rewards.fill(0.0);
            view.points.fill(0);
            *view.done = 0;
            slot.show(view);
        });
    }

    /// Plays one action in each game, or none where it is `NO_ACTION`. If any of them is illegal, nothing is played.
    pub fn step(&mut self, actions: &[i64], views: Views) -> Result<(), Illegal> {
        for (i, (slot, &action)) in self.slots.iter_mut().zip(actions).enumerate() {
            slot.chosen = None;
            if action != NO_ACTION {
                let found = usize::try_from(action).ok().and_then(|action| slot.position.move_of(action));
                slot.chosen = Some(found.filter(|m| slot.legal.contains(m)).ok_or(Illegal(i))?);
            }
        }
        let (rules, auto_reset) = (self.rules, self.auto_reset);
        self.for_each(views, |slot, view| slot.step(rules, auto_reset, view));
        Ok(())
    }

    /// One legal action of each game, all equally likely; `NO_ACTION` where the game is over.
    pub fn random_actions(&mut self, actions: &mut [i64]) {
        for (slot, action) in self.slots.iter_mut().zip(actions) {
            *action = NO_ACTION;
            if !slot.legal.is_empty() {
                let m = slot.legal[slot.random.below(slot.legal.len() as u32) as usize];
                *action = slot.position.action(m) as i64;
            }
        }
    }

    /// What a tree search of `nodes` nodes finds in each game that is `wanted`.
    pub fn search(&mut self, nodes: u64, wanted: &[bool], stop: &AtomicBool) -> Vec<Target> {
        let mut targets = vec![Target { best: NO_ACTION, ..Target::default() }; self.slots.len()];
        let size = self.slots.len().div_ceil(self.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let parts = self.slots.chunks_mut(size).zip(targets.chunks_mut(size)).zip(wanted.chunks(size));
            for ((slots, targets), wanted) in parts {
                scope.spawn(move || {
                    for ((slot, target), &wanted) in slots.iter_mut().zip(targets).zip(wanted) {
                        if wanted && !slot.legal.is_empty() && !stop.load(Ordering::Relaxed) {
                            *target = slot.search(nodes, stop);
                        }
                    }
                });
            }
        });
        targets
    }

    /// Does `work` for each game with its part of the views, on all threads.
    fn for_each(&mut self, views: Views, work: impl Fn(&mut Slot<P>, View) + Sync) {
        let number = self.slots.len().max(1);
        let (observation, mask) = (views.observations.len() / number, views.masks.len() / number);
        let points = views.points.len() / number;
        let parts = views
            .observations
            .chunks_exact_mut(observation.max(1))
            .zip(views.masks.chunks_exact_mut(mask.max(1)))
            .zip(views.to_move.iter_mut().zip(views.turns))
            .zip(views.rewards.chunks_exact_mut(2).zip(views.done.iter_mut()))
            .zip(views.points.chunks_exact_mut(points.max(1)));
        let parts = parts.map(|((((observation, mask), (to_move, turn)), (rewards, done)), points)| View {
            observation,
            mask,
            to_move,
            turn,
            rewards,
            done,
            points,
        });
        let mut pairs: Vec<(&mut Slot<P>, View)> = self.slots.iter_mut().zip(parts).collect();
        if self.threads <= 1 {
            pairs.into_iter().for_each(|(slot, view)| work(slot, view));
            return;
        }
        let size = number.div_ceil(self.threads);
        std::thread::scope(|scope| {
            while !pairs.is_empty() {
                let part = pairs.split_off(pairs.len().saturating_sub(size));
                let work = &work;
                // The last part is done here: a thread less to start.
                if pairs.is_empty() {
                    part.into_iter().for_each(|(slot, view)| work(slot, view));
                } else {
                    scope.spawn(move || part.into_iter().for_each(|(slot, view)| work(slot, view)));
                }
            }
        });
    }
}

impl<P: Encoded + Searchable> Slot<P> {
    fn step(&mut self, rules: u8, auto_reset: bool, view: View) {
        view.rewards.fill(0.0);
        view.points.fill(0);
        *view.done = 0;
        let Some(m) = self.chosen.take() else {
            return;
        };
        self.position = self.position.play(m);
        let verdict = self.list_moves();
        if let Some(verdict) = verdict {
            self.finish(verdict, view.rewards, view.points);
            *view.done = 1;
            if auto_reset {
                self.position = P::draw_start(rules, &mut self.random);
                self.list_moves();
            }
        }
        self.write(view);
    }

    fn show(&mut self, view: View) {
        self.list_moves();
        self.write(view);
    }

    /// Lists the legal moves, and says who has won if there are none.
    fn list_moves(&mut self) -> Option<Verdict> {
        self.legal.clear();
        self.position.moves(&mut self.legal);
        self.position.uncounted_moves(&mut self.legal);
        self.legal.is_empty().then(|| self.position.verdict().unwrap_or_else(|| self.position.verdict_without_move()))
    }

    fn finish(&self, verdict: Verdict, rewards: &mut [f32], points: &mut [i32]) {
        let parts = points.len() / 2;
        for team in [Team::One, Team::Two] {
            rewards[team as usize] = (victory_points(Some(verdict), team) - 1) as f32;
            for (to, from) in points[team as usize * parts..].iter_mut().zip(self.position.points(team)).take(parts) {
                *to = from;
            }
        }
    }

    fn write(&self, view: View) {
        *view.to_move = self.position.to_move() as u8;
        *view.turn = self.position.turn() as i32;
        self.position.observe(self.position.to_move(), view.observation);
        view.mask.fill(0);
        for &m in &self.legal {
            view.mask[self.position.action(m)] = 1;
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
