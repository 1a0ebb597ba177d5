//! The hidden units of a square, all at once: with vector instructions where the machine has them, and without. Both give
//! the same numbers, as they are integers.

/// Hidden units of a square.
pub const UNITS: usize = 16;

/// What is added to all hidden units at once.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Row(pub [i16; UNITS]);

/// Sums of rows. To be inlined always: the instructions are those of the caller.
pub trait Units: Copy {
    /// The sum of one row.
    fn new(row: &Row) -> Self;

    /// The sum with one more row.
    fn plus(self, row: &Row) -> Self;

    /// The products of the units with two rows, where negative ones are zero.
    fn products(self, rows: &[Row; 2]) -> [i32; 2];
}

/// Units for every machine.
#[derive(Clone, Copy)]
pub struct Plain([i16; UNITS]);

impl Units for Plain {
    #[inline(always)]
    fn new(row: &Row) -> Self {
        Plain(row.0)
    }

    #[inline(always)]
    fn plus(mut self, row: &Row) -> Self {
        for k in 0..UNITS {
            self.0[k] = self.0[k].wrapping_add(row.0[k]);
        }
        self
    }

    #[inline(always)]
    fn products(self, rows: &[Row; 2]) -> [i32; 2] {
        let mut sums = [0; 2];
        for k in 0..UNITS {
            let unit = i32::from(self.0[k].max(0));
            sums[0] += unit * i32::from(rows[0].0[k]);
            sums[1] += unit * i32::from(rows[1].0[k]);
        }
        sums
    }
}

/// Units for machines with AVX2; elsewhere they must not be used.
#[cfg(target_arch = "x86_64")]
pub mod avx2 {
    use super::{Row, Units};
    use std::arch::x86_64::*;

    /// All units in one register.
    #[derive(Clone, Copy)]
    pub struct Vector(__m256i);

    #[inline(always)]
    fn load(row: &Row) -> __m256i {
        // SAFETY: a row is as long as a register and as aligned; the machine has AVX2.
        unsafe { _mm256_load_si256(std::ptr::from_ref(row).cast()) }
    }

    impl Units for Vector {
        #[inline(always)]
        fn new(row: &Row) -> Self {
            Vector(load(row))
        }

        #[inline(always)]
        fn plus(self, row: &Row) -> Self {
            // SAFETY: the machine has AVX2.
            Vector(unsafe { _mm256_add_epi16(self.0, load(row)) })
        }

        #[inline(always)]
        fn products(self, rows: &[Row; 2]) -> [i32; 2] {
            // SAFETY: the machine has AVX2.
            unsafe {
                let units = _mm256_max_epi16(self.0, _mm256_setzero_si256());
                let [first, second] = [&rows[0], &rows[1]].map(|row| _mm256_madd_epi16(units, load(row)));
                let pairs = _mm256_hadd_epi32(first, second);
                let fours = _mm256_hadd_epi32(pairs, pairs);
                let sums = _mm_add_epi32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256::<1>(fours));
                [_mm_extract_epi32::<0>(sums), _mm_extract_epi32::<1>(sums)]
            }
        }
    }
}
