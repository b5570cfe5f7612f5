/* Identification: tests are asked until the outcome of a thing is known, at the least cost.
 *
 * A table has the answer of each thing to each test. A set of things is *settled* if its things share one outcome, or
 * if no test splits it: then no further test is asked. The cost of a strategy is the sum, over all things, of the
 * weight times the costs of the tests until its set is settled.
 *
 * A set is an array `members` [n] of at least one thing, which the caller owns. `level` is the depth of the recursion.
 * Results below 0 are NO_TEST or an error code: NO_MEMORY, STOPPED or TOO_DEEP.
 *
 * The game and engine/identification.py ensure:
 * - Answers are below `answers`; `tests` plus each outcome is below 2^32; all weights and costs are at least 1.
 * - The weights of all things add up to at most the last index of `worth`, which the rule CELLS does not use.
 * - The total weight times the sum of all costs is below WORST. This product would overflow first.
 * - The members of a set are in ascending order of their outcomes. The functions preserve this order.
 */
#include "sets.h"

/* A number above the cost of every strategy. Four times WORST fits into 64 bits, as `SetEntry.known` requires. */
#define WORST (INT64_C(1) << 60)
/* A recursion deeper than this ends with TOO_DEEP: its frames might not fit into the stack of a thread. */
#define DEEPEST 4000
/* The value of `Strategy.budget` if there is no budget. */
#define NO_BUDGET (-1)
/* The choice for a settled set. Like the error codes, it is below 0, but it equals none of them. */
#define NO_TEST (-16)

/* The rules by which one-step policies measure the *doubt* about the outcome of a set. The gain of a test is the doubt
 * of the set minus the sum of the doubts of its cells, except with LARGEST and CELLS. */
enum {
    OUTCOMES, /* worth[weight of the set], minus the sum of worth[weight of an outcome in the set] */
    UNKNOWN,  /* worth[weight of the set]; 0 if the set has one outcome */
    LARGEST,  /* as UNKNOWN, but the gain is the doubt of the set minus the largest doubt of a cell */
    CELLS     /* no doubt: the gain of a test is the number of its cells minus 1 */
};

/* A table of tests and things, with a one-step policy. The caller owns all arrays; no array is changed. */
typedef struct {
    const void *table;        /* [tests][things] answer of each thing to each test */
    const int64_t *weights;   /* [things] weight of each thing */
    const uint32_t *outcomes; /* [things] outcome of each thing */
    const uint64_t *keys;     /* [things] random numbers; the key of a set is the xor of the keys of its members */
    const int64_t *costs;     /* [tests] cost of each test */
    const int64_t *worth;     /* [total weight + 1] see the rules above; worth[0] is 0. Not used by CELLS */
    int64_t tests, things, answers, lane; /* lane: bytes of an answer in `table`, 1 or 2 */
    int64_t rule;             /* OUTCOMES, UNKNOWN, LARGEST or CELLS */
    int64_t complete;         /* 1 if the tests tell apart all things of different outcomes, else 0 */
} Things;

/* How a policy chooses tests. With depth 1, it takes the best test of the one-step policy. With a greater depth, it
 * takes the cheapest of the `width` best tests; the tests that follow are chosen with depth - 1. */
typedef struct {
    int64_t depth, width;
    int64_t endgame; /* for sets of at most this number of things, a search finds the test of least cost */
    int64_t budget;  /* limit of the cost of all tests of a thing; the strategy identifies as much weight as possible
                        within it. NO_BUDGET if there is no budget */
} Strategy;

/* The working memory of one thread. It owns its arrays. Their contents are valid only within one function. */
typedef struct {
    int64_t *cells;  /* [answers] weight of each cell; all 0 between calls */
    int64_t *parts;  /* [answers] weight of one outcome in each cell; all 0 between calls */
    int64_t *counts; /* [answers] number of members of each cell; all 0 between calls */
    uint32_t *first; /* [answers] first outcome of each cell; in `same_cells`, an answer to the other test */
    uint8_t *mixed;  /* [answers] 1 if a cell has several outcomes */
    uint32_t *order; /* [answers] number of each cell: cells are numbered in the order of their first members */
    uint32_t *used;  /* [things] the answers that occur in a set, each once */
} ThingSpace;

/* The arguments that the functions of a search share. It owns nothing. */
typedef struct {
    const Things *things;
    ThingSpace *space;
    const SetTable *memory; /* transposition table */
    const Strategy *strategy;
    const int32_t *stop; /* a nonzero value ends the search without a result; may be NULL */
} Identifier;

/* A test, and what it does to a set. */
typedef struct {
    uint64_t gain;      /* by how much the doubt falls */
    uint64_t signature; /* a hash of the cells, equal for tests with equal cells */
    int64_t cost;
    int64_t unsettled;  /* weight of the cells with several outcomes */
    int64_t bound;      /* lower bound of the cost of a strategy that begins with the test */
    int64_t cells;
    uint32_t test;
} Measure;

/* The cells of a set after a test, in ascending order of their answers. The arrays share one block of memory, which
 * begins at `starts`. */
typedef struct {
    int64_t count;
    int64_t *starts;   /* [count + 1] index in `members` of the first member of each cell, and the end */
    int64_t *bounds;   /* [count] for `cost_after`: a lower bound of the cost of each cell */
    uint32_t *members; /* [n] */
    uint32_t *answers; /* [count] */
} Split;

/* Return the working memory of a thread, or NULL if memory is short. The caller frees it by `memory_free`. */
static ThingSpace *thing_space_new(const Things *things)
{
    ThingSpace *space = make_owner(sizeof *space);
    if (space == NULL)
        return NULL;
    space->cells = take(space, things->answers, sizeof(int64_t));
    space->parts = take(space, things->answers, sizeof(int64_t));
    space->counts = take(space, things->answers, sizeof(int64_t));
    space->first = take(space, things->answers, sizeof(uint32_t));
    space->mixed = take(space, things->answers, 1);
    space->order = take(space, things->answers, sizeof(uint32_t));
    space->used = take(space, things->things, sizeof(uint32_t));
    return complete(space);
}

INLINE uint32_t answer_of(const Things *things, uint32_t test, uint32_t thing)
{
    return number_at(things->table, things->lane, (int64_t)test * things->things + thing);
}

/* Return whether all things of a set share one outcome. */
static bool is_known(const Things *things, const uint32_t *members, int64_t n)
{
    return things->outcomes[members[0]] == things->outcomes[members[n - 1]];
}

static int64_t weight_of_set(const Things *things, const uint32_t *members, int64_t n)
{
    int64_t weight = 0;
    for (int64_t k = 0; k < n; k++)
        weight += things->weights[members[k]];
    return weight;
}

/* Return the index after the last member that has the outcome of member `at`. Members are sorted by outcome. */
static int64_t end_of_outcome(const Things *things, const uint32_t *members, int64_t n, int64_t at)
{
    uint32_t outcome = things->outcomes[members[at]];
    while (at < n && things->outcomes[members[at]] == outcome)
        at++;
    return at;
}

/* Return the doubt of a set, by the rule of the policy. */
static int64_t doubt_of_set(const Things *things, const uint32_t *members, int64_t n)
{
    if (things->rule == CELLS || is_known(things, members, n))
        return 0;
    int64_t doubt = things->worth[weight_of_set(things, members, n)];
    for (int64_t k = 0, end; things->rule == OUTCOMES && k < n; k = end) {
        end = end_of_outcome(things, members, n, k);
        doubt -= things->worth[weight_of_set(things, members + k, end - k)];
    }
    return doubt;
}

/* Return the sum of worth[w] over all cells of a test and all outcomes; w is the weight of the outcome in the cell. */
static int64_t worth_of_outcomes(const Identifier *of, const uint32_t *members, int64_t n, uint32_t test)
{
    const Things *things = of->things;
    int64_t *parts = of->space->parts, total = 0;
    for (int64_t k = 0, end; k < n; k = end) {
        end = end_of_outcome(things, members, n, k);
        for (int64_t i = k; i < end; i++)
            parts[answer_of(things, test, members[i])] += things->weights[members[i]];
        for (int64_t i = k; i < end; i++) {
            uint32_t answer = answer_of(things, test, members[i]);
            total += things->worth[parts[answer]];
            parts[answer] = 0; /* worth[0] is 0, so each cell counts once */
        }
    }
    return total;
}

/* Measure a test for a set. All fields of the result are set, except `bound`, which is 0.
 *
 * `before` is the doubt of the set. A caller that needs no gain passes 0, which saves time; the gain is then 0, except
 * with CELLS. */
static Measure measure(const Identifier *of, const uint32_t *members, int64_t n, uint32_t test,
                       int64_t before)
{
    const Things *things = of->things;
    ThingSpace *space = of->space;
    Measure found = {.test = test, .cost = things->costs[test]};
    found.signature = UINT64_C(0xCBF29CE484222325);
    for (int64_t k = 0; k < n; k++) {
        uint32_t answer = answer_of(things, test, members[k]), outcome = things->outcomes[members[k]];
        if (space->cells[answer] == 0) {
            space->order[answer] = (uint32_t)found.cells;
            space->used[found.cells++] = answer;
            space->first[answer] = outcome;
            space->mixed[answer] = 0;
        }
        space->cells[answer] += things->weights[members[k]];
        space->mixed[answer] |= space->first[answer] != outcome;
        found.signature = (found.signature ^ space->order[answer]) * UINT64_C(0x100000001B3);
    }
    int64_t doubt = 0;
    for (int64_t k = 0; k < found.cells; k++) {
        uint32_t answer = space->used[k];
        int64_t weight = space->cells[answer];
        space->cells[answer] = 0;
        found.unsettled += space->mixed[answer] ? weight : 0;
        if (things->rule == OUTCOMES)
            doubt += things->worth[weight];
        else if (things->rule == UNKNOWN && space->mixed[answer])
            doubt += things->worth[weight];
        else if (things->rule == LARGEST && space->mixed[answer])
            doubt = largest(doubt, things->worth[weight]);
    }
    if (things->rule == OUTCOMES && before > 0)
        doubt -= worth_of_outcomes(of, members, n, test);
    /* The logarithms are rounded, so a gain of 0 may come out a little below 0. */
    found.gain = things->rule == CELLS ? (uint64_t)found.cells - 1
                 : before > doubt      ? (uint64_t)(before - doubt)
                                       : 0;
    return found;
}

/* Return whether `one` has a higher gain per cost than `other`. Compares the products one->gain * other->cost and
 * other->gain * one->cost in 128 bits. */
static bool gains_more(const Measure *one, const Measure *other)
{
    uint64_t costs[2] = {(uint64_t)other->cost, (uint64_t)one->cost};
    uint64_t gains[2] = {one->gain, other->gain}, high[2], low[2];
    for (int k = 0; k < 2; k++) { /* costs are below 2^32, so no partial product overflows */
        uint64_t part = (gains[k] & UINT32_MAX) * costs[k];
        high[k] = (gains[k] >> 32) * costs[k] + (part >> 32);
        low[k] = part & UINT32_MAX;
    }
    return high[0] != high[1] ? high[0] > high[1] : low[0] > low[1];
}

/* Compare two `Measure` for qsort: the higher gain per cost first, then the lower cost, then the lower index. */
static int by_gain(const void *one, const void *other)
{
    const Measure *a = one, *b = other;
    if (gains_more(a, b))
        return -1;
    if (gains_more(b, a))
        return 1;
    /* Even a test without a gain may begin a good strategy, so the cheaper one comes first. */
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->test < b->test ? -1 : 1;
}

static int by_bound(const void *one, const void *other)
{
    const Measure *a = one, *b = other;
    if (a->bound != b->bound)
        return a->bound < b->bound ? -1 : 1;
    return a->test < b->test ? -1 : 1;
}

/* Return whether two tests split a set into the same cells. `measure` has measured both for this set. */
static bool same_cells(const Identifier *of, const uint32_t *members, int64_t n, const Measure *one,
                       const Measure *other)
{
    if (one->signature != other->signature || one->cells != other->cells)
        return false;
    /* The cells are equal if the answers to one test determine the answers to the other, as the numbers of cells are
     * equal. */
    uint32_t *first = of->space->first;
    for (int64_t k = 0; k < n; k++)
        first[answer_of(of->things, one->test, members[k])] = UINT32_MAX;
    for (int64_t k = 0; k < n; k++) {
        uint32_t a = answer_of(of->things, one->test, members[k]);
        uint32_t b = answer_of(of->things, other->test, members[k]);
        if (first[a] == UINT32_MAX)
            first[a] = b;
        if (first[a] != b)
            return false;
    }
    return true;
}

/* Rank the tests that split a set, the best first. Of tests with equal cells, keep only the first.
 *
 * `ranked` belongs to the caller, and needs room for all tests. Its first entries receive the result, at most `most`
 * tests. Returns their number.
 */
static int64_t rank_tests(const Identifier *of, const uint32_t *members, int64_t n, Measure *ranked,
                          int64_t most)
{
    int64_t before = doubt_of_set(of->things, members, n), count = 0, kept = 0;
    for (int64_t test = 0; test < of->things->tests; test++) {
        Measure found = measure(of, members, n, (uint32_t)test, before);
        if (found.cells > 1)
            ranked[count++] = found;
    }
    qsort(ranked, (size_t)count, sizeof *ranked, by_gain);
    for (int64_t k = 0; k < count && kept < most; k++) {
        bool known = false;
        for (int64_t i = 0; i < kept && !known; i++)
            known = same_cells(of, members, n, &ranked[i], &ranked[k]);
        if (!known)
            ranked[kept++] = ranked[k];
    }
    return kept;
}

/* Return the best test for a set by the one-step policy, or NO_TEST if no test splits the set. */
static int64_t best_test(const Identifier *of, const uint32_t *members, int64_t n)
{
    int64_t before = doubt_of_set(of->things, members, n);
    Measure best = {.cells = 0};
    for (int64_t test = 0; test < of->things->tests; test++) {
        Measure found = measure(of, members, n, (uint32_t)test, before);
        if (found.cells > 1 && (best.cells == 0 || by_gain(&found, &best) < 0))
            best = found;
    }
    return best.cells ? (int64_t)best.test : NO_TEST;
}

static int ascending(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

/* Split a set by a test. The cells keep the order of the members.
 *
 * Returns false if memory is short; otherwise the caller frees `split->starts`, and with it all arrays. */
static bool split_set(const Identifier *of, const uint32_t *members, int64_t n, uint32_t test, Split *split)
{
    int64_t *counts = of->space->counts, begin = 0;
    uint32_t *used = of->space->used;
    split->count = 0;
    for (int64_t k = 0; k < n; k++) {
        uint32_t answer = answer_of(of->things, test, members[k]);
        if (counts[answer]++ == 0)
            used[split->count++] = answer;
    }
    qsort(used, (size_t)split->count, sizeof *used, ascending);
    size_t numbers = (size_t)(2 * split->count + 1) * sizeof(int64_t);
    split->starts = malloc(numbers + (size_t)(n + split->count) * sizeof(uint32_t));
    if (split->starts == NULL) {
        for (int64_t k = 0; k < split->count; k++)
            counts[used[k]] = 0;
        return false;
    }
    split->bounds = split->starts + split->count + 1;
    split->members = (uint32_t *)(split->bounds + split->count);
    split->answers = split->members + n;
    for (int64_t k = 0; k < split->count; k++) {
        split->answers[k] = used[k];
        split->starts[k] = begin;
        begin += counts[used[k]];
        counts[used[k]] = split->starts[k];
    }
    split->starts[split->count] = n;
    for (int64_t k = 0; k < n; k++)
        split->members[counts[answer_of(of->things, test, members[k])]++] = members[k];
    for (int64_t k = 0; k < split->count; k++)
        counts[split->answers[k]] = 0;
    return true;
}

/* A function that returns a number for a set, such as its cost, or an error code. `given` is the depth of the lookahead
 * or the rest of the budget. */
typedef int64_t (*Value)(const Identifier *of, const uint32_t *members, int64_t n, int64_t given,
                         int64_t level);

/* Return the sum of the results of `value` for all cells of a test, or an error code. */
static int64_t sum_cells(const Identifier *of, const uint32_t *members, int64_t n, uint32_t test,
                         Value value, int64_t given, int64_t level)
{
    Split split;
    int64_t total = 0;
    if (!split_set(of, members, n, test, &split))
        return NO_MEMORY;
    for (int64_t k = 0; k < split.count && total >= 0; k++) {
        const uint32_t *own = split.members + split.starts[k];
        int64_t found = value(of, own, split.starts[k + 1] - split.starts[k], given, level + 1);
        total = found < 0 ? found : total + found;
    }
    free(split.starts);
    return total;
}

/* Return STOPPED or TOO_DEEP if the search must end at this level of the recursion, else OK. */
static int64_t check_search(const Identifier *of, int64_t level)
{
    if (is_stopped(of->stop))
        return STOPPED;
    return level > DEEPEST ? TOO_DEEP : OK;
}

/* Return the cost of a set if the one-step policy chooses all tests, or an error code. `given` is not used. */
static int64_t played_cost(const Identifier *of, const uint32_t *members, int64_t n, int64_t given,
                           int64_t level)
{
    int64_t end = check_search(of, level);
    if (end != OK)
        return end;
    int64_t test = is_known(of->things, members, n) ? NO_TEST : best_test(of, members, n);
    if (test == NO_TEST)
        return 0;
    int64_t below = sum_cells(of, members, n, (uint32_t)test, played_cost, given, level);
    return below < 0 ? below : below + of->things->costs[test] * weight_of_set(of->things, members, n);
}

static int64_t look(const Identifier *of, const uint32_t *members, int64_t n, int64_t depth, int64_t level,
                    int64_t *test);

/* `look` as a `Value`, for any depth. With a depth below 2, the one-step policy chooses all tests. */
static int64_t looked_cost(const Identifier *of, const uint32_t *members, int64_t n, int64_t depth,
                           int64_t level)
{
    int64_t test;
    return depth < 2 ? played_cost(of, members, n, 0, level) : look(of, members, n, depth, level, &test);
}

/* Return the cost of a set by a lookahead of `depth` steps, or an error code.
 *
 * `depth` is at least 2. `test` receives the test of the first step; NO_TEST if the set is settled.
 */
static int64_t look(const Identifier *of, const uint32_t *members, int64_t n, int64_t depth, int64_t level,
                    int64_t *test)
{
    const Things *things = of->things;
    int64_t end = check_search(of, level), best = WORST, weight = weight_of_set(things, members, n);
    *test = NO_TEST;
    if (end != OK || is_known(things, members, n))
        return end;
    Measure *ranked = malloc((size_t)things->tests * sizeof *ranked);
    if (ranked == NULL)
        return NO_MEMORY;
    int64_t count = rank_tests(of, members, n, ranked, of->strategy->width);
    for (int64_t k = 0; k < count && best >= 0; k++) {
        int64_t below = sum_cells(of, members, n, ranked[k].test, looked_cost, depth - 1, level);
        int64_t cost = below < 0 ? below : below + ranked[k].cost * weight;
        if (cost < best) {
            best = cost;
            *test = ranked[k].test;
        }
    }
    free(ranked);
    return count ? best : 0;
}

/* Compare two weights for qsort. */
static int by_weight(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return a < b ? -1 : a > b;
}

/* Return a lower bound of the cost of a set, or NO_MEMORY: the weighted path length of a Huffman tree over the weights
 * of its outcomes, times `least_cost`.
 *
 * `most` is at least 2. No test may split the set into more than `most` cells, and no test that splits the set may cost
 * less than `least_cost`. If a set of several outcomes may be settled, `least_cost` must be 0.
 */
static int64_t huffman_bound(const Things *things, const uint32_t *members, int64_t n, int64_t most,
                             int64_t least_cost)
{
    int64_t *weights = malloc((size_t)(2 * n) * sizeof *weights), count = 0, total = 0;
    if (weights == NULL)
        return NO_MEMORY;
    for (int64_t k = 0, end; k < n; k = end) {
        end = end_of_outcome(things, members, n, k);
        weights[count++] = weight_of_set(things, members + k, end - k);
    }
    qsort(weights, (size_t)count, sizeof *weights, by_weight);
    /* Two queues in ascending order share the array: the weights of the outcomes, from `at` to `count`, and those of
     * the joined nodes, from `joined` to `made`. */
    int64_t at = 0, joined = count, made = count;
    /* The first join takes only as many parts as are left over, so that all others take `most`. */
    int64_t parts = (count - 1) % (most - 1) ? (count - 1) % (most - 1) + 1 : most;
    while (count - at + made - joined > 1) {
        int64_t sum = 0;
        for (int64_t k = 0; k < parts; k++) {
            bool first = joined == made || (at < count && weights[at] <= weights[joined]);
            sum += weights[first ? at++ : joined++];
        }
        weights[made++] = sum;
        total += sum;
        parts = most;
    }
    free(weights);
    return total * least_cost;
}

/* Return the key of a set in the transposition table: for its least cost if `budget` is NO_BUDGET, else for the most
 * weight that is identified within this budget. */
static uint64_t key_of_things(const Things *things, const uint32_t *members, int64_t n, int64_t budget)
{
    uint64_t key = (uint64_t)(budget + 1) * UINT64_C(0x9E3779B97F4A7C15);
    for (int64_t k = 0; k < n; k++)
        key ^= things->keys[members[k]];
    return key;
}

static int64_t least_cost(const Identifier *of, const uint32_t *members, int64_t n, int64_t limit,
                          int64_t level);

/* Return the least cost of a strategy that begins with a test if it is at most `limit`; otherwise a lower bound above
 * `limit`, or an error code.
 *
 * `own` is the cost of the test times the weight of the set. `limit` is at most WORST. */
static int64_t cost_after(const Identifier *of, const uint32_t *members, int64_t n, uint32_t test,
                          int64_t own, int64_t limit, int64_t level)
{
    Split split;
    if (!split_set(of, members, n, test, &split))
        return NO_MEMORY;
    int64_t total = own;
    /* The stored costs and bounds of the cells rule out most tests before any cell is searched. */
    for (int64_t k = 0; k < split.count; k++) {
        const uint32_t *cell = split.members + split.starts[k];
        int64_t size = split.starts[k + 1] - split.starts[k];
        bool known = is_known(of->things, cell, size);
        uint64_t key = known ? 0 : key_of_things(of->things, cell, size, NO_BUDGET);
        split.bounds[k] = known ? 0 : probe(of->memory, key) >> 2;
        total += split.bounds[k];
    }
    for (int64_t k = 0; k < split.count && total <= limit && total >= 0; k++) {
        int64_t size = split.starts[k + 1] - split.starts[k], rest = total - split.bounds[k];
        int64_t found = least_cost(of, split.members + split.starts[k], size, limit - rest, level + 1);
        total = found < 0 ? found : rest + found;
    }
    free(split.starts);
    return total;
}

/* Return the least cost of a set if it is at most `limit`; otherwise a lower bound above `limit`, or an error code.
 *
 * `limit` is at most WORST. A result above 0 is stored in the transposition table. Each level of the recursion
 * allocates an array of all tests, and frees it before it returns. */
static int64_t least_cost(const Identifier *of, const uint32_t *members, int64_t n, int64_t limit,
                          int64_t level)
{
    const Things *things = of->things;
    int64_t end = check_search(of, level);
    if (end != OK || is_known(things, members, n))
        return end;
    uint64_t key = key_of_things(things, members, n, NO_BUDGET);
    int64_t known = probe(of->memory, key);
    if (known & 1 || known >> 2 > limit)
        return known >> 2;
    Measure *tests = malloc((size_t)things->tests * sizeof *tests);
    if (tests == NULL)
        return NO_MEMORY;
    int64_t count = 0, most = 1, cheapest = WORST, weight = weight_of_set(things, members, n);
    for (int64_t test = 0; test < things->tests; test++) {
        Measure found = measure(of, members, n, (uint32_t)test, 0);
        if (found.cells < 2)
            continue;
        tests[count++] = found;
        most = largest(most, found.cells);
        cheapest = smallest(cheapest, found.cost);
    }
    if (!things->complete)
        cheapest = 0; /* a set of several outcomes that no test splits costs nothing more */
    int64_t bound = count ? huffman_bound(things, members, n, most, cheapest) : 0, best = WORST;
    if (bound >= 0 && bound <= limit && count) {
        /* Each cell with several outcomes needs a further test. */
        for (int64_t k = 0; k < count; k++)
            tests[k].bound = tests[k].cost * weight + cheapest * tests[k].unsettled;
        qsort(tests, (size_t)count, sizeof *tests, by_bound);
        for (int64_t k = 0; k < count && best >= 0; k++) {
            if (tests[k].bound > limit || tests[k].bound >= best) {
                best = smallest(best, tests[k].bound);
                break;
            }
            int64_t most_cost = smallest(limit, best - 1);
            int64_t cost = cost_after(of, members, n, tests[k].test, tests[k].cost * weight, most_cost, level);
            best = smallest(best, cost); /* error codes are below 0 */
        }
        bound = best < 0 ? best : largest(bound, best);
    }
    free(tests);
    if (bound > 0)
        store(of->memory, key, 4 * bound + (bound <= limit));
    return bound;
}

static int64_t most_known(const Identifier *of, const uint32_t *members, int64_t n, int64_t budget,
                          int64_t level, int64_t *test);

/* `most_known` as a `Value`. */
static int64_t known_weight(const Identifier *of, const uint32_t *members, int64_t n, int64_t budget,
                            int64_t level)
{
    return most_known(of, members, n, budget, level, NULL);
}

/* Return the largest weight of things whose outcome can be known within `budget`, or an error code.
 *
 * `budget`, at least 0, is the limit of the cost of all further tests of a thing.
 *
 * `test`, unless NULL, receives the best-ranked test that reaches this weight; NO_TEST if the set has one outcome, or
 * if the weight is 0.
 */
static int64_t most_known(const Identifier *of, const uint32_t *members, int64_t n, int64_t budget,
                          int64_t level, int64_t *test)
{
    const Things *things = of->things;
    int64_t end = check_search(of, level), best = 0, weight = weight_of_set(things, members, n);
    if (test != NULL)
        *test = NO_TEST;
    if (end != OK)
        return end;
    if (is_known(things, members, n))
        return weight;
    uint64_t key = key_of_things(things, members, n, budget);
    int64_t known = probe(of->memory, key);
    if (known && test == NULL)
        return (known >> 2) - 1;
    Measure *ranked = malloc((size_t)things->tests * sizeof *ranked);
    if (ranked == NULL)
        return NO_MEMORY;
    int64_t count = rank_tests(of, members, n, ranked, things->tests);
    for (int64_t k = 0; k < count && best >= 0 && best < weight; k++) {
        int64_t left = budget - ranked[k].cost;
        if (left < 0)
            continue;
        int64_t found = sum_cells(of, members, n, ranked[k].test, known_weight, left, level);
        if (found < 0 || found > best) {
            best = found;
            if (test != NULL)
                *test = ranked[k].test;
        }
    }
    free(ranked);
    if (best >= 0)
        store(of->memory, key, 4 * (best + 1) + 1);
    return best;
}

/* Return the best-ranked of the tests with which a strategy of least cost begins, NO_TEST for a settled set, or an
 * error code. */
static int64_t cheapest_test(const Identifier *of, const uint32_t *members, int64_t n)
{
    const Things *things = of->things;
    int64_t weight = weight_of_set(things, members, n), chosen = NO_TEST;
    int64_t cost = played_cost(of, members, n, 0, 0);
    if (cost > 0)
        cost = least_cost(of, members, n, cost, 0);
    if (cost <= 0)
        return cost < 0 ? cost : NO_TEST;
    Measure *ranked = malloc((size_t)things->tests * sizeof *ranked);
    if (ranked == NULL)
        return NO_MEMORY;
    int64_t count = rank_tests(of, members, n, ranked, things->tests);
    for (int64_t k = 0; k < count && chosen == NO_TEST; k++) {
        int64_t own = ranked[k].cost * weight;
        int64_t found = own > cost ? WORST : cost_after(of, members, n, ranked[k].test, own, cost, 0);
        chosen = found < 0 ? found : found == cost ? (int64_t)ranked[k].test : NO_TEST;
    }
    free(ranked);
    return chosen;
}

/* Return the test that the strategy chooses for a set, NO_TEST for a settled set, or an error code.
 *
 * `budget` is `Strategy.budget` minus the costs of the tests so far; below 0 if the budget is exceeded. If no further
 * outcome can be known within the budget, the test is chosen as without a budget. */
static int64_t choose_test(const Identifier *of, const uint32_t *members, int64_t n, int64_t budget)
{
    const Strategy *strategy = of->strategy;
    int64_t test = NO_TEST;
    if (is_known(of->things, members, n))
        return NO_TEST;
    if (strategy->budget != NO_BUDGET && budget >= 0) {
        int64_t found = most_known(of, members, n, budget, 0, &test);
        if (found < 0 || test != NO_TEST)
            return found < 0 ? found : test;
    }
    if (n <= strategy->endgame)
        return cheapest_test(of, members, n);
    if (strategy->depth < 2)
        return best_test(of, members, n);
    int64_t cost = look(of, members, n, strategy->depth, 0, &test);
    return cost < 0 ? cost : test;
}

/* A tree of tests, breadth first. The caller owns all arrays. */
typedef struct {
    int64_t room;       /* capacity of the tree, in nodes */
    int64_t nodes;
    int64_t first;      /* test of the root, or NO_TEST to choose it */
    uint32_t *members;  /* [things in the tree] things of the root, in ascending order of their outcomes; the call
                           reorders them, so that the things of each node are consecutive */
    int64_t *begin;     /* [room] index in `members` of the first thing of each node */
    int64_t *budget;    /* [room] for each node, the budget minus the costs of the tests that lead to it */
    uint32_t *test;     /* [room] test of each node; for a settled node, `tests` plus the outcome of its first thing */
    uint32_t *answer;   /* [room] answer that leads to each node */
    uint32_t *children; /* [room] number of children of each node */
    uint32_t *size;     /* [room] number of things of each node */
} TestGrowth;

/* Grow a tree from its root. Return OK, NO_ROOM or another error code.
 *
 * `size` and `budget` of the root must be set, and `members` must contain its things. With room for only one node, the
 * call only chooses the test of the root. Otherwise, twice the number of things is enough room, because each test
 * splits its node. With less room, the result may be NO_ROOM.
 */
static int32_t grow_identification(const Identifier *of, TestGrowth *growth)
{
    const Things *things = of->things;
    growth->nodes = 1;
    growth->begin[0] = 0;
    growth->answer[0] = 0;
    for (int64_t node = 0; node < growth->nodes; node++) {
        int64_t n = growth->size[node], begin = growth->begin[node];
        uint32_t *members = growth->members + begin;
        int64_t test = node == 0 ? growth->first : NO_TEST;
        if (test == NO_TEST)
            test = is_stopped(of->stop) ? STOPPED : choose_test(of, members, n, growth->budget[node]);
        growth->children[node] = 0;
        growth->test[node] = test >= 0 ? (uint32_t)test : (uint32_t)things->tests + things->outcomes[members[0]];
        if (test < 0 && test != NO_TEST)
            return (int32_t)test;
        if (test == NO_TEST || growth->room == 1)
            continue;
        Split split;
        if (!split_set(of, members, n, (uint32_t)test, &split))
            return NO_MEMORY;
        bool fits = growth->nodes + split.count <= growth->room;
        for (int64_t k = 0; k < split.count && fits; k++) {
            int64_t child = growth->nodes++;
            growth->begin[child] = begin + split.starts[k];
            growth->size[child] = (uint32_t)(split.starts[k + 1] - split.starts[k]);
            growth->answer[child] = split.answers[k];
            growth->budget[child] = growth->budget[node] - things->costs[test];
        }
        growth->children[node] = (uint32_t)split.count;
        memcpy(members, split.members, (size_t)n * sizeof *members);
        free(split.starts);
        if (!fits)
            return NO_ROOM;
    }
    return OK;
}

/* Search for the least cost of a set: `cost` receives it if it is at most `limit`, else a lower bound above `limit`.
 *
 * `limit` is at most WORST. Returns OK or an error code; after an error code, `cost` is not valid. */
static int32_t search_identification(const Identifier *of, const uint32_t *members, int64_t n, int64_t limit,
                                     int64_t *cost)
{
    *cost = least_cost(of, members, n, limit, 0);
    return *cost < 0 ? (int32_t)*cost : OK;
}

/* Search for the largest weight of things whose outcome can be known within `budget`, at least 0: `known` receives it.
 *
 * Returns OK or an error code; after an error code, `known` is not valid. */
static int32_t weight_within(const Identifier *of, const uint32_t *members, int64_t n, int64_t budget,
                             int64_t *known)
{
    *known = known_weight(of, members, n, budget, 0);
    return *known < 0 ? (int32_t)*known : OK;
}
