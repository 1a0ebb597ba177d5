//! Networks as Rust source of the engine.

use crate::network::Network;

fn list(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:.4}")).collect();
    format!("[{}]", words.join(", "))
}

/// The text of a module with one network, preceded by `more`.
pub fn module<const I: usize, const H: usize>(network: &Network<I, H>, origin: &str, more: &str) -> String {
    let rows: Vec<String> = network.hidden.iter().map(|row| format!("        {},\n", list(row))).collect();
    format!(
        "//! The learnt evaluation, made by `{origin}` (see docs/engine.md).\n\n\
         {more}\
         /// The network that evaluates positions.\n\
         #[rustfmt::skip]\n\
         #[allow(clippy::approx_constant)]\n\
         pub static NETWORK: Network = Network {{\n    hidden: [\n{}    ],\n    bias: {},\n    output: {},\n    direct: {},\n    start: {:.4},\n}};\n",
        rows.concat(),
        list(&network.bias),
        list(&network.output),
        list(&network.direct),
        network.start
    )
}
