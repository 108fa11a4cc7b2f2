# SPDX-License-Identifier: Apache-2.0
"""libcurl through pycurl, in one process."""
import pycurl

from adapter import TIMEOUT, serve

handle = pycurl.Curl()


def fetch(url: str) -> int:
    handle.reset()
    handle.setopt(pycurl.URL, url.encode("utf-8", "surrogateescape"))
    handle.setopt(pycurl.TIMEOUT, TIMEOUT)
    handle.setopt(pycurl.NOPROXY, "*")
    handle.setopt(pycurl.NOSIGNAL, 1)
    handle.setopt(pycurl.WRITEFUNCTION, lambda _data: None)
    handle.perform()
    return handle.getinfo(pycurl.RESPONSE_CODE)


serve(" ".join(pycurl.version.split()[:2]), fetch)
