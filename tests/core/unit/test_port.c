/* SPDX-License-Identifier: Apache-2.0 */
/* Tests every port: the blocked ones are the bad ports of WHATWG Fetch, 2.9, and those of the
 * servers below. */
#include "support.h"

TestSuite(port, .timeout = 30);

/* The table in Fetch, port blocking. */
static const unsigned bad[] = {
    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,   23,   25,   37,
    42,   43,   53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,  110,
    111,  113,  115,  117,  119,  123,  135,  137,  139,  143,  161,  179,  389,  427,
    465,  512,  513,  514,  515,  526,  530,  531,  532,  540,  548,  554,  556,  563,
    587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049, 3659, 4045, 4190,
    5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

/* Servers that answer without authentication, by their documented ports. */
static const unsigned servers[] = {
    2375,  /* Docker */
    2376,  /* Docker, TLS */
    2379,  /* etcd, clients */
    2380,  /* etcd, peers */
    3306,  /* MySQL */
    3389,  /* RDP */
    4444,  /* WebDriver */
    5000,  /* Docker registry */
    5432,  /* PostgreSQL */
    5672,  /* AMQP */
    5900,  /* VNC */
    5984,  /* CouchDB */
    6379,  /* Redis */
    6443,  /* Kubernetes API */
    7001,  /* WebLogic */
    8009,  /* AJP */
    8086,  /* InfluxDB */
    8500,  /* Consul */
    9000,  /* FastCGI */
    9042,  /* Cassandra */
    9092,  /* Kafka */
    9200,  /* Elasticsearch */
    9300,  /* Elasticsearch, transport */
    10250, /* kubelet */
    10255, /* kubelet, read-only */
    11211, /* memcached */
    15672, /* RabbitMQ management */
    27017, /* MongoDB */
    50070, /* HDFS */
};

static bool in(const unsigned *list, size_t count, unsigned port)
{
	for (size_t k = 0; k < count; k++)
		if (list[k] == port)
			return true;
	return false;
}

Test(port, every_port)
{
	for (unsigned port = 0; port <= 65535; port++) {
		char uri[32];
		struct urivet_report r;
		const bool blocked = in(bad, sizeof bad / sizeof bad[0], port) ||
				     in(servers, sizeof servers / sizeof servers[0], port);
		sprintf(uri, "http://h.org:%u/", port);
		judge(&r, uri, strlen(uri), NULL);
		cr_assert((finding_in(&r, URIVET_F_PORT_BLOCKED) != NULL) == blocked, "%u: %s",
			  port, ids_of(&r));
		cr_assert((finding_in(&r, URIVET_F_PORT_ZERO) != NULL) == (port == 0), "%u", port);
		cr_assert((r.verdict == URIVET_ACCEPT) == (port == 80), "%u", port);
	}
}
