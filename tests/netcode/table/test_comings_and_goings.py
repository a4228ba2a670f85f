"""Tests seats, absences, bots' answers, host and clocks while players come and go."""

from typing import Any

import pytest

from tests.netcode.table.scenes import play
from tests.support.pretend import OWNER_KEY

CLOCK: dict[str, Any] = {"clock_s": 60}
OWNED: dict[str, Any] = {"owner_key": OWNER_KEY}
LOBBY: dict[str, Any] = {"in_lobby": "abc"}
OPENED: dict[str, Any] = {"in_lobby": "", "opener": 2}
FOR_TWO: dict[str, Any] = {"in_lobby": "ab", "two": True}
LAPSED = "60 s, b acts, c acts, until a, 60 s, until a | r:bot b:no g:no"
"""A line in which the first player misses two decisions by the clock, and must decide again."""

STOPS_A_COUNT = (
    "a stops",
    "b unready",
    "a adds",
    "a removes g",
    "c leaves",
    "c drops",
    "a sets edition=1",
    "a moves g 0",
)

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
    "what is free can be chosen": (LOBBY, """
        b chooses v | r:a* v:b g:c
        b chooses r | b refused family_taken; r:a* v:b g:c
        a chooses y, d comes | y:a* v:b g:c r:d
    """),
    "a full table has room for those who watch": ({"in_lobby": "abcde"}, """
        f comes | f refused table_full
        f watches | watching f; r:a* b:b g:c y:d v:e
    """),
    "who watches sits down where there is a seat": ({"in_lobby": "abcd"}, """
        w watches, x watches, w chooses r | w refused family_taken; watching w x
        w chooses v | r:a* b:b g:c y:d v:w; watching x
        x chooses v | x refused table_full
        w drops, w returns | r:a* b:b g:c y:d v:w
    """),
    "bots come and go, and each has a name": ({"in_lobby": "a"}, """
        a adds, a adds random, a adds | r:a* b:Aubin g:Berthe y:Corentin; bots steady random steady
        a removes g | r:a* b:Aubin y:Corentin
        a adds | r:a* b:Aubin y:Corentin g:Berthe
    """),
    "a bot is changed between games and in none": ({"in_lobby": "a"}, """
        a adds, a adds, a starts, a changes b master | a refused not_in_lobby
        all play, a changes b master | bots master steady; result
    """),
    "a moved seat keeps its player and family, and all others stay in order": (
        {"in_lobby": "abcd"}, """
        a moves y 0 | y:d r:a* b:b g:c
        a moves y 2 | r:a* b:b y:d g:c
        a moves r 4 | b:b y:d g:c r:a*
        d drops, d returns | b:b y:d g:c r:a*
        crash, a returns, c returns, d returns, b returns, e comes | b:b y:d g:c r:a* v:e
    """),
    "a moved first player is first all the same": (LOBBY, """
        a sets first=b pace_ms=0, a moves b 2, b ready, c ready, a starts | r:a* g:c b:b; first b
        b S>, a S>, c S> | 3 played
    """),
    "players are asked anew only where the order has changed": (LOBBY, """
        b ready, c ready, a moves b 1, a moves g 4 | ready b c
        a moves b 2 | ready
    """),
    "both families of a seat move": (FOR_TWO, """
        a moves b 0 | families b:by a:rg
        b ready, a starts | playing
    """),
    "who is removed comes as anybody does": (LOBBY, """
        a removes b | b gone removed; r:a* g:c
        b returns | b refused unknown_key
        b greets | r:a* g:c b:b
    """),
    "the first player is there": (LOBBY, """
        all ready, a sets first=v | missing first_not_seated
        a starts | a refused first_not_seated
        c chooses v, all ready, a starts | playing; first v
    """),
    "another level of a bot asks anew only while there is a count": ({"in_lobby": "ab"}, """
        a adds, b ready, a changes g master | ready b
        a changes g steady, b ready, a counts, a changes g steady | 3 counted; ready b
        a changes g master | nothing counted; ready
        10 s | lobby
    """),
    "other settings ask all anew, unless it is how fast bots are": (LOBBY, """
        b ready, c ready, a sets pace_ms=0 | ready b c
        a counts, a sets pace_ms=9 | ready b c
        a sets clock_s=30 | ready
    """),
    "another name stops no count": (LOBBY, """
        b ready, c ready, a counts, b is-called Berthe | 3 counted; r:a* b:Berthe g:c
    """),
    "a name that looks the same is taken": ({"in_lobby": ""}, """
        Anna comes, aNNA comes, Straße comes, STRASSE comes | aNNA refused name_taken
        ﬁ comes, fi comes | STRASSE refused name_taken; fi refused name_taken; r:Anna* b:Straße g:ﬁ
    """),
    "who opened a table is its host, though others sat down before": (OPENED, """
        b comes, a comes | a hosts
        a leaves | b hosts
    """),
    "who opened a table is waited for": (OPENED, """
        b comes, 59 s | r:b
        1 s | r:b*
        a comes | b hosts
    """),
    "a table becomes one for two and back": ({"in_lobby": "ab"}, """
        b chooses y, a sets two=1 | families a:rg b:yv
        a sets clock_s=0 | families a:r b:y
    """),
    "three are too many for two": (LOBBY, """
        a sets two=1 | a refused too_many_for_two; families a:r b:b c:g
    """),
    "two are enough": ({"in_lobby": "a", "two": True}, """
        a starts | a refused too_few
        a adds, a adds | a refused table_full
        c comes | c refused table_full
        a starts | playing
    """),
    "a family that is chosen comes before the one before it": (FOR_TWO, """
        a chooses v | families a:vr b:by
        a chooses r | families a:rv b:by
        a chooses r | families a:rv b:by
        a chooses y | a refused family_taken
        a sets two=1 first=y, b ready, a starts | playing; first y; b asked
        all play, b ready, a starts | playing; first r
        all play, a to-lobby | families a:rv b:by
    """),
    # Chat
    "who is muted is told so and heard no more": ({"in_lobby": "ab"}, """
        w watches, a unmutes b, a mutes b, a mutes B, a mutes w | muted b w
        b says hello | b refused muted
        w says hello | w refused muted; a hears nothing
        a unmutes b, b says hello | muted w; w heard b: hello
    """),
    "a mute survives coming back": ({}, """
        Wolf watches, a mutes b, a mutes Wolf, b drops, Wolf drops | muted b
        b returns, wolf watches | muted b wolf
        b says hello | b refused muted
        wolf says hello | wolf refused muted
        a unmutes WOLF, wolf says thanks | a heard wolf: thanks
    """),
    "who is gone can be forgiven": ({"in_lobby": "ab"}, """
        a mutes b, b leaves, a unmutes b, b comes, b says thanks | a heard b: thanks
    """),
    "all who watch are silenced, and those who come later": ({"in_lobby": "ab"}, """
        w watches, a silences, x watches, w says hello | w refused spectators_silenced
        x says hello | x refused spectators_silenced
        b says quiet | w heard b: quiet
        a lets-talk, w says thanks | a heard w: thanks
    """),
    # Sent away
    "who watches is sent away": ({"in_lobby": "ab"}, """
        w watches, a sends-away w | w gone removed; watching
        w returns | w refused unknown_key
    """),
    "who is sent away from a game leaves their seat to a bot": ({}, """
        a S>, a sends-away b | b gone removed; r:a* b:Aubin g:c
        b returns | b refused unknown_key
        b drops, 1 s | c asked
    """),
    "who is sent away from a result too": ({}, """
        all play, a sends-away b | b gone removed; r:a* b:Aubin g:c
        b returns | b refused unknown_key
    """),
    "a removed seat stays a bot's in the next game and through a crash": ({}, """
        b drops, a sends-away b, crash, a returns, c returns | r:a* b:Aubin g:c
        all play, all ready, 3 s | playing; r:a* b:Aubin g:c
    """),
    "who is away is let in from another machine once the host says so": ({}, """
        a S>, b drops, B comes | B refused name_away
        d comes | d refused game_under_way
        a decides admit b, d comes | d refused game_under_way
        B comes | r:a* b:b g:c; B asked
        B H>, b returns | b refused unknown_key
        B drops, b comes | b refused name_away
        B returns | r:no b:no g:no
    """),
    "who is away from a result is let in from another machine": ({}, """
        all play, b drops, B comes | B refused name_away
        a decides admit b, B comes, all ready, 3 s | playing
    """),
    "a game that the host ends is nobody's": ({}, """
        w watches, b ends | b refused not_the_host
        a S>, a ends | lobby; ended by a; r:a* b:b g:c
        a ends | a refused no_game
        b ready, c ready, a starts | playing; 0 played
    """),
    "who let the time run out is awaited in the next game": ({}, """
        a acts, 60 s, a decides bot b, a ends | lobby
        b ready, c ready, a adds, a starts | r:no b:no g:no y:no
    """),
    # Bots
    "bots play on for who is there": ({"in_lobby": "a", "first": "r", "pace_ms": 900}, """
        a adds, a adds random, a starts, a acts, a drops, 3600 s, a returns | 1 played
        2 s | 3 played
    """),
    "no bot answers in a pause": ({"in_lobby": "a", "first": "r", "pace_ms": 900}, """
        a adds, a adds random, a starts, a acts, a pauses, 3600 s | 1 played
        a goes-on, 2 s | 3 played
    """),
    "bots wait for somebody to return after a crash": ({"in_lobby": "a", "first": "b"}, """
        a adds, a adds, a starts, crash, 1000 s | 0 played
        a returns, 1000 s | 2 played
    """),
    "bots need not hurry": ({"in_lobby": "a", "first": "r", "clock_s": 30, "pace_ms": 900}, """
        a adds, a adds random, a starts, a acts | 30 stands
        10 s | a asked; 30 runs
    """),
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
    # The host's decisions about absent players
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
    "another game begins when all who want none have left, or have lost their line": ({}, """
        all play, a ready, b ready, c leaves | result; 3 counted
        3 s | playing; 0 played
        all play, a ready, b drops | result; 3 counted
        b returns, 3 s | result
    """),
    "no count goes on in the lobby after a result": ({}, """
        all play, b ready, c ready, a counts, a to-lobby | nothing counted
        12 s | lobby
    """),
    "what is due later keeps nothing from being done sooner": ({}, """
        all play, a drops, a returns, a to-lobby, b drops, 10 s | r:a* g:c
    """),
    "the first player moves on from game to game, also through a crash": ({}, """
        all play, all ready, 3 s | first b
        all play, all ready, 3 s | first g
        all play, crash, a returns, b returns, c returns, all ready, 3 s | first r
        all play, a to-lobby, b ready, c ready, a starts | first r
    """),
    "back in the lobby are those who are there": ({}, """
        all play, d comes, b drops, 10 s, d drops, a to-lobby | lobby; r:a* g:c y:d
        10 s | r:a* g:c
    """),
    "who sat down at a result and leaves it frees the seat": ({}, """
        all play, d comes, d leaves | r:a* b:b g:c
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
    "who comes back is told what is left, and others know": (CLOCK, """
        b drops, 12.5 s, b returns | b 47.5 runs; a 60 runs
    """),
    "an answer in time between two that are not starts the count anew": (CLOCK, """
        60 s, b acts, c acts, until a, a acts, until a, 60 s, until a | r:no b:no g:no
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


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_goes_as_it_is_written(name: str) -> None:
    play(*SCENES[name])
