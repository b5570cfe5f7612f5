/* Symmetry of code games: of all guesses that the symmetries of a history map to each other, only the lowest is scored.
 *
 * A symmetry permutes positions and symbols. The symmetries that fix each guess of a history form its stabilizer. They
 * map the set of candidates to itself, so they map a guess to a guess with the same score. (Published by Knuth in
 * 1976.)
 *
 * An element of the stabilizer is stored as a permutation of positions with the images of the guessed symbols, which it
 * determines. All other symbols are in one of two groups: those that occur in no candidate, and those that occur in
 * candidates but in no guess. The symbols of a group are interchangeable, so a guess is scored only if it uses them in
 * ascending order, from the lowest on.
 *
 * Nothing here can overflow: a symbol, at most MAX_COLORS - 1, fits into an int8_t, and a set of symbols into a
 * uint64_t.
 */
#include "workspace.h"

/* Find the stabilizer of a history: the permutations of positions and symbols that fix every guess.
 *
 * Args:
 *     path: [depth] the guesses of the history, as indices of codes; the caller owns the array. `depth` may be 0.
 *     symmetry: `count` receives the number of symmetries, and `elements` the symmetries, the identity first.
 *         A symmetry has pegs + colors bytes. Byte p is the position from which a symbol moves to position p. Byte
 *         pegs + c is the image of symbol c, or -1 if no guess contains c. `elements` belongs to the workspace, and
 *         has room for `CodeGame.permutations` symmetries. With more than MAX_PERMUTED pegs, only the identity is
 *         found.
 */
static void find_stabilizer(const CodeGame *game, const uint32_t *path, int64_t depth,
                            Symmetry *symmetry)
{
    int pegs = game->pegs, colors = game->colors;
    symmetry->count = 0;
    uint8_t from[MAX_PEGS];
    for (int p = 0; p < pegs; p++)
        from[p] = (uint8_t)p;
    for (int64_t m = 0; m < game->permutations; m++, next_arrangement(from, pegs)) {
        int8_t image[MAX_COLORS], source[MAX_COLORS];
        memset(image, -1, sizeof image);
        memset(source, -1, sizeof source);
        bool fixes = true;
        for (int64_t h = 0; h < depth && fixes; h++) {
            const uint8_t *guess = game->table + (int64_t)path[h] * pegs;
            for (int p = 0; p < pegs && fixes; p++) {
                int a = guess[from[p]], b = guess[p];
                if (image[a] < 0 && source[b] < 0) {
                    image[a] = (int8_t)b;
                    source[b] = (int8_t)a;
                }
                fixes = image[a] == b;
            }
        }
        if (fixes) {
            int8_t *element = symmetry->elements + symmetry->count++ * (pegs + colors);
            memcpy(element, from, (size_t)pegs);
            memcpy(element + pegs, image, (size_t)colors);
        }
    }
}

/* Compute the field `required` of a `Symmetry` from its fields `held` and `used`, which must be set.
 *
 * For each symbol, `required` receives the lower symbols that are interchangeable with it. A guess with this symbol is
 * scored only if all of them occur earlier in the guess.
 */
static void require_order(const CodeGame *game, Symmetry *symmetry)
{
    uint64_t held = symmetry->held, used = symmetry->used;
    for (int c = 0; c < game->colors; c++) {
        uint64_t below = (UINT64_C(1) << c) - 1, lower = 0;
        if (!(held >> c & 1)) {
            lower = ~held & below;
            /* Neither c nor the symbols of `lower` occur in a candidate. If symbols may repeat, guesses need only the
             * lowest of these symbols, so c is never guessed. */
            if (lower != 0 && game->repeats)
                lower = ~UINT64_C(0);
        } else if (!(used >> c & 1)) {
            lower = held & ~used & below;
        }
        symmetry->required[c] = lower;
    }
}

/* Return whether a code must be scored: no symmetry maps it to a lower code, and each of its symbols comes after all
 * the lower symbols with which this symbol is interchangeable.
 *
 * `code` has the `pegs` symbols of the code. `require_order` must have filled `required`. With `count` 0, only the
 * order of interchangeable symbols is checked.
 */
static bool is_lowest(const CodeGame *game, const Symmetry *symmetry, const uint8_t *code)
{
    int pegs = game->pegs;
    uint64_t placed = 0;
    for (int p = 0; p < pegs; p++) {
        if (symmetry->required[code[p]] & ~placed)
            return false;
        placed |= UINT64_C(1) << code[p];
    }
    for (int64_t e = 1; e < symmetry->count; e++) {
        const int8_t *element = symmetry->elements + e * (pegs + game->colors);
        uint64_t absent = ~symmetry->held, unused = symmetry->held & ~symmetry->used, met = 0;
        int image[MAX_COLORS];
        for (int p = 0; p < pegs; p++) {
            int c = code[element[p]];
            bool is_held = symmetry->held >> c & 1;
            int becomes = is_held ? element[pegs + c] : -1;
            if (met >> c & 1) {
                becomes = image[c];
            } else if (becomes < 0) { /* the lowest image of c: the lowest free symbol of its group */
                becomes = lowest_bit(is_held ? unused : absent);
                if (is_held)
                    unused &= unused - 1;
                else if (!game->repeats)
                    absent &= absent - 1;
                image[c] = becomes;
                met |= UINT64_C(1) << c;
            }
            if (becomes < code[p])
                return false;
            if (becomes > code[p])
                break;
        }
    }
    return true;
}
