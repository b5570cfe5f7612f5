/* The largest number of cells into which any guess splits a set of candidates, in games of many feedbacks.
 *
 * In each cell of a guess, the next guess finds at most one candidate. So, if all secrets have equal
 * weight, this number is the largest number of secrets that two guesses find. Upper bounds of 64 guesses
 * are computed side by side. Guesses come in descending order of their number of cells for all secrets.
 * This number limits their cells in any set. So the search ends at the first guesses that cannot have more
 * cells than the best guess so far.
 */
#include "sets.h"

/* The number of labels that are counted in one pass. Label 0 is the largest cell of a guess for all secrets,
 * label 1 the next largest cell, and so on. */
#define COMMON 32
/* Up to this number of lanes, counting the lanes one by one is quicker than a further pass for all lanes. */
#define FEW_LANES 5
/* The largest number of candidates that a counter of 8 bits can count. */
#define COUNTED 255
/* Cells of fewer candidates are not bounded in batches, because `first_known` usually finds their cost. */
#define FEW_CELLS 8

/* Tables from 16 labels to bits: the first table has bits for labels 0 to 7, the last for labels 8 to 15.
 * `look_up` requires that tables repeat after 16 bytes. */
#define FIRST_BITS 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0
#define LAST_BITS 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128

static const uint8_t first_bits[LANES] = {FIRST_BITS, FIRST_BITS, FIRST_BITS, FIRST_BITS};
static const uint8_t last_bits[LANES] = {LAST_BITS, LAST_BITS, LAST_BITS, LAST_BITS};

/* Return the number of 1 bits of each byte of a block. */
INLINE Block count_bits(Block x)
{
    x = x - (Block)((Block)(x >> 1) & splat(0x55));
    x = (Block)(x & splat(0x33)) + (Block)((Block)(x >> 2) & splat(0x33));
    return (Block)(x + (Block)(x >> 4)) & splat(15);
}

/* Count, for each of 64 guesses, the candidates that share a label with an earlier candidate: `excess`.
 *
 * Counts the COMMON labels from `first` on. n is at most COUNTED, because a counter has 8 bits. `rows` is a
 * block of guesses. The rows of the next block begin `step` bytes later. They are prefetched, because they
 * are too far apart for the processor to predict.
 */
INLINE void count_excess(const uint8_t *rows, const uint32_t *secrets, int64_t n, int64_t step,
                         uint8_t first, uint8_t *excess)
{
    Block low = load_block(first_bits), high = load_block(last_bits);
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block seen[4] = {{0}}, met = {0};
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *row = rows + secrets[i] * (int64_t)LANES;
            if (at == 0 && first == 0)
                __builtin_prefetch(row + step);
            Block label = load_block(row + at) - splat(first), rest = label - splat(16);
            seen[0] |= look_up(low, label);
            seen[1] |= look_up(high, label);
            seen[2] |= look_up(low, rest);
            seen[3] |= look_up(high, rest);
            met -= (Block)(label < splat(COMMON));
        }
        for (int k = 0; k < 4; k++)
            met -= count_bits(seen[k]);
        store_block(excess + at, met);
    }
}

/* Return the number of cells into which the guess of one lane splits n candidates.
 *
 * Each label that occurs is marked in a byte, because a bit would have to be read before it is written.
 */
static int64_t cells_of_lane(const uint8_t *rows, const uint32_t *secrets, int64_t n, int lane)
{
    uint8_t met[256] = {0}, cells[LANES] = {0};
    for (int64_t i = 0; i < n; i++)
        met[rows[secrets[i] * (int64_t)LANES + lane]] = 1;
    for (int k = 0; k < 256; k++)
        cells[k % LANES] += met[k];
    int64_t total = 0;
    for (int k = 0; k < LANES; k++)
        total += cells[k];
    return total;
}

/* Return, as bits, the lanes of block b whose guesses may split n candidates into more than `*best` cells.
 *
 * The labels of large cells are counted first. Further labels are counted as long as more than FEW_LANES
 * lanes may exceed `*best`. For at most COUNTED candidates, a count of all labels is exact. Then `*best`
 * becomes the largest number of cells so far, and no lane is returned.
 */
static uint64_t open_lanes(const Problem *problem, int64_t b, const uint32_t *secrets, int64_t n,
                           int64_t *best)
{
    int64_t size = problem->secrets * LANES, step = b + 1 < problem->blocks ? size : 0, most = 0;
    const uint8_t *rows = problem->rows + b * size;
    int32_t bounds[LANES];
    uint64_t open = 0;
    for (int k = 0; k < LANES; k++)
        bounds[k] = (int32_t)n;
    for (int64_t first = 0; first < problem->peaks[b]; first += COMMON) {
        for (int64_t i = 0; i < n; i += COUNTED) {
            uint8_t excess[LANES];
            int64_t some = smallest(n - i, COUNTED);
            if (first == 0)
                count_excess(rows, secrets + i, some, step, 0, excess);
            else
                count_excess(rows, secrets + i, some, step, (uint8_t)first, excess);
            for (int k = 0; k < LANES; k++)
                bounds[k] -= excess[k];
        }
        open = 0;
        for (int k = 0; k < LANES; k++)
            open |= (uint64_t)(bounds[k] > *best) << k;
        if (__builtin_popcountll(open) <= FEW_LANES)
            return open;
    }
    if (n > COUNTED) /* not exact: a label may occur in two groups of COUNTED candidates */
        return open;
    for (int k = 0; k < LANES; k++)
        most = largest(most, bounds[k]);
    *best = largest(*best, most);
    return 0;
}

/* Return the largest number of cells into which a guess of some blocks splits n candidates.
 *
 * The blocks are `begin` up to `end` - 1; the problem must have them. Returns `best` if that is larger. No
 * guess of a later block makes more than `peaks[end]` cells.
 */
static int64_t most_cells(const Problem *problem, const uint32_t *secrets, int64_t n, int64_t best,
                          int64_t begin, int64_t end)
{
    for (int64_t b = begin; b < end && problem->peaks[b] > best && best < n; b++) {
        const uint8_t *rows = problem->rows + b * problem->secrets * LANES;
        uint64_t open = open_lanes(problem, b, secrets, n, &best);
        for (; open != 0; open &= open - 1)
            best = largest(best, cells_of_lane(rows, secrets, n, lowest_bit(open)));
    }
    return best;
}
