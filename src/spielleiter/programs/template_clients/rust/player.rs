//! The moves of __TITLE__: TO BE WRITTEN. The client is there; choose_move is the place for the rules and your ideas.

use crate::Element;

/// The data to answer a request in this state with.
///
/// For a game whose move is a square: r#"<data class="sc.plugin__YEAR__.Move"><to x="3" y="5"/></data>"#
pub fn choose_move(_state: &Element) -> String {
    todo!("write choose_move: it gives the <data> of a move in this state")
}
