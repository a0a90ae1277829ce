//! Searches that are stopped and go on later, such as a slice in every frame of a game.
//!
//! What a search has reached stays in its working memory. The rest of what it needs to go on is kept in a [`Pause`]
//! beside it.

/// Where a search was stopped, if it was.
#[derive(Debug)]
pub(crate) struct Pause<S> {
    /// Where the last search was stopped.
    kept: Option<S>,
    /// Where the next search is to go on.
    resumed: Option<S>,
}

impl<S> Default for Pause<S> {
    fn default() -> Self {
        Self { kept: None, resumed: None }
    }
}

impl<S> Pause<S> {
    /// The next search is to go on where the last one was stopped.
    pub(crate) fn go_on(&mut self) {
        self.resumed = self.kept.take();
    }

    /// Where this search is to go on, if it is. All before is forgotten.
    pub(crate) fn resume(&mut self) -> Option<S> {
        self.kept = None;
        self.resumed.take()
    }

    /// Where the search goes on, if it does.
    pub(crate) fn going_on(&self) -> Option<&S> {
        self.resumed.as_ref()
    }

    /// The search was stopped here.
    pub(crate) fn keep(&mut self, state: S) {
        self.kept = Some(state);
    }
}
