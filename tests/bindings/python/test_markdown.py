# SPDX-License-Identifier: Apache-2.0
"""The plugin of markdown-it-py, by the cases of the one for JavaScript."""
import json
import pathlib
import unittest

import urivet
from test_fetching import here

CASES = json.loads((pathlib.Path(__file__).resolve().parents[1] / "markdown.json").read_text(encoding="utf-8"))


@unittest.skipUnless(here("markdown_it") and here("linkify_it"), "needs python3-markdown-it and python3-linkify-it")
class Markdown(unittest.TestCase):
    def test_links_images_and_html(self) -> None:
        from markdown_it import MarkdownIt
        from urivet.markdown import RefusedLink, markdown_links
        self.assertGreater(len(CASES), 20)
        for case in CASES:
            refused: list[RefusedLink] = []
            md = MarkdownIt("js-default", {"linkify": True, "html": case.get("html", False)})
            md.use(markdown_links, base=case.get("base"), on_refused=refused.append)
            with self.subTest(case["text"]):
                self.assertEqual(md.render(case["text"]).strip(), case["made"])
                self.assertEqual([f"{link.kind} {','.join(link.ids)}" for link in refused], case["refused"])

    def test_tokens_of_other_plugins(self) -> None:
        from markdown_it import MarkdownIt
        from markdown_it.token import Token
        from urivet.markdown import markdown_links

        def others(md) -> None:
            md.core.ruler.push("others", lambda state: state.tokens.append(
                Token("video", "video", 0, attrs={"src": "http://10.0.0.1/", "class": "x"})))
        self.assertEqual(MarkdownIt("js-default").use(others).render(""), '<video src="http://10.0.0.1/" class="x">')
        self.assertEqual(MarkdownIt("js-default").use(others).use(markdown_links).render(""), '<video src="about:invalid" class="x">')

    def test_options(self) -> None:
        from markdown_it import MarkdownIt
        from urivet.markdown import markdown_links
        inside = urivet.Policy.from_yaml("base: public\naddresses: {allow: [10.0.0.0/8]}\n")
        self.assertIn("10.0.0.1", MarkdownIt().use(markdown_links, policy=inside).render("[a](http://10.0.0.1/)"))
        self.assertNotIn("10.0.0.1", MarkdownIt().use(markdown_links, policy="public").render("[a](http://10.0.0.1/)"))
        for wrong in ({"polcy": "public"}, {"policy": 7}, {"on_refused": 7}):
            with self.assertRaises(TypeError):
                MarkdownIt().use(markdown_links, **wrong)
        with self.assertRaises(ValueError):
            MarkdownIt().use(markdown_links, policy="pubic")


if __name__ == "__main__":
    unittest.main()
