use super::*;

#[test]
fn each_callee_has_one_row() {
    for table in [FUNCTIONS, METHODS] {
        assert_eq!(by_path(table).len(), table.iter().map(|(_, rows)| rows.len()).sum::<usize>());
    }
}

#[test]
fn callees_are_known_by_their_paths() {
    let free = |path: &str| classify(&FnRef::Free { path: path.into(), args: Vec::new() });
    let inherent = |path: &str| {
        let self_ty = Ty::unit();
        classify(&FnRef::Inherent { path: path.into(), self_ty, args: Vec::new() })
    };
    assert_eq!(free("std::mem::swap"), Some(Intrinsic::Swap));
    assert_eq!(free("std::intrinsics::is_eq"), Some(Intrinsic::Asks(Question::IsEq)));
    assert_eq!(free("std::intrinsics::not_there"), Some(Intrinsic::Unmodelled));
    assert_eq!(free("std::panicking::panic_const::panic_const_add_overflow"), Some(Intrinsic::Panic(None)));
    let explicit = Some(Intrinsic::Panic(Some(PanicKind::Explicit)));
    assert_eq!(free("std::panicking::assert_failed_inner"), explicit);
    assert_eq!(inherent("std::vec::Vec::push"), Some(Intrinsic::Seq(SeqOp::Push)));
    assert_eq!(inherent("str::len"), Some(Intrinsic::SliceLen));
    assert_eq!(inherent("u8::count_ones"), Some(Intrinsic::Int(IntTy::U8, IntOp::CountOnes)));
    assert_eq!(inherent("std::fmt::rt::Placeholder::new"), Some(Intrinsic::FormatPieces));
    for path in ["mem::swap", "k::mem::swap", "std::mem::take", "std::vec::Vec::push"] {
        assert_eq!(free(path), None, "{path}");
    }
    for path in ["k::Vec::push", "std::vec::Vec::sort", "std::mem::swap", "push"] {
        assert_eq!(inherent(path), None, "{path}");
    }
}

#[test]
fn only_what_goes_by_bytes_is_the_same_of_strings() {
    let inherent = |path: &str| {
        let self_ty = Ty::unit();
        classify(&FnRef::Inherent { path: path.into(), self_ty, args: Vec::new() })
    };
    for name in ["push", "pop"] {
        assert_eq!(inherent(&format!("std::string::String::{name}")), None, "{name}");
    }
    assert_eq!(inherent("std::string::String::push_str"), Some(Intrinsic::Seq(SeqOp::PushStr)));
    assert_eq!(inherent("std::string::String::len"), Some(Intrinsic::Seq(SeqOp::Len)));
}
