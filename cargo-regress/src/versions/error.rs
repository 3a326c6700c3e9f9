//! What can go wrong before anything is compared. Each message is one paragraph: what, where, and what to do.

use camino::Utf8PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum VersionsError {
    #[error(
        "`{start}` is not inside a git repository, so there is no other version to compare with; run the command \
         inside one, or name a directory with the old version by `--baseline-root DIR`"
    )]
    NotARepository { start: Utf8PathBuf },

    #[error(
        "GIT_DIR names `{path}`, where no git repository is; without that variable the one around the current directory is \
         taken"
    )]
    NoRepositoryInGitDir { path: String },

    #[error(
        "the git repository around `{start}` belongs to another user, so git does not trust it; \
         `git config --global --add safe.directory {start}` says that you do"
    )]
    ForeignOwner { start: Utf8PathBuf },

    #[error("the git repository around `{start}` cannot be opened: {}", .source.message())]
    Unopenable { start: Utf8PathBuf, source: git2::Error },

    #[error(
        "`{path}` is a bare repository, which has no working tree to find the package in; run the command in a clone \
         of it"
    )]
    BareRepository { path: Utf8PathBuf },

    #[error(
        "the repository at `{path}` has no commit yet, so there is no older version to compare with; commit first, or \
         name a directory with the old version by `--baseline-root DIR`"
    )]
    UnbornHead { path: Utf8PathBuf },

    #[error(
        "HEAD ({head}) is the first commit of this repository and nothing is uncommitted, so there is no older version \
         to compare with; name one by `--baseline-root DIR`"
    )]
    FirstCommit { head: String },

    #[error(
        "there is no revision `{revision}` in the repository at `{path}`; `git log --oneline --all` lists what there is, \
         and `--fetch` asks the remote for it"
    )]
    UnknownRevision { revision: String, path: Utf8PathBuf },

    #[error("even after fetching from `{remote}` there is no revision `{revision}`; check its spelling")]
    UnknownAfterFetch { revision: String, remote: String },

    #[error(
        "`{revision}` is not in this clone, which is shallow: it holds only the newest commits; give `--fetch` to fetch \
         the rest from its remote, or run `git fetch --unshallow` first"
    )]
    ShallowClone { revision: String },

    #[error(
        "`{revision}` names more than one thing in this repository: {}; write more digits of the commit id, or the full \
         name of the reference (`refs/heads/…`)", .source.message()
    )]
    AmbiguousRevision { revision: String, source: git2::Error },

    #[error("`{revision}` is not a revision git understands: {}; see `git help revisions`", .source.message())]
    InvalidRevision { revision: String, source: git2::Error },

    #[error("`{revision}` names a {kind}, not a commit; name a commit, a branch or a tag")]
    NotACommit { revision: String, kind: String },

    #[error(
        "`{one}` and `{other}` have no commit in common, so there is no merge base; name the old version itself"
    )]
    NoMergeBase { one: String, other: String },

    #[error(
        "there is no merge here: HEAD ({head}) is no merge commit and none is in progress; `--merge COMMIT` takes a merge \
         commit, `--merge BRANCH` what HEAD is merged with"
    )]
    NoMerge { head: String },

    #[error("{commit} has {parents} parents, and only merges of two branches are judged")]
    ManyParents { commit: String, parents: usize },

    #[error("there is nothing to merge: {ours} holds all of {theirs}")]
    NothingToMerge { ours: String, theirs: String },

    #[error(
        "there is nothing to judge: {theirs} holds all of {ours}, so the merge is {theirs} itself; `cargo regress {base}..{tip}` \
         compares the two"
    )]
    FastForward { ours: String, theirs: String, base: String, tip: String },

    #[error(
        "{theirs} cannot be merged into {ours} without a conflict in {}; judge the merge when it is resolved", .files.join(", ")
    )]
    Conflicts { ours: String, theirs: String, files: Vec<String> },

    #[error("the merge in progress still has a conflict in {}; judge it when it is resolved", .files.join(", "))]
    Unresolved { files: Vec<String> },

    #[error("{ours} and {theirs} cannot be merged: {}", .source.message())]
    Unmergeable { ours: String, theirs: String, source: git2::Error },

    #[error(
        "commit {commit} cannot be read completely ({}); the repository may be damaged or a partial clone: \
         `git fsck` tells, and `git fetch --refetch` brings what is missing", .source.message()
    )]
    IncompleteCommit { commit: String, source: git2::Error },

    #[error("git cannot tell the state of the working tree at `{path}`: {}", .source.message())]
    Status { path: Utf8PathBuf, source: git2::Error },

    #[error("the repository has no remote, so `--fetch` has nowhere to fetch `{revision}` from")]
    NoRemote { revision: String },

    #[error(
        "fetching `{revision}` from `{remote}` ({url}) failed: {}; fetching it by hand (`{by_hand}`) also serves",
        .source.message()
    )]
    Fetch { revision: String, remote: String, url: String, by_hand: String, source: git2::Error },

    #[error(
        "`--fetch` cannot reach `{remote}` ({url}): this build has no {transport} transport; run `git fetch {remote}` \
         (`git fetch --unshallow {remote}` in a shallow clone) first, or install with `--features {transport}`"
    )]
    NoTransport { remote: String, url: String, transport: &'static str },

    #[error(
        "there is no `{manifest}`: {} it; `--manifest-path` takes the path to a Cargo.toml", neither_has(.old, .new)
    )]
    NoManifest { manifest: Utf8PathBuf, old: String, new: String },

    #[error(
        "there is no package at `{place}`: {} a Cargo.toml there or in a directory above; run the command inside a \
         package, or name one by `--manifest-path`", neither_has(.old, .new)
    )]
    NoPackage { place: Utf8PathBuf, old: String, new: String },

    #[error(
        "the package at `{place}` is only in {present}; {absent} has no `{place}/Cargo.toml`, so there is nothing to \
         compare it with; choose a revision that has it"
    )]
    PackageInOneVersion { place: Utf8PathBuf, present: String, absent: String },

    #[error("package `{name}` is only in {present}, not in {absent}, so there is nothing to compare it with")]
    NamedPackageInOneVersion { name: String, present: String, absent: String },

    #[error(
        "no package `{name}` is in {old} nor in {new}; `-p` takes the name that stands in its Cargo.toml"
    )]
    NoSuchPackage { name: String, old: String, new: String },

    #[error(
        "the package at `{place}` lies in the git submodule `{submodule}` of {version}, whose files are in another \
         repository; run the command inside the submodule"
    )]
    PackageInSubmodule { place: Utf8PathBuf, submodule: Utf8PathBuf, version: String },

    #[error(
        "in {version}, `{manifest}` needs `{dependency}`, which lies in the git submodule `{submodule}`; versions with \
         path dependencies in submodules cannot be laid out yet: give a directory that holds the old version complete \
         by `--baseline-root DIR`"
    )]
    DependencyInSubmodule {
        version: String,
        manifest: Utf8PathBuf,
        dependency: Utf8PathBuf,
        submodule: Utf8PathBuf,
    },

    #[error(
        "in {version}, `{manifest}` depends on `{dependency}`, which lies outside the repository and so belongs to no \
         version of it; move it into the repository or depend on a published version"
    )]
    DependencyOutside { version: String, manifest: Utf8PathBuf, dependency: String },

    #[error(
        "the cargo workspace of the package has its root at `{workspace_root}`, outside the repository at \
         `{repository}`, so a commit does not hold the whole of it; run the command in the repository that holds the \
         workspace root"
    )]
    WorkspaceOutside { workspace_root: Utf8PathBuf, repository: Utf8PathBuf },

    #[error("{version} needs the path `{path}`, which is not valid UTF-8; rename it")]
    NonUtf8Path { version: String, path: String },

    #[error("the path `{path}` is not valid UTF-8; run the command in a directory whose path is")]
    NonUtf8Location { path: String },

    #[error("{version} holds the path `{path}`, which would be written outside its own directory")]
    UnsafePath { version: String, path: String },

    #[error(
        "`{good}` is not an ancestor of `{bad}`, so no commit in between is the first bad one; `{good}...{bad}` begins at their merge base"
    )]
    NotAnAncestor { good: String, bad: String },

    #[error("`{good}` and `{bad}` are the same commit, so there is nothing to search")]
    NothingBetween { good: String, bad: String },

    #[error("`{path}`, given by `--baseline-root`, is not a directory that can be read")]
    BaselineRoot { path: Utf8PathBuf },

    #[error("files of the working tree kept changing while they were read (last: `{path}`); try again")]
    Moving { path: Utf8PathBuf },

    #[error(
        "cannot make `{path}`, which would hold what is built and compared: {source}; `--target-dir DIR` names another folder"
    )]
    TargetDirectory { path: Utf8PathBuf, source: std::io::Error },

    #[error("cannot {action} `{path}`: {source}")]
    Io { action: &'static str, path: Utf8PathBuf, source: std::io::Error },
}

/// Where one version alone is looked at, it stands for both.
fn neither_has(old: &str, new: &str) -> String {
    if old == new { format!("{new} does not have") } else { format!("neither {old} nor {new} has") }
}

impl VersionsError {
    /// For `map_err` on file operations.
    pub(super) fn io(
        action: &'static str,
        path: &(impl AsRef<str> + ?Sized),
    ) -> impl FnOnce(std::io::Error) -> VersionsError {
        move |source| VersionsError::Io { action, path: Utf8PathBuf::from(path.as_ref()), source }
    }
}
