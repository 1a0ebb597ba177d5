//! Threads that stay: they wait for work instead of being started for each piece of it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{mem, process};

/// How often a thread looks for work before it sleeps: some ten microseconds, for waking it up takes about as long.
const LOOKS: u32 = 1_000;

/// Work that all threads share: each takes parts of it until none is left. It is told whether a helper calls.
type Work<'a> = &'a (dyn Fn(bool) + Sync);

/// What the threads have to do.
#[derive(Default)]
struct State {
    /// The work at hand; `None` once there is nothing left to begin.
    work: Option<Work<'static>>,
    /// How many threads are at it.
    busy: usize,
    /// What stopped one of them, if anything did.
    panic: Option<Box<dyn Any + Send>>,
    closing: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The number of the work at hand, to be looked at without the lock.
    number: AtomicU64,
    begin: Condvar,
    end: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What each thread does until the pool is dropped.
    fn serve(&self) {
        let mut seen = 0;
        loop {
            let mut looks = LOOKS;
            while looks > 0 && self.number.load(Ordering::Relaxed) == seen {
                std::hint::spin_loop();
                looks -= 1;
            }
            let mut state = self.lock();
            while self.number.load(Ordering::Relaxed) == seen {
                state = self.begin.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.closing {
                return;
            }
            seen = self.number.load(Ordering::Relaxed);
            // It may be done already.
            let Some(work) = state.work else { continue };
            state.busy += 1;
            drop(state);
            let done = catch_unwind(AssertUnwindSafe(|| work(true)));
            let mut state = self.lock();
            state.busy -= 1;
            if let Err(panic) = done {
                state.panic = Some(panic);
            }
            if state.busy == 0 {
                self.end.notify_one();
            }
        }
    }

    /// Tells all threads that there is something new; `change` says what.
    fn announce(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        self.number.fetch_add(1, Ordering::Relaxed);
        drop(state);
        self.begin.notify_all();
    }
}

/// The calling thread and those that help it; they end with the pool.
pub struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// Where the helpers live: a fork of this process has none.
    process: u32,
}

impl Pool {
    /// A pool of `threads` threads, the calling one among them; of fewer where the system grants no more.
    pub fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared::default());
        let helper = |_| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("batch".into()).spawn(move || shared.serve()).ok()
        };
        let helpers = (1..threads).map_while(helper).collect();
        Pool { shared, helpers, process: process::id() }
    }

    /// How many threads work here.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Does `work` for each of the parts, in no order; panics if it panics anywhere.
    ///
    /// The caller begins at the front and the helpers at the back: with the same parts again and again, most of them
    /// stay in the cache of one core.
    pub fn for_each<T>(&mut self, parts: impl DoubleEndedIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        // Nobody is called for a single part.
        if parts.size_hint().1 == Some(1) {
            return parts.for_each(work);
        }
        let parts = Mutex::new(parts);
        let next = |helper| {
            let mut parts = parts.lock().unwrap_or_else(PoisonError::into_inner);
            if helper { parts.next_back() } else { parts.next() }
        };
        self.run(&|helper| {
            while let Some(part) = next(helper) {
                work(part);
            }
        });
    }

    /// Calls `work` here and on the helpers that are awake in time; comes back when none of them is at it any more.
    fn run(&mut self, work: Work) {
        if self.helpers.is_empty() || self.process != process::id() {
            return work(false);
        }
        // SAFETY: helpers call `work` only while it is in the state, and are counted as busy until they are back. Below,
        // whatever happens in `work`, it is taken out and all of them are waited for before this borrow ends.
        let lasting = unsafe { mem::transmute::<Work<'_>, Work<'static>>(work) };
        self.shared.announce(|state| state.work = Some(lasting));
        let done = catch_unwind(AssertUnwindSafe(|| work(false)));
        let mut state = self.shared.lock();
        state.work = None;
        while state.busy > 0 {
            state = self.shared.end.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let panic = state.panic.take();
        drop(state);
        if let Some(panic) = done.err().or(panic) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let helpers = mem::take(&mut self.helpers);
        if self.process != process::id() {
            // A fork has the handles without the threads: there is nothing to wait for.
            mem::forget(helpers);
            return;
        }
        self.shared.announce(|state| state.closing = true);
        for helper in helpers {
            // Panics in work are caught before they get there.
            let _ = helper.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::Barrier;

    #[test]
    fn every_part_is_done_once_whatever_the_number_of_threads() {
        for threads in 1..5 {
            let mut pool = Pool::new(threads);
            let mut parts = vec![0; 100];
            for _ in 0..200 {
                pool.for_each(parts.iter_mut(), |part| *part += 1);
            }
            assert_eq!(parts, vec![200; 100]);
        }
    }

    #[test]
    fn all_threads_work_at_the_same_time() {
        let mut pool = Pool::new(3);
        assert_eq!(pool.threads(), 3);
        let (barrier, seen) = (Barrier::new(3), Mutex::new(HashSet::new()));
        pool.for_each(0..3, |_| {
            barrier.wait();
            seen.lock().unwrap().insert(thread::current().id());
        });
        assert_eq!(seen.into_inner().unwrap().len(), 3);
    }

    #[test]
    fn a_panic_on_any_thread_is_reported_and_the_pool_goes_on() {
        let mut pool = Pool::new(2);
        let caller = thread::current().id();
        for here in [true, false] {
            let barrier = Barrier::new(2);
            let work = |_| {
                barrier.wait();
                assert!((thread::current().id() == caller) != here, "by intent");
            };
            let panic = catch_unwind(AssertUnwindSafe(|| pool.for_each(0..2, work))).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"by intent"));
            let mut parts = [0; 10];
            pool.for_each(parts.iter_mut(), |part| *part += 1);
            assert_eq!(parts, [1; 10]);
        }
    }

    #[test]
    fn the_threads_end_with_the_pool() {
        let pool = Pool::new(3);
        let shared = Arc::downgrade(&pool.shared);
        drop(pool);
        assert!(shared.upgrade().is_none());
    }
}
