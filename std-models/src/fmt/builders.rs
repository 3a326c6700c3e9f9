//! The helpers behind `#[derive(Debug)]`: structs, tuples, lists, sets and maps, on one line or indented.

use super::{
    Debug, DebugList, DebugMap, DebugSet, DebugStruct, DebugTuple, Display, Error, Formatter, Result, Write,
};

/// Indents what is written through it. `on_newline` says whether the next character begins a line.
struct Indented<'buf, 'state> {
    buf: &'buf mut (dyn Write + 'buf),
    on_newline: &'state mut bool,
}

impl Write for Indented<'_, '_> {
    fn write_str(&mut self, s: &str) -> Result {
        let bytes = s.as_bytes();
        let mut start: usize = 0;
        while start < bytes.len() {
            let mut end = start;
            while end < bytes.len() && bytes[end] != b'\n' {
                end = end.wrapping_add(1);
            }
            let ends_line = end < bytes.len();
            if ends_line {
                end = end.wrapping_add(1);
            }
            if *self.on_newline {
                self.buf.write_str("    ")?;
            }
            *self.on_newline = ends_line;
            let line = crate::intrinsics::subslice(bytes, start, end);
            self.buf.write_str(crate::intrinsics::str_of_bytes(line))?;
            start = end;
        }
        Ok(())
    }
    fn write_char(&mut self, c: char) -> Result {
        if *self.on_newline {
            self.buf.write_str("    ")?;
        }
        *self.on_newline = c == '\n';
        self.buf.write_char(c)
    }
}

/// Shows a value indented, with the options of the formatter, and what belongs before and behind it.
fn indented(
    fmt: &mut Formatter<'_>,
    on_newline: &mut bool,
    before: &str,
    separator: &str,
    value: &dyn Debug,
    behind: &str,
) -> Result {
    let (flags, width, precision) = (fmt.flags, fmt.width, fmt.precision);
    let mut adapter = Indented { buf: &mut *fmt.buf, on_newline };
    let mut inner = Formatter { flags, width, precision, buf: &mut adapter };
    inner.buf.write_str(before)?;
    inner.buf.write_str(separator)?;
    value.fmt(&mut inner)?;
    inner.buf.write_str(behind)
}

fn struct_field(fmt: &mut Formatter<'_>, has_fields: bool, name: &str, value: &dyn Debug) -> Result {
    if fmt.alternate() {
        if !has_fields {
            fmt.buf.write_str(" {\n")?;
        }
        let mut on_newline = true;
        return indented(fmt, &mut on_newline, name, ": ", value, ",\n");
    }
    fmt.buf.write_str(if has_fields { ", " } else { " { " })?;
    fmt.buf.write_str(name)?;
    fmt.buf.write_str(": ")?;
    value.fmt(fmt)
}

fn tuple_field(fmt: &mut Formatter<'_>, fields: usize, value: &dyn Debug) -> Result {
    if fmt.alternate() {
        if fields == 0 {
            fmt.buf.write_str("(\n")?;
        }
        let mut on_newline = true;
        return indented(fmt, &mut on_newline, "", "", value, ",\n");
    }
    fmt.buf.write_str(if fields == 0 { "(" } else { ", " })?;
    value.fmt(fmt)
}

fn list_entry(fmt: &mut Formatter<'_>, has_fields: bool, value: &dyn Debug) -> Result {
    if fmt.alternate() {
        if !has_fields {
            fmt.buf.write_str("\n")?;
        }
        let mut on_newline = true;
        return indented(fmt, &mut on_newline, "", "", value, ",\n");
    }
    if has_fields {
        fmt.buf.write_str(", ")?;
    }
    value.fmt(fmt)
}

impl<'a, 'b: 'a> DebugStruct<'a, 'b> {
    pub fn field(&mut self, name: &str, value: &dyn Debug) -> &mut Self {
        if self.result.is_ok() {
            self.result = struct_field(self.fmt, self.has_fields, name, value);
        }
        self.has_fields = true;
        self
    }
    pub fn finish_non_exhaustive(&mut self) -> Result {
        if self.result.is_ok() {
            self.result = if !self.has_fields {
                self.fmt.buf.write_str(" { .. }")
            } else if self.fmt.alternate() {
                self.fmt.buf.write_str("    ..\n}")
            } else {
                self.fmt.buf.write_str(", .. }")
            };
        }
        self.result
    }
    pub fn finish(&mut self) -> Result {
        if self.has_fields && self.result.is_ok() {
            self.result = self.fmt.buf.write_str(if self.fmt.alternate() { "}" } else { " }" });
        }
        self.result
    }
}

impl<'a, 'b: 'a> DebugTuple<'a, 'b> {
    pub fn field(&mut self, value: &dyn Debug) -> &mut Self {
        if self.result.is_ok() {
            self.result = tuple_field(self.fmt, self.fields, value);
        }
        self.fields = self.fields.wrapping_add(1);
        self
    }
    pub fn finish(&mut self) -> Result {
        if self.fields > 0 && self.result.is_ok() {
            if self.fields == 1 && self.empty_name && !self.fmt.alternate() {
                self.result = self.fmt.buf.write_str(",");
            }
            if self.result.is_ok() {
                self.result = self.fmt.buf.write_str(")");
            }
        }
        self.result
    }
}

macro_rules! lists {
    ($($ty:ident $close:literal;)*) => {$(
        impl<'a, 'b: 'a> $ty<'a, 'b> {
            pub fn entry(&mut self, entry: &dyn Debug) -> &mut Self {
                if self.result.is_ok() {
                    self.result = list_entry(self.fmt, self.has_fields, entry);
                }
                self.has_fields = true;
                self
            }
            pub fn entries<D: Debug, I: IntoIterator<Item = D>>(&mut self, entries: I) -> &mut Self {
                let mut items = entries.into_iter();
                loop {
                    match items.next() {
                        Some(item) => self.entry(&item),
                        None => return self,
                    };
                }
            }
            pub fn finish(&mut self) -> Result {
                if self.result.is_ok() {
                    self.result = self.fmt.buf.write_str($close);
                }
                self.result
            }
        }
    )*};
}

lists! {
    DebugList "]";
    DebugSet "}";
}

impl<'a, 'b: 'a> DebugMap<'a, 'b> {
    pub fn entry(&mut self, key: &dyn Debug, value: &dyn Debug) -> &mut Self {
        self.key(key).value(value)
    }
    pub fn key(&mut self, key: &dyn Debug) -> &mut Self {
        if self.result.is_ok() {
            self.result = self.begin(key);
        }
        self
    }
    fn begin(&mut self, key: &dyn Debug) -> Result {
        if self.has_key {
            panic!("attempted to begin a new map entry without completing the previous one");
        }
        if self.fmt.alternate() {
            if !self.has_fields {
                self.fmt.buf.write_str("\n")?;
            }
            self.on_newline = true;
            indented(self.fmt, &mut self.on_newline, "", "", key, ": ")?;
        } else {
            if self.has_fields {
                self.fmt.buf.write_str(", ")?;
            }
            key.fmt(self.fmt)?;
            self.fmt.buf.write_str(": ")?;
        }
        self.has_key = true;
        Ok(())
    }
    pub fn value(&mut self, value: &dyn Debug) -> &mut Self {
        if self.result.is_ok() {
            self.result = self.complete(value);
        }
        self.has_fields = true;
        self
    }
    fn complete(&mut self, value: &dyn Debug) -> Result {
        if !self.has_key {
            panic!("attempted to format a map value before its key");
        }
        if self.fmt.alternate() {
            indented(self.fmt, &mut self.on_newline, "", "", value, ",\n")?;
        } else {
            value.fmt(self.fmt)?;
        }
        self.has_key = false;
        Ok(())
    }
    pub fn entries<K: Debug, V: Debug, I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) -> &mut Self {
        let mut items = entries.into_iter();
        loop {
            match items.next() {
                Some((key, value)) => self.entry(&key, &value),
                None => return self,
            };
        }
    }
    pub fn finish(&mut self) -> Result {
        if self.result.is_ok() {
            if self.has_key {
                panic!("attempted to finish a map with a partial entry");
            }
            self.result = self.fmt.buf.write_str("}");
        }
        self.result
    }
}

impl<'a> Formatter<'a> {
    pub fn debug_struct<'b>(&'b mut self, name: &str) -> DebugStruct<'b, 'a> {
        let result = self.buf.write_str(name);
        DebugStruct { fmt: self, result, has_fields: false }
    }
    pub fn debug_tuple<'b>(&'b mut self, name: &str) -> DebugTuple<'b, 'a> {
        let result = self.buf.write_str(name);
        DebugTuple { fmt: self, result, fields: 0, empty_name: name.len() == 0 }
    }
    pub fn debug_list<'b>(&'b mut self) -> DebugList<'b, 'a> {
        let result = self.buf.write_str("[");
        DebugList { fmt: self, result, has_fields: false }
    }
    pub fn debug_set<'b>(&'b mut self) -> DebugSet<'b, 'a> {
        let result = self.buf.write_str("{");
        DebugSet { fmt: self, result, has_fields: false }
    }
    pub fn debug_map<'b>(&'b mut self) -> DebugMap<'b, 'a> {
        let result = self.buf.write_str("{");
        DebugMap { fmt: self, result, has_fields: false, has_key: false, on_newline: true }
    }

    pub fn debug_struct_fields_finish(
        &mut self,
        name: &str,
        names: &[&str],
        values: &[&dyn Debug],
    ) -> Result {
        let mut builder = self.debug_struct(name);
        let mut at: usize = 0;
        while at < names.len() {
            builder.field(names[at], values[at]);
            at = at.wrapping_add(1);
        }
        builder.finish()
    }
    pub fn debug_tuple_fields_finish(&mut self, name: &str, values: &[&dyn Debug]) -> Result {
        let mut builder = self.debug_tuple(name);
        let mut at: usize = 0;
        while at < values.len() {
            builder.field(values[at]);
            at = at.wrapping_add(1);
        }
        builder.finish()
    }
}

macro_rules! derived {
    ($($of_struct:ident $of_tuple:ident: $($name:ident $value:ident)*;)*) => {
        impl<'a> Formatter<'a> {$(
            pub fn $of_struct(&mut self, name: &str, $($name: &str, $value: &dyn Debug),*) -> Result {
                let mut builder = self.debug_struct(name);
                $(builder.field($name, $value);)*
                builder.finish()
            }
            pub fn $of_tuple(&mut self, name: &str, $($value: &dyn Debug),*) -> Result {
                let mut builder = self.debug_tuple(name);
                $(builder.field($value);)*
                builder.finish()
            }
        )*}
    };
}

derived! {
    debug_struct_field1_finish debug_tuple_field1_finish: name1 value1;
    debug_struct_field2_finish debug_tuple_field2_finish: name1 value1 name2 value2;
    debug_struct_field3_finish debug_tuple_field3_finish: name1 value1 name2 value2 name3 value3;
    debug_struct_field4_finish debug_tuple_field4_finish: name1 value1 name2 value2 name3 value3 name4 value4;
    debug_struct_field5_finish debug_tuple_field5_finish:
        name1 value1 name2 value2 name3 value3 name4 value4 name5 value5;
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad("an error occurred when formatting an argument")
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("Error")
    }
}

/// All are equal.
impl crate::clone::Clone for Error {
    fn clone(&self) -> Error {
        Error
    }
}

impl crate::default::Default for Error {
    fn default() -> Error {
        Error
    }
}

impl crate::cmp::PartialEq for Error {
    fn eq(&self, _other: &Error) -> bool {
        true
    }
}

impl crate::cmp::Eq for Error {}

impl crate::cmp::PartialOrd for Error {
    fn partial_cmp(&self, _other: &Error) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ordering::Equal)
    }
}

impl crate::cmp::Ord for Error {
    fn cmp(&self, _other: &Error) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}
