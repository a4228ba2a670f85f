# shellcheck shell=sh
# The scripts beside lib source this file, and set $root, the top of the clone. `set_up run` installs
# the project into $root/.venv, `set_up doors` also the packages of a host's doors, and `set_up dev`
# also the packages of the checks. After a failure it prints the reason and ends the script. It costs
# one `cksum` if nothing has changed; otherwise setup.py does the work.

set_up() {
    stamp=$root/.venv/driflamme-setup
    # A clone that was moved or copied has an .venv that still points to the old place.
    made_of="$root $(cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum)"
    if [ -x "$root/.venv/bin/python" ] && [ -x "$root/.venv/bin/driflamme" ]; then
        # A .venv that a person made has no stamp, and is not changed.
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
