/* A code game (Mastermind, Bulls and Cows) as tables, and a one-step policy for it.
 *
 * All arrangements of a multiset of symbols have the same total of black and white pegs with any
 * code. Their blacks differ, and are a sum over the positions: a row of `blacks` has a 1 for each
 * of 64 arrangements that has a given symbol at a given position. The rows depend on how often each
 * symbol occurs, not on the symbol. So there is one block of rows for each shape, which is a way to
 * write the number of pegs as a sum. Totals are sums of rows, too: of 64 multisets side by side.
 *
 * Limits, which `codes_new` checks: 1 to MAX_PEGS pegs, 1 to MAX_COLORS colours, at most 2^24 codes.
 */
#ifndef GUESSBOOK_CODES_H
#define GUESSBOOK_CODES_H

#include "lanes.h"

#define MAX_PEGS 15 /* with more, a feedback would not fit in a byte */
#define MAX_COLORS 36
#define MAX_CODES (INT64_C(1) << 24)
/* Up to this number of candidates, each is first tried as a guess: one in each lane. */
#define FEW 64
/* The largest number of candidates that a byte can count. */
#define BYTE 255
/* Below every score. */
#define LEAST_SCORE INT64_MIN

/* A shape: the tiles of its arrangements. */
typedef struct {
    int64_t tile;   /* the first tile, in `blacks` and `places` */
    int64_t number; /* number of arrangements */
} Shape;

/* A tile is a block of rows of 64 bytes, the last of which is all 0. */
typedef struct {
    int32_t pegs, colors, repeats;
    int32_t width;        /* the most different symbols in a code */
    int64_t codes;        /* number of codes */
    int64_t multisets;    /* number of multisets of symbols */
    int64_t tiles;        /* number of tiles of 64 multisets */
    int64_t shapes;       /* number of shapes */
    int64_t longest;      /* the number of tiles of the largest shape */
    int64_t permutations; /* number of permutations of the positions; 1 with more than 7 pegs */
    int64_t shared_tile;  /* bytes of a tile of `shared` */
    int64_t blacks_tile;  /* bytes of a tile of `blacks` */
    uint8_t *table;       /* [codes][pegs] symbols of each code, ascending, and 8 spare bytes */
    int32_t *set_of;      /* [codes] the multiset of each code */
    uint8_t *sets;        /* [multisets][pegs] symbols of each multiset, ascending */
    uint64_t *symbols;    /* [multisets] the set of its symbols, as bits */
    uint64_t *having;     /* [tiles][colors] the multisets of a tile that have each symbol, as bits */
    int32_t *shape_of;    /* [multisets] */
    Shape *shape;         /* [shapes] */
    int32_t *numbers;     /* [2^(pegs - 1)] one more than the shape of each `shape_key`; 0: none */
    uint8_t *blacks;      /* tiles: row p * width + j is 1 where the j-th symbol is at position p */
    uint8_t *places;      /* [64 * tiles][pegs] the symbol of an arrangement at each position, as its rank */
    uint8_t *shared;      /* tiles: row c * most + j - 1 is the number of pegs shared with j symbols c */
    int32_t *rows;        /* [multisets][width] the first row of each of its symbols in a tile */
} CodeGame;

/* A one-step policy. Costs grow with the size of a cell, by ever larger steps, or are all equal. */
typedef struct {
    const int64_t *costs;  /* [most + 1] the cost of a cell of 0, 1, ... candidates */
    const int64_t *splits; /* [min(most, 255) + 1][columns] the best score of n candidates in k cells */
    const double *spreads; /* [2 * STEPS + 1][pegs + 1] see bounds.c; unused where unit is 0 */
    int64_t most;          /* the largest number of candidates */
    int64_t columns;       /* the number of feedbacks plus 1 */
    int64_t credit;        /* added to the score of a guess that is a candidate */
    int64_t unit;          /* the cost of a bit of entropy; 0 if costs are no entropy */
    int64_t additive;      /* whether the score is minus the sum of the costs, else minus their maximum */
} Policy;

/* The arguments of a search, passed by address to every function below it. */
typedef struct {
    const CodeGame *game;
    const Policy *policy;
    const int32_t *stop; /* a nonzero value ends the search without a result; may be NULL */
} Search;

INLINE bool is_stopped(const int32_t *stop)
{
    return stop != NULL && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

/* The results of functions that can fail. */
#define OK 0
#define NO_MEMORY (-1)
#define NO_ROOM (-2)
#define STOPPED (-3)

#endif
