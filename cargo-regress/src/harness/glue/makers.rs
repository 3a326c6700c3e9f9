// Values that functions of the crate make.

use crate::__regress_std::any::{Any, TypeId};

/// A function that makes values of a type.
#[derive(Clone, Copy)]
pub struct Maker {
    pub callee: &'static str,
    /// The callee as one word.
    pub name: &'static str,
    /// The path of the type.
    pub makes: &'static str,
    /// As it is written in JSON.
    pub success: &'static str,
    /// Whether one of its arguments is the value of the type that it begins with.
    pub is_step: bool,
    pub only_for: OnlyFor,
    pub make: fn(&mut Source, &mut Arguments, &mut Made) -> Result<(), Misfit>,
}

/// Of which subject a maker makes inputs that are drawn.
#[derive(Clone, Copy, PartialEq)]
pub enum OnlyFor {
    Any,
    Subject(usize),
    None,
}

/// What calls a function that makes values; see [`Subject`].
pub trait Makes<const MAKER: usize> {
    fn make(source: &mut Source, arguments: &mut Arguments, made: &mut Made) -> Result<(), Misfit>;
}

pub fn make<Here, const MAKER: usize>(source: &mut Source, arguments: &mut Arguments, made: &mut Made) -> Result<(), Misfit>
where
    Here: Makes<MAKER>,
{
                                                                                                                                                      <Here as Makes<MAKER>>::make(source, arguments, made)
}

/// A value that a call made, if it succeeded.
pub struct Made(Option<Box<dyn Any>>);

impl Made {
    pub fn put<T: 'static>(&mut self, value: Option<T>) {
        self.0 = value.map(|value| Box::new(value) as Box<dyn Any>);
    }
}

struct KnownMaker {
    made: TypeId,
    name: &'static str,
    maker: Maker,
    /// A `fn(&T, &mut String)`.
    show: Box<dyn Any>,
}

/// The arguments of a call that makes a value, as they are shown.
pub struct Arguments(Vec<String>);

impl Arguments {
    pub fn new() -> Arguments {
        Arguments(Vec::new())
    }
    pub fn add<T: Show + ?Sized>(&mut self, value: &T) {
        if tells_inputs() {
            self.0.push(as_input(value));
        }
    }
}

/// How a value was made.
struct Recipe {
    makes: &'static str,
    /// The value as its fields show it.
    value: String,
    call: String,
    told: bool,
}

std::thread_local! {
    static MAKERS: std::cell::RefCell<Vec<KnownMaker>> = std::cell::RefCell::new(Vec::new());
    static RECIPES: std::cell::RefCell<Vec<Recipe>> = std::cell::RefCell::new(Vec::new());
    /// The subject for which inputs are drawn.
    static DRAWN_FOR: std::cell::Cell<Option<usize>> = std::cell::Cell::new(None);
    /// Whether values are shown as the calls that made them.
    static RECALLS: std::cell::Cell<bool> = std::cell::Cell::new(false);
    /// Whether inputs are told, and so how they were made.
    static TELLS_INPUTS: std::cell::Cell<bool> = std::cell::Cell::new(true);
}

/// Showing each value that calls make on the way to an input takes longer than making it.
fn tells_inputs() -> bool {
    TELLS_INPUTS.with(|tells| tells.get())
}

/// Arguments are drawn anew so often until the call succeeds.
const ATTEMPTS: usize = 24;
/// Calls that change a value in a row, at most; the search takes as many.
const MOST_STEPS: usize = 3;
/// Of one value in so many there may be more calls: some states are many calls away, as what an iterator gives late.
const LONG_ONE_IN: usize = 4;
const MOST_OF_LONG: usize = 10;
/// Calls that may fail while one value is made, before none are made but those that begin with nothing: each attempt makes anew what comes before it,
/// so their number would double with every call.
const MOST_FAILED: usize = 16;

impl Table {
    /// `makes` says by its type what the function makes.
    pub fn maker<T: Show + 'static>(
        &mut self,
        maker: Maker,
        makes: fn(&mut Source, &mut Arguments) -> Result<Option<T>, Misfit>,
    ) {
        let show: fn(&T, &mut String) = T::show;
        let known = KnownMaker { made: TypeId::of::<T>(), name: maker.name, maker, show: Box::new(show) };
        MAKERS.with(|makers| {
            let mut makers = makers.borrow_mut();
            makers.push(known);
            // In one order, whichever modules the functions stand in.
            makers.sort_by_key(|maker| maker.name);
        });
    }
}

/// From here on inputs are drawn for this subject.
fn draw_for(subject: usize) {
    DRAWN_FOR.with(|drawn| drawn.set(Some(subject)));
}

/// Those that need no value of the type, and those that change one, of which inputs are drawn.
fn maker_names<T: 'static>() -> (Vec<&'static str>, Vec<&'static str>) {
    let subject = DRAWN_FOR.with(|drawn| drawn.get());
    let gives = |only_for| match only_for {
        OnlyFor::Any => true,
        OnlyFor::Subject(own) => subject == Some(own),
        OnlyFor::None => false,
    };
    MAKERS.with(|makers| {
        let makers = makers.borrow();
        let of_type =
            makers.iter().filter(|maker| maker.made == TypeId::of::<T>() && gives(maker.maker.only_for));
        let (steps, others): (Vec<&KnownMaker>, Vec<&KnownMaker>) =
            of_type.partition(|maker| maker.maker.is_step);
        let names = |makers: Vec<&KnownMaker>| makers.into_iter().map(|maker| maker.name).collect();
        (names(others), names(steps))
    })
}

fn known_maker<T: 'static>(name: &str) -> Option<(Maker, fn(&T, &mut String))> {
    MAKERS.with(|makers| {
        let makers = makers.borrow();
        let found = makers.iter().find(|maker| maker.made == TypeId::of::<T>() && maker.name == name)?;
        let show = found.show.downcast_ref::<fn(&T, &mut String)>()?;
        Some((found.maker, *show))
    })
}

impl Random {
    /// The function that makes the next value: mostly one that changes another value, as long as there are not too many of them in a row.
    fn maker(&mut self, others: &[&'static str], steps: &[&'static str]) -> Option<&'static str> {
        let may_step = self.steps < self.most_steps && self.failed_steps < MOST_FAILED;
        let is_step = !steps.is_empty() && may_step && self.below(self.most_steps) > 0;
        let (names, taken) = if is_step { (steps, self.steps + 1) } else { (others, self.steps) };
        self.steps = taken;
        let at = self.below(names.len());
        names.get(at).copied()
    }
}

impl Source {
    /// Whether the next value of the type is to be made rather than built from fields.
    pub fn wants_made<T: 'static>(&mut self) -> bool {
        let any = !maker_names::<T>().0.is_empty();
        match self.origin {
            Origin::Tokens { ref tokens, at } => tokens.get(at).map_or(false, |token| token.starts_with('m')),
            Origin::Random(ref random) => any && random.as_made,
            // All that fields can hold.
            Origin::Listed(_) => false,
        }
    }

    /// A value made by a function of the crate.
    pub fn make<T: 'static>(&mut self) -> Result<T, Misfit> {
        let (others, steps) = maker_names::<T>();
        if self.random().is_none() {
            let name = String::from(self.token("m")?);
            return match self.make_by(&name)? {
                Some(value) => Ok(value),
                None => Err(Misfit(std::format!("{} does not succeed on these arguments", name))),
            };
        }
        self.descend()?;
        let outer = self.random().map(|random| {
            if random.making == 0 {
                let is_long = !steps.is_empty() && random.below(LONG_ONE_IN) == 0;
                random.most_steps = if is_long { MOST_OF_LONG } else { MOST_STEPS };
                random.failed_steps = 0;
            }
            random.making += 1;
            (std::mem::replace(&mut random.class, Class::Any), random.steps)
        });
        let mut found = None;
        for _ in 0..ATTEMPTS {
            let name = self.random().and_then(|random| {
                random.steps = outer.map_or(0, |(_, taken)| taken);
                random.maker(&others, &steps)
            });
            let name = match name {
                Some(name) => name,
                None => break,
            };
            // The arguments of an attempt that failed are not worth keeping.
            let recipes = RECIPES.with(|recipes| recipes.borrow().len());
            found = self.make_by(name)?;
            if found.is_some() {
                break;
            }
            RECIPES.with(|list| list.borrow_mut().truncate(recipes));
            if let (Some(random), true) = (self.random(), steps.contains(&name)) {
                random.failed_steps += 1;
            }
        }
        if let (Some(random), Some((class, taken))) = (self.random(), outer) {
            random.making -= 1;
            random.depth = random.depth.saturating_sub(1);
            random.class = class;
            random.steps = taken;
        }
        found.ok_or_else(|| Misfit(String::from("no value of this type could be made")))
    }

    /// None if the call does not succeed.
    fn make_by<T: 'static>(&mut self, name: &str) -> Result<Option<T>, Misfit> {
        let (maker, show) = match known_maker::<T>(name) {
            Some(known) => known,
            None => return Err(Misfit(std::format!("no function {} to make a value by", name))),
        };
        let (mut arguments, mut made) = (Arguments::new(), Made(None));
        let call = || (maker.make)(self, &mut arguments, &mut made);
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)) {
            Ok(ended) => ended?,
            Err(payload) => {
                forget(payload);
                return Ok(None);
            }
        }
        let value = made.0.and_then(|made| made.downcast::<T>().ok()).map(|made| *made);
        if let (Some(value), true) = (value.as_ref(), tells_inputs()) {
            let mut call = String::from("{\"made\":{\"callee\":");
            json_text(maker.callee, &mut call);
            let _ = std::write!(call, ",\"args\":[{}],\"success\":{}}}}}", arguments.0.join(","), maker.success);
            let recipe = Recipe { makes: maker.makes, value: without_recipes(|text| show(value, text)), call, told: false };
            RECIPES.with(|recipes| recipes.borrow_mut().push(recipe));
        }
        Ok(value)
    }
}

fn without_recipes(show: impl FnOnce(&mut String)) -> String {
    let before = RECALLS.with(|recalls| recalls.replace(false));
    // What may be shown of an argument only is no part of what a value is known by.
    let argument = ARGUMENTS.with(|arguments| arguments.replace(false));
    let mut text = String::new();
    show(&mut text);
    ARGUMENTS.with(|arguments| arguments.set(argument));
    RECALLS.with(|recalls| recalls.set(before));
    text
}

/// An input with the calls that made its parts.
fn as_input<T: Show + ?Sized>(value: &T) -> String {
    let before = RECALLS.with(|recalls| recalls.replace(true));
    let text = shown_argument(value);
    RECALLS.with(|recalls| recalls.set(before));
    text
}

/// Shows the call that made the value, if calls are to be shown and one is known that makes such a value.
pub fn recall<T: Show + ?Sized>(makes: &str, value: &T, out: &mut String) -> bool {
    if !RECALLS.with(|recalls| recalls.get()) {
        return false;
    }
    let text = without_recipes(|text| value.show(text));
    RECIPES.with(|recipes| {
        let mut recipes = recipes.borrow_mut();
        let is_it = |recipe: &&mut Recipe| recipe.makes == makes && recipe.value == text;
        // Values that look alike are told in the order in which they were made.
        let at = recipes.iter().position(|recipe| recipe.makes == makes && recipe.value == text && !recipe.told);
        let known = match at {
            Some(at) => recipes.get_mut(at),
            None => recipes.iter_mut().find(is_it),
        };
        match known {
            Some(recipe) => {
                out.push_str(&recipe.call);
                recipe.told = true;
                true
            }
            None => false,
        }
    })
}

fn forget_recipes() {
    RECIPES.with(|recipes| recipes.borrow_mut().clear());
}
