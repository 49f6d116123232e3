#!/usr/bin/env python3
"""Times Broth and Maude 3.5.1 on the same files, in turn, in one run, and prints the ratios.

    python3 bench/compare.py [--runs N] [--broth PATH] [--plain] FILE.maude ...
    python3 bench/compare.py --sudoku PUZZLES [...]     paper.maude on boards of 81 characters a line

Maude is the PyPI package maude==1.6.0, run by the Python that runs this script. What is measured is
the CPU time (user and system) of the whole process; the start-up of each engine, measured with an
empty file in the same run, is taken off. Printed are the medians, and the median, least and largest
ratio Broth / Maude over the pairs.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

MAUDE = [sys.executable, "-c", "import maude,sys; maude.init(advise=False); maude.load(sys.argv[1])"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def cpu_seconds(command):
    "User and system seconds of one run, and what it printed."
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return usage.ru_utime + usage.ru_stime, text


def results(text):
    "The results without timings, so that the answers can be compared."
    return [line.split(" in ")[0] if "cpu" in line else line for line in text.splitlines()
            if line.startswith(("result", "Solution", "No "))]


def compare(name, broth, maude, starts, runs):
    own, theirs, ratios = [], [], []
    same = True
    for turn in range(runs + 1):
        b, text_b = cpu_seconds(broth)
        m, text_m = cpu_seconds(maude)
        same = same and results(text_b) == results(text_m)
        if turn:
            b, m = max(b - starts[0], 1e-4), max(m - starts[1], 1e-4)
            own.append(b), theirs.append(m), ratios.append(b / m)
    print("%-12s %9.1f %9.1f %7.2f %7.2f %7.2f  %s" % (
        name, 1000 * statistics.median(own), 1000 * statistics.median(theirs),
        statistics.median(ratios), min(ratios), max(ratios), "same" if same else "DIFFERENT"))


def sudoku_files(paths, folder):
    "A program for each board: paper.maude and one dsrewrite."
    rules = os.path.join(ROOT, "sudoku-rules", "rules", "paper.maude")
    for path in paths:
        for number, line in enumerate(open(path), 1):
            board = line.split()[0] if line.split() else ""
            if len(board) != 81:
                continue
            cells = " ".join(c if c.isdigit() else "0" for c in board)
            name = "%s:%d" % (os.path.splitext(os.path.basename(path))[0], number)
            target = os.path.join(folder, name.replace(":", "-") + ".maude")
            with open(target, "w") as out:
                out.write("load %s\ndsrewrite [1] board(9, %s) using solve .\n" % (rules, cells))
            yield name, target


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--broth", default=os.path.join(ROOT, "target", "release", "broth"))
    options.add_argument("--plain", action="store_true", help="count what Maude counts")
    options.add_argument("--sudoku", action="store_true", help="the files hold boards")
    options = options.parse_args()
    broth = [options.broth, "-no-banner", "-no-wrap"] + (["--plain"] if options.plain else [])
    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(folder, "empty.maude")
        open(empty, "w").close()
        if options.sudoku:
            named = list(sudoku_files(options.files, folder))
            # What loading the rules costs is start-up too.
            rules = os.path.join(ROOT, "sudoku-rules", "rules", "paper.maude")
            with open(empty, "w") as out:
                out.write("load %s\n" % rules)
        else:
            named = [(os.path.splitext(os.path.basename(f))[0], f) for f in options.files]
        starts = [statistics.median(cpu_seconds(c + [empty])[0] for _ in range(5))
                  for c in (broth, MAUDE)]
        print("start-up     %9.1f %9.1f  (CPU ms, taken off)" % (1000 * starts[0], 1000 * starts[1]))
        print("program       Broth ms  Maude ms   ratio   least largest")
        for name, path in named:
            compare(name, broth + [path], MAUDE + [path], starts, options.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
