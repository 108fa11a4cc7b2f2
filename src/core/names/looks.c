/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rates the appearance of labels. Readers may agree on a name that people mistake for another. The
 * checks are heuristics from UTS 39 and browsers.
 */
#include "names/looks.h"

#include "names/label.h"
#include "names/looks_table.h"
#include "text/words.h"

/* The remainders (%) never change a value: each stage contains valid indexes of the next. */
struct look urivet_look(uint32_t code_point)
{
	const uint32_t c = code_point <= 0x10ffff ? code_point : 0;
	const uint32_t block = c / LOOK_BLOCK, top = block / LOOK_GROUP;
	const uint32_t group = urivet_look_groups[top] % LOOK_GROUPS;
	const uint32_t low = urivet_look_blocks[group * LOOK_GROUP + block % LOOK_GROUP] % LOOK_BLOCKS;
	const uint32_t row = urivet_look_rows[low * LOOK_BLOCK + c % LOOK_BLOCK];
	return urivet_looks[row % LOOK_ROWS];
}

/* ---- Scripts -------------------------------------------------------------------- */

#define JAPANESE (SCRIPT_HANI | SCRIPT_HIRA | SCRIPT_KANA)
#define CJK      (JAPANESE | SCRIPT_BOPO)

/* Scripts that are written together, with ASCII letters in between (UTS 39, 5.2). */
static const uint32_t written_together[3] = {
    SCRIPT_ASCII | JAPANESE,
    SCRIPT_ASCII | SCRIPT_HANI | SCRIPT_BOPO,
    SCRIPT_ASCII | SCRIPT_HANI | SCRIPT_HANG,
};

/* The scripts of a label. */
struct label_scripts {
	uint32_t common;   /* scripts that all characters have in common */
	uint32_t some;     /* all scripts of its characters, except of those that fit any script */
	bool together[3];  /* every character fits into this group of scripts */
};

/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \valid(scripts) && \separated(scripts, points);
    assigns *scripts; */
static void read_scripts(const struct code_points *points, struct label_scripts *scripts)
{
	scripts->common = ANY_SCRIPT;
	scripts->some = 0;
	scripts->together[0] = scripts->together[1] = scripts->together[2] = true;
	/*@ loop invariant k <= points->count;
	    loop assigns k, *scripts;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++) {
		const uint32_t of = urivet_look(points->point[k]).scripts;
		scripts->common &= of;
		if (of != ANY_SCRIPT)
			scripts->some |= of;
		/*@ loop invariant group <= 3;
		    loop assigns group, scripts->together[0 .. 2];
		    loop variant 3 - group; */
		for (unsigned group = 0; group < 3; group++)
			if ((of & written_together[group]) == 0)
				scripts->together[group] = false;
	}
}

/* Returns true if the label is neither of one script nor of scripts that are written together. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static bool is_mixed(const struct label_scripts *s)
{
	return s->common == 0 && !s->together[0] && !s->together[1] && !s->together[2];
}

/* ---- Letters of one script ------------------------------------------------------ */

/* Returns true if the label has a flagged letter and no unflagged ones. `others`: characters of any
 * script, such as digits and hyphens, may occur too; else only ASCII digits may. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool consists_of(const struct code_points *points, uint32_t flag, bool others)
{
	bool some = false;
	/*@ loop invariant k <= points->count;
	    loop assigns k, some;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++) {
		const uint32_t c = points->point[k];
		const struct look look = urivet_look(c);
		if ((look.flags & flag) != 0)
			some = true;
		else if (others ? look.scripts != ANY_SCRIPT : c < '0' || c > '9')
			return false;
	}
	return some;
}

/* ---- Characters that are misread in their context -------------------------------- */

/* A character and its neighbours; 0 means no neighbour. */
struct place_in_label {
	uint32_t before, point, after;
	bool latin; /* the label has ASCII letters */
};

/* Returns true if it is a letter of one of these scripts. */
/*@ assigns \nothing; */
static bool is_in_script(uint32_t point, uint32_t scripts)
{
	const uint32_t of = urivet_look(point).scripts;
	return of != ANY_SCRIPT && (of & scripts) != 0;
}

/* Returns true if there is a neighbour and it is not of any of these scripts. */
/*@ assigns \nothing; */
static bool is_beside(uint32_t neighbour, uint32_t scripts)
{
	return neighbour != 0 && !is_in_script(neighbour, scripts);
}

/* Returns true for strokes of Han or Bopomofo next to other scripts, and for kana that look like
 * slashes between other scripts. */
/*@ assigns \nothing; */
static bool is_misplaced_stroke(struct place_in_label p)
{
	const uint32_t flags = urivet_look(p.point).flags;
	if (!p.latin)
		return false;
	return ((flags & LOOKS_STROKE) != 0 && (is_beside(p.before, CJK) || is_beside(p.after, CJK))) ||
	       ((flags & LOOKS_SLASH) != 0 && is_beside(p.before, JAPANESE) &&
		is_beside(p.after, JAPANESE));
}

/* Returns true for misplaced kana marks: repetition and length marks, and the middle dot, without
 * the letters they belong to. Also for letters of one kana that look like the other kana, among
 * letters of the other. */
/*@ assigns \nothing; */
static bool is_misplaced_kana(struct place_in_label p)
{
	switch (p.point) {
	case 0x3099: /* combining voiced sound marks: the precomposed letters exist */
	case 0x309a:
		return true;
	case 0x30fb:
		return (p.before >= 'a' && p.before <= 'z') || (p.after >= 'a' && p.after <= 'z');
	case 0x30fc:
		return !is_in_script(p.before, SCRIPT_HIRA | SCRIPT_KANA);
	case 0x30fd:
	case 0x30fe:
		return !is_in_script(p.before, SCRIPT_KANA);
	default:
		break;
	}
	if (p.point >= 0x3078 && p.point <= 0x307a)
		return is_in_script(p.before, SCRIPT_KANA) && is_in_script(p.after, SCRIPT_KANA);
	return p.point >= 0x30d8 && p.point <= 0x30da && is_in_script(p.before, SCRIPT_HIRA) &&
	       is_in_script(p.after, SCRIPT_HIRA);
}

/* Returns true for marks that are not seen or that look like a slash: on letters of scripts without
 * marks, on a letter that already has such a dot, the same mark twice (UTS 39, 5.4), or strokes
 * across. */
/*@ assigns \nothing; */
static bool is_misplaced_mark(struct place_in_label p)
{
	const bool across = p.point >= 0x0335 && p.point <= 0x0338;
	if ((urivet_traits(p.point).flags & MARK) == 0)
		return false;
	if (p.point == p.before || across)
		return true;
	if (p.point > 0x0339) /* the first of all marks is U+0300 */
		return false;
	if (p.point == 0x0307 && (p.before == 'i' || p.before == 'j' || p.before == 'l'))
		return true;
	return p.before == 0x0131 || p.before == 0x0237 ||
	       !is_in_script(p.before, SCRIPT_LATN | SCRIPT_GREK | SCRIPT_CYRL);
}

/* Returns true for a middle dot that is not between two l, as in Catalan. */
/*@ assigns \nothing; */
static bool is_misplaced_dot(struct place_in_label p)
{
	return p.point == 0x00b7 && (p.before != 'l' || p.after != 'l');
}

/*@ assigns \nothing; */
static bool is_misread(struct place_in_label p)
{
	return is_misplaced_stroke(p) || is_misplaced_kana(p) || is_misplaced_mark(p) ||
	       is_misplaced_dot(p);
}

/* Returns true for a letter that looks like another and is only usual below other top-level
 * domains. */
/*@ assigns \nothing; */
static bool is_foreign(uint32_t point, struct home home)
{
	switch (point) {
	case 0x00f0: /* eth looks like o, thorn like p or b */
	case 0x00fe:
		return (home.letters & HOME_ICELANDIC) == 0;
	case 0x0259: /* schwa looks like e */
		return (home.letters & HOME_AZERI) == 0;
	case 0x00b7:
		return (home.letters & HOME_CATALAN) == 0;
	default:
		return false;
	}
}

/* Returns the LOOK_ flags of the single characters. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static uint32_t read_places(const struct code_points *points, struct home home, bool latin)
{
	uint32_t found = 0;
	/*@ loop invariant k <= points->count;
	    loop assigns k, found;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++) {
		const struct place_in_label p = {
		    k > 0 ? points->point[k - 1] : 0, points->point[k],
		    k + 1 < points->count ? points->point[k + 1] : 0, latin};
		if (is_misread(p))
			found |= LOOK_PATTERN;
		if (points->count > 1 && is_foreign(p.point, home))
			found |= LOOK_SPECIFIC;
	}
	return found;
}

uint32_t urivet_label_looks(const struct code_points *points, struct home home)
{
	struct label_scripts scripts;
	uint32_t found;
	read_scripts(points, &scripts);
	found = read_places(points, home, (scripts.some & SCRIPT_LATN) != 0);
	if (is_mixed(&scripts))
		found |= LOOK_MIXED;
	if ((scripts.some & home.scripts) != 0)
		return found;
	if (consists_of(points, LOOKS_LATIN, true))
		found |= LOOK_WHOLE;
	if (consists_of(points, LOOKS_DIGIT, false))
		found |= LOOK_DIGITS;
	return found;
}

/* ---- Top-level domains ------------------------------------------------------------------ */

/* ASCII top-level domains below which names of a script, or certain letters, are usual. */
static const struct {
	char name[4];
	struct home home;
} homes[] = {
    {"am", {SCRIPT_ARMN, 0}},
    {"az", {0, HOME_AZERI}},
    {"bd", {SCRIPT_BENG, 0}},
    {"bg", {SCRIPT_CYRL, 0}},
    {"by", {SCRIPT_CYRL, 0}},
    {"cat", {0, HOME_CATALAN}},
    {"cy", {SCRIPT_GREK, 0}},
    {"er", {SCRIPT_ETHI, 0}},
    {"et", {SCRIPT_ETHI, 0}},
    {"fo", {0, HOME_ICELANDIC}},
    {"ge", {SCRIPT_GEOR, 0}},
    {"gr", {SCRIPT_GREK, 0}},
    {"il", {SCRIPT_HEBR, 0}},
    {"is", {0, HOME_ICELANDIC}},
    {"kg", {SCRIPT_CYRL, 0}},
    {"kz", {SCRIPT_CYRL, 0}},
    {"la", {SCRIPT_LAOO, 0}},
    {"mk", {SCRIPT_CYRL, 0}},
    {"mm", {SCRIPT_MYMR, 0}},
    {"mn", {SCRIPT_CYRL, 0}},
    {"np", {SCRIPT_DEVA, 0}},
    {"rs", {SCRIPT_CYRL, 0}},
    {"ru", {SCRIPT_CYRL, 0}},
    {"su", {SCRIPT_CYRL, 0}},
    {"th", {SCRIPT_THAI, 0}},
    {"tj", {SCRIPT_CYRL, 0}},
    {"ua", {SCRIPT_CYRL, 0}},
    {"uz", {SCRIPT_CYRL, 0}},
};

#define HOMES (sizeof(homes) / sizeof(homes[0]))

/* Returns the scripts of a top-level domain that is not ASCII: names in its own script are usual
 * below it. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static COLD struct home home_of_alabel(struct text t, uint32_t at)
{
	struct home home = {0, 0};
	struct code_points points;
	struct label_scripts scripts;
	if (!urivet_alabel_points(t, at, &points))
		urivet_label_points(t, at, t.end, &points);
	read_scripts(&points, &scripts);
	home.scripts = scripts.some & ~(SCRIPT_LATN | SCRIPT_ASCII);
	return home;
}

struct home urivet_home_of(struct text t, uint32_t at)
{
	/*@ loop invariant k <= HOMES;
	    loop assigns k;
	    loop variant HOMES - k; */
	for (unsigned k = 0; k < HOMES; k++)
		if (is_word(t, at, homes[k].name))
			return homes[k].home;
	return home_of_alabel(t, at);
}

/* ---- Hashes -------------------------------------------------------------------- */

/* State while the appearance of a label is hashed, letter by letter. */
struct drawing {
	struct look_sums sums;
	unsigned last; /* not hashed yet, since it may be half of a letter; 0: none */
};

/*@ requires \valid(d);
    assigns d->sums.look, d->sums.letters; */
static inline void sum_up_last(struct drawing *d)
{
	const unsigned letter = d->last == '0' ? 'o' : d->last == '1' ? 'l' : d->last;
	if (letter == 0)
		return;
	d->sums.letters = stir(d->sums.letters, letter);
	d->sums.look = stir(d->sums.look, letter == 'i' ? 'l' : letter);
}

/* Adds a letter: rn looks like m, vv like w. */
/*@ requires \valid(d);
    assigns *d; */
static inline void draw(struct drawing *d, unsigned letter)
{
	if (d->last == 'r' && letter == 'n') {
		d->last = 'm';
	} else if (d->last == 'v' && letter == 'v') {
		d->last = 'w';
	} else {
		sum_up_last(d);
		d->last = letter;
	}
}

/*@ requires \valid(d);
    assigns *d; */
static inline void begin_drawing(struct drawing *d)
{
	d->sums.look = d->sums.letters = 1;
	d->last = 0;
}

/* Adds a character. Returns false if it does not look like any ASCII character. */
/*@ requires \valid(d);
    assigns *d; */
static bool draw_character(struct drawing *d, uint32_t point)
{
	const struct look look = urivet_look(point);
	if (look.letter[0] == 0)
		return (look.flags & LOOKS_NOTHING) != 0;
	draw(d, look.letter[0]);
	if (look.letter[1] != 0)
		draw(d, look.letter[1]);
	return true;
}

bool urivet_look_sums(const struct code_points *points, uint32_t from, uint32_t to,
		      struct look_sums *sums)
{
	struct drawing d;
	begin_drawing(&d);
	/*@ loop invariant \at(from, Pre) <= from <= to;
	    loop assigns from, d;
	    loop variant to - from; */
	for (; from < to; from++)
		if (!draw_character(&d, points->point[from]))
			return false;
	sum_up_last(&d);
	*sums = d.sums;
	return true;
}

bool urivet_look_sums_of_ascii(struct text t, uint32_t at, struct look_sums *sums)
{
	struct drawing d;
	begin_drawing(&d);
	/*@ loop invariant \at(at, Pre) <= at;
	    loop assigns at, d;
	    loop variant t.end - at; */
	for (; at < t.end; at++) {
		if (!is(t, at, ALNUM | HYPHEN))
			return false;
		draw(&d, lower(octet(t, at)));
	}
	sum_up_last(&d);
	*sums = d.sums;
	return true;
}
