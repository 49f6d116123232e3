//! Source texts: from bytes to text, and places in texts.

mod decode;
mod place;

pub use decode::{Decoded, Foreign, NoText, decode};
pub use place::{FileId, LineColumn, Source, Sources, Span};
