// What tests in C++ are made of.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
            std::exit(1);                                                                                              \
        }                                                                                                              \
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

/// Waits until something holds that another thread brings about. Two minutes without that are a hang.
template <class F>
void wait_until(const F &is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!is_so()) {
        CHECK(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

#endif
