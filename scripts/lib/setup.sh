# shellcheck shell=sh
# Sourced by the scripts beside lib, which set $root, the top of the clone. `set_up run` sees to it
# that $root/.venv holds the project, `set_up doors` what a host's doors need as well, `set_up dev`
# also what the checks need. Where that cannot be, it says why and ends the script. When nothing
# changed since the last time it costs one `cksum`; what there is to do is done by setup.py.

set_up() {
    stamp=$root/.venv/driflamme-setup
    # A clone that was moved or copied has an .venv that still points to the old place.
    made_of="$root $(cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum)"
    if [ -x "$root/.venv/bin/python" ] && [ -x "$root/.venv/bin/driflamme" ]; then
        # What was made by hand has no stamp, and is left to whoever made it.
        [ -e "$stamp" ] || return 0
        { read -r kind && IFS= read -r was_made_of; } <"$stamp"
        [ "$was_made_of" = "$made_of" ] &&
            case $1:$kind in run:doors | *:dev | "$1:$1") return ;; esac
    fi
    find_python
    "$python" -I "$root/scripts/lib/setup.py" "$1" "$made_of" || exit
}

find_python() {
    why="Python 3.11 or newer is needed, and there is no Python here."
    for python in python3 python python3.14 python3.13 python3.12 python3.11; do
        version=$("$python" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
        case $version in
            3.1[1-9] | 3.[2-9]?) return ;;
            ?*) why="Python 3.11 or newer is needed, and there is only Python $version here." ;;
        esac
    done
    # uv may keep a Python that is on no path; none is downloaded.
    python=$(uv python find --no-project --system --no-python-downloads '>=3.11' 2>/dev/null) ||
        { printf 'Driflamme: %s\n' "$why" >&2 && exit 1; }
}
