/* Checks of arguments from Python: whether every index and every number is within its range. */
#include "lanes.h"

/* Return the index of the first number that is `limit` or more. If there is none, return `count`.
 *
 * `values` contains `count` unsigned numbers of `lane` bytes each; `lane` is 1, 2 or 4.
 */
static int64_t first_beyond(const void *values, int64_t count, int64_t lane, uint64_t limit)
{
    for (int64_t k = 0; k < count; k++)
        if (number_at(values, lane, k) >= limit)
            return k;
    return count;
}

/* Return the index of the first number that is below `least` or above `most`. If there is none, return `count`. */
static int64_t first_outside(const int64_t *values, int64_t count, int64_t least, int64_t most)
{
    for (int64_t k = 0; k < count; k++)
        if (values[k] < least || values[k] > most)
            return k;
    return count;
}

/* Return the index of the first wrong cost of a one-step policy. If no cost is wrong, return `count`.
 *
 * `costs` [count] contains the cost of a cell of weight 0, 1, ... The first cost must be 0, and no cost may be above
 * `most` or below -most. The cost of weight 1 must be at least -most / count. The cost per unit of weight must not
 * fall, apart from rounding. Then the cells of a partition cost at most as much as one cell of all candidates, and at
 * least as much as cells of weight 1, so no sum of costs overflows.
 */
static int64_t first_wrong_cost(const int64_t *costs, int64_t count, int64_t most)
{
    for (int64_t n = 0; n < count; n++)
        if (costs[n] > most || costs[n] < -most || (n == 0 && costs[n] != 0) ||
            (n == 1 && costs[n] < -(most / count)) || (n > 1 && costs[n] / n < costs[n - 1] / (n - 1)))
            return n;
    return count;
}

/* Return the index of the first wrong node. If no node is wrong, return `count`.
 *
 * A node is wrong if it begins at an index below 0, or has fewer than `least` or more than `most` candidates.
 * `starts` [count + 1] contains the index of the first candidate of each node, and the end of the last node.
 */
static int64_t first_wrong_node(const int64_t *starts, int64_t count, int64_t least, int64_t most)
{
    for (int64_t k = 0; k < count; k++)
        if (starts[k] < 0 || starts[k + 1] < starts[k] || starts[k + 1] - starts[k] < least ||
            starts[k + 1] - starts[k] > most)
            return k;
    return count;
}
