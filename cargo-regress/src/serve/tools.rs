//! The tools of the server, and what they answer.

use std::ffi::OsString;

use anyhow::Context;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::{ToolCallContext, schema_for_output};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool, tool_handler, tool_router};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::unbounded_channel;

use super::params::{AffectedTests, Asked, Compare, ExplainFunction, LocalizeTest, refuse_unknown};
use super::progress::tell;
use super::text;
use crate::args::ServeOptions;
use crate::exit::FINDING;
use crate::report::{affected, json, localize};
use crate::supervised::{Ended, NoEnd, Runs};

const INSTRUCTIONS: &str = "Tells what an edit of a Rust crate changed in behaviour: each function that it may have affected is run natively in both versions \
    and compared symbolically. After an edit, `compare` without arguments compares the work tree with HEAD; a function that differs comes with a call that \
    shows it, and `equal` is proved on every input. Nothing of the work tree is written. Requests run one after the other.";

/// Answers requests.
pub struct Server {
    runs: Runs,
    /// What every run is given.
    common: Vec<OsString>,
    router: ToolRouter<Self>,
}

#[tool_router]
impl Server {
    pub fn new(options: &ServeOptions) -> anyhow::Result<Server> {
        let runs = Runs::of_this_program().context("this program does not find itself")?;
        let mut common = Vec::new();
        if let Some(manifest) = &options.manifest.manifest_path {
            common.extend(["--manifest-path".into(), manifest.into()]);
        }
        if let Some(folder) = &options.target_dir {
            common.extend(["--target-dir".into(), folder.into()]);
        }
        Ok(Server { runs, common, router: Self::tool_router() })
    }

    /// The runs of this server.
    pub fn runs(&self) -> Runs {
        self.runs.clone()
    }

    /// Compares what the functions of two versions of a crate do: which differ, on which call and how, which are proved equal, and what is not
    /// known, with reasons. Without `base`, uncommitted changes are compared with HEAD.
    #[tool(
        title = "Compare two versions by what their functions do",
        output_schema = schema_for_output::<json::Document>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn compare(
        &self,
        Parameters(asked): Parameters<Compare>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        self.answer(&asked, context, |ended| {
            let document: json::Document = read(ended.report.as_deref())?;
            answered(&text::comparison(&document, &ended.stdout), &document)
        })
        .await
    }

    /// Tells all that is known of one function in two versions: verdict and reason, calls on which the versions differ, suspect lines, and the
    /// approximations that the verdict rests on. Only this function is compared.
    #[tool(
        title = "Explain what became of one function",
        output_schema = schema_for_output::<json::Document>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn explain_function(
        &self,
        Parameters(asked): Parameters<ExplainFunction>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        self.answer(&asked, context, |ended| {
            let document: json::Document = read(ended.report.as_deref())?;
            answered(&text::explanation(&document, &ended.stdout), &document)
        })
        .await
    }

    /// Names the lines that may be to blame for a test that fails or a call that ends otherwise than in the old version, the most suspect first. Without `test`
    /// and `call`, all tests are run on both versions, and those that began to fail are looked at.
    #[tool(
        title = "Find the lines behind a failing test or call",
        output_schema = schema_for_output::<localize::Document>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn localize_test(
        &self,
        Parameters(asked): Parameters<LocalizeTest>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        self.answer(&asked, context, |ended| {
            let document: localize::Document = read(ended.report.as_deref())?;
            answered(&ended.stdout, &document)
        })
        .await
    }

    /// Names the tests that a change can affect, each with the reason; all other tests of the new version do what they did.
    #[tool(
        title = "Name the tests that a change can affect",
        output_schema = schema_for_output::<affected::Document>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn affected_tests(
        &self,
        Parameters(asked): Parameters<AffectedTests>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        self.answer(&asked, context, |ended| {
            let document: affected::Document = read(Some(&ended.stdout))?;
            answered(&text::affected_tests(&document, &ended.stderr), &document)
        })
        .await
    }
}

impl Server {
    /// Runs what is asked for; what comes of it, or the error in the words of the command line.
    async fn answer(
        &self,
        asked: &impl Asked,
        context: RequestContext<RoleServer>,
        read: impl FnOnce(&Ended) -> anyhow::Result<CallToolResult>,
    ) -> Result<CallToolResult, ErrorData> {
        let (told, events) = unbounded_channel();
        let words = |report: &std::path::Path| Ok(asked.words(&self.common, report)?);
        let run = self.runs.run(words, told, context.ct.cancelled());
        // The run drops its end when it is over.
        let (ended, ()) = tokio::join!(run, tell(&context, events));
        match ended {
            Ok(ended) if [0, FINDING].iter().any(|code| ended.status.code() == Some(i32::from(*code))) => {
                Ok(read(&ended).unwrap_or_else(|error| failed(&crate::error::in_full(&error))))
            }
            Ok(ended) => Ok(failed(&words_of_failure(&ended))),
            // Nobody waits for it.
            Err(NoEnd::Cancelled) => Err(ErrorData::internal_error(NoEnd::Cancelled.to_string(), None)),
            Err(error) => Ok(failed(&error.to_string())),
        }
    }
}

#[tool_handler(router = self.router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("cargo-regress", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(tool) = self.router.get(&request.name)
            && let Err(error) = refuse_unknown(request.arguments.as_ref(), &tool.input_schema)
        {
            return Ok(failed(&error.to_string()).into());
        }
        self.router.call(ToolCallContext::new(self, request, context)).await
    }
}

fn read<T: DeserializeOwned>(report: Option<&str>) -> anyhow::Result<T> {
    let report = report.context("the run has written no report")?;
    serde_json::from_str(report).context("the report of the run cannot be read")
}

/// A text for the model, and the document for programs.
fn answered(text: &str, document: &impl Serialize) -> anyhow::Result<CallToolResult> {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(serde_json::to_value(document)?);
    Ok(result)
}

fn failed(text: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// What the run said when it failed.
fn words_of_failure(ended: &Ended) -> String {
    match ended.stderr.trim() {
        "" => format!("the run ended without a report: {}", ended.status),
        said => said.to_owned(),
    }
}
