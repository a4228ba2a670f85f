"""Builds sentences about sealed play: the deal, actions of players' programs, votes and the end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.game.names import all_of
from engine.texts import Text
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    # Import only for types: only a sealed table has notices.
    from netcode.wings.sealed.news import Notice, SealedNews

_STOPPED: Final[Text] = "Nothing is dealt; the host can begin another deal."
_SPENT: Final[Text] = "It does not count, and the others may vote to continue without an answer."
_CONVICTED: Final[Text] = (
    "Your program has the proof. The game continues, and the cheater finishes last."
)
_FROZEN: Final[Text] = "Your program has the proof. The game cannot continue and stays unfinished."

_APART: Final[Text] = (
    "If there is another table, your chat does not reach it, and your moves may not either."
)

_OTHER_DEAL: Final[Text] = "The host's program describes the deal differently from the lobby."
_BAD_KEYS: Final[Text] = "A key in this deal is not valid, so it would prove nothing."
_CHANGED: Final[Text] = "{name}'s program has changed its part of the deal."
_OUT_OF_TURN: Final[Text] = "{name}'s program has answered out of turn."
_NOT_SHOWN: Final[Text] = "{name}'s program has answered before showing its eliminated card."
_UNREQUESTED: Final[Text] = "{name}'s program has shown a card that nobody asked for."
_UNKNOWN: Final[tuple[Text, Text]] = ("An invalid message arrived and was refused.", "")

_SENTENCES: Final[dict[str, tuple[Text, Text]]] = {
    "bad_sealing": (_OTHER_DEAL, _STOPPED),
    "other_table": (_OTHER_DEAL, _STOPPED),
    "wrong_first": (_OTHER_DEAL, _STOPPED),
    "not_my_seats": (_OTHER_DEAL, _STOPPED),
    "too_few_persons": (_OTHER_DEAL, _STOPPED),
    "equal_keys": (_BAD_KEYS, _STOPPED),
    "weak_key": (_BAD_KEYS, _STOPPED),
    "sealed_already": (_BAD_KEYS, _STOPPED),
    "other_rules": ("The host's program has other rules: upgrade both programs.", _STOPPED),
    "broken_hidden": ("The host's program hides a deal that was cancelled.", _STOPPED),
    "too_many_broken": ("Eight deals were cancelled: close the table and open it again.", ""),
    "deal_missing": (
        "Nothing has arrived for 10 seconds from {names}: their part of the deal is missing.",
        "Ask these players. Either their program is silent, or the host withholds it "
        "or shows another deal.",
    ),
    "program_silent": (
        "{name}'s program has not confirmed the last answer for 10 seconds.",
        "Ask {name}: either the program is silent, or the host withholds something from it.",
    ),
    "host_silent": (
        "The host, {name}, has not answered your program for 10 seconds.",
        "Ask the others how far they are: the host may withhold their answers from you.",
    ),
    "two_seals": ("{name}'s program has sealed two hands in one deal.", _STOPPED),
    "equal_leaves": ("The same card was sealed twice, by {names}.", _STOPPED),
    "wrong_nonce": (_CHANGED, _STOPPED),
    "two_deals": (_CHANGED, _STOPPED),
    "different_seals": ("Not everybody received the same deal.", _STOPPED),
    "two_contents": ("{name}'s program has signed two answers to one question.", _FROZEN),
    "two_votes": ("{name}'s program has voted both for and against one answer.", _FROZEN),
    "contradiction": ("Voted for and against the same answer: {names}.", _FROZEN),
    "key_missing": ("This program does not have the key of your seat: it can only watch.", ""),
    "no_votes_at_two": ("{name}'s program has answered against the rules.", _FROZEN),
    "false_opening": (
        "{name}'s program has shown a card that it did not seal.",
        _CONVICTED,
    ),
    "card_twice": ("{name}'s program has sealed a card twice in one family.", _CONVICTED),
    "illegal": ("{name}'s program has answered against the rules.", _SPENT),
    "not_your_turn": (_OUT_OF_TURN, _SPENT),
    "no_game": (_OUT_OF_TURN, _SPENT),
    "opening_due": (_NOT_SHOWN, _SPENT),
    "opening_owed": (_NOT_SHOWN, _SPENT),
    "no_opening_due": (_UNREQUESTED, _SPENT),
    "wrong_leaf": (_UNREQUESTED, _SPENT),
    "voted_default": (
        "{names} voted that {name} has not answered.",
        "The first answer that the rules allow counts.",
    ),
    "late_answer": ("{name}'s answer came after the vote: it does not count.", ""),
    "withheld": (
        "{name}'s reveal came after the vote: it was held back on its way to {names}, the host.",
        "Whoever held it back may have seen the card first.",
    ),
    "struck_unopened": (
        "{names} voted that {name} did not show the eliminated card: it leaves the game unseen.",
        "What an Ambush would bring is paid in the end, once it is shown.",
    ),
    "went_back": (
        "{name}'s answer did not reach {names}: the game goes back to that question.",
        "",
    ),
    "taken_over": ("{names} is gone. {name} hosts now.", ""),
    "taken_over_here": (
        "{names} is gone. You host now, and nobody has reached you yet.",
        "",
    ),
    "hosts_now": ("{name} hosts now.", ""),
    "split": (
        "The game is split: this table, which {name} hosts, continues without {names}.",
        _APART,
    ),
    "split_here": ("The game is split: you host this table, without {names}.", _APART),
    "whole": ("The game is at one table again, which {name} hosts.", ""),
}
"""Two sentences for each code of a notice: the event, and its consequence."""


def notice_sentence(notice: "Notice") -> str:
    """Return the sentence of a notice: the person, the event, and the consequence now."""
    return f"{_what(notice)} {_what_now(notice)}".strip()


def what_happened(code: str, name: str, names: str = "") -> str:
    """Return the event of a notice or proof with this code, in a sentence.

    `name` is the player concerned, and `names` are the other players; "" becomes "Somebody". An
    unknown code has a general sentence.
    """
    what, _now = _SENTENCES.get(code, _UNKNOWN)
    return _(what, name=name or _("Somebody"), names=names or _("Somebody"))


def _what(notice: "Notice") -> str:
    names = notice.values.get("names")
    who = all_of([*map(str, names)]) if isinstance(names, tuple) else ""
    return what_happened(notice.code, notice.name, who)


def _what_now(notice: "Notice") -> str:
    _what, now = _SENTENCES.get(notice.code, _UNKNOWN)
    return now and _(now, name=notice.name or _("Somebody"))


def is_dealing(lobby: Lobby) -> bool:
    """Return True while a sealed table deals. Hosts may send `dealing` at other tables too."""
    return lobby.settings.sealed and lobby.dealing is not None


def dealing_sentence(news: "SealedNews | None", lobby: Lobby) -> str:
    """Return a sentence about the missing parts of a deal, or its last notice.

    Returns "" if no deal is being made.
    """
    if not is_dealing(lobby):
        return ""
    if news is not None and news.notices:
        return _what(news.notices[-1])
    names = all_of(lobby.dealing or ())
    if not names:
        return _("The cards are being sealed.")
    return _("Still missing for the deal, says {host}: {names}.", names=names, host=lobby.host_name)


def lobby_note(news: "SealedNews | None", lobby: Lobby) -> str:
    """Return the effect of an absence or, during a deal, the reader's options.

    Returns "" at ordinary tables, and for a guest in a deal without notices.
    """
    if not lobby.settings.sealed:
        return ""
    if lobby.dealing is None:
        return absent_sentence(lobby)
    if lobby.host:
        return _(
            "{key} shows who is here, and there you can cancel this deal.",
            key=key(SessionCommands.people),
        )
    return _what_now(news.notices[-1]) if news is not None and news.notices else ""


def digits_sentence(news: "SealedNews | None") -> str:
    """Return the digits of a deal, and their purpose; "" before there are any."""
    if news is None or news.digits is None:
        return ""
    return _(
        "Sealed {digits}. Read them aloud: everybody must have the same digits.", digits=news.digits
    )


def absent_sentence(lobby: Lobby) -> str:
    """Return a sentence about the effect of a person's absence at a sealed table."""
    return without_one(sum(seat.bot is None for seat in lobby.seats))


def without_one(people: int) -> str:
    """Return a sentence about the effect of one person's absence at a table of `people`."""
    if people < 3:
        return _("If one of two people leaves, everybody waits: no bot answers in their place.")
    return _("If somebody is gone, the others can vote to continue without them.")


def takeover_sentence(lobby: Lobby, *, leaving: bool = False) -> str:
    """Return a sentence about the machines on which a sealed table can continue without its host.

    With `leaving` the reader counts as gone too. Returns "" at ordinary tables, and for a person
    alone.
    """
    if not lobby.settings.sealed or sum(seat.bot is None for seat in lobby.seats) < 2:
        return ""
    own = lobby.your_seat if leaving else None
    gone = (lobby.host_name, "" if own is None else own.name)
    names = [name for name in lobby.successors if name not in gone]
    if names:
        return _("If the host is gone, the table moves to: {names}.", names=all_of(names))
    return _("If the host is gone, the game stops: no other machine can be reached.")


def takeover_help(lobby: Lobby) -> str:
    """Return a sentence about the way to let a sealed table continue without its host.

    Returns "" if it already can, and at tables that cannot move at all.
    """
    if not takeover_sentence(lobby) or set(lobby.successors) - {lobby.host_name}:
        return ""
    return _("The table moves automatically within one network, or if a club's server hosts.")


def player_takeover_sentence(lobby: Lobby, name: str, key: str) -> str:
    """Return a sentence about moving the table to the reader's machine, with the key to choose.

    Returns "" at ordinary tables, during a game, and for readers without a seat.
    """
    if not lobby.settings.sealed or lobby.you is None or lobby.phase == "playing":
        return ""
    text: Text = "The table may not move to your machine: {key} allows it."
    if name in lobby.successors:
        text = "The table may move to your machine: {key} forbids it."
    return _(text, key=key)


def bots_sentence(lobby: Lobby) -> str:
    """Return a sentence about the machine that plays the bots; "" for a table without bots."""
    if all(seat.bot is None for seat in lobby.seats):
        return ""
    return _("The machine of {name} runs the bots, and knows their cards.", name=lobby.host_name)


def vote_words(news: "SealedNews | None", about: str) -> tuple[str, str]:
    """Return the reason why a sealed game waits, and the effect of a vote by the key `{key}`.

    The effect is "" if the reader has no vote to cast. Both are "" if the game does not wait.

    Args:
        news: The sealed game's news from the reader's own program.
        about: The name of the player who is asked.
    """
    if news is None:
        return "", ""
    name, hint, text = news.missed or about, "", ""
    if name in news.left_be:
        text, hint = _("{name} is away: your program votes each time."), _("{key} stops that")
    elif name in news.away:
        text = _("{name} is away: shall your program vote at once, each time?")
        hint = _("{key} votes each time")
    elif news.is_vote_wanted:
        text = _(
            "{name} is not answering. Continue without this answer, if enough players vote for it?"
        )
        if news.struck_of:
            text = _("Continue without it, if enough players vote for it?")
        hint = _("{key} votes this once")
    elif news.vote_about is not None:
        text = _("You have voted to continue without {name}'s answer.")
        if news.struck_of:
            text = _("You have voted to continue without it.")
    if news.struck_of:
        awaited = _("The answer has arrived; waiting for {name}'s eliminated card.")
        text = f"{awaited} {text}".strip()
    return text.format(name=name), hint


def verdict_sentence(news: "SealedNews | None", names: Sequence[str]) -> str:
    """Return sentences about cheaters and missing proofs, or that everything is proven.

    Returns "" until there are verdicts.
    """
    if news is None or not news.verdicts:
        return ""
    sentences = []
    for verdict, sentence in (
        ("cheated", _("Proven to have cheated: {names}.")),
        ("unproven", _("Not proven, as not all cards were shown: {names}.")),
        ("unfinished", _("Not finished, so nothing is proven: {names}.")),
    ):
        who = [name for name, of in zip(names, news.verdicts, strict=False) if of == verdict]
        if who:
            sentences.append(sentence.format(names=all_of(list(dict.fromkeys(who)))))
    sentences = sentences or [_("The deal and every move are proven.")]
    if news.broken:
        sentences.append(deals_broken(news.broken))
    return " ".join(sentences)


def deals_broken(n: int) -> str:
    """Return the number of earlier incomplete deals of this table, as a sentence."""
    return ngettext("{n} deal was cancelled before.", "{n} deals were cancelled before.", n)


def sealed_lines(news: "SealedNews | None", lobby: Lobby) -> list[str]:
    """Return sentences on the digits, convictions, the last notice, and possible new hosts."""
    notices: list[Notice] = []
    if news is not None:
        # Convictions are always shown, even if newer notices follow them.
        last = (each for each in news.notices[-1:] if each not in news.convictions)
        notices = [*news.convictions, *last]
    takeover_text = f"{takeover_sentence(lobby)} {takeover_help(lobby)}".strip()
    lines = digits_sentence(news), *map(notice_sentence, notices), takeover_text
    return [line for line in lines if line]
