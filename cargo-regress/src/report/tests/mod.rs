mod finding;
mod formats;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;
mod standing;
