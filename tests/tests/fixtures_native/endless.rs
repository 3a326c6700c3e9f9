//! Loops that do not end. Each keeps a processor busy until the test's process ends, so they are claimed last.

use regress_tests::native::{Difference, Suite};

use crate::versions::{endless_new, endless_old};

#[allow(unused_imports, clippy::all)]
pub fn claim(suite: &mut Suite) {
    claims! { suite, "differ/endless", endless_old, endless_new;
        hangs "halvings" Regression halvings(5);
        hangs "skip_spaces" Regression skip_spaces(b"x   ") + skip_spaces(b"   x");
        hangs "count_down" Regression count_down(1, 2);
        hangs "until_even" Fix until_even(1);
        hangs "settle" Regression settle(0x5eed_5eed_5eed ^ 0x0123_4567_89ab, 1);
    }
}
