//! The `reorder` procedure of the 2011 paper (its Algorithm 2).

/// Orders branch instances so that one comes before another if it is in the other's relevant slice.
///
/// `in_slice_of(a, b)` says whether `a` is in the relevant slice of `b`. The last instance is the pivot: what is in its
/// slice goes before it, the rest after, and both parts are ordered in the same way.
pub fn reorder<T: Copy>(sequence: Vec<T>, in_slice_of: &dyn Fn(T, T) -> bool) -> Vec<T> {
    let mut ordered = Vec::with_capacity(sequence.len());
    // The recursion of the paper with its own stack: long runs have many thousands of instances.
    enum Work<T> {
        Order(Vec<T>),
        Emit(T),
    }
    let mut work = vec![Work::Order(sequence)];
    while let Some(item) = work.pop() {
        match item {
            Work::Emit(instance) => ordered.push(instance),
            Work::Order(mut sequence) => {
                let Some(pivot) = sequence.pop() else { continue };
                let (before, after) =
                    sequence.into_iter().partition(|instance| in_slice_of(*instance, pivot));
                work.push(Work::Order(after));
                work.push(Work::Emit(pivot));
                work.push(Work::Order(before));
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::reorder;

    /// `edges` are pairs (b, a): b is in the relevant slice of a.
    fn check(sequence: &[u32], edges: &[(u32, u32)], expected: &[u32]) {
        let got = reorder(sequence.to_vec(), &|instance, of| edges.contains(&(instance, of)));
        assert_eq!(got, expected);
    }

    #[test]
    fn slices_come_first() {
        check(&[1, 2, 3], &[(1, 3)], &[1, 3, 2]);
    }

    #[test]
    fn unrelated_instances_follow_the_pivot() {
        check(&[1, 2, 3], &[], &[3, 2, 1]);
    }

    #[test]
    fn a_chain_keeps_its_order() {
        check(&[1, 2, 3, 4], &[(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)], &[1, 2, 3, 4]);
    }

    #[test]
    fn both_parts_are_ordered_in_turn() {
        // 6 needs 1 and 3; of the rest 5 needs 2 and 4, and 4 needs 2.
        check(&[1, 2, 3, 4, 5, 6], &[(1, 6), (3, 6), (1, 3), (2, 5), (4, 5), (2, 4)], &[1, 3, 6, 2, 4, 5]);
    }
}
