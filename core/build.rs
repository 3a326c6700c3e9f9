//! Says early, and in words that help, that the Z3 library is missing. Without this the build runs to its very end
//! and fails with the linker's `cannot find -lz3`.
//!
//! The check asks pkg-config first, as the Z3 bindings do, and then tries to link an empty program. It only warns:
//! a linker may know places that are not searched here.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

const HELP: [&str; 7] = [
    "the Z3 library was not found; linking will fail without it. Install it with one of",
    "    apt-get install -y libz3-dev     (Debian, Ubuntu)",
    "    dnf install z3-devel             (Fedora)",
    "    brew install z3                  (macOS)",
    "or name its folder in Z3_LIBRARY_PATH_OVERRIDE, or build with `--features vendored-z3`, which compiles Z3",
    "from source (needs cmake and a C++20 compiler, and takes a quarter of an hour), or with `--no-default-features`,",
    "which does without (fewer functions are proved equal).",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for variable in ["Z3_LIBRARY_PATH_OVERRIDE", "PKG_CONFIG_PATH", "LIBRARY_PATH"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    // Without the feature nothing is linked.
    let unused = env::var_os("CARGO_FEATURE_Z3").is_none();
    let vendored = env::var_os("CARGO_FEATURE_VENDORED_Z3").is_some();
    let named = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").is_some();
    // What is built for another machine cannot be judged by what this one has.
    let crossing = env::var_os("HOST") != env::var_os("TARGET");
    if unused || vendored || named || crossing || known_to_pkg_config() || links() {
        return;
    }
    for line in HELP {
        println!("cargo:warning={line}");
    }
    // A file that never exists counts as changed: the next build looks again, the library may be there by then.
    println!("cargo:rerun-if-changed=z3-was-missing");
}

fn known_to_pkg_config() -> bool {
    succeeds(Command::new("pkg-config").args(["--exists", "z3"]))
}

/// Whether the C compiler can link `-lz3`. Where there is no C compiler nothing is known, and nothing is said.
fn links() -> bool {
    let Some(out) = env::var_os("OUT_DIR") else { return true };
    let source = Path::new(&out).join("empty.c");
    if std::fs::write(&source, "int main(void) { return 0; }\n").is_err() {
        return true;
    }
    if !succeeds(Command::new("cc").arg("--version")) {
        return true;
    }
    succeeds(Command::new("cc").arg(&source).arg("-o").arg(Path::new(&out).join("empty")).arg("-lz3"))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
