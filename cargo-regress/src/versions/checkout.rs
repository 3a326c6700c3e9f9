//! What a checkout makes of the contents of a commit: `.gitattributes` and the configuration may ask for other ends of lines, for expanded
//! `$Id$`, for filters and other encodings. `include_str!` and `include_bytes!` see what a checkout holds, so the trees hold that as well.
//!
//! Attributes are decided by libgit2, in a repository of our own with the commit's `.gitattributes` in its working tree. Rules of conversion: gitattributes(5),
//! "end-of-line conversion", and `convert.c` of git.
//!
//! Limits: what a filter or an encoding makes of a file is not known here. The file is left out, with a note: a version that needs it does not compile.

use std::fs;
use std::path::Path;

use camino::Utf8PathBuf;
use git2::{AttrCheckFlags, AttrValue, Oid, Repository};

use super::VersionsError;
use super::listing::{Listing, Mode, Source, read};

const ATTRIBUTES: &str = ".gitattributes";

/// Which ends of lines a file gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    AsStored,
    Crlf,
    /// If the content looks like text with plain ends of lines.
    CrlfIfText,
}

/// Gives the files of commits the contents that a checkout would give them; the paths that were left out, with the reason.
pub fn convert(
    repository: &Repository,
    listing: &mut Listing,
) -> Result<Vec<(Utf8PathBuf, String)>, VersionsError> {
    let path = || Utf8PathBuf::from(ATTRIBUTES);
    let failed = |source| VersionsError::Status { path: path(), source };
    let config = Configuration::read(repository).map_err(failed)?;
    let own = fs::read(repository.path().join("info/attributes")).ok();
    let has_attributes = own.is_some()
        || config.has_attributes
        || listing.files.keys().any(|path| path.file_name() == Some(ATTRIBUTES));
    if !has_attributes && config.autocrlf != Some(Autocrlf::True) {
        return Ok(Vec::new());
    }
    let home = tempfile::tempdir().map_err(VersionsError::io("create a directory for", ATTRIBUTES))?;
    let scratch = Repository::init(home.path()).map_err(failed)?;
    for (path, entry) in listing.files.iter().filter(|(path, _)| path.file_name() == Some(ATTRIBUTES)) {
        let place = home.path().join(path);
        put(&place, &read(Some(repository), entry, path)?).map_err(VersionsError::io("write", path))?;
    }
    if let Some(own) = own {
        put(&home.path().join(".git/info/attributes"), &own).map_err(VersionsError::io("write", &path()))?;
    }
    let mut left_out = Vec::new();
    for (path, entry) in &mut listing.files {
        let (Source::Blob(id), Mode::Regular | Mode::Executable) = (&entry.source, entry.mode) else {
            continue;
        };
        let attribute = |name: &str| -> Result<Attribute, VersionsError> {
            let value = scratch.get_attr_bytes(path.as_std_path(), name, AttrCheckFlags::default());
            Ok(Attribute::of(AttrValue::from_bytes(value.map_err(failed)?)))
        };
        if let Attribute::Value(name) = attribute("filter")?
            && config.has_filter(repository, &name)
        {
            left_out.push((path.clone(), format!("git's filter `{name}` makes its content")));
            continue;
        }
        if let Attribute::Value(encoding) = attribute("working-tree-encoding")?
            && !encoding.eq_ignore_ascii_case("utf-8")
        {
            left_out.push((path.clone(), format!("a checkout has it in the encoding `{encoding}`")));
            continue;
        }
        let lines = lines(&attribute("text")?, &attribute("crlf")?, &attribute("eol")?, &config);
        let ident = attribute("ident")? == Attribute::Set;
        if lines == Lines::AsStored && !ident {
            continue;
        }
        let id = *id;
        let stored = read(Some(repository), entry, path)?;
        let named = if ident { with_ident(&stored, id) } else { stored.clone() };
        let converted = match lines {
            Lines::AsStored => named,
            Lines::CrlfIfText if !is_plain_text(&named) => named,
            Lines::Crlf | Lines::CrlfIfText => with_crlf(&named),
        };
        if converted != stored {
            entry.source = Source::Made(converted);
        }
    }
    for (path, _) in &left_out {
        listing.files.remove(path);
    }
    Ok(left_out)
}

fn put(place: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(place, content)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Attribute {
    Set,
    Unset,
    Value(String),
    Unspecified,
}

impl Attribute {
    fn of(value: AttrValue<'_>) -> Attribute {
        match value {
            AttrValue::True => Attribute::Set,
            AttrValue::False => Attribute::Unset,
            AttrValue::String(text) => Attribute::Value(text.to_owned()),
            AttrValue::Bytes(bytes) => Attribute::Value(String::from_utf8_lossy(bytes).into_owned()),
            AttrValue::Unspecified => Attribute::Unspecified,
        }
    }

    fn is(&self, wanted: &str) -> bool {
        matches!(self, Attribute::Value(value) if value == wanted)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Autocrlf {
    True,
    Input,
}

/// What the user's configuration says of ends of lines.
struct Configuration {
    autocrlf: Option<Autocrlf>,
    /// `core.eol=crlf`, or a system where that is the native end of a line.
    eol_is_crlf: bool,
    /// `core.attributesFile`, or one where git looks for it.
    has_attributes: bool,
}

impl Configuration {
    fn read(repository: &Repository) -> Result<Configuration, git2::Error> {
        let config = repository.config()?.snapshot()?;
        let text = |key: &str| config.get_string(key).ok();
        let autocrlf = match text("core.autocrlf").as_deref() {
            Some("input") => Some(Autocrlf::Input),
            Some(_) if config.get_bool("core.autocrlf").unwrap_or(false) => Some(Autocrlf::True),
            _ => None,
        };
        let eol_is_crlf = match text("core.eol").as_deref() {
            Some("crlf") => true,
            Some("lf") => false,
            _ => cfg!(windows),
        };
        // Where git looks without being told is a file that seldom is there: asking costs little.
        Ok(Configuration { autocrlf, eol_is_crlf, has_attributes: has_general_attributes(&text) })
    }

    fn has_filter(&self, repository: &Repository, name: &str) -> bool {
        let Ok(config) = repository.config().and_then(|mut config| config.snapshot()) else { return true };
        ["smudge", "process"].iter().any(|key| config.get_string(&format!("filter.{name}.{key}")).is_ok())
    }

    /// `text` without `eol`.
    fn text_is_crlf(&self) -> bool {
        match self.autocrlf {
            Some(Autocrlf::True) => true,
            Some(Autocrlf::Input) => false,
            None => self.eol_is_crlf,
        }
    }
}

fn has_general_attributes(text: &dyn Fn(&str) -> Option<String>) -> bool {
    let home = |name: &str| std::env::var_os(name).map(std::path::PathBuf::from);
    let config = home("XDG_CONFIG_HOME").or_else(|| home("HOME").map(|home| home.join(".config")));
    text("core.attributesFile").is_some()
        || config.is_some_and(|folder| folder.join("git/attributes").is_file())
        || Path::new("/etc/gitattributes").is_file()
}

fn lines(text: &Attribute, crlf: &Attribute, eol: &Attribute, config: &Configuration) -> Lines {
    // `crlf` is the older name of `text`.
    let text = if *text == Attribute::Unspecified { crlf } else { text };
    let is_auto = text.is("auto");
    let when = |is_crlf: bool| match (is_crlf, is_auto) {
        (false, _) => Lines::AsStored,
        (true, true) => Lines::CrlfIfText,
        (true, false) => Lines::Crlf,
    };
    if *text == Attribute::Unset || text.is("input") || eol.is("lf") {
        Lines::AsStored
    } else if eol.is("crlf") {
        when(true)
    } else if *text == Attribute::Set || is_auto {
        when(config.text_is_crlf())
    } else if config.autocrlf == Some(Autocrlf::True) {
        Lines::CrlfIfText
    } else {
        Lines::AsStored
    }
}

/// Whether git takes the content for text of which all lines end in `\n` alone.
fn is_plain_text(content: &[u8]) -> bool {
    let is_printable = |byte: &u8| match byte {
        0x08 | b'\t' | 0x0c | 0x1b | b'\n' => true,
        byte => *byte >= 0x20 && *byte != 0x7f,
    };
    // A trailing end-of-file character of DOS is no reason.
    let content = content.strip_suffix(&[0x1a]).unwrap_or(content);
    let printable = content.iter().filter(|byte| is_printable(byte) && **byte != b'\n').count();
    let strange = content.iter().filter(|byte| !is_printable(byte)).count();
    !content.contains(&b'\r') && !content.contains(&0) && printable >> 7 >= strange
}

fn with_crlf(content: &[u8]) -> Vec<u8> {
    let mut converted = Vec::with_capacity(content.len() + content.len() / 16);
    let mut before = 0;
    for byte in content {
        if *byte == b'\n' && before != b'\r' {
            converted.push(b'\r');
        }
        converted.push(*byte);
        before = *byte;
    }
    converted
}

/// `$Id$` and what stands there of an earlier checkout become the content's own id.
fn with_ident(content: &[u8], id: Oid) -> Vec<u8> {
    let mut converted = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.windows(3).position(|window| window == b"$Id") {
        let (before, from) = rest.split_at(at);
        converted.extend_from_slice(before);
        let behind = &from[3..];
        let end = match behind.first() {
            Some(b'$') => Some(0),
            Some(b':') => behind
                .iter()
                .position(|byte| *byte == b'$' || *byte == b'\n')
                .filter(|at| behind[*at] == b'$'),
            _ => None,
        };
        match end {
            Some(end) => {
                converted.extend_from_slice(format!("$Id: {id} $").as_bytes());
                rest = &behind[end + 1..];
            }
            None => {
                converted.extend_from_slice(b"$Id");
                rest = behind;
            }
        }
    }
    converted.extend_from_slice(rest);
    converted
}
