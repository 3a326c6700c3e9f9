pub use std_models::{clone as clone_m, convert as convert_m, default as default_m, hash as hash_m};
pub use std_models::cell::{Cell, RefCell};
pub use std_models::cmp as cmp_m;
pub use std_models::inherent::slices::SlicePartMethods as SlicePartM;
pub use std_models::inherent::slices::VecRangeMethods as VecRangeM;
pub use std_models::inherent::{
    ArrayMethods as ArrayM, OptionMethods as OptionM, OptionRefMethods as OptionRefM, OrderingMethods as OrderingM,
    ResultMethods as ResultM, SliceJoinMethods as SliceJoinM, SliceMethods as SliceM,
    SliceOrderMethods as SliceOrderM, StrMethods as StrM, StringMethods as StringM,
};
pub use std_models::iter::{DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, IntoIterator, Iterator};
pub use std_models::iter as iter_m;
pub use std_models::rc::Rc;
pub use std_models::vec::from_elem;
pub use std_models::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
pub use std_models::inherent::{VecCloneMethods as VecCloneM, VecEqMethods as VecEqM, VecMethods as VecM};
pub use std_models::collections::binary_heap::PeekMut;
pub use std_models::inherent::numbers::BoolMethods as BoolM;
pub use std_models::inherent::slices::VecSpliceMethods as VecSpliceM;
pub use std_models::inherent::unchecked::{
    OptionUncheckedMethods as OptionUncheckedM, ResultUncheckedMethods as ResultUncheckedM,
    VecUncheckedMethods as VecUncheckedM,
};
pub use std_models::ops as ops_m;
pub use std_models::sync::Once;
