/* The engine of the exported web page: hints of one-step policies, compiled to WebAssembly by wheels/build_page.py.
 *
 * The page has one thread. export/web/engine.js calls the functions marked PAGE. Integers of 64 bits would be BigInts
 * in JavaScript, so these functions take and return only integers of 32 bits, and a double for a large number. They do
 * not check their arguments: the page must pass what the comments require.
 *
 * The memory of a hint has an owner. The page makes it by `page_owner`, copies arrays into blocks from `page_take`, and
 * frees everything by `page_free`. After NO_MEMORY or NULL, the page frees the owner and gives up the hint.
 */
#include "codes.c"
#include "symmetry.c"
#include "workspace.c"
#include "bounds.c"
#include "scores.c"
#include "blacks.c"
#include "cells.c"
#include "guess.c"
#include "trees.c"
#include "ranking.c"
#include "sums.c"

#include <math.h>

#define PAGE(name) __attribute__((export_name(#name)))

/* The one-step policies, numbered as in `RULES` of export/web/engine.js. */
enum { ENTROPY, EXPECTED, PARTS, MINIMAX, ENTROPY_CORRECTED };

/* The number of fractional bits of an integer logarithm. */
#define LOG_BITS 36
/* One part of a divided search scores about this number of (guess, candidate) pairs. */
#define PART_PAIRS (INT64_C(1) << 26)
/* The number of scored guesses after which the first step of a divided search ends. */
#define FIRST_GUESSES 1024

PAGE(page_owner) void *page_owner(void)
{
    return make_owner(1);
}

/* Return a block of `count` items of `size` bytes, all 0, that belongs to `owner`; NULL if memory is short. */
PAGE(page_take) void *page_take(void *owner, uint32_t count, uint32_t size)
{
    /* Sizes have 32 bits in WebAssembly, so the product is computed with 64 bits. */
    return (uint64_t)count * size > INT32_MAX ? NULL : take(owner, count, size);
}

PAGE(page_free) void page_free(void *owner)
{
    memory_free(owner);
}

/* Return log2 of a prime below 2^22, times 2^LOG_BITS, rounded.
 *
 * Each squaring yields one bit. x has 63 fractional bits, and is at least 1 and below 2. Each squaring doubles the
 * error of x, which in the end is below 2^-26 of the last bit. No prime below 2^22 is that close to a tie: the results
 * were compared with logarithms of 60 decimal digits.
 */
static int64_t log_of_prime(uint32_t prime)
{
    int whole = 31 - __builtin_clz(prime);
    uint64_t x = (uint64_t)prime << (63 - whole);
    int64_t log = whole;
    for (int bit = 0; bit <= LOG_BITS; bit++) {
        unsigned __int128 square = (unsigned __int128)x * x;
        int two = (int)(square >> 127);
        x = (uint64_t)(square >> (63 + two));
        log = 2 * log + two;
    }
    return (log + 1) >> 1;
}

/* Fill costs[1] to costs[most] with the costs of cells of these weights; costs[0] must be 0.
 *
 * The logarithm L(n) is the sum of the rounded logarithms of the prime factors of n. `most` is at most 2^22, so that
 * n * L(n) fits into 64 bits.
 */
static void fill_costs(int64_t *costs, int64_t most, int32_t rule)
{
    for (int64_t n = 1; n <= most; n++)
        costs[n] = rule == EXPECTED ? n * n : rule == PARTS ? -1 : rule == MINIMAX ? n : 0;
    if (rule != ENTROPY && rule != ENTROPY_CORRECTED)
        return;
    for (int64_t p = 2; p <= most; p++) {
        if (costs[p] != 0) /* p has a smaller prime factor */
            continue;
        int64_t log = log_of_prime((uint32_t)p);
        for (int64_t power = p; power <= most; power *= p)
            for (int64_t n = power; n <= most; n += power)
                costs[n] += log;
    }
    for (int64_t n = 1; n <= most; n++)
        costs[n] *= n;
}

static int64_t credit_of(int32_t rule)
{
    return rule == ENTROPY_CORRECTED ? INT64_C(2) << LOG_BITS : 0;
}

/* A guess with its score. */
typedef struct {
    int64_t score;
    uint32_t guess;
    bool candidate;
} Scored;

/* The best guesses of a node so far, best first. */
typedef struct {
    int64_t count, width; /* number of guesses in the list, and its capacity */
    Scored *list;         /* [width] */
} Ranking;

/* Return whether `one` is the better guess: the score decides, then whether it is a candidate, then the lower index. */
static bool is_better(Scored one, Scored other)
{
    if (one.score != other.score)
        return one.score > other.score;
    return one.candidate == other.candidate ? one.guess < other.guess : one.candidate;
}

/* Insert a guess into a ranking, unless the ranking is full and its last guess is not worse. */
static void insert(Ranking *best, Scored one)
{
    if (best->count == best->width && !is_better(one, best->list[best->width - 1]))
        return;
    best->count += best->count < best->width;
    int64_t at = best->count - 1;
    for (; at > 0 && is_better(one, best->list[at - 1]); at--)
        best->list[at] = best->list[at - 1];
    best->list[at] = one;
}

/* Write the guesses of a ranking to `out`, best first, and return their number. */
static int32_t list_guesses(const Ranking *best, uint32_t *out)
{
    for (int64_t k = 0; k < best->count; k++)
        out[k] = best->list[k].guess;
    return (int32_t)best->count;
}

/* Code games. */

/* Make the tables of a code game. Return NULL if memory is short. The page keeps them for all hints. */
PAGE(page_codes) CodeGame *page_codes(int32_t pegs, int32_t colors, int32_t repeats)
{
    return codes_new(pegs, colors, repeats);
}

/* Make the working memory for a code game. Return NULL if memory is short. The page keeps it for all hints. */
PAGE(page_workspace) Workspace *page_workspace(const CodeGame *game)
{
    return workspace_new(game);
}

/* The number of codes that `page_fitting` tests together. */
#define TESTED 4096

/* List the codes that fit a history, in ascending order: fill `out`, which has room for all codes of the game.
 *
 * `history` [2 * count] has the index of each guess, followed by its feedback number. Returns the length of the list.
 */
PAGE(page_fitting)
int32_t page_fitting(const CodeGame *game, Workspace *space, const uint32_t *history, int32_t count, uint32_t *out)
{
    int64_t found = 0;
    uint8_t answers[TESTED];
    for (int64_t start = 0; start < game->codes; start += TESTED) {
        uint32_t *tested = out + found;
        int64_t n = game->codes - start < TESTED ? game->codes - start : TESTED;
        for (int64_t k = 0; k < n; k++)
            tested[k] = (uint32_t)(start + k);
        for (int32_t h = 0; h < count; h++) {
            int64_t kept = 0;
            answer_guess(game, space, history[2 * h], tested, n, answers);
            for (int64_t k = 0; k < n; k++)
                if (answers[k] == history[2 * h + 1])
                    tested[kept++] = tested[k];
            n = kept;
        }
        found += n;
    }
    return (int32_t)found;
}

/* A node of a code game and a policy. All arrays belong to the owner of the hint. */
typedef struct {
    Search search;
    Policy policy;
    Workspace *space;
    Node node;
    int64_t ends[2]; /* 0, and the number of candidates */
    Plan plan;
    uint32_t guess;   /* best guess so far */
    uint8_t *answers; /* [candidates] */
    uint8_t *wanted;  /* [multisets] 1 for each multiset whose guesses are scored, else 0 */
    uint8_t *now;     /* [multisets] 1 for each multiset that the current call scores, else 0 */
    uint8_t *solves;  /* [codes] 1 for each scored code that is a candidate */
    int64_t *scores;  /* [codes] score of each code; LEAST_SCORE for a code that is not scored */
    bool only;        /* whether only candidates are guesses */
} CodeHint;

/* Fill the table `Policy.spreads` for the bounds in blacks.c. */
static void fill_spreads(double *spreads, int pegs)
{
    for (int k = -STEPS; k <= STEPS; k++)
        for (int t = 0; t <= pegs; t++) {
            double sum = 0.0;
            for (int b = 0; b <= t; b++)
                if (t < pegs || b != pegs - 1) /* with N pegs, no feedback has N - 1 black and 1 white peg */
                    sum += exp2(k * STEP * b);
            *spreads++ = log2(sum);
        }
}

/* Make a hint for a node of n candidates. Return NULL if memory is short.
 *
 * Args:
 *     candidates: [n] in ascending order.
 *     path: [depth] the guesses of the history.
 *     only: 1 if only candidates are guesses, else 0.
 */
PAGE(page_code_hint)
CodeHint *page_code_hint(void *owner, const CodeGame *game, Workspace *space, const uint32_t *candidates, int32_t n,
                         const uint32_t *path, int32_t depth, int32_t rule, int32_t only)
{
    int64_t columns = game->pegs * (game->pegs + 3) / 2 + 1, splits = n < BYTE ? n : BYTE;
    bool logarithmic = rule == ENTROPY || rule == ENTROPY_CORRECTED;
    CodeHint *hint = take(owner, 1, sizeof *hint);
    int64_t *costs = take(owner, (int64_t)n + 1, sizeof *costs);
    int64_t *split = take(owner, columns * (splits + 1), sizeof *split);
    double *spreads = take(owner, (2 * STEPS + 1) * (game->pegs + 1), sizeof *spreads);
    uint8_t *answers = take(owner, n, 1);
    if (!hint || !costs || !split || !spreads || !answers)
        return NULL;
    fill_costs(costs, n, rule);
    fill_spreads(spreads, game->pegs);
    hint->policy = (Policy){costs, split, spreads, n, columns, credit_of(rule),
                            logarithmic ? INT64_C(1) << LOG_BITS : 0, rule != MINIMAX};
    fill_splits(&hint->policy, splits, split);
    hint->search = (Search){game, &hint->policy, NULL};
    hint->space = space;
    hint->node = (Node){candidates, n, path, depth, 0};
    hint->ends[1] = n;
    hint->answers = answers;
    hint->only = only != 0;
    return hint;
}

/* Do one step of the search for the best guess. Returns OK or NO_MEMORY. */
static int32_t search_codes(CodeHint *hint)
{
    int64_t scored;
    const Node *node = &hint->node;
    Nodes nodes = {1, hint->ends, node->path, node->depth};
    return find_guesses(&hint->search, hint->space, node->candidates, &nodes, &hint->plan, &hint->guess, &scored);
}

/* Begin the search for the best of all guesses at a node of at least 3 candidates.
 *
 * Returns the number of parts that are left for `page_resume`, or NO_MEMORY.
 */
PAGE(page_begin) int32_t page_begin(CodeHint *hint)
{
    hint->plan = (Plan){.budget = FIRST_GUESSES, .pairs = PART_PAIRS};
    int32_t result = search_codes(hint);
    return result == OK ? (int32_t)hint->plan.pairs : result;
}

/* Search one of the parts that `page_begin` has left. Returns OK or NO_MEMORY. */
PAGE(page_resume) int32_t page_resume(CodeHint *hint, int32_t part, int32_t parts)
{
    hint->plan.part = part, hint->plan.parts = parts, hint->plan.guess = hint->guess;
    return search_codes(hint);
}

/* Return the best guess that the search has found. */
PAGE(page_found) uint32_t page_found(const CodeHint *hint)
{
    return hint->guess;
}

/* Return the feedback numbers of the candidates to a guess, one byte for each. The next call overwrites them. */
PAGE(page_code_answers) const uint8_t *page_code_answers(CodeHint *hint, uint32_t guess)
{
    const Node *node = &hint->node;
    answer_guess(hint->search.game, hint->space, guess, node->candidates, node->n, hint->answers);
    return hint->answers;
}

/* Prepare `page_score_codes`. Returns the number of (guess, candidate) pairs that it will score, or NO_MEMORY. */
PAGE(page_score) double page_score(void *owner, CodeHint *hint)
{
    const CodeGame *game = hint->search.game;
    const Node *node = &hint->node;
    hint->wanted = take(owner, game->multisets, 1);
    hint->now = take(owner, game->multisets, 1);
    hint->solves = take(owner, game->codes, 1);
    hint->scores = take(owner, game->codes, sizeof *hint->scores);
    if (!hint->wanted || !hint->now || !hint->solves || !hint->scores || !load_node(game, hint->space, node))
        return NO_MEMORY;
    for (int64_t code = 0; code < game->codes; code++)
        hint->scores[code] = LEAST_SCORE;
    for (int64_t k = 0; hint->only && k < node->n; k++)
        hint->wanted[game->set_of[node->candidates[k]]] = 1;
    if (!hint->only)
        memset(hint->wanted, 1, (size_t)game->multisets);
    mark_fitting(game, hint->space);
    double guesses = 0;
    for (int64_t m = 0; m < game->multisets; m++) {
        hint->wanted[m] &= hint->space->fitting[m / LANES] >> m % LANES & 1;
        guesses += hint->wanted[m] * (double)game->shape[game->shape_of[m]].number;
    }
    return guesses * (double)node->n;
}

/* Score the guesses of the next multisets of symbols, about `pairs` (guess, candidate) pairs. Of equivalent guesses,
 * only the lowest is scored. The scores of earlier calls are kept.
 *
 * `first` is 0 in the first call, then the result of the previous call. Returns the number of finished multisets, or
 * NO_MEMORY. All are finished when the result is `page_multisets`.
 */
PAGE(page_score_codes) int32_t page_score_codes(CodeHint *hint, int32_t first, int32_t pairs)
{
    const CodeGame *game = hint->search.game;
    int64_t left = pairs, m = first;
    memset(hint->now, 0, (size_t)game->multisets);
    for (; m < game->multisets && left > 0; m++)
        if (hint->wanted[m]) {
            hint->now[m] = 1;
            left -= game->shape[game->shape_of[m]].number * hint->node.n;
        }
    int32_t result = score_codes(&hint->search, hint->space, &hint->node, hint->now, hint->scores, hint->solves);
    return result == OK ? (int32_t)m : result;
}

PAGE(page_multisets) int32_t page_multisets(const CodeHint *hint)
{
    return (int32_t)hint->search.game->multisets;
}

/* List the best guesses that `page_score_codes` has scored: fill `out` [width]. Returns their number, or NO_MEMORY. */
PAGE(page_best_codes) int32_t page_best_codes(void *owner, const CodeHint *hint, int32_t width, uint32_t *out)
{
    Ranking best = {0, width, take(owner, width, sizeof(Scored))};
    if (best.list == NULL)
        return NO_MEMORY;
    for (int64_t code = 0; code < hint->search.game->codes; code++)
        if (hint->scores[code] > LEAST_SCORE && (hint->solves[code] || !hint->only))
            insert(&best, (Scored){hint->scores[code], (uint32_t)code, hint->solves[code]});
    return list_guesses(&best, out);
}

/* Return the lowest of all guesses that are equivalent to a guess by the symmetries of the history. Only this one is
 * scored.
 *
 * `page_score` must have loaded the node.
 */
PAGE(page_lowest) uint32_t page_lowest(const CodeHint *hint, uint32_t guess)
{
    const CodeGame *game = hint->search.game;
    const Symmetry *symmetry = &hint->space->symmetry;
    const uint8_t *code = game->table + (int64_t)guess * game->pegs;
    uint32_t lowest = UINT32_MAX;
    for (int64_t e = 0; e < symmetry->count; e++) {
        const int8_t *element = symmetry->elements + e * (game->pegs + game->colors);
        uint64_t absent = ~symmetry->held, unused = symmetry->held & ~symmetry->used, met = 0;
        uint8_t image[MAX_COLORS], whole[MAX_PEGS];
        for (int p = 0; p < game->pegs; p++) {
            int c = code[element[p]];
            bool is_held = symmetry->held >> c & 1;
            if (!(met >> c & 1)) {
                int fixed = is_held ? element[game->pegs + c] : -1;
                image[c] = (uint8_t)(fixed >= 0 ? fixed : lowest_bit(is_held ? unused : absent));
                if (fixed < 0 && is_held)
                    unused &= unused - 1;
                else if (!is_held && !game->repeats)
                    absent &= absent - 1;
                met |= UINT64_C(1) << c;
            }
            whole[p] = image[c];
        }
        uint32_t index = index_of(game, whole);
        lowest = index < lowest ? index : lowest;
    }
    return lowest;
}

/* Word games. */

/* The words of a game, and their parts: a part is a letter with all its positions in a guess. */
typedef struct {
    const uint16_t *letters; /* [guesses][length] numbers of letters */
    int32_t guesses, length, loose; /* loose: 1 or 0, see `added` */
    int32_t part_count; /* number of different parts, plus 1 for a part that adds nothing */
    int32_t width;      /* largest number of parts of a guess */
    int32_t *parts;     /* [guesses][width] as `SumGame.parts` */
    uint32_t *keys;     /* [part_count] letter << length | places; in `places`, bit p is for position p */
    uint16_t *held;     /* [symbols] places of each letter in one word; all 0 before and after use */
} Words;

/* Return the positions of a letter in a word: bit p for position p. */
static uint32_t places_of(const uint16_t *word, int32_t length, uint32_t letter)
{
    uint32_t places = 0;
    for (int32_t p = 0; p < length; p++)
        places |= (uint32_t)(word[p] == letter) << p;
    return places;
}

/* Return what a letter adds to the feedback number, by its places in the guess and in the secret.
 *
 * Each position is a digit in base 3. It is 2 if both words have the letter there. Of the letter's other positions in
 * the guess, the first ones are 1: as many as the secret has further places of the letter, or all if the rule is loose.
 * `held`, the places in the secret, is not 0.
 */
static uint32_t added(const Words *words, uint32_t places, uint32_t held)
{
    int spare = words->loose ? words->length : __builtin_popcount(held & ~places);
    uint32_t number = 0;
    for (int32_t p = 0; p < words->length; p++) {
        number *= 3;
        if (!(places >> p & 1))
            continue;
        if (held >> p & 1)
            number += 2;
        else if (spare-- > 0)
            number++;
    }
    return number;
}

/* Split the words of a game into parts. Return NULL if memory is short.
 *
 * Args:
 *     owner: owns `letters`, and then the result.
 *     letters: [guesses][length] numbers of letters, below `symbols`. As `length` is at most 12, a letter with its
 *         places has at most 28 bits.
 */
PAGE(page_words)
Words *page_words(void *owner, const uint16_t *letters, int32_t guesses, int32_t length, int32_t symbols, int32_t loose)
{
    Words *words = take(owner, 1, sizeof *words);
    int32_t *numbers = take(owner, (int64_t)symbols << length, sizeof *numbers); /* index of each part + 1, or 0 */
    int32_t *parts = take(owner, (int64_t)guesses * length, sizeof *parts);
    uint16_t *held = take(owner, symbols, sizeof *held);
    if (!words || !numbers || !parts || !held)
        return NULL;
    *words = (Words){letters, guesses, length, loose, 1, 0, parts, NULL, held};
    for (int pass = 0; pass < 2; pass++) { /* first count, then fill */
        for (int32_t guess = 0; guess < guesses; guess++) {
            const uint16_t *word = letters + guess * length;
            int32_t *own = parts + guess * words->width, count = 0;
            for (int32_t p = 0; p < length; p++) {
                uint32_t places = places_of(word, length, word[p]), key = (uint32_t)word[p] << length | places;
                if (places & ((UINT32_C(1) << p) - 1)) /* not the first position of the letter */
                    continue;
                if (numbers[key] == 0)
                    numbers[key] = words->part_count++;
                if (pass > 0) {
                    own[count] = numbers[key] - 1;
                    words->keys[own[count]] = key;
                }
                count++;
            }
            for (int32_t rest = count; pass > 0 && rest < words->width; rest++)
                own[rest] = words->part_count - 1;
            if (pass == 0 && count > words->width)
                words->width = count;
        }
        if (pass == 0 && (words->keys = take(owner, words->part_count, sizeof *words->keys)) == NULL)
            return NULL;
    }
    return words;
}

/* Games of words and tables. */

/* A node of a game of words or a table, and a policy. All arrays belong to the owner of the hint. */
typedef struct {
    SumGame game;
    SumSpace *space; /* does not belong to the owner: `page_close_sums` frees it */
    int32_t *place;  /* [guesses] index of each guess among the candidates, or -1 */
    Ranking best;
} SumHint;

/* Make a hint for a node of n candidates, which are the secrets of `game`. Return NULL if memory is short.
 *
 * Args:
 *     game: a game; this function sets its secrets (`secrets`, `homes`, `weights`) and its policy (`costs`, `credit`,
 *         `additive`).
 *     homes: [n] the index of each candidate among the guesses, in ascending order.
 *     weights: [n] weight of each candidate; the sum of all is at most 2^22.
 *     best: the capacity of the ranking of guesses.
 */
static SumHint *sum_hint(void *owner, SumGame game, const uint32_t *homes, const uint32_t *weights, int32_t n,
                         int32_t rule, int32_t best)
{
    SumHint *hint = take(owner, 1, sizeof *hint);
    int64_t *own = take(owner, n, sizeof *own), whole = 0;
    uint32_t *candidates = take(owner, n, sizeof *candidates);
    int32_t *place = take(owner, game.guesses, sizeof *place);
    Scored *list = take(owner, best, sizeof *list);
    if (!hint || !own || !candidates || !place || !list)
        return NULL;
    memset(place, -1, (size_t)game.guesses * sizeof *place);
    for (int32_t k = 0; k < n; k++) {
        whole += own[k] = weights[k];
        candidates[k] = (uint32_t)k;
        place[homes[k]] = k;
    }
    int64_t *costs = take(owner, whole + 1, sizeof *costs);
    if (!costs)
        return NULL;
    fill_costs(costs, whole, rule);
    game.homes = homes, game.weights = own, game.costs = costs, game.secrets = n;
    game.credit = credit_of(rule), game.additive = rule != MINIMAX;
    hint->game = game;
    hint->place = place;
    hint->best = (Ranking){0, best, list};
    hint->space = sum_space_new(&hint->game);
    if (hint->space == NULL)
        return NULL;
    if (load_sums(&hint->game, hint->space, candidates, n))
        return hint;
    memory_free(hint->space);
    return NULL;
}

/* Fill `sums` [part_count][n], as `SumGame.sums`, with numbers of `lane` bytes for n candidates. Before the call,
 * `sums` must be all 0. */
static void fill_sums(const Words *words, const uint32_t *candidates, int32_t n, int64_t lane, void *sums)
{
    int32_t length = words->length;
    for (int32_t k = 0; k < n; k++) {
        const uint16_t *word = words->letters + (int64_t)candidates[k] * length;
        for (int32_t p = 0; p < length; p++)
            words->held[word[p]] |= (uint16_t)(1 << p);
        for (int32_t part = 0; part < words->part_count - 1; part++) {
            uint32_t key = words->keys[part], held = words->held[key >> length];
            if (held == 0)
                continue;
            uint32_t number = added(words, key & ((UINT32_C(1) << length) - 1), held);
            int64_t at = (int64_t)part * n + k;
            if (lane == 1)
                ((uint8_t *)sums)[at] = (uint8_t)number;
            else if (lane == 2)
                ((uint16_t *)sums)[at] = (uint16_t)number;
            else
                ((uint32_t *)sums)[at] = number;
        }
        for (int32_t p = 0; p < length; p++)
            words->held[word[p]] = 0;
    }
}

/* Make a hint for a word game, with n candidates. Return NULL if memory is short.
 *
 * The arguments are as in `sum_hint`. Before the page frees the owner, it calls `page_close_sums`.
 */
PAGE(page_word_hint)
SumHint *page_word_hint(void *owner, const Words *words, uint32_t feedbacks, const uint32_t *homes,
                        const uint32_t *weights, int32_t n, int32_t rule, int32_t best)
{
    int64_t lane = feedbacks <= 1 << 8 ? 1 : feedbacks <= 1 << 16 ? 2 : 4;
    /* With a million words, this product needs 64 bits. */
    int64_t size = (int64_t)words->part_count * n * lane;
    void *sums = size > INT32_MAX ? NULL : take(owner, size, 1);
    if (sums == NULL)
        return NULL;
    fill_sums(words, homes, n, lane, sums);
    SumGame game = {.sums = sums, .parts = words->parts, .part_count = words->part_count, .guesses = words->guesses,
                    .width = words->width, .lane = lane, .feedbacks = feedbacks};
    return sum_hint(owner, game, homes, weights, n, rule, best);
}

/* Make a hint for a table, with n candidates. Return NULL if memory is short.
 *
 * Args:
 *     answers: [given][n] feedback number of each candidate to each guess that has a row in the table.
 *     parts: [guesses] index of the row of each guess; -1 for a guess that only asks whether one code is the secret.
 *
 * The other arguments are as in `sum_hint`. Before the page frees the owner, it calls `page_close_sums`.
 */
PAGE(page_table_hint)
SumHint *page_table_hint(void *owner, const uint16_t *answers, const int32_t *parts, int32_t given, int32_t guesses,
                         uint32_t feedbacks, const uint32_t *homes, const uint32_t *weights, int32_t n, int32_t rule,
                         int32_t best)
{
    SumGame game = {.sums = answers, .parts = parts, .part_count = given, .guesses = guesses, .width = 1, .lane = 2,
                    .feedbacks = feedbacks};
    return sum_hint(owner, game, homes, weights, n, rule, best);
}

PAGE(page_close_sums) void page_close_sums(SumHint *hint)
{
    memory_free(hint->space);
}

/* Score `count` guesses, and keep the best ones in the ranking. */
PAGE(page_score_sums) void page_score_sums(SumHint *hint, const uint32_t *guesses, int32_t count)
{
    const SumGame *game = &hint->game;
    Ranking *best = &hint->best;
    for (int32_t k = 0; k < count; k++) {
        int32_t place = hint->place[guesses[k]];
        int64_t own = place < 0 ? 0 : hint->space->weights[place];
        /* The score is `most` minus the cost. A cost of `enough` or more is too high for the ranking. */
        int64_t most = game->credit * own - hint->space->single, enough = INT64_MAX;
        if (best->count == best->width) {
            Scored last = best->list[best->width - 1];
            enough = most - last.score + is_better((Scored){last.score, guesses[k], place >= 0}, last);
        }
        int64_t cost = cost_of_guess(game, hint->space, guesses[k], own, enough);
        if (cost < enough)
            insert(best, (Scored){most - cost, guesses[k], place >= 0});
    }
}

/* List the best scored guesses: fill `out`, which has room for the ranking. Returns their number. */
PAGE(page_best_sums) int32_t page_best_sums(const SumHint *hint, uint32_t *out)
{
    return list_guesses(&hint->best, out);
}
