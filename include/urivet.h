/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: a strict URI validator. It accepts a URI if all readers in real use read it alike
 * and it is not dangerous in itself, and it explains every rejection.
 *
 * Conventions, which hold for every function here
 * -----------------------------------------------
 *   Input is (data, length): any octets, no NUL needed, never written to, not
 *   kept after the call. If data is NULL, the text is empty, whatever the length.
 *   Nothing allocates, blocks or recurses. Nothing reads the locale, the environment
 *   or any variable of the library, except one that caches which vector instructions the
 *   processor has. Everything is reentrant, threads may share a policy that none
 *   of them changes, and time is linear in the length of the input.
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
 *   functions of this header that add sizeof. Bindings call the functions ..._sized() with
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

/* Some 32-bit ABIs align 64-bit integers to 4 octets. This attribute gives the rules of compiled
 * policies the same layout everywhere. */
#if defined(__GNUC__)
#define URIVET_ALIGNED __attribute__((aligned(8)))
#else
#define URIVET_ALIGNED
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

/*
 * Returns the octets of a component. `input` is the text that was parsed or judged, `host` the
 * Host field beside a request target (data NULL: there is none). data of the result is NULL if
 * the component is absent, or if its span exceeds the text that was given for it, so the
 * result never lies outside the texts. For an empty component data is not NULL. O(1).
 */
URIVET_API struct urivet_text urivet_part(const struct urivet_uri *uri,
                                          enum urivet_component component,
                                          struct urivet_text input, struct urivet_text host);

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
URIVET_API struct urivet_text urivet_fault(const struct urivet_finding *finding,
                                           struct urivet_text input, struct urivet_text host);

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

/* A range of ports that a policy allows beside a scheme's default. Blocked ports (`port-blocked`)
 * are allowed only by a rule for that single port, never by a range. */
struct urivet_port_rule {
	uint32_t schemes; /* bit 1u << enum urivet_scheme: the schemes that the rule is for */
	uint16_t first;
	uint16_t last;    /* inclusive */
	uint32_t tag;     /* for the caller's use, as in the other rules, e.g. a line number */
};

/* Zero denies, so a zeroed rule allows nothing. */
enum urivet_action { URIVET_DENY = 0, URIVET_ALLOW };

/* The names that a host rule matches. Names are compared label by label, ignoring letter case. */
enum urivet_scope {
	URIVET_SCOPE_TREE = 0, /* ".example.com": example.com and every name below it */
	URIVET_SCOPE_HOST,     /* "example.com": that name alone */
	URIVET_SCOPE_BELOW     /* "*.example.com": every name below it, not the name itself */
};

/* A bit in `scope`: the rule is part of a compiled policy and stores an offset instead of a
 * pointer. Only urivet_compiled_open() makes such rules. They must not be copied elsewhere. */
#define URIVET_SCOPE_RELATIVE 0x80

/* A rule for host names. name[0..length) is the bare domain, without leading dot; a final dot is
 * ignored. The name belongs to the caller and must live as long as the policy. Use
 * urivet_host_rule_name() to read it if the rule may belong to a compiled policy. */
struct urivet_host_rule {
	union {
		const char *name;
		URIVET_ALIGNED uint64_t at; /* for the library, if URIVET_SCOPE_RELATIVE is set */
	};
	uint32_t length;
	uint8_t scope;  /* enum urivet_scope */
	uint8_t action; /* enum urivet_action */
	uint32_t tag;
};

/* A block of addresses: those whose first `length` bits equal those of `address`. */
struct urivet_network {
	uint8_t address[16]; /* network order; IPv4 uses the first 4 octets */
	uint8_t octets;      /* 4: IPv4, 16: IPv6 */
	uint8_t length;      /* bits: 0-32 or 0-128 */
};

/* A rule for addresses, both in URIs and of peers. */
struct urivet_address_rule {
	struct urivet_network network;
	uint8_t action; /* enum urivet_action */
	uint32_t tag;
};

/* The maximum length of a URL rule in octets. */
#define URIVET_URL_RULE_MOST 8192

/* The kind of host in a URL rule. */
enum urivet_url_host {
	URIVET_URL_NO_HOST = 0, /* the rule has no authority: "com.example.app:/cb" */
	URIVET_URL_NAME,
	URIVET_URL_IPV4,
	URIVET_URL_IPV6
};

/*
 * A rule for whole URLs: scheme, host, port and start of the path together. Only
 * urivet_url_rule_from() makes such rules; the caller sets nothing but `tag`. The text belongs
 * to the caller and must live as long as the policy. Use urivet_url_rule_text() to read it.
 * Offsets and lengths refer to the text.
 */
struct urivet_url_rule {
	union {
		const char *text;
		URIVET_ALIGNED uint64_t at; /* for the library, if URIVET_SCOPE_RELATIVE is set */
	};
	uint32_t length;
	uint32_t scheme_length;
	uint32_t host, host_length; /* without brackets, leading dot or "*." */
	uint32_t path, path_length; /* without a final "$" */
	uint32_t port;              /* the required port; URIVET_NO_PORT: the URL must have none */
	uint32_t tag;
	uint8_t address[16];        /* of the host if it is an address, in network order */
	uint8_t scheme;             /* enum urivet_scheme */
	uint8_t kind;               /* enum urivet_url_host */
	uint8_t scope;              /* enum urivet_scope */
	uint8_t any_port;           /* 1: "*", any from 1 to 65535 */
	uint8_t exact;              /* 1: "$", only this path, with nothing after it */
	uint8_t reserved[3];        /* 0 */
};

/*
 * Lists of rules, in any order. They belong to the caller and must live as long as the policy.
 * A rule that denies takes precedence over one that allows.
 *
 * A list that is in the order of urivet_order(), for example after qsort(3), may set `sorted`. Then looking up a name costs O(labels * log count)
 * comparisons and an address O(prefix lengths * log count); otherwise both cost O(count). With
 * an index, most names and addresses without a rule cost O(octets), however many rules there
 * are: see urivet_policy_finish().
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

/*
 * A name to protect against imitation. Names that look like it are rejected with
 * `idn-brand-confusable`. Other hosts that contain its first label get the note
 * `brand-as-label`. urivet_protected_from() makes these entries; the caller sets nothing but
 * `name.tag`. The list of a policy must be in the order of urivet_order(). In any other order
 * imitations could be missed, so such a policy rejects every input.
 * urivet_policy_finish() saves checking the order on each judgement, as for the other lists.
 */
struct urivet_protected {
	struct urivet_host_rule name;
	uint64_t look;    /* hashes of what its first label looks like */
	uint64_t letters;
};

/* A set of findings, one bit each. urivet_policy_waive() and urivet_policy_raise() change it. */
struct urivet_finding_set {
	uint64_t bits[URIVET_FINDING_LIMIT / 64];
};

/* The maximum octets of the text of a path rule, and the maximum number of such rules. */
#define URIVET_PATH_RULE_MOST  1024
#define URIVET_PATH_RULES_MOST 4096

/*
 * A rule for paths below a prefix: what it waives there, or that a server strips the prefix. Only
 * urivet_path_rule_from() makes such rules; the caller sets `tag`, and either adds findings to
 * `waived` whose row has `by_path_rule` set, or sets `strips`. The text belongs to
 * the caller and must live as long as the policy. Use urivet_path_rule_text() to read it.
 *
 * The prefix is compared with the octets of the path as received, before any decoding, and ends
 * with a segment: `/api` covers `/api` and `/api/x`, not `/apix`, `/api;x` or `/%61pi`. A path
 * that leads out of the prefix for any reader is not below it, whatever is waived.
 */
struct urivet_path_rule {
	union {
		const char *text;
		URIVET_ALIGNED uint64_t at; /* for the library, if URIVET_SCOPE_RELATIVE is set */
	};
	uint32_t length;
	uint32_t path, path_length; /* the prefix in the text, without a final "$" */
	uint32_t tag;
	struct urivet_finding_set waived; /* do not reject below the prefix */
	uint8_t exact;  /* 1: "$", only this path, with nothing after it */
	uint8_t scope;  /* URIVET_SCOPE_RELATIVE or 0 */
	uint8_t strips; /* 1: what remains after the prefix is judged as a path, too */
	uint8_t reserved[5]; /* 0 */
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
	 * and ". The octets [ ] { } | ^ `, the backslash and a % without digits are legal there. */
	bool opaque_query;
	uint64_t seal; /* set only by urivet_policy_finish(); 0: not sealed */
	/* URLs that are allowed. A URL that a rule covers may have the scheme, host and port of
	 * that rule, as if `schemes`, `hosts` and `ports` allowed them, even if they are not
	 * public. Deny rules and the checks of the spelling still apply. A URL that no rule covers
	 * is judged by `hosts` if that list has `only` set and the URL has a host; otherwise it is
	 * rejected: `url-not-allowed` (but see `urls_also`). URL rules cannot deny, because a path has more spellings
	 * than rules could list. */
	const struct urivet_url_rule *urls;
	uint32_t url_count;
	const uint64_t *index; /* of `hosts` and `addresses`; set only by urivet_policy_finish() */
	uint32_t index_count;  /* words */
	/* Must be in order. A host that a host rule allows is never an imitation. */
	const struct urivet_protected *protect;
	uint32_t protect_count;
	uint32_t reserved; /* zero; an older version of the struct ended here */
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
 *   A list sets `sorted` but is not in order, the index lacks a rule, or `protect` is not in
 *   order.
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
 * The seal records that the sorted lists are in order and that the index is complete. Judging then
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
 * Makes names[0..count) the protected names of the policy, replacing the previous ones; a
 * count of 0 removes all. The names belong to the caller, must be in the order of
 * urivet_order(), and must live as long as the policy and its copies. A sealed
 * policy stays sealed, a compiled one too. Returns false and changes nothing if the names are
 * not in order or not made by urivet_protected_from(), if policy is NULL, or if it comes from
 * a program that was compiled before this member existed. Linear in the names.
 */
URIVET_API bool urivet_policy_protect(struct urivet_policy *policy,
				      const struct urivet_protected *names, uint32_t count);

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

/*
 * Makes a rule from text[0..length): "example.com", ".example.com" or "*.example.com" (enum
 * urivet_scope says which names each matches). A final dot is allowed and left out of the
 * rule. The rule points into the text, and its tag is 0. Returns false and changes nothing
 * unless the text consists of labels of letters, digits, hyphens and underscores, 1-63 octets
 * each, 253 in total, and the last label is not a number.
 */
URIVET_API bool urivet_host_rule_from(struct urivet_host_rule *rule, const char *text,
                                      size_t length, enum urivet_action action);

/* Returns the name of a host rule, also of a compiled policy. It is as the caller wrote it,
 * including a final dot. O(1). */
URIVET_API struct urivet_text urivet_host_rule_name(const struct urivet_host_rule *rule);

/*
 * Makes a URL rule from text[0..length):
 *
 *   scheme "://" host [ ":" port ] [ path ]     "https://app.example.com:8443/cb"
 *   scheme ":" path                             "com.example.app:/cb"
 *
 *   The scheme is in lower case and not one that is dangerous by itself, such as file and
 *   javascript. In the first form it has no dot; the second is for schemes that urivet does not
 *   know.
 *   The host is a name, as for urivet_host_rule_from() in its three scopes, but
 *   without a final dot; an IPv4 address in dotted decimal; or an IPv6 address in brackets.
 *   The port is 1-65535, and may be a blocked one. Without a port the rule requires the scheme's
 *   default, or no port if the scheme has no default. "*" is any port, and is allowed only after
 *   localhost and the loopback addresses 127.0.0.0/8 and ::1 (RFC 8252, 7.3).
 *   The path begins with "/" and covers whole segments: "/cb" covers /cb, /cb/, /cb/x and
 *   /cb?x=1, not /cbx; "/cb/" covers every path with that prefix. "/" or no path covers every
 *   path. A final "$" (RFC 9309, 2.2.3) covers this path only, without query and fragment. The
 *   path consists of pchar (RFC 3986, 3.3) except "*", without dot segments and empty segments.
 *
 * URLs are compared with the rule octet by octet, except that letter case in names is ignored and
 * addresses are compared as numbers. A rule covers only URLs that all readers read alike. It
 * never covers a malformed URL, or one with a malformed, ambiguous or dangerous scheme, authority
 * or path, even if the finding is waived. Nor does it cover a URL with userinfo, a final dot, or
 * an escape in the host. The rule points into the text, and its tag is 0. Returns false and
 * changes nothing for any other text, and for more than URIVET_URL_RULE_MOST octets.
 */
URIVET_API bool urivet_url_rule_from(struct urivet_url_rule *rule, const char *text, size_t length);

/*
 * Reads a path rule from text[0..length): a prefix such as `/api/v4/`, with an optional final "$"
 * for this path alone, and before it optional methods, as in `GET,HEAD /healthz$`. The prefix
 * begins with "/" and consists of unreserved octets and of `! $ & ' ( ) + , = : @`; it has no
 * empty segment before the last and none that ends in a dot. The rule points into the text, waives
 * nothing, and its tag is 0. Returns false and changes nothing for any other text, and for more
 * than URIVET_PATH_RULE_MOST octets.
 */
URIVET_API bool urivet_path_rule_from(struct urivet_path_rule *rule, const char *text,
                                      size_t length);

/* Returns the text of a path rule, also of a compiled policy. O(1). */
URIVET_API struct urivet_text urivet_path_rule_text(const struct urivet_path_rule *rule);

/* Returns the text of a URL rule, also of a compiled policy. O(1). */
URIVET_API struct urivet_text urivet_url_rule_text(const struct urivet_url_rule *rule);

/*
 * Reads a network from text[0..length): an IPv4 address in dotted decimal or an IPv6 address,
 * "/" and the length of the prefix in bits, or the address alone. Returns false and changes
 * nothing for any other text, and if a bit after the prefix is set.
 */
URIVET_API bool urivet_network_from(struct urivet_network *network, const char *text,
                                    size_t length);

/* The lists of a policy that have an order: of struct urivet_host_rule, struct urivet_address_rule
 * and struct urivet_protected. */
enum urivet_list { URIVET_LIST_HOSTS = 0, URIVET_LIST_ADDRESSES, URIVET_LIST_PROTECTED };

/* Compares two entries of a list. */
typedef int urivet_comparison(const void *a, const void *b);

/* Returns the comparison that sorts a list, for qsort(3); NULL for an unknown list. O(1). */
URIVET_API urivet_comparison *urivet_order(enum urivet_list list);

/*
 * Makes a protected name of text[0..length), such as "example.com" or "xn--mller-kva.de". A final
 * dot is allowed, a leading one is not. The entry points into the text, and its tag is 0. Returns
 * false and changes nothing for a text that urivet_host_rule_from() does not take.
 *
 * Names are compared by their look: each letter without its marks, in any script, if it looks like
 * an ASCII letter, digit or hyphen. rn counts as m, vv as w, 0 as o, and 1 as l. A host imitates a
 * protected name if one of its labels, other than the top-level domain, looks like the first label
 * of the name and differs from it, in these cases:
 *   - The label has non-ASCII characters. A part of it between hyphens counts as well.
 *   - The label is ASCII, and the labels after it equal those of the name.
 *   - The label is ASCII, and the first label of the name has at least six letters.
 * i counts as l in ASCII labels only if the last two conditions both hold. A protected name itself
 * and all names below one imitate nothing. First labels of fewer than four letters are not
 * protected from imitation. Linear in the length.
 */
URIVET_API bool urivet_protected_from(struct urivet_protected *name, const char *text,
                                      size_t length);

/* ---- Compiled policies ------------------------------------------------------ */

/* The reasons why octets are not a compiled policy. */
enum urivet_compiled_fault {
	URIVET_COMPILED_GOOD = 0,
	URIVET_COMPILED_STRUCTURE,  /* the program's struct has not the size of this version */
	URIVET_COMPILED_NOT_ALIGNED,
	URIVET_COMPILED_TOO_SHORT,  /* shorter than the header */
	URIVET_COMPILED_MAGIC,      /* not a compiled policy */
	URIVET_COMPILED_BYTE_ORDER,
	URIVET_COMPILED_VERSION,
	URIVET_COMPILED_LAYOUT,     /* written by a compiler with another struct layout */
	URIVET_COMPILED_LENGTH,     /* truncated, or longer than the header says */
	URIVET_COMPILED_CHECKSUM,
	URIVET_COMPILED_CONTENT,    /* inconsistent, or contains a rule without effect */
	URIVET_COMPILED_LIBRARY,    /* has rules that only liburivet-policy judges: `parameters` */

	URIVET_COMPILED_FAULTS
};

/*
 * Writes a policy as octets without pointers that can be stored anywhere: limits, schemes,
 * waived and raised findings, name, lists with their names and texts, and `extra`, octets that
 * the library stores but does not read. The host and address lists are written sorted.
 *
 * Returns the number of octets needed. They are written if capacity suffices and out is
 * aligned to 8 octets; no NUL is added. Returns 0 for a policy that is not valid (NULL:
 * strict, which is valid), for more than URIVET_MAX_LENGTH octets, and if out is not aligned.
 * The octets depend only on the policy, the byte order and the format version, so that they
 * can be compared. Linear, but O(count * log count) for lists that are not sorted.
 */
URIVET_API size_t urivet_compiled_write(void *out, size_t capacity,
                                        const struct urivet_policy *policy,
                                        struct urivet_text extra);

/*
 * Opens the compiled policy data[0..length). Nothing is copied: the octets must stay unchanged
 * as long as the policy is used, and start at a multiple of 8. All of it is verified once;
 * then the policy is valid and sealed.
 *
 * Any octets may be given. If they are not a complete, consistent policy, the reason is
 * returned and *policy is zeroed, which rejects everything. The checksum detects accidents
 * only; write access to the octets allows writing any policy.
 *
 * `size` is sizeof *policy. If `extra` is not NULL, it is set to the extra octets given to
 * urivet_compiled_write(). The policy may be copied. Its rules are read in place and must not
 * be copied out. Linear.
 */
URIVET_API enum urivet_compiled_fault urivet_compiled_open(struct urivet_policy *policy,
                                                           size_t size, const void *data,
                                                           size_t length,
                                                           struct urivet_text *extra);

/* Returns a sentence about the fault, such as "the checksum is wrong"; NULL for an unknown
 * number. */
URIVET_API const char *urivet_compiled_fault_text(unsigned fault);

/* ---- Addresses ------------------------------------------------------------ */

/* A block of addresses with its own meaning: a row of the IANA special-purpose address registries,
 * or one that fills a gap between them. */
struct urivet_address_row {
	struct urivet_network network;
	bool reachable;    /* globally; false also if the registry says N/A */
	uint16_t finding;  /* enum urivet_id; URIVET_F_NONE if reachable */
	const char *name;  /* as in the registry: "Private-Use" */
	const char *reference;
};

/* ---- Judging ------------------------------------------------------------ */

enum urivet_verdict {
	URIVET_REJECT = 0,
	URIVET_ACCEPT = 1
};

/*
 * The result of judging one input. `finding` contains `count` entries, each id once, ordered
 * by offset, then number; the rest of the array is not written. `uri` is valid only if
 * `parsed` is set: the input is a URI reference by RFC 3986, accepted or not.
 */
struct urivet_report {
	uint32_t size; /* sizeof the program's struct; set by the library */
	enum urivet_verdict verdict;
	bool parsed;
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
};

/* Returns true if the strict policy accepts the URI. Faster than urivet_check(), because it makes
 * no report. */
static inline bool urivet_ok(const void *data, size_t length);

/*
 * Judges a URI by a policy (NULL: strict) and reports every finding. Returns the verdict,
 * which is in the report as well. An input longer than the policy allows is not read and gets
 * the single finding `url-too-long`. If the policy is unusable (see urivet_policy_finish()),
 * every input gets the single finding `policy-invalid`.
 */
static inline enum urivet_verdict urivet_check(struct urivet_report *report, const void *data,
                                               size_t length, const struct urivet_policy *policy);

/*
 * As urivet_check(), for bindings to other languages. `size` is the size of the program's
 * report in octets, here and in the other functions ..._sized(). If the report is NULL or too
 * small for the library, the verdict is URIVET_REJECT; a report that is too small is zeroed.
 */
URIVET_API enum urivet_verdict urivet_check_sized(struct urivet_report *report, size_t size,
                                                  const void *data, size_t length,
                                                  const struct urivet_policy *policy);

/*
 * Returns the verdict without making a report. It always equals that of urivet_check() by the
 * same policy (NULL: strict, as urivet_ok()).
 */
URIVET_API enum urivet_verdict urivet_verdict_of(const void *data, size_t length,
                                                 const struct urivet_policy *policy);

/*
 * Judges many URIs, which are stored one after the other in `data` like a column of Apache
 * Arrow: row k is the octets from offset k up to offset k + 1, so there are rows + 1 offsets.
 * They are in `offsets` if they have 32 bits, in `large` if they have 64 (LargeUtf8,
 * LargeBinary); the other one is NULL. If both or none are given, every row is rejected; both
 * may be NULL if rows is 0.
 *
 * Bit k % 8, from the lowest, of bitmap[k / 8] is set if row k is accepted, and every bit
 * after the last row is 0. Exactly (rows + 7) / 8 octets are written; bitmap may be NULL. A
 * row with negative offsets, offsets that run backwards or offsets beyond data.length is
 * rejected unread, so only data.length octets need be readable. Returns the number of accepted
 * rows. Linear.
 */
URIVET_API size_t urivet_check_batch(struct urivet_text data, const int32_t *offsets,
                                     const int64_t *large, size_t rows,
                                     const struct urivet_policy *policy, uint8_t *bitmap);

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
static inline enum urivet_verdict urivet_check_request(struct urivet_report *report,
                                                       struct urivet_text target,
                                                       const struct urivet_request *request,
                                                       const struct urivet_policy *policy,
                                                       enum urivet_target_form *form);
URIVET_API enum urivet_verdict urivet_check_request_sized(struct urivet_report *report,
                                                          size_t size, struct urivet_text target,
                                                          const struct urivet_request *request,
                                                          const struct urivet_policy *policy,
                                                          enum urivet_target_form *form);

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
static inline enum urivet_verdict urivet_check_peer(struct urivet_report *report,
                                                    const struct sockaddr *peer, size_t length,
                                                    const struct urivet_policy *policy);
URIVET_API enum urivet_verdict urivet_check_peer_sized(struct urivet_report *report, size_t size,
                                                       const struct sockaddr *peer, size_t length,
                                                       const struct urivet_policy *policy);

/*
 * As urivet_check_peer(), for an address of 4 or 16 octets in network order, without a socket
 * address. Another number of octets, a NULL address and a port above 65535 are rejected
 * (`peer-unknown`); port 0 means that the port is not known.
 */
static inline enum urivet_verdict urivet_check_address(struct urivet_report *report,
                                                       const uint8_t *address, size_t octets,
                                                       uint32_t port,
                                                       const struct urivet_policy *policy);
URIVET_API enum urivet_verdict urivet_check_address_sized(struct urivet_report *report, size_t size,
                                                          const uint8_t *address, size_t octets,
                                                          uint32_t port,
                                                          const struct urivet_policy *policy);

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
 * Determines where a URL leads, from the report of its judgement. `input` is the text that was
 * judged (for a reference, the target that urivet_check_reference() wrote). The texts are
 * written to out[0..capacity). Returns the number of octets that they need, with their NULs. If
 * that is above capacity, nothing was written, and the endpoint is zeroed as below. The URL
 * includes the default port only if some reader would otherwise take a part of the target for the
 * port (`colon-port-in-tail`). The result never exceeds URIVET_ENDPOINT_CAPACITY(input.length).
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
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a struct and a function share a name, as for stat(2) */
#endif
static inline size_t urivet_endpoint(struct urivet_endpoint *endpoint, char *out, size_t capacity,
                                     const struct urivet_report *report, struct urivet_text input);
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
URIVET_API size_t urivet_endpoint_sized(struct urivet_endpoint *endpoint, size_t size, char *out,
                                        size_t capacity, const struct urivet_report *report,
                                        struct urivet_text input);

/* A capacity that suffices for the endpoint texts of any input of this length. */
#define URIVET_ENDPOINT_CAPACITY(length) ((size_t)3 * (length) + 192)

/* ---- Reports as text ----------------------------------------------------------- */

/*
 * Writes the names of a report's findings in its order, separated by commas:
 * "host-case,path-empty". Writes an empty text if there are no findings, the report is NULL,
 * or it was never filled.
 */
URIVET_API size_t urivet_format_ids(char *out, size_t capacity, const struct urivet_report *report);

/*
 * Writes a report as one JSON object in ASCII, without a line end, in the format of the
 * command (see urivet-output(5)), with the members `uri`, `verdict`, `policy`, `components`,
 * `host`, `port` and `findings`. `input` and `host` are the judged texts (host.data NULL:
 * there was no Host field), `policy` is the policy that judged them (NULL: strict). If a shown
 * text is not UTF-8, each octet is written as the character with that number, and a member
 * `raw` says so. If the input is too long to be read, `uri` is null and `length` is its
 * length. A report that is NULL or was never filled is written as a rejection without
 * findings. Linear.
 */
URIVET_API size_t urivet_format_report(char *out, size_t capacity,
                                       const struct urivet_report *report, struct urivet_text input,
                                       struct urivet_text host,
                                       const struct urivet_policy *policy);

/*
 * As urivet_format_report(), in several calls, for inputs of any size and for programs that
 * add members. Zero it, then set what is to be written. `position` and `offset` are for the
 * library.
 */
struct urivet_json {
	const struct urivet_report *report; /* NULL: write only `components`, `host` and `port`
	                                     * of `uri` */
	const struct urivet_uri *uri;       /* the parsed components; NULL: none */
	struct urivet_text input;
	struct urivet_text read;            /* the text that the spans of `uri` refer to, usually
	                                     * the input */
	struct urivet_text host;            /* the Host field */
	const char *policy;                 /* its name; NULL: none */
	const struct urivet_policy *rules;  /* decides which findings `refuses`; NULL: strict */
	bool unread;                        /* the input is too long: write only its length */
	bool raw;                           /* strings stand for octets, because a text is not
	                                     * UTF-8 */
	uint32_t position;
	uint32_t offset;
};

/* The minimum capacity for urivet_json_next(). */
#define URIVET_JSON_CAPACITY 64

/*
 * Writes the next octets of the object to out[0..capacity), without a NUL, and returns their
 * number; 0 at the end, and if capacity is below URIVET_JSON_CAPACITY. The closing brace is
 * omitted, so that the program can add members. If only `uri` is written, the opening brace is
 * omitted too, and a comma comes first. The texts and the report must not change until the
 * end.
 */
URIVET_API size_t urivet_json_next(struct urivet_json *json, char *out, size_t capacity);

/* ---- Spelling ----------------------------------------------------------- */

/*
 * Writes the equivalent spelling (RFC 3986, 6.2.2 and 6.2.3) that the policy accepts with
 * notes at most, and returns its length in octets; 0 if there is none. For an accepted input
 * that is its canonical spelling, or the input itself if the canonical one would be rejected.
 * Nothing is guessed: only letter case, percent-encoding, dot segments, an empty path, an
 * empty, default or zero-padded port and the text of an IPv6 address may differ.
 *
 * If the input is rejected because of them, spaces, visible octets that are not legal in URIs,
 * and each "%" that does not begin a triplet are percent-encoded in path, query and fragment.
 * No spelling is longer than 3 * length + 2 octets, so a capacity of 3 * length + 3 always
 * gives the final result. With a smaller capacity, a result at or above capacity is the length
 * of a spelling that could not be judged for lack of room. The text is ASCII unless the policy
 * waives `non-ascii`.
 */
URIVET_API size_t urivet_suggest(char *out, size_t capacity, const void *data, size_t length,
                                 const struct urivet_policy *policy);

/* ---- International names and text -------------------------------------------------- */

/* The result of mapping a text with non-ASCII characters (an IRI, RFC 3987). */
enum urivet_iri_outcome {
	URIVET_IRI_UNMAPPABLE = 0, /* no accepted spelling: not UTF-8, too long, or rejected
	                            * because of `id` */
	URIVET_IRI_OFFERED,        /* a spelling that all readers agree on */
	URIVET_IRI_ASCII,          /* it is ASCII already */
	URIVET_IRI_DISAGREE        /* readers derive different names from it, or people cannot
	                            * recognise what they see */
};

struct urivet_iri {
	uint32_t outcome;        /* enum urivet_iri_outcome */
	uint32_t id;             /* enum urivet_id: the most significant finding; 0: none */
	uint32_t code_point;     /* the character that prevents a spelling, if `span` is not
	                          * empty */
	struct urivet_span span; /* its octets, or those of the label */
};

/*
 * Writes the ASCII spelling of a URI with non-ASCII characters in UTF-8, if all widely used
 * readers derive that same spelling and the policy accepts it with notes at most. Returns its
 * length in octets; 0 if there is none. *iri is set to the outcome.
 *
 * Labels become A-labels (RFC 5890, 2.3.2.1) if IDNA 2003, IDNA 2008 and UTS 46 leave their
 * characters unchanged. Nothing is mapped, so capital letters and sharp s get no spelling.
 * Outside the host, the octets of each character are percent-encoded (RFC 3987, 3.1) if the
 * text is in normal form C and contains no bidirectional controls and no invisible characters.
 * For an ASCII input the result is that of urivet_suggest().
 *
 * Agreement of readers does not mean that people recognise the name correctly. A capacity of
 * urivet_size_of(URIVET_CAPACITY_IRI, length) always suffices; with less, only a NUL is written,
 * and the result is that capacity. Linear in the length.
 */
URIVET_API size_t urivet_suggest_iri(struct urivet_iri *iri, char *out, size_t capacity,
				     const void *data, size_t length,
				     const struct urivet_policy *policy);

/* The maximum length of the input of urivet_display() in octets. */
#define URIVET_DISPLAY_MOST 1048576

/* Flags of urivet_display(). */
#define URIVET_DISPLAY_ISOLATES 0x01u /* isolates right-to-left text by U+2068 and U+2069 (UAX
                                       * 9); without this flag its characters stay encoded */
#define URIVET_DISPLAY_HTML     0x02u /* the same by character references, and escapes markup:
                                       * for the text of an element or a quoted attribute value */

/*
 * Writes a URL for display to people, in UTF-8, and returns the number of octets needed. As
 * snprintf() does, it writes what fits, followed by a NUL. The text is for reading only: use
 * the URL itself in links.
 *
 * A-labels are decoded if all readers agree on every label of the host, no label may deceive
 * (`idn-mixed-script`, `idn-whole-script-confusable`, `idn-digit-lookalike`,
 * `idn-dangerous-pattern`, `idn-tld-specific`), and no label imitates a name that `policy`
 * protects; otherwise all of them stay A-labels.
 *
 * Outside the host, triplets that encode letters, digits and marks are decoded. Triplets stay
 * encoded where decoding could deceive: ASCII, controls and spaces, invisible characters,
 * characters that change the text direction, symbols, marks without a letter, and characters
 * that would be encoded differently. All other octets that are not printable ASCII are
 * percent-encoded.
 *
 * `policy` may be NULL. For NULL and for more than URIVET_DISPLAY_MOST octets, returns 0 and
 * writes only a NUL. Linear, plus O(log count) a label for protected names.
 */
URIVET_API size_t urivet_display(char *out, size_t capacity, const void *data, size_t length,
				 const struct urivet_policy *policy, unsigned flags);

/* ---- Readers -------------------------------------------------------------- */

/* Models of how families of software parse a URI. readers.def has one row for each and says what it
 * follows. The first five are editions: each follows one text of the standard. */
enum urivet_reader {
#define READER(constant, number, ...) URIVET_READER_##constant = number,
#include <urivet/readers.def>
#undef READER
	URIVET_READERS
};

/* Returns "rfc3986", "uri-2003", ...; NULL for an unknown number. */
URIVET_API const char *urivet_reader_name(unsigned reader);

/* Returns the number of the reader named name[0..length), or -1. */
URIVET_API int urivet_reader_named(const char *name, size_t length);

/* The result of parsing one input as a reader does. The spans of `uri` refer to the text in `out`
 * if `written` is above 0, else to the input. */
struct urivet_reading {
	uint32_t size;   /* sizeof the program's struct; set by the library */
	bool reads;      /* the reader accepts the input; if not, the other members are invalid */
	bool needs_idna; /* always false since the browser reader implements IDNA (UTS 46,
	                  * Unicode 15.0) */
	struct urivet_uri uri; /* has_ipv4 and host_kind: the address that it would connect to */
	size_t written;  /* octets of text in `out`: set by the readers browser and resolver if
	                  * they accept the input */
};

/* A capacity that suffices for the text of any reading of an input of this length, with its NUL. */
#define URIVET_READING_CAPACITY(length) ((size_t)10 * (length) + 64)

/*
 * Parses the input as one reader does, and returns reading->reads; false also for an unknown
 * reader. browser and resolver write the URI as they see it to out. They reject the input if
 * capacity is below URIVET_READING_CAPACITY(length), or if the input has 256 MiB or more. The
 * other readers do not use out, which may be NULL. Linear.
 */
static inline bool urivet_read_as(struct urivet_reading *reading, enum urivet_reader how,
                                  const void *data, size_t length, char *out, size_t capacity);
URIVET_API bool urivet_read_as_sized(struct urivet_reading *reading, size_t size,
                                     enum urivet_reader how, const void *data, size_t length,
                                     char *out, size_t capacity);

/*
 * Returns true if the readings of rfc3986, browser and resolver differ in scheme, userinfo,
 * host, address or port. If pair is not NULL, it is then set to two readers that differ, and
 * otherwise left unchanged. A reader that rejects the input does not count. Letter case of
 * scheme and host, and escapes that a reader adds to the userinfo, are no difference. The
 * buffer is for the texts of the readings: a capacity of 2 * URIVET_READING_CAPACITY(length)
 * always suffices; a reading that does not fit counts as a rejection.
 *
 * If `report` is not NULL, it is the finished report of the input by `policy`: if readers
 * disagree, the finding `readers-disagree` is added, with the authority as span. No other function
 * reports this finding, because it takes three readings. Returns false without comparing anything
 * if the report was never filled, or if the input was not read because it is too long or the
 * policy unusable. Linear.
 */
URIVET_API bool urivet_readers_disagree(struct urivet_text input, char *buffer, size_t capacity,
                                        enum urivet_reader pair[2], struct urivet_report *report,
                                        const struct urivet_policy *policy);

/* ---- References, normal forms, comparison --------------------------------- */

enum urivet_resolved {
	URIVET_UNRESOLVED = 0, /* base or reference cannot be parsed, or the base is not usable
	                        * as one */
	URIVET_RESOLVED,
	URIVET_SAME_DOCUMENT   /* the current document plus what is written: "" or "#fragment" */
};

/*
 * Resolves a reference against a base by the algorithm of an edition (RFC 3986, 5.2 for
 * URIVET_READER_RFC3986) and writes the target. A reader that is not an edition resolves
 * nothing. `new_request` means that the context always makes a new request, so an empty
 * reference is the base URI (RFC 3986, 4.4). Returns the length of the target; how, if not
 * NULL, is set to the kind of result. Linear.
 */
URIVET_API size_t urivet_resolve(char *out, size_t capacity, enum urivet_reader edition,
                                 struct urivet_text base, struct urivet_text reference,
                                 bool new_request, enum urivet_resolved *how);

/* Additional requirements for a reference, combined by `|`. */
enum urivet_reference_option {
	/* The target must have the base's scheme, host (ignoring letter case) and effective port,
	 * else it gets the finding `cross-origin`. A policy that raises that finding has the same
	 * effect. Browsers resolve an accepted reference against the same base to the same origin.
	 * Two URIs without a host never have the same origin. */
	URIVET_REFERENCE_SAME_ORIGIN = 1
};

/*
 * Resolves a reference by RFC 3986 into out and judges the target by a policy (NULL: strict).
 * `options` are 0 or some of enum urivet_reference_option; unknown ones: `policy-invalid`. The
 * report is that of the target, and its spans refer to out. Adds `resolution-ambiguous` if
 * editions resolve the reference differently. A reference that cannot be resolved is judged as
 * an empty URI, which is rejected. A target that exceeds capacity is judged as too long;
 * base.length + reference.length + 8 always suffices. Returns the report's verdict. Linear.
 */
static inline enum urivet_verdict urivet_check_reference(struct urivet_report *report, char *out,
                                                         size_t capacity, struct urivet_text base,
                                                         struct urivet_text reference,
                                                         uint32_t options,
                                                         const struct urivet_policy *policy);
URIVET_API enum urivet_verdict urivet_check_reference_sized(struct urivet_report *report,
                                                            size_t size, char *out, size_t capacity,
                                                            struct urivet_text base,
                                                            struct urivet_text reference,
                                                            uint32_t options,
                                                            const struct urivet_policy *policy);

/* RFC 3986, 6.2.2: letter case, triplets, dot segments; 6.2.3: also default port and empty path. */
enum urivet_level { URIVET_LEVEL_SYNTAX = 0, URIVET_LEVEL_SCHEME };

/*
 * Writes the normal form of a URI reference by an edition. It always means the same as the
 * input, and normalising it again does not change it. Returns its length. Returns 0 if the
 * edition cannot parse the input (or the reader is not an edition), or if the normal form is
 * empty because the input is: *readable, if not NULL, is false in the first case and true in
 * the second.
 */
URIVET_API size_t urivet_normalise(char *out, size_t capacity, const void *data, size_t length,
                                   enum urivet_level level, enum urivet_reader edition,
                                   bool *readable);

/* The comparison ladder of RFC 3986, 6.2, lowest rung first. */
enum urivet_rung {
	URIVET_DIFFERENT = 0,
	URIVET_EQUAL_BY_PROTOCOL, /* a known redirect leads from one to the other */
	URIVET_EQUAL_BY_SCHEME,
	URIVET_EQUAL_BY_SYNTAX,
	URIVET_IDENTICAL
};

/* A URI that is known to redirect to another. */
struct urivet_redirect {
	struct urivet_text from;
	struct urivet_text to;
};

/* The maximum number of redirects in a comparison; further ones are ignored. */
#define URIVET_MAX_REDIRECTS 1024

/*
 * Returns the comparison of least effort by which two URIs are equal. Fragments count unless
 * `no_fragment` is set (for comparing network requests). URIs that cannot be parsed are equal
 * only if identical. `redirects` has `count` entries, and may be NULL if that is 0; they are
 * followed in both directions and transitively. The result is the same for (b, a), and each
 * rung is transitive for the same redirects. Linear in the URIs; each redirect that is
 * followed takes one pass over all redirects.
 */
URIVET_API enum urivet_rung urivet_compare(struct urivet_text a, struct urivet_text b,
                                           bool no_fragment,
                                           const struct urivet_redirect *redirects, size_t count);

/* ---- Parameters in a query ------------------------------------------------------ */

/* The state of an iteration over a query. Set data and length, zero the rest. */
struct urivet_parameter_scan {
	const void *data;
	size_t length;
	size_t position; /* where the next call starts */
	bool semicolons; /* ";" separates parameters as well as "&", as in HTML 4.01, B.2.2 */
};

/* A parameter of a query, as offsets in the text of the iteration. */
struct urivet_parameter {
	struct urivet_span name;  /* up to the first "=" */
	struct urivet_span value; /* what follows the "="; without one, empty and at the end */
	bool has_value;           /* true if there is a "=" */
};

/*
 * Finds the next parameter of a query in application/x-www-form-urlencoded. Parameters are
 * separated by "&", and empty ones are skipped (WHATWG URL, 5.1). Nothing is decoded. Returns false at the end of the query, without changing
 * *parameter; a text longer than URIVET_MAX_LENGTH has no parameters. Linear in total.
 */
URIVET_API bool urivet_parameter_next(struct urivet_parameter_scan *scan,
                                      struct urivet_parameter *parameter);

enum urivet_coding {
	URIVET_CODING_FORM = 0, /* application/x-www-form-urlencoded: "+" is a space */
	URIVET_CODING_PERCENT   /* RFC 3986, 2.1 */
};

/* The result of decoding. */
enum urivet_decoded {
	URIVET_UNDECODED = 0, /* not tried: an unknown coding, or a text longer than
	                       * URIVET_MAX_LENGTH */
	URIVET_DECODED,
	URIVET_DECODED_BAD_ESCAPE, /* a "%" without two hexadecimal digits */
	URIVET_DECODED_NUL,        /* the octet NUL, raw or escaped */
	URIVET_DECODED_NOT_UTF8    /* invalid UTF-8 (RFC 3629), or a character with some octets
	                            * raw and some escaped, which readers decode differently */
};

/*
 * Decodes a text once and writes the result, which is UTF-8 without NUL and never longer than
 * the text; out and text must not overlap. Returns the length. If the text cannot be decoded,
 * an empty text is written; `how`, if not NULL, is set to the reason, and `fault`, if not
 * NULL, to the offset of the octet at fault: the "%", or the first octet of a character. On
 * success `fault` is unchanged. Linear.
 */
URIVET_API size_t urivet_decode(char *out, size_t capacity, struct urivet_text text,
                                enum urivet_coding coding, enum urivet_decoded *how,
                                size_t *fault);

/* The maximum number of parameters of a query that are judged; further ones are rejected unread. */
#define URIVET_MAX_PARAMETERS 256

/* Which parameters are judged, and how. Fill it with urivet_parameter_rules_init(), then set
 * members. */
struct urivet_parameter_rules {
	size_t size;                     /* sizeof the program's struct; set by the function
	                                  * above */
	const struct urivet_text *names; /* decoded, and compared with letter case unless
	                                  * `any_case` is set. Spellings that PHP treats as such
	                                  * a name match too: with leading spaces, or with a dot,
	                                  * a space or "[" for "_". "name[*]": all names that
	                                  * begin with "name[" */
	uint32_t count;                  /* of names; 0: judge every value that looks like a URL
	                                  * or a path: after octets up to 0x20 it begins with
	                                  * "/", a backslash, or a scheme and ":" */
	uint32_t times;                  /* how often the value is decoded: 1 or 2, each time as
	                                  * a form */
	bool same_origin;                /* the value must stay on the input's origin */
	bool absolute;                   /* the value must be a URL with a scheme, else it is
	                                  * rejected (`not-absolute`): for programs that fetch it
	                                  * unchanged, where "10.0.0.1" gets a scheme and
	                                  * "/etc/passwd" is a file */
	bool any_case;                   /* ignore the letter case of names, as nginx's $arg_
	                                  * does */
	bool semicolons;                 /* ";" separates parameters too, as it did for CGI and
	                                  * does for Perl's CGI and Ruby's old Rack; else it is
	                                  * part of the value */
	const struct urivet_policy *policy; /* values are judged by it (NULL: strict) */
};

/*
 * Initialises *rules to judge by strict every value that looks like a URL or a path, decoded
 * once. `size` is sizeof *rules as the program was compiled; nothing is written beyond it.
 * Returns false for a size that matches no known version of the struct; the rules are then
 * zeroed and reject every input. Returns false for NULL.
 */
URIVET_API bool urivet_parameter_rules_init(struct urivet_parameter_rules *rules, size_t size);

/* Returns true if parameters can be judged by the rules. Returns false if their size matches no
 * known version of the struct, `times` is neither 1 nor 2, there is a count but no names, or the
 * policy is unusable. O(1), but for sorted lists of a policy that is not sealed. */
URIVET_API bool urivet_parameter_rules_valid(const struct urivet_parameter_rules *rules);

/* The input whose parameters are judged, and a buffer for the work. */
struct urivet_parameter_input {
	struct urivet_text text; /* the judged URL or request target */
	const struct urivet_request *request; /* the request it was judged with; NULL: it is a
	                                       * URL, or nothing is known of the request */
	char *buffer;
	size_t capacity; /* URIVET_PARAMETERS_CAPACITY() suffices */
};

/* The capacity for judging the parameters of an input; `length` is that of the input and of its
 * Host field together. */
#define URIVET_PARAMETERS_CAPACITY(length) ((size_t)5 * (length) + 64)

/* The result for one parameter. */
enum urivet_parameter_result {
	URIVET_PARAMETER_REFUSED = 0,
	URIVET_PARAMETER_UNDECODED, /* rejected: the value cannot be decoded, or neither can a
	                             * name that some reader may take for a listed one */
	URIVET_PARAMETER_NO_ROOM,   /* rejected: the buffer is too small */
	URIVET_PARAMETER_ACCEPTED,
	URIVET_PARAMETER_NOT_ASKED  /* the rules do not select it */
};

/* Texts in the buffer; data is NULL if there is none. */
struct urivet_parameter_texts {
	struct urivet_text value;  /* as decoded */
	struct urivet_text judged; /* the text that the report is about and its spans refer to: a
	                            * URL, or for a value on the same origin a path, query and
	                            * fragment */
};

/*
 * Judges one parameter, the next in the query of input->text. `report` is the finished report of
 * that text. The value is decoded and judged as a reference against the input:
 *   A value with a scheme or "//" is resolved and judged as a whole, by the policy of the rules.
 *   Any other value stays on the input's origin, whose scheme, host and port are not judged again:
 *   only path, query and fragment of the target are. An empty value is the input's own path.
 *   Only the path of the input is the base, not its query.
 * The input's origin is unknown if a request target has none and the request has no scheme or Host
 * field. Then a value without scheme and "//" is judged unresolved, one with "//" is rejected
 * (`not-absolute`), and no URL is of the same origin.
 *
 * *inner is the report of the value; it is zeroed unless the result is accepted or refused.
 * `texts` may be NULL. Returns URIVET_PARAMETER_REFUSED if the report is NULL, was never filled or
 * is for another input, and if the rules are not valid. Linear in input, value and names.
 */
static inline enum urivet_parameter_result urivet_check_parameter(
    struct urivet_report *inner, struct urivet_parameter_texts *texts,
    const struct urivet_parameter *parameter, const struct urivet_report *report,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules);
URIVET_API enum urivet_parameter_result urivet_check_parameter_sized(
    struct urivet_report *inner, size_t size, struct urivet_parameter_texts *texts,
    const struct urivet_parameter *parameter, const struct urivet_report *report,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules);

/*
 * Judges every parameter that the rules select, as urivet_check_parameter() does. For each
 * rejected one, adds `param-refused` to the finished report of the input, by the policy that
 * judged the input (NULL: strict); the span is that of the value. *inner is room for the
 * report of one parameter; afterwards it contains the report of the last one that was judged.
 *
 * Adds `policy-invalid` if the rules are unusable, the request is not valid, the text does not
 * belong to the report, or there is no room for a report. Judges no parameters if the input
 * was not parsed. Returns the report's new verdict. Linear, but each judged value takes a pass
 * over the input's path, and each parameter one over the names.
 */
static inline enum urivet_verdict urivet_check_parameters(
    struct urivet_report *report, struct urivet_report *inner,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules,
    const struct urivet_policy *policy);
URIVET_API enum urivet_verdict urivet_check_parameters_sized(
    struct urivet_report *report, struct urivet_report *inner, size_t size,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules,
    const struct urivet_policy *policy);

/* ---- URIs in text ----------------------------------------------------------- */

/* The state of a scan. Set data and length, zero the rest. */
struct urivet_scan {
	const void *data;
	size_t length;
	size_t position; /* where the next call starts */
};

enum urivet_found_kind {
	URIVET_FOUND_URI = 0,
	URIVET_FOUND_ABBREVIATED /* no scheme (RFC 3986, 4.5): the text is guessed, with http:// */
};

/* One URI found: `length` octets of the input from `offset`, without delimiters. */
struct urivet_found {
	size_t offset;
	size_t length;
	enum urivet_found_kind kind;
	bool delimited;        /* by angle brackets or double quotes */
	bool broken;           /* inner white space was removed from the text */
	bool hyphen_at_break;  /* a hyphen is before a line break and may not belong to the URI */
};

/* The number of octets before a position that can change what is found from there on. */
#define URIVET_SCAN_BEFORE 8

/*
 * Finds the next URI in plain text by RFC 3986, appendix C: in angle brackets (at most 16384
 * octets), in double quotes (with inner white space only at line breaks), after "URL:", or
 * undelimited, without trailing punctuation and unbalanced brackets. Writes it to out, without
 * white space, and its length to *text_length. Returns false at the end of the text, without
 * changing *found. Linear in total.
 *
 * If `most` is SIZE_MAX, the text ends after `length` octets. Otherwise more octets may follow,
 * and a URI is found only once no later octet can change it. If there is none, false is returned;
 * from scan->position on, later octets decide. Keep these octets and the URIVET_SCAN_BEFORE before
 * them, append the next ones, set length and position, and call again. The finds are those in the
 * whole text. Each call is linear in the octets from scan->position on.
 *
 * At most `most` octets are held back, no more than URIVET_MAX_LENGTH. If it takes more to decide
 * where a URI ends, the find reaches the end of the octets, as no other find does: it has more than
 * `most` octets, so a policy whose max_length is not above `most` refuses it as `url-too-long`.
 * The search then continues after what was found of it, inside the find if need be.
 */
URIVET_API bool urivet_scan_next(struct urivet_scan *scan, size_t most, struct urivet_found *found,
                                 char *out, size_t capacity, size_t *text_length);

/* Writes the address of the host as text: dotted decimal, or by RFC 5952 (46 octets suffice with
 * the NUL). Returns its length; 0 if the host is not an address. */
URIVET_API size_t urivet_format_address(char *out, size_t capacity, const struct urivet_uri *uri);

/* ---- For bindings without this header ------------------------------------------ */

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

/* ---- The inline functions above ------------------------------------------------------ */

static inline bool urivet_ok(const void *data, size_t length)
{
	return urivet_verdict_of(data, length, NULL) == URIVET_ACCEPT;
}

static inline enum urivet_verdict urivet_check(struct urivet_report *report, const void *data,
                                               size_t length, const struct urivet_policy *policy)
{
	return urivet_check_sized(report, sizeof *report, data, length, policy);
}

static inline enum urivet_verdict urivet_check_request(struct urivet_report *report,
                                                       struct urivet_text target,
                                                       const struct urivet_request *request,
                                                       const struct urivet_policy *policy,
                                                       enum urivet_target_form *form)
{
	return urivet_check_request_sized(report, sizeof *report, target, request, policy, form);
}

static inline enum urivet_verdict urivet_check_peer(struct urivet_report *report,
                                                    const struct sockaddr *peer, size_t length,
                                                    const struct urivet_policy *policy)
{
	return urivet_check_peer_sized(report, sizeof *report, peer, length, policy);
}

static inline enum urivet_verdict urivet_check_address(struct urivet_report *report,
                                                       const uint8_t *address, size_t octets,
                                                       uint32_t port,
                                                       const struct urivet_policy *policy)
{
	return urivet_check_address_sized(report, sizeof *report, address, octets, port, policy);
}

static inline size_t urivet_endpoint(struct urivet_endpoint *endpoint, char *out, size_t capacity,
                                     const struct urivet_report *report, struct urivet_text input)
{
	return urivet_endpoint_sized(endpoint, sizeof *endpoint, out, capacity, report, input);
}

static inline enum urivet_verdict urivet_check_reference(struct urivet_report *report, char *out,
                                                         size_t capacity, struct urivet_text base,
                                                         struct urivet_text reference,
                                                         uint32_t options,
                                                         const struct urivet_policy *policy)
{
	return urivet_check_reference_sized(report, sizeof *report, out, capacity, base, reference,
	                                    options, policy);
}

static inline enum urivet_parameter_result urivet_check_parameter(
    struct urivet_report *inner, struct urivet_parameter_texts *texts,
    const struct urivet_parameter *parameter, const struct urivet_report *report,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules)
{
	return urivet_check_parameter_sized(inner, sizeof *inner, texts, parameter, report, input,
	                                    rules);
}

static inline enum urivet_verdict urivet_check_parameters(
    struct urivet_report *report, struct urivet_report *inner,
    const struct urivet_parameter_input *input, const struct urivet_parameter_rules *rules,
    const struct urivet_policy *policy)
{
	return urivet_check_parameters_sized(report, inner, sizeof *inner, input, rules, policy);
}

static inline bool urivet_read_as(struct urivet_reading *reading, enum urivet_reader how,
                                  const void *data, size_t length, char *out, size_t capacity)
{
	return urivet_read_as_sized(reading, sizeof *reading, how, data, length, out, capacity);
}

#ifdef __cplusplus
}
#endif

#endif
