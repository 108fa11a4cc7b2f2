# SPDX-License-Identifier: Apache-2.0
"""The servers of the tests leave the installation of this machine alone."""
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import cluster


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.installed, self.ours, self.tree = (Path(folder) / name for name in ("installed", "ours", "tree"))
        for name in ("lib/urivet.so", "lib/dict_snowball.so", "share/extension/urivet.control", "share/extension/urivet--1.sql",
                     "share/extension/plpgsql.control", "share/postgres.bki",
                     *(f"bin/{program}" for program in ("postgres", "initdb", "pg_ctl", "psql", "pg_dump", "pg_dumpall"))):
            (self.installed / name).parent.mkdir(parents=True, exist_ok=True)
            (self.installed / name).write_text("installed")
        for name in ("urivet.so", "urivet.control", "urivet--1.sql"):
            self.ours.mkdir(exist_ok=True)
            (self.ours / name).write_text("ours")
        self.folders = {"bindir": self.installed / "bin", "pkglibdir": self.installed / "lib", "sharedir": self.installed / "share"}
        self.enterContext(mock.patch.object(cluster, "configured", self.folders.get))

    def contents(self):
        return {path: path.read_text() for path in self.installed.rglob("*") if path.is_file()}

    def test_an_installed_extension_is_not_written_to(self):
        before = self.contents()
        tree = cluster.Tree(self.tree, self.ours)
        tree.install(self.ours)
        self.assertEqual(self.contents(), before)
        self.assertEqual((tree.modules / "urivet.so").read_text(), "ours")
        self.assertEqual((tree.extensions / "urivet.control").read_text(), "ours")
        self.assertTrue((tree.modules / "dict_snowball.so").is_symlink())

    def test_a_link_to_an_installed_extension_is_replaced(self):
        tree = cluster.Tree(self.tree, None)
        os.symlink(self.installed / "lib/urivet.so", tree.modules / "urivet.so")
        before = self.contents()
        tree.install(self.ours)
        self.assertEqual(self.contents(), before)
        self.assertFalse((tree.modules / "urivet.so").is_symlink())
