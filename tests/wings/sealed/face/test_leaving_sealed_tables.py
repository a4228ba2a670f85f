"""Tests the texts for people who leave a sealed table, and about absent players."""

from typing import get_args

import pytest
from msgspec.structs import replace

from driflamme_tui.wording.program.people_words import leaving_sentence, notes
from netcode.protocol.messages import Away
from netcode.protocol.table_settings import TableSettings
from tests.driflamme_tui.wording.test_leaving_words import LOBBY as ORDINARY
from tests.driflamme_tui.wording.test_leaving_words import SEATS

LOBBY = replace(ORDINARY, settings=TableSettings(sealed=True))


def test_a_host_hears_whether_the_table_goes_on_without_them() -> None:
    goes_on = replace(LOBBY, successors=("Root", "Rosalind"))
    said = leaving_sentence(goes_on, owned=True, seated=True)
    assert said == "If the host is gone, the table moves to: Rosalind. Leave the table?"
    of_two = replace(LOBBY, seats=SEATS[:2])
    for closes in (LOBBY, of_two, replace(LOBBY, settings=TableSettings())):
        assert "the table closes for now" in leaving_sentence(closes, owned=True, seated=True)


def test_who_leaves_is_not_named_among_those_at_whose_machines_the_table_goes_on() -> None:
    later = replace(LOBBY, successors=("Root", "Rosalind", "Orlando"), you="b")
    said = leaving_sentence(later, owned=True, seated=True)
    assert said == "If the host is gone, the table moves to: Orlando. Leave the table?"


@pytest.mark.parametrize("away", get_args(Away))
def test_at_a_sealed_table_nobody_reads_that_a_bot_answers_for_a_person(away: Away) -> None:
    gone = replace(SEATS[1], present=False, away=away)
    for phase in ("lobby", "playing", "result"):
        assert notes(gone, replace(LOBBY, phase=phase)) == ["away"]
    sentence = leaving_sentence(replace(LOBBY, you="b", host=False), owned=False, seated=True)
    blind = "If somebody is gone, the others can vote to continue without them."
    assert sentence == f"{blind} Leave the table?"
