/* Building the tables of a code game. Any number of threads may read the finished tables. */
#include "codes.h"

#define MAX_PERMUTED 7 /* with more than 7 positions, permutations cost more time than they save */

/* Return the number of ways to choose k of n items. n is at most 50 and k at most 15, so no product overflows. */
static int64_t binomial(int n, int k)
{
    int64_t ways = 1;
    for (int i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

/* Return the number of codes of a game, or MAX_CODES + 1 if there are more than MAX_CODES. */
static int64_t code_count(int pegs, int colors, int repeats)
{
    int64_t codes = 1;
    for (int p = 0; p < pegs; p++) {
        codes *= repeats ? colors : colors - p;
        if (codes > MAX_CODES)
            return MAX_CODES + 1;
    }
    return codes;
}

/* Return the index of a code in the list of all codes in ascending order. `code` [pegs] contains its symbols. */
static uint32_t index_of(const CodeGame *game, const uint8_t *code)
{
    int64_t index = 0;
    for (int p = 0; p < game->pegs; p++) {
        int lower = 0;
        for (int q = 0; q < p && !game->repeats; q++)
            lower += code[q] < code[p];
        index = index * (game->repeats ? game->colors : game->colors - p) + code[p] - lower;
    }
    return (uint32_t)index;
}

/* List the multisets of symbols in ascending order: fill `sets`, `symbols` and `having`. */
static void list_sets(CodeGame *game)
{
    int pegs = game->pegs, step = !game->repeats;
    uint8_t *set = game->sets;
    for (int p = 0; p < pegs; p++)
        set[p] = (uint8_t)(p * step);
    for (int64_t m = 0; m < game->multisets; m++, set += pegs) {
        for (int p = 0; p < pegs; p++) {
            game->symbols[m] |= UINT64_C(1) << set[p];
            game->having[m / LANES * game->colors + set[p]] |= UINT64_C(1) << m % LANES;
        }
        if (m + 1 == game->multisets)
            break;
        int p = pegs - 1;
        while (set[p] == game->colors - 1 - (pegs - 1 - p) * step)
            p--;
        memcpy(set + pegs, set, (size_t)p);
        for (int q = p; q < pegs; q++)
            set[pegs + q] = (uint8_t)(set[p] + 1 + (q - p) * step);
    }
}

/* Rearrange symbols into the next arrangement in ascending order. Return false if there is no next one. */
static bool next_arrangement(uint8_t *symbols, int length)
{
    int i = length - 2, j = length - 1;
    while (i >= 0 && symbols[i] >= symbols[i + 1])
        i--;
    if (i < 0)
        return false;
    while (symbols[j] <= symbols[i])
        j--;
    uint8_t kept = symbols[i];
    symbols[i] = symbols[j];
    symbols[j] = kept;
    for (int a = i + 1, b = length - 1; a < b; a++, b--) {
        kept = symbols[a];
        symbols[a] = symbols[b];
        symbols[b] = kept;
    }
    return true;
}

/* List all codes of the game, by listing the arrangements of each multiset: fill `table` and `set_of`. */
static void list_codes(CodeGame *game)
{
    int pegs = game->pegs;
    uint8_t code[MAX_PEGS];
    for (int64_t m = 0; m < game->multisets; m++) {
        memcpy(code, game->sets + m * pegs, (size_t)pegs);
        do {
            int64_t index = index_of(game, code);
            game->set_of[index] = (int32_t)m;
            memcpy(game->table + index * pegs, code, (size_t)pegs);
        } while (next_arrangement(code, pegs));
    }
}

/* Return a number for the shape of a multiset. Different shapes have different numbers.
 *
 * `set` contains the symbols of the multiset in ascending order. The different symbols are numbered 0, 1, ...;
 * `numbered` [pegs] receives the number of the symbol of each peg.
 */
static int shape_key(const uint8_t *set, int pegs, uint8_t *numbered)
{
    int key = 0, number = 0;
    for (int p = 0; p < pegs; p++) {
        if (p > 0 && set[p] != set[p - 1]) {
            key |= 1 << (p - 1);
            number++;
        }
        numbered[p] = (uint8_t)number;
    }
    return key;
}

/* List the different shapes of multisets: fill `shape`, `shape_of` and `numbers`, and set `shapes` and `longest`.
 *
 * Returns the number of blocks of 64 arrangements that all shapes need in `blacks`.
 */
static int64_t list_shapes(CodeGame *game)
{
    int pegs = game->pegs;
    int64_t tiles = 0;
    uint8_t numbered[MAX_PEGS];
    for (int64_t m = 0; m < game->multisets; m++) {
        int32_t *known = &game->numbers[shape_key(game->sets + m * pegs, pegs, numbered)];
        if (*known == 0) {
            int64_t number = 1, times = 1;
            for (int p = 1; p < pegs; p++) { /* the multinomial coefficient, one factor after the other */
                times = numbered[p] == numbered[p - 1] ? times + 1 : 1;
                number = number * (p + 1) / times;
            }
            game->shape[game->shapes++] = (Shape){tiles, number};
            *known = (int32_t)game->shapes;
            int64_t own = (number + LANES - 1) / LANES;
            game->longest = own > game->longest ? own : game->longest;
            tiles += own;
        }
        game->shape_of[m] = *known - 1;
    }
    return tiles;
}

/* List the arrangements of each shape: fill `blacks` and `places`. */
static void list_arrangements(CodeGame *game)
{
    int pegs = game->pegs, width = game->width;
    int64_t done = 0;
    uint8_t now[MAX_PEGS];
    for (int64_t m = 0; m < game->multisets && done < game->shapes; m++) {
        if (game->shape_of[m] != done)
            continue;
        Shape shape = game->shape[done++];
        shape_key(game->sets + m * pegs, pegs, now);
        int64_t k = shape.tile * LANES;
        do {
            uint8_t *rows = game->blacks + k / LANES * game->blacks_tile + k % LANES;
            for (int p = 0; p < pegs; p++)
                rows[(p * width + now[p]) * LANES] = 1;
            memcpy(game->places + k++ * pegs, now, (size_t)pegs);
        } while (next_arrangement(now, pegs));
    }
}

/* Fill the tables `shared` and `rows`. They yield the total (black plus white pegs) of any two multisets.
 *
 * For each multiset, `rows` selects some rows of a block of 64 multisets in `shared`. The sum of these rows contains
 * the totals of this multiset with the 64 multisets of the block.
 */
static void list_shared(CodeGame *game)
{
    int pegs = game->pegs, most = game->repeats ? pegs : 1;
    for (int64_t m = 0; m < game->multisets; m++) {
        const uint8_t *set = game->sets + m * pegs;
        uint8_t *tile = game->shared + m / LANES * game->shared_tile + m % LANES;
        int32_t *rows = game->rows + m * game->width;
        int kinds = 0;
        for (int p = 0, end; p < pegs; p = end) {
            for (end = p + 1; end < pegs && set[end] == set[p];)
                end++;
            int times = end - p;
            for (int j = 1; j <= most; j++)
                tile[(set[p] * most + j - 1) * LANES] = (uint8_t)(times < j ? times : j);
            rows[kinds++] = (set[p] * most + times - 1) * LANES;
        }
        while (kinds < game->width) /* unused entries point to the row of zeros */
            rows[kinds++] = game->colors * most * LANES;
    }
}

/* Make the tables of a code game. The caller frees them by `memory_free`.
 *
 * Returns NULL if the game exceeds the limits in codes.h or has no codes, or if memory is short.
 */
static CodeGame *codes_new(int32_t pegs, int32_t colors, int32_t repeats)
{
    if (pegs < 1 || pegs > MAX_PEGS || colors < 1 || colors > MAX_COLORS ||
        (!repeats && pegs > colors) || code_count(pegs, colors, repeats) > MAX_CODES)
        return NULL;
    CodeGame *game = make_owner(sizeof *game);
    if (game == NULL)
        return NULL;
    int64_t width = pegs < colors ? pegs : colors;
    int64_t sets = repeats ? binomial(colors + pegs - 1, pegs) : binomial(colors, pegs);
    game->pegs = pegs, game->colors = colors, game->repeats = repeats != 0;
    game->width = (int32_t)width;
    game->codes = code_count(pegs, colors, repeats);
    game->multisets = sets;
    game->tiles = (sets + LANES - 1) / LANES;
    game->permutations = 1;
    for (int p = 2; p <= pegs && pegs <= MAX_PERMUTED; p++)
        game->permutations *= p;
    game->shared_tile = (colors * (repeats ? pegs : 1) + 1) * LANES;
    game->blacks_tile = (pegs * width + 1) * LANES;
    game->table = take(game, game->codes * pegs + 8, 1);
    game->set_of = take(game, game->codes, sizeof(int32_t));
    game->sets = take(game, sets * pegs, 1);
    game->symbols = take(game, sets, sizeof(uint64_t));
    game->having = take(game, game->tiles * colors, sizeof(uint64_t));
    game->shape_of = take(game, sets, sizeof(int32_t));
    game->shape = take(game, INT64_C(1) << (pegs - 1), sizeof(Shape));
    game->numbers = take(game, INT64_C(1) << (pegs - 1), sizeof(int32_t));
    game->shared = take(game, game->tiles, (size_t)game->shared_tile);
    game->rows = take(game, sets * width, sizeof(int32_t));
    game = complete(game);
    if (game == NULL)
        return NULL;
    list_sets(game);
    int64_t tiles = list_shapes(game);
    game->blacks = take(game, tiles, (size_t)game->blacks_tile);
    game->places = take(game, tiles * LANES, (size_t)pegs);
    game = complete(game);
    if (game == NULL)
        return NULL;
    list_codes(game);
    list_arrangements(game);
    list_shared(game);
    return game;
}
