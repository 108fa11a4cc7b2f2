// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What the Java readers of the zoo share: records in, one line of columns out. */
final class JavaAdapter {
	/** Scheme, userinfo, host, port, path, query, fragment of a record; null where absent. */
	interface Reader {
		String[] read(String text) throws Exception;
	}

	private static final String REFUSED = "reject\t-" + "\t\\N".repeat(8);
	private static final Map<String, String> DEFAULT_PORTS =
		Map.of("http", "80", "ws", "80", "https", "443", "wss", "443", "ftp", "21");

	private JavaAdapter() {
	}

	static String port(int number) {
		return number < 0 ? null : Integer.toString(number);
	}

	private static String escaped(String text) {
		if (text == null)
			return "\\N";
		StringBuilder made = new StringBuilder();
		for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
			if (octet > 0x20 && octet < 0x7f && octet != '\\')
				made.append((char) octet);
			else
				made.append(String.format("\\x%02X", octet));
		}
		return made.toString();
	}

	private static String effectivePort(String scheme, String port) {
		if (port == null)
			return DEFAULT_PORTS.getOrDefault(scheme == null ? "" : scheme.toLowerCase(), "\\N");
		return Long.parseLong(port) <= 65535 ? port : "\\N";
	}

	private static String line(Reader reader, String record) {
		try {
			String[] parts = reader.read(record);
			if (parts[2] != null && parts[2].startsWith("[") && parts[2].endsWith("]"))
				parts[2] = parts[2].substring(1, parts[2].length() - 1);
			StringBuilder made = new StringBuilder("accept\t-");
			for (String part : parts)
				made.append('\t').append(escaped(part));
			return made.append('\t').append(effectivePort(parts[0], parts[3])).toString();
		} catch (Exception | StackOverflowError refusal) {
			return REFUSED;
		}
	}

	static void serve(String[] arguments, String version, Reader reader) throws IOException {
		if (arguments.length > 0 && arguments[0].equals("--version")) {
			System.out.println(version);
			return;
		}
		byte[] data = System.in.readAllBytes();
		PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "US-ASCII");
		for (int at = 0; at < data.length;) {
			int end = at;
			while (end < data.length && data[end] != 0)
				end++;
			out.print(line(reader, new String(data, at, end - at, StandardCharsets.UTF_8)) + "\n");
			at = end + 1;
		}
		out.flush();
	}
}
