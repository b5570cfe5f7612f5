/* Partitions: the feedbacks of candidates to a guess, and the candidates sorted by them. */
#include "workspace.h"

/* Return how many of the first `count` (1 to 8) bytes at two places are equal; all are below 128.
 *
 * Eight bytes are read at each place: the table of codes has them to spare.
 */
INLINE int64_t equal_bytes(const uint8_t *one, const uint8_t *other, int count)
{
    uint64_t a, b;
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    a = __builtin_bswap64(a), b = __builtin_bswap64(b);
#endif
    uint64_t high = UINT64_C(0x8080808080808080) >> (64 - 8 * count);
    uint64_t low = high - (high >> 7);
    /* What is left of 128 is 128 where the bytes are equal. */
    return __builtin_popcountll((high - ((a ^ b) & low)) & high);
}

/* Write the feedback number of each of n candidates to a guess: total * (pegs + 1) + blacks. */
static void answer_guess(const CodeGame *game, Workspace *space, uint32_t guess,
                         const uint32_t *candidates, int64_t n, uint8_t *out)
{
    int pegs = game->pegs;
    const uint8_t *own = game->table + (int64_t)guess * pegs;
    int64_t multiset = game->set_of[guess];
    const int32_t *rows = game->rows + multiset * game->width;
    bool many = n > FEW;
    if (many)
        share(game, space, multiset);
    for (int64_t s = 0; s < n; s++) {
        int64_t code = candidates[s], home = game->set_of[code], number = 0;
        if (many) {
            number = space->shares[home];
        } else {
            const uint8_t *tile = game->shared + home / LANES * game->shared_tile + home % LANES;
            for (int g = 0; g < game->width; g++)
                number += tile[rows[g]];
        }
        const uint8_t *other = game->table + code * pegs;
        number = number * (pegs + 1) + equal_bytes(own, other, pegs < 8 ? pegs : 8);
        if (pegs > 8)
            number += equal_bytes(own + 8, other + 8, pegs - 8);
        out[s] = (uint8_t)number;
    }
}

/* The cells that a node was sorted into: `count` of them, in the order of their feedbacks. */
typedef struct {
    int32_t count;
    uint8_t feedback[256];
    int64_t end[256]; /* where the candidates of each end */
} Cells;

/* Sort n candidates by their answers, those of a cell in order; the secret itself is left out.
 *
 * Args:
 *     answers: the feedback number of each, below `feedbacks`; the last is that of the secret.
 *     target: receives them, from its beginning on; it is not `source`.
 */
static void sort_cells(const uint32_t *source, int64_t n, const uint8_t *answers, int feedbacks,
                       uint32_t *target, Cells *cells)
{
    int64_t at[256] = {0}, end = 0;
    for (int64_t s = 0; s < n; s++)
        at[answers[s]]++;
    at[feedbacks - 1] = 0;
    cells->count = 0;
    for (int f = 0; f < feedbacks - 1; f++) {
        int64_t size = at[f];
        at[f] = end;
        end += size;
        if (size > 0) {
            cells->feedback[cells->count] = (uint8_t)f;
            cells->end[cells->count++] = end;
        }
    }
    for (int64_t s = 0; s < n; s++)
        if (answers[s] != feedbacks - 1)
            target[at[answers[s]]++] = source[s];
}

/* Write the feedback number of each candidate of some nodes to the guess of its node. */
static int32_t answer_guesses(const CodeGame *game, Workspace *space, const uint32_t *guesses,
                              int64_t count, const uint32_t *candidates, const int64_t *starts,
                              uint8_t *out)
{
    for (int64_t node = 0; node < count; node++)
        answer_guess(game, space, guesses[node], candidates + starts[node],
                     starts[node + 1] - starts[node], out + starts[node]);
    return OK;
}

/* Keep those of n candidates that give a feedback to a guess; returns how many. */
static int64_t fit_candidates(const CodeGame *game, Workspace *space, uint32_t guess, int64_t feedback,
                              uint32_t *candidates, int64_t n)
{
    int64_t kept = 0;
    if (!workspace_fit(space, game, n))
        return NO_MEMORY;
    answer_guess(game, space, guess, candidates, n, space->answers);
    for (int64_t s = 0; s < n; s++)
        if (space->answers[s] == feedback)
            candidates[kept++] = candidates[s];
    return kept;
}

/* What `split_nodes` is given, and what it fills; all arrays are the caller's. */
typedef struct {
    const uint32_t *candidates; /* those of the nodes, one node after the other */
    const int64_t *starts;      /* [nodes + 1] where those of each begin, and the last end */
    const uint32_t *answers;    /* the feedback number of each candidate to the guess of its node */
    int64_t nodes, feedbacks;   /* the last feedback says that the guess is the secret */
    int64_t *counts;            /* [feedbacks] 0 before and after */
    int64_t *order;             /* [feedbacks] working memory */
    uint32_t *below;            /* receives the candidates of the children */
    int64_t *ends;              /* receives where those of each child end */
    int64_t *feedback;          /* receives the feedback that leads to it */
    int64_t *children;          /* [nodes] receives how many each node has */
} Splits;

static int ascending(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* List the feedbacks of a node in order, without the last; returns how many there are. */
static int64_t list_cells(const Splits *of, int64_t begin, int64_t end)
{
    int64_t cells = 0;
    for (int64_t s = begin; s < end; s++)
        if (of->answers[s] != of->feedbacks - 1 && of->counts[of->answers[s]]++ == 0)
            of->order[cells++] = of->answers[s];
    if (cells * cells <= 4 * of->feedbacks) {
        qsort(of->order, (size_t)cells, sizeof *of->order, ascending);
        return cells;
    }
    cells = 0;
    for (int64_t f = 0; f < of->feedbacks; f++)
        if (of->counts[f] > 0)
            of->order[cells++] = f;
    return cells;
}

/* Sort the candidates of nodes of any game into children, without those that are guessed. */
static void split_nodes(const Splits *of)
{
    int64_t to = 0, tail = 0;
    for (int64_t node = 0; node < of->nodes; node++) {
        int64_t begin = of->starts[node], end = of->starts[node + 1];
        int64_t cells = list_cells(of, begin, end);
        for (int64_t k = 0; k < cells; k++) {
            int64_t size = of->counts[of->order[k]];
            of->counts[of->order[k]] = to;
            to += size;
            of->feedback[tail] = of->order[k];
            of->ends[tail++] = to;
        }
        for (int64_t s = begin; s < end; s++)
            if (of->answers[s] != of->feedbacks - 1)
                of->below[of->counts[of->answers[s]]++] = of->candidates[s];
        for (int64_t k = 0; k < cells; k++)
            of->counts[of->order[k]] = 0;
        of->children[node] = cells;
    }
}
