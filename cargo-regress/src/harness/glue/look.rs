// ---------------------------------------------------------------------------------------------------------------
// What cannot be shown as a whole: as much of it as the compiler knows a way for

/// A value to be looked at. Of the traits below the compiler takes the first that the value has, as a method is first looked for without taking
/// references away (`&&&&Look(value)`); see `glue::looked_at`.
pub struct Look<'a, T: 'a + ?Sized>(pub &'a T);

/// A result to be looked at, which is used up by that.
pub struct LookAtResult<T>(std::cell::Cell<Option<T>>);

pub fn look_at_result<T>(value: T) -> LookAtResult<T> {
    LookAtResult(std::cell::Cell::new(Some(value)))
}

pub trait LookByShow {
    fn __regress_look(&self) -> String;
}

impl<'a, 'b, 'c, 'd, T: Show + ?Sized> LookByShow for &'b &'c &'d Look<'a, T> {
    fn __regress_look(&self) -> String {
        let mut text = String::new();
        self.0.show(&mut text);
        text
    }
}

pub trait LookByItems {
    fn __regress_look(&self) -> String;
}

impl<'a, 'b, 'c, T: Clone + Iterator> LookByItems for &'b &'c Look<'a, T>
where
    T::Item: Show,
{
    fn __regress_look(&self) -> String {
        yields(self.0.clone())
    }
}

impl<'b, 'c, T: Iterator> LookByItems for &'b &'c LookAtResult<T>
where
    T::Item: Show,
{
    fn __regress_look(&self) -> String {
        self.0.take().map_or_else(not_shown, yields)
    }
}

pub trait LookByDebug {
    fn __regress_look(&self) -> String;
}

impl<'a, 'b, T: fmt::Debug + ?Sized> LookByDebug for &'b Look<'a, T> {
    fn __regress_look(&self) -> String {
        let mut text = String::new();
        opaque(self.0, &mut text);
        text
    }
}

impl<'b, T: fmt::Debug> LookByDebug for &'b LookAtResult<T> {
    fn __regress_look(&self) -> String {
        let mut text = String::new();
        if let Some(value) = self.0.take() {
            opaque(&value, &mut text);
            let_go(value);
        }
        text
    }
}

pub trait LookAtNothing {
    fn __regress_look(&self) -> String;
}

impl<'a, T: ?Sized> LookAtNothing for Look<'a, T> {
    fn __regress_look(&self) -> String {
        not_shown()
    }
}

impl<T> LookAtNothing for LookAtResult<T> {
    fn __regress_look(&self) -> String {
        self.0.take().map(let_go);
        not_shown()
    }
}

fn not_shown() -> String {
    std::format!("{{\"opaque\":\"{}\"}}", NOT_SHOWN)
}

/// An iterator is looked at no further.
const MOST_ITEMS: usize = 64;

/// What an iterator yields: a list in the place of a text.
fn yields<I: Iterator>(mut items: I) -> String
where
    I::Item: Show,
{
    let mut text = String::from("{\"opaque\":[");
    let mut all = || {
        for at in 0.. {
            let separator = if at > 0 { "," } else { "" };
            if at == MOST_ITEMS {
                let _ = std::write!(text, "{}{{\"opaque\":\"and so on\"}}", separator);
                break;
            }
            match items.next() {
                Some(item) => {
                    text.push_str(separator);
                    item.show(&mut text);
                }
                None => break,
            }
        }
    };
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut all));
    if let Err(payload) = ended {
        forget(payload);
        forget(items);
        return String::from("{\"opaque\":\"an iterator that panics\"}");
    }
    text.push_str("]}");
    text
}

/// Shows what a value yields, if that is what it was looked at by.
pub fn shows_items(looked_at: &str, out: &mut String) -> bool {
    let is_list = looked_at.starts_with("{\"opaque\":[");
    if is_list {
        out.push_str(looked_at);
    }
    is_list
}

/// A struct or variant of which each field is looked at by itself.
pub fn json_looked_at(path: &str, variant: &str, ctor: &str, fields: &[(&str, String)], out: &mut String) {
    let fields: Vec<(&str, Raw)> = fields.iter().map(|field| (field.0, Raw(field.1.clone()))).collect();
    let fields: Vec<(&str, &dyn Show)> = fields.iter().map(|field| (field.0, &field.1 as &dyn Show)).collect();
    json_adt(path, variant, ctor, &fields, out);
}
