//! Paths that occur in the bodies that a function may come to run.
//!
//! Idea: a path in the text of a body may mean each function of that path, and, if it is that of a trait, every method of every implementation of it.
//! So functions lead to paths and paths to functions. What one leads to is found out once for each strongly connected component of that graph.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use regress_core::ir::{FnBody, FnId, Origin, Path, Program};

use crate::harness::PathSet;

/// For each start the paths in its body and in those of functions of the crate that it may come to run. None if a body among them is not known, for
/// it might do anything. They are told by the names that the version's own sources have.
pub(super) fn paths_mentioned(
    program: &Program,
    starts: impl IntoIterator<Item = FnId>,
) -> HashMap<FnId, Option<PathSet>> {
    let starts: Vec<FnId> = starts.into_iter().collect();
    let mut graph = Graph::default();
    graph.add(program, &starts);
    let reached = graph.reached(program);
    let source_name = |path: &Path| program.moved.source_name(path.as_str());
    let table: Arc<[String]> = graph.paths.iter().map(source_name).collect();
    let of_start = |start: FnId| {
        let members = reached[graph.places[&Node::Function(start)].index()].as_deref();
        (start, members.map(|members| PathSet::new(Arc::clone(&table), members.clone())))
    };
    starts.iter().copied().map(of_start).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Function(FnId),
    /// The number of a path.
    Path(usize),
}

/// What mentions what.
#[derive(Default)]
struct Graph {
    edges: DiGraph<Node, ()>,
    places: HashMap<Node, NodeIndex>,
    paths: Vec<Path>,
    numbers: HashMap<Path, usize>,
}

impl Graph {
    /// Adds these functions and all that they lead to.
    fn add(&mut self, program: &Program, starts: &[FnId]) {
        let mut open: Vec<Node> = Vec::new();
        for start in starts {
            self.place(Node::Function(*start), &mut open);
        }
        while let Some(node) = open.pop() {
            let from = self.places[&node];
            for next in self.successors(program, &node) {
                let to = self.place(next, &mut open);
                self.edges.add_edge(from, to, ());
            }
        }
    }

    /// Where the node is; it is among the open ones if it is new.
    fn place(&mut self, node: Node, open: &mut Vec<Node>) -> NodeIndex {
        *self.places.entry(node).or_insert_with_key(|node| {
            open.push(node.clone());
            self.edges.add_node(node.clone())
        })
    }

    fn successors(&mut self, program: &Program, node: &Node) -> Vec<Node> {
        let of_crate = |id: &&FnId| program.functions[**id].origin == Origin::Subject;
        match node {
            Node::Function(function) => {
                let body = match &program.functions[*function].body {
                    FnBody::Present(body) => body.to_string(),
                    FnBody::Unreadable { .. } | FnBody::Missing => String::new(),
                };
                let within = program.functions_within(*function).iter().filter(of_crate);
                let within = within.copied().map(Node::Function);
                within.chain(paths_in(&body).into_iter().map(|path| self.number(path))).collect()
            }
            Node::Path(number) => {
                let path = &self.paths[*number];
                let implementations = program.impls_of(path).iter();
                let methods = implementations.flat_map(|id| program.impls[*id].methods.values());
                let defaults =
                    program.trait_(path).into_iter().flat_map(|item| item.default_methods.values());
                let meant = program.functions_at(path).iter().chain(methods).chain(defaults);
                meant.filter(of_crate).copied().map(Node::Function).collect()
            }
        }
    }

    fn number(&mut self, path: &str) -> Node {
        let path = Path::new(path);
        Node::Path(*self.numbers.entry(path).or_insert_with_key(|path| {
            self.paths.push(path.clone());
            self.paths.len() - 1
        }))
    }

    /// By node: the numbers of the paths that it leads to, itself among them; none if a body that is not known is.
    fn reached(&self, program: &Program) -> Vec<Option<Arc<FixedBitSet>>> {
        let mut reached: Vec<Option<Arc<FixedBitSet>>> = vec![None; self.edges.node_count()];
        // Components come after those that they lead to.
        for component in kosaraju_scc(&self.edges) {
            let together = self.reached_from(program, &component, &reached).map(Arc::new);
            for member in component {
                reached[member.index()].clone_from(&together);
            }
        }
        reached
    }

    /// What nodes lead to that all lead to each other; what they lead to besides is known.
    fn reached_from(
        &self,
        program: &Program,
        component: &[NodeIndex],
        known: &[Option<Arc<FixedBitSet>>],
    ) -> Option<FixedBitSet> {
        let members: HashSet<NodeIndex> = component.iter().copied().collect();
        let mut found = FixedBitSet::new();
        let mut joined: HashSet<*const FixedBitSet> = HashSet::new();
        for member in component {
            match &self.edges[*member] {
                Node::Function(id) if matches!(program.functions[*id].body, FnBody::Unreadable { .. }) => {
                    return None;
                }
                Node::Function(_) => {}
                Node::Path(number) => found.grow_and_insert(*number),
            }
            for next in self.edges.neighbors(*member).filter(|next| !members.contains(next)) {
                let further = known[next.index()].as_ref()?;
                if joined.insert(Arc::as_ptr(further)) {
                    found.union_with(further);
                }
            }
        }
        Some(found)
    }
}

/// All that looks like a path in the text of a body, each once.
fn paths_in(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .map(|path| path.trim_matches(':'))
        .filter(|path| path.contains("::"))
        .collect()
}
