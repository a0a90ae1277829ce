// Plays scenarios with an entry of the grid path planning competition and judges every answer. See usage().

#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string entry;
    std::vector<fs::path> scenarios;
    std::size_t every = 1, rounds = 1;
    bool oracle = false, preprocesses = true;
    fs::path work, csv;
};

[[noreturn]] void usage() {
    std::fputs("usage: gppc-runner [OPTION...] libGPPCentry.so SCENARIO...\n"
               "\n"
               "Plays scenarios with an entry of either track. SCENARIO is NAME.map.scen with NAME.map beside it, or a "
               "dynamic scenario with its patches.\n"
               "Preprocessing, a run that is checked and a run that is timed are processes of their own. All paths "
               "must be legal, as short as the file says,\n"
               "and the same in both runs. Exits with 1 if one is not, with 2 if something else is wrong.\n"
               "\n"
               "  --every N    asks every N-th query only\n"
               "  --rounds N   times N runs and takes the best time of each query\n"
               "  --oracle     judges exactly, by a search of its own: slow\n"
               "  --csv FILE   writes all numbers\n"
               "  --work DIR   keeps what was preprocessed there, as NAME.pre\n"
               "  --no-pre     takes what is there\n",
               stderr);
    std::exit(2);
}

std::size_t count_of(const std::string &text) {
    char *end;
    unsigned long count = std::strtoul(text.c_str(), &end, 10);
    if (*end != '\0' || count == 0) throw Error("expected a number from 1, found `" + text + "`");
    return count;
}

Options options_of(std::vector<std::string> arguments) {
    Options options;
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < arguments.size(); i++) {
        const std::string &argument = arguments[i];
        auto value = [&] { return ++i < arguments.size() ? arguments[i] : (usage(), ""); };
        if (argument == "--every") {
            options.every = count_of(value());
        } else if (argument == "--rounds") {
            options.rounds = count_of(value());
        } else if (argument == "--oracle") {
            options.oracle = true;
        } else if (argument == "--csv") {
            options.csv = value();
        } else if (argument == "--work") {
            options.work = value();
        } else if (argument == "--no-pre") {
            options.preprocesses = false;
        } else if (argument.rfind("--", 0) == 0) {
            usage();
        } else {
            rest.push_back(argument);
        }
    }
    if (rest.size() < 2) usage();
    options.entry = rest[0];
    options.scenarios.assign(rest.begin() + 1, rest.end());
    return options;
}

// A folder that is gone at the end.
struct Folder {
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "gppc-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw Error(pattern + ": the folder cannot be made");
        path = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    fs::path path;
};

// What a process does that the runner has started: `--process WHAT ENTRY SCENARIO EVERY FILE RESULT`.
void serve(const std::vector<std::string> &arguments) {
    const std::string &what = arguments[1], &file = arguments[5];
    dup2(STDERR_FILENO, STDOUT_FILENO); // what an entry prints is no part of the table
    std::unique_ptr<Entry> entry = load_entry(arguments[2]);
    Game game = load_game(arguments[3], count_of(arguments[4]));
    std::ofstream result(arguments[6]);
    result.precision(12);
    if (what == "preprocess") {
        result << preprocess(*entry, game, file);
    } else if (what == "run") {
        result << run(*entry, std::move(game), file);
    } else {
        result << check(*entry, std::move(game), file, what == "check-exactly");
    }
}

// Starts this program once more, waits for it, and reads what it has to tell.
template <typename Answer>
Answer process(const std::string &what, const Options &options, const fs::path &scenario, const fs::path &file,
               const fs::path &result) {
    std::string every = std::to_string(options.every);
    const char *arguments[] = {"gppc-runner",         "--process",      what.c_str(),
                               options.entry.c_str(), scenario.c_str(), every.c_str(),
                               file.c_str(),          result.c_str(),   nullptr};
    std::fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", const_cast<char *const *>(arguments));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) throw Error("a process cannot be started");
    if (WIFSIGNALED(status))
        throw Error(scenario.string() + ": the entry was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                    what + ")");
    if (status != 0) throw Error(scenario.string() + ": the entry could not be asked (" + what + ")");
    std::ifstream in(result);
    Answer answer{};
    in >> answer;
    return answer;
}

std::size_t queries_of(const Game &game) {
    std::size_t count = 0;
    for (const Batch &batch : game.batches) count += batch.queries.size();
    return count;
}

// Takes what another run was faster at, query by query.
void improve(Run &best, const Run &next) {
    best.start_up = std::min(best.start_up, next.start_up);
    for (std::size_t i = 0; i < std::min(best.queries.size(), next.queries.size()); i++) {
        Timed &query = best.queries[i];
        const Timed &other = next.queries[i];
        query = {query.hash == other.hash ? query.hash : DIFFERENT, std::min(query.change, other.change),
                 std::min(query.total, other.total), std::min(query.first_steps, other.first_steps),
                 std::min(query.longest, other.longest)};
    }
}

Run timed_runs(const Options &options, const fs::path &scenario, const fs::path &file, const fs::path &result) {
    Run best = process<Run>("run", options, scenario, file, result);
    for (std::size_t round = 1; round < options.rounds; round++)
        improve(best, process<Run>("run", options, scenario, file, result));
    return best;
}

Result play_scenario(const Options &options, const fs::path &scenario, const fs::path &work) {
    Game game = load_game(scenario, options.every);
    fs::path file = work / (scenario.stem().string() + ".pre");
    fs::path answers = work / "answers";
    Result result{(scenario.parent_path().filename() / scenario.filename()).string(), {}, 0, {}, {}};
    if (options.preprocesses) {
        fs::remove(file);
        result.preprocessed = process<Preprocessed>("preprocess", options, scenario, file, answers);
    }
    std::error_code is_missing;
    std::uintmax_t bytes = fs::file_size(file, is_missing);
    result.file_bytes = is_missing ? 0 : bytes;
    result.checked =
        process<std::vector<Checked>>(options.oracle ? "check-exactly" : "check", options, scenario, file, answers);
    result.run = timed_runs(options, scenario, file, answers);
    fs::remove(answers);
    if (options.work.empty()) fs::remove(file);
    if (result.checked.size() != queries_of(game) || result.run.queries.size() != queries_of(game))
        throw Error(scenario.string() + ": answers are missing");
    complain(result, game);
    return result;
}

int play_all(const Options &options) {
    Folder folder;
    if (!options.work.empty()) fs::create_directories(options.work);
    Table table;
    for (const fs::path &scenario : options.scenarios) {
        table.add(play_scenario(options, fs::absolute(scenario), options.work.empty() ? folder.path : options.work));
    }
    table.finish();
    if (!options.csv.empty()) {
        std::ofstream csv(options.csv);
        table.write_csv(csv);
        if (!csv.flush()) throw Error(options.csv.string() + ": the file cannot be written");
    }
    return table.wrong() == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
    std::vector<std::string> arguments(words + 1, words + count);
    try {
        if (arguments.size() != 7 || arguments[0] != "--process") return play_all(options_of(arguments));
        serve(arguments);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "gppc-runner: %s\n", error.what());
        return 2;
    }
}
