# SPDX-License-Identifier: Apache-2.0
"""--jobs=N changes nothing but the time it takes."""

import os
import random
import unittest

from helper import BAD, GOOD, Case, run

LINES = 100_000


def mixed():
    """Many lines of all kinds and lengths, refused ones among them."""
    dice = random.Random(8192)
    kinds = [GOOD, BAD, b"HTTP://EXAMPLE.com", b"", b"//h/x", b"http://exa mple.com/", b"http://example.com/%41", b"a\xff\xc3", b"http://0x7f.1:99999/"]
    lines = [dice.choice(kinds) + b"%d" % i for i in range(LINES)]
    for i in range(0, LINES, 5000):
        lines[i] = GOOD + b"x" * dice.choice((5000, 8173, 8174, 70000))
    return b"".join(line + b"\n" for line in lines)


class Jobs(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.text = mixed()

    def test_tsv(self):
        """Order is kept: --jobs=1, 2 and 4 give identical output on 100,000 lines."""
        one = run("check", "--jobs=1", stdin=self.text)
        self.assertEqual(one.out.count(b"\n"), LINES)
        self.assertEqual(one.code, 1)
        for jobs in (2, 4):
            with self.subTest(jobs):
                result = run("check", "--jobs=%d" % jobs, stdin=self.text)
                self.assertEqual(result.code, 1)
                self.assertTrue(result.out == one.out, "the output differs")
                self.assertEqual(result.err, one.err)

    def test_file(self):
        """So it is with --input, and without --jobs."""
        path = self.file(self.text)
        plain = run("check", "--input=" + path)
        result = run("check", "--jobs=4", "--input=" + path)
        self.assertEqual(plain.out.count(b"\n"), LINES)
        self.assertTrue(result.out == plain.out, "the output differs")

    def test_json(self):
        """So it is with JSON."""
        text = self.text[:self.text.index(b"\n", 2_000_000) + 1]
        outputs = {run("check", "--format=json", "--jobs=%d" % jobs, stdin=text).out for jobs in (1, 2, 4)}
        self.assertEqual(len(outputs), 1)
        self.assertEqual(outputs.pop().count(b"\n"), text.count(b"\n"))

    def test_filter(self):
        """So it is with filter and its rejects."""
        results = []
        for jobs in (1, 2, 4):
            path = os.path.join(self.folder(), "rejects")
            result = run("filter", "--jobs=%d" % jobs, "--rejects=" + path, stdin=self.text)
            with open(path, "rb") as made:
                results.append((result.code, result.out, made.read()))
        self.assertTrue(results[0] == results[1] == results[2], "the output differs")
        self.assertEqual(results[0][0], 1)

    def test_more_jobs_than_lines(self):
        """There may be more jobs than lines."""
        self.assertEqual([r[0] for r in run("check", "--jobs=4", stdin=GOOD + b"\n" + BAD + b"\n").rows()], ["accept", "reject"])
        self.assertEqual(run("check", "--jobs=4").out, b"")

    def test_no_lf_at_the_end(self):
        """A last line without LF is an input with several jobs too."""
        self.assertEqual(run("check", "--jobs=4", stdin=self.text[:-1]).out.count(b"\n"), LINES)


if __name__ == "__main__":
    unittest.main()
