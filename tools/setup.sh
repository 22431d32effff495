# Sourced by ./run and ./test: installs what is missing with apt-get, and builds build/release. Needs nothing but Debian 12.
# shellcheck shell=bash

BUILD_PACKAGES=(g++ cmake ninja-build ccache libseccomp-dev libtomlplusplus-dev libcli11-dev libfmt-dev libboost1.81-dev
  libssl-dev libzstd-dev liblz4-dev libyaml-cpp-dev libsqlite3-dev prometheus-cpp-dev libgrpc++-dev libprotobuf-dev
  protobuf-compiler-grpc libarchive-dev nettle-dev liblzma-dev libbz2-dev zlib1g-dev libcurl4-openssl-dev
  python3-minimal uidmap)
TEST_PACKAGES=(libgtest-dev python3 procps util-linux curl gcc libc6-dev make perl openjdk-17-jdk-headless)
NODE_PACKAGES=(nodejs npm)  # only where there is no npm already: the tests drive the service with npm's own clients
LANGUAGE_PACKAGES=(pypy3 rustc golang-go fp-compiler ghc ocaml-nox mono-mcs mono-runtime ruby perl lua5.4 php-cli node-typescript)
VM_PACKAGES=(qemu-system-x86 busybox-static cpio crun)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
[ -t 2 ] || say() { printf '%s\n' "$*" >&2; }

# Installs those of the named packages that are missing. Only this step needs root.
install_missing() {
  local missing=() state package
  for package in "$@"; do
    state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) || state=
    [[ $state == ii* ]] || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return 0
  say "installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "these packages are missing and there is no sudo to install them with"; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

configure() {
  local log
  log=$(mktemp)
  cmake --preset "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

# Quiet when there is nothing to do, progress when there is: on a terminal in one line. (A dry run of ninja does not tell: it always wants to
# look for new files first.)
make_target() {
  local preset=$1 target=$2 terminal=0
  [ -t 2 ] && terminal=1
  ninja -C "build/$preset" "$target" | awk -v terminal=$terminal \
    -v first="building build/$preset (minutes the first time: about $((14 / $(nproc) + 1)) for the programs, twice that with the tests)" '
    /^ninja: (Entering|no work)/ || /Re-checking globbed|Re-running CMake/ || /^-- / || ($0 == "" && !begun) { next }
    !begun { print first; begun = 1 }
    terminal && /^\[[0-9]+\/[0-9]+\]/ { printf "\r\033[K%.100s", $0; fflush(); shown = 1; next }
    { if (shown) print ""; shown = 0; print; fflush() }
    END { if (shown) print "" }' >&2
  return "${PIPESTATUS[0]}"
}

# The programs alone: what only the tests need may be missing here.
build_programs() {
  [ -f build/release/build.ninja ] || configure release -DASSAY_TESTS=OFF || return 1
  make_target release programs
}

# build PRESET: the programs and the tests
build() {
  grep -qs '^ASSAY_TESTS:BOOL=ON' "build/$1/CMakeCache.txt" && [ -f "build/$1/build.ninja" ] ||
    configure "$1" -DASSAY_TESTS=ON || return 1
  make_target "$1" all
}
