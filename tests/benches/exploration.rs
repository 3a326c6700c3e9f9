//! What exploring the ten subjects costs, and how fast the executor steps.
//!
//! `cargo bench -p regress-tests --bench exploration`; items are executed statements and terminators. What gains what is
//! printed by `explore_table --gains`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use cargo_regress::extract;
use cargo_regress::pipeline::campaign::Explorable;
use divan::Bencher;
use divan::counter::ItemsCount;
use regress_core::exec::Image;
use regress_core::explore::Strategy;
use regress_core::signature::Explorer;
use regress_core::term::Model;
use regress_tests::contrast::{FIXED, SUBJECTS, read_subjects};

static EXPLORABLE: LazyLock<Explorable> = LazyLock::new(|| {
    let paths: Vec<&str> = SUBJECTS.into_iter().chain([FIXED]).collect();
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("exploration");
    let words = ["--timeout=60".to_owned(), "--assume-no-panic".to_owned()];
    read_subjects(&target, &paths, &words).unwrap_or_else(|error| panic!("{error:#}"))
});

thread_local! {
    /// Kept for all benchmarks, so that none pays for what the program says of itself; never given back, as explorers
    /// borrow it.
    static IMAGE: &'static Image<'static> =
        Box::leak(Box::new(Image::new(&EXPLORABLE.program, EXPLORABLE.options.limits.panics)));
}

fn explorer(path: &str) -> Explorer<'static, 'static> {
    let place = SUBJECTS.iter().chain([&FIXED]).position(|subject| *subject == path);
    let callee = EXPLORABLE.callees[place.unwrap_or_default()].clone();
    let image = IMAGE.with(|image| *image);
    Explorer::new(image, callee, EXPLORABLE.options).unwrap_or_else(|reason| panic!("{reason}"))
}

fn explore(bencher: Bencher<'_, '_>, path: &str, strategy: Strategy) {
    bencher.with_inputs(|| explorer(path)).bench_local_values(|mut explorer| {
        let exploration = explorer.explore(strategy, &[]);
        exploration.map(|exploration| exploration.effort.runs)
    });
}

#[divan::bench(args = SUBJECTS, sample_count = 20, sample_size = 1)]
fn by_slices(bencher: Bencher<'_, '_>, path: &str) {
    explore(bencher, path, Strategy::Rsc);
}

#[divan::bench(args = SUBJECTS, sample_count = 5, sample_size = 1)]
fn by_paths(bencher: Bencher<'_, '_>, path: &str) {
    explore(bencher, path, Strategy::Dart);
}

/// Nothing depends on an input.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn concrete_steps(bencher: Bencher<'_, '_>) {
    let visit = |mut explorer: Explorer<'static, 'static>| explorer.visit(Model::new(), Strategy::Rsc);
    let steps = visit(explorer(FIXED)).map_or(0, |visited| visited.steps);
    bencher.counter(ItemsCount::new(steps)).with_inputs(|| explorer(FIXED)).bench_local_values(visit);
}

/// The runs of an exploration by slices once more, without the search for their inputs.
#[divan::bench(args = SUBJECTS, sample_count = 20, sample_size = 1)]
fn concolic_steps(bencher: Bencher<'_, '_>, path: &str) {
    let mut first = explorer(path);
    let models: Vec<Model> = first
        .explore(Strategy::Rsc, &[])
        .map(|exploration| exploration.partitions.into_iter().map(|partition| partition.model).collect())
        .unwrap_or_default();
    let visit_all = |explorer: &mut Explorer<'static, 'static>| -> u64 {
        let visited = models.iter().map(|model| explorer.visit(model.clone(), Strategy::Rsc));
        visited.flatten().map(|visited| visited.steps).sum()
    };
    let steps = visit_all(&mut first);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| visit_all(&mut first));
}

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    divan::main();
    ExitCode::SUCCESS
}
