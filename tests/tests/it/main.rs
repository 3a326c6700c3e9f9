//! The command as its users run it, and the campaigns in small: one program, as linking the command once for each file takes longer than many of
//! the files. Tests of different files run beside each other, so none may change what belongs to the whole process (environment, current
//! directory) or rely on being alone on the machine.

mod affected;
mod affected_tests;
mod attack_generated;
mod bad_input;
mod bisect;
mod book;
mod builds;
mod charon;
mod charon_mutated;
mod ci;
mod conformance;
mod dependencies;
mod emitted_crates;
mod environments;
mod explore;
mod explore_real_crates;
mod facades;
mod hooks;
mod identity;
mod jobserver;
mod killed;
mod localize;
mod merge;
mod outside;
mod packages;
mod real_crates;
mod reports;
mod serve;
mod sharding;
mod stuck_solver;
mod test_calls;
mod total_timeout;
mod tour;
mod untouched;
mod warm;
mod watch;
