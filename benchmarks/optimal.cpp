// A reference program for optimal play: the least total number of guesses for all secrets of a game.
//
//     g++ -O3 -march=native -o optimal optimal.cpp
//     ./optimal PEGS COLORS REPEATS                REPEATS: 1 or 0; 4 6 1 gives 5625
//     ./optimal PEGS COLORS black                  black pegs alone; 4 6 black gives 8859
//     ./optimal FILE                               a table
//
// FILE contains integers: the number of guesses, the number of secrets, the weight of each secret, and
// for each guess the feedback for each secret: 0 if the guess names the secret, else 1, 2, ... For
// every secret, some guess names it.
//
// A depth-first branch and bound on one thread that prints a line of JSON. It uses only:
// - a table of all feedbacks;
// - a lower bound from the number of candidates or from their weights; guesses are tried by bound;
// - symmetry, except in tables: of equivalent guesses, only the first is tried;
// - equal partitions: of guesses with the same partition, only the first is tried;
// - a table of the results for sets of candidates.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

constexpr int MOST_PEGS = 8, MOST_COLORS = 16, MOST_FEEDBACKS = 64;
constexpr int8_t FREE = -1;

using Index = uint16_t;
using Name = uint64_t;  // the hash of a set of codes: the exclusive or of a random number for each code

struct Code {
    int8_t color[MOST_PEGS];
};

// A permutation of the pegs, and the map of colors that keeps every previous guess unchanged. With
// black pegs alone, each peg has its own map of colors; otherwise all pegs share one.
struct Symmetry {
    int8_t from[MOST_PEGS];
    int8_t to[MOST_PEGS][MOST_COLORS];  // FREE if no previous guess has the color
    uint32_t taken[MOST_PEGS] = {0};    // the colors that `to` maps to
};

using Symmetries = std::vector<Symmetry>;

class Game {
public:
    int pegs = 0, colors = 0, feedbacks = 0, win = 0;
    bool black = false;
    std::vector<Code> codes;  // empty for a table
    size_t guesses = 0;
    std::vector<int> weights;  // of the secrets

    Game(int pegs, int colors, bool repeats, bool black) : pegs(pegs), colors(colors), black(black) {
        Code code{};
        fill(code, 0, repeats);
        compare();
        guesses = codes.size();
        weights.assign(codes.size(), 1);
    }

    explicit Game(std::istream& file) {
        size_t secrets = 0;
        file >> guesses >> secrets;
        weights.resize(secrets);
        for (int& weight : weights) file >> weight;
        // The heaviest secrets first; see `Search::bound`.
        std::vector<size_t> place(secrets);
        std::iota(place.begin(), place.end(), 0);
        std::stable_sort(place.begin(), place.end(), [&](size_t a, size_t b) { return weights[a] > weights[b]; });
        std::vector<int> row(secrets);
        for (size_t guess = 0; guess < guesses; ++guess) {
            for (int& answer : row) {
                file >> answer;
                feedbacks = std::max(feedbacks, answer + 1);
            }
            for (size_t secret : place) table.push_back(row[secret]);
        }
        std::sort(weights.rbegin(), weights.rend());
    }

    const uint8_t* row(int guess) const { return &table[guess * weights.size()]; }

private:
    std::vector<uint8_t> table;

    void fill(Code& code, int peg, bool repeats) {
        if (peg == pegs) return codes.push_back(code);
        for (int color = 0; color < colors; ++color) {
            if (!repeats && std::count(code.color, code.color + peg, color)) continue;
            code.color[peg] = color;
            fill(code, peg + 1, repeats);
        }
    }

    // Feedbacks are numbered in the order of their appearance, so every number is a possible feedback.
    void compare() {
        std::map<std::pair<int, int>, int> number;
        table.reserve(codes.size() * codes.size());
        for (const Code& guess : codes)
            for (const Code& secret : codes) {
                int blacks = 0, both = 0, left[MOST_COLORS] = {0};
                for (int i = 0; i < pegs; ++i) {
                    blacks += guess.color[i] == secret.color[i];
                    ++left[secret.color[i]];
                }
                for (int i = 0; i < pegs; ++i) both += left[guess.color[i]]-- > 0;
                auto entry = number.try_emplace({blacks, black ? 0 : both}, number.size()).first;
                table.push_back(entry->second);
            }
        feedbacks = number.size();
        win = number[{pegs, black ? 0 : pegs}];
    }
};

// Apply a symmetry to a guess, and map free colors to the lowest unused ones. The result is negative if
// the image is a lower guess, 0 if it is the same guess, and positive if it is a higher one. If it is
// the same, the symmetry then includes the colors of the guess.
int move(const Game& game, const Code& guess, Symmetry& symmetry) {
    for (int i = 0; i < game.pegs; ++i) {
        int peg = game.black ? i : 0;
        int8_t& to = symmetry.to[peg][guess.color[int(symmetry.from[i])]];
        if (to == FREE) {
            to = __builtin_ctz(~symmetry.taken[peg]);
            symmetry.taken[peg] |= 1u << to;
        }
        if (to != guess.color[i]) return to - guess.color[i];
    }
    return 0;
}

// Whether no symmetry maps the guess to a lower one.
bool is_first(const Game& game, const Code& guess, const Symmetries& symmetries) {
    return std::none_of(symmetries.begin(), symmetries.end(),
                        [&](Symmetry symmetry) { return move(game, guess, symmetry) < 0; });
}

// The symmetries that keep the guess unchanged.
Symmetries after(const Game& game, const Code& guess, const Symmetries& symmetries) {
    Symmetries kept;
    for (Symmetry symmetry : symmetries)
        if (move(game, guess, symmetry) == 0) kept.push_back(symmetry);
    return kept;
}

Symmetries all_symmetries(const Game& game) {
    Symmetries all;
    std::vector<int> order(game.pegs);
    std::iota(order.begin(), order.end(), 0);
    do {
        Symmetry next;
        for (int i = 0; i < game.pegs; ++i) next.from[i] = order[i];
        std::memset(next.to, FREE, sizeof next.to);
        all.push_back(next);
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
}

// The partition of the candidates by a guess: the size of each cell; `members` has one cell after another.
struct Partition {
    int count[MOST_FEEDBACKS] = {0};
    int start[MOST_FEEDBACKS];
    Name name[MOST_FEEDBACKS] = {0};
    std::vector<Index> members;
};

class Search {
public:
    unsigned long long nodes_scored = 0;

    explicit Search(const Game& game) : game(game), key(game.weights.size()) {
        plain = std::all_of(game.weights.begin(), game.weights.end(), [](int weight) { return weight == 1; });
        std::mt19937_64 random(20);
        for (Name& name : key) name = random();
        // With k feedbacks other than the win, a tree has at most k^(d-1) guesses at depth d.
        int64_t room = 1;
        for (int depth = 1; floor.size() <= key.size(); ++depth) {
            for (int64_t i = 0; i < room && floor.size() <= key.size(); ++i) floor.push_back(floor.back() + depth);
            room *= std::max(1, game.feedbacks - 1);
        }
    }

    int solve() {
        std::vector<Index> all(key.size());
        std::iota(all.begin(), all.end(), 0);
        return least(all.data(), all.size(), INT32_MAX, game.codes.empty() ? Symmetries() : all_symmetries(game));
    }

    size_t sets() const { return known.size(); }

private:
    struct Known {
        int total = 0;  // exact, or a lower bound
        bool exact = false;
    };
    struct Option {
        int bound;
        bool impossible;  // the guess is not a candidate
        Index guess;

        bool operator<(const Option& other) const {
            if (bound != other.bound) return bound < other.bound;
            if (impossible != other.impossible) return other.impossible;
            return guess < other.guess;
        }
    };

    const Game& game;
    std::vector<Name> key;
    bool plain;                    // all weights are 1
    std::vector<int> floor = {0};  // lower bounds by the number of candidates of weight 1
    std::unordered_map<Name, Known> known;

    // A lower bound. Any k candidates take at least floor[k] guesses in total, also the k heaviest, which
    // come first. So the i-th candidate counts by the i-th difference of `floor`.
    int bound(const Index* set, int n) const {
        if (plain) return floor[n];
        int total = 0;
        for (int i = 0; i < n; ++i) total += game.weights[set[i]] * (floor[i + 1] - floor[i]);
        return total;
    }

    // The least total of guesses for all n candidates if it is below `roof`; otherwise a lower bound
    // that is at least `roof`.
    int least(const Index* set, int n, int roof, const Symmetries& symmetries) {
        int low = bound(set, n);
        if (n <= 2 || low >= roof) return low;
        Name name = 0;
        for (int i = 0; i < n; ++i) name ^= key[set[i]];
        auto found = known.find(name);
        if (found != known.end() && (found->second.exact || found->second.total >= roof)) return found->second.total;
        int total = easy(set, n);
        if (total) {
            known[name] = {total, true};
            return total;
        }
        ++nodes_scored;
        int best = roof;
        std::unordered_set<Name> tried;
        Partition partition;
        for (const Option& option : options(set, n, roof, symmetries)) {
            if (option.bound >= best) break;
            split(set, n, option.guess, partition);
            if (!tried.insert(name_of(partition)).second) continue;
            best = std::min(best, total_of(partition, option.guess, n, best, symmetries));
        }
        // Keep the better one of two lower bounds.
        Known& entry = known[name];
        if (best < roof) entry = {best, true};
        else entry.total = std::max(entry.total, roof);
        return entry.total;
    }

    // The total if a candidate tells all others apart, or for three candidates; else 0.
    int easy(const Index* set, int n) const {
        // In a table, the index of a secret is not the index of the guess that names it.
        if (n > game.feedbacks || game.codes.empty()) return 0;
        for (int j = 0; j < n; ++j) {
            const uint8_t* row = game.row(set[j]);
            uint64_t seen = 0;
            int i = 0;
            for (; i < n && !(seen >> row[set[i]] & 1); ++i) seen |= 1ull << row[set[i]];
            if (i == n) return 2 * n - 1;
        }
        return n == 3 ? 6 : 0;
    }

    // The guesses that may give a total below `roof`, the lowest bounds first.
    std::vector<Option> options(const Index* set, int n, int roof, const Symmetries& symmetries) const {
        std::vector<Option> found;
        int every = weight_of(set, n);
        for (size_t guess = 0; guess < game.guesses; ++guess) {
            const uint8_t* row = game.row(guess);
            int count[MOST_FEEDBACKS] = {0}, bound = every;
            for (int i = 0; i < n; ++i) {
                int& met = count[row[set[i]]];
                if (row[set[i]] != game.win) bound += game.weights[set[i]] * (floor[met + 1] - floor[met]);
                ++met;
            }
            if (count[row[set[0]]] == n) continue;  // the guess gives no information
            if (bound < roof) found.push_back({bound, !count[game.win], Index(guess)});
        }
        if (symmetries.size() > 1)
            found.erase(std::remove_if(found.begin(), found.end(),
                                       [&](const Option& option) {
                                           return !is_first(game, game.codes[option.guess], symmetries);
                                       }),
                        found.end());
        std::sort(found.begin(), found.end());
        return found;
    }

    int weight_of(const Index* set, int n) const {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += game.weights[set[i]];
        return sum;
    }

    void split(const Index* set, int n, int guess, Partition& partition) const {
        const uint8_t* row = game.row(guess);
        std::fill(partition.count, partition.count + game.feedbacks, 0);
        std::fill(partition.name, partition.name + game.feedbacks, 0);
        for (int i = 0; i < n; ++i) {
            ++partition.count[row[set[i]]];
            partition.name[row[set[i]]] ^= key[set[i]];
        }
        int next[MOST_FEEDBACKS], end = 0;
        for (int f = 0; f < game.feedbacks; ++f) {
            partition.start[f] = next[f] = end;
            end += partition.count[f];
        }
        partition.members.resize(n);
        for (int i = 0; i < n; ++i) partition.members[next[row[set[i]]]++] = set[i];
    }

    // A hash that is equal for equal cells in any order, if the winning cell is the same.
    Name name_of(const Partition& partition) const {
        Name sum = partition.name[game.win];
        for (int f = 0; f < game.feedbacks; ++f) sum += partition.name[f] * partition.name[f];
        return sum;
    }

    // The least total after a guess if it is below `roof`, otherwise a number that is at least `roof`.
    int total_of(const Partition& partition, int guess, int n, int roof, const Symmetries& symmetries) {
        int low[MOST_FEEDBACKS], open[MOST_FEEDBACKS], opened = 0;
        int total = weight_of(partition.members.data(), n);
        for (int f = 0; f < game.feedbacks; ++f) {
            int size = partition.count[f];
            if (f == game.win || size == 0) continue;
            low[f] = bound(&partition.members[partition.start[f]], size);
            if (size > 2) {
                auto found = known.find(partition.name[f]);
                if (found != known.end()) low[f] = std::max(low[f], found->second.total);
                open[opened++] = f;
            }
            total += low[f];
        }
        if (total >= roof) return total;
        // Small cells are cheap to search, and may already show that the guess is no better.
        std::sort(open, open + opened, [&](int a, int b) { return partition.count[a] < partition.count[b]; });
        Symmetries left;
        if (symmetries.size() > 1) left = after(game, game.codes[guess], symmetries);
        for (int i = 0; i < opened && total < roof; ++i) {
            int f = open[i];
            const Index* cell = &partition.members[partition.start[f]];
            total -= low[f];
            total += least(cell, partition.count[f], roof - total, left);
        }
        return total;
    }
};

int main(int count, char** argument) {
    if (count == 2) {
        std::ifstream file(argument[1]);
        Game game(file);
        Search search(game);
        int total = search.solve();
        bool whole = bool(file) && game.feedbacks <= MOST_FEEDBACKS;
        std::printf("{\"total\": %d, \"nodes_scored\": %llu, \"sets\": %zu, \"seconds\": %.2f}\n", total,
                    search.nodes_scored, search.sets(), double(std::clock()) / CLOCKS_PER_SEC);
        return whole ? 0 : 1;
    }
    int pegs = count == 4 ? std::atoi(argument[1]) : 0, colors = count == 4 ? std::atoi(argument[2]) : 0;
    bool black = count == 4 && !std::strcmp(argument[3], "black");
    bool repeats = black || (count == 4 && std::atoi(argument[3]));
    if (pegs < 1 || pegs > MOST_PEGS || colors < (repeats ? 1 : pegs) || colors > MOST_COLORS) {
        std::fprintf(stderr, "usage: optimal PEGS COLORS REPEATS (at most %d pegs and %d colors)\n"
                             "       optimal PEGS COLORS black\n       optimal FILE\n", MOST_PEGS, MOST_COLORS);
        return 2;
    }
    Game game(pegs, colors, repeats, black);
    Search search(game);
    int total = search.solve();
    std::printf("{\"pegs\": %d, \"colors\": %d, \"repeats\": %s, \"total\": %d, \"nodes_scored\": %llu, \"sets\": %zu, "
                "\"seconds\": %.2f}\n",
                pegs, colors, repeats ? "true" : "false", total, search.nodes_scored, search.sets(),
                double(std::clock()) / CLOCKS_PER_SEC);
}
