# SPDX-License-Identifier: Apache-2.0
"""The Python package idna: as it comes, after UTS 46 (two ways), and shown and read again."""
import sys

import idna

from adapter import serve

CONFIGURATIONS = {
    "strict": lambda host: idna.encode(host, strict=True).decode(),
    "plain": lambda host: idna.encode(host).decode(),
    "uts46": lambda host: idna.encode(host, uts46=True).decode(),
    "transitional": lambda host: idna.encode(host, uts46=True, transitional=True).decode(),
    "shown": lambda host: idna.encode(idna.decode(host)).decode(),
}

serve(f"idna {idna.package_data.__version__}, Unicode {idna.idnadata.__version__}", CONFIGURATIONS[sys.argv[1]])
