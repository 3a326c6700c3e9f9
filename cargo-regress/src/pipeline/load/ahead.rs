//! A build that goes on while the versions are read.
//!
//! *Idea.* Reading takes one core for most of its time, and before the first worker is built, all foreign dependencies have to be. So where nothing was built yet, cargo builds
//! a worker of the new version that runs no function meanwhile. The worker that is wanted in the end finds the dependencies there, and so does that of the old version, which
//! begins with what is there of the other ([`crate::harness`]).
//!
//! *Limits.* Of several packages that are selected it is the first, with whatever it depends on.

use std::thread::JoinHandle;

use crate::extract::Extraction;
use crate::harness::{Stop, Target, build};
use crate::pipeline::{ANALYSIS_STACK, Session};

use super::program_name;

/// It is ended when it is dropped.
pub(in crate::pipeline) struct Ahead {
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Ahead {
    /// Waits until it is done.
    pub fn finish(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // Who builds what is wanted will say what is wrong.
            let _ = thread.join();
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.stop.now();
        self.join();
    }
}

impl Session<'_> {
    /// Begins to build the new version, of which this was extracted, if it has dependencies of which nothing was built yet.
    pub(super) fn build_ahead(&self, new: &Extraction) -> Option<Ahead> {
        let dump = new.crates.first().filter(|_| !new.dependencies.is_empty())?;
        let name = program_name(dump, &new.crates);
        let mut request = self.request_for_nothing(&self.versions.new, new, dump, &name).ok()?;
        let is_new = request.seed.iter().chain([&request.out_dir]).all(|folder| !folder.exists());
        if !is_new || self.versions.are_identical() || request.target == Target::ProcMacro {
            return None;
        }
        let stop = Stop::default();
        request.cargo.stop = Some(stop.clone());
        let thread = std::thread::Builder::new().stack_size(ANALYSIS_STACK);
        let thread = thread.spawn(move || drop(build(&request))).ok()?;
        Some(Ahead { stop, thread: Some(thread) })
    }
}
