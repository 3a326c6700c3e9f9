//! What cargo says while it checks: one JSON message per line.

use std::io::BufRead;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Message, TargetKind};

/// What became of a check.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub artifacts: Vec<Artifact>,
    /// Errors as rustc rendered them.
    pub errors: Vec<String>,
}

/// A unit that cargo has compiled, now or before.
#[derive(Debug)]
pub(super) struct Artifact {
    pub package_id: String,
    /// Where what was compiled lies.
    pub folder: Utf8PathBuf,
    pub manifest_dir: Utf8PathBuf,
    pub package_name: String,
    pub role: ArtifactRole,
    /// The possible names of its record, see `Unit::stem`.
    pub stems: Vec<String>,
    pub state: ArtifactState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArtifactRole {
    Code,
    BuildScript,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArtifactState {
    Compiled,
    /// Left as it was by a former check.
    Fresh,
}

/// Reads all messages. Lines that are not messages come from programs that cargo ran, and are theirs.
pub(super) fn read_messages(input: impl BufRead) -> Result<Messages, String> {
    let mut messages = Messages::default();
    for line in input.lines() {
        let line = line.map_err(|error| error.to_string())?;
        if !line.starts_with('{') {
            continue;
        }
        let message: Message = match serde_json::from_str(&line) {
            Ok(message) => message,
            Err(error) if is_cargo_message(&line) => return Err(format!("{error}: {line}")),
            Err(_) => continue,
        };
        match message {
            Message::CompilerArtifact(artifact) => messages.artifacts.push(read_artifact(artifact)),
            Message::CompilerMessage(message)
                if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
            {
                messages.errors.push(message.message.rendered.unwrap_or(message.message.message));
            }
            _ => {}
        }
    }
    Ok(messages)
}

/// Is this one of the kinds of message that are read here? Kinds of tomorrow do not matter.
fn is_cargo_message(line: &str) -> bool {
    let reason = serde_json::from_str::<serde_json::Value>(line)
        .ok()
        .and_then(|value| value.get("reason").and_then(|reason| reason.as_str()).map(str::to_owned));
    reason.is_some_and(|reason| reason == "compiler-artifact" || reason == "compiler-message")
}

fn read_artifact(artifact: cargo_metadata::Artifact) -> Artifact {
    let mut stems = Vec::new();
    for stem in artifact.filenames.iter().filter_map(|path| path.file_stem()) {
        stems.extend(stem.strip_prefix("lib").map(str::to_owned));
        stems.push(stem.to_owned());
    }
    let first = artifact.filenames.first();
    Artifact {
        folder: first.and_then(|file| file.parent()).map(Utf8Path::to_owned).unwrap_or_default(),
        manifest_dir: artifact.manifest_path.parent().map(Utf8Path::to_owned).unwrap_or_default(),
        package_name: package_name(&artifact.package_id.repr),
        package_id: artifact.package_id.repr,
        role: if artifact.target.kind.contains(&TargetKind::CustomBuild) {
            ArtifactRole::BuildScript
        } else {
            ArtifactRole::Code
        },
        stems,
        state: if artifact.fresh { ArtifactState::Fresh } else { ArtifactState::Compiled },
    }
}

/// The name in a package id: `SOURCE#NAME@VERSION`, or `SOURCE/NAME#VERSION` where the folder is called alike.
fn package_name(id: &str) -> String {
    let (source, fragment) = id.split_once('#').unwrap_or((id, ""));
    let name = match fragment.split_once('@') {
        Some((name, _)) => name,
        None => source.trim_end_matches('/').rsplit('/').next().unwrap_or(source),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_package_ids() {
        assert_eq!(package_name("path+file:///home/u/demo#0.1.0"), "demo");
        assert_eq!(package_name("path+file:///home/u/folder#demo@0.1.0"), "demo");
        assert_eq!(
            package_name("registry+https://github.com/rust-lang/crates.io-index#semver@1.0.28"),
            "semver"
        );
    }

    #[test]
    fn foreign_lines_are_skipped_and_broken_messages_are_not() {
        let fine = "hello\n{\"reason\":\"from-tomorrow\",\"x\":1}\n{not json}\n{\"reason\":\"build-finished\",\"success\":true}\n";
        let messages = read_messages(fine.as_bytes()).unwrap();
        assert!(messages.artifacts.is_empty() && messages.errors.is_empty());
        let error =
            read_messages("{\"reason\":\"compiler-artifact\",\"package_id\":3}\n".as_bytes()).unwrap_err();
        assert!(error.contains("compiler-artifact"), "{error}");
    }
}
