//! Which of the functions that may have changed may run which, callers on the left.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::super::{FunctionReport, Report, finding};
use super::{class, is_difference};

/// Pixels of one character, of a row, and between columns.
const CHARACTER: usize = 7;
const ROW: usize = 30;
const GAP: usize = 56;
/// Characters of a name that are shown.
const LONGEST: usize = 34;

/// A drawing, or nothing where no function is known to run another.
pub(super) fn section(report: &Report) -> Markup {
    let runs = &report.pictures.runs;
    if runs.values().all(Vec::is_empty) {
        return html! {};
    }
    let layers = layers(runs);
    let mut columns: Vec<Vec<&str>> = Vec::new();
    for function in &report.functions {
        // In the order of the report, so that the worst stand on top.
        if let Some(layer) = layers.get(function.path.as_str()) {
            columns.resize_with(columns.len().max(layer + 1), Vec::new);
            if !columns[*layer].contains(&function.path.as_str()) {
                columns[*layer].push(&function.path);
            }
        }
    }
    let mut places: BTreeMap<&str, Box> = BTreeMap::new();
    let mut left = 1;
    for column in &columns {
        let width = column.iter().map(|path| width(path)).max().unwrap_or(0);
        for (row, path) in column.iter().enumerate() {
            places.insert(path, Box { left, top: 1 + row * ROW, width });
        }
        left += width + GAP;
    }
    let width = left.saturating_sub(GAP) + 1;
    let height = columns.iter().map(Vec::len).max().unwrap_or(0) * ROW;
    let edges = runs.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let edges = edges.filter_map(|(from, to)| Some((places.get(from.as_str())?, places.get(to.as_str())?)));
    let mut number = 0;
    let mut drawn = BTreeSet::new();
    let nodes = report.functions.iter().filter_map(|function| {
        number += usize::from(is_difference(function));
        let place = places.get(function.path.as_str())?;
        drawn.insert(function.path.as_str()).then(|| node(function, *place, number))
    });
    html! {
        section.quiet id="graph" {
            h2 { "What may run what" }
            p.meaning {
                "Functions that may have changed; a line leads from a function, on the left, to those that it may \
                 come to run."
            }
            div.scroll tabindex="0" role="region" aria-label="call graph" {
                svg.graph viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
                    @for (from, to) in edges { (edge(*from, *to)) }
                    @for node in nodes { (node) }
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Box {
    left: usize,
    top: usize,
    width: usize,
}

fn width(path: &str) -> usize {
    path.chars().count().min(LONGEST) * CHARACTER + 18
}

fn edge(from: Box, to: Box) -> Markup {
    let middle = |place: Box| place.top + (ROW - 8) / 2;
    let (x1, y1, x2, y2) = (from.left + from.width, middle(from), to.left, middle(to));
    let bend = GAP / 2;
    let curve = format!("M{x1} {y1} C{} {y1} {} {y2} {x2} {y2}", x1 + bend, x2.saturating_sub(bend));
    html! { path.edge d=(curve) {} }
}

fn node(function: &FunctionReport, place: Box, number: usize) -> Markup {
    let standing = class(function.standing());
    let link = if is_difference(function) { format!("f{number}") } else { standing.to_owned() };
    let length = function.path.chars().count();
    let name: String = if length > LONGEST {
        std::iter::once('…').chain(function.path.chars().skip(length + 1 - LONGEST)).collect()
    } else {
        function.path.clone()
    };
    html! {
        a href={ "#" (link) } {
            title { (function.path) ": " (finding::title(function.standing())) }
            rect class={ "node " (standing) } x=(place.left) y=(place.top) width=(place.width) height=(ROW - 8) rx="3" {}
            text x=(place.left + 9) y=(place.top + 15) { (name) }
        }
    }
}

/// How far each function is from those that none of the others runs: by the longest way, edges back into a cycle left out.
fn layers(runs: &BTreeMap<String, Vec<String>>) -> BTreeMap<&str, usize> {
    let mut nodes: BTreeSet<&str> = BTreeSet::new();
    for (from, to) in runs.iter().filter(|(_, to)| !to.is_empty()) {
        nodes.insert(from);
        nodes.extend(to.iter().map(String::as_str));
    }
    let run_by_others: BTreeSet<&str> = runs.values().flatten().map(String::as_str).collect();
    let (inner, roots): (Vec<&str>, Vec<&str>) =
        nodes.iter().partition(|node| run_by_others.contains(**node));
    let mut walk = Walk {
        runs,
        on_way: BTreeSet::new(),
        done: BTreeSet::new(),
        order: Vec::new(),
        back: BTreeSet::new(),
    };
    for start in roots.into_iter().chain(inner) {
        walk.visit(start);
    }
    let mut layers: BTreeMap<&str, usize> = nodes.iter().map(|node| (*node, 0)).collect();
    // Callers come before what they run.
    for from in walk.order.iter().rev() {
        let next = layers[from] + 1;
        for to in runs.get(*from).into_iter().flatten() {
            if !walk.back.contains(&(*from, to.as_str()))
                && let Some(layer) = layers.get_mut(to.as_str())
            {
                *layer = next.max(*layer);
            }
        }
    }
    layers
}

/// A depth-first walk.
struct Walk<'r> {
    runs: &'r BTreeMap<String, Vec<String>>,
    on_way: BTreeSet<&'r str>,
    done: BTreeSet<&'r str>,
    /// Functions after all that they run.
    order: Vec<&'r str>,
    back: BTreeSet<(&'r str, &'r str)>,
}

impl<'r> Walk<'r> {
    fn visit(&mut self, node: &'r str) {
        if !self.done.insert(node) {
            return;
        }
        self.on_way.insert(node);
        for next in self.runs.get(node).into_iter().flatten() {
            if self.on_way.contains(next.as_str()) {
                self.back.insert((node, next));
            } else {
                self.visit(next);
            }
        }
        self.on_way.remove(node);
        self.order.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(runs: &[(&str, &[&str])], expected: &[(&str, usize)]) {
        let runs = runs
            .iter()
            .map(|(from, to)| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect::<Vec<_>>()));
        let runs: BTreeMap<String, Vec<String>> = runs.collect();
        let layers: Vec<(&str, usize)> = layers(&runs).into_iter().collect();
        assert_eq!(layers, expected);
    }

    #[test]
    fn callers_are_left_of_what_they_run() {
        check(&[("a", &["b", "c"]), ("b", &["c"])], &[("a", 0), ("b", 1), ("c", 2)]);
        check(&[("a", &["c"]), ("b", &["c"]), ("d", &[])], &[("a", 0), ("b", 0), ("c", 1)]);
    }

    #[test]
    fn cycles_have_a_place_too() {
        check(&[("a", &["b"]), ("b", &["a"])], &[("a", 0), ("b", 1)]);
        check(&[("r", &["a"]), ("a", &["b"]), ("b", &["a"])], &[("a", 1), ("b", 2), ("r", 0)]);
    }
}
