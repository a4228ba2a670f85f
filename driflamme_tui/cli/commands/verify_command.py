"""`driflamme verify`: what a file of games proves about each sealed one."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.commands.replay_command import record_of
from driflamme_tui.cli.exits import FAILED, fail
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from netcode.sealed.log import SealedLog

MAXIMUM_BYTES: Final = 1 << 27
"""Most bytes of a file that is read: those of some thousand games."""

commands = Commands()


@commands.described(
    "verify",
    "Say what a game of the history, or the games of a file, prove, if they were played at a"
    " sealed table.\n\n"
    "Every signature is checked, every move is played again, and the record is made anew from"
    " them: it must be the same to the last character. Only whose games they are, in a file of"
    " --export-all, stands under a checksum alone. The exit status is 0 only if all cards of all"
    " players are proven.",
    "\b\n"
    "Examples:\n"
    "  driflamme verify 12\n"
    "  driflamme history --export-all games.jsonl\n"
    "  driflamme verify games.jsonl",
)
def verify(
    file: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FILE",
            help="A number of the history, or a file with a record a line; - is the input.",
        ),
    ],
) -> None:
    """Check every game of a file, and say what is proven."""
    logs: dict[bytes, SealedLog] = {}
    proven, lines = 0, _lines(file)
    for number, line in enumerate(lines, 1):
        sentences, is_proven = _judged(line, logs)
        for sentence in sentences:
            if len(lines) > 1:
                sentence = _("Line {number}: {why}").format(number=number, why=sentence)
            typer.echo(sentence)
        proven += is_proven
    typer.echo(_("Proven: {proven} of {n}.").format(proven=proven, n=len(lines)))
    if proven < len(lines):
        raise typer.Exit(FAILED)


def _judged(line: str, logs: "dict[bytes, SealedLog]") -> tuple[list[str], bool]:
    """Return what a line proves, and whether that is everything; the logs are of those before."""
    from driflamme_tui.wording.program.proof_words import convictions, findings
    from engine.record import RecordError
    from netcode.sealed.proof_file import meet_all, verified

    try:
        log = verified(line)
    except RecordError as error:
        return [error.sentence(_)], False
    said = list(findings(log))
    other = logs.setdefault(log.sealing.gid, log)
    count = len(other.convictions)
    if other is not log and meet_all(other, log.parcels()) is not None:
        said.append(_("A line above has another course of this game."))
        return [*said, *convictions(other, count)], False
    return said, {log.verdict(seat) for seat in range(len(log.sealing.owners))} == {"proven"}


def _lines(file: str) -> list[str]:
    """Return the lines of a file as they are, or that of a game of the history.

    A file that cannot be read ends the command.
    """
    if file.isdecimal() and file.isascii():
        return [record_of(file).to_json()]
    from driflamme_tui.replay.record_files import opened

    with opened(file) as source:
        read = source.read(MAXIMUM_BYTES + 1)
    # No other sign ends a line: what is before one would not be looked at.
    lines = read.decode("ascii", "replace").removesuffix("\n").split("\n")
    if lines == [""] or len(read) > MAXIMUM_BYTES:
        fail(_("There is no game in {file!r} that can be read.").format(file=file))
    return lines
