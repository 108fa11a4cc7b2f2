/* SPDX-License-Identifier: Apache-2.0 */
/* The bidirectional algorithm (UAX 9) for a line of text that looks like ASCII. The names of rules are
 * those of UAX 9. No library of Debian 12 but ICU, which is large, orders unmatched isolates right. */
#include "cli/scan/seen_text.h"

/* BD2 */
#define DEPTH_MOST 125u

enum direction_class {
	CLASS_L,
	CLASS_R,
	CLASS_AL,
	CLASS_EN,
	CLASS_ES,
	CLASS_ET,
	CLASS_AN,
	CLASS_CS,
	CLASS_ON, /* and white space */
	CLASS_BN,
	CLASS_LRE,
	CLASS_RLE,
	CLASS_LRO,
	CLASS_RLO,
	CLASS_PDF,
	CLASS_LRI,
	CLASS_RLI,
	CLASS_FSI,
	CLASS_PDI
};

/* The classes of ASCII, of what looks like it, and of what is not seen. What is in no row is a letter
 * from left to right. Full-width forms have the class of their ASCII. */
static const struct {
	uint32_t first;
	uint32_t last;
	enum direction_class class_;
} classes[] = {
    {0x00, 0x08, CLASS_BN},      {0x09, 0x0D, CLASS_ON},     {0x0E, 0x1B, CLASS_BN},
    {0x1C, 0x22, CLASS_ON},      {'#', '%', CLASS_ET},       {'&', '*', CLASS_ON},
    {'+', '+', CLASS_ES},        {',', ',', CLASS_CS},       {'-', '-', CLASS_ES},
    {'.', '/', CLASS_CS},        {'0', '9', CLASS_EN},       {':', ':', CLASS_CS},
    {';', '@', CLASS_ON},        {'[', '`', CLASS_ON},       {'{', '~', CLASS_ON},
    {0x7F, 0x9F, CLASS_BN},      {0xAD, 0xAD, CLASS_BN},     {0x061C, 0x061C, CLASS_AL},
    {0x0701, 0x0702, CLASS_AL},  {0x200B, 0x200D, CLASS_BN}, {0x200F, 0x200F, CLASS_R},
    {0x2010, 0x2024, CLASS_ON},  {0x202A, 0x202A, CLASS_LRE}, {0x202B, 0x202B, CLASS_RLE},
    {0x202C, 0x202C, CLASS_PDF}, {0x202D, 0x202D, CLASS_LRO}, {0x202E, 0x202E, CLASS_RLO},
    {0x2044, 0x2044, CLASS_CS},  {0x2060, 0x2065, CLASS_BN}, {0x2066, 0x2066, CLASS_LRI},
    {0x2067, 0x2067, CLASS_RLI}, {0x2068, 0x2068, CLASS_FSI}, {0x2069, 0x2069, CLASS_PDI},
    {0x206A, 0x206F, CLASS_BN},  {0x2212, 0x2212, CLASS_ES}, {0x2215, 0x2236, CLASS_ON},
    {0x2571, 0x2571, CLASS_ON},  {0x29F8, 0x29F8, CLASS_ON}, {0x3002, 0x3002, CLASS_ON},
    {0xFE52, 0xFE55, CLASS_CS},  {0xFE63, 0xFE63, CLASS_ES}, {0xFE6B, 0xFE6B, CLASS_ON},
    {0xFEFF, 0xFEFF, CLASS_BN},  {0xFF61, 0xFF61, CLASS_ON}, {0x1D7CE, 0x1D7FF, CLASS_EN},
    {0xE0001, 0xE007F, CLASS_BN},
};

static enum direction_class class_of(uint32_t point)
{
	if (point >= 0xFF01 && point <= 0xFF5E)
		point -= 0xFEE0;
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
		if (point >= classes[i].first && point <= classes[i].last)
			return classes[i].class_;
	}
	return CLASS_L;
}

/* Controls and the Arabic letter mark, which is seen as little as they are. */
bool is_direction_control(uint32_t point)
{
	return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
	       point == 0x200E || point == 0x200F || point == 0x061C;
}

static bool is_isolate(enum direction_class class_)
{
	return class_ == CLASS_LRI || class_ == CLASS_RLI || class_ == CLASS_FSI;
}

/* X9: these take no part in the order. */
static bool is_removed(enum direction_class class_)
{
	return class_ >= CLASS_BN && class_ <= CLASS_PDF;
}

bool is_displayed(uint32_t point)
{
	return !is_direction_control(point) && !is_removed(class_of(point));
}

/* A line. */
struct line {
	size_t count;
	enum direction_class class_[SEEN_TEXT_MOST]; /* as given, then as resolved */
	uint8_t level[SEEN_TEXT_MOST];               /* of its embedding */
	uint8_t order[SEEN_TEXT_MOST];               /* the resolved level */
	uint16_t match[SEEN_TEXT_MOST]; /* BD9: of isolates and their ends, else the own index */
	bool done[SEEN_TEXT_MOST];      /* is part of a sequence that was resolved */
	uint16_t sequence[SEEN_TEXT_MOST];
	size_t length; /* of the sequence */
	uint8_t base;
};

/* BD9. */
static void match_isolates(struct line *line)
{
	size_t open = 0;

	for (size_t i = 0; i < line->count; i++) {
		line->match[i] = (uint16_t)i;
		if (is_isolate(line->class_[i])) {
			line->sequence[open++] = (uint16_t)i;
		} else if (line->class_[i] == CLASS_PDI && open > 0) {
			line->match[i] = line->sequence[--open];
			line->match[line->sequence[open]] = (uint16_t)i;
		}
	}
}

/* P2 and P3, for an isolate whose direction is that of its first letter. */
static bool is_first_right_to_left(const struct line *line, size_t from)
{
	const size_t end = line->match[from] > from ? line->match[from] : line->count;

	for (size_t i = from + 1; i < end; i++) {
		if (is_isolate(line->class_[i]) && line->match[i] > i)
			i = line->match[i];
		else if (is_isolate(line->class_[i]))
			return false;
		else if (line->class_[i] <= CLASS_AL)
			return line->class_[i] != CLASS_L;
	}
	return false;
}

/* An embedding, override or isolate. One that overflows has the level of the one around it. */
struct status {
	uint8_t level;
	uint8_t override; /* CLASS_L, CLASS_R or CLASS_ON */
	bool isolates;
	bool overflows;
};

/* X2 to X5c. Returns what is in it. */
static struct status inside(struct status around, bool right_to_left, enum direction_class override,
			    bool isolates)
{
	const unsigned next =
	    right_to_left ? (around.level + 1u) | 1u : (around.level + 2u) & ~1u;

	if (around.overflows || next > DEPTH_MOST)
		return (struct status){around.level, around.override, isolates, true};
	return (struct status){(uint8_t)next, (uint8_t)override, isolates, false};
}

/* X1 to X8. */
static void set_levels(struct line *line)
{
	struct status stack[SEEN_TEXT_MOST + 1] = {{line->base, CLASS_ON, false, false}};
	size_t top = 0, isolates = 0;

	for (size_t i = 0; i < line->count; i++) {
		const enum direction_class class_ = line->class_[i];
		const bool embeds = class_ >= CLASS_LRE && class_ <= CLASS_RLO;

		if (class_ == CLASS_PDI && isolates > 0) { /* X6a */
			while (!stack[top--].isolates)
				continue;
			isolates--;
		} else if (class_ == CLASS_PDF && top > 0 && !stack[top].isolates) { /* X7 */
			top--;
		}
		line->level[i] = stack[top].level;
		if (class_ < CLASS_BN && stack[top].override != CLASS_ON) /* X6 */
			line->class_[i] = stack[top].override;
		if (!embeds && !is_isolate(class_))
			continue;
		stack[top + 1] = inside(stack[top],
					class_ == CLASS_RLE || class_ == CLASS_RLO ||
					    class_ == CLASS_RLI ||
					    (class_ == CLASS_FSI && is_first_right_to_left(line, i)),
					class_ == CLASS_LRO   ? CLASS_L
					: class_ == CLASS_RLO ? CLASS_R
							      : CLASS_ON,
					!embeds);
		top++;
		isolates += !embeds;
	}
}

/* Returns the first character from `i` on that takes part in the order, or the end. */
static size_t skip_removed(const struct line *line, size_t i)
{
	while (i < line->count && is_removed(line->class_[i]))
		i++;
	return i;
}

/* Returns where the sequence goes on after `i`: with the next character of its level run, or, if an
 * isolate ends the run, with the end of the isolate; else the end of the line. */
static size_t following(const struct line *line, size_t i)
{
	const size_t next = skip_removed(line, i + 1);

	if (next < line->count && line->level[next] == line->level[i])
		return next;
	return is_isolate(line->class_[i]) && line->match[i] > i ? line->match[i] : line->count;
}

static enum direction_class *class_at(struct line *line, size_t k)
{
	return &line->class_[line->sequence[k]];
}

/* W2 to W4, of a sequence between `start` and the end. */
static void resolve_weak(struct line *line, enum direction_class start)
{
	enum direction_class strong = start;

	for (size_t k = 0; k < line->length; k++) {
		enum direction_class *class_ = class_at(line, k);

		if (*class_ <= CLASS_AL)
			strong = *class_;
		if (*class_ == CLASS_AL)
			*class_ = CLASS_R;
		else if (*class_ == CLASS_EN && strong == CLASS_AL)
			*class_ = CLASS_AN;
	}
	for (size_t k = 1; k + 1 < line->length; k++) {
		enum direction_class *class_ = class_at(line, k);
		const enum direction_class before = *class_at(line, k - 1);

		if (before == *class_at(line, k + 1) &&
		    ((before == CLASS_EN && (*class_ == CLASS_ES || *class_ == CLASS_CS)) ||
		     (before == CLASS_AN && *class_ == CLASS_CS)))
			*class_ = before;
	}
}

/* W5 to W7: terminators beside European numbers belong to them, and numbers after a letter from left
 * to right to that. Other terminators and separators are as neutral as the rest. */
static void resolve_numbers(struct line *line, enum direction_class start)
{
	enum direction_class strong = start;
	size_t end = 0;

	for (size_t k = 0; k < line->length; k = end + (end == k)) {
		bool beside;

		end = k;
		while (end < line->length && *class_at(line, end) == CLASS_ET)
			end++;
		beside = (k > 0 && *class_at(line, k - 1) == CLASS_EN) ||
			 (end < line->length && *class_at(line, end) == CLASS_EN);
		for (size_t i = k; i < end && beside; i++)
			*class_at(line, i) = CLASS_EN;
	}
	for (size_t k = 0; k < line->length; k++) {
		enum direction_class *class_ = class_at(line, k);

		if (*class_ <= CLASS_R)
			strong = *class_;
		else if (*class_ == CLASS_EN && strong == CLASS_L)
			*class_ = CLASS_L;
	}
}

/* Returns the direction of a strong character or number; for others, CLASS_ON. */
static enum direction_class direction_of(enum direction_class class_)
{
	if (class_ == CLASS_L)
		return CLASS_L;
	return class_ == CLASS_R || class_ == CLASS_EN || class_ == CLASS_AN ? CLASS_R : CLASS_ON;
}

/* N1 and N2: neutrals between characters of one direction have that direction, others that of their
 * level. I1 and I2: raises the levels. */
static void resolve_neutrals(struct line *line, enum direction_class start,
			     enum direction_class stop)
{
	const uint8_t level = line->level[line->sequence[0]];
	const enum direction_class embedding = level % 2 == 0 ? CLASS_L : CLASS_R;
	enum direction_class before = start;
	size_t end = 0;

	for (size_t k = 0; k < line->length; k = end + 1) {
		enum direction_class after;

		end = k;
		while (end < line->length && direction_of(*class_at(line, end)) == CLASS_ON)
			end++;
		after = end < line->length ? direction_of(*class_at(line, end)) : stop;
		for (size_t i = k; i < end; i++)
			*class_at(line, i) = before == after ? before : embedding;
		before = after;
	}
	for (size_t k = 0; k < line->length; k++) {
		const enum direction_class class_ = *class_at(line, k);
		const bool is_number = class_ != CLASS_L && class_ != CLASS_R;

		line->order[line->sequence[k]] =
		    (uint8_t)(level + (class_ != embedding) + (is_number && level % 2 == 0));
	}
}

/* X10: returns the direction of the higher level: of the sequence, or of the character before or after
 * it. An isolate without an end goes to the end of the line. */
static enum direction_class outside(const struct line *line, uint8_t level, size_t i, bool after)
{
	uint8_t other = line->base;

	if (after) {
		const size_t next = skip_removed(line, i + 1);

		if (!is_isolate(line->class_[i]) && next < line->count)
			other = line->level[next];
	} else {
		while (i > 0 && is_removed(line->class_[i - 1]))
			i--;
		if (i > 0)
			other = line->level[i - 1];
	}
	return (level > other ? level : other) % 2 == 0 ? CLASS_L : CLASS_R;
}

/* BD13: resolves each sequence of level runs. */
static void resolve(struct line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		const uint8_t level = line->level[i];
		enum direction_class start, stop;

		if (line->done[i] || is_removed(line->class_[i]))
			continue;
		line->length = 0;
		for (size_t at = i; at < line->count; at = following(line, at)) {
			line->sequence[line->length++] = (uint16_t)at;
			line->done[at] = true;
		}
		start = outside(line, level, i, false);
		stop = outside(line, level, line->sequence[line->length - 1], true);
		resolve_weak(line, start);
		resolve_numbers(line, start);
		resolve_neutrals(line, start, stop);
	}
}

/* L2. */
static void reorder(uint32_t *point, uint8_t *order, size_t count)
{
	for (unsigned level = DEPTH_MOST + 1; level > 0; level--) {
		size_t end = 0;

		for (size_t from = 0; from < count; from = end + 1) {
			end = from;
			while (end < count && order[end] >= level)
				end++;
			for (size_t a = from, b = end; a + 1 < b; a++) {
				const uint32_t last = point[--b];
				const uint8_t of = order[b];

				point[b] = point[a];
				order[b] = order[a];
				point[a] = last;
				order[a] = of;
			}
		}
	}
}

size_t display_order(uint32_t point[SEEN_TEXT_MOST], size_t count, bool right_to_left)
{
	struct line line = {.count = count, .base = right_to_left ? 1 : 0};
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		line.class_[i] = class_of(point[i]);
	match_isolates(&line);
	set_levels(&line);
	resolve(&line);
	for (size_t i = 0; i < count; i++) {
		if (is_removed(line.class_[i]))
			continue;
		point[kept] = point[i];
		line.order[kept++] = line.order[i];
	}
	reorder(point, line.order, kept);
	count = 0;
	for (size_t i = 0; i < kept; i++) {
		if (!is_direction_control(point[i]))
			point[count++] = point[i];
	}
	return count;
}
