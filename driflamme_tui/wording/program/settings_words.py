"""Describes players' own settings, and hosts' settings of a table."""

from typing import Annotated, Final

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.settings import Value
from driflamme_tui.text.i18n import (
    _,
    available_languages,
    name_of_language,
    pgettext,
    with_decimal_sign,
)
from driflamme_tui.wording.program.table_setting import (
    AddedSettings,
    TableSetting,
    ValueTexts,
    families_of,
)
from engine.cards import MAXIMUM_PLAYERS
from engine.ranking import PLAYERS_OF_TWO
from engine.texts import Text
from netcode.protocol.fields import FAMILY_LETTERS, FamilyLetter
from netcode.protocol.messages import Lobby
from netcode.registry import wing_values

VALUE: Final = "value"
"""The gettext context of settings' values, which are single words because they share a row."""

_VALUES: Final[dict[Value, Annotated[Text, "value"]]] = {
    "dark": "dark",
    "light": "light",
    "contrast": "contrast",
    "auto": "auto",
    "unicode": "Unicode",
    "basic": "basic",
    "ascii": "ASCII",
    "full": "large",
    "compact": "medium",
    "minimal": "small",
    "micro": "tiny",
    "all": "all",
    "turn": "your turn",
    "none": "none",
}


def value_name(value: Value) -> str:
    """Return a value in the present language: on or off, seconds, a language, or a word.

    The number 0 means "none". A string without a translation stays as it is.
    """
    if isinstance(value, bool):
        return pgettext("value", "on") if value else pgettext("value", "off")
    if isinstance(value, int | float):
        return (
            pgettext("value", "none")
            if not value
            else _("{n} s", n=with_decimal_sign(f"{value:g}"))
        )
    if value in available_languages():
        return name_of_language(value)
    return pgettext(VALUE, _VALUES[value]) if value in _VALUES else value


def most_seats(lobby: Lobby) -> int:
    """Return the maximum number of players at the table."""
    return PLAYERS_OF_TWO if lobby.settings.two else MAXIMUM_PLAYERS


def free_families(lobby: Lobby) -> list[FamilyLetter]:
    """Return the free families that the reader can choose.

    A spectator can choose none if all seats are taken, or during a countdown, which a new player
    would stop.
    """
    full = len(lobby.seats) >= most_seats(lobby)
    if lobby.you is None and (full or lobby.count_s is not None):
        return []
    taken = {family for seat in lobby.seats for family in families_of(seat)}
    return [family for family in FAMILY_LETTERS if family not in taken]


TABLE_SETTINGS: Final = {
    LobbyCommands.edition: TableSetting(
        "edition",
        "Edition",
        (1, 2),
        {
            1: ValueTexts(
                "first edition", "A Lord counts whole stacks. Your own Ambush strikes back: +1."
            ),
            2: ValueTexts(
                "second edition",
                "A Lord counts top cards only. Your own Ambush does not strike back.",
            ),
        },
    ),
    LobbyCommands.first: TableSetting(
        "first",
        "First player",
        ("random",),
        {
            "random": ValueTexts(
                "random",
                "Chance decides who begins the next game; in rematches players take turns.",
            ),
            None: ValueTexts("", "{name} begins the next game; in rematches players take turns."),
        },
    ),
    LobbyCommands.direction: TableSetting(
        "direction",
        "Direction",
        ("right", "left"),
        {
            "right": ValueTexts(
                "left to right", "Every screen shows the Queue with its first card on the left."
            ),
            "left": ValueTexts(
                "right to left", "Every screen shows the Queue with its first card on the right."
            ),
        },
    ),
    LobbyCommands.pace: TableSetting(
        "pace_ms",
        "Bot pause",
        (0, 400, 900, 1500, 3000),
        {
            0: ValueTexts("{n} s per move", "Bots answer at once."),
            None: ValueTexts(
                "{n} s per move",
                "How long a bot waits before it answers, so that people can follow.",
            ),
        },
    ),
    LobbyCommands.think: TableSetting(
        "think_ms",
        "Bots think",
        (200, 500, 1000, 2000, 5000),
        {
            None: ValueTexts(
                "{n} s per decision",
                "How long the strongest bots think about a decision; Sharp takes a fifth of it.",
            )
        },
    ),
    LobbyCommands.clock: TableSetting(
        "clock_s",
        "Time limit",
        (0, 30, 60, 120, 300),
        {
            0: ValueTexts("none", "Everybody may think for as long as they like."),
            None: ValueTexts(
                "{n} s per decision",
                "When time is up, your choice is played; without one a bot decides.",
            ),
        },
    ),
    LobbyCommands.two: TableSetting(
        "two",
        "Families",
        (False, True),
        {
            False: ValueTexts("one each", "Three to five players, each with their own family."),
            True: ValueTexts(
                "two each",
                "Two players, a variant: each plays two families, and the higher sum wins.",
            ),
        },
    ),
    LobbyCommands.best: TableSetting(
        "best_of",
        "Evening",
        (0, 3, 5, 7),
        {
            0: ValueTexts(
                "no limit", "Each game counts for the evening, for as long as you like to play."
            ),
            None: ValueTexts(
                "best of {n}",
                "The evening is decided once nobody can catch up within {n} games.",
            ),
        },
    ),
    LobbyCommands.latecomers: TableSetting(
        "latecomers",
        "Latecomers",
        ("ask", "sit", "watch"),
        {
            "ask": ValueTexts(
                "ask the host", "During a game a latecomer asks the host for a bot's seat."
            ),
            "sit": ValueTexts(
                "sit down", "During a game a latecomer takes a bot's seat without asking."
            ),
            "watch": ValueTexts("watch", "During a game latecomers only watch."),
        },
    ),
    **{
        command: setting
        for added in wing_values("driflamme_tui", "settings", AddedSettings)
        for command, setting in added.settings.items()
    },
}
"""All settings in their order on the screen, by the command that changes them."""

SETTINGS_BY_WORD: Final = {
    command.id.partition(".")[2]: setting for command, setting in TABLE_SETTINGS.items()
}
"""All settings by the word to type: edition, first, direction and so on."""


def changed_settings(before: Lobby, lobby: Lobby) -> list[TableSetting]:
    """Return the settings that both lobbies show, and whose values differ."""
    return [
        each
        for each in TABLE_SETTINGS.values()
        if each.is_here(before)
        and each.is_here(lobby)
        and before.settings.value(each.field) != lobby.settings.value(each.field)
    ]
