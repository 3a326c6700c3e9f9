//! Proofs that follow from proofs of other functions (`regress_core::align`, on congruence).
//!
//! First what follows from changed functions alone, whatever a search said of it, so that it need not be searched; then what was
//! not proved so far and follows from all proofs that there are. So the parts of a comparison, put together, say what one run does.
//!
//! **Invariant:** a function of which native runs say something else is left as it is, and one that was seen to differ is said to contradict
//! the proofs.

use std::collections::{BTreeMap, HashMap, HashSet};

use regress_core::align::{Alignment, Pair};
use regress_core::evidence::speaks_against_proof;
use regress_core::ir::FnId;
use regress_core::verdict::{Approximation, ChangeKind, Confirmation, Ledger, Proof, Verdict, Witness};

use super::load::Loaded;
use super::naming::display_path;
use super::subject::Judgement;
use crate::report::{About, Reach};
use regress_core::verdict::RestsOn;

/// Functions, each with those on whose proofs its own rests.
pub(super) type Congruent = BTreeMap<FnId, Vec<FnId>>;

/// What follows from the proofs of changed functions.
pub(super) fn of_changed<'r>(
    loaded: &Loaded,
    alignment: &Alignment,
    judged: impl Iterator<Item = (&'r Pair, &'r Judgement)>,
) -> HashSet<FnId> {
    let changed = judged.filter(|(pair, _)| pair.kind == ChangeKind::Changed);
    congruent(loaded, alignment, changed).into_keys().collect()
}

/// Puts proofs that follow from others in the place of what was said before.
pub(super) fn conclude(loaded: &Loaded, alignment: &Alignment, functions: &mut [(&Pair, Judgement)]) {
    let of_changed = {
        let changed = functions.iter().filter(|(pair, _)| pair.kind == ChangeKind::Changed);
        congruent(loaded, alignment, changed.map(|(pair, judgement)| (*pair, judgement)))
    };
    let proof = |by| Proof::Congruent { by };
    let gives_way = |verdict: &Verdict| {
        !speaks_against_proof(verdict) && !matches!(verdict, Verdict::Equal { proof: Proof::Aligned { .. } })
    };
    put(loaded, functions, &of_changed, proof, gives_way);
    let of_all = congruent(loaded, alignment, functions.iter().map(|(pair, judgement)| (*pair, judgement)));
    put(loaded, functions, &of_all, proof, |verdict| {
        !speaks_against_proof(verdict) && !matches!(verdict, Verdict::Equal { .. })
    });
}

fn congruent<'r>(
    loaded: &Loaded,
    alignment: &Alignment,
    judged: impl Iterator<Item = (&'r Pair, &'r Judgement)>,
) -> Congruent {
    let proved: HashMap<FnId, u64> = judged
        .filter_map(|(pair, judgement)| match &judgement.verdict {
            Verdict::Equal { proof } => Some((pair.new?, proof.panicking()?)),
            _ => None,
        })
        .collect();
    alignment.congruent(&loaded.old.program, &loaded.new.program, &proved)
}

/// Enters into the ledger that a call of a function speaks against what was proved of it by proofs of others.
pub(super) fn note_contradicted(ledger: &mut Ledger, path: &str, witness: &Witness, by: &[String]) {
    let args: Vec<String> = witness.inputs.iter().map(|input| input.value.to_string()).collect();
    let rests_on = RestsOn::Proofs { of: by.to_vec() };
    let call = format!("{path}({})", args.join(", "));
    ledger.note(Approximation::ProofContradicted { call, rests_on });
}

/// A difference that was run natively against what follows from proofs: one of them is wrong, or the rule by which it follows.
fn note_contradiction(verdict: &mut Verdict, path: &str, by: &[String]) {
    let Verdict::Differs { witnesses, ledger, .. } = verdict else { return };
    let native = witnesses.iter().find(|witness| witness.confirmation == Confirmation::Native);
    if let Some(witness) = native {
        note_contradicted(ledger, path, witness, by);
    }
}

/// Puts a proof that rests on those of others in the place of each verdict that gives way to it: none that native runs speak for.
pub(super) fn put(
    loaded: &Loaded,
    functions: &mut [(&Pair, Judgement)],
    congruent: &Congruent,
    proof: impl Fn(Vec<String>) -> Proof,
    gives_way: impl Fn(&Verdict) -> bool,
) {
    let name = |id: &FnId| display_path(&loaded.new.program, *id, loaded.only_crate());
    for (pair, judgement) in functions {
        let Some((new, by)) = pair.new.and_then(|new| congruent.get_key_value(&new)) else { continue };
        let mut by: Vec<String> = by.iter().map(name).collect();
        by.sort();
        note_contradiction(&mut judgement.verdict, &name(new), &by);
        if !gives_way(&judgement.verdict) {
            continue;
        }
        judgement.verdict = Verdict::Equal { proof: proof(by) };
        judgement.reach = Reach::Through;
        judgement.notes.retain(|note| note.about() == About::NativeRuns);
    }
}
