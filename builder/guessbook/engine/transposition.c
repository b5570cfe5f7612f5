/* The transposition table, and the keys, the working memory and simple lower bounds of sets of candidates. */
#include "sets.h"

/* Return a transposition table of `size` entries, or NULL if memory is short.
 *
 * `size` is a power of 2 and at least PLACES. The caller frees the table by `memory_free`.
 */
static SetTable *set_table_new(int64_t size)
{
    SetTable *table = make_owner(sizeof *table);
    if (table == NULL)
        return NULL;
    uintptr_t line = PLACES * sizeof(SetEntry);
    uintptr_t begin = (uintptr_t)take(table, size + PLACES, sizeof(SetEntry));
    table->entries = (SetEntry *)((begin + line - 1) / line * line);
    table->size = size;
    return complete(table);
}

/* Return the working memory of a thread for searches of one problem, or NULL if memory is short.
 *
 * It owns its buffers; the caller frees all of them together by `memory_free`.
 */
static SetSpace *set_space_new(const Problem *problem)
{
    SetSpace *space = make_owner(sizeof *space);
    if (space == NULL)
        return NULL;
    int64_t words = words_of(problem), guesses = problem->guesses, secrets = problem->secrets;
    int64_t answers = problem->answers;
    int64_t level = guesses * (8 * words + 16) + 4 * secrets + 40 * answers;
    /* No search is deeper than the number of secrets. */
    int64_t levels = smallest(secrets, largest(MAX_DEPTH, LEVEL_BYTES / level)) + 3;
    space->levels = levels;
    space->seen = take(space, levels * words * guesses, sizeof(uint64_t));
    space->parts = take(space, levels * guesses, sizeof(uint32_t));
    space->ranks = take(space, levels * guesses, sizeof(int64_t));
    space->columns = take(space, problem->length ? levels * guesses : 1, sizeof(int32_t));
    space->widths = take(space, levels, sizeof(int64_t));
    space->stack = take(space, secrets * (levels + 2), sizeof(uint32_t));
    space->sums = take(space, secrets + 1, sizeof(int64_t));
    space->sizes = take(space, levels * answers, sizeof(int64_t));
    space->starts = take(space, levels * answers, sizeof(int64_t));
    space->bounds = take(space, levels * answers, sizeof(int64_t));
    space->keys = take(space, levels * answers, sizeof(uint64_t));
    space->allowed = take(space, levels * answers, sizeof(uint64_t));
    int64_t batch = problem->blocks ? BATCH : 0;
    space->pieces = take(space, batch * answers + 1, sizeof(Piece));
    space->members = take(space, batch * secrets + 1, sizeof(uint32_t));
    return complete(space);
}

/* Return what is stored for a key, encoded as in `SetEntry.known`; 0 if the table has no entry for it. */
static int64_t probe(const SetTable *table, uint64_t key)
{
    uint64_t first = key & (uint64_t)(table->size - 1);
    for (uint64_t k = 0; k < PLACES; k++) {
        SetEntry *entry = &table->entries[first ^ k];
        int64_t known = __atomic_load_n(&entry->known, __ATOMIC_RELAXED);
        if (known == 0)
            return 0; /* `store` would have used this free entry for the key, and entries are never removed */
        if ((__atomic_load_n(&entry->key, __ATOMIC_RELAXED) ^ (uint64_t)known) == key)
            return known;
    }
    return 0;
}

/* Store the cost of a set, or a lower bound of it, under the key of the set. This may evict the entry of another set.
 *
 * `known` is encoded as in `SetEntry.known`, and must not be 0, which marks a free entry.
 */
static void store(const SetTable *table, uint64_t key, int64_t known)
{
    uint64_t first = key & (uint64_t)(table->size - 1);
    SetEntry *chosen = NULL;
    int64_t least = INT64_MAX;
    for (uint64_t k = 0; k < PLACES; k++) {
        SetEntry *entry = &table->entries[first ^ k];
        int64_t old = __atomic_load_n(&entry->known, __ATOMIC_RELAXED);
        bool own = (__atomic_load_n(&entry->key, __ATOMIC_RELAXED) ^ (uint64_t)old) == key;
        if (old == 0 || own) {
            chosen = entry;
            break;
        }
        if (old < least) { /* the entry with the lowest cost is probably the quickest to compute again */
            chosen = entry;
            least = old;
        }
    }
    __atomic_store_n(&chosen->known, known, __ATOMIC_RELAXED);
    __atomic_store_n(&chosen->key, key ^ (uint64_t)known, __ATOMIC_RELAXED);
}

/* Return the part of a key that stands for the number of guesses left. `left` must be less than MAX_LEFT. */
INLINE uint64_t key_of_left(int64_t left)
{
    return (uint64_t)(left + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Return the key of a set: its Zobrist key, xor `Set.also`, xor `key_of_left` if guesses are limited. */
static uint64_t key_of(const Problem *problem, const uint32_t *stack, const Set *set)
{
    uint64_t key = set->left < MAX_LEFT ? key_of_left(set->left) : 0;
    for (int64_t i = set->low; i < set->low + set->n; i++)
        key ^= problem->keys[stack[i]];
    return key ^ set->also;
}

/* Return a lower bound of the cost of a set, at most IMPOSSIBLE, from the number and the weights of its candidates.
 *
 * The candidates must be on the stack, the heaviest first. No product overflows: it is at most IMPOSSIBLE times the
 * total weight, 2^62.
 */
static int64_t set_bound(const Problem *problem, const uint32_t *stack, const Set *set)
{
    if (problem->plain)
        return problem->bounds[set->left * (problem->secrets + 1) + set->n];
    const int64_t *steps = problem->steps + set->left * problem->secrets;
    int64_t total = 0;
    /* If all weights were 1, the first k candidates would cost at least bounds[left][k]. The real weights descend, so
     * summation by parts yields a bound for them: the sum of steps[k] times the weight of candidate k. */
    for (int64_t k = 0; k < set->n && total < IMPOSSIBLE; k++)
        total += problem->weights[stack[set->low + k]] * steps[k];
    return smallest(total, IMPOSSIBLE);
}

/* Return the cost of a guess without the costs of its cells: see `counts_all`. `sum_up` must have filled `space->sums`
 * for the set.
 */
INLINE int64_t own_cost(const Problem *problem, const SetSpace *space, const Set *set)
{
    return counts_all(problem, set->left) ? space->sums[set->n] : 0;
}

/* Fill `space->sums` for a set: sums[k] is the total weight of its first k candidates. All levels share this buffer. */
static void sum_up(const Problem *problem, SetSpace *space, const Set *set)
{
    space->sums[0] = 0;
    for (int64_t k = 0; k < set->n; k++)
        space->sums[k + 1] = space->sums[k] + problem->weights[space->stack[set->low + k]];
}
