//! Renderings of reports made by hand.

mod human;
mod json;
mod standing;
