"""Plays scenes at a table in a small language: each line has events, and the state after them.

b drops, 5 s, a S>, 14 s | r:no b:grace g:no; 1 played

By default `a`, `b` and `c` play as Red, Blue and Green; `a` is the host and answers first. Other
names join later and watch.
"""

from typing import Any

from engine.actions import ACTIONS
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import (
    Absent,
    AddBot,
    AnswerWish,
    AskSeat,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    Clock,
    EndGame,
    Here,
    Leave,
    MoveSeat,
    Mute,
    Pause,
    Remove,
    Rename,
    SendAway,
    SetReady,
    ShuffleSeats,
    Silence,
    Start,
    StopCount,
    TableMessage,
    Talk,
)
from netcode.protocol.table_settings import TableSettings
from tests.support.pretend import (
    Network,
    Participant,
    aways,
    decider,
    known_game,
    names,
    play_on,
    seated,
)

SAID: dict[str, TableMessage] = {
    "leaves": Leave(),
    "pauses": Pause(paused=True),
    "goes-on": Pause(paused=False),
    "here": Here(),
    "chats": Chat(text="..."),
    "ready": SetReady(ready=True),
    "to-lobby": BackToLobby(),
    "unready": SetReady(ready=False),
    "starts": Start(),
    "ends": EndGame(),
    "counts": Start(count_s=3),
    "stops": StopCount(),
    "adds": AddBot(bot="steady"),
    "shuffles": ShuffleSeats(),
    "silences": Silence(silenced=True),
    "lets-talk": Silence(silenced=False),
    "withdraws": AskSeat(family=None),
}

ABOUT: dict[str, tuple[type[TableMessage], str, dict[str, Any]]] = {
    "adds": (AddBot, "bot", {}),
    "removes": (Remove, "family", {}),
    "chooses": (ChooseFamily, "family", {}),
    "is-called": (Rename, "name", {}),
    "mutes": (Mute, "name", {"muted": True}),
    "unmutes": (Mute, "name", {"muted": False}),
    "sends-away": (SendAway, "name", {}),
    "wishes": (AskSeat, "family", {}),
}
"""For each verb with an argument, its message and the message's field."""


def received_chat(participant: Participant) -> list[str]:
    """Return all chat lines that a participant received, as `name: text`."""
    talks = [message for message in participant.received if isinstance(message, Talk)]
    return [f"{line.name}: {line.text}" for talk in talks for line in talk.lines]


def families(participant: Participant) -> str:
    """Return the players as `name:family`, in seat order, with a second family too."""
    seats = participant.lobby().seats
    return " ".join(f"{seat.name}:{seat.family}{seat.second or ''}" for seat in seats)


class Scene:
    """A table with players in a game or a lobby; others may join later."""

    def __init__(
        self, *, in_lobby: str | None = None, opener: int | None = None, **options: Any
    ) -> None:
        """Seat the players of `in_lobby` in a lobby, or by default three in a game."""
        if in_lobby is None:
            self.guests = known_game(**options)
            self.network = self.guests[0].network
        else:
            settings = TableSettings(**{"pace_ms": 0, **options})
            self.network = Network(opener=opener, settings=settings)
            self.guests = seated(self.network, in_lobby)
        self.people = {each.name: each for each in self.guests}
        self.owner_key: bytes | None = options.get("owner_key")
        self.played = 0
        """Number of answers at the end of the previous line."""

    def answers(self) -> int:
        record = self.network.table.record()
        return 0 if record is None else len(record.actions)

    def there(self) -> list[Participant]:
        present = self.network.guests.values()
        return [each for each in self.people.values() if each in present and each.session.lobby]

    def happens(self, what: str) -> None:
        match what.split():
            case [seconds, "s"]:
                self.network.wait(float(seconds))
            case ["crash"]:
                self.network.restart(self.owner_key)
            case ["all", "play"]:
                while self.there()[-1].phase() == "playing":
                    play_on(self.there())
                    self.network.wait(1)
            case ["all", "ready"]:
                for each in self.there():
                    each.send(SetReady(ready=True))
            case ["all", "drop"]:
                for each in self.guests:
                    each.drop()
            case ["until", who]:
                while decider([self.people[who]]) is None:
                    play_on([each for each in self.there() if each.name != who], 1)
            case [who, ("comes" | "watches") as how]:
                self.people[who] = Participant(self.network, who, spectator=how == "watches")
            case [who, *words]:
                self._does(self.people[who], words)

    def _does(self, who: Participant, words: list[str]) -> None:
        match words:
            case ["drops"]:
                who.drop()
            case ["returns"]:
                who.come_back()
            case ["greets"]:
                who.greet()
            case ["acts"]:
                who.act_somehow()
            case ["says", *text]:
                who.send(Chat(text=" ".join(text)))
            case ["decides", choice, family]:
                who.send(checked_struct({"family": family, "choice": choice}, Absent))
            case ["changes", family, bot]:
                who.send(checked_struct({"family": family, "bot": bot}, ChangeBot))
            case ["grants" | "refuses" as how, name, family]:
                answer = {"name": name, "family": family, "granted": how == "grants"}
                who.send(checked_struct(answer, AnswerWish))
            case ["moves", family, place]:
                who.send(checked_struct({"family": family, "place": int(place)}, MoveSeat))
            case ["sets", *fields]:
                pairs = (field.split("=") for field in fields)
                values = {name: int(it) if it.isdigit() else it for name, it in pairs}
                values |= {"two": True} if "two" in values else {}
                who.send(ChangeSettings(settings=TableSettings(**values)))  # type: ignore[arg-type]
            case [verb] if verb in SAID:
                who.send(SAID[verb])
            case [verb, word] if verb in ABOUT:
                kind, field, more = ABOUT[verb]
                who.send(checked_struct({field: word, **more}, kind))
            case [token]:
                assert token in ACTIONS
                who.act(token)
            case _:
                raise ValueError(words)

    def is_so(self, what: str) -> None:
        there = self.there()
        match what.split():
            case [*_, "played"]:
                more = "more" if self.answers() > self.played else "no more"
                assert what in (f"{self.answers()} played", f"{more} played")
            case [who, "asked"]:
                assert decider(there) is self.people[who]
            case [who, "hosts"]:
                assert [each.name for each in there if each.session.is_host] == [who]
            case [who, "refused", code]:
                assert self.people[who].refusal == code
            case [who, "gone", code]:
                assert self.people[who].goodbye == code
            case [who, "heard", *line]:
                assert received_chat(self.people[who])[-1] == " ".join(line)
            case [who, "hears", "nothing"]:
                assert received_chat(self.people[who]) == []
            case [*who, left, ("runs" | "stands") as how]:
                hears = self.people[who[0]] if who else there[-1]
                clock = [each for each in hears.received if isinstance(each, Clock)][-1]
                so = f"{clock.left_ms / 1000:g}", "runs" if clock.running else "stands"
                assert (left, how) == so
            case ["missing", code]:
                reason = there[-1].lobby().missing
                assert code == (reason.code if reason else "nothing")
            case [count, "counted"]:
                assert count == str(there[-1].lobby().count_s or "nothing")
            case ["nobody", "seated"]:
                assert not there[-1].lobby().seats
            case ["muted", *who]:
                assert [*there[-1].lobby().muted] == who
            case ["watching", *who]:
                assert [*there[-1].lobby().spectators] == who
            case ["bots", *bots]:
                assert [seat.bot for seat in there[-1].lobby().seats if seat.bot] == bots
            case ["ready", *who]:
                seats = there[-1].lobby().seats
                assert [seat.name for seat in seats if seat.ready and not seat.bot] == who
            case ["first", family]:
                view = there[-1].view()
                assert view.families[view.first] == family
            case ["ended", "by", who]:
                assert there[-1].lobby().ended_by == who
            case ["families", *whose]:
                assert families(there[-1]) == " ".join(whose)
            case ["wishes", *wishes]:
                open_wishes = there[-1].lobby().wishes
                assert [f"{each.name}:{each.family}" for each in open_wishes] == wishes
            case ["holders", family, *holders]:
                record = self.network.table.record()
                assert record is not None
                (player,) = (each for each in record.players if each.family == family)
                assert [f"{each.name}:{each.step}" for each in player.holders] == holders
            case ["paused" | "unpaused"]:
                assert there[-1].lobby().paused == (what == "paused")
            case ["lobby" | "playing" | "result"]:
                assert there[-1].phase() == what
            case _:
                assert what in (names(there[-1]), aways(there[-1]))


def play(options: dict[str, Any], lines: str) -> None:
    """Play a scene, and assert its states."""
    scene = Scene(**options)
    for line in lines.strip().splitlines():
        happens, _, so = line.partition(" | ")
        for each in happens.split(","):
            scene.happens(each)
        for each in so.split(";"):
            try:
                scene.is_so(each.strip())
            except AssertionError as error:
                error.add_note(f"at {line.strip()}")
                raise
        scene.played = scene.answers()
