/* Lower bounds for the cells of several guesses at once, for sets with three guesses left.
 *
 * The blocks of guesses (`Problem.rows`) of a word game do not fit into the caches of the processor. So the cells
 * whose bounds may still be raised, the pieces, are collected first. Then each block is read once for all pieces.
 *
 * Only problems without weights have blocks, and their cost is a number of missed candidates (`Problem.missed`).
 */
#include "sets.h"

static void sort_set(const Solver *solver, const Set *set, int64_t guess, int64_t after);

/* Append to `space->pieces` the cells of a guess that have at least FEW_CELLS candidates and a known bound that may
 * still be raised. Return the new number of pieces.
 *
 * `guess` is a column of `set->here`, and `owner` is its index in the batch, below BATCH. `count` is the number of
 * pieces before the call. space->totals[owner] receives the sum of the known bounds of the guess's cells. The pieces
 * point to row `owner` of `space->members`, which the next batch overwrites. Two guesses must be left after the guess.
 */
static int64_t add_pieces(const Solver *solver, const Set *set, int64_t guess, int64_t owner,
                          int64_t count)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t first = set->depth * problem->answers, total = 0;
    uint32_t *members = space->members + owner * problem->secrets;
    sort_set(solver, set, guess, 2);
    memcpy(members, space->stack + set->top, (size_t)set->n * sizeof *members);
    for (int64_t f = first; f < first + problem->answers - 1; f++) {
        int64_t n = space->sizes[f], bound = problem->bounds[2 * (problem->secrets + 1) + n];
        uint64_t key = space->keys[f] ^ key_of_left(2);
        int64_t known = n > 2 ? probe(solver->table, key) : 1;
        bound = largest(bound, known >> 2);
        total += bound;
        if (n >= FEW_CELLS && !(known & 3))
            space->pieces[count++] =
                (Piece){key, members + (space->starts[f] - set->top), n, 0, bound, -1, owner, false};
    }
    space->totals[owner] = total;
    return count;
}

/* Raise the lower bound of a piece by reading only the first block of 64 guesses, and add the growth to the total of
 * its guess.
 *
 * `piece->gain` receives an estimate of how much the other blocks may raise the bound, or stays -1. The product of n
 * and 2^RANK_BITS fits into 64 bits, because n is at most 2^22.
 */
static void begin_piece(const Solver *solver, Piece *piece)
{
    const Problem *problem = solver->problem;
    int64_t found = most_cells(problem, piece->members, piece->n, 0, 0, 1), blocks = 0;
    int64_t peak = problem->blocks > 1 ? largest(problem->peaks[1], found) : found;
    int64_t bound = largest(piece->bound, piece->n - peak);
    solver->space->totals[piece->owner] += bound - piece->bound;
    piece->bound = bound;
    /* Only guesses that may have more than `most` cells need an exact count of their cells. With a margin of 1/6, few
     * guesses of the other blocks need this count. */
    piece->most = found + found / 6;
    while (blocks < problem->blocks && problem->peaks[blocks] > piece->most)
        blocks++;
    int64_t more = piece->n - piece->most - bound;
    if (more > 0)
        piece->gain = (more << RANK_BITS) / (piece->n * (blocks + 1));
}

/* Choose pieces of one guess by descending `gain`, until they may raise the bound of the guess above `limit`.
 *
 * `owner` is the index of the guess in the batch. `count` is the number of pieces of all guesses. Returns whether any
 * piece was chosen. A piece is chosen only once: its `gain` becomes -1.
 */
static bool choose_pieces(SetSpace *space, int64_t owner, int64_t count, int64_t limit)
{
    int64_t total = space->totals[owner];
    bool any = false;
    while (total <= limit) {
        Piece *best = NULL;
        for (Piece *piece = space->pieces; piece < space->pieces + count; piece++)
            if (piece->owner == owner && piece->gain > (best ? best->gain : -1))
                best = piece;
        if (best == NULL)
            break;
        best->gain = -1;
        best->chosen = any = true;
        total += best->n - best->most - best->bound;
    }
    return any;
}

/* Compute the final lower bounds of the chosen pieces, and store them in the transposition table.
 *
 * `begin_piece` has read the first block of guesses. This function reads all other blocks that may matter. It stores
 * nothing if the stop flag is set.
 */
static void bound_pieces(const Solver *solver, int64_t count)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    bool open = true;
    for (int64_t b = 1; b < problem->blocks && open && !is_stopped(solver->stop); b++) {
        open = false;
        for (Piece *piece = space->pieces; piece < space->pieces + count; piece++) {
            if (!piece->chosen || problem->peaks[b] <= piece->most)
                continue;
            open = true;
            piece->most = most_cells(problem, piece->members, piece->n, piece->most, b, b + 1);
        }
    }
    for (Piece *piece = space->pieces; piece < space->pieces + count; piece++) {
        if (!piece->chosen || is_stopped(solver->stop))
            continue;
        int64_t bound = largest(piece->bound, piece->n - piece->most);
        space->totals[piece->owner] += bound - piece->bound;
        piece->bound = bound;
        piece->chosen = false;
        store(solver->table, piece->key, 4 * bound + 2);
    }
}

/* Compute bounds for cells of `count` guesses (at most BATCH), and store them in the transposition table.
 *
 * `guesses` are columns of `set->here`. A guess is finished if its bound is above `limit`, or if no other cell is
 * expected to raise this bound. The problem must have blocks of guesses, and three guesses must be left for the set.
 * The call overwrites the row of the set as `sort_set` does, and the buffers for one batch.
 */
static void bound_cells(const Solver *solver, const Set *set, const uint32_t *guesses,
                        int64_t count, int64_t limit)
{
    SetSpace *space = solver->space;
    int64_t pieces = 0;
    for (int64_t k = 0; k < count; k++)
        pieces = add_pieces(solver, set, guesses[k], k, pieces);
    for (Piece *piece = space->pieces; piece < space->pieces + pieces; piece++)
        if (space->totals[piece->owner] <= limit)
            begin_piece(solver, piece);
    for (bool any = true; any && !is_stopped(solver->stop);) {
        any = false;
        for (int64_t k = 0; k < count; k++)
            any |= choose_pieces(space, k, pieces, limit);
        bound_pieces(solver, pieces);
    }
}
