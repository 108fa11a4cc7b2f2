/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the registrable domain of a host, which shows its owner. */
#include "cli/judge/item.h"
#include <stdlib.h>

/* A cache of hosts, one for each hash; an entry is a cache line. */
#define CACHED_HOSTS 16384u
#define CACHED_MOST  62u /* octets of a host that is cached */

struct cached_host {
	uint8_t length; /* of the host; 0: the entry is empty */
	uint8_t domain; /* octets at the end of the host that are its domain; 0: it has none */
	char host[CACHED_MOST];
};

struct host_cache {
	char domain[URIVET_REGISTRABLE_CAPACITY]; /* the last one that its host does not end with */
	struct cached_host host[CACHED_HOSTS];
};

struct host_cache *host_cache_new(void)
{
	return calloc(1, sizeof(struct host_cache));
}

static struct octets end_of(struct octets host, size_t length)
{
	return length <= host.length ? text_after(host, host.length - length) : (struct octets){0};
}

static struct octets look_up(const struct item *item, struct octets host)
{
	char *domain = item->hosts->domain;
	const size_t length = urivet_suffixes_registrable(domain, URIVET_REGISTRABLE_CAPACITY,
							  item->suffixes, to_library(host));

	if (length > 0 && length <= host.length && memcmp(end_of(host, length).data, domain, length) == 0)
		return end_of(host, length);
	return text_at(domain, length);
}

static inline uint64_t mix(uint64_t hash, uint64_t octets)
{
	hash = (hash ^ octets) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 32;
}

/* Returns the index of a host in the cache. Eight octets are hashed at once; the last eight overlap
 * those before. */
static size_t cache_index(struct octets host)
{
	const bool is_long = host.length > sizeof(uint64_t);
	uint64_t hash = host.length, octets = 0;

	for (; host.length > sizeof octets; host.length -= sizeof octets) {
		memcpy(&octets, host.data, sizeof octets);
		hash = mix(hash, octets);
		host.data += sizeof octets;
	}
	if (is_long) {
		memcpy(&octets, host.data + host.length - sizeof octets, sizeof octets);
	} else {
		for (size_t i = 0; i < host.length; i++)
			octets = octets << 8 | host.data[i];
	}
	return (size_t)(mix(hash, octets) % CACHED_HOSTS);
}

/* Looks up a host in the cache first. A domain whose spelling differs from the end of the host, as in
 * upper case, is not cached. */
static struct octets look_up_cached(const struct item *item, struct octets host)
{
	struct cached_host *entry = &item->hosts->host[cache_index(host)];
	struct octets domain;

	if (entry->length == host.length && memcmp(entry->host, host.data, host.length) == 0)
		return end_of(host, entry->domain);
	domain = look_up(item, host);
	if (domain.data == end_of(host, domain.length).data) {
		entry->length = (uint8_t)host.length;
		entry->domain = (uint8_t)domain.length;
		memcpy(entry->host, host.data, host.length);
	}
	return domain;
}

struct octets item_registrable(const struct item *item)
{
	const struct urivet_report *report = item->report;
	struct octets host, domain;

	if (item->suffixes == NULL || !report->parsed || report->uri.host_kind != URIVET_HOST_NAME)
		return (struct octets){0};
	host = item_part(item, URIVET_HOST);
	domain = host.length > 0 && host.length <= CACHED_MOST ? look_up_cached(item, host)
							       : look_up(item, host);
	return domain.length > 0 ? domain : (struct octets){0};
}
