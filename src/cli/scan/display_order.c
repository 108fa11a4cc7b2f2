/* SPDX-License-Identifier: Apache-2.0 */
/* The bidirectional algorithm (UAX 9) for a line of text. The names of rules are those of UAX 9. The
 * classes of characters are those of scripts, digits and marks that occur in names and URLs. */
#include "cli/scan/display_order.h"
#include "common/text/octets.h"

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
	CLASS_NSM,
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

/* In ascending order. What is in no row is a letter from left to right. */
static const struct {
	uint32_t first;
	uint32_t last;
	enum direction_class class_;
} classes[] = {
    {0x00, 0x08, CLASS_BN},       {0x09, 0x0D, CLASS_ON},       {0x0E, 0x1B, CLASS_BN},
    {0x1C, 0x22, CLASS_ON},       {0x23, 0x25, CLASS_ET},       {0x26, 0x2A, CLASS_ON},
    {'+', '+', CLASS_ES},         {',', ',', CLASS_CS},         {'-', '-', CLASS_ES},
    {'.', '/', CLASS_CS},         {'0', '9', CLASS_EN},         {':', ':', CLASS_CS},
    {';', '@', CLASS_ON},         {'[', '`', CLASS_ON},         {'{', '~', CLASS_ON},
    {0x7F, 0x9F, CLASS_BN},       {0xA0, 0xA0, CLASS_CS},       {0xA1, 0xA1, CLASS_ON},
    {0xA2, 0xA5, CLASS_ET},       {0xA6, 0xA9, CLASS_ON},       {0xAB, 0xAC, CLASS_ON},
    {0xAD, 0xAD, CLASS_BN},       {0xAE, 0xAF, CLASS_ON},       {0xB0, 0xB1, CLASS_ET},
    {0xB2, 0xB3, CLASS_EN},       {0xB4, 0xB4, CLASS_ON},       {0xB6, 0xB8, CLASS_ON},
    {0xB9, 0xB9, CLASS_EN},       {0xBB, 0xBF, CLASS_ON},       {0x0300, 0x036F, CLASS_NSM},
    {0x0590, 0x0590, CLASS_R},    {0x0591, 0x05BD, CLASS_NSM},  {0x05BE, 0x05FF, CLASS_R},
    {0x0600, 0x0605, CLASS_AN},   {0x0606, 0x060B, CLASS_ON},   {0x060C, 0x060C, CLASS_CS},
    {0x060D, 0x060F, CLASS_ON},   {0x0610, 0x061A, CLASS_NSM},  {0x061B, 0x064A, CLASS_AL},
    {0x064B, 0x065F, CLASS_NSM},  {0x0660, 0x0669, CLASS_AN},   {0x066A, 0x066A, CLASS_ET},
    {0x066B, 0x066C, CLASS_AN},   {0x066D, 0x066F, CLASS_AL},   {0x0670, 0x0670, CLASS_NSM},
    {0x0671, 0x06D5, CLASS_AL},   {0x06D6, 0x06DC, CLASS_NSM},  {0x06DD, 0x06DD, CLASS_AN},
    {0x06DE, 0x06EF, CLASS_AL},   {0x06F0, 0x06F9, CLASS_EN},   {0x06FA, 0x07BF, CLASS_AL},
    {0x07C0, 0x085F, CLASS_R},    {0x0860, 0x08FF, CLASS_AL},   {0x2000, 0x200A, CLASS_ON},
    {0x200B, 0x200D, CLASS_BN},   {0x200F, 0x200F, CLASS_R},    {0x2010, 0x2029, CLASS_ON},
    {0x202A, 0x202A, CLASS_LRE},  {0x202B, 0x202B, CLASS_RLE},  {0x202C, 0x202C, CLASS_PDF},
    {0x202D, 0x202D, CLASS_LRO},  {0x202E, 0x202E, CLASS_RLO},  {0x202F, 0x202F, CLASS_CS},
    {0x2030, 0x2034, CLASS_ET},   {0x2035, 0x2043, CLASS_ON},   {0x2044, 0x2044, CLASS_CS},
    {0x2045, 0x205F, CLASS_ON},   {0x2060, 0x2065, CLASS_BN},   {0x2066, 0x2066, CLASS_LRI},
    {0x2067, 0x2067, CLASS_RLI},  {0x2068, 0x2068, CLASS_FSI},  {0x2069, 0x2069, CLASS_PDI},
    {0x206A, 0x206F, CLASS_BN},   {0x2070, 0x2079, CLASS_EN},   {0x2080, 0x2089, CLASS_EN},
    {0x20A0, 0x20CF, CLASS_ET},   {0x2190, 0x2335, CLASS_ON},   {0x2500, 0x26AB, CLASS_ON},
    {0x29F8, 0x29F8, CLASS_ON},   {0x3000, 0x3004, CLASS_ON},   {0x3008, 0x3020, CLASS_ON},
    {0xA788, 0xA788, CLASS_ON},   {0xFB1D, 0xFB4F, CLASS_R},    {0xFB50, 0xFDFF, CLASS_AL},
    {0xFE00, 0xFE0F, CLASS_NSM},  {0xFE10, 0xFE51, CLASS_ON},   {0xFE52, 0xFE52, CLASS_CS},
    {0xFE54, 0xFE54, CLASS_ON},   {0xFE55, 0xFE55, CLASS_CS},   {0xFE62, 0xFE63, CLASS_ES},
    {0xFE6B, 0xFE6B, CLASS_ON},   {0xFE70, 0xFEFE, CLASS_AL},   {0xFEFF, 0xFEFF, CLASS_BN},
    {0xFF01, 0xFF02, CLASS_ON},   {0xFF03, 0xFF05, CLASS_ET},   {0xFF06, 0xFF0A, CLASS_ON},
    {0xFF0B, 0xFF0B, CLASS_ES},   {0xFF0C, 0xFF0C, CLASS_CS},   {0xFF0D, 0xFF0D, CLASS_ES},
    {0xFF0E, 0xFF0F, CLASS_CS},   {0xFF10, 0xFF19, CLASS_EN},   {0xFF1A, 0xFF1A, CLASS_CS},
    {0xFF1B, 0xFF20, CLASS_ON},   {0x10800, 0x10CFF, CLASS_R},  {0x10D00, 0x10D3F, CLASS_AL},
    {0x10D40, 0x10FFF, CLASS_R},  {0x1D7CE, 0x1D7FF, CLASS_EN}, {0x1E800, 0x1EFFF, CLASS_R},
    {0xE0001, 0xE007F, CLASS_BN},
};

/* Controls and the Arabic letter mark, which is seen as little as they are. */
bool is_direction_control(uint32_t point)
{
	return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
	       point == 0x200E || point == 0x200F || point == 0x061C;
}

static enum direction_class class_of(uint32_t point)
{
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
		if (point >= classes[i].first && point <= classes[i].last)
			return classes[i].class_;
	}
	return CLASS_L;
}

static bool is_isolate(enum direction_class class_)
{
	return class_ == CLASS_LRI || class_ == CLASS_RLI || class_ == CLASS_FSI;
}

/* X9: these take no part in the order. */
static bool is_removed(enum direction_class class_)
{
	return class_ == CLASS_BN || (class_ >= CLASS_LRE && class_ <= CLASS_PDF);
}

/* A line. */
struct line {
	size_t count;
	enum direction_class class_[DISPLAY_MOST]; /* as given, then as resolved */
	uint8_t level[DISPLAY_MOST];  /* of its embedding */
	uint8_t order[DISPLAY_MOST];  /* the resolved level */
	uint16_t match[DISPLAY_MOST]; /* BD9: of isolates and their ends, else the own index */
	bool done[DISPLAY_MOST];      /* is part of a sequence that was resolved */
	uint16_t sequence[DISPLAY_MOST];
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

/* An embedding, override or isolate. */
struct status {
	uint8_t level;
	uint8_t override; /* CLASS_L, CLASS_R or CLASS_ON */
	bool isolates;
};

struct stack {
	struct status entry[DEPTH_MOST + 2];
	size_t top;
	size_t overflow_isolates;
	size_t overflow_embeddings;
	size_t valid_isolates;
};

/* X2 to X5c: returns true if there is a level for it. */
static bool push(struct stack *stack, bool right_to_left, uint8_t override, bool isolates)
{
	const uint8_t level = stack->entry[stack->top].level;
	const unsigned next = right_to_left ? (level + 1u) | 1u : (level + 2u) & ~1u;

	if (next > DEPTH_MOST || stack->overflow_isolates + stack->overflow_embeddings > 0)
		return false;
	stack->entry[++stack->top] = (struct status){(uint8_t)next, override, isolates};
	return true;
}

static void open_embedding(struct stack *stack, enum direction_class class_)
{
	const bool right_to_left = class_ == CLASS_RLE || class_ == CLASS_RLO;
	const uint8_t override = class_ == CLASS_LRO   ? CLASS_L
				 : class_ == CLASS_RLO ? CLASS_R
						       : CLASS_ON;

	if (!push(stack, right_to_left, override, false) && stack->overflow_isolates == 0)
		stack->overflow_embeddings++;
}

/* X6a. */
static void close_isolate(struct stack *stack)
{
	if (stack->overflow_isolates > 0) {
		stack->overflow_isolates--;
	} else if (stack->valid_isolates > 0) {
		stack->overflow_embeddings = 0;
		while (!stack->entry[stack->top].isolates)
			stack->top--;
		stack->top--;
		stack->valid_isolates--;
	}
}

/* X7. */
static void close_embedding(struct stack *stack)
{
	if (stack->overflow_isolates > 0)
		return;
	if (stack->overflow_embeddings > 0)
		stack->overflow_embeddings--;
	else if (stack->top > 0 && !stack->entry[stack->top].isolates)
		stack->top--;
}

/* X6: gives a character the level of its embedding. */
static void place(struct line *line, const struct stack *stack, size_t i, bool overrides)
{
	const struct status *status = &stack->entry[stack->top];

	line->level[i] = status->level;
	if (overrides && status->override != CLASS_ON)
		line->class_[i] = status->override;
}

static void open_isolate(struct line *line, struct stack *stack, size_t i, bool right_to_left)
{
	place(line, stack, i, false);
	if (push(stack, right_to_left, CLASS_ON, true))
		stack->valid_isolates++;
	else
		stack->overflow_isolates++;
}

/* X1 to X8. */
static void set_levels(struct line *line)
{
	struct stack stack = {.entry = {{line->base, CLASS_ON, false}}};

	for (size_t i = 0; i < line->count; i++) {
		const enum direction_class class_ = line->class_[i];

		if (is_isolate(class_)) {
			open_isolate(line, &stack, i,
				     class_ == CLASS_RLI ||
					 (class_ == CLASS_FSI && is_first_right_to_left(line, i)));
		} else if (class_ == CLASS_PDI) {
			close_isolate(&stack);
			place(line, &stack, i, false);
		} else if (class_ == CLASS_PDF) {
			close_embedding(&stack);
		} else if (class_ >= CLASS_LRE && class_ <= CLASS_RLO) {
			open_embedding(&stack, class_);
		} else {
			place(line, &stack, i, class_ != CLASS_BN);
		}
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

/* BD13: collects the sequence of level runs that begins at `i`. */
static void collect(struct line *line, size_t i)
{
	line->length = 0;
	for (; i < line->count; i = following(line, i)) {
		line->sequence[line->length++] = (uint16_t)i;
		line->done[i] = true;
	}
}

static enum direction_class *class_at(struct line *line, size_t k)
{
	return &line->class_[line->sequence[k]];
}

/* W1 to W3. */
static void resolve_letters(struct line *line, enum direction_class start)
{
	enum direction_class before = start;
	enum direction_class strong = start;

	for (size_t k = 0; k < line->length; k++) {
		enum direction_class *class_ = class_at(line, k);

		if (*class_ == CLASS_NSM)
			*class_ = before;
		before = *class_;
		if (is_isolate(before) || before == CLASS_PDI)
			before = CLASS_ON;
		if (*class_ <= CLASS_AL)
			strong = *class_;
		else if (*class_ == CLASS_EN && strong == CLASS_AL)
			*class_ = CLASS_AN;
	}
	for (size_t k = 0; k < line->length; k++) {
		if (*class_at(line, k) == CLASS_AL)
			*class_at(line, k) = CLASS_R;
	}
}

/* W4: a separator between numbers of one kind is a part of the number. */
static void resolve_separators(struct line *line)
{
	for (size_t k = 1; k + 1 < line->length; k++) {
		enum direction_class *class_ = class_at(line, k);
		const enum direction_class before = *class_at(line, k - 1);

		if (before == *class_at(line, k + 1) &&
		    ((before == CLASS_EN && (*class_ == CLASS_ES || *class_ == CLASS_CS)) ||
		     (before == CLASS_AN && *class_ == CLASS_CS)))
			*class_ = before;
	}
}

/* W5 and W6: terminators beside European numbers belong to them; the rest is neutral. */
static void resolve_terminators(struct line *line)
{
	size_t end = 0;

	for (size_t k = 0; k < line->length; k = end + (end == k)) {
		bool beside;

		end = k;
		while (end < line->length && *class_at(line, end) == CLASS_ET)
			end++;
		beside = (k > 0 && *class_at(line, k - 1) == CLASS_EN) ||
			 (end < line->length && *class_at(line, end) == CLASS_EN);
		for (size_t i = k; i < end; i++)
			*class_at(line, i) = beside ? CLASS_EN : CLASS_ON;
	}
	for (size_t k = 0; k < line->length; k++) {
		if (*class_at(line, k) == CLASS_ES || *class_at(line, k) == CLASS_CS)
			*class_at(line, k) = CLASS_ON;
	}
}

/* W7. */
static void resolve_numbers(struct line *line, enum direction_class start)
{
	enum direction_class strong = start;

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
 * level. */
static void resolve_neutrals(struct line *line, enum direction_class start,
			     enum direction_class stop)
{
	const bool is_left = line->level[line->sequence[0]] % 2 == 0;
	const enum direction_class embedding = is_left ? CLASS_L : CLASS_R;
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
}

/* I1 and I2. */
static void raise_levels(struct line *line)
{
	for (size_t k = 0; k < line->length; k++) {
		const uint8_t level = line->level[line->sequence[k]];
		const enum direction_class class_ = *class_at(line, k);
		uint8_t more = class_ == CLASS_R ? 0 : 1;

		if (level % 2 == 0)
			more = class_ == CLASS_R ? 1 : class_ == CLASS_L ? 0 : 2;
		line->order[line->sequence[k]] = (uint8_t)(level + more);
	}
}

/* X10: the level of the character before the sequence, or that of the line. */
static uint8_t level_before(const struct line *line, size_t i)
{
	while (i > 0 && is_removed(line->class_[i - 1]))
		i--;
	return i > 0 ? line->level[i - 1] : line->base;
}

/* The same after the sequence. An isolate without an end goes to the end of the line. */
static uint8_t level_after(const struct line *line, size_t i)
{
	const bool isolates = is_isolate(line->class_[i]);
	const size_t next = skip_removed(line, i + 1);

	return isolates || next == line->count ? line->base : line->level[next];
}

/* Returns the direction of the higher of two levels. */
static enum direction_class outside(uint8_t level, uint8_t other)
{
	return (level > other ? level : other) % 2 == 0 ? CLASS_L : CLASS_R;
}

static void resolve(struct line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		enum direction_class start;
		enum direction_class stop;

		line->order[i] = line->done[i] ? line->order[i] : line->level[i];
		if (line->done[i] || is_removed(line->class_[i]))
			continue;
		collect(line, i);
		start = outside(line->level[i], level_before(line, i));
		stop = outside(line->level[i], level_after(line, line->sequence[line->length - 1]));
		resolve_letters(line, start);
		resolve_separators(line);
		resolve_terminators(line);
		resolve_numbers(line, start);
		resolve_neutrals(line, start, stop);
		raise_levels(line);
	}
}

static void turn(uint32_t *point, uint8_t *order, size_t from, size_t end)
{
	for (; from + 1 < end; from++) {
		const uint32_t last = point[--end];
		const uint8_t level = order[end];

		point[end] = point[from];
		order[end] = order[from];
		point[from] = last;
		order[from] = level;
	}
}

/* L2. */
static void reorder(uint32_t *point, uint8_t *order, size_t count)
{
	for (unsigned level = DEPTH_MOST + 1; level > 0; level--) {
		size_t end = 0;

		for (size_t i = 0; i < count; i = end + 1) {
			end = i;
			while (end < count && order[end] >= level)
				end++;
			turn(point, order, i, end);
		}
	}
}

static size_t without_controls(uint32_t *point, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_direction_control(point[i]))
			point[kept++] = point[i];
	}
	return kept;
}

size_t display_order(uint32_t point[DISPLAY_MOST], size_t count, bool right_to_left)
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
	return without_controls(point, kept);
}
