/* The tables of a code game: made once, then only read, by any number of threads. */
#include "codes.h"

#define MAX_PERMUTED 7 /* beyond 7 positions their permutations cost more than they save */

/* Return n choose k, or a number above MAX_CODES where the true one is. */
static int64_t binomial(int n, int k)
{
    int64_t ways = 1;
    for (int i = 1; i <= k; i++) {
        ways = ways * (n - k + i) / i;
        if (ways > MAX_CODES)
            return MAX_CODES + 1;
    }
    return ways;
}

/* Return how many codes a game has, or a number above MAX_CODES where there are more. */
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

/* Fill below[p][c]: how many multisets have, after equal symbols before position p, one below c there.
 *
 * The row of a sorted multiset is the sum of below[p][set[p]] - below[p][the lowest symbol allowed].
 */
static void count_below(const CodeGame *game, int64_t below[MAX_PEGS][MAX_COLORS + 1])
{
    for (int p = 0; p < game->pegs; p++) {
        int rest = game->pegs - p - 1;
        below[p][0] = 0;
        for (int c = 0; c < game->colors; c++) {
            int others = game->repeats ? game->colors - c + rest - 1 : game->colors - c - 1;
            below[p][c + 1] = below[p][c] + binomial(others, rest);
        }
    }
}

/* Return the row of the multiset of a code. */
static int32_t set_of_code(const CodeGame *game, int64_t below[MAX_PEGS][MAX_COLORS + 1],
                           const uint8_t *code)
{
    uint8_t set[MAX_PEGS];
    int64_t row = 0;
    for (int p = 0, at; p < game->pegs; p++) {
        for (at = p; at > 0 && set[at - 1] > code[p]; at--)
            set[at] = set[at - 1];
        set[at] = code[p];
    }
    for (int p = 0, low = 0; p < game->pegs; p++) {
        row += below[p][set[p]] - below[p][low];
        low = game->repeats ? set[p] : set[p] + 1;
    }
    return (int32_t)row;
}

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

/* Write all codes that begin with the first p symbols of `code`, from row `at` on; returns the end. */
static int64_t list_codes(CodeGame *game, uint8_t *code, int p, uint64_t used, int64_t at)
{
    if (p == game->pegs) {
        memcpy(game->table + at * p, code, (size_t)p);
        return at + 1;
    }
    for (int c = 0; c < game->colors; c++) {
        code[p] = (uint8_t)c;
        if (game->repeats || !(used >> c & 1))
            at = list_codes(game, code, p + 1, used | UINT64_C(1) << c, at);
    }
    return at;
}

/* The next arrangement of some symbols, in ascending order; false after the last. */
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

/* Write a multiset with its symbols numbered 0, 1, ...; returns a number for its shape. */
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

/* Number the shapes and count their arrangements; returns how many tiles these are, or -1. */
static int64_t list_shapes(CodeGame *game)
{
    int pegs = game->pegs;
    int32_t *known = malloc((size_t)(1 << (pegs - 1)) * sizeof(int32_t));
    if (known == NULL)
        return -1;
    memset(known, -1, (size_t)(1 << (pegs - 1)) * sizeof(int32_t));
    int64_t tiles = 0;
    uint8_t numbered[MAX_PEGS];
    for (int64_t m = 0; m < game->multisets; m++) {
        int key = shape_key(game->sets + m * pegs, pegs, numbered);
        if (known[key] < 0) {
            int64_t number = 1, times = 1;
            for (int p = 1; p < pegs; p++) { /* a multinomial, one factor after the other */
                times = numbered[p] == numbered[p - 1] ? times + 1 : 1;
                number = number * (p + 1) / times;
            }
            known[key] = (int32_t)game->shapes;
            game->shape[game->shapes++] = (Shape){tiles, number};
            tiles += (number + LANES - 1) / LANES;
        }
        game->shape_of[m] = known[key];
    }
    free(known);
    return tiles;
}

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
        while (kinds < game->width) /* the row of zeros */
            rows[kinds++] = game->colors * most * LANES;
    }
}

static void list_permutations(CodeGame *game)
{
    uint8_t now[MAX_PEGS], *out = game->permuted;
    for (int p = 0; p < game->pegs; p++)
        now[p] = (uint8_t)p;
    for (int64_t k = 0; k < game->permutations; k++, out += game->pegs) {
        memcpy(out, now, (size_t)game->pegs);
        next_arrangement(now, game->pegs);
    }
}

static void codes_free(CodeGame *game)
{
    if (game != NULL)
        release(&game->arena);
    free(game);
}

/* Allocate what depends on the number of codes and multisets alone. */
static bool allocate_sets(CodeGame *game)
{
    Arena *arena = &game->arena;
    int64_t pegs = game->pegs, colors = game->colors, width = game->width;
    int64_t sets = game->multisets, tiles = game->tiles;
    game->shared_tile = (colors * (game->repeats ? pegs : 1) + 1) * LANES;
    game->blacks_tile = (pegs * width + 1) * LANES;
    game->table = take(arena, game->codes * pegs + 8, 1);
    game->set_of = take(arena, game->codes, sizeof(int32_t));
    game->sets = take(arena, sets * pegs, 1);
    game->symbols = take(arena, sets, sizeof(uint64_t));
    game->having = take(arena, tiles * colors, sizeof(uint64_t));
    game->shape_of = take(arena, sets, sizeof(int32_t));
    game->shape = take(arena, INT64_C(1) << (pegs - 1), sizeof(Shape));
    game->shared = take(arena, tiles, (size_t)game->shared_tile);
    game->rows = take(arena, sets * width, sizeof(int32_t));
    game->permuted = take(arena, game->permutations * pegs, 1);
    return !arena->failed;
}

/* Make the tables of a game. The caller frees them by `codes_free`.
 *
 * Returns NULL if the game is beyond the limits of codes.h, or memory is short.
 */
static CodeGame *codes_new(int32_t pegs, int32_t colors, int32_t repeats)
{
    if (pegs < 1 || pegs > MAX_PEGS || colors < 1 || colors > MAX_COLORS ||
        (!repeats && pegs > colors) || code_count(pegs, colors, repeats) > MAX_CODES)
        return NULL;
    CodeGame *game = calloc(1, sizeof *game);
    if (game == NULL)
        return NULL;
    game->pegs = pegs, game->colors = colors, game->repeats = repeats != 0;
    game->width = pegs < colors ? pegs : colors;
    game->codes = code_count(pegs, colors, repeats);
    game->multisets = repeats ? binomial(colors + pegs - 1, pegs) : binomial(colors, pegs);
    game->tiles = (game->multisets + LANES - 1) / LANES;
    game->permutations = 1;
    for (int p = 2; p <= pegs && pegs <= MAX_PERMUTED; p++)
        game->permutations *= p;
    int64_t tiles = -1;
    if (allocate_sets(game)) {
        list_sets(game);
        tiles = list_shapes(game);
    }
    if (tiles > 0) {
        game->blacks = take(&game->arena, tiles, (size_t)game->blacks_tile);
        game->places = take(&game->arena, tiles * LANES, (size_t)pegs);
    }
    if (tiles < 0 || game->arena.failed) {
        codes_free(game);
        return NULL;
    }
    uint8_t code[MAX_PEGS];
    int64_t below[MAX_PEGS][MAX_COLORS + 1];
    count_below(game, below);
    list_codes(game, code, 0, 0, 0);
    for (int64_t k = 0; k < game->codes; k++)
        game->set_of[k] = set_of_code(game, below, game->table + k * pegs);
    list_arrangements(game);
    list_shared(game);
    list_permutations(game);
    return game;
}
