# SPDX-License-Identifier: Apache-2.0
"""Python's own codec idna (RFC 3490), which socket and http.client use; and shown and read again."""
import platform
import sys

from adapter import serve

CONFIGURATIONS = {
    "plain": lambda host: host.encode("idna").decode("ascii"),
    "shown": lambda host: host.encode("idna").decode("idna").encode("idna").decode("ascii"),
}

serve(f"Python {platform.python_version()}", CONFIGURATIONS[sys.argv[1]])
