"""Tests the settings of games that last for days, and the bounds of their messages."""

import pytest
from msgspec import ValidationError

from netcode.protocol.codec import FROM_CLIENT, encode
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import ChangeSettings
from netcode.protocol.table_settings import TableSettings, is_valid_value, misfit
from netcode.wings.days.messages import (
    ADDRESS_LENGTH,
    MAXIMUM_CONDITIONS,
    MAXIMUM_ROWS,
    AskTurns,
    Condition,
    SeatProof,
    SetCall,
    SetConditions,
)
from netcode.wings.days.settings import (
    BANK,
    HOURS,
    MAXIMUM_HOURS,
    OFFSET,
    PAUSES,
    lasts_for_days,
    offset_minutes,
)
from tests.support.pretend import Network, seated


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        (HOURS, 24, True),
        (HOURS, MAXIMUM_HOURS, True),
        (HOURS, MAXIMUM_HOURS + 1, False),
        (HOURS, True, False),
        (BANK, "24", False),
        (PAUSES, "nights_weekends", True),
        (PAUSES, "lunch", False),
        (OFFSET, "-09:30", True),
        (OFFSET, "+14:01", False),
        (OFFSET, "+1:00", False),
        (OFFSET, 60, False),
    ],
)
def test_a_table_allows_only_values_that_its_clock_in_hours_understands(
    name: str, value: int | str, valid: bool
) -> None:
    assert is_valid_value(name, value) is valid


def test_an_offset_from_utc_counts_in_both_directions() -> None:
    assert [offset_minutes(each) for each in ("+00:00", "+05:45", "-12:00")] == [0, 345, -720]


def test_only_hours_or_a_bank_make_a_game_last_for_days() -> None:
    lasting = [
        name
        for name, value in ((HOURS, 24), (BANK, 24), (PAUSES, "nights"), (OFFSET, "+01:00"))
        if lasts_for_days(TableSettings.of({name: value}))
    ]
    assert lasting == [HOURS, BANK]


@pytest.mark.parametrize(
    ("values", "code"), [({"sealed": True}, "days_sealed"), ({"clock_s": 60}, "days_clock")]
)
def test_a_host_cannot_combine_days_with_sealed_games_or_a_clock_in_seconds(
    values: dict[str, object], code: str
) -> None:
    (host,) = seated(Network(), "a")
    host.send(ChangeSettings(TableSettings.of({HOURS: 24})))
    host.send(ChangeSettings(TableSettings.of({HOURS: 24, **values})))
    assert host.refusal == code
    assert misfit(TableSettings.of({PAUSES: "nights", **values})) is None


def test_the_longest_requests_fit_into_a_frame() -> None:
    seat = SeatProof("7K2", bytes([255]) * 32)
    condition = Condition(card="rS", until_round=6)
    for message in (
        AskTurns(seats=(seat,) * MAXIMUM_ROWS),
        SetConditions(conditions=(condition,) * MAXIMUM_CONDITIONS),
        SetCall(address="@" + "\U0001f3f0" * (ADDRESS_LENGTH - 1)),
    ):
        assert len(encode(message)) <= FROM_CLIENT


@pytest.mark.parametrize(
    "address",
    ["a" * (ADDRESS_LENGTH + 1), " a", "a\nb", "a\x1b[0m", "-oProxy", "|sh", "/dev/null", "~root"],
)
def test_an_address_for_calls_is_one_short_visible_line(address: str) -> None:
    with pytest.raises(ValidationError):
        checked_struct({"type": "set_call", "address": address}, SetCall)
