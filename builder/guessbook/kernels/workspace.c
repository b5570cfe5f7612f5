/* The working memory of one thread for the searches of one code game.
 *
 * It belongs to the thread that made it and grows with the nodes that are searched. Nothing in it
 * outlives a call.
 */
#include "workspace.h"

static void workspace_free(Workspace *space)
{
    if (space == NULL)
        return;
    void *const parts[] = {space->digits,  space->home,    space->elements, space->slot,
                           space->places,  space->counts,  space->sums,     space->shares,
                           space->fitting, space->cells,   space->promising, space->limits,
                           space->turns,   space->often,       space->there,
                           space->weights, space->chosen,  space->picked,   space->local,
                           space->local_rows, space->answers, space->spare};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(space);
}

static int64_t longest_shape(const CodeGame *game) /* in tiles */
{
    int64_t longest = 0;
    for (int64_t s = 0; s < game->shapes; s++) {
        int64_t tiles = (game->shape[s].number + LANES - 1) / LANES;
        longest = tiles > longest ? tiles : longest;
    }
    return longest;
}

/* Make the working memory of a thread; the caller frees it. Returns NULL where memory is short. */
static Workspace *workspace_new(const CodeGame *game)
{
    Workspace *space = calloc(1, sizeof *space);
    if (space == NULL)
        return NULL;
    size_t pegs = (size_t)game->pegs, colors = (size_t)game->colors, width = (size_t)game->width;
    size_t sets = (size_t)game->multisets, tiles = (size_t)game->tiles;
    size_t cells = (pegs + 1) * (pegs + 2) / 2, longest = (size_t)longest_shape(game);
    for (int t = 0; t <= MAX_PEGS; t++) /* of N pegs, N - 1 black and 1 white cannot be */
        space->caps[t] = (uint8_t)(t + 1 < game->pegs ? t + 1 : game->pegs);
    space->elements = malloc((size_t)game->permutations * (pegs + colors));
    space->slot = malloc(pegs * colors * sizeof(int32_t));
    space->counts = malloc(cells * LANES);
    space->sums = malloc(cells * LANES * sizeof(uint32_t));
    space->shares = malloc(tiles * LANES);
    space->fitting = malloc(tiles * sizeof(uint64_t));
    space->cells = malloc(tiles * LANES);
    space->promising = malloc(sets * sizeof(Promising));
    space->limits = malloc(sets * sizeof(int64_t));
    space->turns = malloc(sets * sizeof(int32_t));
    space->often = calloc(sets, sizeof(int32_t));
    space->there = malloc(pegs * colors * sizeof(int32_t));
    space->weights = malloc(pegs * width * sizeof(int32_t));
    space->chosen = malloc(longest * (size_t)game->blacks_tile);
    space->picked = malloc(longest * LANES * sizeof(int32_t));
    space->local = malloc(2 * pegs * colors * LANES);
    space->local_rows = malloc(FEW * 2 * pegs * sizeof(int32_t));
    if (space->elements && space->slot && space->counts && space->sums && space->shares &&
        space->fitting && space->cells && space->promising && space->limits && space->turns &&
        space->often && space->there && space->weights && space->chosen &&
        space->picked && space->local && space->local_rows)
        return space;
    workspace_free(space);
    return NULL;
}

/* Make room for a node of `most` candidates. Returns false where memory is short. */
static bool workspace_fit(Workspace *space, const CodeGame *game, int64_t most)
{
    if (most <= space->room)
        return true;
    int64_t room = FEW;
    while (room < most)
        room *= 2;
    size_t pegs = (size_t)game->pegs, count = (size_t)room;
    free(space->digits), free(space->home), free(space->places);
    free(space->answers), free(space->spare);
    space->digits = malloc(count * pegs * sizeof(int32_t));
    space->home = malloc(count * sizeof(int32_t));
    space->places = malloc(count * pegs * sizeof(int32_t));
    space->answers = malloc(count);
    space->spare = malloc(count * sizeof(uint32_t));
    bool made = space->digits && space->home && space->places && space->answers && space->spare;
    space->room = made ? room : 0;
    return made;
}
