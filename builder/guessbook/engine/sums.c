/* Games of any kind: the feedback number of a secret to a guess is a sum over the parts of the guess.
 *
 * In a word game, a part is a letter with all its positions in the guess. In other games, a guess has one
 * part: itself. A guess without parts only asks whether one given code is the secret.
 *
 * The caller must ensure three conditions:
 * - Feedback numbers are below `feedbacks`, which is at most 2^32.
 * - The weights of all secrets add up to at most the last index of `costs`.
 * - The candidates of a node are in ascending order.
 */
#include "codes.h"

/* A game and a one-step policy. The caller owns all arrays; no array is changed. */
typedef struct {
    const void *sums;       /* [part_count][secrets] number that each part adds to the feedback number of each secret */
    const int32_t *parts;   /* [guesses][width] indices of the parts of each guess. The first number is -1 - k if the
                               guess has no parts: it only asks whether the secret has the index k */
    const uint32_t *homes;  /* [secrets] index of each secret among the guesses; the indices ascend */
    const int64_t *weights; /* [secrets] weight of each secret */
    const int64_t *costs;   /* [weight of all secrets + 1] costs[w] is the cost of a cell of total weight w */
    int64_t part_count, secrets, guesses, width, lane, feedbacks; /* part_count: number of different parts in the
                               game; secrets, guesses, feedbacks: number of secrets, of guesses, of feedbacks; width:
                               number of parts of one guess; lane: size of one number in `sums`, in bytes */
    int64_t few; /* 2, or 1 if secrets have weights: a node of at most this number of candidates needs no search,
                    because the first candidate is the best guess */
    int64_t credit, additive; /* credit: bonus of a guess that is a candidate, for each unit of its weight; additive: 1
                                  if the cost of a guess is the sum of the costs of its cells, 0 if it is the largest of
                                  these costs */
} SumGame;

/* The working memory of one thread. It owns all arrays but `candidates`. */
typedef struct {
    const uint32_t *candidates; /* [n] candidates of the node */
    int64_t n;        /* number of candidates */
    int64_t whole;    /* sum of the weights of the candidates */
    int64_t single;   /* sum of the costs if each candidate has its own cell; 0 if costs are not additive */
    int64_t heaviest; /* weight of the heaviest candidate */
    int64_t room;     /* capacity in candidates */
    uint32_t *columns; /* [part_count][room] number that each part adds to the feedback number of each candidate; unused
                          if `SumGame.width` is 1 */
    uint32_t *row;     /* [room] feedback number of each candidate to one guess */
    int64_t *weights; /* [room] weight of each candidate */
    int64_t *cells;   /* [feedbacks] weight of each cell; all 0 before and after a guess is scored */
    uint32_t *tally;  /* [2 * feedbacks] two partial weights of each cell, for `cost_of_row`; all 0 before and after */
} SumSpace;

/* Make the working memory of a thread. Return NULL if memory is short. The caller frees it by `memory_free`. */
static SumSpace *sum_space_new(const SumGame *game)
{
    SumSpace *space = make_owner(sizeof *space);
    if (space == NULL)
        return NULL;
    space->cells = take(space, game->feedbacks, sizeof(int64_t));
    space->tally = take(space, 2 * game->feedbacks, sizeof(uint32_t));
    return complete(space);
}

/* Return an upper bound of all feedback numbers. The bound assumes that each part of a guess adds its largest number.
 *
 * Returns -1 if memory is short. Returns -2 if an index in `parts` or `homes` is out of range, or if the indices
 * in `homes` do not ascend.
 */
static int64_t most_told(const SumGame *game)
{
    uint32_t *most = calloc((size_t)game->part_count + 1, sizeof *most);
    int64_t told = 0;
    if (most == NULL)
        return -1;
    for (int64_t part = 0; part < game->part_count; part++)
        for (int64_t k = 0; k < game->secrets; k++) {
            uint32_t value = number_at(game->sums, game->lane, part * game->secrets + k);
            most[part] = value > most[part] ? value : most[part];
        }
    for (int64_t k = 0; k < game->secrets; k++)
        if (game->homes[k] >= game->guesses || (k > 0 && game->homes[k] <= game->homes[k - 1]))
            told = -2;
    for (int64_t guess = 0; guess < game->guesses && told >= 0; guess++) {
        const int32_t *parts = game->parts + guess * game->width;
        bool names = parts[0] < 0 && parts[0] >= -game->secrets;
        int64_t sum = 0;
        for (int64_t j = 0; !names && j < game->width && sum >= 0; j++)
            sum = parts[j] < 0 || parts[j] >= game->part_count ? -2 : sum + most[parts[j]];
        told = sum < 0 ? sum : sum > told ? sum : told;
    }
    free(most);
    return told;
}

/* Write to `out` [n] the number that a part adds to the feedback number of each candidate. */
static void gather(const SumGame *game, const SumSpace *space, int64_t part, uint32_t *out)
{
    for (int64_t k = 0; k < space->n; k++)
        out[k] = number_at(game->sums, game->lane, part * game->secrets + space->candidates[k]);
}

/* Compute the feedback number of each candidate to the guess with these parts: fill `space->row`. */
static void answer_parts(const SumGame *game, SumSpace *space, const int32_t *parts)
{
    uint32_t *restrict row = space->row;
    if (game->width == 1) {
        gather(game, space, parts[0], row);
        return;
    }
    const uint32_t *restrict one = space->columns + parts[0] * space->room;
    const uint32_t *restrict two = space->columns + parts[1] * space->room;
    for (int64_t k = 0; k < space->n; k++)
        row[k] = one[k] + two[k];
    /* Adding two columns at once saves a third of the reads and writes. */
    for (int64_t j = 2; j + 1 < game->width; j += 2) {
        one = space->columns + parts[j] * space->room;
        two = space->columns + parts[j + 1] * space->room;
        for (int64_t k = 0; k < space->n; k++)
            row[k] += one[k] + two[k];
    }
    one = space->columns + parts[game->width - 1] * space->room;
    for (int64_t k = 0; game->width % 2 && k < space->n; k++)
        row[k] += one[k];
}

/* Return the cost of the cells of the guess whose feedback numbers are in `space->row`.
 *
 * With more candidates than feedbacks, counting first and then adding the costs of all cells takes half the time of the
 * loop in `cost_of_parts`.
 */
static int64_t cost_of_row(const SumGame *game, SumSpace *space)
{
    const uint32_t *row = space->row;
    /* Neighbouring candidates often share a cell. With one array, the processor would wait for each sum. The total
     * weight of all candidates is an index of `costs`, so it fits into 32 bits. */
    uint32_t *cells = space->tally, *others = cells + game->feedbacks;
    int64_t cost = 0;
    for (int64_t k = 0; k < space->n - 1; k += 2) {
        cells[row[k]] += (uint32_t)space->weights[k];
        others[row[k + 1]] += (uint32_t)space->weights[k + 1];
    }
    if (space->n % 2)
        cells[row[space->n - 1]] += (uint32_t)space->weights[space->n - 1];
    for (int64_t f = 0; f < game->feedbacks; f++) {
        int64_t own = game->costs[cells[f] + others[f]];
        cost = game->additive ? cost + own : own > cost ? own : cost;
        cells[f] = others[f] = 0;
    }
    return cost;
}

/* Return the cost of the cells of the guess with these parts, minus `space->single`.
 *
 * If the result is at least `enough`, the exact cost may be higher.
 */
static int64_t cost_of_parts(const SumGame *game, SumSpace *space, const int32_t *parts, int64_t enough)
{
    const int64_t *costs = game->costs;
    int64_t *cells = space->cells, n = space->n, cost = 0, done = 0;
    answer_parts(game, space, parts);
    if (n > game->feedbacks)
        return cost_of_row(game, space) - space->single;
    const uint32_t *row = space->row;
    /* `cost` never falls while candidates are counted, so the loop may end once it is at least `enough`. */
    for (; done < n && cost < enough; done++) {
        int64_t weight = space->weights[done], before = cells[row[done]], after = before + weight;
        cells[row[done]] = after;
        if (game->additive)
            cost += costs[after] - costs[before] - costs[weight];
        else
            cost = costs[after] > cost ? costs[after] : cost;
    }
    for (int64_t k = 0; k < done; k++)
        cells[row[k]] = 0;
    return cost;
}

/* Load the n candidates of a node into the working memory, which grows as needed.
 *
 * Returns false if memory is short.
 */
static bool load_sums(const SumGame *game, SumSpace *space, const uint32_t *candidates, int64_t n)
{
    if (n > space->room) {
        int64_t room = room_for(n), columns = game->width > 1 ? game->part_count * room : 0;
        space->columns = retake(space, space->columns, columns, sizeof(uint32_t));
        space->row = retake(space, space->row, room, sizeof(uint32_t));
        space->weights = retake(space, space->weights, room, sizeof(int64_t));
        bool made = space->columns && space->row && space->weights;
        space->room = made ? room : 0;
        if (!made)
            return false;
    }
    space->candidates = candidates;
    space->n = n;
    space->whole = space->single = space->heaviest = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t weight = game->weights[candidates[k]];
        space->weights[k] = weight;
        space->whole += weight;
        space->single += game->additive ? game->costs[weight] : 0;
        space->heaviest = weight > space->heaviest ? weight : space->heaviest;
    }
    for (int64_t part = 0; game->width > 1 && part < game->part_count; part++)
        gather(game, space, part, space->columns + part * space->room);
    return true;
}

/* Return the cost of the cells of a guess, minus `space->single`.
 *
 * If the result is at least `enough`, the exact cost may be higher. `own` is the weight of the guess as a
 * candidate, or 0 if the guess is no candidate.
 */
static int64_t cost_of_guess(const SumGame *game, SumSpace *space, int64_t guess, int64_t own,
                             int64_t enough)
{
    const int32_t *parts = game->parts + guess * game->width;
    if (parts[0] < 0) { /* the guess only asks whether one code is the secret: there are two cells */
        int64_t one = game->costs[own], rest = game->costs[space->whole - own];
        return game->additive ? one + rest - space->single : one > rest ? one : rest;
    }
    return cost_of_parts(game, space, parts, enough);
}

/* Find the best guess for the loaded candidates: set `*guess`. Return the number of scored guesses.
 *
 * Candidates are scored first, then all guesses in ascending order; the first guess with the best score wins.
 */
static int64_t best_sum(const SumGame *game, SumSpace *space, const int32_t *stop, uint32_t *guess)
{
    int64_t n = space->n, scored = 0;
    /* A guess becomes the best only if its cost minus its bonus is below this limit. */
    int64_t limit = INT64_MAX;
    /* A guess costs least if each of its cells has one candidate. If costs are additive, this least cost is 0, because
     * `cost_of_guess` subtracts `single`. Otherwise, it is the cost of the heaviest candidate's cell. */
    int64_t least = game->additive ? 0 : game->costs[space->heaviest];
    for (int64_t turn = 0; turn < n + game->guesses; turn++) {
        bool mine = turn < n;
        if ((limit <= least && !mine) || is_stopped(stop))
            break;
        int64_t other = mine ? game->homes[space->candidates[turn]] : turn - n;
        /* Skip a guess that only asks whether one code is the secret: it helps only if this code is a candidate, and
         * candidates were scored before. */
        if (!mine && game->parts[other * game->width] < 0)
            continue;
        int64_t own = mine ? space->weights[turn] : 0;
        int64_t more = game->credit * own;
        int64_t enough = limit < INT64_MAX - more ? limit + more : INT64_MAX;
        int64_t cost = cost_of_guess(game, space, other, own, enough);
        scored++;
        if (cost < enough) {
            *guess = (uint32_t)other;
            limit = cost - more;
            if (limit == least - game->credit * space->heaviest)
                break;
        }
    }
    return scored;
}

/* Find the guess of each of `count` nodes.
 *
 * Args:
 *     candidates: the candidates of one node after the other, in ascending order in each node.
 *     starts: [count + 1] the index of the first candidate of each node, and the end of the last node.
 *     guess, scored: [count] receive the guess of each node, and the number of guesses scored for it.
 *     stop: a nonzero value ends the search without a result; may be NULL.
 *
 * Returns OK, NO_MEMORY or STOPPED.
 */
static int32_t find_sum_guesses(const SumGame *game, SumSpace *space, const uint32_t *candidates,
                                const int64_t *starts, int64_t count, uint32_t *guess,
                                int64_t *scored, const int32_t *stop)
{
    for (int64_t node = 0; node < count; node++) {
        const uint32_t *own = candidates + starts[node];
        int64_t n = starts[node + 1] - starts[node];
        guess[node] = game->homes[own[0]];
        scored[node] = 0;
        if (n <= game->few)
            continue;
        if (!load_sums(game, space, own, n))
            return NO_MEMORY;
        scored[node] = best_sum(game, space, stop, &guess[node]);
        if (is_stopped(stop))
            return STOPPED;
    }
    return OK;
}

/* Score `count` guesses at a node of n candidates.
 *
 * Args:
 *     guesses: [count] the indices of the guesses, in ascending order.
 *     scores: [count] receives the score of each guess.
 *     stop: a nonzero value ends the search without a result; may be NULL.
 *
 * Returns OK, NO_MEMORY or STOPPED.
 */
static int32_t score_sums(const SumGame *game, SumSpace *space, const uint32_t *candidates, int64_t n,
                          const uint32_t *guesses, int64_t count, int64_t *scores,
                          const int32_t *stop)
{
    if (!load_sums(game, space, candidates, n))
        return NO_MEMORY;
    int64_t at = 0; /* candidates and `homes` ascend, so one pass finds the candidates among the guesses */
    for (int64_t i = 0; i < count; i++) {
        if (is_stopped(stop))
            return STOPPED;
        while (at < n && game->homes[candidates[at]] < guesses[i])
            at++;
        bool mine = at < n && game->homes[candidates[at]] == guesses[i];
        int64_t own = mine ? space->weights[at] : 0;
        int64_t cost = cost_of_guess(game, space, guesses[i], own, INT64_MAX);
        scores[i] = game->credit * own - cost - space->single;
    }
    return OK;
}
