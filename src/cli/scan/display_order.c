/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which a text that looks like ASCII is seen, by FriBidi. The names of rules are those of
 * UAX 9. FriBidi 1.0.8 (Debian 12) orders some texts with isolates wrong. So it is given texts without
 * any: the inside of each isolate, from the innermost on, is a paragraph, and in the text around it the
 * ordered isolate is one neutral character. */
#include "cli/scan/seen_text.h"
#include "common/text/library.h"
#include "common/text/output.h"

#define LRE 0x202Au
#define RLO 0x202Eu
#define LRI 0x2066u
#define PDI 0x2069u

/* Controls and the Arabic letter mark, which is seen as little as they are. */
bool is_direction_control(uint32_t point)
{
	return (point >= LRE && point <= RLO) || (point >= LRI && point <= PDI) ||
	       point == 0x200E || point == 0x200F || point == 0x061C;
}

bool is_displayed(uint32_t point)
{
	static const uint32_t hidden[][2] = {
	    {0x00, 0x08},     {0x0E, 0x1B},     {0x7F, 0x9F},
	    {0xAD, 0xAD},     {0x200B, 0x200D}, {0x2060, 0x2065},
	    {0x206A, 0x206F}, {0xFEFF, 0xFEFF}, {0xE0001, 0xE007F}};

	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
		if (point >= hidden[i][0] && point <= hidden[i][1])
			return false;
	}
	return !is_direction_control(point);
}

#ifdef HAVE_FRIBIDI
#include <fribidi.h>

#define RLE 0x202Bu
#define PDF 0x202Cu
#define RLI 0x2067u
#define FSI 0x2068u
#define DEPTH_MOST 125u /* BD2 */

#define ORDER_FUNCTIONS(X)                                                                         \
	X(fribidi_get_bidi_types)                                                                  \
	X(fribidi_get_par_embedding_levels_ex)                                                     \
	X(fribidi_reorder_line)

static struct {
	ORDER_FUNCTIONS(LIBRARY_POINTER)
} fribidi;

static struct library library = {
    .name = "libfribidi.so.0",
    .package = "libfribidi0",
    .release = "FriBidi 1.0",
    .use = "reading a link's text from right to left",
    .functions = (const char *const[]){ORDER_FUNCTIONS(LIBRARY_NAME) NULL},
};

/* An embedding, override or isolate. One that overflows has the level of the one around it. */
struct opened {
	uint8_t level;
	bool isolates;
	bool overflows;
	uint16_t start; /* of an isolate that does not overflow */
};

/* A line. Its first `kept` characters are done: those of a closed isolate are in order, and are one
 * unit. */
struct line {
	uint32_t *point;
	size_t count;
	size_t kept;
	FriBidiCharType type[SEEN_TEXT_MOST];
	uint16_t length[SEEN_TEXT_MOST]; /* of the unit that starts here */
	struct opened stack[SEEN_TEXT_MOST + 1];
	size_t top;
	size_t isolates; /* on the stack */
};

static bool is_isolate(uint32_t point)
{
	return point >= LRI && point <= FSI;
}

/* Keeps a character. The marks of isolates are neutral, and so is white space, which would move only
 * where lines break (L1). */
static void keep(struct line *line, size_t i)
{
	const FriBidiCharType type = line->type[i];

	line->point[line->kept] = line->point[i];
	line->type[line->kept] = FRIBIDI_IS_NEUTRAL(type) ? FRIBIDI_TYPE_ON : type;
	line->length[line->kept++] = 1;
}

/* Orders the units from `start` on as a paragraph. Returns false if there is no memory. */
static bool order(struct line *line, size_t start, bool right_to_left)
{
	FriBidiParType direction = right_to_left ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
	FriBidiCharType type[SEEN_TEXT_MOST];
	FriBidiLevel levels[SEEN_TEXT_MOST];
	FriBidiStrIndex map[SEEN_TEXT_MOST], units = 0;
	uint16_t from[SEEN_TEXT_MOST];
	uint32_t seen[SEEN_TEXT_MOST];
	size_t written = 0;

	for (size_t at = start; at < line->kept; at += line->length[at]) {
		from[units] = (uint16_t)at;
		type[units] = line->type[at];
		map[units] = units;
		units++;
	}
	if (units == 0)
		return true;
	if (fribidi.fribidi_get_par_embedding_levels_ex(type, NULL, units, &direction, levels) ==
		0 ||
	    fribidi.fribidi_reorder_line(0, type, units, 0, direction, levels, NULL, map) == 0)
		return complain("no memory to order text");
	for (FriBidiStrIndex k = 0; k < units; k++) {
		const size_t at = from[map[k]];

		memcpy(seen + written, line->point + at, line->length[at] * sizeof *seen);
		written += line->length[at];
	}
	memcpy(line->point + start, seen, written * sizeof *seen);
	return true;
}

/* P2 and P3, for the isolate at `i` whose direction is that of its first letter. */
static bool is_first_right_to_left(const struct line *line, size_t i)
{
	size_t depth = 1;

	while (++i < line->count && depth > 0) {
		if (depth == 1 && FRIBIDI_IS_LETTER(line->type[i]))
			return FRIBIDI_IS_RTL(line->type[i]);
		depth += is_isolate(line->point[i]);
		depth -= line->point[i] == PDI;
	}
	return false;
}

/* X2 to X5c. What overflows stays in the text around it: an embedding without, and an isolate with
 * both its ends, which are neutral characters. */
static void open_at(struct line *line, size_t i)
{
	const uint32_t point = line->point[i];
	const struct opened around = line->stack[line->top];
	const bool right_to_left = point == RLE || point == RLO || point == RLI ||
				   (point == FSI && is_first_right_to_left(line, i));
	const unsigned next = right_to_left ? (around.level + 1u) | 1u : (around.level + 2u) & ~1u;
	struct opened inside = {around.level, is_isolate(point), true, (uint16_t)line->kept};

	if (!around.overflows && next <= DEPTH_MOST) {
		inside.level = (uint8_t)next;
		inside.overflows = false;
	}
	if (inside.isolates || !inside.overflows)
		keep(line, i);
	line->stack[++line->top] = inside;
	line->isolates += inside.isolates;
}

/* X6a: closes the innermost isolate, and the embeddings in it, at its end or that of the line. */
static bool close_isolate(struct line *line, size_t i)
{
	struct opened inside;

	do
		inside = line->stack[line->top--];
	while (!inside.isolates);
	line->isolates--;
	if (inside.overflows) {
		if (i < line->count)
			keep(line, i);
		return true;
	}
	if (!order(line, inside.start + 1u, inside.level % 2 == 1))
		return false;
	line->length[inside.start] = (uint16_t)(line->kept - inside.start);
	return true;
}

/* X1 to X8. */
static bool put(struct line *line, size_t i)
{
	const uint32_t point = line->point[i];

	if (point == PDI && line->isolates > 0)
		return close_isolate(line, i);
	if (point == PDF) { /* X7 */
		const struct opened *inside = &line->stack[line->top];

		line->top -= line->top > 0 && !inside->isolates;
		if (inside != &line->stack[line->top] && !inside->overflows)
			keep(line, i);
	} else if (is_isolate(point) || (point >= LRE && point <= RLO)) {
		open_at(line, i);
	} else if (is_displayed(point) || is_direction_control(point)) {
		keep(line, i);
	}
	return true;
}

bool display_order(uint32_t point[SEEN_TEXT_MOST], size_t *count, bool right_to_left)
{
	struct line line = {.point = point, .count = *count, .stack[0].level = right_to_left};
	bool is_done = library_open(&library, &fribidi);

	if (is_done)
		fribidi.fribidi_get_bidi_types(point, (FriBidiStrIndex)*count, line.type);
	for (size_t i = 0; i < *count && is_done; i++)
		is_done = put(&line, i);
	while (line.isolates > 0 && is_done)
		is_done = close_isolate(&line, line.count);
	is_done = is_done && order(&line, 0, right_to_left);
	*count = 0;
	for (size_t i = 0; i < line.kept; i++) {
		if (!is_direction_control(point[i]))
			point[(*count)++] = point[i];
	}
	return is_done;
}

#else

bool display_order(uint32_t point[SEEN_TEXT_MOST], size_t *count, bool right_to_left)
{
	static bool is_said;

	(void)point;
	(void)count;
	(void)right_to_left;
	if (!is_said)
		complain("this build reads no link's text from right to left: install the Debian "
			 "package libfribidi-dev and build again");
	is_said = true;
	return false;
}

#endif
