//! Commands that run the engine, and going on with them.

use std::time::Duration;

use broth_engine::{
    Arrow, CommandTerms, Counts, FairRewriting, Fragment, MatchSpec, Matches, Portion, Rewriting,
    Search, SearchSpec, StaticId, Stop, Strategic, Term, Worker,
};

use super::run::Place;
use super::{Answer, Bindings, Statistics};
use crate::diagnose::command as say;
use crate::module::{strategy_trouble, unbound_in_condition};
use crate::outside::Listener;
use crate::session::{Done, Session};
use crate::syntax::{Command, CommandKind, Name, SearchArrow, Span, Token};

/// A command that has run and may go on.
pub(crate) struct Running {
    /// The module that it runs in.
    pub module: Name,
    /// The terms that it was given.
    command: CommandTerms,
    /// What runs.
    pub what: What,
    /// The variables whose bindings are shown, in order.
    variables: Vec<StaticId>,
    /// How many solutions have been given.
    n_solutions: u64,
    /// There is nothing to go on with.
    ended: bool,
}

/// What can run.
pub(crate) enum What {
    /// `rewrite`.
    Rewriting(Rewriting),
    /// `frewrite`.
    Fair(FairRewriting),
    /// `search`.
    Search(Box<Search>),
    /// `match`, `xmatch`.
    Matches(Matches),
    /// `srewrite`, `dsrewrite`.
    Strategic(Strategic),
}

/// When a command or its continuation began.
#[derive(Clone, Copy)]
struct Start {
    cpu: Duration,
    real: Duration,
}

impl Session {
    /// Runs a command that needs the engine. Nothing: its terms could not be read.
    pub(super) fn run(
        &mut self,
        kind: &CommandKind,
        command: &Command,
        listener: &mut dyn Listener,
    ) -> Option<Done> {
        let span = command.span;
        match kind {
            CommandKind::Continue { limit, .. } => {
                let Some(mut running) = self.running.take() else {
                    self.say.push(say::cannot_continue(span));
                    return Some(Done::Fine);
                };
                if *limit == Some(0) {
                    self.running = Some(running);
                    return Some(Done::Fine);
                }
                let start = self.start();
                self.go_on(&mut running, *limit, start, span, listener);
                self.keep(running);
            }
            CommandKind::Reduce { target, subject } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let term = self.read_subject(place, subject)?;
                self.running = None;
                self.echo(place, "reduce", None, term, "", listener);
                let start = self.start();
                let (command, worker) = self.closed(place);
                worker.reset_counts();
                match worker.normal_form(&command, term) {
                    Ok(result) => self.result(place.module, start, &result, listener),
                    Err(stop) => self.stopped(stop, span),
                }
            }
            CommandKind::Rewrite { target, limit, subject } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let term = self.read_subject(place, subject)?;
                let bounds = bounds(*limit, None);
                self.echo(place, "rewrite", bounds, term, "", listener);
                let start = self.start();
                let (command, worker) = self.closed(place);
                let what = What::Rewriting(Rewriting::new(worker, &command, term));
                self.begin(place, command, what, Vec::new(), *limit, start, span, listener);
            }
            CommandKind::FairRewrite { external: true, .. } => {
                self.say.push(say::unsupported("erewrite", command.keyword.span));
            }
            CommandKind::FairRewrite { target, limit, gas, subject, .. } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let term = self.read_subject(place, subject)?;
                let bounds = bounds(*limit, *gas);
                self.echo(place, "frewrite", bounds, term, "", listener);
                let start = self.start();
                let (command, worker) = self.closed(place);
                let run = FairRewriting::new(worker, &command, term, gas.unwrap_or(1));
                self.begin(
                    place,
                    command,
                    What::Fair(run),
                    Vec::new(),
                    *limit,
                    start,
                    span,
                    listener,
                );
            }
            CommandKind::Search { target, limit, depth, subject, arrow, pattern, condition } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let (subject, pattern) = self.read_pair(place, subject, pattern)?;
                let condition = self.read_condition(place, true, condition.as_deref())?;
                let subject = self.partial(place, subject);
                let pattern = self.full(place, pattern);
                let bound = self.loaded(place.module).vocabulary.terms.variables(pattern);
                let Some(variables) = self.bind(place, bound, &condition, "search", span) else {
                    return Some(Done::Fine);
                };
                let shown = self.condition_text(place.module, &condition);
                let pattern_text = self.static_text(place.module, pattern);
                let rest = format!(" {} {pattern_text}{shown}", arrow.text());
                self.echo(place, "search", bounds(*limit, *depth), subject, &rest, listener);
                let start = self.start();
                let spec = SearchSpec {
                    start: subject,
                    arrow: engine_arrow(*arrow),
                    pattern,
                    condition,
                    depth: *depth,
                };
                let (command, worker) = self.closed(place);
                let what = What::Search(Box::new(Search::new(worker, &command, spec)));
                self.begin(place, command, what, variables, *limit, start, span, listener);
            }
            CommandKind::Match { target, extension, limit, pattern, subject, condition } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let (pattern, subject) = self.read_pair(place, pattern, subject)?;
                let condition = self.read_condition(place, false, condition.as_deref())?;
                let subject = self.partial(place, subject);
                let pattern = self.full(place, pattern);
                let word = if *extension { "xmatch" } else { "match" };
                let bound = self.loaded(place.module).vocabulary.terms.variables(pattern);
                let Some(variables) = self.bind(place, bound, &condition, word, span) else {
                    return Some(Done::Fine);
                };
                let shown = self.condition_text(place.module, &condition);
                let subject_text = self.subject_text(place.module, subject);
                let rest = format!(" <=? {subject_text}{shown}");
                self.echo(place, word, bounds(*limit, None), pattern, &rest, listener);
                let start = self.start();
                let spec = MatchSpec { pattern, subject, condition, extension: *extension };
                let (command, worker) = self.closed(place);
                let what = What::Matches(Matches::new(worker, &command, spec));
                self.begin(place, command, what, variables, *limit, start, span, listener);
            }
            CommandKind::StrategyRewrite { target, depth_first, limit, subject, strategy } => {
                let Some(place) = self.place(target, span) else { return Some(Done::Fine) };
                let subject = self.read_subject(place, subject)?;
                let expression = self.read_strategy(place, strategy)?;
                if let Some(trouble) =
                    strategy_trouble(&self.loaded(place.module).vocabulary.terms, &expression, &[])
                {
                    let text = self.static_text(place.module, trouble.term());
                    let tokens = (&strategy[..], &self.names);
                    let message = trouble.message(&text, "the strategy", tokens, span);
                    self.say.push(message);
                    return Some(Done::Fine);
                }
                self.say_undefined(place, &expression, span);
                let word = if *depth_first { "dsrewrite" } else { "srewrite" };
                let text = self.strategy_text(place.module, &expression);
                let rest = format!(" using {text}");
                self.echo(place, word, bounds(*limit, None), subject, &rest, listener);
                let start = self.start();
                let (command, _) = self.closed(place);
                let run = Strategic::new(&command, subject, expression, *depth_first);
                let what = What::Strategic(run);
                self.begin(place, command, what, Vec::new(), *limit, start, span, listener);
            }
            _ => self.say.push(say::unsupported("this", command.keyword.span)),
        }
        Some(Done::Fine)
    }

    /// A subject: partially normalised.
    fn read_subject(&mut self, place: Place, bubble: &[Token]) -> Option<StaticId> {
        let raw = self.read_term(place, bubble)?;
        Some(self.partial(place, raw))
    }

    fn partial(&mut self, place: Place, term: StaticId) -> StaticId {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        loaded.vocabulary.partial(term)
    }

    fn full(&mut self, place: Place, term: StaticId) -> StaticId {
        let loaded = self.library.loaded_mut(place.module).expect("the module is ready");
        loaded.vocabulary.full(term)
    }

    /// The variables that a pattern and a condition bind, in order; nothing if one is used before
    /// it is bound, which is said.
    fn bind(
        &mut self,
        place: Place,
        mut bound: Vec<StaticId>,
        condition: &[Fragment],
        word: &str,
        span: Span,
    ) -> Option<Vec<StaticId>> {
        let terms = &self.loaded(place.module).vocabulary.terms;
        let trouble = unbound_in_condition(terms, condition, &mut bound, &mut |_| {});
        if let Some(variable) = trouble {
            let name = self.static_text(place.module, variable);
            self.say.push(say::unbound(&name, &format!("the condition of {word}"), span));
            return None;
        }
        Some(bound)
    }

    fn echo(
        &mut self,
        place: Place,
        word: &str,
        bounds: Option<String>,
        term: StaticId,
        rest: &str,
        listener: &mut dyn Listener,
    ) {
        let bounds = bounds.map_or_else(String::new, |b| format!("{b} "));
        let module = self.names.text(place.module).to_owned();
        let term = match word {
            "match" | "xmatch" => self.static_text(place.module, term),
            _ => self.subject_text(place.module, term),
        };
        let text = format!("{word} {bounds}in {module} : {term}{rest}");
        self.answer(listener, &Answer::Echo(text));
    }

    fn start(&mut self) -> Start {
        if let Some(worker) = &mut self.worker {
            worker.reset_counts();
        }
        Start { cpu: self.clock.cpu(), real: self.clock.real() }
    }

    fn counts(&self) -> Counts {
        self.worker.as_ref().map(Worker::counts).unwrap_or_default()
    }

    fn statistics(&self, start: Start) -> Statistics {
        let counts = self.counts();
        Statistics {
            memberships: counts.memberships,
            equations: counts.equations,
            rules: counts.rules,
            cpu: self.clock.cpu().saturating_sub(start.cpu),
            real: self.clock.real().saturating_sub(start.real),
        }
    }

    fn result(&mut self, module: Name, start: Start, term: &Term, listener: &mut dyn Listener) {
        let statistics = self.statistics(start);
        let result = self.value(module, term);
        self.answer(listener, &Answer::Result { statistics, result });
    }

    fn stopped(&mut self, stop: Stop, span: Span) {
        match stop {
            Stop::Interrupted => {
                self.status.interrupted = true;
                self.told_stop = true;
                self.say.push(say::interrupted(span));
            }
            Stop::Memory => {
                self.status.limit = true;
                let rewrites = self.counts().total();
                self.say.push(say::out_of_memory(self.limits.memory(), rewrites, span));
            }
            _ => unreachable!("commands are stopped for no other reason"),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all of it belongs to one command")]
    fn begin(
        &mut self,
        place: Place,
        command: CommandTerms,
        what: What,
        variables: Vec<StaticId>,
        limit: Option<u64>,
        start: Start,
        span: Span,
        listener: &mut dyn Listener,
    ) {
        self.running = None;
        let mut running = Running {
            module: place.module,
            command,
            what,
            variables,
            n_solutions: 0,
            ended: false,
        };
        self.go_on(&mut running, limit, start, span, listener);
        self.keep(running);
    }

    /// Keeps what can be continued or looked at.
    fn keep(&mut self, running: Running) {
        let is_search = matches!(running.what, What::Search(_));
        if !running.ended || is_search {
            self.running = Some(running);
        }
    }

    fn go_on(
        &mut self,
        running: &mut Running,
        limit: Option<u64>,
        start: Start,
        span: Span,
        listener: &mut dyn Listener,
    ) {
        if running.ended {
            self.say.push(say::cannot_continue(span));
            return;
        }
        let outcome = match &mut running.what {
            What::Rewriting(run) => Some(run.run(worker_of(&mut self.worker), limit)),
            What::Fair(run) => Some(run.run(worker_of(&mut self.worker), limit)),
            _ => None,
        };
        if let What::Fair(run) = &mut running.what {
            for (first, second) in run.duplicates() {
                let (first, second) =
                    (self.value(running.module, &first), self.value(running.module, &second));
                self.say.push(say::same_name(&first.term, &second.term, span));
            }
        }
        match outcome {
            Some(Ok(term)) => self.result(running.module, start, &term, listener),
            Some(Err(stop)) => {
                running.ended = true;
                self.stopped(stop, span);
            }
            None => self.solutions(running, limit, start, span, listener),
        }
    }

    /// Gives solutions until there are none, or as many as asked for.
    fn solutions(
        &mut self,
        running: &mut Running,
        limit: Option<u64>,
        start: Start,
        span: Span,
        listener: &mut dyn Listener,
    ) {
        let mut given = 0;
        while limit.is_none_or(|limit| given < limit) {
            match self.next_solution(running, start) {
                Ok(Some(answer)) => self.answer(listener, &answer),
                Ok(None) => {
                    running.ended = true;
                    self.end(running, start, listener);
                    return;
                }
                Err(stop) => {
                    running.ended = true;
                    self.stopped(stop, span);
                    return;
                }
            }
            given += 1;
        }
    }

    fn next_solution(
        &mut self,
        running: &mut Running,
        start: Start,
    ) -> Result<Option<Answer>, Stop> {
        let module = running.module;
        let number = running.n_solutions + 1;
        let answer = match &mut running.what {
            What::Search(search) => {
                let Some(solution) = search.next(worker_of(&mut self.worker))? else {
                    return Ok(None);
                };
                let states = search.n_states();
                let statistics = self.statistics(start);
                let bindings =
                    self.bindings(module, &running.command, &running.variables, &solution.bindings);
                let state = solution.state;
                Answer::State { number, state, states, statistics, bindings }
            }
            What::Matches(matches) => {
                let Some(matcher) = matches.next(worker_of(&mut self.worker))? else {
                    return Ok(None);
                };
                let portion = matcher.portion.map(|portion| match portion {
                    Portion::Part(term) => self.value(module, &term).term,
                    Portion::Whole => "(whole)".to_owned(),
                });
                let bindings =
                    self.bindings(module, &running.command, &running.variables, &matcher.bindings);
                Answer::Matcher { number, portion, bindings }
            }
            What::Strategic(run) => {
                let Some(term) = run.next(worker_of(&mut self.worker))? else { return Ok(None) };
                let statistics = self.statistics(start);
                let result = self.value(module, &term);
                Answer::Outcome { number, statistics, result }
            }
            What::Rewriting(_) | What::Fair(_) => unreachable!("these have a single result"),
        };
        running.n_solutions = number;
        Ok(Some(answer))
    }

    fn end(&mut self, running: &Running, start: Start, listener: &mut dyn Listener) {
        let some = running.n_solutions > 0;
        let answer = match &running.what {
            What::Matches(..) if some => return,
            What::Matches(..) => Answer::NoMatch,
            What::Search(search) => {
                let states = Some(search.n_states());
                Answer::NoMore { some, states, statistics: self.statistics(start) }
            }
            _ => Answer::NoMore { some, states: None, statistics: self.statistics(start) },
        };
        self.answer(listener, &answer);
    }

    fn bindings(
        &mut self,
        module: Name,
        command: &CommandTerms,
        variables: &[StaticId],
        found: &[(StaticId, Term)],
    ) -> Bindings {
        variables
            .iter()
            .filter_map(|variable| found.iter().find(|(v, _)| v == variable))
            .map(|(variable, term)| {
                let name = self.print(module, Some(&command.terms), None, |p| p.term(*variable));
                (name, self.value(module, term).term)
            })
            .collect()
    }
}

/// The worker of what runs.
fn worker_of(worker: &mut Option<Worker>) -> &mut Worker {
    worker.as_mut().expect("what runs has a worker")
}

/// `[n]`, `[n, m]`, `[, m]`.
fn bounds(first: Option<u64>, second: Option<u64>) -> Option<String> {
    match (first, second) {
        (None, None) => None,
        (Some(n), None) => Some(format!("[{n}]")),
        (Some(n), Some(m)) => Some(format!("[{n}, {m}]")),
        (None, Some(m)) => Some(format!("[, {m}]")),
    }
}

fn engine_arrow(arrow: SearchArrow) -> Arrow {
    match arrow {
        SearchArrow::One => Arrow::One,
        SearchArrow::Plus => Arrow::Plus,
        SearchArrow::Star => Arrow::Star,
        SearchArrow::Final => Arrow::Final,
        SearchArrow::Branching => Arrow::Branching,
    }
}
