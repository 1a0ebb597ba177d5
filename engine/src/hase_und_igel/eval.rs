//! What a position of Hase und Igel is worth: how far the hares are, and whether carrots and salads will be gone in time.

use super::{CARDS, GOAL, HaseUndIgel, Kind, LAST_TURN, Last, bit, cards, cost, reach, span};
use crate::game::Move;
use crate::learning::Learning;
use crate::network::{self, Featured, Features};
use crate::search::{Searchable, score_of_odds};
use crate::weights::only_network;
use std::cell::Cell;

/// Features of one team.
const OF_TEAM: usize = 31;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * OF_TEAM + 5;
/// Hidden units.
pub const HIDDEN: usize = 16;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

static NETWORK: Network = only_network(include_bytes!("weights.bin"), "hase-und-igel");

/// The last feature alone, which is made by hand, as the odds: learning begins with games of this evaluation. From
/// random evaluations it finds no way to the goal (docs/engine-log.md).
const BY_HAND: Network = {
    let mut network = Network::blank();
    network.direct[FEATURES - 1] = 1.0;
    network
};

thread_local! {
    static CURRENT: Cell<&'static Network> = const { Cell::new(&NETWORK) };
}

impl HaseUndIgel {
    /// What one hare has, as the evaluation of the Python package says: first for the race to the goal, in the last turns
    /// only for being ahead when they are over. Its weights were fitted to the results of games there.
    #[inline(always)]
    fn worth(&self, team: usize) -> f32 {
        const LAST_TURNS: f32 = 10.0;
        let hare = &self.hares[team];
        let turns_left = f32::from(LAST_TURN) - f32::from(self.turn.min(LAST_TURN));
        let race = self.race(team);
        if turns_left >= LAST_TURNS {
            return race;
        }
        let late = 1.0 - turns_left / LAST_TURNS;
        let ahead = 0.36 * (f32::from(hare.position) + 0.3 * f32::from(reach(hare.carrots)));
        (1.0 - late) * race + late * ahead
    }

    #[inline(always)]
    fn race(&self, team: usize) -> f32 {
        let hare = &self.hares[team];
        let phase = f32::from(self.turn) / f32::from(LAST_TURN);
        let (position, carrots, salads) = (f32::from(hare.position), f32::from(hare.carrots), f32::from(hare.salads));
        let (time, excess) = (self.time(team), self.excess(team));
        let mut worth = (-0.016 + 0.072 * phase) * position + (0.007 - 0.046 * phase) * time;
        worth += 0.00285 * carrots.min(100.0) - 0.0366 * excess;
        if hare.salads == 0 {
            worth += 0.34;
        } else {
            let here = self.track.has(Kind::Salad, bit(hare.position));
            let eats = here && hare.last != Last::Ate;
            let fields = (self.track.kinds[Kind::Salad as usize] & span(hare.position + 1, GOAL)).count_ones();
            let without = (salads - fields as f32 - f32::from(u8::from(eats))).max(0.0);
            worth += (-0.165 - 0.017 * phase) * salads + if eats { 0.16 } else { 0.0 };
            worth += (-0.05 - 0.56 * phase) * without;
        }
        worth += (0.36 - 0.28 * phase) * f32::from(hare.cards[0].min(2));
        worth + if hare.cards[1] > 0 { 0.17 } else { 0.0 }
    }

    /// In how many turns a hare is in the goal if it spreads its carrots evenly.
    #[inline(always)]
    fn time(&self, team: usize) -> f32 {
        let hare = &self.hares[team];
        let left = f32::from(GOAL - hare.position);
        // Equal steps over the whole way cost left * (left / moves + 1) / 2; a salad brings about twelve carrots (R5, R6).
        let carrots = f32::from(hare.carrots) + 12.0 * f32::from(hare.salads);
        (left * left / (2.0 * carrots - left).max(4.0)).min(40.0)
    }

    /// The carrots that cannot be run off on the way to the goal.
    #[inline(always)]
    fn excess(&self, team: usize) -> f32 {
        let hare = &self.hares[team];
        (f32::from(hare.carrots) - 10.0 - f32::from(cost(GOAL - hare.position))).clamp(0.0, 60.0)
    }

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
            let (window, free) = (span(hare.position + 1, hare.position + reach(hare.carrots)), !bit(other.position));
            let behind = self.track.kinds[Kind::Hedgehog as usize] & span(1, hare.position.saturating_sub(1));
            let hedgehog = (64 - behind.leading_zeros()) as u8;
            let can_fall_back = hedgehog > 0 && hedgehog != other.position;
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
                if can_fall_back { f32::from(hare.position - hedgehog) / 10.0 } else { 0.0 },
                flag(hare.salads > 0 && salads_ahead & window & free != 0),
                flag(hare.cards != [0; 4] && self.track.kinds[Kind::Hare as usize] & window & free != 0),
                self.time(team) / 10.0,
                self.excess(team) / 20.0,
            ];
            for (k, feature) in features.into_iter().enumerate() {
                to.add(first + k, feature);
            }
        }
        let worth = 2.0 * (self.worth(mover) - self.worth(1 - mover) + 0.043);
        let lead = f32::from(self.hares[mover].position) - f32::from(self.hares[1 - mover].position);
        let late = f32::from(self.turn) / f32::from(LAST_TURN);
        for (k, feature) in [late, mover as f32, lead / 16.0, lead / 16.0 * late, worth].into_iter().enumerate() {
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
    type Weights = Network;

    const WEAK_GAMES: u32 = 10;

    fn by_hand() -> Option<Network> {
        Some(BY_HAND)
    }

    fn use_weights(network: &'static Network) {
        CURRENT.set(network);
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
