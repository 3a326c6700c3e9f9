//! Claims about functions for which types, constants or listeners have to be chosen.

use regress_tests::native::{Difference, Suite};

use super::versions::*;

pub fn claim(suite: &mut Suite) {
    claims! { suite, "differ/other_choices", other_choices_old, other_choices_new;
        differs "ones" Regression (8) |bits: u8| ones(bits.min(8).into());
        differs "Bits::first" Regression (8) |bits: u8| Bits::<8>::first(bits.min(8).into()).get();
        differs "Ahead::skip_one" Behaviour (vec![1]) |items: Vec<u8>| Ahead::new(items.into_iter()).skip_one();
        differs "<[T] as Marks>::mark" Behaviour (vec![1, 2, 3], 2) |items: Vec<u8>, at: usize| {
            let mut items = items;
            (items.mark(at), items)
        };
        differs "before_dashes" Behaviour ("-".to_owned()) |arg: String| before_dashes([arg]);
        differs "Decoder::advance" Behaviour (vec![27, 93, 7, 93]) |bytes: Vec<u8>| {
            struct Log(Vec<String>);
            impl Terminal for Log {
                fn print(&mut self, letter: char) {
                    self.0.push(letter.to_string());
                }
                fn command(&mut self, bytes: &[u8]) {
                    self.0.push(format!("{bytes:?}"));
                }
            }
            let (mut decoder, mut log) = (Decoder::new(), Log(Vec::new()));
            bytes.into_iter().for_each(|byte| decoder.advance(&mut log, byte));
            log.0
        };
        differs "tell_key" Behaviour (3_784_795_128) |key: u32| {
            struct Last(Option<char>);
            impl Terminal for Last {
                fn print(&mut self, letter: char) {
                    self.0 = Some(letter);
                }
                fn command(&mut self, _bytes: &[u8]) {}
            }
            let mut last = Last(None);
            tell_key(&mut last, key);
            last.0
        };
    }
    claims! { suite, "differ/left_values", left_values_old, left_values_new;
        differs "Args::next_flag" Regression (true) |flag: bool| {
            let words = ["-x", "word"];
            let mut args = Args::new(&words);
            if flag {
                args.next_flag();
            }
            args.next_flag();
            args.word().map(str::len)
        };
        differs "Column::last_but" Regression (1) |cells: usize| {
            Table::new(vec![1, 2, 3, 4], 2).column(0).last_but(cells % 2)
        };
        differs "Numbered::write" Behaviour ('x') |c: char| {
            let mut text = String::new();
            numbered(&mut text).write(&c.to_string());
            text
        };
    }
    claims! { suite, "differ/behind_objects", behind_objects_old, behind_objects_new;
        differs "<Average as Filter>::restart" Behaviour (1) |sample: u8| {
            let mut average = Average::new();
            average.next(sample);
            average.restart();
            average.next(sample)
        };
        same "Meter::new" |sample: u8| Meter::new().measure(sample);
        differs "Meter::measure" Behaviour (1) |sample: u8| {
            let mut meter = Meter::new();
            meter.measure(sample);
            meter.restart();
            meter.measure(sample)
        };
        same "Meter::restart" |sample: u8| {
            let mut meter = Meter::new();
            meter.restart();
            meter.measure(sample)
        };
        differs "<&str as Label>::label" Behaviour (" ".to_owned() + "a") |text: String| text.as_str().label();
        differs "labels" Behaviour (" ".to_owned() + "a", 1) |text: String, number: u8| {
            labels(&[&text.as_str(), &number])
        };
    }
}
