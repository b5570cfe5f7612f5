/* The best pairs of guesses. The player makes both guesses, whatever the feedback to the first one is. */
#include "codes.h"

/* The cost in the free entries of the list of best pairs. It is higher than the cost of any pair. */
#define NOTHING INT64_MAX

/* The arguments of a search for pairs; the caller owns all arrays. */
typedef struct {
    const uint32_t *rows;    /* [guesses][n] feedback of each candidate to each guess, in ascending order of `alone` */
    const int64_t *order;    /* [guesses] index of the guess in each row */
    const uint8_t *is_first; /* [guesses] 1 or 0; each pair must contain at least one guess marked with 1 */
    const int64_t *alone;    /* [guesses] cost of the partition by each guess alone */
    const int64_t *costs;    /* costs[w] is the cost of a cell whose candidates have the total weight w */
    const int64_t *weights;  /* [n] weight of each candidate */
    int64_t guesses, n;      /* numbers of guesses and candidates */
    int64_t feedbacks; /* highest feedback number plus 2: `sort_cells` omits candidates with the feedback
                          `feedbacks` - 1, so no candidate may have this feedback */
    int64_t whole; /* cost of all candidates in one cell, plus the largest rounding error of a lower bound */
    int64_t *kept; /* [count][3] cost and both guesses of each best pair so far; a free entry has the cost NOTHING */
    int64_t count; /* number of pairs to find, at least 1 */
    const uint32_t *every; /* [n] indices of the candidates: 0, 1, ... */
    uint32_t *sorted;      /* [n] working memory: candidates sorted into the cells of a pair's first guess */
    int64_t *counts;       /* [feedbacks] working memory; all 0 before and after a search */
    int64_t *feedback;     /* [n] working memory: feedback of each cell */
    int64_t *ends;         /* [n] working memory: end of each cell in `sorted` */
} Pairs;

/* Return the cost of the partition by two guesses: a cell has the candidates with the same feedback to each guess.
 *
 * If the cost is above `limit`, the result may be any number above `limit`.
 *
 * Args:
 *     first: the cells of one guess; its `counts` are all 0 before and after a call.
 *     sorted: [n] the candidates, sorted into these cells.
 *     other: [n] the feedback of each candidate to the other guess.
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

/* Return whether pair `one` ranks before pair `other`: the lower cost ranks first, then the lower guesses. */
static bool pair_before(const int64_t *one, const int64_t *other)
{
    int k = 0;
    while (k < 2 && one[k] == other[k])
        k++;
    return one[k] < other[k];
}

/* Insert a pair into the sorted list of the best pairs, if it is better than the last pair of the list. */
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

/* Find the pairs of guesses with the lowest costs: fill `pairs->kept`.
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
            /* Guess i has the cost alone[i] and, apart from rounding, the information whole - alone[i]. A pair gives
             * at most the sum of the information of its two guesses, so it costs at least alone[i] + alone[j] - whole.
             * `whole` is subtracted first, because the sum of two costs may overflow 64 bits. */
            if (pairs->alone[i] - pairs->whole + pairs->alone[j] > *limit)
                break;
            if (j == i || (j < i && pairs->is_first[j])) /* one guess is no pair; the pair (j, i) was tried before */
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
