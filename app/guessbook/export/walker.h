/* The walker. The functions below follow a history through the strategy tree. A node is a number:
   0 is the root, and -1 means "not in the book". */

/* Return the node after a feedback to the guess of `node`; -1 if the feedback cannot occur, or solves
   the game. */
static inline int32_t guessbook_next(int32_t node, int32_t feedback)
{
    int32_t child, end;
    if (node < 0 || node >= GUESSBOOK_NODES) return -1;
    child = (int32_t)GUESSBOOK_READ(guessbook_first, node);
    end = (int32_t)GUESSBOOK_READ(guessbook_first, node + 1);
    while (child < end && (int32_t)GUESSBOOK_READ(guessbook_feedbacks, child) != feedback) child++;
    return child < end ? child : -1;
}

/* Write the guess of a node to `code` in UTF-8, with a zero byte at the end: at most GUESSBOOK_TEXT
   bytes. If the node does not exist, write an empty text. */
static inline void guessbook_code(int32_t node, char *code)
{
    uint32_t index, rows[GUESSBOOK_ROWS];
    int p, q;
    *code = '\0';
    if (node < 0 || node >= GUESSBOOK_NODES) return;
    index = GUESSBOOK_READ(guessbook_guesses, node);
    /* The index has a digit for each position: the number of a symbol. If symbols may not repeat, only
       the symbols that no position to the left has are numbered. A word or label is a single row. */
    for (p = GUESSBOOK_ROWS - 1; p >= 0; p--) {
        const uint32_t base = GUESSBOOK_TEXTS - (GUESSBOOK_REPEATS ? 0u : (uint32_t)p);
        rows[p] = index % base;
        index /= base;
        for (q = p + 1; q < GUESSBOOK_ROWS && !GUESSBOOK_REPEATS; q++) rows[q] += rows[q] >= rows[p];
    }
    for (p = 0; p < GUESSBOOK_ROWS; p++)
        for (q = 0; (*code = (char)GUESSBOOK_READ(guessbook_texts[rows[p]], q)) != '\0'; q++) code++;
}

/* Return the node after a history in any order; -1 if the book does not cover the history. */
static inline int32_t guessbook_walk(const char *const *codes, const int32_t *feedbacks, int count)
{
    char code[GUESSBOOK_TEXT];
    int32_t node = 0;
    int used = 0, k;
    while (node >= 0 && used < count) {
        int32_t feedback = -1;
        guessbook_code(node, code);
        for (k = 0; k < count; k++) {
            if (strcmp(codes[k], code) != 0) continue;
            if (feedback >= 0 && feedback != feedbacks[k]) return -1;
            feedback = feedbacks[k];
            used++;
        }
        node = guessbook_next(node, feedback);
    }
    return node;
}
