//! What a session holds when a module has been given again and again.

use std::sync::{Arc, Weak};

use broth_engine::{Stop, Theory};

use crate::answer::{Answer, AnswerContext};
use crate::diagnose::Diagnostic;
use crate::outside::{Listener, NoClock, NoFiles};
use crate::session::Session;
use crate::syntax::Sources;

/// A listener that counts answers.
#[derive(Default)]
struct Counting(usize);

impl Listener for Counting {
    fn answer(&mut self, answer: &Answer, _: &AnswerContext<'_>) -> Result<(), Stop> {
        self.0 += usize::from(matches!(answer, Answer::Result { .. }));
        Ok(())
    }

    fn diagnostic(&mut self, _: &Diagnostic, _: &Sources) {}
}

#[test]
fn a_module_that_is_replaced_frees_its_theory() {
    let mut session = Session::new(Box::new(NoFiles), Box::new(NoClock));
    let mut heard = Counting::default();
    let mut theories: Vec<Weak<Theory>> = Vec::new();
    let mut sizes = Vec::new();
    session.read("setting", "set include BOOL off .\n", &mut heard);
    for n in 0..10_000 {
        let text = "fmod M is sort S . ops a b : -> S . op f : S -> S . eq f(a) = b . endfm\n\
                    red f(a) .\n";
        session.read("module", text, &mut heard);
        let module = session.modules.current.expect("a module is current");
        let loaded = session.modules.library.loaded(module).expect("the module is ready");
        let theory = loaded.theory.as_ref().expect("a command has used it");
        theories.push(Arc::downgrade(&theory.engine));
        if n == 99 || n == 9_999 {
            sizes.push(session.evaluator.worker.as_ref().expect("a command has been run").size());
        }
    }
    assert_eq!(heard.0, 10_000);
    let alive = theories.iter().filter(|theory| theory.strong_count() > 0).count();
    assert_eq!(alive, 1, "only the last one is held");
    assert_eq!(sizes[0], sizes[1], "bytes of terms after 100 and after 10,000 redefinitions");
}
