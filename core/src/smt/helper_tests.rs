use std::time::Instant;

use super::*;

type Numbers = Staff<u32, u32>;

fn staff(work: fn(Line<u32, u32>)) -> &'static Numbers {
    Box::leak(Box::new(Numbers::new(work)))
}

fn until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not come about");
        thread::sleep(Duration::from_millis(5));
    }
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

#[test]
fn a_helper_answers_and_is_asked_again_by_others() {
    let staff = staff(|line| line.serve(|| {}, |number, _| number + 1));
    for _ in 0..3 {
        let mut desk = Desk::new(staff);
        let mut others = Vec::new();
        for number in 0..10 {
            let question = |another| {
                others.push(another);
                number
            };
            assert_eq!(desk.ask(question, LONG), Reply::Answered(number + 1));
        }
        assert_eq!(others.iter().filter(|another| **another).count(), 1);
    }
    assert_eq!(lock(&staff.idle).len(), 1);
    assert_eq!(staff.stuck(), 0);
}

#[test]
fn one_that_never_answers_is_given_up_in_bounded_time() {
    let staff = staff(|line| {
        line.serve(
            || {},
            |_, _| loop {
                thread::park();
            },
        );
    });
    let mut desk = Desk::new(staff);
    let start = Instant::now();
    assert_eq!(desk.ask(|_| 0, SHORT), Reply::GivenUp);
    assert!(start.elapsed() >= GRACE && start.elapsed() < GRACE + Duration::from_secs(20));
    assert_eq!(staff.stuck(), 1);
    // It is not waited for a second time.
    let start = Instant::now();
    assert_eq!(desk.ask(|_| 0, LONG), Reply::GivenUp);
    assert!(start.elapsed() < GRACE);
    drop(desk);
    assert!(lock(&staff.idle).is_empty(), "who was given up is not asked again");
}

#[test]
fn so_many_may_be_stuck_and_no_more() {
    let staff = staff(|line| {
        line.serve(
            || {},
            |_, _| loop {
                thread::park();
            },
        );
    });
    thread::scope(|scope| {
        for _ in 0..MOST_STUCK {
            scope.spawn(|| assert_eq!(Desk::new(staff).ask(|_| 0, SHORT), Reply::GivenUp));
        }
    });
    assert_eq!(staff.stuck(), MOST_STUCK);
    let start = Instant::now();
    assert_eq!(Desk::new(staff).ask(|_| 0, LONG), Reply::GivenUp);
    assert!(start.elapsed() < GRACE);
}

#[test]
fn one_that_ends_after_all_is_no_longer_stuck() {
    let staff = staff(|line| {
        line.serve(
            || {},
            |number, _| {
                thread::sleep(GRACE + Duration::from_millis(u64::from(number)));
                number
            },
        );
    });
    assert_eq!(Desk::new(staff).ask(|_| 1500, SHORT), Reply::GivenUp);
    until(|| staff.stuck() == 0);
}

#[test]
fn an_interrupt_ends_the_work_and_the_next_question_is_another_helpers() {
    let staff = staff(|line| {
        let interrupted = AtomicBool::new(false);
        let flag = &interrupted;
        line.serve(
            move || flag.store(true, Ordering::SeqCst),
            |number, stop| {
                while number == 0 && !(flag.load(Ordering::SeqCst) && stop.load(Ordering::SeqCst)) {
                    thread::yield_now();
                }
                // What is left of an interrupt would be seen here.
                u32::from(flag.load(Ordering::SeqCst))
            },
        );
    });
    let mut desk = Desk::new(staff);
    assert_eq!(desk.ask(|_| 0, SHORT), Reply::Late(1));
    assert_eq!(desk.ask(|_| 1, LONG), Reply::Answered(0));
    assert_eq!(staff.stuck(), 0);
}

#[test]
#[should_panic(expected = "a defect")]
fn a_panic_reaches_who_asked() {
    let staff = staff(|line| line.serve(|| {}, |_, _| panic!("a defect")));
    Desk::new(staff).ask(|_| 0, LONG);
}

#[test]
fn a_panic_that_an_interrupt_brings_about_is_none() {
    let staff = staff(|line| {
        line.serve(
            || {},
            |_, stop| {
                while !stop.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                panic!("the library gave no object");
            },
        );
    });
    assert_eq!(Desk::new(staff).ask(|_| 0, SHORT), Reply::Interrupted);
}
