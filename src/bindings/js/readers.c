/* SPDX-License-Identifier: Apache-2.0 */
/* Readers, whose tables are a third of the module of the site: put after wasm.c. */

/* Reads a text as one reader does. Words: 1 if it reads the text, kind of the host, port, 1 if the
 * host is taken for an IPv4 address, four words of the address, and the components as in a report.
 * Their offsets are of `out` if the result, a length, is above 0, and of the text if not. */
uint32_t JS(js_read_as)(uint32_t reader, const void *data, size_t length, char *out,
			size_t capacity)
{
	struct urivet_reading reading;
	words[0] = urivet_read_as(&reading, (enum urivet_reader)reader, data, length, out,
				  capacity);
	words[1] = reading.uri.host_kind;
	words[2] = reading.uri.port;
	words[3] = reading.uri.has_ipv4;
	memcpy(words + 4, reading.uri.address, sizeof reading.uri.address);
	words[WORD_PRESENT] = reading.uri.present;
	memcpy(words + WORD_COMPONENTS, reading.uri.part, sizeof reading.uri.part);
	return reading.written;
}

/* Words: the two readers that disagree, if the result is 1. */
uint32_t JS(js_readers_disagree)(const void *data, size_t length, char *buffer, size_t capacity)
{
	enum urivet_reader pair[2] = {URIVET_READER_RFC3986, URIVET_READER_RFC3986};
	const bool disagree = urivet_readers_disagree(urivet_text_of(data, length), buffer,
						      capacity, pair, NULL, NULL);
	words[0] = pair[0];
	words[1] = pair[1];
	return disagree;
}
