//! Both versions of each case, as they are on disk. The marks on their lines must not be moved, so the modules are
//! declared by a macro, where rustfmt does not find them.

macro_rules! versions {
    ($($old:ident $old_path:literal $new:ident $new_path:literal;)*) => {$(
        #[path = $old_path]
        #[allow(warnings, unsafe_code, clippy::all)]
        pub mod $old;
        #[path = $new_path]
        #[allow(warnings, unsafe_code, clippy::all)]
        pub mod $new;
    )*};
}

versions! {
    hard_conditions_old "../../../fixtures/bounds/hard_conditions/old/src/lib.rs"
    hard_conditions_new "../../../fixtures/bounds/hard_conditions/new/src/lib.rs";
    long_inputs_old "../../../fixtures/bounds/long_inputs/old/src/lib.rs"
    long_inputs_new "../../../fixtures/bounds/long_inputs/new/src/lib.rs";
    chosen_old "../../../fixtures/attack/chosen/old/src/lib.rs"
    chosen_new "../../../fixtures/attack/chosen/new/src/lib.rs";
    open_types_old "../../../fixtures/attack/open_types/old/src/lib.rs"
    open_types_new "../../../fixtures/attack/open_types/new/src/lib.rs";
    mutable_statics_old "../../../fixtures/bounds/mutable_statics/old/src/lib.rs"
    mutable_statics_new "../../../fixtures/bounds/mutable_statics/new/src/lib.rs";
    long_loops_old "../../../fixtures/bounds/long_loops/old/src/lib.rs"
    long_loops_new "../../../fixtures/bounds/long_loops/new/src/lib.rs";
    associated_items_old "../../../fixtures/differ/associated_items/old/src/lib.rs"
    associated_items_new "../../../fixtures/differ/associated_items/new/src/lib.rs";
    differ_formatting_old "../../../fixtures/differ/formatting/old/src/lib.rs"
    differ_formatting_new "../../../fixtures/differ/formatting/new/src/lib.rs";
    refactor_formatting_old "../../../fixtures/refactor/formatting/old/src/lib.rs"
    refactor_formatting_new "../../../fixtures/refactor/formatting/new/src/lib.rs";
    differ_floats_old "../../../fixtures/differ/floats/old/src/lib.rs"
    differ_floats_new "../../../fixtures/differ/floats/new/src/lib.rs";
    refactor_floats_old "../../../fixtures/refactor/floats/old/src/lib.rs"
    refactor_floats_new "../../../fixtures/refactor/floats/new/src/lib.rs";
    boundary_old "../../../fixtures/differ/boundary/old/src/lib.rs"
    boundary_new "../../../fixtures/differ/boundary/new/src/lib.rs";
    casts_old "../../../fixtures/differ/casts/old/src/lib.rs"
    casts_new "../../../fixtures/differ/casts/new/src/lib.rs";
    characters_old "../../../fixtures/differ/characters/old/src/lib.rs"
    characters_new "../../../fixtures/differ/characters/new/src/lib.rs";
    discriminants_old "../../../fixtures/differ/discriminants/old/src/lib.rs"
    discriminants_new "../../../fixtures/differ/discriminants/new/src/lib.rs";
    dispatch_old "../../../fixtures/differ/dispatch/old/src/lib.rs"
    dispatch_new "../../../fixtures/differ/dispatch/new/src/lib.rs";
    division_old "../../../fixtures/differ/division/old/src/lib.rs"
    division_new "../../../fixtures/differ/division/new/src/lib.rs";
    drop_order_old "../../../fixtures/differ/drop_order/old/src/lib.rs"
    drop_order_new "../../../fixtures/differ/drop_order/new/src/lib.rs";
    endless_old "../../../fixtures/differ/endless/old/src/lib.rs"
    endless_new "../../../fixtures/differ/endless/new/src/lib.rs";
    errors_old "../../../fixtures/differ/errors/old/src/lib.rs"
    errors_new "../../../fixtures/differ/errors/new/src/lib.rs";
    indexing_old "../../../fixtures/differ/indexing/old/src/lib.rs"
    indexing_new "../../../fixtures/differ/indexing/new/src/lib.rs";
    magic_old "../../../fixtures/differ/magic/old/src/lib.rs"
    magic_new "../../../fixtures/differ/magic/new/src/lib.rs";
    missing_arm_old "../../../fixtures/differ/missing_arm/old/src/lib.rs"
    missing_arm_new "../../../fixtures/differ/missing_arm/new/src/lib.rs";
    nested_enums_old "../../../fixtures/differ/nested_enums/old/src/lib.rs"
    nested_enums_new "../../../fixtures/differ/nested_enums/new/src/lib.rs";
    order_of_writes_old "../../../fixtures/differ/order_of_writes/old/src/lib.rs"
    order_of_writes_new "../../../fixtures/differ/order_of_writes/new/src/lib.rs";
    overflow_old "../../../fixtures/differ/overflow/old/src/lib.rs"
    overflow_new "../../../fixtures/differ/overflow/new/src/lib.rs";
    precedence_old "../../../fixtures/differ/precedence/old/src/lib.rs"
    precedence_new "../../../fixtures/differ/precedence/new/src/lib.rs";
    recursion_old "../../../fixtures/differ/recursion/old/src/lib.rs"
    recursion_new "../../../fixtures/differ/recursion/new/src/lib.rs";
    repairs_old "../../../fixtures/differ/repairs/old/src/lib.rs"
    repairs_new "../../../fixtures/differ/repairs/new/src/lib.rs";
    shifts_old "../../../fixtures/differ/shifts/old/src/lib.rs"
    shifts_new "../../../fixtures/differ/shifts/new/src/lib.rs";
    signs_old "../../../fixtures/differ/signs/old/src/lib.rs"
    signs_new "../../../fixtures/differ/signs/new/src/lib.rs";
    statics_old "../../../fixtures/differ/statics/old/src/lib.rs"
    statics_new "../../../fixtures/differ/statics/new/src/lib.rs";
    struct_update_old "../../../fixtures/differ/struct_update/old/src/lib.rs"
    struct_update_new "../../../fixtures/differ/struct_update/new/src/lib.rs";
    traps_old "../../../fixtures/differ/traps/old/src/lib.rs"
    traps_new "../../../fixtures/differ/traps/new/src/lib.rs";
    unwrap_old "../../../fixtures/differ/unwrap/old/src/lib.rs"
    unwrap_new "../../../fixtures/differ/unwrap/new/src/lib.rs";
    wide_integers_old "../../../fixtures/differ/wide_integers/old/src/lib.rs"
    wide_integers_new "../../../fixtures/differ/wide_integers/new/src/lib.rs";
    cut_field_list_old "../../../fixtures/papers/cut_field_list/old/src/lib.rs"
    cut_field_list_new "../../../fixtures/papers/cut_field_list/new/src/lib.rs";
    cut_field_list_repaired_old "../../../fixtures/papers/cut_field_list_repaired/old/src/lib.rs"
    cut_field_list_repaired_new "../../../fixtures/papers/cut_field_list_repaired/new/src/lib.rs";
    cut_range_buffer_old "../../../fixtures/papers/cut_range_buffer/old/src/lib.rs"
    cut_range_buffer_new "../../../fixtures/papers/cut_range_buffer/new/src/lib.rs";
    irrelevant_assignment_old "../../../fixtures/papers/irrelevant_assignment/old/src/lib.rs"
    irrelevant_assignment_new "../../../fixtures/papers/irrelevant_assignment/new/src/lib.rs";
    negated_absolute_old "../../../fixtures/papers/negated_absolute/old/src/lib.rs"
    negated_absolute_new "../../../fixtures/papers/negated_absolute/new/src/lib.rs";
    shadow_threshold_old "../../../fixtures/papers/shadow_threshold/old/src/lib.rs"
    shadow_threshold_new "../../../fixtures/papers/shadow_threshold/new/src/lib.rs";
    shadow_underflow_old "../../../fixtures/papers/shadow_underflow/old/src/lib.rs"
    shadow_underflow_new "../../../fixtures/papers/shadow_underflow/new/src/lib.rs";
    three_partitions_old "../../../fixtures/papers/three_partitions/old/src/lib.rs"
    three_partitions_new "../../../fixtures/papers/three_partitions/new/src/lib.rs";
    three_partitions_assumed_old "../../../fixtures/papers/three_partitions_assumed/old/src/lib.rs"
    three_partitions_assumed_new "../../../fixtures/papers/three_partitions_assumed/new/src/lib.rs";
    arrays_old "../../../fixtures/refactor/arrays/old/src/lib.rs"
    arrays_new "../../../fixtures/refactor/arrays/new/src/lib.rs";
    refactor_associated_items_old "../../../fixtures/refactor/associated_items/old/src/lib.rs"
    refactor_associated_items_new "../../../fixtures/refactor/associated_items/new/src/lib.rs";
    bit_tricks_old "../../../fixtures/refactor/bit_tricks/old/src/lib.rs"
    bit_tricks_new "../../../fixtures/refactor/bit_tricks/new/src/lib.rs";
    refactor_casts_old "../../../fixtures/refactor/casts/old/src/lib.rs"
    refactor_casts_new "../../../fixtures/refactor/casts/new/src/lib.rs";
    refactor_characters_old "../../../fixtures/refactor/characters/old/src/lib.rs"
    refactor_characters_new "../../../fixtures/refactor/characters/new/src/lib.rs";
    commutative_old "../../../fixtures/refactor/commutative/old/src/lib.rs"
    commutative_new "../../../fixtures/refactor/commutative/new/src/lib.rs";
    conditions_old "../../../fixtures/refactor/conditions/old/src/lib.rs"
    conditions_new "../../../fixtures/refactor/conditions/new/src/lib.rs";
    constants_old "../../../fixtures/refactor/constants/old/src/lib.rs"
    constants_new "../../../fixtures/refactor/constants/new/src/lib.rs";
    drop_old "../../../fixtures/refactor/drop/old/src/lib.rs"
    drop_new "../../../fixtures/refactor/drop/new/src/lib.rs";
    enums_old "../../../fixtures/refactor/enums/old/src/lib.rs"
    enums_new "../../../fixtures/refactor/enums/new/src/lib.rs";
    generics_old "../../../fixtures/refactor/generics/old/src/lib.rs"
    generics_new "../../../fixtures/refactor/generics/new/src/lib.rs";
    helpers_old "../../../fixtures/refactor/helpers/old/src/lib.rs"
    helpers_new "../../../fixtures/refactor/helpers/new/src/lib.rs";
    impossible_branches_old "../../../fixtures/refactor/impossible_branches/old/src/lib.rs"
    impossible_branches_new "../../../fixtures/refactor/impossible_branches/new/src/lib.rs";
    loops_old "../../../fixtures/refactor/loops/old/src/lib.rs"
    loops_new "../../../fixtures/refactor/loops/new/src/lib.rs";
    mutable_references_old "../../../fixtures/refactor/mutable_references/old/src/lib.rs"
    mutable_references_new "../../../fixtures/refactor/mutable_references/new/src/lib.rs";
    operators_old "../../../fixtures/refactor/operators/old/src/lib.rs"
    operators_new "../../../fixtures/refactor/operators/new/src/lib.rs";
    panics_kept_old "../../../fixtures/refactor/panics_kept/old/src/lib.rs"
    panics_kept_new "../../../fixtures/refactor/panics_kept/new/src/lib.rs";
    question_mark_old "../../../fixtures/refactor/question_mark/old/src/lib.rs"
    question_mark_new "../../../fixtures/refactor/question_mark/new/src/lib.rs";
    refactor_recursion_old "../../../fixtures/refactor/recursion/old/src/lib.rs"
    refactor_recursion_new "../../../fixtures/refactor/recursion/new/src/lib.rs";
    slices_old "../../../fixtures/refactor/slices/old/src/lib.rs"
    slices_new "../../../fixtures/refactor/slices/new/src/lib.rs";
    structs_old "../../../fixtures/refactor/structs/old/src/lib.rs"
    structs_new "../../../fixtures/refactor/structs/new/src/lib.rs";
    sum_formula_old "../../../fixtures/refactor/sum_formula/old/src/lib.rs"
    sum_formula_new "../../../fixtures/refactor/sum_formula/new/src/lib.rs";
    refactor_wide_integers_old "../../../fixtures/refactor/wide_integers/old/src/lib.rs"
    refactor_wide_integers_new "../../../fixtures/refactor/wide_integers/new/src/lib.rs";
}
