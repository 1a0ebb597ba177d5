//! Draws from masks of legal actions: one look at each byte, where numpy takes several passes.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, c_void};

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

/// numpy's interface of its bit generators (`numpy/random/bitgen.h`), as far as it is needed here.
#[repr(C)]
struct BitGenerator {
    state: *mut c_void,
    next_uint64: unsafe extern "C" fn(*mut c_void) -> u64,
    next_uint32: unsafe extern "C" fn(*mut c_void) -> u32,
}

/// What numpy's bit generators call themselves.
const BIT_GENERATOR: &CStr = c"BitGenerator";

/// A number below `bound`, the same one that numpy's `Generator.integers(bound)` draws (Lemire's method).
fn below(generator: &Bound<'_, PyCapsule>, bound: u32) -> PyResult<u32> {
    if bound == 1 {
        return Ok(0);
    }
    let pointer = generator.pointer_checked(Some(BIT_GENERATOR))?.cast::<BitGenerator>();
    let next = || {
        // SAFETY: the name of the capsule is checked, so it holds numpy's struct, which lives as long as the capsule; the
        // interpreter's lock is held, and like every numpy generator this one is for one thread at a time.
        let draw = unsafe { (pointer.as_ref().next_uint32)(pointer.as_ref().state) };
        u64::from(draw) * u64::from(bound)
    };
    let mut product = next();
    if (product as u32) < bound {
        let threshold = (u32::MAX - (bound - 1)) % bound;
        while (product as u32) < threshold {
            product = next();
        }
    }
    Ok((product >> 32) as u32)
}

/// A random action of those that a mask allows, drawn with a bit generator of numpy: the same one that numpy would draw.
///
/// `None` unless the mask is an array of `size` bytes (int8), each 0 or 1, and allows any.
#[pyfunction]
#[pyo3(signature = (mask, size, generator, /))]
pub fn draw_legal(mask: &Bound<'_, PyAny>, size: usize, generator: &Bound<'_, PyCapsule>) -> PyResult<Option<usize>> {
    let Ok(buffer) = PyBuffer::get(mask) else {
        return Ok(None);
    };
    let mask = Mask(buffer);
    let (number, bits) = mask.chunks().fold((0, 0), |(number, all), chunk| {
        let (sum, bits) = look(&chunk);
        (number + sum, all | bits)
    });
    if number == 0 || bits > 1 || mask.length() != size || mask.0.dimensions() != 1 {
        return Ok(None);
    }
    let mut left = below(generator, number as u32)? as usize;
    for (i, chunk) in mask.chunks().enumerate() {
        let (number, _) = look(&chunk);
        if left < number {
            let mut ones = (0..CHUNK).filter(|&place| chunk[place] != 0);
            return Ok(ones.nth(left).map(|place| i * CHUNK + place));
        }
        left -= number;
    }
    Ok(None)
}
