//! Code compiled twice: for every processor, and for newer ones with wider vectors and better bit instructions.

/// Whether this is a newer processor (x86-64-v3). Detected once, where code compiled for it is called often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors {
    #[cfg(target_arch = "x86_64")]
    newer: Option<pulp::x86::V3>,
}

impl Vectors {
    #[inline]
    pub(crate) fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            newer: pulp::x86::V3::try_new(),
        }
    }

    /// Calls `job`, compiled for a newer processor if this is one. That also applies to the functions inlined into
    /// `job`. The result is the same either way.
    #[inline]
    pub(crate) fn run<R>(self, job: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.newer {
            return token.vectorize(job);
        }
        job()
    }
}

/// Calls `job` as [`Vectors::run`] does.
#[inline]
pub(crate) fn vectorized<R>(job: impl FnOnce() -> R) -> R {
    Vectors::detect().run(job)
}
