# SPDX-License-Identifier: Apache-2.0
"""Threads judge by a policy while another exchanges it, under ThreadSanitizer; without the lock it complains."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("build/tsan/slots", "build/tsan/slots_unlocked")


@unittest.skipUnless(shutil.which("clang-19"), "needs clang-19")
class Slots(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        subprocess.run([os.environ.get("MAKE", "make"), "-s", "-j2", "VARIANT=tsan", *PROGRAMS], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)

    def slots(self, program: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([program, "100000"], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)

    def test_exchange(self) -> None:
        done = self.slots(PROGRAMS[0])
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertRegex(done.stdout, r"^slots: 100000 judgements by 4 threads, [1-9][0-9]* exchanges, 0 wrong\n\Z")

    def test_noticed(self) -> None:
        """A lock that does not lock."""
        done = self.slots(PROGRAMS[1])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ThreadSanitizer", done.stderr)
