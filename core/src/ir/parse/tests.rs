//! What is printed is read back as it was; what cannot be read is said with its place.

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, proptest};

use super::*;
use crate::idx::IdxVec;
use crate::random_programs::{Dialect, Random, program as random_program};

/// The body without what the text does not say.
fn without_spans(body: &Body) -> Body {
    let mut body = body.clone();
    for block in body.blocks.iter_mut() {
        block.statements.iter_mut().for_each(|statement| statement.span = None);
        block.terminator.span = None;
    }
    body.locals.iter_mut().for_each(|local| local.span = None);
    body
}

fn check_round_trip(function: &Function) -> Result<(), TestCaseError> {
    let text = function.to_string();
    let read = match program(&text) {
        Ok(read) => read,
        Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
    };
    let read = &read.functions[FnId::from_usize(0)];
    prop_assert!(read.to_string() == text, "{read}\n{text}");
    prop_assert!(
        (&read.path, read.kind, &read.generics, read.visibility)
            == (&function.path, function.kind, &function.generics, function.visibility)
    );
    prop_assert!((&read.inputs, &read.output) == (&function.inputs, &function.output), "{text}");
    match (&read.body, &function.body) {
        (FnBody::Present(read), FnBody::Present(body)) => {
            prop_assert!(without_spans(read) == without_spans(body), "{text}");
        }
        (read, body) => prop_assert!(format!("{read:?}") == format!("{body:?}"), "{text}"),
    }
    Ok(())
}

/// Anything that the IR can say, whether or not it makes sense.
struct Anything(Random);

impl Anything {
    fn one_of<T>(&mut self, choices: &[fn(&mut Self) -> T]) -> T {
        choices[self.0.below(choices.len())](self)
    }

    fn some<T>(&mut self, one: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.0.below(3)).map(|_| one(self)).collect()
    }

    fn maybe<T>(&mut self, one: impl Fn(&mut Self) -> T) -> Option<T> {
        (self.0.below(2) == 0).then(|| one(self))
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len())].clone()
    }

    fn text(&mut self) -> String {
        self.pick(&["", "a \"word\"", "line\nline\t\\", "// none", "`é`\u{1f600}\0\u{7f}"]).to_string()
    }

    fn path(&mut self) -> Path {
        let paths = [
            "f",
            "k::f",
            "std::vec::Vec",
            "k::f::{closure#0}",
            "k::f::{constant#1}::promoted[2]",
            "<k::S as std::clone::Clone>::clone",
            "[T]::iter",
            "*const T::add",
            "copy",
            "Add",
            "T",
        ];
        Path::new(self.pick(&paths))
    }

    fn name(&mut self) -> Name {
        Name::new(self.pick(&["x", "Some", "type_", "r2"]))
    }

    /// Of a parameter: an `impl Trait` is one, named by its text.
    fn param(&mut self) -> Name {
        Name::new(self.pick(&["T", "N", "Self", "impl Fn(u8)", "true", "u8", "b", "uninit"]))
    }

    fn parameter_kind(&mut self) -> GenericParamKind {
        match self.0.below(4) {
            0 => GenericParamKind::Const(ConstTy::Int(self.int_ty())),
            1 => GenericParamKind::Const(self.pick(&[ConstTy::Bool, ConstTy::Char])),
            _ => GenericParamKind::Type,
        }
    }

    fn int_ty(&mut self) -> IntTy {
        self.pick(&IntTy::ALL)
    }

    fn mutability(&mut self) -> Mutability {
        self.pick(&[Mutability::Shared, Mutability::Mut])
    }

    fn args(&mut self, depth: usize) -> GenericArgs {
        self.some(|any| match any.0.below(3) {
            0 => GenericArg::Const(any.constant(depth)),
            _ => GenericArg::Ty(any.ty(depth)),
        })
    }

    fn trait_ref(&mut self, depth: usize) -> TraitRef {
        TraitRef { self_ty: self.ty(depth), path: self.path(), args: self.args(depth) }
    }

    fn fn_ref(&mut self, depth: usize) -> FnRef {
        match self.0.below(3) {
            0 => FnRef::Free { path: self.path(), args: self.args(depth) },
            1 => FnRef::Inherent { path: self.path(), self_ty: self.ty(depth), args: self.args(depth) },
            _ => {
                FnRef::Trait { trait_ref: self.trait_ref(depth), method: self.name(), args: self.args(depth) }
            }
        }
    }

    fn ty(&mut self, depth: usize) -> Ty {
        let kind = match self.0.below(if depth == 0 { 9 } else { 19 }) {
            0 => TyKind::Bool,
            1 => TyKind::Char,
            2 => TyKind::Int(self.int_ty()),
            3 => TyKind::Float(self.pick(&[FloatTy::F32, FloatTy::F64])),
            4 => TyKind::Str,
            5 => TyKind::Never,
            6 => TyKind::Param(self.param()),
            7 => TyKind::Unsupported(self.text()),
            8 => TyKind::Adt(self.path(), Vec::new()),
            9 => TyKind::Adt(self.path(), self.args(depth - 1)),
            10 => TyKind::Tuple(self.some(|any| any.ty(depth - 1))),
            11 => TyKind::Array(self.ty(depth - 1), self.constant(depth - 1)),
            12 => TyKind::Slice(self.ty(depth - 1)),
            13 => TyKind::Ref(self.mutability(), self.ty(depth - 1)),
            14 => TyKind::RawPtr(self.mutability(), self.ty(depth - 1)),
            15 => TyKind::Projection { trait_ref: self.trait_ref(depth - 1), name: self.name() },
            16 => TyKind::FnPtr { inputs: self.some(|any| any.ty(depth - 1)), output: self.ty(depth - 1) },
            17 => match self.0.below(2) {
                0 => TyKind::FnDef(Box::new(self.fn_ref(depth - 1))),
                _ => TyKind::Closure(self.path(), self.args(depth - 1)),
            },
            _ => TyKind::Dyn(self.some(|any| DynTrait {
                path: any.path(),
                args: any.args(depth - 1),
                assoc_types: any.some(|any| (any.name(), any.ty(depth - 1))),
            })),
        };
        Ty::new(kind)
    }

    fn bits(&mut self) -> u128 {
        self.pick(&[0, 1, 200, 1 << 31, u128::from(u64::MAX), 1 << 127, u128::MAX])
    }

    fn constant(&mut self, depth: usize) -> Const {
        match self.0.below(if depth == 0 { 10 } else { 20 }) {
            0 => Const::Bool(self.0.below(2) == 0),
            1 => Const::Char(self.pick(&['a', '\'', '"', '\\', '\n', '\u{0}', 'é', '\u{1f600}', '\u{301}'])),
            2 | 3 => {
                let (ty, bits) = (self.int_ty(), self.bits());
                Const::Int(ty.truncate(bits), ty)
            }
            4 => {
                let values = [0.0f64, -0.0, 1.5, -1e-300, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
                let value = self.pick(&values);
                self.pick(&[
                    Const::Float(value.to_bits(), FloatTy::F64),
                    Const::Float((value as f32).to_bits().into(), FloatTy::F32),
                ])
            }
            5 => Const::Str(self.text()),
            6 => Const::ByteStr(self.pick(&[&b""[..], b"a\"\\\n", &[0, 127, 128, 255]]).to_vec()),
            7 => Const::Param(self.param()),
            8 => {
                self.pick(&[Const::Uninit, Const::StaticRef(Path::new("k::S")), Const::StaticRef("S".into())])
            }
            9 => Const::Unsupported(self.text()),
            10 => Const::Tuple(self.some(|any| any.constant(depth - 1))),
            11 => Const::Array(self.some(|any| any.constant(depth - 1))),
            12 => {
                let ty = Ty::adt(self.path(), self.args(depth - 1));
                let variant = self.maybe(Self::name);
                Const::Adt { ty, variant, fields: self.some(|any| any.constant(depth - 1)) }
            }
            13 => Const::Ref(Box::new(self.constant(depth - 1))),
            14 => Const::Fn(Box::new(self.fn_ref(depth - 1))),
            15 | 16 => Const::Item { path: self.path(), args: self.args(depth - 1) },
            17 => Const::AssocConst { trait_ref: self.trait_ref(depth - 1), name: self.name() },
            18 => Const::InherentConst { path: self.path(), self_ty: self.ty(depth - 1) },
            _ => Const::ZeroSized(self.ty(depth - 1)),
        }
    }

    fn local(&mut self) -> LocalId {
        LocalId::from_usize(self.0.below(12))
    }

    fn block(&mut self) -> BlockId {
        BlockId::from_usize(self.0.below(12))
    }

    fn end(&mut self) -> SequenceEnd {
        self.pick(&[SequenceEnd::Front, SequenceEnd::Back])
    }

    fn variant(&mut self) -> VariantRef {
        self.one_of(&[|any| VariantRef::Name(any.name()), |any| VariantRef::Index(any.0.below(9) as u32)])
    }

    fn place(&mut self) -> Place {
        let projection = |any: &mut Self| match any.0.below(6) {
            0 => Projection::Deref,
            1 => {
                let field = FieldId::from_usize(any.0.below(12));
                Projection::Field(field, any.maybe(|any| any.ty(1)))
            }
            2 => Projection::Downcast(any.variant()),
            3 => Projection::Index(any.local()),
            4 => Projection::ConstantIndex { offset: any.0.below(9) as u64, from: any.end() },
            _ => {
                let (from, to) = (any.0.below(9) as u64, any.0.below(9) as u64);
                Projection::Subslice { from, to, end: any.end() }
            }
        };
        let mut projections = self.some(projection);
        projections.extend(self.some(projection));
        Place { local: self.local(), projection: projections }
    }

    fn operand(&mut self) -> Operand {
        match self.0.below(3) {
            0 => Operand::Copy(self.place()),
            1 => Operand::Move(self.place()),
            _ => Operand::Const(self.constant(2)),
        }
    }

    fn operands(&mut self) -> Vec<Operand> {
        self.some(Self::operand)
    }

    fn binary(&mut self) -> BinOp {
        use BinOp::*;
        self.pick(&[
            Add, Sub, Mul, Div, Rem, BitXor, BitAnd, BitOr, Shl, Shr, Eq, Lt, Le, Ne, Ge, Gt, Cmp, Offset,
        ])
    }

    fn cast(&mut self) -> CastKind {
        use CastKind::*;
        self.pick(&[
            IntToInt,
            IntToFloat,
            FloatToInt,
            FloatToFloat,
            PtrToPtr,
            FnPtrToPtr,
            Unsize,
            ReifyFnPointer,
            ClosureFnPointer,
            UnsafeFnPointer,
            Transmute,
            Subtype,
            ExposeProvenance,
            WithExposedProvenance,
        ])
    }

    fn rvalue(&mut self) -> Rvalue {
        self.one_of(&[
            |any| Rvalue::Use(any.operand()),
            |any| Rvalue::Ref(any.mutability(), any.place()),
            |any| Rvalue::RawPtr(any.mutability(), any.place()),
            |any| Rvalue::Repeat(any.operand(), any.constant(2)),
            |any| Rvalue::Binary(any.binary(), any.operand(), any.operand()),
            |any| Rvalue::CheckedBinary(any.binary(), any.operand(), any.operand()),
            |any| Rvalue::Unary(any.pick(&[UnOp::Not, UnOp::Neg]), any.operand()),
            |any| Rvalue::Cast(any.cast(), any.operand(), any.ty(2)),
            |any| Rvalue::Discriminant(any.place()),
            |any| Rvalue::Len(any.place()),
            |any| Rvalue::PtrMetadata(any.operand()),
            |any| {
                let pointee = any.ty(2);
                let kind = match any.0.below(2) {
                    0 => TyKind::Ref(any.mutability(), pointee),
                    _ => TyKind::RawPtr(any.mutability(), pointee),
                };
                Rvalue::FatPtr { pointer: any.operand(), metadata: any.operand(), ty: Ty::new(kind) }
            },
            |any| {
                let kind = match any.0.below(4) {
                    0 => AggregateKind::Tuple,
                    1 => AggregateKind::Array,
                    2 => AggregateKind::Adt {
                        ty: Ty::adt(any.path(), any.args(2)),
                        variant: any.maybe(Self::variant),
                    },
                    _ => AggregateKind::Closure { path: any.path(), args: any.args(2) },
                };
                Rvalue::Aggregate(kind, any.operands())
            },
            |any| Rvalue::SizeOf(any.ty(2)),
            |any| Rvalue::AlignOf(any.ty(2)),
        ])
    }

    fn check(&mut self) -> Check {
        self.one_of(&[
            |any| Check::Overflow(any.binary(), any.operand(), any.operand()),
            |any| Check::OverflowNeg(any.operand()),
            |any| Check::OverflowShift(any.binary(), any.operand()),
            |any| Check::DivisionByZero(any.operand()),
            |any| Check::RemainderByZero(any.operand()),
            |any| Check::BoundsCheck { len: any.operand(), index: any.operand() },
            |any| Check::Other(any.text()),
        ])
    }

    fn terminator(&mut self) -> TerminatorKind {
        self.one_of(&[
            |any| TerminatorKind::Goto(any.block()),
            |any| TerminatorKind::SwitchInt {
                discr: any.operand(),
                targets: any.some(|any| (any.bits(), any.block())),
                otherwise: any.maybe(Self::block),
            },
            |any| {
                use TerminatorKind::*;
                any.pick(&[Return, Resume, Unreachable, Abort])
            },
            |any| TerminatorKind::Drop {
                place: any.place(),
                target: any.block(),
                unwind: any.maybe(Self::block),
            },
            |any| TerminatorKind::Call {
                callee: match any.0.below(2) {
                    0 => Callee::Fn(any.fn_ref(2)),
                    _ => Callee::Pointer(any.operand()),
                },
                args: any.operands(),
                destination: any.place(),
                target: any.maybe(Self::block),
                unwind: any.maybe(Self::block),
            },
            |any| TerminatorKind::Assert {
                condition: any.operand(),
                expected: any.0.below(2) == 0,
                check: any.check(),
                target: any.block(),
                unwind: any.maybe(Self::block),
            },
            |any| TerminatorKind::Unsupported(any.text()),
        ])
    }

    fn statement(&mut self) -> Statement {
        let kind = match self.0.below(8) {
            0 => StatementKind::SetDiscriminant(self.place(), self.0.below(9) as u32),
            1 => StatementKind::Nop,
            _ => StatementKind::Assign(self.place(), self.rvalue()),
        };
        Statement { kind, span: None }
    }

    fn body(&mut self) -> Body {
        let mut locals: IdxVec<LocalId, Local> = IdxVec::new();
        for _ in 0..1 + self.0.below(4) {
            locals.push(Local { ty: self.ty(2), name: self.maybe(Self::name), span: None });
        }
        let blocks = self.some(|any| Block {
            statements: any.some(Self::statement),
            terminator: Terminator { kind: any.terminator(), span: None },
            role: any.pick(&[BlockRole::Normal, BlockRole::Cleanup]),
        });
        Body { arg_count: self.0.below(locals.len()), locals, blocks: blocks.into() }
    }

    fn function(&mut self) -> Function {
        use FunctionKind::*;
        let body = match self.0.below(8) {
            0 => FnBody::Missing,
            1 => FnBody::Unreadable { reason: self.text(), line: self.maybe(|any| any.0.below(9) as u32) },
            _ => FnBody::Present(self.body().into()),
        };
        Function {
            path: self.path(),
            kind: self.pick(&[Fn, Closure, Constructor, Const, Static, StaticMut, Promoted, Test]),
            owner: Owner::Free,
            generics: self.some(|any| GenericParam { name: any.name(), kind: any.parameter_kind() }),
            bounds: Vec::new(),
            inputs: self.some(|any| any.ty(2)),
            output: self.ty(2),
            visibility: self.pick(&[Visibility::Public, Visibility::Private]),
            origin: Origin::Subject,
            span: None,
            body,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_function_is_read_as_it_was_printed(seed: u64) {
        check_round_trip(&Anything(Random::new(seed)).function())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_are_read_as_they_were_printed(seed: u64) {
        for dialect in [Dialect::Full, Dialect::Plain, Dialect::Lists] {
            let random = random_program(&Random::new(seed).program_in(dialect));
            for function in random.functions.iter() {
                check_round_trip(function)?;
            }
        }
    }
}

fn check_adt(text: &str) {
    let read = program(text).unwrap_or_else(|error| panic!("{error}"));
    let printed: String = read.adts.iter().map(ToString::to_string).collect();
    assert_eq!(printed.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn types_are_read_as_they_were_printed() {
    check_adt("pub struct k::Point<T> { pub x: T, y: [u8; 3] }");
    check_adt("struct k::Pair<T, const N>(pub T, [u8; N]);");
    check_adt("struct k::Unit;");
    check_adt("pub union k::Bits { pub int: u32, float: f32 }");
    check_adt("#[repr(i8)] enum k::E<T> { A = -1, B(T) = 0, C { x: T } = 7, }");
}

#[test]
fn discriminants_count_on_where_none_is_given() {
    let read = program("enum k::E { A, B = 5, C }").expect("it is an enum");
    let discriminants: Vec<i128> =
        read.adts[AdtId::from_usize(0)].variants.iter().map(|variant| variant.discriminant).collect();
    assert_eq!(discriminants, [0, 5, 6]);
}

#[test]
fn short_form_takes_locals_from_the_signature() {
    let short = program("fn f(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }");
    let long = program("fn f(_1: u8) -> u8 { let _0: u8; arg _1: u8; bb0: { _0 = copy _1; return; } }");
    let text =
        |read: Parsed<Program>| read.expect("both are right").functions[FnId::from_usize(0)].to_string();
    assert_eq!(text(short), text(long));
}

#[test]
fn lines_have_the_span_of_their_text() {
    let read =
        program("fn f() -> u8 {\n  bb0: {\n    _0 = const 1_u8;\n    return; } }").expect("it is right");
    let FnBody::Present(body) = &read.functions[FnId::from_usize(0)].body else { panic!("it has a body") };
    let block = &body.blocks[BlockId::entry()];
    let place = |span: Option<Span>| {
        span.map(|span| (span.line_start, span.col_start, span.line_end, span.col_end)).expect("it is there")
    };
    assert_eq!(place(block.statements[0].span), (3, 5, 3, 20));
    assert_eq!(place(block.terminator.span), (4, 5, 4, 11));
}

#[test]
fn methods_and_closures_have_their_owners() {
    let read = program(
        "fn k::f() -> () { bb0: { return; } }
         closure k::f::{closure#0}(_1: &u8) -> () { bb0: { return; } }
         impl<T> k::Show<T> for [T] { type Out = T; fn show(_1: &[T]) -> T; const N() -> u8; }",
    )
    .expect("it is right");
    let owner = |path: &str| {
        let id = read.functions_at(&Path::new(path)).first().unwrap_or_else(|| panic!("no {path}"));
        read.functions[*id].owner.clone()
    };
    assert_eq!(owner("k::f::{closure#0}"), Owner::Within(FnId::from_usize(0)));
    assert_eq!(owner("<[T] as k::Show<T>>::show"), Owner::TraitImpl(ImplId::from_usize(0)));
    let implementation = &read.impls[read.impls_of(&Path::new("k::Show"))[0]];
    assert_eq!(implementation.methods[&Name::new("show")], FnId::from_usize(2));
    assert_eq!(implementation.consts[&Name::new("N")], FnId::from_usize(3));
    assert_eq!(implementation.types[&Name::new("Out")].to_string(), "T");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = program(text).map(|_| ()).expect_err("it is wrong");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let body = |text: &str| format!("fn f(_1: u8) -> u8 {{\n bb0: {{\n  {text}\n }} }}");
    check_error(
        "fun f() -> u8;",
        "1:1: expected an item: `fn`, `const`, `static`, `struct`, `enum`, `union`, `impl`, …, found `fun f() -> u8;`",
    );
    check_error(
        "fn f(_2: u8) -> u8;",
        "1:6: expected parameters in order, from `_1` on, found `_2: u8) -> u8;`",
    );
    check_error("fn f(_1: ) -> u8;", "1:10: expected a type, found `) -> u8;`");
    check_error(&body("_0 = Add(copy _1 copy _1);"), "3:20: expected `,`, found `copy _1);`");
    check_error(&body("assert(copy _1, \"no\") => bb1;"), "3:25: expected `->`, found `=> bb1;`");
    check_error(
        &body("_0 = const 3_u9;"),
        "3:14: expected a number with its type, as `3_u8` or `1.5f64`, found `3_u9;`",
    );
    check_error(
        &body("assert(copy _1, never) -> bb1;"),
        "3:19: expected what is checked, found `never) -> bb1;`",
    );
    check_error(&body("_0 = copy _1 as u16 (Widen);"), "3:24: expected a kind of cast, found `Widen);`");
    check_error("fn f() -> u8 { bb1: { return; } }", "1:16: expected `bb0`, found `bb1: { return; } }`");
    check_error(
        "fn f() -> u8 { let _2: u8; bb0: { return; } }",
        "1:20: expected `_1`, found `_2: u8; bb0: { return; } }`",
    );
}
