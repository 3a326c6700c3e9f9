//! Looks for the libraries that the build links, and installs what is missing where a package manager allows it.

use std::process::{Command, Stdio};

use crate::succeed;

/// Something the build needs, how to see that it is there, and what packages bring it.
struct Need {
    name: &'static str,
    present: fn() -> bool,
    apt: &'static str,
    brew: &'static str,
    dnf: &'static str,
}

const NEEDS: [Need; 3] = [
    Need { name: "a C compiler", present: has_compiler, apt: "gcc", brew: "gcc", dnf: "gcc" },
    Need {
        name: "pkg-config",
        present: has_pkg_config,
        apt: "pkg-config",
        brew: "pkg-config",
        dnf: "pkgconf-pkg-config",
    },
    Need { name: "the Z3 library", present: has_z3, apt: "libz3-dev", brew: "z3", dnf: "z3-devel" },
];

/// Installs what is missing, or says what to install.
pub fn ensure() -> Result<(), String> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !(need.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    install(&missing)?;
    match missing.iter().find(|need| !(need.present)()) {
        None => Ok(()),
        Some(need) => {
            Err(format!("{} was installed but is still not found; {}", need.name, advice(&missing)))
        }
    }
}

/// Installs a Chromium for the test that looks at the page of a report, where apt can. Without one that test says that it is
/// left out, so nothing fails here.
pub fn offer_browser() {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let is_named = std::env::var_os("CHROMIUM").is_some();
    if is_named || names.iter().any(|name| runs(name, &["--version"])) || !runs("apt-get", &["--version"]) {
        return;
    }
    let installed = as_root("apt-get", &["update", "-qq"])
        .and_then(|()| as_root("apt-get", &["install", "-y", "-qq", "--no-install-recommends", "chromium"]));
    if let Err(error) = installed {
        eprintln!("no Chromium, so the page of a report is not looked at: {error}");
    }
}

fn install(missing: &[&Need]) -> Result<(), String> {
    let names: Vec<&str> = missing.iter().map(|need| need.name).collect();
    eprintln!("missing: {}", names.join(", "));
    if runs("apt-get", &["--version"]) {
        let packages: Vec<&str> = missing.iter().map(|need| need.apt).collect();
        let update = as_root("apt-get", &["update", "-qq"]);
        let install: Vec<&str> = ["install", "-y", "-qq"].into_iter().chain(packages).collect();
        return update
            .and_then(|()| as_root("apt-get", &install))
            .map_err(|error| format!("{error}; {}", advice(missing)));
    }
    if runs("brew", &["--version"]) {
        let packages = missing.iter().map(|need| need.brew);
        let args: Vec<&str> = std::iter::once("install").chain(packages).collect();
        return succeed("brew install", Command::new("brew").args(args).status());
    }
    if runs("dnf", &["--version"]) {
        let packages = missing.iter().map(|need| need.dnf);
        let args: Vec<&str> = ["install", "-y"].into_iter().chain(packages).collect();
        return as_root("dnf", &args);
    }
    Err(format!("{} missing; {}", names.join(", "), advice(missing)))
}

fn advice(missing: &[&Need]) -> String {
    let list =
        |pick: fn(&Need) -> &'static str| missing.iter().map(|need| pick(need)).collect::<Vec<_>>().join(" ");
    format!(
        "install by hand: `apt-get install -y {}`, `brew install {}` or `dnf install {}`",
        list(|need| need.apt),
        list(|need| need.brew),
        list(|need| need.dnf)
    )
}

fn as_root(program: &str, args: &[&str]) -> Result<(), String> {
    let what = format!("{program} {}", args.join(" "));
    eprintln!("+ {what}");
    if succeed(&what, Command::new(program).args(args).stdout(Stdio::null()).status()).is_ok() {
        return Ok(());
    }
    succeed(
        &format!("sudo {what}"),
        Command::new("sudo").arg("-n").arg(program).args(args).stdout(Stdio::null()).status(),
    )
}

fn has_compiler() -> bool {
    runs("cc", &["--version"])
}

fn has_pkg_config() -> bool {
    runs("pkg-config", &["--version"]) || !cfg!(target_os = "linux")
}

fn has_z3() -> bool {
    // Whoever sets these brings a library of their own.
    std::env::var_os("Z3_LIBRARY_PATH_OVERRIDE").is_some() || runs("pkg-config", &["--exists", "z3"])
}

fn runs(program: &str, args: &[&str]) -> bool {
    let status = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
