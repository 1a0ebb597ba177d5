//! Draws from masks of legal actions: one look at each byte, where numpy takes several passes.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

/// So many bytes are added up at once, eight in each number: few enough for a sum of ones to fit in a byte.
const CHUNK: usize = 128;
type Chunk = [u64; CHUNK / 8];

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A mask, of whose memory no reference is made: code that has released the interpreter's lock may write to it.
struct Mask {
    buffer: PyBuffer<i8>,
    length: usize,
}

impl Mask {
    /// An array of so many bytes; `None` if it is anything else.
    fn new(array: &Bound<'_, PyAny>, length: usize) -> Option<Self> {
        let buffer = PyBuffer::get(array).ok()?;
        let fits = buffer.dimensions() == 1 && buffer.is_c_contiguous() && buffer.item_count() == length;
        fits.then_some(Mask { buffer, length })
    }

    /// A copy of its bytes from `first` on, filled up with zeros.
    #[inline]
    fn chunk(&self, first: usize) -> Chunk {
        let left = self.length.saturating_sub(first);
        let mut chunk = Chunk::default();
        // SAFETY: `new` has checked type, contiguity and length, and the bytes lie inside; the buffer keeps the memory alive.
        unsafe {
            let from = self.buffer.buf_ptr().cast::<u8>().add(first);
            // A copy of a fixed length stays in registers.
            if left >= CHUNK {
                chunk = from.cast::<Chunk>().read_unaligned();
            } else {
                from.copy_to_nonoverlapping(chunk.as_mut_ptr().cast(), left);
            }
        }
        chunk
    }
}

/// The sum of all bytes if each is 0 or 1, and all their bits together.
#[inline]
fn look(chunk: &Chunk) -> (u8, u64) {
    let (sums, bits) = chunk.iter().fold((0_u64, 0), |(sums, bits), &eight| (sums.wrapping_add(eight), bits | eight));
    ((sums.wrapping_mul(ONES) >> 56) as u8, bits)
}

/// An action that a mask allows: that which `raw`, 64 random bits, chooses of them, all equally likely.
///
/// `None` unless the mask is an array of `size` bytes (int8), each 0 or 1, and allows any.
#[pyfunction]
#[pyo3(signature = (mask, size, raw, /))]
pub fn draw_legal(mask: &Bound<'_, PyAny>, size: usize, raw: u64) -> Option<usize> {
    let mask = Mask::new(mask, size)?;
    let (mut sums, mut all) = (Vec::with_capacity(size.div_ceil(CHUNK)), 0);
    for first in (0..size).step_by(CHUNK) {
        let (sum, bits) = look(&mask.chunk(first));
        sums.push(sum);
        all |= bits;
    }
    let number: usize = sums.iter().map(|&sum| usize::from(sum)).sum();
    if number == 0 || all & !ONES != 0 {
        return None;
    }
    let mut left = ((u128::from(raw) * number as u128) >> 64) as usize;
    for (i, sum) in sums.into_iter().map(usize::from).enumerate() {
        if left < sum {
            let chunk = mask.chunk(i * CHUNK);
            let bytes = chunk.iter().flat_map(|eight| eight.to_ne_bytes());
            let mut ones = bytes.enumerate().filter(|&(_, byte)| byte != 0);
            return ones.nth(left).map(|(place, _)| i * CHUNK + place);
        }
        left -= sum;
    }
    None
}
