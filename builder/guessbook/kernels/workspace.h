/* The memory of one thread that searches one code game: see workspace.c. */
#ifndef GUESSBOOK_WORKSPACE_H
#define GUESSBOOK_WORKSPACE_H

#include "codes.h"

/* The symmetries of a history, and the sets of symbols (bits) that matter for them. */
typedef struct {
    int8_t *elements; /* [count][pegs + colors], see `find_stabilizer`; room for all permutations */
    int64_t count;          /* number of symmetries; 0 or 1: only the identity */
    uint64_t held;          /* the symbols that some candidate has */
    uint64_t used;          /* the symbols in the guesses of the history */
    /* [colors] the symbols that must stand before each symbol; all bits set: it is never guessed. */
    uint64_t required[MAX_COLORS];
} Symmetry;

/* A multiset that may contain the best guess, and the candidates by the pegs they share with it. */
typedef struct {
    int32_t size[MAX_PEGS + 1]; /* number of candidates that share 0, 1, ... pegs with it */
    int32_t set;                /* its row in `CodeGame.sets` */
} Promising;

typedef struct {
    /* The node: its candidates in the form for the search. */
    int64_t n;       /* the number of candidates */
    int64_t room;    /* the number of candidates that fit */
    int32_t *digits; /* [room][pegs] position * colors + symbol */
    int32_t *home;   /* [room] the multiset of each candidate */
    Symmetry symmetry;
    /* The best guess, and a guess to compare with it. */
    uint8_t guess[MAX_PEGS], code[MAX_PEGS];
    /* The candidates by their total with a multiset. */
    uint8_t kinds[MAX_PEGS];     /* the different symbols of the multiset */
    int64_t size[MAX_PEGS + 1];  /* number of candidates of each total */
    int64_t start[MAX_PEGS + 2]; /* the first candidate of each total, in `places` */
    int32_t *slot;               /* [pegs * colors] the row of a symbol at a position */
    int32_t *places;             /* [room][pegs] the first row of each symbol of a candidate */
    uint8_t *counts;             /* [cells][64] the number of candidates of each cell, up to 255 candidates */
    uint32_t *sums;              /* [cells][64] these counts for more than 255 candidates */
    uint8_t caps[MAX_PEGS + 1];  /* the most cells of candidates of each total */
    uint8_t *shares;             /* [64 * tiles] the total of a multiset with each other */
    /* Multisets. */
    uint64_t *fitting;    /* [tiles] the multisets worth guessing, as bits */
    uint8_t *cells;       /* [64 * tiles] the most cells an arrangement splits into */
    Promising *promising; /* [multisets] the multisets that may win */
    int64_t *limits;      /* [multisets] the upper bound of each of these */
    int32_t *turns;       /* [multisets] some multisets, in order */
    int32_t *often;       /* [multisets] 0 before and after */
    /* Arrangements that may win by their blacks. */
    int32_t *there;   /* [pegs][colors] the number of candidates with a symbol at a position */
    int32_t *weights; /* [pegs][width] these counts for the symbols of a multiset */
    uint8_t *chosen;  /* tiles as in `CodeGame.blacks` */
    int32_t *picked;  /* the numbers of these arrangements */
    /* Few candidates as guesses, and the partition of a node. */
    int32_t tally[256];  /* all 0 before and after each use */
    uint8_t *answers;    /* [room] */
    uint32_t *spare;     /* [room] */
} Workspace;

#endif
