"""Starts the program faster: finds modules with fewer steps, and pauses garbage collection.

A start imports some 550 modules. For each one, Python searches folders, tries five endings and
reads the compiled file through several layers. `QuickFinder` opens the compiled file at once, and
checks it against its source as Python does. This saves 70 of 1,060 million instructions of the
imports before the first table (counted with callgrind), and two thirds of their system calls.
"""

import gc
import importlib.util
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final

OBJECTS: Final = 10_000
"""Number of new objects that start a garbage collection. One or two screens create this many."""

PACKAGES: Final = frozenset({"driflamme_tui", "netcode", "textual", "rich", "typer"})
"""Packages of pure Python, whose modules `QuickFinder` finds. The engine is none of them, since it
may be compiled. `QuickFinder` also finds modules of the standard library, before modules of the
same name in the current folder.
"""

_HEADER: Final = importlib.util.MAGIC_NUMBER + bytes(4)
"""The beginning of a compiled file that is checked by the time and size of its source."""

_HEADER_BYTES: Final = 16
_READ_BYTES: Final = 1 << 16
_READ: Final = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def for_good() -> Iterator[None]:
    """Pause garbage collection, and then exclude all present objects from later collections.

    Otherwise collections would take a tenth of the time to the first table.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(OBJECTS)
        gc.enable()


class _Loader(SourceFileLoader):
    """Loads a module whose code has already been read."""

    code: CodeType | None = None

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the module's code: at the first call as `QuickFinder` read it."""
        code, self.code = self.code, None
        return super().get_code(fullname) if code is None else code


class QuickFinder:
    """Finds modules whose compiled file is up to date. All others are left to Python itself."""

    def __init__(self, library: str) -> None:
        """Find modules of `PACKAGES`, and modules of the standard library in the given folder."""
        self._library: Final = library
        self._ending: Final = f".{sys.implementation.cache_tag}.pyc"

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module; None if Python itself must find it."""
        top, _, rest = fullname.partition(".")
        # Where a package itself lies, only `sys.path` says.
        if top not in sys.stdlib_module_names and not (rest and top in PACKAGES):
            return None
        name = fullname.rpartition(".")[2]
        folder = self._library if path is None else next(iter(path), "")
        return self._spec(fullname, folder, name) or self._spec(
            fullname, f"{folder}/{name}", "__init__"
        )

    def _spec(self, fullname: str, folder: str, name: str) -> ModuleSpec | None:
        """Return the spec of a module in a folder; None without an up-to-date compiled file."""
        compiled, source = f"{folder}/__pycache__/{name}{self._ending}", f"{folder}/{name}.py"
        code = _code(compiled, source)
        if code is None:
            return None
        loader = _Loader(fullname, source)
        loader.code = code
        spec = ModuleSpec(fullname, loader, origin=source, is_package=name == "__init__")
        spec.has_location = True
        spec.cached = compiled
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec


def _code(compiled: str, source: str) -> CodeType | None:
    """Return the code in a compiled file; None if it is missing, old, damaged or of another path.

    The file is old if its source does not have the time and size that the file's header names.
    """
    try:
        file = os.open(compiled, _READ)
    except OSError:
        return None
    try:
        data = b""
        while part := os.read(file, _READ_BYTES):
            data = data + part if data else part
            if len(part) < _READ_BYTES:
                break
        came = os.stat(source)
    except OSError:
        return None
    finally:
        os.close(file)
    stamp = (int(came.st_mtime) & 0xFFFFFFFF, came.st_size & 0xFFFFFFFF)
    header = _HEADER + b"".join(each.to_bytes(4, "little") for each in stamp)
    if data[:_HEADER_BYTES] != header:
        return None
    try:
        code = marshal.loads(memoryview(data)[_HEADER_BYTES:])
    except (EOFError, ValueError, TypeError):
        return None
    return code if isinstance(code, CodeType) and code.co_filename == source else None


def find_modules_quickly() -> None:
    """Find modules quickly from now on, unless Python keeps compiled files in an unusual way."""
    places = [place for place, finder in enumerate(sys.meta_path) if finder is PathFinder]
    library = getattr(os, "__file__", "")
    if (
        places
        and library
        and os.name == "posix"
        and sys.implementation.cache_tag
        and sys.pycache_prefix is None
        and not sys.flags.optimize
    ):
        sys.meta_path.insert(places[0], QuickFinder(os.path.dirname(library)))
