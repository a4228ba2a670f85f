"""Tests a table for two: the view, questions and texts of a player with two families.

Make the pictures with `pytest tests/driflamme_tui/screens/test_two_at_the_table.py
--snapshot-update`; look at them before a commit.
"""

import json
from functools import cache
from random import Random

from msgspec.structs import replace

from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.result_words import headline, ranking_lines, reason
from engine.bots import make_bot
from engine.cards import Seat
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.notation import parse_view
from engine.position import PLACE
from engine.ranking import owner_of, owners
from engine.views import project, view
from netcode.client.session import Session
from netcode.protocol.messages import SeatInfo
from tests.engine.lines import game_at
from tests.support.tables import (
    Hands,
    SeatedApp,
    chat_message,
    gathered,
    in_app,
    lobby,
    state,
    welcome,
)

TWO = owners(4, two=True)

NAMES = ("Rosalind", "Blaise") * 2

SEATS = (
    SeatInfo(family="r", second="g", name="Rosalind", ready=True),
    SeatInfo(family="b", second="y", name="Blaise", host=True),
)


@cache
def whole_evening() -> list[tuple[Game, list[Event]]]:
    """Let bots play the four families of two players; return each moment with its past events."""
    game = Game.start(Deal.shuffled(Random(11), "rbgy"))
    events: list[Event] = [RoundBegan(1, game.first)]
    moments = [(game, events)]
    bots = [make_bot("steady", Random(seat)) for seat in range(4)]
    while not game.over:
        events = [*events]
        game = game.play(bots[game.turn].choose(view(game, owner_of(TWO, game.turn))), events)
        moments.append((game, events))
    return moments


def session_after(steps: int, reader: tuple[Seat, ...] = (1, 3)) -> Session:
    """Return the session of a player, or of a spectator, after some decisions."""
    game, events = whole_evening()[steps]
    you, second = (game.families[seat] for seat in reader) if reader else (None, None)
    phase = "result" if game.over else "playing"
    about = lobby("rb", you, seats=SEATS, settings={"two": True}, phase=phase, host=you == "b")
    session = Session()
    session.receive(welcome(you, host=you == "b"))
    session.receive(about)
    now = state(view(game, reader), 1, [project(event, reader) for event in events])
    session.receive(replace(now, you=you, second=second))
    return session


def step_asking(seat: Seat, question: str) -> int:
    """Return the number of decisions before a seat first gets this question after round 2."""
    return next(
        step
        for step, (game, _) in enumerate(whole_evening())
        if game.round > 2 and (game.turn, game.question) == (seat, question)
    )


def gathered_two() -> Session:
    session = gathered(
        "rb",
        "b",
        host=True,
        seats=SEATS,
        settings={"two": True},
        invitation="driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w",
        code="K7QF2MXR",
    )
    session.receive(chat_message("r: mine are red and green"))
    return session


@in_app(lambda: SeatedApp(gathered_two()))
async def test_at_a_table_for_two_each_plays_two_families_and_no_bot_is_added(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("two each")
    assert not app.base.can(LobbyCommands.add_bot)


def test_the_question_says_for_which_family_one_plays() -> None:
    for seat, sign in ((1, "●b"), (3, "★y")):
        at = session_after(step_asking(seat, PLACE)).view
        assert at is not None
        prompter = Prompter(at, NAMES, UNICODE)
        assert prompter.title(Question(at)) == f"{sign} YOUR TURN — which card?"


@in_app(lambda: SeatedApp(session_after(step_asking(3, PLACE))))
async def test_either_hand_can_be_looked_at_and_the_asked_one_is_played_from(
    app: SeatedApp, hands: Hands
) -> None:
    table = app.table.state()
    assert table is not None
    assert table.you == table.view.turn == 3
    await hands.type("tab")
    other = app.table.state()
    assert other is not None
    assert other.you == 1
    await hands.type("right")
    back = app.table.state()
    assert back is not None
    assert back.you == 3
    await hands.type("tab tab enter greater_than_sign enter")
    assert app.answers[1:] == ">"
    assert app.answers[0] in table.view.hands[3]


def test_what_it_would_do_to_the_reader_s_other_family_is_known() -> None:
    line = "2 2 bS2 ym1,bS,r?1 *r3:?????:???:A,b2:APHFX:LDM:C,g1:?????:???:SF,y4:ASPHF:LXD:C"
    prompter = Prompter(parse_view(line, (1, 3)), NAMES, UNICODE)
    question = Question(prompter.view)
    assert question.choose_position(1)
    assert prompter.consequence(question) == (
        "1: ★y Blaise loses the Ambush and the 1 on it; you gain 1. "
        "★y Blaise gains 4 by it, and your Soldier is discarded."
    )


@in_app(lambda: SeatedApp(session_after(50)))
async def test_events_call_the_reader_by_name_and_sign_too_and_the_header_has_the_sums(
    app: SeatedApp, hands: Hands
) -> None:
    table = app.table.state()
    assert table is not None
    pools = table.view.pools
    sums = f"{pools[1] + pools[3]} : {pools[0] + pools[2]} Rosalind"
    assert app.shows(f"You {sums}")
    assert not any("Your" in sentence or "You" in sentence for _, sentence in table.log)
    assert any("◆g Rosalind" in sentence for _, sentence in table.log)
    assert any(sentence.startswith("Blaise") for _, sentence in table.log)
    app.sit(session_after(50, ()))
    await hands.pause()
    assert app.shows("Rosalind")
    assert not app.shows("You ")


def test_the_sum_wins() -> None:
    line = "2 6 - rL,gS/gP *r{},b{},g{},y{}"
    at = view(game_at(line.format(9, 6, 1, 6)), (1, 3))
    assert headline(at, NAMES, TWO) == "You win with 12!"
    assert reason(at, NAMES, TWO) == (
        "2 more than Rosalind; what still lies on cards does not count."
    )
    assert list(ranking_lines(at, NAMES, TWO))[2:] == [
        "1. Blaise (Blue 6, Yellow 6): 12 influence, 0 cards in the Queue",
        "2. Rosalind (Red 9, Green 1): 10 influence, 3 cards in the Queue",
    ]
    tied = view(game_at(line.format(9, 6, 3, 6)), None)
    assert headline(tied, NAMES, TWO) == "Rosalind wins with 12"
    assert reason(tied, NAMES, TWO) == (
        "Tied on influence with 12; decided by own cards in the Queue: 3 to 0."
    )


def test_the_end_names_no_winner_by_a_family_alone() -> None:
    game, events = whole_evening()[-1]
    table = table_names(view(game, (1, 3)), NAMES, TWO)
    assert event_sentence(events[-1], table) == "The game is over"


def test_without_a_screen_both_hands_and_the_sums_are_told() -> None:
    session = session_after(step_asking(3, PLACE))
    assert session.view is not None
    player = PlainPlayer(session)
    heard = player.line("?").lines
    labels = [line.partition(":")[0] for line in heard if "hand: " in line or "aside: " in line]
    assert labels == ["Blue", "Blue", "Yellow", "Yellow"]
    assert sum(line.startswith("You, ") for line in heard) == 2
    assert player.line("score").lines[0].startswith("1. ")
    first, *_ = player.line("score").lines[0].removeprefix("1. ").split(" ")
    assert first in NAMES
    about = JsonPlayer(session).news(state(session.view, 1))
    standing = json.loads(about[0])["standing"]
    assert {each["families"] for each in standing} == {"rg", "by"}
