/* Repeat recorded calls with a library of the engine, and compare the results.
 *
 *     selftest LIBRARY RECORDING
 *
 * record.py writes the recording, and defines its format. The program makes all calls for each variant
 * that runs on this machine. The first result that differs ends it with exit code 1. All targets are
 * little-endian with 64 bits, so structs are the same everywhere.
 */
#include "../../builder/guessbook/engine/engine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#define ARGUMENTS 8
/* The types of arguments and of results in the recording. */
enum { A_NUMBER, A_BLOCK, A_HANDLE };
enum { NO_RESULT, AN_INT32, AN_INT64, A_POINTER };

typedef int64_t (*Call)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
typedef const Engine *(*Chooser)(int64_t);

static const int64_t *at;    /* the next number of the recording */
static int64_t handles[4096]; /* pointers that the engine returned */
static char *blocks[4096];    /* the memory of a call */

static void fail(const char *what, const char *of)
{
    fprintf(stderr, "%s: %s\n", what, of);
    exit(1);
}

static int64_t next(void)
{
    return *at++;
}

/* Return the next `size` bytes of the recording, which pads them to a multiple of 8. */
static const void *next_bytes(int64_t size)
{
    const void *bytes = at;
    at += (size + 7) / 8;
    return bytes;
}

/* Return the next value of the recording: a number, or an address. */
static int64_t next_value(void)
{
    int64_t kind = next(), value = next(), offset = next();
    if (kind == A_BLOCK)
        return (int64_t)(intptr_t)(blocks[value] + offset);
    return kind == A_HANDLE ? handles[value] : value;
}

static Chooser load(const char *path)
{
#if defined(_WIN32)
    HMODULE library = LoadLibraryA(path);
    FARPROC found = library ? GetProcAddress(library, "guessbook_engine") : NULL;
#else
    void *library = dlopen(path, RTLD_NOW);
    void *found = library ? dlsym(library, "guessbook_engine") : NULL;
#endif
    if (!found)
        fail("cannot load the library", path);
    Chooser chooser;
    memcpy(&chooser, &found, sizeof chooser);
    return chooser;
}

static const int64_t *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        fail("cannot open the recording", path);
    long size = ftell(file);
    rewind(file);
    int64_t *content = malloc((size_t)size);
    if (!content || fread(content, 1, (size_t)size, file) != (size_t)size)
        fail("cannot read the recording", path);
    fclose(file);
    return content;
}

static Call find(const Engine *engine, const char *name)
{
    for (const Entry *entry = engine->entries; entry->name; entry++)
        if (!strcmp(entry->name, name))
            return (Call)(void (*)(void))entry->function;
    fail("the library lacks the function", name);
    return NULL;
}

/* Fill the blocks of a call, then write the addresses that they contain. */
static void fill_blocks(int64_t count)
{
    const int64_t *from = at;
    for (int64_t k = 0; k < count; k++) {
        int64_t size = next();
        blocks[k] = malloc((size_t)size + 64);
        memcpy(blocks[k], next_bytes(size), (size_t)size);
        at += 4 * next();
    }
    at = from;
    for (int64_t k = 0; k < count; k++) {
        next_bytes(next());
        for (int64_t left = next(); left > 0; left--) {
            int64_t offset = next(), value = next_value();
            memcpy(blocks[k] + offset, &value, sizeof value);
        }
    }
}

/* Make the next call; return whether its results equal the recording. */
static bool make_call(const Engine *engine, int64_t *made)
{
    Call call = find(engine, next_bytes(32));
    int64_t result = next(), number = next();
    fill_blocks(number);
    int64_t values[ARGUMENTS] = {0}, count = next();
    for (int64_t k = 0; k < count; k++)
        values[k] = next_value();
    int64_t expected = next();
    int64_t found = call(values[0], values[1], values[2], values[3], values[4], values[5],
                         values[6], values[7]);
    bool right = true;
    if (result == A_POINTER) {
        handles[(*made)++] = found;
        right = found != 0;
    } else if (result != NO_RESULT)
        right = (result == AN_INT32 ? (int32_t)found : found) == expected;
    for (int64_t left = next(); left > 0; left--) {
        int64_t block = next(), offset = next(), size = next();
        right &= !memcmp(blocks[block] + offset, next_bytes(size), (size_t)size);
    }
    for (int64_t k = 0; k < number; k++)
        free(blocks[k]);
    return right;
}

int main(int count, char **words)
{
    if (count != 3)
        fail("usage", "selftest LIBRARY RECORDING");
    Chooser choose = load(words[1]);
    const int64_t *recording = read_all(words[2]);
    const Engine *engine;
    for (int64_t variant = 0; (engine = choose(variant)) != NULL; variant++) {
        at = recording;
        if (next() != engine->version)
            fail("the recording is of another engine", words[2]);
        int64_t made = 0, calls = next();
        for (int64_t k = 0; k < calls; k++) {
            const char *name = (const char *)at;
            if (!make_call(engine, &made)) {
                fprintf(stderr, "%s, call %d: ", engine->variant, (int)k);
                fail("the result differs from the recorded one", name);
            }
        }
        printf("%s: %d calls, all as recorded\n", engine->variant, (int)calls);
        fflush(stdout);
    }
    return 0;
}
