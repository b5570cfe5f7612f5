/* Partitions: the feedback of each candidate to a guess, and the candidates sorted by feedback. */
#include "workspace.h"

/* Return at how many of the first `count` (1 to 8) positions the bytes at two addresses are equal.
 *
 * All bytes must be below 128. The function reads eight bytes at each address, so the table of codes ends with eight
 * spare bytes.
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
    /* Each byte of the difference is 128 minus the differing bits: its highest bit is 1 exactly if no bit differs. */
    return __builtin_popcountll((high - ((a ^ b) & low)) & high);
}

/* Compute the feedback number of each of n candidates to a guess: fill `out` [n], a byte for each candidate.
 *
 * A feedback number is total * (pegs + 1) + black pegs; the total is the number of black plus white pegs.
 */
static void answer_guess(const CodeGame *game, Workspace *space, uint32_t guess,
                         const uint32_t *candidates, int64_t n, uint8_t *out)
{
    int pegs = game->pegs;
    const uint8_t *own = game->table + (int64_t)guess * pegs;
    int64_t multiset = game->set_of[guess];
    share(game, space, multiset, n);
    for (int64_t s = 0; s < n; s++) {
        int64_t code = candidates[s];
        const uint8_t *other = game->table + code * pegs;
        int64_t number = total_with(game, space, multiset, n, game->set_of[code], game->width) * (pegs + 1);
        number += equal_bytes(own, other, pegs < 8 ? pegs : 8);
        if (pegs > 8)
            number += equal_bytes(own + 8, other + 8, pegs - 8);
        out[s] = (uint8_t)number;
    }
}

/* The cells into which a guess splits candidates, in ascending order of feedback. The caller owns the arrays. */
typedef struct {
    int64_t feedbacks; /* number of feedbacks; the highest one says that the guess is the secret */
    int64_t *counts;   /* [feedbacks] number of candidates with each feedback; all 0 before and after `sort_cells` */
    int64_t *feedback; /* [cells] receives the feedback number of each cell */
    int64_t *ends;     /* [cells] receives each cell's end: the index after its last candidate in the sorted list */
} Cells;

/* List the feedbacks that occur, except the highest one (solved), in ascending order: fill `of->feedback`.
 *
 * `of->counts` receives the number of candidates with each feedback. Returns the length of the list.
 */
static int64_t list_cells(const Cells *of, const void *answers, int64_t lane, int64_t n)
{
    int64_t cells = 0;
    for (int64_t s = 0; s < n; s++) {
        uint32_t answer = number_at(answers, lane, s);
        if (of->counts[answer]++ == 0 && answer != of->feedbacks - 1)
            of->feedback[cells++] = answer;
    }
    of->counts[of->feedbacks - 1] = 0;
    if (cells * cells > 4 * of->feedbacks) {
        cells = 0;
        for (int64_t f = 0; f < of->feedbacks; f++)
            if (of->counts[f] > 0)
                of->feedback[cells++] = f;
        return cells;
    }
    for (int64_t k = 1, at; k < cells; k++) { /* sorting few cells is quicker than reading all counts */
        int64_t answer = of->feedback[k];
        for (at = k; at > 0 && of->feedback[at - 1] > answer; at--)
            of->feedback[at] = of->feedback[at - 1];
        of->feedback[at] = answer;
    }
    return cells;
}

/* Sort n candidates into cells by their feedback, stably. Omit the candidate that is the guess itself.
 *
 * Args:
 *     answers: [n] the feedback number of each candidate, an unsigned number of `lane` bytes.
 *     target: receives at most n candidates from index `to` on; it must not overlap `source`.
 *
 * `of->feedback` and `of->ends` receive the cells. Returns the number of cells.
 */
INLINE int64_t sort_cells(const Cells *of, const uint32_t *source, const void *answers, int64_t lane,
                          int64_t n, uint32_t *target, int64_t to)
{
    int64_t cells = list_cells(of, answers, lane, n);
    for (int64_t k = 0; k < cells; k++) {
        int64_t *at = &of->counts[of->feedback[k]], size = *at;
        *at = to;
        to += size;
        of->ends[k] = to;
    }
    for (int64_t s = 0; s < n; s++) {
        uint32_t answer = number_at(answers, lane, s);
        if (answer != of->feedbacks - 1)
            target[of->counts[answer]++] = source[s];
    }
    for (int64_t k = 0; k < cells; k++)
        of->counts[of->feedback[k]] = 0;
    return cells;
}

/* Compute the feedback number of each candidate to the guess of its node: fill `out`, a byte for each candidate.
 *
 * `starts` [count + 1] contains the index of the first candidate of each node, and the end of the last node.
 */
static int32_t answer_guesses(const CodeGame *game, Workspace *space, const uint32_t *guesses,
                              int64_t count, const uint32_t *candidates, const int64_t *starts,
                              uint8_t *out)
{
    for (int64_t node = 0; node < count; node++)
        answer_guess(game, space, guesses[node], candidates + starts[node],
                     starts[node + 1] - starts[node], out + starts[node]);
    return OK;
}

/* The inputs and outputs of `split_nodes`; the caller owns all arrays. */
typedef struct {
    const uint32_t *candidates; /* [n] the candidates of the nodes, one node after the other */
    const int64_t *starts;      /* [nodes + 1] index of the first candidate of each node, and the end of the last */
    const uint32_t *answers;    /* [n] feedback number of each candidate to the guess of its node */
    int64_t nodes, feedbacks;   /* numbers of nodes and feedbacks; the highest feedback means that the guess is right */
    int64_t *counts;            /* [feedbacks] working memory; all 0 before and after a call */
    int64_t *feedback;          /* [n] receives the feedback number that leads to each child */
    int64_t *ends;              /* [n] receives the end of each child: the index after its last candidate in `below` */
    uint32_t *below;            /* [n] receives the candidates of the children */
    int64_t *children;          /* [nodes] receives the number of children of each node */
} Splits;

/* Sort the candidates of each node into its children. Omit a candidate if it is the guess of its node. */
static void split_nodes(const Splits *of)
{
    Cells cells = {of->feedbacks, of->counts, of->feedback, of->ends};
    int64_t to = 0;
    for (int64_t node = 0; node < of->nodes; node++) {
        int64_t begin = of->starts[node], n = of->starts[node + 1] - begin;
        int64_t count = sort_cells(&cells, of->candidates + begin, of->answers + begin,
                                   sizeof *of->answers, n, of->below, to);
        to = count > 0 ? cells.ends[count - 1] : to;
        cells.feedback += count;
        cells.ends += count;
        of->children[node] = count;
    }
}
