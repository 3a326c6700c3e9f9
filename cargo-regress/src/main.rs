mod harness;

fn main() {}
