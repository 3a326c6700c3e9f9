//! On real repositories, made with git2 in temporary directories.

mod bad_input;
mod checked_out;
mod content;
mod fetching;
mod location;
mod merging;
mod scratch;
mod selection;
