//! What only the page for the browser shows: where along its numeric inputs a function differs, by native runs, and which of
//! the changed functions may run which.
//!
//! *Samples.* A function with one or two numbers as inputs is run on values all over their range: bounds, zero, powers of two and
//! their neighbours, numbers from the sources, the witnesses. With one input, the place at which neighbours stop to agree is
//! narrowed down by halving, so ranges end where the behaviour was seen to change; in between only the samples are known.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::evidence::Replay;
use regress_core::ir::{FnId, IntTy, Signedness};
use regress_core::value::Value;
use regress_core::verdict::{ChangeKind, Class, Confirmation, Verdict, Witness};

use super::Session;
use super::aligned::Aligned;
use super::load::Loaded;
use super::subject::{self, Native};
use crate::harness::{Asked, Care};
use crate::report::pictures::{Axis, Extent, Pictures, Point, Samples};
use crate::report::{FunctionReport, wording};

/// Values of the only input.
const MOST_OF_ONE: usize = 160;
/// Values of each of two inputs.
const MOST_OF_TWO: usize = 28;
/// Spent on one function; what was run by then is shown if it covers all.
const BUDGET: Duration = Duration::from_secs(5);
/// Beyond that a graph shows nothing any more.
const MOST_FUNCTIONS: usize = 120;

/// Runs samples and relates functions. The reports are parallel to the pairs of the alignment.
pub(super) fn pictures(session: &Session<'_>, aligned: &Aligned, reports: &[FunctionReport]) -> Pictures {
    let Aligned { loaded, alignment, .. } = aligned;
    session.progress.step("Sampling differences");
    let sample = |(pair, report): (&Pair, &FunctionReport)| {
        let Verdict::Differs { witnesses, .. } = &report.verdict else { return None };
        let native = subject::native(session, aligned, pair)?;
        Some((report.path.clone(), samples(native, witnesses)?))
    };
    let samples = alignment.pairs.par_iter().zip(reports).filter_map(sample).collect();
    Pictures { samples, runs: runs(loaded, alignment, reports) }
}

/// A number by its place among all of its type, so that order and middle are those of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Int(IntTy),
    F32,
    F64,
}

impl Number {
    fn of(value: &Value) -> Option<(Number, u128)> {
        match value {
            Value::Int { ty, bits } => Some((Number::Int(*ty), bits ^ sign_bit(*ty))),
            Value::F32(bits) if !f32::from_bits(*bits).is_nan() => {
                let sign = 1 << 31;
                let place = if bits & sign == 0 { bits | sign } else { !bits };
                Some((Number::F32, u128::from(place)))
            }
            Value::F64(bits) if !f64::from_bits(*bits).is_nan() => {
                let sign = 1 << 63;
                let place = if bits & sign == 0 { bits | sign } else { !bits };
                Some((Number::F64, u128::from(place)))
            }
            _ => None,
        }
    }

    fn value(self, place: u128) -> Value {
        match self {
            Number::Int(ty) => Value::Int { ty, bits: place ^ sign_bit(ty) },
            Number::F32 => {
                let place = place as u32;
                Value::F32(if place >> 31 == 1 { place ^ (1 << 31) } else { !place })
            }
            Number::F64 => {
                let place = place as u64;
                Value::F64(if place >> 63 == 1 { place ^ (1 << 63) } else { !place })
            }
        }
    }

    /// The places of the least and the greatest value.
    fn bounds(self) -> (u128, u128) {
        let place = |value: Value| Number::of(&value).map_or(0, |(_, place)| place);
        match self {
            Number::Int(ty) => (0, ty.truncate(u128::MAX)),
            Number::F32 => {
                (place(Value::F32(f32::NEG_INFINITY.to_bits())), place(Value::F32(f32::INFINITY.to_bits())))
            }
            Number::F64 => {
                (place(Value::F64(f64::NEG_INFINITY.to_bits())), place(Value::F64(f64::INFINITY.to_bits())))
            }
        }
    }

    /// Bounds, zero, numbers from the sources, each with its neighbours; in the order of how telling they are.
    fn notable(self, literals: &BTreeSet<u128>) -> Vec<u128> {
        let (least, greatest) = self.bounds();
        let mut places = vec![least, greatest];
        match self {
            Number::Int(ty) => {
                let is_signed = ty.signedness() == Signedness::Signed;
                let mut add = |bits: u128| places.push(ty.truncate(bits) ^ sign_bit(ty));
                for number in (0..=2).chain(literals.iter().copied()) {
                    add(number);
                    if is_signed {
                        add(number.wrapping_neg());
                    }
                }
                for literal in literals {
                    [literal.wrapping_sub(1), literal.wrapping_add(1)].into_iter().for_each(&mut add);
                }
            }
            Number::F32 | Number::F64 => {
                let literals =
                    literals.iter().filter(|literal| **literal < 1 << 53).map(|literal| *literal as f64);
                let numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5].into_iter().chain(literals);
                places.extend(numbers.filter_map(|number| self.place_of(number)));
            }
        }
        places
    }

    /// Numbers of all sizes, in their order.
    fn sizes(self) -> Vec<u128> {
        let mut places = Vec::new();
        match self {
            Number::Int(ty) => {
                for exponent in 2..ty.bits() {
                    let power = 1_u128 << exponent;
                    for number in [power, power - 1, power.wrapping_neg()] {
                        places.push(ty.truncate(number) ^ sign_bit(ty));
                    }
                }
            }
            Number::F32 | Number::F64 => {
                for exponent in -30..=30 {
                    let power = 10.0_f64.powi(exponent);
                    places.extend([power, -power].into_iter().filter_map(|number| self.place_of(number)));
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn place_of(self, number: f64) -> Option<u128> {
        let value = match self {
            Number::F32 => Value::F32((number as f32).to_bits()),
            _ => Value::F64(number.to_bits()),
        };
        Number::of(&value).map(|(_, place)| place)
    }

    /// So many values at most: those of the witnesses and their neighbours, then what is notable, then values of all sizes.
    fn choose(self, witnessed: &BTreeSet<u128>, literals: &BTreeSet<u128>, most: usize) -> BTreeSet<u128> {
        let (least, greatest) = self.bounds();
        if greatest - least < 256 && most >= MOST_OF_ONE {
            return (least..=greatest).collect();
        }
        let near = witnessed
            .iter()
            .flat_map(|place| [*place, place.saturating_sub(1), place.saturating_add(1)])
            .filter(|place| (least..=greatest).contains(place));
        let mut chosen = BTreeSet::new();
        // The rest is for the sizes, so that all of the range is seen.
        let telling = most / 2;
        for place in near.chain(self.notable(literals)) {
            if chosen.len() < telling {
                chosen.insert(place);
            }
        }
        chosen.extend([least, greatest]);
        let sizes = self.sizes();
        let room = most.saturating_sub(chosen.len()).min(sizes.len());
        chosen.extend((0..room).map(|part| sizes[part * sizes.len() / room]));
        let parts = most as u128;
        for part in 1..parts {
            if chosen.len() < most {
                chosen.insert(least + (greatest - least) / parts * part);
            }
        }
        chosen
    }
}

fn sign_bit(ty: IntTy) -> u128 {
    match ty.signedness() {
        Signedness::Signed => 1 << (ty.bits() - 1),
        Signedness::Unsigned => 0,
    }
}

fn samples(mut native: Native, witnesses: &[Witness]) -> Option<Samples> {
    let seen: Vec<&Witness> =
        witnesses.iter().filter(|witness| witness.confirmation == Confirmation::Native).collect();
    let first = seen.first()?;
    let numbers: Vec<Number> = first
        .inputs
        .iter()
        .map(|input| Number::of(&input.value).map(|(number, _)| number))
        .collect::<Option<_>>()?;
    let most = match numbers.len() {
        1 => MOST_OF_ONE,
        2 => MOST_OF_TWO,
        _ => return None,
    };
    let literals = native.integers();
    let chosen: Vec<BTreeSet<u128>> = numbers
        .iter()
        .enumerate()
        .map(|(index, number)| {
            let place =
                |witness: &&Witness| Number::of(&witness.inputs.get(index)?.value).map(|(_, place)| place);
            number.choose(&seen.iter().filter_map(place).collect(), &literals, most)
        })
        .collect();
    let started = Instant::now();
    let mut run = |places: &[u128]| -> Option<(Option<Class>, String)> {
        if started.elapsed() > BUDGET {
            return None;
        }
        let inputs: Vec<Value> =
            numbers.iter().zip(places).map(|(number, place)| number.value(*place)).collect();
        Some(match native.both.replay(&Asked::of(&inputs), Care::Sample).ok()? {
            Replay::Same { new, .. } => (None, wording::past(&new)),
            Replay::Differs { old, new } => {
                let change = format!("{}, now {}", wording::past(&old), wording::present(&new));
                (Some(Class::of(&old, &new)), change)
            }
            Replay::Doubtful(doubt) => (None, wording::doubt(&doubt)),
        })
    };
    let mut found: BTreeMap<Vec<u128>, (Option<Class>, String)> = BTreeMap::new();
    match chosen.as_slice() {
        [only] => {
            for place in only {
                found.insert(vec![*place], run(&[*place])?);
            }
            narrow(&mut found, &mut run)?;
        }
        [first, second] => {
            for place in first {
                for other in second {
                    found.insert(vec![*place, *other], run(&[*place, *other])?);
                }
            }
        }
        _ => return None,
    }
    let mut positions: Vec<BTreeMap<u128, usize>> = Vec::new();
    let mut axes = Vec::new();
    for (index, number) in numbers.iter().enumerate() {
        let places: BTreeSet<u128> = found.keys().map(|places| places[index]).collect();
        let name = first.inputs[index].name.clone();
        axes.push(Axis { name, values: places.iter().map(|place| number.value(*place)).collect() });
        positions.push(places.into_iter().enumerate().map(|(position, place)| (place, position)).collect());
    }
    let point = |(places, (class, change)): (Vec<u128>, (Option<Class>, String))| Point {
        at: places.iter().zip(&positions).map(|(place, of)| of[place]).collect(),
        class,
        change,
    };
    let is_all = match numbers.as_slice() {
        [only] => only.bounds().1 - only.bounds().0 < found.len() as u128,
        _ => false,
    };
    let extent = if is_all { Extent::All } else { Extent::Some };
    Some(Samples { axes, points: found.into_iter().map(point).collect(), extent })
}

/// Runs the middle between neighbours that do not show the same, until they are next to each other. None if the time is over.
fn narrow(
    found: &mut BTreeMap<Vec<u128>, (Option<Class>, String)>,
    run: &mut impl FnMut(&[u128]) -> Option<(Option<Class>, String)>,
) -> Option<()> {
    let ends: Vec<(u128, u128)> = found
        .iter()
        .zip(found.iter().skip(1))
        .filter(|((_, (class, _)), (_, (next, _)))| class != next)
        .map(|((place, _), (next, _))| (place[0], next[0]))
        .collect();
    for (mut low, mut high) in ends {
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let seen = run(&[middle])?;
            let is_like_low = found.get(&vec![low]).is_some_and(|(class, _)| *class == seen.0);
            found.insert(vec![middle], seen);
            if is_like_low {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
    Some(())
}

/// Among the functions that may have changed: which may come to run which, without what follows by way of a third.
fn runs(loaded: &Loaded, alignment: &Alignment, reports: &[FunctionReport]) -> BTreeMap<String, Vec<String>> {
    let touched: Vec<(FnId, &str)> = alignment
        .pairs
        .iter()
        .zip(reports)
        .filter(|(pair, _)| !matches!(pair.kind, ChangeKind::Unchanged | ChangeKind::Removed))
        .filter_map(|(pair, report)| Some((pair.new?, report.path.as_str())))
        .collect();
    if touched.len() > MOST_FUNCTIONS {
        return BTreeMap::new();
    }
    let starts: Vec<FnId> = touched.iter().map(|(id, _)| *id).collect();
    let reached: HashMap<FnId, _> =
        starts.iter().copied().zip(functions_reached(&loaded.new.program, &starts)).collect();
    let reaches = |from: FnId, to: FnId| from != to && reached[&from].contains(&to);
    let is_by_way = |from: FnId, to: FnId| {
        starts.iter().any(|between| {
            // Functions that run each other are one: nothing goes by way of them.
            let is_apart = !reaches(*between, from) && !reaches(to, *between);
            is_apart && reaches(from, *between) && reaches(*between, to)
        })
    };
    let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, path) in &touched {
        for (to, other) in &touched {
            if reaches(*from, *to) && !is_by_way(*from, *to) {
                runs.entry((*path).to_owned()).or_default().push((*other).to_owned());
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(value: Value) -> u128 {
        Number::of(&value).expect("a number").1
    }

    #[test]
    fn numbers_keep_their_order() {
        let ints = [i128::from(i16::MIN), -2, -1, 0, 1, i128::from(i16::MAX)];
        let places: Vec<u128> = ints.iter().map(|int| place(Value::int(IntTy::I16, *int))).collect();
        assert!(places.is_sorted() && places[0] == 0 && places[5] == 0xffff, "{places:?}");
        let floats = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];
        let places: Vec<u128> = floats.iter().map(|float| place(Value::F64(float.to_bits()))).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert_eq!(Number::of(&Value::F32(f32::NAN.to_bits())), None);
    }

    #[test]
    fn a_place_tells_its_value() {
        let values = [
            Value::int(IntTy::I64, -7),
            Value::int(IntTy::U128, i128::MAX),
            Value::int(IntTy::I128, i128::MIN),
            Value::F32((-2.5_f32).to_bits()),
            Value::F64(f64::MIN_POSITIVE.to_bits()),
        ];
        for value in values {
            let (number, place) = Number::of(&value).expect("a number");
            assert_eq!(number.value(place), value);
            assert!((number.bounds().0..=number.bounds().1).contains(&place), "{value}");
        }
    }

    #[test]
    fn all_values_of_a_small_type_are_chosen() {
        let none = BTreeSet::new();
        assert_eq!(Number::Int(IntTy::I8).choose(&none, &none, MOST_OF_ONE).len(), 256);
        let witness = BTreeSet::from([123_456_789]);
        let chosen = Number::Int(IntTy::U64).choose(&witness, &BTreeSet::from([1000]), MOST_OF_ONE);
        assert!(chosen.len() <= MOST_OF_ONE, "{}", chosen.len());
        for place in [0, 1, 999, 1000, 1001, 123_456_788, 123_456_789, 123_456_790, u128::from(u64::MAX)] {
            assert!(chosen.contains(&place), "{place}");
        }
    }

    #[test]
    fn the_place_of_a_change_is_found() {
        let mut runs = 0;
        let mut run = |places: &[u128]| {
            runs += 1;
            Some(((1_000..2_000).contains(&places[0]).then_some(Class::Behaviour), String::new()))
        };
        let mut found = BTreeMap::new();
        for place in [0, 1_500, u128::from(u64::MAX)] {
            found.insert(vec![place], run(&[place]).expect("it runs"));
        }
        narrow(&mut found, &mut run).expect("there is time");
        let classes: Vec<_> = [999, 1_000, 1_999, 2_000].iter().map(|place| found[&vec![*place]].0).collect();
        assert_eq!(classes, [None, Some(Class::Behaviour), Some(Class::Behaviour), None]);
        assert!(runs < 100, "{runs}");
    }
}
