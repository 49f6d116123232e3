//! Tests of the reader as a whole.

use proptest::prelude::*;

use super::*;

/// What a text reads as, an entry or diagnostic a line.
fn read(text: &str) -> String {
    let mut sources = Sources::new();
    let mut names = Names::new();
    let file = sources.add("a.maude", text);
    let mut reader = Reader::new(&sources, file, &mut names);
    let mut out = Vec::new();
    while let Some(reading) = reader.next_entry(&mut names) {
        for diagnostic in &reading.diagnostics {
            out.push(crate::diagnose::render_short(diagnostic, &sources));
        }
        match reading.entry {
            Some(Entry::Module(module)) => {
                let name = names.text(module.name.name);
                out.push(format!("{} {name}", module.kind.keyword()));
                out.extend(module.body.iter().map(|item| format!("  {}", show(item, &sources))));
            }
            Some(Entry::View(view)) => out.push(format!("view, {} items", view.body.len())),
            Some(Entry::Command(command)) => out.push(sources.text(command.span).to_owned()),
            Some(Entry::Comment(span)) => out.push(sources.text(span).to_owned()),
            None => {}
        }
        if reading.incomplete {
            out.push("incomplete".to_owned());
        }
    }
    out.join("\n")
}

/// An item; of a statement its parts.
fn show(item: &Item, sources: &Sources) -> String {
    let Item::Statement(statement) = item else { return sources.text(item.span()).to_owned() };
    let part = |tokens: &[Token]| match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => sources.text(first.span.to(last.span)).to_owned(),
        _ => String::new(),
    };
    let mut out = format!("<{}> <{}>", part(statement.lhs()), part(statement.rhs()));
    if let Some(condition) = statement.condition() {
        out += &format!(" if <{}>", part(condition));
    }
    if let Some(label) = statement.label {
        out += &format!(" label {}", sources.text(label.span));
    }
    for attribute in &statement.attributes {
        out += &format!(" [{}]", sources.text(attribute.span));
    }
    out
}

#[test]
fn statements_are_divided_where_the_language_divides_them() {
    let text = "mod M is
  eq [l] : a = if X then Y else b fi [owise nonexec] .
  ceq a = if X then Y else b fi if X = Y /\\ Z := if a then b else c fi [owise] .
  mb [m] : < O : C | a : b > : Foo .
  cmb < O : C | a : b > : Foo if X : A /\\ Y : B .
  eq a . b = c .   eq (a = b) = c. eq foo = c [bar] .
  eq . = . .
  crl [r] : a => b if a => if [print \"x\" X label q] .
endm";
    insta::assert_snapshot!(read(text), @r#"
    a.maude:6:34: warning[B0005]: missing space between `c` and the period
    mod M
      <a> <if X then Y else b fi> label l [owise] [nonexec]
      <a> <if X then Y else b fi> if <X = Y /\ Z := if a then b else c fi> [owise]
      << O : C | a : b >> <Foo> label m
      << O : C | a : b >> <Foo> if <X : A /\ Y : B>
      <a . b> <c>
      <(a = b)> <c>
      <foo> <c [bar]>
      <.> <.>
      <a> <b> if <a => if> label r [print "x" X] [label q]
    "#);
}

#[test]
fn a_period_needs_a_keyword_behind_it() {
    let text = "fmod M is eq a = b . c . eq d = (e . eq f) . endfm red a . b .\n red c . *** x\n";
    insta::assert_snapshot!(read(text), @r"
    fmod M
      <a> <b . c>
      <d> <(e . eq f)>
    red a . b
    red c
    ");
}

#[test]
fn one_bad_statement_costs_that_statement() {
    let text = "fmod M is
  eq f(f(a) = b .
  eq g(a) = c .
  op f A -> A .
  foo bar baz .
  sorts A B
  op b : -> A ctor .
  op c : -> A [memo
  op d : -> A
  eq h(a) = c
endfm
red f(a .
red b .
hello world
red c .
";
    insta::assert_snapshot!(read(text), @r"
    a.maude:2:7: error[B0307]: the end of this equation is not found: a parenthesis is not closed
    a.maude:4:15: error[B0301]: an operator declaration needs `:` after the name here, not `.`
    a.maude:5:3: error[B0303]: `foo` begins no declaration or statement of module M
    a.maude:6:12: warning[B0304]: missing period
    a.maude:7:15: error[B0306]: `ctor` is skipped: the declaration is complete before it
    a.maude:9:3: error[B0301]: the list of attributes needs `]` here, not `op`
    a.maude:9:14: warning[B0304]: missing period
    a.maude:10:14: warning[B0304]: missing period
    fmod M
      <g(a)> <c>
      sorts A B
      op b : -> A
      op d : -> A
      <h(a)> <c>
    a.maude:12:6: error[B0307]: the end of this `red` command is not found: a parenthesis is not closed
    incomplete
    red b
    a.maude:14:1: error[B0313]: `hello` is no command
    red c
    ");
}

#[test]
fn modules_that_are_not_closed_end_at_the_next_one() {
    let text = "fmod M is sort A .\nfmod N is sort B . endm\nmod P is sort C .";
    insta::assert_snapshot!(read(text), @r"
    a.maude:2:1: warning[B0311]: missing `endfm` before this: module M is not closed
    fmod M
      sort A
    a.maude:2:20: warning[B0310]: a module that begins with `fmod` ends with `endm`
    fmod N
      sort B
    a.maude:3:18: error[B0312]: the text ends inside module P, which is dropped
    incomplete
    ");
}

#[test]
fn a_loaded_file_takes_the_rest_of_its_line() {
    let text =
        "load a***( \"b\nred a . ***( ( ) )\nin \"sp ace\" x\n***> shown\ncd x . y\nquit now\n";
    insta::assert_snapshot!(read(text), @r#"
    load a***( "b
    red a
    in "sp ace" x
    ***> shown
    cd x . y
    quit now
    "#);
}

#[test]
fn a_command_without_term_ends_before_the_next_line() {
    let text = "show path 3\nset trace\nselect on .\nset show stats off\nred a .\nshwo mod .\n\
        show search graph x .\n";
    insta::assert_snapshot!(read(text), @r"
    a.maude:1:12: warning[B0304]: missing period
    show path 3
    set trace
    select on
    a.maude:4:19: warning[B0304]: missing period
    set show stats off
    red a
    a.maude:6:1: error[B0313]: `shwo` is no command
    a.maude:7:19: error[B0324]: `x` is skipped: the command is complete before it
    show search graph x
    ");
}

#[test]
fn a_command_without_period_can_be_read_again() {
    let mut sources = Sources::new();
    let mut names = Names::new();
    let file = sources.add("a.maude", "debug red a\nred b .\n");
    let mut reader = Reader::new(&sources, file, &mut names);
    let reading = reader.next_entry(&mut names).expect("there is a command");
    let Some(Entry::Command(command)) = reading.entry else { panic!("no command") };
    let again = reader.read_shorter(&command, &mut names).expect("another command begins a line");
    let Some(Entry::Command(shorter)) = again.entry else { panic!("no command") };
    assert_eq!(sources.text(shorter.span), "red a");
    assert_eq!(again.diagnostics.len(), 1);
    let next = reader.next_entry(&mut names).expect("there is another command");
    let Some(Entry::Command(command)) = next.entry else { panic!("no command") };
    assert_eq!(sources.text(command.span), "red b");
    assert!(reader.read_shorter(&command, &mut names).is_none());
}

#[test]
fn a_prompt_waits_for_what_is_not_complete() {
    for text in ["", "red a .", "red a .\n", "foo bar", "quit", "fmod M is endfm", "set x on ."] {
        assert!(is_complete(text), "{text}");
    }
    for text in
        ["red", "red a", "red f(a .", "fmod M is", "fmod M is eq a = b .", "*** ( x", "(a b"]
    {
        assert!(!is_complete(text), "{text}");
    }
}

#[test]
fn names_are_numbered_in_reading_order() {
    let text = "fmod M is op _Part_ : A -> A . foo Skipped .\n var Pp : A . eq Base:A = Pp . endfm\n\
        red Later:A .\n";
    let mut sources = Sources::new();
    let mut names = Names::new();
    let file = sources.add("a.maude", text);
    let mut reader = Reader::new(&sources, file, &mut names);
    while reader.next_entry(&mut names).is_some() {}
    let number = |name: &str| names.number(names.find(name).expect("it was read"));
    assert!(number("Pp") < number("Part"));
    assert!(number("Part") < number("Base"));
    assert!(number("Base") < number("Later"));
    assert_eq!(number("Skipped"), None);
}

#[test]
fn open_parentheses_are_read_without_recursion() {
    let open = "(".repeat(100_000);
    let text = format!(
        "fmod M is eq {open}a = b .\n sort S . endfm\nfmod N is pr {open}A . endfm\nred {open}a .\n\
         {open}\nfmod O is endfm\n"
    );
    let out = read(&text);
    assert!(out.contains("fmod M\n  sort S"), "{out}");
    assert!(out.ends_with("fmod O"), "{out}");
}

proptest! {
    #[test]
    fn the_reader_takes_any_text(text in any::<String>()) {
        read(&text);
        is_complete(&text);
    }

    #[test]
    fn the_reader_takes_any_sequence_of_words(words in prop::collection::vec(word(), 0..60)) {
        let text = words.concat();
        read(&text);
        is_complete(&text);
    }
}

/// Words that the grammar knows, in any order.
fn word() -> impl Strategy<Value = String> {
    let words = "fmod mod omod smod fth view is endfm endm endv sort subsort op ops var eq ceq mb \
        cmb rl crl sd csd class msg strat pr inc from to term expr red search match srew using \
        such that s.t. =>* <=? in : = => := if then else fi -> ~> [ ] ( ) { } , . .. a. :: * + < | \
        assoc comm id: prec gather format special metadata \"x\" 3 a b _+_ load quit set on show \
        debug cont `( ` \" ***( *** label attr @";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let blank = prop::sample::select(vec![" ", "\n", " ", ""]);
    (prop::sample::select(words), blank).prop_map(|(word, blank)| word + blank)
}
