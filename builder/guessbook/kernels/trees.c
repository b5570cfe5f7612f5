/* Trees of a code game, grown to the end in one call.
 *
 * Between two searches there is little work: answer the guess, and sort the candidates into the
 * children. In Python this would take as long as the searches of small nodes.
 */
#include "workspace.h"

/* With more candidates than this, symmetry pays where a node is searched alone. */
#define LARGE 4096
/* Bytes of a finished node: its guess (32 bits, the lowest first), the feedback that leads to it, and
 * the number of its children. A guess that is a candidate also has the bit SOLVES. */
#define ROW 6
#define SOLVES (UINT32_C(1) << 31)

/* The nodes whose trees to grow, task by task; the nodes of a task are siblings. */
typedef struct {
    int64_t tasks;
    const int64_t *starts;   /* [nodes + 1] the first candidate of each node, and the end of the last */
    const uint8_t *feedback; /* [nodes] the feedback that leads to each node */
    const int64_t *counts;   /* [tasks] the number of nodes of each task */
    const uint32_t *paths;   /* the guesses that lead to the nodes of each task in turn */
    const int64_t *depths;   /* [tasks] the number of these guesses */
} Roots;

/* The nodes of one level of a tree, before their guesses are computed. */
typedef struct {
    int64_t count;
    const int64_t *starts; /* [count + 1] the first candidate of each node, and the end of the last */
    const uint32_t *paths; /* [count][depth] the guesses that lead to each */
    int64_t depth;
} Nodes;

/* The trees of some tasks, breadth first in each. The caller owns all arrays. */
typedef struct {
    int64_t room;    /* the capacity in nodes, levels and tasks */
    int64_t nodes;   /* the number of nodes */
    int64_t *begin;  /* [room] the first candidate of each node */
    int64_t *size;   /* [room] the number of its candidates */
    uint64_t *used;  /* [room] the symbols in the guesses of its history, as bits */
    uint32_t *guess; /* [room] its guess */
    uint8_t *rows;   /* [room][ROW] the finished nodes */
    int64_t *ends;   /* [room] the end of each level, task by task */
    int64_t *pairs;  /* [room] the number of pairs scored for each of these levels */
    int64_t *levels; /* [room] the number of levels up to each task */
} Forest;

/* Return the set of symbols in some guesses, as bits. */
static uint64_t symbols_of(const CodeGame *game, const uint32_t *path, int64_t depth)
{
    uint64_t used = 0;
    for (int64_t h = 0; h < depth; h++)
        used |= game->symbols[game->set_of[path[h]]];
    return used;
}

/* Append the children of a node, and sort its candidates into them. Returns the number of
 * candidates of all children, or NO_ROOM. */
static int64_t append_children(const Search *search, Workspace *space, uint32_t *candidates,
                               int64_t node, Forest *forest)
{
    const CodeGame *game = search->game;
    int64_t begin = forest->begin[node], n = forest->size[node], end = begin;
    int64_t counts[256] = {0}, feedback[256], ends[256];
    uint64_t used = forest->used[node] | game->symbols[game->set_of[forest->guess[node]]];
    Cells cells = {(game->pegs + 1) * (game->pegs + 1), counts, feedback, ends};
    memcpy(space->spare, candidates + begin, (size_t)n * sizeof(uint32_t));
    answer_guess(game, space, forest->guess[node], space->spare, n, space->answers);
    int64_t count = sort_cells(&cells, space->spare, space->answers, 1, n, candidates, begin);
    if (forest->nodes + count > forest->room)
        return NO_ROOM;
    for (int64_t k = 0; k < count; k++) {
        int64_t child = forest->nodes++;
        forest->begin[child] = end;
        forest->size[child] = ends[k] - end;
        forest->used[child] = used;
        forest->rows[child * ROW + 4] = (uint8_t)feedback[k];
        end = ends[k];
    }
    forest->rows[node * ROW + 5] = (uint8_t)count;
    return end - begin;
}

/* Finish a node: its guess, and its children where n > 1. Returns the pairs scored, or an error. */
static int64_t finish_node(const Search *search, Workspace *space, uint32_t *candidates, int64_t node,
                           Forest *forest)
{
    int64_t n = forest->size[node], scored = 0, below = 0;
    const uint32_t *own = candidates + forest->begin[node];
    uint32_t guess = own[0]; /* of two candidates the lower one separates both: no guess is better */
    if (n > 2) {
        load_candidates(search->game, space, own, n, forest->used[node]);
        scored = best_of_node(search, space, own, NULL);
        guess = index_of(search->game, space->guess);
    }
    forest->guess[node] = guess;
    forest->rows[node * ROW + 5] = 0;
    if (n > 1)
        below = append_children(search, space, candidates, node, forest);
    if (below < 0)
        return below;
    guess |= below < n ? SOLVES : 0;
    for (int b = 0; b < 4; b++)
        forest->rows[node * ROW + b] = (uint8_t)(guess >> (8 * b));
    return scored * n;
}

/* Grow the trees of some nodes to the end.
 *
 * Args:
 *     space: the working memory of this thread.
 *     candidates: the candidates of the nodes, ascending in each; they are reordered.
 *     forest: receives the nodes: at most twice the number of candidates, as a guess that is no
 *         candidate has at least two children.
 *
 * Returns OK, NO_MEMORY, NO_ROOM or STOPPED.
 */
static int32_t grow_trees(const Search *search, Workspace *space, uint32_t *candidates,
                          const Roots *roots, Forest *forest)
{
    int64_t given = 0, head = 0, level = 0, most = 0;
    const uint32_t *path = roots->paths;
    forest->nodes = 0;
    for (int64_t task = 0; task < roots->tasks; task++) {
        uint64_t used = symbols_of(search->game, path, roots->depths[task]);
        path += roots->depths[task];
        for (int64_t k = 0; k < roots->counts[task]; k++, given++) {
            if (forest->nodes == forest->room)
                return NO_ROOM;
            int64_t node = forest->nodes++, size = roots->starts[given + 1] - roots->starts[given];
            forest->begin[node] = roots->starts[given];
            forest->size[node] = size;
            forest->used[node] = used;
            forest->rows[node * ROW + 4] = roots->feedback[given];
            most = size > most ? size : most;
        }
        if (!workspace_fit(space, search->game, most))
            return NO_MEMORY;
        while (head < forest->nodes) {
            int64_t end = forest->nodes, pairs = 0;
            for (; head < end; head++) {
                if (is_stopped(search->stop))
                    return STOPPED;
                int64_t scored = finish_node(search, space, candidates, head, forest);
                if (scored < 0)
                    return NO_ROOM;
                pairs += scored;
            }
            if (level == forest->room)
                return NO_ROOM;
            forest->ends[level] = head;
            forest->pairs[level++] = pairs;
        }
        forest->levels[task] = level;
    }
    return OK;
}

/* Find the guess of each of some nodes, whose histories are equally long.
 *
 * Args:
 *     starts: [nodes + 1] where the candidates of each begin, ascending in each.
 *     paths: [nodes][depth] the guesses that lead to each.
 *     plan: of one node of at least 3 candidates whose search is divided, else NULL: see `Plan`.
 *     guess, scored: [nodes] receive the guess of each, and the number of guesses scored to find it.
 *
 * Returns OK, NO_MEMORY or STOPPED.
 */
static int32_t find_guesses(const Search *search, Workspace *space, const uint32_t *candidates,
                            const Nodes *nodes, Plan *plan, uint32_t *guess, int64_t *scored)
{
    const CodeGame *game = search->game;
    for (int64_t node = 0; node < nodes->count; node++) {
        const uint32_t *own = candidates + nodes->starts[node];
        const uint32_t *path = nodes->paths + node * nodes->depth;
        int64_t n = nodes->starts[node + 1] - nodes->starts[node];
        guess[node] = own[0];
        scored[node] = 0;
        if (n <= 2)
            continue;
        if (!workspace_fit(space, game, n))
            return NO_MEMORY;
        load_candidates(game, space, own, n, symbols_of(game, path, nodes->depth));
        if (n > LARGE)
            find_stabilizer(game, path, nodes->depth, &space->symmetry);
        scored[node] = best_of_node(search, space, own, plan);
        guess[node] = index_of(game, space->guess);
        if (is_stopped(search->stop))
            return STOPPED;
    }
    return OK;
}
