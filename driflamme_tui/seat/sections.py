"""Defines the seam `sections`: a wing's texts and commands before, between and after games.

Lobby, list of people, invitation, result and the line-by-line mode show the sections of all wings
without naming a wing. A section gets a face, which represents one of these screens or the
line-by-line mode.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import new_class
from typing import ClassVar, Final, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.seat.player_seat import PlayerSeat
from engine import texts
from netcode.isolation import IsolatedParts
from netcode.protocol.fields import Message, ShownValue
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.registry import wing_values

_Result = TypeVar("_Result")

SEAM: Final = "sections"
"""The name of the seam for sections of screens, and of a wing's module that serves this seam."""


class Face(Protocol):
    """The interface of a screen or shell for its sections."""

    @property
    def player_seat(self) -> PlayerSeat:
        """The player's seat."""

    def key_for(self, command: Command, typed: str = "") -> str:
        """Return the key of a command; in the line-by-line mode, the words `typed` instead."""

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Show the result of a command, or the reason why the command did nothing.

        `good` is True for a success.
        """

    def copy(self, text: str, copied: str) -> None:
        """Copy a text, and confirm the copy by the sentence `copied`, which names the text."""

    def ask_first(
        self, sentence: str, do: Callable[[], object], *, no: texts.Text, yes: texts.Text
    ) -> None:
        """Ask a question, and call `do` if the answer is yes.

        `no` and `yes` are the labels of the buttons, to be translated.
        """

    def lay_over(self, load: Callable[[], object]) -> None:
        """Show a screen of the wing over this screen. A face without screens does nothing."""


class Way(NamedTuple):
    """A way to the table besides its code and its link."""

    how: str
    """The text before the line."""
    line: str
    """The line that a guest types or opens."""
    note: str = ""
    """A note about this way; "" for no note."""
    copied_by: Command | None = None
    """The command that copies the line, if the line is a link for browsers; otherwise None."""


class Offer(Struct, frozen=True):
    """A decision that the host can make in the list of people."""

    command: Command
    sentence: str
    message: Message
    """The message that makes the decision."""
    yes: texts.Text = ""
    """The button that confirms a decision which cannot be undone, to be translated; "" for other
    decisions.
    """
    sure: tuple[str, str] = ("", "")
    """The question before a decision that cannot be undone, and the decision's effect."""
    whom: object = None
    """The person or seat concerned, as in the lobby; None for none. The offer becomes invalid when
    the lobby has another value.
    """
    is_so: bool = False
    """True if the host has already chosen this decision."""


class Section:
    """A wing's texts and commands for one face.

    By default, each method returns no text or does nothing.
    """

    part: ClassVar[str] = ""
    """The name of the table's part that this section needs; "" if it needs none."""

    def __init__(self, face: Face) -> None:
        self.face: Final = face

    @property
    def values(self) -> Mapping[str, ShownValue]:
        """The values that the table's part shows; empty if the host lacks the part."""
        lobby = self.face.player_seat.session.lobby
        return {} if lobby is None else lobby.parts.get(self.part, {})

    @property
    def is_here(self) -> bool:
        """True if the host has the part that this section needs."""
        lobby = self.face.player_seat.session.lobby
        return not self.part or (lobby is not None and self.part in lobby.parts)

    def heading(self) -> str:
        """Return the name of the lobby; "" for the default name."""
        return ""

    def explanation(self) -> str:
        """Return a text about the table, shown while nothing else is explained; "" for none."""
        return ""

    def lobby_line(self) -> str:
        """Return a line that the lobby always shows; "" for none."""
        return ""

    def note(self) -> str:
        """Return a text for the lobby's line of notices, while there is no notice; "" for none."""
        return ""

    def waits(self) -> str:
        """Return the reason why a started game has no cards yet; "" without such a reason."""
        return ""

    def time_left(self) -> str:
        """Return the time left for the present decision, for the head of the table; "" for none."""
        return ""

    def waiting(self) -> str:
        """Return a text about the player whose answer the reader waits for; "" for none."""
        return ""

    def ways(self, invitation: str = "") -> Iterable[Way]:
        """Return the ways to the table that this wing adds; links contain `invitation`."""
        return ()

    def about_ways(self) -> str:
        """Return a note on all ways that this wing adds; "" for none."""
        return ""

    def watch(self, changed: Callable[[], object]) -> None:
        """Call `changed` whenever something shown by this section has changed."""

    def news_lines(self, news: object, *, is_over: bool) -> Iterable[str]:
        """Return lines about some news; `is_over` is True after the result was shown."""
        return ()

    def ended(self) -> Iterable[str]:
        """Return the lines that follow the result."""
        return ()

    def changed(self, before: Lobby | None, lobby: Lobby) -> Iterable[str]:
        """Return lines about the change from one lobby to the next; `before` is None at first."""
        return ()

    def people(self) -> Iterable[str]:
        """Return sentences for the list of people."""
        return ()

    def people_by_key(self) -> Iterable[str]:
        """Return sentences about the keys of the list of people."""
        return ()

    def offers(self, seat: SeatInfo) -> Iterable[Offer]:
        """Return the host's possible decisions about a player."""
        return ()

    def result(self, names: Sequence[str]) -> str:
        """Return a text about a finished game; "" for none. `names` has the players by seat."""
        return ""

    def doubts(self) -> Sequence[str]:
        """Return, for each seat, the reason why the player's result is in doubt, or "".

        Without any doubt, the result may be empty.
        """
        return ()

    def can(self, command: Command) -> bool:
        """Return True if a command of this wing can run now."""
        return True

    def do(self, command: Command) -> None:
        """Run a command of this wing."""


class SectionKind(Struct, frozen=True):
    """The kind of a wing's section, with the commands that it adds to screens.

    The action of these commands is `wing('ID')`, with the command's own id.
    """

    build: Callable[[Face], Section]
    lobby: type[CommandSet] | None = None
    people: type[CommandSet] | None = None
    invitation: type[CommandSet] | None = None
    invites: bool = False
    """True if the lobby shows the section's commands beside the invitation too."""

    @property
    def added(self) -> dict[str, type[CommandSet]]:
        """The sets of added commands, by screen: "lobby", "people" or "invitation"."""
        places = {"lobby": self.lobby, "people": self.people, "invitation": self.invitation}
        return {place: keys for place, keys in places.items() if keys is not None}


class Sections:
    """The sections of all wings for one face.

    A section shows nothing if it needs a part that the host does not have. A section that fails is
    left out.
    """

    def __init__(self, face: Face) -> None:
        self._kinds: Final[list[tuple[Section, SectionKind]]] = []
        self._all: Final = IsolatedParts[Section]()
        for kind in wing_values("driflamme_tui", SEAM, SectionKind):
            section = self._all.add(partial(kind.build, face))
            if section is not None:
                self._kinds.append((section, kind))

    def _results(self, call: Callable[[Section], _Result]) -> Iterator[_Result]:
        """Yield the results of a call for each section. Skip sections whose part the host lacks."""
        for found in self._all.results(lambda each: [call(each)] if each.is_here else []):
            yield from found

    def first(self, text: Callable[[Section], str]) -> str:
        """Return the first text of a section that is not empty; "" if all are empty.

        `text` may be `lambda each: each.note()`, for example.
        """
        return next(filter(None, self._results(text)), "")

    def every(self, text: Callable[[Section], str]) -> list[str]:
        """Return the texts of all sections, without empty ones."""
        return [*filter(None, self._results(text))]

    def items(self, lines: Callable[[Section], Iterable[_Result]]) -> list[_Result]:
        """Return the items of all sections, such as the lines of `Section.people`."""
        return [
            each for found in self._results(lambda section: [*lines(section)]) for each in found
        ]

    def each(self, call: Callable[[Section], object]) -> None:
        """Make a call for each section, except sections whose part the host lacks."""
        for _result in self._results(call):
            pass

    def waits(self) -> str:
        """Return the reason why a started game has no cards yet; "" if no wing delays it."""
        return self.first(lambda each: each.waits())

    def doubts(self) -> Sequence[str]:
        """Return, for each seat, the reason why the player's result is in doubt, or "".

        The first wing that returns doubts counts. If none does, the result is empty.
        """
        return next(filter(None, self._results(lambda each: each.doubts())), ())

    def ways(self, invitation: str = "") -> list[Way]:
        """Return all ways to the table that wings add; links contain the invitation."""
        return self.items(lambda each: each.ways(invitation))

    def invite_commands(self) -> list[Command]:
        """Return the commands that the lobby shows beside the invitation."""
        here = [*self._results(lambda section: section)]
        added = [
            kind.lobby
            for section, kind in self._kinds
            if kind.lobby is not None and kind.invites and section in here
        ]
        return [command for commands in added for command in commands.own]

    def can(self, command: Command) -> bool:
        """Return True if a wing's command can run now."""
        return any(self._results(lambda each: self._owns(each, command) and each.can(command)))

    def do(self, command: Command) -> None:
        """Run a wing's command, if it can run now."""
        self.each(
            lambda each: (
                each.do(command) if self._owns(each, command) and each.can(command) else None
            )
        )

    def _owns(self, section: Section, command: Command) -> bool:
        """Return True if the kind of a section adds this command to screens."""
        return any(
            command in keys.own
            for each, kind in self._kinds
            if each is section
            for keys in kind.added.values()
        )


def join_commands(base: type[CommandSet], place: str) -> type[CommandSet]:
    """Return a screen's commands with the commands that wings add.

    `place` is "lobby", "people" or "invitation".
    """
    added = [
        kind.added[place]
        for kind in wing_values("driflamme_tui", SEAM, SectionKind)
        if place in kind.added
    ]
    return new_class(f"{base.__name__}OfAll", (base,), {"prefix": place, "joined": added})
