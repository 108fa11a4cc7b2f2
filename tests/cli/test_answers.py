# SPDX-License-Identifier: Apache-2.0
"""Runs the command as the tables in answers/ say, each in a folder of its own. Rows, with tabs between columns:

file     name, content: writes a file, and makes its folder
run      words, input, status, output, messages: runs the command with these words, which may begin with NAME=VALUE
content  name, content: what a file holds
needs    packages: those of Debian without which the rows below are left out

A text in double quotes is JSON, and all that is said; {ab*3} is ababab, and U+DC80 to U+DCFF are single octets. Without them, texts
with " | " between them are said in this order, and what follows a "!" nowhere. "-", or no column: nothing; "*": anything."""

import re
import shlex

from helper import HomeCase, core, lacks, spelled


class Answers(HomeCase):
    def expect(self, said, column, where):
        if column[:1] == '"' or column == "-":
            self.assertEqual(said, spelled(column), where)
            return
        at = 0
        for part in column.split(" | ") if column != "*" else ():
            found = said.find(spelled(part.removeprefix("!")), 0 if part[0] == "!" else at)
            self.assertEqual(found < 0, part[0] == "!", (where, part, said))
            at = max(at, found)

    def test_tables(self):
        for table in sorted((core.ROOT / "tests/cli/answers").glob("*.tsv")):
            self.setUp()
            lacking = False
            for kind, name, *columns in core.rows(table):
                with self.subTest(table.name, words=name, columns=columns):
                    if kind == "needs":
                        lacking = any(map(lacks, name.split()))
                        if lacking:
                            self.skipTest("needs " + name)
                    elif lacking:
                        continue
                    elif kind == "file":
                        core.Path(self.home, name).parent.mkdir(exist_ok=True)
                        self.write(spelled(columns[0]), name)
                    elif kind == "content":
                        self.expect(core.Path(self.home, name).read_bytes(), columns[0], name)
                    else:
                        words = [spelled(word) for word in shlex.split(name)]
                        env = dict(word.decode().split("=", 1) for word in words if re.match(rb"[A-Z_]+=", word))
                        result = self.urivet(*words[len(env):], stdin=spelled(columns[0]), env=env)
                        self.assertEqual(result.code, int(columns[1]), result)
                        self.expect(result.out, columns[2], result)
                        self.expect(result.err, (*columns, "-")[3], result)
