/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the display form of URLs for people. */
#include <urivet/spelling.h>

#include "support.h"

TestSuite(display, .timeout = 10);

static char out[16384];

static void expect_display(const char *url, const char *want, const struct urivet_policy *policy, unsigned flags)
{
	const size_t n = urivet_display(out, sizeof out, url, strlen(url), policy, flags);
	cr_expect(n == strlen(want) && strcmp(out, want) == 0, "%s: %s, not %s", url, out, want);
}

Test(display, text)
{
	static const struct {
		const char *url, *shown; /* NULL: shown unchanged */
	} rows[] = {
	    {"https://xn--mller-kva.de/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe", "https://müller.de/straße?q=größe"},
	    {"http://example.com/", NULL},
	    {"http://u@example.com:8080/a;b?c=d&e#f", NULL},
	    {"", NULL},
	    {"file://", NULL},
	    {"/a%C3%A9", "/aé"},
	    {"x:%C3%A9", "x:é"},
	    {"//xn--bcher-kva.de", "//bücher.de"},
	    {"http://WWW.XN--MLLER-KVA.de./", "http://WWW.müller.de./"},
	    {"http://xn--e1adhj9a.com/%D0%BC", "http://музей.com/м"},
	    /* hosts that may deceive: the whole URL is shown unchanged */
	    {"http://xn--80ak6aa92e.com/", NULL},
	    {"http://xn--n1aahb.com/", NULL}, /* letters like those of coco, but below .ru they are at home */
	    {"http://xn--n1aahb.ru/", "http://сосо.ru/"},
	    {"http://xn--n1aahb.ru./", "http://сосо.ru./"},
	    {"http://xn--bcher-kva.m\xc3\xbcller.de/", "http://xn--bcher-kva.m%C3%BCller.de/"},
	    {"http://xn--80ak6aa92e.xn--mller-kva.de/", NULL},
	    {"http://xn--mller-kva.xn--80ak6aa92e.com/", NULL},
	    {"http://xn--pypal-4ve.com/", NULL}, {"http://xn--pypal-4ve/", NULL},
	    {"http://xn--pple-u6b.com/", NULL}, /* schwa, used below .az, but later than IDNA 2003 */
	    {"http://xn--n3h.net/", NULL},
	    {"http://xn--fa-hia.de/", NULL},
	    {"http://xn--a.com/", NULL},
	    {"http://m%C3%BCller.de/", "http://m%C3%BCller.de/"},
	    {"http://xn--mller-kva.%64e/", NULL},
	    {"http://xn--4dbrk0ce.xn--4dbrk0ce/", NULL}, /* from right to left */
	    {"http://[2001:db8::1]:80/", NULL},
	    /* triplets of ASCII, of invisible characters and of characters other than letters
	     * stay encoded */
	    {"http://h/%41%2F%20%0A%7f", NULL},
	    {"http://h/%C2%A0%E2%80%AE%E2%80%8B%EF%BB%BF%E2%80%8D", NULL},
	    {"http://h/%E2%81%84%EF%BC%8F%E2%88%95%EF%BC%9F", NULL},
	    {"http://h/%F0%9F%92%A9", NULL},
	    {"http://h/%C3", NULL},
	    {"http://h/%C3%28%FF%ED%A0%80", NULL},
	    {"http://h/%D7%A9", NULL},
	    {"http://h/%D9%A1", NULL},
	    {"http://a.xn--p1ai/", "http://a.рф/"},
	    {"http://h/%EE%80%80%F3%BF%BF%BE", NULL},
	    {"http://h/%C3%89t%C3%A9", "http://h/Été"},
	    {"http://h/%F0%A0%80%80!~%F0%90%80%80%F0%A1%80%80", "http://h/𠀀!~𐀀𡀀"},
	    {"http://h/%D4%A5/%E0%A6%95%E0%A7%8B/%E3%82%AB%E3%83%BB/%E1%8E%A0", "http://h/ԥ/কো/カ・/Ꭰ"},
	    {"http://h/%d0%bc%D0%BC", "http://h/мм"},
	    {"http://h/%", NULL},
	    {"http://h/%4", NULL},
	    /* a mark needs a letter before it, and must not compose with it */
	    {"http://h/%CC%81", NULL},
	    {"http://h/a/%CC%A7", NULL},
	    {"http://h/x%CC%A7", "http://h/x̧"},
	    {"http://h/e%CC%81", NULL},
	    {"http://h/x%CC%A7%CC%A7", "http://h/x̧%CC%A7"},
	    {"http://h/%20%CC%A7/x%E2%80%8D%CC%A7", NULL},
	    {"http://h/%41%CC%A7", NULL},
	    {"http://h/-%CC%A7", NULL},
	    {"http://h/%E0%A4%95%E0%A5%8D%E0%A4%B7", "http://h/क्ष"},
	    /* characters that look like a slash, or like the letters beside them */
	    {"http://h/a%E3%83%8Eb/a%E4%B8%80", NULL},
	    {"http://h/%E3%82%AB%E2%80%8D%E3%83%8E", "http://h/カ%E2%80%8D%E3%83%8E"},
	    {"http://h/%E3%82%AB%E3%83%8E", "http://h/カノ"},
	    {"http://h/%E3%83%8E", NULL},
	    {"http://h/%E6%97%A5%E4%B8%80", "http://h/日一"},
	    /* octets that no URL may contain are escaped */
	    {"http://h/\xc3\xa9\xff \n\x7f", "http://h/é%FF%20%0A%7F"},
	    {"http://m\xc3\xbcller.de/", "http://m%C3%BCller.de/"},
	    {"http://h/\xe2\x80\xae", "http://h/%E2%80%AE"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		expect_display(rows[k].url, rows[k].shown != NULL ? rows[k].shown : rows[k].url, NULL, 0);
}

#define FSI "\xe2\x81\xa8"
#define PDI "\xe2\x81\xa9"

/* UAX 9: each right-to-left component is isolated. */
Test(display, isolates)
{
	static const char url[] = "http://xn--4dbrk0ce.xn--4dbrk0ce/%D7%A9%D7%9C/a?%D7%A9=1&b=%D8%A7\"<'>&%C3%A9";
	expect_display(url,
		       "http://" FSI "ישראל.ישראל" PDI "/" FSI "של" PDI "/a?" FSI "ש" PDI "=1&b=" FSI "ا\"<'>" PDI "&é", NULL,
		       URIVET_DISPLAY_ISOLATES);
	expect_display(url,
		       "http://&#x2068;ישראל.ישראל&#x2069;/&#x2068;של&#x2069;/a?&#x2068;ש&#x2069;=1&amp;b=&#x2068;"
		       "ا&quot;&lt;&#39;&gt;&#x2069;&amp;é",
		       NULL, URIVET_DISPLAY_HTML);
	expect_display("http://h/a%C3%A9", "http://h/aé", NULL, URIVET_DISPLAY_ISOLATES);
	expect_display("//h/%D7%A9;%D7%A9#%D7%A9/%E0%A0%80", "//h/" FSI "ש" PDI ";" FSI "ש" PDI "#" FSI "ש" PDI "/" FSI "ࠀ" PDI, NULL, URIVET_DISPLAY_ISOLATES);
	expect_display("http://xn--4dbrk0ce.xn--p1ai/", "http://" FSI "ישראל.рф" PDI "/", NULL, URIVET_DISPLAY_ISOLATES);
	expect_display("http://a.xn--9dbne9b.il/", "http://" FSI "a.שלום.il" PDI "/", NULL, URIVET_DISPLAY_ISOLATES);
	expect_display("http://h/%FF%D7%A9", "http://h/" FSI "%FFש" PDI, NULL, URIVET_DISPLAY_ISOLATES);
	expect_display("http://h/%FF", "http://h/%FF", NULL, URIVET_DISPLAY_ISOLATES);
	/* a host that breaks RFC 5893 is not decoded */
	expect_display("http://xn--a-yoc.il/", "http://xn--a-yoc.il/", NULL, URIVET_DISPLAY_ISOLATES);
}

/* Imitations of protected names stay encoded; so do protected names in ASCII beside other text. */
Test(display, imitations)
{
	static struct urivet_protected name;
	struct urivet_policy p = built_in(URIVET_STRICT);
	cr_assert(urivet_protected_from(&name, LITERAL("muller.de")));
	p.protect = &name;
	p.protect_count = 1;
	expect_display("http://xn--mller-kva.de/", "http://xn--mller-kva.de/", &p, 0);
	expect_display("http://www.xn--mller-kva.de/", "http://www.xn--mller-kva.de/", &p, 0);
	expect_display("http://xn--bcher-kva.de/", "http://bücher.de/", &p, 0);
	expect_display("http://xn--bcher-kva.muller.de/", "http://bücher.muller.de/", &p, 0);
	expect_display("http://xn--bcher-kva.mu11er.de/", "http://xn--bcher-kva.mu11er.de/", &p, 0);
	expect_display("http://muller.de/%C3%A9", "http://muller.de/é", &p, 0);
}

/* Capacities follow snprintf. */
Test(display, capacities)
{
	static const char url[] = "http://xn--mller-kva.de/%C3%A9&";
	static const char want[] = "http://müller.de/é&amp;";
	for (size_t room = 0; room < sizeof want + 4; room++) {
		memset(out, 'x', sizeof out);
		cr_expect(urivet_display(out, room, LITERAL(url), NULL, URIVET_DISPLAY_HTML) == sizeof want - 1);
		cr_expect(out[room] == 'x');
		if (room > 0) {
			const size_t n = room < sizeof want ? room - 1 : sizeof want - 1;
			cr_expect(memcmp(out, want, n) == 0 && out[n] == '\0', "%zu", room);
		}
	}
	cr_expect(urivet_display(out, 1, NULL, 3, NULL, 0) == 0 && out[0] == '\0');
	static char longest[URIVET_DISPLAY_MOST + 1];
	memset(longest, 'a', sizeof longest);
	cr_expect(urivet_display(NULL, 0, longest, URIVET_DISPLAY_MOST, NULL, 0) == URIVET_DISPLAY_MOST);
	out[0] = 'x';
	cr_expect(urivet_display(out, sizeof out, longest, URIVET_DISPLAY_MOST + 1, NULL, 0) == 0 && out[0] == '\0');
}

/* If the displayed text is an IRI that all readers agree on, they read it as the URL: displayed
 * again, and converted to ASCII, it is unchanged. */
Test(display, and_back)
{
	static const char *const urls[] = {"https://xn--mller-kva.de/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe", "http://xn--e1adhj9a.com/%D0%BC%D0%BE",
					   "https://xn--r8jz45g.jp/%E3%82%AB%E3%83%8E?%E6%97%A5=%E4%B8%80", "http://h.example/%E0%A4%95%E0%A5%8D%E0%A4%B7"};
	for (size_t k = 0; k < sizeof urls / sizeof urls[0]; k++) {
		static char back[8192];
		struct urivet_iri iri;
		const size_t n = urivet_display(out, sizeof out, urls[k], strlen(urls[k]), NULL, 0);
		cr_expect(strcmp(out, urls[k]) != 0);
		cr_expect(urivet_suggest_iri(&iri, back, urivet_size_of(URIVET_CAPACITY_IRI, n), out, n, NULL) == strlen(urls[k]) &&
			      strcmp(back, urls[k]) == 0, "%s: %s", out, back);
	}
}
