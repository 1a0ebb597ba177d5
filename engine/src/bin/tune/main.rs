//! Learns the evaluation of a game from nothing: `tune RULE-SET GAMES NODES ROUNDS SEED > weights.rs`, with `blokus` for all
//! rule sets of Blokus.
//!
//! In each round the engine plays so many games against itself from random openings, with so many nodes a move, and a
//! network is trained anew on the positions of the last rounds: on how the games ended, and after the first round also on
//! what the search thought of them. The first round knows the rules only. The same words give the same network.

mod learn;
mod play;
mod source;

use learn::{Answer, Sample, learn};
use play::{Game, Plan, self_play};
use spielleiter_engine::blokus::{self, Blokus};
use spielleiter_engine::game::{Position, Team, Verdict};
use spielleiter_engine::network::Network;
use spielleiter_engine::ostseeschach::{self, Ostseeschach};
use spielleiter_engine::piranhas::{self, Piranhas};
use spielleiter_engine::random::Random;
use spielleiter_engine::search::{Searchable, win_probability};
use std::sync::RwLock;

/// How many rounds the positions are kept for training.
const KEPT_ROUNDS: usize = 3;

/// How much the end of the game counts for what to learn of a position; the rest is what the search thought.
const SHARE_OF_END: f32 = 0.7;

struct Task {
    plan: Plan,
    rounds: u32,
}

impl Task {
    /// Plays and learns, round by round. `apply` makes a thread use a network; `samples_of` makes of a game what to learn,
    /// of which how it ended is a certain share; `notice` sees each network with what it learnt from, and that share.
    fn run<P: Searchable, const I: usize, const H: usize>(
        &self,
        start: impl Fn(&mut Random) -> P + Sync,
        apply: impl Fn(&'static Network<I, H>) + Sync,
        meaning: Answer,
        samples_of: impl Fn(&Game<P>, f32) -> Vec<Sample>,
        notice: impl Fn(&Network<I, H>, &[Sample], f32),
    ) -> &'static Network<I, H> {
        let mut network: &'static Network<I, H> = Box::leak(Box::new(Network::blank()));
        let mut rounds: Vec<Vec<Sample>> = Vec::new();
        for round in 0..self.rounds {
            let nodes = if round == 0 { self.plan.nodes / 2 } else { self.plan.nodes };
            let plan = Plan { nodes, seed: 100 * self.plan.seed + u64::from(round), ..self.plan };
            let games = self_play(&start, &plan, || apply(network));
            // What was played without any knowledge is not worth to be kept.
            if round == 1 || rounds.len() == KEPT_ROUNDS {
                rounds.remove(0);
            }
            let share = if round == 0 { 1.0 } else { SHARE_OF_END };
            rounds.push(games.iter().flat_map(|game| samples_of(game, share)).collect());
            let samples = rounds.concat();
            let (learnt, loss) = learn::<I, H>(&samples, meaning, self.plan.seed);
            notice(&learnt, &samples, share);
            eprintln!("round {}: {} positions, loss {loss:.4}", round + 1, samples.len());
            network = Box::leak(Box::new(learnt));
        }
        network
    }
}

/// Samples of a game that is judged by the odds to win.
fn by_odds<P: Searchable>(game: &Game<P>, share: f32, figures: impl Fn(&P, &mut Vec<(u16, f32)>)) -> Vec<Sample> {
    let result = match game.end.full_verdict() {
        Some(Verdict::Win(Team::One)) => 1.0,
        Some(Verdict::Win(Team::Two)) => 0.0,
        _ => 0.5,
    };
    let sample = |&(position, score): &(P, i32)| {
        let mut list = Vec::new();
        figures(&position, &mut list);
        let result = if position.to_move() == Team::One { result } else { 1.0 - result };
        let target = share * result + (1.0 - share) * win_probability::<P>(score) as f32;
        Sample { figures: list, target, weight: 1.0, turn: position.turn() as u8 }
    };
    game.seen.iter().map(sample).collect()
}

fn tune_blokus(task: &Task, origin: &str) -> String {
    use blokus::eval::{KNOTS, Spread, deviations, spread_at, unit, use_judge};
    let spread: RwLock<&'static Spread> = RwLock::new(&[20.0; KNOTS.len()]);
    let spread_now = || *spread.read().expect("nobody panicked");
    // Starts in the corners and on the border, with all four rule sets.
    let start = |random: &mut Random| Blokus::start(random.below(4) as u8, 9 + random.below(12) as u8);
    let samples_of = |game: &Game<Blokus>, share: f32| {
        let sample = |(position, score): &(Blokus, i32)| {
            let mut figures = Vec::new();
            position.figures(&mut figures);
            let turn = position.turn() as u8;
            let at_end = if game.end.to_move() == position.to_move() { game.end.lead() } else { -game.end.lead() };
            let spread = spread_at(spread_now(), turn);
            let expected = share * at_end + (1.0 - share) * *score as f32 / unit(spread);
            Sample { figures, target: expected - position.lead(), weight: (10.0 / spread).powi(2), turn }
        };
        game.seen.iter().map(sample).collect()
    };
    let notice = |network: &blokus::eval::Judge, samples: &[Sample], share: f32| {
        let errors = samples.iter().map(|sample| {
            // The end is only a share of the target, so the answer is nearer to that than to the end.
            (sample.turn, (network.answer_to(&sample.figures) - sample.target) / share)
        });
        *spread.write().expect("nobody panicked") = Box::leak(Box::new(deviations(errors)));
    };
    let network = task.run(start, |network| use_judge(network, spread_now()), Answer::Number, samples_of, notice);
    let list: Vec<String> = spread_now().iter().map(|number| format!("{number:.2}")).collect();
    let more = format!(
        "use super::eval::{{Judge, Spread}};\n\n\
         /// By how many points the lead at the end differs from what the network expects (standard deviation).\n\
         pub static SPREAD: Spread = [{}];\n\n",
        list.join(", ")
    );
    source::module(network, origin, &more)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<u32>().ok()).filter(|&number| number > 0);
    let key = words.first().map_or("", String::as_str);
    let (Some(games), Some(nodes), Some(rounds), Some(seed)) = (number(1), number(2), number(3), number(4)) else {
        eprintln!("usage: tune RULE-SET GAMES NODES ROUNDS SEED, all numbers from 1 on; blokus for all its rule sets");
        std::process::exit(2);
    };
    let task = |opening: u32| Task { plan: Plan { games, nodes: nodes.into(), opening, seed: seed.into() }, rounds };
    let origin = format!("tune {key} {games} {nodes} {rounds} {seed}");
    let text = if let Some(rules) = piranhas::RULE_SETS.iter().position(|rules| rules.key == key) {
        let start = |random: &mut Random| Piranhas::start(rules as u8, random);
        let samples = |game: &Game<Piranhas>, share| by_odds(game, share, |position, list| position.figures(list));
        let network = task(10).run(start, piranhas::eval::use_judge, Answer::Odds, samples, |_, _, _| {});
        source::module(network, &origin, "use super::eval::Judge;\n\n")
    } else if let Some(rules) = ostseeschach::RULE_SETS.iter().position(|known| *known == key) {
        let start = |random: &mut Random| Ostseeschach::start(rules as u8, random);
        let samples = |game: &Game<Ostseeschach>, share| by_odds(game, share, |position, list| position.figures(list));
        let network = task(8).run(start, ostseeschach::eval::use_judge, Answer::Odds, samples, |_, _, _| {});
        source::module(network, &origin, "use super::eval::Judge;\n\n")
    } else if key == "blokus" {
        tune_blokus(&task(6), &origin)
    } else {
        eprintln!("there is no {key}: give a rule set of Piranhas or Ostseeschach, or blokus");
        std::process::exit(2);
    };
    print!("{text}");
}
