# Shell functions for scripts that need system packages. Source this file; it runs nothing by itself.
# shellcheck shell=bash

# ensure_packages REASON PROGRAM=PACKAGE...
#
# Installs the Debian packages of the programs that are missing, and says which and why before it does. A PROGRAM with a
# slash in it is a file that must exist, such as a header; any other is looked up in PATH. Does nothing if none is missing.
# Returns 1 if any is still missing afterwards: apt-get is unavailable, the user is not root, the installation failed, or
# OCTILE_NO_INSTALL=1 forbids it. The caller decides what to leave out. Safe under `set -euo pipefail`, as a condition or
# with `||`.
#
#   ensure_packages "to check the C programs for leaks" valgrind=valgrind || exit 3
ensure_packages() {
    local reason=$1 script=${0##*/} log
    shift
    local -a packages=()
    missing_packages "$@"
    if [ ${#packages[@]} -eq 0 ]; then
        return 0
    fi
    if [ "${OCTILE_NO_INSTALL:-}" = 1 ]; then
        echo "$script: not installing ${packages[*]}, needed $reason, because OCTILE_NO_INSTALL=1" >&2
        return 1
    fi
    if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
        echo "$script: missing $reason: ${packages[*]} (names of Debian packages); only root can install them, with apt-get" >&2
        return 1
    fi
    echo "$script: installing ${packages[*]} with apt-get, $reason (OCTILE_NO_INSTALL=1 leaves them out)" >&2
    log=$(mktemp)
    # The lists of packages may be fresh enough even if they cannot be updated.
    if ! { apt-get update || true; DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
        cat "$log" >&2
        echo "$script: apt-get could not install ${packages[*]}" >&2
    fi
    rm -f "$log"
    hash -r
    packages=()
    missing_packages "$@"
    if [ ${#packages[@]} -gt 0 ]; then
        echo "$script: still missing $reason: ${packages[*]}" >&2
        return 1
    fi
}

# missing_packages PROGRAM=PACKAGE...: appends the packages of missing programs to the caller's array `packages`, each once.
missing_packages() {
    local pair program package
    for pair in "$@"; do
        program=${pair%%=*} package=${pair#*=}
        case $program in
        */*) [ ! -e "$program" ] || continue ;;
        *) ! command -v "$program" >/dev/null || continue ;;
        esac
        case " ${packages[*]-} " in
        *" $package "*) ;;
        *) packages+=("$package") ;;
        esac
    done
}
