"""Builds the texts of a replay: the eyes, and the reasons why a key has no effect."""

from driflamme_tui.text.i18n import _
from engine.replaying import ALL, PUBLIC, Eyes


def eyes_sentence(eyes: Eyes, names: tuple[str, ...]) -> str:
    """Return the sentence that names the shown knowledge: all cards, the public's, or a seat's."""
    if eyes is ALL:
        return _("All cards are open.")
    if eyes is PUBLIC:
        return _("Seen as everybody at the table could see it.")
    assert isinstance(eyes, int)
    return _("Seen as {name} could see it.", name=names[eyes])


def no_more(by: int) -> str:
    """Return the sentence stating that there is no further step of the wanted kind."""
    if by > 0:
        return _("There is none after this step.")
    return _("There is none before this step.")


def not_found(token: str) -> str:
    """Return the sentence stating that the chosen eyes see no decision with this token."""
    return _("No decision that this seat can see matches {token}.", token=token)


def nothing_to_teach(decided: str, judged: str) -> str:
    """Return the reason why a step is not judged: it is the deal, or another seat's decision.

    `decided` is the name of the player who decided, "" for the deal. `judged` is the viewer's name.
    """
    if not decided:
        return _("Nobody has decided anything yet: the teacher comments on what comes next.")
    text = _("{name} decided here; the teacher comments only on decisions of {other}.")
    return text.format(name=decided, other=judged)
