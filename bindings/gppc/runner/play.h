// What one process does with an entry, and what it tells the one that has started it: preprocessing, a run that is
// checked and one that is timed are three processes, as in the competition.

#ifndef GPPC_RUNNER_PLAY_H
#define GPPC_RUNNER_PLAY_H

#include "entry.h"

#include <chrono>
#include <iosfwd>

// Preprocessing: how long it took, and the most memory that the process had.
struct Preprocessed {
    double seconds;
    std::int64_t peak; // kB
};

// In place of the hash of a path: that runs did not agree.
constexpr std::uint64_t DIFFERENT = 0;

// A query that was checked.
struct Checked {
    std::uint64_t hash; // of the path
    Judgement judgement;
};

// A query that was timed, in nanoseconds. As in the competition, a change of the map counts as time of the query that
// follows.
struct Timed {
    std::uint64_t hash;
    double change;      // 0 if the map has not changed
    double total;       // of all calls
    double first_steps; // until a path of 20 steps was known, or all of it
    double longest;     // of one call
};

// The memory of the process that was timed, in kB.
struct Memory {
    std::int64_t bare;  // before it began to search
    std::int64_t ready; // before the first query
    std::int64_t end;   // after the last
    std::int64_t peak;
};

struct Run {
    std::string name; // of the entry
    double start_up;  // ns
    Memory memory;
    std::vector<Timed> queries;
};

Preprocessed preprocess(Entry &entry, const Game &game, const std::string &file);
std::vector<Checked> check(Entry &entry, Game game, const std::string &file, bool oracle);
Run run(Entry &entry, Game game, const std::string &file);

// As text, for another process.
std::ostream &operator<<(std::ostream &out, const Preprocessed &preprocessed);
std::istream &operator>>(std::istream &in, Preprocessed &preprocessed);
std::ostream &operator<<(std::ostream &out, const std::vector<Checked> &queries);
std::istream &operator>>(std::istream &in, std::vector<Checked> &queries);
std::ostream &operator<<(std::ostream &out, const Run &run);
std::istream &operator>>(std::istream &in, Run &run);

#endif
