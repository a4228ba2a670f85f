"""Tests the registry of wings: its results, also with missing or failing wings."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from netcode import registry
from netcode.protocol.fields import Messages
from netcode.wings import WINGS

ROOT = Path(__file__).parents[2]

LIST = """
WINGS = {
    "sound": ("messages",),
    "broken": ("messages",),
    "mistyped": ("messages",),
    "other": (),
}
"""

SEAMS = """
from netcode.protocol.fields import Messages


def seam_types():
    return {"messages": Messages}
"""

SOUND = """
from netcode.protocol.fields import Messages
SEAM = Messages((), ())
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the name of a package with four wings: two fail, and one serves another seam."""
    name = "with_wings"
    texts = {
        "sound": SOUND,
        "broken": "raise OSError('secret')",
        "mistyped": "SEAM = 3",
        "other": "raise AssertionError",
    }
    for wing, text in texts.items():
        folder = tmp_path / name / "wings" / wing
        folder.mkdir(parents=True)
        (folder / "messages.py").write_text(text)
    (tmp_path / name / "wings" / "__init__.py").write_text(LIST)
    (tmp_path / name / "seams.py").write_text(SEAMS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "FAILURES", {})
    yield name
    for module in [each for each in sys.modules if each.partition(".")[0] == name]:
        del sys.modules[module]
    registry.wing_values.cache_clear()


def test_a_wing_that_cannot_be_imported_is_named_and_the_others_serve(package: str) -> None:
    found = registry.wing_values(package, "messages", Messages)
    assert found == (Messages((), ()),)
    assert registry.FAILURES.keys() == {"broken", "mistyped"}
    assert "OSError" in registry.FAILURES["broken"]
    assert "secret" not in registry.FAILURES["broken"], "what is logged holds no text of an error"
    assert f"{package}.wings.other.messages" not in sys.modules, "it serves no such seam"


MISTYPED = "SEAM in with_wings.wings.mistyped.messages is no Messages"


def test_a_seam_of_a_wrong_type_is_a_failed_wing_also_for_doctor(package: str) -> None:
    assert registry.load_all(package)["mistyped"] == MISTYPED


def test_a_failure_is_told_once_to_all_who_watch_before_and_after_it(package: str) -> None:
    early: list[str] = []
    late: list[tuple[str, str]] = []
    stop = registry.watch_failures(lambda wing, _why: early.append(wing))
    assert not early
    registry.load_all(package)
    registry.load_all(package)
    assert early == ["broken", "mistyped"]
    stop()
    stop = registry.watch_failures(lambda *failure: late.append(failure))
    stop()
    assert late == [*registry.FAILURES.items()]
    assert late[1] == ("mistyped", MISTYPED)


def test_a_failed_wing_is_found_by_its_name_and_by_its_seam(package: str) -> None:
    assert not registry.failure_of(package, "messages", "sound")
    registry.load_all(package)
    assert registry.failure_of(package, "messages", "mistyped") == MISTYPED
    assert MISTYPED in registry.failure_of(package, "messages", "another_name")
    assert not registry.failure_of(package, "another_seam", "another_name")


@pytest.mark.parametrize("each", ["netcode", "driflamme_tui"])
def test_every_seam_of_the_wings_has_a_type(each: str) -> None:
    for seams in registry.seams_of_wings(each).values():
        for seam in seams:
            assert isinstance(registry.kind_of_seam(each, seam), type)
    assert not registry.load_all(each).keys() & registry.seams_of_wings(each)


@pytest.mark.parametrize("wing", WINGS)
def test_every_wing_has_a_module_with_a_value_for_each_seam(wing: str) -> None:
    for seam in WINGS[wing]:
        assert (ROOT / "netcode" / "wings" / wing / f"{seam}.py").is_file()
    assert (ROOT / "netcode" / "wings" / wing / "__init__.py").is_file()


def test_the_list_is_a_line_for_each_wing() -> None:
    lines = (ROOT / "netcode" / "wings" / "__init__.py").read_text("utf-8").splitlines()
    begun = [line.partition('": ')[0].strip(' "') for line in lines if line.startswith('    "')]
    assert begun == [*WINGS]
