"""The registry of wings: what it finds, and what it does without."""

import sys
from pathlib import Path

import pytest

from netcode import registry
from netcode.protocol.fields import Messages
from netcode.wings import WINGS

ROOT = Path(__file__).parents[2]

LIST = 'WINGS = {\n    "sound": ("messages",),\n    "broken": ("messages",),\n    "other": (),\n}\n'

SOUND = """
from netcode.protocol.fields import Messages
SEAM = Messages((), ())
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with three wings, of which one cannot be imported and one serves another seam."""
    name = "with_wings"
    texts = {"sound": SOUND, "broken": "raise OSError('secret')", "other": "raise AssertionError"}
    for wing, text in texts.items():
        folder = tmp_path / name / "wings" / wing
        folder.mkdir(parents=True)
        (folder / "messages.py").write_text(text)
    (tmp_path / name / "wings" / "__init__.py").write_text(LIST)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "FAILED", {})
    return name


def test_a_wing_that_cannot_be_imported_is_named_and_the_others_serve(package: str) -> None:
    found = registry.brought(package, "messages", Messages)
    assert found == (Messages((), ()),)
    assert registry.FAILED.keys() == {"broken"}
    assert "OSError" in registry.FAILED["broken"]
    assert "secret" not in registry.FAILED["broken"], "what is logged holds no text of an error"
    assert f"{package}.wings.other.messages" not in sys.modules, "it serves no such seam"


@pytest.mark.parametrize("wing", WINGS)
def test_every_wing_has_a_module_with_a_value_for_each_seam(wing: str) -> None:
    for seam in WINGS[wing]:
        assert (ROOT / "netcode" / "wings" / wing / f"{seam}.py").is_file()
    assert (ROOT / "netcode" / "wings" / wing / "__init__.py").is_file()


def test_the_list_is_a_line_for_each_wing() -> None:
    lines = (ROOT / "netcode" / "wings" / "__init__.py").read_text("utf-8").splitlines()
    begun = [line.partition('": ')[0].strip(' "') for line in lines if line.startswith('    "')]
    assert begun == [*WINGS]
