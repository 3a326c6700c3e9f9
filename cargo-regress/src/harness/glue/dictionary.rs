// What random inputs are drawn from beside chance: constants of the functions, and what stands together in tests, examples and callers. Valid in
// every edition.

#[derive(Default)]
struct Dictionary {
    ints: Vec<u128>,
    floats: Vec<f64>,
    texts: Vec<String>,
    /// Each is an input of its own.
    rows: Vec<Vec<Due>>,
    /// All texts of rows.
    corpus: Vec<String>,
}

/// What is drawn where a value of its kind is asked for first.
#[derive(Clone)]
enum Due {
    Text(String),
    Char(char),
    Int(u128),
    Float(f64),
    Bool(bool),
    /// Of a sequence.
    Length(usize),
}

/// Rows that have further turns, and how many.
const FIRST_ROWS: usize = 16;
const TURNS_OF_A_ROW: usize = 20;

impl Dictionary {
    /// Constants, and rows that begin with `|`; none if that is nonsense.
    fn read(words: &[String]) -> Option<Dictionary> {
        let mut parts = words.split(|word| word == "|");
        let mut read = Dictionary::default();
        for word in parts.next()? {
            match due_of(word)? {
                Due::Text(text) => read.texts.push(text),
                Due::Int(value) => read.ints.push(value),
                Due::Float(value) => read.floats.push(value),
                _ => return None,
            }
        }
        let mut known = BTreeSet::new();
        for words in parts {
            let row = words.iter().map(|word| due_of(word)).collect::<Option<Vec<Due>>>()?;
            for due in &row {
                if let Due::Text(ref text) = *due {
                    if known.insert(text.clone()) {
                        read.corpus.push(text.clone());
                    }
                }
            }
            read.rows.push(row);
        }
        Some(read)
    }

    /// The row that a run begins with. Three of eight runs take the next row as it stands, those at odd numbers take what they draw, and one of eight has one of
    /// the first rows again, with something else for what it does not say: how often an iterator is asked, and the like.
    fn row_of_run(&self, index: usize) -> Vec<Due> {
        let (round, place) = (index / 8, index % 8);
        let first = std::cmp::min(self.rows.len(), FIRST_ROWS);
        let at = match place {
            0 | 2 | 4 => 3 * round + place / 2,
            6 if round < TURNS_OF_A_ROW * first => round % first,
            _ => return Vec::new(),
        };
        self.rows.get(at).cloned().unwrap_or_default()
    }
}

fn due_of(word: &str) -> Option<Due> {
    let rest = word.get(1..)?;
    Some(match word.as_bytes()[0] {
        b's' => Due::Text(Source::new(Origin::Tokens { tokens: std::vec![String::from(word)], at: 0 }).text().ok()?),
        b'c' => Due::Char(std::char::from_u32(rest.parse().ok()?)?),
        b'f' => Due::Float(f64::from_bits(rest.parse().ok()?)),
        b'b' => Due::Bool(rest == "1"),
        b'q' => Due::Length(rest.parse().ok()?),
        _ => Due::Int(word.parse().ok()?),
    })
}

impl Random {
    /// The next of the row that is of the kind.
    fn due<T>(&mut self, of_kind: fn(&Due) -> Option<T>) -> Option<T> {
        let at = self.due.iter().position(|due| of_kind(due).is_some())?;
        of_kind(&self.due.remove(at))
    }

    fn due_text(&mut self) -> Option<String> {
        self.due(|due| match *due {
            Due::Text(ref text) => Some(text.clone()),
            _ => None,
        })
    }

    fn due_int(&mut self) -> Option<u128> {
        self.due(|due| match *due {
            Due::Int(value) => Some(value),
            _ => None,
        })
    }

    fn due_float(&mut self) -> Option<f64> {
        self.due(|due| match *due {
            Due::Float(value) => Some(value),
            _ => None,
        })
    }

    fn due_length(&mut self) -> Option<usize> {
        self.due(|due| match *due {
            Due::Length(length) => Some(length),
            _ => None,
        })
    }

    fn due_character(&mut self) -> Option<char> {
        self.due(|due| match *due {
            Due::Char(c) => Some(c),
            _ => None,
        })
    }

    /// A character that is a value of its own.
    fn single_character(&mut self) -> char {
        match self.choose(Kind::Char, |random| {
            Choice::Char(random.due_character().unwrap_or_else(|| random.drawn_character()))
        }) {
            Choice::Char(c) => c,
            _ => 'a',
        }
    }

    fn flag(&mut self) -> bool {
        let draw = |random: &mut Random| {
            let due = random.due(|due| match *due {
                Due::Bool(value) => Some(value),
                _ => None,
            });
            Choice::Below(due.map_or_else(|| random.next() % 2, |value| value as u64))
        };
        match self.choose(Kind::Below, draw) {
            Choice::Below(number) => number % 2 == 1,
            _ => false,
        }
    }

    /// The bits of a float of that width.
    fn float_bits(&mut self, width: u32) -> u128 {
        match self.choose(Kind::Wide, |random| Choice::Wide(random.drawn_float_bits(width))) {
            Choice::Wide(bits) => bits & mask(width),
            _ => 0,
        }
    }

    fn drawn_float_bits(&mut self, width: u32) -> u128 {
        let value = match self.due_float() {
            Some(due) => due,
            None => match self.drawn_float(width) {
                Some(drawn) => drawn,
                None => return self.wide() & mask(width),
            },
        };
        if self.recent_floats.len() < 8 {
            self.recent_floats.push(value);
        }
        if width == 32 { (value as f32).to_bits() as u128 } else { value.to_bits() as u128 }
    }

    /// None stands for any bits.
    fn drawn_float(&mut self, width: u32) -> Option<f64> {
        let special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 10.0, 0.1, std::f64::NAN, std::f64::INFINITY, std::f64::NEG_INFINITY];
        let (max, least, step) = match width {
            32 => (std::f32::MAX as f64, std::f32::MIN_POSITIVE as f64, std::f32::EPSILON as f64),
            _ => (std::f64::MAX, std::f64::MIN_POSITIVE, std::f64::EPSILON),
        };
        let value = match self.below(20) {
            0..=5 => special[self.below(special.len())],
            6 => [max, -max, least, step][self.below(4)],
            7..=9 => {
                let number = self.drawn_int(16, true) as u16 as i16 as f64;
                number / [1.0, 2.0, 10.0, 100.0][self.below(4)]
            }
            10 | 11 => {
                let literals = self.known.floats.len() + self.known.ints.len();
                if literals == 0 {
                    return None;
                }
                let at = self.below(literals);
                let literal = match self.known.floats.get(at) {
                    Some(literal) => *literal,
                    None => self.known.ints[at - self.known.floats.len()] as f64,
                };
                self.near(literal)
            }
            12 if !self.recent_floats.is_empty() => {
                let at = self.below(self.recent_floats.len());
                let recent = self.recent_floats[at];
                self.near(recent)
            }
            13 | 14 => {
                let part = (self.wide() >> 75) as f64 / (1u64 << 53) as f64;
                let scale = [1.0, 1.0, 10.0, 100.0, 360.0, 1e3, 1e6, 1e12][self.below(8)];
                if self.below(3) == 0 { -part * scale } else { part * scale }
            }
            15 => {
                let power = (1u128 << self.below(65)) as f64;
                let value = power + [-1.0, 0.0, 1.0, -0.5, 0.5][self.below(5)];
                if self.below(3) == 0 { -value } else { value }
            }
            _ => return None,
        };
        Some(value)
    }

    /// The value, its negative, or one that is next to it.
    fn near(&mut self, value: f64) -> f64 {
        let bits = value.to_bits();
        match self.below(6) {
            0 => -value,
            1 => f64::from_bits(bits.wrapping_add(1)),
            2 => f64::from_bits(bits.wrapping_sub(1)),
            _ => value,
        }
    }

    /// A text from the crate's tests and examples, or one that is nearly the same.
    fn known_text(&mut self) -> String {
        let at = self.below(self.known.corpus.len());
        let mut text = self.known.corpus[at].clone();
        match self.below(8) {
            0 => {
                text.pop();
            }
            1 => text.push(self.character()),
            2 => {
                let cut = self.below(text.chars().count());
                let next = self.character();
                text = text.chars().enumerate().map(|(at, c)| if at == cut { next } else { c }).collect();
            }
            3 | 4 => text = self.with_another_number(text),
            _ => {}
        }
        text
    }

    /// The text with one of its numbers replaced, which may be as long as before: what is read as numbers has limits.
    fn with_another_number(&mut self, text: String) -> String {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            let goes_on = runs.last().map_or(false, |run| run.1 == at);
            match runs.last_mut() {
                _ if !byte.is_ascii_digit() => {}
                Some(run) if goes_on => run.1 = at + 1,
                _ => runs.push((at, at + 1)),
            }
        }
        if runs.is_empty() {
            return text;
        }
        let run = self.below(runs.len());
        let (start, end) = runs[run];
        let number = match self.below(3) {
            0 => self.below(120) as u128,
            1 => self.drawn_int(32, false),
            _ => self.drawn_int(64, false),
        };
        let width = if self.below(2) == 0 { end - start } else { 1 };
        let (before, after) = (&text[..start], &text[end..]);
        std::format!("{}{:0width$}{}", before, number, after, width = width)
    }
}
