"""What wings add to play line by line: commands of a player, and requests of a program."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.line_player import Said
from driflamme_tui.wording.choices.prompts import Prompter
from engine.views import View
from engine.words import Text
from netcode.client.session import Session
from netcode.protocol.fields import BeforeTable
from netcode.registry import brought


class InGame(Protocol):
    """A player in a game, as commands of wings see them."""

    session: Session

    def asked(self) -> Question | str:
        """Return the question that can be answered now; a sentence if there is none."""

    def prompter(self, view: View) -> Prompter:
        """Return what words answers at a view."""


class TableChoice:
    """A choice of tables, before the player is at one."""

    def is_about(self, news: BeforeTable) -> bool:
        """Return whether a message belongs to this choice."""
        return False

    def news(self, news: BeforeTable) -> Iterable[str]:
        """Return the lines that tell of a message."""
        return ()

    def commands(self) -> Mapping[str, Callable[[str], Said]]:
        """Return what is done, by what is typed, given the rest of the line."""
        return {}

    def otherwise(self, text: str) -> Said:
        """Return what follows from a line that is no command."""
        return ()


class WingLines(NamedTuple):
    """The seam `plain`: what a wing adds to play line by line."""

    commands: Mapping[str, Callable[[InGame], Said]] = {}
    """What is done in a game, by what is typed: commands about the question that is asked."""
    help: tuple[Text, ...] = ()
    """A line for each command."""
    requests: Mapping[str, Callable[[Session], Said]] = {}
    """What is answered to a program, by the type of its object."""
    words: tuple[Text, ...] = ()
    """The other words that a player types, in English."""
    choice: type[TableChoice] | None = None
    """The choice of tables to which a connection may lead."""


def _of_wings() -> tuple[WingLines, ...]:
    return brought("driflamme_tui", "plain", WingLines)


def wing_commands() -> dict[str, Callable[[InGame], Said]]:
    """Return what all wings do in a game, by what is typed."""
    return {name: do for lines in _of_wings() for name, do in lines.commands.items()}


def wing_words() -> tuple[str, ...]:
    """Return all words of wings that can be typed, in English."""
    return tuple(word for lines in _of_wings() for word in (*lines.commands, *lines.words))


def choice_for(news: BeforeTable) -> TableChoice | None:
    """Return the choice of tables to which a message belongs."""
    made = (lines.choice() for lines in _of_wings() if lines.choice is not None)
    return next((choice for choice in made if choice.is_about(news)), None)


def wing_help() -> tuple[Text, ...]:
    """Return what help says of these commands."""
    return tuple(line for lines in _of_wings() for line in lines.help)


def wing_requests() -> dict[str, Callable[[Session], Said]]:
    """Return what all wings answer to a program, by the type of its object."""
    return {name: do for lines in _of_wings() for name, do in lines.requests.items()}
