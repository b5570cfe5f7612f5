/* Rows of 64 bytes, one for each of 64 guesses, handled in blocks of the machine's vector width.
 *
 * A row is the unit of every table here: 64 guesses are scored side by side. The blocks are never
 * wider than a vector register of the variant that is compiled: gcc runs wider ones 40 times slower.
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

/* Return one bit for each byte of a block whose bytes are 0 or 255. */
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

/* Return table[at] for each byte below 16 of `at`, else 0; the table repeats after 16 bytes. */
INLINE Block look_up(Block table, Block at)
{
#if defined(__x86_64__) && LANE_BYTES == 64
    __m512i place = _mm512_adds_epu8((__m512i)at, (__m512i)splat(112)); /* a high bit gives 0 */
    return (Block)_mm512_shuffle_epi8((__m512i)table, place);
#elif defined(__x86_64__) && LANE_BYTES == 32
    __m256i place = _mm256_adds_epu8((__m256i)at, (__m256i)splat(112));
    return (Block)_mm256_shuffle_epi8((__m256i)table, place);
#elif defined(__x86_64__)
    __m128i place = _mm_adds_epu8((__m128i)at, (__m128i)splat(112));
    return (Block)_mm_shuffle_epi8((__m128i)table, place);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return (Block)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)at);
#else
    Block found;
    for (int k = 0; k < LANE_BYTES; k++)
        found[k] = at[k] < 16 ? table[at[k]] : 0;
    return found;
#endif
}

INLINE int lowest_bit(uint64_t word) /* of a word that is not 0 */
{
    return __builtin_ctzll(word);
}

/* Return number k of an array of unsigned numbers of `lane` bytes each: 1, 2 or 4. */
INLINE uint32_t number_at(const void *numbers, int64_t lane, int64_t k)
{
    if (lane == 1)
        return ((const uint8_t *)numbers)[k];
    return lane == 2 ? ((const uint16_t *)numbers)[k] : ((const uint32_t *)numbers)[k];
}

/* Return the capacity, at least `count`, of memory that grows by doubling. */
INLINE int64_t room_for(int64_t count)
{
    int64_t room = LANES;
    while (room < count)
        room *= 2;
    return room;
}

/* Return a word whose lowest `count` bits are 1, all bits from 64 on. `count` is at least 1. */
INLINE uint64_t low_bits(int64_t count)
{
    return ~UINT64_C(0) >> (count < LANES ? LANES - count : 0);
}

/* Return which of 64 bytes are at least `value`, as bits. */
INLINE uint64_t at_least(const uint8_t *row, uint8_t value)
{
    uint64_t bits = 0;
    for (int at = 0; at < LANES; at += LANE_BYTES)
        bits |= bits_of((Block)(load_block(row + at) >= splat(value))) << at;
    return bits;
}

/* out[0..63] = the sum of `width` rows, which begin at rows + places[0], rows + places[1], ... */
INLINE void sum_rows(const uint8_t *rows, const int32_t *places, int width, uint8_t *out)
{
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block total = {0};
        for (int g = 0; g < width; g++)
            total += load_block(rows + places[g] + at);
        store_block(out + at, total);
    }
}

/* out[0..63] = the sum over k of the lesser of rows[64 * k + lane] and most[k]. */
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

/* Sums of rows: sum s adds the `width` rows that begin at rows + places[s * width + 0, 1, ...]. */
typedef struct {
    const uint8_t *rows;
    const int32_t *places;
    int width;
} Sums;

/* The number of values that are counted in one pass: their counts fit into registers. */
#define VALUES 7

/* Count how often sums begin..end have each of the values least + 1 ... least + values. */
INLINE void count_some(const Sums *of, int width, int64_t begin, int64_t end, int least, int values,
                       uint8_t *out)
{
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block counts[VALUES] = {{0}};
        for (int64_t s = begin; s < end; s++) {
            const int32_t *place = of->places + s * width;
            Block total = load_block(of->rows + place[0] + at);
            for (int g = 1; g < width; g++)
                total += load_block(of->rows + place[g] + at);
            for (int v = 0; v < values; v++)
                counts[v] -= (Block)(total == splat((uint8_t)(least + v + 1)));
        }
        Block rest = load_block(out + at);
        for (int v = 0; v < values; v++) {
            store_block(out + (least + v + 1) * LANES + at, counts[v]);
            rest -= counts[v];
        }
        store_block(out + at, rest);
    }
}

/* The loops above with the number of values as a constant, which keeps the counts in registers. */
INLINE void count_in_passes(const Sums *of, int width, int64_t begin, int64_t end, int t,
                            uint8_t *out)
{
    for (int least = 0; least < t; least += VALUES) {
        switch (t - least < VALUES ? t - least : VALUES) {
        case 1: count_some(of, width, begin, end, least, 1, out); break;
        case 2: count_some(of, width, begin, end, least, 2, out); break;
        case 3: count_some(of, width, begin, end, least, 3, out); break;
        case 4: count_some(of, width, begin, end, least, 4, out); break;
        case 5: count_some(of, width, begin, end, least, 5, out); break;
        case 6: count_some(of, width, begin, end, least, 6, out); break;
        default: count_some(of, width, begin, end, least, VALUES, out); break;
        }
    }
}

/* Count sums begin..end by value, lane by lane: row v of `out` receives the number of sums that are v,
 * for v from 0 to t.
 *
 * There are at most 255 sums, as a count has 8 bits, and each sum is at most t.
 */
static void count_sums(const Sums *of, int64_t begin, int64_t end, int t, uint8_t *out)
{
    memset(out, (int)(end - begin), LANES);
    switch (of->width) { /* the usual numbers of pegs as constants: a fifth faster */
    case 3: count_in_passes(of, 3, begin, end, t, out); break;
    case 4: count_in_passes(of, 4, begin, end, t, out); break;
    case 5: count_in_passes(of, 5, begin, end, t, out); break;
    case 6: count_in_passes(of, 6, begin, end, t, out); break;
    default: count_in_passes(of, of->width, begin, end, t, out); break;
    }
}

#endif
