/* The best guess for the candidates of a node: 64 guesses with the same symbols side by side.
 *
 * Guesses are taken by their multisets of symbols, the most promising first (bounds.c). The cells
 * of 64 arrangements are counted at once. If an even split into that number of cells could not win,
 * the guess is not scored. benchmarks.md has the counts.
 */
#include "workspace.h"

/* The number of multisets that are taken by their bounds first, for an early good score. */
#define FIRST 8
/* About one of SPARED remaining pairs is scored: symmetry, and better guesses found meanwhile, rule
 * out the others. */
#define SPARED 2
/* Up to this number of candidates, multisets are taken by the number of cells that they allow; with
 * more, by the best score, which takes longer to compute but has fewer ties. */
#define BY_CELLS 16

/* A search may be divided: it begins, stops after some guesses, and the rest is done in parts. Each part
 * starts from the best guess of the beginning, so that its result depends on no other part. */
typedef struct {
    int64_t part, parts; /* in: the part, and the number of parts; 0 and 0 to begin */
    int64_t budget;      /* in, to begin: stop after this number of guesses */
    int64_t pairs;       /* in, to begin: the pairs of a part; out: the number of parts */
    int64_t score;       /* in and out: the best score */
    int64_t candidate;   /* in and out: whether a candidate has this score */
    int64_t guess;       /* in: the index of the guess with this score */
} Plan;

/* The best score so far, and whether a candidate has it; candidates win ties. */
typedef struct {
    int64_t score;
    bool candidate;
} Best;

/* Return the score of a partition by n feedbacks. `tally` is 0 before and after. */
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

/* Find the best guess among at most 64 candidates; the lowest wins ties. Returns the number scored. */
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

/* Return which of 64 counted arrangements may reach the score `best`, or exceed it if `better`.
 *
 * If costs are added, an arrangement needs enough cells. Else none of its cells may be too large:
 * cells that are cut to the largest allowed size must still hold all candidates.
 */
static uint64_t viable_arrangements(const Search *search, Workspace *space, int cells, int64_t best,
                                    bool better)
{
    const Policy *policy = search->policy;
    int64_t n = space->n, alone = space->size[0], most = n, needed = n - alone;
    int64_t margin = n > FEW ? policy->credit : 0;
    if (policy->additive) {
        most = 1;
        needed = cells_needed(policy, n, margin, best, better) - (alone > 0);
    } else {
        while (most > 0 && margin - policy->costs[most] < best + better)
            most--;
    }
    uint8_t caps[(MAX_PEGS + 1) * (MAX_PEGS + 2) / 2], total[LANES];
    memset(caps, (int)most, sizeof caps);
    sum_smaller(space->counts, cells, caps, total);
    return needed <= 0 ? ~UINT64_C(0) : at_least(total, (uint8_t)needed);
}

/* Choose the arrangements of a multiset that can win by their blacks: see `try_arrangements`.
 *
 * `own` has the number of candidates of each total. Returns the number of arrangements.
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
        number = LANES; /* one block gives a first score to beat */
    return choose_arrangements(game, space, own->set, interval, number);
}

/* Make `code` the best guess, unless it ties and comes later. Returns whether it became the best. */
static bool take_better(const CodeGame *game, Workspace *space, int64_t score, bool solves, Best *best)
{
    if (score == best->score && solves == best->candidate && !is_before(game, space))
        return false;
    best->score = score;
    best->candidate = solves;
    memcpy(space->guess, space->code, (size_t)game->pegs);
    return true;
}

/* Score the arrangements of a multiset; update `best` and the guess in `space` if one is better.
 *
 * Returns the number scored; sorting more than 64 candidates counts as 64 scored guesses.
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
    /* Ties go to the lowest, and arrangements ascend: later ones must be better to win. */
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

/* Find the best guess for few candidates; `best` is the best candidate as a guess.
 *
 * Multisets are tried by the most cells that they allow, those with equal numbers in order. Returns
 * the number of scored guesses.
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
                    /* Here only a lower guess can win, and later guesses are higher. */
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

/* Find the best guess of `count` promising multisets, or stop after `budget` guesses.
 *
 * The first FIRST are those that allow the best scores; then all are tried in order. The limit of a
 * finished multiset becomes LEAST_SCORE. Returns the number of scored guesses.
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
        /* The first pass scores 64 arrangements, to get a first best score. It finds one: the lowest
         * arrangement of the lowest of the most promising multisets is the lowest of its orbit. */
        if (!some)
            limits[m] = LEAST_SCORE;
    }
    return scored;
}

/* Reduce `count` promising multisets to those of one part; return their number. */
static int64_t take_part(Workspace *space, int64_t count, const Plan *plan)
{
    int64_t kept = 0;
    for (int64_t k = plan->part; k < count; k += plan->parts) {
        space->promising[kept] = space->promising[k];
        space->limits[kept++] = space->limits[k];
    }
    return kept;
}

/* Return the number of parts for the rest of a search: for the multisets that may still win. */
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
        every += number > 0 ? number + LANES : 0; /* a sort takes as long as 64 guesses */
    }
    int64_t parts = (every * space->n + SPARED * pairs - 1) / (SPARED * pairs);
    return parts < left ? parts : left;
}

/* Find the best guess of the node that is loaded, of at least 3 candidates: `guess`.
 *
 * The caller has found the symmetries of the history if they save time. `plan` is NULL for an
 * undivided search. `candidates` belong to the node. Returns the number of scored guesses.
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
        /* A part also tries multisets that can only equal the best score so far. */
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
