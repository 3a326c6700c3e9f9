//! Sources as rustfmt writes them.

use std::io::Write;
use std::process::{Command, Stdio};

/// The source as rustfmt writes it; as it is where there is no rustfmt.
pub fn format_source(source: &str) -> anyhow::Result<String> {
    let child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return Ok(source.to_owned()) };
    if let Some(mut input) = child.stdin.take() {
        // A rustfmt that does not read to the end says so by its exit code.
        let _ = input.write_all(source.as_bytes());
    }
    let done = child.wait_with_output()?;
    let formatted =
        String::from_utf8(done.stdout).ok().filter(|text| done.status.success() && !text.is_empty());
    Ok(formatted.unwrap_or_else(|| source.to_owned()))
}
