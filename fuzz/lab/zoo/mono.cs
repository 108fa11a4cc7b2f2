// SPDX-License-Identifier: Apache-2.0
// .NET's System.Uri, as Mono has it.
using System;
using System.IO;
using System.Reflection;
using System.Text;

static class Reader
{
	const string Refused = "reject\t-\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N";

	static string Escaped(string text)
	{
		if (string.IsNullOrEmpty(text))
			return "\\N";
		var made = new StringBuilder();
		foreach (byte octet in Encoding.UTF8.GetBytes(text)) {
			if (octet > 0x20 && octet < 0x7f && octet != '\\')
				made.Append((char)octet);
			else
				made.AppendFormat("\\x{0:X2}", octet);
		}
		return made.ToString();
	}

	// Absent and empty are one for System.Uri, but for the path.
	static string Line(string record)
	{
		Uri url;
		if (!Uri.TryCreate(record, UriKind.Absolute, out url))
			return Refused;
		string path = url.AbsolutePath;
		string host = url.Host.StartsWith("[") ? url.Host.Substring(1, url.Host.Length - 2) : url.IdnHost;
		string port = url.Port < 0 ? "" : url.Port.ToString();
		return string.Join("\t", "accept", "-", Escaped(url.Scheme), Escaped(url.UserInfo), Escaped(host),
			url.IsDefaultPort ? "\\N" : Escaped(port), path == "" ? "" : Escaped(path),
			Escaped(url.Query.Length > 0 ? url.Query.Substring(1) : ""), Escaped(url.Fragment.Length > 0 ? url.Fragment.Substring(1) : ""),
			Escaped(port));
	}

	static string Version()
	{
		var method = Type.GetType("Mono.Runtime").GetMethod("GetDisplayName", BindingFlags.NonPublic | BindingFlags.Static);
		return "Mono " + method.Invoke(null, null);
	}

	static void Main(string[] arguments)
	{
		if (arguments.Length > 0 && arguments[0] == "--version") {
			Console.WriteLine(Version());
			return;
		}
		var data = new MemoryStream();
		Console.OpenStandardInput().CopyTo(data);
		var all = data.ToArray();
		using (var output = new StreamWriter(Console.OpenStandardOutput(), new ASCIIEncoding())) {
			for (int at = 0; at < all.Length;) {
				int end = Array.IndexOf(all, (byte)0, at);
				if (end < 0)
					end = all.Length;
				string answer;
				try {
					answer = Line(Encoding.UTF8.GetString(all, at, end - at));
				} catch (Exception) {
					answer = Refused;
				}
				output.Write(answer + "\n");
				at = end + 1;
			}
		}
	}
}
