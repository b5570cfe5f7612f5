/* The search for optimal play: a game as a table, sets of candidates, and the memory of the search.
 *
 * Words of the files for this search:
 * - column: a guess, as an index of a column in a table of feedbacks.
 * - level: a depth in the search tree, with its own part of the working memory.
 * - row: the part of a buffer that belongs to one level; the row of a set is that of its depth.
 * - block: 64 guesses whose cells are counted together.
 * - piece: a cell for which pieces.c computes a bound.
 *
 * engine/sets.py checks these limits, so that all numbers fit into 64 bits:
 * - The weights of all secrets are at least 1, and add up to at most 2^22. No lower bound of a set is above IMPOSSIBLE.
 *   The bounds of all cells of a guess then add up to at most 2^62. With larger weights, this sum would overflow first.
 * - There are at most 2^RANK_BITS guesses. A rank has RANK_BITS bits for the guess, and 41 bits above them.
 * - All feedbacks in `Problem.table` are below `answers`, and all indices are within their arrays.
 *
 * It checks only the sizes of the tables of a query, which consist of columns of `Problem.table`. Only the rows of the
 * query's candidates are read.
 */
#ifndef GUESSBOOK_SETS_H
#define GUESSBOOK_SETS_H

#include "codes.h"

/* The cost of a set of candidates that no strategy solves with the guesses left. It is above the cost of every
 * strategy. */
#define IMPOSSIBLE (INT64_C(1) << 40)
/* The value of `left` (the number of guesses left) if guesses are not limited. */
#define MAX_LEFT 40
/* A search has working memory for as many levels (depths of the search tree) as fit into LEVEL_BYTES, but for at least
 * MAX_DEPTH levels. With few secrets, there are fewer levels: no search is deeper than the number of secrets. */
#define MAX_DEPTH 24
#define LEVEL_BYTES (INT64_C(1) << 28)
/* A set may be stored in any of PLACES entries of the transposition table. These entries fill one cache line. */
#define PLACES 4
/* Guesses are tried in the order of their ranks. The lowest RANK_BITS bits of a rank are the index of the guess: see
 * `rank_guesses`. */
#define RANK_BITS 20
/* The result of a search that is deeper than its working memory allows. */
#define TOO_DEEP (-4)
/* The largest number of guesses in a batch. pieces.c computes bounds for the cells of a whole batch together. */
#define BATCH 32
/* `Query.guess` is the column of a guess, or one of these values. EVERY: try all guesses. LOOK: only compute a one-ply
 * bound, which is a lower bound of the cost without a search. */
#define EVERY (-1)
#define LOOK (-2)

/* A game, or a part of a game, as a table of feedbacks. The caller owns all arrays; the engine only reads them. */
typedef struct {
    const void *table;      /* [secrets][guesses] feedback of each secret to each guess; feedback `answers` - 1 means
                               that the guess is the secret */
    const int64_t *homes;   /* [secrets] column of each secret as a guess; -1 if it cannot be guessed */
    const uint64_t *keys;   /* [secrets] a random number for each secret; the Zobrist key of a set is the xor of the
                               numbers of its candidates */
    const int64_t *weights; /* [secrets] weight of each secret; a set lists its candidates from the heaviest to the
                               lightest */
    const int64_t *bounds;  /* [MAX_LEFT + 1][secrets + 1] bounds[left][n] is a lower bound of the cost of n candidates
                               of weight 1 with `left` guesses left: see `bounds_below` in builder/optimal.py */
    const int64_t *steps;   /* [MAX_LEFT + 1][secrets] steps[left][n] is bounds[left][n + 1] - bounds[left][n] */
    const uint32_t *letters; /* hard mode: [guesses][length] letters of each guess */
    const uint8_t *marks;   /* hard mode: [answers][length] for each feedback, a mark for each letter of the guess: 2 in
                               the right place, 1 in another place, 0 for an absent letter */
    int64_t secrets, guesses; /* numbers of secrets and guesses */
    int64_t answers; /* number of different feedbacks */
    int64_t plain;   /* 0 if secrets have weights. Otherwise, the number of secrets if `missed` is 1; else the largest N
                        such that bounds[MAX_LEFT][n] is 2n - 1 for all n from 1 to N. `guess_bound` skips `even_bound`
                        if no cell can have more than N candidates: then the number of cells yields the same bound, if
                        guesses are not limited */
    int64_t fitting; /* 1 if only candidates may be guessed, else 0 */
    int64_t length;  /* number of letters of a guess in hard mode; 0 without hard mode */
    int64_t lane;    /* size of a feedback in `table`: 1, 2 or 4 bytes */
    int64_t missed;  /* meaning of the cost of a set. 1: the total weight of the candidates that are not found within
                        the limit, that is, while more than `spare` guesses are left. 0: the sum, over all candidates,
                        of the number of guesses times the weight */
    int64_t spare;   /* number of guesses beyond the limit, if `missed` is 1. If it is not 0, every candidate must be
                        found within all guesses left; a set for which this is not possible has the cost IMPOSSIBLE */
    const uint8_t *rows;  /* [blocks][secrets][64] for each secret and each guess of a block, the number of the secret's
                             cell: 0 for the largest cell of the guess, 1 for the next largest, and so on */
    const int64_t *peaks; /* [blocks] largest number of cells into which a guess of the block splits all secrets; blocks
                             are in descending order of this number */
    int64_t blocks;       /* number of blocks of 64 guesses in `rows`; 0 if `rows` is not used */
} Problem;

/* Guesses to try, as columns of a table: all guesses of the problem, or a selection. */
typedef struct {
    const void *table; /* [secrets][count] feedbacks, as in `Problem.table` */
    int64_t count;     /* number of columns */
} Columns;

/* An entry of the transposition table. Two threads that write an entry at once may leave fields that do not belong
 * together. Then `key` xor `known` is the key of no set, so the entry is not used. */
typedef struct {
    uint64_t key;  /* key of the set (see `key_of`), xor `known` */
    int64_t known; /* 0 in a free entry; else 4 * bound + flags, with a lower bound of the cost of the set. Flag 1: the
                      bound is the exact cost. Flag 2: the one-ply bound of the set need not be computed again. */
} SetEntry;

/* The transposition table: costs and bounds of sets of candidates. Threads share it without locks. */
typedef struct {
    SetEntry *entries; /* [size] entries, aligned to a cache line; the table owns them */
    int64_t size;      /* number of entries, a power of 2 */
} SetTable;

/* A piece: a cell of a guess in a batch. pieces.c computes the bounds of many pieces together. */
typedef struct {
    uint64_t key;            /* key of the cell in the transposition table */
    const uint32_t *members; /* [n] candidates in the cell */
    int64_t n;               /* number of candidates */
    int64_t most;  /* each guess of the blocks that were read so far splits the candidates into at most this number of
                      cells */
    int64_t bound; /* lower bound of the cost: every strategy misses at least this number of candidates of the cell */
    int64_t gain;  /* estimated growth of `bound` per unit of work (one candidate in one block of guesses), times
                      2^RANK_BITS; -1 if no growth is expected, or if the piece was already chosen */
    int64_t owner; /* index, in the batch, of the guess to which the cell belongs */
    bool chosen;   /* whether the next call of `bound_pieces` computes a bound of the piece */
} Piece;

/* The working memory of one thread. It owns its buffers. A buffer with [levels] has one row for each level, that is,
 * for each depth of the search tree. */
typedef struct {
    int64_t tried;    /* number of guesses tried so far; Python reads it */
    int64_t too_deep; /* 1 if the search needs more than `levels` levels, else 0 */
    int64_t levels;   /* number of levels that fit into the buffers */
    uint64_t *seen;    /* [levels][words][guesses] for each guess, the feedbacks that occur: bit f % 64 of word f / 64
                          is 1 if a candidate gives feedback f */
    uint32_t *parts;   /* [levels][guesses] number of cells into which each guess splits the candidates */
    int64_t *ranks;    /* [levels][guesses] ranks of the guesses worth trying, in any order: see `rank_guesses` */
    int32_t *columns;  /* hard mode: [levels][guesses] columns of the allowed guesses */
    int64_t *widths;   /* hard mode: [levels] number of allowed guesses */
    uint32_t *stack;   /* [secrets * (levels + 2)] candidates of all sets from the root to the current set */
    int64_t *sums;     /* [secrets + 1] sums[k] is the total weight of the first k candidates of a set; all levels share
                          this buffer */
    int64_t *sizes;    /* [levels][answers] number of candidates in each cell of a guess */
    int64_t *starts;   /* [levels][answers] index of the first candidate of each cell, in `stack` */
    int64_t *bounds;   /* [levels][answers] lower bound of the cost of each cell */
    uint64_t *keys;    /* [levels][answers] key of each cell in the transposition table */
    uint64_t *allowed; /* hard mode: [levels][answers] for each cell, a hash key of the list of allowed guesses */
    /* pieces.c uses the following buffers for one batch of guesses, if the problem has blocks of guesses. */
    Piece *pieces;           /* [BATCH * answers] pieces of the batch: the cells whose bounds may still be raised */
    uint32_t *members;       /* [BATCH][secrets] for each guess of the batch, the candidates sorted by cell */
    int64_t totals[BATCH];   /* lower bound of the cost of each guess of the batch */
} SetSpace;

/* The arguments that all functions of a search for optimal play share. It owns nothing. `space` belongs to one thread;
 * threads may share the rest. */
typedef struct {
    const Problem *problem;
    const SetTable *table;
    SetSpace *space;
    const int32_t *stop; /* a nonzero value ends the search without a result; may be NULL */
} Solver;

/* A set of candidates in the search: n candidates on the stack, from index `low` on, the heaviest first. */
typedef struct {
    const Columns *here;  /* guesses to try for the set */
    const Columns *below; /* guesses to try one level deeper, in the cells of a guess */
    int64_t low, n;       /* index of the first candidate in the stack, and number of candidates */
    int64_t top;   /* index of the first free entry of the stack */
    int64_t left;  /* number of guesses left; MAX_LEFT if guesses are not limited: see `left_for` */
    int64_t depth; /* depth of the set in the search tree; selects the level of the working memory */
    uint64_t also; /* 0 without hard mode. In hard mode, a hash key: for the set of a query, the key of the guesses in
                      the history; for a cell, the key of the list of allowed guesses */
} Set;

INLINE int64_t smallest(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

INLINE int64_t largest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Return the limit of guesses for n candidates: MAX_LEFT (no limit) if at least n guesses are left, not counting the
 * spare ones; else `left`. */
INLINE int64_t left_for(const Problem *problem, int64_t n, int64_t left)
{
    /* n guesses always suffice: guess the candidates one after the other. */
    return n <= left - problem->spare ? MAX_LEFT : left;
}

/* Return whether the lower bound `set_bound` is certainly the exact cost of n candidates with `left` guesses left. */
INLINE bool is_settled(const Problem *problem, int64_t n, int64_t left)
{
    if (n <= 2 || left < 1)
        return true;
    if (!problem->missed)
        return false;
    return n <= left - problem->spare || (problem->spare ? n <= left && left <= problem->spare : left < 2);
}

/* Return whether the cost of a guess, apart from its cells, is the weight of all candidates of its set; otherwise it is
 * 0. `left` is the number of guesses left before the guess. If `missed` is 0, each candidate takes this guess. If
 * `missed` is 1, the first spare guess counts each candidate as missed. */
INLINE bool counts_all(const Problem *problem, int64_t left)
{
    return !problem->missed || (problem->spare && left == problem->spare);
}

/* Return the number of 64-bit words that have room for one bit for each feedback. */
INLINE int64_t words_of(const Problem *problem)
{
    return (problem->answers + 63) / 64;
}

#endif
