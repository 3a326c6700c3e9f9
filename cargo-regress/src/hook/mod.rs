//! The pre-push hook: what a push would publish is compared with what the remote has.
//!
//! * [`directory`]: where git looks for hooks
//! * [`script`]: the hook's text, and whose text a file is
//! * [`install`](mod@install): writes, removes and shows it; a foreign hook is never touched
//! * [`pushed`]: which commits a push would publish, and with what each is compared
//! * [`run`](mod@run): the comparisons, within a time that is fixed for all of them
//!
//! What the time does not suffice for is named, and the push passes: a hook that stops people for its own slowness is
//! soon gone. `--strict` is for those who want it otherwise.

mod directory;
mod install;
mod pushed;
mod run;
mod script;

pub use run::run;

use std::io::Write;
use std::path::Path;

use crate::error::Error;

/// What is done to the hook.
#[derive(Clone, Copy, Debug)]
pub enum Manage<'p> {
    Install { manifest_path: Option<&'p Path> },
    Uninstall,
    Status,
}

/// Installs, removes or shows the hook.
pub fn manage(action: Manage<'_>) -> Result<u8, Error> {
    let (text, code) = match action {
        Manage::Install { manifest_path } => install::install(&directory::find_for(manifest_path)?)?,
        Manage::Uninstall => install::uninstall(&directory::find()?)?,
        Manage::Status => install::status(&directory::find()?)?,
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).map_err(Error::Output)?;
    Ok(code)
}
