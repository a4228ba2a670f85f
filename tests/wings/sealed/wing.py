"""Describes sealed play for the tests of all wings, as `scripts/lib/wing.py` defines."""

from typing import Final

from scripts.lib.wing import Wing

_LEAVES: Final = "the notation has letters for cards that nobody has opened, with or without a wing"
_ON_DISK: Final = "the form of the journal is published, and never changes silently"
_ON_THE_WIRE: Final = "the fields of a message of the core are published, and absent by default"

WING: Final = Wing(
    (
        "[Ss]eal(?!evel)",
        r"\bgame_key",
        "[Pp]arcel(?!s of)",
        r"\bleaf\b",
        r"\bleaves\b(?= of| stand| for)",
        r"LEAVES\b",
        r"\bowed\b",
        r"Owed\b",
        r"OPENING\b",
        "open_owed",
        "_ask_to_open",
        "LogAt",
        "log_at",
        "SealedInterpreter",
        "known_cards",
        "LeaveBe",
        "VoteMissing",
        "vote_words",
        "may_vote",
        "action_vote",
        r"\bproof_",
        r"LogIn\b",
        r"\bgid\b",
        "dealing",
        "successors",
        "HandOver",
        "[Tt]akeover",
        "take_over",
        "taken_over",
        "call_host",
    ),
    files=("scripts/lib/bench_sealed.py",),
    exceptions={
        "engine/actions.py": _LEAVES,
        "engine/cards.py": _LEAVES,
        "engine/arena/pettingzoo_env.py": _LEAVES,
        "engine/leaf_game.py": "a game on unopened cards needs the rules of the engine",
        "engine/record.py": "a record of any game is read by any program; the proof is only kept",
        "netcode/protocol/messages.py": _ON_THE_WIRE + ": `game_key`, `dealing`, `successors`",
        "netcode/protocol/refusal_sentences.py": "an ordinary table refuses a `game_key`",
        "netcode/protocol/table_settings.py": _ON_THE_WIRE + ": `sealed`",
        "netcode/storage/database.py": _ON_DISK + ": the table `sealed_records`",
        "netcode/table/play.py": "an ordinary table refuses a `game_key`",
        "netcode/table/requests.py": "a `game_key` goes to the kind of game",
    },
    covers={
        "engine/bots/worlds.py": "only an unopened card can go out without being known",
        "engine/leaf_game.py": "the games on unopened cards are those of sealed play",
        "engine/legal.py": "only a game on unopened cards waits for one to be shown",
        "engine/record.py": "an ordinary game has no seal, and no card that is opened late",
    },
)
