#include "entry.h"

#include "../interface/classic.h"

#include <dlfcn.h>
#include <typeinfo>

namespace {

// The symbol of a global C++ function with these arguments, by the rules that gcc and clang follow: the name of a type
// `void(Arguments...)` is "Fv", its arguments and "E", and the symbol has the same arguments behind the name. What it
// returns is no part of it.
template <typename... Arguments>
std::string symbol(const std::string &name) {
    std::string type = typeid(void(Arguments...)).name();
    return "_Z" + std::to_string(name.size()) + name + type.substr(2, type.size() - 3);
}

// The one function whose symbol tells of its std::string, which it returns and does not take: of the newer kind, where
// there are two.
#if _GLIBCXX_USE_CXX11_ABI
constexpr const char *GET_NAME = "_Z7GetNameB5cxx11v";
#else
constexpr const char *GET_NAME = "_Z7GetNamev";
#endif

template <typename Function>
void find(void *library, const std::string &symbol, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(library, symbol.c_str()));
    if (function == nullptr) throw Error(dlerror());
}

class Dynamic : public Entry {
  public:
    explicit Dynamic(void *library) {
        find(library, "gppc_preprocess_init_map", preprocess_init_map);
        find(library, "gppc_search_init", search_init);
        find(library, "gppc_map_change", map_change);
        find(library, "gppc_get_path", get_path);
        find(library, "gppc_free_data", free_data);
        find(library, "gppc_get_name", get_name);
    }

    std::string name() const override { return get_name(); }
    void take(const Bitmap &whole) override { map = whole.as_patch({0, 0}); }
    void preprocess(const std::string &file) override { preprocess_init_map(map, file.c_str()); }
    void prepare(const std::string &file) override { data = search_init(map, file.c_str()); }
    void change(const std::vector<gppc_patch> &patches) override {
        map_change(data, patches.data(), static_cast<std::uint32_t>(patches.size()));
    }
    void finish() override { free_data(data); }
    void ask(gppc_point start, gppc_point goal, const Points &) override { answer = get_path(data, start, goal); }

    bool collect(Points &path) override {
        if (answer.length == 0) {
            if (answer.incomplete) throw BrokenRule("no path, and yet incomplete");
            path.clear();
            return true;
        }
        if (answer.path == nullptr) throw BrokenRule("points at NULL");
        path.insert(path.end(), answer.path, answer.path + answer.length);
        return !answer.incomplete;
    }

  private:
    decltype(gppc_preprocess_init_map) *preprocess_init_map;
    decltype(gppc_search_init) *search_init;
    decltype(gppc_map_change) *map_change;
    decltype(gppc_get_path) *get_path;
    decltype(gppc_free_data) *free_data;
    decltype(gppc_get_name) *get_name;
    gppc_patch map{};
    void *data = nullptr;
    gppc_path answer{};
};

class Classic : public Entry {
  public:
    explicit Classic(void *library) {
        find(library, symbol<const std::vector<bool> &, int, int, const std::string &>("PreprocessMap"),
             preprocess_map);
        find(library, symbol<const std::vector<bool> &, int, int, const std::string &>("PrepareForSearch"),
             prepare_for_search);
        find(library, symbol<void *, GPPC::xyLoc, GPPC::xyLoc, std::vector<GPPC::xyLoc> &>("GetPath"), get_path);
        find(library, GET_NAME, get_name);
    }

    std::string name() const override { return get_name(); }

    void take(const Bitmap &map) override {
        width = static_cast<int>(map.width());
        height = static_cast<int>(map.height());
        for (std::uint32_t y = 0; y < map.height(); y++) {
            for (std::uint32_t x = 0; x < map.width(); x++) bits.push_back(map.is_free(x, y));
        }
    }

    void preprocess(const std::string &file) override { preprocess_map(bits, width, height, file); }
    void prepare(const std::string &file) override { data = prepare_for_search(bits, width, height, file); }
    void change(const std::vector<gppc_patch> &) override {
        throw Error("the map changes, and an entry of the classic track cannot be told");
    }
    void finish() override {}

    void ask(gppc_point start, gppc_point goal, const Points &path) override {
        if (path.empty()) {
            answer.clear();
        } else {
            start = path.back();
        }
        is_complete = get_path(data, {start.x, start.y}, {goal.x, goal.y}, answer);
    }

    bool collect(Points &path) override {
        if (!is_complete && answer.size() <= path.size()) throw BrokenRule("no more points, and yet incomplete");
        path.clear();
        for (GPPC::xyLoc at : answer) path.push_back({at.x, at.y});
        return is_complete;
    }

  private:
    decltype(PreprocessMap) *preprocess_map;
    decltype(PrepareForSearch) *prepare_for_search;
    decltype(GetPath) *get_path;
    decltype(GetName) *get_name;
    std::vector<bool> bits;
    int width = 0, height = 0;
    std::vector<GPPC::xyLoc> answer;
    bool is_complete = true;
    void *data = nullptr;
};

} // namespace

std::unique_ptr<Entry> load_entry(const std::string &file) {
    // A name without a slash would be looked for in the folders of the system.
    void *library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Error(dlerror());
    if (dlsym(library, "gppc_get_path") != nullptr) return std::make_unique<Dynamic>(library);
    return std::make_unique<Classic>(library);
}
