/* The engine as Python sees it: a table of functions for each variant of the machine. */
#ifndef GUESSBOOK_ENGINE_H
#define GUESSBOOK_ENGINE_H

#include <stdint.h>

/* Raise it when a struct or a function changes: the binding refuses a library of another version. */
#define ENGINE_VERSION 5

typedef void (*Function)(void);

typedef struct {
    const char *name;
    Function function;
} Entry;

typedef struct {
    int64_t version;
    const char *variant;  /* such as "x86-64-v3" */
    const Entry *entries; /* the last one has no name */
} Engine;

extern const Engine engine_plain;
#if defined(__x86_64__)
extern const Engine engine_v3, engine_v4;
#endif

#endif
