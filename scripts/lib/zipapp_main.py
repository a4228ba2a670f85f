"""The `__main__.py` of a zipapp of Driflamme: unpacks all that it runs on once, and starts it.

Uses nothing but the standard library: extension modules cannot be loaded from within a zip, so what
is in `parcel.zip` beside this file goes into the user's cache. `parcels.py` makes the archive.
"""

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from zipfile import ZipFile


def main() -> None:
    """Start the program, unless this Python cannot run it."""
    with ZipFile(Path(__file__).parent) as archive:
        parcel = json.loads(archive.read("parcel.json"))
        if parcel["needs"] != what_is_here():
            sys.exit(
                f"Driflamme: this file is for {parcel['needs']}, and this is {what_is_here()}. "
                "Elsewhere: pipx install driflamme"
            )
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = caches / "driflamme" / parcel["name"]
        try:
            if not folder.is_dir():
                unpack(archive, folder)
        except OSError as error:
            sys.exit(f"Driflamme: cannot unpack into {folder}: {error.strerror or error}")
    sys.path.insert(0, str(folder))

    from driflamme_tui.cli.main import run

    run()


def what_is_here() -> str:
    """Return which Python this is, and on what, as far as extension modules care."""
    return f"{sys.implementation.cache_tag} on {sysconfig.get_platform()}"


def unpack(archive: ZipFile, folder: Path) -> None:
    """Unpack under another name first: whoever finds the folder, finds all of it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        with archive.open("parcel.zip") as inner, ZipFile(inner) as parcel:
            parcel.extractall(unfinished)
        unfinished.rename(folder)
    except OSError:
        # Another start may have been quicker.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


if __name__ == "__main__":
    main()
