// A reference program for one-step policies: the search as in a textbook.
//
//     g++ -O3 -march=native -o naive naive.cpp
//     ./naive code PEGS COLORS REPEATS POLICY      REPEATS: 1 or 0
//     ./naive words SECRETS GUESSES POLICY         two files of words
//     ./naive words SECRETS GUESSES POLICY WEIGHTS the same, with a file of the weights of the secrets
//     POLICY: entropy, minimax, expected, parts or entropy-corrected
//
// At every node, it scores every guess by the feedbacks of all candidates. It uses no symmetry and no
// bounds, runs on one thread, and prints the numbers of guesses as a line of JSON. With weights, each
// secret counts by its weight. Scores and ties follow docs/reference/FORMAT.md, so totals equal those
// of Guessbook. Compare seconds only with seconds of the same run.

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using Clock = std::chrono::steady_clock;
using Indices = std::vector<int>;

enum class Policy { entropy, minimax, expected, parts, corrected };
using Weights = std::vector<int64_t>;

[[noreturn]] void stop(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
}

Policy policy_of(const std::string& name) {
    const std::map<std::string, Policy> known = {{"entropy", Policy::entropy},
                                                 {"minimax", Policy::minimax},
                                                 {"expected", Policy::expected},
                                                 {"parts", Policy::parts},
                                                 {"entropy-corrected", Policy::corrected}};
    auto found = known.find(name);
    if (found == known.end()) stop("unknown policy " + name + "; give entropy, minimax, expected, parts or entropy-corrected");
    return found->second;
}

// n times the logarithm of n, for each n up to `most`. A logarithm is the sum of the logarithms of the
// prime factors, each rounded to a multiple of 2^-36 bits, so equal entropies are equal numbers.
std::vector<int64_t> entropy_costs(int64_t most) {
    std::vector<int64_t> logarithm(most + 1, 0), cost(most + 1, 0);
    for (int64_t n = 2; n <= most; ++n) {
        int64_t factor = 2;
        while (factor * factor <= n && n % factor) ++factor;
        bool prime = factor * factor > n;
        logarithm[n] = prime ? std::llround(std::ldexp(std::log2(n), 36)) : logarithm[factor] + logarithm[n / factor];
        cost[n] = n * logarithm[n];
    }
    return cost;
}

// A game as the search sees it; `feedback(guess, secret)` is a number below `feedbacks`.
template <class Feedback>
struct Game {
    int guesses;
    Indices guess_of;  // for each secret, the index of the guess that is the same code or word
    int feedbacks;
    int win;
    Feedback feedback;
};

template <class Feedback>
class Search {
public:
    Search(const Game<Feedback>& game, Policy policy, const Weights& weight)
        : game(game), policy(policy), weight(weight), own(game.guesses, 0), count(game.feedbacks) {
        for (size_t secret = 0; secret < weight.size(); ++secret) own[game.guess_of[secret]] = weight[secret];
        cost = entropy_costs(std::accumulate(weight.begin(), weight.end(), int64_t(0)));
    }

    // Follow the policy to every candidate; the next guess has the number `depth`, from 1.
    void play(const Indices& candidates, int depth) {
        if (candidates.size() == 1) return solved(candidates[0], depth);
        int guess = chosen(candidates);
        std::vector<Indices> cell(game.feedbacks);
        for (int secret : candidates) cell[game.feedback(guess, secret)].push_back(secret);
        for (int f = 0; f < game.feedbacks; ++f) {
            if (cell[f].empty()) continue;
            if (f == game.win) solved(cell[f][0], depth);
            else play(cell[f], depth + 1);
        }
    }

    void print(double seconds) const {
        long long total = 0, secrets = 0;
        std::string distribution;
        for (auto [guesses, times] : solved_at) {
            total += guesses * times;
            secrets += times;
            distribution += (distribution.empty() ? "\"" : ", \"") + std::to_string(guesses) + "\": " + std::to_string(times);
        }
        std::printf("{\"total_guesses\": %lld, \"secrets\": %lld, \"mean_guesses\": %.6f, \"max_guesses\": %d, "
                    "\"distribution\": {%s}, \"seconds\": %.3f}\n",
                    total, secrets, double(total) / secrets, solved_at.rbegin()->first, distribution.c_str(), seconds);
    }

private:
    const Game<Feedback>& game;
    Policy policy;
    Weights weight, own;  // of each secret; of each guess that is a secret
    std::vector<int64_t> cost, count;
    std::map<int, long long> solved_at;

    void solved(int secret, int depth) { solved_at[depth] += weight[secret]; }

    // The guess with the best score; ties go to candidates, then to the lowest index.
    int chosen(const Indices& candidates) {
        std::vector<char> possible(game.guesses, 0);
        for (int secret : candidates) possible[game.guess_of[secret]] = 1;
        int best = -1;
        int64_t high = INT64_MIN;
        for (int guess = 0; guess < game.guesses; ++guess) {
            std::fill(count.begin(), count.end(), 0);
            for (int secret : candidates) count[game.feedback(guess, secret)] += weight[secret];
            int64_t now = score();
            if (policy == Policy::corrected && possible[guess]) now += own[guess] * (int64_t(2) << 36);
            if (now > high || (now == high && possible[guess] > possible[best])) {
                high = now;
                best = guess;
            }
        }
        return best;
    }

    // The score of the partition in `count`; higher is better.
    int64_t score() const {
        int64_t sum = 0;
        switch (policy) {
            case Policy::minimax: return -*std::max_element(count.begin(), count.end());
            case Policy::entropy:
            case Policy::corrected:
                for (int64_t n : count) sum -= cost[n];
                break;
            case Policy::expected:
                for (int64_t n : count) sum -= n * n;
                break;
            case Policy::parts:
                for (int64_t n : count) sum += n > 0;
        }
        return sum;
    }
};

template <class Feedback>
void run(const Game<Feedback>& game, Policy policy, Clock::time_point start, Weights weight = {}) {
    if (weight.empty()) weight.assign(game.guess_of.size(), 1);
    if (weight.size() != game.guess_of.size()) stop("the numbers of weights and of secrets differ; give one weight for each secret");
    Search<Feedback> search(game, policy, weight);
    Indices all(game.guess_of.size());
    std::iota(all.begin(), all.end(), 0);
    search.play(all, 1);
    search.print(std::chrono::duration<double>(Clock::now() - start).count());
}

// A code as two sets of bits. The common bits of two codes give the feedback: the number of blacks in
// `exact`, the number of blacks and whites together in `loose`.
struct Code {
    uint64_t exact = 0;  // a bit for each symbol at each position
    uint64_t loose = 0;  // for each symbol, a field with one bit per occurrence in the code
};

// Add all codes that begin with `begun`, in order.
void add_codes(const Indices& begun, int pegs, int colors, bool repeats, std::vector<Code>& codes) {
    if (int(begun.size()) == pegs) {
        Code code;
        Indices seen(colors, 0);
        for (int i = 0; i < pegs; ++i) {
            code.exact |= 1ull << (i * colors + begun[i]);
            code.loose |= 1ull << (begun[i] * pegs + seen[begun[i]]++);
        }
        codes.push_back(code);
        return;
    }
    for (int color = 0; color < colors; ++color) {
        if (!repeats && std::count(begun.begin(), begun.end(), color)) continue;
        Indices longer = begun;
        longer.push_back(color);
        add_codes(longer, pegs, colors, repeats, codes);
    }
}

void play_codes(int pegs, int colors, bool repeats, Policy policy) {
    if (pegs < 1 || colors < 1 || pegs * colors > 64) stop("PEGS * COLORS must be from 1 to 64, because a code takes 64 bits");
    auto start = Clock::now();
    std::vector<Code> codes;
    add_codes({}, pegs, colors, repeats, codes);
    if (codes.empty()) stop("the game has no codes; without repeats, give at least as many colors as pegs");
    Indices same(codes.size());
    std::iota(same.begin(), same.end(), 0);
    int base = pegs + 1;
    auto feedback = [&codes, base](int guess, int secret) {
        int black = __builtin_popcountll(codes[guess].exact & codes[secret].exact);
        int both = __builtin_popcountll(codes[guess].loose & codes[secret].loose);
        return both * base + black;
    };
    run(Game<decltype(feedback)>{int(codes.size()), same, base * base, pegs * base + pegs, feedback}, policy, start);
}

// The feedback of Wordle as a number in base 3, with the digits 2 for green, 1 for yellow, 0 for grey.
uint16_t pattern(const std::string& guess, const std::string& secret) {
    int left[256] = {0};
    for (size_t i = 0; i < guess.size(); ++i)
        if (guess[i] != secret[i]) ++left[uint8_t(secret[i])];
    int number = 0;
    for (size_t i = 0; i < guess.size(); ++i) {
        int digit = guess[i] == secret[i] ? 2 : left[uint8_t(guess[i])]-- > 0;
        number = 3 * number + digit;
    }
    return number;
}

std::vector<std::string> words_in(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> words;
    for (std::string word; file >> word;) words.push_back(word);
    if (words.empty()) stop(path + " contains no words");
    return words;
}

void play_words(const std::string& secrets_path, const std::string& guesses_path, Policy policy,
                const std::string& weights_path) {
    Weights weight;
    if (!weights_path.empty())
        for (const std::string& number : words_in(weights_path)) weight.push_back(std::atoll(number.c_str()));
    auto secrets = words_in(secrets_path), guesses = words_in(guesses_path);
    auto start = Clock::now();
    size_t length = secrets[0].size();
    if (length > 10) stop("words may have at most 10 letters, because a feedback takes 16 bits");
    std::unordered_map<std::string, int> place;
    for (size_t i = 0; i < guesses.size(); ++i) place[guesses[i]] = i;
    Indices guess_of;
    for (const std::string& secret : secrets) {
        if (!place.count(secret)) stop("the secret " + secret + " is not among the guesses");
        guess_of.push_back(place[secret]);
    }
    std::vector<std::vector<uint16_t>> table;
    for (const std::string& guess : guesses) {
        if (guess.size() != length) stop("the word " + guess + " does not have " + std::to_string(length) + " letters");
        table.emplace_back();
        for (const std::string& secret : secrets) table.back().push_back(pattern(guess, secret));
    }
    int feedbacks = std::lround(std::pow(3, length));
    auto feedback = [&table](int guess, int secret) { return int(table[guess][secret]); };
    run(Game<decltype(feedback)>{int(guesses.size()), guess_of, feedbacks, feedbacks - 1, feedback}, policy, start, weight);
}

int main(int count, char** argument) {
    std::string kind = count > 1 ? argument[1] : "";
    if (kind == "code" && count == 6)
        play_codes(std::atoi(argument[2]), std::atoi(argument[3]), std::atoi(argument[4]), policy_of(argument[5]));
    else if (kind == "words" && (count == 5 || count == 6))
        play_words(argument[2], argument[3], policy_of(argument[4]), count == 6 ? argument[5] : "");
    else
        stop("usage: naive code PEGS COLORS REPEATS POLICY | naive words SECRETS GUESSES POLICY [WEIGHTS]");
}
