//! Commands that run the engine, and going on with them.

use broth_engine::{
    Arrow, CommandTerms, FairRewriting, MatchSpec, Matches, Portion, Rewriting, Search, SearchSpec,
    StaticId, Stop, Strategic, Term, Worker,
};

use super::evaluator::Start;
use super::execution::{Done, Execution};
use crate::answer::{Answer, AnswerTerm, Bindings, Echo, EchoRest, MatchedPortion};
use crate::diagnose::{Diagnostic, command as messages};
use crate::syntax::{Command, CommandKind, Name, SearchArrow, Span};

/// A command that has run and may go on.
pub(crate) struct Running {
    /// The module that it runs in.
    pub module: Name,
    /// The terms that it was given.
    command: CommandTerms,
    /// What runs.
    pub computation: Computation,
    /// The variables whose bindings are shown, in order.
    variables: Vec<StaticId>,
    /// How many solutions have been given.
    n_solutions: u64,
    /// There is nothing to go on with.
    ended: bool,
}

/// What can run.
pub(crate) enum Computation {
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

/// How far a command goes now: where it stands in the text, when it began, and how many steps or
/// solutions are wanted.
#[derive(Clone, Copy)]
struct Stretch {
    span: Span,
    start: Start,
    limit: Option<u64>,
}

impl Execution<'_> {
    /// Runs a command that needs the engine. Nothing: its terms could not be read.
    pub(super) fn run(&mut self, kind: &CommandKind, command: &Command) -> Option<Done> {
        let span = command.span;
        match kind {
            CommandKind::Continue { limit, .. } => {
                let Some(mut running) = self.evaluator.running.take() else {
                    self.reports.report(messages::cannot_continue(span));
                    return Some(Done::Fine);
                };
                if *limit == Some(0) {
                    self.evaluator.running = Some(running);
                    return Some(Done::Fine);
                }
                let start = self.evaluator.start();
                self.go_on(&mut running, Stretch { span, start, limit: *limit });
                self.keep(running);
            }
            CommandKind::Reduce { target, subject } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let subject = reader.subject(subject)?;
                let command = reader.close();
                self.evaluator.running = None;
                let term = AnswerTerm::unsorted(&command.terms, subject);
                self.echo(module, "reduce", (None, None), term, EchoRest::Nothing);
                let start = self.evaluator.start();
                let worker = self.worker(module, &command);
                worker.reset_counts();
                match worker.normal_form(&command, subject) {
                    Ok(result) => self.result(start, &result),
                    Err(stop) => self.stopped(stop, span),
                }
            }
            CommandKind::Rewrite { target, limit, subject } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let subject = reader.subject(subject)?;
                let command = reader.close();
                let term = AnswerTerm::unsorted(&command.terms, subject);
                self.echo(module, "rewrite", (*limit, None), term, EchoRest::Nothing);
                self.begin(module, command, Vec::new(), *limit, span, |worker, command| {
                    Computation::Rewriting(Rewriting::new(worker, command, subject))
                });
            }
            CommandKind::FairRewrite { external: true, .. } => {
                self.reports.report(messages::unsupported("erewrite", command.keyword.span));
            }
            CommandKind::FairRewrite { target, limit, gas, subject, .. } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let subject = reader.subject(subject)?;
                let command = reader.close();
                let term = AnswerTerm::unsorted(&command.terms, subject);
                self.echo(module, "frewrite", (*limit, *gas), term, EchoRest::Nothing);
                let gas = gas.unwrap_or(1);
                self.begin(module, command, Vec::new(), *limit, span, |worker, command| {
                    Computation::Fair(FairRewriting::new(worker, command, subject, gas))
                });
            }
            CommandKind::Search { target, limit, depth, subject, arrow, pattern, condition } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let (subject, pattern) = reader.pair(subject, pattern)?;
                let condition = reader.condition(true, condition.as_deref())?;
                let subject = reader.partial(subject);
                let pattern = reader.full(pattern);
                let Some(variables) = reader.bound(pattern, &condition, "search", span) else {
                    return Some(Done::Fine);
                };
                let command = reader.close();
                let term = AnswerTerm::unsorted(&command.terms, subject);
                let shown = AnswerTerm::declared(&command.terms, &command.signature, pattern);
                let rest = EchoRest::Search {
                    arrow: *arrow,
                    pattern: shown,
                    condition: condition.clone(),
                };
                self.echo(module, "search", (*limit, *depth), term, rest);
                let (arrow, depth) = (engine_arrow(*arrow), *depth);
                let spec = SearchSpec { start: subject, arrow, pattern, condition, depth };
                self.begin(module, command, variables, *limit, span, |worker, command| {
                    Computation::Search(Box::new(Search::new(worker, command, spec)))
                });
            }
            CommandKind::Match { target, extension, limit, pattern, subject, condition } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let (pattern, subject) = reader.pair(pattern, subject)?;
                let condition = reader.condition(false, condition.as_deref())?;
                let subject = reader.partial(subject);
                let pattern = reader.full(pattern);
                let word = if *extension { "xmatch" } else { "match" };
                let Some(variables) = reader.bound(pattern, &condition, word, span) else {
                    return Some(Done::Fine);
                };
                let command = reader.close();
                let term = AnswerTerm::declared(&command.terms, &command.signature, pattern);
                let shown = AnswerTerm::unsorted(&command.terms, subject);
                let rest = EchoRest::Match { subject: shown, condition: condition.clone() };
                self.echo(module, word, (*limit, None), term, rest);
                let spec = MatchSpec { pattern, subject, condition, extension: *extension };
                self.begin(module, command, variables, *limit, span, |worker, command| {
                    Computation::Matches(Matches::new(worker, command, spec))
                });
            }
            CommandKind::StrategyRewrite { target, depth_first, limit, subject, strategy } => {
                let Some(module) = self.enter(target, span) else { return Some(Done::Fine) };
                let mut reader = self.reader(module);
                let subject = reader.subject(subject)?;
                let expression = reader.strategy(strategy)?;
                if !reader.check_strategy(&expression, strategy, span) {
                    return Some(Done::Fine);
                }
                let command = reader.close();
                let word = if *depth_first { "dsrewrite" } else { "srewrite" };
                let term = AnswerTerm::unsorted(&command.terms, subject);
                let rest = EchoRest::Using(expression.clone());
                self.echo(module, word, (*limit, None), term, rest);
                let depth_first = *depth_first;
                self.begin(module, command, Vec::new(), *limit, span, |_, command| {
                    let run = Strategic::new(command, subject, expression, depth_first);
                    Computation::Strategic(run)
                });
            }
            _ => self.reports.report(messages::unsupported("this", command.keyword.span)),
        }
        Some(Done::Fine)
    }

    fn echo(
        &mut self,
        module: Name,
        word: &'static str,
        bounds: (Option<u64>, Option<u64>),
        term: AnswerTerm,
        rest: EchoRest,
    ) {
        self.answer(&Answer::Echo(Echo { word, bounds, module, term, rest }));
    }

    /// The worker for a command in a module that it has entered.
    fn worker(&mut self, module: Name, command: &CommandTerms) -> &mut Worker {
        let theory = self.modules.loaded(module).theory.as_ref();
        let theory = &theory.expect("the module of a command is closed").engine;
        self.evaluator.worker_for(
            module,
            theory,
            self.modules.library.hooks(),
            command,
            self.settings,
        )
    }

    fn result(&mut self, start: Start, term: &Term) {
        let statistics = self.evaluator.statistics(start);
        let result = AnswerTerm::result(self.evaluator.worker(), term);
        self.answer(&Answer::Result { statistics, result });
    }

    /// Says why what an entry of the text asked for could not be finished.
    pub(crate) fn stopped(&mut self, stop: Stop, span: Span) {
        let rewrites = self.evaluator.counts().total();
        match stop {
            Stop::Interrupted if self.reports.stop_reported => {}
            Stop::Interrupted => {
                self.reports.status.interrupted = true;
                self.reports.stop_reported = true;
                let message = messages::interrupted(span);
                self.report_stop(message);
            }
            Stop::Memory => {
                self.reports.status.limit = true;
                let limit = self.evaluator.limits.memory();
                let message = messages::out_of_memory(limit, rewrites, span);
                self.report_stop(message);
            }
            Stop::Limit(limit) => {
                self.reports.status.limit = true;
                let message = messages::limit_passed(&limit.to_string(), rewrites, span);
                self.report_stop(message);
            }
            _ => unreachable!("commands are stopped for no other reason"),
        }
    }

    /// Reports that a command was stopped, with the statement that was at work then.
    fn report_stop(&mut self, mut message: Diagnostic) {
        let source = self.evaluator.worker.as_ref().and_then(Worker::at_work);
        let loaded = self.modules.current.and_then(|module| self.modules.library.loaded(module));
        let theory = loaded.and_then(|loaded| loaded.theory.as_ref());
        let statement = source.zip(theory).and_then(|(at, t)| t.statements.get(at as usize));
        if let Some(statement) = statement {
            message = message.with_secondary(statement.span, "this was at work");
        }
        self.reports.report(message);
    }

    /// Begins a command that may be gone on with.
    fn begin(
        &mut self,
        module: Name,
        command: CommandTerms,
        variables: Vec<StaticId>,
        limit: Option<u64>,
        span: Span,
        computation: impl FnOnce(&mut Worker, &CommandTerms) -> Computation,
    ) {
        let start = self.evaluator.start();
        let computation = computation(self.worker(module, &command), &command);
        self.evaluator.running = None;
        let (n_solutions, ended) = (0, false);
        let mut running = Running { module, command, computation, variables, n_solutions, ended };
        self.go_on(&mut running, Stretch { span, start, limit });
        self.keep(running);
    }

    /// Keeps what can be continued or looked at.
    fn keep(&mut self, running: Running) {
        let is_search = matches!(running.computation, Computation::Search(_));
        if !running.ended || is_search {
            self.evaluator.running = Some(running);
        }
    }

    fn go_on(&mut self, running: &mut Running, stretch: Stretch) {
        if running.ended {
            self.reports.report(messages::cannot_continue(stretch.span));
            return;
        }
        let worker = self.evaluator.worker();
        let outcome = match &mut running.computation {
            Computation::Rewriting(run) => Some(run.run(worker, stretch.limit)),
            Computation::Fair(run) => Some(run.run(worker, stretch.limit)),
            _ => None,
        };
        if let Computation::Fair(run) = &mut running.computation {
            for (first, second) in run.duplicates() {
                let [first, second] = [first, second].map(|term| {
                    let term = AnswerTerm::result(self.evaluator.worker(), &term);
                    self.modules.context(self.settings).term(&term)
                });
                self.reports.report(messages::same_name(&first, &second, stretch.span));
            }
        }
        match outcome {
            Some(Ok(term)) => self.result(stretch.start, &term),
            Some(Err(stop)) => {
                running.ended = true;
                self.stopped(stop, stretch.span);
            }
            None => self.solutions(running, stretch),
        }
    }

    /// Gives solutions until there are none, or as many as asked for.
    fn solutions(&mut self, running: &mut Running, stretch: Stretch) {
        let mut given = 0;
        while stretch.limit.is_none_or(|limit| given < limit) {
            match self.next_solution(running, stretch.start) {
                Ok(Some(answer)) => self.answer(&answer),
                Ok(None) => {
                    running.ended = true;
                    self.end(running, stretch.start);
                    return;
                }
                Err(stop) => {
                    running.ended = true;
                    self.stopped(stop, stretch.span);
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
        let number = running.n_solutions + 1;
        let worker = self.evaluator.worker();
        let answer = match &mut running.computation {
            Computation::Search(search) => {
                let Some(solution) = search.next(worker)? else { return Ok(None) };
                let states = search.n_states();
                let statistics = self.evaluator.statistics(start);
                let bindings = self.bindings(running, &solution.bindings);
                let state = solution.state;
                Answer::State { number, state, states, statistics, bindings }
            }
            Computation::Matches(matches) => {
                let Some(matcher) = matches.next(worker)? else { return Ok(None) };
                let portion = matcher.portion.map(|portion| match portion {
                    Portion::Part(term) => MatchedPortion::Part(AnswerTerm::result(worker, &term)),
                    Portion::Whole => MatchedPortion::Whole,
                });
                let bindings = self.bindings(running, &matcher.bindings);
                Answer::Matcher { number, portion, bindings }
            }
            Computation::Strategic(run) => {
                let Some(term) = run.next(worker)? else { return Ok(None) };
                let statistics = self.evaluator.statistics(start);
                let result = AnswerTerm::result(self.evaluator.worker(), &term);
                Answer::Outcome { number, statistics, result }
            }
            Computation::Rewriting(_) | Computation::Fair(_) => {
                unreachable!("these have a single result")
            }
        };
        running.n_solutions = number;
        Ok(Some(answer))
    }

    fn end(&mut self, running: &Running, start: Start) {
        let some = running.n_solutions > 0;
        let statistics = self.evaluator.statistics(start);
        let answer = match &running.computation {
            Computation::Matches(..) if some => return,
            Computation::Matches(..) => Answer::NoMatch,
            Computation::Search(search) => {
                Answer::NoMore { some, states: Some(search.n_states()), statistics }
            }
            _ => Answer::NoMore { some, states: None, statistics },
        };
        self.answer(&answer);
    }

    fn bindings(&mut self, running: &Running, found: &[(StaticId, Term)]) -> Bindings {
        let CommandTerms { terms, signature } = &running.command;
        let worker = self.evaluator.worker();
        let bound = running.variables.iter().filter_map(|v| found.iter().find(|(w, _)| v == w));
        bound
            .map(|(variable, term)| {
                let variable = AnswerTerm::declared(terms, signature, *variable);
                (variable, AnswerTerm::result(worker, term))
            })
            .collect()
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
