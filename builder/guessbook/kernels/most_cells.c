/* The most cells that any guess makes of a set, in games of many feedbacks, such as words.
 *
 * Of each cell of a guess, the next guess finds at most one candidate. So, if all
 * secrets have equal weight, the most cells of a guess are the most secrets that two guesses find.
 * 64 guesses are bounded side by side. Guesses that make the most cells of all secrets come first:
 * once they make no more than the best guess so far, the rest is skipped.
 */
#include "sets.h"

/* Labels that are counted in one pass. */
#define COMMON 32
/* Up to this number of lanes, counting one by one is quicker than a pass for all. */
#define FEW_LANES 5
/* The most candidates that a counter of 8 bits can count. */
#define COUNTED 255
/* Smaller cells are not bounded in batches: `first_known` usually settles them. */
#define FEW_CELLS 8

/* A bit for each of the first, or the last, 8 of 16 labels; the tables repeat for `look_up`. */
#define FIRST_BITS 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0
#define LAST_BITS 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128

static const uint8_t first_bits[LANES] = {FIRST_BITS, FIRST_BITS, FIRST_BITS, FIRST_BITS};
static const uint8_t last_bits[LANES] = {LAST_BITS, LAST_BITS, LAST_BITS, LAST_BITS};

/* Return the number of 1 bits of each byte. */
INLINE Block count_bits(Block x)
{
    x = x - (Block)((Block)(x >> 1) & splat(0x55));
    x = (Block)(x & splat(0x33)) + (Block)((Block)(x >> 2) & splat(0x33));
    return (Block)(x + (Block)(x >> 4)) & splat(15);
}

/* Count, for 64 guesses, the candidates that share a label with an earlier one: `excess`.
 *
 * Counts at most COMMON labels, from `first` on, of n candidates; n is at most COUNTED. `rows` is a
 * block of guesses. The rows of the next block, `step` bytes on, are prefetched, because they are
 * too far apart for the processor to predict.
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

/* Return the number of cells that the guess of one lane makes of n candidates.
 *
 * Each label has a byte: a bit would have to be read before it is written.
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

/* Return the lanes of block b that may make more than `*best` cells of n candidates.
 *
 * The labels of large cells are counted first, and further labels as long as many lanes are open.
 * With at most COUNTED candidates a count of all labels is exact: then no lane stays open, and
 * `*best` receives the most cells of all lanes.
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
    if (n > COUNTED) /* a label that is met in two passes was counted twice */
        return open;
    for (int k = 0; k < LANES; k++)
        most = largest(most, bounds[k]);
    *best = largest(*best, most);
    return 0;
}

/* Return the most cells that a guess of blocks begin..end makes of n candidates, or `best` if that
 * is more.
 *
 * The problem must have blocks. No guess of a later block makes more than `peaks[end]` cells.
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
