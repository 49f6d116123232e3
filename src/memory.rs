//! How much memory commands may take, and how much of it the process holds.

use std::alloc;

use bytesize::ByteSize;
use cap::Cap;
use memory_stats::memory_stats;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The system's allocator, with a count of the bytes that it has given out. The system only tells
/// how much of the process is in memory, which includes what was given back.
#[global_allocator]
static ALLOCATOR: Cap<alloc::System> = Cap::new(alloc::System, usize::MAX);

/// What a command may take where nobody knows how much there is.
const UNKNOWN: u64 = 4 << 30;

/// The option that bounds what a command may take.
#[derive(Debug, clap::Args)]
pub struct MemoryOption {
    /// The memory that a command may take, such as 500M or 8G; three quarters of what there is if
    /// this is left out.
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory_limit: Option<ByteSize>,
}

impl MemoryOption {
    /// The bytes that a command may take.
    pub fn bytes(&self) -> u64 {
        self.memory_limit.map_or_else(default_limit, |size| size.as_u64())
    }
}

/// The bytes that the process holds, exactly where they are more than `least`. What has been given
/// back is not held, even if the system has not got it yet; nor is what was only reserved, and never
/// written to.
pub fn held(least: u64) -> u64 {
    let given_out = ALLOCATOR.allocated() as u64;
    if given_out <= least {
        return given_out;
    }
    memory_stats().map_or(given_out, |stats| given_out.min(stats.physical_mem as u64))
}

/// Letters are powers of 1024, as people mean them when they speak of memory.
fn read_size(text: &str) -> Result<ByteSize, String> {
    let trimmed = text.trim_end_matches(['b', 'B']);
    let binary = if trimmed.ends_with(|c: char| c.is_ascii_digit() || "iI".contains(c)) {
        text.to_owned()
    } else {
        format!("{trimmed}iB")
    };
    match binary.parse::<ByteSize>() {
        Ok(size) if size.as_u64() > 0 => Ok(size),
        _ => Err("a size looks like 500M or 8G".to_owned()),
    }
}

/// Three quarters of what the machine or the control group has; a third of the address space that the
/// process may reserve, if that is bounded, since a table that is full gets twice the room.
fn default_limit() -> u64 {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok();
    let machine = system.as_ref().map(System::total_memory);
    let group = system.as_ref().and_then(System::cgroup_limits).map(|limits| limits.total_memory);
    let memory = machine.into_iter().chain(group).filter(|&bytes| bytes > 0).min();
    let memory = memory.map(|bytes| bytes / 4 * 3);
    memory.into_iter().chain(address_space().map(|bytes| bytes / 3)).min().unwrap_or(UNKNOWN)
}

#[cfg(unix)]
fn address_space() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_1024() {
        let bytes = |text: &str| read_size(text).map(|size| size.as_u64());
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("64kb"), Ok(64 << 10));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(bytes("4096"), Ok(4096));
        for bad in ["", "0", "-1G", "much", "8 X", "G"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_held_is_counted() {
        // Other tests of the process allocate much less than this meanwhile.
        let given_out = || ALLOCATOR.allocated();
        let before = given_out();
        let mut block: Vec<u8> = Vec::with_capacity(1 << 30);
        assert!(given_out() > before + (1 << 29));
        block.shrink_to(1 << 10);
        assert!(given_out() < before + (1 << 29));
    }

    #[test]
    fn there_is_memory_and_some_of_it_is_held() {
        assert!(held(0) > 0);
        assert!(default_limit() > 1 << 20);
    }
}
