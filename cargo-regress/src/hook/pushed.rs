//! Which commits a push would publish, and with what each is compared.
//!
//! Git tells a pre-push hook one line per reference: `<local ref> <local id> <remote ref> <remote id>`, where an id of zeros
//! stands for nothing. What the remote has is the old version: the commit that its branch is at, if the pushed one follows
//! from it; else, for new and rewritten branches, the merge base with a branch of the remote that leaves the fewest commits.

use std::collections::BTreeSet;

use git2::{BranchType, Oid, Repository};

/// One reference that is pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// What it is called there.
    pub name: String,
    /// What it will be at; none if it is deleted.
    pub tip: Option<String>,
    /// What it is at there, as far as anyone knows; none if there is no such reference yet.
    pub remote: Option<String>,
}

/// What there is to do for a reference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    Compare {
        base: Oid,
        tip: Oid,
    },
    /// Nothing, for this reason.
    Nothing(String),
}

/// Reads the lines that git writes.
pub fn read_lines(text: &str) -> anyhow::Result<Vec<Update>> {
    text.lines().filter(|line| !line.trim().is_empty()).map(read_line).collect()
}

fn read_line(line: &str) -> anyhow::Result<Update> {
    let words: Vec<&str> = line.split(' ').collect();
    let [_, tip, name, remote] = words.as_slice() else {
        anyhow::bail!(
            "`{line}` is not a line of git's pre-push protocol: `<local ref> <local id> <remote ref> <remote id>`"
        );
    };
    let id = |text: &str| -> anyhow::Result<Option<String>> {
        let is_id = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        anyhow::ensure!(is_id, "`{text}` in `{line}` is not the id of a commit");
        Ok(given(text))
    };
    Ok(Update { name: (*name).to_owned(), tip: id(tip)?, remote: id(remote)? })
}

/// What pre-commit exports in place of the lines. None if it was not it that started the hook.
pub fn of_pre_commit(variable: impl Fn(&str) -> Option<String>) -> Option<Update> {
    let (from, to) = (variable("PRE_COMMIT_FROM_REF")?, variable("PRE_COMMIT_TO_REF")?);
    let name = variable("PRE_COMMIT_REMOTE_BRANCH").unwrap_or_else(|| "the pushed commits".to_owned());
    Some(Update { name, tip: given(&to), remote: given(&from) })
}

/// None for zeros.
fn given(id: &str) -> Option<String> {
    (!id.bytes().all(|byte| byte == b'0')).then(|| id.to_owned())
}

/// What to do for each reference; what is the same for several is done once.
pub fn plans(
    repository: &Repository,
    updates: &[Update],
    remote: Option<&str>,
) -> anyhow::Result<Vec<(String, Plan)>> {
    let mut known = BTreeSet::new();
    let mut plans = Vec::new();
    for update in updates {
        let plan = plan(repository, update, remote)?;
        if known.insert(plan.clone()) {
            plans.push((update.name.clone(), plan));
        }
    }
    Ok(plans)
}

fn plan(repository: &Repository, update: &Update, remote: Option<&str>) -> anyhow::Result<Plan> {
    let nothing = |reason: &str| Ok(Plan::Nothing(reason.to_owned()));
    let Some(tip) = &update.tip else { return nothing("it is deleted") };
    // Tags may name anything.
    let Some(tip) = commit(repository, tip) else { return nothing("it is not a commit") };
    let there = update.remote.as_deref().and_then(|id| commit(repository, id));
    let base = match there {
        Some(there) if there == tip || repository.graph_descendant_of(tip, there)? => Some(there),
        there => nearest(repository, tip, &remote_tips(repository, remote, there)?)?,
    };
    match base {
        Some(base) if base == tip => nothing("the remote has its commits already"),
        Some(base) if tree(repository, base)? == tree(repository, tip)? => {
            nothing("it has the same files as what the remote has")
        }
        Some(base) => Ok(Plan::Compare { base, tip }),
        None => nothing("the remote has nothing that it comes from, as far as this clone knows"),
    }
}

fn commit(repository: &Repository, id: &str) -> Option<Oid> {
    let object = repository.revparse_single(id).ok()?;
    object.peel_to_commit().ok().map(|commit| commit.id())
}

fn tree(repository: &Repository, id: Oid) -> Result<Oid, git2::Error> {
    Ok(repository.find_commit(id)?.tree_id())
}

/// Where the branches of the remote are, or those of all remotes if none of this one's is known.
fn remote_tips(
    repository: &Repository,
    remote: Option<&str>,
    there: Option<Oid>,
) -> Result<BTreeSet<Oid>, git2::Error> {
    let mut of_remote: BTreeSet<Oid> = there.into_iter().collect();
    let mut of_all = BTreeSet::new();
    for branch in repository.branches(Some(BranchType::Remote))? {
        let (branch, _) = branch?;
        let Ok(tip) = branch.get().peel_to_commit() else { continue };
        let name = branch.name_bytes()?;
        let belongs =
            |remote: &str| name.strip_prefix(remote.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"));
        if remote.is_some_and(belongs) {
            of_remote.insert(tip.id());
        }
        of_all.insert(tip.id());
    }
    Ok(if of_remote.is_empty() { of_all } else { of_remote })
}

/// The merge base that leaves the fewest commits to compare.
fn nearest(repository: &Repository, tip: Oid, tips: &BTreeSet<Oid>) -> Result<Option<Oid>, git2::Error> {
    let mut best: Option<(usize, Oid)> = None;
    for other in tips {
        // Histories with nothing in common have none.
        let Ok(base) = repository.merge_base(tip, *other) else { continue };
        let (ahead, _) = repository.graph_ahead_behind(tip, base)?;
        if best.is_none_or(|(least, _)| ahead < least) {
            best = Some((ahead, base));
        }
    }
    Ok(best.map(|(_, base)| base))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZEROS: &str = "0000000000000000000000000000000000000000";

    struct Scratch {
        _home: tempfile::TempDir,
        repository: Repository,
    }

    impl Scratch {
        fn new() -> Scratch {
            let home = tempfile::TempDir::new().expect("a temporary directory");
            let repository = Repository::init(home.path()).expect("a repository");
            Scratch { _home: home, repository }
        }

        /// A commit that has this text, on top of others.
        fn commit(&self, text: &str, parents: &[Oid]) -> Oid {
            let git = &self.repository;
            let mut tree = git.treebuilder(None).expect("a tree");
            let blob = git.blob(text.as_bytes()).expect("a blob");
            tree.insert("text", blob, 0o100644).expect("insertable");
            let tree = git.find_tree(tree.write().expect("writable")).expect("written");
            let author = git2::Signature::now("A", "a@example.org").expect("valid");
            let parents: Vec<_> = parents.iter().map(|id| git.find_commit(*id).expect("there")).collect();
            let parents: Vec<_> = parents.iter().collect();
            git.commit(None, &author, &author, text, &tree, &parents).expect("committable")
        }

        fn remote_branch(&self, name: &str, at: Oid) {
            self.repository.reference(&format!("refs/remotes/{name}"), at, true, "").expect("settable");
        }

        #[track_caller]
        fn check(&self, tip: Option<Oid>, remote: Option<Oid>, expected: Result<Oid, &str>) {
            let id = |oid: Option<Oid>| oid.map_or(ZEROS.to_owned(), |oid| oid.to_string());
            let line = format!("refs/heads/x {} refs/heads/x {}", id(tip), id(remote));
            let updates = read_lines(&line).expect("readable");
            let plans = plans(&self.repository, &updates, Some("origin")).expect("planned");
            match (&plans[0].1, expected) {
                (Plan::Compare { base, tip: new }, Ok(expected)) => {
                    assert_eq!((*base, Some(*new)), (expected, tip));
                }
                (Plan::Nothing(reason), Err(words)) => assert!(reason.contains(words), "{reason}"),
                (plan, _) => panic!("{plan:?}"),
            }
        }
    }

    #[test]
    fn what_follows_is_compared_with_what_is_there() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let two = git.commit("2", &[one]);
        let three = git.commit("3", &[two]);
        git.check(Some(three), Some(one), Ok(one));
        git.check(Some(three), Some(three), Err("already"));
        // What another branch has already is new to this one.
        git.remote_branch("origin/main", two);
        git.check(Some(three), Some(one), Ok(one));
        let same = git.commit("3", &[three]);
        git.check(Some(same), Some(three), Err("same files"));
    }

    #[test]
    fn deletions_are_passed_over() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        git.check(None, Some(one), Err("deleted"));
        let line = format!("(delete) {ZEROS} refs/heads/x {one}");
        assert_eq!(read_lines(&line).expect("readable")[0].tip, None);
    }

    #[test]
    fn a_new_branch_is_compared_with_where_it_left_the_nearest_one() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let two = git.commit("2", &[one]);
        let main = git.commit("main", &[two]);
        let release = git.commit("release", &[one]);
        let new = git.commit("new", &[two]);
        git.check(Some(new), None, Err("nothing that it comes from"));
        git.remote_branch("origin/release", release);
        git.check(Some(new), None, Ok(one));
        git.remote_branch("origin/main", main);
        git.check(Some(new), None, Ok(two));
        // What is there of another remote is not on this one.
        git.remote_branch("fork/new", new);
        git.check(Some(new), None, Ok(two));
        git.remote_branch("origin/copy", new);
        git.check(Some(new), None, Err("already"));
    }

    #[test]
    fn a_rewritten_branch_is_compared_with_what_both_have() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let before = git.commit("before", &[one]);
        let after = git.commit("after", &[one]);
        git.check(Some(after), Some(before), Ok(one));
        // What is there now may not be in this clone.
        let unknown = Oid::from_str("1234567890123456789012345678901234567890").expect("an id");
        git.check(Some(after), Some(unknown), Err("nothing that it comes from"));
        git.remote_branch("origin/main", one);
        git.check(Some(after), Some(unknown), Ok(one));
    }

    #[test]
    fn unrelated_histories_have_no_base() {
        let git = Scratch::new();
        let (one, other) = (git.commit("1", &[]), git.commit("other", &[]));
        git.remote_branch("origin/main", other);
        git.check(Some(one), None, Err("nothing that it comes from"));
    }

    #[test]
    fn what_is_the_same_for_several_references_is_done_once() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let two = git.commit("2", &[one]);
        let line = |name: &str| format!("refs/{name} {two} refs/{name} {one}\n");
        let updates = read_lines(&(line("heads/a") + &line("tags/b"))).expect("readable");
        let plans = plans(&git.repository, &updates, None).expect("planned");
        assert_eq!(plans, [("refs/heads/a".to_owned(), Plan::Compare { base: one, tip: two })]);
    }

    #[test]
    fn other_lines_are_refused() {
        for line in ["refs/heads/x abc refs/heads/x def", "nothing", &format!("a {ZEROS} b {ZEROS} c")] {
            assert!(read_lines(line).is_err(), "{line}");
        }
        assert_eq!(read_lines("\n").expect("nothing is pushed"), []);
    }

    #[test]
    fn pre_commit_names_both_ends() {
        let of = |from: &'static str, to: &'static str| {
            of_pre_commit(move |name| match name {
                "PRE_COMMIT_FROM_REF" => Some(from.to_owned()),
                "PRE_COMMIT_TO_REF" => Some(to.to_owned()),
                _ => None,
            })
        };
        let update = of("abc", "HEAD").expect("both are given");
        assert_eq!((update.remote.as_deref(), update.tip.as_deref()), (Some("abc"), Some("HEAD")));
        assert_eq!(of(ZEROS, "HEAD").expect("both are given").remote, None);
        assert_eq!(of_pre_commit(|_| None), None);
    }
}
