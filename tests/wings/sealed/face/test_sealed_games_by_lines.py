"""Tests a sealed game in the line-by-line mode, and for programs."""

import json
from collections.abc import Callable

import pytest

from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.text.i18n import set_language
from driflamme_tui.wording.program.people_words import leaving_meaning
from netcode.client.session import Session
from netcode.protocol.messages import Act, ChangeSettings, Chat
from netcode.protocol.table_settings import TableSettings
from netcode.wings.sealed.messages import AllowTakeover, HandOver
from netcode.wings.sealed.news import LeaveBe, Notice, SealedNews, VoteMissing
from tests.driflamme_tui.plain.test_line_shell import STRIKE, TYPED, Shell, data_of
from tests.driflamme_tui.plain.test_typed_commands import in_the_lobby, lines_about, player_at
from tests.support.by_hand import THEIRS
from tests.support.tables import (
    EVENING_STEPS,
    evening_session,
    gathered,
    seen,
    session_at_line,
    state,
)
from tests.wings.sealed.news import sealed_news

VOTES = {JsonPlayer: '{"type":"vote_missing"}', PlainPlayer: "vote"}


@pytest.mark.parametrize("player_of", VOTES)
async def test_while_an_answer_waits_one_can_vote(
    player_of: Callable[[Session], LinePlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch, session_at_line(STRIKE, "b"))
    playing = shell.play(player_of)
    vote_wanted = sealed_news(vote_about="Gaspard", is_vote_wanted=True)
    await shell.receive(state(seen(STRIKE, "b"), 1), vote_wanted)
    strike, say = TYPED[player_of]  # type: ignore[index]
    await shell.type(strike, strike, say, VOTES[player_of])  # type: ignore[index]
    # No State has followed the first answer, so the second answer waits; chat and a vote do not
    # wait.
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing]
    # Lines before the end of the input still take effect.
    await shell.type(None)
    assert not playing.done()
    await shell.receive(state(seen(STRIKE, "b"), 2))
    await playing
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing, Act]


def test_what_an_own_program_tells_of_a_sealed_game_is_json_too() -> None:
    assert data_of(SealedNews(stage="over"))["stage"] == "over"


def test_a_program_votes_allows_a_takeover_and_hands_the_table_over() -> None:
    player = JsonPlayer(session_at_line(THEIRS))
    for line, message in (
        ('{"type":"vote_missing"}', VoteMissing()),
        ('{"type":"allow_takeover","allowed":true}', AllowTakeover(allowed=True)),
        ('{"type":"hand_over","name":"Rosalind"}', HandOver("Rosalind")),
    ):
        assert player.line(line).messages == [message]
    (wrong,) = player.line('{"ready":true}').lines
    assert "vote_missing" in wrong
    assert "leave_be" in wrong


def test_the_help_has_a_topic_for_sealed_games() -> None:
    player, _ = player_at(THEIRS)
    assert "help sealed" in player.line("help").lines[-1]
    assert player.line("help sealed").lines[0].startswith("vote: say that an answer")
    assert any(line.startswith("hand over") for line in player.line("help host").lines)


def test_that_a_table_is_sealed_or_not_any_more_is_told() -> None:
    player = PlainPlayer(Session())
    _, sealed, plain = (
        lines_about(player, in_the_lobby("b", settings={"sealed": is_sealed}))
        for is_sealed in (False, True, False)
    )
    assert sealed[0].startswith("Sealed: yes. No machine knows another's cards; ")
    assert plain[0].startswith("Sealed: no. The host's machine deals, ")


@pytest.mark.parametrize(
    ("language", "line", "is_sealed"),
    [("en", "sealed", True), ("en", "not sealed", False), ("fr", "scellée oui", True)],
)
def test_a_host_makes_a_table_sealed_or_an_ordinary_one(
    language: str, line: str, is_sealed: bool
) -> None:
    set_language(language)
    (change,) = PlainPlayer(gathered("rb", "b", host=True)).line(line).messages
    assert isinstance(change, ChangeSettings)
    assert change.settings.sealed == is_sealed


@pytest.mark.parametrize("owned", [False, True])
def test_leaving_a_sealed_game_means_the_same_line_by_line_as_on_the_screen(owned: bool) -> None:
    player = PlainPlayer(session_at_line(THEIRS, settings=TableSettings(sealed=True)), owned=owned)
    meaning = leaving_meaning(player.session.lobby, owned=owned, seated=True)
    assert meaning
    assert player.line("quit").lines == [f"{meaning} Type quit once more to leave."]


def test_a_sealed_game_is_told_and_voted_about() -> None:
    player, _ = player_at(THEIRS)
    assert lines_about(player, sealed_news()) == [
        "Sealed 451 561. Read them aloud: everybody must have the same digits."
    ]
    assert player.line("vote").lines == ["There is nothing to vote about now."]
    notice = Notice(code="late_answer", name="Rosalind")
    lines = lines_about(
        player, sealed_news(vote_about="Gaspard", is_vote_wanted=True, notices=(notice,))
    )
    assert lines[0] == "Rosalind's answer came after the vote: it does not count."
    assert lines[1:] == [
        "Gaspard is not answering. Continue without this answer, if enough players vote for it? "
        "Type vote to vote for it."
    ]
    assert player.line("vote").messages == [VoteMissing()]
    away = sealed_news(away=("Gaspard",), notices=(notice,))
    assert lines_about(player, away) == [
        "Type vote for Gaspard, and your program does so each time."
    ]
    assert player.line("vote for gaspard").messages == [LeaveBe(name="Gaspard", chosen=True)]
    assert lines_about(player, away) == [], "all has been told"
    soon = {"stage": "over", "notices": (notice,), "verdicts": ("unproven",) * 3}
    assert lines_about(player, sealed_news(**soon, waiting_for=("Gaspard",))) == []
    assert "Sealed 451 561." in player.line("who").lines[-2]


def test_that_a_sealed_game_is_proven_is_told_after_its_ranking() -> None:
    player = PlainPlayer(evening_session(EVENING_STEPS - 1, "b"))
    end = evening_session(EVENING_STEPS, "b").view
    assert end is not None
    proven = sealed_news(stage="over", verdicts=("proven",) * end.players)
    assert "The deal and every move are proven." not in lines_about(player, proven)
    lines = lines_about(player, state(end, 10**6))
    last = lines.index("Everything is laid open: type ? for the whole table.")
    assert lines[last - 1] == "The deal and every move are proven."
    assert lines_about(player, proven) == []


def test_a_program_is_told_of_a_sealed_game_and_votes() -> None:
    player = JsonPlayer(session_at_line(THEIRS))
    (line,) = lines_about(player, sealed_news(waiting_for=("Gaspard",)))
    data = json.loads(line)
    assert data["type"] == "sealed_news"
    assert data["digits"] == "451 561"
    assert data["waiting_for"] == ["Gaspard"]
    assert player.line('{"type":"vote_missing"}').messages == [VoteMissing()]
    leave = player.line('{"type":"leave_be","name":"Gaspard","chosen":true}')
    assert leave.messages == [LeaveBe(name="Gaspard", chosen=True)]
