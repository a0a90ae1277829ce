//! Code compiled twice: for every processor, and for newer ones with wider vectors and better instructions on bits.

/// Calls `job`, compiled for a newer processor (x86-64-v3) if this is one. What it calls is compiled so too as far as it is
/// inlined. The answer is the same either way.
#[inline]
pub(crate) fn vectorized<R>(job: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = pulp::x86::V3::try_new() {
        return token.vectorize(job);
    }
    job()
}
