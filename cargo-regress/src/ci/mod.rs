//! `cargo regress ci`: the comparison that a job on a CI service is about.
//!
//! * [`decide`]: what the job is about, from the variables that the service sets and what it says of the event
//! * [`commits`]: which commit of this clone that makes the old version
//!
//! The new version is the commit that is checked out, never the working tree: jobs write files. What cannot be found in the clone is an
//! error with the lines to add to the workflow, never another version.

mod commits;
mod decide;

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::Value;

use crate::args::{CiOptions, Color, MessageFormat, Options, ReportRequest, Reports};
use crate::delivery::{self, print};
use crate::error::Error;
use crate::versions;
use commits::{Commits, Range};
use decide::{Job, Service};

/// The options of the comparison; none if there is nothing to compare, which has been said then.
pub fn comparison(options: &CiOptions) -> Result<Option<Options>, Error> {
    if options.frontend.files().is_some() {
        return Err(
            anyhow::anyhow!("`ci` compares commits; `cargo regress --from-llbc` compares two files").into()
        );
    }
    let job = job(options)?;
    let start = versions::locate_at(options.packages.manifest.manifest_path.as_deref(), None)?;
    let clone = start.start.directory();
    let commits = match options.fetch {
        true => Commits::with_history(clone, job.service)?,
        false => Commits::open(clone, job.service)?,
    };
    let range = commits.range(&job.task)?;
    match range {
        Range::Nothing(reason) => {
            say(options, &format!("nothing is compared: {reason}"));
            Ok(None)
        }
        Range::Of { old, new, why } if options.print => {
            say(options, &why);
            print(&format!("{old}..{new}\n")).map(|()| None)
        }
        Range::Of { old, new, why } => {
            say(options, &format!("{} is compared with {}: {why}", short(&new), short(&old)));
            let mut options = options.options(format!("{old}..{new}"));
            show_where_it_runs(&mut options, job.service)?;
            Ok(Some(options))
        }
    }
}

fn job(options: &CiOptions) -> Result<Job, Error> {
    let variables: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    if let Some(revision) = &options.base {
        return Ok(Job::since(revision, &variables));
    }
    let event = match variables.get("GITHUB_EVENT_PATH") {
        Some(path) if Service::of(&variables) == Some(Service::GitHub) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("the event at `{path}` cannot be read"))?;
            let event: Value =
                serde_json::from_str(&text).with_context(|| format!("the event at `{path}` is no JSON"))?;
            Some(event)
        }
        _ => None,
    };
    Ok(decide::decide(&variables, event.as_ref()).map_err(anyhow::Error::from)?)
}

/// Logs of services show colours, although they are no terminals. GitHub Actions gets annotations and a summary wherever it runs the
/// command (`delivery`); GitLab shows what stands in a file.
fn show_where_it_runs(options: &mut Options, service: Option<Service>) -> Result<(), Error> {
    if service.is_some() && options.output.color == Color::Auto {
        options.output.color = Color::Always;
        anstream::ColorChoice::Always.write_global();
    }
    if service == Some(Service::GitLab) && options.output.reports == Reports::default() {
        let place = versions::locate(options)?;
        let path = place.target_dir.join("regress").join("junit.xml");
        options
            .output
            .reports
            .requests
            .push(ReportRequest { format: MessageFormat::Junit, path: Some(path) });
    }
    Ok(())
}

fn short(id: &str) -> &str {
    id.get(..7).unwrap_or(id)
}

fn say(options: &CiOptions, text: &str) {
    if !options.output.quiet {
        delivery::say(text);
    }
}
