// ---------------------------------------------------------------------------------------------------------------
// Statements that a test executes

/// Where their numbers are written to.
const COVERAGE: &str = "CARGO_REGRESS_COVERAGE";

static REACHED: std::sync::Mutex<std::collections::BTreeSet<usize>> =
    std::sync::Mutex::new(std::collections::BTreeSet::new());

std::thread_local! {
    static KNOWN: std::cell::RefCell<std::collections::BTreeSet<usize>> =
        std::cell::RefCell::new(std::collections::BTreeSet::new());
}

/// Writes the number down when it is reached first. At once: a test that dies or never ends counts, too.
pub fn reached(number: usize) {
    // A thread that is about to end has forgotten what it knew.
    let is_new = KNOWN.try_with(|known| known.borrow_mut().insert(number)).unwrap_or(true);
    if !is_new || !REACHED.lock().map(|mut reached| reached.insert(number)).unwrap_or(false) {
        return;
    }
    if let Some(path) = std::env::var_os(COVERAGE) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = file {
            let _ = file.write_all(std::format!("{}\n", number).as_bytes());
        }
    }
}
