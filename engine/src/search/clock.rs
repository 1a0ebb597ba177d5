//! When a search has to stop: by time, by nodes, or because it is told to from outside.

use super::Limits;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(target_arch = "wasm32")]
pub use super::instant::Instant;
#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

/// How many nodes are searched between two reads of the clock.
const NODES_BETWEEN_CLOCK_READS: u64 = 64;

/// The limits of one search, shared by its threads.
pub struct Clock<'a> {
    begun: Instant,
    deadline: Option<Instant>,
    cpu_end: Option<Duration>,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// A clock that starts now; `stop` ends the search from outside, and is set when it is over.
    pub fn start(limits: &Limits, stop: &'a AtomicBool) -> Self {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let cpu_end = limits.cpu.map(|cpu| thread_cpu_time() + cpu);
        Clock { begun: Instant::now(), deadline: limits.deadline, cpu_end, nodes, stop }
    }

    /// Whether to stop after `nodes` nodes of this thread; cheap enough for every node.
    #[inline]
    pub fn is_over(&self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        nodes % NODES_BETWEEN_CLOCK_READS == 0 && self.is_stopped()
    }

    /// Whether to stop after `nodes` nodes that were counted in larger steps.
    pub fn is_over_at(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.is_stopped()
    }

    /// Whether to stop, by reading the time.
    pub fn is_stopped(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.cpu_end.is_some_and(|end| thread_cpu_time() >= end)
        {
            self.stop.store(true, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// Ends the search of all threads.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

/// The CPU time that the calling thread has used; where the system does not tell it, the time since the first call.
pub fn thread_cpu_time() -> Duration {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        #[repr(C)]
        struct Time {
            seconds: i64,
            nanoseconds: i64,
        }
        unsafe extern "C" {
            fn clock_gettime(clock: i32, time: *mut Time) -> i32;
        }
        const THREAD_CPU_TIME: i32 = 3;
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the system writes into `time`, which has the layout of a `timespec` on 64-bit Linux.
        if unsafe { clock_gettime(THREAD_CPU_TIME, &mut time) } == 0 {
            return Duration::new(time.seconds as u64, time.nanoseconds as u32);
        }
    }
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
