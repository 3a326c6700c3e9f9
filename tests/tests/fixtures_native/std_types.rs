//! Claims about types of the standard library as inputs and outputs.

use regress_tests::native::{Difference, Suite};

use super::versions::*;

pub fn claim(suite: &mut Suite) {
    claims! { suite, "attack/cloned_copies", cloned_copies_old, cloned_copies_new;
        differs "<Counted as Clone>::clone" Behaviour (1) |x: u8| format!("{:?}", Counted(x).clone());
        differs "into_vec" Behaviour (1) |x: u8| format!("{:?}", into_vec(x));
        differs "filtered" Behaviour (1) |x: u8| format!("{:?}", filtered(x));
        differs "into_set" Behaviour (1) |x: u8| format!("{:?}", into_set(x));
        differs "into_hash_set" Behaviour (1) |x: u8| format!("{:?}", into_hash_set(x));
        same "into_deque" |x: u8| format!("{:?}", into_deque(x));
    }
    claims! { suite, "differ/parsed_floats", parsed_floats_old, parsed_floats_new;
        differs "half" Behaviour ("10".to_owned()) |text: String| half(&text);
        differs "or_zero" Behaviour (String::new()) |text: String| or_zero(&text);
        differs "size" Behaviour (1000) |bytes: u32| size(bytes);
        differs "pieces" Behaviour (0) |from: u32| pieces(from);
    }
    claims! { suite, "differ/std_errors", std_errors_old, std_errors_new;
        differs "<Fault as From>::from" Behaviour ("-300".to_owned()) |text: String| {
            text.parse::<i8>().err().map(|error| match Fault::from(error) {
                Fault::Missing => 0,
                Fault::TooLarge => 1,
                Fault::Bad => 2,
            })
        };
        differs "of_float" Behaviour (String::new()) |text: String| {
            text.parse::<f64>().err().map(|error| of_float(&error))
        };
        differs "good_bytes" Behaviour (vec![0xe2]) |bytes: Vec<u8>| std::str::from_utf8(&bytes).err().map(good_bytes);
        differs "first_bad" Behaviour (vec![0xff]) |bytes: Vec<u8>| String::from_utf8(bytes).err().map(first_bad);
        differs "is_end" Behaviour (true) |interrupted: bool| {
            let kind = if interrupted { std::io::ErrorKind::Interrupted } else { std::io::ErrorKind::UnexpectedEof };
            is_end(&kind.into())
        };
        differs "kept" Behaviour (String::new()) |text: String| kept(std::io::Error::other(text)).to_string();
        differs "length" Behaviour ("\u{e9}".to_owned()) |text: String| length(text.into());
        differs "top" Behaviour (vec![1]) |items: Vec<u8>| {
            let mut heap = items.into();
            (top(&mut heap), heap.into_sorted_vec())
        };
        differs "add" Behaviour (vec![1], 2) |items: Vec<u8>, item: u8| {
            let mut list = items.into_iter().collect();
            add(&mut list, item);
            list
        };
        differs "c_length" Behaviour (vec![]) |bytes: Vec<u8>| {
            let bytes: Vec<u8> = bytes.into_iter().filter(|byte| *byte != 0).collect();
            c_length(&std::ffi::CString::new(bytes).unwrap_or_default())
        };
        differs "line" Behaviour (b"a;b".to_vec()) |bytes: Vec<u8>| line(&mut std::io::BufReader::new(&bytes));
        differs "clear" Behaviour (vec![1]) |items: Vec<u8>| {
            let mut items = items;
            clear(items.iter_mut());
            items
        };
    }
}
