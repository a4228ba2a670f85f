"""Chat: what is said at a table, who may say it, and how fast.

What comes from a stranger's program is made harmless, since it will be printed on terminals.
"""

import re
import unicodedata
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

from netcode.limits import LINES, NETWORK_LINES, TABLE_LINES, Buckets, TokenBucket, spend
from netcode.protocol.fields import BLANK, MAXIMUM_LINES
from netcode.protocol.messages import Chat, Line, Talk
from netcode.table.errors import NotAllowedError
from netcode.table.people.participants import Participants, alike
from netcode.table.people.seats import Participant, Spectator
from netcode.table.snapshot import MAXIMUM_MUTED, KeptTable

MAXIMUM_MARKS: Final = 3
"""How many marks one letter may have: more would grow over the lines above and below."""

_ESCAPES: Final = re.compile(
    # What a terminal takes for a command, by ECMA-48: control sequences with their parameters,
    # strings to their end, and other escapes.
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)


def harmless(text: str) -> str:
    """Return what of a text can be seen, in one line; empty if that is nothing.

    Left out are terminal escapes, control characters, what changes the direction of writing or
    joins signs invisibly, and marks beyond `MAXIMUM_MARKS` on a letter, or on none.
    """
    kept: list[str] = []
    room_for_marks = 0
    for sign in _ESCAPES.sub("", text):
        if sign.isspace() or sign in BLANK:
            sign = " "
        elif not sign.isprintable():
            continue
        if unicodedata.category(sign)[0] == "M":
            if not room_for_marks:
                continue
            room_for_marks -= 1
        else:
            room_for_marks = 0 if sign == " " else MAXIMUM_MARKS
        kept.append(sign)
    return " ".join("".join(kept).split())


class Conversation:
    """What has been said at one table."""

    def __init__(self) -> None:
        """Begin in silence."""
        self._lines: deque[Line] = deque(maxlen=MAXIMUM_LINES)
        self.said = 0
        """How many lines there have been."""
        # As long as there is the seat or the spectator's place, through all reconnects.
        self._voices: WeakKeyDictionary[Participant, TokenBucket] = WeakKeyDictionary()
        self._networks = Buckets(NETWORK_LINES)
        self._pace = TokenBucket(TABLE_LINES)
        self._muted: dict[str, None] = {}
        """Names, as they look; also of those who are not there, who may come back."""
        self.silenced = False
        """Whether spectators may say nothing."""

    def say(self, participant: Participant, said: Chat, network: str, now: float) -> None:
        """Note a line, which everybody is told; raises NotAllowedError."""
        if alike(participant.name) in self._muted:
            raise NotAllowedError("muted")
        if self.silenced and isinstance(participant, Spectator) and not participant.host:
            raise NotAllowedError("spectators_silenced")
        text = harmless(said.text)
        if not text and said.phrase is None:
            raise NotAllowedError("nothing_said")
        voice = self._voices.setdefault(participant, TokenBucket(LINES))
        if spend(now, voice, self._networks.of(network, now), self._pace):
            raise NotAllowedError("chat_too_fast")
        name, family = participant.name, participant.family
        self._lines.append(Line(name=name, family=family, text=text, phrase=said.phrase))
        self.said += 1

    def since(self, line: int) -> Talk:
        """Return the lines from a number on, as far as they are still known."""
        first = max(line, self.said - len(self._lines))
        return Talk(first=first, lines=self.lines[first - self.said :] if first < self.said else ())

    def mute(self, participants: Participants, name: str, muted: bool) -> None:
        """Let somebody say no more, or again; raises NotAllowedError."""
        looks = alike(name)
        was = looks in self._muted
        if not was and not any(
            alike(participant.name) == looks for participant in participants.everybody
        ):
            raise NotAllowedError("nobody_called", name=name)
        if muted and not was:
            self._mute(looks)
        elif was and not muted:
            del self._muted[looks]

    def _mute(self, looks: str) -> None:
        self._muted[looks] = None
        if len(self._muted) > MAXIMUM_MUTED:
            del self._muted[next(iter(self._muted))]

    def rename(self, before: str, name: str) -> None:
        """Let somebody who is muted be so under another name too; both stay muted."""
        if alike(before) in self._muted:
            self._mute(alike(name))

    def muted(self, participants: Participants) -> tuple[str, ...]:
        """Return who is there and may say nothing."""
        if not self._muted:
            return ()
        return tuple(
            each.name for each in participants.everybody if alike(each.name) in self._muted
        )

    @property
    def all_muted(self) -> tuple[str, ...]:
        """All who may say nothing, there or not, by how their names look."""
        return tuple(self._muted)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The last lines, for somebody who comes."""
        return tuple(self._lines)

    def restore(self, kept: KeptTable) -> None:
        """Go on with those muted who were, and with what was said last."""
        self._lines.extend(kept.talk)
        self.said = kept.said
        self._muted = dict.fromkeys(kept.muted)
        self.silenced = kept.silenced

    def forget(self) -> None:
        """Forget all lines and who is muted, for others; the lines count on."""
        self._lines.clear()
        self._muted.clear()
        self.silenced = False
