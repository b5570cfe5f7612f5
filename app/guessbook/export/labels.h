
/* Return the feedback number of an answer in the spelling of guessbook_answers; -1 for another text. */
static inline int32_t guessbook_feedback(const char *text)
{
    int32_t k;
    int q;
    for (k = 0; k <= GUESSBOOK_SOLVED; k++) {
        for (q = 0; (char)GUESSBOOK_READ(guessbook_answers[k], q) == text[q]; q++)
            if (text[q] == '\0') return k;
    }
    return -1;
}
