//! What a unit takes from files that are no Rust source: native libraries, crates that cargo did not build, and what build scripts wrote.
//!
//! No body says what is in them, so the contents are put on record, as digests. Of native code the sections count that are loaded,
//! and how they are bound together: not when an archive was made, what its members are called, or what debuggers are told.
//!
//! *Limits.* Only files in the tree and in the build directory are looked at: what the system has is the same for both versions. A library that
//! cannot be taken apart is known by its bytes. A path within the tree that is built into a library (`__FILE__`) may make it another.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use git2::{ObjectType, Oid};
use mir_frontend::rustc::settings::Settings;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind, SymbolSection};
use serde::{Deserialize, Serialize};

use super::elsewhere::{Elsewhere, KnownPlaces, elsewhere, files_read};
use super::record::RecordedUnit;

/// Digests of contents by the names of files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// Of native libraries that the unit may link, which lie in the tree or in the build directory, and of compiled crates that it may
    /// use without cargo having built them.
    pub libraries: BTreeMap<String, String>,
    /// Of what its build script wrote to `OUT_DIR`, libraries apart.
    pub generated: BTreeMap<String, String>,
    /// Whether something that it wrote there holds for this build alone: it names a folder of it, or its contents are not on record.
    #[serde(default)]
    pub is_of_this_build: bool,
    pub elsewhere: Elsewhere,
}

const LIBRARIES: &[&str] = &["a", "lib", "so", "dylib", "dll", "o", "obj", "rlib", "rmeta", "bc"];
/// The extension of what `rustc --emit=llvm-ir` writes.
const LLVM_TEXT: &str = "ll";

/// What a unit takes, of a build of the tree in the target directory. Their paths do not count.
pub fn brought(recorded: &RecordedUnit, known: KnownPlaces<'_>) -> Brought {
    let KnownPlaces { root, target_dir, .. } = known;
    let settings = Settings::of(&recorded.arguments);
    let own = |path: &Utf8Path| path.starts_with(root) || path.starts_with(target_dir);
    let mut brought = Brought { elsewhere: elsewhere(recorded, known), ..Brought::default() };
    // What cargo built is known by the calls that built it.
    let prebuilt = |path: &Utf8Path| !path.starts_with(target_dir);
    let in_directory = |path: &String| recorded.directory.join(path);
    let crate_folders = settings.crate_folders.iter().map(in_directory).filter(|folder| prebuilt(folder));
    for folder in settings.native_folders.iter().map(in_directory).chain(crate_folders) {
        if own(&folder) {
            for file in files_in(&folder).into_iter().filter(|file| is_library(file)) {
                let name = file.file_name().unwrap_or_default().to_owned();
                brought.libraries.insert(name, digest_of_library(&file, root));
            }
        }
    }
    for file in settings.crate_files.iter().map(in_directory).filter(|file| prebuilt(file)) {
        brought
            .libraries
            .insert(file.file_name().unwrap_or_default().to_owned(), digest_of_library(&file, root));
    }
    for part in settings.linked.iter().flat_map(|option| option.split(['=', ',', ' '])) {
        let file = recorded.directory.join(part);
        if own(&file) && file.is_file() {
            let name = file.file_name().unwrap_or_default().to_owned();
            brought.libraries.insert(name, digest_of_library(&file, root));
        }
    }
    if let Some(out_dir) = recorded.environment.set.get("OUT_DIR") {
        let out_dir = Utf8Path::new(out_dir);
        let read = files_read(recorded);
        // What a build script had the compiler try leaves such files, at times with another name each time (autocfg 1.4).
        let is_left_over = |file: &Utf8Path| {
            file.extension() == Some(LLVM_TEXT) && !read.is_empty() && !read.iter().any(|path| path == file)
        };
        let mut folders = vec![out_dir.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path().to_owned()),
                    _ if is_library(entry.path()) || is_left_over(entry.path()) => {
                        brought.is_of_this_build = true;
                    }
                    _ => {
                        let name = entry.path().strip_prefix(out_dir).unwrap_or(entry.path());
                        let bytes = fs::read(entry.path()).unwrap_or_default();
                        let hidden = with_path_hidden(&bytes, target_dir.as_str().as_bytes());
                        let hidden = with_path_hidden(&hidden, root.as_str().as_bytes());
                        brought.is_of_this_build |= hidden != bytes;
                        brought.generated.insert(name.to_string(), digest(&hidden));
                    }
                }
            }
        }
    }
    brought
}

fn files_in(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_owned()).filter(|path| path.is_file()).collect()
}

/// `libx.so.1` is one as well.
fn is_library(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.split('.').skip(1).any(|part| LIBRARIES.contains(&part))
}

fn digest(bytes: &[u8]) -> String {
    // Without memory nothing is the same.
    Oid::hash_object(ObjectType::Blob, bytes)
        .map_or_else(|error| format!("{error} {:p}", bytes), |id| id.to_string())
}

fn digest_of_library(path: &Utf8Path, root: &Utf8Path) -> String {
    match fs::read(path) {
        Ok(bytes) => digest_of_native(&bytes, root.as_str()),
        Err(error) => format!("{path}: {error}"),
    }
}

/// The digest of an archive or an object file, in which the path of the tree does not count.
fn digest_of_native(bytes: &[u8], root: &str) -> String {
    let members = match ArchiveFile::parse(bytes) {
        Ok(archive) => archive
            .members()
            .map(|member| {
                member.and_then(|member| member.data(bytes)).ok().map(|data| digest_of_object(data, root))
            })
            .collect::<Option<Vec<String>>>(),
        Err(_) => Some(vec![digest_of_object(bytes, root)]),
    };
    match members {
        // Which of two members with one symbol is taken depends on their order.
        Some(members) if !members.is_empty() => digest(members.join("\n").as_bytes()),
        _ => digest(bytes),
    }
}

fn digest_of_object(bytes: &[u8], root: &str) -> String {
    described(bytes, root).map_or_else(|| digest(bytes), |description| digest(&description))
}

/// All of an object file that bears on what runs; none if it cannot be taken apart.
fn described(bytes: &[u8], root: &str) -> Option<Vec<u8>> {
    let file = object::File::parse(bytes).ok()?;
    let mut description =
        format!("{:?} {:?} {:?}\n", file.format(), file.architecture(), file.flags()).into_bytes();
    for section in file.sections() {
        let name = section.name().ok()?;
        if !is_loaded(section.kind(), name) {
            continue;
        }
        let size = section.size();
        description
            .extend(format!("section {name} {size} {} {:?}\n", section.align(), section.flags()).bytes());
        let data = section.uncompressed_data().ok()?;
        description.extend(with_path_hidden(&data, root.as_bytes()));
        for (offset, relocation) in section.relocations() {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let symbol = file.symbol_by_index(index).ok()?;
                    name_of(&file, &symbol)?
                }
                other => format!("{other:?}"),
            };
            let kind = (relocation.kind(), relocation.encoding(), relocation.size(), relocation.flags());
            description.extend(format!("\n{offset} {kind:?} {target} {}", relocation.addend()).bytes());
        }
        description.push(b'\n');
    }
    let mut symbols = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() != SymbolKind::File) {
        let name = name_of(&file, &symbol)?;
        // Symbols of sections that are not loaded come and go with debug information.
        if let SymbolSection::Section(index) = symbol.section()
            && let Ok(section) = file.section_by_index(index)
            && !is_loaded(section.kind(), section.name().unwrap_or_default())
        {
            continue;
        }
        let (address, size) = (symbol.address(), symbol.size());
        symbols.push(format!("{name} {address} {size} {:?} {:?}", symbol.kind(), symbol.scope()));
    }
    symbols.sort();
    description.extend(symbols.join("\n").bytes());
    Some(description)
}

/// The symbol's name; of one without name that of its section.
fn name_of<'d>(file: &object::File<'d>, symbol: &impl ObjectSymbol<'d>) -> Option<String> {
    let name = symbol.name().ok()?;
    let section = match symbol.section() {
        SymbolSection::Section(index) => file.section_by_index(index).ok()?.name().ok()?.to_owned(),
        other => format!("{other:?}"),
    };
    Some(format!("{name} in {section} at {}", symbol.address()))
}

fn is_loaded(kind: SectionKind, name: &str) -> bool {
    let is_metadata = matches!(kind, SectionKind::Metadata | SectionKind::Linker | SectionKind::Note);
    // `.comment` says which compiler it was.
    let is_told = [
        ".comment",
        ".debug",
        "__DWARF",
        ".note",
        ".llvm_addrsig",
        ".rela",
        ".rel.",
        ".symtab",
        ".strtab",
        ".shstrtab",
    ];
    !matches!(kind, SectionKind::Debug | SectionKind::DebugString)
        && !is_metadata
        && !is_told.iter().any(|start| name.starts_with(start))
}

/// The same text with other bytes where the path stands.
fn with_path_hidden(data: &[u8], path: &[u8]) -> Vec<u8> {
    let mut hidden = Vec::with_capacity(data.len());
    let mut rest = data;
    while !rest.is_empty() {
        if !path.is_empty() && rest.starts_with(path) {
            hidden.push(0xff);
            rest = &rest[path.len()..];
        } else {
            hidden.push(rest[0]);
            rest = &rest[1..];
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_library() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_library(Utf8Path::new(name)), expected, "{name}");
        check("libx.a", true);
        check("/t/libx.so.1.2", true);
        check("x.lib", true);
        check("table.rs", false);
        check("a", false);
    }

    #[test]
    fn paths_of_the_tree_do_not_count() {
        let digests = ["/trees/1", "/trees/2"]
            .map(|root| digest(&with_path_hidden(format!("x {root}/src/a.c y").as_bytes(), root.as_bytes())));
        assert_eq!(digests[0], digests[1]);
        assert_ne!(digests[0], digest(b"x /trees/1/src/a.c y"));
    }

    #[test]
    fn what_is_no_object_is_known_by_its_bytes() {
        assert_eq!(digest_of_native(b"text", "/"), digest_of_native(b"text", "/"));
        assert_ne!(digest_of_native(b"text", "/"), digest_of_native(b"texts", "/"));
    }
}
