//! Where along one or two numeric inputs the versions differ, by the native runs that were made for the page.

use std::fmt::Write as _;

use regress_core::verdict::Class;

use super::super::pictures::{Axis, Extent, Samples};
use super::super::wording;
use super::{escaped, marked};

/// Ranges told below the strip.
const MOST_RANGES: usize = 16;
/// The side of a square of a plot, in pixels.
const SQUARE: usize = 14;
/// Room for the values of the vertical axis.
const LEFT: usize = 150;

pub(super) fn write(out: &mut String, samples: &Samples) {
    let runs = wording::count(samples.points.len() as u64, "input", "inputs");
    out.push_str("<h3>Which inputs</h3>\n<figure class=\"regions\">\n");
    match samples.axes.as_slice() {
        [_] => strip(out, samples),
        [across, up] => plot(out, samples, across, up),
        _ => {}
    }
    let rest = match (samples.extent, samples.axes.len()) {
        (Extent::All, _) => " These are all there are.",
        (Extent::Some, 1) => {
            " Ranges end where neighbouring values were seen to differ; between the inputs that were run nothing is known."
        }
        (Extent::Some, _) => " Between them nothing is known.",
    };
    let _ = write!(
        out,
        "<figcaption>{runs} run on both versions, in order and not to scale.{rest}{}</figcaption>\n</figure>\n",
        legend(samples)
    );
}

fn legend(samples: &Samples) -> String {
    let classes = [None, Some(Class::Regression), Some(Class::Behaviour), Some(Class::Fix)];
    let present =
        classes.into_iter().filter(|class| samples.points.iter().any(|point| point.class == *class));
    let entries: Vec<String> = present
        .map(|class| format!("<span class=\"key\"><i class=\"{}\"></i>{}</span>", name(class), word(class)))
        .collect();
    format!(" <span class=\"legend\">{}</span>", entries.join(" "))
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
fn strip(out: &mut String, samples: &Samples) {
    let ranges = samples.ranges();
    let total = samples.points.len();
    let _ = writeln!(
        out,
        "<svg class=\"strip\" viewBox=\"0 0 {total} 1\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"ranges of the input, told in the table below\">"
    );
    let mut at = 0;
    for range in &ranges {
        let title = format!("{} to {}: {}", range.from, range.to, word(range.class));
        let _ = writeln!(
            out,
            "<rect class=\"{}\" x=\"{at}\" y=\"0\" width=\"{}\" height=\"1\"><title>{}</title></rect>",
            name(range.class),
            range.runs,
            escaped(&title)
        );
        at += range.runs;
    }
    let axis = samples.axes.first().map_or("", |axis| axis.name.as_str());
    let _ = write!(
        out,
        "</svg>\n<table class=\"ranges\">\n<thead><tr><th scope=\"col\"><code>{0}</code> from</th><th scope=\"col\">to</th>\
         <th scope=\"col\">versions</th><th scope=\"col\">at the first value</th><th scope=\"col\">run</th></tr></thead>\n<tbody>\n",
        escaped(axis)
    );
    for range in ranges.iter().take(MOST_RANGES) {
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td><code>{}</code></td><td class=\"{} word\">{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&range.from.to_string()),
            escaped(&range.to.to_string()),
            name(range.class),
            word(range.class),
            marked(&wording::printable(&range.first.change)),
            range.runs
        );
    }
    if ranges.len() > MOST_RANGES {
        let more = wording::count((ranges.len() - MOST_RANGES) as u64, "more range", "more ranges");
        let _ = writeln!(out, "<tr><td colspan=\"5\">{more}</td></tr>");
    }
    out.push_str("</tbody>\n</table>\n");
}

/// Two inputs: a square for each pair.
fn plot(out: &mut String, samples: &Samples, across: &Axis, up: &Axis) {
    let (columns, rows) = (across.values.len(), up.values.len());
    let (width, height) = (columns * SQUARE, rows * SQUARE);
    let (full_width, full_height) = (LEFT + width + 60, height + 58);
    let _ = write!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {full_width} {full_height}\" width=\"{full_width}\" height=\"{full_height}\" \
         role=\"img\" aria-label=\"{}\">\n<rect class=\"same\" x=\"{LEFT}\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n",
        escaped(&summary(samples))
    );
    for point in &samples.points {
        let ([x, y], Some(_)) = (point.at.as_slice(), point.class) else { continue };
        let (left, top) = (LEFT + x * SQUARE, (rows - 1 - y) * SQUARE);
        let values = across.values.get(*x).zip(up.values.get(*y));
        let at = values.map_or(String::new(), |(x, y)| format!("{} = {x}, {} = {y}: ", across.name, up.name));
        let _ = writeln!(
            out,
            "<rect class=\"{}\" x=\"{left}\" y=\"{top}\" width=\"{SQUARE}\" height=\"{SQUARE}\"><title>{}</title></rect>",
            name(point.class),
            escaped(&wording::printable(&format!("{at}{}", point.change)))
        );
    }
    for row in ticks(rows, 6) {
        let middle = (rows - 1 - row) * SQUARE + SQUARE / 2 + 4;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
            LEFT - 8,
            escaped(&short(&up.values[row].to_string()))
        );
    }
    // Long numbers need room beside each other.
    for (index, column) in ticks(columns, 4).into_iter().enumerate() {
        let middle = LEFT + column * SQUARE + SQUARE / 2;
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            height + 16 + 14 * (index % 2),
            escaped(&short(&across.values[column].to_string()))
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        LEFT + width / 2,
        height + 50,
        escaped(&across.name)
    );
    let middle = height / 2;
    let _ = writeln!(
        out,
        "<text class=\"name\" x=\"14\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle})\">{}</text>\n</svg>",
        escaped(&up.name)
    );
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
