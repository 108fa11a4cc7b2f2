// SPDX-License-Identifier: Apache-2.0
import java.net.URL;

/** java.net.URL, which URLConnection uses. */
final class JavaUrl {
	public static void main(String[] arguments) throws Exception {
		JavaAdapter.serve(arguments, "java.net.URL " + Runtime.version(), text -> {
			URL url = new URL(text);
			return new String[] {url.getProtocol(), url.getUserInfo(), url.getHost().isEmpty() ? null : url.getHost(),
				JavaAdapter.port(url.getPort()), url.getPath(), url.getQuery(), url.getRef()};
		});
	}
}
