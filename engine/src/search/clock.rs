//! When a search has to stop: by time, by nodes, or because it is told to from outside.

use super::Limits;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How many nodes are searched between two reads of the clock.
const NODES_BETWEEN_CLOCK_READS: u64 = 64;

/// The limits of one search, shared by its threads.
pub struct Clock<'a> {
    begun: Instant,
    deadline: Option<Instant>,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// A clock that starts now; `stop` ends the search from outside, and is set when it is over.
    pub fn start(limits: &Limits, stop: &'a AtomicBool) -> Self {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        Clock { begun: Instant::now(), deadline: limits.deadline, nodes, stop }
    }

    /// Whether to stop after `nodes` nodes of this thread; cheap enough for every node.
    #[inline]
    pub fn is_over(&self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        nodes % NODES_BETWEEN_CLOCK_READS == 0 && self.is_stopped()
    }

    /// Whether to stop, by reading the time.
    pub fn is_stopped(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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
