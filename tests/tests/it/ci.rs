//! `cargo regress ci`, and the ready files of `docs/ci/`: their steps are run as the service would run them, with its variables and its event.

use std::fs;
use std::path::{Path, PathBuf};

use regress_tests::clone::Clone;
use regress_tests::command::Run;
use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

const OLD: &str = "pub fn half(x: u8) -> u8 {\n    x / 2\n}\n\npub fn third(x: u8) -> u8 {\n    x / 3\n}\n";
const BAD: &str = "pub fn half(x: u8) -> u8 {\n    (x + 1) / 2\n}\n\npub fn third(x: u8) -> u8 {\n    if x == 77 { 1 } else { x / 3 }\n}\n";

const ZEROS: &str = "0000000000000000000000000000000000000000";

/// A file of `docs/ci/`.
#[track_caller]
fn workflow(name: &str) -> Yaml {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut documents = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

fn texts(list: &Yaml) -> Vec<String> {
    list.as_vec().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// A clone in which a branch is merged into `main` as GitHub does to try it: `HEAD` is that merge, `main` has gone on meanwhile.
struct PullRequest {
    clone: Clone,
    /// Of the branch.
    head: String,
    /// What `main` was at when the event was told.
    base: String,
}

impl PullRequest {
    fn new() -> PullRequest {
        let clone = Clone::of_package(OLD);
        let base = clone.head();
        clone.git(&["switch", "--quiet", "--create", "topic"]);
        clone.write("src/lib.rs", BAD);
        clone.commit("Round");
        let head = clone.head();
        clone.git(&["switch", "--quiet", "main"]);
        // A change of `main` that is none of the branch's.
        clone.write("src/other.rs", "pub fn other() {}\n");
        clone.commit("Go on");
        clone.git(&["push", "--quiet", "origin", "main"]);
        clone.git(&["switch", "--quiet", "--detach"]);
        clone.git(&["merge", "--quiet", "--no-ff", "--no-edit", &head]);
        clone.git(&["branch", "--quiet", "--delete", "--force", "main", "topic"]);
        PullRequest { clone, head, base }
    }

    fn event(&self) -> Value {
        json!({
            "pull_request": {
                "number": 7,
                "base": {"sha": self.base, "ref": "main"},
                "head": {"sha": self.head, "ref": "topic"},
            },
            "repository": {"default_branch": "main"},
        })
    }
}

/// A step as a runner of GitHub's runs it.
struct Runner<'c> {
    clone: &'c Clone,
    variables: Vec<(String, String)>,
    summary: PathBuf,
}

impl Runner<'_> {
    fn new<'c>(clone: &'c Clone, name: &str, event: &Value) -> Runner<'c> {
        let told = clone.home().join("event.json");
        fs::write(&told, event.to_string()).unwrap();
        let summary = clone.home().join("summary.md");
        let mut variables: Vec<(String, String)> = [
            ("CI", "true"),
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", name),
            ("GITHUB_EVENT_PATH", told.to_str().unwrap()),
            ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        if let Some(branch) = event.pointer("/pull_request/base/ref").and_then(Value::as_str) {
            variables.push(("GITHUB_BASE_REF".to_owned(), branch.to_owned()));
        }
        Runner { clone, variables, summary }
    }

    fn regress(&self, args: &[&str]) -> Run {
        self.clone.regress_with(args, &self.borrowed(&[]), "")
    }

    /// Runs a script as `shell: bash` does.
    fn script(&self, text: &str, more: &[(&str, &str)]) -> Run {
        assert!(!text.contains("${{"), "an expression is left in {text}");
        self.clone.shell_with(text, &self.borrowed(more))
    }

    fn borrowed<'v>(&'v self, more: &[(&'v str, &'v str)]) -> Vec<(&'v str, &'v str)> {
        let own = self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        own.chain(more.iter().copied()).collect()
    }

    /// What the step says of the job's page.
    fn summary(&self) -> String {
        let text = fs::read_to_string(&self.summary).unwrap_or_default();
        let _ = fs::remove_file(&self.summary);
        text
    }
}

/// Whether a step runs the command itself; those that install are left out.
fn compares(script: &str) -> bool {
    script.contains("cargo regress ")
}

/// The steps of a job that run the command, and the checks that all jobs of the ready files have in common.
#[track_caller]
fn steps<'y>(workflow: &'y Yaml, job: &str) -> &'y [Yaml] {
    let steps = workflow["jobs"][job]["steps"].as_vec().unwrap_or_else(|| panic!("there is no job {job}"));
    let scripts: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    if let Some(first) = scripts.iter().position(|script| compares(script)) {
        let checkout = &steps[0];
        assert!(checkout["uses"].as_str().unwrap().starts_with("actions/checkout@"), "{job}");
        assert_eq!(checkout["with"]["fetch-depth"].as_i64(), Some(0), "{job}");
        // Code of a pull request runs here.
        assert_eq!(checkout["with"]["persist-credentials"].as_bool(), Some(false), "{job}");
        assert!(workflow["jobs"][job]["permissions"].is_badvalue(), "{job} may write");
        assert!(
            scripts[..first].iter().any(|script| script.contains("cargo install cargo-regress")),
            "{job}"
        );
    }
    steps
}

#[test]
fn the_file_for_github_compares_pull_requests_and_pushes() {
    let file = workflow("github.yml");
    assert_eq!(file["permissions"]["contents"].as_str(), Some("read"));
    let scripts: Vec<&str> = steps(&file, "compare")
        .iter()
        .filter_map(|step| step["run"].as_str())
        .filter(|text| compares(text))
        .collect();
    let [script] = scripts[..] else { panic!("{scripts:?}") };
    let request = PullRequest::new();
    let runner = Runner::new(&request.clone, "pull_request", &request.event());
    let run = runner.script(script, &[]);
    assert_eq!(run.code, Some(100), "{}{}", run.stdout, run.stderr);
    // What `main` did meanwhile is no part of the change, although the event does not know it.
    assert!(
        run.stderr.contains(&format!("compared with {}", &request.clone.remote("main")[..7])),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(&format!("HEAD is {} merged onto it", &request.head[..7])), "{}", run.stderr);
    assert!(run.stdout.contains("::error file=src/lib.rs,line=2"), "{}", run.stdout);
    assert!(run.stdout.contains("`half` panics on inputs it could take before"), "{}", run.stdout);
    assert!(runner.summary().contains("half"));

    // The same change, pushed to `main`, by the same script.
    let pushed = json!({
        "ref": "refs/heads/main", "before": request.clone.remote("main"), "deleted": false,
        "repository": {"default_branch": "main"},
    });
    let runner = Runner::new(&request.clone, "push", &pushed);
    let run = runner.script(script, &[]);
    assert_eq!(run.code, Some(100), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("the branch was at it before"), "{}", run.stderr);
    assert!(run.stdout.contains("`half` panics"), "{}", run.stdout);
}

#[test]
fn the_parts_of_github_are_put_together_and_published() {
    let file = workflow("github-parts.yml");
    assert_eq!(file["permissions"]["contents"].as_str(), Some("read"));
    let request = PullRequest::new();
    let runner = Runner::new(&request.clone, "pull_request", &request.event());
    let root = request.clone.root();
    let artifacts = request.clone.home().join("artifacts");
    let parts = file["jobs"]["compare"]["strategy"]["matrix"]["part"].as_vec().unwrap();
    for part in parts {
        let part = part.as_i64().unwrap().to_string();
        let fill = |text: &str| text.replace("${{ matrix.part }}", &part);
        for step in steps(&file, "compare") {
            if let Some(script) = step["run"].as_str().filter(|script| compares(script)) {
                let run = runner.script(&fill(script), &[]);
                assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
                assert!(run.stdout.lines().all(|line| !line.starts_with("::")), "{}", run.stdout);
            }
            upload(step, &root, &artifacts, fill);
        }
    }
    assert_eq!(runner.summary(), "");
    // The jobs that follow run on machines of their own.
    let found: Vec<PathBuf> = fs::read_dir(&artifacts).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(found.len(), parts.len(), "{found:?}");
    fs::remove_dir_all(root.join("target")).unwrap();
    assert_eq!(file["jobs"]["report"]["needs"].as_str(), Some("compare"));
    for step in steps(&file, "report") {
        download(step, &root, &artifacts);
        if let Some(script) = step["run"].as_str().filter(|script| compares(script)) {
            let run = runner.script(script, &[]);
            assert_eq!(run.code, Some(100), "{}{}", run.stdout, run.stderr);
            assert!(run.stdout.contains("::error file=src/lib.rs,line=2"), "{}", run.stdout);
            let summary = runner.summary();
            assert!(summary.contains("half") && summary.contains("third"), "{summary}");
        } else if !step["if"].is_badvalue() {
            // The step before has failed.
            assert_eq!(step["if"].as_str(), Some("${{ !cancelled() }}"));
        }
        upload(step, &root, &artifacts, str::to_owned);
    }
    fs::remove_dir_all(root.join("target")).unwrap();
    publish(&file, &runner, &artifacts);
}

/// The last job, with a `gh` that writes down what it is asked for.
fn publish(file: &Yaml, runner: &Runner<'_>, artifacts: &Path) {
    let job = &file["jobs"]["publish"];
    assert_eq!(job["needs"].as_str(), Some("report"));
    assert!(
        job["if"]
            .as_str()
            .unwrap()
            .contains("github.event.pull_request.head.repo.full_name == github.repository")
    );
    // It may write, so nothing of the change may run in it.
    let steps = steps(file, "publish");
    assert!(steps.iter().all(|step| !step["uses"].as_str().unwrap_or_default().contains("checkout")));
    let root = runner.clone.home().join("publishing");
    fs::create_dir(&root).unwrap();
    let programs = runner.clone.home().join("programs");
    fs::create_dir(&programs).unwrap();
    let asked = runner.clone.home().join("asked.txt");
    let gh = "#!/bin/sh\necho \"$*\" >> \"$ASKED\"\ncase \"$*\" in *--jq*) [ -z \"$COMMENT\" ] || printf '%s\\n' \"$COMMENT\" 12 ;; esac\n";
    fs::write(programs.join("gh"), gh).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for step in steps {
        download(step, &root, artifacts);
        if step["uses"].as_str().is_some_and(|name| name.starts_with("github/codeql-action/upload-sarif@")) {
            let sarif = fs::read_to_string(root.join(step["with"]["sarif_file"].as_str().unwrap())).unwrap();
            let sarif: Value = serde_json::from_str(&sarif).unwrap();
            let rules = sarif["runs"][0]["results"].as_array().unwrap().iter();
            let rules: Vec<&str> = rules.map(|result| result["ruleId"].as_str().unwrap()).collect();
            assert_eq!(rules, ["REG0001", "REG0004"]);
        }
        let Some(script) = step["run"].as_str() else { continue };
        for (comment, expected) in [
            ("", "api --silent repos/o/r/issues/7/comments -F body=@body.md"),
            ("11", "api --silent --method PATCH repos/o/r/issues/comments/11 -F body=@body.md"),
        ] {
            let _ = fs::remove_file(&asked);
            let more = [
                ("GH_REPO", "o/r"),
                ("NUMBER", "7"),
                ("COMMENT", comment),
                ("ASKED", asked.to_str().unwrap()),
                ("PATH", path.as_str()),
            ];
            let made = format!("chmod +x {}/gh; cd {}\n{script}", programs.display(), root.display());
            let run = runner.script(&made, &more);
            assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
            let asked = fs::read_to_string(&asked).unwrap();
            let asked: Vec<&str> = asked.lines().collect();
            assert_eq!(asked.len(), 2, "{asked:?}");
            assert!(
                asked[0].contains("repos/o/r/issues/7/comments") && asked[0].contains("--jq"),
                "{asked:?}"
            );
            assert_eq!(asked[1], expected);
            let body = fs::read_to_string(root.join("body.md")).unwrap();
            assert!(body.starts_with("<!-- cargo-regress -->\n") && body.contains("half"), "{body}");
            // What GitHub takes.
            assert!(body.chars().count() < 65_536);
        }
        // A long report is cut.
        fs::write(root.join("report/comment.md"), "é, è\n".repeat(40_000)).unwrap();
        let more = [
            ("GH_REPO", "o/r"),
            ("NUMBER", "7"),
            ("COMMENT", ""),
            ("ASKED", asked.to_str().unwrap()),
            ("PATH", path.as_str()),
        ];
        let run = runner.script(&format!("cd {}\n{script}", root.display()), &more);
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        let body = fs::read_to_string(root.join("body.md")).unwrap();
        assert!(body.chars().count() < 65_536 && body.ends_with("The rest is on the page of the job.\n"));
    }
}

/// What `actions/upload-artifact` does with one file or folder.
fn upload(step: &Yaml, root: &Path, artifacts: &Path, fill: impl Fn(&str) -> String) {
    if !step["uses"].as_str().is_some_and(|name| name.starts_with("actions/upload-artifact@")) {
        return;
    }
    let text = |key: &str| fill(step["with"][key].as_str().unwrap());
    let (from, to) = (root.join(text("path")), artifacts.join(text("name")));
    fs::create_dir_all(&to).unwrap();
    if from.is_dir() {
        copy_files(&from, &to);
    } else {
        fs::copy(&from, to.join(from.file_name().unwrap()))
            .unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

/// What `actions/download-artifact` does with the artifacts of a name or a pattern.
fn download(step: &Yaml, root: &Path, artifacts: &Path) {
    if !step["uses"].as_str().is_some_and(|name| name.starts_with("actions/download-artifact@")) {
        return;
    }
    let to = root.join(step["with"]["path"].as_str().unwrap());
    fs::create_dir_all(&to).unwrap();
    if let Some(name) = step["with"]["name"].as_str() {
        return copy_files(&artifacts.join(name), &to);
    }
    // Without this each artifact gets a folder.
    assert_eq!(step["with"]["merge-multiple"].as_bool(), Some(true));
    let start = step["with"]["pattern"].as_str().unwrap().strip_suffix('*').unwrap();
    for entry in fs::read_dir(artifacts).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_str().unwrap().starts_with(start) {
            copy_files(&entry.path(), &to);
        }
    }
}

fn copy_files(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn the_file_for_gitlab_compares_merge_requests_and_leaves_a_report() {
    let file = workflow("gitlab.yml");
    let job = &file["cargo-regress"];
    assert_eq!(job["variables"]["GIT_DEPTH"].as_str(), Some("0"));
    assert!(texts(&job["before_script"]).iter().any(|line| line.contains("cargo install cargo-regress")));
    let clone = Clone::of_package(OLD);
    let base = clone.head();
    clone.git(&["switch", "--quiet", "--create", "topic"]);
    clone.write("src/lib.rs", BAD);
    clone.commit("Round");
    let script = texts(&job["script"]).join("\n");
    let junit = clone.root().join(job["artifacts"]["reports"]["junit"].as_str().unwrap());
    let variables = [
        ("CI", "true"),
        ("GITLAB_CI", "true"),
        ("CI_PIPELINE_SOURCE", "merge_request_event"),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.as_str()),
        ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", ""),
        ("CI_COMMIT_BEFORE_SHA", ZEROS),
        ("CI_DEFAULT_BRANCH", "main"),
        // As on the service, where cargo builds below the clone.
        ("CARGO_TARGET_DIR", "target"),
    ];
    let run = clone.shell_with(&script, &variables);
    assert_eq!(run.code, Some(100), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("\u{1b}["), "the log has no colours: {}", run.stdout);
    assert!(run.stdout.contains("`half` panics on inputs it could take before"), "{}", run.stdout);
    let report = fs::read_to_string(&junit).unwrap_or_else(|error| panic!("{}: {error}", junit.display()));
    assert!(report.contains("<testsuites") && report.contains("half"), "{report}");
    assert!(texts_of_rules(job).iter().any(|rule| rule.contains("merge_request_event")));
}

fn texts_of_rules(job: &Yaml) -> Vec<String> {
    job["rules"].as_vec().unwrap().iter().map(|rule| rule["if"].as_str().unwrap().to_owned()).collect()
}

/// Which versions are compared is printed without comparing them.
#[test]
fn what_cannot_be_found_is_said_with_the_lines_to_add() {
    let clone = Clone::of_package(OLD);
    let (remote, start) = (clone.home().join("remote.git"), clone.head());
    clone.git(&["switch", "--quiet", "--create", "topic"]);
    clone.write("src/lib.rs", BAD);
    clone.commit("Round");
    clone.write("src/lib.rs", &format!("// Again.\n{BAD}"));
    clone.commit("Again");
    let head = clone.head();
    clone.git(&["push", "--quiet", "origin", "topic"]);
    let new = json!({
        "ref": "refs/heads/topic", "before": ZEROS, "deleted": false, "repository": {"default_branch": "main"},
    });
    let print = ["ci", "--print"];
    let runner = Runner::new(&clone, "push", &new);
    let run = runner.regress(&print);
    assert_eq!((run.code, run.stdout), (Some(0), format!("{start}..{head}\n")), "{}", run.stderr);
    // As `actions/checkout` clones unless it is told otherwise.
    let shallow = clone.home().join("shallow");
    let url = format!("file://{}", remote.display());
    clone.git(&["clone", "--quiet", "--depth=1", "--branch=topic", &url, shallow.to_str().unwrap()]);
    let manifest = shallow.join("Cargo.toml");
    let of_shallow = ["ci", "--print", "--manifest-path", manifest.to_str().unwrap()];
    let run = runner.regress(&of_shallow);
    assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""), "{}", run.stderr);
    assert!(
        run.stderr.contains("shallow") && run.stderr.contains("        fetch-depth: 0\n"),
        "{}",
        run.stderr
    );
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_COMMIT_BRANCH", "topic"),
        ("CI_DEFAULT_BRANCH", "main"),
        ("CI_COMMIT_BEFORE_SHA", start.as_str()),
    ];
    let run = clone.regress_with(&of_shallow, &gitlab, "");
    assert_eq!(run.code, Some(101), "{}", run.stdout);
    assert!(run.stderr.contains("GIT_DEPTH: \"0\"\n"), "{}", run.stderr);
    // Nothing to compare is no failure, and says so.
    let tag = json!({"ref": "refs/tags/v1", "before": ZEROS, "repository": {"default_branch": "main"}});
    let run = Runner::new(&clone, "push", &tag).regress(&["ci"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.contains("nothing is compared: `refs/tags/v1` is a tag"), "{}", run.stderr);
    // Elsewhere somebody has to say it.
    let run = clone.regress(&print);
    assert_eq!(run.code, Some(101), "{}", run.stdout);
    assert!(run.stderr.contains("no job of a CI service that is known"), "{}", run.stderr);
    let run = clone.regress(&["ci", "--print", "--base", "main"]);
    assert_eq!((run.code, run.stdout), (Some(0), format!("{start}..{head}\n")), "{}", run.stderr);
}
