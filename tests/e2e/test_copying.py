"""Tests copying in the real program, with a clipboard command on its path."""

import base64
import sys
from pathlib import Path

import pytest

from tests.support.programs import HERE, PATIENCE, Terminal

CLIPBOARD = """#!{python}
import sys
if text := sys.stdin.read():
    open({file!r}, "w").write(text)
"""


@pytest.mark.parametrize("over_ssh", [False, True], ids=["here", "over SSH"])
def test_a_link_is_copied_by_the_system_here_and_by_the_terminal_over_ssh(
    over_ssh: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, program = tmp_path / "copied", tmp_path / "xclip"
    program.write_text(CLIPBOARD.format(python=sys.executable, file=str(file)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    if over_ssh:
        monkeypatch.setenv("SSH_TTY", "/dev/pts/1")
    terminal = Terminal("host", *HERE, "--name", "Ada")
    terminal.until("Add bots, or wait")
    terminal.until("If pasting gives nothing" if over_ssh else "Invitation link copied.", ["c"])
    if not over_ssh:
        for _look in range(PATIENCE):
            terminal.look()
            if file.exists() and file.read_text():
                break
    assert terminal.hang_up() == 0
    sequence = terminal.raw.partition("\x1b]52;c;")[2].partition("\a")[0]
    sent = base64.b64decode(sequence).decode()
    assert sent.startswith("driflamme://")
    assert file.exists() is not over_ssh
    if not over_ssh:
        assert file.read_text() == sent
