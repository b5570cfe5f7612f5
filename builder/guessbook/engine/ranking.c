/* The ranking of guesses: the scores of all guesses at one node, and a list of guesses whose partitions all differ. */
#include "workspace.h"

/* The node at which guesses are ranked. The caller owns the arrays. */
typedef struct {
    const uint32_t *candidates; /* [n] indices of the candidates */
    int64_t n;            /* number of candidates, at least 1 */
    const uint32_t *path; /* [depth] guesses of the history */
    int64_t depth;        /* number of guesses of the history */
    int64_t every;        /* 1 to score every guess, 0 to score only one of each set of equivalent guesses */
} Node;

/* Load the candidates and the symmetries of a node. Return false if memory is short. */
static bool load_node(const CodeGame *game, Workspace *space, const Node *node)
{
    uint64_t used = symbols_of(game, node->path, node->depth);
    if (!workspace_fit(space, game, node->n))
        return false;
    if (node->every) /* pretend that the history contains every symbol: then no symbols are interchangeable */
        used = (UINT64_C(1) << game->colors) - 1;
    load_candidates(game, space, node->candidates, node->n, used);
    if (node->every)
        space->symmetry.held = used;
    else
        find_stabilizer(game, node->path, node->depth, &space->symmetry);
    require_order(game, &space->symmetry);
    return true;
}

/* Score the codes of the wanted multisets of symbols, except codes that a symmetry maps to a lower code.
 *
 * Args:
 *     wanted: [multisets] 1 for each multiset to score, else 0.
 *     scores: [codes] receives the score of each scored code; the other entries stay unchanged.
 *     solves: [codes] receives, for each scored code, 1 if it is a candidate, else 0.
 *
 * Returns OK, NO_MEMORY or STOPPED.
 */
static int32_t score_codes(const Search *search, Workspace *space, const Node *node,
                           const uint8_t *wanted, int64_t *scores, uint8_t *solves)
{
    const CodeGame *game = search->game;
    if (!load_node(game, space, node))
        return NO_MEMORY;
    mark_fitting(game, space);
    for (int64_t m = 0; m < game->multisets; m++) {
        if (is_stopped(search->stop))
            return STOPPED;
        if (!wanted[m] || !(space->fitting[m / LANES] >> m % LANES & 1))
            continue;
        Shape shape = game->shape[game->shape_of[m]];
        sort_by_total(search, space, m, NULL);
        int cells = cells_of(game, space);
        for (int64_t k = 0; k < shape.number; k++) {
            if (k % LANES == 0)
                count_tile(game, space, game->blacks + (shape.tile + k / LANES) * game->blacks_tile);
            decode_arrangement(game, space, shape.tile * LANES + k);
            if (!is_lowest(game, &space->symmetry, space->code))
                continue;
            bool right;
            uint32_t code = index_of(game, space->code);
            scores[code] = score_of(search, space, (int)(k % LANES), cells, &right);
            solves[code] = right;
        }
    }
    return OK;
}

/* Mark the codes that no symmetry of a history maps to a lower code.
 *
 * `lowest` [codes] receives 1 for a marked code, else 0. Returns OK or NO_MEMORY.
 */
static int32_t mark_lowest(const CodeGame *game, Workspace *space, const Node *node, uint8_t *lowest)
{
    if (!load_node(game, space, node))
        return NO_MEMORY;
    for (int64_t i = 0; i < game->codes; i++)
        lowest[i] = is_lowest(game, &space->symmetry, game->table + i * game->pegs);
    return OK;
}

/* A list of guesses whose partitions all differ. The caller owns all arrays. */
typedef struct {
    int64_t n;        /* number of candidates */
    int64_t solved;   /* feedback number that says that the guess is the secret */
    int64_t width;    /* capacity of the list, in guesses */
    int64_t count;    /* number of guesses in the list */
    uint32_t *chosen; /* [width] the guesses found so far */
    uint32_t *cells;  /* [width][n] for each guess in the list, the index of each candidate's cell */
    int64_t *own;     /* [width] weight of each guess in the list, as a secret; 0 for a guess that is no candidate */
    int64_t *names;   /* [feedbacks] working memory: index of the cell of each feedback */
    const int64_t *weights; /* [n] weight of each candidate; all 0 if secrets have no weights */
} Distinct;

/* Append each of `many` guesses to the list if its partition differs from all partitions in the list. Stop once the
 * list is full.
 *
 * Equal partitions count as different if their guesses have different weights as secrets. `answers` [many][n]
 * contains the feedback of each candidate to each guess. The call overwrites `answers`.
 */
static void keep_distinct(Distinct *kept, const uint32_t *guesses, int64_t many, uint32_t *answers)
{
    int64_t n = kept->n;
    for (int64_t i = 0; i < many && kept->count < kept->width; i++) {
        uint32_t *row = answers + i * n;
        int64_t cells = 0, own = 0, j = 0;
        for (int64_t k = 0; k < n; k++)
            kept->names[row[k]] = -1;
        for (int64_t k = 0; k < n; k++) {
            if (row[k] == kept->solved)
                own = kept->weights[k];
            if (kept->names[row[k]] < 0) /* cells are numbered in the order in which they first appear */
                kept->names[row[k]] = cells++;
            row[k] = (uint32_t)kept->names[row[k]];
        }
        size_t bytes = (size_t)n * sizeof *row;
        while (j < kept->count &&
               (kept->own[j] != own || memcmp(kept->cells + j * n, row, bytes) != 0))
            j++;
        if (j < kept->count)
            continue;
        memcpy(kept->cells + kept->count * n, row, bytes);
        kept->own[kept->count] = own;
        kept->chosen[kept->count++] = guesses[i];
    }
}
