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

    def test_scan(self) -> None:
        text = ("a [b *c*](http://10.0.0.1/) ![d](https://www.wikipedia.org/x.png)\n\n"
                "`http://10.0.0.2/` http://10.0.0.3/, [e][r] [www.paypal.com](https://www.wikipedia.org/)\n\n"
                "| f |\n|---|\n| [![g](http://10.0.0.4/)](/h) |\n\n    http://10.0.0.5/\n\n"
                "<a href='http://10.0.0.6/'>i</a>\n\n[r]: ftp://wikipedia.org/\n")
        found = [("link", "http://10.0.0.1/", "b c", 1), ("image", "https://www.wikipedia.org/x.png", "d", 1),
                 ("text", "http://10.0.0.3/", "http://10.0.0.3/", 3), ("link", "ftp://wikipedia.org/", "e", 3),
                 ("link", "https://www.wikipedia.org/", "www.paypal.com", 3), ("link", "/h", "g", 7),
                 ("image", "http://10.0.0.4/", "g", 7), ("text", "http://10.0.0.6/", "http://10.0.0.6/", 11)]
        links = urivet.scan(text, markup="markdown")
        self.assertEqual([link[:4] for link in links], found)
        self.assertEqual([link.url for link in links if not link.ids], ["https://www.wikipedia.org/x.png"])
        self.assertEqual(links[4].ids, ["link-text-mismatch"])
        self.assertIn("addr-private", links[0].ids)
        self.assertEqual([link[:4] for link in urivet.scan(text.encode(), "public", "markdown")], found)
        inside = urivet.Policy.from_yaml("base: public\naddresses: {allow: [10.0.0.0/8]}\n")
        self.assertEqual(urivet.scan(text, inside, "markdown")[0].ids, [])

    def test_any_text_of_a_link(self) -> None:
        """What a stranger writes as the text of a link never ends in an exception."""
        from markdown_it import MarkdownIt
        from urivet.markdown import markdown_links, scan_markdown
        hosts = ("a%zz", "\U0001F600.example", "\u0430pple.example", "a\u00adb.example", "h:99999", "[::1", "u@h", "", "a..b", "xn--a")
        for shown in (f"{front}{host}/" for front in ("http://", "//", "") for host in hosts):
            text = f"[{shown}](https://example.com/) "
            self.assertIn("<a href=", MarkdownIt("js-default").use(markdown_links).render(text), shown)
            self.assertTrue(scan_markdown(text), shown)

    def test_scan_of_other_markup(self) -> None:
        for wrong in ("markdwon", "html", ""):
            self.assertRaisesRegex(ValueError, "urivet scan --markup", urivet.scan, "x", markup=wrong)
        self.assertRaises(ValueError, urivet.scan, "x", "pubic", "markdown")

    def test_scan_keeps_the_page(self) -> None:
        from urivet.markdown import scan_markdown
        links = scan_markdown("[a](/b) [c](//10.0.0.1/)", base="https://www.wikipedia.org/")
        self.assertEqual([bool(link.ids) for link in links], [False, True])

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


class Pieces(unittest.TestCase):
    """MarkdownStream, whose output renderers read as judged."""

    PIECES = ("[", "]", "(", ")", "![", "](//evil.test/p)", "](https://good.test/)", "`", "```", "~~~", "\n~~~\n", "\n```\n", "\n$$\n", "\n", "\n\n", "    ", "- ", "> ", "<",
              ">", '<a href="//evil.test">', "<https://evil.test/>", "//evil.test", "https://evil.test/", "https://good.test/", "evil.com",
              "a@evil.com", "\\", "&colon;", "&sol;", "&#91;", "&NewLine;", "[x]: //evil.test\n", "[x]", "|", "|---|\n", "*", "_", "~", "!",
              "\r", "\0", "a ", "https:", "evil&period;com", "<!--", "\ud800", "\u3002")

    policy = urivet.Policy.build(base="public", hosts={"allow": ["good.test"]})

    def shown(self, text: str, size: int = 1 << 30, **more) -> str:
        stream = urivet.MarkdownStream(self.policy, **more)
        return "".join(stream.feed(text[k:k + size]) + stream.feed("") for k in range(0, len(text), size)) + stream.close()

    def test_forms(self) -> None:
        for text, shown in (
                ("[a](https://good.test/x_(y)?b=1&c)", "[a](https://good.test/x_&#40;y&#41;?b=1&#38;c)"),
                ("[a](https://good.test/x()y)", "[a](https://good.test/x&#40;&#41;y)"), ("![a](https&colon;//evil.test/p)", "a (`https://evil.test/p`)"), ("![a](https://good.test/)", "a (`https://good.test/`)"),
                ("[paypal.com](https://good.test/)", "`paypal.com` (`https://good.test/`)"), ("evil.com, b", "`evil.com`, b"),
                ("[good.test](https://good.test/)", "[good.test](https://good.test/)"), ("1.5 e.g. Wow!", "1.5 e.g. Wow!"),
                *((f"{word}!<https://good.test/>", f"{word}&#33;[https&#58;&#47;&#47;good&#46;test&#47;](https://good.test/)") for word in ("", "wow", "a.b ", "!")),
                ("[x]: //evil.test\n[x]", "&#91;x&#93;: `//evil.test`\n&#91;x&#93;"), ("` a[0]` `", "` a[0]` &#96;"),
                ("1. a\n   ```js\n   a[0] < 3\n   ```\nb", "1. a\n```js\na[0] < 3\n```\nb"), ("~~~\n[a](//evil.test)", None), *[(f"```\n{'a' * 4090}[a](b) <c>\n```\nd",) * 2]):
            with self.subTest(text):
                made = self.shown(text)
                self.assertEqual(made, text + "\n~~~" if shown is None else shown)
                self.assertEqual([self.shown(text, size) for size in (1, 2, 3, 5)], [made] * 4)
        self.assertEqual(self.shown("a" * 5000), "a" * 4096 + " " + "a" * 904)
        for more in (0, 1):  # a link of 4096 characters is the longest
            link = "[a](https://good.test/".ljust(4095 + more, "b") + ")"
            self.assertEqual(self.shown(link, 4000) == link, not more)
        refused: list = []
        self.shown("<http://10.0.0.1/> <a@good.test> [c](http://10.0.0.2/) ![d](https://good.test/) http://10.0.0.3/x, [www.good.org](https://good.test/) [e](/f) 10.0.0.4", 3, on_refused=refused.append)
        inside = "addr-not-global,addr-private,host-not-allowed"
        self.assertEqual([(one.kind, one.url, ",".join(one.ids), one.report.ok) for one in refused], [
            ("link", "http://10.0.0.1/", inside, False), ("link", "mailto:a@good.test", "scheme-not-allowed", False), ("link", "http://10.0.0.2/", inside, False), ("image", "https://good.test/", "", True),
            ("text", "http://10.0.0.3/x", inside, False), ("text", "http://www.good.org", "host-not-allowed", False), ("link", "https://good.test/", "link-text-mismatch", True), ("link", "/f", "not-absolute", False),
            ("text", "http://10.0.0.4", inside, False)])
        self.assertEqual(self.shown("![a](https://good.test/)", images=self.policy), "![a](https://good.test/)")
        self.assertRaises(ValueError, urivet.MarkdownStream, "pubic")

    @unittest.skipUnless(here("markdown_it") and here("linkify_it"), "needs python3-markdown-it and python3-linkify-it")
    def test_no_renderer_finds_another_link(self) -> None:
        import random
        import re
        from markdown_it import MarkdownIt
        md, lot, found = MarkdownIt("js-default", {"linkify": True, "html": True}), random.Random(1), 0
        for _ in range(1500):
            text = "".join(lot.choices(self.PIECES, k=lot.randint(1, 20)))
            made = self.shown(text)
            self.assertEqual(self.shown(text, lot.randint(1, 5)), made, text)
            links = re.findall(r'<[^>]* (?:href|src|on\w+)="([^"]*)"', md.render(made))
            self.assertTrue(all(self.policy.ok(link) for link in links), text)
            found += len(links)
        self.assertGreater(found, 30)

    def test_time_and_memory(self) -> None:
        import time
        for piece in ("[", "![", "`", "<", "[](<", "[a](https://good.test/) ", "a.com ", "\\"):
            began = time.process_time()
            stream = urivet.MarkdownStream()
            for _ in range(4):
                stream.feed(piece * (100_000 // len(piece)))
                self.assertLess(len(stream._held) + len(stream._word), 10_000)
            stream.close()
            self.assertLess(time.process_time() - began, 20, piece)
