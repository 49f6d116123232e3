//! Whether anybody still reads standard output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is known of whoever reads standard output.
#[derive(Clone)]
pub struct Reader {
    gone: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

impl Reader {
    /// A reader who is there. `stop` is the flag that stops the running command.
    pub fn new(stop: Arc<AtomicBool>) -> Reader {
        Reader { gone: Arc::default(), stop }
    }

    /// Whether nobody reads any more.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Notes that nobody reads any more, and stops what would only be written for nobody.
    pub fn leave(&self) {
        self.gone.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits in the background for the other end of a pipe to be closed. Where that cannot be seen,
    /// the next write notices it.
    pub fn watch(&self) {
        #[cfg(unix)]
        {
            let reader = self.clone();
            std::thread::spawn(move || {
                if wait_for_end() {
                    reader.leave();
                }
            });
        }
    }
}

/// Waits until standard output is closed at its other end; says whether that came.
#[cfg(unix)]
fn wait_for_end() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let stdout = std::io::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Ok(_) => return watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}
