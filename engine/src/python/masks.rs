//! Draws from masks of legal actions: one look at each byte, where numpy takes several passes.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// So many bytes are added up at once: few enough for a sum of ones to fit in a byte.
const CHUNK: usize = 128;

/// A mask, of whose memory no reference is made: code that has released the interpreter's lock may write to it.
struct Mask(PyBuffer<i8>);

impl Mask {
    /// How many bytes it has; none if they are not contiguous.
    fn length(&self) -> usize {
        if self.0.is_c_contiguous() { self.0.item_count() } else { 0 }
    }

    /// Copies of its bytes, chunk by chunk, filled up with zeros.
    fn chunks(&self) -> impl Iterator<Item = [i8; CHUNK]> {
        let length = self.length();
        (0..length).step_by(CHUNK).map(move |first| {
            let mut chunk = [0; CHUNK];
            // SAFETY: type and contiguity are checked, and that the bytes lie inside; the buffer keeps the memory alive.
            unsafe {
                let from = self.0.buf_ptr().cast::<i8>().add(first);
                from.copy_to_nonoverlapping(chunk.as_mut_ptr(), CHUNK.min(length - first));
            }
            chunk
        })
    }
}

/// The sum of all bytes if each is 0 or 1, and all their bits together.
#[inline]
fn look(chunk: &[i8; CHUNK]) -> (usize, u8) {
    let add = |(sum, bits): (u8, u8), &byte: &i8| (sum.wrapping_add(byte as u8), bits | byte as u8);
    let (sum, bits) = chunk.iter().fold((0, 0), add);
    (usize::from(sum), bits)
}

/// How many actions a mask allows; `None` unless it is an array of `size` bytes (int8), each 0 or 1.
#[pyfunction]
#[pyo3(signature = (mask, size, /))]
pub fn count_legal(mask: &Bound<'_, PyAny>, size: usize) -> Option<usize> {
    let mask = Mask(PyBuffer::get(mask).ok()?);
    let (number, bits) = mask.chunks().fold((0, 0), |(number, all), chunk| {
        let (sum, bits) = look(&chunk);
        (number + sum, all | bits)
    });
    (bits <= 1 && mask.length() == size && mask.0.dimensions() == 1).then_some(number)
}

/// The action that `index` others in the mask come before.
#[pyfunction]
#[pyo3(signature = (mask, index, /))]
pub fn legal_action(mask: &Bound<'_, PyAny>, index: usize) -> PyResult<usize> {
    let mask = Mask(PyBuffer::get(mask)?);
    let mut left = index;
    for (i, chunk) in mask.chunks().enumerate() {
        let (number, _) = look(&chunk);
        if left < number {
            let mut ones = (0..CHUNK).filter(|&place| chunk[place] != 0);
            return ones.nth(left).map(|place| i * CHUNK + place).ok_or_else(|| missing(index));
        }
        left -= number;
    }
    Err(missing(index))
}

fn missing(index: usize) -> PyErr {
    PyIndexError::new_err(format!("the mask has no action number {index}"))
}
