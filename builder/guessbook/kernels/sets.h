/* The search for optimal play: a game as a table, sets of candidates, and the memory of the search. */
#ifndef GUESSBOOK_SETS_H
#define GUESSBOOK_SETS_H

#include "codes.h"

/* The cost of a set that no strategy solves, above every real cost. Multiplied by the largest total weight,
 * 2^22, it still fits into 64 bits. */
#define IMPOSSIBLE (INT64_C(1) << 40)
/* The value of `left`, the number of guesses left, that stands for no limit. */
#define MAX_LEFT 40
/* The working memory of a search has at least MAX_DEPTH levels, and more if they fit into LEVEL_BYTES. Fewer levels
 * are enough if there are few secrets. */
#define MAX_DEPTH 24
#define LEVEL_BYTES (INT64_C(1) << 28)
/* The number of entries of the transposition table that may store a given set: they fill one cache line. */
#define PLACES 4
/* The number of lowest bits of a rank that contain the guess: see `rank_guesses`. */
#define RANK_BITS 20
/* A further return code: the search needs more levels than it has memory for. */
#define TOO_DEEP (-4)
/* The largest number of guesses whose cells are bounded together: see pieces.c. */
#define BATCH 32
/* Values of `Query.guess` in place of a column: EVERY tries all guesses, LOOK computes one-ply bounds only. */
#define EVERY (-1)
#define LOOK (-2)

/* A game, or a part of a game, as a table of feedbacks. The caller owns all arrays; no array is changed. */
typedef struct {
    const void *table;      /* [secrets][guesses] feedbacks of `lane` bytes; the highest one means "solved" */
    const int64_t *homes;   /* [secrets] column of each secret as a guess; -1 if it cannot be guessed */
    const uint64_t *keys;   /* [secrets] random words; the Zobrist key of a set is the xor of its words */
    const int64_t *weights; /* [secrets] weight of each secret; in each set the heaviest candidate comes first */
    const int64_t *bounds;  /* [MAX_LEFT + 1][secrets + 1] lower bound of the cost by the number of guesses left
                               and the number of candidates: split_bounds.py */
    const int64_t *steps;   /* [MAX_LEFT + 1][secrets] growth of `bounds` with each further candidate */
    const uint32_t *letters; /* hard mode: [guesses][length] letters of each guess */
    const uint8_t *marks;   /* hard mode: [answers][length] mark of each letter of the guess, by feedback: see
                               `keeps_hints` */
    int64_t secrets, guesses; /* numbers of secrets and guesses */
    int64_t answers; /* number of different feedbacks */
    int64_t plain;   /* largest n for which the bound of each number k <= n of candidates is 2k - 1: one guess for
                        one of them, two for each other; `secrets` if `missed`; 0 if secrets have weights */
    int64_t fitting; /* 1 if only candidates may be guessed, else 0 */
    int64_t length;  /* hard mode: number of letters of a guess; else 0 */
    int64_t lane;    /* bytes of a feedback: 1, 2 or 4 */
    int64_t missed;  /* 1 if the cost of a set is the weight of the candidates that are not found within the
                        guesses left; 0 if it is the number of guesses times the weight, over all candidates */
    const uint8_t *rows;  /* [blocks][secrets][LANES] label of the cell of each secret, for 64 guesses; the
                             largest cell of a guess has label 0, the next 1, and so on: see most_cells.c */
    const int64_t *peaks; /* [blocks] largest number of cells into which a guess of each block splits all secrets,
                             in descending order */
    int64_t blocks;       /* number of blocks of 64 guesses in `rows`; 0 if the problem has no blocks */
} Problem;

/* Guesses to try, as columns of a table: all guesses of the problem, or a selection. */
typedef struct {
    const void *table; /* [secrets][count] feedbacks, as in `Problem.table` */
    int64_t count;     /* number of columns */
} Columns;

/* An entry of the transposition table. If the writes of two threads mix, the key matches no set. */
typedef struct {
    uint64_t key;  /* key of the set, xor `known` */
    int64_t known; /* 4 times the cost or a lower bound; plus 1 if it is the exact cost; plus 2 if one-ply
                      bounds of the set need not be computed again; 0 in a free entry */
} SetEntry;

/* The transposition table: costs and bounds of sets of candidates. Threads share it without locks. */
typedef struct {
    SetEntry *entries; /* [size] entries, aligned to a cache line; the table owns them */
    int64_t size;      /* number of entries, a power of 2 */
} SetTable;

/* A cell of a guess whose bound is computed together with the bounds of further cells. */
typedef struct {
    uint64_t key;            /* key of the cell in the transposition table */
    const uint32_t *members; /* [n] candidates in the cell */
    int64_t n;               /* number of candidates */
    int64_t most;  /* upper bound of the number of cells into which a guess read so far splits the candidates */
    int64_t bound; /* lower bound of the cost of the cell: the number of its candidates that are not found */
    int64_t gain;  /* estimated growth of the bound per unit of work; -1 if it is not worth the work, or was chosen */
    int64_t owner; /* index in the batch of the guess that has this cell */
    bool chosen;   /* whether the cell is bounded in the current pass */
} Piece;

/* The working memory of one thread; it owns its buffers, most of which have a part for each level of the search. */
typedef struct {
    int64_t tried;    /* number of guesses tried so far; Python reads it */
    int64_t too_deep; /* 1 if the search needs more levels than `levels`, else 0 */
    int64_t levels;   /* number of levels for which there is memory */
    uint64_t *seen;    /* [levels][words][guesses] feedbacks of the candidates to each guess, as bits of 64-bit words */
    uint32_t *parts;   /* [levels][guesses] number of cells into which each guess splits the candidates */
    int64_t *ranks;    /* [levels][guesses] ranks of the guesses worth trying: see `rank_guesses` */
    int32_t *columns;  /* hard mode: [levels][guesses] columns of the allowed guesses */
    int64_t *widths;   /* hard mode: [levels] number of allowed guesses */
    uint32_t *stack;   /* [secrets * (levels + 2)] candidates of all sets from the root to the current set */
    int64_t *sums;     /* [secrets + 1] total weight of the first 0, 1, ... candidates of a set; all levels share it */
    int64_t *sizes;    /* [levels][answers] number of candidates in each cell of a guess */
    int64_t *starts;   /* [levels][answers] index in `stack` of the first candidate of each cell */
    int64_t *bounds;   /* [levels][answers] lower bound of the cost of each cell */
    uint64_t *keys;    /* [levels][answers] key of each cell in the transposition table */
    uint64_t *allowed; /* hard mode: [levels][answers] key of the guesses that are allowed in each cell */
    /* The following buffers are for a batch of guesses in pieces.c, if the problem has blocks of guesses. */
    Piece *pieces;           /* [BATCH * answers] cells of the guesses of a batch that are worth a bound */
    uint32_t *members;       /* [BATCH][secrets] candidates of the cells of each guess of a batch */
    int64_t totals[BATCH];   /* lower bound of the cost of each guess of a batch */
} SetSpace;

/* The arguments that all functions of a search for optimal play share. */
typedef struct {
    const Problem *problem;
    const SetTable *table;
    SetSpace *space;
    const int32_t *stop; /* a nonzero value ends the search without a result */
} Solver;

/* A set of candidates in the search: n candidates on the stack, from index `low` on. */
typedef struct {
    const Columns *here;  /* guesses to try for the set */
    const Columns *below; /* guesses to try for the cells of the set */
    int64_t low, n;       /* index in the stack of the first candidate, and number of candidates */
    int64_t top;   /* index of the first free entry of the stack */
    int64_t left;  /* number of guesses left, or MAX_LEFT: see `left_for` */
    int64_t depth; /* level of the set in the working memory */
    uint64_t also; /* hard mode: key of the history or, in a cell, of the allowed guesses; else 0 */
} Set;

INLINE int64_t smallest(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

INLINE int64_t largest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Return the limit of guesses for n candidates: `left`, or MAX_LEFT (no limit) if n guesses are left. */
INLINE int64_t left_for(int64_t n, int64_t left)
{
    /* n guesses are always enough: each guess can rule out a candidate. */
    return n <= left ? MAX_LEFT : left;
}

/* Return whether the lower bound of n candidates in `Problem.bounds` is their exact cost. */
INLINE bool is_settled(const Problem *problem, int64_t n, int64_t left)
{
    return n <= 2 || (problem->missed && (left < 2 || n <= left));
}

/* Return the number of 64-bit words that contain a bit for each feedback. */
INLINE int64_t words_of(const Problem *problem)
{
    return (problem->answers + 63) / 64;
}

#endif
