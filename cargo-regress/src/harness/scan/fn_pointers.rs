//! Which fields are `fn` pointers, and of which of these the glue has values (`glue/stand_ins.rs`).

use super::Holds;

/// What a field of this type is there for. A pointer that glue can make is data like any other.
pub(super) fn held_by(ty: &syn::Type) -> Holds {
    match ty {
        syn::Type::FnPtr(pointer) if !can_be_made(pointer) => Holds::Code,
        _ => Holds::Data,
    }
}

/// At most three arguments, given or lent, and types that are known to be compared, made and shown.
fn can_be_made(pointer: &syn::TypeFnPtr) -> bool {
    let is_plain_fn = pointer.unsafety.is_none() && pointer.abi.is_none() && pointer.variadic.is_none();
    let has_no_names = pointer.lifetimes.is_none();
    let answers = match &pointer.output {
        syn::ReturnType::Default => true,
        syn::ReturnType::Type(_, ty) => is_known(ty),
    };
    let is_argument = |ty: &syn::Type| match ty {
        syn::Type::Reference(lent) => {
            lent.mutability.is_none() && lent.lifetime.is_none() && is_known_behind_reference(&lent.elem)
        }
        given => is_known(given),
    };
    is_plain_fn
        && has_no_names
        && answers
        && pointer.inputs.len() <= 3
        && pointer.inputs.iter().all(|argument| is_argument(&argument.ty))
}

fn is_known_behind_reference(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) if path.path.is_ident("str") => true,
        syn::Type::Slice(slice) => is_known(&slice.elem),
        other => is_known(other),
    }
}

/// Primitive types, `String`, and what std puts together of them.
fn is_known(ty: &syn::Type) -> bool {
    const WITHOUT_ARGUMENTS: [&str; 17] = [
        "bool", "char", "String", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "f32", "f64",
    ];
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.len() <= 3 && tuple.elems.iter().all(is_known),
        syn::Type::Path(syn::TypePath { qself: None, path, .. }) => {
            let Some(segment) = path.segments.first().filter(|_| path.segments.len() == 1) else {
                return false;
            };
            match &segment.arguments {
                syn::PathArguments::None => WITHOUT_ARGUMENTS.iter().any(|name| segment.ident == name),
                syn::PathArguments::AngleBracketed(arguments) => {
                    // Crates have a `Result` of their own, with fewer arguments.
                    let is_std = [("Option", 1), ("Result", 2), ("Vec", 1)]
                        .iter()
                        .any(|(name, count)| segment.ident == name && arguments.args.len() == *count);
                    let all = arguments
                        .args
                        .iter()
                        .all(|argument| matches!(argument, syn::GenericArgument::Type(ty) if is_known(ty)));
                    is_std && all
                }
                syn::PathArguments::Parenthesized(_) => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Holds) {
        assert_eq!(held_by(&syn::parse_str(text).unwrap()), expected, "{text}");
    }

    #[test]
    fn functions_of_plain_types_can_be_made() {
        check("fn(u8) -> bool", Holds::Data);
        check("fn()", Holds::Data);
        check("fn(&str, usize, &[u8]) -> Result<Option<u8>, String>", Holds::Data);
        check("Box<dyn Fn(u8)>", Holds::Data);
    }

    #[test]
    fn others_cannot() {
        check("unsafe fn(u8) -> bool", Holds::Code);
        check("extern \"C\" fn(u8) -> bool", Holds::Code);
        check("for<'a> fn(&'a str) -> &'a str", Holds::Code);
        check("fn(&mut u8) -> bool", Holds::Code);
        check("fn(&str) -> &str", Holds::Code);
        check("fn(Token) -> bool", Holds::Code);
        check("fn(u8, u8, u8, u8) -> bool", Holds::Code);
        check("fn(&[&str]) -> bool", Holds::Code);
        check("fn(u8) -> Result<u8>", Holds::Code);
    }
}
