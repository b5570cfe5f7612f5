/* The tables of a code game (Mastermind, Bulls and Cows), and a one-step policy for it.
 *
 * Words of the files for code games:
 * - multiset: the symbols of a code without their order. AAB, ABA and BAA have the same multiset.
 * - arrangement: a code made of the symbols of a multiset. The multiset of AAB has three arrangements.
 * - total: the number of black plus white pegs. All arrangements of a multiset have equal totals with a given code.
 * - shape: how often each symbol of a multiset occurs, from the lowest symbol to the highest. AABC and BBCD have the
 *   shape 2, 1, 1; ABBC has the shape 1, 2, 1.
 * - tile: a block of rows of 64 bytes. Each of the 64 columns describes a multiset or an arrangement.
 * - lane: the index of a column, 0 to 63.
 *
 * The table `shared` yields the totals of 64 multisets at once. The table `blacks` yields the numbers of black pegs of
 * 64 arrangements at once. Multisets of one shape share their rows in `blacks`.
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
/* ROUNDED times the number of candidates, in the unit of the costs, exceeds the errors of the integer logarithms in two
 * scores. Each integer logarithm is a sum of at most 24 rounded logarithms. */
#define ROUNDED 32
/* In cells of up to CONVEX candidates, each further candidate costs at least as much as the one before. In larger cells,
 * the rounding of logarithms exceeds the difference. */
#define CONVEX (INT64_C(1) << 16)
/* A number below the score of every guess. */
#define LEAST_SCORE INT64_MIN

/* The arrangements of one shape in the table `CodeGame.blacks`. */
typedef struct {
    int64_t tile;   /* index of the first block of 64 arrangements in `CodeGame.blacks`. The first arrangement has the
                       index 64 * tile in `CodeGame.places` */
    int64_t number; /* number of arrangements of each multiset with this shape: 12 for the shape 2, 1, 1 */
} Shape;

/* The tables of a code game. A tile is a block of rows of 64 bytes. The last row of a tile contains only zeros. */
typedef struct {
    int32_t pegs, colors, repeats; /* number of pegs; number of symbols; 1 if symbols may repeat, else 0 */
    int32_t width;        /* largest number of different symbols in a code */
    int64_t codes;        /* number of codes */
    int64_t multisets;    /* number of multisets of symbols */
    int64_t tiles;        /* number of blocks of 64 multisets; the last block may have fewer */
    int64_t shapes;       /* number of shapes that occur */
    int64_t longest;      /* largest number of blocks of 64 arrangements that a shape has in `blacks` */
    int64_t permutations; /* number of permutations of positions to try in `find_stabilizer`; 1 with more than 7 pegs */
    int64_t shared_tile;  /* size of a block of 64 multisets in `shared`, in bytes */
    int64_t blacks_tile;  /* size of a block of 64 arrangements in `blacks`, in bytes */
    uint8_t *table;       /* [codes][pegs] symbols of each code, codes in ascending order; 8 spare bytes follow,
                             because `equal_bytes` reads 8 bytes at once */
    int32_t *set_of;      /* [codes] index of the multiset of each code */
    uint8_t *sets;        /* [multisets][pegs] symbols of each multiset, in ascending order */
    uint64_t *symbols;    /* [multisets] symbols of each multiset: bit c is 1 if symbol c occurs */
    uint64_t *having;     /* [tiles][colors] one bit for each of 64 multisets: 1 if the multiset contains the symbol */
    int32_t *shape_of;    /* [multisets] index in `shape` of the shape of each multiset */
    Shape *shape;         /* [shapes] position and number of the arrangements of each shape in `blacks` */
    int32_t *numbers;     /* [2^(pegs - 1)] numbers[key] is the index plus 1 of the shape with this `shape_key`; 0 if no
                             multiset has the key */
    uint8_t *blacks;      /* blocks of 64 arrangements, each arrangement in its own column. Its different symbols have
                             the numbers j = 0, 1, ...; row p * width + j contains 1 if symbol j is at position p,
                             else 0 */
    uint8_t *places;      /* [64 * blocks of `blacks`][pegs] for each arrangement, the symbol at each position: 0 for
                             the lowest symbol of the arrangement, 1 for the next one, and so on */
    uint8_t *shared;      /* blocks of 64 multisets, each multiset in its own column. Row c * most + j - 1, for j from 1
                             to `most`, contains min(j, count of symbol c in the multiset). `most` is the number of
                             pegs, or 1 if symbols may not repeat */
    int32_t *rows;        /* [multisets][width] for each different symbol of a multiset, the offset in bytes of a row in
                             a block of `shared`. The sum of these rows contains the total (black plus white pegs) of
                             this multiset with each multiset of the block. Unused entries point to a row of zeros */
} CodeGame;

/* A one-step policy. The caller owns all arrays; the engine only reads them.
 *
 * The costs have one of two forms. Either each further candidate in a cell raises the cost of the cell by at least as
 * much as the previous candidate, or all nonempty cells have equal costs. In cells of more than CONVEX candidates, the
 * rounding of logarithms may break the first rule by at most ROUNDED for each candidate.
 */
typedef struct {
    const int64_t *costs;  /* [most + 1] cost of a cell of 0, 1, ... candidates */
    const int64_t *splits; /* [min(most, 255) + 1][columns] row n, column k: best score of n candidates in at most k
                              cells */
    const double *spreads; /* [2 * STEPS + 1][pegs + 1] log2(Z_t(r)) in the bound of blacks.c; a row for each r, a
                              column for each t; unused if `unit` is 0 */
    int64_t most;          /* largest number of candidates at a node */
    int64_t columns;       /* number of columns of `splits`: the number of possible feedbacks plus 1 */
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

/* Result codes: success; memory is short; a buffer of the caller is too small; the stop flag is set. */
#define OK 0
#define NO_MEMORY (-1)
#define NO_ROOM (-2)
#define STOPPED (-3)

#endif
