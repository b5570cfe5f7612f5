/* The best pairs of guesses, which are made one after the other whatever the first one tells. */
#include "codes.h"

/* More than a pair costs. */
#define NOTHING INT64_MAX

/* What a search for pairs is given; all arrays are the caller's. */
typedef struct {
    const uint32_t *rows;    /* [guesses][n] feedbacks, the guess that costs least alone first */
    const int64_t *order;    /* [guesses] the index of each of these guesses */
    const uint8_t *is_first; /* [guesses] whether each may be the one that a pair must have */
    const int64_t *alone;    /* [guesses] what each costs alone */
    const int64_t *costs;    /* the cost of a cell whose candidates count 0, 1, ... */
    const int64_t *weights;  /* [n] how much each candidate counts */
    int64_t guesses, n, feedbacks;
    int64_t whole; /* the cost of no guess: of all candidates together, and what rounding takes */
    int64_t *kept; /* [count][3] cost and guesses of the best pairs; cost NOTHING where free */
    int64_t count;
} Pairs;

/* Return what the cells of two guesses cost, or more than `limit`; `cells` is 0 before and after. */
static int64_t cost_of_pair(const Pairs *pairs, int64_t i, int64_t j, int64_t limit, int64_t *cells)
{
    const uint32_t *one = pairs->rows + i * pairs->n, *other = pairs->rows + j * pairs->n;
    int64_t cost = 0, done = 0;
    for (; done < pairs->n && cost <= limit; done++) {
        int64_t cell = one[done] * pairs->feedbacks + other[done];
        int64_t before = cells[cell], after = before + pairs->weights[done];
        cost += pairs->costs[after] - pairs->costs[before];
        cells[cell] = after;
    }
    for (int64_t k = 0; k < done; k++)
        cells[one[k] * pairs->feedbacks + other[k]] = 0;
    return cost;
}

/* Return whether a pair comes before another: less cost, then lower guesses. */
static bool pair_before(const int64_t *one, const int64_t *other)
{
    for (int k = 0; k < 2; k++)
        if (one[k] != other[k])
            return one[k] < other[k];
    return one[2] < other[2];
}

/* Put a pair in its place among the best, if it is one of them. */
static void keep_pair(const Pairs *pairs, const int64_t pair[3])
{
    int64_t place = pairs->count;
    while (place > 0 && pair_before(pair, pairs->kept + (place - 1) * 3))
        place--;
    if (place == pairs->count)
        return;
    for (int64_t k = (pairs->count - 1) * 3 + 2; k >= (place + 1) * 3; k--)
        pairs->kept[k] = pairs->kept[k - 3];
    for (int k = 0; k < 3; k++)
        pairs->kept[place * 3 + k] = pair[k];
}

/* Find the pairs whose cells together cost least: `kept`; one is wanted at least.
 *
 * Two feedbacks never tell more than the sum of what each of them tells, so a pair costs at least the
 * costs of both guesses alone less the cost of no guess; and a sum of steps never falls.
 *
 * Returns OK, NO_MEMORY, or STOPPED once `stop` is not 0; it may be NULL.
 */
static int32_t search_pairs(const Pairs *pairs, const int32_t *stop)
{
    const int64_t *limit = pairs->kept + (pairs->count - 1) * 3;
    int64_t *cells = calloc((size_t)(pairs->feedbacks * pairs->feedbacks), sizeof *cells);
    if (cells == NULL)
        return NO_MEMORY;
    for (int64_t i = 0; i < pairs->guesses && !is_stopped(stop); i++) {
        for (int64_t j = 0; pairs->is_first[i] && j < pairs->guesses; j++) {
            /* Two costs may be more than 64 bits hold; no cost alone is above `whole`. */
            if (pairs->alone[i] - pairs->whole + pairs->alone[j] > *limit)
                break;
            if (j == i || (j < i && pairs->is_first[j])) /* a pair of two such is met once */
                continue;
            int64_t cost = cost_of_pair(pairs, i, j, *limit, cells);
            if (cost > *limit)
                continue;
            int64_t a = pairs->order[i], b = pairs->order[j];
            keep_pair(pairs, (int64_t[3]){cost, a < b ? a : b, a < b ? b : a});
        }
    }
    free(cells);
    return is_stopped(stop) ? STOPPED : OK;
}
