//! Memory that others may read and write at the same time: arrays of Python code, of which no reference is ever made.

use std::marker::PhantomData;

/// A part of such memory, to be written to and never read.
///
/// What another thread of its owner writes meanwhile mixes with what is written here: the numbers are then anybody's
/// guess, and nothing else happens, since nobody here relies on them. Two of these never overlap.
pub struct Shared<'a, T> {
    start: *mut T,
    length: usize,
    owner: PhantomData<&'a T>,
}

// SAFETY: whoever has a part is the only one here who writes to it, and nobody reads it.
unsafe impl<T: Send> Send for Shared<'_, T> {}

impl<'a, T: Copy> Shared<'a, T> {
    /// The memory of `length` numbers from `start` on.
    ///
    /// # Safety
    /// The memory is aligned, stays where it is and may be written to as long as `'a`, and no other `Shared` has any of it.
    pub const unsafe fn new(start: *mut T, length: usize) -> Self {
        Shared { start, length, owner: PhantomData }
    }

    /// How many numbers there are.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Cuts it into parts of `size` numbers each, from the front; the last one may be shorter.
    pub fn parts(self, size: usize) -> impl DoubleEndedIterator<Item = Shared<'a, T>> + ExactSizeIterator {
        let size = size.max(1);
        (0..self.length.div_ceil(size)).map(move |number| self.part(number * size, size))
    }

    /// Up to `size` numbers from `first` on; only for `parts`, which gives each number away once.
    fn part(&self, first: usize, size: usize) -> Self {
        // SAFETY: the parts lie inside and do not overlap, and nothing is written to the whole any more.
        unsafe { Shared::new(self.start.add(first), size.min(self.length - first)) }
    }

    /// Writes one number everywhere.
    #[inline]
    pub fn fill(&mut self, value: T) {
        // Of locals the compiler knows that the loop does not change them, so that it writes many numbers at once.
        let (start, length) = (self.start, self.length);
        for i in 0..length {
            // SAFETY: inside.
            unsafe { start.add(i).write(value) };
        }
    }

    /// Writes the number with the index `i`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn set(&mut self, i: usize, value: T) {
        assert!(i < self.length, "there are {} numbers, none with the index {i}", self.length);
        // SAFETY: inside.
        unsafe { self.start.add(i).write(value) };
    }

    /// Writes all numbers.
    ///
    /// # Panics
    /// If there are more or fewer of them.
    #[inline]
    pub fn copy_from(&mut self, values: &[T]) {
        assert_eq!(values.len(), self.length);
        // SAFETY: as long as the memory here, and `values` are no part of it: no reference to it is ever made.
        unsafe { self.start.copy_from_nonoverlapping(values.as_ptr(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        let mut numbers = [0_u8; 10];
        let length = numbers.len();
        // SAFETY: nobody else writes to the array as long as it is shared.
        let shared = unsafe { Shared::new(numbers.as_mut_ptr(), length) };
        for (i, mut part) in shared.parts(4).enumerate() {
            part.fill(i as u8 + 1);
            part.set(0, 9);
        }
        assert_eq!(numbers, [9, 1, 1, 1, 9, 2, 2, 2, 9, 3]);
    }

    #[test]
    #[should_panic(expected = "none with the index 2")]
    fn nothing_is_written_behind_the_end() {
        let mut numbers = [0_u8; 2];
        // SAFETY: nobody else writes to the array as long as it is shared.
        unsafe { Shared::new(numbers.as_mut_ptr(), 2) }.set(2, 1);
    }
}
