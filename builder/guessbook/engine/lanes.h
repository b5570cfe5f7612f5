/* Rows of 64 bytes, one byte for each of 64 guesses, processed in blocks of one vector register.
 *
 * A lane is the position of a guess in a row. A block is never wider than a vector register of the compiled
 * variant, because gcc's code for wider blocks is 40 times slower.
 */
#ifndef GUESSBOOK_LANES_H
#define GUESSBOOK_LANES_H

#include "arena.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#define LANES 64
#ifndef LANE_BYTES
#define LANE_BYTES 16
#endif
#define INLINE static inline __attribute__((always_inline))

typedef uint8_t Block __attribute__((vector_size(LANE_BYTES)));

INLINE Block load_block(const uint8_t *from)
{
    Block block;
    memcpy(&block, from, sizeof block);
    return block;
}

INLINE void store_block(uint8_t *to, Block block)
{
    memcpy(to, &block, sizeof block);
}

INLINE Block splat(uint8_t value)
{
    return (Block){0} + value;
}

/* Return one bit for each byte of a block: 0 for a byte of 0, 1 for a byte of 255. No byte may have another value. */
INLINE uint64_t bits_of(Block flags)
{
#if defined(__x86_64__) && LANE_BYTES == 64
    return _mm512_movepi8_mask((__m512i)flags);
#elif defined(__x86_64__) && LANE_BYTES == 32
    return (uint32_t)_mm256_movemask_epi8((__m256i)flags);
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_epi8((__m128i)flags);
#else
    uint64_t bits = 0, word[LANE_BYTES / 8];
    memcpy(word, &flags, sizeof word);
    for (int k = 0; k < LANE_BYTES / 8; k++) {
        uint64_t own = word[k] & UINT64_C(0x8040201008040201);
        bits |= (own * UINT64_C(0x0101010101010101) >> 56) << (8 * k);
    }
    return bits;
#endif
}

/* Look up each byte of `at` in a table of 16 bytes. Byte k of the result is table[at[k]].
 *
 * Each byte of `at` must be below 16. If a block has more than 16 bytes, `table` must repeat its first 16 bytes.
 */
INLINE Block pick(Block table, Block at)
{
#if defined(__x86_64__) && LANE_BYTES == 64
    return (Block)_mm512_shuffle_epi8((__m512i)table, (__m512i)at);
#elif defined(__x86_64__) && LANE_BYTES == 32
    return (Block)_mm256_shuffle_epi8((__m256i)table, (__m256i)at);
#elif defined(__x86_64__)
    return (Block)_mm_shuffle_epi8((__m128i)table, (__m128i)at);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return (Block)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)at);
#else
    Block found;
    for (int k = 0; k < LANE_BYTES; k++)
        found[k] = table[at[k] & 15];
    return found;
#endif
}

/* Look up each byte of `at` as `pick` does; a byte above 15 yields 0. */
INLINE Block look_up(Block table, Block at)
{
#if defined(__x86_64__) && LANE_BYTES == 64
    /* Adding 112 sets the highest bit of an index above 15. The shuffle returns 0 for such an index. */
    return pick(table, (Block)_mm512_adds_epu8((__m512i)at, (__m512i)splat(112)));
#elif defined(__x86_64__) && LANE_BYTES == 32
    return pick(table, (Block)_mm256_adds_epu8((__m256i)at, (__m256i)splat(112)));
#elif defined(__x86_64__)
    return pick(table, (Block)_mm_adds_epu8((__m128i)at, (__m128i)splat(112)));
#else
    return pick(table, at) & (Block)(at < splat(16));
#endif
}

/* Return the index of the lowest 1 bit of `word`. `word` must not be 0. */
INLINE int lowest_bit(uint64_t word)
{
    return __builtin_ctzll(word);
}

/* Return entry k of an array. Each entry is an unsigned number of `lane` bytes; `lane` is 1, 2 or 4. */
INLINE uint32_t number_at(const void *numbers, int64_t lane, int64_t k)
{
    if (lane == 1)
        return ((const uint8_t *)numbers)[k];
    return lane == 2 ? ((const uint16_t *)numbers)[k] : ((const uint32_t *)numbers)[k];
}

/* Return a capacity of at least `count`: LANES, doubled as often as necessary. */
INLINE int64_t room_for(int64_t count)
{
    int64_t room = LANES;
    while (room < count)
        room *= 2;
    return room;
}

/* Return 64 bits: the lowest `count` bits are 1, or all bits if `count` is above 64. `count` is at least 1. */
INLINE uint64_t low_bits(int64_t count)
{
    return ~UINT64_C(0) >> (count < LANES ? LANES - count : 0);
}

/* Return a bit for each of 64 bytes: 1 if the byte is at least `value`. */
INLINE uint64_t at_least(const uint8_t *row, uint8_t value)
{
    uint64_t bits = 0;
    for (int at = 0; at < LANES; at += LANE_BYTES)
        bits |= bits_of((Block)(load_block(row + at) >= splat(value))) << at;
    return bits;
}

/* Add up `width` rows of 64 bytes, column by column, and write the 64 sums to `out`.
 *
 * The rows begin at rows + places[0], rows + places[1], ... No sum may be above 255, because a sum has one byte.
 */
INLINE void sum_rows(const uint8_t *rows, const int32_t *places, int width, uint8_t *out)
{
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block total = {0};
        for (int g = 0; g < width; g++)
            total += load_block(rows + places[g] + at);
        store_block(out + at, total);
    }
}

/* Add up `count` rows of 64 bytes, column by column, and write the 64 sums to `out`.
 *
 * In row k, a byte above most[k] counts as most[k]. No sum may be above 255, because a sum has one byte.
 */
INLINE void sum_smaller(const uint8_t *rows, int count, const uint8_t *most, uint8_t *out)
{
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block total = {0};
        for (int k = 0; k < count; k++) {
            Block row = load_block(rows + LANES * k + at), cap = splat(most[k]);
            Block less = (Block)(row < cap);
            total += (row & less) | (cap & ~less);
        }
        store_block(out + at, total);
    }
}

/* A list of sums. Each sum adds up `width` rows of 64 bytes, column by column. The rows of sum s begin at
 * rows + places[s * width], rows + places[s * width + 1], ... */
typedef struct {
    const uint8_t *rows;
    const int32_t *places;
    int width;
} Sums;

/* Two counters of 4 bits share a byte. PAIR(v) maps value v to 1, which increments the lower counter, value v + 1 to
 * 16, which increments the higher counter, and each other value below 16 to 0. */
#define PAIR(v) {[v] = 1, [v + 1] = 16, [v + 16] = 1, [v + 17] = 16, \
                 [v + 32] = 1, [v + 33] = 16, [v + 48] = 1, [v + 49] = 16}
/* The largest number that a counter of 4 bits can hold. */
#define NIBBLE 15
/* One pass over the sums counts at most VALUES different values, so that the counters fit into registers. */
#define VALUES 6
/* The number of blocks of a row that are counted together, so that `Sums.places` is read less often. */
#define TOGETHER (LANE_BYTES < LANES ? 2 : 1)

static const uint8_t pairs[][LANES] = {PAIR(2), PAIR(4), PAIR(6), PAIR(8), PAIR(10), PAIR(12), PAIR(14)};

/* For each of 64 columns, count how often the values from `least` to least + values - 1 occur in the sums `begin` to
 * `end` - 1.
 *
 * `least` is even; it is 2 in the first call, and the calls together count all values above 1. Row v of `out` receives
 * the counts of value v. The values 0 and 1 are not counted. Their counts follow from the total of the sums of a
 * column, from the number of sums, which row 0 contains before the first call, and from the other counts. After all
 * calls, rows 0 and 1 contain them.
 */
INLINE void count_some(const Sums *of, int width, int64_t begin, int64_t end, int least, int values,
                       uint8_t *out)
{
    for (int at = 0; at < LANES; at += TOGETHER * LANE_BYTES) {
        Block counts[VALUES][TOGETHER], whole[TOGETHER];
        for (int b = 0; b < TOGETHER; b++) { /* with an initializer, gcc would keep the counters in memory */
            whole[b] = splat(0);
            for (int v = 0; v < values; v++)
                counts[v][b] = splat(0);
        }
        for (int64_t s = begin; s < end;) {
            int64_t stop = end - s < NIBBLE ? end : s + NIBBLE;
            Block both[VALUES / 2][TOGETHER];
            for (int v = 0; v < values; v += 2)
                for (int b = 0; b < TOGETHER; b++)
                    both[v / 2][b] = splat(0);
            for (; s < stop; s++) {
                const int32_t *place = of->places + s * width;
                for (int b = 0; b < TOGETHER; b++) {
                    const uint8_t *rows = of->rows + at + b * LANE_BYTES;
                    Block total = load_block(rows + place[0]);
                    for (int g = 1; g < width; g++)
                        total += load_block(rows + place[g]);
                    whole[b] += total;
                    for (int v = 0; v < values; v += 2)
                        both[v / 2][b] += pick(load_block(pairs[(least + v) / 2 - 1]), total);
                }
            }
            for (int v = 0; v < values; v += 2)
                for (int b = 0; b < TOGETHER; b++) {
                    counts[v][b] += both[v / 2][b] & splat(NIBBLE);
                    if (v + 1 < values)
                        counts[v + 1][b] += (Block)(both[v / 2][b] >> 4) & splat(NIBBLE);
                }
        }
        for (int b = 0; b < TOGETHER; b++) {
            uint8_t *own = out + at + b * LANE_BYTES;
            Block met = {0}, sum = {0}; /* the number of the counted values, and these values added up */
            for (int v = values - 1; v >= 0; v--) {
                store_block(own + (least + v) * LANES, counts[v][b]);
                met += counts[v][b];
                sum += met;
            }
            sum += met * splat((uint8_t)(least - 1));
            Block none = load_block(own) + sum - met;
            Block ones = (least == 2 ? whole[b] : load_block(own + LANES)) - sum;
            store_block(own, least == 2 ? none - whole[b] : none);
            store_block(own + LANES, ones);
        }
    }
}

/* Call `count_some` for the values 2 to t: first for up to VALUES of them, then for up to two at a time.
 *
 * Each call has a constant number of values, so that the compiler can hold the counters in registers.
 */
INLINE void count_in_passes(const Sums *of, int width, int64_t begin, int64_t end, int t,
                            uint8_t *out)
{
    switch (t) {
    case 1: count_some(of, width, begin, end, 2, 0, out); return;
    case 2: count_some(of, width, begin, end, 2, 1, out); return;
    case 3: count_some(of, width, begin, end, 2, 2, out); return;
    case 4: count_some(of, width, begin, end, 2, 3, out); return;
    case 5: count_some(of, width, begin, end, 2, 4, out); return;
    case 6: count_some(of, width, begin, end, 2, 5, out); return;
    default: count_some(of, width, begin, end, 2, VALUES, out);
    }
    int least = 2 + VALUES; /* the remaining values; few games have so many pegs */
    for (; least < t; least += 2)
        count_some(of, width, begin, end, least, 2, out);
    if (least == t)
        count_some(of, width, begin, end, least, 1, out);
}

/* For each of 64 columns, count how often each value from 0 to t occurs in the sums `begin` to `end` - 1.
 *
 * Row v of `out` receives the counts of value v. t is from 1 to 15, and no sum may be above t. At most 255 sums are
 * allowed, because a counter has 8 bits.
 */
static void count_sums(const Sums *of, int64_t begin, int64_t end, int t, uint8_t *out)
{
    memset(out, (int)(end - begin), LANES);
    switch (of->width) { /* with a constant width, the loops are a fifth faster; usual games have a width of 3 to 7 */
    case 3: count_in_passes(of, 3, begin, end, t, out); break;
    case 4: count_in_passes(of, 4, begin, end, t, out); break;
    case 5: count_in_passes(of, 5, begin, end, t, out); break;
    case 6: count_in_passes(of, 6, begin, end, t, out); break;
    case 7: count_in_passes(of, 7, begin, end, t, out); break;
    default: count_in_passes(of, of->width, begin, end, t, out); break;
    }
}

#endif
