//! Signal handling: an interrupted command removes its temporary files before it ends.
//!
//! Interrupts (Ctrl-C), requests to terminate and hangups end the process by the same signal, so that a shell reports
//! 130, 143 or 129, and a script that was interrupted with it stops. A signal that was ignored when the command began
//! stays ignored: that is how `nohup` works. If the process ends in any other way, the next command removes its
//! temporary files (`octile::files`).
//!
//! A command that runs until it is interrupted, such as a server, calls [`ends_well`] and exits with 0.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal is the normal end of the command.
static ENDS_WELL: AtomicBool = AtomicBool::new(false);

/// From now on, a signal ends the command with exit code 0.
pub(crate) fn ends_well() {
    ENDS_WELL.store(true, Ordering::Relaxed);
}

#[cfg(unix)]
pub(super) use unix::watch;

/// Does nothing here; the next command removes temporary files.
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

    /// Starts a thread that waits for signals. If it cannot start, signals end the command at once.
    pub(in crate::harness) fn watch() {
        let (ready, is_ready) = mpsc::channel();
        let waiting = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let signals = Signals::new(watched(&ignored()));
            // The other end waits only for this.
            let _ = ready.send(());
            if let Some(signal) = signals.ok().and_then(|mut signals| signals.forever().next()) {
                end(signal);
            }
        });
        if waiting.is_ok() {
            let _ = is_ready.recv();
        }
    }

    /// Ends the process as the signal would have.
    fn end(signal: i32) {
        octile::files::remove_temporaries();
        if super::ENDS_WELL.load(Ordering::Relaxed) {
            process::exit(0);
        }
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal);
    }

    /// The signals to watch, given the ignored ones.
    fn watched(ignored: &Ignored) -> Vec<i32> {
        [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !ignored.has(signal)).collect()
    }

    /// The signals that this process ignores, one bit each, if the system tells.
    struct Ignored(Option<u64>);

    fn ignored() -> Ignored {
        Ignored(fs::read_to_string("/proc/self/status").ok().and_then(|status| of_status(&status)))
    }

    fn of_status(status: &str) -> Option<u64> {
        let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(bits.trim(), 16).ok()
    }

    impl Ignored {
        /// If the system does not tell, a hangup counts as ignored: otherwise work under `nohup` would be lost.
        fn has(&self, signal: i32) -> bool {
            self.0.map_or(signal == SIGHUP, |bits| bits >> (signal - 1) & 1 == 1)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn an_ignored_signal_is_not_watched() {
            let status = "Name:\toctile\nSigBlk:\t0000000000000007\nSigIgn:\t0000000000001001\n";
            assert_eq!(of_status(status), Some(0x1001));
            assert_eq!(watched(&Ignored(Some(0x1001))), [SIGINT, SIGTERM]);
            assert_eq!(watched(&Ignored(Some(2))), [SIGHUP, SIGTERM]);
            assert_eq!(watched(&Ignored(None)), [SIGINT, SIGTERM]);
            assert_eq!(of_status("Name:\toctile\n"), None);
        }
    }
}
