/* The memory of one thread that searches one code game: see workspace.c. */
#ifndef GUESSBOOK_WORKSPACE_H
#define GUESSBOOK_WORKSPACE_H

#include "codes.h"

/* The symmetries of a history, and the sets of symbols (bits) that matter for them. */
typedef struct {
    int8_t *elements; /* [count][pegs + colors], see `find_stabilizer`; room for all permutations */
    int64_t count;          /* how many there are; 0 or 1: only the identity */
    uint64_t held;          /* the symbols that some candidate has */
    uint64_t used;          /* the symbols in the guesses of the history */
    /* [colors] the symbols that must stand before each one; all bits: it may not be guessed. */
    uint64_t required[MAX_COLORS];
} Symmetry;

/* A multiset of symbols that could make a good guess: its candidates by their total with it. */
typedef struct {
    int32_t size[MAX_PEGS + 1]; /* how many candidates share 0, 1, ... pegs with it */
    int32_t set;                /* its row in `CodeGame.sets` */
} Promising;

typedef struct {
    /* The node: its candidates, as the search needs them. */
    int64_t n;       /* how many there are */
    int64_t room;    /* how many fit */
    int32_t *digits; /* [room][pegs] position * colors + symbol */
    int32_t *home;   /* [room] the multiset of each */
    Symmetry symmetry;
    /* The best guess, and one that is compared with it. */
    uint8_t guess[MAX_PEGS], code[MAX_PEGS];
    /* The candidates by their total with a multiset. */
    uint8_t kinds[MAX_PEGS];     /* the different symbols of the multiset */
    int64_t size[MAX_PEGS + 1];  /* how many candidates have each total */
    int64_t start[MAX_PEGS + 2]; /* where they begin in `places` */
    int32_t *slot;               /* [pegs * colors] the row of a symbol at a position */
    int32_t *places;             /* [room][pegs] where the rows of a candidate begin */
    uint8_t *counts;             /* [cells][64] how many candidates each cell has, of at most 255 */
    uint32_t *sums;              /* [cells][64] these counts, for any number */
    uint8_t caps[MAX_PEGS + 1];  /* the cells that the candidates of a total split into, at most */
    uint8_t *shares;             /* [64 * tiles] the total of a multiset with each other */
    /* Multisets. */
    uint64_t *fitting;    /* [tiles] those that are worth guessing, as bits */
    uint8_t *cells;       /* [64 * tiles] the most cells an arrangement splits into */
    Promising *promising; /* [multisets] those that may win */
    int64_t *limits;      /* [multisets] the best score each of them can have */
    int32_t *turns;       /* [multisets] some of them, in order */
    int32_t *often;       /* [multisets] 0 before and after */
    /* Arrangements that may win by their blacks. */
    int32_t *there;   /* [pegs][colors] how many candidates have a symbol at a position */
    int32_t *weights; /* [pegs][width] these counts for the symbols of a multiset */
    uint8_t *chosen;  /* tiles as in `CodeGame.blacks` */
    int32_t *picked;  /* which arrangements these are */
    /* Few candidates as guesses, and the partition of a node. */
    int32_t tally[256];  /* 0 before and after */
    uint8_t *answers;    /* [room] */
    uint32_t *spare;     /* [room] */
} Workspace;

#endif
