//! A position of any game; the first word of its text says which.

use crate::blokus::Blokus;
use crate::ostseeschach::Ostseeschach;
use crate::piranhas::Piranhas;

/// One position of one of the games.
#[derive(Clone, Copy, PartialEq)]
pub enum Any {
    /// Piranhas.
    Piranhas(Piranhas),
    /// Ostseeschach.
    Ostseeschach(Ostseeschach),
    /// Blokus.
    Blokus(Blokus),
}

/// Does the same with a position of any game: `with_position!(any, position => expression)`.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::any::Any::Piranhas($position) => $body,
            $crate::any::Any::Ostseeschach($position) => $body,
            $crate::any::Any::Blokus($position) => $body,
        }
    };
}

impl Any {
    /// The position that `text` describes.
    pub fn parse(text: &str) -> Result<Self, String> {
        use crate::game::Position;
        match text.trim_start().split('-').next() {
            Some("piranhas") => Piranhas::parse(text).map(Any::Piranhas),
            Some("ostseeschach") => Ostseeschach::parse(text).map(Any::Ostseeschach),
            Some("blokus") => Blokus::parse(text).map(Any::Blokus),
            _ => Err("expected a position that begins with the key of a game".into()),
        }
    }
}

/// The keys of all rule sets.
pub fn rule_sets() -> Vec<&'static str> {
    let piranhas = crate::piranhas::RULE_SETS.iter().map(|rules| rules.key);
    let blokus = crate::blokus::RULE_SETS.iter().map(|rules| rules.key);
    piranhas.chain(crate::ostseeschach::RULE_SETS).chain(blokus).collect()
}
