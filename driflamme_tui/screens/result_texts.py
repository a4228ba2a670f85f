"""What the result says, in parts: everybody's figures, what decided it, all cards, who plays on."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from driflamme_tui.drawing.statistics_texts import length_bar
from driflamme_tui.model.game_progress import progress_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.screens.base.page import Page
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import card_name, family_name
from driflamme_tui.wording.game.result_words import tie_break, turning_point
from engine import words
from engine.cards import Seat
from engine.events import Eliminated, Event
from engine.position import cards_in
from engine.ranking import (
    Owner,
    Owners,
    each_alone,
    is_for_two,
    owner_of,
    ranking_of_owners,
    total,
    total_in_queue,
)
from engine.view import View


class RankingLine(Struct, frozen=True):
    """One line of the ranking: of a player with all their seats, or of one seat."""

    place: int
    """0 for a seat of a player who stands above it with all of theirs."""
    seat: Seat
    """Of a player with several, the first."""
    influence: int
    lost: int
    """Influence that was still on cards, which does not count."""
    queued: int
    """Own cards in the Queue, covered ones too: the tie-break."""
    eliminated: int
    """Cards that this seat's cards eliminated."""
    best: int
    """The most that one card's resolution brought; 0 where that is not known."""


def ranking_lines(
    view: View, events: Sequence[Event], owners: Owners | None = None
) -> list[RankingLine]:
    """Return the ranking of a finished game, best first.

    Where players have two families each, a line for each family follows their own.
    """
    lines = []
    went = progress_of(events, view.pools)

    def line(place: int, own: Owner) -> RankingLine:
        lost = sum(
            influence
            for stack in view.queue
            if stack[0] in own
            for _card, _face_up, influence in cards_in(stack)
        )
        kills = sum(isinstance(event, Eliminated) and event.seat in own for event in events)
        best = max(went.best(seat) for seat in own) if went is not None else 0
        queued = total_in_queue(view, own)
        return RankingLine(place, own[0], total(view, own), lost, queued, kills, best)

    place = 1
    for shared in ranking_of_owners(view, owners or each_alone(view.players)):
        for own in shared:
            lines.append(line(place, own))
            if own[1:]:
                lines += [line(0, (seat,)) for seat in own]
        place += len(shared)
    return lines


FULL_WIDTH: Final = 70
"""Columns from which the ranking has bars."""

DOUBTS: Final[dict[str, words.Text]] = {"unproven": "unproven", "cheated": "cheated"}
"""What is said instead of a bar of who has not shown all cards, or has cheated."""


class ResultTexts(Struct, frozen=True, kw_only=True):
    """A finished game, to be told in parts."""

    view: View
    names: Sequence[str]
    """Of the players, by seat."""
    owners: Owners
    events: Sequence[Event]
    """All of the game."""
    playback: Playback | None
    """The game to look back at; None while there is no record of it."""
    verdicts: Sequence[str]
    """What is known of each player's cards in a sealed game; empty of any other."""
    page: Page
    """Makes texts of pieces."""

    @property
    def _glyphs(self) -> Glyphs:
        return self.page.glyphs

    def _tag(self, seat: Seat) -> tuple[str, str]:
        family = self.view.families[seat]
        return self._glyphs.tag(family), f"{family} bold"

    def ranking(self, grown: float) -> Table:
        """Return a bar and figures for everybody; bars have so much of their length."""
        text, view = self.page.text, self.view
        ranked = ranking_lines(view, self.events, self.owners)
        most = max(line.influence for line in ranked)
        labels = (_("influence"), _("on cards"), _("in Queue"), _("eliminated"), _("best"))
        narrow = self.page.size.width < FULL_WIDTH
        table = self.page.grid(1 if narrow else 2, 1 if narrow else 2)
        table.expand, table.columns[-1].ratio = True, 1
        for label in labels:
            table.add_column(justify="right", min_width=max(map(cell_len, label.split())))
        blank = [""] if narrow else ["", ""]
        table.add_row(*blank, *(text((label, "heading")) for label in labels))
        for line in ranked:
            (tag, hue), role = self._tag(line.seat), "bold" if line.place == 1 else "plain"
            name = self.names[line.seat]
            if line.seat in view.viewers:
                name = _("{name} (you)", name=name)
            who = text((f"{tag} {name}", hue))
            if is_for_two(self.owners):
                # The player's own line says whose; those below it, which family.
                family = f"  {tag} {family_name(view.families[line.seat])}"
                who = text((name, "bold")) if line.place else text((family, hue))
            doubt = _(DOUBTS.get(self.verdicts[line.seat], "")) if self.verdicts else ""
            length = length_bar(text, line.influence * grown, most, self._glyphs, hue)
            told = text((doubt, "alert"))
            place = text((f"{line.place}. " if line.place else "", role), who)
            head = [text(place, " " * bool(doubt), told)] if narrow else [place, told or length]
            best = f"+{line.best}" if line.best else self._glyphs.nothing
            table.add_row(
                *head,
                text((str(round(line.influence * grown)), "bold")),
                *(
                    text((str(value), role))
                    for value in (line.lost, line.queued, line.eliminated, best)
                ),
            )
        return table

    def legend(self) -> Text:
        """Return why of two with as much influence one stands above the other, and what is best."""
        best = _("best: the most that one card brought")
        for line in ranking_lines(self.view, (), self.owners):
            doubted = self.verdicts and self.verdicts[line.seat] in DOUBTS
            tie = tie_break(self.view, owner_of(self.owners, line.seat), self.owners)
            if line.place and tie and not doubted:
                best = f"{line.place}. {tie} {self._glyphs.separator} {best}"
                break
        return self.page.text((best, "mute"))

    def moments(self) -> Text:
        """Return what decided the game; each moment is shown in the replay when it is clicked."""
        if self.playback is None or not self.playback.turning_points:
            return Text()
        text, families = self.page.text, self.view.families
        lines = [
            text(
                (_("DECISIVE MOMENTS"), "heading"),
                ("  " + _("its number shows each in the replay"), "mute"),
            )
        ]
        for number, point in enumerate(self.playback.turning_points.values(), 1):
            told = " ".join(turning_point(point, self.names, families, self.owners))
            action = f"moment('{number}')"
            lines.append(
                text(self.page.link(f"{number}  ", action, "bold"), self.page.link(told, action))
            )
        return Text("\n").join(lines)

    def cards(self) -> Table:
        """Return all that lies open now."""
        text, view = self.page.text, self.view
        table = self.page.grid(4, 2)
        labels = (_("LAID OPEN"), _("last"), _("aside"), _("Queue"))
        table.add_row(*(text((label, "heading")) for label in labels))
        for seat in range(view.players):
            queued = "".join(
                card
                for stack in view.queue
                if stack[0] == seat
                for card, _face_up, _influence in cards_in(stack)
            )
            groups = (view.hands[seat], view.aside[seat], queued)
            names = (", ".join(map(card_name, cards)) or self._glyphs.nothing for cards in groups)
            table.add_row(text(self._tag(seat)), *map(text, names))
        return table

    def values(self) -> Table | None:
        """Return everybody's influence after each round."""
        if self.playback is None:
            return None
        replay, text = self.playback.replay, self.page.text
        shown = [replay.pools(step) for step in (*replay.rounds, replay.last)]
        table = self.page.grid(1 + len(shown), 2)
        for column in table.columns[1:]:
            column.justify = "right"
        rounds = (_("start"), *map(str, range(1, len(shown))))
        table.add_row("", *(text((label, "mute")) for label in rounds))
        for own in (own for shared in ranking_of_owners(self.view, self.owners) for own in shared):
            sums = (str(sum(pools[seat] for seat in own)) for pools in shown)
            table.add_row(text(*(self._tag(seat) for seat in own)), *map(text, sums))
        return table
