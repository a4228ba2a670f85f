"""Builds the texts of the result: everybody's figures, the decisive moments, and all cards."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from driflamme_tui.drawing.statistics_texts import length_bar
from driflamme_tui.model.game_progress import progress_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.screens.base.list_page import Page
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import card_name, family_name
from driflamme_tui.wording.game.result_words import tie_break, turning_point
from driflamme_tui.wording.program.past_game_words import names_at_decision
from engine.cards import Seat
from engine.events import Eliminated, Event
from engine.position import cards_in
from engine.ranking import (
    Owner,
    Owners,
    is_for_two,
    owner_of,
    ranking_of_owners,
    total,
    total_in_queue,
)
from engine.views import View

FULL_WIDTH: Final = 70
"""Minimum columns of the screen for bars in the ranking."""

LEAST_BAR: Final = 4
"""Minimum columns of a bar."""

MARGINS: Final = 4
"""Columns of the screen beside the ranking: the padding and the scrollbar."""


class ResultTexts(Struct, frozen=True, kw_only=True):
    """Builds the texts that describe a finished game, one method for each part."""

    view: View
    names: Sequence[str]
    """The names of the players, by seat."""
    levels: Sequence[str]
    """The level of each seat's bot; "" for a person."""
    owners: Owners
    events: Sequence[Event]
    playback: Playback | None
    """The replay of the game; None without a record."""
    doubts: Sequence[str]
    """For each seat, the reason why its result is in doubt, which is shown in place of the bar; ""
    for a seat without a doubt.

    Empty if no result is in doubt.
    """
    page: Page
    """Builds texts from pieces."""

    @property
    def _glyphs(self) -> Glyphs:
        return self.page.glyphs

    def _tag(self, seat: Seat) -> tuple[str, str]:
        family = self.view.families[seat]
        return self._glyphs.tag(family), f"{family} bold"

    def _ranked(self) -> Iterator[tuple[int, Owner]]:
        """Yield everybody's place and seats, best first.

        For a player with two families, each family alone follows with place 0.
        """
        place = 1
        for shared in ranking_of_owners(self.view, self.owners):
            for own in shared:
                yield place, own
                yield from ((0, (seat,)) for seat in (own if own[1:] else ()))
            place += len(shared)

    def _figures(self, own: Owner) -> Iterator[str]:
        """Yield influence on cards, cards in the Queue, eliminations, and the best card.

        The second figure breaks ties. The last figure is the influence that the most successful
        card brought, or a sign for nothing.
        """
        view, went = self.view, progress_of(self.events, self.view.pools)
        queued = (cards_in(stack) for stack in view.queue if stack[0] in own)
        yield str(sum(influence for cards in queued for _card, _face_up, influence in cards))
        yield str(total_in_queue(view, own))
        yield str(sum(isinstance(each, Eliminated) and each.seat in own for each in self.events))
        best = max(map(went.best, own)) if went is not None else 0
        yield f"+{best}" if best else self._glyphs.nothing

    def _doubt(self, seat: Seat) -> str:
        return self.doubts[seat] if self.doubts else ""

    def ranking(self, grown: float) -> Table:
        """Return a table of everybody's figures, with bars unless the screen is narrow.

        `grown` is the present part of the bars' full length.
        """
        text, view = self.page.text, self.view
        most = max(total(view, own) for _place, own in self._ranked())
        labels = (_("influence"), _("on cards"), _("in Queue"), _("eliminated"), _("best"))
        narrow = self.page.size.width < FULL_WIDTH
        gap = 1 if narrow else 2
        table = self.page.grid(1 if narrow else 2, gap)
        table.expand, table.columns[-1].ratio = True, 1
        # A doubt stands in the place of a bar, in one row.
        least = max([LEAST_BAR, *map(cell_len, self.doubts)])
        if not narrow and least > LEAST_BAR:
            # For a column with a ratio, this is the minimum width.
            table.columns[-1].width = least
        for label in labels:
            table.add_column(justify="right", min_width=max(map(cell_len, label.split())))
        blank, widest = [""] if narrow else ["", ""], 0
        table.add_row(*blank, *(text((label, "heading")) for label in labels))
        for place, own in self._ranked():
            seat, influence = own[0], total(view, own) * grown
            (tag, hue), role = self._tag(seat), "bold" if place == 1 else "plain"
            name = self.names[seat]
            if seat in view.viewers:
                name = _("{name} (you)", name=name)
            level = f" {self.levels[seat]}" if self.levels[seat] and place else ""
            who = text((f"{tag} {name}", hue), (level, "mute"))
            if is_for_two(self.owners):
                # A player's first line has the name, and the lines below it have the families.
                family = f"  {tag} {family_name(view.families[seat])}"
                who = text((name, "bold"), (level, "mute")) if place else text((family, hue))
            doubt = text((self._doubt(seat), "alert"))
            who = text((f"{place}. " if place else "", role), who)
            bar = doubt or length_bar(text, influence, most, self._glyphs, hue)
            who = text(who, " " * bool(doubt), doubt) if narrow else who
            widest = max(widest, who.cell_len)
            head = [who] if narrow else [who, bar]
            figures = (text((each, role)) for each in self._figures(own))
            table.add_row(*head, text((str(round(influence)), "bold")), *figures)
        space = self.page.size.width - MARGINS - (0 if narrow else least + gap)
        space -= len(labels) * gap
        if widest + sum(map(cell_len, labels)) > space:
            # Wrap the labels above the figures rather than any name.
            for column in table.columns[-len(labels) :]:
                column.width = column.min_width
                space -= column.min_width or 0
            table.columns[0].width = min(widest, space)
        return table

    def legend(self) -> Text:
        """Return the meaning of "best", after the reason that broke a tie, if there was a tie."""
        best = _("best: the most that one card brought")
        for place, own in self._ranked():
            tie = tie_break(self.view, owner_of(self.owners, own[0]), self.owners)
            if place and tie and not self._doubt(own[0]):
                best = f"{place}. {tie} {self._glyphs.separator} {best}"
                break
        return self.page.text((best, "mute"))

    def moments(self) -> RenderableType:
        """Return the decisive moments, each a link to the replay; an empty text without moments."""
        if self.playback is None or not self.playback.turning_points:
            return Text()
        families, table = self.view.families, self.page.grid(2, 2)
        heading = self.page.text(
            (_("DECISIVE MOMENTS"), "heading"),
            ("  " + _("press its number to see it in the replay"), "mute"),
        )
        record = self.playback.replay.record
        for number, (step, point) in enumerate(self.playback.turning_points.items(), 1):
            # A latecomer did not make the earlier moves, which a bot made in the same seat.
            names = names_at_decision(record, step) if record.players else self.names
            sentence = " ".join(turning_point(point, names, families, self.owners))
            action = f"moment('{number}')"
            table.add_row(
                self.page.link(str(number), action, "bold"), self.page.link(sentence, action)
            )
        return Group(heading, table)

    def cards(self) -> Table:
        """Return a table of everybody's cards at the end: in hand, set aside, and in the Queue."""
        text, view = self.page.text, self.view
        table = self.page.grid(4, 2)
        labels = (_("ALL CARDS"), _("in hand"), _("set aside"), _("in Queue"))
        table.add_row(*(text((label, "heading")) for label in labels))
        for seat in range(view.players):
            queued = "".join(
                card
                for stack in view.queue
                if stack[0] == seat
                for card, _face_up, _influence in cards_in(stack)
            )
            groups = (view.hands[seat], view.aside[seat], queued)
            names = (
                comma_list([card_name(card) for card in cards]) or self._glyphs.nothing
                for cards in groups
            )
            table.add_row(text(self._tag(seat)), *map(text, names))
        return table

    def values(self) -> Table | None:
        """Return everybody's influence after each round; None without a record of the game."""
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
