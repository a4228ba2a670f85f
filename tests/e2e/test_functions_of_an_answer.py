"""Prints the number of functions in each module that an answer passes on its way to all screens."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import pytest

from netcode.protocol.messages import SetReady, Start
from tests.e2e.walk.features import all_features
from tests.e2e.walk.sight import SLICE_S
from tests.e2e.walk.walk import Walk

ROOT = Path(__file__).resolve().parents[2]

OURS = tuple(str(ROOT / each) for each in ("engine", "netcode", "driflamme_tui"))

LOOKS = (
    "Sight.",
    "Walk.",
    "WalkHost.",
    "TableRegistry.only_entry",
    "Person.is_there",
    "Person.seat",
)


def called(doing: Callable[[], object]) -> set[CodeType]:
    """Return the functions of this program that an action calls."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        caller = "" if frame.f_back is None else frame.f_back.f_code.co_qualname
        # Lambdas and comprehensions belong to a named function; the walk's own checks
        # do not count.
        is_named = not frame.f_code.co_name.startswith("<")
        if event == "call" and is_named and not caller.startswith(LOOKS):
            found.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        doing()
    finally:
        sys.setprofile(before)
    return {code for code in found if code.co_filename.startswith(OURS)}


class Table(Walk):
    """A table of three people with screens, whose host answers."""

    def _walk(self, steps: int) -> None:
        self.rng = Random(5)
        self.host.start()
        for _ in range(3):
            self._come(by_lines=False, watches=False)
        guests = [one for one in self.there if one is not self.presider]
        for person in guests:
            self._do("ready", SetReady(True), person)
        self._do("start", Start())
        self._play(steps)
        self.rest(SLICE_S)
        self.passed = called(self._step_and_settle)
        self._play(1)

    def _step_and_settle(self) -> None:
        self.step()
        self.settle()


KINDS: dict[str, Mapping[str, Any]] = {"ordinary": {}} | {
    feature.__name__: feature.settings for feature in all_features() if feature.settings
}


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", KINDS)
def test_the_functions_that_an_answer_passes_are_counted(kind: str, tmp_path: Path) -> None:
    table = Table(1, tmp_path, settings=KINDS[kind])
    table.run(4)
    modules = Counter(Path(code.co_filename).relative_to(ROOT).as_posix() for code in table.passed)
    # Print the counts for readers. They have no limit, because separate parts may need more
    # functions.
    print(f"{kind}: {modules.total()} functions in {len(modules)} modules")
    for module, functions in sorted(modules.items()):
        print(f"{functions:4} {module}")
    assert {"engine", "netcode"} <= {module.partition("/")[0] for module in modules}
