//! Sets of paths out of one table, which the functions of a crate share: each mentions a large part of all there are.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

/// Some of the paths of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSet {
    table: Arc<[String]>,
    /// By the path's place in the table.
    members: FixedBitSet,
}

impl PathSet {
    /// The paths of the table at these places.
    pub fn new(table: Arc<[String]>, members: FixedBitSet) -> PathSet {
        PathSet { table, members }
    }

    pub fn table(&self) -> &Arc<[String]> {
        &self.table
    }

    /// What belongs to the first of these places whose path is in the set.
    pub fn first_of<'a, T>(&self, places: &'a [(usize, T)]) -> Option<&'a T> {
        places.iter().find(|(place, _)| self.members.contains(*place)).map(|(_, what)| what)
    }
}

impl FromIterator<String> for PathSet {
    fn from_iter<I: IntoIterator<Item = String>>(paths: I) -> PathSet {
        let table: Arc<[String]> = paths.into_iter().collect();
        let members = (0..table.len()).collect();
        PathSet { table, members }
    }
}
