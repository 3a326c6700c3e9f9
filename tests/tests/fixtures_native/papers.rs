//! The papers' programs.

use regress_tests::native::{Difference, FieldList, Suite};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "papers/three_partitions", three_partitions_old, three_partitions_new;
        same "sample" |x: i32, y: i32, z: i32| sample(x, y, z);
    }
    claims! { suite, "papers/three_partitions_assumed", three_partitions_assumed_old, three_partitions_assumed_new;
        same "sample" |x: i32, y: i32, z: i32| sample(x, y, z);
    }
    claims! { suite, "papers/irrelevant_assignment", irrelevant_assignment_old, irrelevant_assignment_new;
        differs "small" Behaviour (2) |x: i32| small(x);
        same "unused" |x: i32| unused(x);
    }
    claims! { suite, "papers/shadow_threshold", shadow_threshold_old, shadow_threshold_new;
        differs "patched" Behaviour (20) |x: i32| patched(x);
        same "weakened" |a: bool, b: bool, x: u8| weakened(a, b, x);
        differs "strengthened" Behaviour (1, 0) |x: i32, y: i32| strengthened(x, y);
    }
    claims! { suite, "papers/shadow_underflow", shadow_underflow_old, shadow_underflow_new;
        differs "foo" Regression ([1, 2, 3], 0) |arr: [u8; 3], x: i32| {
            let mut arr = arr;
            (foo(&mut arr, x), arr)
        };
        differs "reached" Behaviour (i32::MIN) |x: i32| reached(x);
    }
    claims! { suite, "papers/cut_field_list", cut_field_list_old, cut_field_list_new;
        differs "first_field" Regression (FieldList(b"0-".to_vec())) |list: FieldList| {
            first_field(&list.0).map_err(|ListError::Unexpected(byte)| byte)
        };
    }
    claims! { suite, "papers/cut_field_list_repaired", cut_field_list_repaired_old, cut_field_list_repaired_new;
        same "is_digit" |byte: u8| is_digit(byte);
        differs "first_field" Fix (FieldList(b"0-".to_vec())) |list: FieldList| {
            first_field(&list.0).map_err(|error| match error {
                ListError::Unexpected(byte) => Some(byte),
                ListError::FromZero => None,
            })
        };
    }
    claims! { suite, "differ/new_panics", new_panics_old, new_panics_new;
        differs "collected" Behaviour (1) |x: u8| collected(x);
        differs "joined" Behaviour (0) |a: u8| joined(&a.to_string());
        differs "at" Behaviour (0, 0) |item: u8, index: u8| at(&[item], index.into());
        differs "counted" Behaviour (3, 4) |a: u8, b: u8| counted(&[a, b]);
        differs "first" Regression (0) |length: u8| first(&[7, 7, 7][..usize::from(length % 4)]);
        differs "inserted" Regression (0, 9) |item: u8, place: u8| inserted(vec![item], place.into());
        differs "room" Regression (0) |size: u8| room(size.into());
        differs "deeper" Regression (2) |x: u8| deeper(x);
    }
    claims! { suite, "differ/affected_when", affected_when_old, affected_when_new;
        differs "fee" Behaviour (3, true) |items: u32, express: bool| fee(&Order { items, express });
        differs "days" Behaviour (Some(9)) |distance: Option<u8>| days(distance.map_or(Zone::Near, Zone::Far));
        differs "label" Behaviour (b"aB".to_vec(), 0) |text: Vec<u8>, width: u8| std::str::from_utf8(&text).ok().map(|text| label(text, width.into()));
        differs "rate" Behaviour (4, true) |amount: u8, is_member: bool| rate(amount.into(), is_member).to_bits();
        differs "anywhere" Behaviour (0) |x: u8| anywhere(x);
    }
    claims! { suite, "interaction/pairs", pairs_old, pairs_new;
        differs "selected" Regression (Some(0), Some(9)) |start: Option<u8>, end: Option<u8>| selected(start, end);
        differs "remainder" Regression (0, 0) |a: i32, b: i32| remainder(a, b);
        differs "step" Behaviour (0) |by: u8| step(by);
        differs "steps" Regression (1, 0) |end: u8, by: u8| steps(end, by);
        differs "fee" Behaviour (2_000_000) |amount: u32| fee(amount);
        differs "worse" Behaviour (150, 11) |a: u8, b: u8| worse(a, b);
        differs "level" Behaviour (255) |x: u8| level(x);
        differs "place" Regression ([1, 2, 3, 4], 4) |table: [u8; 4], at: u8| place(&table, at);
        differs "score" Behaviour (45_000) |points: u16| score(points.into());
    }
    claims! { suite, "papers/cut_range_buffer", cut_range_buffer_old, cut_range_buffer_new;
        differs "mark_start" Regression (2, 7, true) |largest_end: u8, open_start: u8, delimiter: bool| {
            mark_start(&Ranges { largest_end, open_start, delimiter })
        };
    }
    claims! { suite, "papers/negated_absolute", negated_absolute_old, negated_absolute_new;
        differs "negated_absolute" Behaviour (-1) |x: i32| negated_absolute(x);
        differs "negated_absolute_checked" Behaviour (-1) |x: i32| negated_absolute_checked(x);
        same "asserted_only" |x: i32| asserted_only(x);
    }
}
