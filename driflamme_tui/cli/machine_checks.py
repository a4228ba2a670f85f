"""Checks the machine for `driflamme doctor`.

Each check gets facts as arguments, and returns or yields its findings. `examine` collects the
facts; it changes nothing, and contacts no other machine.
"""

import asyncio
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from operator import eq, ge, lt
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

from platformdirs import user_data_path
from rich.console import Console

from driflamme_tui.cli.app_start import NO_SCREENS, kind_without_screens
from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.preferences.data_folders import data_folders
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import suitable_glyphs
from engine.texts import ExplainedError, Text
from netcode import private_files
from netcode.joining import discovery
from netcode.protocol.fields import printable_data
from netcode.registry import load_all
from netcode.transport.address import DEFAULT_PORT
from netcode.transport.machine_addresses import machine_numbers
from netcode.transport.sockets import open_tcp

OLDEST: Final = 3, 11
"""The oldest Python version that can run this program."""

NEWEST: Final = 3, 14
"""The newest Python version that was tested."""

ENOUGH_BYTES: Final = 100_000_000
"""Free bytes of a disk that are enough for years of games."""

LAST_YEAR: Final = 2099
"""The last year in which the system clock counts as right."""

FIREWALLS: Final = {
    "ufw": "sudo ufw allow {port}/tcp",
    "firewall-cmd": "sudo firewall-cmd --add-port={port}/tcp",
}
"""The known firewall programs, each with the command that opens a port."""

_REQUIREMENT: Final = re.compile(r"([\w.-]+)([^;]*)(;.*)?")
_BOUND: Final = re.compile(r"(>=|<|==)([\d.]+)")


def check_python(version: Sequence[int]) -> Finding:
    """Return a finding about the version of Python: too old, too new to be tested, or fine."""
    find = partial(Finding, "python", "Python")
    numbers, oldest, newest = (".".join(map(str, each)) for each in (version, OLDEST, NEWEST))
    if tuple(version[:2]) < OLDEST:
        sentence = _("{version} is too old: install {oldest} or newer.")
        return find(sentence.format(version=numbers, oldest=oldest), "trouble")
    if tuple(version[:2]) > NEWEST:
        sentence = _("{version} is newer than {newest}, the newest version tested.")
        return find(sentence.format(version=numbers, newest=newest), "hint")
    return find(numbers)


def check_packages(required: Sequence[str], version_of: Callable[[str], str | None]) -> Finding:
    """Return a finding about installed packages: the first fault, or the number of packages.

    Args:
        required: The requirements of this program, as in its metadata.
        version_of: Returns the installed version of a package; None for a missing package.
    """
    find, tried = partial(Finding, "packages", _("Packages")), 0
    for name, bounds, marker in (_REQUIREMENT.findall(line)[0] for line in required):
        version = None if "extra ==" in marker else version_of(name)
        if version is None and not marker:
            sentence = _("{package} is missing: reinstall the program.")
            return find(sentence.format(package=name), "trouble")
        if version is not None and not _is_within(version, bounds):
            sentence = _(
                "{package} {version} was not tested (only {bounds}): reinstall the program."
            )
            return find(sentence.format(package=name, version=version, bounds=bounds), "hint")
        tried += version is not None
    sentence = ngettext("{n}, a tested version", "{n}, all in tested versions", tried)
    return find(sentence)


def check_terminal(size: Sequence[int] | None, kind: str, colours: str, signs: bool) -> Finding:
    """Return a finding about the terminal.

    Args:
        size: Columns and rows; None without a terminal.
        kind: The value of `TERM`.
        colours: Rich's name of the colour system; "" for no colours.
        signs: True if the terminal shows Unicode.
    """
    find = partial(Finding, "terminal", _("Terminal"))
    if size is None:
        return find(_("Not checked: run this in the terminal in which you play."), "hint")
    if kind_without_screens(kind):
        return find(_(NO_SCREENS, kind=kind), "trouble")
    width, height = size
    if width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT:
        sentence = _(
            "{width} columns by {height} lines is too small: make it {columns} by {rows} or larger."
        )
        needed = {"columns": MINIMUM_WIDTH, "rows": MINIMUM_HEIGHT}
        return find(sentence.format(width=width, height=height, **needed), "trouble")
    known = {"truecolor": _("all colours"), "256": _("256 colours"), "": _("no colours")}
    sentence = _("{width} columns by {height} lines, {colours}, Unicode")
    if not signs:
        sentence = _(
            "{width} columns by {height} lines, {colours}, ASCII: a terminal with "
            "UTF-8 has better symbols."
        )
    shown = known.get(colours, _("16 colours"))
    text = sentence.format(width=width, height=height, colours=shown)
    return find(text, "fine" if signs else "hint")


def check_clock(now: float, made: float) -> Finding:
    """Return a finding about the system clock.

    The clock is wrong before this program was made, and after `LAST_YEAR`. Both times are in Unix
    seconds.
    """
    find, at = partial(Finding, "clock", _("Clock")), time.localtime(now)
    date = time.strftime("%Y-%m-%d %H:%M", at)
    if now < made or at.tm_year > LAST_YEAR:
        sentence = _(
            "The clock of this machine is wrong ({date}): set it, or games are saved with wrong "
            "dates."
        )
        return find(sentence.format(date=date), "hint")
    return find(date)


def check_folder(folder: Path, free: int, why: str, shared: bool) -> Finding:
    """Return a finding about the folder of games.

    Args:
        folder: The folder.
        free: The free space in bytes.
        why: The error of writing to the folder; "" if writing succeeded.
        shared: True if other users have any access to the folder.
    """
    sentence: Text = "{folder}, {free} MB free"
    if why:
        sentence = (
            "Cannot write to {folder} ({why}): make it writable, or no game is saved "
            "and no table can be opened."
        )
    elif free < ENOUGH_BYTES:
        sentence = "{folder}: only {free} MB are free; make room, or games will not be saved."
    elif shared:
        sentence = "Other users can read {folder}: chmod 700 keeps them out."
    well = not why and free >= ENOUGH_BYTES and not shared
    text = _(sentence, folder=printable_data(str(folder)), free=free // 1_000_000, why=why)
    return Finding("disk", _("Disk"), text, "fine" if well else "hint")


def check_owner(error: ExplainedError | None) -> Iterator[Finding]:
    """Yield a finding if other users can change a folder of the program.

    `error` has the reason; None if no other user can change a folder.
    """
    if error is not None:
        yield Finding("folders", _("Folders"), error.sentence(_), "trouble")


def check_port(check: str, label: str, port: int, *, is_free: bool) -> Finding:
    """Return a finding about a port that should be free.

    `check` and `label` name the port's purpose, for programs and for people.
    """
    if is_free:
        return Finding(check, label, _("port {port} is free", port=port))
    sentence = _("Port {port} is taken, perhaps by a table of yours: choose another when you host.")
    return Finding(check, label, sentence.format(port=port), "hint")


def check_addresses(addresses: Sequence[str]) -> Finding:
    """Return a finding with the addresses at which others can probably reach this machine."""
    find = partial(Finding, "addresses", _("Addresses"))
    if not addresses:
        return find(_("None: this machine is not on a network, so nobody else can join."), "hint")
    return find(", ".join(addresses))


def check_parts(failed: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each optional part that cannot be loaded, with the reason."""
    for part, why in failed.items():
        sentence = _(
            "The optional part {part} cannot be loaded, so reinstall the program: {why}",
            part=part,
            why=why,
        )
        yield Finding("parts", _("Parts"), sentence, "hint")


def check_announcement(error: ExplainedError | None) -> Finding:
    """Return a finding about announcing tables on the local network.

    `error` is the reason why this machine cannot announce tables; None if it can.
    """
    find = partial(Finding, "nearby", _("Nearby"))
    if error is None:
        return find(_("This machine can find tables on the network, and others can find yours."))
    sentence = _("{why} Others need the link or the code.")
    return find(sentence.format(why=error.sentence(_)), "hint")


def check_firewall(system: str, programs: Sequence[str], port: int) -> Finding:
    """Return a finding with the way to open a port in the firewall.

    Args:
        system: The operating system, as in `sys.platform`.
        programs: The firewall programs that were found.
        port: The port to open.
    """
    find = partial(Finding, "firewall", _("Firewall"))
    if system in ("win32", "darwin"):
        sentence = _(
            "At your first table it may ask whether Python may accept connections: allow it."
        )
        return find(sentence, "hint")
    if programs:
        sentence = _("If {program} is on, run this before you host: {command}")
        command = FIREWALLS[programs[0]].format(port=port)
        return find(sentence.format(program=programs[0], command=command), "hint")
    sentence = _("No known firewall. To host, TCP port {port} must be open.")
    return find(sentence.format(port=port))


def examine(added: Sequence[WingChecks] = ()) -> Iterator[Finding]:
    """Yield the findings of all checks of this machine, including the checks of wings."""
    for finding in _examine():
        yield finding
        for wing in added:
            if wing.after_check == finding.check:
                yield from wing.findings()


def _examine() -> Iterator[Finding]:
    yield check_python(sys.version_info[:3])
    # A single-file program has no metadata. It contains the packages that it was built with.
    with suppress(PackageNotFoundError):
        yield check_packages(requires("driflamme") or (), _version_of)
    size = os.get_terminal_size() if sys.stdout.isatty() else None
    kind, colours = os.environ.get("TERM", ""), Console().color_system or ""
    yield check_terminal(size, kind, colours, suitable_glyphs().unicode)
    yield check_clock(time.time(), os.stat(__file__).st_mtime)
    folder = user_data_path("driflamme", appauthor=False)
    yield check_folder(folder, *_look_into(folder))
    yield from check_owner(_why_not_private())
    yield check_port("tables", _("Tables"), DEFAULT_PORT, is_free=is_free(DEFAULT_PORT))
    yield check_addresses(machine_numbers())
    yield from check_parts(load_all("netcode", "driflamme_tui"))
    yield check_announcement(error_of(_announce()))
    # The PATH of ordinary users may lack these folders.
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    there = [each for each in FIREWALLS if shutil.which(each, path=path)]
    yield check_firewall(sys.platform, there, DEFAULT_PORT)


def _version_of(package: str) -> str | None:
    with suppress(PackageNotFoundError):
        return version(package)
    return None


def _look_into(folder: Path) -> tuple[int, str, bool]:
    """Return the arguments of `check_folder` after the folder: free bytes, error, True if shared.

    A shared folder gives other users any access. For a missing folder, the free bytes and the error
    are those of its nearest existing parent, and it counts as not shared.
    """
    there = next(each for each in (folder, *folder.parents) if os.path.exists(each))
    why = ""
    try:
        with TemporaryFile(dir=there) as file:
            file.write(b".")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or str(error)
    shared = os.name == "posix" and there == folder and bool(folder.stat().st_mode & 0o077)
    return shutil.disk_usage(there).free, why, shared


def _why_not_private() -> ExplainedError | None:
    try:
        for folder in data_folders():
            private_files.check_folder(folder)
    except ExplainedError as error:
        return error
    return None


def is_free(port: int) -> bool:
    """Return True if a server could listen on a port."""
    return error_of(_listen(port)) is None


async def _listen(port: int) -> None:
    for each in await open_tcp(None, port):
        each.close()


async def _announce() -> None:
    await (await discovery.open_zeroconf(None)).async_close()


def error_of(attempt: Coroutine[Any, Any, None]) -> ExplainedError | None:
    """Run an attempt to its end; return the ExplainedError that it raises, or None.

    Any other error is raised.
    """
    try:
        asyncio.run(attempt)
    except ExplainedError as error:
        return error
    return None


def _is_within(version: str, bounds: str) -> bool:
    """Return True if a version is within all bounds. Only the numbers in a version count."""
    ours = _numbers(version)
    keeps = {">=": ge, "<": lt, "==": eq}
    return all(keeps[sign](ours, _numbers(bound)) for sign, bound in _BOUND.findall(bounds))


def _numbers(version: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", version.partition("+")[0])]
