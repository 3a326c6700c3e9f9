//! The share of proofs with each solver that is built in, as one table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cargo_regress::pipeline::campaign::{BySolvers, SearchEnd};
use regress_core::smt::{Backend, Statistics};

/// What the searches with one solver come to.
#[derive(Debug, Default)]
struct Sum {
    ends: BTreeMap<SearchEnd, u64>,
    answers: Statistics,
}

/// What the searches with each solver come to.
#[derive(Debug, Default)]
pub struct Sums {
    functions: u64,
    sums: BTreeMap<Backend, Sum>,
    /// Functions that are proved equal with one solver, and shown to differ with another.
    pub contradictions: Vec<String>,
    /// Functions that do not end alike, and how they end with each solver.
    unlike: Vec<String>,
}

impl Sums {
    pub fn add(&mut self, functions: &[BySolvers]) {
        for function in functions {
            self.functions += 1;
            let ends: Vec<SearchEnd> = function.searches.iter().map(|search| search.end).collect();
            for (solver, search) in Backend::ALL.iter().zip(&function.searches) {
                let sum = self.sums.entry(*solver).or_default();
                *sum.ends.entry(search.end).or_default() += 1;
                sum.answers.merge(&search.answers);
            }
            // A proof within bounds speaks of fewer inputs than a difference may be on.
            if ends.contains(&SearchEnd::Proved) && ends.contains(&SearchEnd::Differs) {
                self.contradictions.push(function.path.clone());
            }
            if ends.iter().any(|end| *end != ends[0]) {
                let named = Backend::ALL.iter().zip(&ends);
                let ends: Vec<String> =
                    named.map(|(solver, end)| format!("{} {end:?}", solver.name())).collect();
                self.unlike.push(format!("{}: {}", function.path, ends.join(", ")));
            }
        }
    }

    /// A column for each solver, and below it the functions that do not end alike.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let mut row = |name: &str, cell: &dyn Fn(&Sum) -> String| {
            let cells: String = self.sums.values().map(|sum| format!(" {:>10}", cell(sum))).collect();
            let _ = writeln!(table, "{name:36}{cells}");
        };
        let ended = |sum: &Sum, end: SearchEnd| sum.ends.get(&end).copied().unwrap_or_default();
        let heads: String = self.sums.keys().map(|solver| format!(" {:>10}", solver.name())).collect();
        let counts: [(&str, SearchEnd); 5] = [
            ("proved equal", SearchEnd::Proved),
            ("proved equal within bounds", SearchEnd::ProvedWithin),
            ("found to differ", SearchEnd::Differs),
            ("open", SearchEnd::Open),
            ("not run", SearchEnd::NotRun),
        ];
        for (name, end) in counts {
            row(name, &|sum| ended(sum, end).to_string());
        }
        row("share proved, of those not to differ", &|sum| {
            let proved = ended(sum, SearchEnd::Proved) + ended(sum, SearchEnd::ProvedWithin);
            match proved + ended(sum, SearchEnd::Open) {
                0 => "-".to_owned(),
                all => format!("{:.1} %", 100.0 * proved as f64 / all as f64),
            }
        });
        row("questions", &|sum| sum.answers.queries.to_string());
        row("  satisfiable", &|sum| sum.answers.sat.to_string());
        row("  unsatisfiable", &|sum| sum.answers.unsat.to_string());
        row("  unknown", &|sum| sum.answers.unknown.to_string());
        row("parts that went to the solver", &|sum| sum.answers.solved.to_string());
        row("wrong models", &|sum| sum.answers.wrong_models.to_string());
        row("seconds in the solver", &|sum| format!("{:.1}", sum.answers.solver_time.as_secs_f64()));
        let mut all = format!("{:36}{heads}\n{table}", format!("{} functions", self.functions));
        for function in &self.unlike {
            let _ = writeln!(all, "  {function}");
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use cargo_regress::pipeline::campaign::SolverSearch;

    use super::*;

    /// A function that all solvers but the last end alike.
    fn function(path: &str, first: SearchEnd, last: SearchEnd) -> BySolvers {
        let search =
            |end| SolverSearch { end, answers: Statistics { queries: 2, sat: 1, ..Statistics::default() } };
        let others = Backend::ALL.len() - 1;
        let searches = std::iter::repeat_n(first, others).chain([last]).map(search).collect();
        BySolvers { path: path.to_owned(), searches }
    }

    #[test]
    fn ends_that_are_not_alike_are_named() {
        let mut sums = Sums::default();
        sums.add(&[
            function("alike", SearchEnd::Proved, SearchEnd::Proved),
            function("lost", SearchEnd::Proved, SearchEnd::Open),
            function("wrong", SearchEnd::Differs, SearchEnd::Proved),
            function("apart", SearchEnd::ProvedWithin, SearchEnd::Differs),
        ]);
        assert_eq!(sums.contradictions, ["wrong"]);
        let table = sums.table();
        let row = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row("4 functions"), ["4", "functions", "z3", "batsat"]);
        assert_eq!(row("proved equal  "), ["proved", "equal", "2", "2"]);
        assert!(row("share proved").ends_with(&["100.0", "%", "66.7", "%"].map(str::to_owned)), "{table}");
        assert_eq!(row("questions"), ["questions", "8", "8"]);
        assert_eq!(row("  lost:"), ["lost:", "z3", "Proved,", "batsat", "Open"]);
        assert!(row("  alike").is_empty(), "{table}");
    }
}
