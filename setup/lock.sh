#!/bin/sh
# Writes requirements/*.lock from pyproject.toml: exact versions and hashes, no addresses.
# Versions already locked stay unless UPGRADE=1.
set -eu

cd "$(dirname "$0")/.."
bin=${VENV:-.venv}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
    output=$1
    shift
    "$bin/uv" pip compile pyproject.toml --quiet --no-config --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-header --output-file "$output" "$@" >/dev/null
}

[ ! -f requirements/dev.lock ] || cp requirements/dev.lock "$work/dev.lock"
compile "$work/dev.lock" --group dev ${UPGRADE:+--upgrade}
# uv keeps what its output file already pins, so the two locks agree.
cp "$work/dev.lock" "$work/run.lock"
compile "$work/run.lock" --group editable

for lock in run dev; do
    if grep -n '://' "$work/$lock.lock"; then
        echo "STOPPED: an address got into $lock.lock" >&2
        exit 1
    fi
done
{
    echo "# What it takes to run a checkout. Written by \`make lock\`: do not edit."
    cat "$work/run.lock"
} >requirements/run.lock
{
    echo "# What it takes to run and check a checkout. Written by \`make lock\`: do not edit."
    cat "$work/dev.lock"
} >requirements/dev.lock
