
/* Return the feedback number of black and white pegs; -1 if a number is negative or the sum of both
   exceeds GUESSBOOK_LENGTH. */
static inline int32_t guessbook_pegs(int black, int white)
{
    if (black < 0 || white < 0 || black > GUESSBOOK_LENGTH || white > GUESSBOOK_LENGTH - black)
        return -1;
    return (int32_t)(black + white) * (GUESSBOOK_LENGTH + 1) + black;
}

/* Return the feedback number of a text such as "1,2" (1 black peg, 2 white pegs); -1 for a text
   without this form, and for too many pegs. */
static inline int32_t guessbook_feedback(const char *text)
{
    int pegs[2] = {0, 0}, k;
    for (k = 0; k < 2; k++) {
        const char *start = text;
        while (*text >= '0' && *text <= '9' && text - start < 2)
            pegs[k] = pegs[k] * 10 + (*text++ - '0');
        if (text == start || *text++ != (k == 0 ? ',' : '\0')) return -1;
    }
    return guessbook_pegs(pegs[0], pegs[1]);
}
