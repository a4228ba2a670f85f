"""Apps under test give each widget the styles that Textual gives it."""

from typing import Any

import pytest
from textual.css.styles import Styles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from tests.driflamme_tui import quick_styles
from tests.support.tables import (
    Hands,
    SeatedApp,
    WatchedApp,
    evening_session,
    gathered,
    in_app,
)

TEXTUALS = Stylesheet.apply
"""Textual's own method: no fixture has replaced it yet."""


class Comparison:
    """Applies a style sheet in both ways, and collects the nodes that differ."""

    def __init__(self) -> None:
        self.differences: list[tuple[str, dict[str, object], dict[str, object]]] = []
        self.applied = 0

    def apply(self, sheet: Stylesheet, node: DOMNode, **given: Any) -> None:
        quick_styles.apply(sheet, node, **given)
        wanted, found = self._of_textual(sheet, node), _rules_in(node.styles.base)
        self.applied += 1
        if wanted is not None and wanted != found:
            names = [each for each in wanted | found if wanted.get(each) != found.get(each)]
            self.differences.append(
                (
                    str(node),
                    {name: wanted.get(name) for name in names},
                    {name: found.get(name) for name in names},
                )
            )

    def _of_textual(self, sheet: Stylesheet, node: DOMNode) -> dict[str, object] | None:
        """Return the styles that Textual would set; None if no rule matches."""
        styles: Styles | None = None

        def replace(_node: DOMNode, rules: dict[str, object], animate: bool) -> None:
            nonlocal styles
            styles = Styles()
            for name, value in rules.items():
                setattr(styles, name, value)

        replaced = {"replace_rules": replace, "_process_component_classes": lambda _node: None}
        vars(sheet).update(replaced)
        TEXTUALS(sheet, node)
        for name in replaced:
            del vars(sheet)[name]
        return None if styles is None else _rules_in(styles)


def _rules_in(styles: Styles) -> dict[str, object]:
    """Return the rules of styles, with the name of the layout: each node has its own layout."""
    rules: dict[str, object] = {**styles.get_rules()}
    return rules if styles.layout is None else {**rules, "layout": styles.layout.name}


@pytest.fixture
def comparison(monkeypatch: pytest.MonkeyPatch, no_waiting: None) -> Comparison:
    compared = Comparison()
    monkeypatch.setattr(
        Stylesheet, "apply", lambda *given, **named: compared.apply(*given, **named)
    )
    return compared


@in_app(lambda: WatchedApp(None))
async def test_at_the_start(app: WatchedApp, hands: Hands, comparison: Comparison) -> None:
    for key in ("tab", "down", "enter", "escape", "question_mark", "escape"):
        await hands.press(key)
    assert comparison.applied > 100
    assert comparison.differences == []


@in_app(lambda: SeatedApp(gathered("rbg", "r", host=True)))
async def test_in_a_lobby(app: SeatedApp, hands: Hands, comparison: Comparison) -> None:
    for key in ("down", "t", "x", "enter", "escape", "o", "escape"):
        await hands.press(key)
    assert comparison.applied > 100
    assert comparison.differences == []


@in_app(lambda: SeatedApp(evening_session(3)))
async def test_at_a_table(app: SeatedApp, hands: Hands, comparison: Comparison) -> None:
    for key in ("t", "x", "escape", "ctrl+p", "escape", "o", "escape"):
        await hands.press(key)
    app.warn("Something is wrong.")
    app.theme = "light"
    await hands.resize_terminal(120, 40)
    assert comparison.applied > 100
    assert comparison.differences == []
