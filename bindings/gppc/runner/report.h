// What is told of a game that was played.

#ifndef GPPC_RUNNER_REPORT_H
#define GPPC_RUNNER_REPORT_H

#include "play.h"

// All about one scenario.
struct Result {
    std::string scenario;
    Preprocessed preprocessed;
    std::uintmax_t file_bytes; // of what was prepared
    std::vector<Checked> checked;
    Run run;

    std::size_t wrong() const;
    std::size_t count(Verdict verdict) const;
    std::size_t differing() const; // paths that were others when they were timed
};

// One after the other as they come in: a table for people on stdout, and at the end a line for all together.
class Table {
  public:
    void add(const Result &result);
    void finish() const;

    // All columns of what came in, for programs.
    void write_csv(std::ostream &out) const;

    std::size_t wrong() const;

  private:
    std::vector<Result> results;
};

// Says on stderr what is wrong with answers, of the first ten.
void complain(const Result &result, const Game &game);

#endif
