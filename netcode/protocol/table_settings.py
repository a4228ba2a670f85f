"""The settings of a table's games, which its host chooses."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from netcode.isolation import attempt
from netcode.protocol.evening import BestOf
from netcode.protocol.fields import FamilyLetter, Strict, checked_struct
from netcode.registry import wing_values

MAXIMUM_CLOCK_S: Final = 600
"""Maximum seconds of the clock for a decision."""

MAXIMUM_PACE_MS: Final = 5_000
"""Maximum pause before a bot's answer, in milliseconds."""

DEFAULT_PACE_MS: Final = 900
"""Default pause before a bot's answer, in milliseconds."""

MINIMUM_THINK_MS: Final = 100
"""Minimum milliseconds of thinking for a searching bot, which finds next to nothing in less."""
MAXIMUM_THINK_MS: Final = 10_000
"""Maximum milliseconds of thinking for a searching bot: people would not wait longer."""
DEFAULT_THINK_MS: Final = 1_000
"""Default milliseconds of thinking for a searching bot."""


Latecomers: TypeAlias = Literal["ask", "sit", "watch"]

MAXIMUM_ADDED_SETTINGS: Final = 16
"""Maximum number of settings that wings add."""

SettingName = Annotated[str, Meta(pattern=r"^[a-z][a-z_]{0,19}\.[a-z][a-z_]{0,19}\Z")]
"""The name of a wing's setting: the name of the wing, a dot and a name."""

SettingValue: TypeAlias = (
    bool | Annotated[int, Meta(ge=0, le=2**31 - 1)] | Annotated[str, Meta(max_length=60)]
)
"""The value of a setting of a wing."""


class WingSetting(Struct, frozen=True):
    """A setting that a wing adds to every table. It does not change the rules."""

    name: str
    """The full name of the setting: the name of the wing, a dot and a name."""
    default: SettingValue
    is_valid: Callable[[SettingValue], bool]

    def allows(self, value: SettingValue) -> bool:
        """Return True if a value is valid. A wing that fails allows none."""
        return attempt(self.is_valid, lambda: self.is_valid(value), False)


class WingSettings(Struct, frozen=True):
    """The seam `settings`: the settings that a wing adds."""

    settings: tuple[WingSetting, ...]
    refusal: Callable[["TableSettings"], str | None] = lambda _settings: None
    """Returns the code of the reason why values do not fit together, or do not fit to settings of
    the core; None if they fit. It is called only if some wing's setting differs from its default.
    """
    keeps_lobby: Callable[["TableSettings"], bool] = lambda _settings: False
    """Returns True if players come back to a table with these settings on other days. A service
    that is started again then reopens its lobby, too.
    """


def wing_settings() -> tuple[WingSetting, ...]:
    """Return the settings of all wings, in the order of the wings' list."""
    found: tuple[WingSettings, ...] = wing_values("netcode", "settings", WingSettings)
    return tuple(setting for wing in found for setting in wing.settings)


class TableSettings(Strict, frozen=True, kw_only=True):
    """The settings of a table's games, which the host chooses."""

    edition: Annotated[int, Meta(ge=1, le=2)] = 2
    first: Literal["random"] | FamilyLetter = "random"
    """The family of the first player in round 1, or `random`."""
    direction: Literal["right", "left"] = "right"
    """The direction in which the Queue is drawn: `right` has position 1 on the left."""
    pace_ms: Annotated[int, Meta(ge=0, le=MAXIMUM_PACE_MS)] = DEFAULT_PACE_MS
    """Milliseconds to wait before a bot's answer, so that people can follow."""
    think_ms: Annotated[int, Meta(ge=MINIMUM_THINK_MS, le=MAXIMUM_THINK_MS)] = DEFAULT_THINK_MS
    """Milliseconds that a searching bot has for a decision. Some bots use only a part."""
    clock_s: Annotated[int, Meta(ge=0, le=MAXIMUM_CLOCK_S)] = 0
    """Seconds for each decision, after which a bot decides; 0 for no limit."""
    two: bool = False
    """True for a table for two: two players have two families each, and their influence is
    added.
    """
    best_of: BestOf = 0
    """Number of games that decide an evening; 0 for no limit."""
    latecomers: Latecomers = "ask"
    """The rights of a latecomer during a game: `ask` the host for a bot's seat, `sit` down there at
    once, or only `watch`.
    """
    sealed: bool = False
    """True for sealed games, in which only a player's own machine has their hidden cards
    (`netcode.wings.sealed`).
    """

    added: Annotated[dict[SettingName, SettingValue], Meta(max_length=MAXIMUM_ADDED_SETTINGS)] = (
        field(default_factory=dict)
    )
    """The settings of wings, by full name; defaults are omitted."""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> "TableSettings":
        """Return the settings with these values by name.

        Names that the core does not know are settings of wings. Raises ValidationError if a value
        is invalid.
        """
        usual = {each.name: each.default for each in wing_settings()}
        own = {name: value for name, value in values.items() if name in cls.__struct_fields__}
        added = {
            name: value
            for name, value in values.items()
            if name not in own and value != usual.get(name)
        }
        return checked_struct({**own, "added": added}, cls)

    def by_name(self) -> dict[str, Any]:
        """Return the values of all settings, by name, including the settings of wings."""
        values = asdict(self)
        del values["added"]
        return {**values, **{each.name: each.default for each in wing_settings()}, **self.added}

    def value(self, name: str) -> Any:
        """Return the value of a setting of the core or a wing; raises KeyError for other names."""
        return getattr(self, name) if name in self.__struct_fields__ else self.by_name()[name]

    @property
    def kind(self) -> str | None:
        """The name of a wing's kind of game; None for the ordinary kind."""
        return "sealed" if self.sealed else None

    def beside_edition(self) -> dict[str, Any]:
        """Return the settings for a record, without the edition, which the record's deal has.

        Records of ordinary tables omit `sealed`, since older programs do not know it. All records
        omit `latecomers` and the settings of wings, since these do not change the rules.
        """
        kept = asdict(self)
        del kept["edition"], kept["added"], kept["latecomers"]
        if not self.sealed:
            del kept["sealed"]
        return kept


def is_valid_value(name: str, value: SettingValue) -> bool:
    """Return False if an installed wing refuses the value of its setting; otherwise True.

    The setting of a wing that this program lacks is not refused.
    """
    return all(each.allows(value) for each in wing_settings() if each.name == name)


def misfit(settings: TableSettings) -> tuple[str, dict[str, str]] | None:
    """Return code and values of the reason that refuses wings' settings; None if all are valid."""
    if not settings.added:
        return None
    known = {each.name: each for each in wing_settings()}
    for name, value in settings.added.items():
        if name not in known:
            return "unknown_setting", {"name": name}
        if not known[name].allows(value):
            return "bad_field", {"field": name}
    for wing in wing_values("netcode", "settings", WingSettings):
        code = attempt(wing.refusal, partial(wing.refusal, settings), None)
        if code is not None:
            return code, {}
    return None


def keeps_lobby(settings: TableSettings) -> bool:
    """Return True if a service that is started again reopens a lobby with these settings.

    A wing that fails keeps none.
    """
    return bool(settings.added) and any(
        attempt(wing.keeps_lobby, partial(wing.keeps_lobby, settings), False)
        for wing in wing_values("netcode", "settings", WingSettings)
    )


def without_misfits(settings: TableSettings) -> TableSettings:
    """Return the settings, without settings of wings that this program lacks.

    If another setting of a wing cannot be used here, leave out all settings of wings.
    """
    known = without_unknown(settings)
    return known if misfit(known) is None else replace(known, added={})


def without_unknown(settings: TableSettings) -> TableSettings:
    """Return the settings without settings of wings that this program lacks."""
    known = [each.name for each in wing_settings()] if settings.added else ()
    added = {name: value for name, value in settings.added.items() if name in known}
    return replace(settings, added=added) if added != settings.added else settings
