//! Terminators, among them calls and checks.
//!
//! `-> bbN` without brackets names the only successor; behind a call without a target that is the block that
//! unwinding enters.

use regress_core::idx::Idx;
use regress_core::ir::{
    BinOp, BlockId, Callee, Check, Operand, Place, Rvalue, StatementKind, TerminatorKind,
};

use super::cursor::{Parsed, fail};
use super::rvalues::RightHandSide;
use super::types::Parser;

/// One line of a block.
#[derive(Debug)]
pub enum Line {
    Statement(StatementKind),
    Terminator(TerminatorKind),
    /// Says nothing about values: storage markers, counters of the evaluator.
    Nothing,
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
        if self.cur.eat("yield(") {
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
