"""What a benchmark has measured: figures with their units, their goals, and how they are shown."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from operator import ge, le, lt
from statistics import median
from typing import Any, Final

RELATIONS: Final = {"<": lt, "<=": le, ">=": ge}


GOALS: Final = {
    "decisions_compiled": ">= 1500000",
    "search_ratio_compiled": ">= 3",
    "ratio_at_100": ">= 0.24",
    "p50_at_1": "<= 0.6",
    "memory_at_100": "<= 59",
    "memory_of_1000_idle": "< 100",
    "help_ratio": "<= 1.3",
    "start_ratio_*": "<= 1.5",
    "action_120x40": "< 3000",
    "action_p90_120x40": "< 6000",
    "idle_*": "<= 0",
    "verify_at_*": "< 100",
    "act_to_all_at_*": "< 2",
}
"""The goals of all benchmarks, by the names of figures; `*` stands for anything."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that was measured."""

    name: str
    """Its own among the figures of its benchmark."""
    value: float
    unit: str = ""
    """Nothing for a ratio."""

    @property
    def goal(self) -> str:
        """What it should be; empty if it has no goal."""
        return next((goal for name, goal in GOALS.items() if fnmatchcase(self.name, name)), "")

    @property
    def is_met(self) -> bool:
        """Whether it keeps to its goal, if it has one."""
        if not self.goal:
            return True
        relation, bound = self.goal.split()
        return bool(RELATIONS[relation](self.value, float(bound)))

    def as_json(self) -> dict[str, Any]:
        """Return it in JSON's types, without its name."""
        fields: dict[str, Any] = {"value": self.value, "unit": self.unit}
        return fields | ({"goal": self.goal, "met": self.is_met} if self.goal else {})


def medians(figures: Iterable[Figure]) -> list[Figure]:
    """Return of each name one figure, the median of all that there are, to four digits."""
    found = defaultdict[tuple[str, str], list[float]](list)
    for each in figures:
        found[each.name, each.unit].append(each.value)
    return [
        Figure(name, float(f"{median(values):.4g}"), unit) for (name, unit), values in found.items()
    ]


def as_object(figures: Sequence[Figure]) -> dict[str, Any]:
    """Return the figures of a benchmark in JSON's types, by their names."""
    return {figure.name: figure.as_json() for figure in figures}


def print_figures(benchmark: str, figures: Sequence[Figure], as_json: bool) -> None:
    """Print the figures of a benchmark: as one object, or as a table with their goals."""
    if as_json:
        print(json.dumps({benchmark: as_object(figures)}))
        return
    rows = [("benchmark", "figure", "value", "unit", "goal")]
    for each in figures:
        goal = each.goal if each.is_met else f"{each.goal}  missed"
        rows.append((benchmark, each.name, _number(each.value), each.unit, goal))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for benchmark, name, value, unit, goal in rows:
        left = f"{benchmark:{widths[0]}}  {name:{widths[1]}}  {value:>{widths[2]}}"
        print(f"{left}  {unit:{widths[3]}}  {goal}".rstrip())


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what so many in a hundred of some values have at most."""
    return round(sorted(values)[len(values) * percent // 100], 3)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.3g}"
