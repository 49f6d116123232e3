//! What libraries for big integers take for the operations that programs use, by the number of
//! digits. Prints the table of `docs/performance.md`.
//!
//!     cargo run --release -p broth-engine --example numbers [LARGEST NUMBER OF DIGITS]

use std::hint::black_box;
use std::time::{Duration, Instant};

use dashu_int::UBig;
use num_bigint::BigUint;

/// A measurement that is expected to take longer than this is left out.
const PATIENCE: f64 = 90.0;

/// A library: the operations measured.
trait Natural: Sized {
    fn parse(digits: &str) -> Self;
    fn print(&self) -> String;
    fn add(&self, other: &Self) -> Self;
    fn multiply(&self, other: &Self) -> Self;
    fn divide(&self, other: &Self) -> Self;
    fn power(&self, exponent: usize) -> Self;
    /// A number of so many bits, of no pattern.
    fn random(bits: usize) -> Self;
}

impl Natural for BigUint {
    fn parse(digits: &str) -> Self {
        BigUint::parse_bytes(digits.as_bytes(), 10).expect("these are digits")
    }
    fn print(&self) -> String {
        self.to_string()
    }
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn multiply(&self, other: &Self) -> Self {
        self * other
    }
    fn divide(&self, other: &Self) -> Self {
        self / other
    }
    fn power(&self, exponent: usize) -> Self {
        self.pow(u32::try_from(exponent).expect("exponents are small"))
    }
    fn random(bits: usize) -> Self {
        BigUint::from_bytes_le(&bytes(bits))
    }
}

impl Natural for UBig {
    fn parse(digits: &str) -> Self {
        UBig::from_str_radix(digits, 10).expect("these are digits")
    }
    fn print(&self) -> String {
        self.to_string()
    }
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn multiply(&self, other: &Self) -> Self {
        self * other
    }
    fn divide(&self, other: &Self) -> Self {
        self / other
    }
    fn power(&self, exponent: usize) -> Self {
        self.pow(exponent)
    }
    fn random(bits: usize) -> Self {
        UBig::from_le_bytes(&bytes(bits))
    }
}

/// Bytes of no pattern, the same each time.
fn bytes(bits: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..bits / 8).map(|_| next()).chain([1]).collect()
}

/// The seconds that one call takes: the least of several runs of some milliseconds.
fn seconds<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut least = f64::MAX;
    let start = Instant::now();
    let mut times = 1u32;
    while start.elapsed() < Duration::from_millis(100) {
        let begin = Instant::now();
        for _ in 0..times {
            black_box(call());
        }
        let taken = begin.elapsed();
        least = least.min(taken.as_secs_f64() / f64::from(times));
        if taken < Duration::from_millis(5) {
            times *= 2;
        }
    }
    least
}

const OPERATIONS: [&str; 6] = ["add", "multiply", "divide", "power", "print", "parse"];

/// What each operation takes at a size; `None` where it would take too long, judged by what it took
/// at a tenth of the size.
fn measure<N: Natural>(digits: usize, before: &[Option<f64>; 6]) -> [Option<f64>; 6] {
    let bits = digits * 93 / 28;
    let number = N::random(bits);
    let long = N::random(2 * bits);
    let small = N::parse("12345678901");
    let exponent = digits / 10;
    let text = (0..digits).map(|i| char::from(b'1' + (i * i % 9) as u8)).collect::<String>();
    let mut taken = [None; 6];
    let mut at = |i: usize, call: &mut dyn FnMut() -> N| {
        // The worst that is expected is quadratic.
        if before[i].is_some_and(|seconds| seconds * 18.0 < PATIENCE) {
            taken[i] = Some(seconds(call));
        }
    };
    at(0, &mut || number.add(&number));
    at(1, &mut || number.multiply(&number.add(&small)));
    at(2, &mut || long.divide(&number));
    at(3, &mut || small.power(exponent));
    at(5, &mut || N::parse(&text));
    if before[4].is_some_and(|seconds| seconds * 18.0 < PATIENCE) {
        taken[4] = Some(seconds(|| number.print()));
    }
    taken
}

fn main() {
    let largest = std::env::args().nth(1).map_or(1_000_000, |n| n.parse().expect("a number"));
    let mut num = [Some(0.0); 6];
    let mut dashu = [Some(0.0); 6];
    println!("| digits | operation | num-bigint ms | dashu-int ms | ratio |");
    println!("| ---: | --- | ---: | ---: | ---: |");
    let mut digits = 100;
    while digits <= largest {
        num = measure::<BigUint>(digits, &num);
        dashu = measure::<UBig>(digits, &dashu);
        for (i, operation) in OPERATIONS.iter().enumerate() {
            let show = |t: Option<f64>| t.map_or("-".into(), |t| format!("{:.3}", t * 1e3));
            let ratio = match (num[i], dashu[i]) {
                (Some(n), Some(d)) => format!("{:.2}", d / n),
                _ => "-".into(),
            };
            println!(
                "| {digits} | {operation} | {} | {} | {ratio} |",
                show(num[i]),
                show(dashu[i])
            );
        }
        digits *= 10;
    }
}
