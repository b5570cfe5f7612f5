/* Strategy trees of a code game, grown to the leaves in one call.
 *
 * The engine also partitions the nodes: for a small node, this would take Python code as long as the engine needs to
 * find the guess.
 *
 * engine/codes.py checks the arguments: each index is below the number of codes, and each node has at least one
 * candidate and at most `Policy.most`. The caller owns all arrays, and each thread has its own `Workspace`. The arrays
 * of a `Forest` fill up first, which ends a call with NO_ROOM; all counts of nodes and pairs have 64 bits.
 */
#include "workspace.h"

/* Above this number of candidates, symmetries speed up the search for the guess of a node. */
#define LARGE 4096
/* A finished node has ROW bytes: four for the guess (the lowest byte first), one for the feedback that leads to the
 * node, and one for the number of children, at most 134. The bit SOLVES of the guess is 1 if the guess is a candidate;
 * the index of a code, below 2^24, does not need this bit. */
#define ROW 6
#define SOLVES (UINT32_C(1) << 31)

/* The roots of the trees to grow, task by task. The roots of a task are siblings; each task has at least one. */
typedef struct {
    int64_t tasks;
    const int64_t *starts;   /* [roots + 1] index of the first candidate of each root, and the end of the last root */
    const uint8_t *feedback; /* [roots] feedback that leads to each root */
    const int64_t *counts;   /* [tasks] number of roots of each task */
    const uint32_t *paths;   /* for each task, the guesses that lead to its roots */
    const int64_t *depths;   /* [tasks] number of guesses that lead to the roots of each task */
} Roots;

/* The nodes of one level of a tree, for `find_guesses`. */
typedef struct {
    int64_t count;         /* number of nodes */
    const int64_t *starts; /* [count + 1] index of the first candidate of each node, and the end of the last node */
    const uint32_t *paths; /* [count][depth] guesses that lead to each node */
    int64_t depth;         /* number of guesses that lead to each node */
} Nodes;

/* The trees of all tasks, breadth first in each task. A level has the nodes of one task that have equal depth. */
typedef struct {
    int64_t room;    /* length of each array but `levels`; an array has an entry for each node or level */
    int64_t nodes;   /* number of nodes so far */
    int64_t *begin;  /* [room] index of the first candidate of each node */
    int64_t *size;   /* [room] number of candidates of each node */
    uint64_t *used;  /* [room] symbols in the guesses of each node's history: bit c for symbol c */
    uint32_t *guess; /* [room] guess of each node */
    uint8_t *rows;   /* [room][ROW] the ROW bytes of each finished node */
    int64_t *ends;   /* [room] ends[k] is the number of nodes in levels 0 to k. The levels of all tasks are numbered
                        together: first those of the first task, then those of the second task, and so on */
    int64_t *pairs;  /* [room] number of (guess, candidate) pairs scored for each level */
    int64_t *levels; /* [tasks] for each task, the number of levels of this task and of all earlier tasks together */
} Forest;

/* Return the symbols in the guesses of a path [depth]: bit c is 1 if symbol c occurs. */
static uint64_t symbols_of(const CodeGame *game, const uint32_t *path, int64_t depth)
{
    uint64_t used = 0;
    for (int64_t h = 0; h < depth; h++)
        used |= game->symbols[game->set_of[path[h]]];
    return used;
}

/* Append the children of a node to the forest, and sort the candidates of the node into the children.
 *
 * The guess of the node must be set, and `workspace_fit` must have made room for the candidates. The
 * candidates of the node are reordered in place; if the guess is one of them, the last place of the node stays unused.
 * Returns the number of candidates of all children, or NO_ROOM if the forest is full.
 */
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

/* Finish a node of the forest: find its guess, write its ROW bytes, and append its children to the forest.
 *
 * The fields `begin`, `size` and `used` of the node, and its feedback in `rows`, must be set. Returns the number of
 * scored (guess, candidate) pairs, or NO_ROOM if the forest is full.
 */
static int64_t finish_node(const Search *search, Workspace *space, uint32_t *candidates, int64_t node,
                           Forest *forest)
{
    int64_t n = forest->size[node], scored = 0, below = 0;
    const uint32_t *own = candidates + forest->begin[node];
    uint32_t guess = own[0]; /* with two candidates, guess the first: it separates the two, so no guess is better */
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

/* Grow the trees below some roots to the leaves.
 *
 * Args:
 *     space: the working memory of this thread; it grows for the largest root.
 *     candidates: the candidates of one root after the other, in ascending order in each root. The call reorders them.
 *     forest: `room` and the arrays are set; the call fills the arrays. Room for two nodes for each candidate is always
 *         enough, because a guess that is no candidate has at least two children.
 *
 * Returns OK, NO_MEMORY, NO_ROOM or STOPPED. Only after OK is the forest complete.
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

/* Find the guess of each node of a level.
 *
 * Args:
 *     space: the working memory of this thread; it grows for the largest node.
 *     candidates: the candidates of one node after the other, in ascending order in each node.
 *     plan: NULL, or one step of a divided search: several calls share the search for the guess of one node. Then
 *         `nodes` has only this node, with at least 3 candidates.
 *     guess, scored: [nodes] receive the guess of each node, and the number of guesses scored for it.
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
