// Whether an answer is right. Nothing here knows octile.

#ifndef GPPC_RUNNER_JUDGE_H
#define GPPC_RUNNER_JUDGE_H

#include "game.h"

#include <optional>
#include <string>

using Points = std::vector<gppc_point>;

// What a path costs, exactly: moves along rows and columns, and moves along diagonals.
struct Cost {
    std::int64_t straight = 0, diagonal = 0;

    double length() const;
    std::string text() const; // as "3+2√2 (5.8284)"
    bool operator==(Cost other) const { return straight == other.straight && diagonal == other.diagonal; }
    bool operator<(Cost other) const;
};

Cost operator+(Cost a, Cost b);

enum class Verdict {
    Right,
    Illegal,  // no path: it does not begin or end where it should, or goes where nobody can
    Longer,   // not a shortest path
    Shorter,  // shorter than what the file takes for the shortest, and yet legal: the file is wrong
    NotFound, // there is a path, and the entry says that there is none
    NotThere, // the file says that there is no path, and yet this one is legal: the file is wrong
};

struct Judgement {
    Verdict verdict;
    std::string reason; // in words, if something is wrong
};

// Judges a complete answer by what the file says; and if `oracle` is set, exactly, by a search of its own.
Judgement judge(const Bitmap &map, const Query &query, const Points &path, bool oracle);

// The cost of a shortest path, found by the simplest search there is, or none.
std::optional<Cost> shortest(const Bitmap &map, gppc_point start, gppc_point goal);

#endif
