/* The working memory of one thread for the searches of one code game.
 *
 * It grows when a larger node is searched. Its contents are valid only during one call of the engine, except that
 * `page_lowest` in page.c reads the symmetries that an earlier call has loaded.
 */
#include "workspace.h"

/* Return the working memory of a thread, or NULL if memory is short. The caller frees it by `memory_free`. */
static Workspace *workspace_new(const CodeGame *game)
{
    Workspace *space = make_owner(sizeof *space);
    if (space == NULL)
        return NULL;
    int64_t pegs = game->pegs, colors = game->colors, longest = game->longest;
    int64_t sets = game->multisets, tiles = game->tiles, cells = (pegs + 1) * (pegs + 2) / 2;
    for (int t = 0; t <= MAX_PEGS; t++) /* with N pegs, no feedback has N - 1 black pegs and 1 white peg */
        space->caps[t] = (uint8_t)(t + 1 < game->pegs ? t + 1 : game->pegs);
    space->symmetry.elements = take(space, game->permutations * (pegs + colors), 1);
    space->slot = take(space, pegs * colors, sizeof(int32_t));
    space->counts = take(space, cells * LANES, 1);
    space->sums = take(space, cells * LANES, sizeof(uint32_t));
    space->shares = take(space, tiles * LANES, 1);
    space->fitting = take(space, tiles, sizeof(uint64_t));
    space->cells = take(space, tiles * LANES, 1);
    space->promising = take(space, sets, sizeof(Promising));
    space->limits = take(space, sets, sizeof(int64_t));
    space->turns = take(space, sets, sizeof(int32_t));
    space->often = take(space, sets, sizeof(int32_t));
    space->there = take(space, pegs * colors, sizeof(int32_t));
    space->weights = take(space, pegs * game->width, sizeof(int32_t));
    space->chosen = take(space, longest, (size_t)game->blacks_tile);
    space->picked = take(space, longest * LANES, sizeof(int32_t));
    return complete(space);
}

/* Enlarge the working memory for a node of `most` candidates, if necessary. Return false if memory is short. */
static bool workspace_fit(Workspace *space, const CodeGame *game, int64_t most)
{
    if (most <= space->room)
        return true;
    int64_t room = room_for(most);
    space->digits = retake(space, space->digits, room * game->pegs, sizeof(int32_t));
    space->home = retake(space, space->home, room, sizeof(int32_t));
    space->places = retake(space, space->places, room * game->pegs, sizeof(int32_t));
    space->answers = retake(space, space->answers, room, 1);
    space->spare = retake(space, space->spare, room, sizeof(uint32_t));
    bool made = space->digits && space->home && space->places && space->answers && space->spare;
    space->room = made ? room : 0;
    return made;
}
