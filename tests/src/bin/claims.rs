//! Prints every claim that the suite checks, a line each: to be compared with `diff` before and after a change of the suite.
//!
//! ```text
//! cargo run -p regress-tests --bin claims              # of this repository
//! cargo run -p regress-tests --bin claims -- FOLDER    # of another checkout
//! ```

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use regress_tests::claims::claims;

fn main() -> ExitCode {
    let here = || Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = env::args_os().nth(1).map_or_else(here, PathBuf::from);
    match claims(&root) {
        Ok(claims) => {
            // Whoever reads only the beginning does no harm.
            let _ = claims.iter().try_for_each(|claim| writeln!(io::stdout(), "{claim}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
