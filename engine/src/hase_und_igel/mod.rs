//! Hase und Igel: the rules.
//!
//! Bit `p - 1` of a set is field `p` of the track, 1 to 64; the start is in none. A move is its number in the encoding of the
//! Python package (`cards`). R-numbers refer to the RULES.md of the game in the Python package.

mod cards;
mod encoding;
pub mod eval;
mod notation;
mod track;

pub use track::{KINDS, Kind, Track};

use crate::game::{Move, Outcome, Position, RuleSet, Team, Verdict, victory_points};
use crate::random::{Random, keys};
use cards::{EAT_SALAD, FALL_BACK, GIVE_CARROTS, TAKE_CARROTS, advance};

/// The goal (R1).
pub const GOAL: u8 = 64;
/// R21: thirty rounds of two turns each.
const LAST_TURN: u8 = 60;
const SALADS_AT_START: u8 = 5;
const CARROTS_AT_START: u16 = 68;
/// What a card costs (R7), and what is exchanged (R14).
const PRICE: u16 = 10;
/// With more carrots no hare enters the goal (R6).
const GOAL_CARROTS: u16 = 10;

/// The rule sets, and whether position fields pay once more after the last move (R24).
static RULE_SETS: [RuleSet<bool>; 2] =
    [RuleSet { key: "hase-und-igel-2025", rules: false }, RuleSet { key: "hase-und-igel-2025-official", rules: true }];

/// How far a hare with so many carrots can run (R6).
static REACH: [u8; 2081] = {
    let mut reach = [0; 2081];
    let (mut carrots, mut distance) = (0, 0);
    while carrots < reach.len() {
        if cost(distance + 1) as usize <= carrots {
            distance += 1;
        }
        reach[carrots] = distance;
        carrots += 1;
    }
    reach
};

/// The carrots that running so far costs (R6).
#[inline]
pub const fn cost(distance: u8) -> u16 {
    distance as u16 * (distance as u16 + 1) / 2
}

#[inline]
fn reach(carrots: u16) -> u8 {
    REACH[usize::from(carrots).min(REACH.len() - 1)]
}

/// A card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Card {
    /// Eats a salad anywhere (R9).
    EatSalad = 0,
    /// Exchanges the carrots of both hares (R10).
    SwapCarrots = 1,
    /// Goes to the field before the other hare (R12).
    FallBack = 2,
    /// Goes to the field behind the other hare (R11).
    HurryAhead = 3,
}

/// All cards, in the order of the legal moves.
pub const CARDS: [Card; 4] = [Card::EatSalad, Card::SwapCarrots, Card::FallBack, Card::HurryAhead];

/// What a hare did last, as far as it matters (R15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Last {
    /// Anything else.
    Other = 0,
    /// It ate a salad on a salad field.
    Ate = 1,
    /// It played the card that swaps carrots.
    Swapped = 2,
}

/// One hare and what it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hare {
    /// The number of its field.
    pub position: u8,
    /// Its carrots.
    pub carrots: u16,
    /// Its salads.
    pub salads: u8,
    /// How many it has of each card.
    pub cards: [u8; 4],
    /// What it did last.
    pub last: Last,
}

/// One position.
#[derive(Clone, Copy, PartialEq)]
pub struct HaseUndIgel {
    track: Track,
    hares: [Hare; 2],
    turn: u8,
    rules: u8,
    /// The hash of track and rule set, which do not change.
    base: u64,
}

static FIELD_KEYS: [u64; KINDS] = keys(41);
static RULE_KEYS: [u64; 2] = keys(42);
static HARE_KEYS: [u64; 4] = keys(43);

#[inline]
const fn bit(field: u8) -> u64 {
    if field == 0 { 0 } else { 1 << (field - 1) }
}

/// The fields from `first` to `last`.
#[inline]
const fn span(first: u8, last: u8) -> u64 {
    if first > last || first > GOAL {
        return 0;
    }
    let last = if last > GOAL { GOAL } else { last };
    (u64::MAX >> (64 - (last - first + 1))) << (first - 1)
}

/// Mixes the bits of a number.
const fn mixed(number: u64) -> u64 {
    Random::new(number).next()
}

/// Both hares as the one that moves sees them.
#[derive(Clone, Copy)]
struct Sides {
    me: Hare,
    other: Hare,
}

impl HaseUndIgel {
    /// The position with these hares; a hare that cannot move is skipped (R19).
    pub fn new(rules: u8, track: Track, turn: u8, hares: [Hare; 2]) -> Self {
        let base = track
            .kinds
            .iter()
            .zip(FIELD_KEYS)
            .fold(RULE_KEYS[rules as usize], |hash, (&set, key)| hash ^ mixed(set ^ key));
        let mut position = HaseUndIgel { track, hares, turn, rules, base };
        if !position.can_go_on() {
            position.turn += 1;
            position.begin_turn();
        }
        position
    }

    /// A start position: both hares before a drawn track (R3, R4).
    pub fn start(rules: u8, random: &mut Random) -> Self {
        let hare =
            Hare { position: 0, carrots: CARROTS_AT_START, salads: SALADS_AT_START, cards: [0; 4], last: Last::Other };
        HaseUndIgel::new(rules, Track::draw(random), 0, [hare; 2])
    }

    #[inline]
    fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    #[inline]
    fn sides(&self) -> Sides {
        Sides { me: self.hares[self.mover()], other: self.hares[1 - self.mover()] }
    }

    /// Whether the last round is over (R21).
    #[inline]
    fn is_over(&self) -> bool {
        self.turn & 1 == 0
            && (self.turn >= LAST_TURN || self.hares[0].position == GOAL || self.hares[1].position == GOAL)
    }

    fn decision(&self) -> Outcome {
        let [one, two] = self.hares;
        if one.position != two.position {
            let reason = if one.position.max(two.position) == GOAL { "GOAL" } else { "AHEAD" };
            return Outcome { verdict: Verdict::of(one.position.cmp(&two.position)), reason };
        }
        let verdict = Verdict::of(two.carrots.cmp(&one.carrots));
        Outcome { verdict, reason: if verdict == Verdict::Draw { "TIE" } else { "FEWER_CARROTS" } }
    }

    /// Pays a position field (R18) and skips hares without a move (R19), until one can move or the game is over.
    fn begin_turn(&mut self) {
        loop {
            let over = self.is_over();
            if RULE_SETS[self.rules as usize].rules || !over {
                self.pay();
            }
            if over || self.has_move() {
                return;
            }
            self.turn += 1;
        }
    }

    fn pay(&mut self) {
        let Sides { me, other } = self.sides();
        let here = bit(me.position);
        let gain = if self.track.has(Kind::Position1, here) && me.position > other.position {
            10
        } else if self.track.has(Kind::Position2, here) && me.position <= other.position {
            30
        } else {
            return;
        };
        let mover = self.mover();
        self.hares[mover].carrots = me.carrots.saturating_add(gain);
    }

    fn can_go_on(&self) -> bool {
        self.is_over() || self.has_move()
    }

    fn must_eat(&self, me: &Hare) -> bool {
        me.last != Last::Ate && self.track.has(Kind::Salad, bit(me.position))
    }

    /// The hedgehog to which the hare to move can fall back (R13).
    #[inline]
    fn hedgehog(&self, Sides { me, other }: &Sides) -> Option<u8> {
        let behind = self.track.kinds[Kind::Hedgehog as usize] & span(1, me.position.saturating_sub(1));
        let hedgehog = (64 - behind.leading_zeros()) as u8;
        (hedgehog > 0 && hedgehog != other.position).then_some(hedgehog)
    }

    /// Whether there is any move; the cheapest answers first.
    fn has_move(&self) -> bool {
        let sides = self.sides();
        let here = bit(sides.me.position);
        self.must_eat(&sides.me)
            || self.track.has(Kind::Carrots, here)
            || self.hedgehog(&sides).is_some()
            || self.number_of_moves() > 0
    }

    /// The fields that the hare to move can enter without playing or buying a card (R6).
    #[inline]
    fn plain_targets(&self, Sides { me, other }: &Sides) -> u64 {
        let kinds = &self.track.kinds;
        let window = span(me.position + 1, me.position.saturating_add(reach(me.carrots)));
        let free = window & !bit(other.position);
        let mut open =
            kinds[Kind::Carrots as usize] | kinds[Kind::Position1 as usize] | kinds[Kind::Position2 as usize];
        if me.salads > 0 {
            open |= kinds[Kind::Salad as usize];
        }
        let mut targets = free & open;
        if window & bit(GOAL) != 0 && me.salads == 0 && me.carrots - cost(GOAL - me.position) <= GOAL_CARROTS {
            targets |= bit(GOAL);
        }
        targets
    }

    /// The markets where the hare to move can buy a card (R6, R7).
    #[inline]
    fn markets(&self, Sides { me, other }: &Sides) -> u64 {
        if me.carrots < PRICE {
            return 0;
        }
        let window = span(me.position + 1, me.position.saturating_add(reach(me.carrots - PRICE)));
        window & self.track.kinds[Kind::Market as usize] & !bit(other.position)
    }

    /// The hare fields within reach, if there is any card to play.
    #[inline]
    fn hare_fields(&self, Sides { me, other }: &Sides) -> u64 {
        if me.cards == [0; 4] {
            return 0;
        }
        let window = span(me.position + 1, me.position.saturating_add(reach(me.carrots)));
        window & self.track.kinds[Kind::Hare as usize] & !bit(other.position)
    }

    /// Whether the hare to move may enter a field by a card with these carrots (R6).
    fn may_enter(&self, target: u8, carrots: u16, cards: &[u8; 4], Sides { me, other }: &Sides) -> bool {
        if target == 0 || target > GOAL || target == other.position && target != GOAL {
            return false;
        }
        let here = bit(target);
        match () {
            () if target == GOAL => me.salads == 0 && carrots <= GOAL_CARROTS,
            () if self.track.has(Kind::Hedgehog, here) => false,
            () if self.track.has(Kind::Salad, here) => me.salads > 0,
            () if self.track.has(Kind::Market, here) => carrots >= PRICE,
            () if self.track.has(Kind::Hare, here) => *cards != [0; 4],
            () => true,
        }
    }

    /// Whether a card can be played on a field, wherever it leads to (R9 to R12).
    fn is_playable(&self, card: Card, position: u8, Sides { me, other }: &Sides) -> bool {
        match card {
            Card::EatSalad => me.salads > 0,
            Card::SwapCarrots => {
                position.max(other.position) < self.track.last_salad()
                    && me.last != Last::Swapped
                    && other.last != Last::Swapped
            }
            Card::FallBack => position > other.position,
            Card::HurryAhead => position <= other.position,
        }
    }

    /// Calls `visit` with all complete chains on a hare field, in order: cards before the last one, the first of them, and
    /// the last card (R8).
    fn for_each_chain(
        &self,
        position: u8,
        carrots: u16,
        cards: &[u8; 4],
        sides: &Sides,
        before: (u8, Card),
        visit: &mut impl FnMut(u8, Card, Card),
    ) {
        for card in CARDS {
            if cards[card as usize] == 0 || !self.is_playable(card, position, sides) {
                continue;
            }
            if matches!(card, Card::EatSalad | Card::SwapCarrots) {
                visit(before.0, before.1, card);
                continue;
            }
            let target = match card {
                Card::HurryAhead => sides.other.position + 1,
                _ => sides.other.position.wrapping_sub(1),
            };
            let mut left = *cards;
            left[card as usize] -= 1;
            if !self.may_enter(target, carrots, &left, sides) {
                continue;
            }
            let chain = (before.0 + 1, if before.0 == 0 { card } else { before.1 });
            if self.track.has(Kind::Hare, bit(target)) {
                self.for_each_chain(target, carrots, &left, sides, chain, visit);
            } else if self.track.has(Kind::Market, bit(target)) {
                CARDS.into_iter().for_each(|bought| visit(chain.0, chain.1, bought));
            } else {
                visit(before.0, before.1, card);
            }
        }
    }

    /// Calls `visit` with all advances that play cards on a hare field.
    fn for_each_card_move(&self, field: u8, sides: &Sides, mut visit: impl FnMut(Move)) {
        let distance = field - sides.me.position;
        let carrots = sides.me.carrots - cost(distance);
        self.for_each_chain(field, carrots, &sides.me.cards, sides, (0, Card::EatSalad), &mut |before, first, last| {
            visit(advance(distance, Some((before, first, last))));
        });
    }

    /// How many moves there are while the game runs.
    fn number_of_moves(&self) -> u64 {
        let sides = self.sides();
        if self.must_eat(&sides.me) {
            return 1;
        }
        let mut number = self.plain_targets(&sides).count_ones() + 4 * self.markets(&sides).count_ones();
        let mut hares = self.hare_fields(&sides);
        while hares != 0 {
            let field = hares.trailing_zeros() as u8 + 1;
            hares &= hares - 1;
            self.for_each_card_move(field, &sides, |_| number += 1);
        }
        number += u32::from(self.hedgehog(&sides).is_some());
        if self.track.has(Kind::Carrots, bit(sides.me.position)) {
            number += 1 + u32::from(sides.me.carrots >= PRICE);
        }
        number.into()
    }

    /// The carrots for a salad that is eaten (R5).
    fn bonus(position: u8, other: u8) -> u16 {
        if position > other { 10 } else { 30 }
    }

    /// Both hares after an advance.
    fn advanced(&self, m: Move, Sides { mut me, mut other }: Sides) -> Sides {
        let (distance, chain) = cards::parts(m);
        me.position = me.position.saturating_add(distance).min(GOAL);
        me.carrots = me.carrots.saturating_sub(cost(distance));
        me.last = Last::Other;
        let (before, first, last) = match chain {
            None => return Sides { me, other },
            Some(chain) => chain,
        };
        let mut card = first;
        for i in 0..=before {
            let played = if i == before { last } else { card };
            if self.track.has(Kind::Market, bit(me.position)) {
                me.cards[played as usize] = me.cards[played as usize].saturating_add(1);
                me.carrots = me.carrots.saturating_sub(PRICE);
                return Sides { me, other };
            }
            me.cards[played as usize] = me.cards[played as usize].saturating_sub(1);
            match played {
                Card::EatSalad => {
                    me.salads = me.salads.saturating_sub(1);
                    me.carrots = me.carrots.saturating_add(Self::bonus(me.position, other.position));
                }
                Card::SwapCarrots => {
                    std::mem::swap(&mut me.carrots, &mut other.carrots);
                    me.last = Last::Swapped;
                }
                Card::FallBack => me.position = other.position.saturating_sub(1),
                Card::HurryAhead => me.position = (other.position + 1).min(GOAL),
            }
            card = if card == Card::FallBack { Card::HurryAhead } else { Card::FallBack };
        }
        Sides { me, other }
    }
}

fn hare_hash(hare: &Hare) -> u64 {
    let [a, b, c, d] = hare.cards.map(u64::from);
    let things = u64::from(hare.position) | u64::from(hare.carrots) << 8 | u64::from(hare.salads) << 24;
    things | (hare.last as u64) << 28 | a << 32 | b << 40 | c << 48 | d << 56
}

impl Position for HaseUndIgel {
    const MOVE_BITS: u32 = 14;

    type Rules = bool;

    const RULE_SETS: &'static [RuleSet<bool>] = &RULE_SETS;

    fn turn(&self) -> u32 {
        self.turn.into()
    }

    #[inline]
    fn to_move(&self) -> Team {
        Team::from_index(self.mover())
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        self.is_over().then(|| self.decision().verdict)
    }

    fn verdict_without_move(&self) -> Verdict {
        self.decision().verdict
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.decision())
    }

    fn points(&self, team: Team) -> Vec<i32> {
        let hare = &self.hares[team as usize];
        vec![victory_points(self.verdict(), team), hare.position.into(), hare.carrots.into()]
    }

    /// In the order of the Python rules: advances, the shortest first, back, taking carrots, giving them back.
    fn moves(&self, moves: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        let sides = self.sides();
        if self.must_eat(&sides.me) {
            moves.push(EAT_SALAD);
            return;
        }
        let (plain, markets, hares) = (self.plain_targets(&sides), self.markets(&sides), self.hare_fields(&sides));
        let mut targets = plain | markets | hares;
        while targets != 0 {
            let (here, field) = (targets & targets.wrapping_neg(), targets.trailing_zeros() as u8 + 1);
            targets ^= here;
            let distance = field - sides.me.position;
            if plain & here != 0 {
                moves.push(advance(distance, None));
            } else if markets & here != 0 {
                moves.extend(CARDS.map(|card| advance(distance, Some((0, card, card)))));
            } else {
                self.for_each_card_move(field, &sides, |m| moves.push(m));
            }
        }
        moves.extend(self.hedgehog(&sides).map(|_| FALL_BACK));
        if self.track.has(Kind::Carrots, bit(sides.me.position)) {
            moves.push(TAKE_CARROTS);
            moves.extend((sides.me.carrots >= PRICE).then_some(GIVE_CARROTS));
        }
    }

    fn count_moves(&self) -> u64 {
        if self.is_over() { 0 } else { self.number_of_moves() }
    }

    fn play(&self, m: Move) -> Self {
        let Sides { mut me, other } = self.sides();
        let sides = match m {
            EAT_SALAD => {
                me.salads = me.salads.saturating_sub(1);
                me.carrots = me.carrots.saturating_add(Self::bonus(me.position, other.position));
                me.last = Last::Ate;
                Sides { me, other }
            }
            FALL_BACK => {
                let target = self.hedgehog(&Sides { me, other }).unwrap_or(me.position);
                me.carrots = me.carrots.saturating_add(10 * u16::from(me.position - target));
                me.position = target;
                me.last = Last::Other;
                Sides { me, other }
            }
            TAKE_CARROTS | GIVE_CARROTS => {
                let gives = m == GIVE_CARROTS;
                me.carrots = if gives { me.carrots.saturating_sub(PRICE) } else { me.carrots.saturating_add(PRICE) };
                me.last = Last::Other;
                Sides { me, other }
            }
            _ => self.advanced(m, Sides { me, other }),
        };
        let mut next = *self;
        next.hares[self.mover()] = sides.me;
        next.hares[1 - self.mover()] = sides.other;
        next.turn += 1;
        next.begin_turn();
        next
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        let mut moves = Vec::with_capacity(64);
        self.moves(&mut moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    fn hash(&self) -> u64 {
        let [one, two] = [0, 1].map(|team| mixed(hare_hash(&self.hares[team]) ^ HARE_KEYS[team]));
        self.base ^ one ^ two.rotate_left(32) ^ mixed(HARE_KEYS[2] ^ u64::from(self.turn))
    }

    fn parse(text: &str) -> Result<Self, String> {
        notation::parse(text)
    }

    fn format(&self) -> String {
        notation::format(self)
    }

    fn format_move(&self, m: Move) -> String {
        notation::format_move(m)
    }
}
