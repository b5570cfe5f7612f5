/* The inner loop of one_ply.c, for feedbacks of one width: included once for each LANE. */

/* See what every guess tells of a set: `seen`, the feedbacks as bits, and `parts`, how many.
 *
 * Returns the most feedbacks of a guess; stops early where that is `enough`.
 */
static int64_t OF(see)(const Solver *solver, const Set *set, int64_t enough)
{
    const Problem *problem = solver->problem;
    SetSpace *space = solver->space;
    int64_t words = words_of(problem), guesses = set->here->count, most = 0;
    for (int64_t start = 0; start < guesses; start += COLUMNS) {
        int64_t some = smallest(COLUMNS, guesses - start);
        uint32_t *restrict parts = space->parts + set->depth * problem->guesses + start;
        memset(parts, 0, (size_t)some * sizeof *parts);
        for (int64_t w = 0; w < words; w++) {
            uint64_t *restrict seen =
                space->seen + (set->depth * words + w) * problem->guesses + start;
            memset(seen, 0, (size_t)some * sizeof *seen);
            for (int64_t i = set->low; i < set->low + set->n; i++) {
                const LANE *restrict row =
                    (const LANE *)set->here->table + space->stack[i] * guesses + start;
                if (words == 1) {
                    for (int64_t k = 0; k < some; k++)
                        seen[k] |= UINT64_C(1) << row[k];
                } else {
                    for (int64_t k = 0; k < some; k++)
                        seen[k] |= (uint64_t)(row[k] >> 6 == w) << (row[k] & 63);
                }
            }
            for (int64_t k = 0; k < some; k++)
                parts[k] += (uint32_t)__builtin_popcountll(seen[k]);
        }
        for (int64_t k = 0; k < some; k++)
            most = largest(most, parts[k]);
        if (most >= enough)
            break;
    }
    return most;
}
