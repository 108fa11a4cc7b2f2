// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;

/** java.net.IDN, which InetAddress, the HTTP client and OkHttp use: its flags, and shown and read again. */
final class Idn {
	private static String translate(String configuration, String host) {
		switch (configuration) {
		case "unassigned":
			return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED);
		case "std3":
			return IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
		case "shown":
			return IDN.toASCII(IDN.toUnicode(host));
		default:
			return IDN.toASCII(host);
		}
	}

	private static String escaped(String text) {
		StringBuilder made = new StringBuilder();
		for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
			if (octet > 0x21 && octet < 0x7f && octet != '\\')
				made.append((char) octet);
			else
				made.append(String.format("\\x%02X", octet));
		}
		return made.toString();
	}

	private static String line(String configuration, String host) {
		try {
			return escaped(translate(configuration, host));
		} catch (RuntimeException refusal) {
			return "!";
		}
	}

	public static void main(String[] arguments) throws IOException {
		if (arguments[arguments.length - 1].equals("--version")) {
			System.out.println("Java " + System.getProperty("java.version"));
			return;
		}
		byte[] data = System.in.readAllBytes();
		PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "US-ASCII");
		for (int at = 0; at < data.length;) {
			int end = at;
			while (end < data.length && data[end] != 0)
				end++;
			out.print(line(arguments[0], new String(data, at, end - at, StandardCharsets.UTF_8)) + "\n");
			at = end + 1;
		}
		out.flush();
	}
}
