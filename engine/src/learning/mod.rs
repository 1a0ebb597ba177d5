//! Learning from games against oneself: what `tune` does, the same for every game.

pub mod game_file;
pub mod network;
pub mod self_play;
pub mod trainer;

use crate::encoding::Encoded;
use crate::search::Searchable;
use game_file::GameFile;
use self_play::{Game, Round, play_missing};

/// A game that learns from its own games.
pub trait Learning: Encoded + Searchable {
    /// What it learns: a network, and whatever else its search uses.
    type Weights: Weights<Self>;

    /// Whether a tree search plays its games, as a policy needs it; if not, alpha-beta does. What is drawn is then drawn by
    /// order scores, and evenly if not.
    const BY_TREE: bool = false;

    /// The mean number of moves that are drawn at the beginning of a game.
    const OPENING: u32 = 10;

    /// The weight of the game's result in what is learnt of a position; the rest is the score of the search.
    const RESULT_WEIGHT: f32 = 0.5;

    /// How many games of a hundred are between weak players, who draw some, most or all of their moves. Only their results are
    /// learnt: so the network is not sure of who wins where only weak players get to.
    const WEAK_GAMES: u32 = 0;

    /// The weights that play the first round, where games of the bare rules teach nothing.
    fn by_hand() -> Option<Self::Weights> {
        None
    }

    /// Makes this thread search with these weights.
    fn use_weights(weights: &'static Self::Weights);
}

/// What a game learns.
pub trait Weights<P>: Sync + 'static {
    /// Weights that know nothing.
    fn blank() -> Self;

    /// Learns from games, and reports how well it did. The same games and seed give the same weights.
    fn learn(games: impl Iterator<Item = Game<P>>, seed: u64) -> (Self, String)
    where
        Self: Sized;

    /// A file of weights; `origin` says how they were made.
    fn to_file(&self, origin: &str) -> Vec<u8>;
}

/// Why `tune` has learnt nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are wrong; the text says what is expected.
    Usage(String),
    /// Something failed on the way.
    Failure(String),
}

/// How many of the last rounds are learnt from.
const LEARNT_ROUNDS: u32 = 3;

/// How many rounds at the end have more games than the ones before: each twice as many, up to GAMES in the last round.
const GROWING_ROUNDS: u32 = 4;

/// Learns the weights of a game for one of its rule sets, or for all: `tune RULE-SET GAMES NODES ROUNDS SEED`.
///
/// In each round the engine plays games against itself: GAMES in the last round, half as many in the one before, and so on
/// down to a sixteenth. Then it learns new weights from the games of the last rounds; nothing else is kept from the
/// weights before. The games are also written to a file, so that the same command goes on where it was interrupted. The
/// same arguments give the same weights.
pub fn tune<P: Learning>(rules: Option<u8>, words: &[String]) -> Result<Vec<u8>, Refusal> {
    let numbers: Vec<u32> = words[1..].iter().filter_map(|word| word.parse().ok()).filter(|&n| n > 0).collect();
    let (&[games, nodes, rounds, seed], 5) = (&numbers[..], words.len()) else {
        return Err(Refusal::Usage("usage: tune RULE-SET GAMES NODES ROUNDS SEED, all numbers from 1 on".into()));
    };
    let plan = Plan { rules, games, nodes: nodes.into(), rounds, seed: seed.into() };
    let path = format!("{}.games", words.join("-"));
    let origin = format!("tune {}", words.join(" "));
    let weights = learn_in_rounds::<P>(&plan, &path, &origin).map_err(Refusal::Failure)?;
    Ok(weights.to_file(&origin))
}

/// What the arguments of `tune` ask for.
struct Plan {
    rules: Option<u8>,
    games: u32,
    nodes: u64,
    rounds: u32,
    seed: u64,
}

impl Plan {
    /// The rounds, each with the number of games before it.
    fn rounds(&self, knows_nothing: bool) -> Vec<Round> {
        let mut first = 0;
        let round = |number: u32| {
            // Games of players that know little have little to teach.
            let games = (self.games >> (self.rounds - 1 - number).min(GROWING_ROUNDS)).max(1) as usize;
            let nodes = if number == 0 { self.nodes.div_ceil(2) } else { self.nodes };
            let seed = 100 * self.seed + u64::from(number);
            let round =
                Round { rules: self.rules, first, games, nodes, seed, knows_nothing: knows_nothing && number == 0 };
            first += games;
            round
        };
        (0..self.rounds).map(round).collect()
    }
}

/// Plays and learns, round by round. What was learnt before games that are in the file already is not learnt again.
fn learn_in_rounds<P: Learning>(plan: &Plan, path: &str, origin: &str) -> Result<&'static P::Weights, String> {
    let by_hand = P::by_hand();
    let rounds = plan.rounds(by_hand.is_none());
    let is_whole = |number: usize, line: &str| {
        let round = rounds.iter().find(|round| number < round.end());
        round.is_some_and(|round| round.read::<P>(number, line).is_some())
    };
    let mut file = GameFile::open(path, origin, is_whole)?;
    eprintln!("games are kept in {path}: the same command goes on where it was interrupted");
    let mut weights: &'static P::Weights = Box::leak(Box::new(by_hand.unwrap_or_else(P::Weights::blank)));
    for (i, round) in rounds.iter().enumerate() {
        play_missing::<P>(round, weights, &mut file)?;
        if rounds.get(i + 1).is_some_and(|next| file.games().len() >= next.end()) {
            continue;
        }
        // Games that were played without any knowledge are learnt from once only.
        let oldest = (i + 1).saturating_sub(LEARNT_ROUNDS as usize).max(usize::from(rounds[0].knows_nothing)).min(i);
        let games = rounds[oldest..=i].iter().flat_map(|round| round.read_all::<P>(&file));
        let (learnt, report) = P::Weights::learn(games, plan.seed);
        eprintln!("round {} of {}: {} games; {report}", i + 1, plan.rounds, round.end() - rounds[oldest].first);
        weights = Box::leak(Box::new(learnt));
    }
    Ok(weights)
}
