// ---------------------------------------------------------------------------------------------------------------
// Arguments of calls that a test makes

/// What of calls is written, and where to.
const CAPTURE: &str = "CARGO_REGRESS_CAPTURE";
const MOST_CAPTURED: usize = 400;
const LONGEST_CAPTURED: usize = 100_000;

static CAPTURED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

std::thread_local! {
    static ENTERED: std::cell::Cell<usize> = std::cell::Cell::new(0);
}

/// One of the functions is being executed on this thread.
pub struct Entered(());

impl Drop for Entered {
    fn drop(&mut self) {
        let _ = ENTERED.try_with(|entered| entered.set(entered.get().saturating_sub(1)));
    }
}

/// Writes the arguments down if none of the functions is being executed already. It is written before the call goes on: a
/// call that never ends counts, too.
pub fn enter(subject: usize, arguments: impl FnOnce(&mut Vec<String>)) -> Entered {
    let depth = ENTERED.with(|entered| {
        let depth = entered.get();
        entered.set(depth + 1);
        depth
    });
    let path = if depth == 0 { std::env::var_os(CAPTURE) } else { None };
    if let Some(path) = path {
        if CAPTURED.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < MOST_CAPTURED {
            let mut shown = Vec::new();
            arguments(&mut shown);
            let line = std::format!("{} [{}]\n", subject, shown.join(","));
            if line.len() <= LONGEST_CAPTURED {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
                if let Ok(mut file) = file {
                    let _ = file.write_all(line.as_bytes());
                }
            }
        }
    }
    Entered(())
}

pub fn captured<T: Show + ?Sized>(value: &T, shown: &mut Vec<String>) {
    let mut text = String::new();
    value.show(&mut text);
    shown.push(text);
}

/// A parameter that is made anew for each call.
pub fn captured_opaque(name: &str, shown: &mut Vec<String>) {
    let mut text = String::from("{\"opaque\":");
    json_text(name, &mut text);
    text.push('}');
    shown.push(text);
}
