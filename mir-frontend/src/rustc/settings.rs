//! What a recorded call says of the meaning of a unit beyond its bodies.
//!
//! `cfg`s, features, the edition and the environment decide which text is compiled and what it says; bodies, types and constants are
//! printed after that, so they need no comparison of their own. What remains is here: how code is generated, for which
//! machine, and what is linked.
//!
//! **Invariant:** an option that is not known to be without meaning is in [`Settings::unknown`], in its place.

use std::collections::BTreeSet;

use super::replay::{Argument, parse, same_option};

/// The defaults are those of rustc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub overflow_checks: bool,
    pub debug_assertions: bool,
    pub panic: PanicStrategy,
    /// None for the host.
    pub target: Option<String>,
    /// `-l` and what is handed to the linker, in order.
    pub linked: Vec<String>,
    /// Folders in which native libraries are sought, in order.
    pub native_folders: Vec<String>,
    /// Folders in which compiled crates are sought, in order.
    pub crate_folders: Vec<String>,
    /// Files of compiled crates that are named, in order.
    pub crate_files: Vec<String>,
    /// `--cfg`, features among them.
    pub cfgs: BTreeSet<String>,
    pub edition: Option<String>,
    /// All other options that may bear on what the program does, in order.
    pub unknown: Vec<String>,
}

/// What a panic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanicStrategy {
    Unwind,
    Abort,
    Other,
}

/// Options that bear on what is said of the text that is compiled, or name files of the call.
const WITHOUT_MEANING: &[&str] = &[
    "allow",
    "cap-lints",
    "check-cfg",
    "color",
    "crate-name",
    "crate-type",
    "deny",
    "diagnostic-width",
    "emit",
    "error-format",
    "forbid",
    "force-warn",
    "json",
    "out-dir",
    "print",
    "warn",
];

/// The same for code generation: how much is optimised and what debuggers are told.
const CODEGEN_WITHOUT_MEANING: &[&str] = &[
    "codegen-units",
    "debuginfo",
    "embed-bitcode",
    "extra-filename",
    "incremental",
    "linker-plugin-lto",
    "lto",
    "metadata",
    "no-prepopulate-passes",
    "prefer-dynamic",
    "rpath",
    "save-temps",
    "split-debuginfo",
    "strip",
];

const CODEGEN_LINKED: &[&str] =
    &["link-arg", "link-args", "link-dead-code", "link-self-contained", "linker", "linker-flavor"];

impl Settings {
    /// Of a call of rustc, its arguments without the program.
    pub fn of(arguments: &[String]) -> Settings {
        let mut opt_level = "0".to_owned();
        let (mut overflow_checks, mut debug_assertions) = (None, None);
        let mut settings = Settings {
            overflow_checks: true,
            debug_assertions: true,
            panic: PanicStrategy::Unwind,
            target: None,
            linked: Vec::new(),
            native_folders: Vec::new(),
            crate_folders: Vec::new(),
            crate_files: Vec::new(),
            cfgs: BTreeSet::new(),
            edition: None,
            unknown: Vec::new(),
        };
        for argument in parse(arguments) {
            if let Some((name, value)) = argument.codegen() {
                let is = |known: &str| same_option(name, &[known]);
                if is("overflow-checks") {
                    overflow_checks = Some(is_yes(value));
                } else if is("debug-assertions") {
                    debug_assertions = Some(is_yes(value));
                } else if is("opt-level") {
                    opt_level = value.to_owned();
                } else if is("panic") {
                    settings.panic = match value {
                        "unwind" => PanicStrategy::Unwind,
                        "abort" => PanicStrategy::Abort,
                        _ => PanicStrategy::Other,
                    };
                } else if same_option(name, CODEGEN_LINKED) {
                    settings.linked.push(format!("{name}={value}"));
                } else if !same_option(name, CODEGEN_WITHOUT_MEANING) {
                    settings.unknown.push(format!("-C {name}={value}"));
                }
                continue;
            }
            match &argument {
                Argument::Long { name, value } if name == "target" => settings.target = Some(value.clone()),
                Argument::Long { name, value } if name == "extern" => {
                    // `[OPTIONS:]NAME[=FILE]`
                    settings.crate_files.extend(value.split_once('=').map(|(_, file)| file.to_owned()));
                }
                Argument::Long { name, value } if name == "cfg" => {
                    settings.cfgs.insert(value.clone());
                }
                Argument::Long { name, value } if name == "edition" => settings.edition = Some(value.clone()),
                Argument::Long { name, .. } if WITHOUT_MEANING.contains(&name.as_str()) => {}
                Argument::Short { letter: 'A' | 'D' | 'F' | 'W' | 'o', .. } => {}
                Argument::Short { letter: 'l', value } => settings.linked.push(format!("-l {value}")),
                Argument::Short { letter: 'L', value } => match value.split_once('=') {
                    Some(("dependency" | "crate", folder)) => settings.crate_folders.push(folder.to_owned()),
                    Some(("native" | "framework" | "all", folder)) => {
                        settings.native_folders.push(folder.to_owned());
                    }
                    _ => settings.native_folders.push(value.clone()),
                },
                Argument::Flag(flag) if flag == "-O" => opt_level = "3".to_owned(),
                // `-Zunstable-options` alone lets other options through.
                Argument::Short { letter: 'Z', value } if same_option(value, &["unstable-options"]) => {}
                Argument::Flag(flag) if flag == "-g" || flag == "--verbose" || flag == "-v" => {}
                Argument::Input(_) => {}
                Argument::Flag(flag) => settings.unknown.push(flag.clone()),
                Argument::Long { name, value } => settings.unknown.push(format!("--{name}={value}")),
                Argument::Short { letter, value } => settings.unknown.push(format!("-{letter} {value}")),
            }
        }
        settings.debug_assertions = debug_assertions.unwrap_or(opt_level == "0");
        settings.overflow_checks = overflow_checks.unwrap_or(settings.debug_assertions);
        settings
    }
}

/// An option without value is a yes.
fn is_yes(value: &str) -> bool {
    !matches!(value, "n" | "no" | "off" | "false" | "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Settings {
        Settings::of(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn checks_follow_the_level_unless_they_are_set() {
        let check = |text: &str, overflow_checks: bool, debug_assertions: bool| {
            let settings = of(text);
            let found = (settings.overflow_checks, settings.debug_assertions);
            assert_eq!(found, (overflow_checks, debug_assertions), "{text}");
        };
        check("a.rs", true, true);
        check("a.rs -C opt-level=0", true, true);
        check("a.rs -C opt-level=3", false, false);
        check("a.rs -O", false, false);
        check("a.rs -C debug-assertions=off", false, false);
        check("a.rs -C debug-assertions=off -C overflow-checks=on", true, false);
        check("a.rs -Coverflow_checks=no", false, true);
        check("a.rs -C opt-level=s -C debug-assertions=on -C overflow-checks=off", false, true);
        check("a.rs -C overflow-checks=off --codegen overflow-checks", true, true);
    }

    #[test]
    fn what_is_not_known_is_kept() {
        let settings = of(
            "a.rs --crate-name a --edition=2021 -C panic=abort --target x -Ctarget-cpu=native --brand-new \
            --from-tomorrow=v -Z sanitizer=address -l static=c -L native=/n -L dependency=/d -L /e --extern a --extern noprelude:b=/b/libb.rlib --cfg feature=\"f\" -W x \
            -C link-arg=-lm -C metadata=1 --sysroot /s -g",
        );
        assert_eq!(settings.panic, PanicStrategy::Abort);
        assert_eq!(settings.target.as_deref(), Some("x"));
        assert_eq!(settings.linked, ["-l static=c", "link-arg=-lm"]);
        assert_eq!(settings.native_folders, ["/n", "/e"]);
        assert_eq!(settings.crate_folders, ["/d"]);
        assert_eq!(settings.crate_files, ["/b/libb.rlib"]);
        assert_eq!(settings.cfgs, BTreeSet::from(["feature=\"f\"".to_owned()]));
        assert_eq!(settings.edition.as_deref(), Some("2021"));
        let unknown = [
            "-C target-cpu=native",
            "--brand-new",
            "--from-tomorrow=v",
            "-Z sanitizer=address",
            "--sysroot=/s",
        ];
        assert_eq!(settings.unknown, unknown);
    }
}
