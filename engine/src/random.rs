//! A small generator of pseudo-random numbers (SplitMix64), and hash keys made with it at compile time.

/// A generator; equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that starts at `seed`.
    pub const fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The seed of a generator that goes on as this one does.
    pub const fn seed(&self) -> u64 {
        self.0
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; `bound` must be small against 2^32, the bias is then negligible.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * bound as u64) >> 32) as u32
    }

    /// A number between -1 and 1.
    #[inline]
    pub const fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// `N` random keys, the same in every build.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut random = Random::new(seed);
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = random.next();
        i += 1;
    }
    keys
}
