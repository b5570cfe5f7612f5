/* Tree assembly: the finished parts of a tree as one tree, breadth first. */
#include "codes.h"

/* The pieces of a tree, from left to right: neighbours with all that is below them, or one node. */
typedef struct {
    const int64_t *depth;   /* [pieces] how many guesses lead to the nodes of its first level */
    const int64_t *right;   /* [pieces] the piece on its right; -1 for the last one */
    int64_t *level;         /* [pieces] where its levels begin in `sizes`; at their ends afterwards */
    int64_t *begin;         /* [pieces] where its nodes begin in `content`; likewise */
    int64_t *solves;        /* [pieces] how many candidates its guesses solve; 0 afterwards */
    const int64_t *sizes;   /* how many nodes each level has; a 0 is behind those of a piece */
    const uint8_t *content; /* the nodes: the guess (32 bits), the feedback, the children */
    int64_t small;          /* bytes of a feedback, and of a number of children */
    int64_t nodes;          /* how many there are, all in `content` */
} Pieces;

/* A tree in columns. */
typedef struct {
    uint32_t *guess;      /* [nodes] */
    uint8_t *feedback;    /* [nodes * small] */
    uint8_t *children;    /* [nodes * small] */
    uint32_t *candidates; /* [nodes + 1] the last is 0 */
    uint32_t *first;      /* [nodes + 1] where the children of each node start */
    uint8_t *solves;      /* [nodes] how many candidates its guess solves */
} Columned;

/* Return the number in so many bytes, the lowest first. */
static uint32_t read_number(const uint8_t *bytes, int64_t width)
{
    uint32_t value = 0;
    for (int64_t b = 0; b < width; b++)
        value |= (uint32_t)bytes[b] << (8 * b);
    return value;
}

/* Put the next level of a piece in its place, from `node` on; returns its number of nodes. */
static int64_t put_level(const Pieces *pieces, int64_t piece, int64_t node, Columned *tree)
{
    int64_t small = pieces->small, size = pieces->sizes[pieces->level[piece]], solved = 0;
    const uint8_t *row = pieces->content + pieces->begin[piece] * (4 + 2 * small);
    for (int64_t end = node + size; node < end; node++, row += 4 + 2 * small) {
        uint32_t guess = read_number(row, 4);
        tree->guess[node] = guess & (SOLVES - 1);
        tree->solves[node] = guess >= SOLVES;
        solved += guess >= SOLVES;
        memcpy(tree->feedback + node * small, row + 4, (size_t)small);
        memcpy(tree->children + node * small, row + 4 + small, (size_t)small);
        tree->first[node + 1] = tree->first[node] + read_number(row + 4 + small, small);
    }
    pieces->solves[piece] -= solved;
    pieces->level[piece]++;
    pieces->begin[piece] += size;
    return size;
}

/* Count the candidates of each node: those that it solves, and those of its children. */
static int64_t count_candidates(const Pieces *pieces, Columned *tree)
{
    int64_t nodes = pieces->nodes, wrong = 0;
    uint32_t *candidates = tree->candidates;
    candidates[nodes] = 0;
    /* Those of a node and of all behind it, at first: no loop for the children of each. */
    for (int64_t k = nodes - 1; k >= 0; k--) {
        int64_t begin = tree->first[k], end = tree->first[k + 1];
        begin = begin < nodes ? begin : nodes; /* of a tree that is wrong, it leads anywhere */
        end = end < nodes ? end : nodes;
        candidates[k] = candidates[k + 1] + tree->solves[k] + candidates[begin] - candidates[end];
    }
    for (int64_t k = 0; k < nodes; k++) {
        candidates[k] -= candidates[k + 1];
        wrong += candidates[k] == 0;
    }
    return wrong;
}

/* Assemble the nodes of all pieces, breadth first.
 *
 * Returns how many of them are wrong: a piece that solves other candidates than it should, a node
 * that stands for none, or children that do not fit.
 */
static int64_t assemble(const Pieces *pieces, Columned *tree)
{
    int64_t node = 0, before = -1, wrong = 0;
    tree->first[0] = 1;
    for (int64_t depth = 0; node > before; depth++) {
        before = node;
        for (int64_t piece = 0; piece >= 0; piece = pieces->right[piece]) {
            if (pieces->depth[piece] > depth)
                continue;
            int64_t size = pieces->sizes[pieces->level[piece]];
            int64_t begin = pieces->begin[piece]; /* of sizes that lie, it may be anywhere */
            if (size > pieces->nodes - node || begin < 0 || size > pieces->nodes - begin)
                return pieces->nodes;
            if (size > 0)
                node += put_level(pieces, piece, node, tree);
        }
    }
    if (node < pieces->nodes)
        return pieces->nodes;
    wrong += count_candidates(pieces, tree);
    for (int64_t piece = 0; piece >= 0; piece = pieces->right[piece])
        wrong += pieces->solves[piece] != 0;
    return wrong + (tree->first[pieces->nodes] != pieces->nodes);
}
