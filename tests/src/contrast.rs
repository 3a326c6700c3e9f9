//! The subjects of exploration: what they are, the table of what exploring them costs, and its plots.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context;
use cargo_regress::args::{self, Options};
use cargo_regress::pipeline::campaign::{Contrast, Explorable, contrast, explorable};
use cargo_regress::progress::{Loudness, Progress, for_stderr};
use cargo_regress::versions::{self, Place, Versions};
use regress_core::exec::Image;
use regress_core::explore::{Completeness, Economy, Effort, Strategy};
use regress_core::signature::{Exploration, Function};

use crate::cases::fixtures_root;
use crate::repository::Repository;
use cargo_regress::report::reasons;

/// Entries of `fixtures/subjects`: the five programs of the 2011 paper, then five of today.
pub const SUBJECTS: [&str; 10] = [
    "tcas::advise",
    "schedule::next_job_after",
    "search_tree::least_of",
    "ordered_set::size_after",
    "disjoint_set::sets_left",
    "version::newest",
    "date::due",
    "glob::glob",
    "tokenizer::is_balanced",
    "arguments::files_named",
];

/// Executes without any input: what a step costs where there are no terms.
pub const FIXED: &str = "workload::fixed";

/// Explores functions of the subjects both ways; `words` are further arguments of the command.
pub fn explore_subjects(
    target: &Path,
    paths: &[&str],
    words: &[String],
    seen: impl FnMut(&Contrast) + Send,
) -> anyhow::Result<()> {
    with_subjects(target, words, |options, place, current, progress| {
        contrast(options, place, current, progress, paths, seen)
    })
}

/// The subjects as one program, read once; `paths` are the functions to be explored.
pub fn read_subjects(target: &Path, paths: &[&str], words: &[String]) -> anyhow::Result<Explorable> {
    with_subjects(target, words, |options, place, current, progress| {
        explorable(options, place, current, progress, paths)
    })
}

fn with_subjects<T>(
    target: &Path,
    words: &[String],
    work: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let repository = Repository::new()?;
    repository.commit_directory(&fixtures_root().join("subjects"), "subjects")?;
    let manifest = repository.root().join("Cargo.toml");
    let mut line = vec!["cargo-regress".into(), "--manifest-path".into(), manifest.into_os_string()];
    line.extend(["--target-dir".into(), target.as_os_str().to_owned()]);
    line.extend(words.iter().map(Into::into));
    let options = args::parse(line).context("the arguments are not understood")?;
    let progress = for_stderr(Loudness::Quiet);
    let place = versions::locate(&options)?;
    let current = versions::current(&place, &options.packages.workspace.package, progress.as_ref())?;
    work(&options, &place, &current, progress.as_ref())
}

/// What exploring all of the subjects costs, some things left out, or none.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    pub left_out: Option<Economy>,
    pub rsc: Sums,
    pub dart: Sums,
}

/// Of one strategy, all subjects together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub solver_calls: u64,
    pub seconds: f64,
}

/// All subjects explored with everything that makes it cheap, then with each of these left out; the shortest time of some
/// rounds, as any other is longer by what else the machine did.
pub fn gains(subjects: &Explorable) -> anyhow::Result<Vec<Cost>> {
    const ROUNDS: usize = 3;
    let image = Image::new(&subjects.program, subjects.options.limits.panics);
    let explored = |left_out: Option<Economy>, strategy: Strategy| -> anyhow::Result<Sums> {
        let mut sums = Sums::default();
        for callee in &subjects.callees {
            let mut shortest = f64::INFINITY;
            let mut calls = 0;
            for _ in 0..ROUNDS {
                let mut function = Function::new(&image, callee.clone(), subjects.options)
                    .map_err(|reason| anyhow::anyhow!(reasons::refused(&reason)))?;
                function.left_out = left_out.into_iter().collect();
                let explored = function
                    .explore(strategy, &[])
                    .map_err(|error| anyhow::anyhow!(reasons::input_error(&error)))?;
                let effort = explored.effort;
                shortest = shortest.min(effort.total.as_secs_f64());
                calls = effort.solver_calls;
            }
            sums.seconds += shortest;
            sums.solver_calls += calls;
        }
        Ok(sums)
    };
    // What the program says of itself is found out in the first run and kept; no row is to pay for it.
    explored(None, Strategy::Rsc)?;
    let rows = [None].into_iter().chain(Economy::ALL.map(Some));
    rows.map(|left_out| {
        let (rsc, dart) = (explored(left_out, Strategy::Rsc)?, explored(left_out, Strategy::Dart)?);
        Ok(Cost { left_out, rsc, dart })
    })
    .collect()
}

/// The head of the table of gains.
pub fn gains_head() -> String {
    format!(
        "{:22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "left out", "Z3, rsc", "time, rsc", "ratio", "Z3, dart", "time, dart", "ratio"
    )
}

/// One row: how often Z3 was asked, and the time, also as a ratio to that of `whole`, with nothing left out.
pub fn gains_row(cost: &Cost, whole: &Cost) -> String {
    format!(
        "{:22} {:>9} {:>8.2}s {:>9.2} {:>9} {:>9.2}s {:>9.2}",
        cost.left_out.map_or("nothing", Economy::name),
        cost.rsc.solver_calls,
        cost.rsc.seconds,
        cost.rsc.seconds / whole.rsc.seconds.max(1e-9),
        cost.dart.solver_calls,
        cost.dart.seconds,
        cost.dart.seconds / whole.dart.seconds.max(1e-9),
    )
}

/// The head of the table.
pub fn head() -> String {
    format!(
        "{:26} {:>11} {:>13} {:>11} {:>11} {:>13} {:>9} {:>5}  {}\n{:26} {:>5} {:>5} {:>6} {:>6} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6}",
        "",
        "tests",
        "questions",
        "to Z3",
        "nodes each",
        "seconds",
        "",
        "RSCs",
        "agreement",
        "",
        "rsc",
        "dart",
        "rsc",
        "dart",
        "rsc",
        "dart",
        "rsc",
        "dart",
        "rsc",
        "dart"
    )
}

/// One subject as a row. A `+` marks an exploration that ran out of time.
pub fn row(contrast: &Contrast) -> String {
    let tests = |exploration: &Exploration| {
        let more = if exploration.completeness == Completeness::Partial { "+" } else { "" };
        format!("{}{more}", exploration.partitions.len())
    };
    let (rsc, dart) = (&contrast.rsc.effort, &contrast.dart.effort);
    let agreement = match &contrast.agreement {
        None => "not both finished".to_owned(),
        Some(agreement) => format!(
            "{} by terms, {} by Z3, {} undecided, {} against",
            agreement.by_terms,
            agreement.by_solver,
            agreement.undecided,
            agreement.disagreements.len()
        ),
    };
    format!(
        "{:26} {:>5} {:>5} {:>6} {:>6} {:>5} {:>5} {:>5.0} {:>5.0} {:>6.2} {:>6.2} {:>9} {:>5}  {agreement}",
        short(&contrast.path),
        tests(&contrast.rsc),
        tests(&contrast.dart),
        rsc.questions,
        dart.questions,
        rsc.solver_calls,
        dart.solver_calls,
        each(rsc),
        each(dart),
        rsc.total.as_secs_f64(),
        dart.total.as_secs_f64(),
        format!("{:.0} %", coverage(contrast)),
        contrast.conditions,
    )
}

/// Who answered the questions, or the groups of conditions that they fell into.
pub fn answers_row(name: &str, effort: &Effort) -> String {
    let answers = &effort.answers;
    format!(
        "{name:34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9.1}",
        answers.queries,
        answers.folded,
        answers.cached,
        answers.reused_model,
        answers.refuted,
        answers.enumerated,
        answers.guessed,
        answers.solved,
        1000.0 * answers.longest.as_secs_f64()
    )
}

/// Steps of the executor each second, and how much of the time the solver took.
pub fn speed_row(name: &str, effort: &Effort) -> String {
    let share = |part: std::time::Duration| 100.0 * part.as_secs_f64() / effort.total.as_secs_f64().max(1e-9);
    format!(
        "{name:34} {:>9} {:>12.0} {:>10.0} % {:>10.0} % {:>8.0} %",
        effort.steps,
        effort.steps as f64 / effort.executing.as_secs_f64().max(1e-9),
        share(effort.executing),
        share(effort.solving),
        share(effort.in_solver)
    )
}

pub fn short(path: &str) -> &str {
    path.split_once("::").map_or(path, |(_, rest)| rest)
}

fn each(effort: &Effort) -> f64 {
    effort.formula_nodes as f64 / effort.questions.max(1) as f64
}

/// Of the relevant slice conditions of all paths found, the share that the search by conditions reached.
pub fn coverage(contrast: &Contrast) -> f64 {
    100.0 * contrast.reached as f64 / contrast.conditions.max(1) as f64
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 46.0;

/// How many relevant slice conditions either search knew after how much time, as a plot. Time is on a logarithmic scale.
pub fn plot(contrast: &Contrast) -> String {
    let lines = [("rsc", "#1b6ca8", &contrast.rsc), ("dart", "#c0392b", &contrast.dart)];
    let milestones = || lines.iter().flat_map(|(_, _, exploration)| &exploration.timeline);
    let most = milestones().map(|milestone| milestone.relevant).max().unwrap_or(1) as f64;
    let first = 1e-4;
    let last = lines
        .iter()
        .map(|(_, _, exploration)| exploration.effort.total.as_secs_f64())
        .fold(first * 10.0, f64::max);
    let x = |seconds: f64| {
        let share = (seconds.max(first) / first).ln() / (last / first).ln();
        MARGIN + share * (WIDTH - 2.0 * MARGIN)
    };
    let y = |relevant: f64| HEIGHT - MARGIN - relevant / most * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"13\">{}: relevant slice conditions known, by seconds</text>\n",
        short(&contrast.path)
    );
    let (left, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
    let _ = writeln!(svg, "<path d=\"M{left} {MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"#444\"/>");
    let _ =
        writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most}</text>", left - 4.0, MARGIN + 4.0);
    let mut tick = first;
    while tick <= last {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            x(tick),
            bottom + 16.0
        );
        tick *= 10.0;
    }
    for (index, (name, colour, exploration)) in lines.into_iter().enumerate() {
        let mut path = format!("M{left:.1} {:.1}", y(0.0));
        for milestone in &exploration.timeline {
            let _ = write!(path, "H{:.1}V{:.1}", x(milestone.at.as_secs_f64()), y(milestone.relevant as f64));
        }
        let _ = write!(path, "H{:.1}", x(exploration.effort.total.as_secs_f64()));
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let height = MARGIN + 14.0 * (index as f64 + 1.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{height}\" fill=\"{colour}\">{name}</text>", left + 10.0);
    }
    svg.push_str("</svg>\n");
    svg
}
