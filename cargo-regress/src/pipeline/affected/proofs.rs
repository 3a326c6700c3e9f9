//! Which functions of a program of tests are proved equal.
//!
//! What is proved of the package holds for its functions as they are compiled without tests. With `--test` they may be others (`cfg(test)`, features of
//! dependencies for tests). So a proof is only taken over where the function of the package, aligned with that of the
//! program of tests, is unchanged: in the old version and in the new one.

use std::collections::{HashMap, HashSet};

use regress_core::align::{Alignment, align};
use regress_core::ir::{FnId, Path, Program};
use regress_core::verdict::{ChangeKind, Verdict};

use crate::pipeline::Session;
use crate::pipeline::load::{Loaded, Running};

/// What the comparison of the package proves.
pub(super) struct Proved {
    /// Functions that are equal on every input, each with the panics that its proof tells of.
    functions: HashMap<Path, u64>,
    /// Both versions of the package; none if nothing is proved.
    loaded: Option<Loaded>,
}

impl Session<'_> {
    /// Compares both versions of the package.
    pub(super) fn proved(&self) -> anyhow::Result<Proved> {
        let report = self.analyse()?.report;
        let equal = report.functions.iter().filter_map(|function| match &function.verdict {
            Verdict::Equal { proof } => Some((Path::new(&function.canonical), proof.panicking()?)),
            _ => None,
        });
        let mut functions: HashMap<Path, u64> = equal.collect();
        let loaded = match functions.is_empty() {
            true => None,
            false => Some(self.load(Running::Compared)?.0),
        };
        // What is called as before is proved equal for those who call it so.
        for program in loaded.iter().flat_map(|loaded| [&loaded.old.program, &loaded.new.program]) {
            program.adapters.values().for_each(|adapter| {
                functions.remove(&program.functions[adapter.function].path);
            });
        }
        Ok(Proved { functions, loaded })
    }
}

impl Proved {
    /// The functions of a program of tests of which these proofs hold, each with the panics that its proof tells of.
    pub fn among(&self, tests: &Loaded, alignment: &Alignment) -> HashMap<FnId, u64> {
        let Some(package) = &self.loaded else { return HashMap::new() };
        let program = &tests.new.program;
        let in_new = self.carried_over(&package.new.program, program);
        let in_old = self.carried_over(&package.old.program, &tests.old.program);
        let is_carried_over = |id: &FnId| alignment.to_old(*id).is_some_and(|old| in_old.contains(&old));
        in_new
            .iter()
            .filter(|id| is_carried_over(id))
            .filter_map(|id| Some((*id, *self.functions.get(&program.functions[*id].path)?)))
            .collect()
    }

    /// The functions of the program of tests that are the same as those of the package of which something is proved.
    fn carried_over(&self, package: &Program, tests: &Program) -> HashSet<FnId> {
        let same = align(package, tests).pairs.into_iter().filter(|pair| pair.kind == ChangeKind::Unchanged);
        same.filter_map(|pair| {
            let (of_package, of_tests) = (pair.old?, pair.new?);
            let (old, new) = (&package.functions[of_package].path, &tests.functions[of_tests].path);
            (old == new && self.functions.contains_key(new)).then_some(of_tests)
        })
        .collect()
    }
}
