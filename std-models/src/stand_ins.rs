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

/// Makes hashers that all compute one function: FNV-1a.
pub struct Hashes;

pub struct FixedHasher {
    pub state: u64,
}

impl crate::hash::Hasher for FixedHasher {
    fn finish(&self) -> u64 {
        self.state
    }
    fn write(&mut self, bytes: &[u8]) {
        let len = bytes.len();
        let mut index = 0;
        while index < len {
            self.state = (self.state ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
            index = index.wrapping_add(1);
        }
    }
}

impl crate::hash::BuildHasher for Hashes {
    type Hasher = FixedHasher;
    fn build_hasher(&self) -> FixedHasher {
        FixedHasher { state: 0xcbf2_9ce4_8422_2325 }
    }
}

impl crate::fmt::Debug for Hashes {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("Hashes")
    }
}

impl Clone for Hashes {
    fn clone(&self) -> Hashes {
        Hashes
    }
}

impl Default for Hashes {
    fn default() -> Hashes {
        Hashes
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
