from types import SimpleNamespace
from typing import cast

from msgspec.structs import asdict, replace
from textual.widgets import Static

from driflamme_tui.hosting.hosted_table import HostedTable
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.remembered import last_bot, next_table
from driflamme_tui.screens.lobby_screen import LobbyScreen
from netcode.client.session import Session
from netcode.protocol.evening import Evening, SeatResult
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    AddBot,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    Line,
    MoveSeat,
    Refused,
    Remove,
    Rename,
    SendAway,
    SetReady,
    ShuffleSeats,
    Start,
    StopCount,
    Talk,
)
from netcode.protocol.table_settings import TableSettings
from tests.support.by_hand import (
    EMPTY,
    THEIRS,
    click,
    table_app,
)
from tests.support.tables import (
    FAMILY_OF,
    SIZES,
    Hands,
    SeatedApp,
    gathered,
    in_app,
    lobby,
    run_app,
    run_cases,
    seats,
    seen,
    state,
)
from tests.support.tables import chat_message as chat


def lobby_app(you: str | None, *, host: bool = False, **fields: object) -> SeatedApp:
    given = {"seats": seats("rbg", bots="g", host="b" if host else "r"), **fields}
    return SeatedApp(gathered("rbg", you, host=host, **given))


def explained(app: SeatedApp) -> str:
    """Return the explanation without line breaks."""
    return " ".join(str(app.screen.query_one("#explanation", Static).content).split())


@in_app(lambda: lobby_app("b"))
async def test_who_sits_there_changes_their_name(app: SeatedApp, hands: Hands) -> None:
    await hands.type("m" + " backspace" * len("Blaise") + " enter")
    assert not app.sent, "nobody is called nothing"
    await hands.type("Z o enter")
    assert app.sent == [Rename("Zo")]


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_sets_the_table_by_keys(app: SeatedApp, hands: Hands) -> None:
    assert any("free: + adds a bot (Steady)" in row for row in app.rows()), "in one row"
    for keys, said in (
        ("+", AddBot(bot="steady")),
        ("y", ChooseFamily(family="y")),
        ("down minus", Remove(family="g")),
        ("up delete y", SendAway(name="Rosalind")),
        ("k +", AddBot(bot="sharp")),
    ):
        app.sent.clear()
        await hands.type(keys)
        assert app.sent == [said], keys
    assert app.shows("free: + adds a bot (Sharp)")


@in_app(lambda: lobby_app("b", host=True))
async def test_the_level_of_a_bot_is_changed_by_key_and_by_click_and_remembered(
    app: SeatedApp, hands: Hands
) -> None:
    assert not app.shows("Bots think"), "none here needs time"
    await hands.type("down down right")
    assert app.sent == [ChangeBot(family="g", bot="sharp")]
    await hands.type("left")
    assert app.sent[-1] == ChangeBot(family="g", bot="learner")
    *persons, bot = seats("rbg", bots="g", host="b")
    master = replace(bot, bot="master")
    app.receive(lobby("rbg", "b", phase="lobby", host=True, seats=(*persons, master)))
    assert app.shows("bot: Master")
    assert "Master has learned from many games" in explained(app)
    await hands.click_on("bot: Master")
    assert app.sent[-1] == ChangeBot(family="g", bot="grandmaster")
    await hands.type("n")
    assert settings_sent(app)["think_ms"] == 2000
    assert "Sharp takes a fifth" in explained(app)
    assert last_bot() == "grandmaster"


@in_app(lambda: lobby_app("b", host=True))
async def test_nobody_is_chosen_in_the_place_of_somebody_who_has_left(
    app: SeatedApp, hands: Hands
) -> None:
    def chosen() -> object:
        assert isinstance(app.screen, LobbyScreen)
        return app.screen.moment()

    for _again in range(2):
        people = seats("rbg", host="b")
        await hands.receive(lobby("rbg", "b", phase="lobby", host=True, seats=people))
        app.base.action_select("Rosalind")  # type: ignore[attr-defined]
        assert chosen() == "Rosalind"
        await hands.receive(
            lobby("vrb", "b", phase="lobby", host=True, seats=seats("vrb", host="b"))
        )
        assert chosen() == "Rosalind", "others come and go before her"
        await hands.receive(
            lobby("vgb", "b", phase="lobby", host=True, seats=seats("vgb", host="b"))
        )
        assert chosen() == "Blaise", "the host, whose seat no key frees"
        await hands.type("delete")
        assert app.sent == []


@in_app(lambda: lobby_app("b", host=True))
async def test_who_is_removed_is_asked_about_by_name_and_nobody_else_goes_for_them(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("backspace")
    assert app.shows("Remove Rosalind?")
    switched = seats("yr", host="y")
    switched = replace(switched[0], name="Blaise"), replace(switched[1], name="Gaspard")
    await hands.receive(lobby("yr", "y", phase="lobby", host=True, seats=switched))
    await hands.type("y")
    assert app.sent == [], "Rosalind has left, and Gaspard has her family"


CHANGES: tuple[tuple[str, str, object, object], ...] = (
    ("e", "edition", 2, 1),
    ("f", "first", "r", "b"),
    ("f", "first", "v", "random"),
    ("d", "direction", "right", "left"),
    ("p", "pace_ms", 3000, 0),
    ("p", "pace_ms", 450, 900),
    ("l", "clock_s", 45, 60),
    ("2", "two", False, True),
)
"""Keys, each with the setting that it changes, and the setting's values before and after."""


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_changes_settings(app: SeatedApp, hands: Hands) -> None:
    for key, field, before, after in CHANGES:
        app.receive(lobby("rbg", "b", phase="lobby", host=True, settings={field: before}))
        app.sent.clear()
        await hands.type(key)
        (said,) = app.sent
        assert isinstance(said, ChangeSettings)
        assert asdict(said.settings) == {
            **asdict(TableSettings()),
            "edition": 2,
            "first": "random",
            "direction": "right",
            "pace_ms": 900,
            "think_ms": 1000,
            "clock_s": 0,
            "two": False,
            "best_of": 0,
            "sealed": False,
            "added": {},
            field: after,
        }, (key, field, before)


def settings_sent(app: SeatedApp) -> dict[str, object]:
    """Return the settings that the app requested last, and forget all its requests."""
    said = app.sent[-1]
    assert isinstance(said, ChangeSettings)
    app.sent.clear()
    return asdict(said.settings)


async def choose(app: SeatedApp, hands: Hands, key: str, command: Command) -> None:
    """Press a key until a setting is chosen; fail after 30 times.

    Wings may add settings on the way.
    """
    assert isinstance(app.screen, LobbyScreen)
    for _ in range(30):
        if app.screen.moment() == command:
            return
        await hands.type(key)
    raise AssertionError(f"{command.id} is never chosen")


@in_app(lambda: lobby_app("b", host=True))
async def test_a_cursor_goes_over_seats_and_settings_and_changes_the_chosen_one(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("left right")
    assert app.sent == [], "the seat of a person has no values"
    await hands.type("down down down right")
    assert settings_sent(app)["edition"] == 1
    await hands.type("down down enter")
    assert settings_sent(app)["direction"] == "left"
    await hands.type("down down left")
    assert settings_sent(app)["clock_s"] == 300
    await hands.type("minus")
    assert app.sent == [Remove(family="g")], "no seat is chosen: the last bot goes"
    app.sent.clear()
    await choose(app, hands, "down", LobbyCommands.bot_kind)
    await hands.type("enter +")
    assert app.sent == [AddBot(bot="sharp")]
    app.sent.clear()
    await hands.type("down enter")
    assert app.sent == [Start(count_s=3)], "round to the first seat"


def test_page_keys_choose_a_line_a_page_away_and_none_for_a_guest() -> None:
    async def steps(app: SeatedApp, hands: Hands, is_host: bool) -> None:
        screen = app.base
        assert isinstance(screen, LobbyScreen)
        view = screen.view

        def chosen() -> int | None:
            return view.lines().index(view.moment) if view.moment in view.lines() else None

        if not is_host:
            await hands.type("pagedown")
            assert chosen() is None
            return
        await hands.type("down down down")
        rows = view.scrolled.size.height
        assert chosen() == 3
        for keys, line in (
            ("pagedown", 3 + rows - 1),
            ("pageup", 3),
            ("pagedown " * 9, len(view.lines()) - 1),
            ("pageup " * 9, 0),
        ):
            await hands.type(keys)
            assert chosen() == line, keys
            assert view.shows_chosen()

    def session(is_host: bool) -> Session:
        people = seats("rbg", bots="g", host="b" if is_host else "r")
        return gathered("rbg", "b", host=is_host, seats=people)

    run_cases((True, False), session, steps, (60, 20))


@in_app(lambda: lobby_app("b"))
async def test_a_guest_reads_what_settings_mean_and_changes_none(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("down down left right")
    assert "Chance decides who begins the next game;" in explained(app)
    await hands.click_on("left to right")
    assert "Every screen shows the Queue with its first card on the left." in explained(app)
    await choose(app, hands, "up", LobbyCommands.two)
    assert "Three to five players, each with their own family." in explained(app)
    assert app.sent == []
    await hands.type("enter")
    assert app.sent == [SetReady(ready=True)]


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_sets_the_table_by_clicks(app: SeatedApp, hands: Hands) -> None:
    for text, said in (
        ("free: +", AddBot(bot="steady")),
        ("★y Yellow", ChooseFamily(family="y")),
        ("- 3 ◆g", Remove(family="g")),
    ):
        app.sent.clear()
        await hands.click_on(text)
        assert app.sent == [said], text
    app.sent.clear()
    await hands.click_on("none")
    assert settings_sent(app)["clock_s"] == 30
    assert app.shows("Everybody may think"), "a click chooses the setting too"
    app.sent.clear()
    await hands.click_on("◆g Gaspard")
    await click(app, hands, "key -")
    assert app.sent == [Remove(family="g")]
    app.sent.clear()
    await hands.click_on("Everybody is ready: s starts")
    assert app.sent == [Start(count_s=3)]
    app.sent.clear()
    await hands.receive(lobby("rbg", "b", phase="lobby", host=True, count_s=3))
    assert app.shows("s stop ")
    assert not app.shows("s start")
    await hands.click_on("s stops it")
    assert app.sent == [StopCount()]


def test_the_start_is_counted_down_on_every_screen() -> None:
    async def steps(app: SeatedApp, hands: Hands, you: str) -> None:
        await hands.receive(lobby("rbg", you, phase="lobby", host=you == "b", count_s=3))
        for left, passed in ((3, 2), (1, 5), (1, 0)):
            assert app.shows(f"The game begins in {left}: {'s' if you == 'b' else 'Enter'} stops")
            await hands.wait(passed)
        await hands.receive(lobby("rbg", you, phase="lobby", host=you == "b"))
        assert app.shows("The countdown has stopped.")
        assert app.sent == []

    run_cases("br", lambda you: lobby_app(you, host=you == "b").session, steps)


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_counts_and_stops_the_count(app: SeatedApp, hands: Hands) -> None:
    await hands.type("s")
    assert app.sent == [Start(count_s=3)]
    for key in ("s", "escape", "q"):
        app.sent.clear()
        app.receive(lobby("rbg", "b", phase="lobby", host=True, count_s=3))
        await hands.type(key)
        assert app.sent == [StopCount()], key
        assert isinstance(app.screen, LobbyScreen), "and nobody leaves"
    app.sent.clear()
    alone = seats("rbg", bots="rg", host="b")
    app.receive(lobby("rbg", "b", phase="lobby", host=True, seats=alone))
    await hands.type("s")
    assert app.sent == [Start()], "among bots nothing is counted"


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_hears_what_stops_the_count_and_that_a_change_asks_everybody_anew(
    app: SeatedApp, hands: Hands
) -> None:
    given = {"phase": "lobby", "host": True}
    ready, anew = seats("rbg", bots="g", host="b", ready="r"), seats("rbg", host="b")
    missing = {"code": "not_ready", "values": {"names": ("Rosalind",)}}
    for changed, why in (
        ({"seats": ready, "missing": missing}, "not ready yet: Rosalind. The countdown has"),
        ({"seats": seats("bg", bots="g", host="b")}, "Rosalind has left: the countdown"),
    ):
        app.receive(lobby("rbg", "b", **given, seats=ready, count_s=3))
        await hands.wait(2)
        await hands.receive(lobby("rbg", "b", **given, seats=ready, count_s=3, spectators=("Zoe",)))
        assert app.shows("The game begins in 1"), "a spectator disturbs nobody"
        await hands.receive(lobby("rbg", "b", **{**given, **changed}))
        assert app.shows(why)
    for settings, after, is_reset in (({"pace_ms": 0}, ready, False), ({"best_of": 5}, anew, True)):
        await hands.receive(lobby("rbg", "b", **given, seats=ready))
        await hands.receive(lobby("rbg", "b", **given, seats=after, settings=settings))
        assert app.shows("everybody must say again that") == is_reset


EVENINGS = (
    (0, "b", "A Lord counts top cards only."),
    (0, "br", "Victories after 2 games: "),
    (3, "b", "Victories after 1 game: Blaise 1, Rosalind 0."),
    (3, "bb", "Blaise wins the evening: Blaise 2, Rosalind 0."),
)
"""The number of games in a match (0 for none), the winners so far, and the lobby's sentence."""


@in_app(lambda: lobby_app("b"), (120, 40))
async def test_the_lobby_says_how_the_evening_stands(app: SeatedApp, hands: Hands) -> None:
    evening = Evening()
    for best_of, winners, sentence in EVENINGS:
        evening = Evening()
        for winner in winners:
            evening = evening.after(
                SeatResult(FAMILY_OF[each], False, 9, 1 + (each != winner)) for each in ("r", "b")
            )
        given = {"evening": evening, "settings": {"best_of": best_of}}
        await hands.receive(lobby("rbg", "b", phase="lobby", **given))
        assert app.shows(sentence)
    await hands.receive(lobby("rbg", "b", evening=evening, settings={"best_of": 3}))
    await hands.receive(state(seen(EMPTY), 3))
    assert app.shows("game 3 of 3")


@in_app(lambda: lobby_app("b"))
async def test_a_quick_phrase_is_said_by_two_keys_or_a_click(app: SeatedApp, hands: Hands) -> None:
    await hands.type("full_stop")
    assert app.shows("That smells like an Ambush.")
    await hands.type("2")
    assert app.sent == [Chat(phrase="trap")]
    await hands.type("full_stop escape full_stop")
    await hands.click_on("Thank you")
    assert app.sent[1:] == [Chat(phrase="thanks")]
    await hands.type("full_stop down down up enter")
    assert app.sent[2:] == [Chat(phrase="trap")]
    await hands.type("full_stop up enter")
    assert app.sent[3:] == [Chat(phrase="thanks")]
    await hands.receive(Talk(first=0, lines=(Line(name="Vasco", family="v", phrase="bluff"),)))
    assert app.shows("Vasco: You are bluffing!")


@in_app(lambda: lobby_app("b"))
async def test_a_guest_says_ready_and_is_asked_anew_when_the_host_changes_the_table(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.click_on("Press Enter when you are ready.")
    assert app.sent == [SetReady(ready=True)]
    for ready, best_of, count_s, is_reset in (
        ("b", 0, None, False),
        ("", 5, None, True),
        ("", 0, None, True),
        ("b", 0, 3, False),
        ("", 0, None, False),
        ("b", 0, 3, False),
        ("", 5, None, True),
    ):
        given = {"settings": {"best_of": best_of}, "count_s": count_s, "phase": "lobby"}
        await hands.receive(lobby("rbg", "b", seats=seats("rbg", ready=ready, host="r"), **given))
        anew = "The table has changed: say once more when you are ready."
        assert app.shows(anew) == is_reset
        assert app.shows("best of 5") == (best_of == 5)
        if ready and not count_s:
            assert app.shows("You are ready. Waiting for the host to start.")
            assert app.shows("Enter not yet")
            await hands.type("enter")
            assert app.sent[-1] == SetReady(ready=False)
    app.sent.clear()
    await hands.type("v e f d p")
    assert app.sent == [ChooseFamily(family="v")], "settings are the host's"


@in_app(lambda: lobby_app(None, seats=seats("rbgyv")))
async def test_a_spectator_watches_and_sits_down_where_a_seat_is_free(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("You are watching.")
    await hands.type("enter e f d p")
    assert app.sent == []
    await hands.receive(lobby("rbg", None, phase="lobby", seats=seats("rbg")))
    await hands.click_on("You are watching: Enter to sit down.")
    await hands.type("enter v")
    assert app.sent == [ChooseFamily(family=family) for family in ("y", "y", "v")]


@in_app(lambda: lobby_app("b"))
async def test_a_guest_is_told_a_refusal_and_what_the_host_has_changed(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("y")
    app.session.receive(Refused(code="family_taken", values={"family": "y"}))
    app.place.show()
    await hands.pause()
    taken = "Yellow is already taken: choose another family."
    assert app.shows(taken)
    await hands.type("v")
    await hands.receive(lobby("rvg", "v", phase="lobby"))
    assert not app.shows(taken), "something else has been tried"
    screen = app.screen
    assert isinstance(screen, LobbyScreen)
    assert screen.view.changed == frozenset()
    await hands.receive(lobby("rvg", "v", phase="lobby", settings={"edition": 1, "clock_s": 60}))
    assert screen.view.changed == {LobbyCommands.edition, LobbyCommands.clock}
    screen.unmark()
    assert screen.view.changed == frozenset()


@in_app(lambda: table_app(THEIRS))
async def test_ctrl_c_of_who_hosts_others_in_mid_game_asks_and_a_second_one_does_not(
    app: SeatedApp, hands: Hands
) -> None:
    app.player_seat.table = cast("HostedTable", SimpleNamespace())
    await hands.type("ctrl+c")
    assert app.shows("the table closes for now")
    assert not app._exit
    await hands.type("n")
    assert not app.shows("the table closes for now")
    await hands.type("ctrl+c ctrl+c")
    assert app._exit


def test_the_settings_of_ones_own_lobby_are_remembered_and_those_of_others_are_not() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("e l down left")
        assert next_table() == TableSettings(), "the table may refuse it"
        host = app.session.lobby is not None and app.session.lobby.host
        changed = {"edition": 1, "clock_s": 30}
        app.receive(lobby("rbg", "b", phase="lobby", host=host, settings=changed))
        taken_up = TableSettings(edition=1, clock_s=30)
        assert next_table() == (taken_up if host else TableSettings())

    run_app(SeatedApp(gathered("rbg", "r")), steps)
    run_app(SeatedApp(gathered("rbg", "b", host=True)), steps)


def test_the_letters_of_free_families_are_in_view_at_every_size_also_beside_a_chat() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("y Yellow")
        assert app.shows("v Violet")
        app.receive(chat("r: Hello!", "r: Shall we begin?", "b: Soon."))
        await hands.pause()
        assert app.shows("v Violet"), "beside a chat"

    for size in ((60, 20), *SIZES):
        run_app(lobby_app("b"), steps, size)


def test_who_writes_in_a_small_lobby_reads_whole_lines_of_the_chat() -> None:
    long = " ".join(f"word{number}" for number in range(27))

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(chat("r: Hello!", f"r: {long}"))
        assert not app.shows("word0 ")
        await hands.type("t")
        assert all(map(app.shows, long.split()))
        assert all(map(app.shows, ("SEATS", "THE TABLE", "Rosalind", "Blaise")))
        await hands.type("escape")
        assert not app.shows("word0 ")

    for people in ("rbg", "rbgyv"):
        run_app(SeatedApp(gathered(people, "b")), steps, (60, 20))


@in_app(lambda: lobby_app("b", host=True))
async def test_the_host_moves_and_shuffles_seats_by_keys_and_clicks(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type(">")
    await hands.type("down <")
    await hands.click_on("<")
    await hands.type("down > z")
    await hands.click_on("move")
    await hands.click_on("z shuffle")
    assert app.sent == [
        MoveSeat(family="r", place=1),
        *[MoveSeat(family="b", place=0)] * 2,
        MoveSeat(family="g", place=0),
        ShuffleSeats(),
        MoveSeat(family="g", place=0),
        ShuffleSeats(),
    ], "from the last place a seat goes to the first"
    moved = seats("grb", bots="g", host="b")
    await hands.receive(lobby("rbg", "b", phase="lobby", host=True, seats=moved))
    assert isinstance(app.screen, LobbyScreen)
    assert app.screen.moment() == "Gaspard", "the seat that moves stays chosen"
    app.sent.clear()
    await hands.type("e < z")
    assert app.sent[1:] == [ShuffleSeats()], "a setting has no place among the seats"


@in_app(lambda: lobby_app("b", host=True))
async def test_a_shuffle_that_moves_nobody_says_so(app: SeatedApp, hands: Hands) -> None:
    def order(families: str) -> Message:
        table = seats(families, bots="g", host="b")
        return lobby("rbg", "b", phase="lobby", host=True, seats=table)

    await hands.type("z")
    assert app.shows("The seats have been shuffled, and nobody has moved.")
    await hands.receive(order("grb"))
    assert app.shows("The seats have been shuffled.")
    await hands.type("z >")
    await hands.receive(order("bgr"))
    assert not app.shows("shuffled."), "one seat was moved since"


@in_app(lambda: lobby_app("b"))
async def test_a_guest_reads_that_seats_have_moved(app: SeatedApp, hands: Hands) -> None:
    assert not app.shows("z shuffle")
    await hands.type("<")
    assert app.sent == []
    await hands.receive(lobby("rbg", "b", phase="lobby", seats=seats("grb", bots="g", host="r")))
    assert app.shows("The host has changed the order of the seats.")


@in_app(lambda: lobby_app("b", seats=seats("rbg", bots="g", host="r", ready="b")))
async def test_a_guest_who_was_ready_is_asked_again_once_seats_have_moved(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(lobby("rbg", "b", phase="lobby", seats=seats("grb", bots="g", host="r")))
    assert app.shows("The table has changed: say once more when you are ready.")
