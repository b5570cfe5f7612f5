/* The most cells that any guess makes of a set, in games of many feedbacks, such as words.
 *
 * Two guesses find one candidate of each cell of the first. So this is what they find at most, and
 * where secrets count alike it is the search for the most secrets within two guesses. 64 guesses are
 * bounded side by side, those first that make the most cells of all secrets: where these are no more
 * than the best, the rest is left out.
 */
#include "sets.h"

/* Labels whose cells are counted once; of others each candidate counts as a cell of its own. */
#define COMMON 32
/* Candidates that a counter of 8 bits holds. */
#define COUNTED 255
/* Sets of fewer candidates are found to be told apart in another way. */
#define FEW_CELLS 8

/* A bit for each of 16 labels, of the first or the last 8; the tables repeat for `look_up`. */
#define FIRST_BITS 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0
#define LAST_BITS 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128

static const uint8_t first_bits[LANES] = {FIRST_BITS, FIRST_BITS, FIRST_BITS, FIRST_BITS};
static const uint8_t last_bits[LANES] = {LAST_BITS, LAST_BITS, LAST_BITS, LAST_BITS};

/* Return how many bits of each byte are 1. */
INLINE Block count_bits(Block x)
{
    x = x - (Block)((Block)(x >> 1) & splat(0x55));
    x = (Block)(x & splat(0x33)) + (Block)((Block)(x >> 2) & splat(0x33));
    return (Block)(x + (Block)(x >> 4)) & splat(15);
}

/* bounds[64] = how many cells 64 guesses make of n candidates at most; n is at most COUNTED.
 *
 * `rows` are those of the block of guesses. The rows of the next block, `step` bytes on, are fetched
 * on the way: they are too far apart for the processor to foresee.
 */
INLINE void bound_lanes(const uint8_t *rows, const uint32_t *secrets, int64_t n, int64_t step,
                        uint8_t *bounds)
{
    Block low = load_block(first_bits), high = load_block(last_bits);
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block seen[4] = {{0}}, rare = {0};
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *row = rows + secrets[i] * (int64_t)LANES;
            if (at == 0)
                __builtin_prefetch(row + step);
            Block label = load_block(row + at), rest = label - splat(16);
            seen[0] |= look_up(low, label);
            seen[1] |= look_up(high, label);
            seen[2] |= look_up(low, rest);
            seen[3] |= look_up(high, rest);
            rare -= (Block)(label >= splat(COMMON));
        }
        for (int k = 0; k < 4; k++)
            rare += count_bits(seen[k]);
        store_block(bounds + at, rare);
    }
}

/* Return how many cells the guess of one lane makes of n candidates. */
static int64_t cells_of_lane(const uint8_t *rows, const uint32_t *secrets, int64_t n, int lane)
{
    uint64_t met[4] = {0};
    for (int64_t i = 0; i < n; i++) {
        uint8_t label = rows[secrets[i] * (int64_t)LANES + lane];
        met[label >> 6] |= UINT64_C(1) << (label & 63);
    }
    int64_t cells = 0;
    for (int w = 0; w < 4; w++)
        cells += __builtin_popcountll(met[w]);
    return cells;
}

/* Return the lanes of a block that may make more than `best` cells of n candidates. */
static uint64_t open_lanes(const uint8_t *rows, const uint32_t *secrets, int64_t n, int64_t step,
                           int64_t best)
{
    uint32_t totals[LANES] = {0};
    uint64_t open = 0;
    for (int64_t i = 0; i < n; i += COUNTED) {
        uint8_t bounds[LANES];
        bound_lanes(rows, secrets + i, smallest(n - i, COUNTED), step, bounds);
        for (int k = 0; k < LANES; k++)
            totals[k] += bounds[k];
    }
    for (int k = 0; k < LANES; k++)
        open |= (uint64_t)(totals[k] > best) << k;
    return open;
}

/* Return the most cells that a guess of some blocks makes of n candidates, or `best` if no less.
 *
 * The problem has blocks. Guesses of later blocks make at most `peaks[end]`.
 */
static int64_t most_cells(const Problem *problem, const uint32_t *secrets, int64_t n, int64_t best,
                          int64_t begin, int64_t end)
{
    int64_t step = problem->secrets * LANES;
    for (int64_t b = begin; b < end && problem->peaks[b] > best && best < n; b++) {
        const uint8_t *rows = problem->rows + b * step;
        uint64_t open = open_lanes(rows, secrets, n, b + 1 < problem->blocks ? step : 0, best);
        for (; open != 0; open &= open - 1)
            best = largest(best, cells_of_lane(rows, secrets, n, lowest_bit(open)));
    }
    return best;
}
