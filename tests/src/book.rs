//! The pages that people read (the book, README and its neighbours), taken apart by a parser of Markdown.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// One Markdown file.
#[derive(Clone, Debug)]
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// Code between fences.
#[derive(Clone, Debug)]
pub struct Fenced {
    /// What stands behind the first fence: `console`, `rust`, `text`, …
    pub language: String,
    pub code: String,
    /// Where the code lies in the page, without the fences.
    pub range: Range<usize>,
}

/// The root of the repository.
pub fn repository_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the workspace is there")
}

/// The folder with `book.toml`.
pub fn book_root() -> PathBuf {
    repository_root().join("docs/book")
}

/// All chapters, listed in `SUMMARY.md` or not, in the order of their names.
pub fn chapters() -> Vec<Page> {
    let folder = book_root().join("src");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.retain(|path| path.file_name().is_some_and(|name| name != "SUMMARY.md"));
    paths.iter().map(|path| Page::read(path)).collect()
}

impl Page {
    #[track_caller]
    pub fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Page { path: path.to_path_buf(), text }
    }

    /// A file of the repository, by its path from the root.
    #[track_caller]
    pub fn of_repository(path: &str) -> Page {
        Page::read(&repository_root().join(path))
    }

    /// The file's name without `.md`.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|name| name.to_str()).expect("pages have names")
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        Parser::new_ext(&self.text, options).into_offset_iter()
    }

    /// Where links and pictures of the page lead.
    pub fn links(&self) -> Vec<String> {
        let target = |(event, _)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.into_string())
            }
            _ => None,
        };
        self.events().filter_map(target).collect()
    }

    /// What can stand behind `#` in a link to this page: a name for each heading, as GitHub and mdBook make them.
    pub fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        let mut heading: Option<String> = None;
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let name = anchor(&heading.take().unwrap_or_default());
                    let numbered = (1..).map(|number| format!("{name}-{number}"));
                    let free = std::iter::once(name.clone()).chain(numbered).find(|n| !anchors.contains(n));
                    anchors.extend(free);
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        anchors
    }

    /// All code between fences, in order.
    pub fn fenced(&self) -> Vec<Fenced> {
        let mut blocks = Vec::new();
        let mut open: Option<Fenced> = None;
        for (event, range) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    let language = language.into_string();
                    open = Some(Fenced { language, code: String::new(), range: range.end..range.end });
                }
                Event::Text(text) => {
                    if let Some(block) = &mut open {
                        if block.code.is_empty() {
                            block.range = range.clone();
                        }
                        block.range.end = range.end;
                        block.code.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }

    /// What the page has done before its first command: the lines of its comment `<!-- setup: … -->`.
    pub fn setup(&self) -> Option<&str> {
        let (_, rest) = self.text.split_once("<!-- setup:")?;
        let (script, _) = rest.split_once("-->").expect("comments end");
        Some(script)
    }

    /// Files that the page takes in by `{{#include PATH}}`, a part of one without that part.
    pub fn included(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().expect("files lie in folders");
        let targets = self.text.split("{{#include ").skip(1);
        let targets = targets.map(|rest| rest.split("}}").next().unwrap_or_default());
        targets.map(|target| folder.join(target.split(':').next().unwrap_or_default().trim())).collect()
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page { path: PathBuf::from("page.md"), text: text.to_owned() }
    }

    #[test]
    fn links_are_those_of_the_text_and_not_of_code() {
        let page = page("[a](b.md#c), `[d](e)`, ![f](g.svg)\n\n```text\n[h](i)\n```\n\n[j]\n\n[j]: k.md\n");
        assert_eq!(page.links(), ["b.md#c", "g.svg", "k.md"]);
    }

    #[test]
    fn headings_are_named_as_where_they_are_shown() {
        let page = page("# In parts, on *several* machines\n\n## `a --b`\n\n## Limits\n\n## Limits\n");
        let names: Vec<String> = page.anchors().into_iter().collect();
        assert_eq!(names, ["a---b", "in-parts-on-several-machines", "limits", "limits-1"]);
    }

    #[test]
    fn a_block_lies_where_it_says() {
        let page = page("Text.\n\n```console\n$ a\nb\n\nc\n```\n\n```text\n```\n");
        let blocks = page.fenced();
        assert_eq!(blocks.len(), 2);
        assert_eq!((blocks[0].language.as_str(), blocks[0].code.as_str()), ("console", "$ a\nb\n\nc\n"));
        assert_eq!(page.text[blocks[0].range.clone()], *blocks[0].code);
    }

    #[test]
    fn set_up_stands_in_a_comment() {
        let page = page("<!-- setup:\ncommit a b\n-->\n{{#include ../x/lib.rs:2:3}}\n");
        assert_eq!(page.setup(), Some("\ncommit a b\n"));
        assert_eq!(page.included(), [PathBuf::from("../x/lib.rs")]);
    }
}
