/* Memory blocks that belong to one struct, the owner, and are freed together with it. */
#ifndef GUESSBOOK_ARENA_H
#define GUESSBOOK_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header of each block of memory. The data after the header is aligned to 16 bytes. */
typedef struct Chunk {
    struct Chunk *next; /* next block of this owner; NULL in the last block; the owner's header begins the list */
    int64_t failed;     /* 1 after a failed allocation, else 0; used only in the header of the owner */
} Chunk;

/* Return a struct of `size` bytes, all 0, that can own further blocks; NULL if memory is short.
 *
 * The caller frees the struct by `memory_free`.
 */
static void *make_owner(size_t size)
{
    Chunk *chunk = calloc(1, sizeof(Chunk) + size);
    return chunk == NULL ? NULL : chunk + 1;
}

/* Return a block of memory for `count` items of `size` bytes, all 0; NULL if memory is short.
 *
 * The block belongs to `owner`, which comes from `make_owner`. A `count` that is below 0 or too large has the same
 * result as a lack of memory. `owner` remembers a failure until `complete`. `size` is at least 1.
 */
static void *take(void *owner, int64_t count, size_t size)
{
    bool fits = count >= 0 && (uint64_t)count <= (SIZE_MAX / 2 - sizeof(Chunk)) / size;
    void *room = fits ? make_owner((size_t)count * size) : NULL;
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

/* Free block `old` of `owner`, and return a new block as `take` does. The old contents are lost. `old` may be NULL. */
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

/* Free a struct from `make_owner` and all blocks that it owns. `owner` may be NULL. */
static void memory_free(void *owner)
{
    for (Chunk *chunk = owner == NULL ? NULL : (Chunk *)owner - 1, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}

/* Return `owner` if all its allocations succeeded; otherwise free it and return NULL. */
static void *complete(void *owner)
{
    if (!((Chunk *)owner - 1)->failed)
        return owner;
    memory_free(owner);
    return NULL;
}

#endif
