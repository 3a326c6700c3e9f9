//! Recorded output of Charon, and a program that serves it as if it were Charon.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use cargo_regress::extract::{find_toolchain, std_models_dump};
use cargo_regress::progress::{Loudness, for_stderr};
use cargo_regress::user_cache;
use flate2::read::GzDecoder;
use mir_frontend::rustc::{CrateDump, Rustdoc, build_program};
use mir_frontend::std_models;
use regress_core::ir::{Origin, Program};

use crate::cases::fixtures_root;
use crate::repository::Repository;
use crate::shared::SharedTarget;

/// Every recorded file that has control-flow graphs.
pub const FILES: [&str; 15] = [
    "pair.old.poly.ullbc",
    "pair.new.poly.ullbc",
    "pair.old.mono.ullbc",
    "pair.new.mono.ullbc",
    "sample.0.1.208.poly.ullbc",
    "sample.0.1.208.mono.ullbc",
    "sample.0.1.240.poly.ullbc",
    "sample.0.1.240.mono.ullbc",
    "adler2-2.0.1.poly.ullbc",
    "adler2-2.0.1.mono.ullbc",
    "base64-0.22.1.mono.ullbc",
    "hex-0.4.3.poly.ullbc",
    "hex-0.4.3.mono.ullbc",
    "itoa-1.0.18.poly.ullbc",
    "smallvec-1.15.1.poly.ullbc",
];

/// A recorded file, as Charon wrote it.
pub fn recorded(name: &str) -> Vec<u8> {
    let path = fixtures_root().join("charon").join(format!("{name}.gz"));
    let file = fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    bytes
}

/// Writes a recorded file to a directory.
pub fn unpack(name: &str, directory: &Path) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, recorded(name)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// The source text of `src/lib.rs` that Charon read for a recorded file.
pub fn source_of(name: &str) -> String {
    let document = mir_frontend::charon::read(&recorded(name)).expect("recorded files can be read");
    let text = document.sources().find(|(name, _)| *name == "src/lib.rs").map(|(_, text)| text.to_owned());
    text.unwrap_or_else(|| panic!("{name} holds no source text"))
}

/// The program of the standard library's models, as the installed compiler sees them.
pub fn models() -> Program {
    let target = SharedTarget::take();
    let here = camino::Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let toolchain = find_toolchain(&here).expect("a toolchain");
    let cache = user_cache::folder_or(&camino::Utf8Path::new(target.text()).join("regress/cache"));
    let quiet = for_stderr(Loudness::Quiet);
    let dump =
        std_models_dump(std_models::SOURCES, &toolchain, &cache, quiet.as_ref()).expect("the models compile");
    let text = |file: &cargo_regress::extract::DumpFile| {
        let path = file.path().expect("the dump was made");
        fs::read_to_string(path).expect("dumps are text")
    };
    let (mir, cfg, rustdoc) = (text(&dump.mir), text(&dump.cfg), text(&dump.rustdoc));
    let dump = CrateDump {
        crate_name: &dump.crate_name,
        origin: Origin::StdModel,
        mir: &mir,
        cfg: &cfg,
        rustdoc: Some(Rustdoc::Json(&rustdoc)),
        stable_mir: None,
        declarations: None,
    };
    build_program(&[dump]).expect("the models are read")
}

/// The two versions of the recorded pair, committed one after the other.
pub fn pair() -> Repository {
    let repository = Repository::new().expect("a repository");
    repository
        .write(
            "Cargo.toml",
            "[package]\nname = \"pair\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
        )
        .expect("writable");
    for version in ["old", "new"] {
        repository.write("src/lib.rs", &source_of(&format!("pair.{version}.poly.ullbc"))).expect("writable");
        repository.commit_all(version).expect("a commit");
    }
    repository
}

/// The recordings of the sample, by the versions of Charon that made them.
pub const SAMPLES: [&str; 2] = ["sample.0.1.208", "sample.0.1.240"];

/// A recording of the sample, with the sources that Charon read.
pub fn sample(recording: &str) -> Repository {
    let repository = Repository::new().expect("a repository");
    let manifest = "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n\
                    serde = { version = \"1\", features = [\"derive\"] }\n\n[workspace]\n";
    repository.write("Cargo.toml", manifest).expect("writable");
    let document = mir_frontend::charon::read(&recorded(&format!("{recording}.poly.ullbc")));
    let document = document.expect("recorded files can be read");
    for (name, text) in document.sources().filter(|(name, _)| name.starts_with("src/")) {
        repository.write(name, text).expect("writable");
    }
    repository.commit_all("the sample").expect("a commit");
    repository
}

/// Makes a `charon` in the directory that runs this script after `$dest` has been set to the file it is to write.
pub fn fake_charon(directory: &Path, version: &str, translate: &str) -> PathBuf {
    let script = format!(
        "#!/bin/sh\n\
         case \"$1\" in\n\
         version) echo {version}; exit 0;;\n\
         cargo) ;;\n\
         *) echo \"unexpected command $1\" >&2; exit 64;;\n\
         esac\n\
         log=\"{log}\"\n\
         echo \"$@\" >> \"$log\"\n\
         dest=\n\
         while [ $# -gt 0 ]; do\n\
         if [ \"$1\" = --dest-file ]; then dest=\"$2\"; fi\n\
         shift\n\
         done\n\
         {translate}\n",
        log = directory.join("calls").display()
    );
    let path = directory.join("charon");
    fs::write(&path, script).expect("writable");
    make_executable(&path);
    path
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("one's own file");
}

#[cfg(not(unix))]
fn make_executable(_: &Path) {}

/// What the fake Charon does for the recorded pair: it serves the file of the version that it is called on.
pub fn serving_the_pair(directory: &Path) -> String {
    for version in ["old", "new"] {
        unpack(&format!("pair.{version}.poly.ullbc"), directory);
    }
    let directory = directory.display();
    format!(
        "if grep -q removed_later src/lib.rs; then v=old; else v=new; fi\n\
         cp \"{directory}/pair.$v.poly.ullbc\" \"$dest\""
    )
}

/// A fake Charon that serves one recording, in a directory of its own.
pub struct Served {
    _directory: tempfile::TempDir,
    program: PathBuf,
}

impl Served {
    /// Serves `pair`, or the polymorphic file of one crate (`hex-0.4.3`).
    pub fn new(recording: &str) -> Served {
        let directory = tempfile::tempdir().expect("a directory");
        let script = match recording {
            "pair" => serving_the_pair(directory.path()),
            other => {
                let file = unpack(&format!("{other}.poly.ullbc"), directory.path());
                format!("cp \"{}\" \"$dest\"", file.display())
            }
        };
        let version = recording.strip_prefix("sample.").unwrap_or("0.1.240");
        let program = fake_charon(directory.path(), version, &script);
        Served { _directory: directory, program }
    }

    pub fn program(&self) -> &Path {
        &self.program
    }
}
