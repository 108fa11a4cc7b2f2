// SPDX-License-Identifier: Apache-2.0
import java.net.URI;

/** Java's HttpURLConnection, given the URL as java.net.URI reads it. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		Adapter.serve(arguments, "java.net.URI " + Runtime.version(), url -> Adapter.get(URI.create(url).toURL()));
	}
}
