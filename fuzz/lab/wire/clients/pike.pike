// SPDX-License-Identifier: Apache-2.0
// Pike's Protocols.HTTP.
constant TIMEOUT = 3;	// seconds

int main(int argc, array(string) argv)
{
	if (argc == 2 && argv[1] == "--version") {
		write("%s\n", version());
		return 0;
	}
	string url = "";
	for (string octet = Stdio.stdin->read(1); sizeof(octet); octet = Stdio.stdin->read(1)) {
		if (octet != "\0") {
			url += octet;
			continue;
		}
		write("%s\n", answer(url));
		url = "";
	}
	return 0;
}

// In a thread of its own, because the timeout of a Query is for connecting alone.
string answer(string url)
{
	Thread.Queue answers = Thread.Queue();
	Thread.Thread(lambda() { answers->write(fetch(url)); });
	for (int waited = 0; waited < TIMEOUT * 200 && !answers->size(); waited++)
		sleep(0.005);
	return answers->try_read() || "! no answer in time";
}

string fetch(string url)
{
	mixed trouble = catch {
		Protocols.HTTP.Query query = Protocols.HTTP.do_method("GET", url, 0, 0);
		return query && query->status ? (string) query->status : "! no answer";
	};
	return "! " + replace(describe_error(trouble), "\n", " ");
}
