"""What players settle for themselves and hosts for their table, in words."""

from contextlib import suppress
from typing import Annotated, Final, NamedTuple

from msgspec import Struct

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.settings import Value
from driflamme_tui.text.i18n import (
    _,
    available_languages,
    name_of_language,
    pgettext,
    with_decimal_sign,
)
from driflamme_tui.wording.game.names import family_name
from engine.cards import MAXIMUM_PLAYERS
from engine.ranking import PLAYERS_OF_TWO
from engine.words import Text
from netcode.protocol.fields import FAMILY_LETTERS, FamilyLetter
from netcode.protocol.messages import Lobby, SeatInfo

VALUE: Final = "value"
"""The context in which their values are: a word, since all of them stand in one row."""

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
    "off": "off",
    "bell": "bell",
    "notice": "notice",
}


def value_name(value: Value) -> str:
    """Return what a value is called."""
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


def first_name(lobby: Lobby) -> str:
    """Return who is to be the first player."""
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if first in families_of(seat)), None)
    # Of two families of one player it matters which of them begins.
    return seat.name if seat and seat.second is None else family_name(first)


def families_of(seat: SeatInfo) -> list[FamilyLetter]:
    """Return the families of a seat: at a table for two it has two."""
    return [family for family in (seat.family, seat.second) if family is not None]


def most_seats(lobby: Lobby) -> int:
    """Return how many seats there may be."""
    return PLAYERS_OF_TWO if lobby.settings.two else MAXIMUM_PLAYERS


def free_families(lobby: Lobby) -> list[FamilyLetter]:
    """Return the families that the reader could take.

    Who watches can take none if all seats are taken, or while a start is counted, which that stops.
    """
    full = len(lobby.seats) >= most_seats(lobby)
    if lobby.you is None and (full or lobby.count_s is not None):
        return []
    taken = {family for seat in lobby.seats for family in families_of(seat)}
    return [family for family in FAMILY_LETTERS if family not in taken]


MILLISECONDS: Final = 1000
"""Of a second, in which fields count that people count in seconds."""


class Says(NamedTuple):
    """What is said of a value of a setting."""

    value: Text
    """The value; "" for a player's name."""
    meaning: Text
    """What that means, in one or two sentences."""


class TableSetting(Struct, frozen=True, eq=False):
    """Something that the host decides: lobby, plain shell and whoever is told of it read this."""

    field: str
    """The field of `TableSettings`."""
    name: Text
    """What it is called."""
    values: tuple[object, ...]
    """Its values in turn; whoever sits at the table may be first player too."""
    says: dict[object, Says]
    """What is said of each value; of all others what stands at None."""

    def value(self, lobby: Lobby) -> str:
        """Return the present value in words."""
        return self._said(lobby).value

    def meaning(self, lobby: Lobby) -> str:
        """Return what that means, in one or two sentences."""
        return self._said(lobby).meaning

    def _said(self, lobby: Lobby) -> Says:
        value = getattr(lobby.settings, self.field)
        said = self.says[value if value in self.says else None]
        name, n = first_name(lobby), value
        if self.field.endswith("_ms"):
            n = with_decimal_sign(f"{value / MILLISECONDS:g}")
        meaning = _(said.meaning, n=n, name=name)
        return Says(_(said.value, n=n) if said.value else name, meaning)

    def typed(self, text: str) -> object:
        """Return the value that somebody has typed, which may be none that there is."""
        if isinstance(self.values[0], bool):
            return {"": True, "yes": True, "no": False}.get(text, text)
        if self.field == "first":
            families = {family_name(each).casefold(): each for each in FAMILY_LETTERS}
            return families.get(text, text)
        scale = MILLISECONDS if self.field.endswith("_ms") else 1
        with suppress(ValueError, OverflowError):
            return round(float(text) * scale)
        return text

    def written(self) -> str:
        """Return its values as they are typed."""
        if isinstance(self.values[0], bool):
            return "yes, no"
        scale = MILLISECONDS if self.field.endswith("_ms") else 1
        values = (f"{each / scale:g}" if isinstance(each, int) else each for each in self.values)
        families = map(family_name, FAMILY_LETTERS) if self.field == "first" else ()
        return ", ".join(map(str, (*values, *families)))


TABLE_SETTINGS: Final = {
    LobbyCommands.edition: TableSetting(
        "edition",
        "Edition",
        (1, 2),
        {
            1: Says(
                "first edition", "A Lord counts whole stacks. Your own Ambush strikes back: +1."
            ),
            2: Says("second edition", "A Lord counts top cards only. Your own Ambush spares you."),
        },
    ),
    LobbyCommands.first: TableSetting(
        "first",
        "First player",
        ("random",),
        {
            "random": Says(
                "random",
                "Chance decides who begins the next game; in rematches players take turns.",
            ),
            None: Says("", "{name} begins the next game; in rematches players take turns."),
        },
    ),
    LobbyCommands.direction: TableSetting(
        "direction",
        "Direction",
        ("right", "left"),
        {
            "right": Says(
                "left to right", "Every screen shows the Queue with its first card on the left."
            ),
            "left": Says(
                "right to left", "Every screen shows the Queue with its first card on the right."
            ),
        },
    ),
    LobbyCommands.pace: TableSetting(
        "pace_ms",
        "Bots take",
        (0, 400, 900, 1500, 3000),
        {
            0: Says("{n} s a move", "Bots answer at once."),
            None: Says(
                "{n} s a move",
                "How long a bot waits before it answers, so that people can follow.",
            ),
        },
    ),
    LobbyCommands.think: TableSetting(
        "think_ms",
        "Bots think",
        (200, 500, 1000, 2000, 5000),
        {
            None: Says(
                "{n} s a decision",
                "How long the strongest bots think about a decision; Sharp takes a fifth of it.",
            )
        },
    ),
    LobbyCommands.clock: TableSetting(
        "clock_s",
        "Time limit",
        (0, 30, 60, 120, 300),
        {
            0: Says("none", "Everybody may think for as long as they like."),
            None: Says("{n} s a decision", "Out of time, a bot decides."),
        },
    ),
    LobbyCommands.two: TableSetting(
        "two",
        "Families",
        (False, True),
        {
            False: Says("one each", "Three to five players, each with their own family."),
            True: Says(
                "two each",
                "Two players, a variant: each plays two families and wins by their sum.",
            ),
        },
    ),
    LobbyCommands.best: TableSetting(
        "best_of",
        "Evening",
        (0, 3, 5, 7),
        {
            0: Says("open end", "Each game counts for the evening, as long as you like to play."),
            None: Says(
                "best of {n}",
                "The evening is decided once nobody can catch up within {n} games.",
            ),
        },
    ),
    LobbyCommands.sealed: TableSetting(
        "sealed",
        "Hidden cards",
        (False, True),
        {
            False: Says(
                "host could look",
                "The host's machine deals, and could look: play with a host you trust.",
            ),
            True: Says(
                "sealed", "No machine knows another's cards; the deal and every move are proven."
            ),
        },
    ),
}
"""All that the host decides, by the command that changes it, in the order in which it is shown."""

SETTINGS_BY_WORD: Final = {
    command.id.partition(".")[2]: setting for command, setting in TABLE_SETTINGS.items()
}
"""The same by the word that one types: edition, first, direction and so on."""


def changed_settings(before: Lobby, lobby: Lobby) -> list[TableSetting]:
    """Return the settings that are others than before."""
    return [
        each
        for each in TABLE_SETTINGS.values()
        if getattr(before.settings, each.field) != getattr(lobby.settings, each.field)
    ]
