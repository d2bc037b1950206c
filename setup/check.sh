#!/bin/sh
# Checks the project and stops at the first failure: setup/check.sh lint|quick|all
set -eu

cd "$(dirname "$0")/.."
what=${1:-all}
bin=${VENV:-.venv}/bin
# Reading 9,000 tests takes half as long if their compiled form is kept, also where the environment does not keep it.
export PYTHONDONTWRITEBYTECODE=

step() {
    name=$1
    remedy=$2
    shift 2
    printf '\n== %s\n' "$name"
    "$@" || {
        printf '\nSTOPPED: %s failed. %s\n' "$name" "$remedy" >&2
        exit 1
    }
}

# What takes long runs beside the rest; what it prints is shown in its turn.
prints=$(mktemp -d)
running=
trap 'kill $running 2>/dev/null || true; rm -rf "$prints"' EXIT

begin() {
    out=$prints/$1
    shift
    "$@" >"$out" 2>&1 &
    running="$running $!"
    echo $! >"$out.pid"
}

ended() {
    wait "$(cat "$prints/$1.pid")" && failed=0 || failed=1
    cat "$prints/$1"
    return "$failed"
}

# Two processes have half of the tests each: the folders of the first take as long as all others.
first="tests/golden tests/property tests/setup tests/unit/documents tests/unit/forces tests/unit/odds tests/unit/render"

tests() {
    # shellcheck disable=SC2046,SC2086 # several folders
    begin "first" "$bin/pytest" -m "$1" $first
    # shellcheck disable=SC2046,SC2086
    step "pytest, second half" "" "$bin/pytest" -m "$1" $(printf -- '--ignore=%s ' $first)
    step "pytest, first half" "" ended first
}

begin types "$bin/mypy"
step "ruff format" "Fix it with: make format" "$bin/ruff" format --check .
step "ruff check" "" "$bin/ruff" check .
step "lint-imports" "An import points down: see CONTRIBUTING.md" "$bin/lint-imports" --no-logo
step "prose" "Rewrite the sentence, or state an exception in setup/prose-exceptions.txt" "$bin/python" setup/prose.py
case $what in
    lint) ;;
    quick) tests "not slow and not soak" ;;
    all) tests "not soak" ;;
esac
step "mypy" "" ended types
