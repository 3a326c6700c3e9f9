// ---------------------------------------------------------------------------------------------------------------
// Arguments of calls that a test makes

/// What of calls is written, and where to.
const CAPTURE: &str = "CARGO_REGRESS_CAPTURE";
const MOST_CAPTURED: usize = 400;
const LONGEST_CAPTURED: usize = 100_000;

static CAPTURED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

std::thread_local! {
    static ENTERED: std::cell::Cell<usize> = std::cell::Cell::new(0);
}

/// One of the functions is being executed on this thread; one whose arguments are not understood does not count.
pub struct Entered(usize);

impl Drop for Entered {
    fn drop(&mut self) {
        let counted = self.0;
        let _ = ENTERED.try_with(|entered| entered.set(entered.get().saturating_sub(counted)));
    }
}

/// Writes the arguments down if none of the functions is being executed already. It is written before the call goes on: a
/// call that never ends counts, too. `types` are what the generic parameters stand for.
pub fn enter(subject: usize, types: &[&str], arguments: impl FnOnce(&mut Vec<String>)) -> Entered {
    let depth = ENTERED.with(|entered| entered.get());
    // Showing a value may come to call one of the functions.
    ENTERED.with(|entered| entered.set(depth + 1));
    if depth == 0 {
        let mut shown = Vec::new();
        if types.iter().all(|name| is_usual(name)) {
            arguments(&mut shown);
        } else {
            shown.push(String::from(NOT_UNDERSTOOD));
        }
        if shown.iter().any(|text| text == NOT_UNDERSTOOD) {
            ENTERED.with(|entered| entered.set(0));
            return Entered(0);
        }
        write_call(subject, types, &shown);
    }
    Entered(1)
}

fn write_call(subject: usize, types: &[&str], shown: &[String]) {
    let path = match std::env::var_os(CAPTURE) {
        Some(path) => path,
        None => return,
    };
    if CAPTURED.fetch_add(1, std::sync::atomic::Ordering::SeqCst) >= MOST_CAPTURED {
        return;
    }
    let mut names = String::new();
    for (at, name) in types.iter().enumerate() {
        names.push_str(if at > 0 { "," } else { "" });
        json_text(name, &mut names);
    }
    let line = std::format!("{}\t[{}]\t[{}]\n", subject, names, shown.join(","));
    if line.len() <= LONGEST_CAPTURED {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = file {
            let _ = file.write_all(line.as_bytes());
        }
    }
}

/// In the place of a value that cannot be shown.
const NOT_UNDERSTOOD: &str = "null";

/// Whether a type, by its name, is one of those that calls are made at.
fn is_usual(name: &str) -> bool {
    let name = name.trim_start_matches('&');
    let within = |open: &str, close: &str| {
        let inner = name.len().checked_sub(close.len()).and_then(|end| name.get(open.len()..end));
        if name.starts_with(open) && name.ends_with(close) { inner } else { None }
    };
    if let Some(inner) = within("[", "]").or_else(|| within("alloc::vec::Vec<", ">")) {
        return is_usual(inner);
    }
    let plain = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "char",
        "f32", "f64", "str", "alloc::string::String",
    ];
    plain.contains(&name)
}

pub fn captured<T: Show + ?Sized>(value: &T, shown: &mut Vec<String>) {
    let mut text = String::new();
    value.show(&mut text);
    shown.push(text);
}

pub fn name_of_type<T: ?Sized>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

macro_rules! __regress_as_it_is {
    ($value:ident, $shown:ident: $($ty:ty),*) => {$(
        __regress_as_it_is!(@one $value, $shown: $ty);
        __regress_as_it_is!(@one $value, $shown: &'static $ty);
        __regress_as_it_is!(@one $value, $shown: &'static &'static $ty);
        __regress_as_it_is!(@one $value, $shown: &'static [$ty]);
        __regress_as_it_is!(@one $value, $shown: Vec<$ty>);
        __regress_as_it_is!(@one $value, $shown: &'static Vec<$ty>);
        __regress_as_it_is!(@one $value, $shown: Option<$ty>);
    )*};
    (@one $value:ident, $shown:ident: $ty:ty) => {
        // Names of types leave out lifetimes only, and those of these types are nobody else's.
        if std::any::type_name::<T>() == std::any::type_name::<$ty>() {
            return captured(unsafe { &*($value as *const T as *const $ty) }, $shown);
        }
    };
}

/// An argument whose type the function does not know: one of the usual types, or nothing that is understood.
pub fn captured_as_it_is<T>(value: &T, shown: &mut Vec<String>) {
    __regress_as_it_is!(value, shown:
        u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, bool, char, f32, f64, &'static str, String);
    shown.push(String::from(NOT_UNDERSTOOD));
}

/// A parameter that is made anew for each call.
pub fn captured_opaque(name: &str, shown: &mut Vec<String>) {
    let mut text = String::from("{\"opaque\":");
    json_text(name, &mut text);
    text.push('}');
    shown.push(text);
}
