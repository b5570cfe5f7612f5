/* The tables of a code game (Mastermind, Bulls and Cows), and a one-step policy for it.
 *
 * The multiset of symbols AAB has three arrangements: AAB, ABA and BAA. All arrangements of a multiset have the
 * same total (black plus white pegs) with a given code. The table `shared` yields the totals of 64 multisets side
 * by side. The table `blacks` yields the numbers of black pegs of 64 arrangements side by side.
 *
 * The shape of a multiset is the list of how often its symbols occur: 2, 1, 1 for AABC and for BBCD.
 * Multisets of the same shape share their rows in `blacks`.
 *
 * A game has 1 to MAX_PEGS pegs, 1 to MAX_COLORS colours (symbols), and at most 2^24 codes.
 */
#ifndef GUESSBOOK_CODES_H
#define GUESSBOOK_CODES_H

#include "lanes.h"

#define MAX_PEGS 15 /* with more pegs, a feedback number would not fit into a byte */
#define MAX_COLORS 36
#define MAX_CODES (INT64_C(1) << 24)
/* At a node of at most FEW candidates, the search scores the candidates before all other guesses. */
#define FEW 64
/* The largest number that a counter of one byte can hold. */
#define BYTE 255
/* A number below the score of every guess. */
#define LEAST_SCORE INT64_MIN

/* The tiles of `CodeGame.blacks` that contain the arrangements of one shape. */
typedef struct {
    int64_t tile;   /* index of the first tile in `blacks` and `places` */
    int64_t number; /* number of arrangements of the shape */
} Shape;

/* The tables of a code game. A tile is a block of rows of 64 bytes each; the last row of a tile is all 0. */
typedef struct {
    int32_t pegs, colors, repeats; /* number of pegs; number of symbols; 1 if symbols may repeat, else 0 */
    int32_t width;        /* largest number of different symbols in a code */
    int64_t codes;        /* number of codes */
    int64_t multisets;    /* number of multisets of symbols */
    int64_t tiles;        /* number of tiles of 64 multisets */
    int64_t shapes;       /* number of different shapes of multisets */
    int64_t longest;      /* largest number of tiles of one shape in `blacks` */
    int64_t permutations; /* number of permutations of positions to try; 1 (the identity) with more than 7 pegs */
    int64_t shared_tile;  /* bytes in a tile of `shared` */
    int64_t blacks_tile;  /* bytes in a tile of `blacks` */
    uint8_t *table;       /* [codes][pegs] symbols of each code, codes in ascending order; 8 spare bytes follow,
                             because `equal_bytes` reads 8 bytes at once */
    int32_t *set_of;      /* [codes] index of the multiset of each code */
    uint8_t *sets;        /* [multisets][pegs] symbols of each multiset, in ascending order */
    uint64_t *symbols;    /* [multisets] symbols of each multiset: bit c is 1 if symbol c occurs */
    uint64_t *having;     /* [tiles][colors] a bit for each multiset of the tile: 1 if it contains the symbol */
    int32_t *shape_of;    /* [multisets] index of the shape of each multiset */
    Shape *shape;         /* [shapes] the tiles of each shape */
    int32_t *numbers;     /* [2^(pegs - 1)] for each `shape_key`, the index of its shape plus 1; 0 for unused keys */
    uint8_t *blacks;      /* tiles of 64 arrangements, one per column: row p * width + j contains 1 if symbol j is at
                             position p, else 0; each arrangement numbers its different symbols 0, 1, ... */
    uint8_t *places;      /* [64 * tiles of `blacks`][pegs] symbol of each arrangement at each position, numbered as
                             in `blacks` */
    uint8_t *shared;      /* tiles of 64 multisets, one per column: row c * most + j - 1 contains min(j, number of
                             symbols c in the multiset); most is 1 without repeats, else the number of pegs */
    int32_t *rows;        /* [multisets][width] for each different symbol of a multiset, the offset of its row in a
                             tile of `shared`, in bytes; unused entries point to the row of zeros */
} CodeGame;

/* A one-step policy.
 *
 * Either each further candidate adds at least as much to the cost of its cell as the one before, or all nonempty
 * cells cost the same.
 */
typedef struct {
    const int64_t *costs;  /* [most + 1] cost of a cell of 0, 1, ... candidates */
    const int64_t *splits; /* [min(most, 255) + 1][columns] row n, column k: best score of n candidates in k cells */
    const double *spreads; /* [2 * STEPS + 1][pegs + 1] log2(Z_t(r)) by r and t: see blacks.c; unused if unit is 0 */
    int64_t most;          /* largest number of candidates of a node */
    int64_t columns;       /* number of columns of `splits`: the number of feedbacks plus 1 */
    int64_t credit;        /* bonus in the score of a guess that is a candidate */
    int64_t unit;          /* cost of one bit of entropy; 0 if the costs do not measure entropy */
    int64_t additive;      /* 1 if a guess costs the sum of the costs of its cells, 0 if it costs the largest of them */
} Policy;

/* The game, the policy and the stop flag of a search. */
typedef struct {
    const CodeGame *game;
    const Policy *policy;
    const int32_t *stop; /* a nonzero value ends the search without a result; may be NULL */
} Search;

INLINE bool is_stopped(const int32_t *stop)
{
    return stop != NULL && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

/* Return codes: success; memory is short; a buffer of the caller is too small; the stop flag is set. */
#define OK 0
#define NO_MEMORY (-1)
#define NO_ROOM (-2)
#define STOPPED (-3)

#endif
