//! Subjects with published results (such as those of ShadowJPF+) compared by the command: whether they differ, whether a new panic is shown,
//! which suspect is a changed line, how long it took. The folder is an argument, see `subjects`; what follows `--` is handed on:
//!
//! ```text
//! cargo run --release -p regress-tests --bin subjects_table -- DIR -- --random-runs 0 --timeout 10
//! ```
//!
//! Exit code 1 if a subject is undecided or a known new panic is not shown.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use regress_tests::command::binary;
use regress_tests::subjects::{Ended, Row, Violation, summary, table};

#[derive(Parser)]
#[command(about = "Subjects with published results, held against the command's report")]
struct Cli {
    /// The folder with `old/`, `new/`, `labels.json` and `changes.json`
    folder: PathBuf,
    /// Another build of the command
    #[arg(long, value_name = "PROGRAM")]
    tool: Option<PathBuf>,
    /// Options of the comparison
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let tool = cli.tool.unwrap_or_else(|| binary().to_path_buf());
    match table(&cli.folder, &tool, &cli.options) {
        Ok(rows) => {
            print(&rows);
            let is_open = |row: &Row| row.ended == Ended::Undecided || row.violation == Violation::Missed;
            if rows.iter().any(is_open) { ExitCode::from(1) } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn print(rows: &[Row]) {
    println!(
        "| subject | ended | new panic | rank of a true line | differing partitions | published paths | runs to the first | s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let number = |number: Option<u64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
    for row in rows {
        println!(
            "| {} | {:?} | {:?} | {} | {} | {} | {} | {:.1} |",
            row.subject,
            row.ended,
            row.violation,
            number(row.rank.map(u64::from)),
            row.differing_partitions,
            number(row.published),
            number(row.runs_to_first_difference),
            row.seconds
        );
    }
    print!("\n{}", summary(rows));
}
