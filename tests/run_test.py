# SPDX-License-Identifier: Apache-2.0
"""Tests the runner of the steps: its table, the order of steps, the counts, and steps that fail or hang."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import run

HERE = pathlib.Path(__file__).resolve().parent
STEP = "[{0}]\nquestion = ?\ntier = test\nseconds = 1\ninputs = src/{0}\nrun = {1}\n{2}\n"


def step(name, seconds=1, inputs=("src",), alone=False):
    return run.Step(name, "?", "test", seconds, 60, list(inputs), [], [], [], "true", name, alone, True, False)


class Table(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "steps.ini"
            path.write_text(text, "utf-8")
            program = f"import run, pathlib; run.read_table(pathlib.Path({str(path)!r}))"
            return subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, cwd=HERE, check=False)

    def test_mistakes(self):
        for text, said in ((STEP.format("a", "true", "packges = x"), "unknown key 'packges'; did you mean 'packages'?"),
                           ("[a]\nquestion = ?\n", "lacks 'tier'"),
                           (STEP.format("a", "true", "").replace("= test", "= tets"), "unknown tier 'tets'"),
                           (STEP.format("a", "true", "") * 2, "already exists")):
            with self.subTest(said):
                done = self.read(text)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)

    def test_each_input_exists(self):
        files = run.git("ls-files").splitlines()
        if not files:
            self.skipTest("this is no git checkout")
        for one in run.read_table().values():
            for pattern in one.inputs:
                self.assertTrue(any(run.matches(path, [pattern]) for path in files), (one.name, pattern))

    def test_packages(self):
        """tests/README.md and deps.sh, which needs no Python, name the packages of the table."""
        line = next(line for line in (HERE / "README.md").read_text("utf-8").splitlines() if line.startswith("`apt-get install"))
        for tier, named in (("test", line.strip("`").split()[3:]), ("check", None)):
            done = subprocess.run(["sh", HERE / "deps.sh", "--list", tier], capture_output=True, text=True, check=True)
            wanted = {package.split(">=")[0] for package in run.packages_of(run.read_table(), run.COMMANDS[tier])}
            self.assertEqual(done.stdout.split(), sorted(wanted))
            self.assertEqual(done.stdout.split(), named or sorted(wanted))


class Order(unittest.TestCase):
    FILES = ["src/core/uri/ip.c", "src/core/uri/host.c", "src/bindings/postgres/urivet.c", "README.md"]

    def setUp(self):
        self.wide, self.narrow, self.other = step("wide", inputs=["src"]), step("narrow", inputs=["src/bindings/postgres"]), step("other", inputs=["README.md"])
        self.all = [self.wide, self.narrow, self.other]

    def test_changed_first_and_the_most_specific_of_them(self):
        first, drawn = run.order(self.all, self.FILES, ["src/bindings/postgres/urivet.c"], "1")
        self.assertEqual([s.name for s in first], ["narrow", "wide"])
        self.assertEqual({s.name for s in drawn}, {"wide", "narrow", "other"})

    def test_drawn_by_the_commit(self):
        orders = {tuple(s.name for s in run.order(self.all, self.FILES, [], str(k))[1]) for k in range(100)}
        self.assertEqual(len(orders), 6)
        self.assertEqual(run.order(self.all, self.FILES, [], "1"), run.order(self.all, self.FILES, [], "1"))

    def test_budget(self):
        many = [step(f"s{k}", seconds=10) for k in range(20)]
        chosen = run.choose(many, list(reversed(many)), lambda s: s.seconds, 100)
        self.assertEqual(len(chosen), 10)
        self.assertEqual([name for name, why in chosen.items() if why == "changed"], [f"s{k}" for k in range(6)])
        self.assertEqual([name for name, why in chosen.items() if why == "drawn"], ["s19", "s18", "s17", "s16"])

    def test_patterns(self):
        self.assertTrue(run.matches("src/core/uri/ip.c", ["src/core/uri"]))
        self.assertTrue(run.matches("src/core/uri/ip.c", ["src/*/ip.c"]))
        self.assertFalse(run.matches("src/urivet.c", ["src/core/uri"]))


class Counts(unittest.TestCase):
    def test_of_each_runner(self):
        for text, want in (("x\n10 passed, 0 failed, 2 skipped\n", (10, 0, 2)),
                           ("[====] Synthesis: Tested: 518 | Passing: 517 | Failing: 1 | Crashing: 0 \n", (517, 1, 0)),
                           ("standalone: 5 tests, 100 assertions, 0 failed\n", (5, 0, 0)),
                           ("nothing of the kind\n", (1, 0, 0))):
            self.assertEqual(run.count_tests(text, "FAIL" if want[1] else "pass"), want, text)


    def test_unittests(self):
        """Each test counts once, whatever its subtests, cleanups and fixtures do."""
        passed = "def test(self): pass"
        fails = "def test(self):\n        for k in range(5):\n            with self.subTest(k): self.assertTrue(k % 2)"
        skips = "def test(self):\n        for k in range(3):\n            with self.subTest(k): self.skipTest('needs x')"
        twice = "def test(self): self.addCleanup(lambda: 1 / 0); self.fail('\\n9 passed, 9 failed, 9 skipped\\nRan 9 tests in 1s')"
        fixture = "@classmethod\n    def setUpClass(cls): {}\n    def test(self): pass\n    def test_more(self): pass"
        cases = ((passed, (1, 0, 0)), (fails, (0, 1, 0)), (skips, (0, 0, 1)), (twice, (0, 1, 0)),
                 ("@unittest.expectedFailure\n    " + fails, (1, 0, 0)), ("@unittest.expectedFailure\n    " + passed, (0, 1, 0)),
                 (fixture.format("1 / 0"), (0, 2, 0)), (fixture.format("raise unittest.SkipTest('needs y')"), (0, 0, 2)))
        files = {f"test_{k}": "import unittest\nclass Case(unittest.TestCase):\n    " + text for k, (text, _) in enumerate(cases)}
        wanted = [sum(counts[k] for _, counts in cases) for k in range(3)]
        files |= {"test_broken": "import no_such_module", "test_skipped": "import unittest\nraise unittest.SkipTest('needs z')"}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (pathlib.Path(folder) / f"{name}.py").write_text(text, "utf-8")
            done = subprocess.run([sys.executable, "-B", HERE / "unittests.py", folder], capture_output=True, text=True, check=False)
        self.assertEqual(run.count_tests(done.stdout, "FAIL"), (wanted[0], wanted[1] + 1, wanted[2] + 1), done.stdout)
        self.assertIn("skipped: 2 tests: needs y\n", done.stdout)


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "tests").mkdir()
        (self.folder / "tests/run.py").write_bytes((HERE / "run.py").read_bytes())

    def run_table(self, *steps, command="test", tier="test", words=(), **environment):
        text = "".join(STEP.format(*s) for s in steps).replace("tier = test", f"tier = {tier}")
        (self.folder / "tests/steps.ini").write_text(text, "utf-8")
        kept = {name: value for name, value in os.environ.items() if name not in ("STEPS", "CI_MINUTES", "CI_STARTED", "BASE")}
        return subprocess.run([sys.executable, "-B", str(self.folder / "tests/run.py"), command, *words], capture_output=True, text=True,
                              env={**kept, **environment}, check=False)

    def test_pass_fail_and_skip(self):
        done = self.run_table(("good", "echo 3 passed, 0 failed", ""), ("bad", "echo wrong; exit 3", ""),
                              ("left", "echo skipped: needs a thing; exit 77", ""), ("lacking", "true", "packages = no-such-package"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "3 passed, 1 failed, 2 skipped")
        self.assertIn("failed: bad;", done.stdout)
        self.assertIn("skipped: left: needs a thing", done.stdout)
        self.assertIn("skipped: lacking: needs no-such-package", done.stdout)
        self.assertIn("to run these tests: apt-get install no-such-package", done.stdout)

    def test_a_recipe_that_skips(self):
        (self.folder / "Makefile").write_text("skips:\n\t@echo skipped: needs a thing; exit 77\n")
        done = self.run_table(("one", "make skips", ""))
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 0 failed, 1 skipped")

    def test_a_step_that_hangs_is_stopped_and_named(self):
        begun = time.monotonic()
        done = self.run_table(("stuck", "sleep 100 & sleep 100", "limit = 1"))
        self.assertLess(time.monotonic() - begun, 50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("'stuck' did not end within 1 s and was stopped", done.stdout)

    def test_unknown_steps(self):
        done = self.run_table(("good", "true", ""), STEPS="god")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no step 'god'; did you mean 'good'?", done.stderr)

    def test_two_runs_at_once(self):
        inner = "python3 -B tests/run.py test"
        done = self.run_table(("outer", f"{inner} || [ $? = 2 ]", ""))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("another run uses this tree: run.py test, process", (self.folder / "build/log/outer").read_text())

    def test_a_failing_build_fails_its_steps(self):
        (self.folder / "Makefile").write_text("good:\nbad:\n\t@echo broken; false\n")
        done = self.run_table(("one", "true", "make = bad"), ("two", "true", "make = X=1 good"))
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 1 failed, 0 skipped")
        self.assertIn("broken", done.stdout)

    def test_ci_stops_when_its_time_is_used(self):
        steps = [(f"s{k}", "true", "") for k in range(9)]
        for minutes, ran in (("0", 0), ("0.05", 5), ("1", 9)):
            done = self.run_table(*steps, command="ci", tier="check", CI_MINUTES=minutes)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertLessEqual(9 - done.stdout.count("not run"), ran + 1)
        self.assertEqual(done.stdout.count("not run"), 0)
        self.assertEqual(self.run_table(*steps, command="ci", tier="check", words=["--minutes=0"]).stdout.count("not run"), 9)
        self.assertIn("--minutes is for", self.run_table(*steps, words=["--minutes=1"]).stderr)

    def test_a_release_check_goes_on_where_the_last_one_stopped(self):
        if shutil.which("git") is None:
            self.skipTest("needs git")
        for name in ("a", "b"):
            (self.folder / "src").mkdir(exist_ok=True)
            (self.folder / "src" / name).write_text("old")
        (self.folder / ".gitignore").write_text("build\n__pycache__\n")
        steps = (("a", "grep -q old src/a", ""), ("b", "true", ""))

        def commit():
            for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"]):
                subprocess.run(["git", *words], cwd=self.folder, check=True)

        def green(command):
            done = self.run_table(*steps, command=command)
            return re.search("[0-9] of [0-9](?= steps are green)", done.stdout)[0], done

        self.run_table(*steps)
        commit()
        self.assertEqual(green("status")[0], "0 of 2")
        self.assertEqual(green("release")[0], "0 of 2")
        self.assertEqual(green("status")[0], "2 of 2")
        (self.folder / "src/a").write_text("new")
        self.assertIn("changed since", green("status")[1].stdout)
        again = green("release")[1].stdout
        self.assertIn("failed: a;", again)
        self.assertNotIn("pass b", again)
        (self.folder / "src/a").write_text("old, changed")
        self.assertEqual(green("release")[0], "1 of 2")
        self.assertEqual(green("status")[0], "1 of 2")  # it ran, but of no commit
        commit()
        self.assertEqual((green("release")[0], green("status")[0]), ("1 of 2", "2 of 2"))

    def test_a_slice_ends_a_step_that_resumes(self):
        started = "mkdir -p build && touch build/started && exec sleep 60"
        done = self.run_table(("a", started, "resumes = yes"), command="release", words=["--minutes=0.05"])
        self.assertIn("skip a ", done.stdout)
        self.assertIn("the slice ends; the next one goes on", done.stdout)
        self.assertTrue((self.folder / "build/started").exists())

    def test_steps_of_a_group_never_overlap(self):
        touch = "mkdir busy; sleep 0.2; rmdir busy"
        done = self.run_table(("a", touch, "group = g"), ("b", touch, "group = g"), ("c", touch, "group = g"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_alone(self):
        touch = "mkdir busy; sleep 0.2; rmdir busy"
        done = self.run_table(("a", touch, "alone = yes"), ("b", "[ ! -d busy ]; sleep 0.3; [ ! -d busy ]", ""), ("c", touch, "alone = yes"))
        self.assertEqual(done.returncode, 0, done.stdout)
