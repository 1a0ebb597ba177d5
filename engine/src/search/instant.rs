//! The clock of a browser: WebAssembly has none of its own, and that of `std` panics there.

use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment, as `performance.now` gives them.
    safe fn now() -> f64;
}

/// A moment, with what is needed here of `std::time::Instant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The present.
    pub fn now() -> Self {
        Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
    }

    /// How long ago it was.
    pub fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }

    /// The moment that much later.
    pub fn checked_add(self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Instant)
    }
}
