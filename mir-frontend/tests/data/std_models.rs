pub mod iter {
    pub trait Step: Clone { fn forward(&self) -> Self; }
    impl Step for u8 { fn forward(&self) -> u8 { *self + 1 } }
    pub trait Iterator { type Item; fn next(&mut self) -> Option<Self::Item>; fn count(mut self) -> usize where Self: Sized { let mut n = 0; while let Some(_) = self.next() { n += 1; } n } }
    impl<A: Step + PartialOrd> Iterator for std::ops::Range<A> { type Item = A; fn next(&mut self) -> Option<A> { if self.start < self.end { let n = self.start.forward(); Some(std::mem::replace(&mut self.start, n)) } else { None } } }
    pub struct Map<I, F> { iter: I, f: F }
    impl<B, I: Iterator, F: FnMut(I::Item) -> B> Iterator for Map<I, F> { type Item = B; fn next(&mut self) -> Option<B> { let f = &mut self.f; self.iter.next().map(|x| f(x)) } }
}
pub mod mem { pub fn swap<T>(a: &mut T, b: &mut T) { std::mem::swap(a, b) } }
pub mod inherent {
    pub trait OptionMethods<T> { fn unwrap_or(self, default: T) -> T; fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U; }
    impl<T> OptionMethods<T> for Option<T> {
        fn unwrap_or(self, default: T) -> T { match self { Some(x) => x, None => default } }
        fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U { let call = |x| f(x); match self { Some(x) => call(x), None => default } }
    }
    pub trait SliceMethods<T> { fn is_empty(&self) -> bool; }
    impl<T> SliceMethods<T> for [T] { fn is_empty(&self) -> bool { self.len() == 0 } }
    pub trait U32Methods { const WIDTH: u32; fn double(self) -> u32; }
    impl U32Methods for u32 { const WIDTH: u32 = 32; fn double(self) -> u32 { self * 2 } }
}
