"""The seam `sections`: what a wing shows of a table before, between and after games.

Lobby, list of people, invitation and result show the sections of all wings, and so does the
line-by-line mode. None of them knows a wing: a section gets a face, which stands for any of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import new_class
from typing import ClassVar, Final, NamedTuple, Protocol

from msgspec import Struct

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.seat.sitting import Sitting
from engine import texts
from netcode.protocol.fields import Message, ShownValue
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.registry import brought

SEAM: Final = "sections"
"""The name of the seam, and of a wing's module that serves it."""


class Face(Protocol):
    """What a section can ask of the screen or the shell that shows it."""

    @property
    def sitting(self) -> Sitting:
        """The place at the table."""

    def key_for(self, command: Command, typed: str = "") -> str:
        """Return the key of a command, or what stands for it where lines are typed."""

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show what a command did, or why it did nothing."""

    def copy(self, text: str) -> None:
        """Copy a text, and say so."""

    def ask_first(
        self, sentence: str, do: Callable[[], object], *, no: texts.Text, yes: texts.Text
    ) -> None:
        """Ask a question, and call `do` if the answer is yes."""


class Way(NamedTuple):
    """A way to the table besides its code and its link."""

    how: str
    """What stands before the line."""
    line: str
    """What a guest types or opens."""
    note: str = ""
    """What there is to know about it."""
    copied_by: Command | None = None
    """The command that copies the line, if it is a link for browsers."""


class Offer(Struct, frozen=True):
    """Something that the host can decide in the list of people."""

    command: Command
    sentence: str
    message: Message
    """What the host sends for it."""
    yes: texts.Text = ""
    """The button of a question that comes first, since it cannot be undone; to be translated."""
    sure: tuple[str, str] = ("", "")
    """That question, and what would happen."""
    whom: object = None
    """The person whom it is about, as they were; the offer is void once they have changed."""
    is_so: bool = False
    """Whether it has been chosen already."""


class Section:
    """What a wing shows of a table; each method returns nothing by default."""

    part: ClassVar[str] = ""
    """The part of the table, by its name at the host, that this section needs; "" for none."""

    def __init__(self, face: Face) -> None:
        """Show it to this face."""
        self.face: Final = face

    @property
    def values(self) -> Mapping[str, ShownValue]:
        """What the part of the table shows; empty without it."""
        lobby = self.face.sitting.session.lobby
        return {} if lobby is None else lobby.parts.get(self.part, {})

    @property
    def is_here(self) -> bool:
        """Return whether the host has the part that this section needs."""
        lobby = self.face.sitting.session.lobby
        return not self.part or (lobby is not None and self.part in lobby.parts)

    def heading(self) -> str:
        """Return the name of the lobby, if it has another than usual."""
        return ""

    def explanation(self) -> str:
        """Return what there is to know about the table while nothing else is explained."""
        return ""

    def lobby_line(self) -> str:
        """Return a line that the lobby always shows."""
        return ""

    def note(self) -> str:
        """Return what the lobby shows where notices stand, while there is none."""
        return ""

    def waits(self) -> str:
        """Return for what a game waits that has begun but has no cards yet."""
        return ""

    def ways(self, invitation: str = "") -> Iterable[Way]:
        """Return the ways to the table that this wing adds; links contain the invitation."""
        return ()

    def about_ways(self) -> str:
        """Return what there is to know about all these ways."""
        return ""

    def watch(self, changed: Callable[[], object]) -> None:
        """Call this whenever something that this section shows has changed by itself."""

    def hear(self, news: object, *, is_over: bool) -> Iterable[str]:
        """Return the lines that tell of some news; `is_over` once the result was told."""
        return ()

    def ended(self) -> Iterable[str]:
        """Return the lines that follow the result."""
        return ()

    def changed(self, before: Lobby | None, lobby: Lobby) -> Iterable[str]:
        """Return the lines that tell how the table has changed."""
        return ()

    def people(self) -> Iterable[str]:
        """Return sentences for the list of people."""
        return ()

    def people_by_key(self) -> Iterable[str]:
        """Return sentences for that list which name a key of it."""
        return ()

    def offers(self, seat: SeatInfo) -> Iterable[Offer]:
        """Return what the host can decide about a player."""
        return ()

    def result(self, names: Sequence[str]) -> str:
        """Return what there is to know of a game that is over."""
        return ""

    def doubts(self) -> Sequence[str]:
        """Return by seat why a player's result is in doubt; empty if nobody's is."""
        return ()

    def can(self, command: Command) -> bool:
        """Return whether a command of this wing can do anything now."""
        return True

    def do(self, command: Command) -> None:
        """Carry out a command of this wing."""


class SectionKind(Struct, frozen=True):
    """The section that a wing brings, and the commands that it adds to screens.

    Their action is `wing('ID')`, with the command's own id.
    """

    build: Callable[[Face], Section]
    lobby: type[CommandSet] | None = None
    people: type[CommandSet] | None = None
    invitation: type[CommandSet] | None = None
    invites: bool = False
    """True if the lobby shows its commands beside the invitation too."""

    @property
    def added(self) -> dict[str, type[CommandSet]]:
        """The commands for each screen that gets some."""
        places = {"lobby": self.lobby, "people": self.people, "invitation": self.invitation}
        return {place: keys for place, keys in places.items() if keys is not None}


class Sections:
    """The sections of all wings, for one face; those whose part the host lacks show nothing."""

    def __init__(self, face: Face) -> None:
        """Build the sections."""
        self._kinds: Final = brought("driflamme_tui", SEAM, SectionKind)
        self.all: Final[list[Section]] = [kind.build(face) for kind in self._kinds]

    def __iter__(self) -> Iterator[Section]:
        return (section for section in self.all if section.is_here)

    def first(self, text: Callable[[Section], str]) -> str:
        """Return the first text that a section has, such as `lambda each: each.note()`."""
        return next(filter(None, map(text, self)), "")

    def every(self, text: Callable[[Section], str]) -> list[str]:
        """Return the texts of all sections that have one."""
        return [*filter(None, map(text, self))]

    def waits(self) -> str:
        """Return for what a game waits that has begun but has no cards yet."""
        return self.first(lambda each: each.waits())

    def ways(self, invitation: str = "") -> list[Way]:
        """Return all ways to the table that wings add; links contain the invitation."""
        return [way for section in self for way in section.ways(invitation)]

    def invite_commands(self) -> list[Command]:
        """Return the commands that the lobby shows beside the invitation."""
        added = [
            kind.lobby
            for kind, section in zip(self._kinds, self.all, strict=True)
            if kind.lobby is not None and kind.invites and section.is_here
        ]
        return [command for commands in added for command in commands.own]

    def owner(self, command: Command) -> Section | None:
        """Return the section of a wing's command; None for the core's, or if it is not here."""
        for kind, section in zip(self._kinds, self.all, strict=True):
            if any(command in keys.own for keys in kind.added.values()):
                return section if section.is_here else None
        return None


def joined(base: type[CommandSet], place: str) -> type[CommandSet]:
    """Return a screen's commands together with those that wings add to it."""
    added = [
        kind.added[place]
        for kind in brought("driflamme_tui", SEAM, SectionKind)
        if place in kind.added
    ]
    return new_class(f"{base.__name__}OfAll", (base,), {"prefix": place, "joined": added})
