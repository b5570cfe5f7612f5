/* A bound on the score of a guess by its sum of blacks: the number of black pegs, added up over all candidates.
 *
 * Let N_t be the number of candidates with a total of t pegs (black plus white), and n_tb the number of
 * candidates that also have b black pegs. Let B be the sum of blacks, and L = log2. Then every r > 0 gives an
 * upper bound of the entropy (by duality):
 *
 *     -sum n_tb L(n_tb) <= sum_t (-N_t L(N_t) + N_t L(Z_t(r))) - B L(r),  Z_t(r) = sum_b r^b.
 *
 * So a guess can have the best score only if B is within an interval. In the game 6x8 (6 pegs, 8 colours), the interval
 * excludes 7 of 8 guesses that bounds.c does not exclude, at nodes of a few hundred candidates. At nodes of thousands
 * of candidates, the interval excludes 19 of 20 such guesses.
 */
#include "workspace.h"

/* The bound on the score of a guess has a parameter r, and is computed for several r: log2(r) runs from -STEPS * STEP
 * to STEPS * STEP, in steps of STEP. */
#define STEPS 16
#define STEP 0.25
/* Two margins make the bounds safe from rounding errors: ROUNDED, and SLACK, which is in bits of entropy and exceeds the
 * errors of the floating-point numbers. */
#define SLACK 0.001

/* Write the symbols of an arrangement to `space->code`.
 *
 * `space->kinds` must contain the different symbols of the arrangement, in ascending order.
 */
INLINE void decode_arrangement(const CodeGame *game, Workspace *space, int64_t arrangement)
{
    const uint8_t *places = game->places + arrangement * game->pegs;
    for (int p = 0; p < game->pegs; p++)
        space->code[p] = space->kinds[places[p]];
}

/* Count the candidates with each symbol at each position: fill `space->there`. */
static void count_symbols(const CodeGame *game, Workspace *space)
{
    memset(space->there, 0, (size_t)(game->pegs * game->colors) * sizeof(int32_t));
    for (int64_t k = 0; k < space->n * game->pegs; k++)
        space->there[space->digits[k]]++;
}

/* Round up. To fit into 64 bits, numbers above 2^62 become 2^62, and numbers below -2^62 become -2^62. */
static int64_t ceiling(double value)
{
    double most = (double)(INT64_C(1) << 62);
    value = value > most ? most : value < -most ? -most : value;
    int64_t whole = (int64_t)value;
    return whole + ((double)whole < value);
}

/* Compute the least and the largest sum of blacks with which a guess may reach the score `best`.
 *
 * The sum of blacks is the number of black pegs, added up over all candidates. `size` contains the number of candidates
 * with a total of 0, 1, ... black plus white pegs. `Policy.unit` must not be 0. `interval` receives the two sums. If
 * interval[0] is above interval[1], no guess can reach the score.
 */
static void blacks_needed(const Search *search, const Workspace *space, const int32_t *size,
                          int64_t best, int64_t interval[2])
{
    const Policy *policy = search->policy;
    int pegs = search->game->pegs;
    int64_t lowest = 0, highest = space->n * pegs, cost = 0;
    for (int t = 0; t <= pegs; t++)
        cost += policy->costs[size[t]];
    /* The split by black pegs must add `wanted` bits of entropy to the split by totals (black plus white pegs). */
    double unit = (double)policy->unit;
    double wanted = ((double)best - (double)policy->credit + (double)cost) / unit - SLACK -
                    (double)(ROUNDED * space->n) / unit;
    const double *spread = policy->spreads;
    for (int k = -STEPS; k <= STEPS; k++) {
        double most = 0.0;
        for (int t = 0; t <= pegs; t++)
            most += size[t] * *spread++;
        if (k < 0) {
            int64_t least = ceiling((wanted - most) / (-k * STEP));
            lowest = least > lowest ? least : lowest;
        } else if (k > 0) {
            int64_t top = -ceiling(-((most - wanted) / (k * STEP)));
            highest = top < highest ? top : highest;
        }
    }
    /* `within_blacks` compares numbers of 32 bits, so both limits are clamped. An empty interval stays empty. */
    interval[0] = lowest <= space->n * pegs ? lowest : space->n * pegs + 1;
    interval[1] = highest >= 0 ? highest : -1;
}

/* Return a bit for each of 64 arrangements: 1 if its sum of blacks is within `interval`.
 *
 * The sum of blacks is the number of black pegs, added up over all candidates. `rows` is the block of these
 * arrangements in `CodeGame.blacks`. `kinds` is the number of different symbols of an arrangement.
 */
static uint64_t within_blacks(const CodeGame *game, const Workspace *space, const uint8_t *rows,
                              int kinds, const int64_t interval[2])
{
    int32_t total[LANES] = {0};
    for (int p = 0; p < game->pegs; p++) {
        const uint8_t *row = rows + p * game->width * LANES;
        for (int j = 0; j < kinds; j++, row += LANES) {
            int32_t weight = space->weights[p * game->width + j];
            for (int lane = 0; lane < LANES; lane++)
                total[lane] += weight & -(int32_t)row[lane];
        }
    }
    uint8_t within[LANES];
    int32_t low = (int32_t)interval[0], high = (int32_t)interval[1];
    for (int lane = 0; lane < LANES; lane++)
        within[lane] = total[lane] >= low && total[lane] <= high;
    return at_least(within, 1);
}

/* Copy an arrangement to index k of `space->chosen` and `space->picked`. Successive calls must pass k = 0, 1, ... */
static void copy_arrangement(const CodeGame *game, Workspace *space, int64_t arrangement, int64_t k)
{
    uint8_t *tile = space->chosen + k / LANES * game->blacks_tile;
    const uint8_t *places = game->places + arrangement * game->pegs;
    if (k % LANES == 0)
        memset(tile, 0, (size_t)game->blacks_tile);
    for (int p = 0; p < game->pegs; p++)
        tile[(p * game->width + places[p]) * LANES + k % LANES] = 1;
    space->picked[k] = (int32_t)arrangement;
}

/* Copy at most `most` arrangements of multiset m to `space->chosen`.
 *
 * An arrangement is omitted if its black pegs with all candidates add up to a number outside of `interval`. An
 * arrangement is also omitted if a symmetry of the history maps it to a lower arrangement. Returns the number of
 * copies.
 */
static int64_t choose_arrangements(const CodeGame *game, Workspace *space, int64_t m,
                                   const int64_t interval[2], int64_t most)
{
    int pegs = game->pegs, kinds = 0;
    const uint8_t *set = game->sets + m * pegs;
    for (int p = 0; p < pegs; p++) {
        if (p > 0 && set[p] == set[p - 1])
            continue;
        space->kinds[kinds] = set[p];
        for (int q = 0; q < pegs; q++)
            space->weights[q * game->width + kinds] = space->there[q * game->colors + set[p]];
        kinds++;
    }
    Shape shape = game->shape[game->shape_of[m]];
    bool symmetric = space->symmetry.count > 0;
    int64_t kept = 0;
    for (int64_t at = 0; at < shape.number; at += LANES) {
        int64_t first = shape.tile * LANES + at;
        const uint8_t *rows = game->blacks + (shape.tile + at / LANES) * game->blacks_tile;
        uint64_t mask = within_blacks(game, space, rows, kinds, interval);
        mask &= low_bits(shape.number - at);
        for (; mask != 0 && kept < most; mask &= mask - 1) {
            int64_t arrangement = first + lowest_bit(mask);
            if (symmetric) {
                decode_arrangement(game, space, arrangement);
                if (!is_lowest(game, &space->symmetry, space->code))
                    continue;
            }
            copy_arrangement(game, space, arrangement, kept++);
        }
    }
    return kept;
}
