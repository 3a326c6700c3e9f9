//! The text of the models, for a program that has them compiled by whichever toolchain its user has.
//!
//! They form one library crate without dependencies, of the edition of this one, to be compiled under the name
//! `std_models`. This file is no part of it: without the feature `sources` the crate does not mention it.

macro_rules! sources {
    ($($path:literal)*) => {
        &[$(($path, include_str!($path))),*]
    };
}

/// Every other source file: its path below `src/`, with `/` between folders, and its text. `lib.rs` is the root.
pub const SOURCES: &[(&str, &str)] = sources! {
    "alloc.rs"
    "arch/mod.rs"
    "arch/x86_64.rs"
    "array.rs"
    "ascii.rs"
    "boolean.rs"
    "borrow.rs"
    "borrow/cow.rs"
    "boxed.rs"
    "cell.rs"
    "cell/lazy.rs"
    "cell/ref_cell.rs"
    "char/ascii.rs"
    "char/escapes.rs"
    "char/methods.rs"
    "char/mod.rs"
    "clone.rs"
    "cmp/compound.rs"
    "cmp/mod.rs"
    "cmp/ordering.rs"
    "cmp/prims.rs"
    "collections.rs"
    "collections/binary_heap.rs"
    "collections/btree_map.rs"
    "collections/btree_set.rs"
    "collections/hash_map.rs"
    "collections/hash_set.rs"
    "collections/hash_set/operations.rs"
    "collections/vec_deque.rs"
    "convert.rs"
    "counted.rs"
    "default.rs"
    "documented.rs"
    "documented/memchr.rs"
    "error.rs"
    "fmt/builders.rs"
    "fmt/compound.rs"
    "fmt/errors.rs"
    "fmt/mod.rs"
    "fmt/numbers.rs"
    "fmt/rt.rs"
    "fmt/text.rs"
    "hash.rs"
    "hint.rs"
    "inherent.rs"
    "inherent/numbers.rs"
    "inherent/slices.rs"
    "inherent/text.rs"
    "inherent/unchecked.rs"
    "intrinsics.rs"
    "io.rs"
    "io/adaptors.rs"
    "io/buffered.rs"
    "io/cursor.rs"
    "io/error.rs"
    "io/memory.rs"
    "iter/adapters.rs"
    "iter/collect.rs"
    "iter/flatten.rs"
    "iter/mod.rs"
    "iter/ranges.rs"
    "iter/sources.rs"
    "iter/traits.rs"
    "iter/types.rs"
    "lib.rs"
    "mem.rs"
    "net.rs"
    "num/common.rs"
    "num/float.rs"
    "num/mixed.rs"
    "num/mod.rs"
    "num/nonzero.rs"
    "num/parse.rs"
    "num/parse_float.rs"
    "num/signed.rs"
    "num/unsigned.rs"
    "num/wrapping.rs"
    "ops/arith.rs"
    "ops/index.rs"
    "ops/mod.rs"
    "ops/range.rs"
    "ops/try_trait.rs"
    "option.rs"
    "path.rs"
    "ptr.rs"
    "rc.rs"
    "rc/methods.rs"
    "result.rs"
    "slice/index.rs"
    "slice/iterators.rs"
    "slice/join.rs"
    "slice/methods.rs"
    "slice/mod.rs"
    "slice/order.rs"
    "slice/parts.rs"
    "stand_ins.rs"
    "str/back.rs"
    "str/chunks.rs"
    "str/decode.rs"
    "str/iterators.rs"
    "str/methods.rs"
    "str/mod.rs"
    "str/pattern.rs"
    "str/split.rs"
    "string.rs"
    "string/edit.rs"
    "sync.rs"
    "sync/arc.rs"
    "sync/atomic.rs"
    "sync/lock.rs"
    "sync/once.rs"
    "time.rs"
    "time/system.rs"
    "time/text.rs"
    "vec.rs"
    "vec/reserve.rs"
    "vec/splice.rs"
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::SOURCES;

    #[test]
    fn every_other_file_of_the_crate_is_there() {
        fn collect(dir: &Path, prefix: &str, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(dir).expect("the crate has a folder for its sources") {
                let entry = entry.expect("a readable folder");
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if entry.path().is_dir() {
                    collect(&entry.path(), &format!("{name}/"), found);
                } else if name != "sources.rs" {
                    found.push(name);
                }
            }
        }
        let mut found = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
        found.sort();
        let mut there: Vec<String> = SOURCES.iter().map(|(path, _)| path.to_string()).collect();
        there.sort();
        assert_eq!(there, found);
    }
}
