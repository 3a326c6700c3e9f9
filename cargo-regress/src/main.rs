use std::process::ExitCode;

use cargo_regress::{command, extract};

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    ExitCode::from(command::run(std::env::args_os(), |_, versions, _| {
        anyhow::bail!("{}: this build holds no analysis to run on them", versions.headline())
    }))
}
