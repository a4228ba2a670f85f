"""Prints what Textual keeps about each class of a widget, screen or app.

The argument `remembered` lets `lean_textual` remember names while the classes begin. With another
argument, Textual searches them itself.
"""

import sys
from collections.abc import Iterator

from driflamme_tui.drawing import lean_textual

KEPT = (
    "_computes",
    "_css_type_name",
    "_css_type_names",
    "_inherit_bindings",
    "_inherit_component_classes",
    "_inherit_css",
    "_merged_bindings",
    "_reactives",
)


def below(kind: type[object]) -> Iterator[type[object]]:
    """Yield all classes that are derived from a class."""
    each: type[object]
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def shown(value: object) -> object:
    """Return a value in a form that is equal in each process."""
    if isinstance(value, frozenset):
        return sorted(value)
    return [*value] if isinstance(value, dict) else value


def main(way: str) -> None:
    """Import Textual and most screens in one of the two ways, and print the classes."""
    if way == "remembered":
        lean_textual.import_textual()
    from textual.dom import DOMNode

    import driflamme_tui.app.main_app
    import driflamme_tui.screens.overlays.command_palette
    import driflamme_tui.screens.start_screen  # noqa: F401

    is_replaced = DOMNode.__init_subclass__.__module__ == lean_textual.__name__
    assert is_replaced == (way == "remembered")
    kinds = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in below(DOMNode)}
    for name, kind in sorted(kinds.items()):
        print(name, *(shown(getattr(kind, part)) for part in KEPT))


if __name__ == "__main__":
    main(sys.argv[1])
