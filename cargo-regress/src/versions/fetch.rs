//! `--fetch`: brings a commit that this clone lacks.
//!
//! What is fetched goes where `git fetch` puts it: objects and remote-tracking branches. The index and the working tree
//! are not touched. Limits: a shallow clone of a path on this machine cannot be deepened (libgit2 has no means to), and
//! which network transports there are depends on how the program was built.

use git2::{AutotagOption, Cred, CredentialType, Error, FetchOptions, Oid, RemoteCallbacks, Repository};

use super::VersionsError;

/// The whole history, as git's protocol says it.
const UNSHALLOW: i32 = i32::MAX;

/// Fetches so that the revision can be found afterwards, if the remote has it. Yields the remote's name.
pub fn fetch(repository: &Repository, revision: &str) -> Result<String, VersionsError> {
    let name = remote_name(repository, revision)?;
    let failed = |url: &str, source: Error| VersionsError::Fetch {
        revision: revision.to_owned(),
        remote: name.clone(),
        url: url.to_owned(),
        by_hand: match repository.is_shallow() {
            true => format!("git fetch --unshallow {name}"),
            false => format!("git fetch {name}"),
        },
        source,
    };
    let mut remote = repository.find_remote(&name).map_err(|error| failed("no address", error))?;
    let url = remote.url().map(str::to_owned).unwrap_or_default();
    if let Some(transport) = missing_transport(&url) {
        return Err(VersionsError::NoTransport { remote: name, url, transport });
    }
    let mut options = options(repository);
    options.download_tags(AutotagOption::All);
    if repository.is_shallow() {
        options.depth(UNSHALLOW);
    }
    // Without refspecs of ours, those configured for the remote apply.
    let configured: [&str; 0] = [];
    remote.fetch(&configured, Some(&mut options), None).map_err(|error| failed(&url, error))?;
    if repository.revparse_single(revision).is_err()
        && Oid::from_str(revision).is_ok()
        && revision.len() == 40
    {
        // Not on any branch, but a server may hand it out by its id.
        let mut options = self::options(repository);
        options.download_tags(AutotagOption::None);
        remote.fetch(&[revision], Some(&mut options), None).map_err(|error| failed(&url, error))?;
    }
    Ok(name)
}

/// The remote that the revision names (`upstream/main`), else that of the current branch, else `origin`, else the only
/// one.
fn remote_name(repository: &Repository, revision: &str) -> Result<String, VersionsError> {
    let remotes = repository.remotes().ok();
    let names: Vec<String> = remotes
        .iter()
        .flat_map(|names| names.iter())
        .filter_map(|name| name.ok().flatten())
        .map(str::to_owned)
        .collect();
    let named =
        names.iter().find(|name| revision.strip_prefix(*name).is_some_and(|rest| rest.starts_with('/')));
    let of_branch = || {
        let head = repository.head().ok()?;
        let upstream = repository.branch_upstream_remote(head.name().ok()?).ok()?;
        let upstream = upstream.as_str().ok()?;
        names.iter().find(|name| *name == upstream)
    };
    named
        .or_else(of_branch)
        .or_else(|| names.iter().find(|name| *name == "origin"))
        .or_else(|| names.first())
        .cloned()
        .ok_or_else(|| VersionsError::NoRemote { revision: revision.to_owned() })
}

fn options(repository: &Repository) -> FetchOptions<'_> {
    let mut options = FetchOptions::new();
    options.remote_callbacks(callbacks(repository));
    options
}

/// Credentials from where git has them: the agent for ssh, the configured helper for https. Each is tried once, because
/// libgit2 asks again for as long as it gets an answer.
fn callbacks(repository: &Repository) -> RemoteCallbacks<'_> {
    let mut callbacks = RemoteCallbacks::new();
    let (mut asked_agent, mut asked_helper) = (false, false);
    callbacks.credentials(move |url, user, allowed| {
        if allowed.contains(CredentialType::USERNAME) {
            return Cred::username(user.unwrap_or("git"));
        }
        if allowed.contains(CredentialType::SSH_KEY) && !asked_agent {
            asked_agent = true;
            return ssh_agent(user.unwrap_or("git"));
        }
        if allowed.contains(CredentialType::USER_PASS_PLAINTEXT) && !asked_helper {
            asked_helper = true;
            return Cred::credential_helper(&repository.config()?, url, user);
        }
        Err(Error::from_str("git has no credentials for it, or the remote refused them"))
    });
    callbacks
}

fn ssh_agent(user: &str) -> Result<Cred, Error> {
    Cred::ssh_key_from_agent(user)
}

/// The feature of this crate that would make the address reachable, if it was built without.
fn missing_transport(url: &str) -> Option<&'static str> {
    let is_https = url.starts_with("https://");
    // `git@host:path`, but not a drive letter.
    let is_scp = !url.contains("://")
        && url.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'));
    let is_ssh = url.starts_with("ssh://") || url.starts_with("git+ssh://") || is_scp;
    if is_https && !cfg!(feature = "https") {
        Some("https")
    } else if is_ssh && !cfg!(feature = "ssh") {
        Some("ssh")
    } else {
        None
    }
}
