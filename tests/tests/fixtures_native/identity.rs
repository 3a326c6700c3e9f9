//! What the compiler was given beside bodies.

use regress_tests::native::{Difference, Suite};

use crate::versions::*;

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "attack/identity", identity_old, identity_new;
        differs "size" Behaviour (0) |x: u8| size(x);
        differs "align" Behaviour (0) |x: u8| align(x);
        differs "place" Behaviour (0) |x: u8| place(x);
        differs "of_value" Behaviour (0) |x: u8| of_value(x);
        differs "laid_out" Behaviour (0) |x: u8| laid_out(x);
        differs "constant" Behaviour (0) |x: u8| constant(x);
        differs "from_static" Behaviour (0) |x: u8| from_static(x);
        differs "word" Behaviour (0) |x: u8| word(x);
        differs "through_field" Behaviour (0) |x: u8| through_field(x);
        differs "generic" Behaviour (0) |x: u8| generic(&Nested(u32::from(x)));
        differs "by_generic" Behaviour (0) |x: u8| by_generic(x);
        differs "in_body" Behaviour (0) |x: u8| in_body(x);
        differs "alias_in_body" Behaviour (0) |x: u8| alias_in_body(x);
        differs "constant_in_body" Behaviour (0) |x: u8| constant_in_body(x);
        differs "type_in_closure" Behaviour (0) |x: u8| type_in_closure(x);
        differs "by_symbol" Behaviour (0) |x: u8| by_symbol(x);
        differs "by_link_name" Behaviour (0) |x: u8| by_link_name(x);
        differs "by_static" Behaviour (0) |x: u8| by_static(x);
        differs "exported" Behaviour (0) |_x: u8| exported();
        differs "here" Behaviour (0) |_x: u8| here();
        differs "told" Behaviour (0) |x: u8| told(x);
        differs "moved" Behaviour (0) |x: u8| moved(x);
        differs "<Wide as Placed>::placed" Behaviour (0) |x: u8| Wide(x).placed();
        same "unseen" |x: u8, y: u8| unseen(x, y);
    }
}
