//! `cargo regress watch`: each save is compared, and one that comes early ends what goes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use regress_tests::command::binary;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

use crate::serve::{OLD, edited, repository, running};

/// More than any comparison here takes, on any machine.
const ENOUGH: Duration = Duration::from_secs(300);

/// A watcher and the lines that it prints.
struct Watcher {
    process: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(repository: &Repository, target: &SharedTarget) -> Watcher {
        let mut process = Command::new(binary())
            .args(["regress", "watch", "HEAD", "--target-dir", target.text()])
            .current_dir(repository.root())
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the watcher starts");
        let printed = BufReader::new(process.stdout.take().expect("piped"));
        let (told, lines) = channel();
        std::thread::spawn(move || {
            printed.lines().map_while(Result::ok).for_each(|line| drop(told.send(line)));
        });
        Watcher { process, lines }
    }

    /// The next report: its lines, of which the summary, the last one, is without the time.
    fn report(&self) -> Vec<String> {
        let mut report = Vec::new();
        loop {
            let line = self.lines.recv_timeout(ENOUGH).expect("a report comes");
            match line.split_once(" functions unchanged (") {
                Some((summary, _)) => {
                    report.push(summary.to_owned());
                    return report;
                }
                None => report.push(line),
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[track_caller]
fn until(what: &str, most: Duration, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < most, "{what}: not after {most:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn each_save_is_compared_and_ends_what_goes_on() {
    let repository = repository(OLD);
    let target = SharedTarget::take();
    let watcher = Watcher::start(&repository, &target);
    let save = |file: &str, text: &str| repository.write(file, text).expect("writable");
    assert_eq!(watcher.report(), ["no changed functions; 2"]);
    save("src/lib.rs", &edited());
    let differs = [
        "src/lib.rs:1:34: behaviour change[REG0004]: `fee` returns a different result: `fee(123456789)` returned `0`, now returns `1234567`",
        "1 behaviour change, 1 proved equal; 0",
    ];
    assert_eq!(watcher.report(), differs);
    // What was told is not told again.
    save("src/lib.rs", &(edited() + "// A comment.\n"));
    assert_eq!(watcher.report(), differs[1..]);

    // A build that goes on for an hour.
    let word = format!("3600.{:07}3", std::process::id());
    let script =
        format!("fn main() {{ std::process::Command::new(\"sleep\").arg(\"{word}\").status().unwrap(); }}\n");
    save("build.rs", &script);
    until("the build begins", ENOUGH, || running(&word) > 0);
    std::fs::remove_file(repository.root().join("build.rs")).expect("it is there");
    save("src/lib.rs", OLD);
    assert_eq!(watcher.report(), ["no changed functions; 2"]);
    assert_eq!(running(&word), 0);

    save("build.rs", &script);
    until("the build begins", ENOUGH, || running(&word) > 0);
    drop(watcher);
    until("all processes are gone", Duration::from_secs(3), || running(&word) == 0);
}
