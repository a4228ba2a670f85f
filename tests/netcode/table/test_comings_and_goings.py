"""Who is waited for, who answers, who is the host, how much time is left, whoever comes and goes.

Each scene is played by `a`, `b` and `c`, who are Red, Blue and Green, and of whom the first is the
host and asked first. On each line stands what happens, and what is so then.
"""

from typing import Any

import pytest

from engine.actions import ACTIONS
from netcode.protocol.fields import checked
from netcode.protocol.messages import (
    Absent,
    AddBot,
    BackToLobby,
    ChangeSettings,
    Chat,
    Clock,
    Here,
    Leave,
    Pause,
    Remove,
    SetReady,
    Start,
    StopCount,
    TableMessage,
    TableSettings,
)
from tests.support.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    asked,
    aways,
    known_game,
    names,
    play_on,
    seated,
)

CLOCK: dict[str, Any] = {"clock_s": 60}
OWNED: dict[str, Any] = {"owner_key": OWNER_KEY}
LOBBY: dict[str, Any] = {"in_lobby": True}
LAPSED = "60 s, b acts, c acts, until a, 60 s, until a | r:bot b:no g:no"
"""The first has let the clock run out in two decisions, and is asked again."""

STOPS_A_COUNT = ("a stops", "b unready", "a adds", "a removes", "c leaves", "c drops", "a sets")

SCENES: dict[str, tuple[dict[str, Any], str]] = {
    # In the lobby
    "a game waits for everybody but the host": (LOBBY, """
        a starts | a refused not_ready; missing not_ready
        b ready, c ready | missing nothing
        b unready | missing not_ready
        b ready, a starts | playing; missing nothing
    """),
    "a game is not begun without somebody who may be back in seconds": (LOBBY, """
        b ready, c ready, c drops, a starts | a refused connection_lost; missing connection_lost
        c returns | missing nothing
        c drops, 10 s | missing too_few
    """),
    "a lobby keeps the seat of a lost connection for some seconds": (LOBBY, """
        b ready, b drops | r:no b:grace g:no
        9 s | r:a* b:b g:c
        b returns, c ready | r:no b:no g:no; missing nothing
        10 s | r:a* b:b g:c
    """),
    "a lobby frees a seat then": (LOBBY, """
        b drops, 10 s | r:a* g:c
        b returns | b refused unknown_key
        b greets | r:a* g:c b:b
    """),
    "each lost connection has seconds of its own": (LOBBY, """
        b drops, 5 s, c drops, b returns, b drops, 9 s, w watches | r:a* b:b g:c
        1 s | r:a*
    """),
    "hosting passes on to who has been there longest": (LOBBY, """
        a drops | r:a* b:b g:c
        10 s | b:b* g:c
        b adds, b leaves | g:c* r:Aubin
        c leaves, d comes | r:Aubin b:d*
    """),
    "who never heard of their key keeps nobody out of a resumed lobby": (LOBBY, """
        crash, A comes | A refused name_taken
        10 s, A comes | r:A*
    """),
    "who comes back to a resumed lobby in time has their seat": (LOBBY, """
        crash, d comes, 5 s, a returns, b returns, 10 s | r:a* b:b y:d
    """),
    "everybody is told of a count, and then the game begins": (LOBBY, """
        b ready, c ready, a counts | 3 counted
        2.9 s | lobby
        0.2 s | playing; nothing counted
    """),
    "a count that runs is not begun anew": (LOBBY, """
        b ready, c ready, a counts, 2 s, a counts, 1 s | playing
    """),
    **{f"no count goes on when {stops}": (LOBBY, f"""
        b ready, c ready, a counts, 1 s, {stops} | nothing counted
        10 s | lobby
    """) for stops in STOPS_A_COUNT},
    # Away from a game
    "who is asked and away is answered for after a grace": ({}, """
        b drops, 5 s, a S>, 14 s | r:no b:grace g:no; 1 played
        2 s | r:no b:bot g:no; 2 played
    """),
    "who is back in time answers": ({}, """
        a S>, b drops, 19 s, b returns, 20 s | r:no b:no g:no; b asked
        b S> | c asked
    """),
    "a second absence has a grace of its own": ({}, """
        a S>, b drops, 10 s, b returns, b drops, 15 s | 1 played
        6 s | 2 played
    """),
    "who has left is not waited for but may come back": ({}, """
        b leaves | b gone left; r:no b:bot g:no
        a S>, 1 s, c S>, a +, b returns, 20 s | b asked
    """),
    "a table where nobody is stands still and waits for the others too": ({}, """
        a S>, all drop, 3600 s, a returns | 1 played
        18 s | 1 played
        3 s | 3 played
    """),
    "nobody is stood in for while all may be about to return": ({}, """
        a S>, b drops, 20 s, c S> | r:no b:bot g:no
        a drops, c drops, c returns | r:grace b:grace g:no
        19 s | 3 played
        2 s | more played
    """),
    "a bot stands in from its first answer to the return": ({}, """
        a S>, b drops, 20 s | r:no b:bot g:no
        c H>, a +, 1 s | a asked
        b returns | r:no b:no g:no
        b drops | r:no b:grace g:no
    """),
    "once everybody has left the table is free": ({}, """
        w watches, b drops, a leaves, c leaves | playing
        b returns, b leaves | lobby; nobody seated
        n comes | r:n*
    """),
    "a deserted table is free for others but not at once": ({}, """
        a S>, all drop, 599 s, e comes | e refused game_under_way
        2 s, l comes | lobby; r:l*
    """),
    "a deserted table is not given to somebody who could not sit there": ({}, """
        a S>, all drop, 600 s, w watches, W comes | W refused name_taken; 1 played
        A comes | lobby
    """),
    # What the host decides about it
    "the host lets everybody wait": ({}, """
        b drops, a decides wait b | r:no b:wait g:no
        a S>, 3600 s | 1 played
        b returns | r:no b:no g:no; b asked
        b drops, 20 s | 2 played
    """),
    "the host lets a bot answer at once": ({}, """
        a S>, b drops, a decides bot b | r:no b:bot g:no
        1 s | c asked
        b returns | r:no b:no g:no
    """),
    "the host may change their mind": ({}, """
        a S>, b drops, a decides wait b, 100 s, a decides bot b, 0 s | c asked
        a decides wait b, c S>, 100 s | 3 played; r:no b:wait g:no
    """),
    "who has said that they leave can be waited for too": ({}, """
        b leaves, a decides wait b, a S>, 100 s | 1 played
        b returns | b asked
    """),
    "a bot answers for somebody present who is silent for a minute": ({}, """
        a S>, 50 s, a decides bot b | a refused asked_lately
        10 s, a decides bot b | r:no b:bot g:no
        1 s | c asked
        b here | r:no b:no g:no
    """),
    "a pause is no silence": ({}, """
        a S>, a pauses, 100 s, a decides bot b | a refused asked_lately
        a goes-on, a decides bot b | a refused asked_lately
        b acts, a decides bot b | a refused not_away
    """),
    "an answer takes the seat back": ({"pace_ms": 2000}, """
        a S>, 60 s, a decides bot b, a decides bot b | a refused not_away
        0.2 s, b S> | r:no b:no g:no
    """),
    # A pause
    "during a pause nobody acts": ({}, """
        a pauses, a S> | a refused paused; 0 played; paused
        a goes-on | a asked; unpaused
        a S> | 1 played
    """),
    "during a pause nobody is answered for, and then is waited for anew": ({}, """
        a S>, b drops, 19 s, a pauses, 3600 s | 1 played
        a goes-on, 19 s | 1 played
        1 s | c asked
    """),
    "after a pause a stand-in stands in": ({}, """
        a S>, b drops, 20 s, c S>, a pauses, a goes-on, 1 s | 4 played
    """),
    "the first back from a crash into a pause is not alone for good": ({}, """
        a S>, a pauses, crash, a returns | paused
        a goes-on, 20 s | 2 played
    """),
    "a pause ends with its game": ({}, """
        a pauses, a leaves, b leaves, c leaves, d comes | unpaused
    """),
    # After a game
    "the host starts another game once the others are ready": ({}, """
        all play, a starts | a refused not_ready
        b ready, c ready, a starts | playing; 0 played
    """),
    "another game begins when all who are there are ready": ({}, """
        all play, c drops, b ready, b unready, a ready | result
        b ready | result; 3 counted
        b unready | nothing counted
        b ready, 3 s | playing; 0 played
        c returns | r:a* b:b g:c
    """),
    "no count goes on in the lobby after a result": ({}, """
        all play, b ready, c ready, a counts, a to-lobby | nothing counted
        12 s | lobby
    """),
    "what is due later keeps nothing from being done sooner": ({}, """
        all play, a drops, a returns, a to-lobby, b drops, 10 s | r:a* g:c
    """),
    # The host
    "a host who is away stays the host for a minute": ({}, """
        a drops, 59 s | r:a* b:b g:c
        1 s | r:a b:b* g:c
        a returns | r:a b:b* g:c
    """),
    "a host who is back in time stays the host": ({}, """
        a drops, 59 s, a returns, a drops, 59 s, a returns, 60 s | r:a* b:b g:c
    """),
    "a minute without anybody is none without the host": ({}, """
        all drop, 3600 s, b returns | r:a* b:b g:c
        60 s | r:a b:b* g:c
    """),
    "a host who leaves a game passes hosting on at once": ({}, """
        a leaves | r:a b:b* g:c
    """),
    "after a game a host who is away is waited for as long": ({}, """
        all play, a drops, 59 s | r:a* b:b g:c
        1 s | r:a b:b* g:c
    """),
    "after a crash the host has a minute to return": ({}, """
        crash, b returns, c returns | r:a* b:b g:c
        59 s, a returns, 60 s | r:a* b:b g:c
    """),
    "a host who is away from a pause is followed by one who can go on": ({}, """
        a pauses, a drops, 60 s | paused
        b goes-on | unpaused
        20 s | 1 played
    """),
    "without its owner a table has no host": (OWNED, """
        a drops, 600 s, all play | r:a* b:b g:c
    """),
    "what an absent owner has stopped goes on after a minute": (OWNED, """
        a acts, c drops, a decides wait g, a pauses, a drops, 59 s | paused; r:grace b:no g:wait
        1 s | unpaused; r:grace b:no g:grace
        b acts, 20 s | 3 played
    """),
    "an owner who is back in time decides": (OWNED, """
        a pauses, a drops, 59 s, a returns, 600 s | paused
    """),
    "an owner's pause lasts while nobody is there": (OWNED, """
        a pauses, all drop, 600 s, b returns | paused
        60 s | unpaused
    """),
    # The clock of a decision
    "when time is out a bot decides, and the next decision is one's own": (CLOCK, """
        59 s | 0 played
        1 s | 1 played; r:no b:no g:no; b asked
        b S>, c S> | a asked
    """),
    "after two decisions out of time a bot stands in at once": (CLOCK, f"""
        {LAPSED}; 60 stands
        1 s | more played
    """),
    "who is here takes the seat back": (CLOCK, f"""
        {LAPSED}
        a here | r:no b:no g:no; 60 runs
        59 s | no more played
        1 s | more played; r:no b:no g:no
    """),
    "so does an answer": (CLOCK, f"""
        {LAPSED}
        a acts | r:no b:no g:no
    """),
    "neither chat nor a new connection does: a program may be alone": (CLOCK, f"""
        {LAPSED}
        a chats, a drops, a returns | r:bot b:no g:no
    """),
    "a pause stops the clock": (CLOCK, """
        20 s, a pauses | 40 stands
        3600 s | 0 played
        a goes-on | 40 runs
        39 s | 0 played
        1 s | 1 played
    """),
    "a short pause gives no time away and takes none": (CLOCK, """
        30 s, a pauses, 0.5 s, a goes-on, 29.5 s | 0 played
        0.5 s | 1 played
    """),
    "the clock stops while nobody is there": (CLOCK, """
        w watches, 20 s, all drop | 40 stands
        3600 s, b returns | 40 runs
        a returns, 39 s | 0 played
        1 s | 1 played
    """),
    "the clock runs on for who is away, so that nobody gains by it": (CLOCK, """
        50 s, a drops, 5 s | 0 played
        5 s | 1 played; r:bot b:no g:no
    """),
    "who is away is answered for after the grace although there is time": ({"clock_s": 600}, """
        a drops, 20 s | 1 played
    """),
    "who comes back to a decision has some seconds once": (CLOCK, """
        58 s, a drops, 1 s, a returns | 10 runs
        9 s, a drops, a returns | 0 played
        1 s | 1 played
    """),
    "those seconds are no more than a whole decision has": ({"clock_s": 5}, """
        4 s, a drops, a returns | 5 runs
    """),
    "a person who is waited for loses no time": (CLOCK, """
        a S>, b drops, 10 s, a decides wait b | 50 stands
        3600 s, b returns | 50 runs
    """),
    "a result counts nobody as lapsed": (CLOCK, f"""
        {LAPSED}
        all play | result; r:no b:no g:no
    """),
}  # fmt: skip

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
    "counts": Start(count_s=3),
    "stops": StopCount(),
    "adds": AddBot(bot="steady"),
    "removes": Remove(family="g"),
    "sets": ChangeSettings(settings=TableSettings(edition=1)),
}


class Scene:
    """Three people in a game or a lobby, and whoever comes besides."""

    def __init__(self, *, in_lobby: bool = False, **options: Any) -> None:
        self.guests = seated(Network(), "abc") if in_lobby else known_game(**options)
        self.people = {each.name: each for each in self.guests}
        self.network = self.guests[0].network
        self.owner_key: bytes | None = options.get("owner_key")
        self.played = 0
        """How many answers there were at the end of the line before."""

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
            case ["all", "drop"]:
                for each in self.guests:
                    each.drop()
            case ["all", "play"]:
                while self.there()[-1].phase() == "playing":
                    play_on(self.there())
                    self.network.wait(1)
            case ["until", who]:
                while asked([self.people[who]]) is None:
                    play_on([each for each in self.there() if each.name != who], 1)
            case [who, ("comes" | "watches") as how]:
                self.people[who] = Participant(self.network, who, spectator=how == "watches")
            case [who, "drops"]:
                self.people[who].drop()
            case [who, "returns"]:
                self.people[who].come_back()
            case [who, "greets"]:
                self.people[who].greet()
            case [who, "acts"]:
                self.people[who].act_somehow()
            case [who, "decides", choice, family]:
                self.people[who].say(checked({"family": family, "choice": choice}, Absent))
            case [who, said] if said in SAID:
                self.people[who].say(SAID[said])
            case [who, token]:
                assert token in ACTIONS
                self.people[who].act(token)

    def is_so(self, what: str) -> None:
        there = self.there()
        match what.split():
            case [*_, "played"]:
                more = "more" if self.answers() > self.played else "no more"
                assert what in (f"{self.answers()} played", f"{more} played")
            case [who, "asked"]:
                assert asked(there) is self.people[who]
            case [who, "refused", code]:
                assert self.people[who].refusal == code
            case [who, "gone", code]:
                assert self.people[who].goodbye == code
            case [_, "runs" | "stands"]:
                told = [each for each in there[-1].received if isinstance(each, Clock)][-1]
                assert what == f"{told.left_ms / 1000:g} {'runs' if told.running else 'stands'}"
            case ["missing", code]:
                reason = there[-1].lobby().missing
                assert code == (reason.code if reason else "nothing")
            case [count, "counted"]:
                assert count == str(there[-1].lobby().count_s or "nothing")
            case ["nobody", "seated"]:
                assert not there[-1].lobby().seats
            case ["paused" | "unpaused"]:
                assert there[-1].lobby().paused == (what == "paused")
            case ["lobby" | "playing" | "result"]:
                assert there[-1].phase() == what
            case _:
                assert what in (names(there[-1]), aways(there[-1]))


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_goes_as_it_is_written(name: str) -> None:
    options, lines = SCENES[name]
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
