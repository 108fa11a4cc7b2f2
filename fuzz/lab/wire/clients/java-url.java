// SPDX-License-Identifier: Apache-2.0
import java.net.URL;

/** Java's java.net.URL and its HttpURLConnection. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		Adapter.serve(arguments, "java.net.URL " + Runtime.version(), url -> Adapter.get(new URL(url)));
	}
}
