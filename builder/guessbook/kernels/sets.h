/* Sets of candidates for the search for optimal play: a game as a table, and bounds of sets. */
#ifndef GUESSBOOK_SETS_H
#define GUESSBOOK_SETS_H

#include "codes.h"

/* The cost where no strategy exists, above every real cost. Times the largest weight, 2^22, it is
 * 2^62. */
#define IMPOSSIBLE (INT64_C(1) << 40)
/* This number of guesses left stands for no limit. */
#define MAX_LEFT 40
/* The levels of a search below its root: MAX_DEPTH, or more if LEVEL_BYTES hold them. */
#define MAX_DEPTH 24
#define LEVEL_BYTES (INT64_C(1) << 28)
/* The slots of a set in the transposition table: one cache line. */
#define PLACES 4
/* Bits of a guess in the rank of a guess. */
#define RANK_BITS 20
/* Returned beside OK, NO_MEMORY and STOPPED: the search went below all levels. */
#define TOO_DEEP (-4)
/* Guesses whose cells are bounded together. */
#define BATCH 32
/* In place of a guess to try: EVERY tries all, LOOK computes one-ply bounds only. */
#define EVERY (-1)
#define LOOK (-2)

/* A game, or a cell of a game, as a table. The caller owns all arrays; none is changed. */
typedef struct {
    const void *table;      /* [secrets][guesses] feedbacks of `lane` bytes, the last is "solved" */
    const int64_t *homes;   /* [secrets] the column of each secret; -1: it cannot be guessed */
    const uint64_t *keys;   /* [secrets] random words: the Zobrist key of a set is their xor */
    const int64_t *weights; /* [secrets] the weight of each; sets have the heaviest first */
    const int64_t *bounds;  /* [MAX_LEFT + 1][secrets + 1] a lower bound for n candidates: split_bounds.py */
    const int64_t *steps;   /* [MAX_LEFT + 1][secrets] the growth of these bounds with each candidate */
    const uint32_t *letters; /* hard mode: [guesses][length] the letters of each guess */
    const uint8_t *marks;   /* hard mode: [answers][length] the mark of each letter in a feedback */
    int64_t secrets, guesses;
    int64_t answers; /* number of different feedbacks */
    int64_t plain;   /* up to this number of candidates the bound by size is the usual one: one is found
                        by the first guess, the others by the second; 0 if secrets have weights */
    int64_t fitting; /* whether only candidates may be guessed */
    int64_t length;  /* hard mode: letters of a guess; else 0 */
    int64_t lane;    /* bytes of a feedback: 1, 2 or 4 */
    int64_t missed;  /* whether a set costs the weight of the candidates that are not found within the
                        guesses left, instead of its guesses; then the root has fewer than MAX_LEFT */
    const uint8_t *rows;  /* [blocks][secrets][LANES] the cells of 64 guesses, as labels: 0 for the
                             largest cell of all secrets, and so on; see most_cells.c */
    const int64_t *peaks; /* [blocks] the most cells of a guess of each block; descending */
    int64_t blocks;       /* the number of blocks; 0 without them */
} Problem;

/* The guesses to try, as columns of a table: all guesses of the problem, or some. */
typedef struct {
    const void *table; /* [secrets][count] */
    int64_t count;
} Columns;

/* An entry of the transposition table. If two threads mix their entries, the result fits no set. */
typedef struct {
    uint64_t key;  /* the key of the set, xor `known` */
    int64_t known; /* 4 * cost + 2 if one-ply bounds were taken + 1 if it is exact; 0: free */
} SetEntry;

/* The transposition table: costs and bounds of sets, shared by threads without locks. */
typedef struct {
    SetEntry *entries; /* a power of 2 of them, aligned to a cache line */
    int64_t size;
} SetTable;

/* A cell of a guess that is bounded together with others. */
typedef struct {
    uint64_t key;
    const uint32_t *members;
    int64_t n;
    int64_t most;  /* the most cells of a guess on it: a lower bound, or the exact number */
    int64_t bound; /* lower bound of the weight missed in it */
    int64_t gain;  /* the possible growth of the bound for the work; -1: none */
    int64_t owner; /* the place of the guess in the batch */
    bool chosen;   /* whether to bound it now */
} Piece;

/* The working memory of one thread, by level. */
typedef struct {
    int64_t tried;    /* guesses that were tried; counted for Python */
    int64_t too_deep; /* whether a search went below all levels */
    int64_t levels;
    uint64_t *seen;    /* [levels][words][guesses] the feedbacks that each guess gets, as bits */
    uint32_t *parts;   /* [levels][guesses] the number of these feedbacks */
    int64_t *ranks;    /* [levels][guesses] the guesses worth trying, by their bounds */
    int32_t *columns;  /* hard mode: [levels][guesses] the guesses that are allowed */
    int64_t *widths;   /* [levels] hard mode: the number of allowed guesses */
    uint32_t *stack;   /* the candidates of all sets from the root to the current one */
    int64_t *sums;     /* [secrets + 1] the weight of the first 0, 1, ... candidates of a set */
    int64_t *sizes;    /* [levels][answers] the number of candidates of each cell of a guess */
    int64_t *starts;   /* [levels][answers] the first candidate of each cell */
    int64_t *bounds;   /* [levels][answers] a lower bound of the cost of each cell */
    uint64_t *keys;    /* [levels][answers] the key of each cell */
    uint64_t *allowed; /* [levels][answers] hard mode: the key of the guesses that are allowed */
    /* Where the problem has blocks, for a batch of guesses: */
    Piece *pieces;           /* [BATCH * answers] */
    uint32_t *members;       /* [BATCH][secrets] the candidates of the pieces */
    int64_t totals[BATCH];   /* a lower bound of the cost of each guess */
} SetSpace;

/* The arguments of a search, passed by address to every function below it. */
typedef struct {
    const Problem *problem;
    const SetTable *table;
    SetSpace *space;
    const int32_t *stop; /* a nonzero value ends the search without a result */
} Solver;

/* A set in the search: n candidates of the stack from `low` on. */
typedef struct {
    const Columns *here;  /* the guesses to try */
    const Columns *below; /* the guesses to try in its cells */
    int64_t low, n;
    int64_t top;   /* the first free place of the stack */
    int64_t left;  /* the limit of guesses, see `left_for` */
    int64_t depth; /* the level of the working memory */
    uint64_t also; /* hard mode: the key of the guesses that are allowed; else 0 */
} Set;

INLINE int64_t smallest(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

INLINE int64_t largest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Return the limit of guesses for n candidates: MAX_LEFT (no limit) if at least n guesses are left,
 * since each guess rules out a candidate. */
INLINE int64_t left_for(int64_t n, int64_t left)
{
    return n <= left ? MAX_LEFT : left;
}

/* Return whether the bounds of a set by its size are exact: `bounds` of the problem. */
INLINE bool is_settled(const Problem *problem, int64_t n, int64_t left)
{
    return n <= 2 || (problem->missed && (left < 2 || n <= left));
}

INLINE int64_t words_of(const Problem *problem) /* with a bit for each feedback */
{
    return (problem->answers + 63) / 64;
}

#endif
