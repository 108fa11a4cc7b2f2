/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of whole texts. What cannot be decoded is an error; nothing is guessed. */
#include "uri/unescape.h"

#include "text/out.h"
#include "text/utf8.h"

/* Readers split a text into escaped and raw runs and decode each run separately. So the octets of a
 * character must be all raw or all escaped. */
struct character urivet_character_at(struct text t, uint32_t at)
{
	const struct unit u = decode(t, at);
	struct character c = {URIVET_DECODED, u.next};
	struct utf8 sequence;
	if (u.value == '%' && !u.escaped)
		c.how = URIVET_DECODED_BAD_ESCAPE;
	if (u.value == 0)
		c.how = URIVET_DECODED_NUL;
	if (u.value < 0x80)
		return c;
	urivet_utf8(t, at, u.escaped, &sequence);
	if (sequence.form != UTF8_VALID ||
	    (!u.escaped && sequence.next - at != sequence.octets))
		c.how = URIVET_DECODED_NOT_UTF8;
	else
		c.next = sequence.next;
	return c;
}

/* Writes the decoded units of one character. */
/*@ requires writable(o) && readable(t) && at < next <= t.end;
    requires o->length + (next - at) <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + (next - at); */
static void put_units(struct out *o, struct text t, uint32_t at, uint32_t next, bool form)
{
	/*@ loop invariant writable(o) && \at(at, Pre) <= at <= t.end;
	    loop invariant at > next ==> next == t.end;
	    loop invariant \at(o->length, Pre) <= o->length;
	    loop invariant o->length + (next - at) <= \at(o->length, Pre) + (next - \at(at, Pre));
	    loop assigns at, WRITTEN(o);
	    loop variant t.end - at; */
	while (at < next) {
		const struct unit u = form ? form_unit(until(t, next), at) : decode(until(t, next), at);
		put(o, u.value);
		at = u.next;
	}
}

/* Decodes t up to the first character that cannot be decoded. Returns its offset, or the end. */
/*@ requires writable(o) && readable(t) && \valid(how) && o->length == 0;
    requires \separated(o, how, o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o), *how;
    ensures writable(o) && \result <= t.end && o->length <= \result;
    ensures *how == URIVET_DECODED ==> \result == t.end; */
static uint32_t decode_text(struct out *o, struct text t, bool form, enum urivet_decoded *how)
{
	uint32_t at = 0;
	*how = URIVET_DECODED;
	/*@ loop invariant writable(o) && at <= t.end && o->length <= at;
	    loop invariant *how == URIVET_DECODED;
	    loop assigns at, WRITTEN(o), *how;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct character c = urivet_character_at(t, at);
		if (c.how != URIVET_DECODED) {
			*how = c.how;
			return at;
		}
		put_units(o, t, at, c.next, form);
		at = c.next;
	}
	return at;
}

/*@ requires \valid(out + (0 .. capacity - 1));
    requires how == \null || \valid(how);
    requires fault == \null || \valid(fault);
    requires \separated(how, fault, out + (0 .. capacity - 1));
    assigns out[0 .. capacity - 1], *how, *fault; */
size_t urivet_decode(char *out, size_t capacity, struct urivet_text text,
		     enum urivet_coding coding, enum urivet_decoded *how, size_t *fault)
{
	struct out o = {out, capacity, 0};
	enum urivet_decoded came = URIVET_UNDECODED;
	const size_t length = text.data != NULL ? text.length : 0;
	const bool form = coding == URIVET_CODING_FORM;
	if (length <= URIVET_MAX_LENGTH && (form || coding == URIVET_CODING_PERCENT)) {
		const uint32_t end =
		    decode_text(&o, text_of(text.data, (uint32_t)length), form, &came);
		if (came != URIVET_DECODED) {
			o.length = 0;
			if (fault != NULL)
				*fault = end;
		}
	}
	if (how != NULL)
		*how = came;
	return put_end(&o);
}
