// SPDX-License-Identifier: Apache-2.0
// POCO, with the URL cut by Poco::URI as its documentation does.
#include "adapter.h"
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/NullStream.h>
#include <Poco/StreamCopier.h>
#include <Poco/URI.h>
#include <Poco/Version.h>

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "POCO %d.%d.%d", POCO_VERSION >> 24, POCO_VERSION >> 16 & 255,
		 POCO_VERSION >> 8 & 255);
	return version;
}

int fetch(const char *url)
{
	using namespace Poco::Net;
	try {
		Poco::URI uri(url);
		HTTPClientSession session(uri.getHost(), uri.getPort());
		session.setTimeout(Poco::Timespan(PATIENCE, 0));
		HTTPRequest request(HTTPRequest::HTTP_GET, uri.getPathAndQuery(), HTTPMessage::HTTP_1_1);
		session.sendRequest(request);
		HTTPResponse response;
		Poco::NullOutputStream nowhere;
		Poco::StreamCopier::copyStream(session.receiveResponse(response), nowhere);
		return response.getStatus();
	} catch (const Poco::Exception &error) {
		return refused(error.displayText().c_str());
	} catch (const std::exception &error) {
		return refused(error.what());
	}
}
