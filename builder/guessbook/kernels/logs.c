/* Integer logarithms that are completely additive: L(a * b) = L(a) + L(b). */
#include <stdint.h>
#include <stdlib.h>

/* Complete a table of logarithms, logs[size + 1], whose entries of primes are set and all others 0.
 *
 * Returns 0, or -1 where memory is short.
 */
static int32_t complete_logs(int64_t size, int64_t *logs)
{
    uint32_t *factor = calloc((size_t)size + 1, sizeof *factor);
    if (factor == NULL)
        return -1;
    for (int64_t p = 2; p * p <= size; p++)
        for (int64_t n = p * p; logs[p] != 0 && factor[p] == 0 && n <= size; n += p)
            factor[n] = (uint32_t)p;
    for (int64_t n = 4; n <= size; n++)
        if (factor[n] != 0)
            logs[n] = logs[factor[n]] + logs[n / factor[n]];
    free(factor);
    return 0;
}
