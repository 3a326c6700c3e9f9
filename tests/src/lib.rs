//! What the end-to-end tests share: the fixtures and the expectations written on their lines, throw-away git
//! repositories, and running the command.

pub mod attack_grammar;
pub mod book;
pub mod built;
pub mod campaign;
pub mod cases;
pub mod charon;
pub mod claims;
pub mod clone;
pub mod command;
pub mod console;
pub mod contrast;
pub mod expectations;
pub mod gaps;
pub mod historical;
pub mod identity_table;
pub mod localized;
pub mod merges;
pub mod mutants;
pub mod mutation;
pub mod native;
pub mod real_crates;
pub mod repository;
pub mod runner;
pub mod seeded;
pub mod selection;
pub mod shared;
pub mod solvers;
pub mod subjects;
pub mod survey;
pub mod together;
pub mod yardstick;
