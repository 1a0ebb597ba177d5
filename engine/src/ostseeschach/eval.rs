//! What a position of Ostseeschach is worth: ambers, where the pieces stand, what is at risk, who runs free.

use super::{ALL_STEPS, LAST_TURN, Ostseeschach, REACH, ROBBE, START_LINE, TURN_KEYS, not_files, shifted};
use crate::game::{Move, Verdict};
use crate::learning::Learning;
use crate::network::{self, Featured, Features};
use crate::search::{Pruning, Searchable, TACTICAL, score_of_odds};
use crate::weights::only_network;
use std::cell::Cell;

/// The pieces of a team on their lines: 4 kinds, single or tall, 8 lines seen from their own start line.
const PLACES: usize = 64;
/// What else is counted for a team.
const OF_TEAM: usize = 13;
/// The longest race of a light piece that is counted, in moves.
const RACE: usize = 6;
/// Features of a position: of the side to move, of the other side, and of both.
pub const FEATURES: usize = 2 * PLACES + 2 * OF_TEAM + 4 + 2 * RACE;
/// Hidden units.
pub const HIDDEN: usize = 16;
/// The network that evaluates a position.
pub type Network = network::Network<FEATURES, HIDDEN>;

/// What was learnt.
static NETWORK: Network = only_network(include_bytes!("weights.bin"), "ostseeschach");

thread_local! {
    static CURRENT: Cell<&'static Network> = const { Cell::new(&NETWORK) };
}

/// What a team can do.
#[derive(Default, Clone, Copy)]
struct Force {
    /// The squares that it attacks.
    reach: u64,
    /// The squares that its towers attack.
    tall_reach: u64,
    /// The number of its moves.
    moves: u32,
    /// The light pieces' moves to the opponent's start line.
    arrivals: u32,
}

/// The squares on which a piece of the mover is in danger, or safe.
#[derive(Debug)]
pub struct Danger {
    /// The squares that the opponent attacks.
    attacked: u64,
    /// The squares that at least one and at least two pieces of the mover attack.
    guarded: [u64; 2],
}

/// A board seen from the start line of `team`.
#[inline(always)]
const fn seen_from(team: usize, board: u64) -> u64 {
    if team == 0 { board } else { board.swap_bytes() }
}

/// The squares that each of the nineteen steps leads to, seen from the own start line; those of light pieces that go
/// forward come first.
#[inline(always)]
fn targets([muscheln, moewen, seesterne, robben]: [u64; 4]) -> [u64; 19] {
    const LEFT: u64 = not_files(0x01);
    const FAR_LEFT: u64 = not_files(0x03);
    const RIGHT: u64 = not_files(0x80);
    const FAR_RIGHT: u64 = not_files(0xC0);
    [
        (muscheln & LEFT) << 7,
        (muscheln & RIGHT) << 9,
        moewen << 8,
        seesterne << 8,
        (seesterne & LEFT) << 7,
        (seesterne & RIGHT) << 9,
        moewen >> 8,
        (moewen & LEFT) >> 1,
        (moewen & RIGHT) << 1,
        (seesterne & LEFT) >> 9,
        (seesterne & RIGHT) >> 7,
        (robben & LEFT) << 15,
        (robben & RIGHT) << 17,
        (robben & FAR_LEFT) << 6,
        (robben & FAR_RIGHT) << 10,
        (robben & FAR_LEFT) >> 10,
        (robben & FAR_RIGHT) >> 6,
        (robben & LEFT) >> 17,
        (robben & RIGHT) >> 15,
    ]
}

impl Ostseeschach {
    /// The pieces of a team, kind by kind, seen from its start line.
    #[inline(always)]
    fn kinds_of(&self, team: usize) -> [u64; 4] {
        let own = seen_from(team, self.teams[team]);
        self.kinds.map(|kind| seen_from(team, kind) & own)
    }

    #[inline(always)]
    fn force(&self, team: usize) -> Force {
        let own = seen_from(team, self.teams[team]);
        let kinds = self.kinds_of(team);
        let tall = seen_from(team, self.tall);
        let targets = targets(kinds);
        let mut force = Force {
            reach: seen_from(team, targets.into_iter().fold(0, |all, set| all | set)),
            moves: targets.into_iter().map(|set| (set & !own).count_ones()).sum(),
            ..Force::default()
        };
        if own & tall != 0 {
            let tall_targets = self::targets(kinds.map(|kind| kind & tall));
            force.tall_reach = seen_from(team, tall_targets.into_iter().fold(0, |all, set| all | set));
        }
        // One line before the last, as every piece that can arrive with its next move.
        if (own & !kinds[ROBBE]) >> 48 & 0xFF != 0 {
            force.arrivals = targets[..6].iter().map(|set| (set & !own & START_LINE[1]).count_ones()).sum();
        }
        force
    }

    /// After how many moves of its own the first light piece of a team stands before its arrival, if it goes straight
    /// on over squares that are not `attacked`; `None` if that takes `RACE` moves or more.
    #[inline(always)]
    fn race(&self, team: usize, attacked: u64) -> Option<usize> {
        const LEFT: u64 = not_files(0x01);
        const RIGHT: u64 = not_files(0x80);
        let [mut muscheln, mut moewen, mut seesterne, _] = self.kinds_of(team);
        let own = seen_from(team, self.teams[team]);
        let safe = !(seen_from(team, attacked) | own);
        for moves in 0..RACE {
            let sides = |set: u64| (set & LEFT) << 7 | (set & RIGHT) << 9;
            let next = [
                sides(muscheln),
                moewen << 8 | (moewen & LEFT) >> 1 | (moewen & RIGHT) << 1,
                seesterne << 8 | sides(seesterne),
            ];
            if (next[0] | next[1] | next[2]) & !own & START_LINE[1] != 0 {
                return Some(moves);
            }
            [muscheln, moewen, seesterne] = next.map(|set| set & safe);
        }
        None
    }

    /// The light pieces that have no opponent before them, on their own file or beside it.
    #[inline(always)]
    fn runners(&self, team: usize) -> u32 {
        let foes = seen_from(team, self.teams[1 - team]);
        let mut behind = foes | (foes & not_files(0x80)) << 1 | (foes & not_files(0x01)) >> 1;
        for by in [8, 16, 32] {
            behind |= behind >> by;
        }
        (seen_from(team, self.light(team)) & !behind).count_ones()
    }
}

impl Featured for Ostseeschach {
    #[inline(always)]
    fn add_features(&self, to: &mut impl Features) {
        let forces = [self.force(0), self.force(1)];
        let mover = self.mover();
        for (i, team) in [mover, 1 - mover].into_iter().enumerate() {
            let own = self.teams[team];
            let mut rest = seen_from(team, own);
            let tall = seen_from(team, self.tall);
            let (low, high) = (self.kinds[1] | self.kinds[3], self.kinds[2] | self.kinds[3]);
            let kind = [seen_from(team, low), seen_from(team, high)];
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let of_piece = |set: u64| (set >> square & 1) as usize;
                let kind = of_piece(kind[0]) + 2 * of_piece(kind[1]);
                to.add(i * PLACES + kind * 16 + of_piece(tall) * 8 + square / 8, 1.0);
            }
            let (ours, theirs) = (forces[team], forces[1 - team]);
            let attacked = own & theirs.reach;
            let unguarded = attacked & !ours.reach;
            if let Some(moves) = self.race(team, theirs.reach) {
                to.add(2 * PLACES + 2 * OF_TEAM + 4 + i * RACE + moves, 1.0);
            }
            let counts = [
                attacked.count_ones(),
                (unguarded & self.kinds[0]).count_ones(),
                (attacked & self.tall | own & theirs.tall_reach).count_ones(),
                u32::from(self.ambers[team]),
                ours.moves,
                (own & ours.reach).count_ones(),
                ours.arrivals,
                self.runners(team),
                self.light(team).count_ones(),
                u32::from(self.ambers[team]) * u32::from(self.turn),
                (unguarded & self.kinds[1]).count_ones(),
                (unguarded & self.kinds[2]).count_ones(),
                (unguarded & self.kinds[3]).count_ones(),
            ];
            for (k, count) in counts.into_iter().enumerate() {
                to.add(2 * PLACES + i * OF_TEAM + k, count as f32);
            }
        }
        let late = f32::from(self.turn) / f32::from(LAST_TURN);
        let ahead = match self.winner().0 {
            Verdict::Draw => 0.0,
            Verdict::Win(winner) if winner as usize == mover => 1.0,
            Verdict::Win(_) => -1.0,
        };
        for (i, feature) in [late, mover as f32, ahead, ahead * late * late].into_iter().enumerate() {
            to.add(2 * PLACES + 2 * OF_TEAM + i, feature);
        }
    }
}

impl Searchable for Ostseeschach {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 100;
    const PRUNING: Pruning = Pruning::BOLD;

    type Context = Danger;

    #[inline]
    fn context(&self) -> Danger {
        let (own, other) = (self.mover(), 1 - self.mover());
        let (mut once, mut twice) = (0, 0);
        for set in targets(self.kinds_of(own)) {
            twice |= once & set;
            once |= set;
        }
        let attacked = targets(self.kinds_of(other)).into_iter().fold(0, |all, set| all | set);
        Danger { attacked: seen_from(other, attacked), guarded: [once, twice].map(|set| seen_from(own, set)) }
    }

    fn evaluate(&self) -> i32 {
        score_of_odds::<Self>(CURRENT.get().output_of(self))
    }

    /// In the middle of a round somebody has enough ambers: the next move is the last.
    fn is_unsettled(&self) -> bool {
        self.turn & 1 == 1 && self.has_two_ambers()
    }

    fn without_moving(&self) -> Option<Self> {
        let mut other = *self;
        other.turn += 1;
        other.hash ^= TURN_KEYS[self.turn as usize] ^ TURN_KEYS[other.turn as usize];
        (other.turn < LAST_TURN).then_some(other)
    }

    fn order_score(&self, danger: &Danger, m: Move) -> i32 {
        let (from, to) = Self::squares_of(m);
        let (own, other) = (self.mover(), 1 - self.mover());
        let has = |set: u64, square: usize| (set >> square & 1) as i32;
        let light = has(self.kinds[ROBBE], from) == 0;
        let tall = has(self.tall, from);
        let captures = has(self.teams[other], to) == 1;
        let arrives = light && has(START_LINE[other], to) == 1;
        let ambers = i32::from(arrives) + i32::from(captures && tall + has(self.tall, to) > 0);
        if ambers > 0 {
            return TACTICAL + 1000 * ambers - 10 * tall;
        }
        let attacked = has(danger.attacked, to);
        let forward = if own == 0 { to as i32 / 8 - from as i32 / 8 } else { from as i32 / 8 - to as i32 / 8 };
        if captures {
            // The new tower must not be taken at once: that would be an amber for the opponent.
            return if attacked == 0 { TACTICAL + 2 + forward } else { -2000 };
        }
        let was_attacked = has(danger.attacked, from);
        let mut order_score = 100 * forward;
        if tall == 1 {
            order_score += 2000 * (was_attacked - attacked);
        } else {
            // A single piece that is guarded is bait.
            order_score += 600 * (was_attacked & (1 - has(danger.guarded[0], from)));
            order_score -= 600 * (attacked & (1 - has(danger.guarded[1], to)));
        }
        let threats = REACH[own][self.kind_at(from)][to] & self.teams[other];
        if threats & self.tall != 0 || tall == 1 && threats != 0 {
            order_score += 500 * (1 - attacked);
        }
        order_score
    }

    fn tactical_moves(&self, moves: &mut Vec<Move>) {
        if self.verdict.is_some() {
            return;
        }
        let (team, other) = (self.mover(), 1 - self.mover());
        let own = self.teams[team];
        for step in &ALL_STEPS[team] {
            let pieces = self.kinds[step.kind as usize] & own & step.from;
            let last_line = if step.kind as usize == ROBBE { 0 } else { START_LINE[other] };
            let mut targets = shifted(pieces, step.shift) & !own & (self.teams[other] | last_line);
            while targets != 0 {
                let to = targets.trailing_zeros() as i32;
                targets &= targets - 1;
                moves.push(Move(((to - i32::from(step.shift)) << 6 | to) as u16));
            }
        }
    }
}

impl Learning for Ostseeschach {
    type Weights = Network;

    const OPENING: u32 = 8;

    fn use_weights(network: &'static Network) {
        CURRENT.set(network);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::random::Random;

    fn squares(set: u64) -> impl Iterator<Item = usize> {
        (0..64).filter(move |square| set >> square & 1 == 1)
    }

    /// `Ostseeschach::race`, square by square.
    fn race_step_by_step(position: &Ostseeschach, team: usize) -> Option<usize> {
        let other = 1 - team;
        let attacked = |to: usize| {
            squares(position.teams[other]).any(|from| REACH[other][position.kind_at(from)][from] >> to & 1 == 1)
        };
        let line = |square: usize| if team == 0 { square / 8 } else { 7 - square / 8 };
        let own = |square: usize| position.teams[team] >> square & 1 == 1;
        let mut pieces: Vec<(usize, usize)> =
            squares(position.light(team)).map(|square| (position.kind_at(square), square)).collect();
        for moves in 0..RACE {
            let mut next: Vec<(usize, usize)> = Vec::new();
            for &(kind, from) in &pieces {
                let ahead = squares(REACH[team][kind][from]).filter(|&to| line(to) >= line(from) && !own(to));
                next.extend(ahead.map(|to| (kind, to)));
            }
            if next.iter().any(|&(_, to)| line(to) == 7) {
                return Some(moves);
            }
            next.retain(|&(_, to)| !attacked(to));
            next.sort_unstable();
            next.dedup();
            pieces = next;
        }
        None
    }

    #[test]
    fn only_captures_that_can_be_kept_are_tactical() {
        let mut random = Random::new(6);
        let (mut kept, mut lost) = (0, 0);
        for _ in 0..200 {
            let mut position = Ostseeschach::start(0, &mut random);
            while let Some(m) = position.random_move(&mut random) {
                let (from, to) = Ostseeschach::squares_of(m);
                let next = position.play(m);
                let captures = position.teams[1 - position.mover()] >> to & 1 == 1;
                if captures && next.ambers == position.ambers {
                    let mut replies = Vec::new();
                    next.moves(&mut replies);
                    let is_taken = replies.iter().any(|&reply| Ostseeschach::squares_of(reply).1 == to);
                    let is_tactical = position.order_score(&position.context(), m) >= TACTICAL;
                    if next.verdict.is_none() {
                        assert_eq!(is_tactical, !is_taken, "{} {from} {to}", position.format());
                        *(if is_taken { &mut lost } else { &mut kept }) += 1;
                    }
                }
                position = next;
            }
        }
        assert!(kept > 20 && lost > 20, "{kept} {lost}");
    }

    /// The features of a team, counted in a slow and simple way.
    #[test]
    fn features_are_what_they_say() {
        let mut random = Random::new(4);
        for _ in 0..40 {
            let mut position = Ostseeschach::start(0, &mut random);
            while let Some(m) = position.random_move(&mut random) {
                let mut features = Vec::new();
                position.add_features(&mut features);
                for (i, team) in [position.mover(), 1 - position.mover()].into_iter().enumerate() {
                    let other = 1 - team;
                    let feature = |k: usize| {
                        let number = (2 * PLACES + i * OF_TEAM + k) as u16;
                        features.iter().find(|feature| feature.0 == number).map(|feature| feature.1 as usize)
                    };
                    let race = (0..RACE).find(|moves| {
                        let number = (2 * PLACES + 2 * OF_TEAM + 4 + i * RACE + moves) as u16;
                        features.iter().any(|feature| feature.0 == number)
                    });
                    assert_eq!(race, race_step_by_step(&position, team));
                    let attacks =
                        |from: usize, of: usize, to: usize| REACH[of][position.kind_at(from)][from] >> to & 1 == 1;
                    let attacked = |to: usize| squares(position.teams[other]).any(|from| attacks(from, other, to));
                    let own = || squares(position.teams[team]);
                    assert_eq!(feature(0), Some(own().filter(|&to| attacked(to)).count()));
                    assert_eq!(feature(5), Some(own().filter(|&to| own().any(|from| attacks(from, team, to))).count()));
                    let (mut as_mover, mut moves) = (position, Vec::new());
                    as_mover.turn = team as u8;
                    as_mover.verdict = None;
                    as_mover.moves(&mut moves);
                    assert_eq!(feature(4), Some(moves.len()));
                    let arrives = |m: &&Move| {
                        let (from, to) = Ostseeschach::squares_of(**m);
                        position.kind_at(from) != ROBBE && START_LINE[other] >> to & 1 == 1
                    };
                    assert_eq!(feature(6), Some(moves.iter().filter(arrives).count()));
                    let before =
                        |from: usize, to: usize| if team == 0 { to / 8 >= from / 8 } else { to / 8 <= from / 8 };
                    let free = |&from: &usize| {
                        !squares(position.teams[other]).any(|to| before(from, to) && (to % 8).abs_diff(from % 8) <= 1)
                    };
                    assert_eq!(feature(7), Some(squares(position.light(team)).filter(free).count()));
                }
                assert_eq!(NETWORK.output_of(&position), NETWORK.plain_output_of(&position));
                position = position.play(m);
            }
        }
    }
}
