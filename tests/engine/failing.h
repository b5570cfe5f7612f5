/* Counts blocks of memory and lets one allocation fail: for tests, included before the engine. */
#include <stdlib.h>

#define SHARED __attribute__((weak, visibility("default")))

/* The number of allocations that succeed before one fails; negative for no failure. */
SHARED long allocations_left = -1;
SHARED long blocks_in_use = 0;

static void *failing_calloc(size_t count, size_t size)
{
    void *block = allocations_left-- == 0 ? NULL : calloc(count, size);
    blocks_in_use += block != NULL;
    return block;
}

static void counting_free(void *block)
{
    blocks_in_use -= block != NULL;
    free(block);
}

#define calloc failing_calloc
#define malloc(size) failing_calloc(1, size)
#define free counting_free
