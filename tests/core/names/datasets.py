#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the data sets of names, and checks them.

    datasets.py --write     legitimate.tsv and spoofs.tsv, and the outcomes in pasted.tsv, anew
    datasets.py --check     are they what is written, and do they hold what their heads say?
                            with --urivet=COMMAND: does it say of pasted.tsv what is expected?

legitimate.tsv: top-level domains of src/core/policy/tlds.def, labels of the Public Suffix List (Debian: publicsuffix; MPL
2.0) and everyday words that were written down for this. spoofs.tsv: made from the tables below, by a fixed seed. pasted.tsv:
URLs that were written down for this; the outcome is that of the model (iri.py), and agree.py --pasted asks readers.
Exit status: 0 all right, 1 something differs, 2 the lists are not here.
"""
from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import consensus
import iri

HERE = Path(__file__).resolve().parent
SUFFIXES = Path("/usr/share/publicsuffix/public_suffix_list.dat")
PASTED, LEGITIMATE, SPOOFS = HERE / "pasted.tsv", HERE / "legitimate.tsv", HERE / "spoofs.tsv"
LICENSE = "# SPDX-License-Identifier: Apache-2.0\n"
NORWEGIAN = 40          # of the Public Suffix List, which has the names of all municipalities


# ---- How names are written ---------------------------------------------------------------------------------------

def is_plain(letter: str) -> bool:
    """Returns true if the letter is visible and stays unchanged in an editor."""
    kind = unicodedata.category(letter)
    return letter != "\\" and (letter.isascii() and letter.isprintable() or kind[0] in "LNS" or kind in ("Po", "Pd"))


def written(text: str) -> str:
    r"""Marks, spaces and what is not seen as \uXXXX, unless the mark belongs to its script's ordinary words."""
    made = ""
    for letter in text:
        point = ord(letter)
        mark = unicodedata.category(letter)[0] == "M" and not 0x300 <= point < 0x370 and not 0xFE00 <= point < 0xFE10
        made += letter if is_plain(letter) or mark else f"\\u{{{point:04X}}}"
    return made


def read(text: str) -> str:
    return re.sub(r"\\u\{([0-9A-F]+)\}", lambda found: chr(int(found[1], 16)), text)


def rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[read(column) for column in line.split("\t")] for line in lines if line and not line.startswith("#")]


def rule_of(host: str) -> str:
    found = consensus.host(host)
    return "agreed" if found is None else found[1].reason


# ---- Legitimate names --------------------------------------------------------------------------------------------

WORDS = """
fr forêt.fr château.fr hôtel.fr école.fr été.fr noël.fr garçon.fr théâtre.fr mûre.fr œuvre.fr façade.fr
de bücher.de köln.de grün.de äpfel.de möbel.de straße.de fußball.de müsli.de
es niño.es españa.es corazón.es año.es cigüeña.es música.es café.es
pt maçã.pt coração.pt pão.pt avô.pt praça.pt
it città.it perché.it caffè.it
sv räksmörgås.se ålesund.se blåbär.se sjö.se öl.se
da blåbær.dk smørrebrød.dk
no fjære.no bjørn.no
fi mökki.fi äiti.fi pöytä.fi
is þjóð.is ísland.is vatnajökull.is
pl łódź.pl żółw.pl gęś.pl książka.pl świat.pl
cs kůň.cz žluťoučký.cz děti.cz
hu tűzfal.hu árvíztűrő.hu
ro pâine.ro ţară.ro
tr çiçek.tr ışık.tr gümüş.tr
vi việtnam.vn phở.vn đẹp.vn
lv ēst.lv mājas.lv
lt žąsis.lt ąžuolas.lt
ru пример.рф книга.рф молоко.рф вода.рф хлеб.рф река.рф
uk їжак.укр ґанок.укр мова.укр
bg пример.бг вода.бг
sr пример.срб љубав.срб
mk пример.мкд
el παράδειγμα.ελ βιβλίο.ελ λόγος.ελ νερό.ελ
hy օրինակ.հայ ջուր.հայ
ka მაგალითი.გე წყალი.გე
he דוגמה.ישראל מים.ישראל ספר.ישראל
ar مثال.مصر كتاب.السعودية ماء.المغرب بيت.تونس
fa مثال.ایران آب.ایران خانه‌ها.ایران
ur مثال.پاکستان
hi उदाहरण.भारत पानी.भारत किताब.भारत
mr पुस्तक.भारत
ne नेपाल.com
bn বাংলা.বাংলা জল.ভারত আলো.ভারত
ta உதாரணம்.இந்தியா நீர்.இந்தியா கொடி.இந்தியா
te నీరు.భారత్ పుస్తకం.భారత్
kn ನೀರು.ಭಾರತ ಪುಸ್ತಕ.ಭಾರತ
ml വെള്ളം.ഭാരതം കേരളം.ഭാരതം
si ජලය.ලංකා
th ตัวอย่าง.ไทย น้ำ.ไทย หนังสือ.ไทย
lo ນ້ໍາ.ລາວ ປຶ້ມ.ລາວ
km ទឹក.com
am ውሃ.com
zh 例子.中国 书店.中国 水果.网址 北京.中国 茶.公司 例子.台灣
ja 例え.jp 日本語.jp さくら.jp ラーメン.jp お茶.jp みずほ銀行.jp
ko 예시.한국 한국어.한국 물.한국 서점.한국
"""


def top_level() -> list[str]:
    names = consensus.TLDS.read_text(encoding="ascii").replace('"', " ").replace(")", " ").split()
    labels = sorted({name for name in names if consensus.is_alabel(name)})
    return ["".join(map(chr, consensus.unpunycode(label[4:]) or [])) for label in labels]


def suffixes() -> Iterator[str]:
    """Yields names of more than one label in the section that registries decide."""
    for line in SUFFIXES.read_text(encoding="utf-8").splitlines():
        if line.startswith("// ===END ICANN"):
            return
        name = line.split(" ")[0]
        if name and not name.startswith(("//", "*", "!")) and "." in name and not name.isascii():
            yield name


def some_suffixes() -> list[str]:
    found = sorted(set(suffixes()))
    norwegian = [name for name in found if name.endswith(".no")]
    few = set(random.Random("Norway").sample(norwegian, min(NORWEGIAN, len(norwegian))))
    return [name for name in found if name not in norwegian or name in few]


def legitimate() -> str:
    words = [word for line in WORDS.strip().splitlines() for word in line.split()[1:]]
    made = LICENSE + ("# International names in honest use. Columns: host, as it goes over the wire, where from, and\n"
                      "# what the rule says. Made by datasets.py: top-level domains as in src/core/policy/tlds.def, labels of\n"
                      "# Debian's publicsuffix (Public Suffix List, MPL 2.0), words written down for this.\n")
    for source, hosts in (("top-level domain", top_level()), ("public suffix", some_suffixes()), ("word", words)):
        for host in dict.fromkeys(hosts):
            made += "\t".join((written(host), consensus.host_to_ascii(host), source, rule_of(host))) + "\n"
    return made


# ---- Spoofs ------------------------------------------------------------------------------------------------------

NAMES = """google paypal apple amazon microsoft facebook instagram netflix twitter github wikipedia youtube linkedin
dropbox ebay yahoo adobe spotify whatsapp telegram coinbase binance blockchain americanexpress citibank santander
barclays visa mastercard steam roblox cisco oracle debian mozilla opera espn skype epic scoop
hulu wish fujitsu sohu nokia ikea vimeo""".split()

CYRILLIC = dict(zip("aceopxyisjhdqwlkmtbvrnug", "асеорхуіѕјһԁԛԝӏкмтьѵгпцԍ"))
GREEK = dict(zip("aoevpuktixynwmbh", "αοενρυκτιχγηωμβη"))
ARMENIAN = dict(zip("ghnoqulpsdijfwt", "ցհոօգսլրտժիյֆաէ"))
CHEROKEE = dict(zip("abcdeghijklmprstvwyz", "ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ"))
MARKED = {"a": "áàâäãåāąạ", "c": "çćč", "d": "ďḍ", "e": "éèêëēęẹ", "g": "ğģġ", "i": "íìîïīịı", "k": "ķḳ", "l": "ĺļľłḷ",
          "m": "ṃ", "n": "ñńņňṇ", "o": "óòôöõøōọ", "p": "ṗ", "r": "ŕřṛ", "s": "śşšṣ", "t": "ţťṭ", "u": "úùûüūųụ",
          "v": "ṿ", "w": "ŵẁẉ", "x": "ẋ", "y": "ýÿŷỵ", "z": "źżžẓ", "b": "ḅ", "h": "ĥħḥ"}
ASCII = {"m": "rn", "o": "0", "l": "1", "w": "vv", "d": "cl", "i": "l"}
NUMBERED = "4chan 360 1688 163 9gag 123movies 3dprint 51job 8x8 2ch 7zip 500px 1password 99designs 24hours".split()
DIGITS = {"0": "๐໐०০੦", "1": "١۱", "2": "২੨૨", "3": "зӡʒ३૩", "4": "৭੫ч", "5": "ƽ", "6": "б੬", "7": "৭", "8": "৪੪",
          "9": "৭੧"}
# What stands for a slash, a dot, a hyphen or nothing at all.
PATTERNS = ("{0}.comノlogin", "{0}.com丿login", "{0}.comソlogin", "{0}.com一login", "{0}.comーlogin", "{0}.com〡a",
            "{0}.com\u05f3login", "{0}.com\u30fblogin", "{0}·com", "{0}\u0338com", "{0}.com\u02d0a", "{0}.comㅏlogin",
            "{0}.comㄧlogin", "{0}.com\u0337login")


def one_script(table: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name in NAMES:
        if all(letter in table for letter in name):
            yield "".join(table[letter] for letter in name), name


def one_letter(name: str, table: dict[str, str], rng: random.Random) -> str | None:
    places = [at for at, letter in enumerate(name) if letter in table]
    if not places:
        return None
    at = rng.choice(places)
    return name[:at] + rng.choice(table[name[at]]) + name[at + 1:]


def ascii_spoof(name: str, rng: random.Random) -> str | None:
    places = [at for at, letter in enumerate(name) if letter in ASCII]
    if not places:
        return None
    at = rng.choice(places)
    return name[:at] + ASCII[name[at]] + name[at + 1:]


def mixed(rng: random.Random) -> Iterator[tuple[str, str]]:
    tables = (CYRILLIC, GREEK, ARMENIAN)
    for name in NAMES:
        made = one_letter(name, rng.choice(tables), rng)
        if made:
            yield made, name


def each(names: list[str], make) -> Iterator[tuple[str, str]]:
    for name in names:
        made = make(name)
        if made and made != name:
            yield made, name


def kinds(rng: random.Random) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    yield "one script, Cyrillic", list(one_script(CYRILLIC))
    yield "one script, Greek", list(one_script(GREEK))
    yield "one script, Armenian", list(one_script(ARMENIAN))
    yield "one script, Cherokee", list(one_script(CHEROKEE))
    yield "mixed script", list(mixed(rng))
    yield "diacritic", [*each(NAMES, lambda name: one_letter(name, MARKED, rng)),
                        *each(NAMES, lambda name: one_letter(one_letter(name, MARKED, rng) or name, MARKED, rng))]
    yield "ASCII", list(each(NAMES, lambda name: ascii_spoof(name, rng)))
    yield "digit", [*each(NUMBERED, lambda name: one_letter(name, DIGITS, rng)),
                    *each(NUMBERED, lambda name: one_letter(name, DIGITS, rng))]
    yield "pattern", [(pattern.format(name), name) for pattern in PATTERNS for name in rng.sample(NAMES, 2)]


def spoofs() -> str:
    made = LICENSE + ("# Imitations of well-known names. Columns: host, as it goes over the wire, the name, kind.\n"
                      "# Made by datasets.py from its tables, with a fixed seed; none was seen in use.\n")
    seen: set[str] = set()
    for kind, found in kinds(random.Random("spoofs")):
        for text, name in found:
            host = text + (".example" if kind == "pattern" else ".com")
            points = [ord(letter) for letter in text]
            if host not in seen and consensus.composed(points) == points:
                seen.add(host)
                made += "\t".join((written(host), consensus.host_to_ascii(host), name + ".com", kind)) + "\n"
    return made


# ---- Pasted URLs -------------------------------------------------------------------------------------------------

def pasted() -> str:
    """Returns the file, with the outcomes of the model."""
    made = ""
    for line in PASTED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            text, what = line.split("\t")[0], line.split("\t")[-1]
            found = iri.outcome(read(text))
            line = "\t".join((text, found.kind, found.told, found.where or "-", what))
        made += line + "\n"
    return made


def command_differs(urivet: str) -> list[str]:
    """Returns the rows for which the command differs from pasted.tsv."""
    urls = rows(PASTED)
    data = b"".join(row[0].encode() + b"\0" for row in urls)
    done = subprocess.run([urivet, "suggest", "--iri", "--format=tsv", "-0"], input=data, capture_output=True, check=False)
    told = [line.split("\t") for line in done.stdout.decode("ascii").split("\n")[:-1]]
    wrong = [] if len(told) == len(urls) else [f"{urivet} answered {len(told)} of {len(urls)}"]
    for row, (_, said, spelling) in zip(urls, told):
        kind, _, at = said.partition(":")
        wanted = row[2] if row[1] in ("offered", "ascii") else row[3]
        if kind != row[1] or wanted not in ("-", at, spelling):
            wrong.append(f"{ascii(row[0])}: {said} {spelling}, not {row[1]} {wanted}")
    return wrong


# ---- Checks ------------------------------------------------------------------------------------------------------

FILES = {PASTED: pasted, LEGITIMATE: legitimate, SPOOFS: spoofs}


def differing() -> list[str]:
    return [path.name for path, make in FILES.items() if path.read_text(encoding="utf-8") != make()]


def faults() -> Iterator[str]:
    honest, made = rows(LEGITIMATE), rows(SPOOFS)
    both = {row[0] for row in honest} & {row[0] for row in made}
    if both:
        yield f"honest and a spoof: {', '.join(sorted(both))}"
    for path in (PASTED, LEGITIMATE, SPOOFS):
        twice = [text for text, times in Counter(row[0] for row in rows(path)).items() if times > 1]
        if twice:
            yield f"{path.name} has these more than once: {', '.join(map(ascii, twice))}"
    for row in honest:
        if row[2] == "top-level domain" and row[3] != "agreed":
            yield f"{row[0]} is outside the rule"


def figures() -> str:
    honest, made, urls = rows(LEGITIMATE), rows(SPOOFS), rows(PASTED)
    within = sum(row[3] == "agreed" for row in honest)
    obey = [row for row in made if not row[0].isascii() and consensus.host(row[0]) is None]
    outcomes = Counter(row[1] for row in urls)
    return (f"legitimate: {len(honest)}, {within} within the rule\n"
            f"spoofs: {len(made)}, {len(obey)} of {sum(not row[0].isascii() for row in made)} international ones within it\n"
            f"pasted: {len(urls)}, " + ", ".join(f"{kind} {times}" for kind, times in outcomes.most_common()) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--urivet", default="", metavar="COMMAND")
    args = parser.parse_args()
    if not SUFFIXES.exists() or not (consensus.UCD / "UnicodeData.txt").exists():
        print("datasets: needs the Debian packages publicsuffix and unicode-data", file=sys.stderr)
        return 2
    if args.write:
        for path, make in FILES.items():
            path.write_text(make(), encoding="utf-8")
    stale = [f"{name} is not what --write makes" for name in differing()] if args.check else []
    wrong = [*stale, *faults(), *(command_differs(args.urivet) if args.urivet else [])]
    print(figures() + "".join(f"datasets: {fault}\n" for fault in wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
