//! Which characters beyond ASCII `{:?}` shows as they are: a table of the standard library, taken from the one that this
//! program was built with.
//!
//! The crate under comparison may be built with another version of it, in which characters were added. So a run that
//! asks this says which version of Unicode it went by.

use std::sync::OnceLock;

use super::run::Run;
use super::tree::{Scalar, ScalarTy};
use crate::verdict::{Approximation, LeftOut};

/// Whether the character is shown as it is, as one condition: there is a case for either answer, not for each range.
pub fn shown_as_it_is(run: &mut Run<'_>, c: Scalar) -> Scalar {
    let what = LeftOut::NewerUnicode { release: char::UNICODE_VERSION };
    run.approximations.push(Approximation::InputAlphabet { what });
    let concrete = char::from_u32(c.bits as u32).is_some_and(is_shown);
    let Some(term) = c.term else {
        return Scalar { slice: c.slice, ..Scalar::bool(concrete) };
    };
    let pool = &mut *run.pool;
    let in_range = |(first, behind): &(u32, u32)| {
        let (first, behind) = (pool.bv_const((*first).into(), 32), pool.bv_const((*behind).into(), 32));
        let (not_below, below) = (pool.ule(first, term), pool.ult(term, behind));
        pool.and(not_below, below)
    };
    let conditions: Vec<_> = shown_ranges().iter().map(in_range).collect();
    let shown = pool.or_all(&conditions);
    run.scalar(ScalarTy::Bool, concrete.into(), shown, c.slice)
}

fn is_shown(c: char) -> bool {
    let mut escaped = c.escape_debug();
    escaped.next() == Some(c) && escaped.next().is_none()
}

/// First characters and what follows the last ones, in order.
fn shown_ranges() -> &'static [(u32, u32)] {
    static RANGES: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    RANGES.get_or_init(|| {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for c in ('\u{80}'..=char::MAX).filter(|c| is_shown(*c)) {
            let code = u32::from(c);
            match ranges.last_mut() {
                Some((_, behind)) if *behind == code => *behind += 1,
                _ => ranges.push((code, code + 1)),
            }
        }
        ranges
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::run::Limits;
    use crate::exec::slice::SliceId;
    use crate::term::{Model, Sort, TermPool};

    #[test]
    fn the_condition_says_what_the_table_says() {
        let mut pool = TermPool::new();
        let variable = pool.var("c", Sort::Bv(32));
        let var = pool.var_of(variable).expect("a variable is a variable");
        let mut run = Run::new(&mut pool, Limits::default());
        let c = Scalar { ty: ScalarTy::Char, bits: 0xe9, term: Some(variable), slice: SliceId::empty() };
        let shown = shown_as_it_is(&mut run, c);
        assert_eq!(shown.bits, 1);
        assert_eq!(run.approximations.len(), 1);
        let condition = shown.term.expect("it depends on the character");
        drop(run);
        let edges =
            shown_ranges().iter().flat_map(|(first, behind)| [first - 1, *first, behind - 1, *behind]);
        let samples = ['\u{80}', '\u{ad}', '\u{300}', '\u{e000}', '\u{10ffff}', '\u{6f22}'].map(u32::from);
        for c in edges.step_by(7).chain(samples).filter_map(char::from_u32).filter(|c| !c.is_ascii()) {
            let mut model = Model::default();
            model.set(var, u32::from(c).into());
            assert_eq!(pool.eval(condition, &model) != 0, is_shown(c), "{c:?}");
        }
    }
}
