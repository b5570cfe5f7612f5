/* The choice of the engine's variant: the widest vectors that the processor and the system support. */
#include "engine.h"

#include <stdlib.h>

#if defined(_WIN32)
#define VISIBLE __declspec(dllexport)
#else
#define VISIBLE __attribute__((visibility("default")))
#endif

#if defined(__x86_64__)
#include <cpuid.h>

static int has(uint32_t found, uint32_t wanted)
{
    return (found & wanted) == wanted;
}

/* Return 2 if the machine has all instructions of x86-64-v4, 1 for v3, 0 for v2, or -1 for less.
 *
 * The simpler `__builtin_cpu_supports` finds no instruction set on Windows if zig is the linker. */
static int64_t best_variant(void)
{
    uint32_t a, b, c, d, saved;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, bit_SSE4_2 | bit_POPCNT))
        return -1;
    if (!has(c, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(d) : "c"(0)); /* `saved`: vector registers that the system saves */
    if (!has(saved, 0x06) || !__get_cpuid(0x80000001, &a, &b, &c, &d) || !has(c, bit_LZCNT) ||
        !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, bit_BMI | bit_AVX2 | bit_BMI2))
        return 0;
    uint32_t wide = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
    return has(saved, 0xe6) && has(b, wide) ? 2 : 1;
}
#endif

/* Return a variant of the engine. `variant` is a number from 0 to 2 as in `best_variant`, or -1 for the best variant.
 *
 * Returns NULL if this machine cannot run the variant. The result is static: the caller must not free it.
 */
VISIBLE const Engine *guessbook_engine(int64_t variant)
{
#if defined(__x86_64__)
    int64_t best = best_variant();
    if (best < 0 || variant > best)
        return NULL;
    if (variant < 0)
        variant = best;
    return variant == 2 ? &engine_v4 : variant == 1 ? &engine_v3 : &engine_plain;
#else
    return variant > 0 ? NULL : &engine_plain;
#endif
}
