//! What is said of suspects of random programs, held against the interpreter and against the signatures of both versions.

mod dependence;

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assert_eq, proptest};

use super::{Blame, Method, localize};
use crate::compare::{FunctionPair, Instantiation};
use crate::exec::resolve::Resolved;
use crate::exec::{Image, Makers, PanicPolicy};
use crate::explore::{Options, Strategy};
use crate::idx::Idx;
use crate::ir::{FnBody, FnId, IntTy, Program, SourceFile, Span, Subst};
use crate::random_programs::{Dialect, Random, interpret, program};
use crate::signature::Function;
use crate::term::TermId;
use crate::value::Value;
use crate::verdict::Version;
use crate::verdict::suspicion::Across;

/// Gives every branch a line of its own.
fn with_lines(mut program: Program) -> Program {
    let file = program.files.push(SourceFile { path: "random.rs".into() });
    for (function, item) in program.functions.iter_mut().enumerate() {
        let FnBody::Present(body) = &mut item.body else { continue };
        body.change(|body| {
            for (block, content) in body.blocks.iter_mut().enumerate() {
                let line = (1000 * function + block + 1) as u32;
                let span = Span { file, line_start: line, col_start: 1, line_end: line, col_end: 2 };
                content.terminator.span = Some(span);
            }
        });
    }
    program
}

fn arguments([x, y, z]: [u8; 3]) -> Vec<Value> {
    let byte = |value: u8| Value::int(IntTy::U8, value.into());
    vec![byte(x), byte(y), Value::Ref(Box::new(byte(z)))]
}

fn byte(value: &Value) -> u8 {
    match value {
        Value::Int { bits, .. } => *bits as u8,
        Value::Ref(inner) => byte(inner),
        other => panic!("{other} is no byte"),
    }
}

fn blame(old: &Program, new: &Program, input: [u8; 3], method: Method) -> Blame {
    let images = (Image::new(old, PanicPolicy::Outcomes), Image::new(new, PanicPolicy::Outcomes));
    let function = FnId::from_usize(0);
    let instantiation = Instantiation::default();
    let subject = FunctionPair { old: function, new: function, instantiation, makers: Makers::default() };
    let names = ["x", "y", "z"].map(str::to_owned);
    localize(&images.0, &images.1, &subject, &Options::default(), method, &arguments(input), &names)
        .expect("random programs can be run")
}

/// The relevant slice conditions of both inputs in one program, whose terms they share.
fn relevant(program: &Program, inputs: [[u8; 3]; 2]) -> [Vec<TermId>; 2] {
    let image = Image::new(program, PanicPolicy::Outcomes);
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let mut function = Function::new(&image, callee, Options::default()).expect("it can be run");
    inputs.map(|input| {
        let model = function.inputs.model(&arguments(input)).expect("bytes are inputs");
        function.visit(model, Strategy::Rsc).expect("it can be run").relevant
    })
}

/// Localizes one input on which two random programs differ; how many suspects there were.
fn check(seed: u64, dialect: Dialect) -> Result<usize, TestCaseError> {
    let mut random = Random::new(seed);
    let old = random.program();
    let mut new = old.clone();
    for _ in 0..1 + random.below(2) {
        random.change(&mut new.0, 2, false);
    }
    // Changes are of the full dialect.
    let (old, new) = (dialect.of(old), dialect.of(new));
    let bytes = [0u8, 1, 2, 77, 78, 255];
    let inputs = bytes.iter().flat_map(|x| bytes.iter().map(move |y| [*x, *y, 3]));
    let Some(input) = inputs.into_iter().find(|input| interpret(&old, *input) != interpret(&new, *input))
    else {
        return Ok(0);
    };
    let (old_program, new_program) = (with_lines(program(&old)), with_lines(program(&new)));
    let pc = blame(&old_program, &new_program, input, Method::Pc);
    let rsc = blame(&old_program, &new_program, input, Method::Rsc);
    prop_assert!(rsc.effort.old_conditions <= pc.effort.old_conditions);
    prop_assert!(rsc.effort.new_conditions <= pc.effort.new_conditions);
    for suspect in &rsc.branches {
        let mut there = input;
        for moved in &suspect.decision.moved {
            let index = ["x", "y", "z"].iter().position(|name| *name == moved.name).expect("a parameter");
            prop_assert_eq!(byte(&moved.here), input[index]);
            there[index] = byte(&moved.there);
        }
        let agree = interpret(&old, there) == interpret(&new, there);
        prop_assert_eq!(
            suspect.decision.across == Across::Agree,
            agree,
            "seed {}: {:?} on {:?}",
            seed,
            suspect,
            there
        );
        let (own, other) = match suspect.version {
            Version::Old => (&old_program, &new_program),
            Version::New => (&new_program, &old_program),
        };
        let [own_here, own_there] = relevant(own, [input, there]);
        prop_assert!(own_here != own_there, "seed {seed}: {suspect:?} decides nothing");
        // Where arms copy pointers, slices hold more than is relevant, and how much more depends on the run.
        if dialect == Dialect::Full {
            continue;
        }
        let [other_here, other_there] = relevant(other, [input, there]);
        prop_assert_eq!(other_here, other_there, "seed {}: {:?} is not the same case", seed, suspect);
    }
    Ok(rsc.branches.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn suspects_are_what_is_said_of_them(seed: u64) {
        check(seed, Dialect::Plain)?;
        check(seed, Dialect::Full)?;
    }
}

#[test]
fn random_programs_have_suspects() {
    for dialect in [Dialect::Plain, Dialect::Full] {
        let found: usize = (1..200u64).map(|seed| check(seed, dialect).expect("it holds")).sum();
        assert!(found > 20, "only {found} suspects in {dialect:?}: nothing was put to the test");
    }
}
