"""Reads and writes records of games in files, which may come from strangers.

A file has one record, one record on each line, or the trace of a series of games (`driflamme arena
--trace`). Errors are sentences. `engine.replaying` checks the games themselves.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from driflamme_tui.text.i18n import _
from engine.record import FORMAT, MAXIMUM_LENGTH, RULES_VERSION, Record, RecordError
from engine.texts import Text

STANDARD: Final = "-"
"""The name that means standard input."""

_MOST: Final = 4 * MAXIMUM_LENGTH
"""Maximum bytes of a record or of a line of a trace: four for each character, as in UTF-8."""

WRITE_ERROR: Final[Text] = "{file!r} cannot be written: {why}. Choose another file."
"""The error for a record that cannot be saved."""

MAXIMUM_STEPS: Final = 10_000
"""Maximum steps of a game in a trace. The longest games have some two hundred."""


def record_in_file(source: str, game: int = 1) -> Record:
    """Return the record in a file; of several games, the record of game `game`, from 1.

    Raises:
        RecordError: The file cannot be read, is invalid, or has fewer games.
    """
    for text in islice(_records(source), game - 1, None):
        return Record.from_json(_text(text))
    raise RecordError("The file has fewer games: choose a smaller number with --game.")


def records_in_file(source: str) -> Iterator[Record]:
    """Yield the records of all games in a file.

    Raises:
        RecordError: The file cannot be read, or is invalid.
    """
    return (Record.from_json(_text(text)) for text in _records(source))


def save_record(record: Record, folder: Path, now: float) -> Path:
    """Write a record to a new file and return its path.

    The file's name contains the time of the game. If that is unknown, it contains `now`, in Unix
    seconds.

    Raises:
        RecordError: No file can be written.
    """
    known = (at for at in (record.ended, record.began) if at is not None)
    name = time.strftime("driflamme-%Y-%m-%d-%H%M", time.localtime(next(known, now)))
    from netcode.whole_file import whole_file

    for number in range(1, 1000):
        path = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        try:
            with whole_file(path) as file:
                file.write(f"{record.to_json()}\n")
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(WRITE_ERROR, path, error) from None
        return path
    raise _failed(WRITE_ERROR, folder, FileExistsError(0, "full"))


def save_in_folder(record: Record, folder: Path | None, space: int) -> tuple[str, bool]:
    """Save a record. Return a sentence about the result, and True if the file was written.

    If `folder` is None, nothing is written, since a visitor has no folder on the host's machine.
    The path is shortened from the left until the sentence fits into `space` cells.
    """
    # Import here, since a game that is printed as text does not need it.
    from rich.cells import cell_len

    if folder is None:
        return _("Nothing is saved: a file of yours would be on the host's machine."), False
    try:
        path = save_record(record, folder, time.time())
    except RecordError as error:
        return error.sentence(_), False
    sentence = _("The record is in {file}.")
    return sentence.format(file=short_path(path, space - cell_len(sentence.format(file="")))), True


def short_path(path: Path, space: int) -> str:
    """Return a path with `~` for the home folder.

    A path of more than `space` cells loses its first folders, but never the name of the file.
    """
    from rich.cells import cell_len

    try:
        home = Path.home()
        shown = str(Path("~", path.relative_to(home))) if path.is_relative_to(home) else str(path)
    except RuntimeError:
        # Without a home folder, show the whole path.
        shown = str(path)
    parts = Path(shown).parts
    for first in range(1, len(parts)):
        if cell_len(shown) <= space:
            break
        shown = str(Path("…", *parts[first:]))
    return shown


def _failed(sentence: Text, file: object, error: OSError) -> RecordError:
    return RecordError(sentence, file=str(file), why=error.strerror or str(error))


@contextmanager
def open_input(source: str) -> Iterator[IO[bytes]]:
    """Open a file or standard input.

    Raises:
        RecordError: The file cannot be opened, or reading fails in the block.
    """
    try:
        if source == STANDARD:
            # A text stream that replaced standard input has no buffer, so use the stream itself.
            buffer = getattr(sys.stdin, "buffer", None)
            yield buffer if buffer is not None else BytesIO(sys.stdin.read().encode())
        else:
            with Path(source).open("rb") as file:
                yield file
    except OSError as error:
        raise _failed(
            "The file {file!r} cannot be read: {why}. Choose another file.", source, error
        ) from None


def _line(file: IO[bytes]) -> bytes:
    return file.readline(_MOST + 1)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(
            "This is not a record of a game, since it is not text: export one with "
            "driflamme replay --export."
        ) from None


def _json_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line; {} for any other line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _records(source: str) -> Iterator[bytes]:
    """Yield the text of each record in a file of any kind."""
    with open_input(source) as file:
        line = _line(file)
        fields = _json_object(line)
        if fields.get("type") == "deal":
            yield from _from_trace(fields, file)
        elif fields.get("format") != FORMAT:
            # A single record may have several lines, so read the rest of the file too.
            yield line + file.read(_MOST)
        else:
            while line.strip():
                yield line
                line = _line(file)


def _from_trace(fields: dict[str, Any], file: IO[bytes]) -> Iterator[bytes]:
    """Yield a record for each deal of a trace.

    `fields` has the first line; `file` has the remaining lines.
    """
    while fields:
        if fields.get("type") == "deal":
            deal = {name: value for name, value in fields.items() if name not in ("type", "game")}
            data = {"format": FORMAT, "rules": RULES_VERSION, "deal": deal, "settings": {}}
            yield json.dumps(data | {"actions": _actions(file)}).encode()
        fields = _json_object(_line(file))


def _actions(file: IO[bytes]) -> list[object]:
    """Return the actions up to the end of the present game of a trace.

    Raises RecordError for an invalid line, or too many actions.
    """
    actions: list[object] = []
    while line := _line(file):
        fields = _json_object(line)
        if fields.get("type") == "result":
            break
        if fields.get("type") != "step" or len(actions) == MAXIMUM_STEPS:
            raise RecordError(
                "Step {step} of the trace is not valid: write it again with "
                "driflamme arena --trace.",
                step=len(actions) + 1,
            )
        actions.append(fields.get("action"))
    return actions
