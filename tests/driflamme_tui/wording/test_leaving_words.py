"""Tests texts for a player who is about to leave a table, and about absent players."""

from msgspec.structs import replace

from driflamme_tui.wording.program.people_words import leaving_sentence
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.protocol.table_settings import TableSettings

SEATS = (
    SeatInfo(family="r", name="Root", host=True),
    SeatInfo(family="b", name="Rosalind"),
    SeatInfo(family="g", name="Orlando"),
)
LOBBY = Lobby(
    phase="playing",
    seats=SEATS,
    spectators=(),
    settings=TableSettings(),
    missing=None,
    invitation="",
    you="r",
    host=True,
)


def test_who_plays_with_bots_alone_hears_that_the_game_ends_with_them() -> None:
    alone = (SEATS[1], SeatInfo(family="r", name="Aubin", bot="steady"))
    lobby = replace(LOBBY, you="b", host=False, invitation="x")
    sentence = leaving_sentence(replace(lobby, seats=alone), owned=False, seated=True)
    assert sentence == "Nobody else plays here: the game ends when you leave. Leave the table?"
    sentence = leaving_sentence(lobby, owned=False, seated=True)
    assert sentence == "The game continues, and a bot plays for you. Leave the table?"
    mine = replace(lobby, seats=alone, host=True, invitation="")
    sentence = leaving_sentence(mine, owned=True, seated=True)
    assert sentence == (
        "The game is kept: driflamme play, or the start screen, resumes it. Leave the table?"
    )


def test_nothing_is_asked_after_a_finished_game_against_bots() -> None:
    alone = (SEATS[1], SeatInfo(family="r", name="Aubin", bot="steady"))
    over = replace(LOBBY, you="b", phase="result")
    assert leaving_sentence(replace(over, seats=alone), owned=True, seated=True) == ""
    people = leaving_sentence(replace(over, host=False), owned=False, seated=True)
    assert people == "Leave the table?"


def test_who_keeps_the_seat_reads_that_instead_of_what_a_bot_does() -> None:
    lobby = replace(LOBBY, you="b", host=False, invitation="x")
    kept = "Your seat stays yours."
    sentence = leaving_sentence(lobby, owned=False, seated=True, kept=kept)
    assert sentence == "Your seat stays yours. Leave the table?"
    waiting = replace(lobby, phase="lobby")
    assert leaving_sentence(waiting, owned=False, seated=True, kept=kept) == "Leave the table?"
    assert kept not in leaving_sentence(LOBBY, owned=True, seated=True, kept=kept)
