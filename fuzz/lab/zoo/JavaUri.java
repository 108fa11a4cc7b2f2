// SPDX-License-Identifier: Apache-2.0
import java.net.URI;

/** java.net.URI. */
final class JavaUri {
	public static void main(String[] arguments) throws Exception {
		JavaAdapter.serve(arguments, "java.net.URI " + Runtime.version(), text -> {
			URI url = new URI(text);
			return new String[] {url.getScheme(), url.getRawUserInfo(), url.getHost(), JavaAdapter.port(url.getPort()),
				url.isOpaque() ? url.getRawSchemeSpecificPart() : url.getRawPath(), url.getRawQuery(),
				url.getRawFragment()};
		});
	}
}
