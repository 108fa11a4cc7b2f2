/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urivet: the rules of a policy, for hosts, addresses, ports, URLs and paths, and what the rules in
 * a report mean. The conventions of <urivet.h> apply.
 */
#ifndef URIVET_API_RULES_H
#define URIVET_API_RULES_H

#include <urivet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Some 32-bit ABIs align 64-bit integers to 4 octets. This attribute gives the rules of compiled
 * policies the same layout everywhere. */
#if defined(__GNUC__)
#define URIVET_ALIGNED __attribute__((aligned(8)))
#else
#define URIVET_ALIGNED
#endif

/* ---- Rules and their lists ---------------------------------------------------- */

/* A range of ports that a policy allows beside a scheme's default. Blocked ports (`port-blocked`)
 * are allowed only by a rule for that single port, never by a range. */
struct urivet_port_rule {
	uint32_t schemes; /* bit 1u << enum urivet_scheme: the schemes that the rule is for */
	uint16_t first;
	uint16_t last;    /* inclusive */
	uint32_t tag;     /* for the caller's use, as in the other rules, e.g. a line number */
};

/* Zero denies, so a zeroed rule allows nothing. */
enum urivet_action {
	URIVET_DENY = 0,
	URIVET_ALLOW,
	URIVET_EXCEPT /* for host rules: lifts the denial of a name above */
};

/* The names that a host rule matches. Names are compared label by label, ignoring letter case. */
enum urivet_scope {
	URIVET_SCOPE_TREE = 0, /* ".example.com": example.com and every name below it */
	URIVET_SCOPE_HOST,     /* "example.com": that name alone */
	URIVET_SCOPE_BELOW,    /* "*.example.com": every name below it, not the name itself */
	URIVET_SCOPE_LABEL     /* "+.example.com": the names with exactly one label before it */
};

/* A bit in `scope`: the rule is part of a compiled policy and stores an offset instead of a
 * pointer. Only urivet_compiled_open() makes such rules. They must not be copied elsewhere. */
#define URIVET_SCOPE_RELATIVE 0x80

/* A rule for host names. name[0..length) is the bare domain, without leading dot; a final dot is
 * ignored. The name belongs to the caller and must live as long as the policy. Use
 * urivet_host_rule_name() to read it if the rule may belong to a compiled policy.
 *
 * With URIVET_EXCEPT the names that the rule matches are exceptions from denials of one name above
 * it: that of the last `above` octets of the name, which follow a dot; it has at most 64 labels.
 * Other rules apply to them as if these denials did not exist. */
struct urivet_host_rule {
	union {
		const char *name;
		URIVET_ALIGNED uint64_t at; /* for the library, if URIVET_SCOPE_RELATIVE is set */
	};
	uint32_t length;
	uint8_t scope;   /* enum urivet_scope */
	uint8_t action;  /* enum urivet_action */
	uint32_t tag;
	uint8_t above;   /* URIVET_EXCEPT: the octets of the denied name; else 0 */
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

/* What follows the path of a URL rule. */
enum urivet_url_query {
	URIVET_URL_NO_QUERY = 0, /* the rule ends with its path */
	URIVET_URL_ANY_QUERY,    /* "?*": any query, or none */
	URIVET_URL_THIS_QUERY    /* "?a=1": this query */
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
	uint32_t host, host_length; /* without brackets, leading dot, "*." or "+." */
	uint32_t path, path_length; /* without a query and a final "$" */
	uint32_t query_length;      /* of URIVET_URL_THIS_QUERY; "?" and query follow the path */
	uint32_t port;              /* the first port; URIVET_NO_PORT: the URL must have none */
	uint32_t last_port;         /* inclusive */
	uint32_t tag;
	uint8_t address[16];        /* of the host if it is an address, in network order */
	uint8_t scheme;             /* enum urivet_scheme */
	uint8_t kind;               /* enum urivet_url_host */
	uint8_t scope;              /* enum urivet_scope */
	uint8_t exact;              /* 1: "$", the URL ends where the rule does */
	uint8_t query;              /* enum urivet_url_query */
	uint8_t reserved[3];        /* 0 */
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

/* The maximum number of rules for parameters of a policy, and of octets in their names
 * and in the values that a rule lists. */
#define URIVET_PARAMETER_RULES_MOST 100u
#define URIVET_PARAMETER_NAME_MOST  65535
#define URIVET_PARAMETER_VALUES_MOST 65535

/*
 * A rule for the values of a parameter. Zero it, then set members. name[0..length) is the name,
 * decoded. It is compared as for struct urivet_parameter_rules in <urivet/parameters.h>. "*" is
 * every parameter whose value looks like a URL or a path. Name and policy belong to the caller and
 * must live as long as the policy. Use urivet_parameter_rule_name() to read the name.
 *
 * With `values`, the value is decoded and must be one of them: values[0..values_length) holds each
 * with a line feed after it. With `required`, the input must have such a parameter at least once.
 *
 * With `judges`, the value is decoded and judged by `policy` as a reference against the input, as
 * urivet_check_parameter() does. That policy must have no rules for parameters itself. At most 256
 * values are judged by a rule, and further ones are rejected.
 *
 * Findings in `allowed` do not reject if they are in the value of the parameter alone: the input
 * must be accepted with letters for the value, and with the value and these findings waived. The
 * name must then consist of letters, digits and _.~!$'()*,:@/-[] and is compared as it is written.
 * Values with a ";" have two readings, and nothing is allowed in them. Only findings can be allowed
 * whose row has `by_path_rule` set, other than `host-missing`.
 */
struct urivet_parameter_rule {
	union {
		const char *name;
		URIVET_ALIGNED uint64_t at; /* for the library, if URIVET_SCOPE_RELATIVE is set */
	};
	union {
		const struct urivet_policy *policy; /* judges the value (NULL: strict) */
		URIVET_ALIGNED uint64_t policy_at;
	};
	union {
		const char *values; /* that it may have; each ends with a line feed */
		URIVET_ALIGNED uint64_t values_at;
	};
	uint32_t length;
	uint32_t values_length; /* 0: any value */
	struct urivet_finding_set allowed; /* do not reject in the value */
	uint32_t tag;
	uint8_t scope;       /* URIVET_SCOPE_RELATIVE or 0 */
	uint8_t times;       /* how often the value is decoded: 1 or 2 */
	bool judges;         /* the value is judged as a URL or a path */
	bool rooted;         /* ... and must be a path that begins with one slash */
	bool same_origin;    /* these four as in struct urivet_parameter_rules */
	bool absolute;
	bool any_case;
	bool semicolons;
	bool required;       /* the input must have the parameter */
	uint8_t reserved[3]; /* 0 */
};

/* ---- Rules from text ---------------------------------------------------------- */

/*
 * Makes a rule from text[0..length): "example.com", ".example.com", "*.example.com" or
 * "+.example.com" (enum urivet_scope says which names each matches). A final dot is allowed and
 * left out of the rule. The rule points into the text, and its tag is 0. Returns false and changes
 * nothing unless the text consists of labels of letters, digits, hyphens and underscores, 1-63
 * octets each, 253 in total, and the last label is not a number.
 */
URIVET_API bool urivet_host_rule_from(struct urivet_host_rule *rule, const char *text,
                                      size_t length, enum urivet_action action);

/* Marks an offset in a rule of a compiled policy: the upper half of `at`. No pointer has it. */
#define URIVET_RELATIVE_MARK UINT64_C(0x7552564500000000)

/* Returns a text of a rule with this scope, for the functions below. */
static inline struct urivet_text urivet_text_in(const void *rule, unsigned scope, const char *text,
                                                uint64_t at, size_t length)
{
	if ((scope & URIVET_SCOPE_RELATIVE) == 0)
		return urivet_text_of(text, text != NULL ? length : 0);
	if (at >> 32 != URIVET_RELATIVE_MARK >> 32)
		return urivet_text_of(NULL, 0);
	return urivet_text_of((const char *)rule + (uint32_t)at, length);
}

/* Returns the name of a host rule, also of a compiled policy. It is as the caller wrote it,
 * including a final dot. O(1). */
static inline struct urivet_text urivet_host_rule_name(const struct urivet_host_rule *rule)
{
	return urivet_text_in(rule, rule->scope, rule->name, rule->at, rule->length);
}

/*
 * Makes a URL rule from text[0..length):
 *
 *   scheme "://" host [ ":" port ] [ path [ "?" query ] ] [ "$" ]    "https://app.example.com/cb"
 *   scheme ":" path [ "?" query ] [ "$" ]                            "com.example.app:/cb"
 *
 *   The scheme is in lower case and not one that is dangerous by itself, such as file and
 *   javascript. The second form is for schemes that urivet does not know. A rule whose scheme has
 *   a dot, such as "com.example.app://host/cb", lifts `scheme-dot` from what it covers: readers
 *   that take the scheme for a host find the name in the rule, which no attacker chooses.
 *   The host is a name, as for urivet_host_rule_from() in its four scopes, but
 *   without a final dot; an IPv4 address in dotted decimal; or an IPv6 address in brackets.
 *   The port is 1-65535, and may be a blocked one. Without a port the rule requires the scheme's
 *   default, or no port if the scheme has no default. "8000-8099" is a range and "*" any port, for
 *   one host: an address, or a name that is not below another one. They cover blocked ports only
 *   on localhost and the loopback addresses 127.0.0.0/8 and ::1 (RFC 8252, 7.3).
 *   The path begins with "/" and covers whole segments: "/cb" covers /cb, /cb/, /cb/x and
 *   /cb?x=1, not /cbx; "/cb/" covers every path with that prefix. "/" or no path covers every
 *   path. The path consists of pchar (RFC 3986, 3.3) except "*", without dot segments and empty
 *   segments.
 *   With "?" the rule covers this path only: "/cb?*" with any query or none, "/cb?a=1" with this
 *   query, compared octet by octet. A query consists of pchar, "/" and "?", but for "*".
 *   A final "$" (RFC 9309, 2.2.3) covers what is written before it, with nothing after: "/cb$" has
 *   no query and no fragment, "/cb?*$" no fragment. "https://app.example.com$" covers the origin:
 *   with the path "/" or none.
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
 * begins with "/" and consists of unreserved octets, of `! $ & ' ( ) + , = : @`, and of triplets,
 * compared as received, of other octets than those unreserved, controls and `; ? # % \`. Decoded,
 * it has no empty segment before the last and none that ends in a dot or space. The rule waives
 * nothing, its tag is 0, and it points into the text. Returns false and changes nothing for any
 * other text, and for more than URIVET_PATH_RULE_MOST octets.
 */
URIVET_API bool urivet_path_rule_from(struct urivet_path_rule *rule, const char *text,
                                      size_t length);

/* Returns the text of a path rule, also of a compiled policy. O(1). */
static inline struct urivet_text urivet_path_rule_text(const struct urivet_path_rule *rule)
{
	const size_t most = URIVET_PATH_RULE_MOST;
	return urivet_text_in(rule, rule->scope, rule->text, rule->at,
	                      rule->length < most ? rule->length : most);
}

/* Returns the name of a rule for parameters, also of a compiled policy. O(1). */
static inline struct urivet_text urivet_parameter_rule_name(const struct urivet_parameter_rule *of)
{
	return urivet_text_in(of, of->scope, of->name, of->at, of->length);
}

/* Returns the values that a rule for parameters lists, also of a compiled policy. O(1). */
static inline struct urivet_text urivet_parameter_values(const struct urivet_parameter_rule *of)
{
	return urivet_text_in(of, of->scope, of->values, of->values_at, of->values_length);
}

/* Returns the text of a URL rule, also of a compiled policy. O(1). */
static inline struct urivet_text urivet_url_rule_text(const struct urivet_url_rule *rule)
{
	const size_t most = URIVET_URL_RULE_MOST;
	return urivet_text_in(rule, rule->scope, rule->text, rule->at,
	                      rule->length < most ? rule->length : most);
}

/*
 * Reads a network from text[0..length): an IPv4 address in dotted decimal or an IPv6 address,
 * "/" and the length of the prefix in bits, or the address alone. Returns false and changes
 * nothing for any other text, and if a bit after the prefix is set.
 */
URIVET_API bool urivet_network_from(struct urivet_network *network, const char *text,
                                    size_t length);

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

/* The lists of a policy that have an order: of struct urivet_host_rule, struct urivet_address_rule
 * and struct urivet_protected. */
enum urivet_list { URIVET_LIST_HOSTS = 0, URIVET_LIST_ADDRESSES, URIVET_LIST_PROTECTED };

/* Compares two entries of a list. */
typedef int urivet_comparison(const void *a, const void *b);

/* Returns the comparison that sorts a list, for qsort(3); NULL for an unknown list. O(1). */
URIVET_API urivet_comparison *urivet_order(enum urivet_list list);

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

#ifdef __cplusplus
}
#endif

#endif
