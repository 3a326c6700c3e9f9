use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = cargo_regress::extract::run_as_wrapper_if_asked() {
        return code;
    }
    ExitCode::SUCCESS
}
