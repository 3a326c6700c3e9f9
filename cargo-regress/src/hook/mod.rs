//! Two hooks. Before a push, what it would publish is compared with what the remote has. After a merge, it is judged by what both branches do.
//!
//! * [`directory`]: where git looks for hooks
//! * [`script`]: the hook's text, and whose text a file is
//! * [`install`](mod@install): writes, removes and shows it; a foreign hook is never touched
//! * [`pushed`]: which commits a push would publish, and with what each is compared
//! * [`run`](mod@run): the comparisons of a push, within a time that is fixed for all of them; [`merged`]: the merge that was made
//!
//! What the time does not suffice for is named, and the push passes: a hook that stops people for its own slowness is
//! soon gone. `--strict` is for those who want it otherwise.

mod directory;
mod install;
mod merged;
mod pushed;
mod run;
mod script;

pub use merged::run_after_merge;
pub use run::run;

use std::io::Write;
use std::path::Path;

use crate::args::HookName;
use crate::error::Error;

/// What is done to the hook.
#[derive(Clone, Copy, Debug)]
pub enum Manage<'p> {
    Install { manifest_path: Option<&'p Path> },
    Uninstall,
    Status,
}

/// Installs, removes or shows a hook.
pub fn manage(hook: HookName, action: Manage<'_>) -> Result<u8, Error> {
    let (text, code) = match action {
        Manage::Install { manifest_path } => install::install(&directory::find_for(manifest_path)?, hook)?,
        Manage::Uninstall => install::uninstall(&directory::find()?, hook)?,
        Manage::Status => install::status(&directory::find()?, hook)?,
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).map_err(Error::Output)?;
    Ok(code)
}
