//! What arguments lead to when a call begins, through references in the place of which the call may put others.
//!
//! *Idea.* `*slot.take().unwrap() = 1` of a `&mut Option<&mut u8>` writes what its caller lent and sees again, and leaves `None` in the argument. So what is compared is not
//! only where arguments lead when the call is over: what a `&mut` refers to is looked at as it was before, too, with what its references lead to afterwards. Places that neither
//! leads to, as they were found through a reference that was replaced itself, are hidden outputs: no native run shows them, and a proof needs them to be the same.
//!
//! *Limits.* Places behind raw pointers, boxes and objects are none of these.

use super::cells::{Holdings, has_cells, replaces_references};
use super::input::is_formatter;
use super::machine::Machine;
use super::memory::Location;
use super::output::Output;
use super::run::Stop;
use super::tree::{Pointer, Step, Tree, Window};
use crate::ir::{Mutability, Ty, TyKind};
use crate::value::Value;

/// A place with the type of what is there.
#[derive(Clone, Debug)]
pub struct Place {
    pointer: Pointer,
    ty: Ty,
}

impl Place {
    /// Whether it is the same part of memory, on this run.
    fn is(&self, other: &Place) -> bool {
        let step = |step: &Step| match step {
            Step::Field(index) => (0, *index as u128),
            Step::Index(index) => (1, index.bits),
        };
        let window = |window: &Window| (window.start.bits, window.len.bits);
        let [a, b] = [&self.pointer.target, &other.pointer.target];
        a.alloc == b.alloc
            && a.path.iter().map(step).eq(b.path.iter().map(step))
            && a.window.as_ref().map(window) == b.window.as_ref().map(window)
    }
}

/// What an argument leads to.
#[derive(Default)]
pub struct Lent {
    /// What a `&mut` refers to, with its type.
    pub before: Option<(Tree, Ty)>,
    pub places: Vec<Place>,
}

impl Machine<'_, '_, '_> {
    /// What the argument leads to now.
    pub fn lent_in(&mut self, arg: &Tree, ty: &Ty) -> Result<Lent, Stop> {
        if ty.pointee().is_some_and(is_formatter) || !replaces_references(self.image.program, ty) {
            return Ok(Lent::default());
        }
        let before = match (arg, ty.kind()) {
            (Tree::Pointer(pointer), TyKind::Ref(Mutability::Mut, behind))
                if Holdings::of(self.image.program, behind).shows_writes() =>
            {
                Some((self.read(Location::of(pointer))?, behind.clone()))
            }
            _ => None,
        };
        Ok(Lent { before, places: self.output(arg.clone(), ty)?.places })
    }

    /// Adds what is now at those of the places that are not in the output: a value that an argument led to when the call began may have been left for another one.
    pub fn add_places(&mut self, places: &[Place], output: &mut Output) -> Result<(), Stop> {
        for place in places {
            if output.places.iter().any(|known| known.is(place)) {
                continue;
            }
            let target = self.read(Location::of(&place.pointer))?;
            let hidden = match target {
                // Its last owner let it go.
                Tree::Uninit => Value::Opaque("freed".into()),
                target => self.flatten(target, &place.ty, output, 1)?,
            };
            output.hidden.push(hidden);
        }
        Ok(())
    }

    /// Notes what is written through a reference to it.
    pub(super) fn note_place(&self, pointer: &Pointer, ty: &Ty, pointee: &Ty, output: &mut Output) {
        let is_written = match ty.kind() {
            TyKind::Ref(Mutability::Mut, _) => true,
            TyKind::Ref(Mutability::Shared, _) => has_cells(self.image.program, pointee),
            // A box is its owner's alone.
            _ => false,
        };
        if is_written {
            output.places.push(Place { pointer: pointer.clone(), ty: pointee.clone() });
        }
    }
}
