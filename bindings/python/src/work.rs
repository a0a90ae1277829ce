//! Work without the interpreter: threads of our own, long work that Ctrl-C ends and that tells how far it is, and
//! forks.
//!
//! Who forks gets a process with one thread and a copy of every lock as it was. So two things are done here: all
//! parallel work runs in pools that are known by process, because the threads of a pool do not follow into the child;
//! and a fork waits, for a second at most, until nobody is inside the library, so that no lock of it is held. So does
//! the end of the interpreter, which threads must not come back to.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};
use std::time::{Duration, Instant};

use octile::planner::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors;

/// Held by all who are inside the library, and alone by who forks.
static INSIDE: RwLock<()> = RwLock::new(());

/// How long a fork waits for those who are inside.
const FORK_WAITS: Duration = Duration::from_secs(1);

thread_local! {
    /// What the thread that forks holds meanwhile.
    static FORKING: std::cell::RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { std::cell::RefCell::new(None) };
}

/// Called before a fork: waits until nobody is inside.
#[pyfunction]
pub(crate) fn _before_fork(py: Python<'_>) {
    let begin = Instant::now();
    py.detach(|| {
        while begin.elapsed() < FORK_WAITS {
            if let Ok(guard) = INSIDE.try_write() {
                FORKING.replace(Some(guard));
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    });
}

/// Called after a fork, in both processes.
#[pyfunction]
pub(crate) fn _after_fork() {
    FORKING.take();
}

/// Set when the interpreter is about to end.
static CLOSING: AtomicBool = AtomicBool::new(false);

/// Called when the interpreter ends: ends long work, waits for those who are inside, and lets nobody in any more. A
/// thread that came back to an interpreter that is gone would take the process with it.
#[pyfunction]
pub(crate) fn _at_exit(py: Python<'_>) {
    CLOSING.store(true, Ordering::Relaxed);
    IS_LAST.set(true);
    let begin = Instant::now();
    py.detach(|| {
        while begin.elapsed() < EXIT_WAITS {
            if let Ok(guard) = INSIDE.try_write() {
                std::mem::forget(guard);
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    });
}

thread_local! {
    /// Whether this is the thread that ends the interpreter: it may still ask.
    static IS_LAST: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// How long the end waits for those who are inside.
const EXIT_WAITS: Duration = Duration::from_secs(2);

/// Goes inside. It is left when this is dropped, which must be with the interpreter again. Whoever calls back into
/// Python before that, to read an array, should be inside as well: up to Python 3.13 a thread that loses the
/// interpreter there is ended in the middle of our code.
pub(crate) fn enter(py: Python<'_>) -> Option<RwLockReadGuard<'static, ()>> {
    loop {
        match INSIDE.try_read() {
            Ok(inside) => return Some(inside),
            Err(TryLockError::Poisoned(inside)) => return Some(inside.into_inner()),
            Err(TryLockError::WouldBlock) if IS_LAST.get() => return None,
            // Whoever forks needs the interpreter to go on.
            Err(TryLockError::WouldBlock) => py.detach(|| drop(INSIDE.read())),
        }
    }
}

/// Does something short without the interpreter.
pub(crate) fn brief<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let _inside = enter(py);
    py.detach(work)
}

/// Does something on all cores, or on so many threads, without the interpreter.
pub(crate) fn parallel<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    Ok(brief(py, || pool.install(work)))
}

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

/// Refuses too many threads.
pub(crate) fn check_threads(threads: Option<usize>) -> PyResult<Option<usize>> {
    match threads {
        Some(threads) if threads > MOST_THREADS => {
            Err(errors::value(format!("{threads} threads are too many: at most {MOST_THREADS}")))
        }
        _ => Ok(threads),
    }
}

/// The threads of this process: as many as were asked for, or one for each core.
fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    static POOLS: LazyLock<Pools> = LazyLock::new(Pools::default);
    let threads = check_threads(threads)?.unwrap_or(0);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    // Those of the process before have no threads here, and would wait for them.
    pools.extract_if(|(process, _), _| *process != key.0).for_each(std::mem::forget);
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "octile".to_owned()).build();
    let pool = Arc::new(pool.map_err(|error| errors::value(format!("cannot start {threads} threads: {error}")))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}

/// Who is told how far long work is.
pub(crate) struct Teller(Option<Py<PyAny>>);

impl Teller {
    /// From what was given as `progress`: a callable, `True` for a bar in the terminal, or nothing.
    pub(crate) fn new(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(progress) = progress else { return Ok(Self(None)) };
        if let Ok(wanted) = progress.cast::<PyBool>() {
            let bar = || progress.py().import("octile._progress")?.getattr("bar")?.call0().map(Bound::unbind);
            return Ok(Self(wanted.is_true().then(bar).transpose()?));
        }
        if !progress.is_callable() {
            return Err(pyo3::exceptions::PyTypeError::new_err(
                "progress: expected True, or a function of (stage, done, all)",
            ));
        }
        Ok(Self(Some(progress.clone().unbind())))
    }

    /// Whether there is somebody.
    pub(crate) fn is_told(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn tell(&self, py: Python<'_>, progress: Progress) -> PyResult<()> {
        if let Some(callable) = &self.0 {
            callable.call1(py, (progress.stage, progress.done, progress.all))?;
        }
        Ok(())
    }
}

/// How often long work looks for Ctrl-C and tells how far it is.
const LOOKS: Duration = Duration::from_millis(50);

/// How far work is, told by any thread.
#[derive(Default)]
pub(crate) struct Meter(Mutex<Option<Progress>>);

impl Meter {
    pub(crate) fn set(&self, progress: Progress) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    fn take(&self) -> Option<Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does something long on all cores, or on so many threads, while this thread looks for Ctrl-C and tells how far it is.
/// `work` is given a flag that is set when it is to end, and where to say how far it is.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    teller: &Teller,
    work: impl FnOnce(&AtomicBool, &Meter) -> T + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let (cancel, meter) = (AtomicBool::new(false), Meter::default());
    let (cancel, meter) = (&cancel, &meter);
    let inside = enter(py);
    let answer = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, waits) = mpsc::channel();
            let worker = move || {
                _ = done.send(pool.install(|| work(cancel, meter)));
            };
            let worker = scope.spawn(worker);
            let mut interrupted = Ok(());
            let answer = loop {
                match waits.recv_timeout(LOOKS) {
                    Ok(answer) => break Some(answer),
                    Err(RecvTimeoutError::Disconnected) => break None,
                    Err(RecvTimeoutError::Timeout) if interrupted.is_ok() => {
                        interrupted = look(teller, meter);
                        cancel.store(interrupted.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            };
            interrupted?;
            let Some(answer) = answer else {
                std::panic::resume_unwind(
                    worker.join().err().unwrap_or_else(|| Box::new("the work ended without an answer")),
                );
            };
            look(teller, meter).map(|()| answer)
        })
    });
    if is_over() {
        // What is raised here would be printed by a program that has nothing left to print it with.
        drop(inside);
        py.detach(|| {
            loop {
                std::thread::park();
            }
        });
    }
    answer
}

/// Whether the interpreter is about to end, and this is not the thread that ends it.
fn is_over() -> bool {
    CLOSING.load(Ordering::Relaxed) && !IS_LAST.get()
}

fn look(teller: &Teller, meter: &Meter) -> PyResult<()> {
    // There is no interpreter any more if the program is about to end: nobody wants to know.
    let told = Python::try_attach(|py| {
        if is_over() {
            return Err(PyRuntimeError::new_err("the interpreter is about to end"));
        }
        py.check_signals()?;
        meter.take().map_or(Ok(()), |progress| teller.tell(py, progress))
    });
    told.unwrap_or(Ok(()))
}
