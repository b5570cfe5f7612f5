/* Symmetry of code games: of guesses that symmetries of a history map to each other, one is scored.
 *
 * A symmetry permutes positions and symbols. If it fixes each guess of a history, it maps the
 * candidates to themselves; all such symmetries are the stabilizer of the history. A permutation of
 * positions determines the images of the symbols that were guessed. All other symbols are
 * interchangeable, and have to appear in order: `require_order`. (Knuth 1976, and later programs in
 * C++.)
 */
#include "workspace.h"

/* Find the permutations of positions that, with one of the symbols, fix every guess of a history.
 *
 * Args:
 *     path: the indices of the `depth` guesses.
 *     symmetry: `elements` receives, for each permutation, the position from which each position takes its
 *         symbol, then the image of each symbol, -1 for symbols in no guess; the identity first.
 *         `count` receives their number.
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

/* Set `required` of a symmetry whose `held` and `used` are set.
 *
 * Symbols of candidates that no guess has are interchangeable: each requires all lower ones.
 * Symbols of no candidate are interchangeable, too: if symbols may repeat, only the lowest is ever
 * guessed.
 */
static void require_order(const CodeGame *game, Symmetry *symmetry)
{
    uint64_t held = symmetry->held, used = symmetry->used;
    for (int c = 0; c < game->colors; c++) {
        uint64_t below = (UINT64_C(1) << c) - 1, lower = 0;
        if (!(held >> c & 1)) {
            lower = ~held & below;
            if (lower != 0 && game->repeats)
                lower = ~UINT64_C(0);
        } else if (!(used >> c & 1)) {
            lower = held & ~used & below;
        }
        symmetry->required[c] = lower;
    }
}

/* Return whether no symmetry maps a code to a lower one.
 *
 * Each symbol must come after those that it requires. A symmetry maps interchangeable symbols to
 * the lowest of their kind, in the order in which they appear.
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
            } else if (becomes < 0) {
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
