# SPDX-License-Identifier: Apache-2.0
"""hyperlink (Twisted): the host of to_uri(), which goes over the wire; "shown" is to_iri() and back."""
import sys
from importlib.metadata import version

import hyperlink

from adapter import serve

CONFIGURATIONS = {
    "plain": lambda host: hyperlink.URL.from_text(f"https://{host}/").to_uri().host,
    "shown": lambda host: hyperlink.URL.from_text(f"https://{host}/").to_iri().to_uri().host,
}

serve(f"hyperlink {version('hyperlink')}", CONFIGURATIONS[sys.argv[1]])
