use std::process::ExitCode;

use cargo_regress::{command, extract, pipeline};

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    ExitCode::from(command::run(
        std::env::args_os(),
        pipeline::analyse,
        pipeline::list,
        pipeline::explore,
        pipeline::localize,
    ))
}
