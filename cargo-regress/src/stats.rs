//! Where the time of a run goes, stage by stage, and how much was done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Part of a run. Those from [`Stage::Dependencies`] to [`Stage::Aligning`] lie within [`Stage::Reading`], those from [`Stage::Glue`] to
/// [`Stage::WorkerBuild`] within [`Stage::Harness`] (and within [`Stage::Comparing`], for what is built later), and those from [`Stage::RandomTest`] to
/// [`Stage::Fuzzing`] within [`Stage::Comparing`]; on several threads at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Versions,
    Extraction,
    Reading,
    Dependencies,
    Linking,
    Aligning,
    Discharge,
    Harness,
    Glue,
    RefusedBuilds,
    WorkerBuild,
    Comparing,
    RandomTest,
    Search,
    Replay,
    Attack,
    Fuzzing,
    Suspects,
    TestCalls,
    Carrying,
    Interaction,
    Pictures,
}

impl Stage {
    pub const ALL: [Stage; 22] = [
        Stage::Versions,
        Stage::Extraction,
        Stage::Reading,
        Stage::Dependencies,
        Stage::Linking,
        Stage::Aligning,
        Stage::Discharge,
        Stage::Harness,
        Stage::Glue,
        Stage::RefusedBuilds,
        Stage::WorkerBuild,
        Stage::Comparing,
        Stage::RandomTest,
        Stage::Search,
        Stage::Replay,
        Stage::Attack,
        Stage::Fuzzing,
        Stage::Suspects,
        Stage::TestCalls,
        Stage::Carrying,
        Stage::Interaction,
        Stage::Pictures,
    ];

    /// As it is called in documents.
    pub fn key(self) -> &'static str {
        match self {
            Stage::Versions => "versions",
            Stage::Extraction => "extraction",
            Stage::Reading => "reading",
            Stage::Dependencies => "dependencies",
            Stage::Linking => "linking",
            Stage::Aligning => "aligning",
            Stage::Discharge => "discharge",
            Stage::Harness => "harness",
            Stage::Glue => "glue",
            Stage::RefusedBuilds => "refused_builds",
            Stage::WorkerBuild => "worker_build",
            Stage::Comparing => "comparing",
            Stage::RandomTest => "prepass",
            Stage::Search => "search",
            Stage::Replay => "replay",
            Stage::Attack => "attack",
            Stage::Fuzzing => "fuzzing",
            Stage::Suspects => "suspects",
            Stage::TestCalls => "test_calls",
            Stage::Carrying => "carrying",
            Stage::Interaction => "interaction",
            Stage::Pictures => "pictures",
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Stage::Versions => "versions laid out",
            Stage::Extraction => "extraction: cargo and the compiler's dumps",
            Stage::Reading => "reading, dependencies, alignment",
            Stage::Dependencies => "  dependencies dumped and read",
            Stage::Linking => "  programs linked",
            Stage::Aligning => "  versions aligned",
            Stage::Discharge => "both versions' steps aligned",
            Stage::Harness => "native harness built",
            Stage::Glue => "  glue written",
            Stage::RefusedBuilds => "  builds of which the compiler refused glue",
            Stage::WorkerBuild => "  builds of workers",
            Stage::Comparing => "functions compared",
            Stage::RandomTest => "  random runs",
            Stage::Search => "  symbolic search",
            Stage::Replay => "  native replay",
            Stage::Attack => "  native attacks on proofs",
            Stage::Fuzzing => "  fuzzing, with the build of its workers",
            Stage::Suspects => "  suspect lines",
            Stage::TestCalls => "tests built and run for their calls",
            Stage::Carrying => "texts carried to public functions",
            Stage::Interaction => "versions with some of the changes",
            Stage::Pictures => "inputs sampled for the page",
        }
    }
}

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Functions that were searched for differences.
    Searches,
    RandomRuns,
    /// Inputs of functions that have few, all of them run through both versions.
    ExhaustiveRuns,
    /// Runs of the engine.
    SymbolicRuns,
    Partitions,
    SolverQueries,
    Replays,
    /// Inputs that fuzzing ran through both versions.
    Executions,
    /// Calls of tests that both versions made by themselves.
    TestCalls,
    /// Builds of the harness of which the compiler refused a part.
    RefusedBuilds,
}

impl Count {
    pub const ALL: [Count; 10] = [
        Count::Searches,
        Count::RandomRuns,
        Count::ExhaustiveRuns,
        Count::SymbolicRuns,
        Count::Partitions,
        Count::SolverQueries,
        Count::Replays,
        Count::Executions,
        Count::TestCalls,
        Count::RefusedBuilds,
    ];

    pub fn key(self) -> &'static str {
        match self {
            Count::Searches => "searches",
            Count::RandomRuns => "random_runs",
            Count::ExhaustiveRuns => "exhaustive_runs",
            Count::SymbolicRuns => "symbolic_runs",
            Count::Partitions => "partitions",
            Count::SolverQueries => "solver_queries",
            Count::Replays => "replays",
            Count::Executions => "executions",
            Count::TestCalls => "test_calls",
            Count::RefusedBuilds => "refused_builds",
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Count::Searches => "searches",
            Count::RandomRuns => "random runs of both versions",
            Count::ExhaustiveRuns => "runs of both versions on every input",
            Count::SymbolicRuns => "symbolic runs",
            Count::Partitions => "partitions explored",
            Count::SolverQueries => "questions to the solver",
            Count::Replays => "calls replayed",
            Count::Executions => "executions of both versions in fuzzing",
            Count::TestCalls => "calls of tests made in both versions",
            Count::RefusedBuilds => "builds of which the compiler refused glue",
        }
    }
}

/// Adds up what the threads of a run spend and do.
#[derive(Debug, Default)]
pub struct Clock {
    nanoseconds: [AtomicU64; Stage::ALL.len()],
    counts: [AtomicU64; Count::ALL.len()],
    functions: Mutex<BTreeMap<String, FunctionCost>>,
    same_steps: Mutex<BTreeMap<&'static str, u64>>,
}

/// What it took to judge a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionCost {
    /// Of all its turns.
    pub time: Duration,
    /// Runs of the engine until the first difference that a native run confirmed; none if the engine found none.
    pub runs_to_first_difference: Option<u64>,
}

impl Clock {
    /// Does the work, and adds the time it takes to the stage.
    pub fn time<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        self.add(stage, started.elapsed());
        done
    }

    pub fn add(&self, stage: Stage, spent: Duration) {
        let spent = u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[stage as usize].fetch_add(spent, Ordering::Relaxed);
    }

    pub fn count(&self, count: Count, number: u64) {
        self.counts[count as usize].fetch_add(number, Ordering::Relaxed);
    }

    /// Adds a turn of a function, by its path.
    pub fn add_turn(&self, path: &str, turn: FunctionCost) {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let cost = functions.entry(path.to_owned()).or_default();
        cost.time += turn.time;
        cost.runs_to_first_difference = cost.runs_to_first_difference.or(turn.runs_to_first_difference);
    }

    /// Counts a changed body by what came of aligning both versions' steps.
    pub fn count_same_steps(&self, outcome: &'static str) {
        *self.same_steps.lock().unwrap_or_else(PoisonError::into_inner).entry(outcome).or_default() += 1;
    }

    pub fn stats(&self) -> Stats {
        Stats {
            same_steps: self.same_steps.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            functions: self.functions.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            times: std::array::from_fn(|at| {
                Duration::from_nanos(self.nanoseconds[at].load(Ordering::Relaxed))
            }),
            counts: std::array::from_fn(|at| self.counts[at].load(Ordering::Relaxed)),
        }
    }
}

/// What a run spent and did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    times: [Duration; Stage::ALL.len()],
    counts: [u64; Count::ALL.len()],
    functions: BTreeMap<String, FunctionCost>,
    same_steps: BTreeMap<&'static str, u64>,
}

impl Stats {
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.times[stage as usize] += time;
    }

    pub fn time(&self, stage: Stage) -> Duration {
        self.times[stage as usize]
    }

    pub fn counted(&self, count: Count) -> u64 {
        self.counts[count as usize]
    }

    /// Of the functions that were judged, by path.
    pub fn functions(&self) -> &BTreeMap<String, FunctionCost> {
        &self.functions
    }

    /// Changed bodies by what came of aligning both versions' steps: `aligned`, or what stood in the way.
    pub fn same_steps(&self) -> &BTreeMap<&'static str, u64> {
        &self.same_steps
    }

    /// For people: a line for each stage that took time, and one for each count.
    pub fn table(&self, whole: Duration) -> String {
        let mut text = String::new();
        for stage in Stage::ALL {
            let time = self.time(stage);
            if time > Duration::ZERO {
                let _ = writeln!(text, "{:>9.2} s  {}", time.as_secs_f64(), stage.describe());
            }
        }
        let _ = writeln!(text, "{:>9.2} s  the whole run", whole.as_secs_f64());
        for count in Count::ALL {
            let _ = writeln!(text, "{:>11}  {}", self.counted(count), count.describe());
        }
        for (outcome, number) in &self.same_steps {
            let _ = writeln!(text, "{number:>11}  changed bodies, both versions' steps: {outcome}");
        }
        let found: Vec<u64> =
            self.functions.values().filter_map(|cost| cost.runs_to_first_difference).collect();
        if let Some(mean) = geometric_mean(&found) {
            let _ = writeln!(
                text,
                "{mean:>11.1}  symbolic runs to the first difference of a function (geometric mean of {})",
                found.len()
            );
        }
        text.push_str("What is indented was done on several threads at once; its times are added up.\n");
        text
    }
}

/// None of no numbers.
pub fn geometric_mean(numbers: &[u64]) -> Option<f64> {
    let logarithms: f64 = numbers.iter().map(|number| (*number as f64).ln()).sum();
    (!numbers.is_empty()).then(|| (logarithms / numbers.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_counts_of_threads_are_added_up() {
        let clock = Clock::default();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    clock.time(Stage::Search, || std::thread::sleep(Duration::from_millis(5)));
                    clock.count(Count::Replays, 2);
                    clock.count_same_steps("aligned");
                });
            }
        });
        let stats = clock.stats();
        assert!(stats.time(Stage::Search) >= Duration::from_millis(15), "{stats:?}");
        assert_eq!(stats.time(Stage::Replay), Duration::ZERO);
        assert_eq!((stats.counted(Count::Replays), stats.counted(Count::Partitions)), (6, 0));
        let table = stats.table(Duration::from_secs(1));
        assert!(
            table.contains("1.00 s  the whole run") && table.contains("          6  calls replayed"),
            "{table}"
        );
        assert!(table.contains("          3  changed bodies, both versions' steps: aligned"), "{table}");
        assert!(!table.contains("native replay\n"), "{table}");
    }

    #[test]
    fn turns_of_a_function_are_added_up_and_its_first_difference_stands() {
        let clock = Clock::default();
        let seconds = Duration::from_secs;
        for (path, time, runs_to_first_difference) in
            [("a", 1, None), ("a", 2, Some(8)), ("a", 4, Some(1)), ("b", 1, Some(2))]
        {
            clock.add_turn(path, FunctionCost { time: seconds(time), runs_to_first_difference });
        }
        let stats = clock.stats();
        assert_eq!(
            stats.functions()["a"],
            FunctionCost { time: seconds(7), runs_to_first_difference: Some(8) }
        );
        assert!(stats.table(seconds(1)).contains("4.0  symbolic runs to the first difference"), "{stats:?}");
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn keys_are_in_the_order_of_the_tables() {
        for (at, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage as usize, at);
        }
        for (at, count) in Count::ALL.into_iter().enumerate() {
            assert_eq!(count as usize, at);
        }
    }
}
