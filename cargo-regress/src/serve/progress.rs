//! How far a run is, as notifications for a client that asked for them.

use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::progress::Event;

/// Parts that are done, and steps that were told before, are told no more often than this.
const BETWEEN: Duration = Duration::from_millis(250);

/// Tells the client what comes, until nothing comes any more.
pub async fn tell(context: &RequestContext<RoleServer>, mut events: UnboundedReceiver<Event>) {
    let token = context.meta.get_progress_token();
    let mut told = Told::default();
    while let Some(event) = events.recv().await {
        let Some(message) = told.message(event, Instant::now()) else { continue };
        let Some(token) = token.clone() else { continue };
        let param = ProgressNotificationParam::new(token, told.count as f64).with_message(message);
        // A client that is gone need not know.
        let _ = context.peer.notify_progress(param).await;
    }
}

/// What was told so far.
#[derive(Default)]
struct Told {
    /// All that came: how much there is to come is not known.
    count: u64,
    step: String,
    done: u64,
    total: u64,
    last: Option<Instant>,
}

impl Told {
    /// What to say of an event; none if it can wait.
    fn message(&mut self, event: Event, now: Instant) -> Option<String> {
        self.count += 1;
        let message = match event {
            Event::Found(line) => line,
            Event::Step(step) => {
                let is_told = self.step == step && self.is_just_now(now);
                (self.done, self.total) = (0, 0);
                self.step.clone_from(&step);
                if is_told {
                    return None;
                }
                step
            }
            Event::Total(total) => {
                (self.done, self.total) = (0, total);
                return None;
            }
            Event::Advance => {
                self.done += 1;
                if self.is_just_now(now) {
                    return None;
                }
                match self.total {
                    0 => format!("{} ({})", self.step, self.done),
                    total => format!("{} ({} of {total})", self.step, self.done),
                }
            }
        };
        self.last = Some(now);
        Some(message)
    }

    /// Whether something was told just now.
    fn is_just_now(&self, now: Instant) -> bool {
        self.last.is_some_and(|last| now.duration_since(last) < BETWEEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_findings_are_told_at_once_and_parts_now_and_then() {
        let start = Instant::now();
        let mut told = Told::default();
        let mut say = |event, after: u64| told.message(event, start + Duration::from_millis(after));
        assert_eq!(say(Event::Step("Comparing".into()), 0).as_deref(), Some("Comparing"));
        assert_eq!(say(Event::Total(3), 0), None);
        assert_eq!(say(Event::Advance, 100), None);
        assert_eq!(say(Event::Found("`f` differs".into()), 120).as_deref(), Some("`f` differs"));
        assert_eq!(say(Event::Advance, 500).as_deref(), Some("Comparing (2 of 3)"));
        assert_eq!(say(Event::Step("Ending".into()), 510).as_deref(), Some("Ending"));
        assert_eq!(say(Event::Advance, 1000).as_deref(), Some("Ending (1)"));
        assert_eq!(say(Event::Step("Ending".into()), 1010), None);
        assert_eq!(say(Event::Step("Ending".into()), 1400).as_deref(), Some("Ending"));
        assert_eq!(told.count, 9);
    }
}
