#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Python test modules side by side, one process for each module.

    unittests.py FOLDER [--quick] [--jobs=N] [--fail-fast] [--slowest=N] [MODULE[.CLASS[.TEST]]...]

Prints the report of each module that fails, the reason of each skipped test, and a closing line:
"N passed, N failed, N skipped". Exits 1 if a test fails, if a module cannot be imported, or if there are no tests.
"""
import argparse
import collections
import concurrent.futures
import io
import os
import pathlib
import resource
import sys
import unittest


class TimedResult(unittest.TextTestResult):
    """A result that keeps the CPU seconds of each test, those of its child processes included, and which tests passed."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.seconds = []
        self.begun = 0.0
        self.passed = set()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed.add(test.id())

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.passed.add(test.id())

    def startTest(self, test):
        super().startTest(test)
        self.begun = cpu_seconds()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds.append((cpu_seconds() - self.begun, test.id()))


def cpu_seconds():
    return sum(usage.ru_utime + usage.ru_stime
               for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def without_long(suite):
    """Returns the tests of a suite that are not marked by takes_long, and the number of those that are."""
    kept, left_out = unittest.TestSuite(), 0
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            some, more = without_long(test)
            kept.addTest(some)
            left_out += more
        elif getattr(test, "takes_long", False) or getattr(getattr(test, test._testMethodName, None), "takes_long", False):
            left_out += 1
        else:
            kept.addTest(test)
    return kept, left_out


def tests_of(suite):
    """Returns the ids of the tests of a suite."""
    return {name for part in suite for name in (tests_of(part) if isinstance(part, unittest.TestSuite) else (part.id(),))}


def names_of(test, names):
    """Returns the ids that a failure or skip is about: of a test, of the test of a subtest, or of all tests of a class or module
    that could not be set up."""
    name = getattr(test, "test_case", test).id()
    if name in names:
        return {name}
    scope = name.partition("(")[2].rstrip(")") + "."  # setUpClass (MODULE.CLASS)
    return {known for known in names if known.startswith(scope)}


def run_module(folder, module, quick, fail_fast):
    """Runs one module in this process and returns its counts, the text of its failures and its times."""
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    stream = io.StringIO()
    runner = unittest.TextTestRunner(stream, resultclass=TimedResult, failfast=fail_fast, verbosity=0,
                                     warnings=None if sys.warnoptions else "default")
    suite, left_out = unittest.defaultTestLoader.loadTestsFromName(module), 0
    if quick:
        suite, left_out = without_long(suite)
    names = tests_of(suite)  # a suite forgets the tests that ran
    result = runner.run(suite)
    failed, skipped = set(), {}
    for test in (*(pair[0] for pair in result.failures + result.errors), *result.unexpectedSuccesses):
        failed |= names_of(test, names)
    for test, reason in result.skipped:
        skipped.update((name, reason) for name in names_of(test, names) - failed - result.passed)
    text = "" if result.wasSuccessful() else stream.getvalue().rpartition("\nRan ")[0]
    return {"passed": len(result.passed - failed), "left_out": left_out, "failed": len(failed), "skipped": list(skipped.values()),
            "text": "".join(f"    {line}\n" for line in text.splitlines()), "seconds": result.seconds}


def main():
    parser = argparse.ArgumentParser(description="Run Python test modules side by side.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="leave out tests that are marked by takes_long")
    parser.add_argument("--fail-fast", action="store_true", help="stop a module at its first failure")
    parser.add_argument("--slowest", type=int, default=0, help="list so many tests by CPU time")
    options = parser.parse_intermixed_args()
    folder = options.folder.resolve()
    modules = options.modules or [path.stem for path in sorted(folder.glob("test_*.py"))]
    # long modules first, so that the last one does not run alone
    modules.sort(key=lambda name: (folder / f"{name.split('.')[0]}.py").stat().st_size, reverse=True)

    passed, failed, left_out, skipped, seconds = 0, 0, 0, [], []
    with concurrent.futures.ProcessPoolExecutor(options.jobs, max_tasks_per_child=1) as pool:
        jobs = {pool.submit(run_module, str(folder), module, options.quick, options.fail_fast): module for module in modules}
        for job in concurrent.futures.as_completed(jobs):
            try:
                result = job.result()
            except unittest.SkipTest as reason:  # raised by the module itself
                skipped.append(str(reason))
                continue
            except Exception as error:  # pylint: disable=broad-except # a module that cannot be imported, a dead process
                print(f"{jobs[job]}: {type(error).__name__}: {error}")
                failed += 1
                continue
            passed += result["passed"]
            left_out += result["left_out"]
            failed += result["failed"]
            skipped += result["skipped"]
            seconds += result["seconds"]
            if result["text"]:
                print(f"---- {jobs[job]}\n{result['text']}", flush=True)
    for spent, name in sorted(seconds, reverse=True)[:options.slowest]:
        print(f"{spent:8.2f} s  {name}")
    for reason, count in collections.Counter(skipped).items():
        print(f"skipped: {count} tests: {reason}")
    if left_out:
        print(f"left out: {left_out} tests that take seconds, see `make check`")
    if passed + failed + len(skipped) == 0:
        print(f"no tests in {folder}")
    print(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
    return failed > 0 or passed + len(skipped) == 0


if __name__ == "__main__":
    sys.exit(main())
