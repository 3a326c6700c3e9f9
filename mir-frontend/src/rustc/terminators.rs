//! Terminators, among them calls and checks.
//!
//! `-> bbN` without brackets names the only successor; behind a call without a target that is the block that
//! unwinding enters.

use regress_core::idx::Idx;
use regress_core::ir::{
    BinOp, BlockId, Callee, Check, Operand, Place, Rvalue, StatementKind, TerminatorKind,
};

use super::cursor::{Parsed, fail};
use super::doubts::Either;
use super::rvalues::RightHandSide;
use super::types::Parser;

/// One line of a block.
#[derive(Debug)]
pub enum Line {
    Statement(StatementKind),
    Terminator(TerminatorKind),
    /// An assignment of one of two values; the type of the place says of which.
    Either(Place, Either),
    /// Says nothing about values: storage markers, counters of the evaluator.
    Nothing,
}

/// Stands for the block in which the process ends: a panic may not leave a function of this ABI. The text has no such block; `bodies` makes one.
pub(super) fn end_of_process() -> BlockId {
    BlockId::from_usize(u32::MAX as usize - 1)
}

/// Where control goes.
#[derive(Debug, Default)]
struct Edges {
    target: Option<BlockId>,
    unwind: Option<BlockId>,
}

/// Statements of which values know nothing. Each ends at its `;`.
const NOTHING: [&str; 14] = [
    "StorageLive(",
    "StorageDead(",
    "ConstEvalCounter",
    "nop",
    "FakeRead(",
    "PlaceMention(",
    "AscribeUserType(",
    "Coverage::",
    "coverage ",
    "Retag(",
    "BackwardIncompatibleDropHint(",
    "assume(",
    "Deinit(",
    "backward incompatible drop(",
];

impl<'a> Parser<'a, '_> {
    /// One statement or terminator with its `;`.
    pub fn line(&mut self) -> Parsed<Line> {
        let line = self.line_without_semicolon()?;
        self.cur.expect(";")?;
        Ok(line)
    }

    fn line_without_semicolon(&mut self) -> Parsed<Line> {
        if self.cur.looking_at("_") || self.cur.looking_at("(") {
            return self.assignment();
        }
        if NOTHING.iter().any(|start| self.cur.looking_at(start)) {
            self.cur.balanced_until(|byte| byte == b';')?;
            return Ok(Line::Nothing);
        }
        if self.cur.eat("discriminant(") {
            let place = self.place()?;
            self.cur.expect(") = ")?;
            let variant = self.cur.number()?;
            return Ok(Line::Statement(StatementKind::SetDiscriminant(place, variant)));
        }
        self.keyword_terminator().map(Line::Terminator)
    }

    fn assignment(&mut self) -> Parsed<Line> {
        let place = self.place()?;
        self.cur.expect(" = ")?;
        if self.cur.looking_at("yield(") {
            return self.unsupported("yield").map(Line::Terminator);
        }
        match self.right_hand_side()? {
            RightHandSide::PathWithOperands(path, args) => {
                if !self.cur.looking_at(" -> ") {
                    return Ok(Line::Statement(StatementKind::Assign(place, self.aggregate(&path, args)?)));
                }
                let callee = Callee::Fn(self.resolve_fn(&path)?);
                self.call(place, callee, args).map(Line::Terminator)
            }
            RightHandSide::Value(Rvalue::Use(callee)) if self.cur.eat("(") => {
                let args = self.operands_until(")")?;
                self.call(place, Callee::Pointer(callee), args).map(Line::Terminator)
            }
            RightHandSide::Either(either) => Ok(Line::Either(place, either)),
            RightHandSide::Value(value) => Ok(Line::Statement(StatementKind::Assign(place, value))),
        }
    }

    fn call(&mut self, destination: Place, callee: Callee, args: Vec<Operand>) -> Parsed<TerminatorKind> {
        let Edges { target, unwind } = self.call_edges()?;
        Ok(TerminatorKind::Call { callee, args, destination, target, unwind })
    }

    fn keyword_terminator(&mut self) -> Parsed<TerminatorKind> {
        if self.cur.eat("goto -> ") {
            return Ok(TerminatorKind::Goto(self.block()?));
        }
        if self.cur.eat_word("return") {
            return Ok(TerminatorKind::Return);
        }
        if self.cur.eat_word("unreachable") {
            return Ok(TerminatorKind::Unreachable);
        }
        if self.cur.eat_word("resume") {
            return Ok(TerminatorKind::Resume);
        }
        if self.cur.eat_word("abort") {
            return Ok(TerminatorKind::Abort);
        }
        if self.cur.eat("terminate(") {
            self.cur.balanced_until(|byte| byte == b')')?;
            self.cur.expect(")")?;
            return Ok(TerminatorKind::Abort);
        }
        if self.cur.eat("switchInt(") {
            return self.switch();
        }
        if self.cur.eat("drop(") {
            let place = self.place()?;
            self.cur.expect(")")?;
            let Edges { target, unwind } = self.one_target_edges()?;
            let Some(target) = target else { return fail("a drop that goes nowhere") };
            return Ok(TerminatorKind::Drop { place, target, unwind });
        }
        if self.cur.eat("assert(") {
            return self.assertion();
        }
        if self.cur.eat("falseEdge -> [real: ") {
            // The imaginary edge exists for the borrow checker only.
            let target = self.block()?;
            self.cur.balanced_until(|byte| byte == b']')?;
            self.cur.expect("]")?;
            return Ok(TerminatorKind::Goto(target));
        }
        if self.cur.eat("falseUnwind -> ") {
            let target = if self.cur.eat("[real: ") {
                let target = self.block()?;
                self.cur.balanced_until(|byte| byte == b']')?;
                self.cur.expect("]")?;
                target
            } else {
                self.block()?
            };
            return Ok(TerminatorKind::Goto(target));
        }
        for word in ["asm!", "yield(", "coroutine_drop", "tailcall ", "become "] {
            if self.cur.looking_at(word) {
                return self.unsupported(word.trim_end_matches(['(', ' ', '!']));
            }
        }
        if self.cur.looking_at("copy_nonoverlapping(") {
            return fail("the statement `copy_nonoverlapping` is not supported");
        }
        self.cur.unexpected("a statement or terminator")
    }

    fn unsupported(&mut self, what: &str) -> Parsed<TerminatorKind> {
        let start = self.cur.pos();
        self.cur.balanced_until(|byte| byte == b';')?;
        Ok(TerminatorKind::Unsupported(format!("{what}: {}", self.cur.since(start))))
    }

    fn block(&mut self) -> Parsed<BlockId> {
        self.cur.expect("bb")?;
        Ok(BlockId::from_usize(self.cur.number::<u32>()? as usize))
    }

    fn switch(&mut self) -> Parsed<TerminatorKind> {
        let discr = self.operand()?;
        self.cur.expect(") -> [")?;
        let mut targets = Vec::new();
        let mut otherwise = None;
        self.list_until("]", |parser| {
            if parser.cur.eat("otherwise: ") {
                otherwise = Some(parser.block()?);
                return Ok(());
            }
            let value = parser.cur.number::<u128>()?;
            parser.cur.expect(": ")?;
            targets.push((value, parser.block()?));
            Ok(())
        })?;
        Ok(TerminatorKind::SwitchInt { discr, targets, otherwise })
    }

    /// ` -> [return: bb1, unwind: bb2]`, ` -> bb2` or ` -> unwind continue` behind a call.
    fn call_edges(&mut self) -> Parsed<Edges> {
        self.cur.expect(" -> ")?;
        if self.cur.looking_at("bb") {
            return Ok(Edges { target: None, unwind: Some(self.block()?) });
        }
        self.edge_list("return: ")
    }

    fn one_target_edges(&mut self) -> Parsed<Edges> {
        self.cur.expect(" -> ")?;
        if self.cur.looking_at("bb") {
            return Ok(Edges { target: Some(self.block()?), unwind: None });
        }
        self.edge_list("return: ")
    }

    fn edge_list(&mut self, label: &str) -> Parsed<Edges> {
        let mut edges = Edges::default();
        if !self.cur.eat("[") {
            self.edge(label, &mut edges)?;
            return Ok(edges);
        }
        self.list_until("]", |parser| parser.edge(label, &mut edges))?;
        Ok(edges)
    }

    fn edge(&mut self, label: &str, edges: &mut Edges) -> Parsed<()> {
        if self.cur.eat(label) {
            edges.target = Some(self.block()?);
            return Ok(());
        }
        if self.cur.eat("unwind: ") {
            edges.unwind = Some(self.block()?);
            return Ok(());
        }
        if self.cur.eat("unwind terminate(abi)") {
            edges.unwind = Some(end_of_process());
            return Ok(());
        }
        if self.cur.eat("unwind terminate(") {
            self.cur.balanced_until(|byte| byte == b')')?;
            return self.cur.expect(")");
        }
        // Coroutines drop asynchronously; there is no such edge elsewhere.
        if self.cur.eat("unwind continue") || self.cur.eat("unwind unreachable") {
            return Ok(());
        }
        self.cur.unexpected("where control goes")
    }

    /// After `assert(`.
    fn assertion(&mut self) -> Parsed<TerminatorKind> {
        let expected = !self.cur.eat("!");
        let condition = self.operand()?;
        self.cur.expect(", ")?;
        let message = self.cur.string_literal()?;
        let operands = if self.cur.eat(", ") {
            self.operands_until(")")?
        } else {
            self.cur.expect(")")?;
            Vec::new()
        };
        self.cur.expect(" -> ")?;
        let Edges { target, unwind } = if self.cur.looking_at("bb") {
            Edges { target: Some(self.block()?), unwind: None }
        } else {
            self.edge_list("success: ")?
        };
        let Some(target) = target else { return fail("an assertion that cannot succeed") };
        let check = check_of(&message, operands)?;
        Ok(TerminatorKind::Assert { condition, expected, check, target, unwind })
    }
}

/// What the message of an assertion says about the check.
fn check_of(message: &str, operands: Vec<Operand>) -> Parsed<Check> {
    let mut operands = operands.into_iter();
    let mut next = || match operands.next() {
        Some(operand) => Ok(operand),
        None => fail(format!("the assertion `{message}` lacks an operand")),
    };
    let binary = [
        ("attempt to compute `{} + {}`, which would overflow", BinOp::Add),
        ("attempt to compute `{} - {}`, which would overflow", BinOp::Sub),
        ("attempt to compute `{} * {}`, which would overflow", BinOp::Mul),
        ("attempt to compute `{} / {}`, which would overflow", BinOp::Div),
        ("attempt to compute the remainder of `{} % {}`, which would overflow", BinOp::Rem),
    ];
    if let Some((_, op)) = binary.iter().find(|(text, _)| *text == message) {
        return Ok(Check::Overflow(*op, next()?, next()?));
    }
    Ok(match message {
        "index out of bounds: the length is {} but the index is {}" => {
            Check::BoundsCheck { len: next()?, index: next()? }
        }
        "attempt to shift left by `{}`, which would overflow" => Check::OverflowShift(BinOp::Shl, next()?),
        "attempt to shift right by `{}`, which would overflow" => Check::OverflowShift(BinOp::Shr, next()?),
        "attempt to negate `{}`, which would overflow" => Check::OverflowNeg(next()?),
        "attempt to divide `{}` by zero" => Check::DivisionByZero(next()?),
        "attempt to calculate the remainder of `{}` with a divisor of zero" => {
            Check::RemainderByZero(next()?)
        }
        _ => Check::Other(message.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{Const, FnRef, IntTy, LocalId};

    use super::super::testing::with_parser;
    use super::*;

    fn parse(text: &str) -> Parsed<Line> {
        with_parser(text, |parser| {
            let line = parser.line()?;
            if parser.cur.is_done() { Ok(line) } else { parser.cur.unexpected("the end") }
        })
    }

    fn check(text: &str, expected: TerminatorKind) {
        match parse(text) {
            Ok(Line::Terminator(kind)) => assert_eq!(kind, expected, "{text}"),
            other => panic!("{text} gave {other:?}"),
        }
    }

    fn place(index: usize) -> Place {
        Place::from(LocalId::from_usize(index))
    }

    fn bb(index: usize) -> BlockId {
        BlockId::from_usize(index)
    }

    #[test]
    fn jumps() {
        check("goto -> bb5;", TerminatorKind::Goto(bb(5)));
        check("return;", TerminatorKind::Return);
        check("resume;", TerminatorKind::Resume);
        check("unreachable;", TerminatorKind::Unreachable);
        check("terminate(cleanup);", TerminatorKind::Abort);
        check("falseEdge -> [real: bb1, imaginary: bb2];", TerminatorKind::Goto(bb(1)));
        check("falseUnwind -> [real: bb1, unwind continue];", TerminatorKind::Goto(bb(1)));
        let switch = |targets: &[(u128, usize)], otherwise| TerminatorKind::SwitchInt {
            discr: Operand::Move(place(9)),
            targets: targets.iter().map(|(value, target)| (*value, bb(*target))).collect(),
            otherwise,
        };
        check(
            "switchInt(move _9) -> [0: bb4, 251: bb5, otherwise: bb3];",
            switch(&[(0, 4), (251, 5)], Some(bb(3))),
        );
        check("switchInt(move _9) -> [1: bb4];", switch(&[(1, 4)], None));
    }

    #[test]
    fn drops() {
        let drop = |unwind| TerminatorKind::Drop { place: place(3), target: bb(3), unwind };
        check("drop(_3) -> [return: bb3, unwind: bb9];", drop(Some(bb(9))));
        check("drop(_3) -> [return: bb3, unwind continue];", drop(None));
        check("drop(_3) -> [return: bb3, unwind terminate(cleanup)];", drop(None));
        check("drop(_3) -> bb3;", drop(None));
    }

    #[test]
    fn calls() {
        let call = |target: Option<usize>, unwind: Option<usize>| TerminatorKind::Call {
            callee: Callee::Fn(FnRef::Free { path: "krate::f".into(), args: vec![] }),
            args: vec![Operand::Copy(place(1)), Operand::Move(place(2))],
            destination: place(5),
            target: target.map(bb),
            unwind: unwind.map(bb),
        };
        check("_5 = f(copy _1, move _2) -> [return: bb1, unwind continue];", call(Some(1), None));
        check("_5 = f(copy _1, move _2) -> [return: bb1, unwind: bb8];", call(Some(1), Some(8)));
        check("_5 = f(copy _1, move _2) -> [return: bb1, unwind unreachable];", call(Some(1), None));
        check(
            "_5 = f(copy _1, move _2) -> [return: bb1, unwind terminate(abi)];",
            call(Some(1), Some(end_of_process().index())),
        );
        check("_5 = f(copy _1, move _2) -> unwind continue;", call(None, None));
        // Without a target, the block named is the one that unwinding enters.
        check("_5 = f(copy _1, move _2) -> bb8;", call(None, Some(8)));
        check(
            "_0 = copy _1(copy _2) -> [return: bb1, unwind continue];",
            TerminatorKind::Call {
                callee: Callee::Pointer(Operand::Copy(place(1))),
                args: vec![Operand::Copy(place(2))],
                destination: place(0),
                target: Some(bb(1)),
                unwind: None,
            },
        );
    }

    #[test]
    fn checks() {
        let one = || Operand::Copy(place(1));
        let two = || Operand::Const(Const::int(2, IntTy::U8));
        let check_assert = |message: &str, operands: &str, expected: Check| {
            let text = format!(
                "assert(!move (_3.1: bool), \"{message}\"{operands}) -> [success: bb1, unwind: bb4];"
            );
            match parse(&text) {
                Ok(Line::Terminator(TerminatorKind::Assert {
                    expected: wanted,
                    check,
                    target,
                    unwind,
                    ..
                })) => {
                    assert_eq!(
                        (wanted, check, target, unwind),
                        (false, expected, bb(1), Some(bb(4))),
                        "{text}"
                    );
                }
                other => panic!("{text} gave {other:?}"),
            }
        };
        let binary = ", copy _1, const 2_u8";
        check_assert(
            "attempt to compute `{} + {}`, which would overflow",
            binary,
            Check::Overflow(BinOp::Add, one(), two()),
        );
        check_assert(
            "attempt to compute `{} - {}`, which would overflow",
            binary,
            Check::Overflow(BinOp::Sub, one(), two()),
        );
        check_assert(
            "attempt to compute `{} * {}`, which would overflow",
            binary,
            Check::Overflow(BinOp::Mul, one(), two()),
        );
        check_assert(
            "attempt to compute `{} / {}`, which would overflow",
            binary,
            Check::Overflow(BinOp::Div, one(), two()),
        );
        check_assert(
            "attempt to compute the remainder of `{} % {}`, which would overflow",
            binary,
            Check::Overflow(BinOp::Rem, one(), two()),
        );
        check_assert(
            "attempt to shift left by `{}`, which would overflow",
            ", copy _1",
            Check::OverflowShift(BinOp::Shl, one()),
        );
        check_assert(
            "attempt to shift right by `{}`, which would overflow",
            ", copy _1",
            Check::OverflowShift(BinOp::Shr, one()),
        );
        check_assert("attempt to negate `{}`, which would overflow", ", copy _1", Check::OverflowNeg(one()));
        check_assert("attempt to divide `{}` by zero", ", copy _1", Check::DivisionByZero(one()));
        check_assert(
            "attempt to calculate the remainder of `{}` with a divisor of zero",
            ", copy _1",
            Check::RemainderByZero(one()),
        );
        check_assert(
            "index out of bounds: the length is {} but the index is {}",
            binary,
            Check::BoundsCheck { len: one(), index: two() },
        );
        check_assert(
            "`async fn` resumed after completion",
            "",
            Check::Other("`async fn` resumed after completion".into()),
        );
    }

    #[test]
    fn statements() {
        for text in [
            "StorageLive(_2);",
            "StorageDead(_2);",
            "ConstEvalCounter;",
            "nop;",
            "FakeRead(ForLet(None), _1);",
            "PlaceMention(_1);",
        ] {
            assert!(matches!(parse(text), Ok(Line::Nothing)), "{text}");
        }
        assert!(matches!(
            parse("discriminant((*_16)) = 3;"),
            Ok(Line::Statement(StatementKind::SetDiscriminant(_, 3)))
        ));
        assert!(matches!(parse("((*_1).0: u8) = move _2;"), Ok(Line::Statement(StatementKind::Assign(..)))));
        let tuple = "_0 = std::option::Option::<u8>::Some(move _1);";
        assert!(matches!(parse(tuple), Ok(Line::Statement(StatementKind::Assign(..)))));
    }

    #[test]
    fn a_constant_that_is_a_function_is_called() {
        for arguments in ["copy _1", "move _1, copy _2", "const 1_u8", ""] {
            let text = format!("_0 = const <A as Tr>::F({arguments}) -> [return: bb1, unwind continue];");
            let parsed = parse(&text);
            let is_call = matches!(
                parsed,
                Ok(Line::Terminator(TerminatorKind::Call { callee: Callee::Pointer(Operand::Const(_)), .. }))
            );
            assert!(is_call, "{text}: {parsed:?}");
        }
    }

    #[test]
    fn what_no_engine_runs_is_kept() {
        for text in [
            "asm!(\"add {0}, 1\", inout(reg) copy _2 => _2, options()) -> [return: bb1, unwind unreachable];",
            "_4 = yield(move _5) -> [resume: bb2, drop: bb6];",
            "coroutine_drop;",
            "tailcall f(copy _1);",
        ] {
            assert!(matches!(parse(text), Ok(Line::Terminator(TerminatorKind::Unsupported(_)))), "{text}");
        }
    }

    #[test]
    fn damaged_lines_are_refused() {
        for text in [
            "",
            "goto -> bb;",
            "goto -> bb1",
            "_1 = ;",
            "_1 = f(copy _2) -> [return: bb1, what: bb2];",
            "_1 = Foo(copy _2, copy _3);",
            "switchInt(move _9) -> [x: bb4];",
            "drop(_3) -> unwind continue;",
            "assert(copy _1, \"attempt to divide `{}` by zero\") -> [success: bb1, unwind continue];",
            "copy_nonoverlapping(dst = copy _1, src = copy _2, count = copy _3);",
            "something new;",
        ] {
            // A tuple constructor of an unknown type is read by convention, so `Foo(…)` is the one exception.
            let known = text.starts_with("_1 = Foo");
            assert_eq!(parse(text).is_ok(), known, "{text}");
        }
    }
}
