"""Tests the line-by-line mode: printed sentences, and the meaning of typed lines."""

import json
import re
from typing import Any, Final

import pytest
from msgspec.structs import replace

from driflamme_tui.plain.described_table import table_sentences
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.typed_commands import ANYWHERE, HELP, HOSTS, PLACES, PlainPlayer
from driflamme_tui.text.i18n import available_languages, prose, set_language
from driflamme_tui.wording.program.joining_words import UNREACHED_ATTEMPT, unreached_sentence
from driflamme_tui.wording.program.people_words import leaving_meaning, leaving_sentence
from engine.events import Eliminated, Event, Left, Placed, ResolutionBegan, RoundBegan, Stole
from engine.notation import format_position
from netcode.client.reconnection import ConnectionLost
from netcode.client.session import Session
from netcode.protocol.evening import Evening
from netcode.protocol.fields import SECRET_BYTES, Message
from netcode.protocol.messages import (
    Absent,
    Act,
    ChangeSettings,
    Chat,
    ChooseFamily,
    EndGame,
    Line,
    Lobby,
    MoveSeat,
    NewCode,
    NewInvitation,
    Pause,
    Refused,
    SendAway,
    SetReady,
    ShuffleSeats,
    Silence,
    Start,
    Talk,
)
from tests.support.by_hand import DECREE, DOWN, PLACE
from tests.support.tables import (
    EVENING_STEPS,
    FAMILY_OF,
    Pretended,
    chat_message,
    evening_session,
    lobby,
    results,
    seats,
    seen,
    session_at,
    session_at_line,
    state,
    welcome,
)


def player_at(line: str, viewer: str | None = "b") -> tuple[PlainPlayer, list[str]]:
    """Return a player at the question of a line, and the printed lines."""
    session = session_at_line(line, viewer)
    player = PlainPlayer(session)
    return player, player.news(state(seen(line, viewer), 1))


def lines_about(player: LinePlayer, *news: Message) -> list[str]:
    """Let a player receive a host's messages; return the lines that are printed."""
    sentences: list[str] = []
    for each in news:
        player.session.receive(each)
        sentences += player.news(each)
    return sentences


def in_the_lobby(you: str | None, families: str = "rb", **fields: object) -> Lobby:
    return lobby(families, you, **{"phase": "lobby", **fields})


def answer(line: str, *typed: str) -> str:
    """Return the token that these lines send, or the printed answer to the last line."""
    player, _ = player_at(line)
    *steps, last = typed
    for text in steps:
        player.line(text)
    reply = player.line(last)
    if reply.messages:
        (message,) = reply.messages
        assert isinstance(message, Act)
        return message.action
    return " ".join(reply.lines)


def test_an_empty_line_shows_the_question_again() -> None:
    player, printed = player_at("2 3 b* bS,ba1,rH *b3,r4,g4")
    again = player.line("")
    assert list(again.lines) == printed[-len(again.lines) :]
    assert "1. " in [each[:3] for each in again.lines]


def test_the_table_is_described_from_the_readers_side() -> None:
    names = [FAMILY_OF[family] for family in "rbg"]
    assert list(table_sentences(seen(PLACE), names)) == [
        "Round 4 of 6, placement. First player: Rosalind.",
        "Rosalind, Red: 3 influence; 3 cards in hand; out: Royal Decree, Ambush, Conspiracy.",
        "You, Blue: 5 influence; 4 cards in hand.",
        "Gaspard, Green: 2 influence; 4 cards in hand; out: Ambush, Conspiracy.",
        "Position 1: Rosalind, Soldier, face up",
        "Position 2: your Heir, face down, with 1 influence on it",
        "Position 3: Gaspard, face down",
        "Position 4: your Ambush, face down, with 2 influence on it",
        "  beneath it: your Spy, face down, with 1 influence on it",
        "In your hand: Archer, Soldier, Shapeshifter, Assassination.",
        "Set aside: Lord, Royal Decree, Conspiracy.",
    ]


def test_a_spectator_hears_no_hand() -> None:
    names = [FAMILY_OF[family] for family in "rbg"]
    sentences = list(table_sentences(seen(PLACE, None), names))
    assert "Position 2: Blaise, face down, with 1 influence on it" in sentences
    assert not [line for line in sentences if "hand:" in line or "aside" in line]


def test_every_choice_says_what_it_is_about() -> None:
    """No two options of a question have the same sentence."""
    for line in (DOWN, PLACE, DECREE, "2 4 bS2 rs1,bS/bm2,gl,yH *r3,b5,g2,y0"):
        _, lines = player_at(line)
        choices = [text.partition(". ")[2] for text in lines if text[:1].isdigit()]
        assert len(choices) > 1
        assert len(set(choices)) == len(choices), line


@pytest.mark.parametrize(
    ("line", "typed", "said"),
    [
        (DOWN, "2", "!"),
        (PLACE, "2 1", "S<"),
        (DECREE, "2 1", "3>1"),
        (PLACE, "2 back 1 1", "A<"),
        (PLACE, "s>", "S>"),
        (PLACE, "S^2", "S^2"),
        (DECREE, "1>3", "1>3"),
        (PLACE, "s^1", "you can stack only on your own top card."),
        (PLACE, "9", "Type a number from 1 to 4."),
        (PLACE, "fold", "type a number, or help for all commands."),
    ],
)
def test_numbers_and_the_notation_answer_or_it_is_said_why_not(
    line: str, typed: str, said: str
) -> None:
    assert answer(line, *typed.split()).endswith(said)


def test_who_is_not_asked_is_told_so() -> None:
    player, lines = player_at(DOWN, "r")
    assert not lines
    assert player.line("1").lines == [
        "There is nothing to answer now; type ? for the state of the table."
    ]


def test_what_happens_is_told_once() -> None:
    player, _ = player_at(DOWN)
    message = state(seen(DOWN), 2, [Left(0, 1, "?", 1)])
    sentence = "Rosalind leaves the card at 1: 1 influence on it now."
    assert lines_about(player, message)[0] == sentence
    assert sentence not in player.news(message)


def test_a_refused_answer_is_asked_for_again() -> None:
    player, lines = player_at(DOWN)
    again = player.news(Refused(code="not_your_turn"))
    assert again[1:] == lines


def test_who_watches_in_a_lobby_may_sit_down() -> None:
    player = PlainPlayer(Session())
    lines = lines_about(player, in_the_lobby(None))
    assert lines[-1] == "You are watching; type ready to sit down."
    assert player.line("ready").messages == [ChooseFamily(family="g")]


def test_in_the_lobby_one_says_that_one_is_ready() -> None:
    player = PlainPlayer(Session())
    assert lines_about(player, in_the_lobby("b")) == [
        "Rosalind sits at the table as Red.",
        "Type ready when you are ready to play.",
    ]
    assert player.line("1").lines == [
        "There is nothing to answer now; type ? for the state of the table."
    ]
    assert player.line("ready").messages == [SetReady(ready=True)]
    assert player.line("start").messages == [Start()]
    player.session.receive(lobby("rb", "b", phase="result", host=True))
    assert player.line("ready").messages == [SetReady(ready=True)]
    assert "not a command" in player.line("dance").lines[0]
    ready = in_the_lobby("b", seats=seats("rb", ready="r"))
    assert lines_about(player, ready) == ["Rosalind is ready."]


def test_after_a_game_everybody_reads_who_would_like_another() -> None:
    player = PlainPlayer(Session())

    def after(ready: str) -> list[str]:
        return lines_about(player, lobby("rb", "b", phase="result", seats=seats("rb", ready=ready)))

    after("")
    asks = " would like another game; 1 person has not answered yet."
    assert after("b") == ["Blaise" + asks], "the reader's own wish is answered"
    assert after("b") == []
    assert after("") == ["Blaise is no longer ready."]
    assert after("r") == ["Rosalind" + asks]


@pytest.mark.parametrize(
    ("way", "command"),
    [
        ("driflamme://[::1]/abc", 'driflamme join "driflamme://[::1]/abc"'),
        ("driflamme join --unix /tmp/table",) * 2,
    ],
)
def test_the_host_is_told_a_command_that_can_be_typed(way: str, command: str) -> None:
    lines = lines_about(PlainPlayer(Session()), in_the_lobby("b", host=True, invitation=way))
    assert f"Others join with: {command}" in lines


def test_own_cards_are_called_the_readers_and_sound_the_same_face_down() -> None:
    player, _ = player_at("2 3 b* bS,ba1,rH *b3,r4,g4")
    placed = [*player.line("1").lines, *player.ask()]
    assert any("before your Soldier at 1." in line for line in placed)
    assert any("Archer (1 on it)" in line for line in placed)
    assert not any("Blaise" in line or "archer" in line for line in placed)
    assert any("after Rosalind's Heir at 3." in line for line in placed)


def test_talk_goes_both_ways() -> None:
    player, _ = player_at(DOWN)
    assert lines_about(player, chat_message("r: brave.")) == ["Rosalind says: brave."]
    assert player.line("say  so \x1b[31m what ").messages == [Chat(text="so [31m what")]
    assert player.line('"hello').messages == [Chat(text="hello")]


def test_quick_phrases_are_said_and_heard() -> None:
    player, _ = player_at(PLACE)
    assert "2: That smells like an Ambush." in player.line("phrases").lines
    assert player.line("phrase 2").messages == [Chat(phrase="trap")]
    assert player.line("phrase 11").lines == [
        "Give the number of a phrase; type phrases to list them."
    ]
    talk = Talk(first=0, lines=(Line(name="Vasco", family="v", phrase="bluff"),))
    assert lines_about(player, talk) == ["Vasco says: You are bluffing!"]


@pytest.mark.parametrize("host", [False, True])
def test_a_guest_asks_for_a_pause_and_the_host_reads_how_to_grant_it(host: bool) -> None:
    player, _ = player_at(PLACE)
    lines_about(player, lobby("rbgv", "b", host=host))
    wanted = [Pause(paused=True)] if host else [Chat(phrase="pause")]
    assert player.line("pause").messages == wanted
    talk = Talk(first=0, lines=(Line(name="Vasco", family="v", phrase="pause"),))
    grants = ["Type pause to grant it."] if host else []
    assert lines_about(player, talk) == ["Vasco says: May we have a pause?", *grants]
    lines_about(player, lobby("rbgv", "b", host=host, paused=True))
    again = Talk(first=1, lines=talk.lines)
    assert lines_about(player, again) == ["Vasco says: May we have a pause?"], (
        "it is granted already"
    )


def test_help_cards_and_leaving() -> None:
    player, _ = player_at(DOWN)
    assert player.line("?h").lines[0].startswith("Heir: ")
    helped = player.line("help").lines
    assert len(helped) < 15
    assert helped[-1].startswith("More: help lobby, help host")
    assert not any("the host" in line for line in helped)
    assert any(line.startswith("send away") for line in player.line("help host").lines)
    assert not player.line("quit").leaves
    assert player.line("quit").leaves
    lost = ["The connection to the host is lost; trying again in 4 s."]
    for secret, advice in (None, []), (b"s" * SECRET_BYTES, [unreached_sentence()]):
        player.session.secret = secret
        heard = [
            player.news(ConnectionLost(attempt, 3.2)) for attempt in range(1, UNREACHED_ATTEMPT + 2)
        ]
        assert heard == [*[lost] * (UNREACHED_ATTEMPT - 1), lost + advice, lost]


def test_a_host_reads_the_new_link_when_the_machine_has_a_new_address() -> None:
    link = "driflamme://192.168.1.20/token"
    moved = "driflamme://10.0.0.7/token"
    for is_host in (True, False):
        player = PlainPlayer(session_at_line(DOWN, host=is_host, invitation=link))
        assert player.session.lobby is not None
        player.news(player.session.lobby)
        lines = player.news(replace(player.session.lobby, invitation=moved))
        assert [line for line in lines if moved in line] == [
            f"This machine's addresses have changed, and the invitation with them: {moved}"
        ] * is_host


LEFT: Final[dict[str, dict[str, Any]]] = {
    "a game against bots at one's own table": {"seats": seats("rbg", bots="rg"), "host": True},
    "one at an open table": {"seats": seats("rbg", bots="rg"), "host": True, "invitation": "x"},
    "one at somebody else's": {"seats": seats("rbg", bots="rg")},
    "a game among people": {},
    "a lobby": {"phase": "lobby"},
    "a result": {"phase": "result"},
}
"""The lobby's fields at tables that a player may leave, by a description of the table."""


@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("what", LEFT)
def test_leaving_is_said_to_mean_the_same_line_by_line_as_on_the_screen(
    what: str, owned: bool
) -> None:
    player = PlainPlayer(session_at_line(DOWN, **LEFT[what]), owned=owned)
    lobby = player.session.lobby
    meaning = leaving_meaning(lobby, owned=owned, seated=True)
    sentence = leaving_sentence(lobby, owned=owned, seated=True)
    assert sentence == f"{meaning} Leave the table?".strip()
    reply = player.line("quit")
    assert reply.leaves == (not meaning)
    assert reply.lines == ([f"{meaning} Type quit once more to leave."] if meaning else ())
    assert player.line("quit").leaves


@pytest.mark.parametrize("language", available_languages())
def test_nobody_is_told_that_an_unfinished_game_is_lost(language: str) -> None:
    set_language(language)
    alone = session_at_line(DOWN, **LEFT["a game against bots at one's own table"])
    sentence = leaving_meaning(alone.lobby, owned=True, seated=True)
    assert "driflamme play" in sentence
    assert not re.search("lost|perdu|effac|enregistrée|przepad|stracon", sentence)


def test_leaving_a_game_is_asked_twice_in_a_row() -> None:
    player, _ = player_at(DOWN)
    assert "once more" in player.line("quit").lines[0]
    player.line("?")
    assert not player.line("quit").leaves
    over, _ = player_at("2 6 - rH,bL,gS *r9,b9,g3")
    assert over.line("quit").leaves
    watching = PlainPlayer(session_at_line(DOWN, None))
    assert watching.line("leave").leaves


def test_who_is_ahead_who_is_here_and_what_happened_can_be_asked() -> None:
    player, _ = player_at(DOWN)
    assert player.line("score").lines == [
        "1. Blaise (Blue): 5 influence, 1 card in the Queue",
        "2. Rosalind (Red): 3 influence, 1 card in the Queue",
        "3. Gaspard (Green): 2 influence, 1 card in the Queue",
    ]
    assert player.line("who").lines[1] == "Blaise: Blue, you."
    player.session.events = [Left(0, 1, "?", n) for n in range(1, 20)]
    assert len(player.line("events").lines) == 12
    assert player.line("events").lines[-1].endswith("19 influence on it now.")


def test_what_has_happened_since_the_last_answer_can_be_asked() -> None:
    player, _ = player_at(DOWN)
    player.line("+")
    assert player.line("since").lines == ["Nothing has happened since your last answer."]
    after = seen(DOWN)
    after.pools = [after.pools[0] - 1, after.pools[1] + 1, after.pools[2]]
    player.session.view, player.session.events = after, [Stole(1, 2, "P", 0, 1)]
    lines = player.line("since").lines
    assert lines[0].startswith("Your Spy at 2 steals 1")
    assert lines[1:] == ["Rosalind -1, Blaise +1."]


def test_somebody_who_comes_late_is_not_told_everything_at_once() -> None:
    view = seen(DOWN)
    session = session_at(view, [Left(0, 1, "?", n) for n in range(1, 100)])
    lines = PlainPlayer(session).news(state(view, 1))
    assert lines[0].startswith("The game is under way: 99 events so far.")
    assert "YOUR HEIR AT 2 is face down — leave or reveal it?" in lines
    assert len(lines) < 25


def json_player_at(line: str, viewer: str = "b") -> tuple[JsonPlayer, dict[str, object]]:
    session = session_at_line(line, viewer)
    player = JsonPlayer(session)
    (data,) = player.news(state(seen(line, viewer), 1))
    return player, json.loads(data)


def test_a_program_is_told_what_it_may_answer() -> None:
    _, data = json_player_at(DOWN)
    assert data["type"] == "state"
    assert data["legal"] == ["+", "!"]
    assert data["standing"] == [
        {"place": 1, "name": "Blaise", "families": "b", "influence": 5},
        {"place": 2, "name": "Rosalind", "families": "r", "influence": 3},
        {"place": 3, "name": "Gaspard", "families": "g", "influence": 2},
    ]
    _, others = json_player_at(DOWN, "r")
    assert others["legal"] == []


def test_a_program_answers_with_a_token() -> None:
    player, _ = json_player_at(DOWN)
    (message,) = player.line('{"type":"act","action":"!"}').messages
    assert isinstance(message, Act)
    assert (message.action, message.revision) == ("!", 1)


def test_nonsense_is_answered_with_what_is_wrong() -> None:
    player, _ = json_player_at(DOWN)
    assert json.loads(player.trouble("No."))["sentence"] == "No."
    for line, why in (
        ("hello", "not JSON: send one"),
        ("[1]", "not a JSON object"),
        ('{"type":"act","action":"dance"}', "Expected one of `legal` - at `$.action`."),
        ('{"type":"act"}', "`$.action`"),
        ('{"type":"hint","name":"x"}', "Expected one of absent, act, add_bot, "),
        ('{"ready":true}', "start, stop_count"),
        ('{"type":"set_ready","ready":1}', "Expected `bool`, got `int` - at `$.ready`."),
        ('{"type":"set_ready"}', "missing required field `ready`."),
        ('{"type":"set_ready","ready":true,"x":1}', "unknown field `x`."),
        ("[" * 100_000, "not JSON"),
    ):
        reply = player.line(line)
        assert not reply.messages
        data = json.loads(reply.lines[0])
        assert data["type"] == "wrong"
        assert why in data["sentence"], line


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("pause", Pause(paused=True)),
        ("resume", Pause(paused=False)),
        ("silence", Silence(silenced=True)),
        ("no silence", Silence(silenced=False)),
        ("bot for gaspard", Absent(family="g", choice="bot")),
        ("let in gaspard", Absent(family="g", choice="admit")),
        ("send away Rosalind", SendAway(name="Rosalind")),
        ("New  invitation", NewInvitation()),
        ("new code", NewCode()),
        ("end game", EndGame()),
    ],
)
def test_a_host_decides_about_people(typed: str, message: Message) -> None:
    session = session_at_line(PLACE, host=True)
    player = PlainPlayer(session)
    if isinstance(message, SendAway | NewInvitation | EndGame):
        sure = player.line(typed)
        assert not sure.messages
        assert sure.lines[-1] == "Type it again if you are sure."
        player.line("score")
        assert not player.line(typed).messages, "it was no second time in a row"
    assert player.line(typed).messages == [message]


def test_a_guest_and_a_wrong_name_are_told_so() -> None:
    guest, host = (
        PlainPlayer(session_at_line(PLACE)),
        PlainPlayer(session_at_line(PLACE, host=True)),
    )
    assert guest.line("end game").lines == ["Ask the host to do that: nobody else can."]
    assert host.line("bot for Nobody").lines == [
        "Nobody here is called Nobody: look at the list of people."
    ]
    assert not host.line("send away " + "x" * 50).messages


def test_what_a_host_decided_is_told() -> None:
    player = PlainPlayer(session_at_line(PLACE, secret=bytes(12)))
    after = Evening().after(results("Rosalind 9 1", "Blaise 3 2"))
    news = (
        {"secret": bytes(12), "evening": after},
        {"secret": bytes(12)},
        {"secret": bytes(12), "silenced": True},
        {"secret": b"another one.", "invitation": "driflamme://new"},
        {"secret": b"another one.", "phase": "lobby", "ended_by": "Rosalind"},
    )
    lines = lines_about(player, *(lobby("rbg", "b", **fields) for fields in news))
    for sentence in (
        "The host lets only players write now.",
        "There is a new invitation: driflamme://new",
        "Rosalind has ended the game: it stays unfinished.",
        "A new evening begins, and nobody has won anything yet.",
    ):
        assert lines.count(sentence) == 1


def test_a_program_is_told_no_secret() -> None:
    player = JsonPlayer(session_at_line(PLACE, secret=bytes(12)))
    for news, kept in ((lobby("rbg", "b", secret=bytes(12)), "secret"), (welcome("b"), "key")):
        (line,) = player.news(news)
        assert kept not in json.loads(line)


def test_a_game_alone_tells_nothing_of_how_a_table_begins_and_a_host_is_told_the_way_once() -> None:
    lines = lines_about(PlainPlayer(Session()), in_the_lobby("b", host=True))
    assert not [line for line in lines if "bot to let" in line or "Others join" in line]
    given = {"host": True, "invitation": "driflamme://h/x"}
    phases = ("lobby", "result", "lobby")
    lines = lines_about(
        PlainPlayer(Session()), *(lobby("rb", "b", phase=phase, **given) for phase in phases)
    )
    assert len([line for line in lines if "Others join" in line]) == 1


def hosting() -> PlainPlayer:
    player = PlainPlayer(Session())
    lines_about(player, welcome("r"), in_the_lobby("r", "rbg", host=True))
    return player


@pytest.mark.parametrize(
    ("typed", "field", "value"),
    [
        ("edition 1", "edition", 1),
        ("first Green", "first", "g"),
        ("first random", "first", "random"),
        ("direction left", "direction", "left"),
        ("pace 0.4", "pace_ms", 400),
        ("think 2", "think_ms", 2000),
        ("clock 45", "clock_s", 45),
        ("two", "two", True),
        ("best of 5", "best_of", 5),
    ],
)
def test_a_host_decides_all_that_there_is_to_decide(typed: str, field: str, value: object) -> None:
    (message,) = hosting().line(typed).messages
    assert isinstance(message, ChangeSettings)
    assert getattr(message.settings, field) == value


@pytest.mark.parametrize("typed", ["edition 3", "clock soon", "best of 4", "first Zoe", "pace nan"])
def test_a_value_that_there_is_not_is_answered_with_those_there_are(typed: str) -> None:
    reply = hosting().line(typed)
    assert not reply.messages
    assert "type one of these values: " in reply.lines[0]


def test_a_host_moves_and_shuffles_seats() -> None:
    host = hosting()
    assert host.line("move gaspard 1").messages == [MoveSeat(family="g", place=0)]
    assert host.line("shuffle").messages == [ShuffleSeats()]
    for typed in ("move", "move Gaspard", "move Gaspard 4", "move Gaspard 0", "move 2"):
        reply = host.line(typed)
        assert not reply.messages
        assert [*reply.lines] == ["Type move, a player's name, and the new place from 1 to 3."]
    assert host.line("move Zoe 2").lines == [
        "Nobody here is called Zoe: look at the list of people."
    ]


def test_all_hear_the_new_order_and_that_they_are_asked_anew() -> None:
    player = PlainPlayer(Session())
    lines_about(player, welcome("b"), in_the_lobby("b", "rbg", seats=seats("rbg", ready="b")))
    lines = lines_about(player, in_the_lobby("b", "rbg", seats=seats("grb")))
    assert lines == [
        "Blaise is no longer ready.",
        "The seats are now, clockwise: Gaspard, Rosalind, Blaise.",
        "Type ready when you are ready to play.",
    ]
    left = in_the_lobby("b", "bg", seats=seats("gb"))
    assert lines_about(player, left) == ["Rosalind has left the table."], (
        "the others have not moved"
    )


@pytest.mark.parametrize(("ready", "typed"), [("b", ""), ("", "ready"), ("", "")])
def test_guests_hear_what_the_host_changes_and_that_they_are_asked_anew(
    ready: str, typed: str
) -> None:
    player = PlainPlayer(Session())
    lines_about(player, welcome("b"), in_the_lobby("b", "rbg", seats=seats("rbg", ready=ready)))
    player.line(typed)
    lines = lines_about(player, in_the_lobby("b", "rbg", settings={"clock_s": 60, "edition": 1}))
    about = "When time is up, your choice is played; without one a bot decides."
    assert f"Time limit: 60 s per decision. {about}" in lines
    assert any(line.startswith("Edition: first edition. A Lord") for line in lines), lines
    is_reset = lines[-1] == "Type ready when you are ready to play."
    assert is_reset == bool(ready or typed), "who has not said so yet knows it"


def test_a_count_to_the_start_is_heard_and_that_it_stops() -> None:
    counts = (in_the_lobby("b", count_s=count_s) for count_s in (None, 3, None))
    lines = lines_about(PlainPlayer(Session()), *counts)
    assert lines[-2:] == ["The game begins in 3.", "The countdown has stopped."]


def test_what_a_look_at_the_table_would_show_is_told_unasked() -> None:
    """Nobody has to look: the influence at a round's end is printed, and the Queue after a move."""
    line = "2 5 r* rS,bh1,gl r4,*b6,g2"
    player, _ = player_at(line)
    happened = (Eliminated(0, 1, "S", 2, 2, "H", True, 0), RoundBegan(5, 1))
    assert lines_about(player, state(seen(line), 2, happened)) == [
        "Rosalind's Soldier at 1 eliminates Gaspard's Heir at 2 (+1).",
        "Influence: Rosalind 4, Blaise 6, Gaspard 2.",
        "Round 5 begins, and you are first player.",
        "In the Queue now: 1 Rosalind, Soldier, face up; 2 your Heir, face down; "
        "3 Gaspard, face down.",
    ]


NO_COMMANDS = (
    *("a name", "a name and a place", "a value", "a text", "its name and a level"),
    *("5", "7", "0"),
)
"""Words of the help that stand for text which a player types after a command."""


def test_every_word_of_the_help_is_a_command() -> None:
    places = (ANYWHERE, HOSTS, *PLACES.values())
    typed = {key.removesuffix(" *") for place in places for key in place}
    number, *lines = [line for topic in HELP.values() for line in topic]
    assert number.startswith("A number")
    words = [word for line in lines for word in line.partition(":")[0].split(", ")]
    for word in " or ".join(words).split(" or "):
        said = word.strip().removeprefix("and ")
        if said not in (
            "a name",
            "a name and a place",
            "a value",
            "a text",
            "its name and a level",
            "5",
            "7",
            "0",
        ):
            assert any(f"{said} ".startswith(f"{each} ") for each in typed), said


def test_the_host_of_a_pause_is_told_what_to_type() -> None:
    player = PlainPlayer(session_at_line(DOWN, host=True, paused=True))
    player.news(state(seen(DOWN), 1))
    (sentence,) = player.line("+").lines
    assert sentence == "You have paused the game: nothing can be answered until you type resume."
    assert player.line("resume").messages == [Pause(paused=False)]


def test_no_line_speaks_of_keys_clicks_or_signs() -> None:
    lines = [line for topic in HELP.values() for line in topic]
    lines += [text for texts in prose("tutor").values() for text in texts]
    for step in range(EVENING_STEPS):
        session = evening_session(step, paused=step % 2 == 0, host=step % 4 == 0)
        assert session.view is not None
        player = PlainPlayer(session)
        lines += player.news(state(session.view, 1))
        for typed in ("?", "events", "who", "score", "+", "help"):
            lines += player.line(typed).lines
    for line in lines:
        assert not re.search(r"\b(press|click|keys?|cursor)\b|line above|[▲●◆★■]|\[\w\]", line), (
            line
        )


def test_all_that_is_laid_open_after_a_game_can_be_heard() -> None:
    line = "2 6 - rH,bl2,gS/gd *r9:A:SPF:LXDMC,b9:M:ASP:HFXDC,g3:F:APH:LXMC"
    sentence = " ".join(table_sentences(seen(line), [FAMILY_OF[family] for family in "rbg"]))
    for cards in (
        "Rosalind holds: Archer.",
        "Rosalind set aside: Soldier, Spy, Shapeshifter.",
        "Gaspard holds: Shapeshifter.",
        "Gaspard set aside: Archer, Spy, Heir.",
        "In your hand: Ambush.",
        "Set aside: Archer, Soldier, Spy.",
        "beneath it: Gaspard, Royal Decree, face down",
    ):
        assert cards in sentence, sentence


def test_the_queue_is_read_when_its_resolution_begins() -> None:
    player, _ = player_at(DOWN)
    events: list[Event] = [Placed(2, "?", "<", 1, 1), ResolutionBegan()]
    lines = lines_about(player, state(seen(DOWN), 2, events))
    assert [line for line in lines if line.startswith("In the Queue now: 1 Rosalind")]


def test_the_first_player_is_told_that_it_is_them() -> None:
    names = [FAMILY_OF[family] for family in "rbg"]
    first, *_ = table_sentences(seen(PLACE, "r"), names)
    assert first == "Round 4 of 6, placement. You are first player."
    first, *_ = table_sentences(seen(PLACE, None), names)
    assert first == "Round 4 of 6, placement. First player: Rosalind."


def test_a_text_that_is_too_long_is_not_cut_in_silence() -> None:
    player, _ = player_at(DOWN)
    assert player.line("say " + "x" * 200).messages == [Chat(text="x" * 200)]
    reply = player.line("say " + "x" * 201)
    assert not reply.messages
    assert reply.lines == ["Shorten the text to 200 characters: it has 201, so nothing was sent."]


def test_the_ranking_names_the_level_of_each_bot() -> None:
    player = PlainPlayer(session_at_line(DOWN, seats=seats("rbg", bots="g")))
    lines = player.line("score").lines
    assert any(line.startswith("3. Gaspard (Green, Steady): 2 influence") for line in lines)
    assert any(line.startswith("1. Blaise (Blue): 5 influence") for line in lines)


def test_french_has_its_space_before_the_semicolons_of_a_described_table() -> None:
    set_language("fr")
    player, _ = player_at(DOWN)
    lines = player.line("?").lines
    assert any("\u00a0; " in line for line in lines)
    assert not [line for line in lines if re.search(r"[^\u00a0];", line)]


def test_who_comes_back_hears_what_happened_since_their_last_answer() -> None:
    session = evening_session(16, "b")
    player = PlainPlayer(session)
    seat = Pretended(session, "Blaise")
    seat.answered, player.player_seat = 6, seat
    assert session.view is not None
    news = state(session.view, session.revision, session.events)
    lines = player.news(news)
    at = lines.index("Since your last answer:")
    assert lines[0].startswith("Round 2 of 6, resolution.")
    assert lines[at + 1] == "The Queue is resolved."
    assert lines[-1] == "Blaise +3, Gaspard +1."
    assert [*player.line("since").lines] == lines[at + 1 :]
    assert "Since your last answer:" not in player.news(news)


@pytest.mark.parametrize("step", range(6, 16))
def test_a_program_that_comes_back_receives_what_happened_since_its_last_answer(step: int) -> None:
    before, session = evening_session(step, "b"), evening_session(16, "b")
    player, seat = JsonPlayer(session), Pretended(session, "Blaise")
    count = len(before.events)
    seat.answered, seat.missed_from, player.player_seat = count, 1, seat
    assert before.view is not None
    assert session.view is not None
    news = state(session.view, session.revision, session.events)
    first, later = (json.loads(line) for _ in range(2) for line in player.news(news))
    assert first["since_answer"] == {
        "view": format_position(before.view),
        "first_event": count,
        "sentences": first["sentences"][count:],
    }
    assert first["sentences"][count:]
    assert "since_answer" not in later
    talk = chat_message("r: old", "g: new")
    first, later = (json.loads(line) for _ in range(2) for line in player.news(talk))
    assert first["missed_from"] == 1
    assert "missed_from" not in later


def test_a_program_that_has_missed_nothing_receives_no_story() -> None:
    session = evening_session(16, "b")
    player = JsonPlayer(session)
    player.player_seat = Pretended(session, "Blaise")
    assert session.view is not None
    (line,) = player.news(state(session.view, session.revision, session.events))
    assert "since_answer" not in json.loads(line)
    (line,) = player.news(chat_message("r: old"))
    assert "missed_from" not in json.loads(line)


def test_missed_chat_is_marked_line_by_line() -> None:
    session = evening_session(16, "b")
    player = PlainPlayer(session)
    seat = Pretended(session, "Blaise")
    seat.missed_from, player.player_seat = 1, seat
    talk = chat_message("r: old news", "g: are you there?")
    session.receive(talk)
    assert player.news(talk) == [
        "Rosalind says: old news",
        "Chat while you were away:",
        "Gaspard says: are you there?",
    ]
