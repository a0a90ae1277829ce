# Shell functions for the tests of the C interface and of what is built on it. Source this file in the root of the
# repository, with the name of the test in `test_name`.
# shellcheck shell=bash
. tools/lib/install.sh

sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all)

say() {
    echo "$test_name: $*" >&2
}

# Says that something is left out, which ends a run that must be complete.
left_out() {
    say "LEFT OUT: $*"
    if [ "${CI:-}" = true ]; then
        exit 3
    fi
}

# Some systems have compilers without the libraries of their sanitizers: has_sanitizers COMPILER c|c++.
has_sanitizers() {
    echo 'int main() { return 0; }' | "$1" "${sanitizers[@]}" -x "$2" - -o /dev/null 2>/dev/null
}

# Writes maps for tests to a new folder.
write_maps() {
    mkdir "$1"
    printf 'type octile\nheight 1\nwidth 3\nmap\n.S@\n' >"$1/land.map"
    printf '. 1\nS 7\n@ 0\n' >"$1/land.prices"
    printf 'type octile\nheight 1\nwidth 3\nmap\n.S\n' >"$1/bad.map"
}

# Puts the built shared library into a new folder under the name that it is installed by. Programs link with it much
# faster than with the static library.
share_library() {
    local file built
    built=$(realpath "${OCTILE_LIBRARY_DIR:-${CARGO_TARGET_DIR:-target}/debug}")
    mkdir "$1"
    for file in "$built"/liboctile_c.{so,dylib}; do
        if [ -e "$file" ]; then ln -s "$file" "$1/liboctile.${file##*.}"; fi
    done
}

# Runs a program under Valgrind: it may lose nothing. What the library still holds at the end, such as its threads, is
# "possibly lost" for Valgrind, and is not counted.
run_in_valgrind() {
    valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$@"
}
