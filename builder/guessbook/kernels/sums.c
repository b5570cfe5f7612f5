/* Games of any kind: a feedback number is a sum over the parts of a guess.
 *
 * The number that a part adds to the feedback of a secret depends on no other part of the guess:
 * the letters of a word, with their places, are such parts. In other games a guess is its own only
 * part. A guess may also do nothing but name a secret.
 *
 * Limits, which the caller checks by `most_told` and by the length of the costs: feedback numbers
 * are below `feedbacks`, at most 2^32; the weights of all secrets add up to at most the last index
 * of `costs`; the candidates of a node ascend.
 */
#include "codes.h"

/* A game and a one-step policy. The caller owns all arrays; none is changed. */
typedef struct {
    const void *sums;       /* [parts][secrets] of `lane` bytes each */
    const int32_t *parts;   /* [guesses][width] the parts; a first one of -1 - k names secret k */
    const uint32_t *homes;  /* [secrets] the index of each secret as a guess */
    const int64_t *weights; /* [secrets] the weight of each */
    const int64_t *costs;   /* [weight of all + 1] */
    int64_t part_count, secrets, guesses, width, lane, feedbacks;
    int64_t few; /* up to this number of candidates the first is the guess: 2, or 1 with weights */
    int64_t credit, additive;
} SumGame;

/* The working memory of one thread. */
typedef struct {
    const uint32_t *candidates; /* the candidates of the node */
    int64_t n;
    int64_t whole;    /* the sum of their weights */
    int64_t single;   /* the cost of all candidates in cells of one; 0 if costs are not additive */
    int64_t heaviest; /* the weight of the heaviest candidate */
    int64_t room;     /* candidates that fit */
    uint32_t *columns; /* [parts][room] the number that each part adds for each candidate */
    uint32_t *row;     /* [room] the feedbacks to one guess */
    int64_t *weights; /* [room] */
    int64_t *cells;   /* [feedbacks] 0 before and after */
} SumSpace;

/* Make the working memory of a thread; the caller frees it. Returns NULL where memory is short. */
static SumSpace *sum_space_new(const SumGame *game)
{
    SumSpace *space = make_owner(sizeof *space);
    if (space == NULL)
        return NULL;
    space->cells = take(space, game->feedbacks, sizeof(int64_t));
    return complete(space);
}

/* Return the most that the parts of a guess add up to: the highest feedback number that may occur.
 *
 * Returns -1 where memory is short, -2 if a guess has a part or names a secret that does not exist,
 * or if `homes` do not ascend or are not below `guesses`.
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

/* out[n] = the number that a part adds to the feedback of each candidate. */
static void gather(const SumGame *game, const SumSpace *space, int64_t part, uint32_t *out)
{
    for (int64_t k = 0; k < space->n; k++)
        out[k] = number_at(game->sums, game->lane, part * game->secrets + space->candidates[k]);
}

/* Find the feedbacks of the candidates to a guess of some parts: `row`. */
static void answer_parts(const SumGame *game, SumSpace *space, const int32_t *parts)
{
    uint32_t *restrict row = space->row;
    if (game->width == 1) {
        gather(game, space, parts[0], row);
        return;
    }
    memcpy(row, space->columns + parts[0] * space->room, (size_t)space->n * sizeof *row);
    for (int64_t j = 1; j < game->width; j++) {
        const uint32_t *restrict column = space->columns + parts[j] * space->room;
        for (int64_t k = 0; k < space->n; k++)
            row[k] += column[k];
    }
}

/* Return the cost of the cells of a guess of some parts: see `cost_of_guess`. */
static int64_t cost_of_parts(const SumGame *game, SumSpace *space, const int32_t *parts, int64_t enough)
{
    const int64_t *costs = game->costs;
    int64_t *cells = space->cells, n = space->n, cost = 0, done = 0;
    answer_parts(game, space, parts);
    const uint32_t *row = space->row;
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

/* Load the candidates of a node: their weights, and their sums where guesses have several parts. */
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

/* Return the cost of the cells of a guess minus `single`, or some number of at least `enough` if it
 * is that high.
 *
 * If costs are additive, the cost of each candidate by itself is subtracted: then a cost never falls
 * while candidates are counted, whatever the policy. `own` is the weight of the guess as a secret.
 */
static int64_t cost_of_guess(const SumGame *game, SumSpace *space, int64_t guess, int64_t own,
                             int64_t enough)
{
    const int32_t *parts = game->parts + guess * game->width;
    if (parts[0] < 0) { /* it names a secret, whose cell has one candidate if the secret fits */
        int64_t one = game->costs[own], rest = game->costs[space->whole - own];
        return game->additive ? one + rest - space->single : one > rest ? one : rest;
    }
    return cost_of_parts(game, space, parts, enough);
}

/* Find the best guess for the loaded candidates; returns the number of scored guesses.
 *
 * Candidates come first, then all guesses in order. A guess costs what its cells cost, less its
 * credit; ties go to the first.
 */
static int64_t best_sum(const SumGame *game, SumSpace *space, const int32_t *stop, uint32_t *guess)
{
    int64_t n = space->n, scored = 0;
    /* The cost from which a guess that is no candidate cannot win; above every real cost. */
    int64_t limit = INT64_MAX;
    /* Cells of one candidate cost the least, and the heaviest candidate has the most credit. */
    int64_t least = game->additive ? 0 : game->costs[space->heaviest];
    for (int64_t turn = 0; turn < n + game->guesses; turn++) {
        bool mine = turn < n;
        if ((limit <= least && !mine) || is_stopped(stop))
            break;
        int64_t other = mine ? game->homes[space->candidates[turn]] : turn - n;
        if (!mine && game->parts[other * game->width] < 0)
            continue; /* a name of a secret that is no candidate gives no information */
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
 *     starts: [count + 1] where the candidates of each begin, ascending in each.
 *     guess, scored: [count] receive the guess of each, and the number of guesses scored to find it.
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

/* Score some guesses at a node of n candidates.
 *
 * Args:
 *     guesses: [count] ascending.
 *     scores: [count] receive the scores.
 *     stop: as in `find_sum_guesses`.
 *
 * Returns OK, NO_MEMORY or STOPPED.
 */
static int32_t score_sums(const SumGame *game, SumSpace *space, const uint32_t *candidates, int64_t n,
                          const uint32_t *guesses, int64_t count, int64_t *scores,
                          const int32_t *stop)
{
    if (!load_sums(game, space, candidates, n))
        return NO_MEMORY;
    int64_t at = 0; /* homes ascend, as candidates do */
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
