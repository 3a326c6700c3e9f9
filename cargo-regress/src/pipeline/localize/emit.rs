//! What is handed on of a case: a test of the call that was found, and the command by which git finds the commit to blame.

use regress_core::signature::OutputOf;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::call::{self, Call};
use crate::harness::testing::{Test, TestBinary};
use crate::pipeline::explore::emit::{self, beside};
use crate::pipeline::load::Loaded;
use crate::report::localize::EmittedTest;
use crate::versions::Versions;

/// A test that passes if the call gives what it gave in the old version; or why none can be written.
pub(super) fn test(loaded: &Loaded, called: &Call, old: &Outcome) -> Result<EmittedTest, String> {
    let program = &loaded.new.program;
    let outputs = match old {
        Outcome::Returned { value, mutated } => {
            let mut outputs = vec![(OutputOf::Return, value.clone())];
            for (index, value) in mutated {
                let behind = match value {
                    Value::Ref(inner) => (**inner).clone(),
                    value => value.clone(),
                };
                outputs.push((OutputOf::Argument(*index), behind));
            }
            Some(outputs)
        }
        Outcome::Panicked(_) => None,
        Outcome::Hung => return Err("the old version does not end".into()),
        Outcome::OutOfMemory => return Err("the old version takes more memory than runs are given".into()),
        Outcome::Aborted(reason) => return Err(format!("the old version dies: {reason}")),
    };
    let types = call::types(loaded, &called.functions).map_err(|error| error.to_string())?;
    let function = called.functions.new;
    let output = &program.functions[function].output;
    let written = emit::Call { function, types: &types, output, inputs: &called.inputs };
    let (attribute, body) = written.test(&beside(program, function), outputs.as_deref())?;
    let path = program.functions[function].path.as_str();
    let file = program.functions[function].span.and_then(|span| program.files.get(span.file));
    Ok(EmittedTest {
        file: file.map(|file| file.path.clone()),
        function: path.rsplit("::").next().unwrap_or(path).to_owned(),
        attribute,
        body,
    })
}

/// How git finds the first commit at which a test fails. What does not build is passed over.
pub(super) fn bisect_test(versions: &Versions, package: &str, test: &Test) -> String {
    let package = quoted(package);
    let (binary, name) = match test {
        Test::Compiled { binary, name } => (binary, name),
        // Its line is another in each commit.
        Test::Example { example, .. } => {
            let failed = quoted(&format!("test {} (line ", example.item));
            let failing = format!("cargo test -p {package} --doc | grep -F {failed} | grep -q FAILED");
            return bisect(versions, &format!("cargo build -p {package} || exit 125; ! {failing}"));
        }
    };
    let target = match binary {
        TestBinary::Library => "--lib".to_owned(),
        TestBinary::Binary(name) => format!("--bin {}", quoted(name)),
        TestBinary::Integration(name) => format!("--test {}", quoted(name)),
    };
    let cargo = format!("cargo test -p {package} {target}");
    bisect(versions, &format!("{cargo} --no-run || exit 125; {cargo} {} -- --exact", quoted(name)))
}

/// The command that localizes a call between these versions; none where the old one is a folder, which no revision names.
pub(in crate::pipeline) fn localize_command(versions: &Versions, call: &str) -> Option<String> {
    let Versions { old, new, .. } = versions;
    old.oid.as_ref()?;
    let revisions = match &new.oid {
        Some(_) => format!("{}..{}", old.rev, new.rev),
        None => old.rev.clone(),
    };
    Some(format!("cargo regress localize --call {} {}", quoted(call), quoted(&revisions)))
}

/// How git finds the first commit at which a call does something else.
pub(super) fn bisect_call(versions: &Versions, call: &str) -> String {
    let old = revision(versions, Version::Old);
    let search = format!("cargo regress localize --hunk-time 0 --call {} {old}", quoted(call));
    bisect(versions, &format!("{search}; code=$?; test $code -ne 101 || exit 125; exit $code"))
}

fn bisect(versions: &Versions, script: &str) -> String {
    let (old, new) = (revision(versions, Version::Old), revision(versions, Version::New));
    format!("git bisect start {new} {old} && git bisect run sh -c {}", quoted(script))
}

/// A version that is no commit stands for what was committed last.
fn revision(versions: &Versions, version: Version) -> &str {
    let tree = match version {
        Version::Old => &versions.old,
        Version::New => &versions.new,
    };
    tree.oid.as_deref().unwrap_or("HEAD")
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        assert_eq!(quoted("tests::signs"), "tests::signs");
        assert_eq!(quoted("parse(\"0-\")"), "'parse(\"0-\")'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
