//! What exploring the ten subjects costs, and how fast the executor steps.
//!
//! `cargo bench -p regress-tests --bench exploration [TEXT]`, with a text for those lines that have it in their name. Steps are executed
//! statements and terminators. What gains what is printed by `explore_table --gains`.

use std::env;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cargo_regress::extract;
use cargo_regress::pipeline::campaign::Explorable;
use regress_core::exec::Image;
use regress_core::explore::Strategy;
use regress_core::signature::Function;
use regress_core::term::Model;
use regress_tests::contrast::{FIXED, SUBJECTS, read_subjects};

fn main() -> ExitCode {
    // The compiler runs this program as its wrapper while the subjects are read.
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    let paths: Vec<&str> = SUBJECTS.into_iter().chain([FIXED]).collect();
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("exploration");
    let words = ["--timeout=60".to_owned(), "--assume-no-panic".to_owned()];
    let explorable = read_subjects(&target, &paths, &words).unwrap_or_else(|error| panic!("{error:#}"));
    // Kept for all, so that none pays for what the program says of itself.
    let image = Image::new(&explorable.program, explorable.options.limits.panics);
    Benches { explorable: &explorable, image: &image }.run();
    ExitCode::SUCCESS
}

struct Benches<'a> {
    explorable: &'a Explorable,
    image: &'a Image<'a>,
}

impl<'a> Benches<'a> {
    fn run(&self) {
        println!("{:<48} {:>11} {:>11} {:>11}", "", "fastest", "median", "M steps/s");
        for path in SUBJECTS {
            self.explore("by_slices", path, Strategy::Rsc, 20);
        }
        for path in SUBJECTS {
            self.explore("by_paths", path, Strategy::Dart, 5);
        }
        self.concrete_steps();
        for path in SUBJECTS {
            self.concolic_steps(path);
        }
    }

    fn function(&self, path: &str) -> Function<'a, 'a> {
        let place = SUBJECTS.iter().chain([&FIXED]).position(|subject| *subject == path);
        let callee = self.explorable.callees[place.unwrap_or_default()].clone();
        Function::new(self.image, callee, self.explorable.options)
            .unwrap_or_else(|reason| panic!("{reason:?}"))
    }

    fn explore(&self, what: &str, path: &str, strategy: Strategy, samples: usize) {
        let explore = |mut function: Function<'a, 'a>| {
            let _ = black_box(function.explore(strategy, &[]).map(|exploration| exploration.effort.runs));
            Steps::NotCounted
        };
        measure(&format!("{what} {path}"), samples, || self.function(path), explore);
    }

    /// Nothing depends on an input.
    fn concrete_steps(&self) {
        let visit = |mut function: Function<'a, 'a>| {
            Steps::Counted(function.visit(Model::new(), Strategy::Rsc).map_or(0, |visited| visited.steps))
        };
        measure("concrete_steps", 20, || self.function(FIXED), visit);
    }

    /// The runs of an exploration by slices once more, without the search for their inputs.
    fn concolic_steps(&self, path: &str) {
        let mut first = self.function(path);
        let models: Vec<Model> = first
            .explore(Strategy::Rsc, &[])
            .map(|exploration| exploration.partitions.into_iter().map(|partition| partition.model).collect())
            .unwrap_or_default();
        let visit_all = |()| {
            let visited = models.iter().map(|model| first.visit(model.clone(), Strategy::Rsc));
            Steps::Counted(visited.flatten().map(|visited| visited.steps).sum())
        };
        measure(&format!("concolic_steps {path}"), 20, || (), visit_all);
    }
}

enum Steps {
    Counted(u64),
    NotCounted,
}

/// Prints how long `run` takes on what `prepare` makes, which is not measured.
fn measure<T>(name: &str, samples: usize, prepare: impl Fn() -> T, mut run: impl FnMut(T) -> Steps) {
    let wanted = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    if !name.contains(&wanted) {
        return;
    }
    let mut sample = || {
        let prepared = prepare();
        let begun = Instant::now();
        let steps = run(prepared);
        (begun.elapsed(), steps)
    };
    let mut taken: Vec<(Duration, Steps)> = (0..samples).map(|_| sample()).collect();
    taken.sort_by_key(|(time, _)| *time);
    let [(fastest, steps), ..] = taken.as_slice() else { return };
    let median = taken[taken.len() / 2].0;
    let rate = match steps {
        Steps::Counted(steps) => format!("{:.2}", *steps as f64 / fastest.as_secs_f64() / 1e6),
        Steps::NotCounted => String::new(),
    };
    println!("{name:<48} {fastest:>11.2?} {median:>11.2?} {rate:>11}");
}
