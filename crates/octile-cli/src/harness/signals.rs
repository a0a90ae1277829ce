//! What an interrupted command does before it ends: it removes its temporary files.
//!
//! Interrupts (Ctrl-C), requests to terminate and hangups end the process by the same signal that it got, so that a
//! shell reports 130, 143 or 129, and a script that was interrupted with it stops. A signal that was ignored when the
//! command began stays so: that is how `nohup` works. Whatever else ends a process leaves its temporary files to the
//! next command (`octile::files`).
//!
//! A command that has no other end, such as a server, says so ([`ends_well`]), and exits with 0.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal is how the command should end.
static ENDS_WELL: AtomicBool = AtomicBool::new(false);

/// From now on a signal ends the command as it should end: with exit code 0.
pub(crate) fn ends_well() {
    ENDS_WELL.store(true, Ordering::Relaxed);
}

#[cfg(unix)]
pub(super) use unix::watch;

/// Nothing is watched for; temporary files are left to the next command.
#[cfg(not(unix))]
pub(super) fn watch() {}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::Ordering;
    use std::sync::mpsc;
    use std::{fs, process, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Has a thread wait for signals. Where there can be none, signals end the command at once, as without this.
    pub(in crate::harness) fn watch() {
        let (ready, is_ready) = mpsc::channel();
        let waiting = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let signals = Signals::new(watched(&ignored()));
            // The other end waits for this, and for nothing else.
            let _ = ready.send(());
            if let Some(signal) = signals.ok().and_then(|mut signals| signals.forever().next()) {
                end(signal);
            }
        });
        if waiting.is_ok() {
            let _ = is_ready.recv();
        }
    }

    /// Endpoints the process as the signal would have.
    fn end(signal: i32) {
        octile::files::remove_temporaries();
        if super::ENDS_WELL.load(Ordering::Relaxed) {
            process::exit(0);
        }
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal);
    }

    /// Those that are watched for where some are ignored.
    fn watched(ignored: &Ignored) -> Vec<i32> {
        [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !ignored.has(signal)).collect()
    }

    /// The signals that this process ignores, a bit for each, where the system tells.
    struct Ignored(Option<u64>);

    fn ignored() -> Ignored {
        Ignored(fs::read_to_string("/proc/self/status").ok().and_then(|status| of_status(&status)))
    }

    fn of_status(status: &str) -> Option<u64> {
        let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(bits.trim(), 16).ok()
    }

    impl Ignored {
        /// Where the system does not tell, a hangup counts as ignored: work under `nohup` is lost otherwise.
        fn has(&self, signal: i32) -> bool {
            self.0.map_or(signal == SIGHUP, |bits| bits >> (signal - 1) & 1 == 1)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_signal_that_is_ignored_is_not_watched_for() {
            let status = "Name:\toctile\nSigBlk:\t0000000000000007\nSigIgn:\t0000000000001001\n";
            assert_eq!(of_status(status), Some(0x1001));
            assert_eq!(watched(&Ignored(Some(0x1001))), [SIGINT, SIGTERM]);
            assert_eq!(watched(&Ignored(Some(2))), [SIGHUP, SIGTERM]);
            assert_eq!(watched(&Ignored(None)), [SIGINT, SIGTERM]);
            assert_eq!(of_status("Name:\toctile\n"), None);
        }
    }
}
