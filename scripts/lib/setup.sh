# shellcheck shell=sh
# Sourced by the scripts beside lib, which set $root, the top of the clone. `set_up run` sees to it
# that $root/.venv holds the project, `set_up doors` what a host's doors need as well, `set_up dev`
# also what the checks need. Where that cannot be, it says why and ends the script. When nothing
# changed since the last time it costs one `cksum`. Its twin for Windows is setup.cmd.

: "${root:?the top of the clone}"

set_up() {
    wanted=$1
    # A clone that was moved or copied has an .venv that still points to the old place.
    made_of="$root $(cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum)"
    is_set_up && return
    find_python
    # Whatever this starts has the lock too, which ends with the last of them, however it ends.
    (cd -- "$root" && wait_for_lock && { is_set_up || make_venv; }) 9>"$root/.venv.lock" || exit
}

say() { printf 'Driflamme: %s\n' "$*" >&2; }

# What was made by hand has no stamp, and is left to whoever made it.
is_set_up() {
    made_for='' was_made_of='' stamp=$root/.venv/driflamme-setup
    if [ -r "$stamp" ]; then { read -r made_for && IFS= read -r was_made_of; } <"$stamp"; fi
    [ -x "$root/.venv/bin/python" ] && [ -x "$root/.venv/bin/driflamme" ] || return
    [ -e "$stamp" ] || return 0
    [ "$was_made_of" = "$made_of" ] || return
    case $wanted:$made_for in run:doors | *:dev | "$wanted:$wanted") ;; *) return 1 ;; esac
}

# Sets $python to a Python's own file, not to a link or a shim of changing meaning: once that Python
# is gone, .venv/bin/python dangles, and .venv is made anew.
find_python() {
    uv=$(command -v uv)
    why="Python 3.11 or newer is needed, and there is no Python here."
    for name in python3 python python3.14 python3.13 python3.12 python3.11; do
        python=$("$name" -I -c '
import importlib.util, os, sys
has = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 11):
    sys.exit(print("Python 3.11 or newer is needed, and there is only Python %s here." % has) or 1)
if not sys.argv[1] and not importlib.util.find_spec("ensurepip"):
    sys.exit(print("this Python %s cannot make virtual environments: install its venv module "
                   "(on Debian and Ubuntu: apt install python%s-venv) or uv." % (has, has)) or 1)
print(os.path.realpath(sys._base_executable))' "$uv" 2>/dev/null) && return
        why=${python:-$why}
    done
    # uv may keep a Python that is on no path; none is downloaded.
    [ "$uv" ] && python=$(uv python find --no-project --system --no-python-downloads '>=3.11' \
        2>/dev/null) && return
    say "$why"
    exit 1
}

wait_for_lock() {
    "$python" -I -c '
import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("Driflamme: waiting for another start that is setting up ...", file=sys.stderr)
    fcntl.flock(9, fcntl.LOCK_EX)
except OSError:
    pass  # a file system without locks'
}

# In $root, with the lock held. The stamp comes last: so the next start knows what was cut short.
make_venv() {
    say 'installing what it needs, once; that takes half a minute ...'
    trap 'say "setting up was interrupted; the next start begins anew."; exit 130' INT
    case $made_for in dev | doors) [ "$wanted" = dev ] || wanted=$made_for ;; esac
    said=$(install 2>&1 </dev/null) || {
        say 'setting up failed (this once it needs the network). The end of what was said:'
        printf '%s\n' "$said" | tail -n 15 | sed 's/^/  /' >&2
        exit 1
    }
    printf '%s\n' "$wanted" "$made_of" >.venv/driflamme-setup.new &&
        mv .venv/driflamme-setup.new .venv/driflamme-setup
}

install() {
    unset UV_SYSTEM_PYTHON PIP_USER PIP_TARGET PIP_PREFIX
    pins=scripts/constraints.txt # relative: in pip's variables a path may hold no space
    export PIP_CONSTRAINT=$pins PIP_BUILD_CONSTRAINT=$pins PIP_DISABLE_PIP_VERSION_CHECK=1
    project=.
    [ "$wanted" = run ] || project=.[$wanted]
    can_stay >/dev/null 2>&1 || {
        rm -rf .venv
        if [ "$uv" ]; then uv venv --python "$python" .venv; else "$python" -I -m venv .venv; fi
    } || return
    printf '%s\n' "$wanted" unfinished >.venv/driflamme-setup || return
    if [ "$uv" ]; then
        uv pip install --python .venv/bin/python --constraints $pins --build-constraints $pins \
            --reinstall-package driflamme -e "$project"
    else
        .venv/bin/python -I -m pip install --no-input --no-color -e "$project"
    fi
}

# Whether more can be installed into the .venv there is. What was cut short, was made elsewhere or
# has lost its Python is made anew.
can_stay() {
    case $was_made_of in '' | "$root "*) ;; *) return 1 ;; esac
    if [ "$uv" ]; then .venv/bin/python -V; else .venv/bin/python -I -m pip --version; fi
}
