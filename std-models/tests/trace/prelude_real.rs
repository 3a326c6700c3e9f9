pub use std::{clone as clone_m, convert as convert_m, default as default_m, hash as hash_m};
pub use std::cell::{Cell, RefCell};
pub use std::cmp as cmp_m;
pub use std::iter::{DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, IntoIterator, Iterator};
pub use std::iter as iter_m;
pub use std::option::Option as OptionM;
pub use std::option::Option as OptionRefM;
pub use std::rc::Rc;
pub use std::result::Result as ResultM;
pub use std::string::String as StringM;
pub use std::vec::Vec as VecM;
pub use std::vec::Vec as VecEqM;
pub use std::vec::Vec as VecRangeM;
pub type SliceM<T> = [T];
pub type SliceOrderM<T> = [T];
pub type SlicePartM<T> = [T];
pub type SliceJoinM<T> = [T];
pub type ArrayM<T, const N: usize> = [T; N];
pub type StrM = str;
pub type OrderingM = std::cmp::Ordering;
pub fn from_elem<T: Clone>(elem: T, n: usize) -> Vec<T> {
    vec![elem; n]
}
pub use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
pub use std::vec::Vec as VecCloneM;
pub use std::collections::binary_heap::PeekMut;
pub use std::ops as ops_m;
pub use std::option::Option as OptionUncheckedM;
pub use std::result::Result as ResultUncheckedM;
pub use std::sync::Once;
pub use std::vec::Vec as VecSpliceM;
pub use std::vec::Vec as VecUncheckedM;
pub type BoolM = bool;
