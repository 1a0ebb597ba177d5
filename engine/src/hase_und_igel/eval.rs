//! What a position of Hase und Igel is worth: how far the hares are, and whether carrots and salads will be gone in time.

use super::{CARDS, GOAL, HaseUndIgel, Kind, LAST_TURN, Last, bit, cards, cost, reach, span};
use crate::game::Move;
use crate::learning::{Learning, Refusal, by_self_play};
use crate::network::{self, Featured, Features};
use crate::search::{Searchable, score_of_odds};
use crate::weights::only_network;
use std::cell::Cell;

/// Features of one team.
const OF_TEAM: usize = 26;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * OF_TEAM + 4;
/// Hidden units.
pub const HIDDEN: usize = 16;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

/// What was learnt.
static NETWORK: Network = only_network(include_bytes!("weights.bin"));

thread_local! {
    static CURRENT: Cell<&'static Network> = const { Cell::new(&NETWORK) };
}

/// Makes this thread evaluate positions with `network`.
pub fn use_network(network: &'static Network) {
    CURRENT.set(network);
}

impl HaseUndIgel {
    /// The carrots that a hare has beyond what running evenly to the goal in its last turns costs.
    #[inline(always)]
    fn surplus(&self, team: usize) -> f32 {
        let hare = &self.hares[team];
        let distance = f32::from(GOAL - hare.position);
        // A salad takes two turns: one to get there, one to eat.
        let turns = (f32::from(LAST_TURN - self.turn.min(LAST_TURN)) / 2.0 - f32::from(hare.salads)).max(1.0);
        f32::from(hare.carrots) - distance * (distance / turns + 1.0) / 2.0
    }
}

impl Featured for HaseUndIgel {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let mover = self.mover();
        for (i, team) in [mover, 1 - mover].into_iter().enumerate() {
            let (hare, other) = (&self.hares[team], &self.hares[1 - team]);
            let first = i * OF_TEAM;
            let here = bit(hare.position);
            let flag = |condition: bool| f32::from(u8::from(condition));
            let position = f32::from(hare.position) / 64.0;
            let carrots = f32::from(hare.carrots.min(400)) / 50.0;
            let salads_ahead = self.track.kinds[Kind::Salad as usize] & span(hare.position + 1, GOAL);
            let to_salad = (salads_ahead.trailing_zeros() as f32 + 1.0 - f32::from(hare.position)).min(20.0);
            let salads = f32::from(hare.salads);
            let to_goal = GOAL - hare.position;
            let affords_goal = hare.carrots >= cost(to_goal);
            let features: [f32; OF_TEAM] = [
                position,
                carrots,
                salads,
                f32::from(hare.cards[0].min(3)),
                f32::from(hare.cards[1].min(3)),
                f32::from(hare.cards[2].min(3)),
                f32::from(hare.cards[3].min(3)),
                flag(hare.last == Last::Ate),
                flag(hare.last == Last::Swapped),
                flag(self.track.has(Kind::Carrots, here)),
                flag(self.track.has(Kind::Hare, here)),
                flag(self.track.has(Kind::Salad, here)),
                flag(self.track.has(Kind::Market, here)),
                flag(self.track.has(Kind::Hedgehog, here)),
                flag(self.track.has(Kind::Position1, here)) * flag(hare.position > other.position),
                flag(self.track.has(Kind::Position2, here)) * flag(hare.position <= other.position),
                flag(hare.position == GOAL),
                if salads_ahead == 0 { 0.0 } else { to_salad / 10.0 },
                (salads - salads_ahead.count_ones() as f32).max(0.0),
                (self.surplus(team) / 50.0).clamp(-4.0, 8.0),
                flag(hare.carrots <= 10),
                salads * position,
                flag(affords_goal),
                flag(affords_goal && hare.salads == 0 && hare.carrots - cost(to_goal) <= 10),
                f32::from(reach(hare.carrots)) / 10.0,
                carrots * position,
            ];
            for (k, feature) in features.into_iter().enumerate() {
                to.add(first + k, feature);
            }
        }
        let lead = f32::from(self.hares[mover].position) - f32::from(self.hares[1 - mover].position);
        let late = f32::from(self.turn) / f32::from(LAST_TURN);
        for (k, feature) in [late, mover as f32, lead / 16.0, lead / 16.0 * late].into_iter().enumerate() {
            to.add(2 * OF_TEAM + k, feature);
        }
    }
}

impl Searchable for HaseUndIgel {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 80;

    type Context = ();

    fn context(&self) {}

    fn evaluate(&self) -> i32 {
        score_of_odds::<Self>(CURRENT.get().output_of(self))
    }

    /// The goal is everything; then salads, and short ways to fields that give something.
    fn order_score(&self, (): &(), m: Move) -> i32 {
        let me = &self.hares[self.mover()];
        match m {
            cards::EAT_SALAD => 5000,
            cards::FALL_BACK => 200,
            cards::TAKE_CARROTS => -200,
            cards::GIVE_CARROTS => -100,
            _ => {
                let (distance, chain) = cards::parts(m);
                let target = me.position + distance;
                let here = bit(target);
                let eats = chain.is_some_and(|(_, _, last)| last == CARDS[0] && !self.track.has(Kind::Market, here));
                let bonus = if target == GOAL {
                    20_000
                } else if self.track.has(Kind::Salad, here) || eats {
                    1500
                } else if self.track.has(Kind::Position2, here) || self.track.has(Kind::Carrots, here) {
                    300
                } else {
                    0
                };
                bonus - 8 * i32::from(distance) * i32::from(distance) + 60 * i32::from(distance)
            }
        }
    }
}

impl Learning for HaseUndIgel {
    fn tune(words: &[String]) -> Result<Vec<u8>, Refusal> {
        by_self_play::<Self, FEATURES, HIDDEN>(words, 10, use_network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;

    #[test]
    fn features_are_finite_and_the_same_on_every_machine() {
        let mut random = Random::new(9);
        for game in 0..40 {
            let mut position = HaseUndIgel::start(game % 2, &mut random);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                assert_eq!(features.len(), FEATURES);
                assert!(features.iter().all(|feature| feature.1.is_finite()));
                assert_eq!(NETWORK.output_of(&position), NETWORK.plain_output_of(&position));
                position = position.play(m);
            }
        }
    }
}
