//! Where printed text goes: it is passed on piece by piece, so that the text of a large term is not
//! held as a whole.

use std::fmt;

use broth_engine::Stop;

/// About how many bytes a piece has.
const PIECE: usize = 1 << 16;

/// What takes the pieces; an error ends the printing.
pub type Sink<'o> = &'o mut dyn FnMut(&str) -> Result<(), Stop>;

/// Text on its way to a sink.
pub struct Outlet<'o> {
    text: String,
    sink: Sink<'o>,
}

impl<'o> Outlet<'o> {
    /// An outlet to a sink.
    pub fn new(sink: Sink<'o>) -> Outlet<'o> {
        Outlet { text: String::new(), sink }
    }

    /// Appends a text.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// What has not been passed on yet, to append more.
    pub fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Passes a piece on, if there is one.
    pub fn pass_on(&mut self) -> Result<(), Stop> {
        if self.text.len() < PIECE { Ok(()) } else { self.flush() }
    }

    /// Passes on what there is.
    pub fn flush(&mut self) -> Result<(), Stop> {
        let passed = (self.sink)(&self.text);
        self.text.clear();
        self.text.shrink_to(PIECE);
        passed
    }
}

impl fmt::Write for Outlet<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
