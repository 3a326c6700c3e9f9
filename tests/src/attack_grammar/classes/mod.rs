//! The classes of attacks, a file each.

mod address;
mod build;
mod derives;
mod foreign;
mod general;
mod guards;
mod layout;
mod location;
mod names;
mod panics;
mod parts;
mod profile;
mod reached;
mod small;
mod user_types;

use super::rng::Rng;
use super::snippet::Snippet;

macro_rules! classes {
    ($($variant:ident $module:ident),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Class {
            $($variant),*
        }

        impl Class {
            pub const ALL: [Class; [$(Class::$variant),*].len()] = [$(Class::$variant),*];

            /// As on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Class::$variant => stringify!($module)),*
                }
            }

            pub(super) fn snippet(self, rng: &mut Rng) -> Snippet {
                match self {
                    $(Class::$variant => $module::snippet(rng)),*
                }
            }
        }
    };
}

classes! {
    Address address,
    Build build,
    Derives derives,
    Foreign foreign,
    General general,
    Guards guards,
    Layout layout,
    Location location,
    Names names,
    Panics panics,
    Profile profile,
    Reached reached,
    Small small,
    UserTypes user_types,
}
