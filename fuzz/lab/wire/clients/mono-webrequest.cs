// SPDX-License-Identifier: Apache-2.0
// .NET's HttpWebRequest, as Mono has it.
using System.IO;
using System.Net;

static class Client {
	static int Fetch(string url)
	{
		var request = (HttpWebRequest)WebRequest.Create(url);
		request.AllowAutoRedirect = false;
		request.Proxy = null;
		request.Timeout = request.ReadWriteTimeout = Adapter.Patience;
		using (var response = (HttpWebResponse)request.GetResponse()) {
			response.GetResponseStream().CopyTo(Stream.Null);
			return (int)response.StatusCode;
		}
	}

	static void Main(string[] arguments)
	{
		Adapter.Serve(arguments, "HttpWebRequest of " + Adapter.Mono(), Fetch);
	}
}
