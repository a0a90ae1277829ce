#include "play.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <ostream>

namespace {

using Clock = std::chrono::steady_clock;

// How long it takes, in nanoseconds.
template <typename Body>
double timed(Body body) {
    Clock::time_point begin = Clock::now();
    body();
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

// A line of /proc/self/status, such as VmRSS, the memory in use, or VmHWM, the most that was; in kB.
std::int64_t memory(const std::string &key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind(key + ":", 0) == 0) return std::stoll(line.substr(key.size() + 1));
    }
    throw Error("/proc/self/status does not tell " + key);
}

// In place of the hash of a path: that it broke a rule.
constexpr std::uint64_t BROKEN = 1;

// FNV-1a, over the coordinates of a path.
std::uint64_t hash(const Points &path) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (gppc_point at : path) {
        for (std::uint64_t value : {at.x, at.y}) hash = (hash ^ value) * 0x100000001b3;
    }
    return hash;
}

// Whether a path goes on for 20 steps. What is no path has a length all the same.
bool has_first_steps(const Points &path) {
    double length = 0;
    for (std::size_t i = 1; i < path.size() && length < 20; i++)
        length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
    return length >= 20 - 1e-6;
}

// Asks until the path is complete. The change before it belongs to its first call.
Timed ask(Entry &entry, const Query &query, double change, Points &path) {
    Timed times{};
    times.change = change;
    path.clear();
    bool is_complete = false, has_begun = false;
    for (double call = change; !is_complete; call = 0) {
        call += timed([&] { entry.ask(query.start, query.goal, path); });
        is_complete = entry.collect(path);
        times.total += call;
        times.longest = std::max(times.longest, call);
        if (!has_begun) times.first_steps = times.total;
        has_begun = has_begun || has_first_steps(path);
    }
    times.hash = hash(path);
    return times;
}

// Makes the changes of a batch, first to the map, and tells the entry; gives back how long that took it.
double change(Entry &entry, Game &game, const Batch &batch) {
    if (batch.changes.empty()) return 0;
    std::vector<gppc_patch> patches;
    for (const Change &change : batch.changes) {
        const Bitmap &patch = game.patches[change.patch];
        game.map.put(patch, change.at);
        patches.push_back(patch.as_patch(change.at));
    }
    return timed([&] { entry.change(patches); });
}

// Plays a game that the entry is ready for, and hands each query to `each`, with how long the change before it took.
template <typename Each>
void play(Entry &entry, Game &game, Each each) {
    for (const Batch &batch : game.batches) {
        double changed = change(entry, game, batch);
        for (const Query &query : batch.queries) {
            each(query, changed);
            changed = 0;
        }
    }
}

Checked checked(Entry &entry, const Game &game, const Query &query, bool oracle) {
    Points path;
    try {
        Timed times = ask(entry, query, 0, path);
        return {times.hash, judge(game.map, query, path, oracle)};
    } catch (const BrokenRule &rule) {
        return {BROKEN, {Verdict::Illegal, rule.what()}};
    }
}

Timed timed_query(Entry &entry, const Query &query, double change, Points &path) {
    try {
        return ask(entry, query, change, path);
    } catch (const BrokenRule &) {
        return {BROKEN, change, 0, 0, 0}; // it was judged when it was checked
    }
}

} // namespace

Preprocessed preprocess(Entry &entry, const Game &game, const std::string &file) {
    entry.take(game.map);
    double time = timed([&] { entry.preprocess(file); });
    return {time / 1e9, memory("VmHWM")};
}

std::vector<Checked> check(Entry &entry, Game game, const std::string &file, bool oracle) {
    std::vector<Checked> queries;
    entry.take(game.map);
    entry.prepare(file);
    play(entry, game, [&](const Query &query, double) { queries.push_back(checked(entry, game, query, oracle)); });
    entry.finish();
    return queries;
}

Run run(Entry &entry, Game game, const std::string &file) {
    Run run{entry.name(), 0, {}, {}};
    for (const Batch &batch : game.batches) run.queries.reserve(run.queries.capacity() + batch.queries.size());
    Points path;
    entry.take(game.map);
    run.memory.bare = memory("VmRSS");
    run.start_up = timed([&] { entry.prepare(file); });
    run.memory.ready = memory("VmRSS");
    play(entry, game,
         [&](const Query &query, double change) { run.queries.push_back(timed_query(entry, query, change, path)); });
    run.memory.end = memory("VmRSS");
    entry.finish();
    run.memory.peak = std::max(run.memory.end, memory("VmHWM")); // which is known a little late
    return run;
}

std::ostream &operator<<(std::ostream &out, const Preprocessed &preprocessed) {
    return out << preprocessed.seconds << ' ' << preprocessed.peak << '\n';
}

std::istream &operator>>(std::istream &in, Preprocessed &preprocessed) {
    return in >> preprocessed.seconds >> preprocessed.peak;
}

std::ostream &operator<<(std::ostream &out, const std::vector<Checked> &queries) {
    for (const Checked &query : queries)
        out << query.hash << ' ' << static_cast<int>(query.judgement.verdict) << ' ' << query.judgement.reason << '\n';
    return out;
}

std::istream &operator>>(std::istream &in, std::vector<Checked> &queries) {
    int verdict;
    for (Checked query; in >> query.hash >> verdict && std::getline(in.ignore(), query.judgement.reason);) {
        query.judgement.verdict = static_cast<Verdict>(verdict);
        queries.push_back(query);
    }
    return in;
}

std::ostream &operator<<(std::ostream &out, const Run &run) {
    const Memory &memory = run.memory;
    out << run.name << '\n'
        << run.start_up << ' ' << memory.bare << ' ' << memory.ready << ' ' << memory.end << ' ' << memory.peak << '\n';
    for (const Timed &query : run.queries) {
        out << query.hash << ' ' << query.change << ' ' << query.total << ' ' << query.first_steps << ' '
            << query.longest << '\n';
    }
    return out;
}

std::istream &operator>>(std::istream &in, Run &run) {
    Memory &memory = run.memory;
    std::getline(in, run.name);
    in >> run.start_up >> memory.bare >> memory.ready >> memory.end >> memory.peak;
    for (Timed query; in >> query.hash >> query.change >> query.total >> query.first_steps >> query.longest;)
        run.queries.push_back(query);
    return in;
}
