"""Adds the settings of long games to the lobby: hours for a decision, a bank, and pauses."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.wording.program.table_setting import AddedSettings, TableSetting, ValueTexts
from engine.texts import Text
from netcode.wings.days.settings import (
    BANK,
    HOURS,
    NAME,
    NIGHTS,
    NIGHTS_AND_WEEKENDS,
    OFFSET,
    PAUSES,
    WEEKENDS,
    lasts_for_days,
)


class DaysLobbyCommands(CommandSet, prefix="lobby", listed_after="lobby.clock"):
    """Commands of the lobby that change the hours for a decision, the bank, and the pauses."""

    hours = Command("4", "setting('hours')", "the host: change the hours for each decision")
    bank = Command("5", "setting('bank')", "the host: change the hours that each player can save")
    pauses = Command("6", "setting('pauses')", "the host: change when the clock stands still")


def local_offset() -> Mapping[str, object]:
    """Return the setting with this machine's present offset from UTC, such as `+02:00`."""
    text = datetime.now().astimezone().strftime("%z")
    return {OFFSET: f"{text[:3]}:{text[3:5]}"}


_EACH: Final[Text] = "Hours that each player has for a whole game, besides those of each decision."

SETTINGS: Final = {
    DaysLobbyCommands.hours: TableSetting(
        HOURS,
        "Long game",
        (0, 6, 12, 24, 48, 72, 168),
        {
            0: ValueTexts(
                "no", "Everybody stays until the end. With hours, a game may last for days."
            ),
            24: ValueTexts(
                "1 day per decision",
                "People come and go, and keep their seats. After a day a bot answers once.",
            ),
            48: ValueTexts(
                "2 days per decision",
                "People come and go, and keep their seats. After two days a bot answers once.",
            ),
            72: ValueTexts(
                "3 days per decision",
                "People come and go, and keep their seats. After three days a bot answers once.",
            ),
            168: ValueTexts(
                "7 days per decision",
                "People come and go, and keep their seats. After a week a bot answers once.",
            ),
            None: ValueTexts(
                "{n} h per decision",
                "People come and go, and keep their seats. After {n} hours a bot answers once.",
            ),
        },
        part=NAME,
        beside=local_offset,
    ),
    DaysLobbyCommands.bank: TableSetting(
        BANK,
        "Bank",
        (0, 24, 72, 168),
        {
            0: ValueTexts("none", "Nobody has more time than the hours of each decision."),
            24: ValueTexts("1 day each", _EACH),
            72: ValueTexts("3 days each", _EACH),
            168: ValueTexts("7 days each", _EACH),
            None: ValueTexts("{n} h each", _EACH),
        },
        part=NAME,
        beside=local_offset,
        matters=lasts_for_days,
    ),
    DaysLobbyCommands.pauses: TableSetting(
        PAUSES,
        "Clock stops",
        ("", NIGHTS, WEEKENDS, NIGHTS_AND_WEEKENDS),
        {
            "": ValueTexts("never", "The clock runs day and night."),
            NIGHTS: ValueTexts(
                "at night", "The clock stands still from 22:00 to 7:00, by the host's time."
            ),
            WEEKENDS: ValueTexts(
                "at weekends",
                "The clock stands still on Saturdays and Sundays, by the host's time.",
            ),
            None: ValueTexts(
                "nights, weekends",
                "The clock stands still from 22:00 to 7:00 and on Saturdays and Sundays, by the "
                "host's time.",
            ),
        },
        part=NAME,
        beside=local_offset,
        matters=lasts_for_days,
    ),
}

SEAM: Final = AddedSettings(SETTINGS)
"""The settings of long games, by command."""
