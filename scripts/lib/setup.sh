# shellcheck shell=sh
# Sourced by scripts/driflamme, scripts/test and scripts/bench, which set $root, the top of the
# clone. `set_up run`, `set_up doors` or `set_up dev` sees to it that $root/.venv holds the project
# and, for doors, what a host's doors need, for dev, what the checks need as well; when that cannot
# be, it says why and ends the script.
#
# When nothing changed since the last time this costs one `cksum`. The set-up itself is in
# setup.py, beside this file.

: "${root:?the top of the clone}"

set_up() {
    wanted=$1
    fingerprint=$(CDPATH='' cd -- "$root" && exec cksum pyproject.toml scripts/constraints.txt) ||
        exit 1
    # Unquoted: the two lines of cksum become one.
    # shellcheck disable=SC2086
    set -- $fingerprint
    fingerprint="$*"
    stamp=$root/.venv/driflamme-setup
    if [ -x "$root/.venv/bin/python" ] && [ -x "$root/.venv/bin/driflamme" ] && [ -r "$stamp" ]; then
        { IFS= read -r done_for && IFS= read -r done_in; } <"$stamp"
        # A clone that was moved or copied has an .venv that still points to the old place.
        if [ "$done_in" = "$root" ]; then
            case $wanted:$done_for in
                "$wanted:$wanted $fingerprint" | *":dev $fingerprint" | "run:doors $fingerprint")
                    return 0
                    ;;
            esac
        fi
    fi
    find_python
    "$python" -I "$root/scripts/lib/setup.py" "$wanted" "$fingerprint" || exit $?
}

# Sets $python to the file of a Python 3.11 or newer. The file itself, not a link or a shim of
# changing meaning: once it is gone, .venv/bin/python dangles and .venv is made anew.
find_python() {
    probe='
import importlib.util, os, sys
base = getattr(sys, "_base_executable", sys.executable)
print("%d.%d" % sys.version_info[:2], os.path.realpath(base))
if sys.version_info < (3, 11):
    sys.exit(3)
if importlib.util.find_spec("ensurepip") is None:
    sys.exit(4)
'
    uv=$(command -v uv)
    too_old=
    without_pip=
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$name" >/dev/null 2>&1 || continue
        said=$("$name" -I -c "$probe" 2>/dev/null)
        case $?${uv:+ uv} in
            0* | "4 uv")
                python=${said#* }
                return 0
                ;;
            3*) too_old=${too_old:-${said%% *}} ;;
            4*) without_pip=${without_pip:-${said%% *}} ;;
        esac
    done
    # uv may keep a Python of its own that is on no PATH; none is downloaded.
    if [ "$uv" ] && python=$(uv python find --no-project --system --no-python-downloads \
        '>=3.11' 2>/dev/null); then
        return 0
    fi
    if [ "$without_pip" ]; then
        why="this Python $without_pip cannot make virtual environments: install its venv module"
        why="$why (on Debian and Ubuntu: apt install python$without_pip-venv) or uv."
    elif [ "$too_old" ]; then
        why="Python 3.11 or newer is needed, and there is only Python $too_old here."
    else
        why="Python 3.11 or newer is needed, and there is no Python here."
    fi
    printf 'Driflamme: %s\n' "$why" >&2
    exit 1
}
