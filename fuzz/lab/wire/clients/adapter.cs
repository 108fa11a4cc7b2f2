// SPDX-License-Identifier: Apache-2.0
// What the C# clients share: URLs in, each ended by NUL; a line with the status or the error out.
using System;
using System.IO;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

static class Adapter {
	public const int Patience = 3000; // ms; what a client is told
	const int Limit = 3500; // ms; whatever it was told, the line is written by then

	static string Described(Exception error)
	{
		while (error is AggregateException && error.InnerException != null)
			error = error.InnerException;
		string message = error.GetType().Name + ": " + error.Message;
		if (error.InnerException != null)
			message += ": " + error.InnerException.Message;
		return "! " + Regex.Replace(message, "[^ -~]+", " ");
	}

	static string Answer(Func<string, int> fetch, string url)
	{
		var answer = Task.Run(() => fetch(url));
		try {
			if (!answer.Wait(Limit))
				return "! timeout";
			return answer.Result >= 100 ? answer.Result.ToString() : "! no status";
		} catch (Exception error) {
			return Described(error);
		}
	}

	// The next URL; null at the end.
	static string Next(Stream input)
	{
		var url = new MemoryStream();
		int octet;
		while ((octet = input.ReadByte()) > 0)
			url.WriteByte((byte)octet);
		return octet < 0 ? null : Encoding.UTF8.GetString(url.ToArray());
	}

	// Gives each URL to fetch, which answers with the status or throws.
	public static void Serve(string[] arguments, string version, Func<string, int> fetch)
	{
		if (arguments.Length > 0 && arguments[0] == "--version") {
			Console.WriteLine(version);
			return;
		}
		var input = new BufferedStream(Console.OpenStandardInput());
		for (string url; (url = Next(input)) != null;) {
			Console.Out.Write(Answer(fetch, url) + "\n");
			Console.Out.Flush();
		}
		Environment.Exit(0);
	}

	// Of Mono, which tells it to nobody but itself.
	public static string Mono()
	{
		var name = Type.GetType("Mono.Runtime").GetMethod("GetDisplayName",
			System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static);
		return "Mono " + ((string)name.Invoke(null, null)).Split(' ')[0];
	}
}
