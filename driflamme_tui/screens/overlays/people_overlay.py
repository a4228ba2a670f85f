"""Shows the people at the table, and lets the host decide about absent or disruptive ones.

The overlay lies above any screen of a table, and follows changes at the table.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, partial

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import PeopleCommands
from driflamme_tui.screens.base.overlay import ListOverlay, confirm
from driflamme_tui.screens.base.screen_face import sections_of
from driflamme_tui.screens.overlays.command_palette import CommandMenu
from driflamme_tui.screens.overlays.invitation_overlay import InvitationOverlay
from driflamme_tui.seat.sections import Offer, Sections, join_commands
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wording.game.names import bot_note
from driflamme_tui.wording.program.latecomer_words import player_of, wish_note, wish_of
from driflamme_tui.wording.program.people_words import notes, refused_in_game, sure_words
from driflamme_tui.wording.program.table_setting import families_of
from netcode.protocol.fields import Message, checked_struct
from netcode.protocol.messages import (
    Absent,
    AnswerWish,
    EndGame,
    Mute,
    NewInvitation,
    Pause,
    SeatInfo,
    SendAway,
    Silence,
)


class Person(Struct, frozen=True):
    """A line of the list: a seat or a spectator."""

    name: str
    seat: SeatInfo | None = None

    @property
    def is_bot(self) -> bool:
        """True if a bot has the seat."""
        return self.seat is not None and self.seat.bot is not None

    @property
    def away(self) -> bool:
        """True if the seat's person is absent. The host can then decide about the seat."""
        return self.seat is not None and self.seat.bot is None and not self.seat.present


class PeopleOverlay(ListOverlay[Person, None], commands=join_commands(PeopleCommands, "people")):
    """Shows everybody at the table, and lets the host decide about them."""

    @cached_property
    def sections(self) -> Sections:
        """The sections of wings on this screen."""
        return sections_of(self)

    def on_mount(self) -> None:
        """Choose the first absent player, for whom the host has probably opened the list.

        If nobody is absent, choose the first line.
        """
        away = (index for index, person in enumerate(self.items) if person.away)
        self.sync()
        self.action_select(next(away, 0))

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. The host's commands need a matching offer."""
        if command.action.startswith("decide"):
            return any(each.command == command for each in self._choices())
        match command:
            case PeopleCommands.decide | PeopleCommands.up | PeopleCommands.down:
                return self.player_seat.is_host
            case PeopleCommands.invitation:
                return self.player_seat.is_open
        return super().is_possible(command)

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("Who is here")

    @property
    def items(self) -> list[Person]:
        """All people and bots, with seats before spectators."""
        seated = [Person(seat.name, seat) for seat in self.lobby.seats]
        return [*seated, *map(Person, self.lobby.spectators)]

    def name_of(self, item: Person) -> object:
        """Return the name of a person."""
        return item.name

    def columns(self) -> tuple[Column[Person], ...]:
        """Return the columns for the person and their state."""
        return Column("", self._who), Column("", self._notes, grows=True)

    def _who(self, person: Person) -> Text:
        if person.seat is None:
            return self.text((person.name, "bold"))
        tags = "".join(map(self.glyphs.tag, families_of(person.seat)))
        return self.text((f"{tags} {person.name}", f"{person.seat.family} bold"))

    def _notes(self, person: Person) -> Text:
        lobby, seat = self.lobby, person.seat
        if seat is None:
            words = [_("watching")]
            words += [_("you")] if person.name == self.player_name and lobby.you is None else []
            words += [_("muted")] if lobby.silenced or person.name in lobby.muted else []
            wish = wish_of(person.name, lobby)
            words += [] if wish is None else [wish_note(wish, lobby)]
        else:
            words = notes(seat, lobby)
        alert = person.away or (seat is not None and seat.away != "no")
        return self.text((comma_list(words), "alert" if alert else "mute"))

    def sync(self) -> None:
        """Redraw everything from the session. Only the host can choose a line."""
        self.listing.can_choose = self.lobby.host
        super().sync()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the facts about the table, the host's options, and the last refusal."""
        refusal = self.player_seat.session.refusal
        refused = refused_in_game(refusal, self.lobby, self.glyphs) if refusal else ""
        lines = self.sections.items(lambda each: [*each.people(), *each.people_by_key()])
        parts = [*map(self.text, lines), *self._decided(), self.text((refused, "alert"))]
        return {"about": Group(Text(), *filter(None, parts))}

    def _decided(self) -> Iterator[Text]:
        """Yield the host's options for the chosen person and for everybody; nothing for a guest."""
        person = self.chosen
        if not self.lobby.host:
            return
        about = [] if person is None else list(self.about(person))
        if person is not None:
            yield self.text((person.name, "heading"))
            if not about:
                yield self.text(f"  {self._person_text(person)}")
        for each in (*about, *self.about_everybody()):
            words = _("{choice} (now)", choice=each.sentence) if each.is_so else each.sentence
            keys = key(each.command, self.glyphs), "bold"
            yield self.clickable(self.text("  ", keys, f"  {words}"), each.command.action)

    def _person_text(self, person: Person) -> str:
        """Return a sentence in place of options: about a bot, or about the reader as the host."""
        if person.seat is None or person.seat.bot is None:
            return _("This is you: others see your name, your family and your connection.")
        return _("A bot decides here by itself. {note}", note=bot_note(person.seat.bot)).strip()

    def about(self, person: Person) -> Iterator[Offer]:
        """Yield the host's options for a person; none for a bot and for the host."""
        lobby, seat, name, commands = self.lobby, person.seat, person.name, PeopleCommands
        if person.is_bot or name == self.player_name:
            return
        if seat is None and (wish := wish_of(name, lobby)) is not None:
            for command, granted, sentence in (
                (commands.grant, True, _("let them have the seat of {name}")),
                (commands.refuse, False, _("leave the seat of {name} to the bot")),
            ):
                answer = AnswerWish(name=name, family=wish.family, granted=granted)
                text = sentence.format(name=player_of(wish.family, lobby))
                yield Offer(command, text, answer)

        def absent(choice: str) -> Message:
            return checked_struct({"family": seat and seat.family, "choice": choice}, Absent)

        # In a wing's kind of game, the host cannot let a bot answer for a person.
        playing = lobby.phase == "playing" and lobby.settings.kind is None
        if playing and seat is not None and person.away:
            yield Offer(
                commands.wait, _("wait for them"), absent("wait"), is_so=seat.away == "wait"
            )
            bot = _("let a bot play until they are back")
            yield Offer(commands.bot, bot, absent("bot"), is_so=seat.away == "bot")
        elif playing and seat is not None and seat.away == "no" and seat == self._seat_to_decide():
            bot = _("let a bot answer if they do not within a minute")
            yield Offer(commands.bot, bot, absent("bot"))
        if seat is not None:
            yield from self.sections.items(lambda each: each.offers(seat))
        if seat is not None and person.away and (playing or lobby.phase == "result"):
            admit = _("let them in from another machine")
            yield Offer(commands.admit, admit, absent("admit"), is_so=seat.admits)
        elif seat is not None or not lobby.silenced:
            muted = name in lobby.muted
            mute = _("let them write again") if muted else _("mute in the chat")
            yield Offer(commands.mute, mute, Mute(name=name, muted=not muted))
        away = _("send them away")
        yield Offer(
            commands.send_away,
            away,
            SendAway(name=name),
            yes="Remove ({key})",
            whom=person,
        )

    def about_everybody(self) -> Iterator[Offer]:
        """Yield the host's options for the table."""
        lobby, commands = self.lobby, PeopleCommands
        if lobby.phase == "playing":
            pause = _("resume the game") if lobby.paused else _("pause the game")
            yield Offer(commands.pause, pause, Pause(paused=not lobby.paused))
            yield Offer(
                commands.end, _("end the game, unfinished"), EndGame(), yes="End it ({key})"
            )
        silence = _("let only players write")
        if lobby.silenced:
            silence = _("let spectators write again")
        yield Offer(commands.silence, silence, Silence(silenced=not lobby.silenced))
        if lobby.secret is not None:
            anew = _("make a new invitation")
            yield Offer(commands.new_invitation, anew, NewInvitation(), yes="Make it ({key})")

    def _choices(self) -> list[Offer]:
        """Return all options that the reader has now; [] unless the reader is the host."""
        person = self.chosen
        if not self.lobby.host:
            return []
        return [*(() if person is None else self.about(person)), *self.about_everybody()]

    def action_decide(self, name: str) -> None:
        """Execute the host's option with this name, if it is available.

        An option that cannot be undone needs a confirmation first.
        """
        for choice in self._choices():
            if choice.command.action != f"decide('{name}')":
                continue
            do = partial(self._decide, choice)
            if choice.yes:
                whom = "" if self.chosen is None else self.chosen.name
                sure = (
                    choice.sure
                    if any(choice.sure)
                    else sure_words(choice.command, whom, self.lobby)
                )
                question = "\n\n".join(sure)
                confirm(self.app, question, do, no="Cancel ({key})", yes=choice.yes)
            else:
                do()

    def _decide(self, choice: Offer) -> None:
        """Execute an option if it is still available."""
        if choice in self._choices():
            self.player_seat.send(choice.message)

    def action_open(self) -> None:
        """Open the command palette, which has the host's options; do nothing for a guest."""
        if self.lobby.host:
            self.app.push_screen(CommandMenu())

    def action_invitation(self) -> None:
        """Open the invitation to this table, if the command is available."""
        if self.can(PeopleCommands.invitation):
            self.app.push_screen(InvitationOverlay())

    def _seat_to_decide(self) -> SeatInfo | None:
        """Return the seat that must answer, if a game is running; otherwise None."""
        view = self.player_seat.session.view
        if view is None or view.over or self.lobby.phase != "playing":
            return None
        family = view.families[view.turn]
        return next((seat for seat in self.lobby.seats if family in families_of(seat)), None)
