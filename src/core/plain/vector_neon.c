/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs by NEON, which every 64-bit ARM has: 16 octets in each instruction, in
 * pairs. */
#include "plain/vector.h"

#if URIVET_VECTORS >= 1 && defined(URIVET_BASELINE_NEON)
#include <arm_neon.h>

#define ISA(name) name##_neon
#define TARGET
#define VECTOR uint8x16x2_t
#define LANES  sizeof(uint8x16_t)
#include "plain/masks.h"
#include "plain/escapes.h"

/* Only this function reads the text. window_at() ensures that all octets lie in it. */
RULE uint8x16_t load_neon(struct text t, uint32_t at)
{
	return vld1q_u8(t.data + at);
}

RULE uint8x16x2_t load_32(struct text t, uint32_t at)
{
	const uint8x16x2_t v = {{load_neon(t, at), load_neon(t, at + 16)}};
	return v;
}

RULE uint8x16x2_t load_16(struct text t, uint32_t at)
{
	const uint8x16x2_t v = {{load_neon(t, at), vdupq_n_u8(0)}};
	return v;
}

/*
 * Classifies the octets of a path, as in vector.c: an octet is allowed if the masks of its row (the
 * high four bits) and column (the low four) share a bit. Bits are tested individually, so their
 * order does not matter.
 */
enum {
	SLASH_BIT = 0x80, /* row 2: / */
	JOINT_BIT = 0x40, /* row 2: - . */
	BIT_7 = 0x20,     /* row 7: p-z */
	BIT_6 = 0x10,     /* row 6: a-o */
	BIT_5 = 0x08,     /* row 5: P-Z _ */
	BIT_4 = 0x04,     /* row 4: A-O */
	BIT_3 = 0x02,     /* row 3: 0-9 */
	TILDE_BIT = 0x01, /* row 7: ~ */
	OF_MARK = SLASH_BIT | JOINT_BIT,
	OF_HOST = BIT_6 | BIT_7 | JOINT_BIT,
	OF_LETTER = BIT_4 | BIT_5 | BIT_6 | BIT_7
};

/* clang-format off */
static const uint8_t neon_columns[16] = {
	BIT_3 | BIT_5 | BIT_7,                    /* 0   P   p */
	BIT_3 | OF_LETTER, BIT_3 | OF_LETTER,     /* 1 A Q a q, 2 B R b r */
	BIT_3 | OF_LETTER, BIT_3 | OF_LETTER,     /* 3 C S c s, 4 D T d t */
	BIT_3 | OF_LETTER, BIT_3 | OF_LETTER,     /* 5 E U e u, 6 F V f v */
	BIT_3 | OF_LETTER, BIT_3 | OF_LETTER,     /* 7 G W g w, 8 H X h x */
	BIT_3 | OF_LETTER, OF_LETTER,             /* 9 I Y i y,   J Z j z */
	BIT_4 | BIT_6, BIT_4 | BIT_6,             /*   K   k,     L   l   */
	JOINT_BIT | BIT_4 | BIT_6,                /* -   M   m   */
	JOINT_BIT | BIT_4 | BIT_6 | TILDE_BIT,    /* .   N   n ~ */
	SLASH_BIT | BIT_4 | BIT_5 | BIT_6,        /* /   O _ o   */
};
static const uint8_t neon_rows[16] = {
	0, 0, OF_MARK, BIT_3, BIT_4, BIT_5, BIT_6, BIT_7 | TILDE_BIT,
	0, 0, 0, 0, 0, 0, 0, 0
};
/* clang-format on */

/* Returns the bits that an octet's row and column share. */
RULE uint8x16_t bits_of(uint8x16_t v)
{
	const uint8x16_t column = vqtbl1q_u8(vld1q_u8(neon_columns), vandq_u8(v, vdupq_n_u8(15)));
	return vandq_u8(column, vqtbl1q_u8(vld1q_u8(neon_rows), vshrq_n_u8(v, 4)));
}

/* Weights octets of 0 or 0xFF by the bits 2^0 to 2^7, eight octets at a time. After three pairwise
 * additions there is one bit for each octet. */
RULE uint8x16_t weighed(uint8x16_t v)
{
	static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128,
					    1, 2, 4, 8, 16, 32, 64, 128};
	return vandq_u8(v, vld1q_u8(weights));
}

RULE uint8x16_t half_added(uint8x16_t low, uint8x16_t high)
{
	return vpaddq_u8(weighed(low), weighed(high));
}

RULE uint32_t signs_neon(uint8x16_t low, uint8x16_t high)
{
	uint8x16_t sums = half_added(low, high);
	sums = vpaddq_u8(sums, sums);
	sums = vpaddq_u8(sums, sums);
	return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
}

RULE uint8x16_t tested(uint8x16_t low, uint8x16_t high, uint8_t bits)
{
	const uint8x16_t wanted = vdupq_n_u8(bits);
	return half_added(vtstq_u8(low, wanted), vtstq_u8(high, wanted));
}

/* Adds up the three classes together: the last sum has four octets of each. */
RULE struct classes classes_of(uint8x16x2_t v)
{
	const uint8x16_t low = bits_of(v.val[0]), high = bits_of(v.val[1]);
	const uint8x16_t host = tested(low, high, OF_HOST), mark = tested(low, high, OF_MARK);
	const uint8x16_t path = tested(low, high, 0xff);
	const uint8x16_t two = vpaddq_u8(host, path), one = vpaddq_u8(mark, mark);
	const uint64x2_t sums = vreinterpretq_u64_u8(vpaddq_u8(two, one));
	const uint64_t host_and_path = vgetq_lane_u64(sums, 0);
	const struct classes c = {
	    (uint32_t)(host_and_path & UINT32_MAX),
	    (uint32_t)(host_and_path >> 32),
	    (uint32_t)(vgetq_lane_u64(sums, 1) & UINT32_MAX),
	};
	return c;
}

RULE uint32_t octets_equal(uint8x16x2_t v, char c)
{
	const uint8x16_t wanted = vdupq_n_u8((uint8_t)c);
	return signs_neon(vceqq_u8(v.val[0], wanted), vceqq_u8(v.val[1], wanted));
}

RULE uint8x16_t is_digit_neon(uint8x16_t v)
{
	return vcltq_u8(vsubq_u8(v, vdupq_n_u8('0')), vdupq_n_u8(10));
}

RULE uint32_t digits_of(uint8x16x2_t v)
{
	return signs_neon(is_digit_neon(v.val[0]), is_digit_neon(v.val[1]));
}

RULE uint64_t first_eight(uint8x16x2_t v)
{
	return vgetq_lane_u64(vreinterpretq_u64_u8(v.val[0]), 0);
}

RULE OCTETS lanes_all(uint8_t c)
{
	return (OCTETS){0} + c;
}

RULE uint64_t signs_of(OCTETS v)
{
	return signs_neon(vcltzq_s8(vreinterpretq_s8_u8(v)), vdupq_n_u8(0));
}

uint32_t urivet_brief_by_neon(struct text t)
{
	return brief_by_masks(t);
}

bool urivet_plain_by_neon(struct text t, struct plain *p)
{
	return plain_by_masks(t, p);
}

struct tail urivet_tail_by_neon(struct text t, uint32_t at)
{
	return tail_by_masks(t, at);
}

uint32_t urivet_window_kinds_by_neon(struct text t, uint32_t base, uint32_t *at)
{
	return kinds_of_window(t, base, at);
}

#undef ISA
#undef TARGET
#undef VECTOR
#undef LANES
#endif
