/* The working memory of one thread that searches one code game: see workspace.c. */
#ifndef GUESSBOOK_WORKSPACE_H
#define GUESSBOOK_WORKSPACE_H

#include "codes.h"

/* The symmetries of a history, and the symbols on which they depend. In a uint64_t, bit c stands for symbol c. */
typedef struct {
    int8_t *elements; /* [count][pegs + colors] symmetries: see `find_stabilizer`; has room for all permutations */
    int64_t count;          /* number of symmetries, with the identity; 0 if no symmetries were searched */
    uint64_t held;          /* bit c is 1 if symbol c occurs in a candidate */
    uint64_t used;          /* bit c is 1 if symbol c occurs in a guess of the history */
    /* [colors] for symbol c, the symbols that must come before c in a guess; all bits are 1 if c is never guessed */
    uint64_t required[MAX_COLORS];
} Symmetry;

/* A multiset of symbols; one of its arrangements may be the best guess. All its arrangements have the same number of
 * black plus white pegs with a given candidate. */
typedef struct {
    int32_t size[MAX_PEGS + 1]; /* number of candidates with 0, 1, ... black plus white pegs */
    int32_t set;                /* index of the multiset in `CodeGame.sets` */
} Promising;

typedef struct {
    /* These fields describe the candidates of the node. */
    int64_t n;       /* number of candidates */
    int64_t room;    /* capacity in candidates */
    int32_t *digits; /* [room][pegs] position * colors + symbol, for each peg of a candidate */
    int32_t *home;   /* [room] index of the multiset of each candidate */
    Symmetry symmetry;
    /* `guess` is the best guess so far, `code` is a code to compare with it. */
    uint8_t guess[MAX_PEGS], code[MAX_PEGS];
    /* These fields describe the multiset of symbols whose arrangements are scored as guesses. */
    uint8_t kinds[MAX_PEGS];     /* different symbols of the scored multiset */
    int64_t size[MAX_PEGS + 1];  /* number of candidates with 0, 1, ... black plus white pegs in their feedback */
    int64_t start[MAX_PEGS + 2]; /* start[t] is the index in `places` of the first candidate with t black plus white
                                    pegs */
    int32_t *slot;               /* [pegs * colors] for each position and symbol, the offset in bytes of a row in a
                                    block of `CodeGame.blacks` */
    int32_t *places;             /* [room][pegs] for each peg of a candidate, an entry of `slot`; in bounds.c, an entry
                                    of `CodeGame.rows` */
    uint8_t *counts;             /* [cells][64] sizes of the cells of 64 guesses; used for at most 255 candidates */
    uint32_t *sums;              /* [cells][64] sizes of the cells of 64 guesses; used for more than 255 candidates */
    uint8_t caps[MAX_PEGS + 1];  /* caps[t]: a guess splits the candidates with t black plus white pegs into at most
                                    this number of cells */
    uint8_t *shares;             /* [64 * tiles] for each multiset, the number of black plus white pegs that the scored
                                    multiset has with it */
    /* These fields describe all multisets. */
    uint64_t *fitting;    /* [tiles] a bit for each multiset: 1 if it is worth guessing */
    uint8_t *cells;       /* [64 * tiles] for each multiset, an upper bound of the number of cells of an arrangement */
    Promising *promising; /* [multisets] multisets with an arrangement that may be the best guess */
    int64_t *limits;      /* [multisets] upper bound of the score for each entry of `promising` */
    int32_t *turns;       /* [multisets] indices of the multisets that occur among the candidates, each once */
    int32_t *often;       /* [multisets] number of candidates of each multiset; all 0 before and after use */
    /* These fields are for the chosen arrangements: those that the bound of blacks.c does not exclude. */
    int32_t *there;   /* [pegs][colors] number of candidates with each symbol at each position */
    int32_t *weights; /* [pegs][width] number of candidates with each symbol of the scored multiset at each position */
    uint8_t *chosen;  /* [longest] blocks of 64 chosen arrangements, as in `CodeGame.blacks` */
    int32_t *picked;  /* [64 * longest] index of each chosen arrangement in `CodeGame.places` */
    /* These fields are for the partition of the node by one guess. */
    int32_t tally[256];  /* number of candidates with each feedback; all 0 before and after use */
    uint8_t *answers;    /* [room] feedback number of each candidate */
    uint32_t *spare;     /* [room] copy of the candidates, used to sort them */
} Workspace;

#endif
