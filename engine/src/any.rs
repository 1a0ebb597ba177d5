//! A position of any game, and the macros that do the same with every game of the table in `lib.rs`.

use crate::game::Position;

macro_rules! define_any {
    ([$($folder:ident::$Game:ident,)+]) => {
        /// One position of one of the games.
        #[derive(Clone, Copy, PartialEq)]
        pub enum Any {
            $(
                #[doc = concat!("Of ", stringify!($Game), ".")]
                $Game(crate::$folder::$Game),
            )+
        }

        $(
            impl From<crate::$folder::$Game> for Any {
                fn from(position: crate::$folder::$Game) -> Self {
                    Any::$Game(position)
                }
            }

            impl TryFrom<Any> for crate::$folder::$Game {
                type Error = OtherGame;

                fn try_from(any: Any) -> Result<Self, OtherGame> {
                    // With a single game there would be no other pattern.
                    #[allow(unreachable_patterns)]
                    match any {
                        Any::$Game(position) => Ok(position),
                        _ => Err(OtherGame),
                    }
                }
            }
        )+
    };
}
crate::games!([define_any]);

/// A position of one game was expected, and found one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherGame;

/// Does the same with a position of any game: `with_position!(any, position => expression)`.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        $crate::games!([$crate::match_position] $any, $position => $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! match_position {
    ([$($folder:ident::$Game:ident,)+] $any:expr, $position:ident => $body:expr) => {
        match $any {
            $($crate::any::Any::$Game($position) => $body,)+
        }
    };
}

/// Does the same for every game, with the type of its positions and the name of its folder as keys spell it:
/// `for_each_game!(Game, family => statement)`.
#[macro_export]
macro_rules! for_each_game {
    ($Position:ident, $family:ident => $body:expr) => {
        $crate::games!([$crate::do_for_each_game] $Position, $family => $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! do_for_each_game {
    ([$($folder:ident::$Game:ident,)+] $Position:ident, $family:ident => $body:expr) => {
        $({
            type $Position = $crate::$folder::$Game;
            let $family: &str = &stringify!($folder).replace('_', "-");
            $body
        })+
    };
}

impl Any {
    /// The position that `text` describes; its first word says of which game.
    pub fn parse(text: &str) -> Result<Self, String> {
        let key = text.split_ascii_whitespace().next().unwrap_or_default();
        for_each_game!(Game, _family => if Game::rule_set(key).is_some() {
            return Game::parse(text).map(Any::from);
        });
        Err("expected a position that begins with the key of a rule set".into())
    }
}

/// The keys of all rule sets.
pub fn rule_sets() -> Vec<&'static str> {
    let mut keys = Vec::new();
    for_each_game!(Game, _family => keys.extend(Game::RULE_SETS.iter().map(|rule_set| rule_set.key)));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoded;
    use crate::random::Random;

    #[test]
    fn every_rule_set_is_found_by_its_key_and_by_no_other() {
        let keys = rule_sets();
        for_each_game!(Game, family => for (place, rule_set) in Game::RULE_SETS.iter().enumerate() {
            assert!(rule_set.key.starts_with(&format!("{family}-")), "{}", rule_set.key);
            assert_eq!(keys.iter().filter(|&&key| key == rule_set.key).count(), 1);
            let start = Game::draw_start(place as u8, &mut Random::new(1));
            let any = Any::parse(&start.format()).expect("a start position can be read");
            assert!(Game::try_from(any).is_ok_and(|read| read == start));
            assert!(start.format().starts_with(&format!("{} ", rule_set.key)));
        });
        assert!(Any::parse("").is_err());
        assert!(Any::parse("chess-2024 8/8").is_err());
    }
}
