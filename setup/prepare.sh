#!/bin/sh
# Makes the environment that the Makefile works in: setup/prepare.sh run|dev
#   run   what it takes to print
#   dev   that, and what it takes to check the project
# PYTHON names the Python to build it from, VENV the folder to build it in (.venv).
set -eu

cd "$(dirname "$0")/.."
kind=${1:-run}
venv=${VENV:-.venv}
lock=requirements/$kind.lock

say() {
    printf '%s\n' "$@" >&2
}

stop() {
    say "fieldpress set-up stopped: $1"
    shift
    [ "$#" -eq 0 ] || say "$@"
    exit 1
}

suits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

choose_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" || stop "PYTHON=$PYTHON is not a Python 3.11 or newer."
        python=$PYTHON
        return
    fi
    python=$venv/bin/python
    has_environment && return
    for python in python3 python3.13 python3.12 python3.11; do
        suits "$python" && return
    done
    stop "no Python 3.11 or newer found; python3 is: $(python3 --version 2>&1 || true)" \
        "Install one, then make again:" \
        "  Debian 12 or newer, Ubuntu 24.04 or newer: sudo apt-get update && sudo apt-get install -y python3 python3-venv" \
        "  Ubuntu 22.04: sudo apt-get update && sudo apt-get install -y python3.11 python3.11-venv" \
        "  Fedora: sudo dnf install -y python3" \
        "  Arch: sudo pacman -S --needed python" \
        "  macOS: brew install python" \
        "Or name one that you have: make PYTHON=/path/to/python3.12 handouts"
}

# The doctor needs no package, so any suitable Python can ask it.
ask_doctor() {
    PYTHONDONTWRITEBYTECODE=1 "$python" -c "from generator.doctor import *; $1"
}

can_make_environments() {
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1
}

# Sets lacking: a line for each thing that only the system's own packages bring; packages: what Debian calls them.
look_for_lacks() {
    lacking=
    packages=
    if ! has_environment && ! can_make_environments; then
        lacking="  $python cannot make environments: its module ensurepip is missing
"
        case ${python##*/} in
            python3) packages=python3-venv ;;
            *) packages=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])') ;;
        esac
    fi
    libraries=$(ask_doctor 'print(*(f"  {one.check}: {one.found}" for one in system_libraries() if not one.ok), sep="\n")')
    if [ -n "$libraries" ]; then
        lacking=$lacking$libraries
        packages="$packages $(ask_doctor 'print(*DEBIAN_PACKAGES)')"
    fi
}

get_what_the_system_lacks() {
    look_for_lacks
    [ -n "$lacking" ] || return 0
    command=$(ask_doctor "print('  ' + install_command(packages=tuple('$packages'.split())).replace('\n', '\n  '))")
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        stop "this machine lacks" "$lacking" "Run this, then make again:" "$command"
    fi
    say "This machine lacks" "$lacking" "As root, installing with apt-get: $packages"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # several packages
    { apt-get update -q && apt-get install -q -y --no-install-recommends $packages; } >&2 ||
        stop "apt-get failed. Run this, then make again:" "$command"
    look_for_lacks
    [ -z "$lacking" ] || stop "the packages are installed, but still" "$lacking"
}

# Whether the folder holds a working environment, made by this Python if one was named, where it now stands.
has_environment() {
    [ -x "$venv/bin/python" ] && suits "$venv/bin/python" || return 1
    "$venv/bin/python" -c 'import pip' 2>/dev/null || return 1
    [ ! -f "$venv/.made-in" ] || [ "$(cat "$venv/.made-in")" = "$(pwd)" ] || return 1
    [ -z "${PYTHON:-}" ] || [ "$(home_of "$PYTHON")" = "$(home_of "$venv/bin/python")" ]
}

home_of() {
    "$1" -c 'import sys; print(sys.base_prefix, sys.version)'
}

make_environment() {
    has_environment && return
    if [ -e "$venv" ] && [ ! -f "$venv/pyvenv.cfg" ]; then
        stop "$venv is in the way: it is no environment of Python's."
    fi
    say "Making the environment $venv with $("$python" --version), and putting into it what $lock names." \
        "This is done once. It takes about 15 seconds, and longer where packages are downloaded first."
    rm -rf "$venv"
    "$python" -m venv "$venv" || stop "$python -m venv $venv failed."
    pwd >"$venv/.made-in"
}

# Once for each state of the lock and the project file: their checksum is the stamp.
install_packages() {
    wanted=$(cat "$lock" pyproject.toml | cksum)
    [ "$(cat "$venv/.has-$kind" 2>/dev/null)" != "$wanted" ] || return 0
    say "Installing what $lock names into $venv"
    # uv takes a tenth of pip's time, but knows nothing of an index that only pip's settings name.
    installer=uv
    { install_uv && uv --require-hashes -r "$lock"; } || {
        installer=pip
        pip --no-compile --require-hashes -r "$lock" || stop "the packages of $lock could not be installed."
    }
    # Half of the code is never imported, or only for a battle. Some is for other Pythons and does not compile.
    unused='site-packages/(.*/tests|pip|setuptools|mypyc?|pygments|virtualenv|dask|distributed|openpyxl|hatchling|numpy'
    unused="$unused|fontTools/(designspaceLib|ufoLib|voltLib))/"
    "$venv/bin/python" -m compileall -qq -j 0 -x "$unused" "$venv/lib" || true
    "$installer" --no-build-isolation --editable . || stop "fieldpress itself could not be installed."
    printf '%s\n' "$wanted" >"$venv/.has-$kind"
}

pip() {
    "$venv/bin/python" -m pip --disable-pip-version-check --quiet install --no-deps "$@"
}

install_uv() {
    sed -n '/^uv==/,/[^\\]$/p' "$lock" >"$venv/uv.lock"
    pip --no-compile --require-hashes -r "$venv/uv.lock" 2>/dev/null
}

uv() {
    "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --no-deps "$@" 2>/dev/null
}

# Byte code on all cores, whatever the environment says about writing it: without it each start compiles everything anew.
compile_code() {
    "$venv/bin/python" -m compileall -qq -j 0 generator
}

choose_python
get_what_the_system_lacks
make_environment
install_packages
compile_code
