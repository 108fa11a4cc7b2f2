// SPDX-License-Identifier: Apache-2.0
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;
import org.apache.http.util.VersionInfo;

/** Apache HttpClient 4. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
		VersionInfo version = VersionInfo.loadVersionInfo("org.apache.http.client", null);
		RequestConfig config = RequestConfig.custom().setConnectTimeout(Adapter.PATIENCE)
			.setSocketTimeout(Adapter.PATIENCE).build();
		CloseableHttpClient client = HttpClients.custom().setDefaultRequestConfig(config).disableRedirectHandling()
			.disableAutomaticRetries().build();
		Adapter.serve(arguments, "Apache HttpClient " + version.getRelease(), url -> {
			try (CloseableHttpResponse response = client.execute(new HttpGet(url))) {
				EntityUtils.consume(response.getEntity());
				return response.getStatusLine().getStatusCode();
			}
		});
	}
}
