/* The inner loops of sums.c, for feedback numbers of one width: included once for each LANE. */

/* Copy the sums of the candidates side by side. */
static void OF(gather)(const SumGame *game, SumSpace *space)
{
    for (int64_t part = 0; part < game->part_count; part++) {
        const LANE *sums = (const LANE *)game->sums + part * game->secrets;
        LANE *column = (LANE *)(void *)space->columns + part * space->room;
        for (int64_t k = 0; k < space->n; k++)
            column[k] = sums[space->candidates[k]];
    }
}

/* Find the feedbacks of the candidates to a guess of some parts: `row`. */
static void OF(answer_parts)(const SumGame *game, SumSpace *space, const int32_t *parts)
{
    LANE *restrict row = (LANE *)(void *)space->row;
    int64_t n = space->n;
    if (game->width == 1) {
        const LANE *sums = (const LANE *)game->sums + parts[0] * game->secrets;
        for (int64_t k = 0; k < n; k++)
            row[k] = sums[space->candidates[k]];
        return;
    }
    memcpy(row, (LANE *)(void *)space->columns + parts[0] * space->room, (size_t)n * sizeof(LANE));
    for (int64_t j = 1; j < game->width; j++) {
        const LANE *restrict column = (LANE *)(void *)space->columns + parts[j] * space->room;
        for (int64_t k = 0; k < n; k++)
            row[k] = (LANE)(row[k] + column[k]);
    }
}

/* See `cost_of_guess`. */
static int64_t OF(cost_of_parts)(const SumGame *game, SumSpace *space, const int32_t *parts,
                                 int64_t enough)
{
    const int64_t *costs = game->costs;
    int64_t *cells = space->cells, n = space->n, cost = 0, done = 0;
    OF(answer_parts)(game, space, parts);
    const LANE *row = (const LANE *)(const void *)space->row;
    if (game->additive && space->heaviest == 1) { /* all count 1 */
        for (; done < n && cost < enough; done++) {
            int64_t before = cells[row[done]]++;
            cost += costs[before + 1] - costs[before] - costs[1];
        }
    } else {
        for (; done < n && cost < enough; done++) {
            int64_t weight = space->weights[done], before = cells[row[done]];
            int64_t after = before + weight;
            cells[row[done]] = after;
            if (game->additive)
                cost += costs[after] - costs[before] - costs[weight];
            else
                cost = costs[after] > cost ? costs[after] : cost;
        }
    }
    for (int64_t k = 0; k < done; k++)
        cells[row[k]] = 0;
    return cost;
}
