"""Translates the words of typed commands from the player's language into English."""

from functools import cache
from typing import Annotated, Final

from driflamme_tui.plain.wing_lines import wing_words
from driflamme_tui.text.i18n import language, pgettext, search_form
from engine.texts import Text

_WORDS: Final[tuple[Annotated[Text, "typed"], ...]] = (
    "allow",
    "ask",
    "back",
    "best",
    "best of",
    "bot",
    "bot for",
    "chat",
    "clock",
    "direction",
    "edition",
    "end game",
    "events",
    "eyes",
    "first",
    "game",
    "help",
    "here",
    "host",
    "latecomers",
    "leave",
    "left",
    "let in",
    "lobby",
    "mistakes",
    "move",
    "name",
    "new code",
    "new invitation",
    "no",
    "no seat",
    "no silence",
    "not ready",
    "not two",
    "pace",
    "pause",
    "phrase",
    "phrases",
    "position",
    "quit",
    "random",
    "ready",
    "refuse",
    "resume",
    "right",
    "say",
    "score",
    "seat",
    "send away",
    "shuffle",
    "silence",
    "since",
    "sit",
    "start",
    "think",
    "two",
    "undo",
    "watch",
    "who",
    "yes",
)
"""Commands, topics of the help, and values of settings."""

LONGEST: Final = 4
"""Maximum number of words of a command in any language."""


def typed_command(words: str) -> str:
    """Return a command in the player's language."""
    return pgettext("typed", words)


def in_english(text: str) -> str:
    """Return a line with the command at its beginning translated into English.

    The longest known command counts. The text after the command is not translated, and a line
    without a command is returned unchanged.
    Values of settings and topics of the help are translated in the same way.
    """
    words, known = text.split(), _english(language())
    for count in range(min(LONGEST, len(words)), 0, -1):
        command = known.get(search_form(" ".join(words[:count])))
        if command is not None:
            return " ".join([command, *words[count:]])
    return text


@cache
def _english(_language: str) -> dict[str, str]:
    """Return the English commands by their words in the present language."""
    return {search_form(typed_command(words)): words for words in (*_WORDS, *wing_words())}
