//! What the functions of a package may come to run that has no meaning here, by what it is.

use std::collections::BTreeMap;

use regress_core::exec::gaps::{self, Followed, Gap, Met};
use regress_core::ir::{FnBody, FnId, Origin};

use super::super::Session;
use super::super::load::Running;
use super::super::naming::display_path;
use crate::args::Options;
use crate::progress::Progress;
use crate::versions::{Place, Versions};

/// What was found in a package.
#[derive(Clone, Debug)]
pub struct Gaps {
    /// Functions of the package with a body.
    pub functions: usize,
    pub found: BTreeMap<Gap, Found>,
    pub followed: Followed,
}

/// Where a gap was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// A function in whose body it stands.
    pub within: String,
    /// The functions of the package that lead to it.
    pub from: Vec<String>,
}

/// Looks at the newer version.
pub fn gaps_of(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Gaps> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, _) = session.load(Running::All)?;
        let program = &loaded.new.program;
        let is_own = |id: &FnId| {
            let function = &program.functions[*id];
            function.origin == Origin::Subject && !matches!(function.body, FnBody::Missing)
        };
        let starts: Vec<FnId> = program.functions.ids().filter(is_own).collect();
        let name = |id: FnId| display_path(program, id, loaded.only_crate());
        let gaps::Gaps { found, followed } = gaps::gaps(program, &starts);
        let named = |Met { within, from }: Met| Found {
            within: program.functions[within].path.to_string(),
            from: from.into_iter().map(name).collect(),
        };
        let found = found.into_iter().map(|(gap, met)| (gap, named(met)));
        Ok(Gaps { functions: starts.len(), found: found.collect(), followed })
    })
}
