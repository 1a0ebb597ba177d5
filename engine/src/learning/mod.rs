//! Learning to evaluate positions: what `tune` does for each game.

pub mod adam;
pub mod network;
pub mod play;

use crate::encoding::Encoded;
use crate::game::{Team, Verdict};
use crate::network::{Featured, Network};
use crate::search::{Searchable, win_probability};
use crate::weights::file_of;
use network::{Sample, learn};
use play::{Game, Plan, self_play};

/// Why `tune` has learnt nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are wrong; the text says what is expected.
    Usage(String),
    /// Something failed on the way.
    Failure(String),
}

/// A game whose evaluation can be learnt.
pub trait Learning: Encoded + Searchable {
    /// Learns as the arguments of `tune` say, the first of which begins with the name of the game. Returns the
    /// file of weights, or nothing where it has only played.
    fn tune(words: &[String]) -> Result<Vec<u8>, Refusal>;
}

/// How many of the last rounds a network is trained on.
const TRAINING_ROUNDS: usize = 3;

/// How many rounds at the end have more games than the ones before: each twice as many, up to GAMES in the last round.
const GROWING_ROUNDS: u32 = 4;

/// The weight of the game's result in the target of a position; the rest is the score of the search.
const RESULT_WEIGHT: f32 = 0.5;

/// Number `i` of the arguments, from 1 on.
pub fn positive(words: &[String], i: usize) -> Option<u32> {
    words.get(i).and_then(|word| word.parse::<u32>().ok()).filter(|&number| number > 0)
}

/// Learns a network: `tune RULE-SET GAMES NODES ROUNDS SEED`.
///
/// In each round the engine plays games against itself from random openings of about `opening` plies, with NODES nodes per
/// move: GAMES in the last round, half as many in the one before, and so on down to a sixteenth. Then a new network is
/// trained on the positions of the last rounds: on the results of the games, and after the first round also on the scores
/// of the search. The first round knows only the rules. The same arguments give the same network. `apply` makes a thread
/// use a network.
///
/// Where a game has an evaluation by hand, `by_hand` is the network that says the same: it plays the first round, and the
/// scores of its searches are learnt, too. A new network always begins with random weights.
pub fn by_self_play<P: Encoded + Searchable + Featured, const I: usize, const H: usize>(
    words: &[String],
    opening: u32,
    by_hand: Option<Network<I, H>>,
    apply: impl Fn(&'static Network<I, H>) + Sync,
) -> Result<Vec<u8>, Refusal> {
    let number = |i| positive(words, i);
    let (Some(games), Some(nodes), Some(rounds), Some(seed)) = (number(1), number(2), number(3), number(4)) else {
        return Err(Refusal::Usage("usage: tune RULE-SET GAMES NODES ROUNDS SEED, all numbers from 1 on".into()));
    };
    let Some(rules) = P::rule_set(&words[0]) else {
        let keys: Vec<&str> = P::RULE_SETS.iter().map(|rule_set| rule_set.key).collect();
        return Err(Refusal::Usage(format!("there is no {}: give one of {}", words[0], keys.join(", "))));
    };
    let plan = Plan { games, nodes: nodes.into(), opening, seed: seed.into() };
    let network = learn_in_rounds::<P, I, H>(rules, &plan, rounds, by_hand, apply);
    let origin = format!("tune {} {games} {nodes} {rounds} {seed}", words[0]);
    Ok(file_of(network, &[], &origin))
}

/// Plays and learns, round by round.
fn learn_in_rounds<P: Encoded + Searchable + Featured, const I: usize, const H: usize>(
    rules: u8,
    last: &Plan,
    number: u32,
    by_hand: Option<Network<I, H>>,
    apply: impl Fn(&'static Network<I, H>) + Sync,
) -> &'static Network<I, H> {
    let knows_nothing = by_hand.is_none();
    let mut network: &'static Network<I, H> = Box::leak(Box::new(by_hand.unwrap_or(Network::blank())));
    let mut rounds: Vec<Vec<Sample>> = Vec::new();
    for round in 0..number {
        let nodes = if round == 0 { last.nodes / 2 } else { last.nodes };
        // Games of players that know little have little to teach.
        let games = (last.games >> (number - 1 - round).min(GROWING_ROUNDS)).max(1);
        let plan = Plan { games, nodes, seed: 100 * last.seed + u64::from(round), ..*last };
        let games = self_play(|random| P::draw_start(rules, random), &plan, || apply(network));
        // Games that were played without any knowledge are not worth training on.
        if round == 1 && knows_nothing || rounds.len() == TRAINING_ROUNDS {
            rounds.remove(0);
        }
        let result_weight = if round == 0 && knows_nothing { 1.0 } else { RESULT_WEIGHT };
        rounds.push(games.iter().flat_map(|game| samples_of(game, result_weight)).collect());
        let samples = rounds.concat();
        let (learnt, loss) = learn::<I, H>(&samples, None, last.seed);
        eprintln!("round {}: {} positions, loss {loss:.4}", round + 1, samples.len());
        network = Box::leak(learnt);
    }
    network
}

/// What ONE has won: 1, a half or nothing.
pub fn result_of<P: Searchable>(end: &P) -> f32 {
    match end.full_verdict() {
        Some(Verdict::Win(Team::One)) => 1.0,
        Some(Verdict::Win(Team::Two)) => 0.0,
        _ => 0.5,
    }
}

/// A sample that learns the result for ONE with this weight, and for the rest the score of the search, if there is one.
pub fn sample_of<P: Searchable + Featured>(position: &P, result: f32, score: Option<i32>, weight: f32) -> Sample {
    let mut features = Vec::new();
    position.add_features(&mut features);
    let result = if position.to_move() == Team::One { result } else { 1.0 - result };
    let searched = score.map_or(result, |score| win_probability::<P>(score) as f32);
    Sample { features, chance: weight * result + (1.0 - weight) * searched }
}

fn samples_of<P: Searchable + Featured>(game: &Game<P>, weight: f32) -> Vec<Sample> {
    let result = result_of(&game.end);
    game.seen.iter().map(|(position, score)| sample_of(position, result, Some(*score), weight)).collect()
}
