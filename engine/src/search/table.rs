//! The transposition table: the results of positions that were searched before. Threads share it without locks.

use super::DECIDED;
use crate::game::Move;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is this or lower.
    Upper = 1,
    /// The true score is this or higher.
    Lower = 2,
    /// This is the true score.
    Exact = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub struct TableEntry {
    /// The best move, if one was found.
    pub best: Option<Move>,
    /// The score for the side to move.
    pub score: i32,
    /// The depth of the search behind it.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
}

/// One slot: the hash XORed with the data, so that a torn write is not recognised, and the data.
#[derive(Default)]
struct Slot(AtomicU64, AtomicU64);

/// The slots that a hash may be in: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A table of fixed size.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

/// The table could not be allocated.
#[derive(Debug)]
pub struct OutOfMemory;

impl TranspositionTable {
    /// A table of about so many mebibytes; fails where there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        let number = bytes / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(number).map_err(|_| OutOfMemory)?;
        ask_for_huge_pages(buckets.as_ptr() as usize, bytes);
        buckets.resize_with(number, Bucket::default);
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// Its size.
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// A new search begins: older entries are replaced first.
    pub fn new_search(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[Slot; 4] {
        let number = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[number as usize].0
    }

    /// Asks for the entries of a hash that will be needed soon: memory is slow.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every x86-64 has this instruction, and it changes nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(self.bucket(hash).as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// The entry of the position with this hash, `ply` plies below the root.
    #[inline]
    pub fn probe(&self, hash: u64, ply: usize) -> Option<TableEntry> {
        for slot in self.bucket(hash) {
            let data = slot.1.load(Ordering::Relaxed);
            if slot.0.load(Ordering::Relaxed) ^ data == hash && data != 0 {
                let bound = match data >> 40 & 3 {
                    1 => Bound::Upper,
                    2 => Bound::Lower,
                    3 => Bound::Exact,
                    _ => return None,
                };
                let score = i32::from((data >> 16) as u16 as i16);
                let best = (data >> 42 & 1 == 1).then_some(Move(data as u16));
                return Some(TableEntry {
                    best,
                    score: from_here(score, ply),
                    depth: (data >> 32 & 0xFF) as i32,
                    bound,
                });
            }
        }
        None
    }

    /// Stores an entry; entries of old searches and small depths are replaced first.
    #[inline]
    pub fn store(&self, hash: u64, ply: usize, entry: TableEntry) {
        let age = u64::from(self.age.load(Ordering::Relaxed));
        let bucket = self.bucket(hash);
        let mut chosen = &bucket[0];
        let mut least = i32::MAX;
        let mut best = entry.best;
        for slot in bucket {
            let data = slot.1.load(Ordering::Relaxed);
            if slot.0.load(Ordering::Relaxed) ^ data == hash {
                if best.is_none() && data >> 42 & 1 == 1 {
                    best = Some(Move(data as u16));
                }
                chosen = slot;
                break;
            }
            let searches_ago = (age.wrapping_sub(data >> 48) & 0xFF) as i32;
            let worth = (data >> 32 & 0xFF) as i32 - 8 * searches_ago;
            if worth < least {
                (least, chosen) = (worth, slot);
            }
        }
        let score = from_root(entry.score, ply) as i16 as u16;
        let data = u64::from(best.unwrap_or_default().0)
            | u64::from(score) << 16
            | (entry.depth.clamp(0, 255) as u64) << 32
            | (entry.bound as u64) << 40
            | u64::from(best.is_some()) << 42
            | age << 48;
        chosen.0.store(hash ^ data, Ordering::Relaxed);
        chosen.1.store(data, Ordering::Relaxed);
    }
}

/// Asks the system for large pages of memory that is not in use yet: with the usual ones, the processor looks up nearly each
/// entry's address in tables that are in slow memory, too. Only speed depends on it, so a refusal does not matter.
fn ask_for_huge_pages(address: usize, bytes: usize) {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        unsafe extern "C" {
            fn madvise(address: *mut std::ffi::c_void, length: usize, advice: i32) -> i32;
        }
        const HUGE_PAGES: i32 = 14;
        const PAGE: usize = 1 << 21;
        let (begin, end) = (address.next_multiple_of(PAGE), (address + bytes) / PAGE * PAGE);
        if begin < end {
            // SAFETY: the advice changes nothing that the memory contains.
            unsafe { madvise(begin as *mut std::ffi::c_void, end - begin, HUGE_PAGES) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    let _ = (address, bytes);
}

/// A score counted from the root, counted from the position instead: a win in so many plies from there.
fn from_root(score: i32, ply: usize) -> i32 {
    match score {
        _ if score >= DECIDED => score + ply as i32,
        _ if score <= -DECIDED => score - ply as i32,
        _ => score,
    }
}

fn from_here(score: i32, ply: usize) -> i32 {
    match score {
        _ if score >= DECIDED => score - ply as i32,
        _ if score <= -DECIDED => score + ply as i32,
        _ => score,
    }
}
