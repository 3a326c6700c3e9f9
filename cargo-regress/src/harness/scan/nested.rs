//! Items among the statements of a function's body.
//!
//! Nothing outside of the body can name them, but what the body implements for a type of the crate holds everywhere. So
//! their glue stands behind the last of them, and is reached through an implementation of a trait of the runtime
//! ([`super::super::calls::nested_registration`]). Items in blocks further inside are not seen.

use syn::spanned::Spanned;

use super::{Context, HarnessError, Owner, Place, Scanner, Scope, ident, lines, parent};

impl Scanner<'_> {
    /// Enters the items of a function's body as those of a module without a name.
    pub(super) fn body(
        &mut self,
        context: &Context<'_>,
        sig: &syn::Signature,
        block: &syn::Block,
    ) -> Result<(), HarnessError> {
        let around = &self.scan.modules[context.module];
        // Types are shown under their paths, and not everywhere does the text tell these.
        let path = match (&context.owner, around.scope) {
            (Owner::Module, _) if around.path != UNKNOWN => format!("{}::{}", around.path, ident(&sig.ident)),
            _ => UNKNOWN.to_string(),
        };
        let items: Vec<&syn::Item> = block
            .stmts
            .iter()
            .filter_map(|statement| match statement {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
            .filter(|item| match item {
                syn::Item::Mod(_) => false,
                syn::Item::Struct(_) | syn::Item::Enum(_) => path != UNKNOWN,
                _ => true,
            })
            .collect();
        let Some(last) = items.last() else { return Ok(()) };
        let end = last.span().byte_range().end;
        let home = match around.scope {
            Scope::Module => context.module,
            Scope::Body { home } => home,
        };
        let dir = parent(&around.file);
        let place = Place { file: around.file.clone(), file_dir: dir.clone(), child_dir: dir };
        let id = self.open(path, &place, (lines(block.span()), end), String::new(), String::new());
        self.scan.modules[id].scope = Scope::Body { home };
        self.items(&items, id, &place, context.text, context.imports)
    }
}

/// No path is this one.
const UNKNOWN: &str = "{body}";
