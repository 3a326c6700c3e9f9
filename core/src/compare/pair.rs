//! Two versions of one function: what is compared, and what is called of it.

use super::Instantiation;
use crate::exec::resolve::Resolved;
use crate::exec::{Image, Makers};
use crate::explore::call::Callee;
use crate::ir::{FnId, Ty};
use crate::verdict::Version;
use crate::verdict::not_analysed::Refused;

/// The two functions that are compared.
#[derive(Clone, Debug)]
pub struct FunctionPair {
    pub old: FnId,
    pub new: FnId,
    /// What their generic parameters stand for.
    pub instantiation: Instantiation,
    /// By which functions values of some types are made. Values of other types are put together from fields.
    pub makers: Makers,
}

/// What is called in each version.
pub(crate) struct Callees<'i, 'p> {
    pub old: Callee<'i, 'p>,
    pub new: Callee<'i, 'p>,
}

impl<'i, 'p> Callees<'i, 'p> {
    pub fn of(pair: &FunctionPair, old: &'i Image<'p>, new: &'i Image<'p>) -> Self {
        let FunctionPair { instantiation, .. } = pair;
        let resolved = |function, subst| Resolved { function, subst };
        let (of_old, of_new) = (instantiation.old.clone(), instantiation.new.clone());
        Callees {
            old: Callee { version: Version::Old, image: old, resolved: resolved(pair.old, of_old) },
            new: Callee { version: Version::New, image: new, resolved: resolved(pair.new, of_new) },
        }
    }

    pub fn of_version(&self, version: Version) -> &Callee<'i, 'p> {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    /// The types of the parameters, which both versions have to share; or why the functions cannot be called alike.
    pub fn types(&self) -> Result<Vec<Ty>, Refused> {
        let (old, new) = (self.old.types()?, self.new.types()?);
        if old != new {
            return Err(Refused::ParametersDiffer);
        }
        Ok(new)
    }
}
