/* The working memory of one thread for the searches of one code game.
 *
 * It belongs to the thread that made it and grows with the nodes that are searched. Nothing in it
 * outlives a call.
 */
#include "workspace.h"

static void workspace_free(Workspace *space)
{
    if (space != NULL) {
        release(&space->arena);
        release(&space->grown);
    }
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
    Arena *arena = &space->arena;
    int64_t pegs = game->pegs, colors = game->colors, longest = longest_shape(game);
    int64_t sets = game->multisets, tiles = game->tiles, cells = (pegs + 1) * (pegs + 2) / 2;
    for (int t = 0; t <= MAX_PEGS; t++) /* of N pegs, N - 1 black and 1 white cannot be */
        space->caps[t] = (uint8_t)(t + 1 < game->pegs ? t + 1 : game->pegs);
    space->elements = take(arena, game->permutations * (pegs + colors), 1);
    space->slot = take(arena, pegs * colors, sizeof(int32_t));
    space->counts = take(arena, cells * LANES, 1);
    space->sums = take(arena, cells * LANES, sizeof(uint32_t));
    space->shares = take(arena, tiles * LANES, 1);
    space->fitting = take(arena, tiles, sizeof(uint64_t));
    space->cells = take(arena, tiles * LANES, 1);
    space->promising = take(arena, sets, sizeof(Promising));
    space->limits = take(arena, sets, sizeof(int64_t));
    space->turns = take(arena, sets, sizeof(int32_t));
    space->often = take(arena, sets, sizeof(int32_t));
    space->there = take(arena, pegs * colors, sizeof(int32_t));
    space->weights = take(arena, pegs * game->width, sizeof(int32_t));
    space->chosen = take(arena, longest, (size_t)game->blacks_tile);
    space->picked = take(arena, longest * LANES, sizeof(int32_t));
    space->local = take(arena, 2 * pegs * colors * LANES, 1);
    space->local_rows = take(arena, FEW * 2 * pegs, sizeof(int32_t));
    if (!arena->failed)
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
    Arena *arena = &space->grown;
    release(arena);
    space->digits = take(arena, room * game->pegs, sizeof(int32_t));
    space->home = take(arena, room, sizeof(int32_t));
    space->places = take(arena, room * game->pegs, sizeof(int32_t));
    space->answers = take(arena, room, 1);
    space->spare = take(arena, room, sizeof(uint32_t));
    space->room = arena->failed ? 0 : room;
    return !arena->failed;
}
