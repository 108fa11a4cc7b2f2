#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spdx.py FOLDER VERSION SECONDS: prints the bill of materials of the source release in FOLDER, as SPDX 2.3: each file with its
digests and the licence that its head names, and the libraries that a build may use. SECONDS is the time of the release."""
import hashlib
import json
import pathlib
import re
import sys
import time

LICENCE = re.compile(rb"SPDX-License-Identifier: ([-.\w]+)")
# Optional dependencies of a build, by their package of pkg-config, and the one dependency of the npm package.
LIBRARIES = {"gumbo": "HTML", "md4c": "Markdown", "gmime-3.0": "mail", "fribidi": "text from right to left", "zlib": "gzip", "libzstd": "zstd", "libevent": "urivet serve", "libssl": "its TLS",
             "yaml-0.1": "policy files in YAML", "undici": "the fetcher for Node"}


def described(folder: pathlib.Path, path: pathlib.Path, number: int) -> dict:
    octets = path.read_bytes()
    found = LICENCE.search(octets[:400])
    return {"SPDXID": f"SPDXRef-File-{number}", "fileName": f"./{path.relative_to(folder)}",
            "checksums": [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, octets).hexdigest()} for name in ("sha1", "sha256")],
            "licenseConcluded": "Apache-2.0", "licenseInfoInFiles": [found[1].decode() if found else "NOASSERTION"], "copyrightText": "NOASSERTION"}


def main() -> None:
    folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = [described(folder, path, number) for number, path in enumerate(sorted(p for p in folder.rglob("*") if p.is_file()))]
    digests = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(digests).encode()).hexdigest()
    package = {"SPDXID": "SPDXRef-Package", "name": "urivet", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": True,
               "packageVerificationCode": {"packageVerificationCodeValue": code}, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
               "licenseInfoFromFiles": sorted({file["licenseInfoInFiles"][0] for file in files}), "copyrightText": "2026 urivet maintainers",
               "primaryPackagePurpose": "SOURCE"}
    used = [{"SPDXID": f"SPDXRef-Uses-{name}", "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "comment": f"optional, for {what}"}
            for name, what in LIBRARIES.items()]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package"),
                 *((one["SPDXID"], "OPTIONAL_DEPENDENCY_OF", "SPDXRef-Package") for one in used),
                 *(("SPDXRef-Package", "CONTAINS", file["SPDXID"]) for file in files)]
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"urivet-{version}",
               "documentNamespace": f"https://spdx.org/spdxdocs/urivet-{version}-{code}",
               "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(sys.argv[3]))), "creators": ["Tool: src/packaging/spdx.py"]},
               "packages": [package, *used], "files": files,
               "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), one)) for one in relations]},
              sys.stdout, indent=1)
    print()


main()
