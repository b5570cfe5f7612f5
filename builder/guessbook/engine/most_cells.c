/* The largest number of cells into which any guess splits a set of candidates, in games of many feedbacks.
 *
 * If all secrets have equal weight, this number is the largest number of candidates that two guesses can find: the
 * second guess finds one candidate of each cell.
 *
 * Guesses are sorted by the number of cells into which they split all secrets, the largest first, and grouped in blocks
 * of 64 (`Problem.rows`). A guess never splits a subset of the secrets into more cells than it splits all secrets. So
 * the search ends at the first block that cannot contain a better guess.
 *
 * In the arguments, `secrets` [n] are the candidates, and `rows` is the block of guesses to read. The caller owns both;
 * no function writes to them. What would overflow first is a counter of 8 bits, so no pass counts more than COUNTED
 * candidates. There are at most 256 feedbacks, so that a label fits into a byte.
 */
#include "sets.h"

/* Each cell of a guess has a label: 0 for the cell with the most secrets, 1 for the next largest cell, and so on. One
 * pass over the candidates counts the cells of COMMON consecutive labels, such as 0 to 31. */
#define COMMON 32
/* If at most FEW_LANES guesses of a block of 64 may still be better, it is quicker to count the cells of each of them
 * than the cells of all 64 guesses. */
#define FEW_LANES 5
/* The largest number of candidates that a counter of 8 bits can count. */
#define COUNTED 255
/* pieces.c computes bounds only for cells with at least FEW_CELLS candidates. For smaller cells, `first_known` usually
 * finds the cost. */
#define FEW_CELLS 8

/* Tables for `look_up`. They map a label from 0 to 15 to a byte with one bit: FIRST_BITS for the labels 0 to 7,
 * LAST_BITS for the labels 8 to 15. Other labels give 0. `look_up` needs tables that repeat after 16 bytes. */
#define FIRST_BITS 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0
#define LAST_BITS 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128

static const uint8_t first_bits[LANES] = {FIRST_BITS, FIRST_BITS, FIRST_BITS, FIRST_BITS};
static const uint8_t last_bits[LANES] = {LAST_BITS, LAST_BITS, LAST_BITS, LAST_BITS};

/* Return the number of 1 bits in each byte of a block. */
INLINE Block count_bits(Block x)
{
    x = x - (Block)((Block)(x >> 1) & splat(0x55));
    x = (Block)(x & splat(0x33)) + (Block)((Block)(x >> 2) & splat(0x33));
    return (Block)(x + (Block)(x >> 4)) & splat(15);
}

/* For each of 64 guesses, count the candidates that share their cell with an earlier candidate: fill `excess` [LANES].
 *
 * Only candidates in the cells with the labels `first` to `first` + COMMON - 1 count; `first` is a multiple of COMMON.
 * n is at most COUNTED. The next block begins `step` bytes after `rows`; `step` is 0 at the last block.
 */
INLINE void count_excess(const uint8_t *rows, const uint32_t *secrets, int64_t n, int64_t step,
                         uint8_t first, uint8_t *excess)
{
    Block low = load_block(first_bits), high = load_block(last_bits);
    for (int at = 0; at < LANES; at += LANE_BYTES) {
        Block seen[4] = {{0}}, met = {0};
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *row = rows + secrets[i] * (int64_t)LANES;
            if (at == 0 && first == 0) /* the processor cannot predict the accesses to the next block */
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

/* Return the number of cells into which guess `lane` (0 to 63) of a block splits any number n of candidates. */
static int64_t cells_of_lane(const uint8_t *rows, const uint32_t *secrets, int64_t n, int lane)
{
    /* `met` has a byte for each cell, because a byte can be written without being read first; a bit cannot. */
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

/* Return a bit for each guess of block b: 1 if it may split n candidates into more than `*best` cells.
 *
 * Returns as soon as at most FEW_LANES bits are 1. If this never happens and n is at most COUNTED, the cells of each
 * guess have been counted exactly. The function then raises `*best` to the largest count, and returns 0: no guess has
 * more cells. n must fit into 32 bits.
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
    /* Large cells are counted first: their counts exclude most guesses, so further passes are seldom necessary. */
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
    if (n > COUNTED) /* a cell with candidates of two groups was counted twice, so `bounds` are only upper bounds */
        return open;
    for (int k = 0; k < LANES; k++)
        most = largest(most, bounds[k]);
    *best = largest(*best, most);
    return 0;
}

/* Return the largest number of cells into which a guess of the blocks `begin` to `end` - 1 splits n candidates.
 *
 * Returns `best` if no guess has more cells. The problem must have these blocks, and n is at least 1.
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
