// What tests in C++ are made of.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
            std::exit(1);                                                         \
        }                                                                         \
    } while (false)

/// Whether something throws this kind of exception, with a message that says this.
template <class E, class F>
bool throws(const F &work, const std::string &what) {
    try {
        work();
    } catch (const E &error) {
        if (std::string(error.what()).find(what) != std::string::npos) return true;
        std::fprintf(stderr, "it says: %s\n", error.what());
    }
    return false;
}

#endif
