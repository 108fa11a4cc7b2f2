/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the rules of a policy file. */
#ifndef COMMON_RULES_H
#define COMMON_RULES_H

#include <urivet.h>
#include <urivet/rules.h>

/* The error message for an invalid string. */
struct why {
	char text[512];
};

/* Buffer size for the text of any rule, with its NUL. */
#define POLICY_RULE_TEXT 320u

/* The schemes that a policy file can name, with their default ports; the last one is "other",
 * which has none. */
#define POLICY_SCHEMES 6u

struct policy_scheme {
	const char *name;
	enum urivet_scheme scheme;
	uint32_t port; /* URIVET_NO_PORT: none */
};

extern const struct policy_scheme urivet_loader_schemes[POLICY_SCHEMES];

/* Parses "example.com", ".example.com" or "*.example.com". The rule points into the string. */
bool urivet_loader_read_host(struct urivet_host_rule *rule, const char *string,
			     enum urivet_action action, struct why *why);

/* Writes a name with A-labels, and a NUL. Returns the length; 0 if readers do not agree on it. */
size_t urivet_loader_ascii_name(char out[POLICY_RULE_TEXT], const char *name, size_t length);

/* Parses "https://app.example.com:8443/cb" or "com.example.app:/cb". The rule points into the
 * string. */
bool urivet_loader_read_url(struct urivet_url_rule *rule, const char *string, struct why *why);

/* Parses "/api/v4/", "/healthz$" or "GET,HEAD /healthz$". The rule points into the string. */
bool urivet_loader_read_path(struct urivet_path_rule *rule, const char *string, struct why *why);

/* Parses "192.0.2.0/24", "2001:db8::/32" or "192.0.2.1". */
bool urivet_loader_read_network(struct urivet_network *network, const char *string,
				struct why *why);

/* Parses a prefix that RFC 6052 allows for NAT64. */
bool urivet_loader_read_nat64(struct urivet_network *network, const char *string, struct why *why);

/* Parses "8000-8099", for a scheme of the table. */
bool urivet_loader_read_range(struct urivet_port_rule *rule, const char *string,
			      const struct policy_scheme *scheme, struct why *why);
bool urivet_loader_read_port(struct urivet_port_rule *rule, long long number,
			     const struct policy_scheme *scheme, struct why *why);

/* Returns true if the port is allowed only by a rule for this port alone. */
bool urivet_loader_port_is_blocked(uint16_t port);

/* Writes rules in the syntax of policy files. */
void urivet_loader_write_host(char text[POLICY_RULE_TEXT], const struct urivet_host_rule *rule);
void urivet_loader_write_network(char text[POLICY_RULE_TEXT], const struct urivet_network *network);
void urivet_loader_write_ports(char text[POLICY_RULE_TEXT], const struct urivet_port_rule *rule);

#endif
