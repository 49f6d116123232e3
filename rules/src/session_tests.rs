//! Sessions as programs use them.

use broth_engine::{CommandTerms, HookAnswer, HookCall, HookEvaluation, Hooks, Limits, Stop};

use crate::answer::{Answer, AnswerContext, AnswerTerm, Settings};
use crate::diagnose::{Diagnostic, render_short};
use crate::outside::{Files, Listener, Located, NoClock, NoFiles, Unreadable};
use crate::report;
use crate::session::{Flow, Session};
use crate::syntax::Sources;

/// A listener that keeps everything as text; times are left out.
#[derive(Default)]
struct Heard {
    answers: String,
    messages: Vec<String>,
    /// The last result.
    last: Option<AnswerTerm>,
}

impl Listener for Heard {
    fn answer(&mut self, answer: &Answer, cx: &AnswerContext<'_>) -> Result<(), Stop> {
        let settings = Settings { show_timing: false, ..cx.settings().clone() };
        let text = report::render(answer, &cx.with_settings(&settings))?;
        if let Answer::Result { result, .. } = answer {
            self.last = Some(result.clone());
        }
        self.answers.push_str(text.trim_start_matches(report::SEPARATOR).trim_start());
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        self.messages.push(render_short(diagnostic, sources));
    }
}

/// Files in memory; every directory is the same.
struct Texts(Vec<(&'static str, &'static str)>);

impl Files for Texts {
    fn locate(&self, directory: &str, name: &str) -> Option<Located> {
        let (name, _) = self.0.iter().find(|(known, _)| *known == name)?;
        let (identity, path) = ((*name).to_owned(), (*name).to_owned());
        Some(Located { identity, directory: directory.to_owned(), path })
    }

    fn read(&self, path: &str, _: &Limits) -> Result<Vec<u8>, Unreadable> {
        let found = self.0.iter().find(|(known, _)| *known == path);
        let text = found.map(|(_, text)| text.as_bytes().to_vec());
        text.ok_or_else(|| Unreadable::Error("no file".to_owned()))
    }

    fn directory(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn absolute(&self, directory: &str) -> String {
        directory.to_owned()
    }
}

fn session() -> Session {
    Session::new(Box::new(NoFiles), Box::new(NoClock))
}

#[track_caller]
fn check(text: &str, answers: &str) {
    let mut heard = Heard::default();
    session().read("test", text, &mut heard);
    assert_eq!(heard.messages, Vec::<String>::new());
    assert_eq!(heard.answers, answers);
}

#[test]
fn a_session_can_be_sent() {
    fn sent<T: Send>(_: &T) {}
    sent(&session());
}

#[test]
fn the_first_module_has_numbers() {
    check("reduce 1 + 1 .", "reduce in CONVERSION : 1 + 1 .\nrewrites: 1\nresult NzNat: 2\n");
}

#[test]
fn large_results_leave_nothing_behind() {
    let mut session = session();
    let mut largest = 0;
    for n in 0..2_000 {
        // Each number has 25 kB; together they would have 100 MB.
        let text = format!("reduce (1 << 200000 + {n}) quo (1 << 199990 + {n}) .");
        let mut heard = Heard::default();
        session.read("test", &text, &mut heard);
        assert!(heard.answers.ends_with("result NzNat: 1024\n"), "{}", heard.answers);
        largest = largest.max(session.worker_bytes());
    }
    assert!(largest < 8 << 20, "{largest}");
}

#[test]
fn sessions_do_not_meet() {
    let (mut one, mut other) = (session(), session());
    let mut heard = Heard::default();
    one.read("one", "fmod A is sort S . op a : -> S . endfm", &mut heard);
    other.read("other", "parse in A : a .", &mut heard);
    assert_eq!(heard.messages, ["other:1:10: error[B0501]: there is no module A"]);
    one.read("one", "parse a .", &mut heard);
    assert_eq!(heard.answers, "S: a\n");
}

#[test]
fn sorts_come_in_the_order_of_the_walk() {
    check(
        "fmod B is sort B . endfm
         fmod A is sort A . endfm
         fmod C is sort C . pr A . pr B . endfm
         show sorts .",
        "sort Bool .\nsort A .\nsort B .\nsort C .\n",
    );
}

#[test]
fn operators_are_created_imports_first_and_once() {
    // The order of constants under a commutative operator is that of their creation.
    check(
        "set include BOOL off .
         fmod S is sort S . op z : -> S . endfm
         fmod B is pr S . op b : -> S . endfm
         fmod A is pr S . op a : -> S . endfm
         fmod C is op c : -> S . pr B . pr A . op f : S S -> S [comm] . op p : S S -> S [comm] . endfm
         reduce p(f(c, a), f(b, z)) .",
        "reduce in C : p(f(z, b), f(a, c)) .\nrewrites: 0\nresult S: p(f(z, b), f(a, c))\n",
    );
}

#[test]
fn own_equations_come_before_imported_ones() {
    check(
        "fmod A is sort S . ops a b c : -> S . op f : S -> S . eq f(X:S) = b . endfm
         fmod B is pr A . eq f(a) = c . endfm
         reduce f(a) .",
        "reduce in B : f(a) .\nrewrites: 1\nresult S: c\n",
    );
}

#[test]
fn files_are_read_where_they_are_named() {
    let files = Texts(vec![
        ("outer", "load inner\nparse a .\nsload inner\neof\nnot read"),
        ("inner", "fmod A is sort S . op a : -> S . endfm"),
        ("self", "load self\n"),
    ]);
    let mut session = Session::new(Box::new(files), Box::new(NoClock));
    let mut heard = Heard::default();
    assert_eq!(session.load("outer", &mut heard), Flow::Continue);
    assert_eq!(heard.answers, "S: a\n");
    assert_eq!(heard.messages, Vec::<String>::new());
    session.load("self", &mut heard);
    session.load("missing", &mut heard);
    assert_eq!(
        heard.messages,
        [
            "self:1:1: error[B0804]: self is being read already",
            "error[B0801]: there is no file missing"
        ]
    );
    assert!(session.status().errors);
}

#[test]
fn a_changed_module_changes_what_imports_it() {
    let mut session = session();
    let mut heard = Heard::default();
    session.settings_mut().show_stats = false;
    session.settings_mut().show_command = false;
    session.settings_mut().show_advice = false;
    let text = "fmod A is sort S . ops a b : -> S . op f : S -> S . eq f(a) = a . endfm
        fmod B is pr A . endfm
        reduce f(a) .
        fmod A is sort S . ops a b : -> S . op f : S -> S . eq f(a) = b . endfm
        reduce in B : f(a) .";
    session.read("test", text, &mut heard);
    assert_eq!(heard.answers, "result S: a\nresult S: b\n");
    assert_eq!(heard.messages, Vec::<String>::new());
}

#[test]
fn objects_are_completed() {
    check(
        "omod O is
           protecting NAT .
           class C | x : Nat .
           op o : -> Oid .
           rl [up] : < O:Oid : C | > => < O:Oid : C | x : 1 > .
         endom
         show rls .",
        "rl [up] : < O:Oid : V:C | Atts:AttributeSet, x : A:[Nat] > => \
         < O:Oid : V:C | Atts:AttributeSet, x : 1 > .\n",
    );
}

#[test]
fn quit_stops_reading() {
    let mut heard = Heard::default();
    assert_eq!(session().read("test", "quit\nreduce 1 .", &mut heard), Flow::Quit);
    assert_eq!(heard.answers, "");
}

#[test]
fn ditto_refers_to_declarations_over_the_same_kinds_and_is_checked() {
    let mut heard = Heard::default();
    let text = "fmod A is sorts S S' T . subsort S < S' . op a : -> S . op b : -> T .
         op f : S -> S [iter] . op f : T -> S [ditto] .
         op g : S S -> S [idem] . op g : T S -> S [ditto] .
         op h : S S -> S [id: a] . op h : T T -> T [ditto] . op h : T S -> T [ditto] .
         op _+_ : S S -> S [assoc comm] . op _+_ : T S -> T [ditto] . op _+_ : S' S' -> S' [ditto] .
         endfm
         set show command off . set show stats off .
         red f(f(b)) .\nred h(b, b) .\nred h(b, a) .\nred g(b, a) .\nred b + a .\nred a + a .
         red 1 .\nred a .";
    session().read("a", text, &mut heard);
    let results = "result S: f(f(b))\nresult T: h(b, b)\nresult T: h(b, a)\nresult S: g(b, a)\n\
                   result T: b + a\nresult S: a + a\nresult S: a\n";
    assert_eq!(heard.answers, results);
    let messages: Vec<&str> = heard.messages.iter().map(String::as_str).collect();
    for alone in &messages[..5] {
        assert!(alone.contains("warning[B0612]"), "{messages:?}");
    }
    assert!(messages[5].contains("error[B0105]: `1`"), "{messages:?}");
    assert_eq!(messages.len(), 6, "{messages:?}");
}

#[test]
fn commands_can_be_about_a_term_that_was_answered() {
    let mut session = session();
    let mut heard = Heard::default();
    session.settings_mut().show_stats = false;
    let text = "fmod S is pr NAT . sort Soup . subsort Nat < Soup .
         op __ : Soup Soup -> Soup [assoc comm] . op size : Soup -> Nat . op t : -> Bool .
         eq size(N:Nat) = 1 . eq size(N:Nat S:Soup) = 1 + size(S:Soup) . endfm
         red 3 (2 + 2) 3 .";
    session.read("first", text, &mut heard);
    let soup = heard.last.clone().expect("there is a result");
    session.read_about(&soup, "about", "red size(X:Soup 7) .", &mut heard);
    session.read_about(&soup, "about", "red not B:Bool .", &mut heard);
    session.read("plain", "red size(N:Nat) .", &mut heard);
    let results = [
        "reduce in S : 3 3 2 + 2 .\nresult Soup: 3 3 4\n",
        "reduce in S : size(3 3 4 7) .\nresult NzNat: 4\n",
        "reduce in S : not B:Bool .\nresult Bool: true xor B:Bool\n",
        "reduce in S : size(N:Nat) .\nresult NzNat: 1\n",
    ];
    assert_eq!(heard.answers, results.concat());
    assert_eq!(heard.messages, Vec::<String>::new());
}

#[test]
fn answers_are_looked_into_by_operator_and_arguments() {
    struct Looked(Vec<String>);
    impl Listener for Looked {
        fn answer(&mut self, answer: &Answer, cx: &AnswerContext<'_>) -> Result<(), Stop> {
            let Answer::Result { result, .. } = answer else { return Ok(()) };
            let node = cx.look_into(result);
            self.0.push(format!("{:?} {:?}", node.operator(), cx.sort(result)));
            self.0.extend(node.arguments().into_iter().map(|(argument, times)| {
                let natural = argument.natural().map(|number| number.to_string());
                format!("{:?} {natural:?} {times}", argument.operator())
            }));
            Ok(())
        }

        fn diagnostic(&mut self, diagnostic: &Diagnostic, _: &Sources) {
            self.0.push(diagnostic.message.clone());
        }
    }
    let text = "fmod S is pr NAT . sort Soup . subsort Nat < Soup . op a : -> Soup .
         op __ : Soup Soup -> Soup [assoc comm] . op f : Soup Soup -> Soup . endfm
         red a 3 0 3 .
         red f(X:Soup, 1 + 1) .";
    let mut looked = Looked(Vec::new());
    session().read("test", text, &mut looked);
    let found = [
        "Some(\"__\") Some(\"Soup\")",
        "Some(\"0\") Some(\"0\") 1",
        "Some(\"a\") None 1",
        "Some(\"s_\") Some(\"3\") 2",
        "Some(\"f\") Some(\"Soup\")",
        "None None 1",
        "Some(\"s_\") Some(\"2\") 1",
    ];
    assert_eq!(looked.0, found);
}

/// `next(N)` is `s N`, which another worker makes of `N`.
fn next(call: &HookCall<'_>) -> HookAnswer {
    let (argument, numbers) = (call.argument(0), call.builtin().numbers);
    let Some(numbers) = numbers else { return HookAnswer::Stuck };
    let (signature, terms) = (call.signature().clone(), std::sync::Arc::new(argument.terms));
    let command = CommandTerms { signature, terms };
    let then = move |mut done: broth_engine::Readback| {
        let term = done.terms.iter(numbers.succ, 1u32.into(), done.term);
        (done.terms, term)
    };
    HookAnswer::Evaluate(HookEvaluation::new(call.theory(), command, argument.term, then))
}

#[test]
fn programs_add_hooks_of_their_own() {
    let mut hooks = Hooks::default();
    hooks.add("NextSymbol", Some("next"), next);
    let mut session = Session::with_hooks(Box::new(NoFiles), Box::new(NoClock), hooks);
    let mut heard = Heard::default();
    session.settings_mut().show_command = false;
    let text = "fmod N is pr NAT .
         op next : Nat -> Nat [special (id-hook NextSymbol (next))] .
         op other : Nat -> Nat [special (id-hook NextSymbol (other))] . endfm
         red next(next(5)) * 2 .
         red next(0) .";
    session.read("test", text, &mut heard);
    assert_eq!(heard.answers, "rewrites: 3\nresult NzNat: 14\nrewrites: 1\nresult NzNat: 1\n");
    assert_eq!(heard.messages.len(), 1, "{:?}", heard.messages);
    assert!(heard.messages[0].contains("special (NextSymbol)"), "{:?}", heard.messages);
}
