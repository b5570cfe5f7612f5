/* The best pairs of guesses, the second of which does not depend on the answer to the first. */
#include "codes.h"

/* The cost of a free place in the list, above that of any pair. */
#define NOTHING INT64_MAX

/* The arguments of a search for pairs; the caller owns all arrays. */
typedef struct {
    const uint32_t *rows;    /* [guesses][n] feedbacks, the guess that costs least alone first */
    const int64_t *order;    /* [guesses] the index of each of these guesses */
    const uint8_t *is_first; /* [guesses] 1 for a first guess; a pair contains at least one */
    const int64_t *alone;    /* [guesses] the cost of each alone */
    const int64_t *costs;    /* the cost of a cell whose candidates count 0, 1, ... */
    const int64_t *weights;  /* [n] the weight of each candidate */
    int64_t guesses, n;
    int64_t feedbacks; /* the highest feedback number plus 2; no guess gets the last one */
    int64_t whole; /* the cost of all candidates in one cell, plus the largest rounding error */
    int64_t *kept; /* [count][3] cost and guesses of the best pairs; cost NOTHING where free */
    int64_t count;
    const uint32_t *every; /* [n] 0, 1, ... */
    uint32_t *sorted;      /* [n] working memory, as are the others */
    int64_t *counts;       /* [feedbacks] 0 before and after */
    int64_t *feedback;     /* [n] */
    int64_t *ends;         /* [n] */
} Pairs;

/* Return the cost of the cells of two guesses, or more than `limit`.
 *
 * Args:
 *     first: the cells of one guess, whose `counts` are 0 before and after.
 *     sorted: the candidates, sorted into these cells.
 *     other: [n] the feedbacks to the other guess.
 */
static int64_t cost_of_pair(const Pairs *pairs, const Cells *first, const uint32_t *sorted,
                            const uint32_t *other, int64_t limit)
{
    int64_t cost = 0, begin = 0;
    for (int64_t cell = 0; begin < pairs->n && cost <= limit; begin = first->ends[cell++]) {
        for (int64_t k = begin; k < first->ends[cell]; k++) {
            int64_t *count = &first->counts[other[sorted[k]]], before = *count;
            *count += pairs->weights[sorted[k]];
            cost += pairs->costs[*count] - pairs->costs[before];
        }
        for (int64_t k = begin; k < first->ends[cell]; k++)
            first->counts[other[sorted[k]]] = 0;
    }
    return cost;
}

/* Return whether a pair comes before another: less cost, then lower guesses. */
static bool pair_before(const int64_t *one, const int64_t *other)
{
    int k = 0;
    while (k < 2 && one[k] == other[k])
        k++;
    return one[k] < other[k];
}

/* Put a pair in its place among the best, if it is one of them. */
static void keep_pair(const Pairs *pairs, const int64_t pair[3])
{
    int64_t *place = pairs->kept + pairs->count * 3;
    size_t size = 3 * sizeof *pair;
    for (; place > pairs->kept && pair_before(pair, place - 3); place -= 3)
        if (place < pairs->kept + pairs->count * 3)
            memcpy(place, place - 3, size);
    if (place < pairs->kept + pairs->count * 3)
        memcpy(place, pair, size);
}

/* Find the pairs whose common cells cost least: `kept`. `count` is at least 1.
 *
 * Two feedbacks give at most the sum of the information of each. So a pair costs at least what both
 * guesses cost alone, less `whole`. The cost of a pair never falls while its candidates are
 * counted.
 *
 * Returns OK, or STOPPED once `*stop` is nonzero; `stop` may be NULL.
 */
static int32_t search_pairs(const Pairs *pairs, const int32_t *stop)
{
    const int64_t *limit = pairs->kept + (pairs->count - 1) * 3;
    int64_t n = pairs->n;
    Cells cells = {pairs->feedbacks, pairs->counts, pairs->feedback, pairs->ends};
    for (int64_t i = 0; i < pairs->guesses && !is_stopped(stop); i++) {
        if (!pairs->is_first[i])
            continue;
        sort_cells(&cells, pairs->every, pairs->rows + i * n, sizeof *pairs->rows, n, pairs->sorted, 0);
        for (int64_t j = 0; j < pairs->guesses; j++) {
            /* The sum of two costs may overflow 64 bits; one cost less `whole` is at most 0. */
            if (pairs->alone[i] - pairs->whole + pairs->alone[j] > *limit)
                break;
            if (j == i || (j < i && pairs->is_first[j])) /* a pair of two such guesses is tried once */
                continue;
            int64_t cost = cost_of_pair(pairs, &cells, pairs->sorted, pairs->rows + j * n, *limit);
            if (cost > *limit)
                continue;
            int64_t a = pairs->order[i], b = pairs->order[j];
            keep_pair(pairs, (int64_t[3]){cost, a < b ? a : b, a < b ? b : a});
        }
    }
    return is_stopped(stop) ? STOPPED : OK;
}
