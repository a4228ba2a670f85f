"""Stores the player's settings: the appearance of the table, and calls.

All settings are in one file, `config.toml` in the user's config folder, edited by hand or on the
options screen; missing settings have defaults. An invalid file is refused with a sentence that
names the line. Textual is not imported. The library that writes the file without changing its other
contents is imported only for a change.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from driflamme_tui.text.i18n import available_languages
from engine.texts import ONLY_WHY, ExplainedError, Text

Value: TypeAlias = str | bool | float
"""The value of a setting with few choices."""

FOLDER: Final = "driflamme"
"""The name of the folder of the config file."""

FILE: Final = "config.toml"

AUTO: Final = "auto"
"""The value that leaves the choice to the program: it follows the terminal or the system."""

ALL: Final = "all"
"""The value for calling a player who looks elsewhere for their turn and for news of the table."""

TURN: Final = "turn"
"""The value for calling a player who looks elsewhere only for their turn."""

NONE: Final = "none"
"""The value for never calling a player who looks elsewhere."""

KEYS: Final = "keys"
"""The only setting that is a TOML table: the keys of commands, by id."""


class Setting(NamedTuple):
    """A setting with few choices, for the options screen."""

    choices: tuple[Value, ...]
    """The setting's values, usually the default first."""
    name: Annotated[Text, "setting"]
    """The setting's name, in at most 14 cells."""
    sentence: Text


SETTINGS: Final = {
    "theme": Setting(
        (AUTO, "dark", "light", "contrast"),
        "Colours",
        "The colours: dark, light, or with most contrast; auto follows the terminal's background.",
    ),
    "glyphs": Setting(
        (AUTO, "unicode", "basic", "ascii"),
        "Symbols",
        "The symbols of cards and lines: basic if some are blank; auto suits the terminal.",
    ),
    "language": Setting(
        (AUTO, *available_languages()),
        "Language",
        "The language of all texts; auto takes the system's.",
    ),
    "animation": Setting(
        (True, False),
        "Animation",
        "Animate what happens; any key skips it.",
    ),
    "reading": Setting(
        (0, 0.4, 1),
        "Reading time",
        "How long each action of the others stays on screen before the next, when animation is on.",
    ),
    "cards": Setting(
        (AUTO, "full", "compact", "minimal", "micro"),
        "Cards",
        "Card size, where there is room; auto takes the largest that fits in one row.",
    ),
    "calls": Setting(
        (ALL, TURN, NONE),
        "Calls",
        "What rings the bell, sets the title and sends a notification: all news or only your turn.",
    ),
}
"""The settings by name, in the order of the options."""


class SettingsError(ExplainedError):
    """Raised if the config file is unreadable or invalid, or could not be written.

    The error's sentence has the reason.
    """


class Settings(NamedTuple):
    """All settings of a player.

    They are a named tuple, since the command line reads them without importing msgspec.
    """

    theme: str = AUTO
    glyphs: str = AUTO
    language: str = AUTO
    animation: bool = True
    reading: float = 0
    """Seconds between the events of other players, so that the reader can follow several events; 0
    for no pause.
    """
    cards: str = AUTO
    """The size of the cards, or `AUTO`."""
    calls: str = ALL
    """The news for which a player who looks elsewhere is called: `ALL`, `TURN` or `NONE`."""
    keys: Mapping[str, str] = MappingProxyType({})
    """The keys of commands by id. `judge_keys` must still check them."""

    @property
    def catalogue(self) -> str | None:
        """The language for `i18n`; None for the system's language."""
        return None if self.language == AUTO else self.language


def config_file() -> Path:
    """Return the path of the file, in the config folder that `platformdirs` names.

    On Linux the two usual places are found without `platformdirs`, whose import takes a tenth of
    the time of a short command.
    """
    places = (os.environ.get("XDG_CONFIG_HOME"), os.environ.get("HOME"))
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        match places:
            case (str(configs), _) if configs.startswith("/"):
                return Path(configs, FOLDER, FILE)
            case (None, str(home)) if home.startswith("/"):
                return Path(home, ".config", FOLDER, FILE)
    from platformdirs import user_config_path

    return user_config_path(FOLDER, appauthor=False) / FILE


_OLD_NAMES: Final = {"pace": "reading"}
"""Former names of settings in the config file, which still work."""


def load() -> Settings:
    """Return the settings of the config file; without the file, the defaults.

    Raises:
        SettingsError: The file cannot be read, or is invalid.
    """
    path = config_file()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingsError(
            "{file} cannot be read: {why}. Check its permissions.", file=str(path), why=why
        ) from None
    except ValueError:
        raise SettingsError(
            "{file} is not UTF-8 text: save it as UTF-8, or delete it.", file=str(path)
        ) from None
    return parse(text, path)


def parse(text: str, path: Path) -> Settings:
    """Return the settings in a file's text.

    Raises:
        SettingsError: The text is invalid. The error's sentence has the path and the line.
    """
    import tomllib

    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else text.rstrip().count("\n") + 1
        lines = [*text.splitlines(), ""]
        if lines[min(line, len(lines)) - 1].lstrip().startswith("["):
            raise SettingsError(
                "{file}, line {line}: this cannot be read; write [{section}].",
                file=str(path),
                line=line,
                section=KEYS,
            ) from None
        raise SettingsError(
            '{file}, line {line}: this cannot be read; write, for instance, theme = "light".',
            file=str(path),
            line=line,
        ) from None

    written = {_OLD_NAMES.get(name, name): name for name in table}

    def wrong(template: Text, setting: str, **values: str | ExplainedError) -> SettingsError:
        line = line_of(text, written.get(setting, setting))
        return SettingsError(template, file=str(path), line=line, **values)

    values: dict[str, Any] = {}
    for name, value in ((name, table[old]) for name, old in written.items()):
        if name not in Settings._fields:
            raise wrong(
                "{file}, line {line}: there is no setting {name}; choose one of {names}.",
                name,
                name=name or '""',
                names=", ".join(Settings._fields),
            )
        values[name] = (_keys if name == KEYS else _value)(name, value, wrong)
    return Settings(**values)


def change(name: str, value: Value) -> None:
    """Write one setting into the file, and keep its other contents.

    Raises:
        SettingsError: The file cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from netcode.private_files import UnsafeFolderError, make_private_folder
    from netcode.whole_file import whole_file

    path = config_file()
    try:
        before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        document = tomlkit.parse(before)
        document[name] = value
        for old in (old for old, new in _OLD_NAMES.items() if new == name):
            document.pop(old, None)
        make_private_folder(path.parent)
        with whole_file(path, force=True) as file:
            file.write(tomlkit.dumps(document))
    except UnsafeFolderError as error:
        raise SettingsError(ONLY_WHY, why=error) from None
    except (OSError, ValueError, TOMLKitError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise SettingsError(
            "{file} cannot be written ({why}), so this lasts only until you leave: check its "
            "permissions.",
            file=str(path),
            why=why or type(error).__name__,
        ) from None


def line_of(text: str, name: str) -> int:
    """Return the line, from 1, that gives a value to a name; the last line if none does.

    A name in a table has dots. The shortest beginning of the file that contains the name ends with
    this line.
    """
    import tomllib

    lines = text.splitlines()
    for number in range(1, len(lines)):
        with suppress(tomllib.TOMLDecodeError):
            if name in dict(_flat(tomllib.loads("\n".join(lines[:number])))):
                return number
    return max(1, len(lines))


def _value(name: str, value: object, wrong: Callable[..., SettingsError]) -> Value:
    choices = SETTINGS[name].choices
    for choice in choices:
        # Compare types too, since `True == 1` in Python.
        if value == choice and isinstance(value, bool) is isinstance(choice, bool):
            return choice
    import json

    raise wrong(
        "{file}, line {line}: choose {name} from {choices}.",
        name,
        name=name,
        choices=", ".join(map(json.dumps, choices)),
    )


def _keys(name: str, value: object, wrong: Callable[..., SettingsError]) -> dict[str, str]:
    """Return the keys by command. An invalid value raises a SettingsError.

    In the file, the id of a command may be quoted. Without quotes, TOML reads it as a nested table.
    """
    if not isinstance(value, dict):
        raise wrong(
            '{file}, line {line}: write keys as a table: [keys], then "table.look" = "l".', name
        )
    mapping: dict[str, str] = {}
    for command, keys in _flat(value):
        if isinstance(keys, dict):
            continue
        listed: list[object] = keys if isinstance(keys, list) else [keys]
        texts = [each for each in listed if isinstance(each, str)]
        if not texts or len(texts) < len(listed):
            raise wrong(
                '{file}, line {line}: write the keys of {command} as text, such as "f5, u".',
                f"{KEYS}.{command}",
                command=command or '""',
            )
        mapping[command] = ", ".join(texts)
    return mapping


def judge_keys(keys: Mapping[str, str]) -> None:
    """Check the keys in the config file. The check imports every screen.

    Raises:
        SettingsError: `check_keys` refuses the keys. The error's sentence has the line.
    """
    from driflamme_tui.keymap.key_bindings import KeysError, check_keys

    try:
        check_keys(keys)
    except KeysError as error:
        culprits = [str(error.values.get(each)) for each in ("command", "other")]
        culprit = next((f"{KEYS}.{each}" for each in culprits if each in keys), KEYS)
        path = config_file()
        line = line_of(path.read_text(encoding="utf-8-sig"), culprit)
        template: Text = "{file}, line {line}: {why}"
        raise SettingsError(template, file=str(path), line=line, why=error) from None


def _flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Yield all values in a table and its nested tables, by names with dots.

    `before` is the beginning of each name.
    """
    for name, value in table.items():
        yield f"{before}{name}", value
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
