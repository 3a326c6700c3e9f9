//! Rust expressions as values, read by the type that they are to have.
//!
//! What reports print is read: literals, lists, tuples, structs and variants, references, what is not finite, and calls of
//! functions of the crate that make values. So are the usual ways to write the same (`vec![…]`, `String::from`, `Box::new`).
//! Names are compared by their last segments, as reports print no others.

use regress_core::exec::{Maker, Makers};
use regress_core::ir::{
    Adt, AdtKind, CtorKind, FloatTy, GenericArg, GivenFields, IntTy, KnownType, Name, Program, Signedness,
    Ty, TyKind,
};
use regress_core::value::{Success, Value};
use syn::{Expr, Lit, Pat, Stmt, UnOp};

pub(super) struct Reader<'r> {
    pub program: &'r Program,
    pub makers: &'r Makers,
}

impl Reader<'_> {
    /// The value that the expression is, as a value of that type; or why it is none.
    pub fn value(&self, expr: &Expr, ty: &Ty) -> Result<Value, String> {
        if let Expr::Paren(inner) = expr {
            return self.value(&inner.expr, ty);
        }
        if let Expr::Group(inner) = expr {
            return self.value(&inner.expr, ty);
        }
        let no = || Err(format!("`{}` is not read as a value of `{ty}`", text(expr)));
        match ty.kind() {
            TyKind::Ref(_, pointee) if is_formatter(pointee) => match expr {
                // As reports print them: `fmt::Formatter("{:.3}")`.
                Expr::Call(call) if call.args.len() == 1 => {
                    string(&call.args[0]).map(|format| Value::formatter_of(&format)).map_or_else(no, Ok)
                }
                _ => no(),
            },
            TyKind::Ref(_, pointee) => {
                let inner = match expr {
                    Expr::Reference(reference) => &reference.expr,
                    // A literal is a reference already.
                    other => other,
                };
                Ok(Value::Ref(Box::new(self.value(inner, pointee)?)))
            }
            TyKind::Str => string(expr).map(Value::Str).map_or_else(no, Ok),
            TyKind::Slice(elem) => self.sequence(expr, elem).map_or_else(no, |items| items.map(Value::Seq)),
            TyKind::Array(elem, len) => match self.sequence(expr, elem) {
                Some(items) => {
                    let items = items?;
                    match len.as_index() {
                        Some(len) if len != items.len() as u64 => {
                            Err(format!("`{}` has {} elements, not {len}", text(expr), items.len()))
                        }
                        _ => Ok(Value::Seq(items)),
                    }
                }
                None => no(),
            },
            TyKind::Tuple(tys) => match expr {
                Expr::Tuple(tuple) if tuple.elems.len() == tys.len() => {
                    let items = tuple.elems.iter().zip(tys).map(|(item, ty)| self.value(item, ty));
                    Ok(Value::Tuple(items.collect::<Result<_, _>>()?))
                }
                _ => no(),
            },
            TyKind::Bool => match expr {
                Expr::Lit(lit) => match &lit.lit {
                    Lit::Bool(value) => Ok(Value::Bool(value.value)),
                    _ => no(),
                },
                _ => no(),
            },
            TyKind::Char => match expr {
                Expr::Lit(lit) => match &lit.lit {
                    Lit::Char(value) => Ok(Value::Char(value.value())),
                    _ => no(),
                },
                _ => no(),
            },
            TyKind::Int(int) => integer(expr, *int).map_or_else(no, Ok),
            TyKind::Float(float) => float_value(expr, *float).map_or_else(no, Ok),
            TyKind::Adt(path, args) => {
                let argument = |index: usize| match args.get(index) {
                    Some(GenericArg::Ty(ty)) => Some(ty),
                    _ => None,
                };
                match (path.known_type(), argument(0)) {
                    (Some(KnownType::String), _) => string(expr).map(Value::Str).map_or_else(no, Ok),
                    (Some(KnownType::Vec), Some(elem)) => {
                        self.sequence(expr, elem).map_or_else(no, |items| items.map(Value::Seq))
                    }
                    (Some(KnownType::Box | KnownType::Rc | KnownType::Arc), Some(content)) => {
                        let inner = match expr {
                            Expr::Reference(reference) => &*reference.expr,
                            other => {
                                one_argument(other, &["Box::new", "Rc::new", "Arc::new"]).unwrap_or(other)
                            }
                        };
                        Ok(Value::Ref(Box::new(self.value(inner, content)?)))
                    }
                    _ => match (self.made(expr, ty), self.program.adt(path)) {
                        (Some(made), _) => made,
                        (None, Some(adt)) => self.adt(expr, adt, args).unwrap_or_else(no),
                        (None, None) => no(),
                    },
                }
            }
            _ => no(),
        }
    }

    fn sequence(&self, expr: &Expr, elem: &Ty) -> Option<Result<Vec<Value>, String>> {
        let each = |items: Vec<&Expr>| items.into_iter().map(|item| self.value(item, elem)).collect();
        match expr {
            Expr::Reference(reference) => self.sequence(&reference.expr, elem),
            Expr::Array(array) => Some(each(array.elems.iter().collect())),
            Expr::Repeat(repeat) => {
                let Expr::Lit(len) = &*repeat.len else { return None };
                let Lit::Int(len) = &len.lit else { return None };
                let len: usize = len.base10_parse().ok()?;
                Some(self.value(&repeat.expr, elem).map(|value| vec![value; len]))
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                let list: syn::Expr = syn::parse_str(&format!("[{}]", call.mac.tokens)).ok()?;
                self.sequence(&list, elem)
            }
            Expr::Lit(lit) => match &lit.lit {
                Lit::ByteStr(bytes) if *elem.kind() == TyKind::Int(IntTy::U8) => {
                    let byte = |byte: &u8| Value::int(IntTy::U8, i128::from(*byte));
                    Some(Ok(bytes.value().iter().map(byte).collect()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function of the crate makes.
    fn made(&self, expr: &Expr, ty: &Ty) -> Option<Result<Value, String>> {
        if let Expr::Block(block) = expr {
            return self.changed(&block.block.stmts, ty);
        }
        let (call, unwrapped) = match expr {
            Expr::MethodCall(method) if method.method == "unwrap" && method.args.is_empty() => {
                (&*method.receiver, true)
            }
            other => (other, false),
        };
        let Expr::Call(call) = call else { return None };
        let wanted = path_text(&call.func)?;
        let maker = self.makers.of(ty).iter().find(|maker| {
            maker.success.changed().is_none()
                && (maker.success != Success::Always) == unwrapped
                && maker.inputs.len() == call.args.len()
                && called(maker) == last_two(&wanted)
        })?;
        let args = call.args.iter().zip(&maker.inputs).map(|(arg, ty)| self.value(arg, ty));
        Some(args.collect::<Result<_, _>>().map(|args| Value::Made {
            callee: maker.callee.clone(),
            args,
            success: maker.success,
        }))
    }

    /// A value, and the calls that change it: `{ let mut it = Cart::new(); it.add("a", 1); it }`.
    fn changed(&self, statements: &[Stmt], ty: &Ty) -> Option<Result<Value, String>> {
        let [Stmt::Local(first), steps @ .., Stmt::Expr(Expr::Path(last), None)] = statements else {
            return None;
        };
        let Pat::Ident(name) = &first.pat else { return None };
        let is_it = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.is_ident(&name.ident));
        let is_lent = |expr: &Expr| matches!(expr, Expr::Reference(lent) if lent.mutability.is_some() && is_it(&lent.expr));
        let mut value = self.value(&first.init.as_ref()?.expr, ty);
        for step in steps {
            // `it.add(1)`, or `NodeId::append(a, b, &mut it)`.
            let (callee, args, changed) = match step {
                Stmt::Expr(Expr::MethodCall(call), Some(_)) if is_it(&call.receiver) => {
                    let args: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
                    (call.method.to_string(), args, 0)
                }
                Stmt::Expr(Expr::Call(call), Some(_)) => {
                    let changed = call.args.iter().position(is_lent)?;
                    (path_text(&call.func)?, call.args.iter().collect(), changed)
                }
                _ => return None,
            };
            let is_named = |maker: &&Maker| {
                let is_it = match callee.contains("::") {
                    true => called(maker) == last_two(&callee),
                    false => maker.callee.as_str().rsplit("::").next() == Some(&callee),
                };
                is_it && maker.success == Success::After(changed) && maker.inputs.len() == args.len()
            };
            let maker = self.makers.of(ty).iter().find(is_named)?;
            let mut before = Some(value);
            let args = args.iter().zip(&maker.inputs).enumerate().map(|(index, (arg, ty))| {
                match before.take_if(|_| index == changed) {
                    Some(before) => before,
                    None => self.value(arg, ty),
                }
            });
            let (callee, success) = (maker.callee.clone(), maker.success);
            value = args.collect::<Result<Vec<_>, _>>().map(|args| Value::Made { callee, args, success });
        }
        last.path.is_ident(&name.ident).then_some(value)
    }

    fn adt(&self, expr: &Expr, adt: &Adt, args: &[GenericArg]) -> Option<Result<Value, String>> {
        let constructor = match expr {
            Expr::Path(path) => spelled(&path.path),
            Expr::Call(call) => path_text(&call.func)?,
            Expr::Struct(item) => spelled(&item.path),
            _ => return None,
        };
        let last = constructor.rsplit("::").next().unwrap_or(&constructor);
        let index = match adt.kind {
            AdtKind::Enum => adt.variants.iter().position(|variant| variant.name.as_str() == last)?,
            _ if adt.path.as_str().rsplit("::").next() == Some(last) => 0,
            _ => return None,
        };
        let variant = &adt.variants[index];
        let types = adt.field_types(index, args);
        let told = self.makers.completed(&adt.path);
        let is_given = |name: &Name| told.is_none_or(|told| told.names.contains(name));
        let given: Vec<&Expr> = match (expr, variant.ctor) {
            (Expr::Path(_), CtorKind::Unit) => Vec::new(),
            (Expr::Call(call), CtorKind::Tuple) => call.args.iter().collect(),
            (Expr::Struct(item), CtorKind::Struct) => {
                let of = |name: &str| {
                    let mut fields = item.fields.iter();
                    fields.find(|field| member(&field.member) == name).map(|field| &field.expr)
                };
                let fields = variant.fields.iter().filter(|field| is_given(&field.name));
                fields.map(|field| of(field.name.as_str())).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let declared = variant.fields.iter().zip(&types).filter(|(field, _)| is_given(&field.name));
        if given.len() != declared.clone().count() {
            return None;
        }
        let fields = declared.zip(given).map(|((field, ty), expr)| {
            let ty = regress_core::exec::resolve::normalize(self.program, ty);
            Ok((field.name.clone(), self.value(expr, &ty)?))
        });
        let fields = fields.chain(told.and_then(GivenFields::rest).map(Ok));
        Some(fields.collect::<Result<_, String>>().map(|fields| Value::Adt {
            path: adt.path.clone(),
            variant: (adt.kind == AdtKind::Enum).then(|| variant.name.clone()),
            ctor: variant.ctor,
            fields,
        }))
    }
}

/// `Even::new` for what reports print as `Even::new()`.
fn called(maker: &Maker) -> String {
    let callee = maker.callee.clone();
    let call = Value::Made { callee, args: Vec::new(), success: Success::Always };
    call.to_string().trim_end_matches("()").to_owned()
}

/// As many segments of a path as reports print.
fn last_two(path: &str) -> String {
    let segments: Vec<&str> = path.split("::").collect();
    match segments.as_slice() {
        [.., owner, name] if owner.starts_with(|c: char| c.is_uppercase()) => format!("{owner}::{name}"),
        [.., name] => (*name).to_owned(),
        [] => String::new(),
    }
}

fn is_formatter(ty: &Ty) -> bool {
    regress_core::exec::input::is_formatter(ty)
}

fn member(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

fn spelled(path: &syn::Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

fn path_text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => Some(spelled(&path.path)),
        _ => None,
    }
}

fn text(expr: &Expr) -> String {
    use quote::ToTokens;
    expr.to_token_stream().to_string()
}

/// The argument of a call of one of these functions.
fn one_argument<'e>(expr: &'e Expr, names: &[&str]) -> Option<&'e Expr> {
    let Expr::Call(call) = expr else { return None };
    let path = path_text(&call.func)?;
    let known = names.iter().any(|name| path == *name || path.ends_with(&format!("::{name}")));
    (known && call.args.len() == 1).then(|| &call.args[0])
}

fn string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::MethodCall(call) if call.args.is_empty() => {
            let owning = ["to_string", "to_owned", "into"].iter().any(|name| call.method == name);
            if owning { string(&call.receiver) } else { None }
        }
        other => string(one_argument(other, &["String::from"])?),
    }
}

fn integer(expr: &Expr, ty: IntTy) -> Option<Value> {
    let (expr, negative) = match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => (&*unary.expr, true),
        other => (other, false),
    };
    let Expr::Lit(lit) = expr else { return limit(expr, ty).filter(|_| !negative) };
    let magnitude = match &lit.lit {
        Lit::Int(int) if int.suffix().is_empty() || int.suffix() == ty.name() => {
            int.base10_parse::<u128>().ok()?
        }
        Lit::Byte(byte) if ty == IntTy::U8 => u128::from(byte.value()),
        _ => return None,
    };
    let signed = ty.signedness() == Signedness::Signed;
    let most = match (signed, negative) {
        (true, true) => 1u128 << (ty.bits() - 1),
        (true, false) => (1u128 << (ty.bits() - 1)) - 1,
        (false, false) => ty.truncate(u128::MAX),
        (false, true) => return None,
    };
    if magnitude > most {
        return None;
    }
    let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
    Some(Value::Int { ty, bits: ty.truncate(bits) })
}

/// `u8::MAX`
fn limit(expr: &Expr, ty: IntTy) -> Option<Value> {
    let path = path_text(expr)?;
    let (owner, name) = path.rsplit_once("::")?;
    if owner != ty.name() {
        return None;
    }
    let signed = ty.signedness() == Signedness::Signed;
    let bits = match (name, signed) {
        ("MIN", false) => 0,
        ("MAX", false) => ty.truncate(u128::MAX),
        ("MIN", true) => 1u128 << (ty.bits() - 1),
        ("MAX", true) => (1u128 << (ty.bits() - 1)) - 1,
        _ => return None,
    };
    Some(Value::Int { ty, bits })
}

fn float_value(expr: &Expr, ty: FloatTy) -> Option<Value> {
    let (expr, negative) = match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => (&*unary.expr, true),
        other => (other, false),
    };
    let digits = match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Float(float) => float.base10_digits().to_owned(),
            Lit::Int(int) => int.base10_digits().to_owned(),
            _ => return None,
        },
        other => match path_text(other)?.rsplit("::").next()? {
            "NAN" => "NaN".to_owned(),
            "INFINITY" => "inf".to_owned(),
            "NEG_INFINITY" => "-inf".to_owned(),
            _ => return None,
        },
    };
    match ty {
        FloatTy::F32 => {
            let value: f32 = digits.parse().ok()?;
            Some(Value::F32(if negative { -value } else { value }.to_bits()))
        }
        FloatTy::F64 => {
            let value: f64 = digits.parse().ok()?;
            Some(Value::F64(if negative { -value } else { value }.to_bits()))
        }
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{Field, Mutability, Path, Variant, Visibility};

    use super::*;

    /// `k::Shape` is a struct-like variant, a tuple-like one and a plain one.
    fn program() -> Program {
        let field = |name: &str, ty: Ty| Field { name: name.into(), ty, visibility: Visibility::Public };
        let variant = |name: &str, ctor, fields| Variant { name: name.into(), ctor, fields, discriminant: 0 };
        let byte = || Ty::int(IntTy::U8);
        let mut program = Program::default();
        program.adts.push(Adt {
            path: Path::new("k::Shape"),
            kind: AdtKind::Enum,
            generics: Vec::new(),
            bounds: Vec::new(),
            variants: vec![
                variant("Square", CtorKind::Struct, vec![field("side", byte())]),
                variant("Line", CtorKind::Tuple, vec![field("0", byte()), field("1", byte())]),
                variant("Dot", CtorKind::Unit, Vec::new()),
            ],
            discriminant_ty: IntTy::Isize,
            visibility: Visibility::Public,
            origin_crate: "k".into(),
            span: None,
        });
        program.build_index();
        program
    }

    /// The value is printed again as it was written, or as `printed`; none if it is refused.
    #[track_caller]
    fn check(source: &str, ty: &Ty, printed: Option<&str>) {
        let program = program();
        let reader = Reader { program: &program, makers: &Makers::default() };
        let expr: Expr = syn::parse_str(source).expect("an expression");
        let value = reader.value(&expr, ty);
        assert_eq!(value.as_ref().ok().map(ToString::to_string).as_deref(), printed, "{source}: {value:?}");
    }

    fn same(source: &str, ty: &Ty) {
        check(source, ty, Some(source));
    }

    fn shared(ty: Ty) -> Ty {
        Ty::reference(Mutability::Shared, ty)
    }

    #[test]
    fn numbers_fit_their_types_or_are_refused() {
        same("255", &Ty::int(IntTy::U8));
        same("-128", &Ty::int(IntTy::I8));
        check("256", &Ty::int(IntTy::U8), None);
        check("-1", &Ty::int(IntTy::U8), None);
        check("128", &Ty::int(IntTy::I8), None);
        check("3i64", &Ty::int(IntTy::I8), None);
        check("b'a'", &Ty::int(IntTy::U8), Some("97"));
        check("i8::MIN", &Ty::int(IntTy::I8), Some("-128"));
        check(
            "-170141183460469231731687303715884105728",
            &Ty::int(IntTy::I128),
            Some("-170141183460469231731687303715884105728"),
        );
        same("-0.5", &Ty::new(TyKind::Float(FloatTy::F64)));
        same("f32::NAN", &Ty::new(TyKind::Float(FloatTy::F32)));
    }

    #[test]
    fn what_reports_print_is_read() {
        let bytes = shared(Ty::new(TyKind::Slice(Ty::int(IntTy::U8))));
        same("b\"GET /\\n\"", &bytes);
        same("&[65, 10]", &bytes);
        same("\"a\\\"b\"", &shared(Ty::new(TyKind::Str)));
        same("'\\n'", &Ty::new(TyKind::Char));
        same(
            "(true, [1, 2])",
            &Ty::new(TyKind::Tuple(vec![
                Ty::new(TyKind::Bool),
                Ty::adt(KnownType::Vec, vec![GenericArg::Ty(Ty::int(IntTy::U16))]),
            ])),
        );
        let shape = Ty::adt("k::Shape", Vec::new());
        same("Shape::Square { side: 3 }", &shape);
        same("Shape::Line(1, 2)", &shape);
        same("Shape::Dot", &shape);
        check("Shape::Line(1)", &shape, None);
        check("Shape::Circle", &shape, None);
    }

    #[test]
    fn the_usual_ways_to_write_the_same_are_read() {
        let list = Ty::adt(KnownType::Vec, vec![GenericArg::Ty(Ty::int(IntTy::U8))]);
        check("vec![1, 2]", &list, Some("[1, 2]"));
        check("vec![7; 3]", &list, Some("[7, 7, 7]"));
        let text = Ty::adt(KnownType::String, Vec::new());
        check("String::from(\"x\")", &text, Some("\"x\""));
        check("\"x\".to_string()", &text, Some("\"x\""));
        let boxed = Ty::adt(KnownType::Box, vec![GenericArg::Ty(Ty::int(IntTy::U8))]);
        check("Box::new(1)", &boxed, Some("&1"));
        check("one + 1", &Ty::int(IntTy::U8), None);
    }
}
