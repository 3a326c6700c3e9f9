//! Claims about versions that differ by how they are built, or whose functions end the process.

use regress_tests::built::{claim, differs, same};
use regress_tests::native::{Difference, Suite};

use Difference::{Behaviour, Fix, Regression};

pub fn claim_all(suite: &mut Suite) {
    claim(
        suite,
        "attack/checks_lost",
        &[
            differs("absolute", Fix, "absolute(x as i32)"),
            differs("power", Fix, "power(x as u8)"),
            differs("total", Fix, "total(x as u8, y as u8)"),
            differs("produced", Fix, "produced(x as i16, y as i16)"),
            differs("called", Fix, "called(x as u8, y as u8)"),
            differs("add", Fix, "add(x as u8, y as u8)"),
            differs("generic", Fix, "generic(x as u16, y as u16)"),
            differs("rounded_up", Fix, "rounded_up(x as u16)"),
            differs("assigned", Fix, "assigned(x as i8, &(y as i8))"),
            differs("negated", Fix, "negated(x as i8)"),
            differs("plain", Fix, "plain(x as u8, y as u8)"),
            same("divided", "divided(x as i8, y as i8)"),
            same("own", "own(x as u8)"),
            same("unmarked", "unmarked(x as i32)"),
        ],
    );
    claim(
        suite,
        "attack/unchecked",
        &[
            differs("absolute", Behaviour, "absolute(x as i32)"),
            same("sum", "sum(x as u32, y as u32)"),
            same("called", "called(x as u32, y as u32)"),
            same("power", "power(x as u16)"),
            same("total", "total(x as u8, y as u8)"),
            same("rounded_up", "rounded_up(x as u16)"),
            same("guarded", "guarded(x as u8)"),
            differs("divided", Fix, "divided(x as i8, y as i8)"),
            same("shifted", "shifted(x as u8, y as u32)"),
            differs("after_abs", Behaviour, "after_abs(x as i8)"),
        ],
    );
    claim(
        suite,
        "attack/aborting",
        &[
            differs("caught", Fix, "caught(x as u32)"),
            differs("divided", Fix, "divided(x as u32)"),
            same("same", "same(x as u32 >> 1)"),
        ],
    );
    claim(
        suite,
        "attack/abort_added",
        &[
            differs("divided", Behaviour, "divided(x as u32)"),
            differs("caught", Regression, "caught(x as u32)"),
        ],
    );
    claim(
        suite,
        "differ/process_ends",
        &[
            differs("checked", Regression, "checked((x as u8).wrapping_sub(5))"),
            differs("rejected", Regression, "rejected(if x == 0 { 77 } else { y as u32 })"),
            differs("accepted", Fix, "accepted(x as u16)"),
            same("Bomb::stop", "Bomb.stop(x as u8)"),
            differs("Clock::stop", Behaviour, "Clock { left: x as u8 }.stop(y as u8)"),
        ],
    );
    claim(
        suite,
        "attack/unwinding",
        &[
            differs("guarded", Behaviour, "guarded(if x == 0 { 0x1234_5678_9abc_def1 } else { y as u64 })"),
            differs("boxed", Behaviour, "boxed(if x == 0 { 0x1234_5678_9abc_def1 } else { y as u64 })"),
            same("harmless", "harmless(if x == 0 { 0x1234_5678_9abc_def1 } else { y as u64 })"),
            differs("foreign", Behaviour, "foreign(if x == 0 { 0x1234_5678_9abc_def1 } else { y as u64 })"),
            differs(
                "through_foreign",
                Behaviour,
                "through_foreign(if x == 0 { 0x1234_5678_9abc_def1 } else { y as u64 })",
            ),
            differs("at_one_place", Behaviour, "at_one_place(if x == 0 { 21 } else { y as usize })"),
            same("in_order", "in_order(x as usize)"),
            differs("line_of_failure", Behaviour, "line_of_failure(0)"),
        ],
    );
    claim(
        suite,
        "attack/told_hooks",
        &[
            same("line_of", "line_of(|| {})"),
            differs("of_moved", Behaviour, "of_moved()"),
            differs("of_broken", Behaviour, "of_broken()"),
            differs("of_own_macro", Behaviour, "of_own_macro()"),
            same("without", "without(x as u8)"),
        ],
    );
    claim(
        suite,
        "attack/build_script",
        &[
            differs("scaled", Behaviour, "scaled(x as i32)"),
            differs("scaled_twice", Behaviour, "scaled_twice(x as i32)"),
            differs("in_table", Behaviour, "in_table(x as u8)"),
            differs("in_data", Behaviour, "in_data(x as u8)"),
            differs("step", Behaviour, "step()"),
            differs("factor", Behaviour, "factor(x as u8)"),
            same("plain", "plain(x as u8)"),
        ],
    );
}
