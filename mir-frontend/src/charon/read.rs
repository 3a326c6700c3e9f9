//! From bytes to [`Document`]: one pass over the text, types entered as they come.

use serde::de::Deserialize;

use super::error::CharonError;
use super::hashcons::with_tables;
use super::names::{crate_of, is_std};
use super::schema::{Body, Crate, FileName};
use super::shapes::record;
use super::version::{Known, known};

/// Deeper nesting than in any file that was seen (60), and few enough levels for [`STACK`].
const DEEPEST: usize = 400;
/// Frames of a reader are large where nothing is optimised.
const STACK: usize = 256 << 20;

/// One of Charon's files.
#[derive(Clone, Debug)]
pub struct Document {
    pub version: String,
    /// Charon lost something on the way: items may be missing.
    pub has_errors: bool,
    pub(super) krate: Crate,
}

impl Document {
    pub fn krate_name(&self) -> &str {
        &self.krate.crate_name
    }

    /// Crates that the crate names, itself and the standard library left out.
    pub fn foreign_crates(&self) -> impl Iterator<Item = &str> {
        let names = self.krate.item_names.iter().map(|item| item.value.as_slice());
        let own = self.krate_name();
        names.filter(|name| !is_std(name)).map(crate_of).filter(move |name| !name.is_empty() && *name != own)
    }

    /// The source files that are contained, with their names.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.krate.files.iter().filter_map(|file| match (&file.name, &file.contents) {
            (FileName::Local(name), Some(text)) => Some((name.as_str(), text.as_str())),
            _ => None,
        })
    }
}

record! {
    pub struct Top {
        charon_version: String,
        translated: Crate,
        has_errors: bool = false,
    }
}

/// Reads a file that `charon --ullbc` wrote.
pub fn read(bytes: &[u8]) -> Result<Document, CharonError> {
    let text = match bytes.iter().position(|byte| !byte.is_ascii_whitespace()) {
        None => return Err(CharonError::Empty),
        Some(start) => &bytes[start..],
    };
    if text[0] != b'{' {
        return Err(CharonError::NotJson(format!("it begins with byte {:#04x}", text[0])));
    }
    if nesting(text) > DEEPEST {
        return Err(CharonError::TooDeep(DEEPEST));
    }
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || parse(text));
        match reader {
            Ok(reader) => reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(CharonError::NoThread(error)),
        }
    })
}

fn parse(text: &[u8]) -> Result<Document, CharonError> {
    let top = with_tables(|| {
        let mut reader = serde_json::Deserializer::from_slice(text);
        reader.disable_recursion_limit();
        let top = Top::deserialize(&mut reader)?;
        reader.end()?;
        Ok(top)
    });
    let top = top.map_err(|error: serde_json::Error| why(text, &error))?;
    if top.translated.target_information.len() > 1 {
        let count = format!("{} of them", top.translated.target_information.len());
        return Err(CharonError::SeveralTargets(count));
    }
    if let Some(target) = top.translated.target_information.first()
        && target.0.target_pointer_size != 8
    {
        return Err(CharonError::OtherPointers(target.0.target_pointer_size));
    }
    let mut bodies = top.translated.fun_decls.iter().flatten().map(|function| &function.body);
    if bodies.any(|body| matches!(body, Body::Structured(_))) {
        return Err(CharonError::Structured);
    }
    Ok(Document { version: top.charon_version, has_errors: top.has_errors, krate: top.translated })
}

/// What a failure to parse comes from.
fn why(text: &[u8], error: &serde_json::Error) -> CharonError {
    match error.classify() {
        serde_json::error::Category::Eof => return CharonError::Truncated(error.to_string()),
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => {
            return CharonError::NotJson(error.to_string());
        }
        serde_json::error::Category::Data => {}
    }
    match stated_version(text) {
        None => CharonError::NotCharon,
        Some(version) => match known(&version) {
            Known::Supported => CharonError::Malformed { version, detail: error.to_string() },
            Known::Untried => CharonError::OtherVersion { version, detail: error.to_string() },
        },
    }
}

/// The version, which stands first in what Charon writes.
fn stated_version(text: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
    let (_, after) = head.split_once("\"charon_version\"")?;
    let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    Some(value.split('"').next()?.to_owned())
}

/// How deep brackets are nested, texts left out.
fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'\\' => {
                            bytes.next();
                        }
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
