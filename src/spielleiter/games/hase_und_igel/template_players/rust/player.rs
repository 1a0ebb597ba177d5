//! What a player knows of __TITLE__: what a state says, which moves are legal, and choose_move, yours to improve.
//!
//! It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with value.

use crate::Element;
use std::hash::{BuildHasher, RandomState};

const CARDS: [&str; 4] = ["EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD"];
const PRICE: i32 = 10; // carrots for a card on the market
const GOAL_CARROTS: i32 = 10; // a hare may enter the goal with so many at most

type Cards = Vec<String>;

/// A hare and what it has.
struct Hare {
    field: i32,
    carrots: i32,
    salads: i32,
    cards: Cards,
    has_eaten: bool,
    has_swapped: bool,
}

impl Hare {
    fn new(hare: &Element) -> Hare {
        let last = hare.child("lastAction");
        Hare {
            field: hare.number("position"),
            carrots: hare.number("carrots"),
            salads: hare.number("salads"),
            cards: hare.child("cards").all("card").map(|card| card.text.clone()).collect(),
            has_eaten: last.attribute("class") == "eatsalad",
            has_swapped: last.attribute("class") == "card" && last.text == "SWAP_CARROTS",
        }
    }
}

/// What the hare does.
enum Move {
    Advance(i32, Cards), // the distance, and the cards to play or to buy
    EatSalad,
    FallBack,
    ExchangeCarrots(i32),
}

/// What a player has to know of a state.
struct Position {
    track: Vec<String>,
    me: Hare,
    other: Hare,
}

impl Position {
    fn new(state: &Element) -> Position {
        let track = state.child("board").all("field").map(|field| field.text.clone()).collect();
        let (own, opponent) = if state.number("turn") % 2 == 0 { ("ONE", "TWO") } else { ("TWO", "ONE") };
        let hare = |team| state.all("hare").find(|hare| hare.attribute("team") == team).map(Hare::new);
        let (Some(me), Some(other)) = (hare(own), hare(opponent)) else { panic!("a state has two hares") };
        Position { track, me, other }
    }

    fn at(&self, field: i32) -> &str {
        &self.track[field as usize]
    }

    /// All legal moves.
    fn moves(&self) -> Vec<Move> {
        if self.at(self.me.field) == "SALAD" && !self.me.has_eaten {
            return vec![Move::EatSalad];
        }
        let mut found = self.advances();
        let hedgehog = (0..self.me.field).rev().find(|&field| self.at(field) == "HEDGEHOG");
        if hedgehog.is_some_and(|field| field != self.other.field) {
            found.push(Move::FallBack);
        }
        if self.at(self.me.field) == "CARROTS" {
            found.push(Move::ExchangeCarrots(10));
            if self.me.carrots >= 10 {
                found.push(Move::ExchangeCarrots(-10));
            }
        }
        found
    }

    /// All moves forward, with each way to play or to buy cards at their end.
    fn advances(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for distance in 1..self.track.len() as i32 - self.me.field {
            let carrots = self.me.carrots - distance * (distance + 1) / 2;
            if carrots < 0 {
                break;
            }
            for cards in self.arrivals(self.me.field + distance, carrots, &self.me.cards) {
                found.push(Move::Advance(distance, cards));
            }
        }
        found
    }

    /// Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
    ///
    /// On most fields that is only the empty list. `carrots` and `held` (cards) are what the hare has by then.
    fn arrivals(&self, field: i32, carrots: i32, held: &Cards) -> Vec<Cards> {
        if field < 0 || field >= self.track.len() as i32 {
            return vec![];
        }
        let kind = self.at(field);
        let is_open = match kind {
            "START" | "HEDGEHOG" => false,
            "MARKET" => carrots >= PRICE,
            "SALAD" => self.me.salads > 0,
            "GOAL" => carrots <= GOAL_CARROTS && self.me.salads == 0,
            _ => true,
        };
        if !is_open || (field == self.other.field && kind != "GOAL") {
            return vec![];
        }
        match kind {
            "MARKET" => CARDS.iter().map(|card| vec![card.to_string()]).collect(), // exactly one is bought
            "HARE" => self.plays(field, carrots, held),
            _ => vec![vec![]],
        }
    }

    /// Every list of cards that the hare may play on this hare field; some lead on to another field.
    fn plays(&self, field: i32, carrots: i32, held: &Cards) -> Vec<Cards> {
        let mut found = Vec::new();
        let is_ahead = field > self.other.field;
        for card in CARDS {
            let Some(place) = held.iter().position(|owned| owned == card) else { continue };
            let mut left = held.clone();
            left.remove(place);
            // The lists of cards that may come after this one.
            let following = match card {
                "EAT_SALAD" if self.me.salads > 0 => vec![vec![]],
                "SWAP_CARROTS" if self.can_swap(field) => vec![vec![]],
                "FALL_BACK" if is_ahead => self.arrivals(self.other.field - 1, carrots, &left),
                "HURRY_AHEAD" if !is_ahead => self.arrivals(self.other.field + 1, carrots, &left),
                _ => vec![],
            };
            for mut cards in following {
                cards.insert(0, card.to_string());
                found.push(cards);
            }
        }
        found
    }

    /// Whether carrots may be swapped: both before the last salad field, and not twice in a row.
    fn can_swap(&self, field: i32) -> bool {
        let last_salad = self.track.iter().rposition(|kind| kind == "SALAD").unwrap_or(0) as i32;
        field.max(self.other.field) < last_salad && !self.me.has_swapped && !self.other.has_swapped
    }

    /// How good a move is: 2 if it goes into the goal, 1 if it gets to a salad or eats one, otherwise 0.
    fn value(&self, step: &Move) -> i32 {
        match step {
            Move::EatSalad => 1,
            Move::Advance(_, cards) if cards.iter().any(|card| card == "EAT_SALAD") => 1,
            Move::Advance(distance, _) => match self.at(self.me.field + distance) {
                "GOAL" => 2,
                "SALAD" => 1,
                _ => 0,
            },
            Move::FallBack | Move::ExchangeCarrots(_) => 0,
        }
    }
}

/// The data of the move to answer with: one of the best, chosen at random.
pub fn choose_move(state: &Element) -> String {
    let position = Position::new(state);
    let moves = position.moves();
    let best = moves.iter().map(|step| position.value(step)).max();
    let good: Vec<&Move> = moves.iter().filter(|step| Some(position.value(step)) == best).collect();
    // The standard library has no random numbers, but hash maps get random keys.
    let chance = RandomState::new().hash_one(good.len()) as usize;
    match good[chance % good.len()] {
        Move::EatSalad => r#"<data class="eatsalad"/>"#.to_string(),
        Move::FallBack => r#"<data class="fallback"/>"#.to_string(),
        Move::ExchangeCarrots(amount) => format!(r#"<data class="exchangecarrots" amount="{amount}"/>"#),
        Move::Advance(distance, cards) => {
            let cards: String = cards.iter().map(|card| format!("<card>{card}</card>")).collect();
            format!(r#"<data class="advance" distance="{distance}">{cards}</data>"#)
        }
    }
}
