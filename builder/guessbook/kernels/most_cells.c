/* The largest number of cells into which any guess splits a set of candidates, in games of many feedbacks.
 *
 * If all secrets have equal weight, this number is the largest number of candidates that two guesses find.
 * Guesses come in blocks of 64, in descending order of their number of cells for all secrets, which limits
 * their number of cells for any set. So the search ends at the first block that cannot exceed the best guess.
 */
#include "sets.h"

/* The number of labels that are counted in one pass. A label is the number of a cell of a guess: 0 for the cell
 * with the most secrets, 1 for the next, and so on. */
#define COMMON 32
/* Up to this number of lanes (guesses), counting the cells of one lane after the other is quicker than a pass over
 * all lanes. */
#define FEW_LANES 5
/* The largest number of candidates that a counter of 8 bits can count. */
#define COUNTED 255
/* Cells of fewer candidates are not bounded by pieces.c, because `first_known` usually finds their cost. */
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
 * block of guesses, and the next block begins `step` bytes later.
 */
INLINE void count_excess(const uint8_t *rows, const uint32_t *secrets, int64_t n, int64_t step,
                         uint8_t first, uint8_t *excess)
{
    Block low = load_block(first_bits), high = load_block(last_bits);
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block seen[4] = {{0}}, met = {0};
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *row = rows + secrets[i] * (int64_t)LANES;
            if (at == 0 && first == 0) /* prefetched, because the rows are too far apart for the processor to predict */
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

/* Return the number of cells into which the guess of one lane splits n candidates. */
static int64_t cells_of_lane(const uint8_t *rows, const uint32_t *secrets, int64_t n, int lane)
{
    /* A byte marks each label that occurs, because a bit would have to be read before it is
     * written. */
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
 * If all labels of at most COUNTED candidates were counted, `*best` becomes the largest number of cells so far,
 * and no lane is returned.
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
    /* The labels of large cells are counted first, because most lanes need no further labels. */
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
    if (n > COUNTED) /* not exact, because a label may occur in two groups of COUNTED candidates */
        return open;
    for (int k = 0; k < LANES; k++)
        most = largest(most, bounds[k]);
    *best = largest(*best, most);
    return 0;
}

/* Return the largest number of cells into which a guess of the blocks `begin` to `end` - 1 splits n candidates.
 *
 * Returns `best` if it is larger. The problem must have these blocks.
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
