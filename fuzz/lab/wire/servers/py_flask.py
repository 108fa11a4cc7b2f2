# SPDX-License-Identifier: Apache-2.0
"""Flask: routes by Werkzeug, which merges slashes by a redirect."""
from __future__ import annotations

import os
import sys
from importlib.metadata import version

from flask import Flask

if sys.argv[1:] == ["--version"]:
    print("Flask", version("flask"), "Werkzeug", version("werkzeug"))
    sys.exit()

from adapter import PAGES  # noqa: E402

app = Flask("wire", static_folder=None)
for number, (path, page) in enumerate(PAGES.items()):
    if "<" not in path:     # which begins a variable
        app.add_url_rule(path.encode("latin-1").decode("utf-8", "replace"), str(number), lambda page=page: page)
app.run("127.0.0.1", int(os.environ["PORT"]), threaded=True)
