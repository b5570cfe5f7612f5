/* Memory blocks owned by one struct, and freed with it. */
#ifndef GUESSBOOK_ARENA_H
#define GUESSBOOK_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header of each block of memory; the block is aligned to a quarter of a cache line. */
typedef struct Chunk {
    struct Chunk *next; /* the next block of the owner; the owner is the first block */
    int64_t failed;     /* in the owner's header: whether an allocation failed */
} Chunk;

/* Return a struct of `size` bytes, all 0, that can own more memory; NULL where memory is short. */
static void *make_owner(size_t size)
{
    Chunk *chunk = calloc(1, sizeof(Chunk) + size);
    return chunk == NULL ? NULL : chunk + 1;
}

/* Return memory for `count` items of `size` bytes, all 0; NULL where memory is short. */
static void *take(void *owner, int64_t count, size_t size)
{
    void *room = make_owner((size_t)count * size);
    Chunk *first = (Chunk *)owner - 1;
    if (room == NULL) {
        first->failed = 1;
        return NULL;
    }
    Chunk *chunk = (Chunk *)room - 1;
    chunk->next = first->next;
    first->next = chunk;
    return room;
}

/* Like `take`, but replace an earlier block of the owner, or NULL. */
static void *retake(void *owner, void *old, int64_t count, size_t size)
{
    for (Chunk *at = (Chunk *)owner - 1; at->next != NULL; at = at->next)
        if (at->next + 1 == old) {
            Chunk *gone = at->next;
            at->next = gone->next;
            free(gone);
            break;
        }
    return take(owner, count, size);
}

/* Free a struct, which may be NULL, and all that it owns. */
static void memory_free(void *owner)
{
    for (Chunk *chunk = owner == NULL ? NULL : (Chunk *)owner - 1, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}

/* Return a struct whose allocations all succeeded; else free it, and return NULL. */
static void *complete(void *owner)
{
    if (!((Chunk *)owner - 1)->failed)
        return owner;
    memory_free(owner);
    return NULL;
}

#endif
