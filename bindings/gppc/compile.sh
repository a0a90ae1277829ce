#!/usr/bin/env bash
# Makes an entry for the grid path planning competition: bindings/gppc/compile.sh classic|dynamic DIR [PROFILE] puts libGPPCentry.so into DIR. It has liboctile in it and needs nothing
# but the C++ runtime. The profile of liboctile is `dist` by default, which is slow to build and the fastest to use. CXX names the compiler, CXXFLAGS more flags for it, and
# OCTILE_LIBRARY a static liboctile that is there already.
set -euo pipefail
usage() {
    echo "usage: bindings/gppc/compile.sh classic|dynamic DIR [PROFILE]" >&2
    exit 2
}
[ $# -ge 2 ] && [ $# -le 3 ] || usage
case $1 in classic | dynamic) track=$1 ;; *) usage ;; esac
mkdir -p "$2"
into=$(realpath "$2")
profile=${3:-dist}
library=${OCTILE_LIBRARY:+$(realpath "$OCTILE_LIBRARY")}
cd "$(dirname "$0")/../.."

if [ -z "$library" ]; then
    cargo build --quiet --locked --package octile-c --profile "$profile"
    library=${CARGO_TARGET_DIR:-target}/$([ "$profile" = dev ] && echo debug || echo "$profile")/liboctile_c.a
fi
# shellcheck disable=SC2086
"${CXX:-c++}" -std=c++17 -O2 -fPIC -shared -Wall -Wextra ${CXXFLAGS:-} -Ibindings/c/include "bindings/gppc/$track.cpp" "$library" \
    -Wl,--version-script=bindings/gppc/exports.map,--gc-sections,--strip-debug,--no-undefined -lpthread -ldl -lm -o "$into/libGPPCentry.so"
