# SPDX-License-Identifier: Apache-2.0
"""Reads a report strictly: as XML and as HTML, and checks it for anything that the command does not write
itself."""

import re
import xml.etree.ElementTree
from html.parser import HTMLParser

VOID = {"meta"}
ELEMENTS = set("""html head meta style title body header main section article footer p h1 h2 h3 b span div code mark ul li a table thead tbody tr th td
    figure details summary dl dt dd svg rect path g desc""".split())
NUMBER = r"-?[0-9]+(\.[0-9]+)?"
WORDS = r"[a-z0-9-]+( [a-z0-9-]+)*"
ATTRIBUTES = {"lang": "en", "charset": "utf-8", "class": WORDS, "id": WORDS, "scope": "row|col", "aria-hidden": "true", "role": "img", "aria-labelledby": WORDS,
              "href": r"#f-[a-z0-9-]+", "viewBox": r"0 0 [0-9]+ [0-9]+", "preserveAspectRatio": "none", "width": NUMBER, "height": NUMBER, "x": NUMBER, "y": NUMBER,
              "d": "M0 0H([0-9]+)M0 50H[0-9]+M0 100H[0-9]+", "name": "viewport|referrer|format-detection", "http-equiv": "Content-Security-Policy",
              "content": r"width=device-width, initial-scale=1|no-referrer|telephone=no, date=no, address=no, email=no, url=no|"
                         r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'"}


class Tokens(HTMLParser):
    """Collects the elements that browsers would see, in order; start and end tags must match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.names, self.open, self.other = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.names.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError("</%s> ends nothing" % tag)

    def handle_comment(self, data):
        self.other.append(data)

    def handle_pi(self, data):
        self.other.append(data)

    def unknown_decl(self, data):
        self.other.append(data)


def text_of(element):
    return "".join(element.itertext())


def faults(page):
    """Returns a sentence for each forbidden thing in a page; an empty list for a good page."""
    found = []
    if re.search(rb"[^\n\x20-\x7e]", page):
        found.append("octets outside of ASCII")
    if not page.startswith(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\""):
        found.append("the head begins otherwise")
    text = page.decode("latin-1")
    try:
        root = xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])
        tokens = Tokens(text)
    except (xml.etree.ElementTree.ParseError, AssertionError) as error:
        return found + [str(error)]
    names = [element.tag for element in root.iter()]
    if [name.lower() for name in names] != tokens.names or tokens.open or tokens.other:
        found.append("HTML and XML are not the same elements")
    if names.count("style") != 1 or names.count("title") < 1 or [e.text for e in root.iter("title")][0] != "urivet report":
        found.append("another style or title")
    found += ["element %s" % name for name in sorted(set(names) - ELEMENTS)]
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    if len(ids) != len(set(ids)):
        found.append("an id is there twice")
    for element in root.iter():
        for name, value in element.attrib.items():
            if name not in ATTRIBUTES or not re.fullmatch(ATTRIBUTES[name], value):
                found.append("attribute %s=%r" % (name, value))
            if name == "href" and value[1:] not in ids:
                found.append("a link to nothing: %s" % value)
            if name == "aria-labelledby" and not set(value.split()) <= set(ids):
                found.append("a label that is not there: %s" % value)
    return found


def share_of(part, whole):
    """Returns the share of a part as a page writes it."""
    percent = 100 * part / whole
    return "%.0f %%" % percent if part in (0, whole) else "under 0.1 %" if percent < 0.1 else "over 99.9 %" if percent > 99.9 else "%.1f %%" % percent


def check_bar(svg, parts, whole, size=99.2, least=1 / 125):
    """Checks that the segments of a bar stand side by side after its track, each as long as its part of the whole, but not invisible."""
    drawn = [(rect.get("class"), float(rect.get("x")), float(rect.get("width"))) for rect in svg.findall("rect")[1:]]
    at, wanted = 0, []
    for name, count in parts:
        wanted += [(name, at / whole * size, max(count / whole, least) * size)] * (count > 0)
        at += count
    if [one[0] for one in drawn] != [one[0] for one in wanted] or any(abs(a - b) > 0.006 for one, other in zip(drawn, wanted) for a, b in zip(one[1:], other[1:])):
        raise AssertionError("a bar of %r: %r" % (parts, drawn))


class Page:
    """The figures of a report, taken from what a reader sees."""

    def __init__(self, page):
        found = faults(page)
        if found:
            raise AssertionError("; ".join(found[:5]))
        self.root = xml.etree.ElementTree.fromstring(page.decode("ascii").split("\n", 1)[1])
        self.text = text_of(self.root.find("body"))

    def section(self, name):
        return self.root.find(".//section[@id='%s']" % name)

    def tiles(self):
        return {text_of(tile.find("span")): number(text_of(tile.find("b"))) for tile in self.root.iterfind(".//div[@class='tiles']/div")}

    def key(self):
        """Returns words and count for each segment of the first bar."""
        items = self.root.findall(".//ul[@class='key']/li")
        made, records = {text_of(item.find("span")): number(text_of(item.find("b"))) for item in items}, self.tiles()["records"]
        if items:
            check_bar(self.root.find(".//svg[@class='whole']"), [(item.find("svg/rect").get("class"), number(text_of(item.find("b")))) for item in items], records, 1000, 0)
        if [text_of(item.findall("span")[1]) for item in items] != [share_of(count, records) for count in made.values()]:
            raise AssertionError("the shares in the key are wrong")
        return made

    def findings(self, section):
        """Returns name and records of each finding, from the table and from the explanations."""
        where = self.section(section)
        if where is None:
            return []
        rows = [(text_of(row[0]), text_of(row[1]), number(text_of(row[2]))) for row in where.iterfind(".//tbody/tr")]
        reported = [(text_of(head.find("h3")), text_of(head.find("span")), number(text_of(head.find("p/b")))) for head in where.iterfind("article/header")]
        if rows != reported:
            raise AssertionError("the table and the explanations differ")
        records, most = self.tiles()["records"], max(count for _, _, count in rows)
        for row, (_, name, count), head, bar in zip(where.iterfind(".//tbody/tr"), rows, where.iterfind("article/header"), where.iterfind("article/svg")):
            check_bar(row[4][0], [(name, count)], most)
            check_bar(bar, [(name, count)], records)
            if (text_of(row[3]), text_of(head.find("p")).partition(", ")[2] or None) != (share_of(count, records), share_of(count, records)):
                raise AssertionError("the share of %r is not that of %d of %d" % (text_of(row[0]), count, records))
        return rows

    def details(self):
        """Returns what is said of each finding, and the reference and counts after it."""
        return {text_of(head.find("h3")): (text_of(said), text_of(more)) for card in self.root.iterfind(".//article")
                for head, said, more in zip(card.iterfind("header"), [p for p in card.iterfind("p") if not p.get("class")], card.iterfind("p[@class='soft small']"), strict=True)}

    def together(self):
        """Returns the names of findings that share a card, card by card."""
        return [[text_of(head.find("h3")) for head in card.iterfind("header")] for card in self.root.iterfind(".//article")]

    def examples(self, name):
        """Returns for each example: the text before, in and after the mark, its place, and the words
        and spelling beside it."""
        made = []
        for item in self.root.iterfind(".//header[@id='f-%s']/../ul/li" % name):
            code = item.find("code")
            mark = code.find("mark")
            at = list(code).index(mark)
            before = (code.text or "") + "".join(text_of(part) + (part.tail or "") for part in list(code)[:at])
            after = (mark.tail or "") + "".join(text_of(part) + (part.tail or "") for part in list(code)[at + 1:])
            under = item.findall("p/span")
            made.append((before, mark.text or "", after, text_of(under[0]), text_of(under[1]) if len(under) > 1 else None))
        return made

    def keys(self, section, table=0):
        """Returns key (None for rows that are named by words), records and refusals of a table of keys."""
        lines = self.section(section).findall(".//table")[table].findall("tbody/tr")
        rows = [(text_of(row[0][0]) if row[0][0].tag == "code" else None, number(text_of(row[1])), number(text_of(row[2]))) for row in lines]
        most = max((row[1] for row, line in zip(rows, lines) if text_of(line[0]) != "all others together"), default=0)
        for (_, total, refused), line in zip(rows, lines):
            if line[2].get("class") != ("n reject" if refused else "n soft"):
                raise AssertionError("%d refused, class %s" % (refused, line[2].get("class")))
            if total <= most:
                check_bar(line[3][0], [("accept", total - refused), ("reject", refused)], most)
        return rows

    def ticks(self, section):
        """Returns the texts below the columns of a chart."""
        return [text_of(tick) for tick in self.section(section).iterfind(".//div[@class='ticks each']/span")]

    def plot(self, section):
        """Returns label, accepted and refused from the table below a chart, which must show the same."""
        where = self.section(section)
        rows = [(text_of(row[0]), number(text_of(row[1])), number(text_of(row[2]))) for row in where.iterfind(".//details//tbody/tr")]
        for column, word in ((1, "accepted"), (2, "refused")):
            drawn = [text_of(title) for title in where.iterfind(".//figure/svg/g/title") if text_of(title).endswith(word)]
            if drawn and drawn != ["%s: %s %s" % (row[0], format(row[column], ","), word) for row in rows]:
                raise AssertionError("the drawing of what is %s is not the table" % word)
            most, groups = max(row[column] for row in rows), [group for group in where.iterfind(".//figure/svg/g") if text_of(group.find("title")).endswith(word)]
            for at, (row, group) in enumerate(zip(rows, groups)):
                high = max(row[column] / most, 1 / 60) * 100
                drawn_at = [tuple(float(rect.get(name)) for name in ("x", "y", "height")) for rect in group.findall("rect")[1:]]
                if [tuple(round(abs(a - b)) for a, b in zip(one, (at * 10 + 1, 100 - high, high))) for one in drawn_at] != [(0, 0, 0)] * (row[column] > 0):
                    raise AssertionError("the column of %r is %r, not as high as %d of %d" % (row[0], drawn_at, row[column], most))
            highest = next((row[0] for row in rows if row[column] == most), "")
            if drawn and "from %s to %s; the highest has %s record%s, at %s." % (rows[0][0], rows[-1][0], format(most, ","), "s" * (most != 1), highest) not in text_of(where):
                raise AssertionError("the description of what is %s is not the table" % word)
            if not drawn and any(row[column] for row in rows):
                raise AssertionError("there is no drawing of what is %s" % word)
        return rows


def number(text):
    if not re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})*", text):
        raise AssertionError("no number: %r" % text)
    return int(text.replace(",", ""))
