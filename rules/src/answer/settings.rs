//! What `set` changes.

use crate::print::PrintOptions;
use crate::syntax::{ImportMode, Name, Names, SetOption};

/// The switches of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `set show command`: echo commands.
    pub show_command: bool,
    /// `set show stats`: print statistics.
    pub show_stats: bool,
    /// `set show timing`: with times.
    pub show_timing: bool,
    /// `set show breakdown`: split by kinds of statements.
    pub show_breakdown: bool,
    /// `set show advisories`.
    pub show_advice: bool,
    /// `set optimize`: off counts exactly what the reference counts.
    pub optimize: bool,
    /// How terms are printed.
    pub print: PrintOptions,
    /// `set profile`: count how often statements are used.
    pub profile: bool,
    /// `set clear profile`: each command counts anew.
    pub clear_profile: bool,
    /// `set clear rules`: `rewrite` starts with the first rule of each symbol.
    pub clear_rules: bool,
    /// Modules that every module imports, with the way; ordered by the numbers of their names.
    pub auto_imports: Vec<(ImportMode, Name)>,
    /// Modules that object-oriented modules import besides.
    pub object_imports: Vec<Name>,
}

impl Settings {
    /// The settings that a session starts with.
    pub fn new(names: &mut Names) -> Settings {
        Settings {
            show_command: true,
            show_stats: true,
            show_timing: true,
            show_breakdown: false,
            show_advice: true,
            optimize: true,
            print: PrintOptions::default(),
            profile: false,
            clear_profile: true,
            clear_rules: true,
            auto_imports: vec![(ImportMode::Including, names.intern("BOOL"))],
            object_imports: vec![names.intern("CONFIGURATION")],
        }
    }

    /// Changes a setting; the words of one that has no effect yet are returned.
    pub fn set(&mut self, option: &SetOption, on: bool, names: &Names) -> Option<String> {
        let switch = match option {
            SetOption::Show(what) => match *what {
                "command" => &mut self.show_command,
                "stats" => &mut self.show_stats,
                "timing" => &mut self.show_timing,
                "breakdown" => &mut self.show_breakdown,
                "advisories" => &mut self.show_advice,
                other => return on.then(|| format!("show {other}")),
            },
            SetOption::Print(what) => match *what {
                "mixfix" => &mut self.print.mixfix,
                "flat" => &mut self.print.flat,
                "number" => &mut self.print.number,
                "rat" => &mut self.print.rat,
                "format" => &mut self.print.format,
                "with aliases" => &mut self.print.with_aliases,
                "with parens" => &mut self.print.with_parens,
                "const with sorts" => &mut self.print.constants_with_sorts,
                "label attribute" => &mut self.print.label_attribute,
                "color" => &mut self.print.color,
                other => return on.then(|| format!("print {other}")),
            },
            SetOption::Optimize => &mut self.optimize,
            SetOption::Clear("rules") => &mut self.clear_rules,
            SetOption::Clear("profile") => &mut self.clear_profile,
            SetOption::Profile => &mut self.profile,
            SetOption::AutoImport(mode, module) => {
                self.auto_imports.retain(|(_, name)| *name != module.name);
                if on {
                    self.auto_imports.push((*mode, module.name));
                    self.auto_imports.sort_by(|a, b| names.compare(a.1, b.1));
                }
                return None;
            }
            SetOption::ObjectAutoImport(module) => {
                self.object_imports.retain(|name| *name != module.name);
                if on {
                    self.object_imports.push(module.name);
                    self.object_imports.sort_by(|a, b| names.compare(*a, *b));
                }
                return None;
            }
            SetOption::Trace(what) => return on.then(|| format!("trace {what}").trim().to_owned()),
            SetOption::Break => return on.then(|| "break".to_owned()),
            SetOption::Verbose => return on.then(|| "verbose".to_owned()),
            SetOption::CompileCount => return None,
            SetOption::Clear(what) => return on.then(|| format!("clear {what}")),
        };
        *switch = on;
        None
    }
}
