//! How serde's JSON is taken in: records and tagged values that tolerate what they do not know, without losing what stands
//! in it.
//!
//! A type that occurs for the first time inside a field that nobody reads is still referred to later. So unknown fields are
//! not skipped but walked through ([`Skip`]), and types in them are entered like all others.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::hashcons;

/// Any JSON, of which only the types and trait references are kept.
pub struct Skip;

impl<'de> Deserialize<'de> for Skip {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Skip;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON")
            }
            fn visit_bool<E>(self, _: bool) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_str<E>(self, _: &str) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_unit<E>(self) -> Result<Skip, E> {
                Ok(Skip)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Skip, A::Error> {
                while seq.next_element::<Skip>()?.is_some() {}
                Ok(Skip)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Skip, A::Error> {
                while let Some(key) = map.next_key::<String>()? {
                    if key == "HashConsedValue" {
                        map.next_value::<hashcons::Unread>()?;
                    } else {
                        map.next_value::<Skip>()?;
                    }
                }
                Ok(Skip)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Reads the rest of a sequence whose beginning is all that matters.
pub fn drain<'de, A: SeqAccess<'de>>(seq: &mut A) -> Result<(), A::Error> {
    while seq.next_element::<Skip>()?.is_some() {}
    Ok(())
}

/// A value that newer versions wrap in a list with more: `X` or `[X, …]`.
#[derive(Clone, Debug)]
pub struct FirstOf<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FirstOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for First<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or a list that begins with it")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
                let first = seq.next_element()?.ok_or_else(|| A::Error::custom("an empty list"))?;
                drain(&mut seq)?;
                Ok(first)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(First(PhantomData)).map(FirstOf)
    }
}

/// A struct of which only some fields are read: `key` is the JSON name. A field that is not there is an error, unless it is
/// declared with a default.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty $(= $default:expr)?,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name { $($(#[$field_meta])* pub $field: $ty,)* }

        impl $name {
            /// Reads the record, the first key of which has been read already.
            pub fn from_entries<'de, A: serde::de::MapAccess<'de>>(
                first: Option<String>,
                map: &mut A,
            ) -> Result<Self, A::Error> {
                $(let mut $field: Option<$ty> = None;)*
                let mut key = match first {
                    Some(key) => Some(key),
                    None => map.next_key::<String>()?,
                };
                while let Some(name) = key {
                    match name.trim_start_matches("r#") {
                        $(known if known == stringify!($field).trim_start_matches("r#") => {
                            $field = Some(map.next_value()?);
                        })*
                        _ => {
                            map.next_value::<$crate::charon::shapes::Skip>()?;
                        }
                    }
                    key = map.next_key::<String>()?;
                }
                Ok($name {
                    $($field: match $field {
                        Some(value) => value,
                        None => record!(@absent stringify!($field), A $(, $default)?),
                    },)*
                })
            }
        }

        impl<'de> serde::de::Deserialize<'de> for $name {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> serde::de::Visitor<'de> for Fields {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("an object, ", stringify!($name)))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        $name::from_entries(None, &mut map)
                    }
                }
                deserializer.deserialize_map(Fields)
            }
        }
    };
    (@absent $name:expr, $access:ident, $default:expr) => { $default };
    (@absent $name:expr, $access:ident) => {
        return Err(<$access::Error as serde::de::Error>::missing_field($name))
    };
}

/// An externally tagged enum: `"Unit"` or `{"Variant": payload}`. A tag that is not known becomes `Other`, with its name.
macro_rules! tagged {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident $(($payload:ty))?,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        #[allow(dead_code, reason = "some payloads only say that the form is the known one")]
        pub enum $name {
            $($(#[$variant_meta])* $variant $(($payload))?,)*
            /// A tag of another version.
            Other(String),
        }

        impl $name {
            /// Reads the payload of a tag.
            pub fn from_entry<'de, A: serde::de::MapAccess<'de>>(tag: &str, map: &mut A) -> Result<Self, A::Error> {
                match tag {
                    $(stringify!($variant) => tagged!(@entry $name $variant map $(, $payload)?),)*
                    _ => {
                        map.next_value::<$crate::charon::shapes::Skip>()?;
                        Ok($name::Other(tag.to_owned()))
                    }
                }
            }

            pub fn from_name(tag: &str) -> Self {
                match tag {
                    $(stringify!($variant) => tagged!(@name $name $variant tag $(, $payload)?),)*
                    _ => $name::Other(tag.to_owned()),
                }
            }
        }

        impl<'de> serde::de::Deserialize<'de> for $name {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Tags;
                impl<'de> serde::de::Visitor<'de> for Tags {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a tag or an object with one, ", stringify!($name)))
                    }
                    fn visit_str<E: serde::de::Error>(self, tag: &str) -> Result<$name, E> {
                        Ok($name::from_name(tag))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let tag: String = map.next_key()?.ok_or_else(|| serde::de::Error::custom("an object without a tag"))?;
                        let value = $name::from_entry(&tag, &mut map)?;
                        while map.next_key::<String>()?.is_some() {
                            map.next_value::<$crate::charon::shapes::Skip>()?;
                        }
                        Ok(value)
                    }
                }
                deserializer.deserialize_any(Tags)
            }
        }
    };
    (@entry $name:ident $variant:ident $map:ident, $payload:ty) => { Ok($name::$variant($map.next_value::<$payload>()?)) };
    (@entry $name:ident $variant:ident $map:ident) => {{
        $map.next_value::<$crate::charon::shapes::Skip>()?;
        Ok($name::$variant)
    }};
    (@name $name:ident $variant:ident $tag:ident, $payload:ty) => { $name::Other($tag.to_owned()) };
    (@name $name:ident $variant:ident $tag:ident) => { $name::$variant };
}

pub(super) use {record, tagged};
