use std::io::{self, Write};
use std::process::ExitCode;

use cargo_regress::bisect::Localizing;
use cargo_regress::{command, extract, pipeline, supervised};

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    leave(command::run(
        std::env::args_os(),
        pipeline::analyse,
        pipeline::list,
        pipeline::explore,
        Localizing {
            localize: pipeline::localize,
            history_ends: pipeline::history_ends,
            commit_standing: pipeline::commit_standing,
        },
        pipeline::affected_tests,
        pipeline::merge,
    ))
}

/// Ends the process at once. At the usual end libraries take down what threads in them still use, those that hang in Z3 or come back from it just
/// now: the process might hang, or crash.
fn leave(code: u8) -> ! {
    supervised::leave_to_ending();
    // Nobody is left to tell of a failure.
    let _ = (io::stdout().flush(), io::stderr().flush());
    signal_hook::low_level::exit(i32::from(code))
}
