//! What stands for generic parameters that no type of the standard library can stand for: closures and hashers. The real
//! library has no such module; native runs have types of the same names and fields (`harness/glue/stand_ins.rs`).

/// A hasher that keeps what it is fed, and in which pieces. A hash is computed from nothing else, so code that feeds two
/// such hashers alike feeds every hasher alike that keeps to the provided methods.
pub struct Recorder {
    pub bytes: Vec<u8>,
    /// The length of each piece.
    pub pieces: Vec<usize>,
}

impl crate::hash::Hasher for Recorder {
    fn finish(&self) -> u64 {
        crate::intrinsics::unmodelled("the value of a hash")
    }
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.pieces.push(bytes.len());
    }
}

/// A pure function: what it is for two arguments, and for all others. The executor runs [`Function::answer`] where one is
/// called. `Arguments` is a tuple.
pub struct Function<Arguments, Answer> {
    pub answers: [(Arguments, Answer); 2],
    pub otherwise: Answer,
}

impl<Arguments: PartialEq, Answer: Clone> Function<Arguments, Answer> {
    pub fn answer(&self, arguments: Arguments) -> Answer {
        if self.answers[0].0 == arguments {
            self.answers[0].1.clone()
        } else if self.answers[1].0 == arguments {
            self.answers[1].1.clone()
        } else {
            self.otherwise.clone()
        }
    }
}
