/* The ranking of guesses: scores of many guesses at one node, and partitions that differ. */
#include "workspace.h"

/* The arguments of a ranking of code guesses. */
typedef struct {
    const uint32_t *candidates; /* [n] */
    int64_t n;
    const uint32_t *path; /* [depth] the guesses of the history */
    int64_t depth;
    int64_t every;        /* whether no guess is left out by symmetry */
} Node;

/* Load a node, its symmetries and its order of symbols. Returns false where memory is short. */
static bool load_node(const CodeGame *game, Workspace *space, const Node *node)
{
    uint64_t used = symbols_of(game, node->path, node->depth);
    if (!workspace_fit(space, game, node->n))
        return false;
    if (node->every) /* as if the history had used every symbol */
        used = (UINT64_C(1) << game->colors) - 1;
    load_candidates(game, space, node->candidates, node->n, used);
    if (node->every)
        space->symmetry.held = used;
    else
        find_stabilizer(game, node->path, node->depth, &space->symmetry);
    require_order(game, &space->symmetry);
    return true;
}

/* Score the codes of the wanted multisets; codes that symmetry leaves out keep their score.
 *
 * Args:
 *     wanted: [multisets] whether to score its arrangements.
 *     scores: [codes] receives the scores.
 *     solves: [codes] receives 1 for each guess that is a candidate.
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

/* Mark the codes that no symmetry of a history maps to a lower one: lowest[codes]. */
static int32_t mark_lowest(const CodeGame *game, Workspace *space, const Node *node, uint8_t *lowest)
{
    if (!load_node(game, space, node))
        return NO_MEMORY;
    for (int64_t i = 0; i < game->codes; i++)
        lowest[i] = is_lowest(game, &space->symmetry, game->table + i * game->pegs);
    return OK;
}

/* Guesses whose partitions differ: see `keep_distinct`. */
typedef struct {
    int64_t n;        /* candidates */
    int64_t solved;   /* the feedback that says that the guess is the secret */
    int64_t width;    /* the largest number of guesses in the list */
    int64_t count;    /* the number of guesses in the list */
    uint32_t *chosen; /* [width] these guesses */
    uint32_t *cells;  /* [width][n] the number of the cell of each candidate */
    int64_t *own;     /* [width] the weight of the guess as a secret */
    int64_t *names;   /* [feedbacks] working memory */
    const int64_t *weights; /* [n] the weight of each candidate; 0 where all count alike */
} Distinct;

/* Append guesses to the list, if their cells differ from those of all guesses in the list.
 *
 * Args:
 *     answers: [many][n] the feedback of each candidate; becomes the number of its cell, in the order
 *         in which the cells first appear.
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
            if (kept->names[row[k]] < 0)
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
