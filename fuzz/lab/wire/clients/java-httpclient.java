// SPDX-License-Identifier: Apache-2.0
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Java's java.net.http.HttpClient. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		Duration patience = Duration.ofMillis(Adapter.PATIENCE);
		HttpClient client = HttpClient.newBuilder().connectTimeout(patience).version(HttpClient.Version.HTTP_1_1).build();
		Adapter.serve(arguments, "java.net.http " + Runtime.version(), url -> {
			HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(patience).build();
			return client.send(request, BodyHandlers.discarding()).statusCode();
		});
	}
}
