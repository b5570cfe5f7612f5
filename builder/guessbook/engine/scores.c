/* Scores of the arrangements of a multiset of symbols, 64 guesses side by side. */
#include "workspace.h"

/* Load the candidates of a node into the working memory; `workspace_fit` must have made room for them.
 *
 * Args:
 *     candidates: [n] the indices of the candidates.
 *     used: the symbols in the guesses of the history: bit c for symbol c.
 */
static void load_candidates(const CodeGame *game, Workspace *space, const uint32_t *candidates,
                            int64_t n, uint64_t used)
{
    int pegs = game->pegs;
    uint64_t held = 0;
    for (int64_t s = 0; s < n; s++) {
        int64_t code = candidates[s];
        int32_t home = game->set_of[code];
        space->home[s] = home;
        held |= game->symbols[home];
        for (int p = 0; p < pegs; p++)
            space->digits[s * pegs + p] = p * game->colors + game->table[code * pegs + p];
    }
    space->n = n;
    space->symmetry.held = held;
    space->symmetry.used = used;
    space->symmetry.count = 0;
}

/* Prepare n calls of `total_with` for multiset m. If n is above FEW, compute all totals: fill `space->shares`. */
static void share(const CodeGame *game, Workspace *space, int64_t m, int64_t n)
{
    for (int64_t tile = 0; n > FEW && tile < game->tiles; tile++)
        sum_rows(game->shared + tile * game->shared_tile, game->rows + m * game->width, game->width,
                 space->shares + tile * LANES);
}

/* Return the total (black plus white pegs) of multisets m and `other`.
 *
 * m and n must be the arguments of the last call of `share`. `width` is `CodeGame.width`.
 */
INLINE uint8_t total_with(const CodeGame *game, const Workspace *space, int64_t m, int64_t n,
                          int64_t other, int width)
{
    if (n > FEW)
        return space->shares[other];
    const uint8_t *tile = game->shared + other / LANES * game->shared_tile + other % LANES;
    const int32_t *rows = game->rows + m * width;
    uint8_t total = 0;
    for (int g = 0; g < width; g++)
        total = (uint8_t)(total + tile[rows[g]]);
    return total;
}

/* Fill `space->slot` for multiset m, with the offset of a row for each symbol at each position. Also fill
 * `space->kinds` with the different symbols.
 *
 * The row belongs to a block of 64 arrangements in `CodeGame.blacks`. It shows which of these arrangements have the
 * symbol at the position.
 */
static void place_symbols(const CodeGame *game, Workspace *space, int64_t m)
{
    int pegs = game->pegs, colors = game->colors, j = -1;
    const uint8_t *set = game->sets + m * pegs;
    for (int k = 0; k < pegs * colors; k++)
        space->slot[k] = pegs * game->width * LANES; /* row of zeros, for symbols that the multiset lacks */
    for (int p = 0; p < pegs; p++) {
        if (p > 0 && set[p] == set[p - 1])
            continue;
        space->kinds[++j] = set[p];
        for (int q = 0; q < pegs; q++)
            space->slot[q * colors + set[p]] = (q * game->width + j) * LANES;
    }
}

/* Fill `space->places`, sorted by total: write the rows of each candidate of total t to index at[t], and raise it.
 *
 * Before the call, at[t] is `space->start[t]`. `place_symbols` and `share` must have prepared multiset m; `pegs` and
 * `width` are those of the game.
 */
INLINE void place_candidates(const CodeGame *game, Workspace *space, int64_t m, int pegs, int width,
                             int64_t *at)
{
    const int32_t *slot = space->slot;
    for (int64_t s = 0; s < space->n; s++) {
        int t = total_with(game, space, m, space->n, space->home[s], width);
        int32_t *places = space->places + at[t]++ * pegs;
        const int32_t *digits = space->digits + s * pegs;
        for (int p = 0; p < pegs; p++)
            places[p] = slot[digits[p]];
    }
}

/* Sort the candidates by their total (black plus white pegs) with multiset m.
 *
 * Fills `size`, `start` and `places` of `space`. `known` contains the number of candidates with a total of 0, 1,
 * ... pegs. If `known` is NULL, the function counts these candidates. Returns an upper bound of the score of an
 * arrangement. The bound is valid only for at most 255 candidates.
 */
static int64_t sort_by_total(const Search *search, Workspace *space, int64_t m, const int32_t *known)
{
    const CodeGame *game = search->game;
    int pegs = game->pegs;
    int64_t limit = 0, at[MAX_PEGS + 1], end = 0;
    place_symbols(game, space, m);
    share(game, space, m, space->n);
    for (int t = 0; t <= pegs; t++)
        space->size[t] = known == NULL ? 0 : known[t];
    for (int64_t s = 0; known == NULL && s < space->n; s++)
        space->size[total_with(game, space, m, space->n, space->home[s], game->width)]++;
    for (int t = 0; t <= pegs; t++) {
        space->start[t] = at[t] = end;
        end += space->size[t];
        if (space->n <= BYTE) {
            int64_t score = best_split(search->policy, space->size[t], space->caps[t]);
            limit = search->policy->additive ? limit + score : limit < score ? limit : score;
        }
    }
    space->start[pegs + 1] = end;
    switch (game->width == pegs ? pegs : 0) { /* constant numbers of pegs, so that compilers unroll the loops */
    case 4: place_candidates(game, space, m, 4, 4, at); break;
    case 5: place_candidates(game, space, m, 5, 5, at); break;
    case 6: place_candidates(game, space, m, 6, 6, at); break;
    case 7: place_candidates(game, space, m, 7, 7, at); break;
    default: place_candidates(game, space, m, pegs, game->width, at);
    }
    return limit + (space->n > FEW ? search->policy->credit : 0);
}

/* Return the number of rows that `count_tile` fills. A row contains the size of one cell for each of 64 guesses. */
static int cells_of(const CodeGame *game, const Workspace *space)
{
    int cells = 0;
    for (int t = 1; t <= game->pegs; t++)
        cells += space->size[t] > 0 ? t + 1 : 0;
    return cells;
}

/* Count the candidates in each cell of 64 arrangements. `rows` is a block of `CodeGame.blacks` or `space->chosen`.
 *
 * With at most 255 candidates, `space->counts` receives the counts; with more, `space->sums` receives them. For each
 * total t > 0 (black plus white pegs) that occurs, there are t + 1 rows: one for each number of black pegs from 0 to t.
 */
static void count_tile(const CodeGame *game, Workspace *space, const uint8_t *rows)
{
    Sums sums = {rows, space->places, game->pegs};
    int64_t at = 0;
    for (int t = 1; t <= game->pegs; t++) {
        int64_t begin = space->start[t], end = space->start[t + 1];
        if (begin == end)
            continue;
        if (space->n <= BYTE) {
            count_sums(&sums, begin, end, t, space->counts + at);
        } else {
            memset(space->sums + at, 0, (size_t)(t + 1) * LANES * sizeof(uint32_t));
            add_sums(&sums, begin, end, t, 1, space->sums + at);
        }
        at += (t + 1) * LANES;
    }
}

/* Return the score of arrangement `lane` (0 to 63) of a block.
 *
 * `count_tile` must have counted the cells of this block; `cells` is the number of rows that it has filled. `solves`
 * receives whether the arrangement is a candidate.
 */
static int64_t score_of(const Search *search, const Workspace *space, int lane, int cells,
                        bool *solves)
{
    const int64_t *costs = search->policy->costs;
    int64_t total = costs[space->size[0]];
    /* If a candidate has the symbols of the guess, in any order, the feedback of the last cell is `pegs` black pegs.
     * Only the guess itself can be in this cell. */
    int64_t last = 0;
    for (int k = 0; k < cells; k++) {
        int64_t at = (int64_t)k * LANES + lane;
        last = space->n <= BYTE ? space->counts[at] : space->sums[at];
        int64_t cost = costs[last];
        total = search->policy->additive ? total + cost : total > cost ? total : cost;
    }
    *solves = space->size[search->game->pegs] > 0 && last > 0;
    return -total + (*solves ? search->policy->credit : 0);
}

/* Return whether the code `space->code` is lower than the code `space->guess`. */
static bool is_before(const CodeGame *game, const Workspace *space)
{
    return memcmp(space->code, space->guess, (size_t)game->pegs) < 0;
}
