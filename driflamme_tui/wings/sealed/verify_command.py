"""Runs `driflamme verify`: checks the proofs of a sealed game in the history, or in a file."""

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, Final

import typer

from driflamme_tui.cli import completion
from driflamme_tui.cli.commands.replay_command import record_of
from driflamme_tui.cli.declarations import Commands, argument
from driflamme_tui.cli.output import STATUS_FAILED, echo, fail
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from netcode.wings.sealed.game.game_log import SealedLog
    from netcode.wings.sealed.game.parcels import Parcel

MAXIMUM_BYTES: Final = 1 << 27
"""Maximum bytes of a file, enough for thousands of games."""

commands = Commands()


@commands.described(
    "verify",
    "Checks every signature, replays every move, and makes the record again from the "
    "moves: it must be the same. Nothing proves whose games a file of --export-all "
    "holds. The exit status is 0 only if all cards of all players are proven.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme verify 12\n"
    "  driflamme history --export-all games.jsonl\n"
    "  driflamme verify games.jsonl",
)
def verify(
    file: str = argument(
        "A number in the history, or a file with one record per line; - is standard input.",
        metavar="GAME|FILE",
        usual=...,
        autocompletion=completion.games,
    ),
) -> None:
    """Check every game of a file, and print the facts that its record proves.

    Exits with `STATUS_FAILED` unless all cards of all players are proven in every game.
    """
    lines = _lines(file)
    logs = [_read(line) for line in lines]
    games = _games(log for log in logs if not isinstance(log, str))
    if not games:
        if not any(map(_is_object, lines)):
            fail("{file!r} contains no game that can be read: choose another file.", file=file)
        # If nothing is proven at all, the reason for the first line is enough.
        del logs[1:]
    proven = 0
    for number, log in enumerate(logs, 1):
        if isinstance(log, str):
            sentences, is_proven = [log], False
        else:
            sentences, is_proven = _judged(log, *games[log.sealing.gid])
        for sentence in sentences:
            if len(lines) > 1:
                sentence = _("Line {number}: {why}", number=number, why=sentence)
            echo(sentence)
        proven += is_proven
    echo(_("Proven: {proven} of {n}.", proven=proven, n=len(lines)))
    if proven < len(lines):
        raise typer.Exit(STATUS_FAILED)


def _is_object(line: str) -> bool:
    """Return True if a line is a JSON object, as every record is."""
    import json

    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _read(line: str) -> "SealedLog | str":
    """Return the log that a line proves, or a sentence with the reason why it proves none."""
    from engine.record import RecordError
    from netcode.wings.sealed.game.proven_record import verify_record

    try:
        return verify_record(line)
    except RecordError as error:
        return error.sentence(_)


def _games(
    logs: "Iterable[SealedLog]",
) -> "dict[bytes, tuple[list[SealedLog], list[Parcel]]]":
    """Return the logs of each game by its `gid`, with all proofs of cheating found in them."""
    from netcode.wings.sealed.game.proven_record import join_logs

    games: dict[bytes, list[SealedLog]] = {}
    for log in logs:
        games.setdefault(log.sealing.gid, []).append(log)
    return {gid: (each, reduce(join_logs, each).proofs) for gid, each in games.items()}


def _judged(
    log: "SealedLog", lines: "Iterable[SealedLog]", proofs: "Iterable[Parcel]"
) -> tuple[list[str], bool]:
    """Return the findings about a log, and True if it is proven without a contradiction."""
    from driflamme_tui.wings.sealed.proof_words import findings
    from netcode.wings.sealed.game.proven_record import is_other_course

    for proof in proofs:
        log.take(proof)
    facts = list(findings(log))
    is_proven = {log.verdict(seat) for seat in range(len(log.sealing.owners))} == {"proven"}
    if any(is_other_course(log, other) for other in lines):
        facts.append(
            _("Another line records this game differently: ask another player for the record.")
        )
        is_proven = False
    return facts, is_proven


def _lines(file: str) -> list[str]:
    """Return the lines of a file unchanged, or the line of a game in the history.

    Exits if the file cannot be read.
    """
    if file.isdecimal() and file.isascii():
        return [record_of(file).to_json()]
    from driflamme_tui.replay.record_files import open_input

    with open_input(file) as source:
        read = source.read(MAXIMUM_BYTES + 1)
    # Split only at newlines. Other characters that end lines could hide text from the check.
    lines = read.decode("ascii", "replace").removesuffix("\n").split("\n")
    if lines == [""] or len(read) > MAXIMUM_BYTES:
        fail("{file!r} contains no game that can be read: choose another file.", file=file)
    return lines
