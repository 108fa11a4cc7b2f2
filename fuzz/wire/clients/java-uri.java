// SPDX-License-Identifier: Apache-2.0
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;

/** Java's HttpURLConnection, given the URL as java.net.URI reads it. */
final class Client {
	static int fetch(URL url) throws Exception {
		HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
		connection.setInstanceFollowRedirects(false);
		connection.setConnectTimeout(Adapter.PATIENCE);
		connection.setReadTimeout(Adapter.PATIENCE);
		int status = connection.getResponseCode();
		if (status < 400)
			connection.getInputStream().readAllBytes();
		return status;
	}

	public static void main(String[] arguments) throws Exception {
		Adapter.serve(arguments, "java.net.URI " + Runtime.version(), url -> fetch(URI.create(url).toURL()));
	}
}
