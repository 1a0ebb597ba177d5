//! Learns the evaluation of a game from nothing: `tune RULE-SET GAMES NODES ROUNDS SEED > weights.rs`, with `blokus` for all
//! rule sets of Blokus, and `blokus-policy` for the policy of Blokus (see `policy.rs`).
//!
//! In each round the engine plays games against itself from random openings, with NODES nodes per move: GAMES in the last
//! round, half as many in the one before, and so on down to a sixteenth. Then a new
//! network is trained on the positions of the last rounds: on the results of the games, and after the first round also on
//! the scores of the search. The first round knows only the rules. The same arguments give the same network.

mod learn;
mod play;
mod policy;
mod source;

use learn::{Sample, Target, learn};
use play::{Game, Plan, self_play};
use spielleiter_engine::blokus::policy::{Policy, blank, use_policy};
use spielleiter_engine::blokus::{self, Blokus};
use spielleiter_engine::game::{Move, Position, Team, Verdict};
use spielleiter_engine::network::{Featured, Network};
use spielleiter_engine::ostseeschach::{self, Ostseeschach};
use spielleiter_engine::piranhas::{self, Piranhas};
use spielleiter_engine::random::Random;
use spielleiter_engine::search::{Searchable, win_probability};
use std::sync::RwLock;

/// How many of the last rounds a network is trained on.
const TRAINING_ROUNDS: usize = 3;

/// How many rounds at the end have more games than the ones before: each twice as many, up to GAMES in the last round.
const GROWING_ROUNDS: u32 = 4;

/// The weight of the game's result in the target of a position; the rest is the score of the search.
const RESULT_WEIGHT: f32 = 0.5;

struct Task {
    plan: Plan,
    rounds: u32,
}

impl Task {
    /// Plays and learns, round by round. `apply` makes a thread use a network; `samples_of` turns a game into samples, with
    /// this weight of the result; `after_round` gets each network with its samples and that weight.
    fn run<P: Searchable, const I: usize, const H: usize>(
        &self,
        start: impl Fn(&mut Random) -> P + Sync,
        apply: impl Fn(&'static Network<I, H>) + Sync,
        target: Target,
        samples_of: impl Fn(&Game<P>, f32) -> Vec<Sample>,
        after_round: impl Fn(&Network<I, H>, &[Sample], f32),
    ) -> &'static Network<I, H> {
        let mut network: &'static Network<I, H> = Box::leak(Box::new(Network::blank()));
        let mut rounds: Vec<Vec<Sample>> = Vec::new();
        for round in 0..self.rounds {
            let nodes = if round == 0 { self.plan.nodes / 2 } else { self.plan.nodes };
            // Games of players that know little have little to teach.
            let games = (self.plan.games >> (self.rounds - 1 - round).min(GROWING_ROUNDS)).max(1);
            let plan = Plan { games, nodes, seed: 100 * self.plan.seed + u64::from(round), ..self.plan };
            let games = self_play(&start, &plan, || apply(network));
            // Games that were played without any knowledge are not worth training on.
            if round == 1 || rounds.len() == TRAINING_ROUNDS {
                rounds.remove(0);
            }
            let result_weight = if round == 0 { 1.0 } else { RESULT_WEIGHT };
            rounds.push(games.iter().flat_map(|game| samples_of(game, result_weight)).collect());
            let samples = rounds.concat();
            let (learnt, loss) = learn::<I, H>(&samples, target, self.plan.seed);
            after_round(&learnt, &samples, result_weight);
            eprintln!("round {}: {} positions, loss {loss:.4}", round + 1, samples.len());
            network = Box::leak(Box::new(learnt));
        }
        network
    }
}

/// Samples whose target is the chance to win.
fn by_odds<P: Searchable + Featured>(game: &Game<P>, share: f32) -> Vec<Sample> {
    let result = match game.end.full_verdict() {
        Some(Verdict::Win(Team::One)) => 1.0,
        Some(Verdict::Win(Team::Two)) => 0.0,
        _ => 0.5,
    };
    let sample = |&(position, score, _): &(P, i32, Move)| {
        let mut list = Vec::new();
        position.add_features(&mut list);
        let result = if position.to_move() == Team::One { result } else { 1.0 - result };
        let target = share * result + (1.0 - share) * win_probability::<P>(score) as f32;
        Sample { features: list, target, weight: 1.0, turn: position.turn() as u8 }
    };
    game.seen.iter().map(sample).collect()
}

/// Starts in the corners and on the border, with all four rule sets.
fn blokus_start(random: &mut Random) -> Blokus {
    Blokus::start(random.below(4) as u8, 9 + random.below(12) as u8)
}

fn tune_blokus(task: &Task, origin: &str) -> String {
    use blokus::eval::{KNOTS, Spread, deviations, spread_at, unit, use_network};
    let spread: RwLock<&'static Spread> = RwLock::new(&[20.0; KNOTS.len()]);
    let spread_now = || *spread.read().expect("nobody panicked");
    let samples_of = |game: &Game<Blokus>, share: f32| {
        let sample = |(position, score, _): &(Blokus, i32, Move)| {
            let mut features = Vec::new();
            position.add_features(&mut features);
            let turn = position.turn() as u8;
            let at_end = if game.end.to_move() == position.to_move() { game.end.lead() } else { -game.end.lead() };
            let spread = spread_at(spread_now(), turn);
            let expected = share * at_end + (1.0 - share) * *score as f32 / unit(spread);
            Sample { features, target: expected - position.lead(), weight: (10.0 / spread).powi(2), turn }
        };
        game.seen.iter().map(sample).collect()
    };
    let after_round = |network: &blokus::eval::Network, samples: &[Sample], share: f32| {
        let errors = samples.iter().map(|sample| {
            // The result is only a part of the target, so the output is nearer to the target than to the result.
            (sample.turn, (network.output_for(&sample.features) - sample.target) / share)
        });
        *spread.write().expect("nobody panicked") = Box::leak(Box::new(deviations(errors)));
    };
    let network =
        task.run(blokus_start, |network| use_network(network, spread_now()), Target::Number, samples_of, after_round);
    let list: Vec<String> = spread_now().iter().map(|number| format!("{number:.2}")).collect();
    let more = format!(
        "use super::eval::{{Network, Spread}};\n\n\
         /// By how many points the lead at the end differs from what the network expects (standard deviation).\n\
         pub static SPREAD: Spread = [{}];\n\n",
        list.join(", ")
    );
    source::module(network, origin, &more)
}

/// Learns the policy: each round plays with the policy of the round before.
fn tune_policy(task: &Task, origin: &str) -> String {
    let mut policy: &'static Policy = Box::leak(Box::new(blank()));
    let mut rounds = Vec::new();
    for round in 0..task.rounds {
        let plan = Plan { seed: 100 * task.plan.seed + u64::from(round), ..task.plan };
        let games = self_play(blokus_start, &plan, || use_policy(policy));
        // What was played without a policy is worth less.
        if round == 1 || rounds.len() == TRAINING_ROUNDS {
            rounds.remove(0);
        }
        rounds.push(
            games
                .into_iter()
                .flat_map(|game| game.seen)
                .map(|(position, _, best)| (position, best))
                .collect::<Vec<_>>(),
        );
        let samples = rounds.concat();
        let (learnt, report) = policy::learn(&samples, task.plan.seed);
        eprintln!("round {}: {} positions, {report}", round + 1, samples.len());
        policy = Box::leak(Box::new(learnt));
    }
    source::policy_module(policy, origin)
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
        let network = task(10).run(start, piranhas::eval::use_network, Target::Odds, by_odds, |_, _, _| {});
        source::module(network, &origin, "use super::eval::Network;\n\n")
    } else if let Some(rules) = ostseeschach::RULE_SETS.iter().position(|known| *known == key) {
        let start = |random: &mut Random| Ostseeschach::start(rules as u8, random);
        let network = task(8).run(start, ostseeschach::eval::use_network, Target::Odds, by_odds, |_, _, _| {});
        source::module(network, &origin, "use super::eval::Network;\n\n")
    } else if key == "blokus" {
        tune_blokus(&task(6), &origin)
    } else if key == "blokus-policy" {
        tune_policy(&task(6), &origin)
    } else {
        eprintln!("there is no {key}: give a rule set of Piranhas or Ostseeschach, blokus or blokus-policy");
        std::process::exit(2);
    };
    print!("{text}");
}
