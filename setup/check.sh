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

# The types take long, so they are checked beside everything else.
types=$(mktemp)
"$bin/mypy" >"$types" 2>&1 &
mypy=$!
trap 'kill "$mypy" 2>/dev/null || true; rm -f "$types"' EXIT

types() {
    wait "$mypy" && failed=0 || failed=1
    cat "$types"
    return "$failed"
}

step "ruff format" "Fix it with: make format" "$bin/ruff" format --check .
step "ruff check" "" "$bin/ruff" check .
step "lint-imports" "An import points down: see CONTRIBUTING.md" "$bin/lint-imports" --no-logo
step "prose" "Rewrite the sentence, or state an exception in setup/prose-exceptions.txt" "$bin/python" setup/prose.py
case $what in
    lint) ;;
    quick) step "pytest, quick" "" "$bin/pytest" -n 2 -m "not slow and not soak" ;;
    all) step "pytest" "" "$bin/pytest" -n 2 --dist loadfile -m "not soak" ;;
esac
step "mypy" "" types
