// SPDX-License-Identifier: Apache-2.0
import org.apache.commons.httpclient.DefaultHttpMethodRetryHandler;
import org.apache.commons.httpclient.HttpClient;
import org.apache.commons.httpclient.methods.GetMethod;
import org.apache.commons.httpclient.params.HttpMethodParams;

/** Commons HttpClient 3. */
final class Client {
	private static int fetch(HttpClient client, String url) throws Exception {
		GetMethod get = new GetMethod(url);
		get.setFollowRedirects(false);
		get.getParams().setParameter(HttpMethodParams.RETRY_HANDLER, new DefaultHttpMethodRetryHandler(0, false));
		try {
			int status = client.executeMethod(get);
			get.getResponseBody();
			return status;
		} finally {
			get.releaseConnection();
		}
	}

	public static void main(String[] arguments) throws Exception {
		System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
		HttpClient client = new HttpClient();
		client.getHttpConnectionManager().getParams().setConnectionTimeout(Adapter.PATIENCE);
		client.getHttpConnectionManager().getParams().setSoTimeout(Adapter.PATIENCE);
		Adapter.serve(arguments, "Commons HttpClient 3.1", url -> fetch(client, url));
	}
}
