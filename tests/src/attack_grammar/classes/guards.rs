//! Rare inputs: a function is written in another way, right everywhere or everywhere but on one input that only a solver finds. The functions above it
//! stay as they are and must not follow from anything but a proof.

use super::parts::{UNSIGNED, bodies, callers, equal};
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet};

pub fn snippet(rng: &mut Rng) -> Snippet {
    let ty = rng.pick(&UNSIGNED);
    let made = bodies(rng, ty);
    let wrap = rng.below(6);
    let item = |body: &str, rng: &mut Rng| {
        let inner = format!("{{ {body} }}");
        match wrap {
            0..=2 => format!("pub fn f@N(a: {ty}, b: {ty}) -> {ty} {inner}"),
            3 => format!(
                "pub fn f@N(a: {ty}, b: {ty}) -> {ty} {{ let run = |a: {ty}, b: {ty}| -> {ty} {inner}; run(a, b) }}"
            ),
            4 => format!(
                "trait Work {{ fn work(self, b: {ty}) -> {ty}; fn twice(self, b: {ty}) -> {ty} where Self: Sized {{ self.work(b) }} }}\nimpl Work for {ty} {{ fn work(self, b: {ty}) -> {ty} {{ let a = self; {inner} }} }}\npub fn f@N(a: {ty}, b: {ty}) -> {ty} {{ a.twice(b) }}"
            ),
            _ => {
                let (more, _) = equal(rng, ty);
                format!(
                    "macro_rules! work {{ ($a:ident, $b:ident) => {{ {{ let b = $b; let a = $a; let _ = || {more}; inner(a, b) }} }} }}\nfn inner(a: {ty}, b: {ty}) -> {ty} {inner}\npub fn f@N(a: {ty}, b: {ty}) -> {ty} {{ work!(a, b) }}"
                )
            }
        }
    };
    let (old, new) = (item(&made.old, rng), item(&made.new, rng));
    let mut snippet = Snippet::new("rewritten", old, new)
        .call("f@N", vec![Param::value(ty).special(&made.special), Param::value(ty)]);
    if rng.one_in(4) {
        // In another crate.
        snippet.old.dep = snippet.old.items.replace("f@N", "d@N");
        snippet.new.dep = snippet.new.items.replace("f@N", "d@N");
        let through = format!("pub fn f@N(a: {ty}, b: {ty}) -> {ty} {{ dep::k@N::d@N(a, b) }}");
        snippet.old.items = through.clone();
        snippet.new.items = through;
        snippet.shape = "rewritten in a dependency".into();
    }
    callers(rng, snippet, "f@N", ty, &made.special)
}
