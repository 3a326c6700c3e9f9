//! Why a file of Charon's cannot be read at all. What is wrong with one function only is that function's reason.

use super::version::{NEWEST, OLDEST};

#[derive(Debug, thiserror::Error)]
pub enum CharonError {
    #[error("the file is empty; Charon writes its output there when it is done")]
    Empty,
    #[error("the file ends in the middle ({0}); Charon was interrupted or the copy is not complete")]
    Truncated(String),
    #[error("this is not JSON ({0}); `charon --format json` writes what is read here")]
    NotJson(String),
    #[error("this is JSON, but not Charon's: it has no `charon_version`")]
    NotCharon,
    #[error(
        "written by Charon {version}, and this program reads {OLDEST} to {NEWEST}: {detail}; what one of these \
         versions writes can be read, and stock rustc does without Charon (`--frontend rustc`)"
    )]
    OtherVersion { version: String, detail: String },
    #[error("not as Charon {version} writes it: {detail}")]
    Malformed { version: String, detail: String },
    #[error("values in it are nested more than {0} levels deep")]
    TooDeep(usize),
    #[error(
        "it has structured bodies (LLBC) only; `charon --ullbc` writes the control-flow graphs that are read here"
    )]
    Structured,
    #[error("it holds several targets ({0}); one run of Charon for one target writes what is read here")]
    SeveralTargets(String),
    #[error("it is for a target with pointers of {0} bytes, and this program knows those of 8 only")]
    OtherPointers(u64),
    #[error("no thread with enough stack could be started: {0}")]
    NoThread(std::io::Error),
}
