//! Which changes a difference takes: one alone, or several together.
//!
//! *Idea.* The first witness of a difference depends on some of the hunks of the change: those in the slices of its outputs. Where these are
//! several, versions between the old and the new one are built with some of them, and the call is made there. So it is seen which are needed,
//! and what happens where one is left out.
//!
//! * [`candidates`]: on which hunks the witness depends
//! * [`lattice`]: which of them make the difference, and which have to be tried to know
//! * [`suspects`]: lines of changes that are needed come first
//!
//! *Limits.* What is said holds for the one call. Changes in no function that it may come to run (of types, say) are as in the new version in all
//! of these.
//!
//! *Source.* M. Böhme, B. Oliveira, A. Roychoudhury: Regression tests to expose change interaction errors, ESEC/FSE 2013.
//!
//! Invariant: which changes make a difference is told of versions only that were built, and of calls that were made in them.

mod candidates;
mod lattice;
mod suspects;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::align::Pair;
use regress_core::compare::FunctionPair;
use regress_core::idx::Idx;
use regress_core::ir::FnId;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Class, Confirmation, Verdict, Version};

use self::candidates::Map;
use self::lattice::{Known, Set, Step, Told, next};
use super::Session;
use super::aligned::Aligned;
use super::explore::search_options;
use super::makers::by_fields;
use super::mixtures::{Change, Grain, MixedCall, MixedCalls, MixedEnd, Texts};
use super::subject::Judgement;
use super::suspects::DifferingCall;
use crate::harness::{Both, HarnessRequest, SubjectId, testing};
use crate::report::Note;
use crate::report::interaction::{Interaction, InteractionKind, NumberedChange};
use crate::versions::VersionTree;

/// Candidates of one difference.
const MOST_CANDIDATES: usize = 12;
/// Changes that are said to be depended on without having been tried.
const MOST_TOLD: usize = 4;
/// Finding on what one witness depends takes no longer.
const LONGEST_RUN: Duration = Duration::from_secs(2);
/// A part of the time of a whole run that this may take.
const PART: u32 = 4;

/// Notes which changes the first witness of each difference takes, regressions first, as long as the time allows.
pub(super) fn note_interactions(
    session: &Session<'_>,
    aligned: &Aligned,
    functions: &mut [(&Pair, Judgement)],
) {
    let each = Duration::from_secs(session.options.budget.interaction_time);
    if each.is_zero() || functions.iter().all(|(_, judgement)| !judgement.differs()) {
        return;
    }
    let Ok(Some(sources)) = Sources::read(session, aligned) else { return };
    if sources.change.len() < 2 {
        return;
    }
    let mut cases = cases(session, aligned, functions, &sources);
    if cases.is_empty() {
        return;
    }
    session.progress.step("Finding which changes the differences take");
    let whole = (each * cases.len() as u32).min(each.max(session.begun.elapsed() / (PART - 1)));
    let end = session.options.budget.deadline.map(|deadline| deadline.end());
    let own_end = Instant::now() + whole;
    let mut builder =
        Builder { session, aligned, sources: &sources, end: end.map_or(own_end, |end| end.min(own_end)) };
    builder.answer(&mut cases);
    for case in cases {
        let Some(interaction) = case.note(&sources) else { continue };
        let judgement = &mut functions[case.number].1;
        if let Verdict::Differs { suspects, .. } = &mut judgement.verdict {
            suspects::put_needed_first(suspects, &interaction, &aligned.loaded);
        }
        judgement.notes.push(Note::Changes(interaction));
    }
}

/// Both trees' texts and what lies between them.
struct Sources {
    texts: (Texts, Texts),
    change: Change,
    /// Where the sources that spans name lie in each tree.
    inside: [Utf8PathBuf; 2],
}

impl Sources {
    /// None where there are no sources to be built.
    fn read(session: &Session<'_>, aligned: &Aligned) -> anyhow::Result<Option<Sources>> {
        let versions = session.versions;
        let loaded = &aligned.loaded;
        let inside = |tree: &VersionTree, directory: &Utf8Path| -> Option<Utf8PathBuf> {
            Some(directory.strip_prefix(&tree.root).ok()?.to_owned())
        };
        let (Some(old), Some(new)) =
            (inside(&versions.old, &loaded.old.directory), inside(&versions.new, &loaded.new.directory))
        else {
            return Ok(None);
        };
        let texts = |tree: &VersionTree| testing::texts_below(&tree.root, Utf8Path::new(""));
        let texts = (texts(&versions.old)?, texts(&versions.new)?);
        let change = Change::between(&texts.0, &texts.1, Grain::Lines);
        Ok(Some(Sources { texts, change, inside: [old, new] }))
    }
}

/// A difference with several candidates.
struct Case {
    /// Among all functions.
    number: usize,
    functions: FunctionPair,
    inputs: Vec<Value>,
    before: Outcome,
    both: Both,
    /// Hunks on which it depends; all that are reached, if these do not tell.
    candidates: Vec<usize>,
    /// Those of them on which the call was seen to depend; none where it could not be followed.
    seen: BTreeSet<usize>,
    /// Hunks in functions that the call may come to run.
    reached: BTreeSet<usize>,
    known: Known,
    builds: u64,
    stage: Stage,
}

/// How far it is known which changes a case takes.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Asking,
    /// This is so with all else that is reached as in the new version. It has to be seen with all else as in the old one.
    Checking(Told, Set),
    Known(Told),
}

/// A mixture that a case wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    /// Of its candidates, those to be as in the new version.
    set: Set,
    /// What else is reached.
    others: Version,
}

fn cases(
    session: &Session<'_>,
    aligned: &Aligned,
    functions: &[(&Pair, Judgement)],
    sources: &Sources,
) -> Vec<Case> {
    let Aligned { loaded, alignment, harnesses, .. } = aligned;
    let [old_inside, new_inside] = &sources.inside;
    let map = Map::new(loaded, alignment, &sources.change, [old_inside, new_inside]);
    let mut cases: Vec<(Class, Case)> = Vec::new();
    for (number, (pair, judgement)) in functions.iter().enumerate() {
        let (Some(old), Some(new), Verdict::Differs { witnesses, class, .. }) =
            (pair.old, pair.new, &judgement.verdict)
        else {
            continue;
        };
        // The function is run at the types that were chosen for it.
        if judgement.notes.iter().any(|note| matches!(note, Note::AtTypes { .. })) {
            continue;
        }
        let Some(witness) = witnesses.first().filter(|witness| witness.confirmation == Confirmation::Native)
        else {
            continue;
        };
        if session.options.budget.is_over() {
            break;
        }
        let reached = map.reached((old, new));
        if reached.len() < 2 {
            continue;
        }
        let inputs: Vec<Value> = witness.inputs.iter().map(|input| input.value.clone()).collect();
        let made = inputs.iter().any(Value::holds_made);
        let Ok(instantiation) = harnesses.instantiation(old, new) else { continue };
        let makers = if made { harnesses.makers().of_subject(new) } else { by_fields(alignment) };
        let functions = FunctionPair { old, new, instantiation, makers };
        let call = DifferingCall {
            functions: &functions,
            arguments: &inputs,
            old: &witness.old,
            new: &witness.new,
            discharged: None,
        };
        let options = search_options(&session.options.search, LONGEST_RUN);
        let seen = map.behind(call, options, MOST_CANDIDATES);
        let mut behind = seen.clone().unwrap_or_else(|| reached.clone());
        // The new version does not run what it took out, and the old one need not have come to it.
        behind.extend(reached.iter().filter(|hunk| sources.change.only_takes_out(**hunk)));
        if !(2..=MOST_CANDIDATES).contains(&behind.len()) {
            continue;
        }
        let search = &session.options.search;
        let patience = session.patience(search.function_budget());
        let Ok(both) = harnesses.both((old, new), search.call_limits(), patience) else { continue };
        let case = Case {
            number,
            functions,
            inputs,
            before: witness.old.clone(),
            both,
            candidates: behind.into_iter().collect(),
            seen: seen.unwrap_or_default(),
            reached,
            known: Known::new(),
            builds: 0,
            stage: Stage::Asking,
        };
        cases.push((*class, case));
    }
    cases.sort_by_key(|(class, _)| *class);
    cases.into_iter().map(|(_, case)| case).collect()
}

impl Case {
    /// The mixture to be tried next, if there is anything left to be known.
    fn question(&mut self) -> Option<Question> {
        if self.stage == Stage::Asking {
            match next(self.candidates.len(), &self.known, &self.before) {
                Step::Ask(set) => return Some(Question { set, others: Version::New }),
                Step::Told(told) => {
                    let shows = told.shows().filter(|_| self.candidates.len() < self.reached.len());
                    self.stage = match shows {
                        Some(set) => Stage::Checking(told, set),
                        None => Stage::Known(told),
                    };
                }
            }
        }
        match &self.stage {
            Stage::Checking(_, set) => Some(Question { set: *set, others: Version::Old }),
            Stage::Asking | Stage::Known(_) => None,
        }
    }

    fn answer(&mut self, question: Question, end: MixedEnd) {
        let Stage::Checking(told, _) = &self.stage else {
            self.known.insert(question.set, end);
            return;
        };
        self.stage = match end {
            MixedEnd::New | MixedEnd::NotKnown => Stage::Known(told.clone()),
            // A change has a part in it on which neither run depends: it may have taken out what the old version did not come to.
            MixedEnd::Old | MixedEnd::Other(_) if self.reached.len() <= MOST_CANDIDATES => {
                self.candidates = self.reached.iter().copied().collect();
                self.known.clear();
                Stage::Asking
            }
            MixedEnd::Old | MixedEnd::Other(_) => Stage::Known(Told::Nothing),
        };
    }

    /// Which hunks that bear on the case are to be as in the new version.
    fn wants(&self, Question { set, others }: Question) -> BTreeMap<usize, bool> {
        let is_new = others == Version::New;
        let mut wants: BTreeMap<usize, bool> = self.reached.iter().map(|hunk| (*hunk, is_new)).collect();
        wants.extend(self.candidates.iter().enumerate().map(|(index, hunk)| (*hunk, set.contains(index))));
        wants
    }

    fn note(&self, sources: &Sources) -> Option<Interaction> {
        let number = |index: &usize| self.candidates[*index] + 1;
        let numbers = |set: &Set| set.members().map(|index| number(&index)).collect::<Vec<usize>>();
        let (kind, counted): (InteractionKind, Vec<usize>) = match &self.stage {
            Stage::Known(Told::Alone(index)) => {
                (InteractionKind::Alone { change: number(index) }, vec![*index])
            }
            Stage::Known(Told::Together(without)) => {
                let each = without.iter().map(|(index, end)| (number(index), end.clone()));
                let counted = without.iter().map(|(index, _)| *index).collect();
                (InteractionKind::Together { without: each.collect() }, counted)
            }
            Stage::Known(Told::Either(sets)) => {
                let counted: BTreeSet<usize> = sets.iter().flat_map(|set| set.members()).collect();
                let sets = sets.iter().map(numbers).collect();
                (InteractionKind::Either { sets }, counted.into_iter().collect())
            }
            Stage::Known(Told::Masked { shows, hides }) => {
                let kind = InteractionKind::Masked { shows: numbers(shows), hides: numbers(hides) };
                let counted: BTreeSet<usize> = shows.members().chain(hides.members()).collect();
                (kind, counted.into_iter().collect())
            }
            Stage::Known(Told::Nothing) => return None,
            Stage::Asking | Stage::Checking(..) if (1..=MOST_TOLD).contains(&self.seen.len()) => {
                let seen =
                    (0..self.candidates.len()).filter(|index| self.seen.contains(&self.candidates[*index]));
                (InteractionKind::Depends, seen.collect())
            }
            Stage::Asking | Stage::Checking(..) => return None,
        };
        let change = |index: usize| {
            let hunk = sources.change.told(self.candidates[index], &sources.inside[1], None);
            NumberedChange { number: number(&index), hunk }
        };
        Some(Interaction {
            changes: counted.into_iter().map(change).collect(),
            of: sources.change.len(),
            kind,
            builds: self.builds,
        })
    }
}

struct Builder<'b> {
    session: &'b Session<'b>,
    aligned: &'b Aligned,
    sources: &'b Sources,
    end: Instant,
}

impl Builder<'_> {
    /// Builds mixture after mixture until all that is asked is known, or the time is over. One mixture serves all cases that want it so.
    fn answer(&mut self, cases: &mut [Case]) {
        while Instant::now() < self.end {
            let questions = cases.iter_mut().enumerate();
            let asked: Vec<(usize, Question)> =
                questions.filter_map(|(number, case)| Some((number, case.question()?))).collect();
            if asked.is_empty() {
                return;
            }
            let together = together(cases, &asked);
            let ends = self.ends(cases, &together);
            let mut may_retry = together.len() > 1;
            for ((number, question), end) in together.into_iter().zip(ends) {
                // What does not build with others may do so by itself. If the first one does not, it is not for the others.
                let end = match end {
                    MixedEnd::NotKnown if may_retry && Instant::now() < self.end => {
                        let alone = self.ends(cases, &[(number, question)]).remove(0);
                        may_retry = alone != MixedEnd::NotKnown;
                        alone
                    }
                    end => end,
                };
                // A build that was ended tells nothing, not even that it fails.
                if end == MixedEnd::NotKnown && Instant::now() >= self.end {
                    return;
                }
                cases[number].answer(question, end);
            }
        }
    }

    /// How the calls of these cases end in a mixture. Whatever goes wrong leaves it unknown.
    fn ends(&self, cases: &mut [Case], asked: &[(usize, Question)]) -> Vec<MixedEnd> {
        let made = self.made(cases, asked);
        made.unwrap_or_else(|_| vec![MixedEnd::NotKnown; asked.len()])
    }

    fn made(&self, cases: &mut [Case], asked: &[(usize, Question)]) -> anyhow::Result<Vec<MixedEnd>> {
        let (session, loaded) = (self.session, &self.aligned.loaded);
        let makers = self.aligned.harnesses.makers();
        let pairs = asked.iter().map(|(number, _)| &cases[*number].functions);
        let new: Vec<_> = pairs.clone().map(|pair| (pair.new, pair.instantiation.new.clone())).collect();
        let request = session.request_for(&session.versions.new, &loaded.new, &new, makers)?;
        let line = |id: FnId| loaded.old.program.functions[id].span.map_or(0, |span| span.line_start);
        let lines_of_other = pairs.map(|pair| line(pair.old)).collect();
        let refused = self.aligned.harnesses.refused(Version::New, &request.crate_name);
        let mut cargo = request.cargo.clone();
        cargo.until = Some(self.end);
        let calls = MixedCalls {
            home: session.home.join("interaction").join(&request.crate_name),
            base: Version::New,
            request: HarnessRequest { seed: Some(request.out_dir.clone()), refused, cargo, ..request },
            lines_of_other,
            texts: &self.sources.texts,
            limits: session.options.search.call_limits(),
        };
        let mut wants: HashMap<usize, bool> = HashMap::new();
        for (number, question) in asked {
            wants.extend(cases[*number].wants(*question));
        }
        let taken: Vec<usize> =
            (0..self.sources.change.len()).filter(|hunk| wants.get(hunk).copied().unwrap_or(true)).collect();
        let mixture = self.sources.change.mixture(&taken);
        // Both are in the order of the cases.
        let of_asked =
            cases.iter_mut().enumerate().filter(|(number, _)| asked.iter().any(|(at, _)| at == number));
        let mut mixed: Vec<MixedCall<'_>> = Vec::new();
        for (at, (_, case)) in of_asked.enumerate() {
            case.builds += 1;
            let subject = SubjectId::from_usize(at);
            mixed.push(MixedCall { subject, inputs: &case.inputs, both: &mut case.both });
        }
        calls.make(&mixture, &mut mixed)
    }
}

/// Questions that one mixture answers, the first among them.
fn together(cases: &[Case], asked: &[(usize, Question)]) -> Vec<(usize, Question)> {
    let mut wants: BTreeMap<usize, bool> = BTreeMap::new();
    let mut together = Vec::new();
    for (number, question) in asked {
        let own = cases[*number].wants(*question);
        if own.iter().all(|(hunk, new)| wants.get(hunk).is_none_or(|wanted| wanted == new)) {
            wants.extend(own);
            together.push((*number, *question));
        }
    }
    together
}
