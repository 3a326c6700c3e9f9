// ---------------------------------------------------------------------------------------------------------------
// One run

pub type Call = fn(&mut Session) -> Result<(), Misfit>;

pub struct Session {
    source: Source,
    /// Arguments that hold a `&mut`, by position: their text with holes where it is.
    kept: Vec<(usize, String)>,
    link: Link,
    index: u64,
    /// The number of the format whose options the formatter among the arguments has.
    format: usize,
    arguments: usize,
    inputs: String,
    outcome: String,
    mutated: String,
    /// Whether the function is being called.
    running: bool,
    returned: bool,
    /// Whether numbers in `MaybeUninit`s behind `&mut` parameters are shown after the call.
    looks: bool,
    /// The input is made and nothing else.
    passes_over: bool,
    /// Runs are told by digests alone, those of a batch so far.
    digests: Option<Vec<u64>>,
    /// Digests of what these runs returned, without what they left in parameters.
    results: Vec<u64>,
    /// Whether the coverage of the call is asked for.
    guided: bool,
    guide: Guide,
}

struct Link {
    reader: BufReader<UnixStream>,
    writer: BufWriter<UnixStream>,
}

struct PanicRecord {
    message: Option<String>,
    location: Option<String>,
}

static PANIC: Mutex<Option<PanicRecord>> = Mutex::new(None);

/// Longer values are told by their length and hash.
const SHOWN_IN_FULL: usize = 200_000;

/// So are values whose JSON is nested deeper: reading it takes stack.
const DEEPEST: usize = 400;

fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn shown<T: Show + ?Sized>(value: &T) -> String {
    let mut text = String::new();
    value.show(&mut text);
    if text.len() <= SHOWN_IN_FULL && nesting(&text) <= DEEPEST {
        return text;
    }
    std::format!("{{\"opaque\":\"{}{} bytes, hash {:016x}\"}}", HASHED, text.len(), digest(&[text.as_str()]))
}

impl Session {
    pub fn build<T: Build>(&mut self) -> Result<T, Misfit> {
        T::build(&mut self.source)
    }

    /// What a `&mut` parameter refers to.
    pub fn build_ref<T: Build>(&mut self) -> Result<T, Misfit> {
        self.source.open_ref()?;
        T::build(&mut self.source)
    }

    /// What a `&mut [T]` parameter refers to.
    pub fn build_slice<T: Build>(&mut self) -> Result<Vec<T>, Misfit> {
        self.source.open_ref()?;
        sequence(&mut self.source)
    }

    pub fn input<T: Show + ?Sized>(&mut self, value: &T) {
        if !tells_inputs() {
            return;
        }
        if self.arguments > 0 {
            self.inputs.push(',');
        }
        self.arguments += 1;
        let text = as_input(value);
        self.inputs.push_str(&text);
    }

    pub fn input_ref<T: Show + ?Sized>(&mut self, value: &T) {
        self.input(&value);
    }

    /// Remembers an argument that is handed over, or what a `&mut` refers to, if there is a `&mut` in it, or a `&` to what can be written through it.
    pub fn keep<T: Build + Show>(&mut self, position: usize, value: &T) {
        if !lends::<T>() {
            return;
        }
        let mut text = String::new();
        HOLES.with(|holes| holes.set(true));
        value.show(&mut text);
        HOLES.with(|holes| holes.set(false));
        self.kept.push((position, text));
    }

    /// Shows a kept argument with what is behind its `&mut` by now.
    pub fn kept(&mut self, position: usize) {
        if let Some(filled) = self.kept_by_now(position) {
            self.mutated(position, &Raw(filled));
        }
    }

    /// Shows what a `&mut` refers to after the call; where that holds references itself, also what was there before, as these may have been replaced.
    pub fn left<T: Show + ?Sized>(&mut self, position: usize, value: &T) {
        match self.kept_by_now(position) {
            Some(before) => self.mutated(position, &(value, Raw(before))),
            None => self.mutated(position, value),
        }
    }

    fn kept_by_now(&self, position: usize) -> Option<String> {
        let text = match self.kept.iter().find(|kept| kept.0 == position) {
            Some(kept) => kept.1.clone(),
            None => return None,
        };
        let mut filled = String::new();
        for (at, part) in text.split(HOLE).enumerate() {
            if at % 2 == 0 {
                filled.push_str(part);
                continue;
            }
            match self.source.lent.iter().find(|lent| hole(lent.address, lent.type_name) == part) {
                Some(lent) => {
                    filled.push_str("{\"ref\":");
                    (lent.show)(&mut filled);
                    filled.push('}');
                }
                None => filled.push_str("{\"opaque\":\"a reference that was not made here\"}"),
            }
        }
        Some(filled)
    }

    pub fn input_formatter(&mut self) {
        let mut name = String::from("fmt::Formatter");
        if self.format > 0 {
            name.push(' ');
            name.push_str(FORMATS[self.format]);
        }
        let mut text = String::from("{\"opaque\":");
        json_text(&name, &mut text);
        text.push('}');
        self.input(&Raw(text));
    }

    /// Tells the inputs; whether the call may be made.
    pub fn begin(&mut self) -> bool {
        if self.passes_over {
            return false;
        }
        if let Origin::Tokens { ref tokens, at } = self.source.origin {
            if at != tokens.len() {
                self.outcome = std::format!("M {} tokens were left over\n", tokens.len() - at);
                return false;
            }
        }
        if let (Some(random), false) = (self.source.random(), tells_inputs()) {
            self.inputs = random.drawn();
        }
        if self.digests.is_none() {
            let _ = std::write!(self.link.writer, "B {} [{}]\n", self.index, self.inputs);
            let _ = self.link.writer.flush();
        }
        *PANIC.lock().unwrap_or_else(|poison| poison.into_inner()) = None;
        self.running = true;
        if self.guided {
            self.guide.enter();
        }
        true
    }

    /// The call is over.
    pub fn end(&mut self) {
        self.called();
        self.returned = true;
    }

    fn called(&mut self) {
        self.running = false;
        if self.guided {
            self.guide.leave();
        }
    }

    fn panicked(&mut self) {
        self.called();
        let record = PANIC.lock().unwrap_or_else(|poison| poison.into_inner()).take();
        let mut text = String::from("O {\"panic\":{\"message\":");
        let (message, location) = match record {
            // Lines may move without any difference.
            Some(record) if self.digests.is_some() => (record.message, None),
            Some(record) => (record.message, record.location),
            None => (None, None),
        };
        json_optional(message, &mut text);
        text.push_str(",\"location\":");
        json_optional(location, &mut text);
        text.push_str("}}\n");
        self.outcome = text;
    }

    pub fn returned<T: Show + ?Sized>(&mut self, value: &T) {
        self.outcome = shown(value);
    }

    /// For values that cannot be shown but were looked at.
    pub fn returned_looked_at(&mut self, text: String) {
        self.outcome = shown(&Raw(text));
    }

    /// Leaves room for what the function wrote to its formatter.
    pub fn formatted(&mut self, position: usize) {
        self.mutated(position, &Raw(String::from(HOLE)));
    }

    pub fn mutated<T: Show + ?Sized>(&mut self, position: usize, value: &T) {
        if !self.returned {
            return;
        }
        if !self.mutated.is_empty() {
            self.mutated.push(',');
        }
        LOOKING.with(|looking| looking.set(self.looks));
        let text = shown(value);
        LOOKING.with(|looking| looking.set(false));
        let _ = std::write!(self.mutated, "[{},{}]", position, text);
    }

    fn finish(&mut self) {
        if let Some(ref mut digests) = self.digests {
            let parts = [self.inputs.as_str(), self.outcome.as_str(), self.mutated.as_str()];
            digests.push(digest(&parts));
            if self.guided {
                self.results.push(digest(&parts[1..2]));
            }
            return;
        }
        if self.returned {
            let _ = std::write!(
                self.link.writer,
                "O {{\"returned\":{{\"value\":{},\"mutated\":[{}]}}}}\n",
                self.outcome,
                self.mutated
            );
        } else {
            let _ = self.link.writer.write_all(self.outcome.as_bytes());
        }
        // What makes the next input may end the process, and this call would be blamed.
        let _ = self.link.writer.flush();
    }

    fn reset(&mut self, origin: Origin, index: u64) {
        self.source = Source::new(origin);
        hold_nothing();
        forget_recipes();
        forget_heard();
        forget_objects();
        self.kept.clear();
        SHARED.with(|shared| shared.borrow_mut().clear());
        self.index = index;
        self.arguments = 0;
        self.inputs.clear();
        self.outcome.clear();
        self.mutated.clear();
        self.running = false;
        self.returned = false;
        self.looks = false;
    }

    fn step(&mut self, call: Call) {
        let is_drawn = self.source.random().is_some();
        TELLS_INPUTS.with(|tells| tells.set(self.digests.is_none() || !is_drawn));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(self)));
        match result {
            _ if self.passes_over => {}
            Ok(Ok(())) => self.finish(),
            Ok(Err(Misfit(reason))) => self.misfit(&reason),
            Err(payload) if self.running => {
                forget(payload);
                self.panicked();
                self.finish();
            }
            Err(payload) => {
                forget(payload);
                self.misfit("making or showing a value panicked");
            }
        }
    }

    /// Those of the batch that has been run.
    fn tell_digests(&mut self) -> Option<()> {
        if let Some(digests) = self.digests.take() {
            self.link.writer.write_all(b"D").ok()?;
            for digest in digests {
                std::write!(self.link.writer, " {:x}", digest).ok()?;
            }
            self.link.writer.write_all(b"\n").ok()?;
            if !self.results.is_empty() {
                self.link.writer.write_all(b"R").ok()?;
                for digest in self.results.drain(..) {
                    std::write!(self.link.writer, " {:x}", digest).ok()?;
                }
                self.link.writer.write_all(b"\n").ok()?;
            }
        }
        Some(())
    }

    fn misfit(&mut self, reason: &str) {
        match self.digests {
            Some(ref mut digests) => {
                digests.push(NO_RUN);
                if self.guided {
                    self.results.push(NO_RUN);
                }
            }
            None => {
                let _ = std::write!(self.link.writer, "M {}\n", reason);
            }
        }
    }
}

/// The digest of an input that could not be made.
const NO_RUN: u64 = 0;

/// Equal for equal texts (FNV-1a, with the ends of texts marked); not [`NO_RUN`].
fn digest(texts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for text in texts {
        for byte in text.bytes() {
            hash = (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
        }
        hash = (hash ^ 0xff).wrapping_mul(0x0100_0000_01b3);
    }
    std::cmp::max(hash, 1)
}

macro_rules! __regress_formats {
    ($($number:tt $format:tt)*) => {
        /// Formats whose options formatters have. That of most is the first.
        const FORMATS: &[&str] = &[$($format),*];

        fn write_in_format(format: usize, value: &dyn fmt::Display, text: &mut String) -> fmt::Result {
            match format {
                $($number => std::write!(text, $format, value),)*
                _ => Err(fmt::Error),
            }
        }
    };
}

__regress_formats! {
    0 "{}" 1 "{:#}" 2 "{:.0}" 3 "{:.3}" 4 "{:8}" 5 "{:>8}" 6 "{:^9}" 7 "{:*<10}" 8 "{:+}" 9 "{:08}" 10 "{:+.1}" 11 "{:#012.2}"
    12 "{:.6}" 13 "{:.20}" 14 "{:.40}" 15 "{:1}" 16 "{:040}" 17 "{:-^70}" 18 "{:x<3.1}" 19 "{:+020.17}"
}

impl Source {
    /// The number of the format whose options a formatter has.
    fn format(&mut self) -> Result<usize, Misfit> {
        if let Some(random) = self.random() {
            return Ok(if random.below(4) > 0 { 0 } else { random.below(FORMATS.len()) });
        }
        if let Origin::Listed(_) = self.origin {
            return Ok(0);
        }
        let wanted = self.token("o")?;
        let known = FORMATS.iter().position(|format| *format == wanted);
        known.ok_or_else(|| Misfit(std::format!("no formatter is made for {}", wanted)))
    }
}

/// Runs `call` with a formatter that has the options of a format; what was written.
pub fn with_formatter(format: usize, call: impl FnOnce(&mut fmt::Formatter) -> fmt::Result) -> (fmt::Result, String) {
    struct Once<F>(std::cell::RefCell<Option<F>>);
    impl<F: FnOnce(&mut fmt::Formatter) -> fmt::Result> fmt::Display for Once<F> {
        fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            match self.0.borrow_mut().take() {
                Some(call) => call(formatter),
                None => Ok(()),
            }
        }
    }
    let mut text = String::new();
    let result = write_in_format(format, &Once(std::cell::RefCell::new(Some(call))), &mut text);
    (result, text)
}

fn json_optional(text: Option<String>, out: &mut String) {
    match text {
        Some(text) => json_text(&text, out),
        None => out.push_str("null"),
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The worker

pub struct Table {
    entries: Vec<(usize, Parameters, Call)>,
}

/// Through this, functions that stand in bodies of others are entered: what a body implements holds everywhere.
pub trait Nested<const SUBJECT: usize> {
    fn register(t: &mut Table);
}

/// What calls a function. `Here`, a type of the crate, implements it. Its implementations are `#[track_caller]`, so the place that the function may ask for is the one
/// in this file from where they are called by name, whatever the version.
pub trait Subject<const SUBJECT: usize> {
    fn call(s: &mut Session) -> Result<(), Misfit>;
}

/// The same for a function with a formatter.
pub trait Formats<const SUBJECT: usize> {
    fn call(s: &mut Session, formatter: &mut Formatter) -> Result<(), Misfit>;
}

pub fn call<Here, const SUBJECT: usize>(s: &mut Session) -> Result<(), Misfit>
where
    Here: Subject<SUBJECT>,
{
    // Far to the right, where no function has its own code: one that is told where it is called in one version only differs.
                                                                                                                                                      <Here as Subject<SUBJECT>>::call(s)
}

pub fn call_formatting<Here, const SUBJECT: usize>(s: &mut Session) -> Result<(), Misfit>
where
    Here: Formats<SUBJECT>,
{
    let mut ended = Ok(());
    let format = s.source.format()?;
    s.format = format;
    let (_, text) = with_formatter(format, |formatter| {
        ended =
                                                                                                                                                      <Here as Formats<SUBJECT>>::call(s, formatter);
        Ok(())
    });
    s.mutated = s.mutated.replacen(HOLE, &shown(&text), 1);
    ended
}

impl Table {
    pub fn add(&mut self, id: usize, parameters: Parameters, call: Call) {
        self.entries.push((id, parameters, call));
    }
}

/// Serves the parent and exits, if this process was started as a worker; else does nothing. `register` enters what the crate has into the table.
pub fn main(register: fn(&mut Table)) {
    let socket = match std::env::var_os("CARGO_REGRESS_WORKER") {
        Some(socket) => socket,
        None => return,
    };
    // An endless loop must not outlive the parent.
    let parent = std::os::unix::process::parent_id();
    std::thread::spawn(move || {
        while std::os::unix::process::parent_id() == parent {
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        std::process::exit(82);
    });
    let worker = std::thread::Builder::new().name(String::from("worker")).stack_size(STACK).spawn(move || serve(&socket, register));
    let code = match worker.map(|thread| thread.join()) {
        Ok(Ok(Some(()))) => 0,
        _ => 81,
    };
    std::process::exit(code);
}

const STACK: usize = 16 << 20;

/// A batch of digests goes on so long.
const SLICE: std::time::Duration = std::time::Duration::from_millis(50);

fn serve(socket: &std::ffi::OsStr, register: fn(&mut Table)) -> Option<()> {
    let stream = UnixStream::connect(socket).ok()?;
    let link = Link { reader: BufReader::new(stream.try_clone().ok()?), writer: BufWriter::new(stream) };
    let worker = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&'static str>()
            .map(|text| String::from(*text))
            .or_else(|| payload.downcast_ref::<String>().cloned());
        // A function that is told where it is called blames this file.
        let of_crate = info.location().filter(|at| at.file() != std::file!());
        let location = of_crate.map(|at| std::format!("{}:{}:{}", at.file(), at.line(), at.column()));
        if std::thread::current().id() == worker {
            *PANIC.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(PanicRecord { message, location });
        }
    }));
    let mut table = Table { entries: Vec::new() };
    register(&mut table);
    let mut known = Rc::new(Dictionary::default());
    let mut session = Session {
        source: Source::new(Origin::Tokens { tokens: Vec::new(), at: 0 }),
        kept: Vec::new(),
        link,
        index: 0,
        format: 0,
        arguments: 0,
        inputs: String::new(),
        outcome: String::new(),
        mutated: String::new(),
        running: false,
        returned: false,
        looks: false,
        passes_over: false,
        digests: None,
        results: Vec::new(),
        guided: false,
        guide: Guide::new(),
    };
    let mut fuzzer = Fuzzer::none();
    loop {
        let mut line = String::new();
        if session.link.reader.read_line(&mut line).ok()? == 0 {
            return Some(());
        }
        let mut words = line.split_whitespace().map(String::from);
        let command = words.next()?;
        match command.as_str() {
            "shapes" => {
                for (id, parameters, _) in table.entries.iter() {
                    let inputs = parameters.inputs.map_or(String::from("-"), |inputs| inputs.to_string());
                    std::write!(session.link.writer, "S {} {} {}\n", id, inputs, parameters.shape).ok()?;
                }
            }
            "dictionary" => known = Rc::new(Dictionary::read(&words.collect::<Vec<String>>())?),
            "call" | "look" => {
                let id: usize = words.next()?.parse().ok()?;
                let call = table.entries.iter().find(|entry| entry.0 == id)?.2;
                session.reset(Origin::Tokens { tokens: words.collect(), at: 0 }, 0);
                session.looks = command == "look";
                session.step(call);
            }
            "random" | "digests" => {
                let numbers: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
                if numbers.len() != 9 {
                    return None;
                }
                let call = table.entries.iter().find(|entry| entry.0 as u64 == numbers[0])?.2;
                draw_for(numbers[0] as usize);
                if command == "digests" {
                    session.digests = Some(Vec::new());
                }
                let began = std::time::Instant::now();
                for index in numbers[2]..numbers[3] {
                    let random = Random {
                        state: numbers[1] ^ index.wrapping_mul(0xd134_2543_de82_ef95),
                        tape: Tape::default(),
                        long: numbers[7] as usize,
                        small: numbers[8] == 1,
                        max_len: numbers[4] as usize,
                        max_depth: numbers[5] as usize,
                        depth: 0,
                        known: Rc::clone(&known),
                        recent: Vec::new(),
                        recent_floats: Vec::new(),
                        recent_texts: Vec::new(),
                        class: Class::Any,
                        due: known.row_of_run(index as usize),
                        spelled: Vec::new(),
                        making: 0,
                        steps: 0,
                        most_steps: 0,
                        failed_steps: 0,
                        as_made: numbers[6] == 1,
                    };
                    session.reset(Origin::Random(random), index);
                    session.step(call);
                    // The parent waits for a sign of life.
                    if session.digests.is_some() && began.elapsed() > SLICE {
                        break;
                    }
                }
                session.tell_digests()?;
            }
            "list" => {
                let numbers: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
                let (id, block, count) = (*numbers.get(0)?, *numbers.get(1)?, *numbers.get(2)?);
                let call = table.entries.iter().find(|entry| entry.0 as u64 == id)?.2;
                session.list(call, block, count, numbers[3..].iter().map(|digit| *digit as u32).collect())?;
            }
            "listed" => {
                let words: Vec<String> = words.collect();
                let id: usize = words.get(0)?.parse().ok()?;
                let call = table.entries.iter().find(|entry| entry.0 == id)?.2;
                let mut parts = words[1..].split(|word| word == "|");
                let wanted = parts.next()?.iter().map(|word| word.parse().ok()).collect::<Option<Vec<u64>>>()?;
                let digits = parts.next()?.iter().map(|word| word.parse().ok()).collect::<Option<Vec<u32>>>()?;
                session.tell_listed(call, &wanted, digits)?;
            }
            "fuzz" => {
                let numbers: Vec<usize> = words.map(|word| word.parse().unwrap_or(0)).collect();
                if numbers.len() != 4 {
                    return None;
                }
                session.guide = Guide::new();
                let call = table.entries.iter().find(|entry| entry.0 == numbers[0])?.2;
                draw_for(numbers[0]);
                fuzzer = Fuzzer::new(call, &numbers[1..], &known);
                std::write!(session.link.writer, "C {}\n", Fuzzer::counters()).ok()?;
            }
            other => fuzzer.command(&mut session, other, words.collect())?,
        }
        session.link.writer.write_all(b".\n").ok()?;
        session.link.writer.flush().ok()?;
    }
}
