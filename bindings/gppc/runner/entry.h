// An entry of either track, loaded from its shared library and asked in one way.

#ifndef GPPC_RUNNER_ENTRY_H
#define GPPC_RUNNER_ENTRY_H

#include "judge.h"

#include <memory>
#include <string>

class Entry {
  public:
    virtual ~Entry() = default;

    virtual std::string name() const = 0;

    // Takes the map, which must stay where it is.
    virtual void take(const Bitmap &map) = 0;

    virtual void preprocess(const std::string &file) = 0;
    virtual void prepare(const std::string &file) = 0; // for queries
    virtual void change(const std::vector<gppc_patch> &patches) = 0;
    virtual void finish() = 0;

    // Calls the entry for a path, or for the rest of one of which `path` is known: this is timed.
    virtual void ask(gppc_point start, gppc_point goal, const Points &path) = 0;

    // Adds what it has answered to the path. True if the path is complete; throws BrokenRule if the answer is none.
    virtual bool collect(Points &path) = 0;
};

// An answer that the interface does not allow.
struct BrokenRule : std::runtime_error { using std::runtime_error::runtime_error; };

// Loads libGPPCentry.so; which track it is for is told by its symbols.
std::unique_ptr<Entry> load_entry(const std::string &library);

#endif
