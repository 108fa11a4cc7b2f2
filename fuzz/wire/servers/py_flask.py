# SPDX-License-Identifier: Apache-2.0
"""Flask: routes by Werkzeug, which merges slashes by a redirect."""
from __future__ import annotations

import os
import sys
from importlib.metadata import version

if sys.argv[1:] == ["--version"]:
    print("Flask", version("flask"), "Werkzeug", version("werkzeug"))
    sys.exit()
from flask import Flask  # noqa: E402

app = Flask("wire", static_folder=None)
app.add_url_rule("/pub/f", "public", lambda: "PUBLIC\n")
app.add_url_rule("/admin/f", "admin", lambda: "SECRET\n")
app.add_url_rule("/config.inc", "config", lambda: "SECRET\n")
app.run("127.0.0.1", int(os.environ["PORT"]), threaded=True)
