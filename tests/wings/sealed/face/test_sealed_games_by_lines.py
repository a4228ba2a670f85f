"""A sealed game for whoever plays line by line, and for programs."""

import json
from collections.abc import Callable

import pytest

from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.plain_player import PlainPlayer
from netcode.client.session import Session
from netcode.protocol.messages import Act, Chat
from netcode.wings.sealed.messages import AllowTakeover, HandOver
from netcode.wings.sealed.news import LeaveBe, Notice, SealedNews, VoteMissing
from tests.driflamme_tui.plain.test_line_shell import STRIKE, TYPED, Shell, told
from tests.driflamme_tui.plain.test_plain_player import asked, heard
from tests.support.by_hand import THEIRS
from tests.support.tables import EVENING_STEPS, asked_at, evening_session, seen, state
from tests.wings.sealed.news import sealed_news

VOTES = {JsonPlayer: '{"type":"vote_missing"}', PlainPlayer: "vote"}


@pytest.mark.parametrize("player_of", VOTES)
async def test_while_an_answer_waits_one_can_vote(
    player_of: Callable[[Session], LinePlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch, asked_at(STRIKE, "b"))
    playing = shell.play(player_of)
    vote_wanted = sealed_news(vote_about="Gaspard", is_vote_wanted=True)
    await shell.hear(state(seen(STRIKE, "b"), 1), vote_wanted)
    strike, say = TYPED[player_of]  # type: ignore[index]
    await shell.type(strike, strike, say, VOTES[player_of])  # type: ignore[index]
    # The struck card is not opened, so no State follows; the same answer again is about what does.
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing]
    # Lines that have ended are done nevertheless.
    await shell.type(None)
    assert not playing.done()
    await shell.hear(state(seen(STRIKE, "b"), 2))
    await playing
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing, Act]


def test_what_an_own_program_tells_of_a_sealed_game_is_json_too() -> None:
    assert told(SealedNews(stage="over"))["stage"] == "over"


def test_a_program_votes_allows_a_takeover_and_hands_the_table_over() -> None:
    player = JsonPlayer(asked_at(THEIRS))
    for line, message in (
        ('{"type":"vote_missing"}', VoteMissing()),
        ('{"type":"carry","allowed":true}', AllowTakeover(allowed=True)),
        ('{"type":"hand_over","name":"Rosalind"}', HandOver("Rosalind")),
    ):
        assert player.line(line).messages == [message]
    (wrong,) = player.line('{"ready":true}').lines
    assert "vote_missing" in wrong
    assert "leave_be" in wrong


def test_the_help_has_a_topic_for_sealed_games() -> None:
    player, _ = asked(THEIRS)
    assert "help sealed" in player.line("help").lines[-1]
    assert player.line("help sealed").lines[0].startswith("vote: at a sealed table")
    assert any(line.startswith("hand over") for line in player.line("help host").lines)


def test_a_sealed_game_is_told_and_voted_about() -> None:
    player, _ = asked(THEIRS)
    assert heard(player, sealed_news()) == [
        "Sealed 451 561. Read it aloud: everybody must have the same digits."
    ]
    assert player.line("vote").lines == ["There is nothing to vote about now."]
    notice = Notice(code="late_answer", name="Rosalind")
    told = heard(player, sealed_news(vote_about="Gaspard", is_vote_wanted=True, notices=(notice,)))
    assert told[0] == "Rosalind's answer came after the vote: it does not count."
    assert told[1:] == [
        "Gaspard is not answering. Go on without this answer, if enough vote for it? Type vote to "
        "vote for it."
    ]
    assert player.line("vote").messages == [VoteMissing()]
    away = sealed_news(away=("Gaspard",), notices=(notice,))
    assert heard(player, away) == ["Type vote for Gaspard, and your program does so each time."]
    assert player.line("vote for gaspard").messages == [LeaveBe(name="Gaspard", chosen=True)]
    assert heard(player, away) == [], "all has been told"
    soon = {"stage": "over", "notices": (notice,), "verdicts": ("unproven",) * 3}
    assert heard(player, sealed_news(**soon, waiting_for=("Gaspard",))) == []
    assert "Sealed 451 561." in player.line("who").lines[-2]


def test_that_a_sealed_game_is_proven_is_told_after_its_ranking() -> None:
    player = PlainPlayer(evening_session(EVENING_STEPS - 1, "b"))
    end = evening_session(EVENING_STEPS, "b").view
    assert end is not None
    proven = sealed_news(stage="over", verdicts=("proven",) * end.players)
    assert "The deal and every move are proven." not in heard(player, proven)
    told = heard(player, state(end, 10**6))
    last = told.index("Everything is laid open: type ? to hear it.")
    assert told[last - 1] == "The deal and every move are proven."
    assert heard(player, proven) == []


def test_a_program_is_told_of_a_sealed_game_and_votes() -> None:
    player = JsonPlayer(asked_at(THEIRS))
    (line,) = heard(player, sealed_news(waiting_for=("Gaspard",)))
    told = json.loads(line)
    assert told["type"] == "sealed_news"
    assert told["digits"] == "451 561"
    assert told["waiting_for"] == ["Gaspard"]
    assert player.line('{"type":"vote_missing"}').messages == [VoteMissing()]
    leave = player.line('{"type":"leave_be","name":"Gaspard","chosen":true}')
    assert leave.messages == [LeaveBe(name="Gaspard", chosen=True)]
