//! What the page shows beside the findings: inputs that were run to see where the versions differ, and which functions may
//! run which.

use std::collections::BTreeMap;

use regress_core::value::Value;
use regress_core::verdict::Class;
use serde::{Deserialize, Serialize};

/// Everything by the paths of functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pictures {
    pub samples: BTreeMap<String, Samples>,
    /// Functions that may have changed, each with others of them that it may come to run, without those that follow.
    pub runs: BTreeMap<String, Vec<String>>,
}

/// Native runs of a function with one or two numbers as inputs, along the whole range of their types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    pub axes: Vec<Axis>,
    pub points: Vec<Point>,
    pub extent: Extent,
}

/// Whether other inputs than those that were run are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    All,
    Some,
}

/// One parameter and the values that were tried, in their order. They are not evenly spaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    pub name: String,
    pub values: Vec<Value>,
}

/// What one input showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// For each axis the position of the value.
    pub at: Vec<usize>,
    /// None where the versions agree.
    pub class: Option<Class>,
    /// Both outcomes in words.
    pub change: String,
}

/// Neighbours among the values of the only axis on which the same was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Range<'s> {
    pub from: &'s Value,
    pub to: &'s Value,
    pub class: Option<Class>,
    /// Inputs that were run.
    pub runs: usize,
    pub first: &'s Point,
}

impl Samples {
    /// The ranges along the only axis; none if there are two.
    pub fn ranges(&self) -> Vec<Range<'_>> {
        let [axis] = self.axes.as_slice() else { return Vec::new() };
        let mut points: Vec<&Point> = self.points.iter().collect();
        points.sort_by_key(|point| point.at.first().copied());
        let mut ranges: Vec<Range<'_>> = Vec::new();
        for point in points {
            let Some(value) = point.at.first().and_then(|at| axis.values.get(*at)) else { continue };
            match ranges.last_mut() {
                Some(last) if last.class == point.class => {
                    last.to = value;
                    last.runs += 1;
                }
                _ => ranges.push(Range { from: value, to: value, class: point.class, runs: 1, first: point }),
            }
        }
        ranges
    }
}
