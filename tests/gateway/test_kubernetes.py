# SPDX-License-Identifier: Apache-2.0
"""Tests the examples for Kubernetes without a cluster: they have the fields that kubernetes.txt lists for their kinds, with values that fail
closed; names and ports fit together; and the helper, started as its pod starts it, answers as Envoy asks."""
from __future__ import annotations

import itertools
import re
import unittest
from collections.abc import Iterator

import gateway
import yaml
from servers import EXAMPLES
from test_serve import Case

LISTED = [line.split(maxsplit=2) for line in (gateway.ROOT / "tests/gateway/kubernetes.txt").read_text().splitlines() if line[:1] not in ("", "#")]


def fields(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yields each field with its value, as spec.ports[].port 8099."""
    if isinstance(value, dict) and value:
        for name, more in value.items():
            yield from fields(more, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for more in value:
            yield from fields(more, f"{path}[]")
    else:
        yield path, str(value)


def wrong(document: dict) -> list[str]:
    """Returns what no such kind has, has another value, or lacks: a line of kubernetes.txt with a value is required."""
    known = {path: (rest[0] if rest else None) for kind, path, *rest in LISTED if kind == document["kind"]}
    found = list(fields({name: value for name, value in document.items() if name != "kind"}))
    bad = [f"{path} {value}" for path, value in found if path not in known or not re.fullmatch(known[path] or ".*", value, re.DOTALL)]
    return bad + [path for path, value in known.items() if value and path not in dict(found)]


class KubernetesTest(Case):
    def setUp(self) -> None:
        self.files = {path.name[11:]: path.read_text() for path in sorted(EXAMPLES.glob("kubernetes-*.yaml"))}
        self.of = {document["kind"]: document for document in yaml.safe_load_all(self.files["helper.yaml"])}

    def test_fields(self) -> None:
        for name, text in self.files.items():
            for document in yaml.safe_load_all(text):
                self.assertEqual(wrong(document), [], (name, document["kind"]))
        self.assertEqual({kind for kind, *_ in LISTED}, {document["kind"] for text in self.files.values() for document in yaml.safe_load_all(text)})

    def test_faults_are_found(self) -> None:
        for name, old, new in (("envoy-gateway.yaml", "failOpen: false", "failOpen: true"), ("envoy-gateway.yaml", "    failOpen: false\n", ""), ("istio.yaml", "action: CUSTOM", "action: ALLOW"),
                               ("istio.yaml", "normalization: NONE", "normalization: BASE"), ("istio.yaml", "- {} #", "- {to: []} #"), ("helper.yaml", "--public", "--observe"),
                               ("traefik.yaml", "trustForwardHeader: false", "trustForwardHeader: true"), ("helper.yaml", "runAsNonRoot", "runAsNotRoot"), ("helper.yaml", "targetPort: ask", "targetPort: metrics"),
                               ("gateway-api.yaml", "type: ExternalAuth", "type: CORS"), ("gateway-api.yaml", "allowedHeaders: [X", "allowedHeaders: [Y")):
            self.assertIn(old, self.files[name])
            self.assertTrue([fault for document in yaml.safe_load_all(self.files[name].replace(old, new, 1)) for fault in wrong(document)], (name, new))

    def test_its_command_answers(self) -> None:
        """Envoy sends method, path and Host of the request, and Content-Length: 0. Where it resolves dot segments, /a/../b is asked about as /b."""
        policy = self.file(self.of["ConfigMap"]["data"]["gateway.yaml"], "gateway.yaml")
        words = self.of["Deployment"]["spec"]["template"]["spec"]["containers"][0]["args"]
        self.begin(*[word for word in words if not re.match("--(from|listen|metrics|log|policy-file)=", word)], f"--policy-file={policy}", front="envoy")
        fields = ("Content-Length: 0", "Authorization: Basic x", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1,10.0.0.1", "X-Envoy-Internal: true")
        for method, (target, answer) in itertools.product(("GET", "POST", "HEAD"), (("/a?b=c", 200), ("/a%2Fb", 403), ("/a/../b", 403), ("/b", 200), ("//a", 403))):
            self.assertEqual(self.ask(*fields, target=target, method=method, host="shop.example")[0], answer, (method, target))
