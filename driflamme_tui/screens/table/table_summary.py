"""What a table's screen tells besides the cards: who plays, their sums, and what can be done."""

from collections.abc import Sequence

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH
from driflamme_tui.drawing.table_state import Player, TableState
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.key_bar import Key, entry, pair
from engine.events import Event
from engine.ranking import Owners, is_for_two, total
from engine.view import View
from netcode.protocol.messages import Lobby, SeatInfo


def follows(view: View, happened: Sequence[Event], before: View, told: int) -> bool:
    """Whether a view may be of the same game as an earlier one, after which so much was told."""
    return view.families == before.families and told <= len(happened)


def changes(view: View, answered_at: tuple[View, int] | None) -> list[int]:
    """Return how much each seat has won or lost since the reader's last answer."""
    if answered_at is None or view.over:
        return []
    return [now - then for now, then in zip(view.pools, answered_at[0].pools, strict=True)]


def players_of(view: View, lobby: Lobby) -> list[Player]:
    """Return who plays each seat of a view, by the family alone where nobody is known."""
    seats: dict[str | None, SeatInfo] = {
        family: seat for seat in lobby.seats for family in (seat.family, seat.second)
    }
    return [
        Player(seat.name, seat.bot, seat.present, seat.away)
        if (seat := seats.get(family)) is not None
        else Player(family)
        for family in view.families
    ]


def sums(view: View, owners: Owners, players: Sequence[Player]) -> list[str]:
    """Return who has how much, where two players have two families each."""
    if not is_for_two(owners):
        return []
    here, there = sorted(owners, key=lambda owner: owner[0] not in view.viewers)
    return [
        _("{name} {n} : {m} {other}").format(
            name=_("You") if here[0] in view.viewers else players[here[0]].name,
            n=total(view, here),
            m=total(view, there),
            other=players[there[0]].name,
        )
    ]


def table_keys(state: TableState, *, news: bool) -> tuple[list[Key], list[Key]]:
    """Return what the key bar offers, before the chat and after it.

    With `news` something has happened since the reader's last answer.
    """
    glyphs = state.glyphs
    if state.view.over:
        first = [
            entry(TableCommands.result, glyphs),
            entry(TableCommands.replay, glyphs, rank=1),
        ]
    elif state.looking:
        first = [
            pair(TableCommands.left, TableCommands.right, glyphs, _("look along"), rank=1),
            pair(TableCommands.up, TableCommands.down, glyphs, rank=2),
            entry(TableCommands.look_on, glyphs, rank=2),
            entry(TableCommands.back, glyphs, _("stop looking")),
        ]
    elif state.lost:
        first = [entry(TableCommands.retry, glyphs)]
    elif state.paused:
        first = [entry(TableCommands.pause, glyphs, _("go on"))]
    elif state.stood_in:
        first = [entry(TableCommands.confirm, glyphs, _("take your seat"))]
    else:
        first = [
            pair(TableCommands.left, TableCommands.right, glyphs, rank=3),
            entry(TableCommands.back, glyphs, rank=1),
        ]
        if state.question is not None and state.layout.width < COMFORTABLE_WIDTH:
            # Elsewhere the prompt has room to say what confirms, and what that does.
            verb = state.prompter.verb(state.question)
            first.insert(1, entry(TableCommands.confirm, glyphs, verb))
    look = [] if state.looking else [entry(TableCommands.look, glyphs, rank=1)]
    pause = [] if state.paused or state.view.over else [entry(TableCommands.pause, glyphs, rank=4)]
    others = [
        entry(SessionCommands.people, glyphs, rank=2),
        entry(TableCommands.other_hand, glyphs, rank=1),
        entry(TableCommands.known, glyphs, rank=2),
        entry(TableCommands.events, glyphs),
        entry(TableCommands.since, glyphs, rank=1 if state.answerable and news else 3),
        entry(TableCommands.hint, glyphs, rank=1),
        entry(TableCommands.size, glyphs, rank=5),
        *pause,
    ]
    return [*first, *look], others
