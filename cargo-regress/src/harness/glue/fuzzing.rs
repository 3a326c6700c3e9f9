// ---------------------------------------------------------------------------------------------------------------
// Inputs found by fuzzing
//
// An input is the choices of the random source that made it. Batches are made of a corpus that stands still meanwhile and of numbers, so
// that the workers of both versions, each with the same corpus, make the same batch without a word about its inputs. What brings new
// coverage in one of them is told, and the parent has both add it to their corpora.

/// A branch or a comparison was executed so often, or its operands were so close: bits by counter.
struct Guide {
    seen: Vec<u8>,
    /// Whether the last call brought anything new.
    is_new: bool,
}

/// What an operand of a comparison is replaced with.
#[derive(Clone, PartialEq)]
enum Operand {
    /// In so many bytes.
    Number(u64, usize),
    Bytes(Vec<u8>),
}

struct Entry {
    choices: Vec<Choice>,
    /// Operands of comparisons in the calls on it, found in it.
    pairs: Vec<(Operand, Operand)>,
}

struct Fuzzer {
    call: Option<Call>,
    max_len: usize,
    max_depth: usize,
    as_made: bool,
    corpus: Vec<Entry>,
    known: Rc<Dictionary>,
}

/// Of an input that grows.
const MOST_CHOICES: usize = 4096;
const LONGEST_TEXT: usize = 1024;
/// Of one entry.
const MOST_PAIRS: usize = 64;
/// Entries that brought something new last are tried more often than others.
const YOUNG: usize = 12;
/// Sequences of an input drawn anew have so many elements beyond the bound.
const FRESH_LONG: usize = 300;

impl Guide {
    fn new() -> Guide {
        Guide { seen: Vec::new(), is_new: false }
    }

    /// A call begins: all counters are 0.
    fn enter(&mut self) {
        for (start, end) in sancov::regions() {
            // See `leave`; nothing that is instrumented runs meanwhile.
            unsafe { std::ptr::write_bytes(start as *mut u8, 0, end - start) };
        }
        sancov::activate(true);
    }

    /// It is over.
    fn leave(&mut self) {
        sancov::activate(false);
        self.is_new = false;
        let mut at = 0;
        for (start, end) in sancov::regions() {
            if self.seen.len() < at + (end - start) {
                self.seen.resize(at + (end - start), 0);
            }
            // The counters lie there as long as the process lives, and this thread alone reads them.
            let counters = unsafe { std::slice::from_raw_parts(start as *const u8, end - start) };
            let (head, words, tail) = unsafe { counters.align_to::<u64>() };
            for (offset, count) in head.iter().enumerate() {
                self.mark(at + offset, *count);
            }
            for (offset, word) in words.iter().enumerate() {
                if *word != 0 {
                    for (byte, count) in word.to_ne_bytes().iter().enumerate() {
                        self.mark(at + head.len() + 8 * offset + byte, *count);
                    }
                }
            }
            for (offset, count) in tail.iter().enumerate() {
                self.mark(at + head.len() + 8 * words.len() + offset, *count);
            }
            at += end - start;
        }
    }

    fn mark(&mut self, at: usize, count: u8) {
        let bit = match count {
            0 => return,
            1 => 1,
            2 => 2,
            3 => 4,
            4..=7 => 8,
            8..=15 => 16,
            16..=31 => 32,
            32..=127 => 64,
            _ => 128,
        };
        if self.seen[at] & bit == 0 {
            self.seen[at] |= bit;
            self.is_new = true;
        }
    }
}

impl Fuzzer {
    fn none() -> Fuzzer {
        Fuzzer::of(None, &[0, 0, 0], &Rc::default())
    }

    fn new(call: Call, settings: &[usize], known: &Rc<Dictionary>) -> Fuzzer {
        Fuzzer::of(Some(call), settings, known)
    }

    fn of(call: Option<Call>, settings: &[usize], known: &Rc<Dictionary>) -> Fuzzer {
        Fuzzer {
            call,
            max_len: settings[0],
            max_depth: settings[1],
            as_made: settings[2] == 1,
            corpus: Vec::new(),
            known: Rc::clone(known),
        }
    }

    /// How many sets of counters there are; none if nothing is instrumented.
    fn counters() -> usize {
        sancov::regions().len()
    }

    /// Does what the parent asks for; none if it is nonsense.
    fn command(&mut self, session: &mut Session, command: &str, words: Vec<String>) -> Option<()> {
        match command {
            "entries" => {
                session.digests = Some(Vec::new());
                let mut told = String::new();
                for words in words.split(|word| word == "|") {
                    let choices = words.iter().map(|word| choice_of(word)).collect::<Option<Vec<Choice>>>()?;
                    let origin = Origin::Random(self.random(0, choices));
                    self.add(session, origin, &mut told)?;
                }
                session.tell_digests()?;
                session.link.writer.write_all(told.as_bytes()).ok()?;
            }
            "seed" => {
                session.digests = Some(Vec::new());
                let mut told = String::new();
                self.add(session, Origin::Tokens { tokens: words, at: 0 }, &mut told)?;
                session.tell_digests()?;
                session.link.writer.write_all(told.as_bytes()).ok()?;
            }
            // Of the last entries, in their order.
            "pairs" => {
                let entries: Vec<&[String]> = words.split(|word| word == "|").collect();
                let first = self.corpus.len().checked_sub(entries.len())?;
                for (entry, words) in self.corpus[first..].iter_mut().zip(entries) {
                    entry.pairs = words.iter().map(|word| pair_of(word)).collect::<Option<Vec<_>>>()?;
                }
            }
            "batch" => {
                let numbers: Vec<u64> = words.iter().map(|word| word.parse().unwrap_or(0)).collect();
                let (seed, first, end) = (*numbers.get(0)?, *numbers.get(1)?, *numbers.get(2)?);
                self.batch(session, seed, first..end)?;
            }
            "entry" => {
                let at: usize = words.get(0)?.parse().ok()?;
                let choices = self.corpus.get(at)?.choices.clone();
                session.reset(Origin::Random(self.random(0, choices)), at as u64);
                session.step(self.call?);
            }
            "tell" => {
                let numbers: Vec<u64> = words.iter().map(|word| word.parse().unwrap_or(0)).collect();
                let (seed, index) = (*numbers.get(0)?, *numbers.get(1)?);
                let random = self.input(seed, index);
                session.reset(Origin::Random(random), index);
                session.step(self.call?);
            }
            _ => return None,
        }
        Some(())
    }

    fn batch(&mut self, session: &mut Session, seed: u64, indices: std::ops::Range<u64>) -> Option<()> {
        let call = self.call?;
        let began = std::time::Instant::now();
        session.digests = Some(Vec::new());
        let mut kept = String::new();
        for index in indices {
            let random = self.input(seed, index);
            session.reset(Origin::Random(random), index);
            session.guided = true;
            session.step(call);
            session.guided = false;
            if std::mem::replace(&mut session.guide.is_new, false) {
                if let Some(random) = session.source.random() {
                    let _ = std::write!(kept, "K {}", index);
                    push_choices(&random.tape.taken, &mut kept);
                    kept.push('\n');
                }
            }
            if began.elapsed() > SLICE {
                break;
            }
        }
        session.tell_digests()?;
        session.link.writer.write_all(kept.as_bytes()).ok()
    }

    /// Runs an input, adds it to the corpus, and tells it and the operands of its comparisons.
    fn add(&mut self, session: &mut Session, origin: Origin, told: &mut String) -> Option<()> {
        session.reset(origin, 0);
        session.guided = true;
        sancov::trace(true);
        session.step(self.call?);
        sancov::trace(false);
        session.guided = false;
        session.guide.is_new = false;
        let choices = match session.source.origin {
            Origin::Random(ref random) => random.tape.taken.clone(),
            Origin::Tokens { .. } | Origin::Listed(_) => session.source.told.clone(),
        };
        told.push_str("K 0");
        push_choices(&choices, told);
        told.push_str("\nP");
        let mut pairs = Vec::new();
        for (a, b) in sancov::operands() {
            let is_told = pairs.len() >= MOST_PAIRS || pairs.contains(&(a.clone(), b.clone()));
            if a != b && !is_told && (!places(&choices, &a).is_empty() || !places(&choices, &b).is_empty()) {
                push_pair(&a, &b, told);
                pairs.push((a, b));
            }
        }
        told.push('\n');
        self.corpus.push(Entry { choices, pairs });
        Some(())
    }

    fn random(&self, state: u64, given: Vec<Choice>) -> Random {
        Random {
            state,
            tape: Tape { is_on: true, given, ..Tape::default() },
            long: FRESH_LONG,
            small: false,
            max_len: self.max_len,
            max_depth: self.max_depth,
            depth: 0,
            known: Rc::clone(&self.known),
            recent: Vec::new(),
            recent_floats: Vec::new(),
            recent_texts: Vec::new(),
            class: Class::Any,
            due: Vec::new(),
            spelled: Vec::new(),
            making: 0,
            steps: 0,
            most_steps: 0,
            failed_steps: 0,
            as_made: self.as_made,
        }
    }

    /// The source of an input of a batch.
    fn input(&self, seed: u64, index: u64) -> Random {
        let mut dice = self.random(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95), Vec::new());
        dice.tape.is_on = false;
        let state = dice.next();
        if self.corpus.is_empty() || dice.below(32) == 0 {
            let mut random = self.random(state, Vec::new());
            random.long = if dice.below(4) == 0 { FRESH_LONG } else { 0 };
            random.due = self.known.rows.get(dice.below(2 * self.known.rows.len())).cloned().unwrap_or_default();
            return random;
        }
        let choices = self.mutated(&mut dice);
        self.random(state, choices)
    }

    fn entry(&self, dice: &mut Random) -> &Entry {
        let all = self.corpus.len();
        let young = std::cmp::min(all, YOUNG);
        if dice.below(3) > 0 { &self.corpus[all - 1 - dice.below(young)] } else { &self.corpus[dice.below(all)] }
    }

    /// An entry with some of its choices changed.
    fn mutated(&self, dice: &mut Random) -> Vec<Choice> {
        let entry = self.entry(dice);
        let mut choices = entry.choices.clone();
        let mut rounds = [1, 1, 1, 2, 2, 4, 8][dice.below(7)];
        while rounds > 0 {
            rounds -= 1;
            match dice.below(16) {
                0..=5 if !entry.pairs.is_empty() => {
                    let (ref a, ref b) = entry.pairs[dice.below(entry.pairs.len())];
                    let (from, to) = if dice.below(2) == 0 { (a, b) } else { (b, a) };
                    replace(&mut choices, from, to, dice);
                }
                6 if !entry.pairs.is_empty() => {
                    let (ref a, ref b) = entry.pairs[dice.below(entry.pairs.len())];
                    shift(&mut choices, a, b, dice);
                }
                0..=9 => tweak(&mut choices, dice),
                10 | 11 => change_buffer(&mut choices, dice),
                12 => change_sequence(&mut choices, dice),
                13 => {
                    let other = self.entry(dice);
                    splice(&mut choices, &other.choices, dice);
                }
                14 => copy_choice(&mut choices, dice),
                _ => {
                    let kept = dice.below(choices.len() + 1);
                    choices.truncate(kept);
                }
            }
            choices.truncate(MOST_CHOICES);
        }
        choices
    }
}

/// Where an operand is found in an input.
#[derive(Clone)]
enum Place {
    /// The choice is it.
    Choice(usize),
    /// The buffer is so long.
    Length(Buffer),
    /// It stands in the buffer, at these bytes, and is written so.
    Within(Buffer, usize, usize, Form),
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Little,
    Big,
    Decimal,
    Character,
    Literal,
}

/// Bytes in a row: those of a text, or the elements of a sequence of bytes, behind its length.
#[derive(Clone)]
struct Buffer {
    at: usize,
    bytes: Vec<u8>,
    is_text: bool,
}

fn buffers(choices: &[Choice]) -> Vec<Buffer> {
    let mut found = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        match *choice {
            Choice::Text(ref text) => found.push(Buffer { at, bytes: text.clone().into_bytes(), is_text: true }),
            Choice::Length(length) if at + length < choices.len() => {
                let byte = |choice: &Choice| match *choice {
                    Choice::Int(value, 8) => Some(value as u8),
                    _ => None,
                };
                let elements = choices[at + 1..at + 1 + length].iter().map(byte).collect::<Option<Vec<u8>>>();
                // A sequence of nothing may be one of bytes.
                if let Some(bytes) = elements {
                    found.push(Buffer { at, bytes, is_text: false });
                }
            }
            _ => {}
        }
    }
    found
}

fn put(choices: &mut Vec<Choice>, buffer: &Buffer, bytes: Vec<u8>) {
    let bytes: Vec<u8> = bytes.into_iter().take(LONGEST_TEXT).collect();
    if buffer.is_text {
        choices[buffer.at] = Choice::Text(String::from_utf8_lossy(&bytes).into_owned());
        return;
    }
    choices[buffer.at] = Choice::Length(bytes.len());
    let elements: Vec<Choice> = bytes.into_iter().map(|byte| Choice::Int(byte as u128, 8)).collect();
    choices.splice(buffer.at + 1..buffer.at + 1 + buffer.bytes.len(), elements);
}

fn written(number: u64, size: usize, form: Form) -> Vec<u8> {
    match form {
        Form::Little | Form::Literal => number.to_le_bytes()[..size].to_vec(),
        Form::Big => number.to_be_bytes()[8 - size..].to_vec(),
        Form::Decimal => number.to_string().into_bytes(),
        Form::Character => {
            let c = std::char::from_u32(number as u32).unwrap_or('a');
            c.to_string().into_bytes()
        }
    }
}

fn position(within: &[u8], wanted: &[u8]) -> Option<usize> {
    if wanted.is_empty() || wanted.len() > within.len() {
        return None;
    }
    within.windows(wanted.len()).position(|window| window == wanted)
}

fn places(choices: &[Choice], operand: &Operand) -> Vec<Place> {
    let mut found = Vec::new();
    match *operand {
        Operand::Number(number, size) => {
            let bits = 8 * size as u32;
            for (at, choice) in choices.iter().enumerate() {
                let is_it = match *choice {
                    Choice::Int(value, width) => {
                        let narrow = std::cmp::min(width, bits);
                        // Sign-extended or not.
                        value & mask(narrow) == number as u128 & mask(narrow)
                            && (width >= bits || number >> narrow == 0 || number >> (narrow - 1) == mask(bits - narrow + 1) as u64)
                    }
                    Choice::Char(c) => c as u64 == number,
                    Choice::Wide(value) => value & mask(bits) == number as u128,
                    Choice::Below(_) | Choice::Text(_) | Choice::Length(_) => false,
                };
                if is_it {
                    found.push(Place::Choice(at));
                }
            }
            for buffer in buffers(choices) {
                if buffer.bytes.len() as u64 == number {
                    found.push(Place::Length(buffer.clone()));
                }
                let mut forms = std::vec![Form::Little];
                if size > 1 {
                    forms.push(Form::Decimal);
                    forms.push(Form::Big);
                }
                if number >= 128 && std::char::from_u32(number as u32).is_some() && number >> 32 == 0 {
                    forms.push(Form::Character);
                }
                if number < 256 && size > 1 {
                    // A byte that was compared as a wider number.
                    if let Some(start) = position(&buffer.bytes, &[number as u8]) {
                        found.push(Place::Within(buffer.clone(), start, 1, Form::Character));
                    }
                }
                for form in forms {
                    let text = written(number, size, form);
                    if let Some(start) = position(&buffer.bytes, &text) {
                        found.push(Place::Within(buffer.clone(), start, text.len(), form));
                    }
                }
            }
        }
        Operand::Bytes(ref bytes) => {
            for buffer in buffers(choices) {
                if let Some(start) = position(&buffer.bytes, bytes) {
                    found.push(Place::Within(buffer, start, bytes.len(), Form::Literal));
                }
            }
        }
    }
    found
}

/// Puts one operand where another is found: what is compared with a number or text becomes it.
fn replace(choices: &mut Vec<Choice>, from: &Operand, to: &Operand, dice: &mut Random) {
    let places = places(choices, from);
    if places.is_empty() {
        return;
    }
    let near = [0, 0, 0, 0, 1, u64::MAX][dice.below(6)];
    match (places[dice.below(places.len())].clone(), to) {
        (Place::Choice(at), &Operand::Number(number, _)) => {
            let number = number.wrapping_add(near);
            choices[at] = match choices[at] {
                Choice::Int(_, width) => Choice::Int(number as u128 & mask(width), width),
                Choice::Char(c) => Choice::Char(std::char::from_u32(number as u32).unwrap_or(c)),
                Choice::Wide(_) => Choice::Wide(number as u128),
                ref other => other.clone(),
            };
        }
        (Place::Length(buffer), &Operand::Number(number, _)) => {
            let wanted = number.wrapping_add(near);
            if wanted as usize <= LONGEST_TEXT {
                let mut bytes = buffer.bytes.clone();
                while bytes.len() < wanted as usize {
                    let next = if bytes.is_empty() || dice.below(2) == 0 { dice.drawn_character() as u8 & 0x7f } else { bytes[dice.below(bytes.len())] };
                    bytes.push(next);
                }
                bytes.truncate(wanted as usize);
                put(choices, &buffer, bytes);
            }
        }
        (Place::Within(buffer, start, length, form), to) => {
            let text = match *to {
                Operand::Number(number, size) => written(number.wrapping_add(near), size, form),
                Operand::Bytes(ref bytes) => bytes.clone(),
            };
            let mut bytes = buffer.bytes.clone();
            bytes.splice(start..start + length, text);
            put(choices, &buffer, bytes);
        }
        _ => {}
    }
}

/// Moves a number by as much as two operands are apart: what is compared after a sum or an exclusive or.
fn shift(choices: &mut Vec<Choice>, a: &Operand, b: &Operand, dice: &mut Random) {
    let (a, b) = match (a, b) {
        (&Operand::Number(a, _), &Operand::Number(b, _)) => (a, b),
        _ => return,
    };
    let (a, b) = if dice.below(2) == 0 { (a, b) } else { (b, a) };
    let numbers: Vec<usize> = (0..choices.len()).filter(|at| choices[*at].kind() == Kind::Int).collect();
    if numbers.is_empty() {
        return;
    }
    let at = numbers[dice.below(numbers.len())];
    if let Choice::Int(value, width) = choices[at] {
        let moved = match dice.below(3) {
            0 => value ^ (a ^ b) as u128,
            1 => value.wrapping_add((b as u128).wrapping_sub(a as u128)),
            _ => value.wrapping_add(b.wrapping_sub(a) as i64 as i128 as u128),
        };
        choices[at] = Choice::Int(moved & mask(width), width);
    }
}

/// Changes one choice.
fn tweak(choices: &mut Vec<Choice>, dice: &mut Random) {
    if choices.is_empty() {
        return;
    }
    let at = dice.below(choices.len());
    choices[at] = match choices[at].clone() {
        Choice::Below(number) => Choice::Below(if dice.below(2) == 0 { number.wrapping_add(1) } else { dice.next() % 256 }),
        Choice::Wide(bits) => match dice.below(3) {
            0 => Choice::Wide(bits ^ (1u128 << dice.below(64))),
            1 => Choice::Wide(bits.wrapping_add(dice.below(17) as u128).wrapping_sub(8)),
            _ => Choice::Wide(dice.wide()),
        },
        Choice::Int(value, width) => {
            let changed = match dice.below(8) {
                0 | 1 => value ^ (1u128 << dice.below(width as usize)),
                2 | 3 => value.wrapping_add(dice.below(33) as u128).wrapping_sub(16),
                4 => {
                    let byte = 8 * dice.below(width as usize / 8);
                    (value & !(0xff << byte)) | (dice.below(256) as u128) << byte
                }
                5 => value.wrapping_add(((dice.below(65) as u128).wrapping_sub(32)) << dice.below(width as usize)),
                _ => dice.drawn_int(width, false),
            };
            Choice::Int(changed & mask(width), width)
        }
        Choice::Char(c) => match dice.below(3) {
            0 => Choice::Char(std::char::from_u32((c as u32).wrapping_add(1)).unwrap_or('a')),
            1 => Choice::Char(std::char::from_u32(c as u32 ^ (1 << dice.below(8))).unwrap_or('a')),
            _ => Choice::Char(dice.drawn_character()),
        },
        Choice::Text(text) => {
            let mut bytes = text.into_bytes();
            change_bytes(&mut bytes, dice);
            Choice::Text(String::from_utf8_lossy(&bytes[..std::cmp::min(bytes.len(), LONGEST_TEXT)]).into_owned())
        }
        Choice::Length(length) => match dice.below(4) {
            0 => Choice::Length(length + 1),
            1 => Choice::Length(length.saturating_sub(1)),
            2 => Choice::Length(dice.below(20)),
            _ => Choice::Length(dice.below(LONGEST)),
        },
    };
}

fn change_buffer(choices: &mut Vec<Choice>, dice: &mut Random) {
    let buffers = buffers(choices);
    if buffers.is_empty() {
        return tweak(choices, dice);
    }
    let buffer = &buffers[dice.below(buffers.len())];
    let mut bytes = buffer.bytes.clone();
    change_bytes(&mut bytes, dice);
    put(choices, buffer, bytes);
}

/// Changes bytes that may be those of a text.
fn change_bytes(bytes: &mut Vec<u8>, dice: &mut Random) {
    let at = dice.below(bytes.len() + 1);
    let most = [1, 2, 4, 16][dice.below(4)];
    let end = std::cmp::min(bytes.len(), at + 1 + dice.below(most));
    let new: Vec<u8> = match dice.below(12) {
        // Erased.
        0 | 1 => Vec::new(),
        2 | 3 => {
            let c = dice.drawn_character();
            c.to_string().into_bytes()
        }
        4 | 5 if !dice.known.texts.is_empty() => {
            let text = dice.below(dice.known.texts.len());
            dice.known.texts[text].clone().into_bytes()
        }
        6 if !dice.known.corpus.is_empty() => {
            let text = dice.below(dice.known.corpus.len());
            dice.known.corpus[text].clone().into_bytes()
        }
        7 => {
            let number = dice.drawn_int(32, false);
            number.to_string().into_bytes()
        }
        8 => {
            let most = [4, 40][dice.below(2)];
            let times = 1 + dice.below(most);
            let unit: Vec<u8> = if at < end { bytes[at..end].to_vec() } else { std::vec![dice.drawn_character() as u8 & 0x7f] };
            unit.iter().cloned().cycle().take(unit.len() * times).collect()
        }
        9 => std::vec![dice.below(256) as u8],
        10 if !bytes.is_empty() => {
            // A part of it again.
            let from = dice.below(bytes.len());
            let to = std::cmp::min(bytes.len(), from + 1 + dice.below(8));
            bytes[from..to].to_vec()
        }
        _ if at < bytes.len() => std::vec![bytes[at] ^ (1 << dice.below(8))],
        _ => std::vec![b' '],
    };
    // In place of what stands there, or in front of it.
    let end = if dice.below(2) == 0 || new.is_empty() { end } else { at };
    bytes.splice(at..end, new);
}

/// Inserts, doubles or erases an element of a sequence, as far as its choices can be told from others: as many for each.
fn change_sequence(choices: &mut Vec<Choice>, dice: &mut Random) {
    let lengths: Vec<usize> = (0..choices.len()).filter(|at| choices[*at].kind() == Kind::Length).collect();
    if lengths.is_empty() {
        return tweak(choices, dice);
    }
    let at = lengths[dice.below(lengths.len())];
    let length = match choices[at] {
        Choice::Length(length) => length,
        _ => return,
    };
    let width = 1 + dice.below(3);
    let elements = std::cmp::min(length, choices.len().saturating_sub(at + 1) / width);
    if elements == 0 {
        choices[at] = Choice::Length(length + 1);
        return;
    }
    let start = at + 1 + width * dice.below(elements);
    let element: Vec<Choice> = choices[start..start + width].to_vec();
    if dice.below(2) == 0 {
        let most = [1, 3, 40][dice.below(3)];
        let times = 1 + dice.below(most);
        choices[at] = Choice::Length(length + times);
        let more: Vec<Choice> = element.iter().cloned().cycle().take(width * times).collect();
        choices.splice(start..start, more);
    } else {
        choices[at] = Choice::Length(length - 1);
        choices.splice(start..start + width, Vec::new());
    }
}

/// Goes on with the choices of another entry, from one of the same kind on.
fn splice(choices: &mut Vec<Choice>, other: &[Choice], dice: &mut Random) {
    if choices.is_empty() || other.is_empty() {
        return;
    }
    let (at, from) = (dice.below(choices.len()), dice.below(other.len()));
    if choices[at].kind() != other[from].kind() {
        return;
    }
    if dice.below(2) == 0 {
        choices[at] = other[from].clone();
    } else {
        choices.truncate(at);
        choices.extend(other[from..].iter().cloned());
    }
}

/// Makes two choices of one kind the same.
fn copy_choice(choices: &mut Vec<Choice>, dice: &mut Random) {
    if choices.is_empty() {
        return;
    }
    let (from, to) = (dice.below(choices.len()), dice.below(choices.len()));
    match (choices[from].clone(), choices[to].clone()) {
        (Choice::Int(value, _), Choice::Int(_, width)) => choices[to] = Choice::Int(value & mask(width), width),
        (ref a, ref b) if a.kind() == b.kind() && a.kind() != Kind::Length => choices[to] = a.clone(),
        _ => {}
    }
}

fn push_hex(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        let _ = std::write!(out, "{:02x}", byte);
    }
}

fn of_hex(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()).collect()
}

/// Each choice as a word, preceded by a blank.
fn push_choices(choices: &[Choice], out: &mut String) {
    for choice in choices {
        let _ = match *choice {
            Choice::Below(number) => std::write!(out, " b{}", number),
            Choice::Wide(bits) => std::write!(out, " w{}", bits),
            Choice::Int(value, width) => std::write!(out, " i{}:{}", width, value),
            Choice::Char(c) => std::write!(out, " c{}", c as u32),
            Choice::Length(length) => std::write!(out, " l{}", length),
            Choice::Text(ref text) => {
                out.push_str(" s");
                push_hex(text.as_bytes(), out);
                Ok(())
            }
        };
    }
}

fn choice_of(word: &str) -> Option<Choice> {
    let rest = word.get(1..)?;
    Some(match word.as_bytes()[0] {
        b'b' => Choice::Below(rest.parse().ok()?),
        b'w' => Choice::Wide(rest.parse().ok()?),
        b'i' => {
            let mut parts = rest.split(':');
            let width = parts.next()?.parse().ok()?;
            Choice::Int(parts.next()?.parse().ok()?, width)
        }
        b'c' => Choice::Char(std::char::from_u32(rest.parse().ok()?)?),
        b'l' => Choice::Length(rest.parse().ok()?),
        b's' => Choice::Text(String::from_utf8(of_hex(rest)?).ok()?),
        _ => return None,
    })
}

fn push_pair(a: &Operand, b: &Operand, out: &mut String) {
    for (mark, operand) in [(' ', a), (',', b)].iter() {
        out.push(*mark);
        match **operand {
            Operand::Number(number, size) => {
                let _ = std::write!(out, "{}:{}", size, number);
            }
            Operand::Bytes(ref bytes) => {
                out.push('m');
                push_hex(bytes, out);
            }
        }
    }
}

fn pair_of(word: &str) -> Option<(Operand, Operand)> {
    let mut operands = word.split(',').map(|operand| match operand.strip_prefix('m') {
        Some(hex) => of_hex(hex).map(Operand::Bytes),
        None => {
            let mut parts = operand.split(':');
            let size = parts.next()?.parse().ok()?;
            Some(Operand::Number(parts.next()?.parse().ok()?, size))
        }
    });
    Some((operands.next()??, operands.next()??))
}
