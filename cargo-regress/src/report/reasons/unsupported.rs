//! What the engine does not do, as a noun: "a cast to f16", behind "the engine does not support".

use regress_core::verdict::unsupported::{
    Bounded, CallTrouble, Cast, Control, Dropped, ItemKind, OnNumbers, OpaqueConstant, PointerUse, Positions,
    TypeQuestion, UndefinedBehaviour, UnshownOutput, Unsupported, Use, ValueKind, Written,
};

/// What is not supported.
pub fn unsupported(what: &Unsupported) -> String {
    match what {
        Unsupported::Output(output) => unshown(output),
        Unsupported::Use { value, by } => used(&kind(value), *by),
        Unsupported::Type { ty, asked } => of_type(ty, asked),
        Unsupported::Numbers(numbers) => on_numbers(numbers),
        Unsupported::Cast(cast) => cast_of(cast),
        Unsupported::Pointer(pointer) => pointer_use(pointer),
        Unsupported::UndefinedBehaviour(what) => format!("undefined behaviour: {}", undefined(what)),
        Unsupported::Uninitialised => "a read of memory that the engine holds to be uninitialised".to_owned(),
        Unsupported::Drop(dropped) => drop_of(dropped),
        Unsupported::Control(control) => control_at(control),
        Unsupported::Call { callee, trouble } => call_of(callee, trouble),
        Unsupported::SeveralOf { item, path } => {
            let item = match item {
                ItemKind::Type => "type",
                ItemKind::Constant => "constant",
                ItemKind::Closure => "closure",
            };
            format!("the {item} {path}, of which there are several")
        }
        Unsupported::Static { path, written: Written::Directly } => format!("the mutable static `{path}`"),
        Unsupported::Static { path, written: Written::ThroughCells } => {
            format!("the static `{path}`, which can be written")
        }
        Unsupported::Constant(OpaqueConstant::Param { name }) => {
            format!("the generic constant {name} without a value")
        }
        Unsupported::Constant(OpaqueConstant::Text { text }) => format!("the constant `{text}`"),
        Unsupported::Override { trait_path, self_ty, method } => format!(
            "what the standard library calls of `{trait_path}` for `{self_ty}`, which has its own `{method}`"
        ),
        Unsupported::PartialSequence => "a sequence some of whose elements may be missing".to_owned(),
        Unsupported::BoxOfNoSequence => "a vector made of a box that holds no sequence".to_owned(),
        Unsupported::PanicsOfTheLanguage => {
            "panics in the words of the language, which only what raised them tells apart".to_owned()
        }
        Unsupported::Refused(why) => super::refused(why),
        Unsupported::NotShown(why) => super::not_run(why),
        Unsupported::Build(build) => super::other_build(build),
    }
}

fn unshown(output: &UnshownOutput) -> String {
    match output {
        UnshownOutput::OfType { ty } => format!("an output of type {ty}"),
        UnshownOutput::Unlike { value, ty } => format!("{} of type {ty} in the output", kind(value)),
        UnshownOutput::PartlyInitialised { ty } => {
            format!("a value of type {ty} that is initialised in part")
        }
        UnshownOutput::NestedTooDeeply => "an output nested too deeply".to_owned(),
        UnshownOutput::OtherMethods => {
            "values whose types the caller is not told, for which something is implemented otherwise, in the output"
                .to_owned()
        }
        UnshownOutput::Formatter => "a formatter that writes elsewhere".to_owned(),
        UnshownOutput::ByteOfText { value } => format!("the byte {value} in a string"),
        UnshownOutput::NoValue => "an outcome without a value".to_owned(),
    }
}

fn kind(value: &ValueKind) -> String {
    match value {
        ValueKind::Uninitialised => "uninitialised memory".to_owned(),
        ValueKind::Scalar(ty) | ValueKind::Adt(ty) => format!("a {ty}"),
        ValueKind::Pointer => "a pointer".to_owned(),
        ValueKind::Address => "a pointer made of a number".to_owned(),
        ValueKind::Tuple => "a tuple".to_owned(),
        ValueKind::Array => "an array".to_owned(),
        ValueKind::Closure => "a closure".to_owned(),
        ValueKind::Function => "a function".to_owned(),
    }
}

fn used(value: &str, by: Use) -> String {
    match by {
        Use::Call => format!("a call of {value}"),
        Use::Operator(op) => format!("{op:?} on {value}"),
        Use::Deref => format!("a dereference of {value}"),
        Use::PointerArithmetic => format!("pointer arithmetic on {value}"),
        Use::NullTest => format!("whether {value} is null"),
        Use::SliceStart => format!("a slice from {value}"),
        Use::Length => format!("the length of {value}"),
        Use::Metadata => format!("the metadata of {value}"),
        Use::FatPointer => format!("a fat pointer from {value}"),
        Use::Discriminant => format!("the discriminant of {value}"),
        Use::SetVariant => format!("setting the variant of {value}"),
        Use::Number => format!("{value} where a number was expected"),
        Use::Sequence => format!("{value} where a sequence was expected"),
        Use::DropOfClosure => format!("a drop of a closure that is {value}"),
    }
}

fn of_type(ty: &str, asked: &TypeQuestion) -> String {
    match asked {
        TypeQuestion::Size => format!("the size of {ty}"),
        TypeQuestion::Alignment => format!("the alignment of {ty}"),
        TypeQuestion::NeedsDrop => format!("whether a {ty} needs to be dropped"),
        TypeQuestion::ZeroSized => format!("a zero-sized value of {ty}"),
        TypeQuestion::Zeroed => format!("a {ty} whose bytes are zero"),
        TypeQuestion::UninitialisedMemory => format!("uninitialised memory for a {ty}"),
        TypeQuestion::Value => format!("a value of {ty}"),
        TypeQuestion::Constant => format!("a constant of type {ty}"),
        TypeQuestion::Union => format!("the union {ty}"),
        TypeQuestion::NoVariant => format!("a value of {ty} without a variant"),
        TypeQuestion::UndeclaredVariant { name } => {
            format!("the variant {ty}::{name}, which is not declared")
        }
        TypeQuestion::VariantOfUnknown => format!("a variant of the unknown enum {ty}"),
        TypeQuestion::DiscriminantOfUnknown => format!("the discriminant of the unknown enum {ty}"),
    }
}

fn on_numbers(numbers: &OnNumbers) -> String {
    match numbers {
        OnNumbers::OnFloats(op) => format!("{op:?} on floats"),
        OnNumbers::OfFloat(op) => format!("{op:?} of a float"),
        OnNumbers::Checked(op) => format!("checked {op:?}"),
        OnNumbers::BitsOfNan => "the bits or the sign of a NaN".to_owned(),
        OnNumbers::DivisionByUncheckedZero => "division by an unchecked zero".to_owned(),
        OnNumbers::Arguments { ty, op, given } => format!("{ty}: {op} with {given} arguments"),
        OnNumbers::ArrayOf { count } => format!("an array of {count} elements"),
    }
}

fn cast_of(cast: &Cast) -> String {
    match cast {
        Cast::To { ty } => format!("a cast to {ty}"),
        Cast::Numbers { kind, to } => format!("the cast {kind:?} to {to}"),
        Cast::Value { kind: cast, value, to } => format!("the cast {cast:?} of {} to {to}", kind(value)),
        Cast::Pointer { kind, from: Some(from), to } => format!("the cast {kind:?} of a {from} to {to}"),
        Cast::Pointer { kind, from: None, to } => format!("the cast {kind:?} of a pointer to {to}"),
        Cast::Counted { from, to } => format!("the cast of a {from} to {to}"),
        Cast::Transmute { value, to } => format!("a transmute of {} to {to}", kind(value)),
        Cast::Address => "the address of a pointer as a number".to_owned(),
    }
}

fn pointer_use(pointer: &PointerUse) -> String {
    match pointer {
        PointerUse::ArithmeticOnCast { ty } => format!("arithmetic on a pointer to a {ty} that was cast"),
        PointerUse::ArithmeticOnLone => "arithmetic on a pointer to no element of a sequence".to_owned(),
        PointerUse::SliceFromLone => "a slice from a pointer to no element of a sequence".to_owned(),
        PointerUse::NoRoom(asked) => {
            format!("{} of pointers to what may take no room", positions(*asked))
        }
        PointerUse::Apart(asked) => {
            format!("{} of pointers that do not point into one sequence", positions(*asked))
        }
        PointerUse::AddressWithPointer => "a comparison of an address with a pointer".to_owned(),
        PointerUse::MayHaveMoved => {
            "a comparison of addresses in a vector or string, whose elements may have moved".to_owned()
        }
        PointerUse::AsOtherType { ty } => format!("an access to a {ty} through a pointer to another type"),
        PointerUse::UncheckedBounds => {
            "an access through a raw pointer whose bounds were not looked at".to_owned()
        }
        PointerUse::Unsized => "assignment to an unsized place".to_owned(),
        PointerUse::WriteThroughShared => {
            "a write through a pointer that comes from a shared reference".to_owned()
        }
        PointerUse::OpenPart => "a copy of a part of a sequence whose bounds depend on the input".to_owned(),
        PointerUse::NotConcrete => "an access that cannot be made concrete".to_owned(),
    }
}

fn positions(asked: Positions) -> &'static str {
    match asked {
        Positions::Comparison => "a comparison",
        Positions::Distance => "the distance",
        Positions::Copy => "a copy between places that must not overlap",
    }
}

fn undefined(what: &UndefinedBehaviour) -> String {
    match what {
        UndefinedBehaviour::OutOfBounds(Bounded::Pointer) => "a pointer out of bounds is used".to_owned(),
        UndefinedBehaviour::OutOfBounds(Bounded::PointerArithmetic) => {
            "pointer arithmetic out of bounds".to_owned()
        }
        UndefinedBehaviour::OutOfBounds(Bounded::Slice) => "a slice out of bounds".to_owned(),
        UndefinedBehaviour::OutOfBounds(Bounded::Array) => "an array out of bounds".to_owned(),
        UndefinedBehaviour::OverlappingCopy => "a copy between places that overlap".to_owned(),
        UndefinedBehaviour::NoCharacter => "a number taken for a character that is none".to_owned(),
        UndefinedBehaviour::ReadThrough(value) => format!("a read through {}", kind(value)),
        UndefinedBehaviour::WriteThrough(value) => format!("a write through {}", kind(value)),
        UndefinedBehaviour::WriteThroughShared => {
            "a write through a pointer that comes from a shared reference".to_owned()
        }
        UndefinedBehaviour::Zero { ty } => format!("zero as a {ty}"),
    }
}

fn drop_of(dropped: &Dropped) -> String {
    match dropped {
        Dropped::OfType { ty } => format!("a drop of a {ty}"),
        Dropped::NoDestructor { ty } => format!("the destructor of {ty}, which has no body here"),
        Dropped::NotA { ty } => format!("a drop of a {ty} that is none"),
        Dropped::UnknownDyn { ty } => format!("a drop of a {ty} of unknown type"),
        Dropped::PlaceOfUnknownType => "a drop of a place of unknown type".to_owned(),
        Dropped::VectorOfUnknownType => "a drop of a vector of unknown type".to_owned(),
        Dropped::BoxOfNone => "a drop of a box that is none".to_owned(),
        Dropped::UnknownCapture => "a drop of a closure that owns a value of unknown type".to_owned(),
    }
}

fn control_at(control: &Control) -> String {
    match control {
        Control::Unreachable => "control reached `unreachable`".to_owned(),
        Control::CleanUp => "control reached a clean-up block".to_owned(),
        Control::Returned => "a function declared to diverge returned".to_owned(),
        Control::NoArm => "a switch without an arm for its value".to_owned(),
        Control::HeldUpPanic => "a panic that clean-up may not let out".to_owned(),
        Control::Terminator { text } => text.clone(),
    }
}

fn call_of(callee: &str, trouble: &CallTrouble) -> String {
    match trouble {
        CallTrouble::Returned => format!("{callee} returned"),
        CallTrouble::Arguments { given, taken } => {
            format!("a call of {callee} with {given} arguments, which takes {taken}")
        }
        CallTrouble::NoArguments => format!("a call of {callee} without arguments"),
        CallTrouble::NoType => format!("{callee} without its type"),
        CallTrouble::Result => format!("the result of {callee}"),
        CallTrouble::MadeNone => format!("an argument that `{callee}` makes"),
    }
}
