"""What players settle for themselves and hosts for their table, in words."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.settings import Value
from driflamme_tui.text.i18n import NP_, Text, _, available_languages, name_of_language, pgettext
from driflamme_tui.wording.game.names import edition_name, family_name
from engine.cards import MAXIMUM_PLAYERS
from engine.ranking import PLAYERS_OF_TWO
from engine.words import N_
from netcode.protocol.fields import FAMILY_LETTERS, FamilyLetter
from netcode.protocol.messages import Lobby, SeatInfo

NAME: Final = "setting"
"""The context in which names of settings are translated: up to 14 cells."""

VALUE: Final = "value"
"""The context in which their values are: a word, since all of them stand in one row."""

_NAMES: Final = {
    "theme": NP_("setting", "Colours"),
    "glyphs": NP_("setting", "Symbols"),
    "language": NP_("setting", "Language"),
    "animation": NP_("setting", "Animation"),
    "pace": NP_("setting", "Pace"),
    "cards": NP_("setting", "Cards"),
    "bell": NP_("setting", "Your turn"),
    "title": NP_("setting", "Title"),
}

_VALUES: Final[dict[Value, str]] = {
    "dark": NP_("value", "dark"),
    "light": NP_("value", "light"),
    "contrast": NP_("value", "strong"),
    "auto": NP_("value", "auto"),
    "unicode": NP_("value", "Unicode"),
    "ascii": NP_("value", "ASCII"),
    "full": NP_("value", "large"),
    "compact": NP_("value", "medium"),
    "minimal": NP_("value", "small"),
    "micro": NP_("value", "tiny"),
    "off": NP_("value", "off"),
    "bell": NP_("value", "bell"),
    "notice": NP_("value", "notice"),
}

_SENTENCES: Final = {
    "theme": N_("The colours; strong has the most contrast."),
    "glyphs": N_("The symbols for cards and lines; auto takes ASCII where the rest may not show."),
    "language": N_("The language of all texts; auto takes the system's."),
    "animation": N_("Whether what happens is shown as it moves; any key skips it."),
    "pace": N_(
        "How long each action of the others stays on screen before the next, when animation is on."
    ),
    "cards": N_("How large cards are, as far as there is room; auto takes the largest in one row."),
    "bell": N_(
        "How to call you when it is your turn and you look elsewhere; notice rings as well."
    ),
    "title": N_("Whether the title of the terminal says that it is your turn."),
}


def setting_name(name: str) -> str:
    """Return what a setting is called."""
    return pgettext(NAME, _NAMES[name])


def setting_sentence(name: str) -> str:
    """Return what a setting is about."""
    return _(_SENTENCES[name])


def value_name(value: Value) -> str:
    """Return what a value is called."""
    if isinstance(value, bool):
        return pgettext("value", "on") if value else pgettext("value", "off")
    if isinstance(value, int | float):
        return pgettext("value", "none") if not value else _("{n} s").format(n=f"{value:g}")
    if value in available_languages():
        return name_of_language(value)
    return pgettext(VALUE, _VALUES[value]) if value in _VALUES else value


def edition_note(edition: int) -> tuple[str, str]:
    """Return what is different in an edition, in two short sentences."""
    if edition == 2:
        return (
            _("A Lord counts top cards only."),
            _("Your own Ambush spares you."),
        )
    return (
        _("A Lord counts whole stacks."),
        _("Your own Ambush strikes back: +1."),
    )


def first_name(lobby: Lobby) -> str:
    """Return who is to be the first player."""
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if first in families_of(seat)), None)
    # Of two families of one player it matters which of them begins.
    return seat.name if seat and seat.second is None else family_name(first)


def sealed_sentence(*, sealed: bool) -> str:
    """Return what it means that a table is sealed, or is not."""
    if sealed:
        return _("No machine knows another's cards; the deal and every move are proven.")
    return _("The host's machine deals, and could look: play with a host you trust.")


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


class TableSetting(Struct, frozen=True, eq=False):
    """Something that the host decides: lobby, plain shell and whoever is told of it read this."""

    field: str
    """The field of `TableSettings`."""
    name: Text
    """What it is called."""
    values: tuple[object, ...]
    """Its values in turn; whoever sits at the table may be first player too."""
    value: Callable[[Lobby], str]
    """Returns the present value in words."""
    meaning: Callable[[Lobby], str]
    """Returns what that means, in one or two sentences."""

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


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g}"


def _first_meaning(lobby: Lobby) -> str:
    if lobby.settings.first == "random":
        return _("Chance decides who begins the next game; in rematches players take turns.")
    text = _("{name} begins the next game; in rematches players take turns.")
    return text.format(name=first_name(lobby))


TABLE_SETTINGS: Final = {
    LobbyCommands.edition: TableSetting(
        "edition",
        N_("Edition"),
        (1, 2),
        lambda lobby: edition_name(lobby.settings.edition),
        lambda lobby: " ".join(edition_note(lobby.settings.edition)),
    ),
    LobbyCommands.first: TableSetting(
        "first", N_("First player"), ("random",), first_name, _first_meaning
    ),
    LobbyCommands.direction: TableSetting(
        "direction",
        N_("Direction"),
        ("right", "left"),
        lambda lobby: (
            _("left to right") if lobby.settings.direction == "right" else _("right to left")
        ),
        lambda lobby: (
            _("Every screen shows the Queue with its first card on the left.")
            if lobby.settings.direction == "right"
            else _("Every screen shows the Queue with its first card on the right.")
        ),
    ),
    LobbyCommands.pace: TableSetting(
        "pace_ms",
        N_("Bots take"),
        (0, 400, 900, 1500, 3000),
        lambda lobby: _("{seconds} s a move").format(seconds=_seconds(lobby.settings.pace_ms)),
        lambda lobby: (
            _("How long a bot waits before it answers, so that people can follow.")
            if lobby.settings.pace_ms
            else _("Bots answer at once.")
        ),
    ),
    LobbyCommands.think: TableSetting(
        "think_ms",
        N_("Bots think"),
        (200, 500, 1000, 2000, 5000),
        lambda lobby: _("{seconds} s a decision").format(seconds=_seconds(lobby.settings.think_ms)),
        lambda _lobby: _("How long Master thinks about a decision; Sharp takes a fifth of it."),
    ),
    LobbyCommands.clock: TableSetting(
        "clock_s",
        N_("Time limit"),
        (0, 30, 60, 120, 300),
        lambda lobby: (
            _("{n} s a decision").format(n=lobby.settings.clock_s)
            if lobby.settings.clock_s
            else _("none")
        ),
        lambda lobby: (
            _("Out of time, a bot decides.")
            if lobby.settings.clock_s
            else _("Everybody may think for as long as they like.")
        ),
    ),
    LobbyCommands.two: TableSetting(
        "two",
        N_("Families"),
        (False, True),
        lambda lobby: _("two each") if lobby.settings.two else _("one each"),
        lambda lobby: (
            _("Two players, a variant: each plays two families and wins by their sum.")
            if lobby.settings.two
            else _("Three to five players, each with their own family.")
        ),
    ),
    LobbyCommands.best: TableSetting(
        "best_of",
        N_("Evening"),
        (0, 3, 5, 7),
        lambda lobby: (
            _("best of {n}").format(n=lobby.settings.best_of)
            if lobby.settings.best_of
            else _("open end")
        ),
        lambda lobby: (
            _("The evening is decided once nobody can catch up within {n} games.").format(
                n=lobby.settings.best_of
            )
            if lobby.settings.best_of
            else _("Each game counts for the evening, as long as you like to play.")
        ),
    ),
    LobbyCommands.sealed: TableSetting(
        "sealed",
        N_("Hidden cards"),
        (False, True),
        lambda lobby: _("sealed") if lobby.settings.sealed else _("host could look"),
        lambda lobby: sealed_sentence(sealed=lobby.settings.sealed),
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
