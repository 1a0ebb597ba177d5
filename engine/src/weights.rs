//! Files of weights: one line of text that says how they were made, and numbers, each with its lowest byte first.
//!
//! They are read at compile time.

use crate::network::Network;

/// How a file begins.
const ORIGIN: &[u8] = b"The weights of an evaluation, made by `tune ";

/// Reads the numbers of a file one after the other.
pub struct Reader {
    file: &'static [u8],
    at: usize,
}

impl Reader {
    /// Begins behind the first line, which has to say that the file was made by `tune` for `name`: the name of a rule set, or
    /// its beginning.
    pub const fn new(file: &'static [u8], name: &str) -> Self {
        let mut at = 0;
        while at < ORIGIN.len() {
            assert!(
                file[at] == ORIGIN[at],
                "the file is not one that tune has written: make it again (docs/engine.md)"
            );
            at += 1;
        }
        let mut i = 0;
        while i < name.len() {
            assert!(file[at + i] == name.as_bytes()[i], "the file has the weights of another game or rule set");
            i += 1;
        }
        while file[at] != b'\n' {
            at += 1;
        }
        Reader { file, at: at + 1 }
    }

    const fn floats(&mut self, to: &mut [f32]) {
        self.copy_to(to.as_mut_ptr().cast(), size_of_val(to));
        let mut i = 0;
        while cfg!(target_endian = "big") && i < to.len() {
            to[i] = f32::from_bits(to[i].to_bits().swap_bytes());
            i += 1;
        }
    }

    /// Copies all bytes at once: number by number takes the compiler seconds.
    const fn copy_to(&mut self, to: *mut u8, bytes: usize) {
        assert!(bytes <= self.file.len() - self.at, "the file has fewer weights than the network");
        // SAFETY: so many bytes are left, and the callers have room for them; any bytes are a number.
        unsafe { std::ptr::copy_nonoverlapping(self.file.as_ptr().add(self.at), to, bytes) };
        self.at += bytes;
    }

    /// The next network.
    pub const fn network<const I: usize, const H: usize>(&mut self) -> Network<I, H> {
        let mut network = Network::blank();
        let mut i = 0;
        while i < I {
            self.floats(&mut network.hidden[i]);
            i += 1;
        }
        self.floats(&mut network.bias);
        self.floats(&mut network.output);
        self.floats(&mut network.direct);
        self.floats(std::slice::from_mut(&mut network.start));
        network
    }

    /// The next `N` integers of two bytes.
    pub const fn integers<const N: usize>(&mut self) -> [i16; N] {
        let mut integers = [0_i16; N];
        self.copy_to(integers.as_mut_ptr().cast(), size_of_val(&integers));
        let mut i = 0;
        while cfg!(target_endian = "big") && i < N {
            integers[i] = integers[i].swap_bytes();
            i += 1;
        }
        integers
    }

    /// Makes sure that nothing is left: a file of another network does not compile.
    pub const fn end(&self) {
        assert!(self.at == self.file.len(), "the file has more weights than the network");
    }
}

/// The only network of a file.
pub const fn only_network<const I: usize, const H: usize>(file: &'static [u8], name: &str) -> Network<I, H> {
    let mut reader = Reader::new(file, name);
    let network = reader.network();
    reader.end();
    network
}

/// A file with a network and, where there are any, integers behind it; `origin` says how they were made.
pub fn file_of<const I: usize, const H: usize>(network: &Network<I, H>, integers: &[i16], origin: &str) -> Vec<u8> {
    let Network { hidden, bias, output, direct, start } = network;
    let mut file = format!("The weights of an evaluation, made by `{origin}` (see docs/engine.md).\n").into_bytes();
    for weight in hidden.as_flattened().iter().chain(bias).chain(output).chain(direct).chain([start]) {
        file.extend(rounded(*weight).to_le_bytes());
    }
    file.extend(integers.iter().flat_map(|integer| integer.to_le_bytes()));
    file
}

/// A weight to four decimals: more make no difference, and the networks in use were once written so.
fn rounded(weight: f32) -> f32 {
    format!("{weight:.4}").parse().unwrap_or(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut network = Network::<3, 2>::blank();
        network.hidden = [[1.0, -2.5], [0.1382, 0.0], [-0.0, 1e4]];
        (network.bias, network.output) = ([0.25, 1.0 / 3.0], [7.0, -1.0]);
        (network.direct, network.start) = ([1.0, 2.0, 3.0], -0.3306);
        let file = file_of(&network, &[-32_000, 7], "tune chess-2024 1");
        assert!(file.starts_with(b"The weights of an evaluation, made by `tune chess-2024 1` (see docs/engine.md).\n"));
        let mut reader = Reader::new(file.leak(), "chess");
        network.bias[1] = 0.3333;
        assert_eq!(reader.network::<3, 2>(), network);
        assert_eq!(reader.integers::<2>(), [-32_000, 7]);
        reader.end();
    }

    #[test]
    #[should_panic(expected = "more weights than the network")]
    fn a_file_of_a_larger_network_is_refused() {
        only_network::<2, 2>(file_of(&Network::<3, 2>::blank(), &[], "tune chess").leak(), "chess");
    }

    #[test]
    #[should_panic(expected = "another game or rule set")]
    fn a_file_of_another_game_is_refused() {
        only_network::<2, 2>(file_of(&Network::<2, 2>::blank(), &[], "tune draughts").leak(), "chess");
    }

    #[test]
    #[should_panic(expected = "fewer weights than the network")]
    fn a_file_of_a_smaller_network_is_refused() {
        only_network::<3, 2>(file_of(&Network::<2, 2>::blank(), &[], "tune chess").leak(), "chess");
    }
}
