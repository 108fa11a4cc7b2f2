/* SPDX-License-Identifier: Apache-2.0 */
/* Qt's QUrl in tolerant mode, its parts fully encoded. */
#include "adapter.h"
#include <QUrl>
#include <QtGlobal>

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "Qt %s", qVersion());
	return version;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {};
	QByteArray part[PARTS];
	QUrl url = QUrl::fromEncoded(QByteArray(text, (int)length), QUrl::TolerantMode);
	bool present[PARTS] = {!url.scheme().isEmpty(),
			       !url.userInfo().isEmpty(),
			       !url.authority().isEmpty(),
			       false,
			       true,
			       url.hasQuery(),
			       url.hasFragment()};

	if (!url.isValid())
		return;
	part[SCHEME] = url.scheme().toUtf8();
	part[USERINFO] = url.userInfo(QUrl::FullyEncoded).toUtf8();
	part[HOST] = url.host(QUrl::FullyEncoded).toUtf8();
	part[PATH] = url.path(QUrl::FullyEncoded).toUtf8();
	part[QUERY] = url.query(QUrl::FullyEncoded).toUtf8();
	part[FRAGMENT] = url.fragment(QUrl::FullyEncoded).toUtf8();
	for (int i = 0; i < PARTS; i++)
		if (present[i])
			reading.part[i] = slice_between(part[i].constData(),
							part[i].constData() + part[i].size());
	set_port(&reading, url.port());
	tell(&reading);
}
