//! `std::arch`: what is plain arithmetic under another name.

pub mod x86_64;
