//! A crate that is linked once, before the crates that use it: the models of the standard library.
//!
//! They are the same for both versions and for every run with one toolchain, and far larger than most crates that are
//! compared. So they are linked by themselves, kept as bytes, and put below each program; of their bodies only those
//! that somebody looks at are decoded.
//!
//! *Format.* [`MAGIC`], a checksum of the rest, the length of the head, the head ([`Head`] in postcard's encoding), the bodies.

use std::ops::Range;
use std::sync::Arc;

use regress_core::ir::{Body, FnBody, Program, SharedBody};
use serde::{Deserialize, Serialize};

use super::expanded::declare;
use super::link::link_onto;
use super::scope::Names;
use super::{CrateDump, FrontendError};

const MAGIC: &[u8; 8] = b"regrlib2";

/// What [`super::build_program_on`] puts below the crates that it is given.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub(super) names: Names,
    pub(super) program: Program,
}

/// Everything but the bodies.
#[derive(Serialize, Deserialize)]
struct Head {
    names: Names,
    /// Bodies that are present are left out.
    program: Program,
    /// Where among the bodies that of each function lies, if it is present.
    bodies: Vec<Option<Range<u64>>>,
}

/// Why bytes are no library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    #[error("it is no such file, or one of another version")]
    Magic,
    #[error("it is damaged: its checksum is another")]
    Checksum,
    #[error("it cannot be decoded: {0}")]
    Encoding(#[from] postcard::Error),
}

impl Library {
    /// Links crates that need no others.
    pub fn link(dumps: &[CrateDump<'_>]) -> Result<Library, FrontendError> {
        link_onto(&Library::default(), dumps)
    }

    /// The library with crates that use it, and that others use in turn, and what they declare.
    pub fn with(&self, dumps: &[CrateDump<'_>]) -> Result<Library, FrontendError> {
        let mut library = link_onto(self, dumps)?;
        // They are the same wherever they are read, whatever they declare that the compiler does not show.
        let shown = dumps.iter().filter(|dump| dump.declarations.is_some());
        let shown: Vec<_> = shown.map(CrateDump::declares).collect();
        declare(&mut library.program, &self.program, &shown);
        Ok(library)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// As [`Library::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, LibraryError> {
        let mut program = self.program.clone();
        let (mut ranges, mut bodies) = (Vec::new(), Vec::new());
        for function in program.functions.iter_mut() {
            let FnBody::Present(body) = &function.body else {
                ranges.push(None);
                continue;
            };
            let start = bodies.len() as u64;
            bodies = postcard::to_extend(&**body, bodies)?;
            ranges.push(Some(start..bodies.len() as u64));
            function.body = FnBody::Missing;
        }
        let head = postcard::to_stdvec(&Head { names: self.names.clone(), program, bodies: ranges })?;
        let mut rest = (head.len() as u64).to_le_bytes().to_vec();
        rest.extend(head);
        rest.extend(bodies);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(crc32fast::hash(&rest).to_le_bytes());
        bytes.extend(rest);
        Ok(bytes)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Library, LibraryError> {
        let bytes: Arc<[u8]> = bytes.into();
        let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(LibraryError::Magic)?;
        if magic != MAGIC {
            return Err(LibraryError::Magic);
        }
        let (checksum, rest) = rest.split_first_chunk::<4>().ok_or(LibraryError::Checksum)?;
        if u32::from_le_bytes(*checksum) != crc32fast::hash(rest) {
            return Err(LibraryError::Checksum);
        }
        // What has this checksum was written above.
        let (length, rest) = rest.split_first_chunk::<8>().ok_or(LibraryError::Checksum)?;
        let length = u64::from_le_bytes(*length) as usize;
        let head = rest.get(..length).ok_or(LibraryError::Checksum)?;
        let Head { names, mut program, bodies } = postcard::from_bytes(head)?;
        let first = bytes.len() - rest.len() + length;
        for (function, range) in program.functions.iter_mut().zip(bodies) {
            let Some(range) = range else { continue };
            let range = first + range.start as usize..first + range.end as usize;
            if range.end > bytes.len() {
                return Err(LibraryError::Checksum);
            }
            let bytes = Arc::clone(&bytes);
            function.body = FnBody::Present(SharedBody::lazy(move || decoded(&bytes[range])));
        }
        program.build_index();
        Ok(Library { names, program })
    }
}

fn decoded(bytes: &[u8]) -> Body {
    postcard::from_bytes(bytes).expect("the checksum was right, so these bytes were written from a body")
}
