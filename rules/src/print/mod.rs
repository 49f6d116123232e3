//! Terms to text, and the wrapping of lines.

mod options;
mod wrap;

pub use options::PrintOptions;
pub use wrap::{DEFAULT_WIDTH, Wrapper};
