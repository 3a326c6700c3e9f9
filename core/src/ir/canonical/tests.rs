//! Bodies shuffled, renamed and re-cut keep their form; bodies that do something else lose it.

use proptest::prelude::*;

use super::*;

/// A block of a small program: assignments `_a = _b + c`, then a way on.
#[derive(Clone, Debug)]
struct Sketch {
    assigns: Vec<(usize, usize, i128)>,
    end: End,
}

#[derive(Clone, Debug)]
enum End {
    Return,
    Goto(usize),
    /// On a local: to the first for 0, to the second for 1, else to the third.
    Switch(usize, usize, usize, usize),
    Call(usize, usize),
}

const LOCALS: usize = 5;
const ARGS: usize = 1;

fn int() -> Ty {
    Ty::int(IntTy::I32)
}

fn copy(local: usize) -> Operand {
    Operand::Copy(LocalId::from_usize(local).into())
}

fn assign(to: usize, from: usize, plus: i128) -> Statement {
    let sum = Rvalue::Binary(BinOp::Add, copy(from), Operand::Const(Const::int(plus, IntTy::I32)));
    Statement { kind: StatementKind::Assign(LocalId::from_usize(to).into(), sum), span: None }
}

fn build(sketch: &[Sketch]) -> Body {
    let block = BlockId::from_usize;
    let blocks = sketch
        .iter()
        .map(|part| {
            let kind = match part.end {
                End::Return => TerminatorKind::Return,
                End::Goto(to) => TerminatorKind::Goto(block(to)),
                End::Switch(on, a, b, c) => TerminatorKind::SwitchInt {
                    discr: copy(on),
                    targets: vec![(0, block(a)), (1, block(b))],
                    otherwise: Some(block(c)),
                },
                End::Call(to, next) => TerminatorKind::Call {
                    callee: Callee::Fn(FnRef::Free { path: Path::new("k::g"), args: Vec::new() }),
                    args: vec![copy(1)],
                    destination: LocalId::from_usize(to).into(),
                    target: Some(block(next)),
                    unwind: None,
                },
            };
            Block {
                statements: part.assigns.iter().map(|(to, from, plus)| assign(*to, *from, *plus)).collect(),
                terminator: Terminator { kind, span: None },
                role: BlockRole::Normal,
            }
        })
        .collect();
    let local = Local { ty: int(), name: None, span: None };
    Body { locals: vec![local; LOCALS].into(), arg_count: ARGS, blocks }
}

/// The same program written down differently: blocks and locals in another order, blocks cut in two, arms of branches
/// swapped, names and spans added. `blocks[i]` and `locals[i]` are the new places.
fn rewrite(sketch: &[Sketch], blocks: &[usize], locals: &[usize]) -> Body {
    let renumber = |local: usize| match local {
        0..=ARGS => local,
        _ => ARGS + 1 + locals[local - ARGS - 1],
    };
    let mut parts: Vec<Option<Sketch>> = vec![None; sketch.len()];
    for (index, part) in sketch.iter().enumerate() {
        let assigns = part.assigns.iter().map(|(a, b, c)| (renumber(*a), renumber(*b), *c)).collect();
        let end = match part.end {
            End::Return => End::Return,
            End::Goto(to) => End::Goto(blocks[to]),
            End::Switch(on, a, b, c) => End::Switch(renumber(on), blocks[a], blocks[b], blocks[c]),
            End::Call(to, next) => End::Call(renumber(to), blocks[next]),
        };
        parts[blocks[index]] = Some(Sketch { assigns, end });
    }
    let parts: Vec<Sketch> = parts.into_iter().flatten().collect();
    let mut body = build(&parts);
    let span = Span { file: FileId::from_usize(0), line_start: 3, col_start: 1, line_end: 3, col_end: 9 };
    let mut tails = Vec::new();
    for (id, block) in body.blocks.ids().zip(body.blocks.iter_mut()) {
        block.terminator.span = Some(span);
        block.statements.insert(0, Statement { kind: StatementKind::Nop, span: Some(span) });
        if let TerminatorKind::SwitchInt { targets, .. } = &mut block.terminator.kind {
            targets.reverse();
        }
        // The second half of every block goes to a block of its own, behind an empty one.
        let half = block.statements.len() / 2;
        let tail = Block {
            statements: block.statements.split_off(half),
            terminator: block.terminator.clone(),
            role: BlockRole::Normal,
        };
        tails.push((id, tail));
    }
    for (id, tail) in tails {
        let goto = |to| Terminator { kind: TerminatorKind::Goto(to), span: Some(span) };
        let tail = body.blocks.push(tail);
        let between = Block { statements: Vec::new(), terminator: goto(tail), role: BlockRole::Normal };
        let between = body.blocks.push(between);
        body.blocks[id].terminator = goto(between);
    }
    for local in body.locals.iter_mut() {
        local.name = Some(Name::new("named"));
        local.span = Some(span);
    }
    body
}

fn scope(path: &str) -> Scope {
    Scope::new(Path::new(path), &[])
}

fn canonical(body: &Body) -> CanonicalBody {
    CanonicalBody::new(body, &scope("k::f"), &Renames::default())
}

fn sketches() -> impl Strategy<Value = Vec<Sketch>> {
    (1..7usize).prop_flat_map(|len| {
        let end = prop_oneof![
            Just(End::Return),
            (0..len).prop_map(End::Goto),
            (0..LOCALS, 0..len, 0..len, 0..len).prop_map(|(on, a, b, c)| End::Switch(on, a, b, c)),
            (0..LOCALS, 0..len).prop_map(|(to, next)| End::Call(to, next)),
        ];
        let assigns = prop::collection::vec((0..LOCALS, 0..LOCALS, -2..3i128), 0..4);
        let part = (assigns, end).prop_map(|(assigns, end)| Sketch { assigns, end });
        prop::collection::vec(part, len)
    })
}

/// A program and a way to write it down differently; the entry stays where it is.
fn rewritings() -> impl Strategy<Value = (Vec<Sketch>, Vec<usize>, Vec<usize>)> {
    sketches().prop_flat_map(|sketch| {
        let blocks = Just((1..sketch.len()).collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(|rest| std::iter::once(0).chain(rest).collect::<Vec<_>>());
        let locals = Just((0..LOCALS - ARGS - 1).collect::<Vec<_>>()).prop_shuffle();
        (Just(sketch), blocks, locals)
    })
}

proptest! {
    #[test]
    fn form_does_not_depend_on_how_the_body_is_written_down((sketch, blocks, locals) in rewritings()) {
        let one = canonical(&build(&sketch));
        let other = canonical(&rewrite(&sketch, &blocks, &locals));
        prop_assert_eq!(one.body().to_string(), other.body().to_string());
        prop_assert!(one.is_same(&other));
        prop_assert_eq!(one.fingerprint(), other.fingerprint());
    }

    #[test]
    fn canonical_form_of_the_canonical_form_is_itself(sketch in sketches()) {
        let once = canonical(&build(&sketch));
        prop_assert!(canonical(once.body()).is_same(&once));
    }

    #[test]
    fn another_constant_in_the_entry_is_another_form(sketch in sketches(), plus in 5..9i128) {
        let mut changed = sketch.clone();
        changed[0].assigns.push((0, 1, plus));
        let mut original = sketch;
        original[0].assigns.push((0, 1, plus + 1));
        prop_assert!(!canonical(&build(&changed)).is_same(&canonical(&build(&original))));
        prop_assert_ne!(
            canonical(&build(&changed)).fingerprint(),
            canonical(&build(&original)).fingerprint()
        );
    }
}

fn check_text(sketch: &[Sketch], expected: &str) {
    let text = canonical(&build(sketch)).body().to_string();
    let squeezed: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(squeezed.join(" "), expected);
}

fn part(assigns: &[(usize, usize, i128)], end: End) -> Sketch {
    Sketch { assigns: assigns.to_vec(), end }
}

#[test]
fn straight_line_becomes_one_block_and_unused_locals_go() {
    check_text(
        &[
            part(&[(4, 1, 1)], End::Goto(2)),
            part(&[(0, 1, 9)], End::Return),
            part(&[], End::Goto(3)),
            part(&[(0, 4, 2)], End::Return),
        ],
        "{ let _0: i32; arg _1: i32; let _2: i32; bb0: { _2 = Add(copy _1, const 1_i32); \
         _0 = Add(copy _2, const 2_i32); return; } }",
    );
}

#[test]
fn loop_head_stays_a_block() {
    check_text(
        &[
            part(&[(0, 1, 0)], End::Goto(2)),
            part(&[], End::Return),
            part(&[(0, 0, 1)], End::Switch(0, 1, 2, 2)),
        ],
        "{ let _0: i32; arg _1: i32; bb0: { _0 = Add(copy _1, const 0_i32); goto -> bb1; } \
         bb1: { _0 = Add(copy _0, const 1_i32); switchInt(copy _0) -> [0: bb2, 1: bb1, otherwise: bb1]; } \
         bb2: { return; } }",
    );
}

#[test]
fn empty_endless_loops_are_kept() {
    check_text(
        &[part(&[], End::Goto(1)), part(&[], End::Goto(0))],
        "{ let _0: i32; arg _1: i32; bb0: { goto -> bb0; } }",
    );
}

#[test]
fn swapped_operands_and_swapped_arms_are_seen() {
    let switch = |a, b| {
        vec![
            part(&[], End::Switch(1, a, b, b)),
            part(&[(0, 1, 1)], End::Return),
            part(&[(0, 1, 2)], End::Return),
        ]
    };
    assert!(!canonical(&build(&switch(1, 2))).is_same(&canonical(&build(&switch(2, 1)))));
    let minus = |a, b| {
        let mut body = build(&[part(&[], End::Return)]);
        let kind = StatementKind::Assign(
            LocalId::return_place().into(),
            Rvalue::Binary(BinOp::Sub, copy(a), copy(b)),
        );
        body.blocks[BlockId::entry()].statements.push(Statement { kind, span: None });
        body.arg_count = 2;
        canonical(&body)
    };
    assert!(!minus(1, 2).is_same(&minus(2, 1)));
}

/// A body that calls `callee` and makes nothing else of it.
fn calling(callee: &str) -> Body {
    let mut body = build(&[part(&[], End::Call(0, 1)), part(&[], End::Return)]);
    if let TerminatorKind::Call { callee: called, .. } = &mut body.blocks[BlockId::entry()].terminator.kind {
        *called = Callee::Fn(FnRef::Free { path: Path::new(callee), args: Vec::new() });
    }
    body
}

/// Whether `a` in a function at `at_a` is the same as `b` in one at `at_b`.
fn check_moved(at_a: &str, a: &str, at_b: &str, b: &str, expected: bool) {
    let form = |at: &str, callee| CanonicalBody::new(&calling(callee), &scope(at), &Renames::default());
    assert_eq!(form(at_a, a).is_same(&form(at_b, b)), expected, "{a} in {at_a}, {b} in {at_b}");
}

#[test]
fn own_path_is_relative() {
    check_moved("k::f", "k::f", "k::m::h", "k::m::h", true);
    check_moved("k::f", "k::f::{closure#0}", "k::h", "k::h::{closure#0}", true);
    check_moved("k::f", "k::f::{closure#0}", "k::h", "k::h::{closure#1}", false);
    check_moved("k::f", "k::g", "k::h", "k::g", true);
    check_moved("k::f", "k::f", "k::h", "k::f", false);
    // A module may be called like the function; what is in it is no part of the function.
    check_moved("k::f", "k::f::g", "k::h", "k::h::g", false);
    check_moved("k::f", "k::ff", "k::h", "k::hf", false);
}

#[test]
fn renamed_callees_are_spelled_the_new_way() {
    let mut renames = Renames::default();
    renames.insert(Path::new("k::old"), Path::new("k::new"));
    let old = CanonicalBody::new(&calling("k::old"), &scope("k::f"), &renames);
    let new = CanonicalBody::new(&calling("k::new"), &scope("k::f"), &Renames::default());
    assert!(old.is_same(&new));
}

#[test]
fn names_of_parameters_do_not_matter_but_their_places_do() {
    let form = |names: [&str; 2], used: &str| {
        let generics: Vec<GenericParam> = names
            .iter()
            .map(|name| GenericParam { name: Name::new(name), kind: GenericParamKind::Type })
            .collect();
        let mut body = build(&[part(&[], End::Return)]);
        let size = Rvalue::SizeOf(Ty::new(TyKind::Param(Name::new(used))));
        let kind = StatementKind::Assign(LocalId::return_place().into(), size);
        body.blocks[BlockId::entry()].statements.push(Statement { kind, span: None });
        CanonicalBody::new(&body, &Scope::new(Path::new("k::f"), &generics), &Renames::default())
    };
    assert!(form(["T", "U"], "U").is_same(&form(["A", "B"], "B")));
    assert!(!form(["T", "U"], "U").is_same(&form(["A", "B"], "A")));
    // What a parameter is that is not in scope, nobody knows.
    assert!(!form(["T", "U"], "V").is_same(&form(["T", "U"], "V")));
}

#[test]
fn text_that_names_an_allocation_is_the_same_as_nothing() {
    let form = |text: &str| {
        let mut body = build(&[part(&[], End::Return)]);
        let constant = Operand::Const(Const::Unsupported(text.to_string()));
        let kind = StatementKind::Assign(LocalId::return_place().into(), Rvalue::Use(constant));
        body.blocks[BlockId::entry()].statements.push(Statement { kind, span: None });
        canonical(&body)
    };
    assert!(!form("{alloc12: &u8}").is_same(&form("{alloc12: &u8}")));
    assert_eq!(form("{alloc12: &u8}").undetermined(), ["{alloc12: &u8}"]);
    assert!(form("allocate(x)").is_same(&form("allocate(x)")));
}

#[test]
fn fingerprint_is_fixed() {
    // The published FNV-1a (128 bit) values of the empty string and of "a".
    let hash = |text: &str| {
        let mut hasher = Fnv128::default();
        hasher.write(text.as_bytes());
        Fingerprint(hasher.state).to_string()
    };
    assert_eq!(hash(""), "6c62272e07bb014262b821756295c58d");
    assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
}

#[test]
fn malformed_bodies_do_not_panic() {
    let mut body = build(&[part(&[(0, 1, 1)], End::Goto(7))]);
    body.locals = IdxVec::new();
    assert!(!canonical(&body).undetermined().is_empty());
    body.blocks = IdxVec::new();
    assert_eq!(canonical(&body).body().blocks.len(), 0);
}
