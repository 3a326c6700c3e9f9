// ---------------------------------------------------------------------------------------------------------------
// Arguments of calls that a test makes

/// Where calls are written to: those that are made from outside of the functions that are watched, or all.
const CALLS_FROM_OUTSIDE: &str = "CARGO_REGRESS_CAPTURE";
const ALL_CALLS: &str = "CARGO_REGRESS_CAPTURE_ALL";
/// Calls of one function that are written, and those that are looked at for it: the others are such calls again.
const MOST_WRITTEN: usize = 400;
const MOST_SHOWN: usize = 10_000;
const LONGEST_CAPTURED: usize = 100_000;

/// What is known of the calls of one function.
struct Known {
    shown: usize,
    written: std::collections::BTreeSet<u64>,
}

static CAPTURED: std::sync::Mutex<std::collections::BTreeMap<usize, Known>> =
    std::sync::Mutex::new(std::collections::BTreeMap::new());

std::thread_local! {
    static ENTERED: std::cell::Cell<usize> = std::cell::Cell::new(0);
    static SHOWING: std::cell::Cell<bool> = std::cell::Cell::new(false);
}

/// One of the functions is being executed on this thread; one whose arguments are not understood does not count.
pub struct Entered(usize);

impl Drop for Entered {
    fn drop(&mut self) {
        let counted = self.0;
        let _ = ENTERED.try_with(|entered| entered.set(entered.get().saturating_sub(counted)));
    }
}

/// Writes the arguments down if none of the functions is being executed already, or all calls are wanted. It is written before the call goes on: a
/// call that never ends counts, too. `types` are what the generic parameters stand for.
pub fn enter(subject: usize, types: &[&str], arguments: impl FnOnce(&mut Vec<String>)) -> Entered {
    let depth = match ENTERED.try_with(|entered| entered.get()) {
        // Showing a value may come to call one of the functions.
        Ok(depth) if !SHOWING.with(|showing| showing.get()) => depth,
        _ => return Entered(0),
    };
    let all = std::env::var_os(ALL_CALLS);
    let path = match (all, depth) {
        (Some(path), _) => Some(path),
        (None, 0) => std::env::var_os(CALLS_FROM_OUTSIDE),
        (None, _) => None,
    };
    if let Some(path) = path.filter(|_| may_be_new(subject)) {
        let mut shown = Vec::new();
        if types.iter().all(|name| is_usual(name)) {
            let _showing = Showing::begin();
            arguments(&mut shown);
        } else {
            shown.push(String::from(NOT_UNDERSTOOD));
        }
        if shown.iter().any(|text| text == NOT_UNDERSTOOD) {
            return Entered(0);
        }
        write_call(&path, subject, types, &shown);
    }
    ENTERED.with(|entered| entered.set(depth + 1));
    Entered(1)
}

/// As long as it lives, calls are those that showing values makes.
struct Showing;

impl Showing {
    fn begin() -> Showing {
        SHOWING.with(|showing| showing.set(true));
        Showing
    }
}

impl Drop for Showing {
    fn drop(&mut self) {
        let _ = SHOWING.try_with(|showing| showing.set(false));
    }
}

/// Whether another call of the function is looked at.
fn may_be_new(subject: usize) -> bool {
    let mut captured = CAPTURED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = captured
        .entry(subject)
        .or_insert_with(|| Known { shown: 0, written: std::collections::BTreeSet::new() });
    known.shown += 1;
    known.shown <= MOST_SHOWN && known.written.len() < MOST_WRITTEN
}

fn write_call(path: &std::ffi::OsStr, subject: usize, types: &[&str], shown: &[String]) {
    let mut names = String::new();
    for (at, name) in types.iter().enumerate() {
        names.push_str(if at > 0 { "," } else { "" });
        json_text(name, &mut names);
    }
    let arguments = shown.join(",");
    if arguments.len() > LONGEST_CAPTURED {
        return;
    }
    let call = names.bytes().chain(arguments.bytes());
    let digest = call.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut captured = CAPTURED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !captured.get_mut(&subject).map_or(false, |known| known.written.insert(digest)) {
        return;
    }
    // The harness of tests names the threads of tests by them.
    let mut test = String::new();
    match std::thread::current().name() {
        Some(name) if name != "main" => json_text(name, &mut test),
        _ => test.push_str("null"),
    }
    let line = std::format!("{}\t[{}]\t{}\t[{}]\n", subject, names, test, arguments);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    if let Ok(mut file) = file {
        let _ = file.write_all(line.as_bytes());
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
