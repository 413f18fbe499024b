# Shared by the scripts of this folder. Sourced, not run.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Every script builds with the same flags, so that they share one build:
# an import of an undeclared target is an error, and so is a warning.
swift_flags=(--explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors)

# Programs that are installed carry Swift's libraries with them, and reach the types that they use directly instead of
# by name: a look-up by name is what a short process would spend most of its time on (Docs/Performance.md). Nobody
# links to them, so they export no symbols: the dynamic linker would look through those for every symbol of a library.
release_flags=(-c release --static-swift-stdlib -Xlinker --no-export-dynamic
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)

# Sets and dictionaries iterate in the same order in every run, so that a failure repeats.
export SWIFT_DETERMINISTIC_HASHING=1

say() { printf '==> %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit "${2:-1}"
}

# Prints the comment at the top of the script that runs.
usage() { sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$0"; }

find_swift() {
  local folder
  command -v swift >/dev/null && return
  for folder in /opt/swift/usr/bin /opt/swift/bin "${HOME:-/nonexistent}/.local/share/swiftly/bin"; do
    if [ -x "$folder/swift" ]; then
      export PATH="$folder:$PATH"
      return
    fi
  done
  fail 'no Swift toolchain: put "swift" (6.2 or newer) on the PATH'
}

# Prints the Debian packages that are missing, given pairs of a check and a package:
# the name of a pkg-config module, or !NAME for a command.
missing_packages() {
  local pair check
  for pair in "$@"; do
    check=${pair%%=*}
    case $check in
      !*) command -v "${check#!}" >/dev/null || printf '%s\n' "${pair#*=}" ;;
      *) pkg-config --exists "$check" 2>/dev/null || printf '%s\n' "${pair#*=}" ;;
    esac
  done
}

install_packages() {
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -eq 0 ] && return
  command -v apt-get >/dev/null \
    || fail "these are missing, by their names in Debian: ${missing[*]}. Install what your system calls them."
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      fail "these Debian packages are missing: ${missing[*]}. Install them with: sudo apt-get install ${missing[*]}"
    fi
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# Finds the toolchain and installs what building needs, and more if named.
install_dependencies() {
  find_swift
  install_packages '!pkg-config=pkg-config' sqlite3=libsqlite3-dev libcurl=libcurl4-openssl-dev \
    libmicrohttpd=libmicrohttpd-dev libedit=libedit-dev "$@"
}

# Also what the tests run beside: scripted servers in Python, a TLS server of OpenSSL.
install_test_dependencies() {
  install_dependencies '!python3=python3' '!openssl=openssl'
}

build_everything() {
  say 'building the products and the tests'
  swift build --build-tests "${swift_flags[@]}"
}
