// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.Jetty;

/** The client of Jetty. */
final class Client {
	public static void main(String[] arguments) throws Exception {
		System.setProperty("org.eclipse.jetty.LEVEL", "OFF");
		System.setProperty("org.eclipse.jetty.util.log.announce", "false");
		HttpClient client = new HttpClient();
		client.setFollowRedirects(false);
		client.setConnectTimeout(Adapter.PATIENCE);
		client.start();
		Adapter.serve(arguments, "Jetty " + Jetty.VERSION, url ->
			client.newRequest(url).timeout(Adapter.PATIENCE, TimeUnit.MILLISECONDS).send().getStatus());
		System.exit(0);
	}
}
