//! Runs a program on a file: Broth or Maude, the same way for all tests.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a program printed on a file.
pub struct Printed {
    pub stdout: String,
    /// Empty if it was merged into standard output.
    pub stderr: String,
    /// Whether the program came to an end by itself.
    pub ended: bool,
}

/// The address space of a program, in kB: one that takes more is lost before the machine is.
const MOST_MEMORY: u32 = 6_000_000;

/// Runs a command line with a file added to it. It is ended when it has printed nothing for as long
/// as `patience`, or when `goes_on`, which is asked after each piece of output, says no.
pub fn run(
    command: &[String],
    file: &Path,
    merged: bool,
    patience: Duration,
    mut goes_on: impl FnMut(&[u8]) -> bool,
) -> Printed {
    let redirect = if merged { "2>&1" } else { "" };
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {MOST_MEMORY}; exec \"$@\" {redirect}"))
        .arg("sh")
        .args(command)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell can be started");
    let mut stdout = child.stdout.take().expect("standard output is piped");
    let stderr = reader(child.stderr.take().expect("standard error is piped"));
    let (sender, receiver) = mpsc::channel();
    let pieces = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length) = stdout.read(&mut buffer) {
            if length == 0 || sender.send(buffer[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut output = Vec::new();
    let ended = loop {
        match receiver.recv_timeout(patience) {
            Ok(piece) => output.extend(piece),
            Err(mpsc::RecvTimeoutError::Disconnected) => break true,
            Err(mpsc::RecvTimeoutError::Timeout) => break false,
        }
        if !goes_on(&output) {
            break false;
        }
    };
    drop(receiver);
    let _ = child.kill();
    let _ = child.wait();
    let _ = pieces.join();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let stderr = stderr.join().expect("the reading thread ends");
    Printed { stdout: text(output), stderr: text(stderr), ended }
}

/// What a command line prints on standard output and standard error for a file; it has a minute.
#[allow(dead_code)]
pub fn outputs(command: &[String], file: &Path) -> [String; 2] {
    let minute = Duration::from_secs(60);
    let started = Instant::now();
    let printed = run(command, file, false, minute, |_| started.elapsed() < minute);
    match printed.ended {
        true => [printed.stdout, printed.stderr],
        false => ["timed out".to_owned(), String::new()],
    }
}

/// Reads a pipe to its end, beside everything else.
fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}
