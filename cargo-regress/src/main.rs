use std::process::ExitCode;

use cargo_regress::command;

fn main() -> ExitCode {
    ExitCode::from(command::run(std::env::args_os(), |_, versions, _| {
        anyhow::bail!("{}: this build holds no analysis to run on them", versions.headline())
    }))
}
