//! What a class makes: items in two versions, and which functions of them are called with what.
//!
//! In all texts `@N` stands for the snippet's number in its crate, so that names differ from those of other snippets.

/// What one version of a snippet puts into its crate.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Items of the snippet's own module, `crate::kN`.
    pub items: String,
    /// Items of the crate's root.
    pub root: String,
    /// Items of the module `kN` of the dependency `dep`, a member of the same workspace.
    pub dep: String,
    /// C code that the build script compiles.
    pub c: String,
    /// Statements of the build script's `main`.
    pub build: String,
    /// Features that are on by default.
    pub features: Vec<String>,
    /// Further files of the package, by path.
    pub files: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct Snippet {
    /// The template, for people who look for what was wrong.
    pub shape: String,
    pub old: Side,
    pub new: Side,
    pub targets: Vec<Target>,
    /// Items of the driver, such as how it makes values of the snippet's types; `M::` stands for the path of the snippet's module.
    pub driver: String,
    /// Names of items at the root without a number: no two snippets of a crate may have one in common.
    pub root_names: Vec<String>,
    /// Lines of both versions' root manifests (`[profile.dev]` and the like), if the snippet is about them. A crate has one such setting at most.
    pub manifest: Option<Manifest>,
}

/// What of the build is set for the whole crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    pub profile: [String; 2],
    pub edition: [u32; 2],
    /// `.cargo/config.toml`; none if empty.
    pub config: [String; 2],
}

/// A public function that is judged: one pair.
#[derive(Clone, Debug)]
pub struct Target {
    /// As the product's report names it, without the snippet's module.
    pub name: String,
    /// It stands at the crate's root.
    pub at_root: bool,
    pub probes: Vec<Probe>,
}

/// One way to call it.
#[derive(Clone, Debug)]
pub struct Probe {
    pub params: Vec<Param>,
    /// An expression that the driver prints with `{:?}`, over `a0`, `a1`, …; `M` stands for the path of the function's module. The call with all parameters by default.
    pub call: Option<String>,
    /// The choice of types, as a report words it (`T = u8`), if the function is generic.
    pub types: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Param {
    /// An owned type that the driver knows how to make.
    pub ty: String,
    pub by: By,
    /// Expressions for values that random runs would not meet.
    pub special: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Value,
    Ref,
    /// What is behind it afterwards is part of the outcome.
    Mut,
}

impl Param {
    pub fn value(ty: &str) -> Param {
        Param { ty: ty.to_owned(), by: By::Value, special: Vec::new() }
    }

    pub fn reference(ty: &str) -> Param {
        Param { by: By::Ref, ..Param::value(ty) }
    }

    pub fn mutable(ty: &str) -> Param {
        Param { by: By::Mut, ..Param::value(ty) }
    }

    pub fn special(mut self, value: impl Into<String>) -> Param {
        self.special.push(value.into());
        self
    }
}

impl Probe {
    pub fn of(params: Vec<Param>) -> Probe {
        Probe { params, call: None, types: None }
    }

    pub fn call(mut self, call: impl Into<String>) -> Probe {
        self.call = Some(call.into());
        self
    }

    pub fn types(mut self, types: impl Into<String>) -> Probe {
        self.types = Some(types.into());
        self
    }
}

impl Target {
    pub fn new(name: &str, params: Vec<Param>) -> Target {
        Target { name: name.to_owned(), at_root: false, probes: vec![Probe::of(params)] }
    }

    pub fn probed(name: &str, probes: Vec<Probe>) -> Target {
        Target { name: name.to_owned(), at_root: false, probes }
    }

    pub fn at_root(mut self) -> Target {
        self.at_root = true;
        self
    }
}

impl Snippet {
    pub fn new(shape: &str, old: impl Into<String>, new: impl Into<String>) -> Snippet {
        Snippet {
            shape: shape.to_owned(),
            old: Side { items: old.into(), ..Side::default() },
            new: Side { items: new.into(), ..Side::default() },
            targets: Vec::new(),
            driver: String::new(),
            root_names: Vec::new(),
            manifest: None,
        }
    }

    /// The texts of both versions with a number in the place of `@N`.
    pub fn numbered(mut self, number: usize) -> Snippet {
        let number = number.to_string();
        let put = |text: &mut String| *text = text.replace("@N", &number);
        for side in [&mut self.old, &mut self.new] {
            for text in [&mut side.items, &mut side.root, &mut side.dep, &mut side.c, &mut side.build] {
                put(text);
            }
            side.features.iter_mut().for_each(put);
            side.files.iter_mut().for_each(|(path, text)| {
                put(path);
                put(text);
            });
        }
        put(&mut self.driver);
        for target in &mut self.targets {
            put(&mut target.name);
            for probe in &mut target.probes {
                probe.call.iter_mut().for_each(put);
                for param in &mut probe.params {
                    put(&mut param.ty);
                    param.special.iter_mut().for_each(put);
                }
            }
        }
        self
    }

    /// Items that both versions have.
    pub fn common(mut self, items: &str) -> Snippet {
        for side in [&mut self.old, &mut self.new] {
            side.items.push('\n');
            side.items.push_str(items);
        }
        self
    }

    pub fn target(mut self, target: Target) -> Snippet {
        self.targets.push(target);
        self
    }

    /// A function of that name, called with these.
    pub fn call(self, name: &str, params: Vec<Param>) -> Snippet {
        self.target(Target::new(name, params))
    }
}
