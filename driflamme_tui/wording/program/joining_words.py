"""Describes how to join a table: invitations, and the connection."""

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING, Final

from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.text.i18n import _, as_typed
from driflamme_tui.text.signs import Glyphs
from engine.texts import ExplainedError, Text
from netcode.protocol.fields import CODE_LENGTH, PREFIX_LENGTH
from netcode.protocol.refusal_sentences import NO_SEAT, refusal_sentence

if TYPE_CHECKING:
    from netcode.client.reconnection import HostMoved
    from netcode.protocol.messages import Goodbye, Lobby, Refused

_SPELLING: Final = (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel Juliett Kilo Mike November Papa Quebec "
    "Romeo Sierra Tango Victor Whiskey X-ray Yankee Zulu"
)

SPOKEN_LETTERS: Final = {word[0]: word for word in _SPELLING.split()}
"""The international spelling alphabet, which is the same in every language."""

LINK: Final = "driflamme://"
"""Beginning of an invitation that is a link and not a command."""


def written_code(code: str) -> str:
    """Return a spoken code in its written form: `K7Q-F2MXR`."""
    return f"{code[:PREFIX_LENGTH]}-{code[PREFIX_LENGTH:]}"


def spoken_form(code: str) -> str:
    """Return a spoken code as it is spoken: `Kilo 7 Quebec, Foxtrot 2 Mike X-ray Romeo`."""
    words = [SPOKEN_LETTERS.get(sign, sign) for sign in code]
    return f"{' '.join(words[:PREFIX_LENGTH])}, {' '.join(words[PREFIX_LENGTH:])}"


def is_link(invitation: str) -> bool:
    """Return True if an invitation is a link, and not a command to type."""
    return invitation.startswith(LINK)


def in_any_shell(link: str) -> str:
    """Return a link that can be pasted into any shell, if necessary in quotation marks.

    The brackets of an IPv6 address are a pattern for zsh, and a comma separates a list in
    PowerShell. An invitation with a space is a command, which is returned as typed here.
    """
    if " " in link:
        return as_typed(link)
    return f'"{link}"' if set(link) & set("[,") else link


def joining_command(invitation: str) -> str:
    """Return the command that joins by an invitation."""
    if not is_link(invitation):
        return as_typed(invitation)
    return as_typed(f"driflamme join {in_any_shell(invitation)}")


def link_above(link: str) -> str:
    """Return a sentence that explains how to join by a link, for the row below that link."""
    start = "".join(link.strip('"').partition("//")[:2])
    if start == LINK:
        return _("Others join by typing driflamme join and pasting the link above.")
    return _("Or, in a browser, by the link above that begins with {start}", start=start)


def ways_in(lobby: "Lobby") -> Iterator[tuple[str, str, str]]:
    """Yield, for the code and for the link, a heading, the code or link itself, and a note."""
    if lobby.code is not None:
        yield _("Code, on this network:"), written_code(lobby.code), spoken_form(lobby.code)
    if lobby.invitation:
        how = _("Others join by typing this in their terminal:")
        if is_link(lobby.invitation):
            how = _("Others join by typing driflamme join and pasting this link:")
        yield how, in_any_shell(lobby.invitation), ""


TABLE_GONE: Final = frozenset({"host_quit", "no_such_table", "invitation_renewed"})
"""Codes of goodbyes and refusals after which the typed address leads nowhere."""

SEAT_GONE: Final = TABLE_GONE | NO_SEAT
"""Codes with which a host answers that the player has no seat there any more."""


def no_seat_sentence(refused: "Refused | Goodbye") -> str:
    """Return the reason for a refusal, and how to watch the table if that is possible."""
    sentence = refusal_sentence(refused, _)
    if refused.code not in NO_SEAT:
        return sentence
    advice = _("To watch it, type driflamme watch instead of driflamme join.")
    return f"{sentence} {advice}"


def kept_seat_sentence() -> str:
    """Return the sentence for a player whose table is closed, and whose seat is kept."""
    return _(
        "Your table is not open at its address now, but your seat is kept: come back once the host"
        " has opened it again."
    )


def copied_sentence(program: str, copied: str = "") -> str:
    """Return the sentence stating that a text was copied, by a program or by the terminal itself.

    `copied` is a sentence that names the copied thing; "" means any text. No terminal reports
    whether it has copied a text.
    """
    if program:
        return copied or _("Copied with {program}.", program=program)
    advice = _("If pasting gives nothing, select it with Shift and the mouse.")
    return f"{copied or _('Copied.')} {advice}"


def copied_invitation(invitation: str) -> str:
    """Return the sentence stating that the invitation was copied: a link, or else a command."""
    return _("Invitation link copied.") if is_link(invitation) else _("Join command copied.")


def secure_sentence(secure: bool | None) -> str:
    """Return a sentence about the encryption of the connection; "" if `secure` is None."""
    if secure is None:
        return ""
    if secure:
        return _("Encrypted: nobody between the players can read or change what is sent.")
    return _("NOT encrypted: whoever is between you and the host can read your cards.")


def secure_words(secure: bool | None) -> str:
    """Return a word or two about the encryption of the connection; "" if `secure` is None."""
    if secure is None:
        return ""
    return _("encrypted") if secure else _("NOT encrypted")


STEADY_MS: Final = 10
"""Milliseconds by which the latency may change without being drawn again."""
STEADY_PART: Final = 0.25
"""The fraction by which the latency may change without being drawn again."""


def round_trip(latency_ms: int | None, glyphs: Glyphs) -> str:
    """Return the time of the round trip to the host, in ms; "" if it is unknown."""
    if latency_ms is None:
        return ""
    return _("{sign} {n} ms", sign=glyphs.line, n=latency_ms)


def steady_latency(shown: int | None, measured: int | None) -> int | None:
    """Return the measured latency if it differs enough from the shown one, otherwise the latter.

    If one of them is None, return the measured latency.
    """
    if shown is None or measured is None:
        return measured
    little = max(STEADY_MS, shown * STEADY_PART)
    return shown if abs(measured - shown) <= little else measured


def clock_text(seconds: int) -> str:
    """Return a time as minutes and seconds, such as `1:05`."""
    return f"{seconds // 60}:{seconds % 60:02}"


def joining_words() -> str:
    """Return the sentence for a player on the way to a table."""
    return _("Connecting to the table: this takes a few seconds.")


def back_open_sentence(host: str) -> str:
    """Return the sentence stating that the table with the player's seat is open again.

    `host` is the name of its host; "" if unknown.
    """
    if not host:
        return _("The table with your seat is open again: the first row leads there.")
    return _("{host}'s table is open again: the first row leads to your seat.", host=host)


def whole_code(typed: str, prefix: str) -> str | None:
    """Return the whole code with a prefix from typed text; None if its length is wrong.

    The prefix, which the list shows, may be left out. The signs themselves are not checked here.
    """
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) == CODE_LENGTH - PREFIX_LENGTH:
        return prefix + signs
    return signs if len(signs) == CODE_LENGTH else None


def code_again(typed: str, prefix: str) -> str:
    """Return the whole code from typed text, in which the prefix may be left out.

    Raises:
        ExplainedError: The text has a wrong length, or a character that no code has.
    """
    from netcode.joining.spoken_code import parse_code

    code = whole_code(typed, prefix)
    if code is None:
        sentence: Text = "Type the five characters after {prefix}, or all {n}."
        raise ExplainedError(sentence, prefix=prefix, n=CODE_LENGTH)
    return parse_code(code)


def new_link_sentence(invitation: str) -> str:
    """Return the sentence for a host whose machine has a new address, and so a new link."""
    sentence = _("This machine's addresses have changed, and the invitation with them: {link}")
    return sentence.format(link=in_any_shell(invitation))


def has_new_address(before: str, invitation: str) -> bool:
    """Return True if an invitation lacks an address of an earlier one.

    An invitation that only adds addresses leads to the table as before. Returns False if either is
    "", and True if they differ and one is no link.
    """
    if before == invitation or not (before and invitation):
        return False
    # Import here: a game against bots needs no invitations, and starts faster without them.
    from netcode.joining.invitation import InvitationError, parse_invitation

    try:
        former, present = (parse_invitation(each).ways for each in (before, invitation))
    except InvitationError:
        return True
    return not {*former} <= {*present}


def new_address_sentence(people: str, invitation: str) -> str:
    """Return the host's sentence after a change of address: players may need a new invitation.

    `people` is the key that opens the list of people; `invitation` is a key in that list.
    """
    return _(
        "This machine has a new address. Players who do not return need the new "
        "invitation: {people}, then {invitation}.",
        people=people,
        invitation=invitation,
    )


UNREACHED_ATTEMPT: Final = 5
"""The number of the attempt from which on the host probably has a new address, or is gone."""


def unreached_sentence() -> str:
    """Return the advice for a player while the host stays out of reach."""
    return _(
        "The host may have a new address that is not announced here: ask for the new "
        "link, quit and join by it. You keep your seat."
    )


def moved_sentence(moved: "HostMoved") -> str:
    """Return the sentence stating that the host was found at a new address."""
    text = _("The host has a new address, {address}: your program has found it.")
    return text.format(address=moved.address)


def closed_sentence() -> str:
    """Return the sentence stating that the host has closed the table for now."""
    return _(
        "The host has closed the table for now. You are reconnected as soon as it is open again."
    )


def lost_title(lost: LostConnection, now: float) -> str:
    """Return the sentence about a lost connection, with the time of the next attempt.

    If the host has closed the table for now, the sentence has this reason. Otherwise, from the
    second attempt on, the sentence is that the host does not answer.
    """
    left = ceil(lost.retry_at - now)
    if lost.is_closed:
        if left <= 0:
            return _("CLOSED BY THE HOST FOR NOW — trying now")
        return _("CLOSED BY THE HOST FOR NOW — trying again in {n} s", n=left)
    if left <= 0:
        text: Text = "HOST DOES NOT ANSWER — trying now, attempt {attempt}"
        if lost.attempt == 1:
            text = "CONNECTION LOST — trying now, attempt {attempt}"
    else:
        text = "HOST DOES NOT ANSWER — trying again in {n} s, attempt {attempt}"
        if lost.attempt == 1:
            text = "CONNECTION LOST — trying again in {n} s, attempt {attempt}"
    return _(text, n=left, attempt=lost.attempt)
