use regress_core::ir::{GenericArg, Ty, TyKind};

use super::super::testing::{with_parser, with_root_items};
use super::*;

fn parse(text: &str) -> Parsed<Const> {
    with_parser(text, |parser| {
        let value = parser.constant()?;
        if parser.cur.is_done() { Ok(value) } else { parser.cur.unexpected("the end") }
    })
}

fn check(text: &str, expected: Const) {
    assert_eq!(parse(text), Ok(expected), "{text}");
}

fn float(value: f64) -> Const {
    Const::Float(value.to_bits(), FloatTy::F64)
}

fn u8s(values: &[i128]) -> Vec<Const> {
    values.iter().map(|value| Const::int(*value, IntTy::U8)).collect()
}

fn ty(text: &str) -> Ty {
    with_parser(text, |parser| parser.ty()).expect(text)
}

#[test]
fn literals() {
    check("-1_i32", Const::int(-1, IntTy::I32));
    check("340282366920938463463374607431768211455_u128", Const::Int(u128::MAX, IntTy::U128));
    check("-170141183460469231731687303715884105728_i128", Const::Int(1 << 127, IntTy::I128));
    check("i32::MIN", Const::int(i32::MIN.into(), IntTy::I32));
    check("std::u16::MAX", Const::int(u16::MAX.into(), IntTy::U16));
    check("core::num::<impl u8>::BITS", Const::int(8, IntTy::U32));
    check("true", Const::Bool(true));
    check("'é'", Const::Char('é'));
    check(r"'\u{7f}'", Const::Char('\u{7f}'));
    check("2.5f64", float(2.5));
    check("-0f64", float(-0.0));
    check("1.5E+300f64", float(1.5e300));
    check("1.5f32", Const::Float(1.5f32.to_bits().into(), FloatTy::F32));
    check("+Inf_f64", float(f64::INFINITY));
    check("-Inf_f64", float(f64::NEG_INFINITY));
    check("core::f64::<impl f64>::EPSILON", float(f64::EPSILON));
    check("core::f64::<impl f64>::MIN_EXP", Const::Int(u128::from((-1021_i32) as u32), IntTy::I32));
    check("std::f32::MANTISSA_DIGITS", Const::Int(24, IntTy::U32));
    check("std::f64::consts::PI", float(std::f64::consts::PI));
    check(r#""str\n//;->""#, Const::Str("str\n//;->".into()));
    check(r#"b"\x00ab""#, Const::ByteStr(vec![0, b'a', b'b']));
    check(r#"*b"\x01""#, Const::Array(u8s(&[1])));
    check("()", Const::Tuple(vec![]));
    check("(1_u8,)", Const::Tuple(u8s(&[1])));
    check("[1_u8, 2_u8]", Const::Array(u8s(&[1, 2])));
}

#[test]
fn named_constants() {
    let item = |path: &str, args| Const::Item { path: path.into(), args };
    let all = || {
        let param = |name: &str| GenericArg::Ty(Ty::new(TyKind::Param(name.into())));
        vec![param("T"), GenericArg::Const(Const::Param("N".into())), param("impl FnOnce() -> u8")]
    };
    check("N", Const::Param("N".into()));
    check("refs::PT", item("krate::refs::PT", vec![]));
    check("misc::f::{constant#0}", item("krate::misc::f::{constant#0}", vec![]));
    check("a::g::promoted[2]", item("krate::f::promoted[2]", all()));
    let Ok(Const::AssocConst { trait_ref, name }) = parse("<T as Animal>::LEGS") else { panic!() };
    assert_eq!((trait_ref.to_string().as_str(), name.as_str()), ("<T as krate::Animal>", "LEGS"));
    let cap = Const::InherentConst { path: "krate::Stack::CAP".into(), self_ty: ty("Stack<T, N>") };
    check("Stack::<T, N>::CAP", cap);
}

#[test]
fn values_of_types() {
    let adt = |text: &str, variant: Option<&str>, fields| Const::Adt {
        ty: ty(text),
        variant: variant.map(Into::into),
        fields,
    };
    check("data::Shape::Empty", adt("data::Shape", Some("Empty"), vec![]));
    check("std::option::Option::<u8>::Some(3_u8)", adt("std::option::Option<u8>", Some("Some"), u8s(&[3])));
    check("data::Point {{ x: 1_u8, y: 2_u8 }}", adt("data::Point", None, u8s(&[1, 2])));
    check("data::Point {{  }}", adt("data::Point", None, vec![]));
    check("ZeroSized: ()", Const::ZeroSized(Ty::unit()));
    check("<uninit>", Const::Uninit);
    let high =
        Const::Adt { ty: ty("UsizeNoHighBit"), variant: None, fields: vec![Const::int(0, IntTy::Usize)] };
    check("UsizeNoHighBit(0_usize is 0..=9223372036854775807)", high);
}

#[test]
fn statics() {
    check("{alloc6: &u8}", Const::StaticRef("krate::COUNTER".into()));
    let within = "<static(DefId(0:49 ~ krate[230a]::m::{impl#0}::f::TABLE))>";
    check(within, Const::Unsupported(within.into()));
    check("<static(DefId(0:49 ~ krate[230a]::m::TABLE))>", Const::StaticRef("krate::m::TABLE".into()));
    // The second of this name in a body: where it is defined it has no number.
    check("<static(DefId(0:50 ~ krate[230a]::m::TABLE#1))>", Const::StaticRef("krate::m::TABLE".into()));
}

#[test]
fn a_static_may_have_the_name_of_its_type() {
    let path = with_root_items("RULES", &["RULES"], |parser| parser.static_path());
    assert_eq!(path.unwrap(), Path::new("krate::RULES"));
}

#[test]
fn raw_memory_keeps_its_text() {
    for text in [
        "{alloc99: &u8}",
        "{transmute(0x00): data::Point}",
        "{0x4 as *const u8}",
        "Slice { alloc_id: alloc99, meta: 3 }: &std::ffi::CStr",
        "Indirect { alloc_id: alloc1, offset: Size(0 bytes) }: data::Point",
        "Scalar(0x00000001): u32",
    ] {
        check(text, Const::Unsupported(text.to_owned()));
    }
}

#[test]
fn damaged_constants_are_refused() {
    for text in [
        "", "-", "1", "1_", "1_x8", "256_u8", "-129_i8", "-1_u8", "\"", "(1_u8", "[", "{alloc6", "1.5",
        "Scalar(",
    ] {
        assert!(parse(text).is_err(), "{text} gave {:?}", parse(text));
    }
}

#[test]
fn operands() {
    let check = |text: &str, expected: &str| {
        let operand = with_parser(text, |parser| parser.operand());
        assert_eq!(operand.map(|operand| format!("{operand:?}")).as_deref(), Ok(expected), "{text}");
    };
    check("copy _1", "Copy(Place { local: _1, projection: [] })");
    check("move (*_2)", "Move(Place { local: _2, projection: [Deref] })");
    check("no_retag copy _1", "Copy(Place { local: _1, projection: [] })");
    check("deref_copy _1", "Copy(Place { local: _1, projection: [] })");
    check("const 1_u8", "Const(1)");
    check("data::g::<u8>", "Const(krate::data::g::<u8>)");
    check("UbChecks", "Const(UbChecks)");
}
