// SPDX-License-Identifier: Apache-2.0
import okhttp3.HttpUrl;

/** OkHttp's HttpUrl, of Android. */
final class OkHttp {
	private static String userinfo(HttpUrl url) {
		String password = url.encodedPassword();
		if (url.encodedUsername().isEmpty() && password.isEmpty())
			return null;
		return url.encodedUsername() + (password.isEmpty() ? "" : ":" + password);
	}

	public static void main(String[] arguments) throws Exception {
		JavaAdapter.serve(arguments, okhttp3.internal.Version.userAgent(), text -> {
			HttpUrl url = HttpUrl.get(text);
			return new String[] {url.scheme(), userinfo(url), url.host(), JavaAdapter.port(url.port()), url.encodedPath(),
				url.encodedQuery(), url.encodedFragment()};
		});
	}
}
