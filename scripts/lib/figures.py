"""What a benchmark has measured: figures with their units, their goals, and how they are shown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from operator import ge, le, lt
from typing import Any, Final

RELATIONS: Final = {"<": lt, "<=": le, ">=": ge}


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound that a figure is meant to keep."""

    relation: str
    """One of `RELATIONS`."""
    bound: float

    def met_by(self, value: float) -> bool:
        """Whether a value keeps the bound."""
        return bool(RELATIONS[self.relation](value, self.bound))

    def __str__(self) -> str:
        return f"{self.relation} {_number(self.bound)}"


GOALS: Final = {
    "ratio_at_100": Goal(">=", 0.34),
    "p50_at_1": Goal("<=", 0.59),
    "memory_at_100": Goal("<=", 59),
    "memory_of_1000_idle": Goal("<", 100),
    "scale_of_2_processes": Goal(">=", 1.8),
    "help_ratio": Goal("<=", 1.3),
    "start_ratio_*": Goal("<=", 1.5),
    "action_120x40": Goal("<", 3000),
    "action_p90_120x40": Goal("<", 6000),
    "idle_*": Goal("<=", 0),
    "p99_under_*": Goal("<", 2),
    "memory_of_visitors": Goal("<", 4096),
    "p99_key_*": Goal("<", 150),
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
    def goal(self) -> Goal | None:
        """What it should be."""
        return next((goal for name, goal in GOALS.items() if fnmatchcase(self.name, name)), None)

    def as_json(self) -> dict[str, Any]:
        """Return it in JSON's types, without its name."""
        fields: dict[str, Any] = {"value": self.value, "unit": self.unit}
        if self.goal is not None:
            fields |= {"goal": str(self.goal), "met": self.goal.met_by(self.value)}
        return fields


def as_object(figures: Sequence[Figure]) -> dict[str, Any]:
    """Return the figures of a benchmark in JSON's types, by their names."""
    return {figure.name: figure.as_json() for figure in figures}


def show(figures: Mapping[str, Sequence[Figure]]) -> None:
    """Print one table of the figures of some benchmarks, by the benchmarks' names."""
    rows = [("benchmark", "figure", "value", "unit", "goal")]
    for benchmark, measured in figures.items():
        for each in measured:
            goal = "" if each.goal is None else str(each.goal)
            if each.goal is not None and not each.goal.met_by(each.value):
                goal += "  missed"
            rows.append((benchmark, each.name, _number(each.value), each.unit, goal))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for benchmark, name, value, unit, goal in rows:
        left = f"{benchmark:{widths[0]}}  {name:{widths[1]}}  {value:>{widths[2]}}"
        print(f"{left}  {unit:{widths[3]}}  {goal}".rstrip())


def print_figures(benchmark: str, figures: Sequence[Figure], as_json: bool) -> None:
    """Print the figures of one benchmark: as one object, or as a table."""
    if as_json:
        print(json.dumps(as_object(figures)))
    else:
        show({benchmark: figures})


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what so many in a hundred of some values have at most."""
    return round(sorted(values)[len(values) * percent // 100], 3)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.3g}"
