# SPDX-License-Identifier: Apache-2.0
# python3 run.py vectors.json: does urllib.parse read the valid vectors as written?
import json
import sys
from urllib.parse import urlsplit

DEFAULT = {"http": 80, "https": 443}
file = json.load(open(sys.argv[1], encoding="utf-8"))
tests = [test for group in file["testGroups"] for test in group["tests"]]
if file["algorithm"] != "consensus-url" or file["version"] != 1 or len(tests) != file["numberOfTests"]:
    sys.exit("another version of the vectors, or a file that was cut off")
read = refused = differ = 0
for test in tests:
    if test["result"] == "valid":
        want = test["components"]
        try:
            url = urlsplit(test["input"])
            got = url.scheme, url.hostname, url.port or DEFAULT[url.scheme], url.path or "/", url.query, url.fragment
        except ValueError:
            refused += 1
            continue
        read += 1
        if got != (want["scheme"], want["host"].lower(), want["port"], want["path"] or "/", want["query"] or "", want["fragment"] or ""):
            differ += 1
            print(test["tcId"], test["input"], got)
print(f"urllib.parse: {read} read, {refused} refused, {differ} read otherwise")
sys.exit(differ > 0 or read == 0)
