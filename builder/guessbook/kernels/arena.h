/* Memory that one struct owns, and that is freed at once. */
#ifndef GUESSBOOK_ARENA_H
#define GUESSBOOK_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A block of memory; what follows it is aligned to a cache line's quarter. */
typedef struct Chunk {
    struct Chunk *next;
    int64_t unused;
} Chunk;

typedef struct {
    Chunk *first;
    bool failed; /* memory was short: nothing of it may be used */
} Arena;

/* Return room for `count` things of `size` bytes, all 0; NULL where memory is short. */
static void *take(Arena *arena, int64_t count, size_t size)
{
    Chunk *chunk = calloc(1, sizeof(Chunk) + (size_t)count * size);
    if (chunk == NULL) {
        arena->failed = true;
        return NULL;
    }
    chunk->next = arena->first;
    arena->first = chunk;
    return chunk + 1;
}

/* Free all that was taken; the arena is empty then. */
static void release(Arena *arena)
{
    for (Chunk *chunk = arena->first, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (Arena){NULL, false};
}

#endif
