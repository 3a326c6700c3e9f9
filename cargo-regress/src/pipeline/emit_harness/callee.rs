//! How a function of a version is named by a crate that depends on both.

use regress_core::exec::resolve;
use regress_core::ir::{
    Const, FloatTy, FnId, GenericArg, GenericParam, Mutability, Owner, Path, Program, Subst, Ty, TyKind,
    Visibility,
};

use super::plain::tuple;
use crate::report::harness::HarnessLibrary;

/// One version, as the harness sees it.
pub(super) struct Side<'a> {
    pub program: &'a Program,
    pub libraries: &'a [HarnessLibrary],
    /// 0 for the old version, 1 for the new one.
    pub version: usize,
    pub subst: &'a Subst,
}

impl Side<'_> {
    /// The function in a call; the error says why it has no name.
    pub fn callee(&self, function: FnId) -> Result<String, String> {
        let item = &self.program.functions[function];
        let own = self.arguments(&item.generics)?;
        let name = item.path.as_str().rsplit("::").next().unwrap_or_default();
        match &item.owner {
            Owner::Free => Ok(format!("{}{own}", self.named(&item.path)?)),
            Owner::Inherent { self_ty, .. } => {
                let of_type = self.ty(self_ty)?;
                let is_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '#');
                let of_type = if of_type.chars().all(is_path) { of_type } else { format!("<{of_type}>") };
                Ok(format!("{of_type}::{}{own}", segment(name)?))
            }
            Owner::TraitImpl(id) => {
                let of = &self.program.impls[*id].trait_ref;
                let args = self.list(&of.args)?;
                let (of_type, of_trait) = (self.ty(&of.self_ty)?, self.named(&of.path)?);
                Ok(format!("<{of_type} as {of_trait}{args}>::{}{own}", segment(name)?))
            }
            Owner::Trait(_) => {
                Err("it is a default of a trait, which is called through implementations".into())
            }
            Owner::Within(_) => Err("it stands in another function".into()),
        }
    }

    /// `::<u8, 3>`. What `impl Trait` stands for is told by the argument.
    fn arguments(&self, generics: &[GenericParam]) -> Result<String, String> {
        let is_named = |param: &&GenericParam| !param.name.as_str().starts_with("impl ");
        let args: Vec<String> = generics
            .iter()
            .filter(is_named)
            .map(|param| match self.subst.get(&param.name) {
                Some(arg) => self.argument(arg),
                None => Err(format!("nothing was chosen for `{}`", param.name)),
            })
            .collect::<Result<_, _>>()?;
        Ok(if args.is_empty() { String::new() } else { format!("::<{}>", args.join(", ")) })
    }

    fn argument(&self, arg: &GenericArg) -> Result<String, String> {
        match arg {
            GenericArg::Ty(ty) => self.ty(ty),
            GenericArg::Const(Const::Bool(value)) => Ok(value.to_string()),
            GenericArg::Const(Const::Char(value)) => Ok(format!("{value:?}")),
            // Bits of a negative number are written as another type has them.
            GenericArg::Const(Const::Int(bits, ty))
                if super::condition::fits(i128::try_from(*bits).unwrap_or(-1), *ty) =>
            {
                Ok(bits.to_string())
            }
            GenericArg::Const(_) => Err("one of its constants cannot be written".into()),
        }
    }

    fn list(&self, args: &[GenericArg]) -> Result<String, String> {
        let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).collect::<Result<_, _>>()?;
        Ok(if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) })
    }

    /// The type in Rust.
    fn ty(&self, ty: &Ty) -> Result<String, String> {
        let ty = resolve::normalize(self.program, &self.subst.ty(ty));
        Ok(match ty.kind() {
            TyKind::Bool => "bool".into(),
            TyKind::Char => "char".into(),
            TyKind::Str => "str".into(),
            TyKind::Int(int) => int.name().into(),
            TyKind::Float(FloatTy::F32) => "f32".into(),
            TyKind::Float(FloatTy::F64) => "f64".into(),
            TyKind::Tuple(tys) => {
                tuple(tys.iter().map(|ty| self.ty(ty)).collect::<Result<Vec<_>, _>>()?.into_iter())
            }
            TyKind::Slice(inner) => format!("[{}]", self.ty(inner)?),
            TyKind::Array(inner, Const::Int(length, _)) => format!("[{}; {length}]", self.ty(inner)?),
            TyKind::Ref(Mutability::Shared, inner) => format!("&{}", self.ty(inner)?),
            TyKind::Ref(Mutability::Mut, inner) => format!("&mut {}", self.ty(inner)?),
            TyKind::Adt(path, args) => {
                let is_hidden =
                    self.program.adt(path).is_some_and(|adt| adt.visibility != Visibility::Public);
                if is_hidden && !path.is_of_std() {
                    return Err(format!("`{path}` cannot be named from outside of the crate"));
                }
                format!("{}{}", self.named(path)?, self.list(args)?)
            }
            _ => return Err(format!("`{ty}` has no name")),
        })
    }

    /// The path by which an item of the version, or of the standard library, is reached.
    fn named(&self, path: &Path) -> Result<String, String> {
        let public = self.program.moved.source_name(self.program.public_name(path).as_str());
        if Path::new(&public).is_of_std() {
            return Ok(public);
        }
        if public.contains(['<', '{', '#']) {
            return Err(format!("`{public}` has no name"));
        }
        let (first, rest) = public.split_once("::").unwrap_or((&public, ""));
        let Some(library) = self.libraries.iter().find(|library| library.crate_name == first) else {
            return Err(format!("`{first}` is no library that both versions have"));
        };
        let mut named = library.aliases[self.version].clone();
        for part in rest.split("::") {
            named.push_str("::");
            named.push_str(&segment(part)?);
        }
        Ok(named)
    }
}

/// A part of a path. The compiler drops what makes names of keywords.
fn segment(name: &str) -> Result<String, String> {
    let raw = format!("r#{name}");
    match () {
        () if syn::parse_str::<syn::Ident>(name).is_ok() => Ok(name.to_owned()),
        () if syn::parse_str::<syn::Ident>(&raw).is_ok() => Ok(raw),
        () => Err(format!("`{name}` is no name")),
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{GenericParamKind, IntTy};

    use super::*;

    fn side<'a>(program: &'a Program, subst: &'a Subst, libraries: &'a [HarnessLibrary]) -> Side<'a> {
        Side { program, libraries, version: 0, subst }
    }

    #[track_caller]
    fn check(path: &str, expected: Result<&str, &str>) {
        let mut program = Program::default();
        program.public_names.insert(Path::new("k::inner::f"), Path::new("k::f"));
        let libraries = [HarnessLibrary {
            crate_name: "k".into(),
            aliases: ["old".into(), "new".into()],
            packages: Default::default(),
        }];
        let subst = Subst::new();
        let found = side(&program, &subst, &libraries).named(&Path::new(path));
        assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn paths_are_those_that_others_may_write() {
        check("k::g", Ok("old::g"));
        check("k::inner::f", Ok("old::f"));
        check("k::type::match", Ok("old::r#type::r#match"));
        check("std::string::String", Ok("std::string::String"));
        check("other::f", Err("`other` is no library that both versions have"));
    }

    #[test]
    fn generic_arguments_are_written_where_they_have_names() {
        let program = Program::default();
        let mut subst = Subst::new();
        for (name, arg) in [
            ("T", GenericArg::Ty(Ty::int(IntTy::U8))),
            ("impl Copy", GenericArg::Ty(Ty::int(IntTy::U8))),
            ("N", GenericArg::Const(Const::Int(3, IntTy::Usize))),
        ] {
            subst.insert(name.into(), arg);
        }
        let param = |name: &str| GenericParam { name: name.into(), kind: GenericParamKind::Type };
        let generics = [param("T"), param("impl Copy"), param("N")];
        let side = side(&program, &subst, &[]);
        assert_eq!(side.arguments(&generics).as_deref(), Ok("::<u8, 3>"));
        assert_eq!(side.arguments(&[param("U")]), Err("nothing was chosen for `U`".into()));
    }
}
