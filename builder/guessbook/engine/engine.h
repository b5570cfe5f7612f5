/* The interface of the engine to Python: a table of functions for each instruction set. */
#ifndef GUESSBOOK_ENGINE_H
#define GUESSBOOK_ENGINE_H

#include <stdint.h>

/* Increase this number, and VERSION in binding.py, when a struct or the prototype of a function changes: the binding
 * rejects libraries of other versions. */
#define ENGINE_VERSION 7

typedef void (*Function)(void);

typedef struct {
    const char *name;
    Function function;
} Entry;

typedef struct {
    int64_t version;
    const char *variant;  /* name of the instruction set, such as "x86-64-v3" */
    const Entry *entries; /* functions with their names; the name of the last entry is NULL */
} Engine;

extern const Engine engine_plain;
#if defined(__x86_64__)
extern const Engine engine_v3, engine_v4;
#endif

#endif
