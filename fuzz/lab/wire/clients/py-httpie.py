# SPDX-License-Identifier: Apache-2.0
"""HTTPie, its command line in one process."""
import sys

import httpie
import httpie.core

from adapter import TIMEOUT, serve

OPTIONS = ["http", "--ignore-stdin", "--print=", f"--timeout={TIMEOUT}", "GET"]


def fetch(url: str) -> int:
    if status := httpie.core.main([*OPTIONS, url]):
        raise RuntimeError(f"exit status {int(status)}")
    return 200      # it does not tell which status it was


sys.argv[0] = sys.argv[0] if sys.argv[1:] else "http"
serve(f"HTTPie {httpie.__version__}", fetch)
