/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: a strict URI validator. It accepts a URI if all readers in real use read it alike
 * and it is not dangerous in itself, and it explains every rejection.
 *
 * Start with these five functions
 * -------------------------------
 *   - urivet_policy_init() copies a built-in policy: strict, public, any or gateway.
 *   - urivet_check() judges a URL by a policy and reports every finding.
 *   - urivet_endpoint() says where an accepted URL leads, so that no other parser reads it again.
 *   - urivet_check_peer() judges the address that a connection was made to, by the same policy.
 *   - urivet_check_request() judges the target and the Host field of an HTTP request.
 *
 * A program that is to fetch a URL begins like this:
 *
 *   #include <stdio.h>
 *   #include <string.h>
 *   #include <urivet.h>
 *   int main(int count, char **argument)
 *   {
 *       struct urivet_policy policy;  // a copy, which may be changed
 *       struct urivet_report report;
 *       struct urivet_endpoint to;
 *       char texts[URIVET_ENDPOINT_CAPACITY(8192)], ids[1024];
 *       const char *url = count > 1 ? argument[1] : "";
 *       urivet_policy_init(&policy, sizeof policy, URIVET_PUBLIC);
 *       if (urivet_check(&report, url, strlen(url), &policy) == URIVET_REJECT) {
 *           urivet_format_ids(ids, sizeof ids, &report, &policy);
 *           printf("rejected: %s\n", ids);
 *           return 1;
 *       }
 *       if (urivet_endpoint(&to, texts, sizeof texts, &report, url, strlen(url)) == 0)
 *           return 1;
 *       printf("connect to %s, port %u; request %s\n", to.host, (unsigned)to.port, to.target);
 *       return 0;  // and ask urivet_check_peer() before anything is sent
 *   }
 *
 * Other headers
 * -------------
 *   - <urivet/rules.h> makes rules for hosts, addresses, ports, URLs and paths.
 *   - <urivet/compiled.h> writes policies as octets, and opens them.
 *   - <urivet/parameters.h> judges URLs in the parameters of a query.
 *   - <urivet/reference.h> resolves references, judges them, normalises and compares URIs.
 *   - <urivet/spelling.h> suggests spellings, maps international names, shows URLs to people.
 *   - <urivet/readers.h> parses a URI as other software does.
 *   - <urivet/scan.h> finds URIs in text.
 *   - <urivet/json.h> writes reports as JSON.
 *   - <urivet/policy.h> loads policies from files; it needs liburivet-policy.
 *
 * Conventions, which hold for every function of these headers
 * -----------------------------------------------------------
 *   Input is (data, length): any octets, no NUL needed, never written to, not
 *   kept after the call. If data is NULL, the text is empty, whatever the length.
 *   Nothing allocates, blocks or recurses. Nothing reads the locale, the environment
 *   or any variable of the library, except one that caches which vector instructions the
 *   processor has. Everything is reentrant, and threads may share a policy that none
 *   of them changes.
 *   Time is linear in the length of the input, and constant where there is none, unless a
 *   comment says otherwise. Lookups by name compare the name with each one of its kind.
 *   Everything is in all versions from 1.0 on, unless a comment says since when it is.
 *   Lengths and offsets are counted in octets. A span lies in one text: the
 *   input, or for a request target perhaps the Host field beside it. A member next to
 *   the span says which one, and urivet_part() and urivet_fault() return the octets.
 *   A zeroed result means REJECT: forgetting a call never lets anything in.
 *   Results are structs owned by the caller; the library keeps no pointer
 *   to them. A report points to rules of the policy, which must live as long.
 *   Strings and rows that the library returns are constant and live for ever.
 *   Text is written as by snprintf(3) to (out, capacity): at most capacity - 1
 *   octets and a final NUL. If capacity is 0, nothing is written, and out may be NULL. The
 *   length of the whole text is returned, without the NUL: if the result is below
 *   capacity, all of it was written.
 *   Names: urivet_<thing>_name(number) returns the name, NULL for an unknown number;
 *   urivet_<thing>_named(name, length) returns the number, -1 for an unknown name.
 *   A pointer may be NULL only where its comment says so.
 *
 * One program, several versions of the library
 * --------------------------------------------
 *   A program may run with an older or newer library than the header that it was
 *   compiled with. Six structs may grow from version to version, only at their end:
 *   struct urivet_policy, struct urivet_request, struct urivet_parameter_rules, struct
 *   urivet_report, struct urivet_reading and struct urivet_endpoint. So the program passes
 *   the sizes of its structs, in octets, to urivet_policy_init(), urivet_request_init(),
 *   urivet_parameter_rules_init() and the functions ..._sized() that fill a report, a reading
 *   or an endpoint. C and C++ programs call urivet_check() and the like, which are inline
 *   functions that add sizeof. Bindings call the functions ..._sized() with
 *   the size of the struct as they declare it.
 *
 *   A program that is older than the library works as before. For a newer one, members that
 *   the library does not know are zeroed in results. Its policies, requests and rules are
 *   rejected (`policy-invalid`), because they may require something that the library cannot
 *   check. A struct that is smaller than in the oldest version with the same library name
 *   (SONAME) is rejected as well. All other structs keep their size as long as that name,
 *   except the rows that the library returns: read them through the pointer, never copy them.
 *
 * Terms: a *finding* is one thing wrong with, or worth knowing about, an
 * input. Its *class* says why it matters. The *verdict* is accept or reject.
 * A *policy* says what a deployment allows.
 */
#ifndef URIVET_H
#define URIVET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define URIVET_VERSION_MAJOR 1
#define URIVET_VERSION_MINOR 0
#define URIVET_VERSION_PATCH 0

#if defined(__GNUC__) && !defined(URIVET_STATIC)
#define URIVET_API __attribute__((visibility("default")))
#else
#define URIVET_API
#endif

/* Longer inputs are rejected unread, whatever the policy: 1 GiB. */
#define URIVET_MAX_LENGTH 1073741824u
/* Distinct findings kept in one report; more are counted in `dropped`. */
#define URIVET_MAX_FINDINGS 32
/* All finding numbers are below this. */
#define URIVET_FINDING_LIMIT 512
/* No effective port: none is written and the scheme has no default, or the written port is not a
 * number or is above 65535. */
#define URIVET_NO_PORT UINT32_MAX

/* ---- Texts and components of a URI ---------------------------------------- */

/* A text of the caller: `length` octets of any value; empty if data is NULL. */
struct urivet_text {
	const void *data;
	size_t length;
};

/* Returns the text data[0..length). */
static inline struct urivet_text urivet_text_of(const void *data, size_t length)
{
	struct urivet_text text;
	text.data = data;
	text.length = length;
	return text;
}

/* A run of octets of a text: `length` of them, the first at `offset`. */
struct urivet_span {
	uint32_t offset;
	uint32_t length;
};

/* The text that a span lies in. */
enum urivet_source {
	URIVET_IN_INPUT = 0, /* a URI, a reference, a request target */
	URIVET_IN_HOST_FIELD /* the value of the Host field beside a request target */
};

/* The components of RFC 3986, 3. URIVET_WHOLE means the whole URI. */
enum urivet_component {
	URIVET_WHOLE = 0,
	URIVET_SCHEME,
	URIVET_AUTHORITY,
	URIVET_USERINFO,
	URIVET_HOST,
	URIVET_PORT,
	URIVET_PATH,
	URIVET_QUERY,
	URIVET_FRAGMENT,
	URIVET_COMPONENTS
};

/* The schemes that urivet has rules for. */
enum urivet_scheme {
	URIVET_SCHEME_NONE = 0, /* relative reference */
	URIVET_SCHEME_OTHER,
	URIVET_SCHEME_HTTP,
	URIVET_SCHEME_HTTPS,
	URIVET_SCHEME_WS,
	URIVET_SCHEME_WSS,
	URIVET_SCHEME_FTP
};

/* The kind of host, by the grammar of RFC 3986, 3.2.2. */
enum urivet_host_kind {
	URIVET_HOST_NONE = 0, /* no authority, or an empty host */
	URIVET_HOST_NAME,     /* reg-name; also every odd spelling of an IPv4 address */
	URIVET_HOST_IPV4,     /* IPv4address, dotted decimal */
	URIVET_HOST_IPV6,
	URIVET_HOST_IPVFUTURE,
	URIVET_HOST_REGISTRY /* the whole authority is a registry name, in editions that allow it */
};

/*
 *   https://user:pw@www.example.org:8443/a/b?x=1#top
 *   |---|   |-----| |-------------| |--||--| |-| |-|
 *   scheme  userinfo   host        port path query fragment
 *           |--------------------------|
 *                   authority
 *
 * Spans exclude the delimiters; that of the host also excludes the brackets of an IP literal.
 * A component that is absent has its bit in `present` clear and a span of
 * length 0; one that is present may be empty ("http://h?" has an empty query).
 * The path is always present. All spans lie in the input, except that authority,
 * userinfo, host and port of a request target may lie in the Host field.
 */
struct urivet_uri {
	struct urivet_span part[URIVET_COMPONENTS];
	uint32_t present;      /* bit 1u << component */
	uint32_t port;         /* written port, else the scheme's default, else URIVET_NO_PORT */
	uint8_t scheme;        /* enum urivet_scheme */
	uint8_t host_kind;     /* enum urivet_host_kind */
	uint8_t has_ipv4;      /* inet_aton(3) or browsers take the host for an IPv4 address, in
	                        * any spelling */
	uint8_t authority_in;  /* enum urivet_source: text of authority, userinfo, host and port */
	uint8_t address[16];   /* network order: IPv4 (4 octets used, if has_ipv4) or IPv6 */
};

/* Returns true if the component is present. It may be empty. */
static inline bool urivet_has(const struct urivet_uri *uri, enum urivet_component c)
{
	return (uri->present >> c & 1u) != 0;
}

/* Returns the octets of a span in a text; data NULL if the span exceeds it. For an empty span data
 * is not NULL. */
static inline struct urivet_text urivet_octets(struct urivet_text text, struct urivet_span where)
{
	const size_t length = text.data != NULL ? text.length : 0;
	if (where.offset > length || where.length > length - where.offset)
		return urivet_text_of(NULL, 0);
	return urivet_text_of(text.data != NULL ? (const char *)text.data + where.offset : "",
	                      where.length);
}

/*
 * Returns the octets of a component. `input` is the text that was parsed or judged, `host` the
 * Host field beside a request target (data NULL: there is none). data of the result is NULL if
 * the component is absent, or if its span exceeds the text that was given for it, so the
 * result never lies outside the texts. For an empty component data is not NULL. O(1).
 */
static inline struct urivet_text urivet_part(const struct urivet_uri *uri,
                                             enum urivet_component component,
                                             struct urivet_text input, struct urivet_text host)
{
	const bool of_authority = component >= URIVET_AUTHORITY && component <= URIVET_PORT;
	if ((unsigned)component >= URIVET_COMPONENTS || !urivet_has(uri, component))
		return urivet_text_of(NULL, 0);
	return urivet_octets(of_authority && uri->authority_in != URIVET_IN_INPUT ? host : input,
	                     uri->part[component]);
}

/* ---- Findings ----------------------------------------------------------- */

enum urivet_class {
	URIVET_MALFORMED = 0, /* not a URI by RFC 3986 */
	URIVET_AMBIGUOUS,     /* a URI that widely used readers read differently */
	URIVET_DANGEROUS,     /* all readers agree, but it is an attack or a tool for one */
	URIVET_POLICY,        /* violates a rule of the policy; needs such a rule */
	URIVET_NOTE           /* worth knowing; rejects only if the policy raises it */
};

/* The finding numbers, generated from the catalogue as URIVET_F_<NAME>. They are stable and never
 * reused. */
enum urivet_id {
#define FINDING(name, number, ...) URIVET_F_##name = number,
#include <urivet/findings.def>
#undef FINDING
	URIVET_F_NONE = 0
};

/* One finding. If it occurs several times, this is the first occurrence that rejects, or the first
 * one if none rejects. */
struct urivet_finding {
	uint16_t id;             /* enum urivet_id */
	uint8_t class_;          /* enum urivet_class */
	uint8_t component;       /* enum urivet_component: where it lies */
	uint32_t in;             /* enum urivet_source: the text that the span lies in */
	struct urivet_span span; /* octets at fault; length 0: something is absent */
	uint32_t count;          /* occurrences */
};

/* Returns the octets at fault of a finding in a report. The texts are as for urivet_part().
 * O(1). */
static inline struct urivet_text urivet_fault(const struct urivet_finding *finding,
                                              struct urivet_text input, struct urivet_text host)
{
	return urivet_octets(finding->in == URIVET_IN_INPUT ? input : host, finding->span);
}

/* The catalogue's entry for one finding. */
struct urivet_finding_row {
	uint16_t id;
	uint8_t class_;
	uint8_t component;     /* URIVET_WHOLE if it can be in any component */
	const char *name;      /* "dot-segment" */
	const char *reference; /* the deciding specification, e.g. "RFC 3986, 3.2.1" */
	const char *text;      /* what is wrong, who reads what, what to write instead */
	bool by_path_rule;     /* a path rule can waive it: it is about path or query (or
	                        * `host-missing`), and with it waived the path still does not
	                        * lead out of the rule's prefix */
};

/* Returns the row of finding number `id`, or NULL if there is none. O(1). */
URIVET_API const struct urivet_finding_row *urivet_finding_info(unsigned id);

/* Returns the number of the finding named name[0..length), or -1. */
URIVET_API int urivet_finding_named(const char *name, size_t length);

/* Return the name of a class ("malformed", "ambiguous", ...) and of a component ("scheme",
 * "authority", ..., "uri" for the whole). NULL for an unknown number. */
URIVET_API const char *urivet_class_name(unsigned class_);
URIVET_API const char *urivet_component_name(unsigned component);

/* ---- Policies ----------------------------------------------------------- */

/* Rules, and the blocks of addresses: see <urivet/rules.h>. */

struct urivet_port_rule;
struct urivet_host_rule;
struct urivet_address_rule;
struct urivet_network;
struct urivet_url_rule;
struct urivet_protected;
struct urivet_path_rule;
struct urivet_parameter_rule;
struct urivet_address_row;

/*
 * Lists of rules, in any order. They belong to the caller and must live as long as the policy.
 * A rule that denies takes precedence over one that allows.
 *
 * A list that is in the order of urivet_order(), for example after qsort(3), may set `sorted`.
 * Then looking up a name costs O(labels * log count) comparisons and an address O(prefix lengths *
 * log count); otherwise both cost O(count). With an index, most names and addresses without a rule
 * cost O(octets), however many rules there are: see urivet_policy_finish().
 *
 * If a list sets `sorted` but is not in order, denials could be missed, so such a policy
 * rejects every input. Each judgement checks the order, which costs O(count), unless
 * urivet_policy_finish() checked it before.
 */
struct urivet_host_list {
	const struct urivet_host_rule *rule;
	uint32_t count;
	bool sorted;
	bool only; /* reject hosts that no rule allows: `host-not-allowed` */
};

struct urivet_address_list {
	const struct urivet_address_rule *rule;
	uint32_t count;
	bool sorted;
};

/* A set of findings, one bit each. urivet_policy_waive() and urivet_policy_raise() change it. */
struct urivet_finding_set {
	uint64_t bits[URIVET_FINDING_LIMIT / 64];
};

/* The size of the buffer for scheme names in a policy, with the final zero. */
#define URIVET_SCHEME_NAMES 256

/* The size of the buffer for names of parameters in a policy, with the final zero. */
#define URIVET_FORBIDDEN_PARAMETERS 128

/*
 * What a deployment allows. Fill it with urivet_policy_init(), then change it. An unusable
 * policy rejects every input with the finding `policy-invalid`: see urivet_policy_finish().
 */
struct urivet_policy {
	size_t size;            /* sizeof the program's struct; set by urivet_policy_init() */
	const char *name;       /* for messages and reports; does not affect the verdict */
	uint32_t max_length;    /* octets, at most URIVET_MAX_LENGTH; longer: `url-too-long` */
	uint32_t max_host;      /* octets without the final dot; longer: `host-too-long` */
	uint32_t max_label;     /* octets; longer: `host-label-too-long` */
	uint32_t schemes;       /* bit 1u << enum urivet_scheme; others: `scheme-not-allowed` */
	const struct urivet_port_rule *ports; /* allowed beside the default port; others:
	                                       * `port-nondefault` or `port-blocked` */
	uint32_t port_count;
	struct urivet_host_list hosts;        /* `host-denied`, `host-not-allowed`; a name that a
	                                       * rule allows need not be public */
	struct urivet_address_list addresses; /* `addr-denied`; an address that a rule allows
	                                       * need not be public */
	const struct urivet_network *nat64;   /* prefixes of the NAT64 translators in this
	                                       * network: IPv6, length 32, 40, 48, 56, 64 or 96
	                                       * (RFC 6052, 2.2); the embedded IPv4 address is
	                                       * judged instead */
	uint32_t nat64_count;
	struct urivet_finding_set waived; /* reported, but do not reject */
	struct urivet_finding_set raised; /* notes that reject; enabled rules of class policy */
	/* The query is not used for routing. A finding in it rejects only if it is raised, is
	 * `param-refused`, or concerns an octet that splits requests and headers or ends a quoted
	 * text: raw spaces, controls (raw or percent-encoded), raw octets above 0x7F, and raw <, >
	 * and ". The octets [ ] { } | ^ `, the backslash and a % without digits are legal there.
	 * The path is then judged for servers as well: `path-removed-segment`,
	 * `path-dots-before-name`, and `escaped-tilde` instead of `escaped-unreserved`. */
	bool opaque_query;
	uint64_t seal; /* set only by urivet_policy_finish(); 0: not sealed */
	/* URLs that are allowed. A URL that a rule covers may have the scheme, host and port of
	 * that rule, as if `schemes`, `hosts` and `ports` allowed them, even if they are not
	 * public. Deny rules and the checks of the spelling still apply. A URL that no rule covers
	 * is judged by `hosts` if that list has `only` set and the URL has a host; otherwise it is
	 * rejected: `url-not-allowed` (but see `urls_also`). URL rules cannot deny, because a path
	 * has more spellings than rules could list. */
	const struct urivet_url_rule *urls;
	uint32_t url_count;
	const uint64_t *index; /* of `hosts` and `addresses`; set only by urivet_policy_finish() */
	uint32_t index_count;  /* words */
	/* Must be in order. A host that a host rule allows is never an imitation. */
	const struct urivet_protected *protect;
	uint32_t protect_count;
	/* Names of further allowed schemes: in lower case, each followed by a space, the rest zero
	 * ("mailto tel "). Findings that reject by themselves, such as `scheme-script`, still
	 * reject. */
	char scheme_names[URIVET_SCHEME_NAMES];
	/* Rules for paths below a prefix, in any order. If the policy rejects an input whose path
	 * some of them cover, it is judged again with the findings waived that any of them waives.
	 * At most URIVET_PATH_RULES_MOST. */
	const struct urivet_path_rule *paths;
	uint32_t path_count;
	/* A URL that no URL rule covers is judged as if there were no such rules, instead of being
	 * rejected: the rules only add to what is allowed. */
	bool urls_also;
	/* Names of parameters that a query must not have (`param-refused`), for policies with URL
	 * rules: each followed by a space, the rest zero ("code state "). They are compared without
	 * letter case, decoded once as in forms, up to a "[". */
	char forbidden_parameters[URIVET_FORBIDDEN_PARAMETERS];
	/* Rules for values of parameters: see <urivet/rules.h>. Each value that one of them rejects
	 * adds `param-refused`. At most URIVET_PARAMETER_RULES_MOST. */
	const struct urivet_parameter_rule *parameters;
	uint32_t parameter_count;
	/* The public suffixes, in the order of urivet_order(URIVET_LIST_HOSTS). Each rule denies its
	 * name, and with URIVET_SCOPE_BELOW every name one label below it, too; a rule that allows is
	 * an exception. A policy that raises `host-public-suffix` needs them. */
	uint32_t suffix_count;
	const struct urivet_host_rule *suffixes;
};

/* The built-in policies, by number. */
enum urivet_base {
	/* http and https by the strict grammar. Any host is allowed, including `localhost` and
	 * private addresses. A NULL policy means this one. */
	URIVET_STRICT = 0,
	/* As strict, and the host must be a public name or a globally reachable address: for
	 * programs that fetch URLs. A host that cannot be classified is rejected. A public name can
	 * still resolve to a private address: check the resolved address with urivet_check_peer()
	 * at connect time. */
	URIVET_PUBLIC,
	/* As strict for http, https, ws, wss and ftp. Other schemes follow RFC 3986, and what is
	 * ambiguous or dangerous in every scheme is rejected. */
	URIVET_ANY,
	/* For request targets, and for URLs that are about to be routed. All widely used proxies
	 * and servers route an accepted input by the same path and see the same query. The path is
	 * stricter than in strict, the query is open (`opaque_query`). URLs inside the query are
	 * not judged. */
	URIVET_GATEWAY,

	URIVET_BASES
};

/* Returns "strict", "public", "any" or "gateway"; NULL for an unknown number. */
URIVET_API const char *urivet_policy_name(unsigned base);

/* Returns the number of the built-in policy named name[0..length), or -1. */
URIVET_API int urivet_policy_named(const char *name, size_t length);

/*
 * Makes *policy a copy of the built-in policy `base` (enum urivet_base), for the caller to
 * change. `size` is sizeof *policy as the program was compiled; nothing is written beyond it.
 * Returns false for an unknown base (-1 too), and for a size that matches no known version of
 * the struct. The policy is then zeroed and rejects everything. Returns false if policy is
 * NULL.
 */
URIVET_API bool urivet_policy_init(struct urivet_policy *policy, size_t size, int base);

/* The size in words of an index for this many host and address rules together. */
#define URIVET_INDEX_WORDS(rules) (64 + (size_t)(rules) / 3)

/*
 * Finishes a policy: checks it, writes an index of its host and address lists to index[0..words),
 * and seals it. Call it last, when the lists are final and before threads share the policy.
 *
 * Returns true if inputs can be judged by the policy and every rule in it has an effect. The
 * policy is unusable and rejects every input with `policy-invalid`, finished or not, if:
 *   Its size matches no known version of the struct.
 *   It waives a finding that cannot be waived, or waives and raises the same one.
 *   A list has a count but no rules.
 *   It raises `host-public-suffix` but has no public suffixes.
 *   A rule for parameters decodes neither once nor twice, or names a policy that is unusable or
 *   has rules for parameters itself.
 *   A list sets `sorted` but is not in order, the index lacks a rule, or `protect` or `suffixes`
 *   is not in order.
 * It is usable, but false is returned, if:
 *   A host rule is not one that urivet_host_rule_from() makes: most of those match nothing.
 *   A network is not one that urivet_network_from() makes: it matches nothing, or has bits set
 *   after its prefix, which are ignored.
 *   A scope or an action is an unknown number: the scope matches nothing, the action denies.
 *   A range of ports ends before it begins: it allows nothing.
 *   A URL rule is not one that urivet_url_rule_from() makes: it covers nothing, or something
 *   else than it says.
 *   A path rule is not one that urivet_path_rule_from() makes, or it waives a finding whose
 *   row has `by_path_rule` unset: it covers or waives something else than it says.
 *   A rule for parameters has no name, neither judges nor allows anything, or allows a finding
 *   that it cannot allow.
 *   A rule is part of a compiled policy, and urivet_compiled_open() did not make this policy.
 *   A name of `protect` is not one that urivet_protected_from() makes: it protects nothing.
 *   A prefix of `nat64` is not IPv6, or has a length that RFC 6052 does not define: it matches
 *   nothing, or the address inside is not classified.
 * Redundant or unreachable rules are not detected, nor port rules without a scheme.
 *
 * The index makes lookups cheap: they read one word of it for each label or prefix length, and
 * names and addresses without a rule rarely need the lists. It takes URIVET_INDEX_WORDS() words,
 * which belong to the caller and must live as long as the policy and its copies. If `index` is
 * NULL, an index that the policy has is checked and kept.
 *
 * The seal records that the sorted lists are in order, that the index is complete, and that the
 * policies that rules for parameters name are usable. Judging then
 * trusts this instead of checking each sorted list every time, which costs O(count). Copies of the
 * policy are sealed too, and urivet_policy_waive() and urivet_policy_raise() keep the seal. Call
 * the function again after changing or replacing rules or their names in place: judging does not
 * notice such changes and may miss denials. Judging does notice a different list, count, `sorted`
 * or index, and then checks the lists again.
 *
 * Returns false and changes nothing if the policy is NULL or not valid, or if there are too few
 * words. A policy of a program that was compiled before seals or indexes existed gets none. Linear
 * in the lists and their names, for a sealed policy too.
 */
URIVET_API bool urivet_policy_finish(struct urivet_policy *policy, uint64_t *index, size_t words);

/*
 * Makes finding `id` reported without rejecting; undoes urivet_policy_raise(). Returns false
 * and changes nothing where that is not possible: for a policy that is NULL or of an unknown
 * size, an unknown number, `url-too-long`, and class malformed except `forbidden-char`,
 * `non-ascii`, `query-nested-brackets` and `bad-escape`. Waiving those four makes their octets
 * legal in path, query and fragment.
 *
 * A waiver allows only what it names. Lists and rules for names, addresses and ports still
 * apply to the host and port in every way that readers read them. A host that cannot be
 * classified matches every deny rule.
 */
URIVET_API bool urivet_policy_waive(struct urivet_policy *policy, unsigned id);

/* Makes a note reject, or enables a rule of class policy; undoes a waiver. Returns false and
 * changes nothing for an unknown number and for a policy that is NULL or of an unknown size. */
URIVET_API bool urivet_policy_raise(struct urivet_policy *policy, unsigned id);

/* ---- Judging ------------------------------------------------------------ */

enum urivet_verdict {
	URIVET_REJECT = 0,
	URIVET_ACCEPT = 1
};

/* The octets of the room in a report. */
#define URIVET_ROOM 12288

/* The maximum length of the value of a parameter that a rule of the policy judges, in octets after
 * each decoding. Longer values are rejected (`param-refused`). */
#define URIVET_PARAMETER_VALUE_MOST 2048

/*
 * The result of judging one input. `finding` contains `count` entries, each id once, ordered
 * by offset, then number; the rest of the array is not written. `uri` is valid only if
 * `parsed` is set: the input is a URI reference by RFC 3986, accepted or not.
 */
struct urivet_report {
	uint32_t size; /* sizeof the program's struct; set by the library */
	enum urivet_verdict verdict;
	bool parsed;
	/* Rules for parameters allow what the input would be rejected for. The report is that of the
	 * input with letters for the values in which they allow it. */
	bool parameter_allowed;
	struct urivet_uri uri;
	uint32_t count;
	uint32_t dropped; /* occurrences of further findings, not stored, but counted in the
	                   * verdict */
	/* The rules that decided about host and port; NULL: no such rule. */
	const struct urivet_host_rule *host_rule;
	const struct urivet_address_rule *address_rule;
	const struct urivet_port_rule *port_rule;
	/* The block that contains the host's address or the IPv4 address embedded in it. Set only
	 * if the policy needs it. */
	const struct urivet_address_row *address_row;

	struct urivet_finding finding[URIVET_MAX_FINDINGS];
	/* The rule that covers the URL, or NULL. */
	const struct urivet_url_rule *url_rule;
	/* The rule with the longest prefix that waives findings for this path, or NULL. Set only if
	 * the policy rejects the input without such rules. */
	const struct urivet_path_rule *path_rule;
	uint64_t path_waived; /* for the library: findings that all these rules waive */
	/* The first rule that rejects the value of a parameter, or NULL. */
	const struct urivet_parameter_rule *parameter_rule;
	/* For the library, and undefined: room for decoded values, their reports and policies. */
	uint64_t room[URIVET_ROOM / 8];
};

/* The octets of a report before its room. A program that keeps a report copies so many. */
#define URIVET_REPORT_OCTETS offsetof(struct urivet_report, room)

/*
 * Judges a URI by a policy (NULL: strict) and reports every finding. Returns the verdict,
 * which is in the report as well. An input longer than the policy allows is not read and gets
 * the single finding `url-too-long`. If the policy is unusable (see urivet_policy_finish()),
 * every input gets the single finding `policy-invalid`.
 *
 * urivet_check_sized() is for bindings to other languages. `size` is the size of the program's
 * report in octets, here and in the other functions ..._sized(). If the report is NULL or too
 * small for the library, the verdict is URIVET_REJECT; a report that is too small is zeroed.
 * URIVET_REPORT_OCTETS suffice; a report without its room rejects every value that a rule for
 * parameters judges, and allows nothing in values.
 */
URIVET_API enum urivet_verdict urivet_check_sized(struct urivet_report *report, size_t size,
                                                  const void *data, size_t length,
                                                  const struct urivet_policy *policy);
static inline enum urivet_verdict urivet_check(struct urivet_report *report, const void *data,
                                               size_t length, const struct urivet_policy *policy)
{
	return urivet_check_sized(report, sizeof *report, data, length, policy);
}

/*
 * Returns the verdict without making a report. It equals that of urivet_check() by the same policy
 * (NULL: strict). Values of parameters are judged in the room of `work`, which is undefined
 * afterwards. Without it (NULL), every input with a parameter that a rule of the policy judges is
 * rejected, and rules for parameters allow nothing.
 */
URIVET_API enum urivet_verdict urivet_verdict_of_sized(const void *data, size_t length,
                                                       const struct urivet_policy *policy,
                                                       struct urivet_report *work, size_t size);
static inline enum urivet_verdict urivet_verdict_of(const void *data, size_t length,
                                                    const struct urivet_policy *policy,
                                                    struct urivet_report *work)
{
	return urivet_verdict_of_sized(data, length, policy, work, sizeof *work);
}

/* Returns true if the strict policy accepts the URI. Faster than urivet_check(), because it makes
 * no report. */
static inline bool urivet_ok(const void *data, size_t length)
{
	return urivet_verdict_of_sized(data, length, NULL, NULL, 0) == URIVET_ACCEPT;
}

/*
 * Judges many URIs, which are stored one after the other in `data` like a column of Apache
 * Arrow: row k is the octets from offset k up to offset k + 1, so there are rows + 1 offsets.
 * They are in `offsets` if they have 32 bits, in `large` if they have 64 (LargeUtf8,
 * LargeBinary); the other one is NULL. If both or none are given, every row is rejected; both
 * may be NULL if rows is 0.
 *
 * Bit k % 8, from the lowest, of bitmap[k / 8] is set if row k is accepted, and every bit
 * after the last row is 0. Exactly (rows + 7) / 8 octets are written; bitmap may be NULL. A
 * row with negative offsets, offsets that run backwards or offsets beyond `length` is
 * rejected unread, so only `length` octets need be readable. `work` is that of
 * urivet_verdict_of(). Returns the number of accepted rows. Linear.
 */
URIVET_API size_t urivet_check_batch_sized(const void *data, size_t length, const int32_t *offsets,
                                           const int64_t *large, size_t rows,
                                           const struct urivet_policy *policy, uint8_t *bitmap,
                                           struct urivet_report *work, size_t size);
static inline size_t urivet_check_batch(const void *data, size_t length, const int32_t *offsets,
                                        const int64_t *large, size_t rows,
                                        const struct urivet_policy *policy, uint8_t *bitmap,
                                        struct urivet_report *work)
{
	return urivet_check_batch_sized(data, length, offsets, large, rows, policy, bitmap, work,
	                                sizeof *work);
}

/* The forms of an HTTP request target, RFC 9112, 3.2. */
enum urivet_target_form {
	URIVET_TARGET_NONE = 0,
	URIVET_TARGET_ORIGIN,    /* /path?query */
	URIVET_TARGET_ABSOLUTE,  /* http://host/path?query */
	URIVET_TARGET_AUTHORITY, /* host:port, for CONNECT */
	URIVET_TARGET_ASTERISK   /* *, for OPTIONS */
};

/* What is known of a request beside its target. Fill it with urivet_request_init(), then set
 * members. */
struct urivet_request {
	size_t size;               /* sizeof the program's struct; set by urivet_request_init() */
	struct urivet_text method; /* "GET", as received; data NULL: not known, and treated as
	                            * neither CONNECT nor OPTIONS */
	struct urivet_text host;   /* the value of the Host field; data NULL: the request has none */
	uint32_t scheme;           /* of the listener: URIVET_SCHEME_HTTP or URIVET_SCHEME_HTTPS;
	                            * URIVET_SCHEME_NONE: not known */
	uint32_t port;             /* of the listener, 1-65535; URIVET_NO_PORT: not known */
	bool host_unknown;         /* the Host field is not known: the target is judged alone */
};

/*
 * Makes *request a request about which nothing is known, without a Host field. `size` is
 * sizeof *request as the program was compiled; nothing is written beyond it. Returns false for
 * a size that matches no known version of the struct; the request is then zeroed and rejects
 * every target. Returns false if request is NULL.
 */
URIVET_API bool urivet_request_init(struct urivet_request *request, size_t size);

/*
 * Returns true if targets can be judged with the request. Returns false if its size matches no
 * known version of the struct, if scheme or port has another value than documented above, if
 * the method is not a token (RFC 9110, 5.6.2), or if a Host field is given and `host_unknown`
 * is set. O(length of the method).
 */
URIVET_API bool urivet_request_valid(const struct urivet_request *request);

/*
 * Judges an HTTP request target as a gateway receives it, by the rules for URLs and those of
 * RFC 9112, 3.2. CONNECT requires the authority form. All other methods allow the origin form
 * and the absolute form, and OPTIONS also the asterisk form (`target-form`). The Host field is
 * judged as well (`host-missing` if there is none), and its port may be the listener's own. If
 * the target has its own authority, it must name the same host as the Host field, and in
 * absolute form also the scheme and port of the listener, if these are known
 * (`host-header-mismatch`).
 *
 * If the target has no authority (origin form, asterisk form, or no known form), authority,
 * userinfo, host and port of the report are spans of the Host field: `uri.authority_in` says
 * so, and each finding says so for its own span. `form`, if not NULL, is set to the recognised
 * form: URIVET_TARGET_NONE also if the target is not read. A request that is NULL or not valid
 * gets the single finding `policy-invalid`. Returns the verdict, as urivet_check() does.
 */
URIVET_API enum urivet_verdict urivet_check_request_sized(struct urivet_report *report,
                                                          size_t size, const void *data,
                                                          size_t length,
                                                          const struct urivet_request *request,
                                                          const struct urivet_policy *policy,
                                                          enum urivet_target_form *form);
static inline enum urivet_verdict urivet_check_request(struct urivet_report *report,
                                                       const void *data, size_t length,
                                                       const struct urivet_request *request,
                                                       const struct urivet_policy *policy,
                                                       enum urivet_target_form *form)
{
	return urivet_check_request_sized(report, sizeof *report, data, length, request, policy,
	                                  form);
}

/* Declared in sys/socket.h, which this header does not need. */
struct sockaddr;

/*
 * Judges the address and port of a connection, before or after it is made, by the policy that
 * judged the URI (NULL: strict). This detects a name that resolves to another address than it
 * did when the URI was judged. The address is judged as if it stood in the URI; `only` of the
 * host list applies to URIs and not here.
 *
 * The port must be the default of an allowed scheme, be listed for one, or be the port of a
 * URL rule (a rule for any port counts if the address is a loopback address); port 0 means
 * that the port is not known. Families other than AF_INET and AF_INET6, a length too short for
 * them and a NULL peer are rejected (`peer-unknown`), as is an IPv6 zone (`ipv6-zone`).
 *
 * The report has no components: address, host_kind and port are set, and all spans are empty.
 * Returns the verdict, as urivet_check() does.
 */
URIVET_API enum urivet_verdict urivet_check_peer_sized(struct urivet_report *report, size_t size,
                                                       const struct sockaddr *peer, size_t length,
                                                       const struct urivet_policy *policy);
static inline enum urivet_verdict urivet_check_peer(struct urivet_report *report,
                                                    const struct sockaddr *peer, size_t length,
                                                    const struct urivet_policy *policy)
{
	return urivet_check_peer_sized(report, sizeof *report, peer, length, policy);
}

/*
 * As urivet_check_peer(), for an address of 4 or 16 octets in network order, without a socket
 * address. Another number of octets, a NULL address and a port above 65535 are rejected
 * (`peer-unknown`); port 0 means that the port is not known.
 */
URIVET_API enum urivet_verdict urivet_check_address_sized(struct urivet_report *report, size_t size,
                                                          const uint8_t *address, size_t octets,
                                                          uint32_t port,
                                                          const struct urivet_policy *policy);
static inline enum urivet_verdict urivet_check_address(struct urivet_report *report,
                                                       const uint8_t *address, size_t octets,
                                                       uint32_t port,
                                                       const struct urivet_policy *policy)
{
	return urivet_check_address_sized(report, sizeof *report, address, octets, port, policy);
}

/*
 * What may be disclosed to the client that submitted a URI. Findings and rules would let
 * clients discover internal names, addresses and ports by trial and error.
 */
enum urivet_reason {
	URIVET_REASON_NOT_ALLOWED = 0, /* all other rejections; report failed connections like
	                                * this too */
	URIVET_REASON_ACCEPTED,
	URIVET_REASON_UNCLEAR /* only the spelling: malformed, ambiguous or too long */
};

/* Returns the reason to disclose for a report, by the policy that it was judged by (NULL: strict).
 * Returns URIVET_REASON_NOT_ALLOWED if the report is NULL or was never filled, and if the policy is
 * unusable. */
URIVET_API enum urivet_reason urivet_reason(const struct urivet_report *report,
                                            const struct urivet_policy *policy);

/* Returns "not-allowed", "accepted" or "unclear"; NULL for an unknown number. */
URIVET_API const char *urivet_reason_name(unsigned reason);

/*
 * Returns true if this finding of a report rejects by the policy (NULL: strict) that the
 * report was made with. A finding does not reject if it is a note that the policy does not
 * raise, is waived, or is in an opaque query. Returns false for NULL, and if the policy is
 * unusable, except for `policy-invalid`. O(1), but for sorted lists of a policy that is not
 * sealed.
 */
URIVET_API bool urivet_finding_refuses(const struct urivet_report *report,
                                       const struct urivet_finding *finding,
                                       const struct urivet_policy *policy);

/*
 * Adds finding `id`, found by a layer above the library, to a finished report, by the same
 * policy. Returns the new verdict. The span refers to the text of the component: for userinfo,
 * host, port and authority the one that `uri.authority_in` names, for all others the input. An
 * unknown number changes nothing. If the policy is unusable, `policy-invalid` is added as
 * well. If the report is NULL or was never filled, nothing is written and the verdict is
 * URIVET_REJECT.
 */
URIVET_API enum urivet_verdict urivet_add_finding(struct urivet_report *report, unsigned id,
                                                  enum urivet_component component,
                                                  struct urivet_span span,
                                                  const struct urivet_policy *policy);

/*
 * Parses any URI reference by RFC 3986, appendix A. Returns true and its components, or false
 * and in *misfit the offset of the first octet that does not fit the grammar (`length`: the
 * end is missing). `misfit` may be NULL. Nothing is judged.
 */
URIVET_API bool urivet_parse(struct urivet_uri *uri, const void *data, size_t length,
                             size_t *misfit);

/* ---- Where to connect to ------------------------------------------------------- */

/*
 * Where an accepted URL leads, and what to request there, so that no other parser has to read
 * the judged text again. The texts are stored in the caller's buffer and end with a NUL. They
 * are NULL if the endpoint could not be determined.
 */
struct urivet_endpoint {
	uint32_t size;        /* sizeof the program's struct; set by the library */
	uint32_t scheme;      /* enum urivet_scheme: URIVET_SCHEME_HTTP to URIVET_SCHEME_FTP */
	uint32_t port;        /* 1-65535 */
	uint8_t octets;       /* of the address: 4 or 16; 0: the host is a name, resolve it */
	bool tls;             /* true for https and wss */
	uint8_t address[16];  /* network order, if the host is an address; else zero */
	const char *scheme_name; /* "https" */
	const char *host;        /* "example.com" in lower case, without a final dot; or the
	                          * address as urivet_format_address() writes it, without
	                          * brackets */
	const char *host_field;  /* for the Host field: the host, an IPv6 address in brackets,
	                          * and the port unless it is the scheme's default */
	const char *tls_name;    /* for certificates and server name indication: the host, but ""
	                          * for an address (RFC 6066, 3) */
	const char *target;      /* path and query as in the input, "/" for an empty path */
	const char *url;         /* scheme, "://", host field and target: no userinfo, no fragment */
};

/*
 * Determines where a URL leads, from the report of its judgement. data[0..length) is the text that
 * was judged (for a reference, the target that urivet_check_reference() wrote). The texts are
 * written to out[0..capacity). Returns the number of octets that they need, with their NULs. If
 * that is above capacity, nothing was written, and the endpoint is zeroed as below. The URL
 * includes the default port only if some reader would otherwise take a part of the target for the
 * port (`colon-port-in-tail`). The result never exceeds URIVET_ENDPOINT_CAPACITY(length).
 * To get the size only, pass a capacity of 0; out may then be NULL.
 *
 * Returns 0, and zeroes the endpoint except its size, if there is no single destination:
 *   The verdict is not URIVET_ACCEPT, nothing was parsed, or findings were dropped.
 *   The scheme is not http, https, ws, wss or ftp.
 *   The authority is in the Host field instead of the input, or the report is that of a peer.
 *   A waived finding of class malformed or ambiguous is in scheme, authority, userinfo, host, port
 *   or path, or concerns the whole URI, so that readers differ. `userinfo-present` alone is no
 *   obstacle: the endpoint omits the userinfo, and urivet_part() returns it.
 *   A span of the report exceeds the input, or its octets cannot be what was judged, for example
 *   because another text was passed.
 *   The endpoint or the report is NULL, or the report was never filled.
 * Linear.
 */
URIVET_API size_t urivet_endpoint_sized(struct urivet_endpoint *endpoint, size_t size, char *out,
                                        size_t capacity, const struct urivet_report *report,
                                        const void *data, size_t length);
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a struct and a function share a name, as for stat(2) */
#endif
static inline size_t urivet_endpoint(struct urivet_endpoint *endpoint, char *out, size_t capacity,
                                     const struct urivet_report *report, const void *data,
                                     size_t length)
{
	return urivet_endpoint_sized(endpoint, sizeof *endpoint, out, capacity, report, data,
	                             length);
}
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* A capacity that suffices for the endpoint texts of any input of this length. */
#define URIVET_ENDPOINT_CAPACITY(length) ((size_t)3 * (length) + 192)

/* ---- Reports as text ----------------------------------------------------------- */

/*
 * Writes the names of the findings that reject by the policy (NULL: strict) that the report was
 * made with, in the order of the report, separated by commas: "path-backslash,userinfo-present".
 * Notes are not among them. Writes an empty text if there are none, the report is NULL, or it was
 * never filled.
 */
URIVET_API size_t urivet_format_ids(char *out, size_t capacity, const struct urivet_report *report,
                                    const struct urivet_policy *policy);

/* Writes the address of the host as text: dotted decimal, or by RFC 5952 (46 octets suffice with
 * the NUL). Returns its length; 0 if the host is not an address. */
URIVET_API size_t urivet_format_address(char *out, size_t capacity, const struct urivet_uri *uri);

/* ---- For bindings without this header ------------------------------------------ */

/* Returns the number of the finding at the index in a report, which starts at 0, and sets *offset
 * and *length, which may be NULL, to its span. Returns 0 after the last, for NULL, and if the
 * report was never filled. O(1). */
URIVET_API unsigned urivet_finding_at(const struct urivet_report *report, size_t index,
                                      size_t *offset, size_t *length);

/* Returns the name of finding number `id`, such as "dot-segment", or NULL if there is none. O(1).
 * */
URIVET_API const char *urivet_finding_name(unsigned id);

/* Returns the octets of a component of the judged URL data[0..length), and sets *octets to their
 * number. Returns NULL if it is absent, or in a Host field, or the report is of another text. O(1).
 * */
URIVET_API const char *urivet_component_at(const struct urivet_report *report,
                                           enum urivet_component component, const void *data,
                                           size_t length, size_t *octets);

/* What urivet_size_of() returns: the size of a struct that may grow, a limit, or the capacity that
 * always suffices for an input of `length` octets. */
enum urivet_sized {
	URIVET_SIZE_POLICY = 0,
	URIVET_SIZE_REQUEST,
	URIVET_SIZE_REPORT,
	URIVET_SIZE_READING,
	URIVET_SIZE_ENDPOINT,
	URIVET_SIZE_PARAMETER_RULES,
	URIVET_LIMIT_LENGTH,   /* URIVET_MAX_LENGTH */
	URIVET_LIMIT_FINDINGS, /* URIVET_FINDING_LIMIT */
	URIVET_CAPACITY_SUGGEST,
	URIVET_CAPACITY_IRI,
	URIVET_CAPACITY_READING,
	URIVET_CAPACITY_ENDPOINT,
	URIVET_CAPACITY_PARAMETERS /* `length` is that of the input and its Host field together */
};

/*
 * Returns a size, limit or capacity of the library at run time, in octets; a limit of findings is
 * a number. Pass the size of a struct to urivet_policy_init() and the like for memory of that size.
 * `length` matters for capacities only. A capacity is SIZE_MAX if no memory can be that large.
 * Returns 0 for an unknown number. O(1).
 */
URIVET_API size_t urivet_size_of(enum urivet_sized what, size_t length);

/* Returns "MAJOR.MINOR.PATCH" of the library at run time. */
URIVET_API const char *urivet_version(void);

#ifdef __cplusplus
}
#endif

#endif
