
/* Return the feedback number of a text such as "10202"; -1 for a text without this form. The text has
   a digit for each letter: 2 in its place, 1 elsewhere in the word, 0 not in the word. */
static inline int32_t guessbook_feedback(const char *text)
{
    int32_t number = 0;
    int k;
    for (k = 0; k < GUESSBOOK_LENGTH; k++) {
        if (text[k] < '0' || text[k] > '2') return -1;
        number = number * 3 + (text[k] - '0');
    }
    return text[k] == '\0' ? number : -1;
}
