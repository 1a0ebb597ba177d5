//! Draws from masks of legal actions: one look at each byte, where numpy takes several passes.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// So many bytes are added up at once: few enough for a sum of ones to fit in a byte.
const CHUNK: usize = 128;

/// The memory of a mask, which is only read while the interpreter's lock is held.
fn bytes(buffer: &PyBuffer<i8>) -> &[i8] {
    if !buffer.is_c_contiguous() {
        return &[];
    }
    // SAFETY: type and contiguity are checked; the buffer keeps the memory alive and in place.
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.item_count()) }
}

/// The sum of all bytes if each is 0 or 1, and all their bits together.
fn look(bytes: &[i8]) -> (usize, u8) {
    let add = |(sum, bits): (u8, u8), &byte: &i8| {
        let byte = byte as u8;
        (sum.wrapping_add(byte), bits | byte)
    };
    bytes.chunks(CHUNK).fold((0, 0), |(number, all), chunk| {
        let (sum, bits) = chunk.iter().fold((0, 0), add);
        (number + usize::from(sum), all | bits)
    })
}

/// How many actions a mask allows; `None` unless it is an array of `size` bytes (int8), each 0 or 1.
#[pyfunction]
#[pyo3(signature = (mask, size, /))]
pub fn count_legal(mask: &Bound<'_, PyAny>, size: usize) -> Option<usize> {
    let buffer = PyBuffer::<i8>::get(mask).ok()?;
    let mask = bytes(&buffer);
    let (number, bits) = look(mask);
    (bits <= 1 && mask.len() == size && buffer.dimensions() == 1).then_some(number)
}

/// The action that `index` others in the mask come before.
#[pyfunction]
#[pyo3(signature = (mask, index, /))]
pub fn legal_action(mask: &Bound<'_, PyAny>, index: usize) -> PyResult<usize> {
    let buffer = PyBuffer::<i8>::get(mask)?;
    let mut left = index;
    for (i, chunk) in bytes(&buffer).chunks(CHUNK).enumerate() {
        let (number, _) = look(chunk);
        if left < number {
            let mut ones = (0..chunk.len()).filter(|&place| chunk[place] != 0);
            return ones.nth(left).map(|place| i * CHUNK + place).ok_or_else(|| missing(index));
        }
        left -= number;
    }
    Err(missing(index))
}

fn missing(index: usize) -> PyErr {
    PyIndexError::new_err(format!("the mask has no action number {index}"))
}
