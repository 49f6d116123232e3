//! The file system as sessions see it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use broth_rules::{Files, Limits, Located, Unreadable};

/// Endings that are tried for a file name, in order.
const ENDINGS: [&str; 4] = ["", ".maude", ".fm", ".obj"];

/// The limits are looked at when so many bytes have been read.
const PIECE: u64 = 1 << 20;

/// Files on disk; names without `/` are also looked for in the directories of `MAUDE_LIB`.
pub struct DiskFiles {
    library: Vec<PathBuf>,
}

impl DiskFiles {
    /// With the directories that the environment names.
    pub fn from_environment() -> DiskFiles {
        let library = std::env::var_os("MAUDE_LIB")
            .map(|dirs| std::env::split_paths(&dirs).collect())
            .unwrap_or_default();
        DiskFiles { library }
    }
}

impl Files for DiskFiles {
    // A name that only a directory has is found, too, so that reading it tells what it is.
    fn locate(&self, directory: &str, name: &str) -> Option<Located> {
        let mut places = vec![PathBuf::from(directory)];
        if !name.contains('/') {
            places.extend(self.library.iter().cloned());
        }
        for place in places {
            for ending in ENDINGS {
                let path = place.join(format!("{name}{ending}"));
                // Pipes and devices can be read as well.
                if path.exists() && !path.is_dir() {
                    return Some(located(&path));
                }
            }
        }
        let path = Path::new(directory).join(name);
        path.is_dir().then(|| located(&path))
    }

    fn read(&self, path: &str, limits: &Limits) -> Result<Vec<u8>, Unreadable> {
        let file = File::open(path).map_err(|error| Unreadable::Error(error.to_string()))?;
        read_all(file, limits)
    }

    fn directory(&self, from: &str, name: &str) -> Option<String> {
        let path = match name.strip_prefix('~') {
            Some(rest) => {
                PathBuf::from(std::env::var_os("HOME")?).join(rest.trim_start_matches('/'))
            }
            None => Path::new(from).join(name),
        };
        let path = path.canonicalize().ok()?;
        path.is_dir().then(|| path.to_string_lossy().into_owned())
    }

    fn absolute(&self, directory: &str) -> String {
        std::path::absolute(directory)
            .map_or_else(|_| directory.to_owned(), |p| p.to_string_lossy().into_owned())
    }
}

/// Reads an input to its end, if there is room for it.
pub fn read_all(mut input: impl Read, limits: &Limits) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    loop {
        let piece = input.by_ref().take(PIECE).read_to_end(&mut bytes);
        if piece.map_err(|error| Unreadable::Error(error.to_string()))? == 0 {
            return Ok(bytes);
        }
        // Its text and tokens will need room, too.
        let room = limits.check().and_then(|()| limits.admit(4 * bytes.len() as u64));
        room.map_err(Unreadable::Stopped)?;
    }
}

fn located(path: &Path) -> Located {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let parent = path.parent().unwrap_or(Path::new("."));
    Located {
        identity: canonical.to_string_lossy().into_owned(),
        directory: parent.to_string_lossy().into_owned(),
        path: path.to_string_lossy().into_owned(),
    }
}
