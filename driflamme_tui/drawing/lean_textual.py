"""Imports Textual without what no first screen shows, and lets it make classes faster.

Textual's app imports the palette, and with it eight widgets: a tenth of the instructions of the
import. This program's own palette imports these widgets when it opens. Three other modules, a
twentieth of the rest, are imported when Textual calls them.

For each new class of a widget, screen or app, Textual searches all names of all base classes for
reactive attributes and for methods that compute them. `_remember_names` makes it remember
what it found in a base class: a start makes 50 such classes, with some 1,000 names each.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final

PALETTE: Final = "textual.command"
"""Textual's module of the command palette."""

CALLED: Final = ("rich.table", "textual.canvas", "textual.markup")
"""Modules from which Textual's modules import only names that they call, and not at the start."""


class _StandIn(ModuleType):
    """A module that has every name, each for an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _Caller(ModuleType):
    """A module that has every name, each for a function that calls the real module's name."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        module = self.__name__
        return lambda *values, **named: getattr(import_module(module), name)(*values, **named)


def import_textual() -> None:
    """Import Textual's app, while stand-ins take the places of the palette and of `CALLED`.

    If Textual needs more of them, undo the import, so that a later import loads everything. If
    Textual's app or palette is already imported, do nothing.
    """
    if PALETTE in sys.modules or "textual.app" in sys.modules:
        return
    absent = [name for name in CALLED if name not in sys.modules]
    sys.modules.update({PALETTE: _StandIn(PALETTE), **{name: _Caller(name) for name in absent}})
    try:
        _remember_names()
        import textual.app  # noqa: F401
    except (ImportError, AttributeError, TypeError):
        for name in [each for each in sys.modules if each.partition(".")[0] == "textual"]:
            del sys.modules[name]
    finally:
        for name in (PALETTE, *absent):
            sys.modules.pop(name, None)


_USED: Final = frozenset(
    [
        "__init_subclass__",
        "__mro__",
        "__dict__",
        "__name__",
        "_reactives",
        "_computes",
        "_css_bases",
        "_css_type_name",
        "_css_type_names",
        "_merge_bindings",
        "_merged_bindings",
        "_inherit_css",
        "_inherit_bindings",
        "_inherit_component_classes",
    ]
)
"""The private names that Textual uses when a class begins. Its replacement sets the same."""

_COMPUTES: Final = ("_compute_", "compute_")


def _remember_names() -> None:
    """Replace what Textual does when a class begins, if it does what this module expects."""
    import textual.dom
    from textual.reactive import Reactive

    node = textual.dom.DOMNode
    code = getattr(node.__init_subclass__, "__code__", None)
    if code is None or {name for name in code.co_names if name.startswith("_")} != _USED:
        return
    known: dict[type, tuple[int, dict[str, Any], frozenset[str]]] = {}

    def found_in(kind: type) -> tuple[int, dict[str, Any], frozenset[str]]:
        """Return a class's number of names, its own reactives, and the names that it computes."""
        names = vars(kind)
        found = known.get(kind)
        if found is None or found[0] != len(names):
            reactives = {name: each for name, each in names.items() if isinstance(each, Reactive)}
            computes = [name.lstrip("_")[8:] for name in names if name.startswith(_COMPUTES)]
            found = known[kind] = len(names), reactives, frozenset(computes)
        return found

    def begin_class(
        cls: Any,
        inherit_css: bool = True,
        inherit_bindings: bool = True,
        inherit_component_classes: bool = True,
    ) -> None:
        super(node, cls).__init_subclass__()
        reactives: dict[str, Any] = {}
        computes: frozenset[str] = frozenset()
        for base in reversed(cls.__mro__):
            _, reactives_of_base, computed = found_in(base)
            reactives.update(reactives_of_base)
            computes |= computed
        cls._reactives = reactives
        cls._computes = computes
        cls._inherit_css = inherit_css
        cls._inherit_bindings = inherit_bindings
        cls._inherit_component_classes = inherit_component_classes
        bases = cls._css_bases(cls)
        cls._css_type_name = bases[0].__name__
        cls._css_type_names = frozenset(base.__name__ for base in bases)
        cls._merged_bindings = cls._merge_bindings()

    node.__init_subclass__ = classmethod(begin_class)  # type: ignore[assignment]
