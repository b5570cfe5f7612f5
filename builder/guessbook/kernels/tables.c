/* Tables of feedbacks, made for the search for optimal play. */
#include "sets.h"

/* Rows that are turned at once: their lines stay in the processor's cache. */
#define TILE 64

INLINE void set_feedback(void *table, int64_t lane, int64_t at, uint32_t feedback)
{
    if (lane == 1)
        ((uint8_t *)table)[at] = (uint8_t)feedback;
    else if (lane == 2)
        ((uint16_t *)table)[at] = (uint16_t)feedback;
    else
        ((uint32_t *)table)[at] = feedback;
}

/* A block of rows that becomes columns of a table. */
typedef struct {
    const void *feedbacks; /* [guesses][secrets] of `lane` bytes */
    int64_t guesses, secrets, lane;
    void *table;   /* [secrets][width] */
    int64_t width; /* columns of the table */
    int64_t begin; /* the first column of the block */
    uint8_t *met;  /* [feedbacks] receives 1 for those that occur */
} Turned;

/* Write rows of feedbacks as columns of a table, and mark the feedbacks that occur. */
static void turn_table(const Turned *of)
{
    Problem lane = {.lane = of->lane};
    for (int64_t first = 0; first < of->guesses; first += TILE) {
        int64_t some = smallest(of->guesses - first, TILE);
        for (int64_t s = 0; s < of->secrets; s++)
            for (int64_t k = 0; k < some; k++) {
                uint32_t feedback = feedback_at(&lane, of->feedbacks, (first + k) * of->secrets + s);
                set_feedback(of->table, of->lane, s * of->width + of->begin + first + k, feedback);
                of->met[feedback] = 1;
            }
    }
}

/* Replace each of `size` feedbacks by its new number: `numbers`. */
static void renumber(void *table, int64_t lane, int64_t size, const uint32_t *numbers)
{
    Problem of = {.lane = lane};
    for (int64_t k = 0; k < size; k++)
        set_feedback(table, lane, k, numbers[feedback_at(&of, table, k)]);
}
