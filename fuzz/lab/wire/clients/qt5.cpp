// SPDX-License-Identifier: Apache-2.0
// Qt's QNetworkAccessManager, given a QUrl.
#include "adapter.h"
#include <QCoreApplication>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "Qt %s", qVersion());
	return version;
}

int fetch(const char *url)
{
	static int argc = 1;
	static char name[] = "qt", *argv[] = {name, nullptr};
	static QCoreApplication application(argc, argv);
	static QNetworkAccessManager manager;
	QNetworkRequest request(QUrl(QString::fromUtf8(url)));
	QEventLoop loop;

	manager.setProxy(QNetworkProxy::NoProxy);
	request.setTransferTimeout(PATIENCE * 1000);
	request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
			     QNetworkRequest::ManualRedirectPolicy);
	QNetworkReply *reply = manager.get(request);
	QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
	if (!reply->isFinished())
		loop.exec();
	int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
	if (status == 0)
		refused(reply->errorString().toUtf8().constData());
	delete reply;
	return status;
}
