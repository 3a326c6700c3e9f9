//! `cargo regress serve` as coding agents use it: by a client of the protocol over pipes.

use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use regress_tests::command::{binary, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientRequest, ProgressNotificationParam, Request, ServerResult,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// More than any of this takes, on any machine.
const ENOUGH: Duration = Duration::from_secs(400);
/// What ending a run may take. It takes a part of this, but the machine may be busy.
const AT_ONCE: Duration = Duration::from_secs(3);

const MANIFEST: &str =
    "[package]\nname = \"served\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

pub(super) const OLD: &str = "\
pub fn fee(amount: u64) -> u64 { if amount == 123_456_789 { 0 } else { amount / 100 } }
pub fn clamp(x: i32) -> i32 { if x < 0 { 0 } else if x > 100 { 100 } else { x } }

#[cfg(test)]
mod tests {
    #[test]
    fn no_fee() {
        assert_eq!(super::fee(123_456_789), 0);
    }

    #[test]
    fn of_nothing() {
        assert_eq!(2 + 2, 4);
    }
}
";

/// What changed: one function differs on one input in 2^64, one does the same.
pub(super) fn edited() -> String {
    OLD.replace("if amount == 123_456_789 { 0 } else { amount / 100 }", "amount / 100")
        .replace("if x < 0 { 0 } else if x > 100 { 100 } else { x }", "x.max(0).min(100)")
}

pub(super) fn repository(library: &str) -> Repository {
    let repository = Repository::new().expect("a repository");
    let lock = "version = 4\n\n[[package]]\nname = \"served\"\nversion = \"0.1.0\"\n";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("Cargo.lock", lock),
        (".gitignore", "/target\n"),
        ("src/lib.rs", library),
    ];
    for (file, text) in files {
        repository.write(file, text).expect("writable");
    }
    repository.commit_all("Start").expect("a commit");
    repository
}

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.lock().expect("whole").push(told);
    }
}

/// A server with a client.
struct Session {
    service: RunningService<RoleClient, Listener>,
    told: Listener,
    server: Child,
    /// The folder for temporary files of the server.
    temporary: TempDir,
}

impl Session {
    async fn start(repository: &Repository, target: &SharedTarget) -> Session {
        let temporary = TempDir::new().expect("a temporary directory");
        let mut server = Command::new(binary())
            .args(["regress", "serve", "--target-dir", target.text()])
            .current_dir(repository.root())
            .env("TMPDIR", temporary.path())
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let pipes = (server.stdout.take().expect("piped"), server.stdin.take().expect("piped"));
        let told = Listener::default();
        let service = told.clone().serve(pipes).await.expect("it speaks the protocol");
        Session { service, told, server, temporary }
    }

    async fn begin(&self, tool: &'static str, arguments: Value) -> RequestHandle<RoleClient> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(Request::new(params));
        let sent = self.service.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        sent.expect("it can be asked for")
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        answer(self.begin(tool, arguments).await).await
    }

    /// The text and the document of an answer that is no error.
    async fn answered(&self, tool: &'static str, arguments: Value) -> (String, Value) {
        let result = self.call(tool, arguments).await;
        let text = text(&result);
        assert_eq!(result.is_error, Some(false), "{text}");
        (text, result.structured_content.expect("it has a document"))
    }

    /// What an answer that is an error says.
    async fn refused(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{}", text(&result));
        assert_eq!(result.structured_content, None);
        text(&result)
    }

    /// The messages of progress that this request was told.
    fn messages(&self, request: &RequestHandle<RoleClient>) -> Vec<String> {
        let told = self.told.0.lock().expect("whole");
        let own = told.iter().filter(|told| told.progress_token == request.progress_token);
        own.filter_map(|told| told.message.clone()).collect()
    }

    /// What lies in the folder for temporary files.
    fn leftovers(&self) -> Vec<PathBuf> {
        fs::read_dir(self.temporary.path()).expect("readable").flatten().map(|entry| entry.path()).collect()
    }

    /// The client leaves; the server ends with it.
    async fn leave(mut self) {
        self.service.cancel().await.expect("it is over");
        let status = self.server.wait().await.expect("it ends");
        assert_eq!(status.code(), Some(0));
    }
}

async fn answer(request: RequestHandle<RoleClient>) -> CallToolResult {
    match request.await_response().await.expect("an answer") {
        ServerResult::CallToolResult(result) => result,
        other => panic!("{other:?}"),
    }
}

fn text(result: &CallToolResult) -> String {
    let [content] = result.content.as_slice() else { panic!("one text: {result:?}") };
    content.as_text().expect("a text").text.clone()
}

fn talk(talk: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(ENOUGH, talk).await.expect("it comes to an end") });
}

/// Waits until `is_so`, and says how long that took.
async fn until(what: &str, most: Duration, is_so: impl Fn() -> bool) -> Duration {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < most, "{what}: not after {most:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    started.elapsed()
}

/// Whether the document is one by the schema, in the words of another program.
#[track_caller]
fn check_schema(schema: &Value, document: &Value) {
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("schema.json", schema.clone()).expect("JSON");
    let index = compiler.compile("schema.json", &mut schemas).expect("a schema");
    schemas.validate(document, index).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn tools_have_schemas() {
    let versions = [("base", "string"), ("new", "string"), ("package", "string"), ("features", "array")];
    let time = ("total_timeout", "integer");
    let expected = [
        ("affected_tests", vec![time], vec![], vec!["counts", "binaries"]),
        ("compare", vec![time, ("functions", "array")], vec![], vec!["functions", "summary", "notes"]),
        (
            "explain_function",
            vec![time, ("function", "string")],
            vec!["function"],
            vec!["functions", "summary"],
        ),
        ("localize_test", vec![("test", "string"), ("call", "string")], vec![], vec!["cases"]),
    ];
    talk(async move {
        let repository = repository(OLD);
        let session = Session::start(&repository, &SharedTarget::take()).await;
        let server = session.service.peer_info().expect("it has introduced itself").clone();
        assert_eq!(server.server_info.as_ref().map(|server| server.name.as_str()), Some("cargo-regress"));
        let tools = session.service.list_all_tools().await.expect("a list");
        assert_eq!(tools.len(), expected.len());
        for (name, own, required, answered) in expected {
            let tool = tools.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("{name}"));
            assert!(tool.description.as_ref().is_some_and(|text| text.len() > 40), "{name}");
            assert_eq!(
                tool.annotations.as_ref().and_then(|hints| hints.read_only_hint),
                Some(true),
                "{name}"
            );
            let input = Value::Object((*tool.input_schema).clone());
            assert_eq!(input["type"], "object", "{name}");
            assert_eq!(input["additionalProperties"], false, "{name}");
            let kind = |schema: &Value| match &schema["type"] {
                // What may be left out may be null too.
                Value::Array(kinds) => kinds[0].as_str().expect("a word").to_owned(),
                kind => kind.as_str().expect("a word").to_owned(),
            };
            let properties = input["properties"].as_object().expect("an object");
            let found: BTreeMap<&str, String> =
                properties.iter().map(|(name, schema)| (name.as_str(), kind(schema))).collect();
            let wanted = versions.iter().chain(&own).map(|(name, kind)| (*name, (*kind).to_owned()));
            assert_eq!(found, wanted.collect(), "{name}");
            let empty = json!([]);
            assert_eq!(*input.get("required").unwrap_or(&empty), json!(required), "{name}");
            let output = Value::Object((**tool.output_schema.as_ref().expect("a schema")).clone());
            assert_eq!(output["type"], "object", "{name}");
            for field in answered {
                let named = output["required"].as_array().expect("fields");
                assert!(named.iter().any(|name| name == field), "{name}: {field}");
            }
        }
        let compare = tools.iter().find(|tool| tool.name == "compare").expect("listed");
        assert_eq!(compare.input_schema["properties"]["total_timeout"]["default"], 60);
        session.leave().await;
    });
}

#[test]
fn an_edit_is_compared_explained_and_localized() {
    let repository = repository(OLD);
    repository.write("src/lib.rs", &edited()).expect("writable");
    let before = repository.snapshot().expect("readable");
    let target = SharedTarget::take();
    talk(async {
        let session = Session::start(&repository, &target).await;
        let tools = session.service.list_all_tools().await.expect("a list");
        let check = |tool: &str, document: &Value| {
            let tool = tools.iter().find(|known| known.name == tool).expect("listed");
            check_schema(
                &Value::Object((**tool.output_schema.as_ref().expect("a schema")).clone()),
                document,
            );
        };

        let request = session.begin("compare", json!({})).await;
        let token = request.progress_token.clone();
        let result = answer(request).await;
        let document = result.structured_content.clone().expect("a document");
        check("compare", &document);
        assert_eq!(document["schema_version"], 1);
        let of = |path: &str| {
            let functions = document["functions"].as_array().expect("functions").iter();
            functions.filter(|function| function["path"] == path).cloned().collect::<Vec<_>>()
        };
        let [fee] = &of("fee")[..] else { panic!("{document}") };
        assert_eq!((&fee["verdict"], &fee["class"]), (&json!("differs"), &json!("behaviour")));
        let witness = &fee["witnesses"][0];
        assert_eq!(witness["call"], "fee(123456789)");
        assert_eq!((&witness["old"]["value"], &witness["new"]["value"]), (&json!("0"), &json!("1234567")));
        assert_eq!(of("clamp")[0]["verdict"], "equal");
        let said = text(&result);
        assert!(said.starts_with("comparing HEAD ("), "{said}");
        assert!(said.contains("behaviour change[REG0004]: `fee` returns a different result: `fee(123456789)` returned `0`, now returns `1234567`"), "{said}");
        assert!(said.contains("1 behaviour change, 1 proved equal; 0 functions unchanged"), "{said}");
        {
            let told = session.told.0.lock().expect("whole");
            let own: Vec<_> = told.iter().filter(|told| told.progress_token == token).collect();
            assert!(
                own.iter().any(|told| told.message.as_deref() == Some("Reading both versions")),
                "{own:?}"
            );
            assert!(own.is_sorted_by(|a, b| a.progress < b.progress), "{own:?}");
        }
        // The same report as on the command line, but for how long it took.
        let args = ["--target-dir", target.text(), "--message-format", "json"];
        let mut printed: Value = serde_json::from_str(&run(repository.root(), &args).stdout).expect("JSON");
        printed["summary"]["duration_seconds"] = document["summary"]["duration_seconds"].clone();
        assert_eq!(printed, document);

        // Of the same versions, from what is known of them.
        let (said, document) = session.answered("explain_function", json!({"function": "fee"})).await;
        check("explain_function", &document);
        assert_eq!(document["functions"].as_array().map(Vec::len), Some(1));
        assert!(said.starts_with("`fee` at src/lib.rs:1: changed, verdict differs (behaviour)\n"), "{said}");
        assert!(said.contains("suspect 1: only the old version treats"), "{said}");
        // Another comparison, of this function alone.
        let only = json!({"function": "served::clamp", "base": "HEAD", "features": [], "total_timeout": 100});
        let (said, document) = session.answered("explain_function", only).await;
        assert_eq!(document["functions"][0]["verdict"], "equal", "{said}");
        assert!(said.contains("only `clamp` of 2 functions was compared"), "{said}");

        let (said, document) = session.answered("affected_tests", json!({})).await;
        check("affected_tests", &document);
        let tests = document["binaries"][0]["tests"].as_array().expect("tests");
        let affected: BTreeMap<&str, bool> = tests
            .iter()
            .map(|test| (test["name"].as_str().expect("a name"), test["affected"] == true))
            .collect();
        assert_eq!(affected, BTreeMap::from([("tests::no_fee", true), ("tests::of_nothing", false)]));
        assert!(said.contains("served tests::no_fee: it may run or use `fee`"), "{said}");
        assert!(!said.contains("of_nothing"), "{said}");

        let (said, document) = session.answered("localize_test", json!({"test": "tests::no_fee"})).await;
        check("localize_test", &document);
        let case = &document["cases"][0];
        assert_eq!((&case["located"], &case["call"]), (&json!(true), &json!("fee(123456789)")));
        assert_eq!(
            (&case["suspects"][0]["file"], &case["suspects"][0]["line"]),
            (&json!("src/lib.rs"), &json!(1))
        );
        assert!(
            said.contains("test `tests::no_fee` passes on the old version and fails on the new one"),
            "{said}"
        );

        // What goes wrong is told in the words of the command line.
        let said = session.refused("compare", json!({"base": "nosuch"})).await;
        assert!(said.starts_with("error: there is no revision `nosuch` in the repository at"), "{said}");
        let said = session.refused("explain_function", json!({"function": "cost"})).await;
        assert!(said.starts_with("error: neither version has a function `cost`"), "{said}");
        let said = session.refused("localize_test", json!({"test": "a", "call": "b()"})).await;
        assert!(said.contains("cannot be used with"), "{said}");
        let said = session.refused("compare", json!({"old": "HEAD"})).await;
        assert!(said.starts_with("there is no argument `old`; there are `base`"), "{said}");
        let said = session.refused("compare", json!({"new": "HEAD"})).await;
        assert!(said.starts_with("`new` needs `base`"), "{said}");

        assert_eq!(session.leftovers(), Vec::<PathBuf>::new());
        session.leave().await;
    });
    assert_eq!(repository.snapshot().expect("readable"), before);
}

/// A package whose build script starts a program that goes on for an hour, and words that only this program's command line has.
fn endless(number: u32) -> (Repository, String) {
    let seconds = format!("3600.{:07}{number}", std::process::id());
    let repository = repository(OLD);
    let script = format!(
        "fn main() {{ std::process::Command::new(\"sleep\").arg(\"{seconds}\").status().unwrap(); }}\n"
    );
    repository.write("build.rs", &script).expect("writable");
    repository.write("src/lib.rs", &edited()).expect("writable");
    (repository, seconds)
}

/// How many processes have this word in their command line.
pub(super) fn running(word: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("there are processes").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())).count()
}

#[test]
#[cfg(target_os = "linux")]
fn a_cancelled_comparison_ends_at_once_and_the_next_one_runs() {
    let (repository, word) = endless(1);
    let before = repository.snapshot().expect("readable");
    let target = SharedTarget::take();
    talk(async {
        let session = Session::start(&repository, &target).await;
        let first = session.begin("compare", json!({"total_timeout": 3600})).await;
        until("the build begins", ENOUGH, || running(&word) > 0).await;
        // Others wait for their turn, and may leave before it comes.
        let second = session.begin("compare", json!({"base": "nosuch"})).await;
        let third = session.begin("compare", json!({"base": "nosuch"})).await;
        let waits = "Waiting for an earlier request to end";
        until("the others wait", AT_ONCE, || {
            [&second, &third].iter().all(|request| session.messages(request) == [waits])
        })
        .await;
        second.cancel(None).await.expect("it can be cancelled");
        assert!(running(&word) > 0);
        first.cancel(Some("no longer needed".to_owned())).await.expect("it can be cancelled");
        until("all processes are gone", AT_ONCE, || running(&word) == 0).await;
        let third = tokio::time::timeout(ENOUGH, answer(third)).await.expect("it has its turn");
        assert!(text(&third).contains("there is no revision `nosuch`"), "{}", text(&third));
        assert_eq!(session.leftovers(), Vec::<PathBuf>::new());
        session.leave().await;
    });
    assert_eq!(repository.snapshot().expect("readable"), before);
}

#[test]
#[cfg(target_os = "linux")]
fn a_comparison_ends_with_its_server() {
    let (repository, word) = endless(2);
    let target = SharedTarget::take();
    talk(async {
        let mut session = Session::start(&repository, &target).await;
        let _request = session.begin("affected_tests", json!({"total_timeout": 3600})).await;
        until("the build begins", ENOUGH, || running(&word) > 0).await;
        session.server.kill().await.expect("it can be killed");
        until("all processes are gone", AT_ONCE, || running(&word) == 0).await;
    });
}

/// What a client that reads lines gets, and nothing else: one message on each.
#[test]
fn standard_output_has_messages_only() {
    use std::io::{BufRead, BufReader, Write};

    let repository = repository(OLD);
    let mut server = std::process::Command::new(binary())
        .arg("serve")
        .current_dir(repository.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().expect("piped");
    let mut lines = BufReader::new(server.stdout.take().expect("piped")).lines();
    let mut ask = |message: Value, id: Option<u64>| {
        writeln!(input, "{message}").expect("it listens");
        let mut answers = lines.by_ref().map_while(Result::ok).map(|line| {
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            message
        });
        id.map(|id| answers.find(|answer| answer["id"] == id).expect("an answer"))
    };
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}), Some(1));
    ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), None);
    let call = json!({"name": "compare", "arguments": {"base": "nosuch"}, "_meta": {"progressToken": 7}});
    let answer = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}), Some(2));
    assert_eq!(answer.expect("asked for")["result"]["isError"], true);
    drop(input);
    assert!(lines.next().is_none());
    let output = server.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
