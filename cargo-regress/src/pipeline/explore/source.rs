//! Concrete values as Rust source, for a module within the crate that they come from.

use regress_core::ir::{
    AdtKind, CtorKind, KnownTrait, KnownType, Mutability, Path, Program, Ty, TyKind, Visibility,
};
use regress_core::value::{Success, Value};

/// Where the source will stand: within this module of this crate, named by their path.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct At<'a> {
    pub program: &'a Program,
    pub crate_name: &'a str,
    pub module: &'a str,
}

/// Whether what is written is evaluated or matched against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::pipeline) enum Form {
    Expression,
    Pattern,
}

impl At<'_> {
    /// The value in this form; the error tells what cannot be written down.
    pub fn write(&self, value: &Value, ty: &Ty, form: Form) -> Result<String, String> {
        let all = |values: &[Value], ty: &dyn Fn(usize) -> Option<Ty>| -> Result<Vec<String>, String> {
            let one = |(index, value): (usize, &Value)| match ty(index) {
                Some(ty) => self.write(value, &ty, form),
                None => Err(format!("the type of {value} is not known")),
            };
            values.iter().enumerate().map(one).collect()
        };
        match (value, ty.kind()) {
            (Value::Bool(_) | Value::Char(_), _) => Ok(value.to_string()),
            (Value::Int { ty, .. }, _) => Ok(format!("{value}_{}", ty.name())),
            (Value::F32(_) | Value::F64(_), _) => match form {
                Form::Expression if value.to_string().contains("::") => Ok(value.to_string()),
                Form::Expression => Ok(format!("{value}_{ty}")),
                Form::Pattern => Err("floats are not matched".into()),
            },
            (Value::Str(text), TyKind::Str) => Ok(format!("{text:?}")),
            (Value::Str(text), _) if form == Form::Expression => Ok(format!("String::from({text:?})")),
            (Value::Ref(inner), TyKind::Adt(path, _)) if path == KnownType::Box => {
                let pointee = ty.pointee().ok_or("a box of nothing")?;
                match form {
                    Form::Expression => Ok(format!("Box::new({})", self.write(inner, pointee, form)?)),
                    Form::Pattern => Err("boxes are not matched".into()),
                }
            }
            (Value::Ref(inner), TyKind::Ref(..)) => {
                let pointee = ty.pointee().ok_or("a reference to nothing")?;
                let written = self.write(inner, pointee, form)?;
                match pointee.kind() {
                    TyKind::Str => Ok(written),
                    // A mutable reference is made from a variable, not from a value.
                    _ => Ok(format!("&{written}")),
                }
            }
            (Value::Seq(items), TyKind::Slice(elem) | TyKind::Array(elem, _)) => {
                Ok(format!("[{}]", all(items, &|_| Some(elem.clone()))?.join(", ")))
            }
            (Value::Seq(items), TyKind::Adt(path, args))
                if path == KnownType::Vec && form == Form::Expression =>
            {
                let elem = match args.first() {
                    Some(regress_core::ir::GenericArg::Ty(elem)) => elem.clone(),
                    _ => return Err(format!("a value of type {ty}")),
                };
                Ok(format!("vec![{}]", all(items, &|_| Some(elem.clone()))?.join(", ")))
            }
            (Value::Tuple(items), TyKind::Tuple(tys)) => {
                let written = all(items, &|index| tys.get(index).cloned())?;
                Ok(if written.len() == 1 {
                    format!("({},)", written[0])
                } else {
                    format!("({})", written.join(", "))
                })
            }
            (Value::Adt { .. }, TyKind::Adt(path, _)) => self.adt(value, path, ty, form),
            (Value::Made { callee, args, success }, _) if form == Form::Expression => {
                self.made(callee, args, *success)
            }
            (value, _) => Err(format!("`{value}` of type {ty}")),
        }
    }

    /// The call of a function of the crate that makes the value.
    fn made(&self, callee: &Path, args: &[Value], success: Success) -> Result<String, String> {
        let [id] = self.program.functions_at(callee) else { return Err(format!("the function {callee}")) };
        let mut inputs = self.program.functions[*id].inputs.clone();
        let changed = success.changed().filter(|changed| *changed < args.len().min(inputs.len()));
        if let Some(input) = changed.and_then(|changed| inputs.get_mut(changed))
            && let Some(lent) = input.pointee().cloned()
        {
            *input = lent;
        }
        let mut written: Vec<String> = args
            .iter()
            .zip(inputs)
            .map(|(arg, ty)| self.argument(arg, &self.closed(&ty)))
            .collect::<Result<_, _>>()?;
        let name = self.name(callee.as_str());
        let before = changed.map(|changed| std::mem::replace(&mut written[changed], "&mut it".to_owned()));
        let call = format!("{name}({})", written.join(", "));
        Ok(match (success, before) {
            (Success::Some | Success::Ok, _) => format!("{call}.unwrap()"),
            (_, Some(before)) => format!("{{ let mut it = {before}; {call}; it }}"),
            (_, None) => call,
        })
    }

    /// What is handed to a function that makes a value. What it is lent to write to lives as long as the statement.
    fn argument(&self, value: &Value, ty: &Ty) -> Result<String, String> {
        match (value, ty.kind()) {
            (Value::Ref(inner), TyKind::Ref(Mutability::Mut, pointee)) if *pointee.kind() != TyKind::Str => {
                Ok(format!("&mut {}", self.write(inner, pointee, Form::Expression)?))
            }
            _ => self.write(value, ty, Form::Expression),
        }
    }

    fn adt(&self, value: &Value, path: &Path, ty: &Ty, form: Form) -> Result<String, String> {
        let (Value::Adt { variant, ctor, fields, .. }, TyKind::Adt(_, args)) = (value, ty.kind()) else {
            return Err(format!("`{value}` of type {ty}"));
        };
        let adt = self.program.adt(path).ok_or_else(|| format!("the type {ty}"))?;
        let index = match variant {
            Some(variant) => adt.variant_named(variant).ok_or_else(|| format!("the variant {variant}"))?,
            None => 0,
        };
        let declared = &adt.variants[index];
        if value.leaves_fields_out() || fields.len() != declared.fields.len() {
            return Err(format!("`{value}`, which is not told field by field"));
        }
        let hidden = adt.kind != AdtKind::Enum
            && declared.fields.iter().any(|field| field.visibility == Visibility::Private)
            && !self.sees_into(path);
        if hidden {
            return Err(format!("the private fields of {path}"));
        }
        let written: Vec<String> = fields
            .iter()
            .zip(adt.field_types(index, args))
            .map(|((_, field), ty)| self.write(field, &self.closed(&ty), form))
            .collect::<Result<_, _>>()?;
        let name = match variant {
            Some(variant) if path == KnownType::Option || path == KnownType::Result => variant.to_string(),
            Some(variant) => format!("{}::{variant}", self.name(path.as_str())),
            None => self.name(path.as_str()),
        };
        Ok(match ctor {
            CtorKind::Unit => name,
            CtorKind::Tuple => format!("{name}({})", written.join(", ")),
            CtorKind::Struct => {
                let named: Vec<String> =
                    fields.iter().zip(written).map(|((field, _), text)| format!("{field}: {text}")).collect();
                format!("{name} {{ {} }}", named.join(", "))
            }
        })
    }

    fn closed(&self, ty: &Ty) -> Ty {
        regress_core::exec::resolve::normalize(self.program, ty)
    }

    /// Private fields are seen in the module of their type and below it.
    fn sees_into(&self, path: &Path) -> bool {
        let module = path.as_str().rsplit_once("::").map_or("", |(module, _)| module);
        let rest = self.module.strip_prefix(module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    /// A path as it is written within the crate.
    pub fn name(&self, path: &str) -> String {
        let prefix = format!("{}::", self.crate_name);
        let mut name = String::with_capacity(path.len());
        let mut copied = 0;
        for (at, _) in path.match_indices(&prefix) {
            if !path[..at].ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | ':')) {
                name.push_str(&path[copied..at]);
                name.push_str("crate::");
                copied = at + prefix.len();
            }
        }
        name.push_str(&path[copied..]);
        name
    }

    /// Whether values of the type can be held against each other by `assert_eq!`.
    pub fn is_comparable(&self, ty: &Ty) -> bool {
        let has = |of: KnownTrait, ty: &Ty| {
            self.program.impls_of(&of.into()).iter().any(|id| {
                match (self.program.impls[*id].trait_ref.self_ty.kind(), ty.kind()) {
                    (TyKind::Adt(a, _), TyKind::Adt(b, _)) => a == b,
                    _ => false,
                }
            })
        };
        match ty.kind() {
            TyKind::Adt(path, args) => {
                let args = args.iter().all(|arg| match arg {
                    regress_core::ir::GenericArg::Ty(ty) => self.is_comparable(ty),
                    _ => true,
                });
                let own = !path.is_of_std();
                args && (!own || (has(KnownTrait::PartialEq, ty) && has(KnownTrait::Debug, ty)))
            }
            TyKind::Tuple(tys) => tys.iter().all(|ty| self.is_comparable(ty)),
            TyKind::Ref(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
                self.is_comparable(inner)
            }
            _ => true,
        }
    }
}
