
/// What the compiler's instrumentation of a crate tells: which edges of control flow are taken, and what is compared. Where a crate is not instrumented,
/// nothing calls this. <https://clang.llvm.org/docs/SanitizerCoverage.html>
mod sancov {
    use super::Operand;
    use std::prelude::v1::*;
    use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
    use std::sync::Mutex;

    static REGIONS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());
    /// Whether a call is going on that coverage is asked of.
    static ACTIVE: AtomicBool = AtomicBool::new(false);
    /// Whether the operands of comparisons are kept.
    static TRACING: AtomicBool = AtomicBool::new(false);

    /// Constants that something is compared with, told apart by a hash of so many values, and how close it came: a way to go where
    /// only equality opens a branch.
    const CONSTANTS: usize = 120;
    const CLOSENESS: usize = 65;
    static CLOSE: [AtomicU8; CONSTANTS * CLOSENESS] = [const { AtomicU8::new(0) }; CONSTANTS * CLOSENESS];

    const MOST_OPERANDS: usize = 1024;
    /// Longer texts are kept by their beginnings.
    const LONGEST: usize = 40;

    #[derive(Clone, Copy)]
    struct Compared {
        /// 0 for numbers.
        length: usize,
        size: usize,
        numbers: (u64, u64),
        bytes: ([u8; LONGEST], [u8; LONGEST]),
    }

    struct Kept(std::cell::UnsafeCell<[Compared; MOST_OPERANDS]>);
    // Each slot is written once, by the thread that drew its number, and read when the call is over.
    unsafe impl Sync for Kept {}
    static KEPT: Kept = Kept(std::cell::UnsafeCell::new(
        [Compared { length: 0, size: 0, numbers: (0, 0), bytes: ([0; LONGEST], [0; LONGEST]) }; MOST_OPERANDS],
    ));
    static NEXT: AtomicUsize = AtomicUsize::new(0);

    /// Counters of this process, by their addresses; none if nothing is instrumented.
    pub fn regions() -> Vec<(usize, usize)> {
        let mut regions = REGIONS.lock().unwrap_or_else(|poison| poison.into_inner()).clone();
        if !regions.is_empty() {
            let start = CLOSE.as_ptr() as usize;
            regions.push((start, start + CLOSE.len()));
        }
        regions
    }

    pub fn activate(on: bool) {
        ACTIVE.store(on, Ordering::Relaxed);
    }

    pub fn trace(on: bool) {
        if on {
            NEXT.store(0, Ordering::Relaxed);
        }
        TRACING.store(on, Ordering::Relaxed);
    }

    /// What was compared while it was traced, the most recent last.
    pub fn operands() -> Vec<(Operand, Operand)> {
        let count = std::cmp::min(NEXT.load(Ordering::Relaxed), MOST_OPERANDS);
        let kept = unsafe { &*KEPT.0.get() };
        let told = |compared: &Compared| match compared.length {
            0 => {
                let (a, b) = compared.numbers;
                (Operand::Number(a, compared.size), Operand::Number(b, compared.size))
            }
            length => {
                let (ref a, ref b) = compared.bytes;
                (Operand::Bytes(a[..length].to_vec()), Operand::Bytes(b[..length].to_vec()))
            }
        };
        kept[..count].iter().map(told).collect()
    }

    fn keep(compared: Compared) {
        let at = NEXT.fetch_add(1, Ordering::Relaxed);
        if at < MOST_OPERANDS {
            unsafe { (*KEPT.0.get())[at] = compared };
        }
    }

    #[inline(always)]
    fn numbers(size: usize, a: u64, b: u64) {
        if TRACING.load(Ordering::Relaxed) && ACTIVE.load(Ordering::Relaxed) && a != b {
            keep(Compared { length: 0, size, numbers: (a, b), bytes: ([0; LONGEST], [0; LONGEST]) });
        }
    }

    #[inline(always)]
    fn close(constant: u64, b: u64) {
        if ACTIVE.load(Ordering::Relaxed) {
            let which = (constant.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % CONSTANTS;
            let distance = constant.wrapping_sub(b);
            let distance = std::cmp::min(distance, distance.wrapping_neg());
            CLOSE[which * CLOSENESS + distance.leading_zeros() as usize].store(1, Ordering::Relaxed);
        }
    }

    unsafe fn bytes(a: *const u8, b: *const u8, length: usize) {
        if length < 2 || !TRACING.load(Ordering::Relaxed) || !ACTIVE.load(Ordering::Relaxed) {
            return;
        }
        let length = std::cmp::min(length, LONGEST);
        let (mut left, mut right) = ([0; LONGEST], [0; LONGEST]);
        for at in 0..length {
            left[at] = *a.add(at);
            right[at] = *b.add(at);
        }
        keep(Compared { length, size: 0, numbers: (0, 0), bytes: (left, right) });
    }

    #[no_mangle]
    pub extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
        let region = (start as usize, stop as usize);
        let mut regions = REGIONS.lock().unwrap_or_else(|poison| poison.into_inner());
        if region.0 < region.1 && !regions.contains(&region) {
            regions.push(region);
        }
    }

    macro_rules! __regress_comparisons {
        ($($compare:ident $with_constant:ident $ty:ident $size:literal;)*) => {$(
            #[no_mangle]
            pub extern "C" fn $compare(a: $ty, b: $ty) {
                numbers($size, a as u64, b as u64);
            }
            #[no_mangle]
            pub extern "C" fn $with_constant(constant: $ty, b: $ty) {
                numbers($size, constant as u64, b as u64);
                close(constant as u64, b as u64);
            }
        )*};
    }

    __regress_comparisons! {
        __sanitizer_cov_trace_cmp1 __sanitizer_cov_trace_const_cmp1 u8 1;
        __sanitizer_cov_trace_cmp2 __sanitizer_cov_trace_const_cmp2 u16 2;
        __sanitizer_cov_trace_cmp4 __sanitizer_cov_trace_const_cmp4 u32 4;
        __sanitizer_cov_trace_cmp8 __sanitizer_cov_trace_const_cmp8 u64 8;
    }

    /// `cases` has the number of cases, the width in bits, and the cases.
    #[no_mangle]
    pub unsafe extern "C" fn __sanitizer_cov_trace_switch(value: u64, cases: *const u64) {
        const MOST: usize = 32;
        if TRACING.load(Ordering::Relaxed) {
            let size = std::cmp::max(1, *cases.add(1) as usize / 8);
            for at in 0..std::cmp::min(*cases as usize, MOST) {
                numbers(size, *cases.add(2 + at), value);
            }
        }
    }

    /// The linker puts these in the place of what they are called after.
    #[no_mangle]
    pub unsafe extern "C" fn __wrap_memcmp(a: *const u8, b: *const u8, length: usize) -> i32 {
        bytes(a, b, length);
        let mut at = 0;
        while at + 8 <= length && (a.add(at) as *const u64).read_unaligned() == (b.add(at) as *const u64).read_unaligned() {
            at += 8;
        }
        while at < length {
            let (left, right) = (*a.add(at), *b.add(at));
            if left != right {
                return left as i32 - right as i32;
            }
            at += 1;
        }
        0
    }

    #[no_mangle]
    pub unsafe extern "C" fn __wrap_bcmp(a: *const u8, b: *const u8, length: usize) -> i32 {
        __wrap_memcmp(a, b, length)
    }
}
