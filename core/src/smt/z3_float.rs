//! Terms on floats in Z3's theory of floating point.
//!
//! A float is a bit vector here and a value of its own sort there. Z3's interface offers the way from the sort to bits
//! only; for the other way a fresh constant of the sort is defined by the bits that it must have. For each operand
//! there is such a constant, so the definitions never exclude a model.
//!
//! Not told to Z3: `%`, `mul_add`, functions of no fixed precision, and integers of so many bits that the conversion rounds. They are functions of
//! which nothing is known: what is unsatisfiable then is so, and a model has to pass the evaluation of the terms anyway.

use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{FuncDecl, Sort};

use super::z3_engine::number;
use crate::ir::{FloatTy, Signedness};
use crate::term::{FloatOp, TermId};

/// Constants of Z3's sort and what defines them, by the term with the bits.
#[derive(Default)]
pub(super) struct Floats {
    known: FxHashMap<TermId, Float>,
    definitions: FxHashMap<TermId, Vec<Bool>>,
    untold: FxHashSet<TermId>,
}

/// An operand: the term, its bits in Z3, and its value if it is a constant.
pub(super) struct Operand {
    pub term: TermId,
    pub bits: BV,
    pub constant: Option<u128>,
}

impl Floats {
    pub fn clear(&mut self) {
        *self = Floats::default();
    }

    /// What must be asserted along with a question that mentions the term.
    pub fn definitions_of(&self, t: TermId) -> &[Bool] {
        self.definitions.get(&t).map_or(&[], Vec::as_slice)
    }

    /// Whether Z3 knows less of the term than it means.
    pub fn is_untold(&self, t: TermId) -> bool {
        self.untold.contains(&t)
    }

    /// The bits of the result of an operation; `t` is the whole term.
    pub fn operation(&mut self, t: TermId, op: FloatOp, ty: FloatTy, args: &[Operand]) -> BV {
        let width = u32::from(op.result_bits(ty));
        let result = match op {
            FloatOp::Rem | FloatOp::MulAdd | FloatOp::Libm(_) => None,
            FloatOp::FromInt(signedness) => self.exact_int(t, ty, signedness, &args[0]),
            FloatOp::ToInt(signedness, _) => {
                let a = self.value(ty, &args[0]);
                return to_int(&a, ty, signedness, width);
            }
            _ => {
                let a = self.value(ty, &args[0]);
                let b = args.get(1).map(|b| self.value(ty, b)).unwrap_or_else(|| a.clone());
                rounding(op, ty, &a, &b)
            }
        };
        let Some(result) = result else {
            self.untold.insert(t);
            return uninterpreted(op, ty, args, width);
        };
        let format = if op == FloatOp::Convert { other(ty) } else { ty };
        let nan = number(format.nan(), format.bits());
        let bits = result.is_nan().ite(&nan, &result.to_ieee_bv());
        self.known.insert(t, result);
        bits
    }

    /// The float with the operand's bits.
    fn value(&mut self, ty: FloatTy, operand: &Operand) -> Float {
        if let Some(bits) = operand.constant {
            return constant(ty, bits);
        }
        if let Some(known) = self.known.get(&operand.term) {
            return known.clone();
        }
        let value = fresh(ty, format!("float{:?}", operand.term));
        let bits = &operand.bits;
        let mask = number(ty.magnitude_mask(), ty.bits());
        let is_nan = bits.bvand(&mask).bvugt(number(ty.infinity(), ty.bits()));
        let has_bits = Bool::and(&[value.is_nan().not(), value.to_ieee_bv().eq(bits)]);
        let definition = is_nan.ite(&value.is_nan(), &has_bits);
        self.known.insert(operand.term, value.clone());
        self.definitions.entry(operand.term).or_default().push(definition);
        value
    }

    /// Of an integer that every value of the format with so many bits can hold exactly.
    fn exact_int(&mut self, t: TermId, ty: FloatTy, signedness: Signedness, int: &Operand) -> Option<Float> {
        let width = int.bits.get_size();
        let exact = match ty {
            FloatTy::F32 => 16,
            FloatTy::F64 => 32,
        };
        if width > exact {
            return None;
        }
        let value = fresh(ty, format!("int{t:?}"));
        let wide = match signedness {
            Signedness::Signed => int.bits.sign_ext(2),
            Signedness::Unsigned => int.bits.zero_ext(2),
        };
        let size = width + 2;
        let to_zero = RoundingMode::round_towards_zero();
        let limit = constant_of(ty, 2f64.powi(width as i32));
        let bounds = [value.le(&limit), value.ge(limit.unary_neg())];
        let integral = value.round_to_integral_with_rounding_mode(&to_zero).eq_fpa(&value);
        let equal = value.to_sbv_with_rounding_mode(&to_zero, size).eq(&wide);
        let zero = BV::from_u64(0, size);
        let positive_zero = Bool::or(&[wide.eq(&zero).not(), value.to_ieee_bv().eq(number(0, ty.bits()))]);
        let definition = Bool::and(&[bounds[0].clone(), bounds[1].clone(), integral, equal, positive_zero]);
        self.definitions.entry(t).or_default().push(definition);
        Some(value)
    }
}

/// What is the same for the same operands.
fn uninterpreted(op: FloatOp, ty: FloatTy, args: &[Operand], width: u32) -> BV {
    let sorts: Vec<Sort> = args.iter().map(|arg| Sort::bitvector(arg.bits.get_size())).collect();
    // A name stands for operands of one size each, as an integer may have any.
    let sizes: Vec<String> = args.iter().map(|arg| arg.bits.get_size().to_string()).collect();
    let name = format!("{op:?} {ty:?} {}", sizes.join(" "));
    let function = FuncDecl::new(name, &sorts.iter().collect::<Vec<_>>(), &Sort::bitvector(width));
    let operands: Vec<&dyn Ast> = args.iter().map(|arg| &arg.bits as &dyn Ast).collect();
    let result = function.apply(&operands);
    result.as_bv().expect("the function gives a bit vector")
}

fn other(ty: FloatTy) -> FloatTy {
    match ty {
        FloatTy::F32 => FloatTy::F64,
        FloatTy::F64 => FloatTy::F32,
    }
}

fn fresh(ty: FloatTy, name: String) -> Float {
    match ty {
        FloatTy::F32 => Float::new_const_float32(name),
        FloatTy::F64 => Float::new_const_double(name),
    }
}

fn constant(ty: FloatTy, bits: u128) -> Float {
    match ty {
        FloatTy::F32 => Float::from_f32(f32::from_bits(bits as u32)),
        FloatTy::F64 => Float::from_f64(f64::from_bits(bits as u64)),
    }
}

fn constant_of(ty: FloatTy, value: f64) -> Float {
    match ty {
        FloatTy::F32 => Float::from_f32(value as f32),
        FloatTy::F64 => Float::from_f64(value),
    }
}

fn rounding(op: FloatOp, ty: FloatTy, a: &Float, b: &Float) -> Option<Float> {
    let nearest = RoundingMode::round_nearest_ties_to_even();
    Some(match op {
        FloatOp::Add => a.add_with_rounding_mode(b.clone(), &nearest),
        FloatOp::Sub => a.sub_with_rounding_mode(b.clone(), &nearest),
        FloatOp::Mul => a.mul_with_rounding_mode(b.clone(), &nearest),
        FloatOp::Div => a.div_with_rounding_mode(b.clone(), &nearest),
        FloatOp::Sqrt => a.sqrt_with_rounding_mode(&nearest),
        FloatOp::Floor => a.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_negative()),
        FloatOp::Ceil => a.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_positive()),
        FloatOp::Trunc => a.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_zero()),
        FloatOp::Round => a.round_to_integral_with_rounding_mode(&RoundingMode::round_nearest_ties_to_away()),
        FloatOp::RoundTiesEven => a.round_to_integral_with_rounding_mode(&nearest),
        FloatOp::Convert => {
            let sort = match other(ty) {
                FloatTy::F32 => Sort::float32(),
                FloatTy::F64 => Sort::double(),
            };
            a.to_fp_with_rounding_mode(&nearest, &sort)
        }
        FloatOp::Rem | FloatOp::FromInt(_) | FloatOp::ToInt(..) | FloatOp::MulAdd | FloatOp::Libm(_) => {
            return None;
        }
    })
}

/// Truncated and saturating; 0 of a NaN.
fn to_int(a: &Float, ty: FloatTy, signedness: Signedness, width: u32) -> BV {
    let to_zero = RoundingMode::round_towards_zero();
    let bits = width as u16;
    let all = crate::term::bits::mask(bits);
    let (within, least, low, most, limit) = match signedness {
        Signedness::Signed => {
            let half = 2f64.powi(width as i32 - 1);
            let within = a.to_sbv_with_rounding_mode(&to_zero, width);
            (within, number((all >> 1) + 1, bits), a.lt(constant_of(ty, -half)), number(all >> 1, bits), half)
        }
        Signedness::Unsigned => {
            let within = a.to_ubv_with_rounding_mode(&to_zero, width);
            let low = a.le(constant_of(ty, 0.0));
            (within, number(0, bits), low, number(all, bits), 2f64.powi(width as i32))
        }
    };
    let high = a.ge(constant_of(ty, limit));
    let inside = high.ite(&most, &within);
    let number_value = low.ite(&least, &inside);
    a.is_nan().ite(&number(0, bits), &number_value)
}
