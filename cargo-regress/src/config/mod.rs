//! What is set in files and in the environment.
//!
//! * [`keys`]: which keys there are, and what may stand behind them
//! * [`places`]: the files that hold for a package
//! * [`read`](mod@read): one file, or the environment, as values with their places
//! * [`settings`]: what is in force of all of them
//! * [`schema`], [`show`](mod@show): the same for editors and for people
//!
//! The nearer wins: the command line, then the environment (`CARGO_REGRESS_…`), the package's manifest, the file
//! `.config/regress.toml`, the workspace's manifest. What nobody knows is an error, for a key that does nothing is worse than none.

mod keys;
mod places;
mod read;
mod schema;
mod settings;
mod show;

use std::ffi::OsString;
use std::path::Path;

use camino::Utf8PathBuf;
use thiserror::Error;

use crate::args::defaults::Defaults;
use crate::args::{self, ConfigAction, ConfigOptions, Options, Request};
use crate::error::Error;
pub use places::{FILE, nearest_upward};
use settings::Settings;

/// What is wrong with a configuration, and where.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: Utf8PathBuf, source: std::io::Error },
    #[error("{place}: {message}")]
    NotToml { place: String, message: String },
    #[error("{place}: unknown key `{key}`{}", .suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_else(|| "; `cargo regress config show` lists those there are".to_owned()))]
    UnknownKey { place: String, key: String, suggestion: Option<String> },
    #[error("{place}: `{key}` is `{value}`, but {expected}")]
    WrongValue { place: String, key: String, value: String, expected: String },
    #[error("the current directory cannot be found: {0}")]
    Nowhere(std::io::Error),
}

/// The request on the command line, with what is configured in the place of what it leaves open.
pub fn request(arguments: Vec<OsString>) -> Result<Request, Error> {
    let plain = args::request(arguments.clone(), &Defaults::default()).map_err(Error::Usage)?;
    match plain.configuration() {
        None => Ok(plain),
        Some(manifest) => {
            let defaults = Settings::load(manifest)?.defaults();
            args::request(arguments, &defaults).map_err(Error::Usage)
        }
    }
}

/// The options of a comparison, program name first, with what is configured.
pub fn comparison(arguments: Vec<OsString>) -> Result<Options, Error> {
    match request(arguments)? {
        Request::Compare(options) => Ok(*options),
        _ => Err(anyhow::anyhow!("these are not the options of a comparison").into()),
    }
}

/// Shows what is configured, or what can be.
pub fn inspect(options: &ConfigOptions) -> Result<String, Error> {
    match &options.action {
        ConfigAction::Schema => Ok(serde_json::to_string_pretty(&schema::schema())? + "\n"),
        ConfigAction::Show { manifest } => {
            Ok(show::show(&Settings::load(manifest.manifest_path.as_deref())?))
        }
    }
}

impl Settings {
    /// What holds for the package with this manifest, or for the one around the current directory.
    fn load(manifest: Option<&Path>) -> Result<Settings, ConfigError> {
        let here = std::env::current_dir().map_err(ConfigError::Nowhere)?;
        let start = match manifest {
            Some(manifest) if manifest.file_name().is_some_and(|name| name == "Cargo.toml") => {
                here.join(manifest).parent().map(Path::to_path_buf).unwrap_or_else(|| here.clone())
            }
            Some(directory) => here.join(directory),
            None => here.clone(),
        };
        let mut layers = vec![read::environment(std::env::vars_os())?];
        for place in places::of(&start) {
            layers.extend(read::file(&place, &here)?);
        }
        Ok(Settings::of(layers))
    }
}
