/* The search for the best guess at a node. It counts the candidates in the cells of 64 guesses side by side.
 *
 * The search groups guesses by their multisets of symbols. It tries the multiset with the highest upper bound
 * (bounds.c) first. With at most 255 candidates, it skips guesses with too few cells or too large a cell.
 */
#include "workspace.h"

/* In the first FIRST + 1 tries, the search takes the multiset of symbols with the highest upper bound, to reach a good
 * score early. Then it tries the remaining multisets in the order of their indices. */
#define FIRST 8
/* An estimate: of the remaining (guess, candidate) pairs, a search scores one in SPARED. Symmetries and better guesses
 * rule out the other pairs. */
#define SPARED 2
/* With at most BY_CELLS candidates, multisets of symbols are tried in the order of their largest possible number of
 * cells. With more candidates, the order is by the best possible score: this score is slower to compute, but fewer
 * multisets tie. */
#define BY_CELLS 16

/* One step of a search that is divided among several calls. The first step scores some guesses. The other guesses are
 * divided into parts, and each step after the first searches one part.
 *
 * The caller sets the inputs, the search sets the outputs. In a build, each part starts from the best guess of the
 * first step, so its result depends on no other part. In page.c, each part starts from the best guess of all earlier
 * steps.
 */
typedef struct {
    int64_t part, parts; /* inputs: index of the part to search, and number of parts; both are 0 for the first step */
    int64_t budget;      /* input of the first step: number of scored guesses after which this step ends */
    int64_t pairs;       /* input of the first step: number of (guess, candidate) pairs that a part should score. Output
                            of the first step: number of parts; 0 if no guesses are left for other steps */
    int64_t score;       /* output of each step, input of each step after the first: score of the best guess so far */
    int64_t candidate;   /* output of each step, input of each step after the first: 1 if the best guess so far is a
                            candidate, else 0 */
    int64_t guess;       /* input of each step after the first: index of the best guess so far */
} Plan;

/* The score of the best guess so far, and whether this guess is a candidate. Candidates win ties. */
typedef struct {
    int64_t score;
    bool candidate;
} Best;

/* Return the score of a guess without the bonus for candidates.
 *
 * `cells` [n] contains the feedback number of each candidate.
 */
static int64_t score_cells(const Policy *policy, Workspace *space, const uint8_t *cells, int64_t n)
{
    int64_t total = 0;
    for (int64_t k = 0; k < n; k++) {
        int32_t size = space->tally[cells[k]]++;
        int64_t cost = policy->costs[size + 1];
        total = policy->additive ? total + cost - policy->costs[size] : total > cost ? total : cost;
    }
    for (int64_t k = 0; k < n; k++)
        space->tally[cells[k]] = 0;
    return -total;
}

/* Find the best guess among at most 64 candidates. If several are best, the lowest one wins.
 *
 * `space->guess` receives the guess, and `best` its score. Returns the number of scored candidates.
 */
static int64_t try_candidates(const Search *search, Workspace *space, const uint32_t *candidates,
                              Best *best)
{
    const CodeGame *game = search->game;
    const Policy *policy = search->policy;
    int64_t n = space->n, perfect = policy->credit + best_split(policy, n, n);
    for (int64_t s = 0; s < n; s++) {
        answer_guess(game, space, candidates[s], candidates, n, space->answers);
        int64_t score = policy->credit + score_cells(policy, space, space->answers, n);
        if (score > best->score) {
            best->score = score;
            memcpy(space->guess, game->table + (int64_t)candidates[s] * game->pegs,
                   (size_t)game->pegs);
            if (score >= perfect)
                return s + 1;
        }
    }
    return n;
}

/* Return a bit for each of 64 arrangements: 1 if it may reach the score `best`, or exceed `best` if `better` is true.
 *
 * `count_tile` must have counted the cells of these arrangements, for at most 255 candidates.
 */
static uint64_t viable_arrangements(const Search *search, Workspace *space, int cells, int64_t best,
                                    bool better)
{
    const Policy *policy = search->policy;
    int64_t n = space->n, alone = space->size[0], most = n, needed = n - alone;
    int64_t margin = n > FEW ? policy->credit : 0;
    if (policy->additive) {
        /* An arrangement with fewer than `needed` cells is ruled out. The cell of the feedback without pegs does not
         * count. */
        most = 1;
        needed = cells_needed(policy, n, margin, best, better) - (alone > 0);
    } else {
        /* Lower `most` to the largest cell size with which an arrangement may reach `best`, or exceed `best` if
         * `better` is true. Then cap the cell sizes of each arrangement at `most`, and add them up. If the sum is
         * `needed`, no cell is larger than `most`. `needed` is the number of candidates whose feedback has a peg,
         * because `counts` omits the cell of the feedback without pegs. */
        while (most > 0 && margin - policy->costs[most] < best + better)
            most--;
    }
    uint8_t caps[(MAX_PEGS + 1) * (MAX_PEGS + 2) / 2], total[LANES];
    memset(caps, (int)most, sizeof caps);
    sum_smaller(space->counts, cells, caps, total);
    return needed <= 0 ? ~UINT64_C(0) : at_least(total, (uint8_t)needed);
}

/* Copy arrangements of a multiset to `space->chosen`, unless the bound of blacks.c or a symmetry rules them out.
 *
 * If the policy measures entropy and no guess has a score yet, at most 64 arrangements are copied. Returns the number
 * of copies.
 */
static int64_t pick_arrangements(const Search *search, Workspace *space, const Promising *own,
                                 int64_t best)
{
    const CodeGame *game = search->game;
    int64_t number = game->shape[game->shape_of[own->set]].number;
    int64_t interval[2] = {0, space->n * game->pegs};
    if (search->policy->unit && best > LEAST_SCORE)
        blacks_needed(search, space, own->size, best, interval);
    else if (search->policy->unit && number > LANES)
        number = LANES; /* 64 arrangements are enough to find a first score, which further guesses must beat */
    return choose_arrangements(game, space, own->set, interval, number);
}

/* Make `space->code` the best guess. If it ties with the best guess so far, the lower of the two codes wins.
 *
 * `score`, the score of `space->code`, must be at least the best score so far. `solves` says whether the code is a
 * candidate; it must be true if the scores are equal and the best guess so far is a candidate. Returns whether the code
 * became the best guess.
 */
static bool take_better(const CodeGame *game, Workspace *space, int64_t score, bool solves, Best *best)
{
    if (score == best->score && solves == best->candidate && !is_before(game, space))
        return false;
    best->score = score;
    best->candidate = solves;
    memcpy(space->guess, space->code, (size_t)game->pegs);
    return true;
}

/* Score the arrangements of a multiset; update `best` and `space->guess` if an arrangement is better.
 *
 * Returns the number of scored guesses. With more than 64 candidates, a nonzero result is 64 higher, because sorting
 * the candidates takes as long as scoring 64 guesses.
 */
static int64_t try_arrangements(const Search *search, Workspace *space, const Promising *own,
                                Best *best)
{
    const CodeGame *game = search->game;
    int64_t n = space->n;
    Shape shape = game->shape[game->shape_of[own->set]];
    bool few = n <= FEW, picked = !few && (search->policy->unit || space->symmetry.count > 0);
    const uint8_t *rows = game->blacks + shape.tile * game->blacks_tile;
    if (picked) {
        shape.number = pick_arrangements(search, space, own, best->score);
        rows = space->chosen;
        if (shape.number == 0)
            return 0;
    }
    int64_t limit = sort_by_total(search, space, own->set, n <= BY_CELLS ? NULL : own->size);
    if (n <= BYTE && (limit < best->score || (limit == best->score && best->candidate && few)))
        return 0;
    int cells = cells_of(game, space);
    /* Ties go to a candidate, then to the lowest guess. If there are few candidates, all candidates were scored before.
     * Then another guess replaces the best candidate only if the guess has a higher score. */
    bool better = best->candidate && few;
    for (int64_t at = 0; at < shape.number; at += LANES, rows += game->blacks_tile) {
        if (few && limit == best->score) {
            decode_arrangement(game, space, shape.tile * LANES + at);
            if (better || !is_before(game, space))
                return at;
        }
        uint64_t mask = low_bits(shape.number - at);
        count_tile(game, space, rows);
        bool narrower = n <= BYTE;
        for (;;) {
            if (narrower)
                mask &= viable_arrangements(search, space, cells, best->score, better);
            if (mask == 0)
                break;
            int lane = lowest_bit(mask);
            bool solves;
            int64_t score = score_of(search, space, lane, cells, &solves);
            mask &= mask - 1;
            narrower = false;
            if (score < best->score || (score == best->score && (solves < best->candidate || better)))
                continue;
            decode_arrangement(game, space, picked ? space->picked[at + lane]
                                                   : shape.tile * LANES + at + lane);
            bool taken = take_better(game, space, score, solves, best);
            better = few;
            narrower = better || (taken && n <= BYTE);
        }
    }
    return shape.number + (few ? 0 : LANES);
}

/* Find the best guess for at most BY_CELLS candidates; the caller has set `best` to the best candidate.
 *
 * Multisets that allow more cells are tried earlier. Returns the number of scored guesses.
 */
static int64_t search_by_cells(const Search *search, Workspace *space, Best *best)
{
    const CodeGame *game = search->game;
    const Policy *policy = search->policy;
    int64_t n = space->n, scored = 0;
    int64_t most = n < policy->columns - 1 ? n : policy->columns - 1;
    for (int64_t cells = most; cells > 0; cells--) {
        for (int64_t tile = 0; tile < game->tiles; tile++) {
            if (cells < cells_needed(policy, n, 0, best->score, best->candidate))
                return scored;
            const uint8_t *own = space->cells + tile * LANES;
            uint64_t mask = at_least(own, (uint8_t)cells) & space->fitting[tile];
            for (mask &= ~at_least(own, (uint8_t)(cells + 1)); mask != 0; mask &= mask - 1) {
                Promising of = {.set = (int32_t)(tile * LANES + lowest_bit(mask))};
                if (best_split(policy, n, cells) == best->score) {
                    /* The best arrangement of this multiset can only tie with the best guess so far, and only a lower
                     * guess wins a tie. If even the lowest arrangement is not lower, this and all later multisets of
                     * the block are skipped: later multisets have higher guesses. */
                    memcpy(space->code, game->sets + of.set * game->pegs, (size_t)game->pegs);
                    if (!is_before(game, space))
                        break;
                }
                scored += try_arrangements(search, space, &of, best);
            }
        }
    }
    return scored;
}

/* Find the best guess among the arrangements of the first `count` multisets in `space->promising`.
 *
 * The search stops early once it has scored `budget` guesses. Returns the number of scored guesses.
 */
static int64_t search_by_score(const Search *search, Workspace *space, int64_t count, int64_t budget,
                               Best *best)
{
    int64_t scored = 0, n = space->n, *limits = space->limits;
    for (int64_t turn = -1; turn < count + FIRST && scored < budget; turn++) {
        if (is_stopped(search->stop))
            break;
        bool some = n > FEW && search->policy->unit && best->score == LEAST_SCORE;
        int64_t m = turn - FIRST;
        if (turn < FIRST) {
            m = 0;
            for (int64_t k = 1; k < count; k++)
                m = limits[k] > limits[m] ? k : m;
        }
        if (limits[m] > best->score ||
            (limits[m] == best->score && !(best->candidate && n <= FEW)))
            scored += try_arrangements(search, space, &space->promising[m], best);
        /* If `some` is true, at most 64 arrangements of the multiset were scored, to find a first score. The multiset
         * is tried again. A first score exists, because a symmetry skips the lowest arrangement only for a guess of a
         * lower multiset with the same bound, and there is none. */
        if (!some)
            limits[m] = LEAST_SCORE; /* with this limit, multiset m is not tried again */
    }
    return scored;
}

/* Remove the multisets of other parts of the search from `space->promising`. Return the number that remain. */
static int64_t take_part(Workspace *space, int64_t count, const Plan *plan)
{
    int64_t kept = 0;
    for (int64_t k = plan->part; k < count; k += plan->parts) {
        space->promising[kept] = space->promising[k];
        space->limits[kept++] = space->limits[k];
    }
    return kept;
}

/* Return the number of parts into which to divide the rest of a search.
 *
 * Each part scores about `pairs` (guess, candidate) pairs. The rest of the search consists of the multisets of symbols
 * with an arrangement that may be the best guess. Each part has at least one of these multisets.
 */
static int64_t parts_of(const Search *search, Workspace *space, int64_t count, int64_t best,
                        int64_t pairs)
{
    int64_t left = 0, every = 0, interval[2];
    for (int64_t k = 0; k < count; k++) {
        const Promising *own = &space->promising[k];
        int64_t number = search->game->shape[search->game->shape_of[own->set]].number;
        if (space->limits[k] < best || space->limits[k] == LEAST_SCORE)
            continue;
        if (space->n > FEW && search->policy->unit) {
            blacks_needed(search, space, own->size, best, interval);
            number = choose_arrangements(search->game, space, own->set, interval, number);
        }
        left += number > 0;
        every += number > 0 ? number + LANES : 0; /* sorting the candidates takes as long as scoring 64 guesses */
    }
    int64_t parts = (every * space->n + SPARED * pairs - 1) / (SPARED * pairs);
    return parts < left ? parts : left;
}

/* Find the best guess for at least 3 candidates: fill `space->guess`. Return the number of scored guesses.
 *
 * `load_candidates` must have loaded the candidates. The search uses the symmetries that `find_stabilizer` has
 * found, if any. `plan` is NULL for an undivided search.
 */
static int64_t best_of_node(const Search *search, Workspace *space, const uint32_t *candidates,
                            Plan *plan)
{
    const CodeGame *game = search->game;
    int64_t n = space->n, tried = 0, parts = 0;
    bool begins = plan != NULL && plan->parts == 0, goes_on = plan != NULL && !begins;
    bool by_cells = plan == NULL && n <= BY_CELLS;
    Best best = {LEAST_SCORE, n <= FEW};
    int64_t guess = goes_on ? plan->guess : candidates[0];
    if (goes_on)
        best = (Best){plan->score, plan->candidate != 0};
    memcpy(space->guess, game->table + guess * game->pegs, (size_t)game->pegs);
    if (!goes_on && n <= FEW)
        tried = try_candidates(search, space, candidates, &best);
    if (n > FEW || goes_on || best.score < best_split(search->policy, n, n)) {
        require_order(game, &space->symmetry);
        mark_fitting(game, space);
        /* A part of a divided search also tries multisets that can only tie with the best score so far: the lowest
         * guess wins a tie. */
        int64_t least = goes_on && best.score > LEAST_SCORE ? best.score - 1 : best.score;
        int64_t count = list_promising(search, space, least, by_cells);
        if (goes_on)
            count = take_part(space, count, plan);
        if (n > FEW)
            count_symbols(game, space);
        if (by_cells) {
            tried += search_by_cells(search, space, &best);
        } else if (count > 0) {
            int64_t budget = begins ? plan->budget : INT64_MAX;
            int64_t more = search_by_score(search, space, count, budget, &best);
            tried += more;
            if (begins && more >= budget)
                parts = parts_of(search, space, count, best.score, plan->pairs);
        }
    }
    if (plan != NULL)
        plan->pairs = parts, plan->score = best.score, plan->candidate = best.candidate;
    return tried;
}
