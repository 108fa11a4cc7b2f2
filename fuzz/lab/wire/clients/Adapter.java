// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the Java clients share: URLs in, each ended by NUL; a line with the status or the error out. */
final class Adapter {
	/** What a client is told, in milliseconds. */
	static final int PATIENCE = 3000;
	/** Whatever it was told, the line is written by then. */
	private static final int LIMIT = 3500;

	/** Answers with the status, or throws. */
	interface Fetcher {
		int fetch(String url) throws Throwable;
	}

	private Adapter() {
	}

	/** By Java's own HttpURLConnection. */
	static int get(URL url) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
		connection.setInstanceFollowRedirects(false);
		connection.setConnectTimeout(PATIENCE);
		connection.setReadTimeout(PATIENCE);
		int status = connection.getResponseCode();
		if (status < 400)
			connection.getInputStream().readAllBytes();
		return status;
	}

	private static String described(Throwable error) {
		String message = error.getClass().getSimpleName() + ": " + error.getMessage();
		return "! " + message.replaceAll("[^ -~]+", " ");
	}

	private static String status(Fetcher fetcher, String url) {
		try {
			int status = fetcher.fetch(url);
			return status >= 100 ? Integer.toString(status) : "! no status";
		} catch (Throwable error) {
			return described(error);
		}
	}

	private static String answer(ExecutorService threads, Fetcher fetcher, String url) throws InterruptedException {
		Future<String> answer = threads.submit(() -> status(fetcher, url));
		try {
			return answer.get(LIMIT, TimeUnit.MILLISECONDS);
		} catch (TimeoutException late) {
			answer.cancel(true);
			return "! timeout";
		} catch (ExecutionException error) {
			return described(error.getCause());
		}
	}

	/** The next URL; null at the end. */
	private static String next(InputStream in) throws IOException {
		ByteArrayOutputStream url = new ByteArrayOutputStream();
		int octet;
		while ((octet = in.read()) > 0)
			url.write(octet);
		return octet < 0 ? null : url.toString(StandardCharsets.UTF_8);
	}

	/** Gives each URL to the fetcher. */
	static void serve(String[] arguments, String version, Fetcher fetcher) throws Exception {
		if (arguments.length > 0 && arguments[0].equals("--version")) {
			System.out.println(version);
			return;
		}
		// what a library writes to standard output is no answer
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
		System.setOut(System.err);
		InputStream in = new BufferedInputStream(System.in);
		ExecutorService threads = Executors.newCachedThreadPool();
		for (String url; (url = next(in)) != null;)
			out.println(answer(threads, fetcher, url));
		System.exit(0);
	}
}
