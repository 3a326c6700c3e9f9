//! What a job is about: a pure function of what the service says.
//!
//! GitHub Actions says it in few variables and the JSON of the event, GitLab CI in variables alone. An id of zeros stands for nothing in
//! both. Limits: other services are not known; `--base` serves there.

use std::collections::BTreeMap;

use serde_json::Value;
use thiserror::Error;

/// Who runs the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    GitHub,
    GitLab,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// None if nobody is known who runs it.
    pub service: Option<Service>,
    pub task: Task,
}

/// What is to be compared with HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A change that is proposed. If HEAD is what a service made to try it, the merge of `head`, what that was merged onto; else what `base` says.
    Proposal { base: Base, head: Option<String> },
    /// What was pushed: with the commit that the branch was at, if the branch goes on from it; else with where it left the trunk. Without a
    /// trunk the branch is the trunk.
    Pushed { before: Option<String>, trunk: Option<String> },
    /// There is nothing to compare, for this reason.
    Nothing(String),
}

/// What a proposed change goes out from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// This commit.
    Commit(String),
    /// Where HEAD left the branch that was at this commit.
    Tip(String),
    /// Where HEAD left this branch, or whatever else has this name.
    Branch(String),
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum CiError {
    #[error(
        "this is no job of a CI service that is known (neither GITHUB_ACTIONS nor GITLAB_CI is `true`); `--base BRANCH` says what to \
         compare with"
    )]
    NoService,

    #[error("{service} sets `{variable}`, and here it is not set; `--base BRANCH` says what to compare with")]
    NoVariable { service: &'static str, variable: &'static str },

    #[error(
        "the event `{event}` (at GITHUB_EVENT_PATH) has no `{field}`; `--base BRANCH` says what to compare with"
    )]
    NoField { event: String, field: &'static str },

    #[error(
        "`pull_request_target` checks out the target branch, not the change, and has the rights and secrets of the repository, while \
         comparing runs what the change brings; let the workflow run on `pull_request`"
    )]
    Trusted,

    #[error(
        "`{event}` on `{branch}` names no older version; `--base REV` says what to compare with, as does `cargo regress REV`"
    )]
    NoOlder { event: String, branch: String },
}

impl Service {
    pub fn of(variables: &BTreeMap<String, String>) -> Option<Service> {
        let is_true = |name: &str| variables.get(name).is_some_and(|value| value == "true");
        if is_true("GITHUB_ACTIONS") {
            Some(Service::GitHub)
        } else if is_true("GITLAB_CI") {
            Some(Service::GitLab)
        } else {
            None
        }
    }
}

impl Job {
    /// What `--base` asks for.
    pub fn since(revision: &str, variables: &BTreeMap<String, String>) -> Job {
        let task = Task::Proposal { base: Base::Branch(revision.to_owned()), head: None };
        Job { service: Service::of(variables), task }
    }
}

/// What the job is about. A variable without a value is none.
pub fn decide(variables: &BTreeMap<String, String>, event: Option<&Value>) -> Result<Job, CiError> {
    let variable = |name: &str| variables.get(name).map(String::as_str).filter(|value| !value.is_empty());
    let service = Service::of(variables).ok_or(CiError::NoService)?;
    let task = match service {
        Service::GitHub => github(&variable, event.unwrap_or(&Value::Null))?,
        Service::GitLab => gitlab(&variable)?,
    };
    Ok(Job { service: Some(service), task })
}

fn github<'v>(variable: &impl Fn(&str) -> Option<&'v str>, event: &Value) -> Result<Task, CiError> {
    let name = variable("GITHUB_EVENT_NAME")
        .ok_or(CiError::NoVariable { service: "GitHub Actions", variable: "GITHUB_EVENT_NAME" })?;
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let missing = |field| CiError::NoField { event: name.to_owned(), field };
    let default = text("/repository/default_branch");
    let reference = text("/ref").or(variable("GITHUB_REF")).unwrap_or_default();
    match name {
        "pull_request_target" => Err(CiError::Trusted),
        "merge_group" => {
            let base = text("/merge_group/base_sha").ok_or(missing("merge_group.base_sha"))?;
            Ok(Task::Proposal { base: Base::Commit(base.to_owned()), head: None })
        }
        "push" => {
            if event.get("deleted") == Some(&Value::Bool(true)) {
                return Ok(Task::Nothing(format!("`{reference}` was deleted")));
            }
            if reference.starts_with("refs/tags/") {
                return Ok(tag(reference));
            }
            let before = text("/before").ok_or(missing("before"))?;
            Ok(pushed(branch_of(reference), given(before), default))
        }
        _ => {
            // Reviews and comments on pull requests tell of these as well.
            let tip = text("/pull_request/base/sha").map(|sha| Base::Tip(sha.to_owned()));
            let named = || variable("GITHUB_BASE_REF").map(|branch| Base::Branch(branch.to_owned()));
            let head = text("/pull_request/head/sha").map(str::to_owned);
            match tip.or_else(named) {
                Some(base) => Ok(Task::Proposal { base, head }),
                None if name == "pull_request" => Err(missing("pull_request.base.sha")),
                None => beside_trunk(name, branch_of(reference), default),
            }
        }
    }
}

fn gitlab<'v>(variable: &impl Fn(&str) -> Option<&'v str>) -> Result<Task, CiError> {
    if let Some(base) = variable("CI_MERGE_REQUEST_DIFF_BASE_SHA") {
        let head = variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA").map(str::to_owned);
        return Ok(Task::Proposal { base: Base::Commit(base.to_owned()), head });
    }
    if let Some(tag_name) = variable("CI_COMMIT_TAG") {
        return Ok(tag(tag_name));
    }
    let before = variable("CI_COMMIT_BEFORE_SHA")
        .ok_or(CiError::NoVariable { service: "GitLab CI", variable: "CI_COMMIT_BEFORE_SHA" })?;
    let branch = variable("CI_COMMIT_BRANCH").or(variable("CI_COMMIT_REF_NAME")).unwrap_or_default();
    let default = variable("CI_DEFAULT_BRANCH");
    match (given(before), variable("CI_PIPELINE_SOURCE")) {
        // Pipelines that nobody pushed for have zeros too.
        (None, Some(source)) if source != "push" => beside_trunk(source, branch, default),
        (before, _) => Ok(pushed(branch, before, default)),
    }
}

fn pushed(branch: &str, before: Option<String>, default: Option<&str>) -> Task {
    let trunk = default.filter(|trunk| *trunk != branch).map(str::to_owned);
    match (before, trunk) {
        (None, None) => {
            Task::Nothing(format!("`{branch}` is new, and there is no other branch that it could have left"))
        }
        (before, trunk) => Task::Pushed { before, trunk },
    }
}

/// What was started by hand or by the clock.
fn beside_trunk(event: &str, branch: &str, default: Option<&str>) -> Result<Task, CiError> {
    match default {
        Some(trunk) if trunk != branch && !branch.is_empty() => {
            Ok(Task::Pushed { before: None, trunk: Some(trunk.to_owned()) })
        }
        _ => Err(CiError::NoOlder { event: event.to_owned(), branch: branch.to_owned() }),
    }
}

fn tag(name: &str) -> Task {
    Task::Nothing(format!("`{name}` is a tag, and what it names was compared when it came to a branch"))
}

/// Empty for what is no branch.
fn branch_of(reference: &str) -> &str {
    reference.strip_prefix("refs/heads/").unwrap_or_default()
}

/// None for zeros.
fn given(id: &str) -> Option<String> {
    (!id.bytes().all(|byte| byte == b'0')).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ZEROS: &str = "0000000000000000000000000000000000000000";

    fn decided(variables: &[(&str, &str)], event: Value) -> Result<Job, CiError> {
        let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        decide(&variables, (!event.is_null()).then_some(&event))
    }

    #[track_caller]
    fn check_github(variables: &[(&str, &str)], event: Value, expected: Result<Task, &str>) {
        check(&[&[("GITHUB_ACTIONS", "true")], variables].concat(), event, Service::GitHub, expected);
    }

    #[track_caller]
    fn check_gitlab(variables: &[(&str, &str)], expected: Result<Task, &str>) {
        check(&[&[("GITLAB_CI", "true")], variables].concat(), Value::Null, Service::GitLab, expected);
    }

    #[track_caller]
    fn check(variables: &[(&str, &str)], event: Value, service: Service, expected: Result<Task, &str>) {
        match (decided(variables, event), expected) {
            (Ok(job), Ok(task)) => assert_eq!(job, Job { service: Some(service), task }),
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
            (decided, expected) => panic!("{decided:?}, not {expected:?}"),
        }
    }

    #[track_caller]
    fn check_nothing(variables: &[(&str, &str)], event: Value, words: &str) {
        match decided(variables, event) {
            Ok(Job { task: Task::Nothing(reason), .. }) => assert!(reason.contains(words), "{reason}"),
            other => panic!("{other:?}"),
        }
    }

    fn proposal(base: Base, head: Option<&str>) -> Result<Task, &'static str> {
        Ok(Task::Proposal { base, head: head.map(str::to_owned) })
    }

    fn pushed(before: Option<&str>, trunk: Option<&str>) -> Result<Task, &'static str> {
        Ok(Task::Pushed { before: before.map(str::to_owned), trunk: trunk.map(str::to_owned) })
    }

    #[test]
    fn a_pull_request_goes_out_from_its_base() {
        let event = json!({
            "number": 7,
            "pull_request": {"base": {"sha": "b0", "ref": "main"}, "head": {"sha": "c1"}},
            "repository": {"default_branch": "main"},
        });
        let named = [("GITHUB_EVENT_NAME", "pull_request"), ("GITHUB_BASE_REF", "main")];
        check_github(&named, event.clone(), proposal(Base::Tip("b0".into()), Some("c1")));
        // Programs that imitate the service have no event.
        check_github(&named, Value::Null, proposal(Base::Branch("main".into()), None));
        check_github(&named, json!({}), proposal(Base::Branch("main".into()), None));
        check_github(
            &[("GITHUB_EVENT_NAME", "pull_request")],
            json!({}),
            Err("has no `pull_request.base.sha`"),
        );
        let review = [("GITHUB_EVENT_NAME", "pull_request_review")];
        check_github(&review, event.clone(), proposal(Base::Tip("b0".into()), Some("c1")));
        check_github(&[("GITHUB_EVENT_NAME", "pull_request_target")], event, Err("run on `pull_request`"));
    }

    #[test]
    fn a_merge_queue_names_the_commit() {
        let event = json!({"merge_group": {"base_sha": "b0", "head_sha": "c1"}});
        let name = [("GITHUB_EVENT_NAME", "merge_group")];
        check_github(&name, event, proposal(Base::Commit("b0".into()), None));
        check_github(&name, json!({}), Err("has no `merge_group.base_sha`"));
    }

    fn push(reference: &str, before: &str) -> Value {
        json!({
            "ref": reference, "before": before, "after": "c1", "deleted": false,
            "repository": {"default_branch": "main"},
        })
    }

    #[test]
    fn a_push_goes_on_from_what_was_there() {
        let name = [("GITHUB_EVENT_NAME", "push"), ("GITHUB_REF", "refs/heads/main")];
        check_github(&name, push("refs/heads/main", "b0"), pushed(Some("b0"), None));
        check_github(&name, push("refs/heads/topic", "b0"), pushed(Some("b0"), Some("main")));
        check_github(&name, push("refs/heads/topic", ZEROS), pushed(None, Some("main")));
        check_github(&name, json!({}), Err("has no `before`"));
        let all = [&[("GITHUB_ACTIONS", "true")], &name[..]].concat();
        check_nothing(&all, push("refs/heads/main", ZEROS), "`main` is new");
        check_nothing(&all, push("refs/tags/v1", ZEROS), "is a tag");
        let mut deleted = push("refs/heads/topic", "b0");
        deleted["deleted"] = Value::Bool(true);
        check_nothing(&all, deleted, "was deleted");
    }

    #[test]
    fn what_nobody_pushed_is_held_against_the_default_branch() {
        let event = json!({"repository": {"default_branch": "main"}});
        let by_hand = |branch| [("GITHUB_EVENT_NAME", "workflow_dispatch"), ("GITHUB_REF", branch)];
        check_github(&by_hand("refs/heads/topic"), event.clone(), pushed(None, Some("main")));
        check_github(
            &by_hand("refs/heads/main"),
            event.clone(),
            Err("`workflow_dispatch` on `main` names no older"),
        );
        check_github(&by_hand("refs/heads/topic"), json!({}), Err("names no older"));
        check_github(&[("GITHUB_EVENT_NAME", "schedule")], event, Err("`schedule`"));
        check_github(&[], json!({}), Err("sets `GITHUB_EVENT_NAME`"));
    }

    #[test]
    fn a_merge_request_names_where_it_left() {
        let request = [
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "b0"),
            ("CI_PIPELINE_SOURCE", "merge_request_event"),
            ("CI_COMMIT_BEFORE_SHA", ZEROS),
            ("CI_DEFAULT_BRANCH", "main"),
        ];
        check_gitlab(&request, proposal(Base::Commit("b0".into()), None));
        // Empty unless the results of merging are tested.
        let with = |sha| [&request[..], &[("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", sha)]].concat();
        check_gitlab(&with(""), proposal(Base::Commit("b0".into()), None));
        check_gitlab(&with("c1"), proposal(Base::Commit("b0".into()), Some("c1")));
    }

    #[test]
    fn a_branch_of_gitlab_goes_on_from_what_was_there() {
        let of = |branch, before, source| {
            [
                ("CI_COMMIT_BRANCH", branch),
                ("CI_COMMIT_BEFORE_SHA", before),
                ("CI_PIPELINE_SOURCE", source),
                ("CI_DEFAULT_BRANCH", "main"),
            ]
        };
        check_gitlab(&of("main", "b0", "push"), pushed(Some("b0"), None));
        check_gitlab(&of("topic", "b0", "push"), pushed(Some("b0"), Some("main")));
        check_gitlab(&of("topic", ZEROS, "push"), pushed(None, Some("main")));
        check_gitlab(&of("topic", ZEROS, "web"), pushed(None, Some("main")));
        check_gitlab(&of("main", ZEROS, "schedule"), Err("`schedule` on `main` names no older"));
        check_gitlab(&[], Err("sets `CI_COMMIT_BEFORE_SHA`"));
        let new = of("main", ZEROS, "push");
        check_nothing(&[&[("GITLAB_CI", "true")], &new[..]].concat(), Value::Null, "`main` is new");
        let tag = [("GITLAB_CI", "true"), ("CI_COMMIT_TAG", "v1"), ("CI_COMMIT_BEFORE_SHA", "b0")];
        check_nothing(&tag, Value::Null, "`v1` is a tag");
    }

    #[test]
    fn elsewhere_somebody_has_to_say_it() {
        assert_eq!(decided(&[("CI", "true")], Value::Null), Err(CiError::NoService));
        assert_eq!(decided(&[("GITHUB_ACTIONS", "false")], json!({})), Err(CiError::NoService));
        let since = Job::since("origin/main", &BTreeMap::new());
        let task = Task::Proposal { base: Base::Branch("origin/main".into()), head: None };
        assert_eq!(since, Job { service: None, task });
    }
}
