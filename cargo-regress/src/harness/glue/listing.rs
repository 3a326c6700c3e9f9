// ---------------------------------------------------------------------------------------------------------------
// Every input that there is
//
// A type says how many values it has if they are few and all of them can be made; one that says nothing has too many. An input is the list of
// decisions that make it, each a digit with as many values as there are ways to decide, so to count is to go through all inputs.

/// What is known of how many values types have.
pub struct Domain {
    is_small: bool,
    /// Types around the one that is asked, so that recursion ends.
    depth: usize,
}

/// No more inputs than these are ever run one by one.
const MOST_LISTED: u64 = 1 << 24;

const DEEPEST_DOMAIN: usize = 24;

impl Domain {
    fn new() -> Domain {
        Domain { is_small: true, depth: 0 }
    }

    /// Of a type with too many values, or of which not all can be made.
    pub fn open(&mut self) -> u64 {
        self.is_small = false;
        0
    }

    fn known(&mut self, size: u64) -> u64 {
        if size > MOST_LISTED {
            return self.open();
        }
        size
    }

    /// Of so many values each with one of another type.
    pub fn times<T: Build>(&mut self, size: u64) -> u64 {
        if !self.is_small || self.depth > DEEPEST_DOMAIN {
            return self.open();
        }
        self.depth += 1;
        let other = T::size(self);
        self.depth -= 1;
        let product = size.saturating_mul(other);
        self.known(product)
    }

    pub fn plus(&mut self, a: u64, b: u64) -> u64 {
        self.known(a.saturating_add(b))
    }

    /// None if the types that were asked have too many values.
    fn told(&self, size: u64) -> Option<u64> {
        if self.is_small { Some(size) } else { None }
    }
}

/// The decisions of one input, in their order, each below its bound.
pub struct Listing {
    digits: Vec<u32>,
    bounds: Vec<u32>,
    at: usize,
}

impl Listing {
    /// Begins with these decisions; what comes after them is decided for the first way.
    fn at(digits: Vec<u32>) -> Listing {
        let bounds = std::vec![0; digits.len()];
        Listing { digits, bounds, at: 0 }
    }

    fn digit(&mut self, bound: u32) -> Result<u32, Misfit> {
        if self.at == self.digits.len() {
            self.digits.push(0);
            self.bounds.push(bound);
        }
        self.bounds[self.at] = bound;
        let digit = self.digits[self.at];
        self.at += 1;
        if digit < bound { Ok(digit) } else { Err(Misfit(String::from("a type without values"))) }
    }

    /// Goes to the next input; whether there is one.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.at);
        self.bounds.truncate(self.at);
        self.at = 0;
        while let (Some(digit), Some(bound)) = (self.digits.pop(), self.bounds.pop()) {
            if digit + 1 < bound {
                self.digits.push(digit + 1);
                self.bounds.push(bound);
                return true;
            }
        }
        false
    }
}

impl Source {
    /// The next decision, if all inputs are gone through.
    fn listed(&mut self, bound: u32) -> Option<Result<u32, Misfit>> {
        match self.origin {
            Origin::Listed(ref mut listing) => Some(listing.digit(bound)),
            _ => None,
        }
    }

    fn is_told(&self) -> bool {
        match self.origin {
            Origin::Tokens { .. } => true,
            _ => false,
        }
    }
}

/// Characters, those that are none (surrogates) left out.
const CHARACTERS: u32 = 0x11_0000 - 0x800;

fn listed_character(number: u32) -> Result<char, Misfit> {
    let code = if number < 0xd800 { number } else { number + 0x800 };
    std::char::from_u32(code).ok_or_else(|| Misfit(std::format!("no character {}", code)))
}

/// What is told of inputs that were gone through.
struct Went {
    done: u64,
    panicked: u64,
    /// Inputs that could not be made.
    missed: u64,
    /// Something of an input or outcome was shown as mere text, or a panic had words of the language, which say little of what raised it.
    opaque: bool,
}

impl Session {
    /// Runs inputs in their order, from the one with these decisions on, and tells a digest for so many at a time.
    fn list(&mut self, call: Call, block: u64, count: u64, digits: Vec<u32>) -> Option<()> {
        let began = std::time::Instant::now();
        let mut listing = Listing::at(digits);
        let mut went = Went { done: 0, panicked: 0, missed: 0, opaque: false };
        let mut folded = Vec::new();
        let mut is_more = true;
        self.digests = Some(Vec::new());
        while is_more && went.done < count && began.elapsed() < SLICE {
            if let Some(ref mut digests) = self.digests {
                digests.clear();
            }
            let end = std::cmp::min(count, went.done + block);
            while is_more && went.done < end {
                listing = self.step_listed(call, listing, went.done);
                went.done += 1;
                went.panicked += if self.returned { 0 } else { 1 };
                went.opaque |= [&self.inputs, &self.outcome, &self.mutated].iter().any(|text| text.contains("\"opaque\":"));
                if !self.returned {
                    went.opaque |= WORDS_OF_LANGUAGE.iter().any(|words| self.outcome.contains(*words));
                }
                is_more = listing.advance();
            }
            if let Some(ref digests) = self.digests {
                went.missed += digests.iter().filter(|digest| **digest == NO_RUN).count() as u64;
                folded.push(if block == 1 { digests.get(0).cloned().unwrap_or(NO_RUN) } else { fold(digests) });
            }
        }
        self.digests = Some(folded);
        self.tell_digests()?;
        std::write!(
            self.link.writer,
            "N {} {} {} {} {}",
            went.done, went.panicked - went.missed, went.missed, went.opaque as u8, is_more as u8
        )
        .ok()?;
        for digit in listing.digits {
            std::write!(self.link.writer, " {}", digit).ok()?;
        }
        self.link.writer.write_all(b"\n").ok()
    }

    /// Tells runs on some of the inputs, by how far they are behind the one with these decisions.
    fn tell_listed(&mut self, call: Call, wanted: &[u64], digits: Vec<u32>) -> Option<()> {
        let mut listing = Listing::at(digits);
        let mut wanted = wanted.iter().peekable();
        let mut index = 0;
        while let Some(next) = wanted.peek().cloned().cloned() {
            self.passes_over = index < next;
            listing = self.step_listed(call, listing, index);
            self.passes_over = false;
            if index == next {
                wanted.next();
            }
            index += 1;
            if !listing.advance() {
                break;
            }
        }
        Some(())
    }

    fn step_listed(&mut self, call: Call, listing: Listing, index: u64) -> Listing {
        self.reset(Origin::Listed(listing), index);
        self.step(call);
        match std::mem::replace(&mut self.source.origin, Origin::Tokens { tokens: Vec::new(), at: 0 }) {
            Origin::Listed(listing) => listing,
            _ => Listing::at(Vec::new()),
        }
    }
}

/// Another for each row that differs in one place (FNV-1a).
fn fold(digests: &[u64]) -> u64 {
    let fold = |hash: u64, digest: &u64| (hash ^ *digest).wrapping_mul(0x0100_0000_01b3);
    digests.iter().fold(0xcbf2_9ce4_8422_2325u64, fold)
}
