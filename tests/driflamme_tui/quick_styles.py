"""Applies style sheets as Textual does, but remembers between apps what does not change.

For each widget Textual searches all rules, lists the declarations of those that match, and
converts and checks each value. All apps of a test run have the same rules, so each of these steps
is done once. `tests/driflamme_tui/drawing/test_quick_styles.py` compares the results with
Textual's.
"""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, NamedTuple

from textual.css import match
from textual.css.model import RuleSet, Selector, SelectorSet, SelectorType
from textual.css.styles import RulesMap, Styles, StylesBase
from textual.css.stylesheet import _DEFAULT_STYLES, Stylesheet
from textual.dom import DOMNode

Declaration = tuple[str, tuple[int, ...], Any]
"""A rule's name, its specificity, and its value as styles store it. The value of `initial` is None.
"""

BY_PLACE = frozenset({"first-of-type", "last-of-type", "first-child", "last-child", "empty"})
"""Pseudo classes that depend on a node's place among its siblings."""

PREFIXES = {SelectorType.TYPE: "", SelectorType.CLASS: ".", SelectorType.ID: "#"}
"""The signs before the names of selectors that match by name alone."""


class Candidates(NamedTuple):
    """The rules that may match nodes with the same names."""

    declarations: list[tuple[list[Selector], list[Declaration]]]
    """For each condition, in Textual's order, the declarations that it brings. A condition is a
    list of selectors; it is empty for a rule that matches all nodes with these names.
    """
    combined: dict[tuple[bool, ...], RulesMap]
    """The styles for each combination of met conditions that a node has had."""
    pseudo_classes: frozenset[str]
    """All pseudo classes in these rules."""
    can_share: bool
    """True if siblings with the same classes get the same styles."""
    rules: list[RuleSet]
    """All rules of the style sheet. The reference keeps their ids in use."""


_by_sheet: dict[tuple[int, ...], dict[frozenset[str], Candidates]] = {}
_defaults: dict[str, object] = {}

_replace_rules: Callable[..., None] = Stylesheet.replace_rules
_matches = match._check_selectors


def match_any(selector_sets: Iterable[SelectorSet], node: DOMNode) -> bool:
    """Return True if a node matches one of the selector sets, in place of Textual's `match`.

    Compare the last selector with the node first, because most nodes differ there.
    """
    return any(_is_met(each.selectors, node) for each in selector_sets)


def _is_met(selectors: list[Selector], node: DOMNode) -> bool:
    return selectors[-1].check(node) and (
        len(selectors) == 1 or _matches(selectors, node.css_path_nodes)
    )


def apply(
    sheet: Stylesheet,
    node: DOMNode,
    *,
    animate: bool = False,
    cache: dict[tuple[object, ...], RulesMap] | None = None,
) -> None:
    """Apply a style sheet to a node, in place of `Stylesheet.apply`."""
    found = _candidates(sheet, node)
    pseudo_classes = found.pseudo_classes
    node._has_hover_style = "hover" in pseudo_classes
    node._has_focus_within = "focus-within" in pseudo_classes
    node._has_order_style = not pseudo_classes.isdisjoint(BY_PLACE)
    node._has_odd_or_even = "odd" in pseudo_classes or "even" in pseudo_classes

    key = None
    rules = None
    if cache is not None and found.can_share:
        id_in_rules = node._id if f"#{node._id}" in sheet.rules_map else None
        pseudo_key = node._pseudo_classes_cache_key
        key = (node._parent, id_in_rules, node.classes, pseudo_key, node._css_type_name)
        rules = cache.get(key)
    if rules is None:
        rules = _rules_of(node, found)
        if rules and key is not None and cache is not None:
            cache[key] = rules
    if rules:
        sheet.replace_rules(node, rules, animate=animate)
    sheet._process_component_classes(node)


def _candidates(sheet: Stylesheet, node: DOMNode) -> Candidates:
    rules = sheet.rules
    of, by_names = vars(sheet).get("candidates", (None, {}))
    if of is not rules:
        by_names = _by_sheet.setdefault(tuple(map(id, rules)), {})
        vars(sheet)["candidates"] = rules, by_names
    names = frozenset(node._selector_names)
    found: Candidates | None = by_names.get(names)
    if found is None:
        found = by_names[names] = _found(rules, names)
    return found


def _found(rules: list[RuleSet], names: frozenset[str]) -> Candidates:
    possible = [rule for rule in reversed(rules) if not names.isdisjoint(rule.selector_names)]
    pseudo_classes = frozenset[str]().union(*(rule.pseudo_classes for rule in possible))
    declarations = [
        (_condition(each.selectors), _declarations(rule, each.specificity))
        for rule in possible
        for each in rule.selector_set
        if _may_name(each.selectors[-1], names)
    ]
    can_share = pseudo_classes.isdisjoint(Stylesheet._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE)
    return Candidates(declarations, {}, pseudo_classes, can_share, rules)


def _may_name(selector: Selector, names: frozenset[str]) -> bool:
    prefix = PREFIXES.get(selector.type)
    return prefix is None or f"{prefix}{selector.name}" in names


def _condition(selectors: list[Selector]) -> list[Selector]:
    """Return the selectors that must be compared with a node which has the last one's name."""
    last = selectors[-1]
    is_met = len(selectors) == 1 and last.type in PREFIXES and not last.pseudo_classes
    return [] if is_met else selectors


def _declarations(rule: RuleSet, specificity: tuple[int, int, int]) -> list[Declaration]:
    found = rule.styles.extract_rules(specificity, rule.is_default_rules, rule.tie_breaker)
    # Textual parses some names, such as `auto_scrollbar_background`, for which no style exists.
    known = [each for each in found if each[0] in vars(StylesBase)]
    return [(name, strength, _as_set(name, value)) for name, strength, value in known]


def _as_set(name: str, value: object) -> object:
    """Return what a property of styles stores when a declared value is set."""
    styles = Styles()
    setattr(styles, name, value)
    stored = styles.get_rule(name, None)
    assert (stored is None) == (value is None), f"{name}: {value} is stored as {stored}"
    return stored


def _rules_of(node: DOMNode, found: Candidates) -> RulesMap:
    met = tuple([not selectors or _is_met(selectors, node) for selectors, _ in found.declarations])
    if met not in found.combined:
        found.combined[met] = _combined(
            [each for (_, each), is_met in zip(found.declarations, met, strict=True) if is_met]
        )
    return found.combined[met]


def _combined(matching: list[list[Declaration]]) -> RulesMap:
    best: dict[str, tuple[tuple[int, ...], Any]] = {}
    for declarations in matching:
        for name, specificity, value in declarations:
            if name not in best or specificity > best[name][0]:
                best[name] = specificity, value
    rules: Any = {
        name: _initial(name, matching) if value is None else value
        for name, (_, value) in best.items()
    }
    return rules  # type: ignore[no-any-return]


def _initial(name: str, matching: list[list[Declaration]]) -> object:
    """Return the value of `initial`, which the strongest declaration of a name has.

    A style sheet of the program falls back to those of Textual's widgets, these to the default.
    """
    named = [each[1:] for declarations in matching for each in declarations if each[0] == name]
    textuals = [each for each in named if not each[0][0]]
    if len(textuals) < len(named):
        return max(textuals, key=itemgetter(0))[1] if textuals else None
    if name not in _defaults:
        _defaults[name] = getattr(_DEFAULT_STYLES, name)
    return _defaults[name]


def replace_rules(node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
    """Replace a node's styles, in place of `Stylesheet.replace_rules`.

    Set only what differs, and without checks if nothing shows the node yet.
    """
    if animate and "transitions" in rules:
        _replace_rules(node, rules, animate)
        return
    base = node.styles.base
    now: Any = base._rules
    wanted: Any = rules
    if now != wanted:
        if node._is_mounted:
            for name in now.keys() | wanted.keys():
                if now.get(name) != wanted.get(name):
                    setattr(base, name, wanted.get(name))
        else:
            layout = now.get("layout")
            now.clear()
            now.update((name, value) for name, value in wanted.items() if value is not None)
            if "layout" in now:
                # The property gives each node a layout of its own.
                now["layout"] = layout
                base.layout = wanted["layout"]
            base._updates += 1
    node.notify_style_update()
