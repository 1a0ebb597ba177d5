//! What a position of Piranhas is worth: unity, closeness, mobility, swarms, the round limit.

use super::lines::{BITS, SIZE, STRIDE};
use super::swarms::{Swarms, grown, is_united};
use super::weights::WEIGHTS;
use super::{LAST_TURN, Piranhas, bit, squares};
use crate::game::{Move, Position, Team};
use crate::search::{DECIDED, Searchable, Terms};

/// How near each square is to the middle, 0 to 4.
static CENTRE: [i8; BITS] = {
    let mut centre = [0; BITS];
    let mut i = 0;
    while i < SIZE * SIZE {
        let (x, y) = (i % SIZE, i / SIZE);
        let (dx, dy) = (if x < 5 { x } else { 9 - x }, if y < 5 { y } else { 9 - y });
        centre[y * STRIDE + x] = if dx < dy { dx as i8 } else { dy as i8 };
        i += 1;
    }
    centre
};

/// The eight neighbours of each square.
static NEIGHBOURS: [u128; BITS] = {
    let mut all = [0; BITS];
    let mut square = 0;
    while square < BITS {
        all[square] = grown(bit(square)) & !bit(square);
        square += 1;
    }
    all
};

/// The sum of distances of the closest possible crowd of so many fish from its middle.
static CLOSEST: [i32; 32] = {
    let mut closest = [0; 32];
    let mut n = 2;
    while n < 32 {
        // One in the middle, eight around it, sixteen around those.
        closest[n] = if n <= 9 { n as i32 - 1 } else { 8 + 2 * (n as i32 - 9) };
        n += 1;
    }
    closest
};

/// What is counted for a team, in the order of the weights; each has a weight for the start and one for the end.
struct Count {
    swarms: i32,
    spread: i32,
    mobility: i32,
    centre: i32,
    fish: i32,
    largest: i32,
    outside: i32,
}

impl Piranhas {
    fn count(&self, team: usize) -> Count {
        let fish = self.fish[team];
        let number = fish.count_ones() as i32;
        let (mut swarms, mut largest, mut largest_fish) = (0, 0, 0);
        for swarm in Swarms(fish) {
            swarms += 1;
            let weight = self.weight(swarm) as i32;
            if weight > largest {
                (largest, largest_fish) = (weight, swarm.count_ones() as i32);
            }
        }
        let (mut sum_x, mut sum_y, mut centre) = (0, 0, 0);
        for square in squares(fish) {
            sum_x += (square % STRIDE) as i32;
            sum_y += (square / STRIDE) as i32;
            centre += i32::from(CENTRE[square]);
        }
        let n = number.max(1);
        let (middle_x, middle_y) = ((2 * sum_x + n) / (2 * n), (2 * sum_y + n) / (2 * n));
        let spread: i32 = squares(fish)
            .map(|square| {
                let (x, y) = ((square % STRIDE) as i32, (square / STRIDE) as i32);
                (x - middle_x).abs().max((y - middle_y).abs())
            })
            .sum();
        Count {
            swarms,
            spread: (spread - CLOSEST[n.min(31) as usize]) * 16 / n,
            mobility: self.mobility(team) as i32,
            centre: centre * 8 / n,
            fish: self.weight(fish) as i32,
            largest,
            outside: number - largest_fish,
        }
    }
}

impl Terms for Piranhas {
    const TERMS: usize = 16;

    /// Each difference counts twice: with the rounds that are left, and with those that are played.
    fn terms(&self, mut add: impl FnMut(usize, i32)) {
        let (one, two) = (self.count(0), self.count(1));
        let played = i32::from(self.turn.min(LAST_TURN));
        let mut both = |i: usize, difference: i32| {
            add(2 * i, difference * (i32::from(LAST_TURN) - played));
            add(2 * i + 1, difference * played);
        };
        both(0, two.swarms - one.swarms);
        both(1, two.spread - one.spread);
        both(2, one.mobility - two.mobility);
        both(3, one.centre - two.centre);
        both(4, one.fish - two.fish);
        both(5, one.largest - two.largest);
        both(6, two.outside - one.outside);
        both(7, 1 - 2 * self.mover() as i32);
    }

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS[self.rules as usize]
    }
}

impl Searchable for Piranhas {
    const SCALE: f64 = 200.0;
    const MARGIN: i32 = 120;

    type Context = ();

    fn context(&self) {}

    fn evaluate(&self) -> i32 {
        let weights: &[i32; Self::TERMS] = &WEIGHTS[self.rules as usize];
        let mut sum = 0;
        self.terms(|i, value| sum += weights[i] * value);
        let score = (sum / 64).clamp(1 - DECIDED, DECIDED - 1);
        if self.to_move() == Team::One { score } else { -score }
    }

    /// In the middle of a round somebody is united: the next move decides.
    fn is_unsettled(&self) -> bool {
        self.turn & 1 == 1 && (is_united(self.fish[0]) || is_united(self.fish[1]))
    }

    fn promise(&self, (): &(), m: Move) -> i32 {
        let (from, to) = Self::squares_of(m);
        let own = self.fish[self.mover()] ^ bit(from);
        let company = |square: usize| (own & NEIGHBOURS[square]).count_ones() as i32;
        let eats = i32::from(self.fish[1 - self.mover()] >> to & 1 == 1);
        400 * (company(to) - company(from)) + 100 * i32::from(CENTRE[to] - CENTRE[from]) + 600 * eats
    }
}
