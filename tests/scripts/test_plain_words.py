"""Tests the script that prints sentences which may need a second reading."""

from pathlib import Path

import pytest

from scripts.lib.plain_words import main, remarks, texts


@pytest.mark.parametrize(
    "text",
    [
        "Whoever comes is told once.",
        "Whether nothing more is sent.",
        "Lead somebody there.",
        " ".join(["word"] * 26),
    ],
)
def test_a_sentence_with_two_readings_is_remarked(text: str) -> None:
    assert [*remarks(text)]


def test_a_plain_sentence_is_not() -> None:
    assert not [*remarks("Return the seats of the player. Raises OSError.")]


def test_docstrings_fields_and_comments_are_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = '"""Module."""\nSEATS = 1\n"""Field."""\n# Comment\n'
    assert [*texts(source)] == [(1, "Module."), (3, "Field."), (4, "Comment")]
    path = tmp_path / "module.py"
    path.write_text('"""Whoever comes."""\n', "utf-8")
    main([str(path)])
    assert capsys.readouterr().out.startswith(f"{path}:1: 'Whoever': name the person\n")
