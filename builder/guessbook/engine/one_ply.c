/* One-ply bounds: lower bounds of the cost of a set of candidates, without a search.
 *
 * The cells of a guess give a lower bound of its cost. Every strategy begins with some guess, so the lowest of these
 * bounds is a lower bound for the set: its one-ply bound.
 *
 * The functions expect a set as `cost_of` does: its candidates are on the stack, the heaviest first. They write to the
 * row of the set in `Solver.space`. sets.h lists the limits, and says what would overflow first.
 */
#include "sets.h"

/* The number of columns (guesses) that are processed together, so that their data fit into the processor's cache. */
#define COLUMNS 512

/* For each guess of `set->here`, find the different feedbacks of the candidates, and count them: fill the row of the
 * set in `space->seen` and `space->parts`.
 *
 * Returns the largest number of different feedbacks to a guess. `lane` must be `Problem.lane`; callers pass a constant,
 * for which the compiler makes the inner loops fast. The number of columns of `here` is at most `Problem.guesses`.
 */
INLINE int64_t see(const Solver *solver, const Set *set, int lane)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t words = words_of(problem), guesses = set->here->count, most = 0;
    for (int64_t start = 0; start < guesses; start += COLUMNS) {
        int64_t some = smallest(COLUMNS, guesses - start);
        uint32_t *restrict parts = space->parts + set->depth * problem->guesses + start;
        memset(parts, 0, (size_t)some * sizeof *parts);
        for (int64_t w = 0; w < words; w++) {
            uint64_t *restrict seen =
                space->seen + (set->depth * words + w) * problem->guesses + start;
            memset(seen, 0, (size_t)some * sizeof *seen);
            for (int64_t i = set->low; i < set->low + set->n; i++) {
                const uint8_t *restrict row =
                    (const uint8_t *)set->here->table + (space->stack[i] * guesses + start) * lane;
                if (words == 1) {
                    for (int64_t k = 0; k < some; k++)
                        seen[k] |= UINT64_C(1) << number_at(row, lane, k);
                } else {
                    for (int64_t k = 0; k < some; k++)
                        seen[k] |= (uint64_t)(number_at(row, lane, k) >> 6 == w)
                                   << (number_at(row, lane, k) & 63);
                }
            }
            for (int64_t k = 0; k < some; k++)
                parts[k] += (uint32_t)__builtin_popcountll(seen[k]);
        }
        for (int64_t k = 0; k < some; k++)
            most = largest(most, parts[k]);
    }
    return most;
}

/* Return whether a guess, a column of `Problem.table`, separates a set: each candidate gives a different feedback. */
static bool tells_apart(const Problem *problem, const uint32_t *stack, const Set *set, int64_t column)
{
    uint64_t met = 0; /* a bit for each feedback; with more than 64 feedbacks, several share a bit */
    for (int64_t i = set->low; i < set->low + set->n; i++) {
        uint32_t answer = number_at(problem->table, problem->lane, stack[i] * problem->guesses + column);
        uint64_t mark = UINT64_C(1) << (answer & 63);
        if (met & mark) {
            if (problem->answers <= 64)
                return false;
            for (int64_t h = set->low; h < i; h++)
                if (number_at(problem->table, problem->lane, stack[h] * problem->guesses + column) == answer)
                    return false;
        }
        met |= mark;
    }
    return true;
}

/* Return whether one of the heaviest candidates, as a guess, separates the set: each candidate gives a different
 * feedback. A candidate that cannot be guessed (`Problem.homes`) is skipped. */
static bool tells_all_apart(const Problem *problem, const uint32_t *stack, const Set *set)
{
    int64_t heaviest = problem->weights[stack[set->low]];
    for (int64_t j = set->low; j < set->low + set->n; j++) {
        if (problem->weights[stack[j]] < heaviest)
            break;
        int64_t column = problem->homes[stack[j]];
        if (column >= 0 && tells_apart(problem, stack, set, column))
            return true;
    }
    return false;
}

/* Return the weight that is missed by a guess that separates a set, followed by the right guess.
 *
 * At least two guesses must be left. `right` says whether the first guess is a heaviest candidate. A candidate is
 * missed if a spare guess (`Problem.spare`) finds it. If the first spare guess was made earlier, it has counted all
 * candidates as missed, and the result is 0.
 */
static int64_t missed_by_last(const Problem *problem, const uint32_t *stack, const Set *set, bool right)
{
    int64_t counted = set->left - problem->spare, total = 0; /* number of guesses left within the limit */
    if (problem->spare == 0 || counted < 0 || counted > 1)
        return 0;
    for (int64_t i = set->low; i < set->low + set->n; i++)
        total += problem->weights[stack[i]];
    return right && counted == 1 ? total - problem->weights[stack[set->low]] : total;
}

/* Return the cost of a set, or a lower bound of it, without a search; 0 if neither is known.
 *
 * The result is encoded as in `SetEntry.known`. `key` is the key of the set (`key_of`). If the transposition table has
 * no entry, the function checks whether a heaviest candidate, as a guess, has only cells of one candidate, and stores
 * what follows. The set must have at least 3 candidates and 2 guesses left: `is_settled` and `set_bound` handle the
 * others.
 */
static int64_t first_known(const Solver *solver, const Set *set, uint64_t key)
{
    const Problem *problem = solver->problem;
    const uint32_t *stack = solver->space->stack;
    int64_t known = probe(solver->table, key);
    if (known != 0 || set->n > problem->answers)
        return known;
    if (problem->missed) {
        if (!tells_all_apart(problem, stack, set))
            return 0;
        known = 4 * missed_by_last(problem, stack, set, true) + 3;
        store(solver->table, key, known);
        return known;
    }
    int64_t heaviest = problem->weights[stack[set->low]], total = 0, lighter = 0;
    int64_t lightest = problem->weights[stack[set->low + set->n - 1]];
    for (int64_t i = set->low; i < set->low + set->n; i++) {
        int64_t weight = problem->weights[stack[i]];
        total += weight;
        if (weight < heaviest)
            lighter = largest(lighter, weight);
    }
    /* A heaviest candidate that, as a guess, has only cells of one candidate is an optimal guess: it takes one guess,
     * and every other candidate takes two guesses. */
    int64_t best = 2 * total - heaviest;
    /* Suppose that each heaviest candidate, as a guess, has a cell of several candidates. Then every strategy costs
     * more than `best`. If its first guess is a heaviest candidate, some candidate takes three guesses, so the cost is
     * higher by at least `lightest`. Otherwise, the cost is higher by at least heaviest - lighter. */
    known = 4 * (best + smallest(heaviest - lighter, lightest));
    if (tells_all_apart(problem, stack, set))
        known = 4 * best + 3;
    store(solver->table, key, known);
    return known;
}

/* Return whether hard mode allows a word after a guess and its feedback. All arrays have `length` entries.
 *
 * `marks` has a mark for each letter of the guess: 2 in the right place, 1 in another place, 0 for an absent letter.
 */
static bool keeps_hints(const uint32_t *word, const uint32_t *guess, const uint8_t *marks,
                        int64_t length)
{
    for (int64_t p = 0; p < length; p++) {
        if (marks[p] == 2 && word[p] != guess[p])
            return false;
        /* The word must contain this letter at least as often as the guess has the letter with a mark above 0. */
        int64_t spare = 0;
        for (int64_t q = 0; marks[p] != 0 && q < length; q++) {
            spare += word[q] == guess[p];
            spare -= marks[q] != 0 && guess[q] == guess[p];
        }
        if (spare < 0)
            return false;
    }
    return true;
}

/* List the guesses that hard mode allows after a guess and its feedback, and return a hash key of the list.
 *
 * Row `depth` of `space->columns` contains the guesses that were allowed before. Row depth + 1, which must exist,
 * receives those of them that are still allowed, and `widths` their number.
 */
static uint64_t allow_guesses(const Solver *solver, int64_t depth, int64_t guess, int64_t answer)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t length = problem->length, count = 0;
    const int32_t *columns = space->columns + depth * problem->guesses;
    int32_t *following = space->columns + (depth + 1) * problem->guesses;
    const uint32_t *own = problem->letters + guess * length;
    uint64_t key = 0;
    for (int64_t x = 0; x < space->widths[depth]; x++) {
        int32_t column = columns[x];
        if (!keeps_hints(problem->letters + column * length, own, problem->marks + answer * length,
                         length))
            continue;
        following[count++] = column;
        uint64_t mixed = ((uint64_t)column + 1) * UINT64_C(0xBF58476D1CE4E5B9);
        key ^= (mixed ^ mixed >> 29) * UINT64_C(0x94D049BB133111EB);
    }
    space->widths[depth + 1] = count;
    return key;
}

/* Fill `seen` and `parts` as `see` does, but only for the guesses that hard mode allows: the row of the set in
 * `space->columns`. Other entries keep old values.
 *
 * Returns the largest number of different feedbacks to one of these guesses.
 */
static int64_t see_allowed(const Solver *solver, const Set *set)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t words = words_of(problem), own = set->depth * problem->guesses, most = 0;
    for (int64_t x = 0; x < space->widths[set->depth]; x++) {
        int64_t guess = space->columns[own + x], met = 0;
        uint64_t *seen = space->seen + words * own + guess;
        for (int64_t w = 0; w < words; w++)
            seen[w * problem->guesses] = 0;
        for (int64_t i = set->low; i < set->low + set->n; i++) {
            int64_t at = space->stack[i] * set->here->count + guess;
            uint32_t answer = number_at(set->here->table, problem->lane, at);
            seen[(answer >> 6) * problem->guesses] |= UINT64_C(1) << (answer & 63);
        }
        for (int64_t w = 0; w < words; w++)
            met += __builtin_popcountll(seen[w * problem->guesses]);
        space->parts[own + guess] = (uint32_t)met;
        most = largest(most, met);
    }
    return most;
}

/* Count the cells of each guess. If the cost of the set follows from these numbers, store and return it; else return 0.
 *
 * The cost is encoded as in `SetEntry.known`. `most` receives the largest number of cells of a guess. If the result is
 * 0, `seen` and `parts` are filled for the set. Call `first_known` before: it handles sets in which a heaviest
 * candidate, as a guess, has only cells of one candidate.
 */
static int64_t survey(const Solver *solver, const Set *set, uint64_t key, int64_t *most)
{
    const Problem *problem = solver->problem;
    const uint32_t *stack = solver->space->stack;
    int64_t n = set->n, heaviest = problem->weights[stack[set->low]], known = 0;
    bool alike = heaviest == problem->weights[stack[set->low + n - 1]];
    /* A guess with n cells is not a heaviest candidate, because `first_known` handles such candidates. It is certainly
     * optimal if all weights are equal and guesses need not be candidates. Otherwise `enough` is n + 1, which no guess
     * reaches. */
    int64_t enough = alike && !problem->fitting ? n : n + 1;
    if (problem->blocks && set->left == 2)
        *most = most_cells(problem, stack + set->low, n, 0, 0, problem->blocks);
    else if (problem->length)
        *most = see_allowed(solver, set);
    else
        *most = problem->lane == 1   ? see(solver, set, 1)
                : problem->lane == 2 ? see(solver, set, 2)
                                     : see(solver, set, 4);
    /* The first guess makes at most *most cells, and the second guess finds one candidate of each cell. So with two
     * guesses left, n - *most candidates are missed. If *most is n, no candidate is missed. */
    if (problem->missed && problem->spare == 0) {
        if (*most == enough || (enough == n && set->left == 2))
            known = 4 * (n - *most) * heaviest + 3;
    } else if (*most == enough && !problem->missed)
        known = 4 * 2 * n * heaviest + 3;
    else if (*most == enough && (set->left == 2 || set->left != problem->spare + 1))
        /* The condition excludes sets with one guess left within the limit: there, a guess with fewer cells may be
         * better, since it may be a candidate. But with two guesses left in all, only a guess with n cells solves the
         * set. */
        known = 4 * missed_by_last(problem, stack, set, false) + 3;
    else if (set->left == 2 && (alike || *most < n))
        /* Two guesses are left, and each allowed guess has a cell of several candidates. So the second guess may be
         * wrong, and no strategy solves the set. */
        known = 4 * IMPOSSIBLE + 3;
    if (known != 0)
        store(solver->table, key, known);
    return known;
}

/* Return whether a guess is one of the candidates: its bit for the feedback "solved" is 1. `space->seen` must be filled
 * for the set of this depth. */
INLINE bool may_be_right(const Solver *solver, int64_t depth, int64_t guess)
{
    const Problem *problem = solver->problem;
    int64_t solved = problem->answers - 1;
    int64_t row = depth * words_of(problem) + (solved >> 6);
    return solver->space->seen[row * problem->guesses + guess] >> (solved & 63) & 1;
}

/* Return a lower bound of the cost of a guess, a column of `set->here`, from the sizes of its cells.
 *
 * Returns IMPOSSIBLE if the guess does not split the set. At least one guess must be left. The row of the set in
 * `space->sizes` must be all 0 before the call, and is all 0 afterwards. The sum is not capped at IMPOSSIBLE; it is at
 * most 2^62 plus the total weight.
 */
static int64_t even_bound(const Solver *solver, const Set *set, int64_t guess)
{
    const Problem *problem = solver->problem;
    const uint32_t *stack = solver->space->stack + set->low;
    int64_t *sizes = solver->space->sizes + set->depth * problem->answers, total = 0;
    int64_t after = set->left < MAX_LEFT ? set->left - 1 : set->left, count = set->here->count;
    const int64_t *below = problem->bounds + after * (problem->secrets + 1);
    const int64_t *steps = problem->steps + after * problem->secrets;
    int64_t solved = problem->answers - 1, own = counts_all(problem, set->left);
    uint32_t answer = 0;
    for (int64_t i = 0; i < set->n; i++) {
        answer = number_at(set->here->table, problem->lane, stack[i] * count + guess);
        int64_t weight = problem->weights[stack[i]];
        total += own * weight;
        if (!problem->plain && answer != solved)
            total += weight * steps[sizes[answer]]; /* the terms of a cell add up to its lower bound `set_bound` */
        sizes[answer]++;
    }
    bool told = sizes[answer] < set->n || answer == solved;
    sizes[solved] = 0;
    for (int64_t i = 0; i < set->n; i++) {
        answer = number_at(set->here->table, problem->lane, stack[i] * count + guess);
        total += problem->plain ? below[sizes[answer]] : 0;
        sizes[answer] = 0;
    }
    return told ? total : IMPOSSIBLE;
}

/* Return a lower bound of the cost of a guess; IMPOSSIBLE if the guess does not split the set or is not allowed.
 *
 * The bound is computed from the number of cells. If it is at most `limit`, the sizes of the cells may raise it. If
 * `Problem.missed` is 1, only the sizes count. `seen`, `parts` and `sums` of `space` must be filled for the set, and
 * its row of `sizes` must be all 0.
 */
INLINE int64_t guess_bound(const Solver *solver, const Set *set, int64_t guess, int64_t limit)
{
    const Problem *problem = solver->problem;
    const SetSpace *space = solver->space;
    int64_t cells = space->parts[set->depth * problem->guesses + guess];
    bool right = may_be_right(solver, set->depth, guess);
    /* One candidate of each cell may take two guesses; if the first guess is a candidate, this candidate takes one
     * guess. All other candidates take at least three guesses. The bound assumes that the heaviest candidates of the
     * set take the fewest guesses. */
    int64_t bound = 3 * space->sums[set->n] - space->sums[cells] - (right ? space->sums[1] : 0);
    if ((cells == 1 || problem->fitting) && !right)
        return IMPOSSIBLE;
    if (problem->missed)
        return even_bound(solver, set, guess);
    /* A cell has at most n - cells + 1 candidates. If this number is at most `Problem.plain`, `even_bound` is no higher
     * than `bound`, unless guesses are limited. Without `even_bound`, an optimum of Bulls and Cows (4 of 8 digits)
     * takes 1.35 times as long. */
    if (bound <= limit && set->n - cells + 1 > problem->plain)
        bound = largest(bound, even_bound(solver, set, guess));
    return bound;
}

/* Compute the one-ply bound of a set, or its exact cost if `survey` finds the cost. Store and return the result.
 *
 * The result is encoded as in `SetEntry.known`. `key` is the key of the set. Call `first_known` before: it handles sets
 * in which a heaviest candidate, as a guess, has only cells of one candidate. The call overwrites `space->sums`.
 */
static int64_t look_ahead(const Solver *solver, const Set *set, uint64_t key)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t most, least = IMPOSSIBLE, own = set->depth * problem->guesses;
    int64_t known = survey(solver, set, key, &most);
    if (known != 0)
        return known;
    memset(space->sizes + set->depth * problem->answers, 0,
           (size_t)problem->answers * sizeof(int64_t));
    int64_t tried = problem->length ? space->widths[set->depth] : set->here->count;
    sum_up(problem, space, set);
    /* Guesses with more cells usually have lower bounds. They come first, so that the loop ends early. With one loop
     * over all guesses, an optimum of Bulls and Cows (4 of 8 digits) takes 1.24 times as long. */
    for (int64_t wanted = most; wanted > 1; wanted--) {
        if (!problem->missed &&
            3 * space->sums[set->n] - space->sums[wanted] - space->sums[1] >= least)
            break;
        for (int64_t x = 0; x < tried; x++) {
            int64_t guess = problem->length ? space->columns[own + x] : x;
            if (space->parts[own + guess] == wanted)
                least = smallest(least, guess_bound(solver, set, guess, least - 1));
        }
    }
    known = 4 * least + (least == IMPOSSIBLE ? 3 : 2);
    store(solver->table, key, known);
    return known;
}
