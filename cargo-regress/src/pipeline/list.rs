//! The functions of both versions and how each changed; nothing is executed.

use std::collections::HashMap;

use regress_core::align::{Alignment, Cause, DifferentItem, Node, Pair};
use regress_core::ir::FnId;
use regress_core::verdict::Version;

use super::Session;
use super::load::{Loaded, Running};
use super::naming::{display_path, function_span, path_in_sources};
use crate::args::Options;
use crate::progress::Progress;
use crate::report::VersionInfo;
use crate::report::list::{Listed, Listing};
use crate::versions::{Place, Versions};

/// Lists the functions of both versions.
pub fn list(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Listing> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, alignment) = session.load(Running::Compared)?;
        let mut notes = versions.notes.clone();
        notes.extend(loaded.notes());
        Ok(Listing {
            old: VersionInfo::from(&versions.old),
            new: VersionInfo::from(&versions.new),
            functions: {
                let routes = alignment.routes(&loaded.old.program, &loaded.new.program);
                alignment.pairs.iter().map(|pair| listed(&loaded, &alignment, &routes, pair)).collect()
            },
            notes,
        })
    })
}

fn listed(loaded: &Loaded, alignment: &Alignment, routes: &HashMap<FnId, Vec<Node>>, pair: &Pair) -> Listed {
    let only_crate = loaded.only_crate();
    let (old_program, new_program) = (&loaded.old.program, &loaded.new.program);
    let old_path = pair.old.map(|id| path_in_sources(old_program, id, only_crate));
    let new_path = pair.new.map(|id| display_path(new_program, id, only_crate));
    let span = |program: &regress_core::ir::Program, id: Option<regress_core::ir::FnId>| {
        id.and_then(|id| function_span(program, id))
    };
    let through = pair.new.and_then(|new| alignment.cause(new)).map(|cause| describe(loaded, cause));
    let (path, old_path) = match (new_path, old_path) {
        (Some(new), Some(old)) if new != old => (new, Some(old)),
        (Some(new), _) => (new, None),
        (None, old) => (old.unwrap_or_default(), None),
    };
    Listed {
        path,
        old_path,
        kind: pair.kind,
        old_span: span(old_program, pair.old),
        new_span: span(new_program, pair.new),
        through,
        by: pair.new.map(|new| by(loaded, alignment, routes, new)).unwrap_or_default(),
    }
}

/// The items between an affected function and what differs, in words for people.
fn by(
    loaded: &Loaded,
    alignment: &Alignment,
    routes: &HashMap<FnId, Vec<Node>>,
    function: FnId,
) -> Vec<String> {
    let (Some(cause), Some(route)) = (alignment.cause(function), routes.get(&function)) else {
        return Vec::new();
    };
    let item = |node: &Node| match *node {
        Node::Function(id) => DifferentItem::Function(id),
        Node::Adt(id) => DifferentItem::Type(id),
        Node::Impl(id) => DifferentItem::Implementation(id),
    };
    let describe = |node| describe(loaded, &Cause { version: cause.version, item: item(node) });
    route.iter().skip(1).map(describe).collect()
}

/// What is not the same, in words for people.
pub(super) fn describe(loaded: &Loaded, cause: &Cause) -> String {
    let program = match cause.version {
        Version::Old => &loaded.old.program,
        Version::New => &loaded.new.program,
    };
    let only_crate = loaded.only_crate();
    let short = |path: &str| match only_crate {
        Some(name) => crate::report::paths::without_crate(path, name),
        None => path.to_owned(),
    };
    match &cause.item {
        DifferentItem::Function(id) => format!("`{}`", display_path(program, *id, only_crate)),
        DifferentItem::Type(id) => format!("the type `{}`", short(program.adts[*id].path.as_str())),
        DifferentItem::Implementation(id) => {
            let of = &program.impls[*id].trait_ref;
            format!("`{}` for `{}`", short(of.path.as_str()), short(&of.self_ty.to_string()))
        }
        DifferentItem::Trait(path) => format!("the trait `{}`", short(path.as_str())),
        DifferentItem::OfChangedCrate(path) => format!("`{path}` of another crate"),
        DifferentItem::Foreign(path) => format!("the foreign item `{}`", short(path.as_str())),
        DifferentItem::Frame(name) => format!("what `{name}` declares apart from its items"),
        DifferentItem::Names(path) => format!("a new name, which `{path}` may tell"),
        DifferentItem::Build(what) => format!("the build ({what})"),
    }
}
