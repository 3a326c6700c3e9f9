//! `std::net`: addresses as numbers. Nothing is opened here.
//!
//! Limits: in which pieces an address feeds a hasher, its text beyond version 4, and parsing are left out.

use crate::convert::From;
use crate::fmt::{Debug, Display, Formatter, Result};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ipv4Addr(u8, u8, u8, u8);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ipv6Addr(u16, u16, u16, u16, u16, u16, u16, u16);

impl Ipv4Addr {
    pub const LOCALHOST: Ipv4Addr = Ipv4Addr(127, 0, 0, 1);
    pub const UNSPECIFIED: Ipv4Addr = Ipv4Addr(0, 0, 0, 0);
    pub const BROADCAST: Ipv4Addr = Ipv4Addr(255, 255, 255, 255);
    pub const fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr {
        Ipv4Addr(a, b, c, d)
    }
    pub const fn octets(&self) -> [u8; 4] {
        [self.0, self.1, self.2, self.3]
    }
    pub const fn from_octets(octets: [u8; 4]) -> Ipv4Addr {
        Ipv4Addr(octets[0], octets[1], octets[2], octets[3])
    }
    pub fn to_bits(self) -> u32 {
        u32::from_be_bytes(self.octets())
    }
    pub fn from_bits(bits: u32) -> Ipv4Addr {
        Ipv4Addr::from_octets(bits.to_be_bytes())
    }
    pub fn is_unspecified(&self) -> bool {
        self.0 == 0 && self.1 == 0 && self.2 == 0 && self.3 == 0
    }
    pub fn is_loopback(&self) -> bool {
        self.0 == 127
    }
    pub fn is_private(&self) -> bool {
        match (self.0, self.1) {
            (10, _) | (192, 168) => true,
            (172, second) => second >= 16 && second <= 31,
            _ => false,
        }
    }
    pub fn is_link_local(&self) -> bool {
        self.0 == 169 && self.1 == 254
    }
    pub fn is_multicast(&self) -> bool {
        self.0 >= 224 && self.0 <= 239
    }
    pub fn is_broadcast(&self) -> bool {
        self.0 == 255 && self.1 == 255 && self.2 == 255 && self.3 == 255
    }
    pub fn to_ipv6_mapped(&self) -> Ipv6Addr {
        let [a, b, c, d] = self.octets();
        Ipv6Addr(0, 0, 0, 0, 0, 0xFFFF, u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
    }
}

impl Ipv6Addr {
    pub const LOCALHOST: Ipv6Addr = Ipv6Addr(0, 0, 0, 0, 0, 0, 0, 1);
    pub const UNSPECIFIED: Ipv6Addr = Ipv6Addr(0, 0, 0, 0, 0, 0, 0, 0);
    pub const fn new(a: u16, b: u16, c: u16, d: u16, e: u16, f: u16, g: u16, h: u16) -> Ipv6Addr {
        Ipv6Addr(a, b, c, d, e, f, g, h)
    }
    pub const fn segments(&self) -> [u16; 8] {
        [self.0, self.1, self.2, self.3, self.4, self.5, self.6, self.7]
    }
    pub fn octets(&self) -> [u8; 16] {
        self.to_bits().to_be_bytes()
    }
    pub fn to_bits(self) -> u128 {
        let segments = self.segments();
        let mut bits: u128 = 0;
        let mut index = 0;
        while index < 8 {
            bits = bits.wrapping_shl(16) | segments[index] as u128;
            index = index.wrapping_add(1);
        }
        bits
    }
    pub fn from_bits(bits: u128) -> Ipv6Addr {
        let part = |shift: u32| bits.wrapping_shr(shift) as u16;
        Ipv6Addr(part(112), part(96), part(80), part(64), part(48), part(32), part(16), part(0))
    }
    pub fn is_unspecified(&self) -> bool {
        self.to_bits() == 0
    }
    pub fn is_loopback(&self) -> bool {
        self.to_bits() == 1
    }
    pub fn is_multicast(&self) -> bool {
        self.0 >= 0xFF00
    }
    pub fn to_ipv4_mapped(&self) -> Option<Ipv4Addr> {
        match self.segments() {
            [0, 0, 0, 0, 0, 0xFFFF, g, h] => {
                let ([a, b], [c, d]) = (g.to_be_bytes(), h.to_be_bytes());
                Some(Ipv4Addr(a, b, c, d))
            }
            _ => None,
        }
    }
}

impl From<u32> for Ipv4Addr {
    fn from(bits: u32) -> Ipv4Addr {
        Ipv4Addr::from_bits(bits)
    }
}

impl From<[u8; 4]> for Ipv4Addr {
    fn from(octets: [u8; 4]) -> Ipv4Addr {
        Ipv4Addr::from_octets(octets)
    }
}

impl From<Ipv4Addr> for u32 {
    fn from(address: Ipv4Addr) -> u32 {
        address.to_bits()
    }
}

impl From<u128> for Ipv6Addr {
    fn from(bits: u128) -> Ipv6Addr {
        Ipv6Addr::from_bits(bits)
    }
}

impl From<[u8; 16]> for Ipv6Addr {
    fn from(octets: [u8; 16]) -> Ipv6Addr {
        Ipv6Addr::from_bits(u128::from_be_bytes(octets))
    }
}

impl From<[u16; 8]> for Ipv6Addr {
    fn from(segments: [u16; 8]) -> Ipv6Addr {
        let [a, b, c, d, e, f, g, h] = segments;
        Ipv6Addr(a, b, c, d, e, f, g, h)
    }
}

impl From<Ipv6Addr> for u128 {
    fn from(address: Ipv6Addr) -> u128 {
        address.to_bits()
    }
}

/// Written piece by piece where nothing is to be filled up or cut.
fn write_parts(f: &mut Formatter<'_>, octets: [u8; 4]) -> Result {
    let f = &mut Formatter::plain(&mut *f.buf);
    Display::fmt(&octets[0], f)?;
    f.write_str(".")?;
    Display::fmt(&octets[1], f)?;
    f.write_str(".")?;
    Display::fmt(&octets[2], f)?;
    f.write_str(".")?;
    Display::fmt(&octets[3], f)
}

impl Display for Ipv4Addr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if f.precision().is_none() && f.width().is_none() {
            return write_parts(f, self.octets());
        }
        let mut text = String::new();
        write_parts(&mut Formatter::plain(&mut text), self.octets())?;
        f.pad(text.as_str())
    }
}

impl Debug for Ipv4Addr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}
