/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names that only a policy forbids: silent unless it has them. */
#include "host.h"
#include "rules.h"

/* Names as labels: each row holds for the name and every name below it; a row
 * that begins with "=" for the name alone. */
static const struct {
	enum urivet_id id;
	const char *name;
} rows[] = {
    {URIVET_F_HOST_LOCALHOST_NAME, "localhost"},
    {URIVET_F_HOST_LOCALHOST_NAME, "localhost.localdomain"},
    {URIVET_F_HOST_LOCALHOST_NAME, "localhost6.localdomain6"},
    {URIVET_F_HOST_LOCALHOST_NAME, "=localhost4"},
    {URIVET_F_HOST_LOCALHOST_NAME, "=localhost6"},
    {URIVET_F_HOST_LOCALHOST_NAME, "=ip6-localhost"},
    {URIVET_F_HOST_LOCALHOST_NAME, "=ip6-loopback"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "local"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "localdomain"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "internal"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "intranet"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "private"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "corp"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "home"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "home.arpa"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "lan"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "onion"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "alt"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "test"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "invalid"},
    {URIVET_F_HOST_INTERNAL_SUFFIX, "cluster.local"},
    {URIVET_F_HOST_METADATA_NAME, "metadata.google.internal"},
    {URIVET_F_HOST_METADATA_NAME, "metadata.goog"},
    {URIVET_F_HOST_METADATA_NAME, "=metadata"},
    {URIVET_F_HOST_METADATA_NAME, "=instance-data"},
    {URIVET_F_HOST_METADATA_NAME, "instance-data.ec2.internal"},
    {URIVET_F_HOST_METADATA_NAME, "metadata.tencentyun.com"},
    {URIVET_F_HOST_METADATA_NAME, "=rancher-metadata"},
    {URIVET_F_HOST_METADATA_NAME, "metadata.packet.net"},
    {URIVET_F_HOST_METADATA_NAME, "metadata.platformequinix.com"},
    {URIVET_F_HOST_KNOWN_LOOPBACK_NAME, "localtest.me"},
    {URIVET_F_HOST_KNOWN_LOOPBACK_NAME, "lvh.me"},
    {URIVET_F_HOST_KNOWN_LOOPBACK_NAME, "vcap.me"},
    {URIVET_F_HOST_KNOWN_LOOPBACK_NAME, "lacolhost.com"},
};

static uint32_t length_of(const char *name)
{
	uint32_t n = 0;
	while (name[n] != '\0')
		n++;
	return n;
}

/* Label by label, never as text: "localhost" is no suffix of "notlocalhost". */
static bool name_matches(struct text t, uint32_t at, const char *row)
{
	const bool alone = row[0] == '=';
	const char *name = alone ? row + 1 : row;
	const uint32_t length = length_of(name);
	if (t.end - at < length || !is_word(t, t.end - length, name))
		return false;
	return t.end - at == length || (!alone && octet(t, t.end - length - 1) == '.');
}

/* All of these rules are off in most policies. */
static bool none_on(const struct urivet_finding_set *on)
{
	return !in_set(on, URIVET_F_HOST_LOCALHOST_NAME) &&
	       !in_set(on, URIVET_F_HOST_SINGLE_LABEL) &&
	       !in_set(on, URIVET_F_HOST_INTERNAL_SUFFIX) &&
	       !in_set(on, URIVET_F_HOST_METADATA_NAME) &&
	       !in_set(on, URIVET_F_HOST_KNOWN_LOOPBACK_NAME);
}

void urivet_rules_host_policy(struct subject *s, const struct name_facts *f)
{
	const uint32_t at = s->host.offset;
	const struct text t = until(s->t, at + f->length);
	const struct urivet_finding_set *on = &s->policy->raised;
	if (none_on(on))
		return;
	if (f->labels == 1 && in_set(on, URIVET_F_HOST_SINGLE_LABEL))
		urivet_add(s, URIVET_F_HOST_SINGLE_LABEL, URIVET_HOST, at, t.end);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++)
		if (in_set(on, rows[k].id) && name_matches(t, at, rows[k].name))
			urivet_add(s, rows[k].id, URIVET_HOST, at, t.end);
}
