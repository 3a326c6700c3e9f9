//! Fuzzing over real builds, instrumented where the wrapper is known to be built.

use super::*;

/// Both versions of a function, in plain workers and in those that are to fuzz.
struct Versions {
    plain: [Built; 2],
    guided: [Built; 2],
}

impl Versions {
    fn of(old: &str, new: &str, worker: WorkerKind) -> Versions {
        let plain = |text: &str| build_as(text, WorkerKind::Plain);
        let guided = |text: &str| build_as(text, worker);
        Versions { plain: [plain(old), plain(new)], guided: [guided(old), guided(new)] }
    }

    fn fuzz(&self, plan: &FuzzPlan<'_>) -> Fuzzed {
        self.fuzz_where(CommonShapes::default(), plan)
    }

    /// The same where the versions have so much in common.
    fn fuzz_where(&self, common: CommonShapes, plan: &FuzzPlan<'_>) -> Fuzzed {
        let both = |built: &[Built; 2]| Both {
            old: (built[0].worker_within(CALL), built[0].id("f")),
            new: (built[1].worker_within(CALL), built[1].id("f")),
            patience: Patience::new(None),
            common: common.clone(),
        };
        fuzz(&mut both(&self.plain), &mut both(&self.guided), plan).expect("fuzzing that goes on")
    }
}

fn build_as(text: &str, worker: WorkerKind) -> Built {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let files = [("src/lib.rs", text), ("Cargo.toml", manifest)];
    for (path, text) in files {
        tree::update(&root.join("source").join(path), text.as_bytes()).expect("a written file");
    }
    let subjects: IdxVec<SubjectId, SubjectRequest> = vec![locate(&files, "f")].into();
    let request = HarnessRequest { worker, ..request_for_demo(&root, "source", subjects.clone()) };
    Built { harness: build(&request).expect("a harness"), subjects, _dir: dir }
}

fn plan(seeds: Vec<Vec<Value>>) -> FuzzPlan<'static> {
    let random = RandomPlan::new(3, 0);
    FuzzPlan {
        random,
        seeds,
        most_differences: 1,
        tells: &|_, _| true,
        budget: Duration::from_secs(20),
        least: 0,
        patience: FuzzPatience::Usual,
    }
}

const CHECKED: &str = "pub fn f(bytes: &[u8]) -> u8 {
    if bytes.len() < 12 || bytes[0] != 0x7e || bytes[1] != 0x81 { return 0; }
    let sum = bytes[..11].iter().fold(7u8, |sum, byte| sum.wrapping_mul(3) ^ *byte);
    if sum == bytes[11] { HERE } else { 1 }
}
";

#[test]
fn what_coverage_leads_to_is_found_and_comes_out_without_instrumentation() {
    if wrapped().is_none() {
        return;
    }
    let versions =
        Versions::of(&CHECKED.replace("HERE", "2"), &CHECKED.replace("HERE", "3"), WorkerKind::Instrumented);
    let found = versions.fuzz(&plan(Vec::new()));
    assert_eq!(found.end, FuzzEnd::EnoughDifferences, "{found:?}");
    let difference = &found.differences[0];
    assert_eq!((&difference.old, &difference.new), (&returned(u8v(2)), &returned(u8v(3))));
    let [old, new] = &versions.plain;
    assert_eq!(old.call("f", &difference.inputs), returned(u8v(2)));
    assert_eq!(new.call("f", &difference.inputs), returned(u8v(3)));
}

#[test]
fn what_differs_with_each_call_hides_no_other_result() {
    if wrapped().is_none() {
        return;
    }
    let counting = |by: u8, result: &str| {
        let text = CHECKED.replace("HERE", result).replace("(bytes", "(calls: &mut u8, bytes");
        text.replacen("{\n", &format!("{{\n    *calls = calls.wrapping_add({by});\n"), 1)
    };
    let versions = Versions::of(&counting(1, "2"), &counting(2, "3"), WorkerKind::Instrumented);
    let returns = |outcome: &Outcome| match outcome {
        Outcome::Returned { value, .. } => Some(value.clone()),
        _ => None,
    };
    let tells = |old: &Outcome, new: &Outcome| returns(old) != returns(new);
    let found = versions.fuzz(&FuzzPlan { tells: &tells, ..plan(Vec::new()) });
    assert_eq!(found.end, FuzzEnd::EnoughDifferences, "{found:?}");
    // The first one of them, and the one that was looked for.
    let [of_state, of_result] = found.differences.as_slice() else { panic!("{found:?}") };
    assert!(!tells(&of_state.old, &of_state.new) && tells(&of_result.old, &of_result.new), "{found:?}");
}

#[test]
fn results_that_are_told_otherwise_and_are_the_same_hide_no_others() {
    if wrapped().is_none() {
        return;
    }
    let failing = |form: &str, result: &str| {
        let text = CHECKED.replace("HERE", &format!("Ok({result})")).replace("-> u8", "-> Result<u8, Bad>");
        let text = text.replace("return 0", "return Err(Bad)").replace("{ 1 }", "{ Err(Bad) }");
        let bad = format!("pub struct Bad{form};\n");
        bad + &text.replace("Err(Bad)", &format!("Err(Bad{form})"))
    };
    let versions = Versions::of(&failing("()", "2"), &failing("", "3"), WorkerKind::Instrumented);
    let common = CommonShapes::default().with_results(ResultTypes::Other);
    let found = versions.fuzz_where(common, &plan(Vec::new()));
    assert_eq!(found.end, FuzzEnd::EnoughDifferences, "{found:?}");
}

#[test]
fn what_has_nothing_new_ends_early() {
    if wrapped().is_none() {
        return;
    }
    let versions = Versions::of(
        "pub fn f(x: u32) -> u32 { x % 7 }\n",
        "pub fn f(y: u32) -> u32 { y % 7 }\n",
        WorkerKind::Instrumented,
    );
    let found = versions.fuzz(&plan(vec![vec![u32v(7)]]));
    assert_eq!((found.end, found.differences), (FuzzEnd::Saturated, Vec::new()));
    assert!(found.corpus >= 1);
}

#[test]
fn without_instrumentation_nothing_is_fuzzed() {
    let text = "pub fn f(x: u32) -> u32 { x % 7 }\n";
    let found = Versions::of(text, text, WorkerKind::Plain).fuzz(&plan(Vec::new()));
    assert_eq!((found.end, found.executions), (FuzzEnd::NotInstrumented, 0));
}

#[test]
fn an_input_is_the_same_again_by_its_choices() {
    if wrapped().is_none() {
        return;
    }
    let built = build_as(
        "pub fn f(n: i16, text: &str, list: &[u8], flag: Option<bool>) -> usize {
            if text == \"wonderful\" || n == -300 { 0 } else { list.len() + usize::from(flag == Some(true)) }
        }\n",
        WorkerKind::Instrumented,
    );
    let mut worker = built.worker_within(CALL);
    let counters = worker.begin_fuzzing(built.id("f"), &RandomPlan::new(1, 0)).expect("a worker");
    assert!(counters > 0);
    let byte = |byte: u8| Value::int(IntTy::U8, byte.into());
    let some = adt("std::option::Option", Some("Some"), CtorKind::Tuple, &[("0", Value::Bool(true))]);
    let inputs = [
        Value::int(IntTy::I16, 5),
        Value::Ref(Box::new(Value::Str("wunderbar".into()))),
        Value::Ref(Box::new(Value::Seq(vec![byte(1), byte(200)]))),
        some,
    ];
    let seed = worker.add_seed(&inputs).expect("a reply").expect("a call that comes back");
    let choices = seed.kept[0].1.clone();
    assert_eq!(choices, "i16:5 s77756e646572626172 l2 i8:1 i8:200 b1 b1");
    // It was compared with a text of the same length, and with a number.
    let operands = seed.operands[0].join(" ");
    assert!(operands.contains("m77756e646572626172"), "{operands}");
    let again =
        worker.add_entries(std::slice::from_ref(&choices)).expect("a reply").expect("a call that comes back");
    assert_eq!((&again.results, &again.kept), (&seed.results, &seed.kept));
    worker.set_operands(&seed.operands).expect("a reply");
    // The same batch has the same inputs, which are told as they were.
    let batch = worker.fuzz(9, 100).expect("a reply").expect("calls that come back");
    let repeated = worker.fuzz(9, 100).expect("a reply").expect("calls that come back");
    let both = batch.digests.len().min(repeated.digests.len());
    assert_eq!(batch.digests[..both], repeated.digests[..both]);
    assert!(worker.tell(9, 3).expect("a reply").is_some());
}

#[test]
fn what_brought_something_new_is_handed_on() {
    if wrapped().is_none() {
        return;
    }
    let text = CHECKED.replace("HERE", "2");
    let versions = Versions::of(&text, &text, WorkerKind::Instrumented);
    let found = versions.fuzz(&FuzzPlan { budget: Duration::from_secs(8), ..plan(Vec::new()) });
    assert!(found.differences.is_empty());
    // Behind the marks that chance does not meet.
    let begins_so = |inputs: &Vec<Value>| {
        let Value::Ref(bytes) = &inputs[0] else { return false };
        let Value::Seq(bytes) = &**bytes else { return false };
        let byte = |byte| Value::int(IntTy::U8, byte);
        bytes.len() >= 12 && bytes[..2] == [byte(0x7e), byte(0x81)]
    };
    assert!(found.latest.iter().any(begins_so), "{:?}", found.latest);
}
