"""Defines the results of benchmarks: figures with units and goals, and a table of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from operator import ge, le, lt
from statistics import median
from typing import Final, NamedTuple

RELATIONS: Final = {"<": lt, "<=": le, ">=": ge}


GOALS: Final = {
    "decisions_compiled": ">= 1500000",
    "search_ratio_compiled": ">= 3",
    "ratio_at_100": ">= 0.3",
    "p50_at_1": "<= 0.5",
    "memory_at_100": "<= 51",
    "memory_of_1000_idle": "< 100",
    "memory_after_5000_came_and_went": "<= 1.2",
    "help_ratio": "<= 1.1",
    "start_ratio_*": "<= 1.2",
    "action_120x40": "< 3000",
    "action_p90_120x40": "< 6000",
    "idle_*": "<= 0",
    "verify_at_*": "< 100",
    "act_to_all_at_*": "< 2",
    "games_that_agree": ">= 45",
    "memory_of_1000_waiting": "< 100",
    "cpu_of_1000_waiting": "< 0.5",
    "turns_of_10": "< 250",
    "hours_saved_by_careful": ">= 10",
    "lost_by_prepared_of_careful": "< 2",
}
"""The goals of all benchmarks, by the names of figures. `*` stands for any text."""


class Figure(NamedTuple):
    """One result of a benchmark: name, value and unit."""

    name: str
    """The name of the figure, unique in its benchmark."""
    value: float
    unit: str = ""
    """"" for a ratio."""

    @property
    def goal(self) -> str:
        """The goal of the figure, followed by `missed` if it is missed; "" without a goal."""
        for pattern, goal in GOALS.items():
            if fnmatchcase(self.name, pattern):
                relation, bound = goal.split()
                return goal if RELATIONS[relation](self.value, float(bound)) else f"{goal}  missed"
        return ""


def medians(figures: Iterable[Figure]) -> list[Figure]:
    """Return one figure for each name: the median of its values, rounded to four digits."""
    found = defaultdict[tuple[str, str], list[float]](list)
    for each in figures:
        found[each.name, each.unit].append(each.value)
    return [
        Figure(name, float(f"{median(values):.4g}"), unit) for (name, unit), values in found.items()
    ]


def print_figures(benchmark: str, figures: Sequence[Figure]) -> None:
    """Print the figures of a benchmark with their goals."""
    # Import here: servers whose memory is measured load this module too.
    from rich.console import Console
    from rich.table import Table

    table = Table("benchmark", "figure", "value", "unit", "goal", box=None, pad_edge=False)
    table.columns[2].justify = "right"
    for each in figures:
        number = f"{each.value:,.0f}" if each.value >= 100 else f"{each.value:.4g}"
        table.add_row(benchmark, each.name, number, each.unit, each.goal)
    Console(width=100, highlight=False).print(table)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value that `percent` percent of the values do not exceed, to three decimals.

    `percent` must be below 100.
    """
    return round(sorted(values)[len(values) * percent // 100], 3)
