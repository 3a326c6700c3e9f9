//! What the report has of one function.

use regress_core::value::Value;

use super::changes::changes;
use super::functions::{Function, Steps};
use super::runs::End;
use crate::pipeline::aligned::Aligned;
use crate::pipeline::naming::{display_path, report_span};
use crate::report::ReportSpan;
use crate::report::merge::{Apart, Call, Change, Expected, Interaction, MergeReport, Open, Unexpected};

/// What is told of one function.
pub(super) struct Told {
    path: String,
    span: Option<ReportSpan>,
    inputs: u64,
    pub what: What,
    changes: Vec<Change>,
}

pub(super) enum What {
    Nothing,
    Interaction(Vec<Call<Expected>>),
    Apart(Box<Unexpected>),
    Open(Open),
}

pub(super) fn what_of(end: End, text: impl Fn(&[Value]) -> String) -> What {
    match end {
        End::AsExpected => What::Nothing,
        End::Interaction(calls) => What::Interaction(
            calls
                .into_iter()
                .map(|(inputs, outcomes, expected)| Call { text: text(&inputs), outcomes, expected })
                .collect(),
        ),
        End::NoExpectation(shown) => {
            let (inputs, outcomes) = *shown;
            let call = Call { text: text(&inputs), outcomes, expected: () };
            What::Apart(Box::new(Unexpected::SidesDiffer { call }))
        }
        End::Doubtful(inputs, doubt) => What::Open(Open::Doubtful { call: text(&inputs), doubt }),
    }
}

impl Told {
    pub fn of(aligned: &Steps<Aligned>, function: &Function, inputs: u64, what: What) -> Told {
        let loaded = &aligned.ours_merge.loaded;
        let program = &loaded.new.program;
        let changes = match &what {
            What::Interaction(_) | What::Apart(_) => changes(aligned, function),
            What::Nothing | What::Open(_) => Vec::new(),
        };
        Told {
            path: display_path(program, function.merge, loaded.only_crate()),
            span: report_span(&program.files, program.functions[function.merge].span),
            inputs,
            what,
            changes,
        }
    }

    pub fn into_report(self, report: &mut MergeReport) {
        let Told { path, span, inputs, what, changes } = self;
        report.inputs += inputs;
        match what {
            What::Nothing => {}
            What::Interaction(calls) => {
                report.interactions.push(Interaction { path, span, calls, changes, through: None })
            }
            What::Apart(what) => report.apart.push(Apart { path, span, what: *what, changes }),
            What::Open(why) => report.open.push((path, why)),
        }
    }
}
