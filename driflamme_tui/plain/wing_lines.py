"""Defines the additions of wings to the line-by-line mode: typed commands, and requests."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple, ParamSpec, Protocol, TypeAlias

from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.line_player import LineEffect
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from engine.texts import Text
from engine.views import View
from netcode.client.session import Session
from netcode.isolation import attempt, explained_error
from netcode.protocol.fields import BeforeTable, Message
from netcode.registry import wing_values

_Given = ParamSpec("_Given")


class InGame(Protocol):
    """A player in a game, as a wing's commands see it."""

    session: Session

    def pending(self) -> Question | str:
        """Return the present question, or the reason why no answer is possible now."""

    def prompter(self, view: View) -> Prompter:
        """Return the prompter that formulates the answers at a view."""


TypedCommand: TypeAlias = Message | Callable[[InGame, str], LineEffect]
"""The message or function of a command. A function receives the text after the command's words."""


class TableChoice:
    """A choice of tables, before the player has joined one."""

    def is_about(self, news: BeforeTable) -> bool:
        """Return True if a message belongs to this choice."""
        return False

    def news(self, news: BeforeTable) -> Iterable[str]:
        """Return the lines about a message."""
        return ()

    def commands(self) -> Mapping[str, Callable[[str], LineEffect]]:
        """Return the function of each command.

        A function receives the text after the command's words.
        """
        return {}

    def otherwise(self, text: str) -> LineEffect:
        """Return the effect of a line that is not a command."""
        return ()


class WingLines(NamedTuple):
    """The seam `plain`: the additions of a wing to the line-by-line mode."""

    commands: Mapping[str, Callable[[InGame], LineEffect]] = {}
    """The commands during a game, which concern the present question."""
    help: tuple[Text, ...] = ()
    """A help line for each of `commands`."""
    in_lobby: Mapping[str, TypedCommand] = {}
    """The commands in the lobby. A star at the end stands for the text that follows."""
    in_game: Mapping[str, TypedCommand] = {}
    """The commands during a game that do not concern the present question."""
    of_hosts: Mapping[str, TypedCommand] = {}
    """Commands that only a host can type."""
    topics: Mapping[str, tuple[Text, ...]] = {}
    """The help lines, by topic, for commands in the lobby, in the game and of hosts."""
    requests: Mapping[str, Callable[[Session], LineEffect]] = {}
    """The functions that reply to a program's requests, by the type of the JSON object."""
    messages: tuple[type[Message], ...] = ()
    """The messages that a program may send."""
    words: tuple[Text, ...] = ()
    """Further words that a player types, in English."""
    choice: type[TableChoice] | None = None
    """The choice of tables that may come before a table; None if the wing has none."""


def _of_wings() -> tuple[WingLines, ...]:
    return wing_values("driflamme_tui", "plain", WingLines)


def wing_commands() -> dict[str, Callable[[InGame], LineEffect]]:
    """Return all wings' commands during a game that concern the present question."""
    return {name: _isolated(do) for lines in _of_wings() for name, do in lines.commands.items()}


def typed_in_lobby() -> dict[str, TypedCommand]:
    """Return the commands of all wings in the lobby."""
    return {name: _typed(do) for lines in _of_wings() for name, do in lines.in_lobby.items()}


def typed_in_game() -> dict[str, TypedCommand]:
    """Return all wings' commands during a game that do not concern the present question."""
    return {name: _typed(do) for lines in _of_wings() for name, do in lines.in_game.items()}


def typed_by_hosts() -> dict[str, TypedCommand]:
    """Return the commands of all wings for the host."""
    return {name: _typed(do) for lines in _of_wings() for name, do in lines.of_hosts.items()}


def wing_words() -> tuple[str, ...]:
    """Return all English words of wings that can be typed."""
    return tuple(word for lines in _of_wings() for word in (*lines.commands, *lines.words))


def choice_for(news: BeforeTable) -> TableChoice | None:
    """Return the choice of tables to which a message belongs; None if it belongs to no choice."""
    for lines in _of_wings():
        if lines.choice is not None:
            choice = attempt(lines.choice, lines.choice, None)
            if choice and attempt(choice, partial(choice.is_about, news), False):
                return IsolatedChoice(choice)
    return None


def wing_help() -> tuple[Text, ...]:
    """Return the help lines of all wings for the commands of `wing_commands`."""
    return tuple(line for lines in _of_wings() for line in lines.help)


def with_topics(topics: Mapping[str, tuple[Text, ...]]) -> dict[str, tuple[Text, ...]]:
    """Return the topics of the help with the lines and topics of all wings added."""
    found = {**topics}
    for lines in _of_wings():
        for topic, texts in lines.topics.items():
            found[topic] = (*found.get(topic, ()), *texts)
    return found


def wing_messages() -> tuple[type[Message], ...]:
    """Return the messages of all wings that a program may send."""
    return tuple(kind for lines in _of_wings() for kind in lines.messages)


def wing_requests() -> dict[str, Callable[[Session], LineEffect]]:
    """Return all wings' functions for a program's requests, by type."""
    return {name: _isolated(do) for lines in _of_wings() for name, do in lines.requests.items()}


class IsolatedChoice(TableChoice):
    """Protects the program from errors in a wing's choice of tables. A failed call has no effect.

    A command or line that fails returns a sentence about the failure.
    """

    def __init__(self, of_wing: TableChoice) -> None:
        """Forward all calls to a wing's choice."""
        self._of_wing: Final = of_wing

    def is_about(self, news: BeforeTable) -> bool:
        """Return True if a message belongs to this choice."""
        return attempt(self._of_wing, partial(self._of_wing.is_about, news), False)

    def news(self, news: BeforeTable) -> Iterable[str]:
        """Return the lines about a message."""
        return attempt(self._of_wing, lambda: [*self._of_wing.news(news)], [])

    def commands(self) -> Mapping[str, Callable[[str], LineEffect]]:
        """Return the function of each command."""
        none: Mapping[str, Callable[[str], LineEffect]] = {}
        found = attempt(self._of_wing, self._of_wing.commands, none)
        return {words: _isolated(do) for words, do in found.items()}

    def otherwise(self, text: str) -> LineEffect:
        """Return the effect of a line that is not a command."""
        return _isolated(self._of_wing.otherwise)(text)


def _typed(command: TypedCommand) -> TypedCommand:
    return _isolated(command) if callable(command) else command


def _isolated(do: Callable[_Given, LineEffect]) -> Callable[_Given, LineEffect]:
    """Return a wing's function. If it fails, its effect is a sentence about the failure."""

    def isolated(*given: _Given.args, **named: _Given.kwargs) -> LineEffect:
        try:
            return do(*given, **named)
        except Exception as error:
            return explained_error(error, do).sentence(_)

    return isolated
