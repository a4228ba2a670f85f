"""Tests that copies reach the clipboard of the player's system from any terminal."""

import asyncio
import sys
from pathlib import Path

import pytest

from driflamme_tui.drawing.clipboard import clipboard_command, fill_clipboard

X11, WAYLAND, SSH = {"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"SSH_TTY": "/dev/pts/1"}


@pytest.mark.parametrize(
    ("environment", "platform", "programs", "chosen"),
    [
        (X11, "linux", "xclip xsel", "xclip"),
        (X11, "linux", "xsel wl-copy", "xsel"),
        (X11 | WAYLAND, "linux", "xclip wl-copy", "wl-copy"),
        (X11 | WAYLAND, "linux", "xclip", "xclip"),
        (X11, "linux", "", None),
        ({}, "linux", "xclip xsel wl-copy clip.exe", None),
        ({"DISPLAY": ""}, "linux", "xclip", None),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", "clip.exe", "clip.exe"),
        ({}, "darwin", "pbcopy", "pbcopy"),
        ({}, "win32", "clip.exe", "clip.exe"),
        (X11 | SSH, "linux", "xclip", None),
        (SSH, "darwin", "pbcopy", None),
        ({"SSH_CONNECTION": "1 2 3 4"}, "win32", "clip.exe", None),
    ],
)
def test_the_command_is_the_one_that_works_here_and_none_over_ssh(
    environment: dict[str, str], platform: str, programs: str, chosen: str | None
) -> None:
    there = programs.split()
    command = clipboard_command(environment, platform, lambda name: name if name in there else None)
    assert (command or (None,))[0] == chosen


@pytest.mark.parametrize(
    ("source", "works"),
    [
        ("open({file!r}, 'w').write(sys.stdin.read())", True),
        ("open({file!r}, 'w').write(sys.stdin.read()); sys.exit(1)", False),
        ("sys.stdin.close(); open({file!r}, 'w').write('driflamme://é')", True),
    ],
)
def test_a_command_is_given_the_text_and_says_whether_it_worked(
    source: str, works: bool, tmp_path: Path
) -> None:
    file = tmp_path / "clipboard"
    program = f"import sys; {source.format(file=str(file))}"
    command = (sys.executable, "-X", "utf8", "-c", program)
    assert asyncio.run(fill_clipboard(command, "driflamme://é")) is works
    assert file.read_text(encoding="utf-8") == "driflamme://é"


def test_a_command_that_is_gone_has_not_worked(tmp_path: Path) -> None:
    assert not asyncio.run(fill_clipboard((str(tmp_path / "none"),), "text"))
