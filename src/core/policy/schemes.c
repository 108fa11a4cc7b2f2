/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes that are dangerous under every policy. */
#include "policy/schemes.h"

/* Indexed by family. */
static const struct {
	char name[15];
	enum urivet_id id;
} families[URIVET_FAMILIES - 1] = {
    {"javascript", URIVET_F_SCHEME_SCRIPT},
    {"vbscript", URIVET_F_SCHEME_SCRIPT},
    {"livescript", URIVET_F_SCHEME_SCRIPT},
    {"jscript", URIVET_F_SCHEME_SCRIPT},
    {"mocha", URIVET_F_SCHEME_SCRIPT},
    {"data", URIVET_F_SCHEME_DATA},
    {"file", URIVET_F_SCHEME_FILE},
    {"gopher", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"gophers", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"dict", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"tftp", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"telnet", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"smtp", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"smtps", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"pop3", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"pop3s", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"imap", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"imaps", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"rtsp", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"redis", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"rediss", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"memcache", URIVET_F_SCHEME_TEXT_PROTOCOL},
    {"ldap", URIVET_F_SCHEME_LDAP_JNDI},
    {"ldaps", URIVET_F_SCHEME_LDAP_JNDI},
    {"ldapi", URIVET_F_SCHEME_LDAP_JNDI},
    {"rmi", URIVET_F_SCHEME_LDAP_JNDI},
    {"jndi", URIVET_F_SCHEME_LDAP_JNDI},
    {"iiop", URIVET_F_SCHEME_LDAP_JNDI},
    {"corbaname", URIVET_F_SCHEME_LDAP_JNDI},
    {"corbaloc", URIVET_F_SCHEME_LDAP_JNDI},
    {"nis", URIVET_F_SCHEME_LDAP_JNDI},
    {"nds", URIVET_F_SCHEME_LDAP_JNDI},
    {"phar", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"php", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"zip", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"rar", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"zlib", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"compress.zlib", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"compress.bzip2", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"glob", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"expect", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"ogg", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"ssh2", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"netdoc", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"jar", URIVET_F_SCHEME_ARCHIVE_WRAPPER},
    {"jar", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"url", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"feed", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"view-source", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"blob", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"filesystem", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"wyciwyg", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"mhtml", URIVET_F_SCHEME_PREFIX_WRAPPER},
    {"intent", URIVET_F_SCHEME_APP_HANDLER},
    {"android-app", URIVET_F_SCHEME_APP_HANDLER},
    {"itms-services", URIVET_F_SCHEME_APP_HANDLER},
    {"search-ms", URIVET_F_SCHEME_APP_HANDLER},
    {"search", URIVET_F_SCHEME_APP_HANDLER},
    {"shell", URIVET_F_SCHEME_APP_HANDLER},
    {"hcp", URIVET_F_SCHEME_APP_HANDLER},
    {"mk", URIVET_F_SCHEME_APP_HANDLER},
    {"res", URIVET_F_SCHEME_APP_HANDLER},
    {"smb", URIVET_F_SCHEME_APP_HANDLER},
    {"smbs", URIVET_F_SCHEME_APP_HANDLER},
    {"cifs", URIVET_F_SCHEME_APP_HANDLER},
    {"afp", URIVET_F_SCHEME_APP_HANDLER},
};

unsigned urivet_next_family(struct text t, uint32_t at, unsigned k)
{
	const unsigned first = lower(octet(t, at));
	/*@ loop invariant \at(k, Pre) <= k <= URIVET_FAMILIES;
	    loop assigns k;
	    loop variant URIVET_FAMILIES - k; */
	for (; k < URIVET_FAMILIES - 1; k++)
		if (first == (unsigned char)families[k].name[0] && is_word(t, at, families[k].name))
			return k;
	return k == URIVET_FAMILIES - 1 && has_word(t, at, "ms-") ? k : URIVET_FAMILIES;
}

enum urivet_id urivet_family_finding(unsigned k)
{
	return k < URIVET_FAMILIES - 1
		   ? (enum urivet_id)(families[k].id % URIVET_FINDING_LIMIT)
		   : URIVET_F_SCHEME_APP_HANDLER;
}
