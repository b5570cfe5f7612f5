/* Upper bounds: the best score that a guess with given symbols can have.
 *
 * All arrangements of a multiset of symbols have equal totals (black plus white pegs) with a candidate.
 * The black pegs split the candidates of total t into at most t + 1 cells. Of all such splits, an even split
 * has the best score. So even splits for all totals yield an upper bound of the score of every arrangement of
 * the multiset.
 */
#include "workspace.h"

/* Return the score of an even split of n candidates into at most `cells` cells. No other split scores more, apart from
 * the rounding of logarithms in cells of more than CONVEX candidates. */
INLINE int64_t even_score(const Policy *policy, int64_t n, int64_t cells)
{
    if (n < cells)
        cells = n;
    if (cells == 0)
        return 0;
    int64_t small = n / cells, large = n % cells;
    if (policy->additive)
        return -(large * policy->costs[small + (large > 0)] + (cells - large) * policy->costs[small]);
    return -policy->costs[small + (large > 0)];
}

/* Fill the table `Policy.splits`: splits[n * columns + k] receives the best score of n candidates in
 * at most k cells.
 *
 * The caller owns `splits`, which has room for most + 1 rows of `columns` numbers.
 */
static void fill_splits(const Policy *policy, int64_t most, int64_t *splits)
{
    for (int64_t n = 0; n <= most; n++)
        for (int64_t k = 0; k < policy->columns; k++)
            splits[n * policy->columns + k] = even_score(policy, n, k);
}

/* Return the best score of n candidates in at most `cells` cells. n is at most 255: `splits` has no rows above. */
INLINE int64_t best_split(const Policy *policy, int64_t n, int64_t cells)
{
    return policy->splits[n * policy->columns + (cells < policy->columns ? cells : policy->columns - 1)];
}

/* Mark the multisets of symbols that are worth guessing: fill `space->fitting`, a bit for each multiset.
 *
 * Symmetry makes some symbols interchangeable. A guess with such a symbol is scored only if it also contains certain
 * lower symbols: see `Symmetry.required`. The bit of a multiset is 1 if it contains these lower symbols for each of its
 * symbols.
 */
static void mark_fitting(const CodeGame *game, Workspace *space)
{
    for (int64_t tile = 0; tile < game->tiles; tile++) {
        uint64_t mask = low_bits(game->multisets - tile * LANES);
        const uint64_t *having = game->having + tile * game->colors;
        for (int c = 0; c < game->colors; c++) {
            uint64_t required = space->symmetry.required[c];
            if (required >> 63) { /* bit 63 is set only if all bits are set: the symbol is never guessed */
                mask &= ~having[c];
            } else if (required != 0) {
                /* The highest required symbol itself requires the other ones, so only the highest is checked. */
                mask &= ~having[c] | having[63 - __builtin_clzll(required)];
            }
        }
        space->fitting[tile] = mask;
    }
}

/* Return the least number of cells with which a guess may reach the score `best`, or exceed `best` if `better` is true.
 *
 * `margin` is a bonus that is added to the score of the guess. The number n of candidates must be at most 255. If no
 * number of cells is enough, the result is the largest possible number of cells.
 */
static int64_t cells_needed(const Policy *policy, int64_t n, int64_t margin, int64_t best, bool better)
{
    int64_t most = n < policy->columns - 1 ? n : policy->columns - 1, needed = 1;
    const int64_t *splits = policy->splits + n * policy->columns;
    while (needed < most && splits[needed] + margin < best + better)
        needed++;
    return needed;
}

/* For each of 64 columns, count how often each value from 0 to t occurs in the sums `begin` to `end` - 1.
 *
 * Each count is multiplied by `times` and added to `out`: t + 1 rows of 64 counters. No counter overflows, because a
 * column counts each candidate at most once, and a game has at most 2^24 candidates.
 */
static void add_sums(const Sums *of, int64_t begin, int64_t end, int t, int64_t times, uint32_t *out)
{
    uint8_t counts[(MAX_PEGS + 1) * LANES];
    for (; begin < end; begin += BYTE) {
        count_sums(of, begin, end < begin + BYTE ? end : begin + BYTE, t, counts);
        for (int k = 0; k < (t + 1) * LANES; k++)
            out[k] += counts[k] * (uint32_t)times;
    }
}

/* Group the multisets of the candidates by the binary digits of their frequencies: fill `space->places`.
 *
 * The frequency of a multiset is the number of candidates with these symbols. There is one list of multisets for each
 * digit: a multiset of frequency 5 (binary 101) is in the lists of digits 0 and 2. A list has a row of `CodeGame.rows`
 * for each of its multisets. `start` receives the index of the first row of each list, and the end of the last list.
 * Returns the number of lists.
 */
static int list_digits(const CodeGame *game, Workspace *space, int64_t *start)
{
    /* The search takes time for each row of the lists. At a node of the game 6x10, the lists have 6,540 rows in all.
     * One list with a row for each candidate would have 208,945 rows. */
    int64_t sets = 0, rows = 0;
    int32_t most = 0;
    size_t row = (size_t)game->width * sizeof(int32_t);
    for (int64_t s = 0; s < space->n; s++) {
        int32_t m = space->home[s];
        if (space->often[m]++ == 0)
            space->turns[sets++] = m;
        most = space->often[m] > most ? space->often[m] : most;
    }
    int digits = 0;
    for (start[0] = 0; most >> digits > 0; start[++digits] = rows)
        for (int64_t k = 0; k < sets; k++) {
            int64_t m = space->turns[k];
            if (space->often[m] >> digits & 1)
                memcpy(space->places + rows++ * game->width, game->rows + m * game->width, row);
        }
    for (int64_t k = 0; k < sets; k++)
        space->often[space->turns[k]] = 0;
    return digits;
}

/* Write multiset m to promising[found], and an upper bound of the score of its arrangements to limits[found].
 *
 * Returns whether the bound is above the score `best`. If the result is false, the next call uses the same `found`, and
 * so overwrites both entries.
 */
static bool take_promising(const Search *search, Workspace *space, int64_t found, int64_t m,
                           int64_t best)
{
    const CodeGame *game = search->game;
    int64_t lane = m % LANES, bound = 0;
    Promising *own = &space->promising[found];
    for (int t = 0; t <= game->pegs; t++) {
        int64_t at = t * LANES + lane;
        own->size[t] = space->n <= BYTE ? space->counts[at] : (int32_t)space->sums[at];
        int64_t score = space->n <= BYTE
                            ? best_split(search->policy, own->size[t], space->caps[t])
                            : even_score(search->policy, own->size[t], space->caps[t]);
        bound = search->policy->additive ? bound + score : bound < score ? bound : score;
    }
    bound += space->n > FEW ? search->policy->credit : 0;
    if (space->n > CONVEX && search->policy->unit != 0)
        bound += ROUNDED * space->n;
    own->set = (int32_t)m;
    space->limits[found] = bound;
    return bound > best;
}

/* Compute an upper bound of the score of each multiset of symbols, or of its number of cells if `by_cells` is true.
 *
 * The bound holds for all arrangements of the multiset. Multisets that `mark_fitting` has excluded are skipped.
 *
 * If `by_cells` is false, `space->promising` receives the multisets with a bound above `best`, in ascending order, and
 * `space->limits` receives their bounds; the result is the number of these multisets. If `by_cells` is true,
 * `space->cells` receives the bounds; the result is 0.
 */
static int64_t list_promising(const Search *search, Workspace *space, int64_t best, bool by_cells)
{
    const CodeGame *game = search->game;
    const Policy *policy = search->policy;
    int64_t n = space->n, found = 0, needed = 0, start[33];
    int pegs = game->pegs, digits = 0;
    if (n <= BYTE) {
        for (int64_t s = 0; s < n; s++)
            memcpy(space->places + s * game->width, game->rows + (int64_t)space->home[s] * game->width,
                   (size_t)game->width * sizeof(int32_t));
        needed = cells_needed(policy, n, n > FEW ? policy->credit : 0, best, n <= FEW);
    } else {
        digits = list_digits(game, space, start);
    }
    for (int64_t tile = 0; tile < game->tiles; tile++) {
        uint64_t mask = space->fitting[tile];
        if (mask == 0)
            continue;
        Sums sums = {game->shared + tile * game->shared_tile, space->places, game->width};
        if (n <= BYTE) {
            uint8_t *cells = space->cells + tile * LANES;
            count_sums(&sums, 0, n, pegs, space->counts);
            sum_smaller(space->counts, pegs + 1, space->caps, cells);
            if (by_cells)
                continue;
            mask &= at_least(cells, (uint8_t)needed);
        } else {
            memset(space->sums, 0, (size_t)(pegs + 1) * LANES * sizeof(uint32_t));
            for (int digit = 0; digit < digits; digit++)
                add_sums(&sums, start[digit], start[digit + 1], pegs, INT64_C(1) << digit, space->sums);
        }
        for (; mask != 0; mask &= mask - 1)
            found += take_promising(search, space, found, tile * LANES + lowest_bit(mask), best);
    }
    return found;
}
