"""The chat of a table: its lines, its writers, and limits of their rate.

Strangers write lines, and terminals print them, so `harmless` cleans each line.
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
"""Maximum combining marks on one letter. More would cover the lines above and below."""

_ESCAPES: Final = (
    # Terminal commands by ECMA-48: control sequences with their parameters, strings up to their
    # end, and other escapes.
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)


def harmless(text: str) -> str:
    """Return the visible part of a text as one line; "" if nothing is visible.

    It removes terminal escapes, control characters, and more than `MAXIMUM_MARKS` marks on a
    letter. It also removes invisible characters that join others or change the direction of text.
    """
    kept: list[str] = []
    marks_left = 0
    for sign in re.sub(_ESCAPES, "", text):
        if sign.isspace() or sign in BLANK:
            sign = " "
        elif not sign.isprintable():
            continue
        if unicodedata.category(sign)[0] == "M":
            if not marks_left:
                continue
            marks_left -= 1
        else:
            marks_left = 0 if sign == " " else MAXIMUM_MARKS
        kept.append(sign)
    return " ".join("".join(kept).split())


class Conversation:
    """The chat of one table."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=MAXIMUM_LINES)
        self.line_count = 0
        """Number of lines so far."""
        # An entry stays as long as the seat or the spectator's place, through all reconnects.
        self._voices: WeakKeyDictionary[Participant, TokenBucket] = WeakKeyDictionary()
        self._networks = Buckets(NETWORK_LINES)
        self._pace = TokenBucket(TABLE_LINES)
        self._muted: dict[str, str] = {}
        """The names that the host has muted, and the later name of each person; all in their common
        form (`alike`). Both names are muted, since people may leave and return.
        """
        self.silenced = False
        """True if spectators may not chat."""

    def add(self, participant: Participant, chat: Chat, network: str, now: float) -> None:
        """Add a line of chat to the conversation.

        Raises NotAllowedError if the participant may not chat, if nothing in the text is visible,
        or if lines come too fast.
        """
        if self._is_muted(alike(participant.name)):
            raise NotAllowedError("muted")
        if self.silenced and isinstance(participant, Spectator) and not participant.host:
            raise NotAllowedError("spectators_silenced")
        text = harmless(chat.text)
        if not text and chat.phrase is None:
            raise NotAllowedError("nothing_said")
        voice = self._voices.setdefault(participant, TokenBucket(LINES))
        if spend(now, voice, self._networks.of(network, now), self._pace):
            raise NotAllowedError("chat_too_fast")
        name, family = participant.name, participant.family
        self._lines.append(Line(name=name, family=family, text=text, phrase=chat.phrase))
        self.line_count += 1

    def since(self, line: int) -> Talk:
        """Return the lines from number `line` on that are still stored; the first line is 0."""
        first = max(line, self.line_count - len(self._lines))
        return Talk(
            first=first,
            lines=self.lines[first - self.line_count :] if first < self.line_count else (),
        )

    def mute(self, participants: Participants, name: str, *, is_muted: bool) -> None:
        """Mute or unmute a person.

        Raises NotAllowedError if nobody at the table has the name and the name is not muted.
        """
        looks = alike(name)
        was = self._is_muted(looks)
        if not was and not any(
            alike(participant.name) == looks for participant in participants.everybody
        ):
            raise NotAllowedError("nobody_called", name=name)
        if is_muted and not was:
            self._muted[looks] = looks
            if len(self._muted) > MAXIMUM_MUTED:
                del self._muted[next(iter(self._muted))]
        elif was and not is_muted:
            self._unmute(looks)

    def _is_muted(self, looks: str) -> bool:
        return looks in self._muted or looks in self._muted.values()

    def _unmute(self, looks: str) -> None:
        """Unmute a name. A person who was muted under it, but has another name now, stays muted."""
        later = self._muted.pop(looks, looks)
        self._muted = {muted: now for muted, now in self._muted.items() if now != looks}
        if later != looks:
            self._muted[later] = later

    def rename(self, participants: Participants, before: str, name: str) -> None:
        """Move a person's mute to their new name. The name that the host has muted stays muted.

        Nobody else's mute changes: `participants` tells whose a muted name is. Call this after the
        person got the new name.
        """
        looks, now = alike(before), alike(name)
        moved = [muted for muted, later in self._muted.items() if later == looks]
        if not moved and looks in self._muted and participants.called(self._muted[looks]) is None:
            # The person left under another name and came back.
            moved = [looks]
        self._muted |= dict.fromkeys(moved, now)

    def muted(self, participants: Participants) -> tuple[str, ...]:
        """Return the names of muted participants, including absent players with a seat."""
        if not self._muted:
            return ()
        return tuple(
            each.name for each in participants.everybody if self._is_muted(alike(each.name))
        )

    @property
    def all_muted(self) -> tuple[str, ...]:
        """The names that the host has muted, in their common form, also of people who have left."""
        return tuple(self._muted)

    @property
    def renamed(self) -> dict[str, str]:
        """The later names of muted people who have renamed themselves, by the muted name."""
        return {muted: later for muted, later in self._muted.items() if later != muted}

    @property
    def lines(self) -> tuple[Line, ...]:
        """The last lines, which newcomers receive."""
        return tuple(self._lines)

    def restore(self, kept: KeptTable) -> None:
        """Restore lines, their count, muted names and `silenced` from a stored table."""
        self._lines.extend(kept.talk)
        self.line_count = kept.line_count
        self._muted = {muted: kept.renamed.get(muted, muted) for muted in kept.muted}
        self.silenced = kept.silenced

    def forget(self) -> None:
        """Forget lines and muted names, and let spectators chat. The count of lines continues."""
        self._lines.clear()
        self._muted.clear()
        self.silenced = False
