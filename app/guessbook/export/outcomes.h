
/* Return 1 if guessbook_code writes the outcome at this node, 0 if it writes a test, or if the node does
   not exist. */
static inline int guessbook_is_outcome(int32_t node)
{
    if (node < 0 || node >= GUESSBOOK_NODES) return 0;
    return GUESSBOOK_READ(guessbook_first, node) == GUESSBOOK_READ(guessbook_first, node + 1);
}
