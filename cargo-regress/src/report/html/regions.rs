//! Where along one or two numeric inputs the versions differ, by the native runs that were made for the page.

use maud::{Markup, display, html};
use regress_core::verdict::Class;

use super::super::pictures::{Axis, Extent, Point, Samples};
use super::super::wording;
use super::marked;

/// Ranges told below the strip.
const MOST_RANGES: usize = 16;
/// The side of a square of a plot, in pixels.
const SQUARE: usize = 14;
/// Room for the values of the vertical axis.
const LEFT: usize = 150;

pub(super) fn figure(samples: &Samples) -> Markup {
    let runs = wording::count(samples.points.len() as u64, "input", "inputs");
    let rest = match (samples.extent, samples.axes.len()) {
        (Extent::All, _) => " These are all there are.",
        (Extent::Some, 1) => {
            " Ranges end where neighbouring values were seen to differ; between the inputs that were run nothing is known."
        }
        (Extent::Some, _) => " Between them nothing is known.",
    };
    html! {
        h3 { "Which inputs" }
        figure.regions {
            @match samples.axes.as_slice() {
                [axis] => { (strip(samples, axis)) }
                [across, up] => { (plot(samples, across, up)) }
                _ => {}
            }
            figcaption {
                (runs) " run on both versions, in order and not to scale." (rest) " " (legend(samples))
            }
        }
    }
}

fn legend(samples: &Samples) -> Markup {
    let classes = [None, Some(Class::Regression), Some(Class::Behaviour), Some(Class::Fix)];
    let present =
        classes.into_iter().filter(|class| samples.points.iter().any(|point| point.class == *class));
    html! {
        span.legend {
            @for (index, class) in present.enumerate() {
                @if index > 0 { " " }
                span.key { i class=(name(class)) {} (word(class)) }
            }
        }
    }
}

fn name(class: Option<Class>) -> &'static str {
    match class {
        None => "same",
        Some(Class::Regression) => "regression",
        Some(Class::Behaviour) => "behaviour",
        Some(Class::Fix) => "fix",
    }
}

fn word(class: Option<Class>) -> &'static str {
    match class {
        None => "alike",
        Some(Class::Regression) => "regression",
        Some(Class::Behaviour) => "behaviour change",
        Some(Class::Fix) => "fix",
    }
}

/// One input: a band for each range, as wide as inputs were run in it, and the ranges in words.
fn strip(samples: &Samples, axis: &Axis) -> Markup {
    let ranges = samples.ranges();
    let starts = ranges.iter().scan(0, |next, range| {
        let start = *next;
        *next += range.runs;
        Some(start)
    });
    html! {
        svg.strip viewBox={ "0 0 " (samples.points.len()) " 1" } preserveAspectRatio="none" role="img"
            aria-label="ranges of the input, told in the table below"
        {
            @for (at, range) in starts.zip(&ranges) {
                rect class=(name(range.class)) x=(at) y="0" width=(range.runs) height="1" {
                    title { (display(range.from)) " to " (display(range.to)) ": " (word(range.class)) }
                }
            }
        }
        table.ranges {
            thead {
                tr {
                    th scope="col" { code { (axis.name) } " from" }
                    th scope="col" { "to" }
                    th scope="col" { "versions" }
                    th scope="col" { "at the first value" }
                    th scope="col" { "run" }
                }
            }
            tbody {
                @for range in ranges.iter().take(MOST_RANGES) {
                    tr {
                        td { code { (display(range.from)) } }
                        td { code { (display(range.to)) } }
                        td class={ (name(range.class)) " word" } { (word(range.class)) }
                        td { (marked(&wording::printable(&range.first.change))) }
                        td { (range.runs) }
                    }
                }
                @if ranges.len() > MOST_RANGES {
                    @let more = (ranges.len() - MOST_RANGES) as u64;
                    tr { td colspan="5" { (wording::count(more, "more range", "more ranges")) } }
                }
            }
        }
    }
}

/// Two inputs: a square for each pair.
fn plot(samples: &Samples, across: &Axis, up: &Axis) -> Markup {
    let (columns, rows) = (across.values.len(), up.values.len());
    let (width, height) = (columns * SQUARE, rows * SQUARE);
    let (full_width, full_height) = (LEFT + width + 60, height + 58);
    html! {
        svg.plot viewBox={ "0 0 " (full_width) " " (full_height) } width=(full_width) height=(full_height)
            role="img" aria-label=(summary(samples))
        {
            rect.same x=(LEFT) y="0" width=(width) height=(height) {}
            @for point in &samples.points {
                (square(point, across, up))
            }
            @for row in ticks(rows, 6) {
                text x=(LEFT - 8) y=((rows - 1 - row) * SQUARE + SQUARE / 2 + 4) text-anchor="end" {
                    (short(&up.values[row].to_string()))
                }
            }
            // Long numbers need room beside each other.
            @for (index, column) in ticks(columns, 4).into_iter().enumerate() {
                text x=(LEFT + column * SQUARE + SQUARE / 2) y=(height + 16 + 14 * (index % 2))
                    text-anchor="middle"
                {
                    (short(&across.values[column].to_string()))
                }
            }
            text.name x=(LEFT + width / 2) y=(height + 50) text-anchor="middle" { (across.name) }
            text.name x="14" y=(height / 2) text-anchor="middle"
                transform={ "rotate(-90 14 " (height / 2) ")" }
            {
                (up.name)
            }
        }
    }
}

/// A pair on which the versions differ; the others are as the ground.
fn square(point: &Point, across: &Axis, up: &Axis) -> Markup {
    let ([x, y], Some(_)) = (point.at.as_slice(), point.class) else { return html! {} };
    let values = across.values.get(*x).zip(up.values.get(*y));
    let at = values.map_or(String::new(), |(x, y)| format!("{} = {x}, {} = {y}: ", across.name, up.name));
    let (left, top) = (LEFT + x * SQUARE, (up.values.len() - 1 - y) * SQUARE);
    html! {
        rect class=(name(point.class)) x=(left) y=(top) width=(SQUARE) height=(SQUARE) {
            title { (wording::printable(&format!("{at}{}", point.change))) }
        }
    }
}

fn summary(samples: &Samples) -> String {
    let differing = samples.points.iter().filter(|point| point.class.is_some()).count();
    format!("the versions differ on {differing} of {} pairs of inputs", samples.points.len())
}

/// So many positions, the first and the last among them.
fn ticks(number: usize, most: usize) -> Vec<usize> {
    if number <= most {
        return (0..number).collect();
    }
    (0..most).map(|index| index * (number - 1) / (most - 1)).collect()
}

fn short(text: &str) -> String {
    if text.chars().count() <= 20 {
        return text.to_owned();
    }
    let (head, tail): (String, String) =
        (text.chars().take(11).collect(), text.chars().skip(text.chars().count() - 6).collect());
    format!("{head}…{tail}")
}
