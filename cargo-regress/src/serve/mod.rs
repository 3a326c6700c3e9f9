//! `cargo regress serve`: a server of the Model Context Protocol over standard input and output, for coding agents.
//!
//! * [`tools`]: the tools and what they answer
//! * [`params`]: what clients say, as words of a command line
//! * [`progress`]: how far a run is, as notifications
//! * [`text`]: reports as short texts for a model
//!
//! *Idea.* Each request is a supervised run of this program (`supervised`), with its report as JSON. What the tools take and answer is what the command
//! line takes and prints.
//!
//! **Invariant:** standard output carries the protocol and nothing else. One run at a time: requests wait for each other, in their order.

mod params;
mod progress;
mod text;
mod tools;

use std::time::Duration;

use anyhow::Context;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;

use crate::args::ServeOptions;
use crate::error::Error;
use tools::Server;

/// How long a run that goes on when the client leaves is waited for.
const LAST_RUN: Duration = Duration::from_secs(3);

/// Answers until the client closes its end.
pub fn complete(options: &ServeOptions) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server cannot be set up")?;
    let done = runtime.block_on(serve(Server::new(options)?));
    // What waits for standard input is not waited for.
    runtime.shutdown_background();
    Ok(done?)
}

async fn serve(server: Server) -> anyhow::Result<()> {
    let runs = server.runs();
    let running = match server.serve(stdio_pipes()).await {
        Ok(running) => running,
        // The client left before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error).context("the client does not speak the Model Context Protocol"),
    };
    running.waiting().await.context("the server has failed")?;
    // What is cancelled because the client left cleans up first.
    let _ = tokio::time::timeout(LAST_RUN, runs.over()).await;
    Ok(())
}
