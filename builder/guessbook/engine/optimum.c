/* Optimal play: branch and bound over all strategies, in any game that is given as a table of feedbacks.
 *
 * The cost of a strategy is the sum, over all candidates, of the number of guesses until the candidate is found, times
 * its weight. If `Problem.missed` is 1, the cost is the total weight of the candidates that are not found within a
 * limit of guesses.
 *
 * `cost_of` and `try_guess` call each other. The cost of a set is the lowest cost of its guesses. The cost of a guess
 * is its own cost plus the costs of its cells, which are sets one level deeper. A search stops as soon as a lower bound
 * exceeds its limit. Three methods save time, the most effective first:
 *
 * - One-ply bounds of every cell of a guess are computed before any cell is searched. These bounds alone rule out most
 *   guesses. In the game 4x7 (4 pegs, 7 colours), 18,000 searches and 0.49 million one-ply bounds replace 1.7 million
 *   searches.
 * - Each guess has a bit mask: bit f is 1 if a candidate gives the feedback f. The number of 1 bits is the number of
 *   cells of the guess, which yields a quick lower bound of its cost. The masks of all guesses are computed side by
 *   side.
 * - Suppose that a guess is one of n candidates, and that each candidate gives a different feedback. Then the cost of
 *   the guess is 2n - 1 if all weights are 1. This is the least possible cost, so no other guess is tried.
 *
 * All functions work in `Solver.space`, which belongs to one thread. A set of depth d uses row d of each buffer with
 * [levels], and its cells use row d + 1. sets.h lists the limits, and says what would overflow first.
 */
#include "sets.h"

static int64_t cost_of(const Solver *solver, const Set *set, int64_t limit);

/* Partition a set by a guess: push its candidates on the stack at `set->top`, cell by cell.
 *
 * `guess` is a column of `set->here`, and `after` is the number of guesses left after it. The row of the set receives,
 * for each feedback: the size of the cell in `sizes`, its Zobrist key in `keys`, and the index of its first candidate
 * in `starts`. If secrets have weights, `bounds` receives a lower bound of the cost of the cell; it is not yet capped
 * at IMPOSSIBLE. Each cell keeps the order of the candidates, the heaviest first.
 */
static void sort_set(const Solver *solver, const Set *set, int64_t guess, int64_t after)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t first = set->depth * problem->answers, count = set->here->count, at = set->top;
    size_t answers = (size_t)problem->answers;
    memset(space->sizes + first, 0, answers * sizeof(int64_t));
    memset(space->bounds + first, 0, answers * sizeof(int64_t));
    memset(space->keys + first, 0, answers * sizeof(uint64_t));
    memset(space->allowed + first, 0, answers * sizeof(uint64_t));
    for (int64_t i = set->low; i < set->low + set->n; i++) {
        uint32_t secret = space->stack[i];
        int64_t f = first + number_at(set->here->table, problem->lane, secret * count + guess);
        if (!problem->plain)
            space->bounds[f] += problem->weights[secret] *
                                problem->steps[after * problem->secrets + space->sizes[f]];
        space->sizes[f]++;
        space->keys[f] ^= problem->keys[secret];
    }
    for (int64_t f = first; f < first + problem->answers; f++) {
        space->starts[f] = at;
        at += space->sizes[f];
    }
    for (int64_t i = set->low; i < set->low + set->n; i++) {
        uint32_t secret = space->stack[i];
        int64_t f = first + number_at(set->here->table, problem->lane, secret * count + guess);
        space->stack[space->starts[f]++] = secret;
    }
    for (int64_t f = first; f < first + problem->answers; f++)
        space->starts[f] -= space->sizes[f];
}

/* A guess that `try_guess` tries for a set. Its lower bound rises until it is the exact cost or reaches `best`. */
typedef struct {
    const Columns *whole; /* guesses to try two levels deeper: after this guess and another guess */
    int64_t guess;   /* column of the guess in `Set.here` */
    int64_t after;   /* number of guesses left after the guess */
    int64_t best;    /* the guess must cost less than this: the cost of the best guess so far, or the limit plus 1 */
    int64_t total;   /* current lower bound of the cost of the guess */
    int64_t waiting; /* number of cells with a bound that is not yet exact */
} Trial;

/* Return cell f of a guess as a set, one level deeper. Its candidates stay on the stack, where `sort_set` has put them.
 *
 * f is an index in `space->sizes`: the depth of the set * `answers` + the feedback. sizes[f] must not be 0.
 */
static Set cell_of(const Solver *solver, const Set *set, const Trial *trial, int64_t f)
{
    const SetSpace *space = solver->space;
    int64_t left = left_for(solver->problem, space->sizes[f], trial->after);
    return (Set){set->below,         trial->whole, space->starts[f], space->sizes[f],
                 set->top + set->n, left,         set->depth + 1,   space->allowed[f]};
}

/* Compute a first lower bound of the cost of cell f, and add it to `trial->total`.
 *
 * The bound is at most IMPOSSIBLE. It follows from the size and the weights of the cell, or from `first_known`. If it
 * is the exact cost, sizes[f] becomes 0, which marks the cell as finished; otherwise `trial->waiting` grows by 1.
 * `sort_set` must have filled the row of the set, and sizes[f] must not be 0.
 */
static void open_cell(const Solver *solver, const Set *set, Trial *trial, int64_t f)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t size = space->sizes[f], bound = space->bounds[f];
    if (problem->plain)
        bound = problem->bounds[trial->after * (problem->secrets + 1) + size];
    bound = smallest(bound, IMPOSSIBLE);
    int64_t known = 4 * bound + 1; /* exact if the cell is settled */
    if (!is_settled(problem, size, trial->after)) {
        if (left_for(problem, size, trial->after) < MAX_LEFT)
            space->keys[f] ^= key_of_left(trial->after);
        if (problem->length) {
            int64_t answer = f - set->depth * problem->answers;
            space->allowed[f] = allow_guesses(solver, set->depth, trial->guess, answer);
            space->keys[f] ^= space->allowed[f];
        }
        Set cell = cell_of(solver, set, trial, f);
        known = 4 * IMPOSSIBLE + 3;
        if (bound < IMPOSSIBLE)
            known = first_known(solver, &cell, space->keys[f]);
    }
    if (known & 1)
        space->sizes[f] = 0;
    else
        trial->waiting++;
    space->bounds[f] = largest(bound, known >> 2);
    trial->total += space->bounds[f];
}

/* Raise the lower bound of cell f: to its one-ply bound if `look` is true, else to the result of a search.
 *
 * `open_cell` must have been called for the cell, and sizes[f] must not be 0. It becomes 0, and `trial->waiting` falls
 * by 1, if the cell is finished: its bound is the exact cost, or a search has shown that the guess does not cost less
 * than `trial->best`. A search overwrites the rows of deeper sets, and the stack above the cells.
 */
static void improve_cell(const Solver *solver, const Set *set, Trial *trial, int64_t f, bool look)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    Set cell = cell_of(solver, set, trial, f);
    int64_t bound = space->bounds[f], known = look ? probe(solver->table, space->keys[f]) : 0;
    /* The row of allowed guesses (hard mode) may still be that of another cell. */
    if (problem->length && !(known & 2))
        allow_guesses(solver, set->depth, trial->guess, f - set->depth * problem->answers);
    if (!look)
        known = 4 * cost_of(solver, &cell, trial->best - 1 - (trial->total - bound)) + 1;
    else if (!(known & 2))
        known = look_ahead(solver, &cell, space->keys[f]);
    int64_t cost = look ? largest(bound, known >> 2) : known >> 2;
    if (known & 1) {
        space->sizes[f] = 0;
        trial->waiting--;
    }
    space->bounds[f] = cost;
    trial->total += cost - bound;
}

/* Return the size of the cells to improve after those of size `done`; 0 if none is left.
 *
 * `sizes` has `count` entries; 0 stands for a finished or empty cell. If `missed` is true, sizes descend, and `done` is
 * at first INT64_MAX: large cells have the highest costs. Otherwise sizes ascend, and `done` is at first 0: small cells
 * are quick. If the cells were in the order of their feedbacks, the optimum of 3x9 would take 1.19 times as long, those
 * of 4x6 and Bulls and Cows 1.02 times.
 */
static int64_t next_size(const int64_t *sizes, int64_t count, int64_t done, bool missed)
{
    int64_t next = missed ? 0 : INT64_MAX;
    if (missed) {
        for (int64_t f = 0; f < count; f++)
            if (sizes[f] < done)
                next = largest(next, sizes[f]);
        return next;
    }
    for (int64_t f = 0; f < count; f++)
        if (sizes[f] > done)
            next = smallest(next, sizes[f]);
    return next < INT64_MAX ? next : 0;
}

/* Call `improve_cell` with `look` for each unfinished cell of a guess, until the guess cannot cost less than
 * `trial->best`. `open_cell` must have been called for each cell that is not empty.
 */
static void improve_cells(const Solver *solver, const Set *set, Trial *trial, bool look)
{
    int64_t first = set->depth * solver->problem->answers, cells = solver->problem->answers - 1;
    bool missed = solver->problem->missed;
    const int64_t *sizes = solver->space->sizes + first;
    int64_t size = missed ? INT64_MAX : 0;
    while (trial->waiting > 0 && trial->total < trial->best) {
        size = next_size(sizes, cells, size, missed);
        if (size == 0)
            break;
        for (int64_t f = 0; f < cells && trial->total < trial->best; f++)
            if (sizes[f] == size)
                improve_cell(solver, set, trial, first + f, look);
    }
}

/* Return the cost of a guess if it is less than `best`; otherwise return a lower bound of at least `best`.
 *
 * `guess` is a column of `set->here`. `whole` is the result of `own_cost`: the cost of the guess without the costs of
 * its cells. At least one guess must be left, and `best` is at most IMPOSSIBLE. Each of the at most n cells adds at
 * most IMPOSSIBLE, so the sum stays below 2^63. The call overwrites `space->sums`, the rows of deeper sets, and the row
 * of the set in `sizes`, `starts`, `bounds`, `keys` and `allowed`.
 */
static int64_t try_guess(const Solver *solver, const Set *set, int64_t whole, int64_t guess,
                         int64_t best)
{
    const Problem *problem = solver->problem;
    Columns every = {problem->table, problem->guesses};
    int64_t after = set->left < MAX_LEFT ? set->left - 1 : set->left;
    Trial trial = {&every, guess, after, best, whole, 0};
    solver->space->tried++;
    uint32_t column = (uint32_t)guess;
    if (problem->blocks && after == 2)
        bound_cells(solver, set, &column, 1, best - 1);
    sort_set(solver, set, guess, after);
    int64_t first = set->depth * problem->answers;
    for (int64_t f = first; f < first + problem->answers - 1; f++)
        if (solver->space->sizes[f] > 0)
            open_cell(solver, set, &trial, f);
    improve_cells(solver, set, &trial, true);
    improve_cells(solver, set, &trial, false);
    return trial.total;
}

/* List the guesses that may cost at most `limit`: write their ranks to the row of the set in `space->ranks`. Return the
 * number of ranks.
 *
 * The guess with the lowest rank is tried first. The highest bits of a rank are the lower bound of the guess. The next
 * bit is 0 if the guess may be the secret, else 1. The lowest RANK_BITS bits are the column of the guess. A rank fits
 * into 61 bits, because `limit` is below IMPOSSIBLE. `survey` and `sum_up` must have filled `seen`, `parts` and `sums`
 * for the set.
 */
static int64_t rank_guesses(const Solver *solver, const Set *set, int64_t limit)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t own = set->depth * problem->guesses, count = 0;
    int64_t tried = problem->length ? space->widths[set->depth] : set->here->count;
    memset(space->sizes + set->depth * problem->answers, 0,
           (size_t)problem->answers * sizeof(int64_t));
    for (int64_t x = 0; x < tried; x++) {
        int64_t guess = problem->length ? space->columns[own + x] : x;
        int64_t bound = guess_bound(solver, set, guess, limit);
        if (bound <= limit)
            space->ranks[own + count++] =
                (bound * 2 + !may_be_right(solver, set->depth, guess)) << RANK_BITS | guess;
    }
    return count;
}

/* Return the lowest rank above `rank`, or INT64_MAX if there is none. `ranks` has `count` entries. */
static int64_t next_above(const int64_t *ranks, int64_t count, int64_t rank)
{
    int64_t least = INT64_MAX;
    for (int64_t k = 0; k < count; k++) {
        int64_t other = ranks[k] > rank ? ranks[k] : INT64_MAX;
        least = smallest(least, other);
    }
    return least;
}

static bool is_aborted(const Solver *solver)
{
    return solver->space->too_deep || is_stopped(solver->stop);
}

/* Return the cost of a set if it is at most `limit`; otherwise return a lower bound above the limit.
 *
 * `limit` is below IMPOSSIBLE. The candidates are on the stack, the heaviest first, and nothing above `set->top`
 * is in use. In hard mode, the row of the set in `columns` and `widths` lists the allowed guesses.
 *
 * If the working memory has too few levels, `space->too_deep` becomes 1. If this happens, or if the stop flag is set,
 * the result is meaningless, and is not stored.
 */
static int64_t cost_of(const Solver *solver, const Set *set, int64_t limit)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t least = set_bound(problem, space->stack, set), most;
    if (least > limit || is_settled(problem, set->n, set->left) || is_aborted(solver))
        return least;
    if (set->depth + 2 >= space->levels) {
        space->too_deep = 1;
        return least;
    }
    uint64_t key = key_of(problem, space->stack, set);
    int64_t known = first_known(solver, set, key);
    if (known & 1 || known >> 2 > limit)
        return known >> 2;
    known = survey(solver, set, key, &most);
    if (known != 0)
        return known >> 2;
    sum_up(problem, space, set); /* valid only until a guess is tried: all levels share `sums` */
    int64_t whole = own_cost(problem, space, set), best = limit + 1, rank = -1;
    int64_t *ranks = space->ranks + set->depth * problem->guesses;
    int64_t count = rank_guesses(solver, set, limit);
    for (int64_t k = 0; k < count && !is_aborted(solver); k++) {
        /* Few guesses are tried, so a scan for the next rank is quicker than a sort of all ranks. */
        rank = next_above(ranks, count, rank);
        if (rank >> (RANK_BITS + 1) >= best)
            break;
        int64_t guess = rank & ((INT64_C(1) << RANK_BITS) - 1);
        best = smallest(best, try_guess(solver, set, whole, guess, best));
    }
    /* No guess costs less than `best`, so `best` is the exact cost if it is at most `limit`. */
    if (!is_aborted(solver))
        store(solver->table, key, 4 * best + (best <= limit ? 3 : 2));
    return best;
}

/* A query from Python about a set of candidates. The caller owns all arrays; the engine only reads them. */
typedef struct {
    const uint32_t *candidates; /* [n] the candidates, the heaviest first; at least one, and none twice */
    int64_t n;
    const int32_t *allowed; /* hard mode: [allowed_count] columns of the allowed guesses */
    int64_t allowed_count;
    uint64_t also; /* hard mode: a hash key of the history; without hard mode: 0 */
    int64_t left;  /* number of guesses left; MAX_LEFT for no limit */
    const void *here, *below; /* tables of feedbacks, with a column for each guess: `here` has the guesses to try for
                                 the set, `below` has the guesses to try for the cells of a guess */
    int64_t here_count, below_count; /* number of columns of `here` and of `below`, at most `Problem.guesses` */
    int64_t limit; /* the answer is exact if the cost is at most `limit`; else it is a lower bound above `limit` */
    int64_t guess; /* column of the only guess to try; EVERY to try all guesses; LOOK to compute only a one-ply bound */
    int64_t found; /* receives the cost or a lower bound; with LOOK, encoded as in `SetEntry.known`.
                      `learn_set` reads it */
} Query;

/* Return what is known of the cost of a set without a search: the cost, a stored lower bound, or the one-ply bound.
 *
 * The result is encoded as in `SetEntry.known`. In hard mode, the row of the set lists the allowed guesses.
 */
static int64_t look_at(const Solver *solver, const Set *set)
{
    const Problem *problem = solver->problem;
    int64_t bound = set_bound(problem, solver->space->stack, set);
    if (is_settled(problem, set->n, set->left) || bound >= IMPOSSIBLE)
        return 4 * bound + 3;
    uint64_t key = key_of(problem, solver->space->stack, set);
    int64_t known = first_known(solver, set, key);
    return known & 2 ? known : look_ahead(solver, set, key);
}

/* Copy the candidates of a query to the bottom of the stack, and return them as a set of depth 0.
 *
 * `columns` are the guesses for the set and for its cells; the set points to them. Nothing else on the stack stays
 * valid.
 */
static Set load_set(const Solver *solver, const Query *query, const Columns columns[2])
{
    SetSpace *space = solver->space;
    memcpy(space->stack, query->candidates, (size_t)query->n * sizeof(uint32_t));
    if (solver->problem->length) {
        memcpy(space->columns, query->allowed, (size_t)query->allowed_count * sizeof(int32_t));
        space->widths[0] = query->allowed_count;
    }
    int64_t left = left_for(solver->problem, query->n, query->left);
    return (Set){&columns[0], &columns[1], 0, query->n, query->n, left, 0, query->also};
}

/* Answer a query: write the cost of the set, the cost of one guess or a one-ply bound to `query->found`.
 *
 * If the query names one guess, at least one guess must be left. The answer for one guess is only a lower bound of its
 * cost if the set has one candidate, or two and `missed` is 0: then it is the cost of the set. Returns OK, TOO_DEEP or
 * STOPPED. The answer is valid only if the result is OK.
 */
static int32_t search_set(const Solver *solver, Query *query)
{
    SetSpace *space = solver->space;
    Columns columns[2] = {{query->here, query->here_count}, {query->below, query->below_count}};
    Set set = load_set(solver, query, columns);
    space->too_deep = 0;
    int64_t least = set_bound(solver->problem, space->stack, &set);
    if (query->guess == LOOK) {
        query->found = look_at(solver, &set);
    } else if (query->guess == EVERY) {
        query->found = cost_of(solver, &set, query->limit);
    } else if (least > query->limit || set.n == 1 || (set.n == 2 && !solver->problem->missed)) {
        query->found = least;
    } else {
        sum_up(solver->problem, space, &set);
        int64_t best = query->limit + 1;
        int64_t whole = own_cost(solver->problem, space, &set);
        query->found = smallest(best, try_guess(solver, &set, whole, query->guess, best));
    }
    return space->too_deep ? TOO_DEEP : is_stopped(solver->stop) ? STOPPED : OK;
}

/* Call `bound_cells` for the set of a query and the columns `guesses` [count], BATCH guesses at a time.
 *
 * The problem must have blocks of guesses, and `query->left` must be 3.
 */
static void bound_batches(const Solver *solver, const Query *query, const uint32_t *guesses,
                          int64_t count)
{
    Columns whole[2] = {{solver->problem->table, solver->problem->guesses}, {NULL, 0}};
    Set set = load_set(solver, query, whole);
    for (int64_t k = 0; k < count; k += BATCH)
        bound_cells(solver, &set, guesses + k, smallest(BATCH, count - k), query->limit);
}

/* Store `query->found`, encoded as in `SetEntry.known` and not 0, in the transposition table for the set of a query. */
static void learn_set(const Solver *solver, const Query *query)
{
    Columns none[2] = {{NULL, 0}, {NULL, 0}};
    Set set = load_set(solver, query, none);
    store(solver->table, key_of(solver->problem, solver->space->stack, &set), query->found);
}

/* Compute a lower bound of the cost of each guess for the set of a query: fill `bounds` [count].
 *
 * `guesses` [count] are columns of the table. At least one guess must be left. The caller owns both arrays.
 */
static void bound_guesses(const Solver *solver, const Query *query, const uint32_t *guesses,
                          int64_t count, int64_t *bounds)
{
    Columns whole[2] = {{solver->problem->table, solver->problem->guesses}, {NULL, 0}};
    Set set = load_set(solver, query, whole);
    memset(solver->space->sizes, 0, (size_t)solver->problem->answers * sizeof(int64_t));
    for (int64_t k = 0; k < count; k++)
        bounds[k] = even_bound(solver, &set, guesses[k]);
}
