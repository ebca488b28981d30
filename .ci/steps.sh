# The functions that `.ci/run` and `.ci/full` share.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true

install() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "missing here: $* (by the names of Debian); install it, and run this again" >&2
        exit 1
    fi
    echo "+ apt-get install $*"
    apt-get update --quiet=2 && apt-get install --yes --quiet=2 "$@" >/dev/null
}

# The duration of each step, which `report` prints.
durations=()

call() {
    local start=$SECONDS status=0
    echo "+ $*"
    "$@" || status=$?
    durations+=("$(printf '%5d s  %s' $((SECONDS - start)) "$*")")
    echo "= $* took $((SECONDS - start)) s"
    return $status
}

report() { printf '%s\n' "${durations[@]}" "$(printf '%5d s  in all' "$SECONDS")"; }

command -v swift >/dev/null || { echo "no Swift toolchain on this machine" >&2; exit 1; }
command -v make >/dev/null || install make
command -v python3 >/dev/null || install python3
