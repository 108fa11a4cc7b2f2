// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp, of Android. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		OkHttpClient client = new OkHttpClient.Builder().followRedirects(false).retryOnConnectionFailure(false)
			.callTimeout(Adapter.PATIENCE, TimeUnit.MILLISECONDS).build();
		Adapter.serve(arguments, okhttp3.internal.Version.userAgent(), url -> {
			try (Response response = client.newCall(new Request.Builder().url(url).build()).execute()) {
				response.body().bytes();
				return response.code();
			}
		});
	}
}
