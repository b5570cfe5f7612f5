/* Symmetry of code games: if symmetries of a history map guesses to each other, only one of them is scored.
 *
 * A symmetry permutes positions and symbols. The symmetries that fix each guess of a history form its
 * stabilizer, and they map the set of candidates to itself. (Published by Knuth in 1976.)
 *
 * A permutation of positions determines the images of the guessed symbols. The symbols that occur in no candidate are
 * interchangeable; so are the symbols that occur in candidates but in no guess. A guess is scored only if it uses the
 * symbols of each of these two groups in ascending order, from the lowest on.
 */
#include "workspace.h"

/* Find the stabilizer of a history: the permutations of positions and symbols that fix every guess.
 *
 * Args:
 *     path: [depth] the guesses of the history.
 *     symmetry: `count` receives the number of symmetries, and `elements` the symmetries, the identity first.
 *         A symmetry has pegs + colors bytes. Byte p is the position from which a symbol moves to position p. Byte
 *         pegs + c is the image of symbol c, or -1 if no guess contains c.
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

/* Compute the field `required` of a `Symmetry` from its fields `held` and `used`.
 *
 * Symbols that occur in no candidate are interchangeable; so are symbols that occur in candidates but in no guess of
 * the history. A guess is scored only if, for each of its symbols, all lower symbols that are interchangeable with this
 * symbol occur earlier in the guess. `required` receives these lower symbols for each symbol.
 */
static void require_order(const CodeGame *game, Symmetry *symmetry)
{
    uint64_t held = symmetry->held, used = symmetry->used;
    for (int c = 0; c < game->colors; c++) {
        uint64_t below = (UINT64_C(1) << c) - 1, lower = 0;
        if (!(held >> c & 1)) {
            lower = ~held & below;
            /* c and the symbols of `lower` occur in no candidate. Guesses that may repeat symbols need only the lowest
             * of these symbols, so c is never guessed. */
            if (lower != 0 && game->repeats)
                lower = ~UINT64_C(0);
        } else if (!(used >> c & 1)) {
            lower = held & ~used & below;
        }
        symmetry->required[c] = lower;
    }
}

/* Return whether a code must be scored.
 *
 * It must be scored if no symmetry maps it to a lower code, and if, for each of its symbols, all lower symbols that are
 * interchangeable with this symbol occur earlier in the code.
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
            } else if (becomes < 0) { /* of all symbols interchangeable with c, take the lowest free one */
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
