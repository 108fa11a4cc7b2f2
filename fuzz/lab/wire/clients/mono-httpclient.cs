// SPDX-License-Identifier: Apache-2.0
// .NET's HttpClient, as Mono has it.
using System;
using System.Net.Http;

static class Client {
	static void Main(string[] arguments)
	{
		var handler = new HttpClientHandler { AllowAutoRedirect = false, UseProxy = false };
		var client = new HttpClient(handler) { Timeout = TimeSpan.FromMilliseconds(Adapter.Patience) };
		Adapter.Serve(arguments, "HttpClient of " + Adapter.Mono(), url => {
			using (var response = client.GetAsync(url).Result)
				return (int)response.StatusCode;
		});
	}
}
