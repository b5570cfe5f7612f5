/* The choice of the variant: the widest vectors that this machine has. */
#include "engine.h"

#include <stdlib.h>

#if defined(_WIN32)
#define VISIBLE __declspec(dllexport)
#else
#define VISIBLE __attribute__((visibility("default")))
#endif

/* Return the engine for this machine, or the variant of a name; NULL where it cannot run here. */
VISIBLE const Engine *guessbook_engine(int64_t variant)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    int64_t best = -1; /* of processors that have not even what the plain variant takes */
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"))
        best = 0;
    if (best == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        best = 1;
    if (best == 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        best = 2;
    if (best < 0)
        return NULL;
    if (variant > best)
        return NULL;
    if (variant < 0)
        variant = best;
    return variant == 2 ? &engine_v4 : variant == 1 ? &engine_v3 : &engine_plain;
#else
    return variant > 0 ? NULL : &engine_plain;
#endif
}
