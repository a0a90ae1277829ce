//! Searches that are paused and resumed later, such as a slice in every frame of a game.
//!
//! The nodes that a search has reached stay in its scratch memory. The rest of its state is kept in a [`Pause`] beside
//! it.

/// Where a search was paused, if it was.
#[derive(Debug)]
pub(crate) struct Pause<S> {
    /// Where the last search was paused.
    kept: Option<S>,
    /// Where the next search is to resume.
    resumed: Option<S>,
}

impl<S> Default for Pause<S> {
    fn default() -> Self {
        Self { kept: None, resumed: None }
    }
}

impl<S> Pause<S> {
    /// Lets the next search resume the last one.
    pub(crate) fn go_on(&mut self) {
        self.resumed = self.kept.take();
    }

    /// Where this search is to resume, if it is. Clears all earlier state.
    pub(crate) fn resume(&mut self) -> Option<S> {
        self.kept = None;
        self.resumed.take()
    }

    /// Where the search resumes, if it does.
    pub(crate) fn going_on(&self) -> Option<&S> {
        self.resumed.as_ref()
    }

    /// Stores where the search was paused.
    pub(crate) fn keep(&mut self, state: S) {
        self.kept = Some(state);
    }
}
