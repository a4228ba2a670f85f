"""Tests that chat is harmless for terminals, equal for all, limited, and muted by the host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.limits import LINES, NETWORK_LINES, NEWCOMERS, TABLE_LINES
from netcode.protocol.fields import CHAT_LENGTH, MAXIMUM_LINES, MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    Chat,
    Leave,
    Line,
    Mute,
    NewInvitation,
    Refused,
    Rename,
    Silence,
    Talk,
)
from netcode.table.chat import MAXIMUM_MARKS, Conversation, harmless
from netcode.table.snapshot import MAXIMUM_MUTED
from tests.netcode.table.scenes import received_chat
from tests.support.pretend import CODE, OWNER_KEY, Network, Participant, kind_of, known_game, seated
from tests.support.strategies import typed


def chat(participant: Participant, text: str) -> None:
    participant.send(Chat(text=text))


def mute(host: Participant, name: str, muted: bool = True) -> None:
    host.send(Mute(name=name, muted=muted))


def test_who_comes_hears_what_was_said() -> None:
    a, b, _ = known_game()
    chat(a, "one")
    b.drop()
    chat(a, "two")
    b.received.clear()
    b.come_back()
    assert list(map(kind_of, b.received)) == ["welcome", "lobby", "talk", "state"]
    talk = b.received[2]
    assert isinstance(talk, Talk)
    assert (talk.first, [line.text for line in talk.lines]) == (0, ["one", "two"])
    assert received_chat(Participant(a.network, "w", spectator=True)) == ["a: one", "a: two"]


def test_the_last_lines_are_kept_and_all_are_counted() -> None:
    (a,) = seated(Network(), "a")
    for number in range(MAXIMUM_LINES + 3):
        chat(a, str(number))
        a.network.wait(1 / LINES.per_s)
    *_, talk = Participant(a.network, "w", spectator=True).received
    assert isinstance(talk, Talk)
    assert talk.first == 3
    assert [line.text for line in talk.lines] == [str(3 + number) for number in range(50)]


def test_what_was_said_goes_with_the_last_person() -> None:
    a, b = seated(Network(), "ab")
    chat(a, "between us")
    mute(a, "b")
    a.send(Leave())
    b.send(Leave())
    stranger = Participant(a.network, "b")
    assert received_chat(stranger) == []
    chat(stranger, "anybody?")
    assert stranger.received[-1] == Talk(
        first=1, lines=(Line(name="b", family="r", text="anybody?"),)
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("  two   words\t", "two words"),
        ("line\nfeed\r\nand return", "line feed and return"),
        ("no\xa0break\u3000wide\u2028separate", "no break wide separate"),
        ("bell\x07 null\x00 delete\x7f", "bell null delete"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hclear", "clear"),
        ("\x1b[38;2;1;2;3mtrue\x1b[m", "true"),
        ("\x1b[?1049lprivate", "private"),
        ("\x9b31mC1", "C1"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;c3RvbGVu\x9cclip", "clip"),
        ("\x9d0;title\x9cC1", "C1"),
        ("\x1bPq#0;2;0;0;0\x1b\\sixel", "sixel"),
        ("\x1b_Gf=24;AAAA\x1b\\image", "image"),
        ("\x1b(0charset", "charset"),
        ("\x1bcreset", "reset"),
        ("cut off\x1b[31", "cut off"),
        ("cut off\x1b", "cut off"),
        ("left \u202eright\u202c", "left right"),
        ("\u2066isolate\u2069 \u200fmark\u061c", "isolate mark"),
        ("zero\u200bwidth\u200d\ufeff", "zerowidth"),
        ("soft\xadhyphen \U000e0041tag", "softhyphen tag"),
        ("private \ue000 use", "private use"),
        ("Zoe\u0301", "Zoe\u0301"),
        ("ส้ม", "ส้ม"),
        ("z" + "\u0335" * 40 + "algo", "z" + "\u0335" * MAXIMUM_MARKS + "algo"),
        ("\u0301accent on nothing \u0301", "accent on nothing"),
        ("\u3164filler\u2800braille", "filler braille"),
        ("日本語 emoji 🂡", "日本語 emoji 🂡"),
        ("{name} %s [link](x) [red]markup[/]", "{name} %s [link](x) [red]markup[/]"),
    ],
)
def test_of_a_line_is_left_what_can_be_seen(typed: str, said: str) -> None:
    assert harmless(typed) == said
    (a,) = seated(Network(), "a")
    chat(a, typed)
    assert received_chat(a) == [f"a: {said}"]


@pytest.mark.parametrize(
    "text",
    [" ", "\n", "\x1b[2J", "\x1b]0;title", "\u200b", "\u202e", "\u0301\u0301", "\u3164\u2800"],
)
def test_a_line_in_which_nothing_can_be_seen_is_refused(text: str) -> None:
    a, b = seated(Network(), "ab")
    assert a.send(Chat(text=text)) == [Refused(code="nothing_said")]
    assert received_chat(b) == []


@given(typed)
def test_whatever_is_typed_becomes_one_printable_line_and_that_stays_as_it_is(text: str) -> None:
    said = harmless(text)
    assert said.isprintable()
    assert said == said.strip()
    assert "  " not in said
    assert len(said) <= len(text) <= CHAT_LENGTH
    assert harmless(said) == said
    if said:
        assert Line(name="n", family=None, text=said).text == said


@given(st.text(st.sampled_from("\x1b[]PX^_\x07\x9b\x9c\x9d\\;?0m a"), max_size=CHAT_LENGTH))
def test_no_part_of_an_escape_can_hide_another(text: str) -> None:
    assert not set(harmless(text)) & set("\x1b\x07\x9b\x9c\x9d")


def test_a_person_chats_no_faster_than_others_read() -> None:
    a, b = seated(Network(), "ab")
    for number in range(int(LINES.burst) + 10):
        chat(a, str(number))
    assert a.refusal == "chat_too_fast"
    allowed = len(received_chat(b))
    assert LINES.burst <= allowed <= LINES.burst + 1
    chat(b, "others may")
    assert len(received_chat(b)) == allowed + 1
    a.network.wait(1 / LINES.per_s)
    chat(a, "again")
    assert received_chat(b)[-1] == "a: again", "what was refused has not counted"
    chat(a, "and again")
    assert a.refusal == "chat_too_fast"


def test_a_new_connection_is_no_way_to_chat_faster() -> None:
    a, *_ = known_game()
    while a.refusal is None:
        chat(a, "x")
    a.drop()
    a.come_back()
    chat(a, "x")
    assert a.refusal == "chat_too_fast"


def test_a_full_table_of_muted_people_fits_a_lobby() -> None:
    network = Network()
    host, *others = seated(network, "abcde")
    watchers = [Participant(network, f"w{n}", spectator=True) for n in range(MAXIMUM_SPECTATORS)]
    for participant in (*others, *watchers, host):
        mute(host, participant.name)
    assert len(host.lobby().muted) == 5 + MAXIMUM_SPECTATORS
    mute(host, "a", False)
    chat(host, "quiet now")
    assert received_chat(watchers[0]) == ["a: quiet now"]


def named(network: Network, names: str) -> list[Participant]:
    return [Participant(network, name) for name in names.split()]


def muted_names(host: Participant) -> list[str]:
    return [*host.lobby().muted]


def test_renames_of_a_muted_player_unmute_nobody_else() -> None:
    network = Network()
    host, xen, yan = named(network, "Host Xen Yan")
    mute(host, "Xen")
    mute(host, "Yan")
    for number in range(MAXIMUM_MUTED + 20):
        xen.send(Rename(name=f"x{number}"))
    assert muted_names(host) == [f"x{MAXIMUM_MUTED + 19}", "Yan"]
    for muted in (xen, yan):
        chat(muted, "again")
        assert muted.refusal == "muted"
    assert received_chat(host) == []


def test_a_name_that_a_muted_player_had_for_a_while_is_free() -> None:
    network = Network()
    host, xen = named(network, "Host Xen")
    mute(host, "Xen")
    for name in ("Cid", "Zed"):
        xen.send(Rename(name=name))
    cid = Participant(network, "Cid")
    chat(cid, "hello")
    assert (cid.refusal, received_chat(host)) == (None, ["Cid: hello"])
    # After a restart of the host it is the same.
    restored = Conversation()
    restored.restore(network.table._kept_table())
    kept, renamed = network.table.conversation.all_muted, network.table.conversation.renamed
    assert (restored.all_muted, restored.renamed) == (kept, renamed) == (("xen",), {"xen": "zed"})
    xen.send(Leave())
    for name in ("Xen", "Zed"):
        back = Participant(network, name)
        chat(back, "again")
        assert back.refusal == "muted"
        back.send(Leave())


def test_a_muted_player_who_left_under_another_name_stays_muted_when_renamed() -> None:
    network = Network()
    host, xen = named(network, "Host Xen")
    mute(host, "Xen")
    xen.send(Rename(name="Zed"))
    xen.send(Leave())
    back = Participant(network, "Xen")
    back.send(Rename(name="Quin"))
    assert muted_names(host) == ["Quin"]
    mute(host, "Quin", False)
    chat(back, "thanks")
    assert received_chat(host) == ["Quin: thanks"]


def test_nobody_takes_another_players_mute_away() -> None:
    network = Network()
    host, xen, friend = named(network, "Host Xen Friend")
    mute(host, "Xen")
    xen.send(Rename(name="Zed"))
    friend.send(Rename(name="Xen"))
    assert muted_names(host) == ["Zed", "Xen"]
    friend.send(Rename(name="Friend"))
    assert muted_names(host) == ["Zed"]
    friend.send(Rename(name="Xen"))
    # The host forgives the friend, who only has the name that was muted.
    mute(host, "Xen", False)
    assert muted_names(host) == ["Zed"]


def test_the_mute_of_somebody_absent_stays_when_others_had_the_name() -> None:
    network = Network()
    host, xen, yan = named(network, "Host Xen Yan")
    mute(host, "Xen")
    mute(host, "Yan")
    yan.send(Leave())
    for name in ("Yan", "Zed"):
        xen.send(Rename(name=name))
    Participant(network, "Yan")
    assert muted_names(host) == ["Zed", "Yan"]


def test_who_comes_and_leaves_under_new_names_is_heard_no_more_than_one_network() -> None:
    network = Network()
    (a,) = seated(network, "a")
    came = 0
    for moment in range(150):
        network.now += 0.1
        noise = Participant(network, f"noise {moment}", spectator=True, whence="192.0.2.7")
        if noise.refusal is None:
            came += 1
            for line in range(5):
                noise.send(Chat(text=f"{line}"))
            noise.send(Leave())
        else:
            assert noise.refusal == "too_many_came"
            noise.drop()
    assert came <= NEWCOMERS.burst + NEWCOMERS.per_s * 15 + 1
    assert len(received_chat(a)) <= NETWORK_LINES.burst + NETWORK_LINES.per_s * 15 + 1
    assert Participant(network, "b", whence="192.0.2.8").refusal is None


def test_a_full_table_in_one_home_chats_as_ever() -> None:
    network = Network()
    home = [Participant(network, name, whence="192.0.2.7") for name in "abcde"]
    home += [
        Participant(network, f"w{number}", spectator=True, whence="192.0.2.7")
        for number in range(MAXIMUM_SPECTATORS)
    ]
    for participant in home:
        participant.send(Chat(text="good evening"))
        assert participant.refusal is None
    for line in range(60):
        network.wait(1.1)
        speaker = home[line % len(home)]
        speaker.send(Chat(text="nice one"))
        assert speaker.refusal is None


def test_many_networks_together_are_heard_no_more_than_a_table_can_read() -> None:
    network = Network()
    (a,) = seated(network, "a")
    crowd = [
        Participant(network, f"w{number}", spectator=True, whence=f"192.0.2.{number}")
        for number in range(MAXIMUM_SPECTATORS)
    ]
    for _ in range(10):
        network.wait(1)
        for participant in crowd:
            for _ in range(3):
                participant.send(Chat(text="buy"))
    assert len(received_chat(a)) <= TABLE_LINES.burst + TABLE_LINES.per_s * 10 + 1


def test_everybody_there_is_told_of_a_new_invitation() -> None:
    network = Network()
    network.table.set_invitation("")
    a, b = seated(network, "ab")
    watcher = Participant(network, "w", spectator=True)
    assert b.send(NewInvitation()) == [Refused(code="not_the_host")]
    a.send(NewInvitation())
    for participant in (a, b, watcher):
        assert (participant.lobby().invitation, participant.lobby().code) == ("by link", CODE)
        assert participant.session.secret == participant.lobby().secret == network.secret


def test_who_comes_back_to_their_seat_is_no_newcomer() -> None:
    network = Network()
    (a,) = home = [Participant(network, "a", whence="192.0.2.7")]
    for _ in range(int(NEWCOMERS.burst) + 5):
        home[0].drop()
        home[0].come_back()
    assert a.refusal is None


def test_a_host_who_watches_is_not_silenced() -> None:
    network = Network(owner_key=OWNER_KEY)
    host = Participant(network, "h", key=OWNER_KEY, spectator=True)
    host.send(Silence(silenced=True))
    host.send(Chat(text="silence, please"))
    assert received_chat(host) == ["h: silence, please"]
