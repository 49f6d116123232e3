//! Finds Maude, the oracle of the tests, and makes what it prints comparable.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How to run a file in Maude.
pub struct Maude {
    pub name: String,
    /// The command line, to which the file is added.
    pub command: Vec<String>,
}

const RUN_351: &str = "import maude,sys; maude.init(advise=False); maude.load(sys.argv[1])";

impl Maude {
    /// Maude 3.5.1, as the Python package `maude` has it: in `target/oracle`, where `.ci/run` puts
    /// it, else wherever `python3` finds it.
    pub fn reference() -> Option<Maude> {
        let venv = concat!(env!("CARGO_MANIFEST_DIR"), "/target/oracle/bin/python3");
        let probe = "import maude, sys, importlib.metadata as m; \
                     print(m.version('maude'), sys.executable)";
        for python in [venv, "python3"] {
            let Ok(done) = Command::new(python).args(["-c", probe]).output() else { continue };
            if !done.status.success() {
                continue;
            }
            let said = String::from_utf8_lossy(&done.stdout);
            let (version, executable) = said.trim().split_once(' ').unwrap_or((&said, python));
            let command = vec![executable.into(), "-c".into(), RUN_351.into()];
            return Some(Maude { name: format!("PyPI maude {version}"), command });
        }
        None
    }

    /// A `maude` on the path, of whatever version.
    #[allow(dead_code)]
    pub fn installed() -> Option<Maude> {
        let done = Command::new("maude").arg("--version").stdin(Stdio::null()).output().ok()?;
        let name = format!("maude {}", String::from_utf8_lossy(&done.stdout).trim());
        let command = ["maude", "-no-banner", "-no-wrap", "-no-advise"].map(String::from).to_vec();
        Some(Maude { name, command })
    }

    /// What Maude prints on standard output for a file.
    #[allow(dead_code)]
    pub fn stdout(&self, file: &Path) -> String {
        normalise(&outputs(&self.command, file)[0])
    }
}

/// What a command prints on standard output and standard error for a file; it has a minute.
pub fn outputs(command: &[String], file: &Path) -> [String; 2] {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let stdout = reader(child.stdout.take().expect("standard output is piped"));
    let stderr = reader(child.stderr.take().expect("standard error is piped"));
    let deadline = Instant::now() + Duration::from_secs(60);
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return ["timed out".to_owned(), String::new()];
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    [stdout, stderr].map(|reader| reader.join().expect("the reading thread ends"))
}

fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The output without separators, times and the farewell.
pub fn normalise(output: &str) -> String {
    let mut lines = Vec::new();
    for line in output.lines() {
        let skipped = line.starts_with("====================") || line == "Bye.";
        if skipped || line.starts_with("Decision time:") {
            continue;
        }
        let line = match line.find(" in ").filter(|_| line.contains("rewrites: ")) {
            Some(end) if line.ends_with("/second)") => &line[..end],
            _ => line,
        };
        lines.push(line.trim_end());
    }
    lines.join("\n")
}

/// The folder of programs that is shared beside the checkout, if it is there.
#[allow(dead_code)]
pub fn shared_programs() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["../shared/language", "../../shared/language"]
        .iter()
        .map(|path| root.join(path))
        .find(|path| path.is_dir())
}
