//! Small random programs for the tests of comparison and exploration.
//!
//! A program is a tree of statements with two readings that share no code: the interpreter below, and basic blocks for
//! the engine. Pointers are raw, so they may alias and be redirected in arms; arrays are indexed without bounds checks,
//! so that nothing but the slices themselves says which elements an arm may write. A vector grows and shrinks in arms, and
//! a reference that was made in front of all branches is lent to calls.

use crate::idx::{Idx, IdxVec};
use crate::ir::*;
use crate::value::PanicKind;

/// Two arguments, two variables, and what the third argument refers to.
const VARS: usize = 5;
const POINTERS: usize = 2;
const ELEMENTS: usize = 4;
const SET: &str = "set77";
const SET_LENT: &str = "set77_lent";

#[derive(Clone, Debug)]
pub enum Expr {
    Const(u8),
    Var(usize),
    Through(usize),
    Element(Box<Expr>),
    /// Of the list, without the bits above a byte.
    Length,
    Op(BinOp, Box<Expr>, Box<Expr>),
}

/// `a == b` or `a < b`.
#[derive(Clone, Debug)]
pub struct Cond(pub BinOp, pub Expr, pub Expr);

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign(usize, Expr),
    Store(usize, Expr),
    Point(usize, usize),
    CopyPointer(usize, usize),
    SetElement(Expr, Expr),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    Repeat(u8, Vec<Stmt>),
    BreakIf(Cond),
    ReturnIf(Cond, Expr),
    Assert(Cond, PanicKind),
    /// `if e == 77 { *p = 78 }` in a callee.
    Call(usize, Expr),
    /// `list = Vec::new(); lent = &mut *z`; both are there only after that.
    NewList,
    /// `if e == 77 { *lent = 78 }` in a callee that takes a `&mut u8`.
    Lend(Expr),
    Push(Expr),
    Pop,
    /// `v = list.get(i).copied().unwrap_or(0)`
    Peek(usize, Expr),
}

/// A xorshift generator: programs are functions of a seed, so that failures can be repeated.
pub struct Random(u64);

/// Which statements a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Full,
    /// No pointers, no array, no calls: what the definitions of the paper are about, and nothing else.
    Plain,
    /// A vector in the place of the array, of the calls, and of pointers that are copied.
    Lists,
}

impl Random {
    /// The generator of this seed, past its first values, in which small seeds still show.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn constant(&mut self) -> u8 {
        [0, 1, 2, 3, 77, 78, 255][self.below(7)]
    }

    fn expr(&mut self, depth: usize) -> Expr {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => Expr::Const(self.constant()),
            2..=4 => Expr::Var(self.below(VARS)),
            5 => Expr::Through(self.below(POINTERS)),
            6 => Expr::Element(Box::new(self.expr(0))),
            _ => {
                let op = [BinOp::Add, BinOp::BitXor, BinOp::BitAnd, BinOp::Sub][self.below(4)];
                Expr::Op(op, Box::new(self.expr(depth - 1)), Box::new(self.expr(depth - 1)))
            }
        }
    }

    fn cond(&mut self) -> Cond {
        let op = if self.below(3) == 0 { BinOp::Lt } else { BinOp::Eq };
        Cond(op, self.expr(1), Expr::Const(self.constant()))
    }

    fn stmt(&mut self, depth: usize, in_loop: bool) -> Stmt {
        match self.below(if depth == 0 { 13 } else { 19 }) {
            0..=2 => Stmt::Assign(self.below(VARS), self.expr(1)),
            3 | 4 => Stmt::Store(self.below(POINTERS), self.expr(1)),
            5 | 6 => Stmt::Point(self.below(POINTERS), self.below(VARS)),
            7 => Stmt::CopyPointer(self.below(POINTERS), self.below(POINTERS)),
            8 | 9 => Stmt::SetElement(self.expr(0), self.expr(1)),
            10 => Stmt::Call(self.below(POINTERS), self.expr(1)),
            11 if in_loop => Stmt::BreakIf(self.cond()),
            11 => Stmt::ReturnIf(self.cond(), self.expr(1)),
            12 => {
                let kind = [PanicKind::Explicit, PanicKind::DivisionByZero][self.below(2)];
                Stmt::Assert(self.cond(), kind)
            }
            13 => Stmt::Repeat(1 + self.below(3) as u8, self.stmts(depth - 1, true)),
            _ => Stmt::If(self.cond(), self.stmts(depth - 1, in_loop), self.stmts(depth - 1, in_loop)),
        }
    }

    fn stmts(&mut self, depth: usize, in_loop: bool) -> Vec<Stmt> {
        (0..self.below(4)).map(|_| self.stmt(depth, in_loop)).collect()
    }

    pub fn program(&mut self) -> (Vec<Stmt>, Expr) {
        ((0..3 + self.below(4)).map(|_| self.stmt(2, false)).collect(), self.expr(1))
    }

    pub fn program_in(&mut self, dialect: Dialect) -> (Vec<Stmt>, Expr) {
        dialect.of(self.program())
    }

    /// Replaces, removes or doubles one statement somewhere.
    pub fn change(&mut self, stmts: &mut Vec<Stmt>, depth: usize, in_loop: bool) {
        if stmts.is_empty() {
            return stmts.push(self.stmt(depth, in_loop));
        }
        let at = self.below(stmts.len());
        match &mut stmts[at] {
            Stmt::If(_, then, otherwise) if depth > 0 && self.below(4) > 0 => {
                let arm = if self.below(2) == 0 { then } else { otherwise };
                self.change(arm, depth - 1, in_loop)
            }
            Stmt::Repeat(_, body) if depth > 0 && self.below(4) > 0 => self.change(body, depth - 1, true),
            Stmt::Assign(_, value) | Stmt::Store(_, value) | Stmt::SetElement(_, value) => {
                *value = self.expr(1)
            }
            _ => stmts[at] = self.stmt(depth, in_loop),
        }
    }
}

impl Dialect {
    /// A program like this one in the dialect.
    pub fn of(self, (stmts, result): (Vec<Stmt>, Expr)) -> (Vec<Stmt>, Expr) {
        match self {
            Dialect::Full => (stmts, result),
            Dialect::Plain => (plain(stmts), plain_expr(result)),
            Dialect::Lists => {
                let mut all = vec![Stmt::NewList];
                all.extend(listed(stmts));
                (all, listed_expr(result))
            }
        }
    }
}

/// The statements with a list in the place of the array, of calls, and of pointers that are copied.
fn listed(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let one = |stmt| match stmt {
        Stmt::SetElement(_, value) => Stmt::Push(listed_expr(value)),
        Stmt::CopyPointer(..) => Stmt::Pop,
        Stmt::Call(0, index) => Stmt::Peek(2, listed_expr(index)),
        Stmt::Call(_, value) | Stmt::Lend(value) => Stmt::Lend(listed_expr(value)),
        Stmt::Assign(var, value) => Stmt::Assign(var, listed_expr(value)),
        Stmt::Store(pointer, value) => Stmt::Store(pointer, listed_expr(value)),
        Stmt::If(cond, then, otherwise) => Stmt::If(listed_cond(cond), listed(then), listed(otherwise)),
        Stmt::Repeat(times, body) => Stmt::Repeat(times, listed(body)),
        Stmt::BreakIf(cond) => Stmt::BreakIf(listed_cond(cond)),
        Stmt::ReturnIf(cond, value) => Stmt::ReturnIf(listed_cond(cond), listed_expr(value)),
        Stmt::Assert(cond, kind) => Stmt::Assert(listed_cond(cond), kind),
        Stmt::Point(..) | Stmt::NewList | Stmt::Push(_) | Stmt::Pop | Stmt::Peek(..) => stmt,
    };
    stmts.into_iter().map(one).collect()
}

fn listed_cond(Cond(op, a, b): Cond) -> Cond {
    Cond(op, listed_expr(a), listed_expr(b))
}

fn listed_expr(expr: Expr) -> Expr {
    match expr {
        Expr::Element(_) => Expr::Length,
        Expr::Op(op, a, b) => Expr::Op(op, Box::new(listed_expr(*a)), Box::new(listed_expr(*b))),
        expr => expr,
    }
}

/// The statements with variables in the place of pointers and elements.
fn plain(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let one = |stmt| match stmt {
        Stmt::Assign(var, value) => Stmt::Assign(var, plain_expr(value)),
        Stmt::Store(pointer, value) | Stmt::Call(pointer, value) => {
            Stmt::Assign(pointer + 2, plain_expr(value))
        }
        Stmt::Point(pointer, var) => Stmt::Assign(pointer + 2, Expr::Var(var)),
        Stmt::CopyPointer(to, from) => Stmt::Assign(to + 2, Expr::Var(from)),
        Stmt::SetElement(index, value) => {
            Stmt::Assign(4, plain_expr(Expr::Op(BinOp::Add, Box::new(index), Box::new(value))))
        }
        Stmt::If(cond, then, otherwise) => Stmt::If(plain_cond(cond), plain(then), plain(otherwise)),
        Stmt::Repeat(times, body) => Stmt::Repeat(times, plain(body)),
        Stmt::BreakIf(cond) => Stmt::BreakIf(plain_cond(cond)),
        Stmt::ReturnIf(cond, value) => Stmt::ReturnIf(plain_cond(cond), plain_expr(value)),
        Stmt::Assert(cond, kind) => Stmt::Assert(plain_cond(cond), kind),
        Stmt::NewList | Stmt::Lend(_) | Stmt::Push(_) | Stmt::Pop | Stmt::Peek(..) => {
            unreachable!("in no other dialect")
        }
    };
    stmts.into_iter().map(one).collect()
}

fn plain_cond(Cond(op, a, b): Cond) -> Cond {
    Cond(op, plain_expr(a), plain_expr(b))
}

fn plain_expr(expr: Expr) -> Expr {
    match expr {
        Expr::Through(pointer) => Expr::Var(pointer + 2),
        Expr::Element(index) => plain_expr(*index),
        Expr::Op(op, a, b) => Expr::Op(op, Box::new(plain_expr(*a)), Box::new(plain_expr(*b))),
        expr => expr,
    }
}

// The first reading: an interpreter.

struct State {
    vars: [u8; VARS],
    pointers: [usize; POINTERS],
    elements: [u8; ELEMENTS],
    list: Vec<u8>,
}

enum Flow {
    Next,
    Break,
    Return(u8),
    Panic(PanicKind),
}

impl State {
    fn expr(&self, expr: &Expr) -> u8 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Var(var) => self.vars[*var],
            Expr::Through(pointer) => self.vars[self.pointers[*pointer]],
            Expr::Element(index) => self.elements[usize::from(self.expr(index)) % ELEMENTS],
            Expr::Length => self.list.len() as u8,
            Expr::Op(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::BitXor => a ^ b,
                    _ => a & b,
                }
            }
        }
    }

    fn cond(&self, Cond(op, a, b): &Cond) -> bool {
        let (a, b) = (self.expr(a), self.expr(b));
        if *op == BinOp::Lt { a < b } else { a == b }
    }

    fn run(&mut self, stmts: &[Stmt]) -> Flow {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(var, value) => self.vars[*var] = self.expr(value),
                Stmt::Store(pointer, value) => self.vars[self.pointers[*pointer]] = self.expr(value),
                Stmt::Point(pointer, var) => self.pointers[*pointer] = *var,
                Stmt::CopyPointer(to, from) => self.pointers[*to] = self.pointers[*from],
                Stmt::SetElement(index, value) => {
                    self.elements[usize::from(self.expr(index)) % ELEMENTS] = self.expr(value)
                }
                Stmt::If(cond, then, otherwise) => {
                    let arm = if self.cond(cond) { then } else { otherwise };
                    match self.run(arm) {
                        Flow::Next => {}
                        other => return other,
                    }
                }
                Stmt::Repeat(times, body) => {
                    for _ in 0..*times {
                        match self.run(body) {
                            Flow::Next => {}
                            Flow::Break => break,
                            other => return other,
                        }
                    }
                }
                Stmt::BreakIf(cond) if self.cond(cond) => return Flow::Break,
                Stmt::ReturnIf(cond, value) if self.cond(cond) => return Flow::Return(self.expr(value)),
                Stmt::Assert(cond, kind) if self.cond(cond) => return Flow::Panic(*kind),
                Stmt::BreakIf(_) | Stmt::ReturnIf(..) | Stmt::Assert(..) => {}
                Stmt::Call(pointer, value) => {
                    if self.expr(value) == 77 {
                        self.vars[self.pointers[*pointer]] = 78;
                    }
                }
                Stmt::NewList => self.list = Vec::new(),
                Stmt::Lend(value) => {
                    if self.expr(value) == 77 {
                        self.vars[4] = 78;
                    }
                }
                Stmt::Push(value) => self.list.push(self.expr(value)),
                Stmt::Pop => {
                    self.list.pop();
                }
                Stmt::Peek(var, index) => {
                    self.vars[*var] = self.list.get(usize::from(self.expr(index))).copied().unwrap_or(0)
                }
            }
        }
        Flow::Next
    }
}

/// What a caller sees: the result and what the reference holds, or the panic.
pub fn interpret((stmts, result): &(Vec<Stmt>, Expr), [x, y, z]: [u8; 3]) -> Result<(u8, u8), PanicKind> {
    let mut state =
        State { vars: [x, y, 0, 1, z], pointers: [2, 3], elements: [0, 1, 2, 3], list: Vec::new() };
    match state.run(stmts) {
        Flow::Panic(kind) => Err(kind),
        Flow::Return(value) => Ok((value, state.vars[4])),
        _ => Ok((state.expr(result), state.vars[4])),
    }
}

// The second reading: basic blocks.

fn byte() -> Ty {
    Ty::int(IntTy::U8)
}

fn vector() -> Ty {
    Ty::adt(KnownType::Vec, vec![GenericArg::Ty(byte())])
}

fn raw() -> Ty {
    Ty::new(TyKind::RawPtr(Mutability::Mut, byte()))
}

fn constant(value: u8) -> Operand {
    Operand::Const(Const::int(value.into(), IntTy::U8))
}

fn behind(local: LocalId) -> Place {
    Place { local, projection: vec![Projection::Deref] }
}

struct Lower {
    locals: IdxVec<LocalId, Local>,
    blocks: IdxVec<BlockId, Block>,
    block: BlockId,
    loop_exits: Vec<BlockId>,
    exit: BlockId,
}

impl Lower {
    fn local(&mut self, ty: Ty) -> LocalId {
        self.locals.push(Local { ty, name: None, span: None })
    }

    fn new_block(&mut self) -> BlockId {
        let terminator = Terminator { kind: TerminatorKind::Unreachable, span: None };
        self.blocks.push(Block { statements: Vec::new(), terminator, role: BlockRole::Normal })
    }

    fn assign(&mut self, place: Place, value: Rvalue) {
        let kind = StatementKind::Assign(place, value);
        self.blocks[self.block].statements.push(Statement { kind, span: None });
    }

    /// Ends the current block and goes on in another one.
    fn end(&mut self, kind: TerminatorKind, next: BlockId) {
        self.blocks[self.block].terminator.kind = kind;
        self.block = next;
    }

    fn var(&self, var: usize) -> Place {
        match var {
            0 | 1 => LocalId::from_usize(var + 1).into(),
            4 => behind(LocalId::from_usize(3)),
            _ => LocalId::from_usize(var + 2).into(),
        }
    }

    fn pointer(&self, pointer: usize) -> LocalId {
        LocalId::from_usize(6 + pointer)
    }

    fn element(&mut self, index: &Expr) -> Place {
        let mask = ELEMENTS as u8 - 1;
        let index = Expr::Op(BinOp::BitAnd, Box::new(index.clone()), Box::new(Expr::Const(mask)));
        let index = self.expr(&index);
        let wide = self.local(Ty::int(IntTy::Usize));
        self.assign(wide.into(), Rvalue::Cast(CastKind::IntToInt, index, Ty::int(IntTy::Usize)));
        Place { local: LocalId::from_usize(8), projection: vec![Projection::Index(wide)] }
    }

    /// Calls a function that gives nothing back.
    fn call(&mut self, path: &str, args: Vec<Operand>) {
        let next = self.new_block();
        let unit = self.local(Ty::unit());
        let kind = TerminatorKind::Call {
            callee: Callee::Fn(FnRef::Free { path: Path::new(path), args: Vec::new() }),
            args,
            destination: unit.into(),
            target: Some(next),
            unwind: None,
        };
        self.end(kind, next);
    }

    fn lent(&self) -> LocalId {
        LocalId::from_usize(10)
    }

    fn list(&self) -> LocalId {
        LocalId::from_usize(9)
    }

    /// `Vec::method(&mut list, ..)`, or without the list where the method makes one.
    fn list_method(&mut self, method: &str, args: Vec<Operand>, destination: LocalId) {
        let next = self.new_block();
        let kind = TerminatorKind::Call {
            callee: Callee::Fn(FnRef::Inherent {
                path: Path::new(format!("{}::{method}", KnownType::Vec.path())),
                self_ty: vector(),
                args: Vec::new(),
            }),
            args,
            destination: destination.into(),
            target: Some(next),
            unwind: None,
        };
        self.end(kind, next);
    }

    fn list_reference(&mut self, mutability: Mutability) -> Operand {
        let ty = Ty::new(TyKind::Ref(mutability, vector()));
        self.temp(ty, Rvalue::Ref(mutability, self.list().into()))
    }

    fn list_len(&mut self) -> Operand {
        let len = self.local(Ty::int(IntTy::Usize));
        let list = self.list_reference(Mutability::Shared);
        self.list_method("len", vec![list], len);
        Operand::Copy(len.into())
    }

    fn temp(&mut self, ty: Ty, value: Rvalue) -> Operand {
        let local = self.local(ty);
        self.assign(local.into(), value);
        Operand::Copy(local.into())
    }

    fn expr(&mut self, expr: &Expr) -> Operand {
        match expr {
            Expr::Const(value) => constant(*value),
            Expr::Var(var) => Operand::Copy(self.var(*var)),
            Expr::Through(pointer) => Operand::Copy(behind(self.pointer(*pointer))),
            Expr::Element(index) => Operand::Copy(self.element(index)),
            Expr::Length => {
                let len = self.list_len();
                self.temp(byte(), Rvalue::Cast(CastKind::IntToInt, len, byte()))
            }
            Expr::Op(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.temp(byte(), Rvalue::Binary(*op, a, b))
            }
        }
    }

    fn cond(&mut self, Cond(op, a, b): &Cond) -> Operand {
        let (a, b) = (self.expr(a), self.expr(b));
        self.temp(Ty::new(TyKind::Bool), Rvalue::Binary(*op, a, b))
    }

    /// Goes to `yes` if the condition holds; lowering goes on at `next`.
    fn branch(&mut self, discr: Operand, yes: BlockId, no: BlockId, next: BlockId) {
        self.end(TerminatorKind::SwitchInt { discr, targets: vec![(0, no)], otherwise: Some(yes) }, next);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(var, value) => {
                let value = self.expr(value);
                self.assign(self.var(*var), Rvalue::Use(value));
            }
            Stmt::Store(pointer, value) => {
                let value = self.expr(value);
                self.assign(behind(self.pointer(*pointer)), Rvalue::Use(value));
            }
            Stmt::Point(pointer, var) => {
                let target = self.var(*var);
                self.assign(self.pointer(*pointer).into(), Rvalue::RawPtr(Mutability::Mut, target));
            }
            Stmt::CopyPointer(to, from) => {
                let value = Operand::Copy(self.pointer(*from).into());
                self.assign(self.pointer(*to).into(), Rvalue::Use(value));
            }
            Stmt::SetElement(index, value) => {
                let value = self.expr(value);
                let place = self.element(index);
                self.assign(place, Rvalue::Use(value));
            }
            Stmt::If(cond, then, otherwise) => {
                let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
                let cond = self.cond(cond);
                self.branch(cond, yes, no, yes);
                self.stmts(then);
                self.end(TerminatorKind::Goto(join), no);
                self.stmts(otherwise);
                self.end(TerminatorKind::Goto(join), join);
            }
            Stmt::Repeat(times, body) => {
                let (head, inside, exit) = (self.new_block(), self.new_block(), self.new_block());
                let counter = self.local(byte());
                self.assign(counter.into(), Rvalue::Use(constant(0)));
                self.end(TerminatorKind::Goto(head), head);
                let now = Operand::Copy(counter.into());
                let more = self
                    .temp(Ty::new(TyKind::Bool), Rvalue::Binary(BinOp::Lt, now.clone(), constant(*times)));
                self.branch(more, inside, exit, inside);
                self.loop_exits.push(exit);
                self.stmts(body);
                self.loop_exits.pop();
                self.assign(counter.into(), Rvalue::Binary(BinOp::Add, now, constant(1)));
                self.end(TerminatorKind::Goto(head), exit);
            }
            Stmt::BreakIf(cond) => {
                let (exit, next) = (*self.loop_exits.last().expect("in a loop"), self.new_block());
                let cond = self.cond(cond);
                self.branch(cond, exit, next, next);
            }
            Stmt::ReturnIf(cond, value) => {
                let (yes, next) = (self.new_block(), self.new_block());
                let cond = self.cond(cond);
                self.branch(cond, yes, next, yes);
                let value = self.expr(value);
                self.assign(LocalId::return_place().into(), Rvalue::Use(value));
                self.end(TerminatorKind::Goto(self.exit), next);
            }
            Stmt::Assert(cond, kind) => {
                let next = self.new_block();
                let condition = self.cond(cond);
                let check = match kind {
                    PanicKind::DivisionByZero => Check::DivisionByZero(constant(1)),
                    _ => Check::Other(String::new()),
                };
                let kind =
                    TerminatorKind::Assert { condition, expected: false, check, target: next, unwind: None };
                self.end(kind, next);
            }
            Stmt::Call(pointer, value) => {
                let value = self.expr(value);
                self.call(SET, vec![Operand::Copy(self.pointer(*pointer).into()), value]);
            }
            Stmt::NewList => {
                self.list_method("new", Vec::new(), self.list());
                let reference = Rvalue::Ref(Mutability::Mut, behind(LocalId::from_usize(3)));
                self.assign(self.lent().into(), reference);
            }
            Stmt::Lend(value) => {
                let value = self.expr(value);
                self.call(SET_LENT, vec![Operand::Copy(self.lent().into()), value]);
            }
            Stmt::Push(value) => {
                let value = self.expr(value);
                let list = self.list_reference(Mutability::Mut);
                let unit = self.local(Ty::unit());
                self.list_method("push", vec![list, value], unit);
            }
            Stmt::Pop => {
                let list = self.list_reference(Mutability::Mut);
                let popped = self.local(Ty::adt(KnownType::Option, vec![GenericArg::Ty(byte())]));
                self.list_method("pop", vec![list], popped);
            }
            Stmt::Peek(var, index) => {
                let index = self.expr(index);
                let wide = self.local(Ty::int(IntTy::Usize));
                self.assign(wide.into(), Rvalue::Cast(CastKind::IntToInt, index, Ty::int(IntTy::Usize)));
                let len = self.list_len();
                let inside = Rvalue::Binary(BinOp::Lt, Operand::Copy(wide.into()), len);
                let inside = self.temp(Ty::new(TyKind::Bool), inside);
                let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(inside, yes, no, yes);
                let slice =
                    self.local(Ty::new(TyKind::Ref(Mutability::Shared, Ty::new(TyKind::Slice(byte())))));
                let list = self.list_reference(Mutability::Shared);
                self.list_method("as_slice", vec![list], slice);
                let element =
                    Place { local: slice, projection: vec![Projection::Deref, Projection::Index(wide)] };
                self.assign(self.var(*var), Rvalue::Use(Operand::Copy(element)));
                self.end(TerminatorKind::Goto(join), no);
                self.assign(self.var(*var), Rvalue::Use(constant(0)));
                self.end(TerminatorKind::Goto(join), join);
            }
        }
    }
}

fn lower(arg_count: usize, types: Vec<Ty>, build: impl FnOnce(&mut Lower)) -> FnBody {
    let locals = types.into_iter().map(|ty| Local { ty, name: None, span: None }).collect();
    let start = BlockId::entry();
    let mut lower =
        Lower { locals, blocks: IdxVec::new(), block: start, loop_exits: Vec::new(), exit: start };
    lower.new_block();
    lower.exit = lower.new_block();
    build(&mut lower);
    let exit = lower.exit;
    lower.end(TerminatorKind::Goto(exit), exit);
    lower.end(TerminatorKind::Return, exit);
    FnBody::Present(Body { locals: lower.locals, arg_count, blocks: lower.blocks }.into())
}

fn function(path: &str, inputs: Vec<Ty>, output: Ty, body: FnBody) -> Function {
    Function {
        path: Path::new(path),
        kind: FunctionKind::Fn,
        owner: Owner::Free,
        generics: Vec::new(),
        bounds: Vec::new(),
        inputs,
        output,
        visibility: Visibility::Public,
        origin: Origin::Subject,
        span: None,
        body,
    }
}

pub fn program((stmts, result): &(Vec<Stmt>, Expr)) -> Program {
    let reference = Ty::new(TyKind::Ref(Mutability::Mut, byte()));
    let inputs = vec![byte(), byte(), reference.clone()];
    let array = Ty::new(TyKind::Array(byte(), Const::int(ELEMENTS as i128, IntTy::Usize)));
    let mut types = vec![byte()];
    types.extend(inputs.clone());
    types.extend([byte(), byte(), raw(), raw(), array, vector(), reference.clone()]);
    let body = lower(3, types, |lower| {
        lower.stmt(&Stmt::Assign(2, Expr::Const(0)));
        lower.stmt(&Stmt::Assign(3, Expr::Const(1)));
        lower.stmt(&Stmt::Point(0, 2));
        lower.stmt(&Stmt::Point(1, 3));
        let elements = (0..ELEMENTS as u8).map(constant).collect();
        lower.assign(LocalId::from_usize(8).into(), Rvalue::Aggregate(AggregateKind::Array, elements));
        lower.stmts(stmts);
        let value = lower.expr(result);
        lower.assign(LocalId::return_place().into(), Rvalue::Use(value));
    });
    let set = |pointer: Ty| {
        lower(2, vec![Ty::unit(), pointer, byte()], |lower| {
            let is77 = lower.cond(&Cond(BinOp::Eq, Expr::Var(1), Expr::Const(77)));
            let (yes, exit) = (lower.new_block(), lower.exit);
            lower.branch(is77, yes, exit, yes);
            lower.assign(behind(LocalId::from_usize(1)), Rvalue::Use(constant(78)));
        })
    };
    let mut program = Program::default();
    program.functions.push(function("subject", inputs, byte(), body));
    program.functions.push(function(SET, vec![raw(), byte()], Ty::unit(), set(raw())));
    let set_lent = set(reference.clone());
    program.functions.push(function(SET_LENT, vec![reference, byte()], Ty::unit(), set_lent));
    program.build_index();
    program
}
