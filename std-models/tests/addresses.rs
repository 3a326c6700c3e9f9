//! Addresses as numbers, against the real ones.

#![allow(clippy::all)]

use std::net as real;

use proptest::prelude::*;
use std_models::convert::From as Model;
use std_models::net as model;
use std_models::string::ToString as _;

/// Parts that the kinds of addresses are told apart by, and any others.
fn part() -> impl Strategy<Value = u8> {
    const SPECIAL: &[u8] = &[0, 1, 10, 15, 16, 31, 32, 127, 168, 169, 172, 192, 223, 224, 239, 240, 254, 255];
    prop_oneof![any::<u8>(), prop::sample::select(SPECIAL)]
}

fn segment() -> impl Strategy<Value = u16> {
    prop_oneof![any::<u16>(), prop::sample::select(&[0, 1, 0xFEFF, 0xFF00, 0xFFFF][..])]
}

proptest! {
    #[test]
    fn of_four_parts(a in part(), b in part(), c in part(), d in part(), other in part()) {
        let (x, y) = (model::Ipv4Addr::new(a, b, c, d), real::Ipv4Addr::new(a, b, c, d));
        prop_assert_eq!(x.octets(), y.octets());
        prop_assert_eq!(x.to_bits(), y.to_bits());
        prop_assert_eq!(<u32 as Model<model::Ipv4Addr>>::from(x), u32::from_be_bytes([a, b, c, d]));
        prop_assert!(model::Ipv4Addr::from_bits(y.to_bits()) == x && model::Ipv4Addr::from_octets(y.octets()) == x);
        prop_assert!(<model::Ipv4Addr as Model<u32>>::from(y.to_bits()) == x && <model::Ipv4Addr as Model<[u8; 4]>>::from(y.octets()) == x);
        let kinds = (x.is_unspecified(), x.is_loopback(), x.is_private(), x.is_link_local(), x.is_multicast(), x.is_broadcast());
        prop_assert_eq!(kinds, (y.is_unspecified(), y.is_loopback(), y.is_private(), y.is_link_local(), y.is_multicast(), y.is_broadcast()));
        prop_assert_eq!(x.to_ipv6_mapped().segments(), y.to_ipv6_mapped().segments());
        prop_assert_eq!(Some(x.to_bits()), x.to_ipv6_mapped().to_ipv4_mapped().map(|back| back.to_bits()));
        prop_assert_eq!(x.to_string(), format!("{y}"));
        let (p, q) = (model::Ipv4Addr::new(other, b, d, c), real::Ipv4Addr::new(other, b, d, c));
        prop_assert_eq!(x.cmp(&p), y.cmp(&q));
    }

    #[test]
    fn of_eight_parts(parts in prop::array::uniform8(segment()), others in prop::array::uniform8(segment())) {
        let [a, b, c, d, e, f, g, h] = parts;
        let (x, y) = (model::Ipv6Addr::new(a, b, c, d, e, f, g, h), real::Ipv6Addr::new(a, b, c, d, e, f, g, h));
        prop_assert_eq!(x.segments(), y.segments());
        prop_assert_eq!(x.octets(), y.octets());
        prop_assert_eq!(x.to_bits(), y.to_bits());
        prop_assert_eq!(<u128 as Model<model::Ipv6Addr>>::from(x), y.to_bits());
        prop_assert!(model::Ipv6Addr::from_bits(y.to_bits()) == x && <model::Ipv6Addr as Model<u128>>::from(y.to_bits()) == x);
        prop_assert!(<model::Ipv6Addr as Model<[u8; 16]>>::from(y.octets()) == x && <model::Ipv6Addr as Model<[u16; 8]>>::from(parts) == x);
        prop_assert_eq!((x.is_unspecified(), x.is_loopback(), x.is_multicast()), (y.is_unspecified(), y.is_loopback(), y.is_multicast()));
        prop_assert_eq!(x.to_ipv4_mapped().map(|found| found.octets()), y.to_ipv4_mapped().map(|found| found.octets()));
        let (p, q) = (<model::Ipv6Addr as Model<[u16; 8]>>::from(others), real::Ipv6Addr::new(others[0], others[1], others[2], others[3], others[4], others[5], others[6], others[7]));
        prop_assert_eq!(x.cmp(&p), y.cmp(&q));
    }
}

#[test]
fn addresses_with_names() {
    assert_eq!(model::Ipv4Addr::LOCALHOST.octets(), real::Ipv4Addr::LOCALHOST.octets());
    assert_eq!(model::Ipv4Addr::UNSPECIFIED.octets(), real::Ipv4Addr::UNSPECIFIED.octets());
    assert_eq!(model::Ipv4Addr::BROADCAST.octets(), real::Ipv4Addr::BROADCAST.octets());
    assert_eq!(model::Ipv6Addr::LOCALHOST.segments(), real::Ipv6Addr::LOCALHOST.segments());
    assert_eq!(model::Ipv6Addr::UNSPECIFIED.segments(), real::Ipv6Addr::UNSPECIFIED.segments());
    assert!(model::Ipv6Addr::LOCALHOST.is_loopback() && model::Ipv6Addr::UNSPECIFIED.is_unspecified());
}
