//! Puts the glue into the sources: a pure function from source texts to source texts.
//!
//! Glue goes to the end of a module: after the last line of its file, or right before the closing brace. Nothing that
//! precedes it on a line moves, so the lines and columns that panics tell are those of the original.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::idx::IdxVec;
use regress_core::ir::{GivenFields, Moved, Path};

use super::callee::{Callee, find};
use super::calls;
use super::coverage::Probe;
use super::effects::reachable_effects;
use super::follow::follow;
use super::glue::{self, How, Runtime, Ways};
use super::literals::{Literals, Samples};
use super::request::{DeclaredType, HarnessError, MakerId, MakerRequest, SubjectId, SubjectRequest, Target};
use super::scan::{AdtItem, Scan, Scope, scan};

/// What a piece of glue is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Owner {
    /// Showing values of a type of the crate, by its number in the scan.
    Show(usize),
    /// Building values of a type of the crate.
    Build(usize),
    /// Showing values of a variant of an enum of the crate, by its place among the variants.
    ShowVariant(usize, usize),
    /// Building values of such a variant.
    BuildVariant(usize, usize),
    Subject(SubjectId),
    /// Calling what the crate makes values of a type by.
    Maker(MakerId),
    /// Noting that a statement is executed, by its number.
    Probe(usize),
}

/// What is left of a piece of glue that did not compile as it was meant, and why it did not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Fallback {
    pub form: Form,
    pub reason: String,
}

/// What is left of a piece of glue; the later ones are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Form {
    /// A value is shown as `Debug` shows it, which tells values apart but does not tell what they are made of.
    Debug,
    /// A value is shown by what it yields, or each part of it as far as the compiler knows a way.
    LookedAt,
    /// A value is made by functions of the crate only, not field by field.
    Made,
    Dropped,
}

/// How the reason ends for a type of which no value can be built, or none shown.
pub const BUILT: &str = "cannot be built";
pub const SHOWN: &str = "cannot be shown";

pub type Fallbacks = BTreeMap<Owner, Fallback>;

/// Where a piece of glue stands in a written file, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub file: Utf8PathBuf,
    pub bytes: Range<usize>,
    pub owner: Owner,
}

/// The sources of a crate, and what can be put into them.
#[derive(Debug)]
pub struct Plan {
    scan: Scan,
    root: Utf8PathBuf,
    crate_name: String,
    target: Target,
    /// By subject: how it is called, or why it is not.
    subjects: IdxVec<SubjectId, Result<Callee, String>>,
    /// The same of what makes values.
    makers: IdxVec<MakerId, PlannedMaker>,
    /// What is passed to functions.
    samples: Samples,
}

#[derive(Debug)]
struct PlannedMaker {
    request: MakerRequest,
    callee: Result<Callee, String>,
    /// The subject that it is, if it is one.
    own: Option<SubjectId>,
}

#[derive(Clone, Debug, Default)]
pub struct Instrumented {
    /// The files that differ from the original, or are new.
    pub files: BTreeMap<Utf8PathBuf, String>,
    pub segments: Vec<Segment>,
    /// Subjects that cannot be called, by what the source says.
    pub unavailable: BTreeMap<SubjectId, String>,
}

/// The files of the crate with all glue. `files` are named relative to the workspace's root.
pub fn instrument(
    files: &BTreeMap<Utf8PathBuf, String>,
    root: &Utf8Path,
    crate_name: &str,
    target: &Target,
    subjects: &IdxVec<SubjectId, SubjectRequest>,
) -> Result<Instrumented, HarnessError> {
    Ok(Plan::new(files, root, crate_name, target, subjects, &IdxVec::new(), &[])?
        .render(&Fallbacks::new(), Runtime::Module))
}

impl Plan {
    pub fn new(
        files: &BTreeMap<Utf8PathBuf, String>,
        root: &Utf8Path,
        crate_name: &str,
        target: &Target,
        subjects: &IdxVec<SubjectId, SubjectRequest>,
        makers: &IdxVec<MakerId, MakerRequest>,
        types: &[DeclaredType],
    ) -> Result<Plan, HarnessError> {
        let mut scan = scan(files, root, crate_name)?;
        let declared = subjects.iter().filter_map(|subject| subject.declared.as_ref());
        let taken = declared.flat_map(|declared| declared.takes.iter().chain(&declared.holds));
        let taken = taken.map(String::as_str).collect();
        scan.add_declared(types, &taken, crate_name);
        scan.add_stand_ins(&taken, crate_name);
        let effects = reachable_effects(&scan);
        let callee = |request: &SubjectRequest| {
            let takes = request.declared.iter().flat_map(|declared| &declared.takes);
            match takes.filter_map(|path| scan.trait_without_values(path)).next() {
                Some(of_trait) => Err(format!("no value that has `{of_trait}` can be made")),
                None => find(&scan, &effects, crate_name, request),
            }
        };
        let planned = |maker: &MakerRequest| {
            let place =
                |function: &SubjectRequest| (function.path.clone(), function.file.clone(), function.line);
            let is_own = |subject: &SubjectRequest| place(subject) == place(&maker.function);
            let own = subjects.iter_enumerated().find(|(_, subject)| is_own(subject)).map(|(id, _)| id);
            PlannedMaker { request: maker.clone(), callee: callee(&maker.function), own }
        };
        let makers = makers.iter().map(planned).collect();
        let subjects = subjects.iter().map(callee).collect();
        let samples = Samples::of(files);
        Ok(Plan {
            scan,
            root: root.to_owned(),
            crate_name: crate_name.to_string(),
            target: target.clone(),
            subjects,
            makers,
            samples,
        })
    }

    /// The same, where types and makers are told by the names that the other version has for them.
    pub fn told_by_names_of(mut self, moved: &Moved) -> Plan {
        for adt in &mut self.scan.adts {
            adt.path = moved.new_name(&adt.path);
        }
        for PlannedMaker { request, .. } in self.makers.iter_mut() {
            request.function.path = Path::new(moved.new_name(request.function.path.as_str()));
        }
        self
    }

    /// The same, where these types and what holds them are not shown as `Debug` does: a field that one version alone has would make all texts
    /// differ.
    pub fn compared_by_parts(mut self, types: &BTreeSet<Path>) -> Plan {
        let is_one = |adt: &AdtItem| types.iter().any(|path| path.as_str() == adt.path);
        for adt in self.scan.all_that_hold(is_one) {
            self.scan.adts[adt].is_compared_by_parts = true;
        }
        self
    }

    /// The same, where values of these structs are given and shown by these fields, in this order.
    pub fn completed_by_default(mut self, types: &BTreeMap<Path, GivenFields>) -> Plan {
        for adt in self.scan.adts.iter_mut().filter(|adt| adt.foreign.is_none()) {
            if let Some(given) = types.get(&Path::new(&adt.path)) {
                adt.keep_fields(given);
            }
        }
        self
    }

    pub fn literals(&self, subject: SubjectId) -> Literals {
        match self.subjects.get(subject) {
            Some(Ok(Callee { function: Some(function), .. })) => {
                let item = &self.scan.functions[*function];
                let written = self.samples.about(&item.name, &item.takes);
                Literals { written, ..self.scan.literals(*function) }
            }
            _ => Literals::default(),
        }
    }

    /// Why values cannot be made by this function, by what the source says.
    pub fn refused_maker(&self, maker: MakerId) -> Option<&String> {
        self.makers[maker].callee.as_ref().err()
    }

    /// Whether any function is left that makes values of a type of the scan.
    pub fn is_made(&self, adt: usize, fallbacks: &Fallbacks) -> bool {
        self.makers.iter_enumerated().any(|(id, PlannedMaker { request, callee, .. })| {
            request.makes == self.scan.adts[adt].path
                && callee.is_ok()
                && !fallbacks.contains_key(&Owner::Maker(id))
        })
    }

    /// Adds what the compiler need not be asked: a value without a size of its own is not built, and not shown as others are.
    pub fn add_known(&self, fallbacks: &mut Fallbacks) {
        for adt in self.scan.unsized_types() {
            let name = &self.scan.adts[adt].name;
            let fallback =
                |form, end: &str| Fallback { form, reason: format!("a value of the type `{name}` {end}") };
            fallbacks.entry(Owner::Build(adt)).or_insert(fallback(Form::Dropped, BUILT));
            fallbacks.entry(Owner::Show(adt)).or_insert(fallback(Form::LookedAt, SHOWN));
        }
        let undeclared = |adt: &AdtItem| self.scan.trait_without_values(&adt.path).is_some();
        for (index, adt) in self.scan.adts.iter().enumerate().filter(|(_, adt)| undeclared(adt)) {
            let reason = format!("a value of the type `{}` {BUILT}", adt.name);
            fallbacks.entry(Owner::Build(index)).or_insert(Fallback { form: Form::Dropped, reason });
        }
        let hidden = self.scan.adts.iter().enumerate().filter(|(_, adt)| adt.hides_fields);
        for (index, adt) in hidden {
            let fallback = |form, end: &str| Fallback {
                form,
                reason: format!("a value of the type `{}` {end}", adt.name),
            };
            let shown = match adt.derives_debug && !adt.is_compared_by_parts {
                true => Form::Debug,
                false => Form::LookedAt,
            };
            fallbacks.entry(Owner::Build(index)).or_insert(fallback(Form::Made, BUILT));
            fallbacks.entry(Owner::Show(index)).or_insert(fallback(shown, SHOWN));
        }
        self.follow(fallbacks);
    }

    /// Adds what follows from what fell back.
    pub fn follow(&self, fallbacks: &mut Fallbacks) {
        let subjects = self.subjects.iter_enumerated();
        let subjects =
            subjects.filter_map(|(id, callee)| Some((Owner::Subject(id), &callee.as_ref().ok()?.takes)));
        let makers = self.makers.iter_enumerated();
        let makers =
            makers.filter_map(|(id, maker)| Some((Owner::Maker(id), &maker.callee.as_ref().ok()?.takes)));
        let called: Vec<_> = subjects.chain(makers).collect();
        follow(&self.scan, &called, |adt, fallbacks| self.is_made(adt, fallbacks), fallbacks);
    }

    /// The names of the variants of each type of the scan, in its order.
    pub fn variants(&self) -> impl Iterator<Item = Vec<&str>> {
        let name =
            |adt: usize| self.scan.adts[adt].variants.iter().map(|variant| variant.name.as_str()).collect();
        (0..self.scan.adts.len()).map(name)
    }

    /// The names of the types of the scan, in its order.
    pub fn adt_paths(&self) -> impl Iterator<Item = &str> {
        self.scan.adts.iter().map(|adt| adt.path.as_str())
    }

    /// The name of a type of the scan.
    pub fn adt_path(&self, adt: usize) -> &str {
        &self.scan.adts[adt].path
    }

    /// Whether values of a type of the scan have a `Debug` to be shown by.
    pub fn has_debug(&self, adt: usize) -> bool {
        self.scan.has_debug(adt)
    }

    /// The sources with all glue, in the form that each piece has fallen back to.
    pub fn render(&self, fallbacks: &Fallbacks, runtime: Runtime) -> Instrumented {
        self.render_with(fallbacks, &[], runtime)
    }

    /// The same, where these functions write their arguments down. What fell back does not.
    pub fn render_with_captures(
        &self,
        fallbacks: &Fallbacks,
        subjects: &IdxVec<SubjectId, SubjectRequest>,
    ) -> Instrumented {
        let mut statements = Vec::new();
        for (id, subject) in subjects.iter_enumerated() {
            let name = subject.path.as_str().rsplit("::").next().unwrap_or_default();
            let found = self.scan.functions_at(&subject.file, subject.line, name);
            let ([function], false) = (found.as_slice(), fallbacks.contains_key(&Owner::Subject(id))) else {
                continue;
            };
            let function = &self.scan.functions[*function];
            if let (Some(text), None) = (glue::capture_statement(id, function), &function.obstacle) {
                let file = self.scan.modules[function.module].file.clone();
                statements.push(Statement { file, at: function.body, text, owner: Owner::Subject(id) });
            }
        }
        self.render_with(fallbacks, &statements, Runtime::Module)
    }

    /// The same, where statements note their numbers when they are executed.
    pub(super) fn render_with_probes(&self, probes: &[Option<Probe>], fallbacks: &Fallbacks) -> Instrumented {
        let of_probe = |(number, probe): (usize, &Option<Probe>)| {
            let Probe { file, at, .. } = probe.as_ref()?;
            let text = glue::probe_statement(number);
            Some(Statement { file: file.clone(), at: *at, text, owner: Owner::Probe(number) })
        };
        let statements: Vec<Statement> = probes.iter().enumerate().filter_map(of_probe).collect();
        self.render_with(fallbacks, &statements, Runtime::Module)
    }

    /// The files of the crate as they are before glue is added.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&Utf8Path, &str)> {
        self.scan.files.iter().map(|(path, file)| (path.as_path(), file.text.as_str()))
    }

    fn render_with(&self, fallbacks: &Fallbacks, statements: &[Statement], runtime: Runtime) -> Instrumented {
        let mut out = Instrumented::default();
        for (id, subject) in self.subjects.iter_enumerated() {
            if let Err(reason) = subject {
                out.unavailable.insert(id, reason.clone());
            }
        }
        for (path, file) in &self.scan.files {
            let mut edits: Vec<Edit> = Vec::new();
            for range in &file.relaxed {
                // As wide as what it replaces.
                let text = if range.len() == "forbid".len() { "warn  " } else { "warn" };
                edits.push(Edit::replace(range.clone(), text));
            }
            for (id, module) in self.scan.modules.iter().enumerate() {
                if module.file == *path {
                    let mut edit = Edit::replace(module.end..module.end, "");
                    if module.end == file.text.len() {
                        edit.push("\n", None);
                    }
                    self.module_glue(id, fallbacks, &mut edit);
                    edits.push(edit);
                }
            }
            for statement in statements.iter().filter(|statement| statement.file == *path) {
                let mut edit = Edit::replace(statement.at..statement.at, "");
                edit.push(&statement.text, Some(statement.owner));
                edits.push(edit);
            }
            if *path == self.root {
                let mut edit = Edit::replace(file.text.len()..file.text.len(), "");
                edit.push(&glue::root_items(runtime, RUNTIME_FILE), None);
                edit.push("\n", None);
                edits.push(edit);
                if let (Target::Bin(_), Some(at)) = (&self.target, file.main_body) {
                    edits.push(Edit::replace(at..at, " crate::__regress::main();"));
                }
            }
            out.files.insert(path.clone(), apply(path, &file.text, edits, &mut out.segments));
        }
        let dir = self.root.parent().map(Utf8Path::to_owned).unwrap_or_default();
        if runtime == Runtime::Module {
            out.files.insert(dir.join(RUNTIME_FILE), glue::runtime());
        }
        if self.target == Target::Lib {
            let main = format!(
                "extern crate {};\nfn main() {{\n    {}::__regress::main();\n}}\n",
                self.crate_name, self.crate_name
            );
            out.files.insert(dir.join(WORKER_FILE), main);
        }
        out
    }

    fn module_glue(&self, module: usize, fallbacks: &Fallbacks, edit: &mut Edit) {
        let form = |owner: Owner| fallbacks.get(&owner).map(|fallback| fallback.form);
        for (index, adt) in self.scan.adts.iter().enumerate() {
            if adt.module != module {
                continue;
            }
            if self.scan.trait_without_values(&adt.path).is_some() {
                continue;
            }
            if let Some(stand_in) = self.scan.stand_ins.get(&index) {
                if form(Owner::Build(index)) == Some(Form::Dropped) {
                    continue;
                }
                edit.push(&stand_in.text(), Some(Owner::Build(index)));
            }
            let origin = match (self.is_made(index, fallbacks), form(Owner::Build(index))) {
                (true, Some(Form::Made)) => Ways::Made,
                (true, _) => Ways::Either,
                (false, _) => Ways::Fields,
            };
            let how = |variant| match (form(Owner::Show(index)), form(Owner::ShowVariant(index, variant))) {
                (Some(_), _) | (None, Some(Form::LookedAt)) => How::LookedAt,
                (None, None) => How::ByFields,
                (None, Some(_)) => How::ByDebug,
            };
            match form(Owner::Show(index)) {
                None | Some(Form::LookedAt) => {
                    for (text, variant) in glue::show_impl(&self.scan, adt, origin, how) {
                        let of = |variant| Owner::ShowVariant(index, variant);
                        edit.push(&text, Some(variant.map_or(Owner::Show(index), of)));
                    }
                }
                Some(Form::Debug) => {
                    edit.push(&glue::debug_impl(&self.scan, adt, origin), Some(Owner::Show(index)))
                }
                Some(Form::Made | Form::Dropped) => {}
            }
            if form(Owner::Build(index)) != Some(Form::Dropped) {
                let is_left = |variant| form(Owner::BuildVariant(index, variant)).is_none();
                for (text, variant) in glue::build_impl(&self.scan, adt, origin, is_left) {
                    let of = |variant| Owner::BuildVariant(index, variant);
                    edit.push(&text, Some(variant.map_or(Owner::Build(index), of)));
                }
            }
        }
        let subjects = || {
            self.subjects.iter_enumerated().filter_map(|(id, subject)| {
                let callee = subject.as_ref().ok()?;
                let there = callee.module == module && form(Owner::Subject(id)) != Some(Form::Dropped);
                there.then_some((id, callee))
            })
        };
        for (id, callee) in subjects() {
            let call = calls::call_fn(id, callee, form(Owner::Subject(id)));
            edit.push(&call, Some(Owner::Subject(id)));
        }
        if let Scope::Body { .. } = self.scan.modules[module].scope {
            for (id, callee) in subjects() {
                edit.push(&calls::nested_registration(id, callee), Some(Owner::Subject(id)));
            }
            return;
        }
        let (open, close) = calls::registrar();
        edit.push(&open, None);
        for (id, callee) in subjects() {
            edit.push(&calls::registration(id, callee), Some(Owner::Subject(id)));
        }
        for (id, PlannedMaker { request, callee, own }) in self.makers.iter_enumerated() {
            let Ok(callee) = callee else { continue };
            if callee.module == module && form(Owner::Maker(id)).is_none() {
                edit.push(&calls::maker_registration(id, request, callee, *own), Some(Owner::Maker(id)));
            }
        }
        for (id, subject) in self.subjects.iter_enumerated() {
            if let Ok(callee) = subject
                && self.scan.modules[callee.module].scope == (Scope::Body { home: module })
                && form(Owner::Subject(id)) != Some(Form::Dropped)
            {
                edit.push(&calls::registration_from_outside(id), Some(Owner::Subject(id)));
            }
        }
        for child in &self.scan.modules[module].children {
            let child = &self.scan.modules[*child];
            edit.push(&calls::child_registration(&child.cfgs, &child.name), None);
        }
        edit.push(close, None);
    }
}

/// The files that are added beside the crate's root file.
pub const RUNTIME_FILE: &str = "__regress.rs";
pub const WORKER_FILE: &str = "__regress_worker.rs";

/// A statement that is put into a function.
struct Statement {
    file: Utf8PathBuf,
    at: usize,
    text: String,
    owner: Owner,
}

/// A replacement of some bytes by pieces of text.
struct Edit {
    bytes: Range<usize>,
    pieces: Vec<(String, Option<Owner>)>,
}

impl Edit {
    fn replace(bytes: Range<usize>, text: &str) -> Edit {
        Edit { bytes, pieces: vec![(text.to_string(), None)] }
    }

    fn push(&mut self, text: &str, owner: Option<Owner>) {
        self.pieces.push((text.to_string(), owner));
    }
}

fn apply(path: &Utf8Path, text: &str, mut edits: Vec<Edit>, segments: &mut Vec<Segment>) -> String {
    edits.sort_by_key(|edit| edit.bytes.start);
    let mut out = String::with_capacity(2 * text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.bytes.start]);
        for (piece, owner) in &edit.pieces {
            let start = out.len();
            out.push_str(piece);
            if let Some(owner) = owner {
                segments.push(Segment { file: path.to_owned(), bytes: start..out.len(), owner: *owner });
            }
        }
        at = edit.bytes.end;
    }
    out.push_str(&text[at..]);
    out
}
