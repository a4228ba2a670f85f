"""Tests the way of a latecomer to a bot's seat, line by line and by JSON."""

import json
from typing import Any

from msgspec.structs import replace

from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.wording.program.call_words import CallWords
from driflamme_tui.wording.program.latecomer_words import seated_sentence
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import AnswerWish, AskSeat, Lobby, Refused, SeatWish
from tests.support.by_hand import PLACE
from tests.support.tables import lobby, seats, seen, state, welcome

BOTS = seats("rbg", bots="bg", host="r")
"""Blaise and Gaspard are bots, and Rosalind is the host."""
WISH = SeatWish("Zoe", "g")


def table(you: str | None, **fields: Any) -> Lobby:
    return lobby("rbg", you, **{"seats": BOTS, "spectators": ("Zoe",), **fields})


def lines_about(player: LinePlayer, *news: Message) -> list[str]:
    """Let a player receive a host's messages; return the lines that are printed."""
    sentences: list[str] = []
    for each in news:
        player.session.receive(each)
        sentences += player.news(each)
    return sentences


def watching(**fields: Any) -> tuple[PlainPlayer, list[str]]:
    """Return a spectator called Zoe in a game, and the printed lines."""
    player = PlainPlayer(Session())
    player.session.name = "Zoe"
    news = welcome(None), table(None, **fields), state(seen(PLACE, None), 5)
    return player, lines_about(player, *news)


def hosting(**fields: Any) -> PlainPlayer:
    player = PlainPlayer(Session())
    player.session.name = "Rosalind"
    lines_about(player, welcome("r", host=True), table("r", host=True, **fields))
    lines_about(player, state(seen(PLACE, "r"), 5))
    return player


def test_a_spectator_hears_which_bots_play_and_what_to_type() -> None:
    asks = "Type seat and a bot's name to ask the host for its seat."
    takes = "Type seat and a bot's name to take its seat."
    only = "At this table latecomers only watch a game that has begun."
    nobody = "All seats belong to people, so you can watch this game."
    for line, fields in (
        (f"Bots play here: Blaise and Gaspard. {asks}", {}),
        (f"Bots play here: Blaise and Gaspard. {takes}", {"settings": {"latecomers": "sit"}}),
        (only, {"settings": {"latecomers": "watch"}}),
        (nobody, {"seats": seats("rbg", host="r")}),
    ):
        player, lines = watching(**fields)
        assert line in lines
        if "Bots" not in line:
            assert player.line("seat").lines == [line]


def test_a_spectator_types_seat() -> None:
    player, _lines = watching()
    for typed, wish in (
        ("seat", AskSeat("b")),
        ("seat gaspard", AskSeat("g")),
        ("no seat", AskSeat(None)),
    ):
        assert player.line(typed).messages == [wish]
    assert not player.line("seat Rosalind").messages
    assert lines_about(player, table(None, wishes=(WISH,))) == [
        "Rosalind decides whether you get the seat of Gaspard. Until then you watch."
    ]
    assert lines_about(player, table(None, wishes=(WISH,))) == []
    refused = Refused(code="wish_refused", values={"family": "g"})
    assert lines_about(player, refused, table(None)) == [
        "The host leaves the seat of Gaspard to the bot: you keep watching."
    ]


def test_a_newcomer_hears_the_hand_of_the_seat() -> None:
    player, _lines = watching()
    taken = (*BOTS[:2], replace(BOTS[2], name="Zoe", bot=None))
    news = welcome("g"), table("g", seats=taken, spectators=()), state(seen(PLACE, "g"), 5)
    lines = lines_about(player, *news)
    assert "You play Green now, in place of Gaspard: its hand is yours." in lines
    assert not any("left the table" in line for line in lines)
    assert any(line.startswith("In your hand: ") for line in lines)
    assert player.line("seat").lines == ["You have a seat already."]


def test_the_sentence_about_the_new_seat_names_all_its_families() -> None:
    person, bot = seats("rb", bots="b")
    two = table(None, seats=(replace(person, second="g"), replace(bot, second="y")))
    for family in ("b", "y"):
        sentence = seated_sentence(family, two)
        assert sentence.startswith(f"You play Blue and Yellow now, in place of {bot.name}:")


def test_the_host_hears_the_question_and_answers_by_a_word() -> None:
    player = hosting()
    assert player.line("allow").lines == ["Nobody is asking for a seat now."]
    wished = table("r", host=True, wishes=(WISH,))
    assert lines_about(player, wished) == [
        "Zoe would like the seat of Gaspard. Type allow or refuse."
    ]
    for typed, granted in (
        ("allow", True),
        ("allow zoe", True),
        ("refuse", False),
        ("refuse Zoe", False),
    ):
        (message,) = player.line(typed).messages
        assert message == AnswerWish(name="Zoe", family="g", granted=granted)
    assert player.line("allow Max").lines == ["Nobody is asking for a seat now."]
    taken = (*BOTS[:2], replace(BOTS[2], name="Zoe", bot=None))
    assert lines_about(player, table("r", host=True, seats=taken, spectators=())) == [
        "Zoe takes the seat of Gaspard."
    ]


def test_players_hear_of_a_wish_and_cannot_answer_it() -> None:
    player = PlainPlayer(Session())
    persons = seats("rbg", bots="g", host="r")
    lines_about(player, welcome("b"), table("b", seats=persons), state(seen(PLACE, "b"), 5))
    assert lines_about(player, table("b", seats=persons, wishes=(WISH,))) == [
        "Zoe would like the seat of Gaspard."
    ]
    assert player.line("allow").lines == ["Ask the host to do that: nobody else can."]


def test_a_wish_calls_the_host_and_nobody_else() -> None:
    for host in (True, False):
        calls, session = CallWords(), Session()
        session.name = "Rosalind" if host else "Blaise"
        before = table("r", host=host)
        assert calls.sentence(before, session) == ""
        sentence = calls.sentence(replace(before, wishes=(WISH,)), session)
        assert sentence == ("Zoe would like the seat of a bot." if host else "")


def test_programs_ask_and_answer_by_json() -> None:
    player = JsonPlayer(Session())
    wanted = json.dumps({"type": "ask_seat", "family": "g"})
    assert player.line(wanted).messages == [AskSeat("g")]
    fields = {"name": "Zoe", "family": "g", "granted": True}
    answered = json.dumps({"type": "answer_wish", **fields})
    assert player.line(answered).messages == [AnswerWish(name="Zoe", family="g", granted=True)]
    player.session.receive(welcome("r", host=True))
    (line,) = lines_about(player, table("r", host=True, wishes=(WISH,)))
    assert json.loads(line)["wishes"] == [{"name": "Zoe", "family": "g"}]
