"""Describes a host's setting of a table; wings add settings through the seam `settings`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.text.i18n import _, with_decimal_sign
from driflamme_tui.wording.game.names import family_name
from engine.texts import Text
from netcode.isolation import attempt
from netcode.protocol.fields import FAMILY_LETTERS, FamilyLetter
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.protocol.table_settings import TableSettings


def first_name(lobby: Lobby) -> str:
    """Return the name of the first player in the settings, or the word for a random one."""
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if first in families_of(seat)), None)
    # A player with two families is named by the family, since only one of them begins.
    return seat.name if seat and seat.second is None else family_name(first)


def families_of(seat: SeatInfo) -> list[FamilyLetter]:
    """Return the families of a seat: two at a table for two, otherwise one."""
    return [family for family in (seat.family, seat.second) if family is not None]


MILLISECONDS: Final = 1000
"""Milliseconds in a second. Fields in milliseconds are shown in seconds."""


class ValueTexts(Struct, frozen=True):
    """The texts for a value of a setting."""

    value: Text
    """The value; "" if it is a player's name."""
    meaning: Text
    """The meaning of the value, in one or two sentences."""


class TableSetting(Struct, frozen=True, eq=False):
    """A host's setting, as the lobby, the line-by-line mode and notices show it."""

    field: str
    """The field of `TableSettings`, or the name of a wing's setting."""
    name: Text
    values: tuple[object, ...]
    """The values in the order of choice. The first player may also be anybody at the table."""
    texts: dict[object, ValueTexts]
    """The texts of each value; the key None stands for all other values."""
    part: str = ""
    """The hosting part without which the lobby hides the setting; "" for a core setting."""
    beside: Callable[[], Mapping[str, object]] = dict
    """Returns values of other settings that a change of this setting sets too."""
    matters: Callable[[TableSettings], bool] = lambda _settings: True
    """Returns True if this setting has an effect beside the other settings. A setting without an
    effect is hidden.
    """

    def is_here(self, lobby: Lobby) -> bool:
        """Return True if the lobby shows the setting.

        A core setting is always shown. A wing's setting is shown if the table has the hosting part
        and the setting, and if the setting has an effect.
        """
        return not self.part or (
            self.part in lobby.parts
            and self.field in lobby.settings.by_name()
            and attempt(self.part, partial(self.matters, lobby.settings), False)
        )

    def value(self, lobby: Lobby) -> str:
        """Return the text of the present value; "" if a wing's setting fails."""
        return self._present_texts(lobby).value

    def meaning(self, lobby: Lobby) -> str:
        """Return the meaning of the present value, in one or two sentences."""
        return self._present_texts(lobby).meaning

    def _present_texts(self, lobby: Lobby) -> ValueTexts:
        if not self.part:
            return self._texts(lobby)
        return attempt(self.part, partial(self._texts, lobby), ValueTexts("", ""))

    def _texts(self, lobby: Lobby) -> ValueTexts:
        value = lobby.settings.value(self.field)
        texts = self.texts[value if value in self.texts else None]
        name, n = first_name(lobby), value
        if self.field.endswith("_ms"):
            n = with_decimal_sign(f"{value / MILLISECONDS:g}")
        meaning = _(texts.meaning, n=n, name=name)
        return ValueTexts(_(texts.value, n=n) if texts.value else name, meaning)

    def changed(self, lobby: Lobby, value: object) -> TableSettings:
        """Return a table's settings with another value of this setting.

        Raises:
            ValidationError: The value, or a setting that depends on it, is invalid.
        """
        none: Mapping[str, object] = {}
        others = attempt(self.part, self.beside, none)
        return TableSettings.of({**lobby.settings.by_name(), **others, self.field: value})

    def typed(self, text: str) -> object:
        """Return the value that a typed text means.

        A text that means no value is returned as it is, and a number may be out of range.
        """
        if isinstance(self.values[0], bool):
            return {"": True, "yes": True, "no": False}.get(text, text)
        if self.field == "first":
            families = {family_name(each).casefold(): each for each in FAMILY_LETTERS}
            return families.get(text, text)
        scale = MILLISECONDS if self.field.endswith("_ms") else 1
        with suppress(ValueError, OverflowError):
            return round(float(text.replace(",", ".")) * scale)
        return text

    def written(self) -> str:
        """Return the setting's values in the form in which they are typed."""
        if isinstance(self.values[0], bool):
            return "yes, no"
        scale = MILLISECONDS if self.field.endswith("_ms") else 1
        values = (f"{each / scale:g}" if isinstance(each, int) else each for each in self.values)
        families = map(family_name, FAMILY_LETTERS) if self.field == "first" else ()
        return ", ".join(map(str, (*values, *families)))


class AddedSettings(Struct, frozen=True):
    """The seam `settings`: the settings of tables that a wing adds."""

    settings: Mapping[Command, TableSetting]
    """The added settings, by the lobby command that changes each setting."""
