"""Tests sealed play on the screen: votes, notices, a waiting deal and a stopped game."""

from typing import get_args

import pytest

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.base.messages import LookBack, ShowResult
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.wings.sealed.sealed_words import notice_sentence, verdict_sentence
from driflamme_tui.wings.sealed.sections import DOUBTS
from driflamme_tui.wording.game.result_words import ranking_lines
from engine.game import Deal
from engine.record import Record
from engine.replaying import Replay
from engine.views import view
from netcode.client.session import Session
from netcode.protocol.messages import Away
from netcode.wings.sealed.news import CONVICTIONS, LeaveBe, Notice, VoteMissing
from tests.support.scenes import enter
from tests.support.tables import (
    NAMES,
    RECORD,
    Hands,
    SeatedApp,
    evening_session,
    gathered,
    in_app,
    lobby,
    run_app,
    seats,
)
from tests.wings.sealed.news import SEALED, sealed_news
from tests.wings.sealed.scenes import SCENES

WAITING, AT_QUESTION = 44, 43
"""Steps of the evening: Blaise waits for Rosalind, and Blaise must decide."""


def sealed_at(step: int) -> Session:
    return evening_session(step, "b", settings=SEALED)


@in_app(lambda: SeatedApp(sealed_at(WAITING)))
async def test_one_key_votes_and_about_somebody_away_each_time(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("v")
    assert app.sent == [], "nothing is to be voted about"
    await hands.receive(sealed_news(vote_about="Rosalind", is_vote_wanted=True))
    assert app.shows("Rosalind is not answering.")
    await hands.type("v")
    assert app.sent == [VoteMissing()]
    app.receive(sealed_news(vote_about="Rosalind"))
    await hands.type("v")
    assert app.shows("You have voted to continue")
    assert app.sent == [VoteMissing()], "a vote binds, so there is no other"
    app.receive(sealed_news(away=("Rosalind", "Vasco")))
    await hands.type("v")
    assert app.sent[1:] == [LeaveBe(name="Rosalind", chosen=True)]
    there = {"away": ("Rosalind", "Vasco"), "left_be": ("Rosalind",)}
    app.receive(sealed_news(vote_about="Rosalind", is_vote_wanted=True, **there))
    await hands.type("v")
    assert app.sent[2:] == [LeaveBe(name="Rosalind", chosen=False)], "and it may be stopped"


@in_app(lambda: SeatedApp(sealed_at(WAITING)))
async def test_a_struck_card_that_does_not_come_is_what_the_table_waits_for(
    app: SeatedApp, hands: Hands
) -> None:
    app.table.shown.forced = "Your Spy 2 robs them."
    await hands.receive(sealed_news(struck_of="Vasco"))
    assert app.shows("Waiting for Vasco")
    assert app.shows("The answer has arrived; waiting for Vasco's eliminated card.")
    assert not app.shows("robs them"), "a prompt has one matter"
    await hands.type("v")
    assert app.sent == []
    await hands.receive(sealed_news(struck_of="Vasco", vote_about="Vasco", is_vote_wanted=True))
    assert app.shows("Continue without it, if enough players vote for it?")
    assert app.shows("v votes this once")
    await hands.receive(sealed_news(struck_of="Vasco", away=("Vasco",)))
    assert app.shows("v votes each time")
    await hands.type("v")
    assert app.sent == [LeaveBe(name="Vasco", chosen=True)]


def test_a_bot_whose_owner_is_away_is_voted_about_like_them() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(sealed_news(away=("Vasco",), bot_owner="Vasco"))
        assert app.shows("Vasco is away: shall your program vote at once")
        await hands.type("v")
        assert app.sent == [LeaveBe(name="Vasco", chosen=True)]

    bots = seats("rbgyv", bots="r", away="v", how={"v": "no"})
    run_app(SeatedApp(evening_session(WAITING, "b", settings=SEALED, seats=bots)), steps)


@in_app(lambda: SeatedApp(sealed_at(0)))
async def test_digits_are_shown_until_the_first_card_lies_and_then_in_the_header(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(sealed_news())
    assert app.shows("Sealed 451 561. Read them aloud")
    app.enter(sealed_at(AT_QUESTION))
    await hands.receive(sealed_news())
    assert not app.shows("Read them aloud")
    assert "sealed 451 561" in app.rows()[0]
    await hands.type("w")
    assert app.shows("Sealed 451 561. Read them aloud")


def test_of_two_people_one_who_is_gone_is_waited_for() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(sealed_news())
        assert app.shows("Rosalind is away. If one of two people leaves, everybody waits")
        await hands.receive(
            lobby("rbgyv", "b", seats=seats("rbgyv", away="r", how={"r": "no"}), settings=SEALED)
        )
        assert app.shows("Rosalind is away. If somebody is gone, the others can vote")
        await hands.type("w")
        assert not app.shows("a bot")

    two = seats("rbgyv", bots="gyv", away="r", how={"r": "no"}, host="b")
    run_app(SeatedApp(evening_session(WAITING, "b", settings=SEALED, seats=two)), steps)


@in_app(lambda: SeatedApp(sealed_at(AT_QUESTION)))
async def test_a_game_that_is_stopped_takes_no_answer_and_says_who_did_what(
    app: SeatedApp, hands: Hands
) -> None:
    app.receive(sealed_news(stage="frozen", notices=(Notice(code="two_votes", name="Vasco"),)))
    app.now += 1
    await hands.type("right enter")
    assert app.sent == []
    assert app.shows("Vasco's program has voted both for and against one answer.")


@in_app(lambda: SeatedApp(sealed_at(AT_QUESTION)))
async def test_what_happens_is_told_once_and_to_who_comes_to_watch_only_what_is_new(
    app: SeatedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences: list[str] = []
    monkeypatch.setattr(app, "notify", lambda sentence, **_how: sentences.append(sentence))
    late, back = (Notice(code=code, name="Vasco") for code in ("late_answer", "went_back"))
    for notices in ((late,), (late,), (late, back)):
        app.receive(sealed_news(notices=notices))
    await hands.pause()
    assert sentences == [notice_sentence(late), notice_sentence(back)]
    voted = [Notice(code="voted_default", name=name) for name in ("Vasco", "Yvette", "Gaspard")]
    app.receive(sealed_news(notices=(late, back, *voted)))
    assert sentences[2:] == [notice_sentence(voted[-1])], "of several the last"
    app.receive(sealed_news(notices=(late, back, *voted, *voted[:1]), left_be=("Vasco",)))
    assert not sentences[3:], "the reader has chosen so"
    app.sit(sealed_at(WAITING))
    app.session.family = None
    app.receive(sealed_news(notices=voted[:1]))
    assert not sentences[3:]
    app.receive(sealed_news(notices=voted[:2]))
    assert sentences[3:] == [notice_sentence(voted[1])]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("code", sorted(CONVICTIONS))
def test_a_convicted_cheater_is_named_in_their_seat_and_among_who_is_here_from_then_on(
    code: str, size: tuple[int, int]
) -> None:
    conviction = Notice(code=code, name="Vasco")
    later = Notice(code="late_answer", name="Rosalind")

    async def steps(app: SeatedApp, hands: Hands) -> None:
        seat = "cheat" if size[0] < 120 else "cheated"
        assert not app.shows(seat)
        await hands.receive(sealed_news(notices=(conviction, later)))
        app.clear_notifications()
        await hands.pause()
        assert "\n".join(app.rows()).count(seat) == 1
        await hands.type("w")
        assert app.shows(notice_sentence(conviction).split(".")[0])
        assert app.shows("answer came after the vote")

    run_app(SeatedApp(sealed_at(WAITING)), steps, size=size)


@in_app(lambda: SeatedApp(gathered("rbgyv", "b", host=True, settings=SEALED)))
async def test_a_deal_that_waits_says_for_whom_and_the_result_stays_meanwhile(
    app: SeatedApp, hands: Hands
) -> None:
    fields = {"phase": "playing", "dealing": ("Vasco",), "settings": SEALED, "host": True}
    await hands.receive(lobby("rbgyv", "b", seats=seats("rbgyv", host="b"), **fields))
    assert isinstance(app.screen, LobbyScreen)
    assert app.shows("Still missing for the deal, says Blaise: Vasco.")
    assert not app.screen.can(LobbyCommands.start)
    app.enter(evening_session(999, "b", settings=SEALED))
    app.on_show_result(ShowResult(is_shown=True))
    await hands.receive(lobby("rbgyv", "b", **fields))
    assert isinstance(app.screen, ResultScreen)
    assert app.shows("Still missing for the deal")


def test_what_is_proven_in_the_end() -> None:
    assert verdict_sentence(None, NAMES) == ""
    assert verdict_sentence(sealed_news(), NAMES) == ""
    proven = verdict_sentence(sealed_news(verdicts=("proven",) * 3, broken=1), NAMES)
    assert proven == "The deal and every move are proven. 1 deal was cancelled before."
    doubts = sealed_news(verdicts=("proven", "cheated", "unproven"))
    assert verdict_sentence(doubts, NAMES) == (
        "Proven to have cheated: Blaise. Not proven, as not all cards were shown: Gaspard."
    )


def unproven() -> Record:
    """Return the evening's game in a form where Vasco has not shown all cards at the end."""
    deal = RECORD.deal
    hands, aside = (*deal.hands[:4], "PFLDMC9"), (*deal.aside[:4], "012")
    dealt = Deal(deal.edition, deal.families, deal.first, hands, aside)
    return Record(dealt, RECORD.actions, RECORD.settings, RECORD.players, seal="c2VhbGVk")


@in_app(lambda: SeatedApp(evening_session(AT_QUESTION)))
async def test_a_game_whose_cards_were_not_all_shown_is_looked_back_at_with_any_eyes(
    app: SeatedApp, hands: Hands
) -> None:
    app.on_look_back(LookBack(Replay.of(unproven())))
    await hands.pause()
    await hands.type("end v")
    assert app.shows("HAND 1 set aside ? ? ?")
    await hands.type("l")
    assert app.shows("? set aside ? ? ?")


def test_who_has_not_shown_all_cards_stands_last_and_decides_no_tie() -> None:
    lines = [*ranking_lines(view(Replay.of(unproven()).games[-1], None), NAMES)]
    assert lines[-1] == "5. Vasco (Violet): 6 influence, 3 cards in the Queue (unproven)"
    assert not any("tie" in line for line in lines)


@pytest.mark.parametrize("away", get_args(Away))
def test_no_seat_of_a_sealed_table_says_that_a_bot_answers_for_a_person(away: Away) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(sealed_news())
        away = {player.name: player.away for player in app.table.state().players}
        assert away == dict.fromkeys(NAMES, "no")
        assert "away" in "\n".join(app.rows()[:5])

    gone = seats("rbgyv", away="r", how={"r": away})
    run_app(SeatedApp(evening_session(WAITING, "b", settings=SEALED, seats=gone)), steps)


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
def test_a_doubt_in_the_ranking_is_written_in_one_row(size: tuple[int, int], language: str) -> None:
    set_language(language)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, SCENES.at_a_table["sealed, result"])
        await hands.pause()
        for text in DOUBTS.values():
            assert any(_(text) in row for row in app.rows()), _(text)

    run_app(SeatedApp(evening_session(0)), steps, size)
