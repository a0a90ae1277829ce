#include "report.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <ostream>

namespace {

// Values of one kind, in the order of their size.
class Sample {
  public:
    template <typename Value>
    Sample(const std::vector<Timed> &queries, Value value) {
        for (const Timed &query : queries) values.push_back(value(query));
        std::sort(values.begin(), values.end());
    }

    Sample &without_zeros() {
        values.erase(values.begin(), std::upper_bound(values.begin(), values.end(), 0.0));
        return *this;
    }

    std::size_t count() const { return values.size(); }
    double sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
    double mean() const { return values.empty() ? 0 : sum() / static_cast<double>(values.size()); }
    double percentile(std::size_t percent) const {
        return values.empty() ? 0 : values[(values.size() - 1) * percent / 100];
    }
    double max() const { return percentile(100); }

  private:
    std::vector<double> values;
};

// The numbers of a result, or of many.
struct Figures {
    explicit Figures(const Result &result)
        : total(result.run.queries, [](const Timed &query) { return query.total / 1e3; }),
          first_steps(result.run.queries, [](const Timed &query) { return query.first_steps / 1e3; }),
          longest(result.run.queries, [](const Timed &query) { return query.longest / 1e3; }),
          change(result.run.queries, [](const Timed &query) { return query.change / 1e3; }) {
        change.without_zeros();
    }

    Sample total, first_steps, longest, change; // µs
};

void print(const Result &result) {
    Figures of(result);
    const Memory &memory = result.run.memory;
    std::printf("%-36s %8zu %6zu %9.3f %10.1f %8.3f %7.1f %7.1f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n",
                result.scenario.c_str(), result.checked.size(), result.wrong(), result.preprocessed.seconds,
                static_cast<double>(result.file_bytes) / 1e3, result.run.start_up / 1e6,
                static_cast<double>(memory.ready) / 1e3, static_cast<double>(memory.peak) / 1e3, of.change.mean(),
                of.total.mean(), of.total.percentile(50), of.total.percentile(99), of.total.max(),
                of.first_steps.mean());
    std::fflush(stdout);
}

void print_header() {
    std::printf("%-36s %8s %6s %9s %10s %8s %7s %7s %9s %9s %9s %9s %9s %9s\n", "scenario", "queries", "wrong", "pre s",
                "file kB", "start ms", "RSS MB", "peak MB", "change us", "query us", "median", "99 %", "max",
                "20 steps");
}

// All of them as if they were one: means of what is there once for each, the most of what is memory.
Result together(const std::vector<Result> &results) {
    Result all{"all " + std::to_string(results.size()), {}, 0, {}, {}};
    for (const Result &result : results) {
        Memory &memory = all.run.memory;
        all.preprocessed.seconds += result.preprocessed.seconds;
        all.preprocessed.peak = std::max(all.preprocessed.peak, result.preprocessed.peak);
        all.file_bytes += result.file_bytes;
        all.run.start_up += result.run.start_up / static_cast<double>(results.size());
        memory.ready = std::max(memory.ready, result.run.memory.ready);
        memory.peak = std::max(memory.peak, result.run.memory.peak);
        all.checked.insert(all.checked.end(), result.checked.begin(), result.checked.end());
        all.run.queries.insert(all.run.queries.end(), result.run.queries.begin(), result.run.queries.end());
    }
    return all;
}

} // namespace

std::size_t Result::count(Verdict verdict) const {
    auto is_so = [&](const Checked &query) { return query.judgement.verdict == verdict; };
    return static_cast<std::size_t>(std::count_if(checked.begin(), checked.end(), is_so));
}

std::size_t Result::differing() const {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < checked.size(); i++) differing += checked[i].hash != run.queries[i].hash;
    return differing;
}

std::size_t Result::wrong() const { return checked.size() - count(Verdict::Right) + differing(); }

std::size_t Table::wrong() const {
    return std::accumulate(results.begin(), results.end(), std::size_t{0},
                           [](std::size_t sum, const Result &result) { return sum + result.wrong(); });
}

void Table::add(const Result &result) {
    if (results.empty()) {
        std::printf("entry: %s\n", result.run.name.c_str());
        print_header();
    }
    print(result);
    results.push_back(result);
}

void Table::finish() const {
    if (results.size() > 1) print(together(results));
}

void Table::write_csv(std::ostream &out) const {
    out << "scenario,queries,illegal,longer,shorter,not_found,not_there,differing,preprocess_s,preprocess_peak_kB,file_"
           "bytes,start_up_us,rss_bare_kB,rss_ready_kB,rss_end_kB,"
           "rss_peak_kB,changes,change_mean_us,change_max_us,query_sum_us,query_mean_us,query_median_us,query_p95_us,"
           "query_p99_us,query_max_us,first_20_steps_mean_us,"
           "first_20_steps_max_us,longest_call_us\n";
    for (const Result &result : results) {
        Figures of(result);
        const Memory &memory = result.run.memory;
        out << result.scenario << ',' << result.checked.size();
        for (Verdict verdict :
             {Verdict::Illegal, Verdict::Longer, Verdict::Shorter, Verdict::NotFound, Verdict::NotThere})
            out << ',' << result.count(verdict);
        out << ',' << result.differing() << ',' << result.preprocessed.seconds << ',' << result.preprocessed.peak << ','
            << result.file_bytes << ',' << result.run.start_up / 1e3 << ',' << memory.bare << ',' << memory.ready << ','
            << memory.end << ',' << memory.peak << ',' << of.change.count() << ',' << of.change.mean() << ','
            << of.change.max() << ',' << of.total.sum() << ',' << of.total.mean() << ',' << of.total.percentile(50)
            << ',' << of.total.percentile(95) << ',' << of.total.percentile(99) << ',' << of.total.max() << ','
            << of.first_steps.mean() << ',' << of.first_steps.max() << ',' << of.longest.max() << '\n';
    }
}

void complain(const Result &result, const Game &game) {
    constexpr int MOST = 10;
    int told = 0;
    std::size_t number = 0;
    for (const Batch &batch : game.batches) {
        for (const Query &query : batch.queries) {
            const Checked &checked = result.checked[number];
            bool differs = checked.hash != result.run.queries[number].hash;
            number++;
            if ((checked.judgement.verdict == Verdict::Right && !differs) || told++ >= MOST) continue;
            std::fprintf(stderr, "%s: query %zu from %d,%d to %d,%d: %s\n", result.scenario.c_str(), number,
                         query.start.x, query.start.y, query.goal.x, query.goal.y,
                         differs ? "the path was another when it was timed" : checked.judgement.reason.c_str());
        }
    }
}
