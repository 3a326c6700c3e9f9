//! `?` for `Option`, `Result` and `ControlFlow`.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{FromResidual, Try};
use crate::convert::From;
use crate::inherent::ControlFlowMethods;

impl<T> Try for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;
    fn from_output(output: T) -> Self {
        Some(output)
    }
    fn branch(self) -> ControlFlow<Option<Infallible>, T> {
        match self {
            Some(value) => ControlFlow::Continue(value),
            None => ControlFlow::Break(None),
        }
    }
}

impl<T> FromResidual<Option<Infallible>> for Option<T> {
    fn from_residual(_residual: Option<Infallible>) -> Self {
        None
    }
}

impl<T, E> Try for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;
    fn from_output(output: T) -> Self {
        Ok(output)
    }
    fn branch(self) -> ControlFlow<Result<Infallible, E>, T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Infallible, E>> for Result<T, F> {
    fn from_residual(residual: Result<Infallible, E>) -> Self {
        match residual {
            Err(error) => Err(F::from(error)),
        }
    }
}

impl<B, C> Try for ControlFlow<B, C> {
    type Output = C;
    type Residual = ControlFlow<B, Infallible>;
    fn from_output(output: C) -> Self {
        ControlFlow::Continue(output)
    }
    fn branch(self) -> ControlFlow<ControlFlow<B, Infallible>, C> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(value),
            ControlFlow::Break(value) => ControlFlow::Break(ControlFlow::Break(value)),
        }
    }
}

impl<B, C> FromResidual<ControlFlow<B, Infallible>> for ControlFlow<B, C> {
    fn from_residual(residual: ControlFlow<B, Infallible>) -> Self {
        match residual {
            ControlFlow::Break(value) => ControlFlow::Break(value),
        }
    }
}

impl<B, C> ControlFlowMethods<B, C> for ControlFlow<B, C> {
    fn is_break(&self) -> bool {
        matches!(self, ControlFlow::Break(_))
    }
    fn is_continue(&self) -> bool {
        matches!(self, ControlFlow::Continue(_))
    }
    fn break_value(self) -> Option<B> {
        match self {
            ControlFlow::Break(value) => Some(value),
            ControlFlow::Continue(_) => None,
        }
    }
    fn continue_value(self) -> Option<C> {
        match self {
            ControlFlow::Break(_) => None,
            ControlFlow::Continue(value) => Some(value),
        }
    }
    fn map_break<T, F: FnOnce(B) -> T>(self, f: F) -> ControlFlow<T, C> {
        match self {
            ControlFlow::Break(value) => ControlFlow::Break(f(value)),
            ControlFlow::Continue(value) => ControlFlow::Continue(value),
        }
    }
    fn map_continue<T, F: FnOnce(C) -> T>(self, f: F) -> ControlFlow<B, T> {
        match self {
            ControlFlow::Break(value) => ControlFlow::Break(value),
            ControlFlow::Continue(value) => ControlFlow::Continue(f(value)),
        }
    }
}
