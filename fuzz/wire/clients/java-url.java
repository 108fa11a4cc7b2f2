// SPDX-License-Identifier: Apache-2.0
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;

/** Java's java.net.URL and its HttpURLConnection. */
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
		Adapter.serve(arguments, "java.net.URL " + Runtime.version(), url -> fetch(new URL(url)));
	}
}
