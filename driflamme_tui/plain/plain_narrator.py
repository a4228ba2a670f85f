"""Builds the lines for a player without a screen: all news, and the questions.

This module writes nothing: `news` returns the lines.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from driflamme_tui.model.earlier_views import view_before
from driflamme_tui.model.lobby_change import change_between
from driflamme_tui.model.pending_question import Option, Question, Step
from driflamme_tui.plain.described_table import queue_in_brief, table_sentences, with_text
from driflamme_tui.plain.plain_face import PlainFace
from driflamme_tui.plain.wing_lines import TableChoice, choice_for
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.sections import Sections
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.choices.answer_words import answer_label
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter
from driflamme_tui.wording.game.card_texts import card_summary
from driflamme_tui.wording.game.event_words import TableNames, event_sentences, table_names
from driflamme_tui.wording.game.names import (
    bot_name,
    bot_note,
    card_name,
    family_name,
    spoken_names,
)
from driflamme_tui.wording.game.result_words import ranking_lines, standing_lines
from driflamme_tui.wording.program import people_words as phrase_words
from driflamme_tui.wording.program.evening_words import (
    again_words,
    evening_sentence,
    start_words,
)
from driflamme_tui.wording.program.holder_words import holder_sentences
from driflamme_tui.wording.program.joining_words import (
    UNREACHED_ATTEMPT,
    closed_sentence,
    in_any_shell,
    joining_command,
    moved_sentence,
    new_link_sentence,
    unreached_sentence,
    written_code,
)
from driflamme_tui.wording.program.latecomer_words import (
    bots_seats,
    seated_sentence,
    taken_seats,
    taken_sentence,
    typed_offer_sentence,
    typed_question_sentence,
    waiting_sentence,
    wish_sentence,
)
from driflamme_tui.wording.program.people_words import (
    absence,
    contradiction_sentence,
    ended_sentence,
    guessing_sentence,
    has_stand_ins,
    levels_of,
    notes,
    paused_sentence,
    refused_in_game,
)
from driflamme_tui.wording.program.settings_words import changed_settings, free_families
from driflamme_tui.wording.program.table_setting import families_of
from engine.events import (
    Discarded,
    Eliminated,
    Event,
    GameEnded,
    Moved,
    ResolutionBegan,
    RoundBegan,
)
from engine.record import Record
from engine.views import View
from netcode.client.reconnection import ConnectionLost, HostMoved, News
from netcode.client.session import Session
from netcode.protocol import messages
from netcode.protocol.fields import BeforeTable
from netcode.protocol.refusal_sentences import refusal_sentence

MOST_AT_ONCE: Final = 30
"""Maximum number of events that a latecomer reads: about a round. A command shows more."""


@dataclass
class PlainNarrator:
    """Describes the news of a session, and the table on request."""

    session: Session
    choice: TableChoice | None = None
    """The tables to choose from; None unless the player must choose one."""
    player_seat: PlayerSeat | None = None
    """The player's seat at the table; None for a session without a seat."""
    _invited: str | None = None
    """The invitation that was described last; None before the first."""
    _event_count: int = 0
    """Number of events of the game that were described."""
    _chat_written: int = 0
    """Number of chat lines that were described."""
    _question: Question | None = None
    _question_revision: int = 0
    """The revision of the table at the last question; 0 before the first."""
    _answered: tuple[int, tuple[int, ...]] = 0, ()
    """The number of events, and everybody's influence, at the player's last answer."""
    _lobby: messages.Lobby | None = None
    """The last lobby that was described; None before the first."""
    _over: bool = False
    """True if the end of the game was described."""
    _record: Record | None = None
    """The record of the game whose end was described; None before the first record."""
    _lines: Sequence[str] = ()
    """The lines of wings about the table, as the reader has read them last."""
    _viewers: tuple[int, ...] | None = None
    """The seats whose cards the last view of this game showed; None before the first view."""
    _knows_ready: bool = False
    """True if the reader has read how to be ready, and has not used that command since."""

    @cached_property
    def sections(self) -> Sections:
        """The sections of all wings."""
        return Sections(PlainFace(PlayerSeat(self.session, self.session.name or "")))

    def news(self, news: News) -> list[str]:
        """Return the lines about one item of news.

        Call this after the session has received the news.
        """
        return list(self._news(news))

    def trouble(self, sentence: str) -> str:
        """Return the line for an error."""
        return sentence

    def _news(self, news: News) -> Iterator[str]:
        yield from self._core_news(news)
        yield from self.sections.items(lambda each: each.news_lines(news, is_over=self._over))

    def _core_news(self, news: News) -> Iterator[str]:
        match news:
            case ConnectionLost(closed=messages.Goodbye(), attempt=attempt):
                if attempt == 1:
                    yield closed_sentence()
            case ConnectionLost(wait_s=wait, attempt=attempt):
                yield _(
                    "The connection to the host is lost; trying again in {n} s.",
                    n=round(wait + 0.5),
                )
                if attempt == UNREACHED_ATTEMPT and self.session.secret is not None:
                    yield unreached_sentence()
            case HostMoved():
                yield moved_sentence(news)
            case messages.Welcome(family=family) if family is None:
                yield _(
                    "You are watching. Type ? for the state of the table, help for all commands."
                )
            case messages.Welcome(family=str(family)):
                yield _(
                    "You sit at the table as {family}. Type help for all commands.",
                    family=family_name(family),
                )
            case BeforeTable():
                yield from self._choice_news(news)
            case messages.Lobby():
                yield from self._lobby_news(news)
            case messages.State():
                yield from self._state_news()
            case messages.Talk():
                yield from self._talk_news()
            case messages.Clock(left_ms=left, running=True) if self._question is not None:
                yield ngettext("You have {n} second.", "You have {n} seconds.", left // 1000)
            case messages.GameRecord() if self.session.is_contradicted:
                yield contradiction_sentence(self.session)
            case messages.GameRecord() if self.session.record is not self._record:
                self._record = self.session.record
                yield from holder_sentences(self._record.players if self._record else ())
            case messages.Guessing(wrong=wrong) if wrong:
                yield guessing_sentence(wrong, None)
            case messages.Refused():
                yield refused_in_game(news, self.session.lobby, None)
                yield from self.ask()
            case messages.Goodbye(code=code) if code != "left":
                yield refusal_sentence(news, _)

    def _choice_news(self, news: BeforeTable) -> Iterator[str]:
        self.choice = self.choice or choice_for(news)
        if self.choice is not None:
            yield from self.choice.news(news)

    def _lobby_news(self, lobby: messages.Lobby) -> Iterator[str]:
        before, self._lobby = self._lobby, lobby
        if lobby.phase == "lobby":
            self._event_count, self._over, self._question = 0, False, None
            self._answered, self._viewers = (0, ()), None
        known = {seat.name: seat for seat in before.seats} if before is not None else {}
        here = {seat.name: seat for seat in lobby.seats}
        for old in [*known.values()]:
            same = next((seat for seat in lobby.seats if seat.family == old.family), old)
            if same.name not in known and old.name not in here and not (same.bot or old.bot):
                yield _("{old} is called {new} now.", old=old.name, new=same.name)
                known[same.name] = replace(known.pop(old.name), name=same.name)
        taken = taken_seats(before, lobby)
        for name, seat in here.items():
            if before is None or seat.family not in taken:
                yield from self._seat_news(lobby, seat, known.get(name))
            elif seat.family == lobby.you:
                yield seated_sentence(seat.family, before)
            else:
                former = taken[seat.family]
                yield taken_sentence(name, former)
        for name in known.keys() - here.keys() - set(taken.values()):
            yield _("{name} has left the table.", name=name)
        if before is not None and change_between(before, lobby).is_reordered:
            names = ", ".join(seat.name for seat in lobby.seats)
            yield _("The seats are now, clockwise: {names}.", names=names)
        if before is not None and lobby.ended_by is not None and before.ended_by is None:
            yield ended_sentence(lobby.ended_by)
        if before is not None and lobby.silenced != before.silenced:
            if lobby.silenced:
                yield _("The host lets only players write now.")
            else:
                yield _("Spectators may write again.")
        if before is not None and before.secret != lobby.secret:
            self._invited = lobby.invitation
            invitation = in_any_shell(lobby.invitation)
            yield _("There is a new invitation: {invitation}", invitation=invitation)
        elif before is not None and lobby.host and before.invitation != lobby.invitation != "":
            self._invited = lobby.invitation
            yield new_link_sentence(lobby.invitation)
        paused = before is not None and before.paused
        if lobby.paused and not paused:
            yield paused_sentence(is_host=lobby.host, by_lines=True)
        if paused and not lobby.paused:
            yield _("The game continues.")
        if before is not None and lobby.evening.games > before.evening.games:
            yield from filter(None, [evening_sentence(lobby)])
        if before is not None and lobby.evening.games < before.evening.games:
            yield _("A new evening begins, and nobody has won anything yet.")
        if before is not None and before.phase == lobby.phase == "result":
            yield from self._again_news(before, lobby)
        yield from self._wishes_news(before, lobby)
        yield from self._settings_news(before, lobby)
        counted = None if before is None else before.count_s
        if lobby.count_s and not counted:
            yield start_words(lobby.count_s, "")
        elif counted and not (lobby.count_s or self.sections.waits()) and lobby.phase == "lobby":
            yield _("The countdown has stopped.")
        if lobby.phase == "lobby" and (before is None or before.phase != "lobby"):
            yield from self._how_to_begin(lobby)
        waited = before is not None and before.missing is not None
        if lobby.phase == "lobby" and lobby.host and waited and lobby.missing is None:
            yield _("The game can begin: type start.")

    def _wishes_news(self, before: messages.Lobby | None, lobby: messages.Lobby) -> Iterator[str]:
        """Yield lines about new wishes for bots' seats, and about a spectator's new options."""
        known = () if before is None else before.wishes
        for wish in lobby.wishes:
            if wish in known:
                continue
            if lobby.host:
                yield typed_question_sentence(wish, lobby)
            elif lobby.you is None and wish.name == self.session.name:
                yield waiting_sentence(wish, lobby)
            else:
                yield wish_sentence(wish, lobby)
        if lobby.phase == "playing" and lobby.you is None and lobby.spectators:
            was = None if before is None or before.phase != "playing" else bots_seats(before)
            if was != bots_seats(lobby):
                yield typed_offer_sentence(lobby)

    def _again_news(self, before: messages.Lobby, lobby: messages.Lobby) -> Iterator[str]:
        """Yield lines about players who are newly ready for another game, or no longer ready."""
        was, now = ({seat.name for seat in each.seats if seat.ready} for each in (before, lobby))
        for name in sorted(was - now):
            if any(seat.name == name for seat in lobby.seats):
                yield _("{name} is no longer ready.", name=name)
        if now - was:
            yield from filter(None, [again_words(lobby)])

    def _settings_news(self, before: messages.Lobby | None, lobby: messages.Lobby) -> Iterator[str]:
        """Yield lines about the host's changes.

        After a change of settings or seats, ask a guest who is not ready to type `ready`. Do not
        ask again a guest who has read this request and was not ready before the change.
        """
        changed = [] if before is None else changed_settings(before, lobby)
        for setting in changed:
            yield _(
                "{setting}: {value}. {meaning}",
                setting=_(setting.name),
                value=setting.value(lobby),
                meaning=setting.meaning(lobby),
            )
        yield from self.sections.items(lambda each: each.changed(before, lobby))
        yield from self._wing_lines(lobby)
        own, was = lobby.your_seat, None if before is None else before.your_seat
        waits = lobby.phase == "lobby" and own is not None and not (own.ready or lobby.host)
        moved = before is not None and change_between(before, lobby).is_reordered
        if (
            (changed or moved)
            and waits
            and (not self._knows_ready or (was is not None and was.ready))
        ):
            # Ask also a guest whose `ready` the change has undone, or who has typed it meanwhile.
            self._knows_ready = True
            yield _("Type ready when you are ready to play.")

    def _wing_lines(self, lobby: messages.Lobby) -> Iterator[str]:
        """Yield the changed lines of wings about the table, except during a game."""
        lines = self.sections.every(lambda each: each.lobby_line())
        if lobby.phase != "playing":
            yield from (line for line in lines if line not in self._lines)
            self._lines = lines

    def _seat_news(
        self, lobby: messages.Lobby, seat: messages.SeatInfo, old: messages.SeatInfo | None
    ) -> Iterator[str]:
        """Yield lines about a new player at the table, or about the changes of a known player."""
        name, family = seat.name, _families(seat)
        mine = seat.family == lobby.you
        if old is None:
            if seat.bot is not None:
                yield _(
                    "{name}, a bot of level {level}, sits down as {family}.",
                    name=name,
                    level=bot_name(seat.bot),
                    family=family,
                )
            elif mine:
                yield from self._families_of(seat)
            elif not seat.present:
                text = _("{name} has a seat as {family}, and is away.")
                yield text.format(name=name, family=family)
            else:
                yield _("{name} sits at the table as {family}.", name=name, family=family)
            return
        if seat.bot is not None and seat.bot != old.bot:
            yield (
                _(
                    "{name} now plays at level {level}. {note}",
                    name=name,
                    level=bot_name(seat.bot),
                    note=bot_note(seat.bot),
                ).strip()
            )
        if (seat.family, seat.second) != (old.family, old.second):
            if mine:
                yield from self._families_of(seat)
            else:
                yield _("{name} is {family} now.", name=name, family=family)
        if lobby.phase == "lobby" and seat.ready and not old.ready:
            yield _("{name} is ready.", name=name)
        if lobby.phase == "lobby" and old.ready and not seat.ready:
            yield _("{name} is no longer ready.", name=name)
        if (seat.present, seat.away) != (old.present, old.away) and seat.bot is None:
            gone = absence(
                name, seat.away, is_present=seat.present, has_stand_ins=has_stand_ins(lobby)
            )
            if gone and lobby.phase != "playing":
                gone = _("{name} is away.", name=name)
            yield gone or _("{name} is back.", name=name)

    def _families_of(self, seat: messages.SeatInfo) -> Iterator[str]:
        """Yield a sentence about the player's families at a table for two; none at other tables."""
        if seat.second is None:
            return
        yield _(
            "Two at the table: you play {one} and {other}, and the higher sum wins.",
            one=family_name(seat.family),
            other=family_name(seat.second),
        )

    def _how_to_begin(self, lobby: messages.Lobby) -> Iterator[str]:
        if lobby.host and not lobby.invitation:
            # Nobody can join, and a game against bots begins automatically.
            return
        if lobby.host and lobby.invitation != self._invited:
            self._invited = lobby.invitation
            command = joining_command(lobby.invitation)
            yield _("Others join with: {command}", command=command)
            if lobby.code is not None:
                code = written_code(lobby.code)
                yield _("Or with its address and the spoken code {code}.", code=code)
        if lobby.host:
            yield _("Type bot to add a bot, and start to begin.")
        elif lobby.you is not None:
            self._knows_ready = True
            yield _("Type ready when you are ready to play.")
        elif free_families(lobby):
            yield _("You are watching; type ready to sit down.")

    def _state_news(self) -> Iterator[str]:
        view, names = self.session.view, self.names()
        if view is None:
            return
        if self._event_count > len(self.session.events):
            self._event_count, self._over, self._answered = 0, False, (0, ())
            self._viewers = None
        happened = len(self.session.events)
        sat_down = self._viewers == () != view.viewers
        self._viewers = view.viewers
        if sat_down:
            # A latecomer has got a bot's seat, and sees the seat's cards without a new event.
            yield from table_sentences(view, names, self.session.owners())
        elif not self._event_count and (then := self._view_then(view)) is not None:
            yield from table_sentences(view, names, self.session.owners())
            yield _("Since your last answer:")
            self._answered = then[0], tuple(then[1].pools)
            yield from self.since_answer()
        elif not self._event_count and happened > MOST_AT_ONCE:
            yield ngettext(
                "The game is under way: {n} event so far. Type events for the latest ones.",
                "The game is under way: {n} events so far. Type events for the latest ones.",
                happened,
            )
            yield from table_sentences(view, names, self.session.owners())
        else:
            yield from self._happened(view, self._event_count)
        arrives, self._event_count = not self._event_count, happened
        if not view.over:
            yield from self.before_question()
        mine = view.turn in view.viewers and not view.over
        if view.over and not self._over:
            self._over = True
            yield from ranking_lines(view, names, self.session.owners(), self._levels(view))
            yield from self.sections.items(lambda each: each.ended())
            yield _("Everything is laid open: type ? for the whole table.")
            if view.viewers:
                yield from self.after_game()
        if arrives and not (mine or view.over):
            yield from filter(None, [self.sections.first(lambda each: each.waiting())])
        if not mine:
            self._question = None
        elif self._question_revision != self.session.revision:
            self._question_revision = self.session.revision
            self._question = self.question_of(view)
            yield from self.ask()

    def _view_then(self, view: View) -> tuple[int, View] | None:
        """Return the number of events before a returning player's last answer, and the view then.

        Returns None without such an answer, or if that view is unknown.
        """
        count = None if self.player_seat is None else self.player_seat.answered
        then = None if count is None else view_before(view, self.session.events, count)
        return None if then is None or count is None else (count, then)

    def before_question(self) -> Iterator[str]:
        """Yield lines between the events and the question; none unless a subclass adds some."""
        yield from ()

    def question_of(self, view: View) -> Question:
        """Return the reader's question at a view."""
        return Question(view)

    def after_game(self) -> Iterator[str]:
        """Yield a player's options after a game."""
        yield _("Type ready for another game, mistakes to learn from this one, or quit.")

    def _happened(self, view: View, since: int) -> Iterator[str]:
        """Yield lines about new events, influence after a round, and the Queue if cards moved.

        A screen always shows influence and Queue, but a listener would have to ask for them.
        """
        # Omit the event of the end: the ranking names the winner.
        happened = [each for each in self.session.events if not isinstance(each, GameEnded)]
        names = self.names()
        table = table_names(view, names, self.session.owners())
        ends = [at for at, each in enumerate(happened) if isinstance(each, RoundBegan)]
        last = ends[-1] if ends and ends[-1] > since else len(happened)
        yield from _sentences(happened[:last], table, since, self.session.overdue)
        if last < len(happened):
            pools = zip(table.names, view.pools, strict=True)
            totals = ", ".join(f"{name} {pool}" for name, pool in pools)
            yield _("Influence: {totals}.", totals=totals)
        yield from _sentences(happened, table, max(last, since), self.session.overdue)
        moved = (ResolutionBegan, Eliminated, Discarded, Moved)
        if not view.over and any(isinstance(each, moved) for each in happened[since:]):
            yield queue_in_brief(view, names, self.session.owners())

    def events(self, since: int) -> Iterator[str]:
        """Yield lines about the events from an index on; none before the game."""
        view = self.session.view
        if view is None:
            return
        table = table_names(view, self.names(), self.session.owners())
        yield from _sentences(self.session.events, table, since, self.session.overdue)

    def since_answer(self) -> Iterator[str]:
        """Yield lines about the events and changes of influence since the player's last answer.

        Of more than `MOST_AT_ONCE` events, yield only the last ones; without events, a sentence.
        """
        view, (count, pools) = self.session.view, self._answered
        yield from self.events(max(count, len(self.session.events) - MOST_AT_ONCE))
        if count >= len(self.session.events):
            yield _("Nothing has happened since your last answer.")
        elif view is not None and len(pools) == view.players:
            changes = zip(self.names(), view.pools, pools, strict=True)
            pool_changes = [f"{name} {now - then:+d}" for name, now, then in changes if now != then]
            if pool_changes:
                yield ", ".join(pool_changes) + "."

    def standing(self) -> Iterator[str]:
        """Yield lines about the present ranking. Without a view of a game, yield advice to wait."""
        view = self.session.view
        if view is None:
            yield _("No game is under way: wait until one begins.")
        else:
            owners, levels = self.session.owners(), self._levels(view)
            yield from standing_lines(view, self.names(), owners, levels)

    def _talk_news(self) -> Iterator[str]:
        talk, seat = self.session.talk, self.player_seat
        missed_from = None if seat is None else seat.missed_from
        for number, line in enumerate(
            talk[min(self._chat_written, len(talk)) :], self._chat_written
        ):
            if number == missed_from:
                yield _("Chat while you were away:")
            yield _("{name} says: {text}", name=line.name, text=phrase_words.chat_text(line))
            if phrase_words.pause_wish([line], self.session):
                yield _("Type pause to grant it.")
        self._chat_written = len(talk)

    def ask(self) -> Iterator[str]:
        """Yield the present question and its numbered choices; no line without a question."""
        question = self._question
        if question is None:
            return
        prompter = self.prompter(question.view)
        yield prompter.title(question)
        if question.step is Step.CARD:
            # State the common consequence once instead of with each card.
            yield prompter.consequence(question)
        chosen = question.chosen
        for index, option in enumerate(question.options):
            question.chosen = index
            yield f"{index + 1}. {self._option(question, option, prompter)}"
        question.chosen = chosen

    def _option(self, question: Question, option: Option, prompter: Prompter) -> str:
        effect = prompter.consequence(question)
        if option.card is not None and option.action is None:
            name = card_name(option.card)
            # Explain cards only in the first round. Later a player can ask about a card.
            return with_text(name, card_summary(option.card)) if question.view.round == 1 else name
        if option.action is not None and question.step is Step.LEAVE_OR_REVEAL:
            return with_text(answer_label(option.action, prompter), effect)
        return effect

    def table(self) -> Iterator[str]:
        """Yield lines about the whole table, and the question or the wait for another player.

        Before the game, describe the lobby. After it, leave the question out.
        """
        view = self.session.view
        if view is None:
            lobby, lines = self.session.lobby, self.sections.every(lambda each: each.lobby_line())
            for seat in () if lobby is None else lobby.seats:
                ready = _("ready") if seat.ready else _("not ready")
                if seat.bot is not None:
                    ready = _("bot: {bot}", bot=bot_name(seat.bot))
                yield with_text(f"{seat.name}, {_families(seat)}", ready)
            if lobby is not None and lobby.missing is not None:
                yield refusal_sentence(lobby.missing, _)
            elif lobby is not None:
                yield from filter(None, [self.sections.waits()])
            yield from lines
            return
        yield from table_sentences(view, self.names(), self.session.owners())
        if view.over:
            return
        if self._question is not None:
            yield from self.ask()
        else:
            waiting = self.sections.first(lambda each: each.waiting())
            yield waiting or f"{self.prompter(view).waiting()}."

    def long_wait(self) -> Iterator[str]:
        """Yield a line about the opponent who has not answered for some seconds.

        Yield none before and after a game, for the reader's own question, and during a pause. Wings
        that describe a wait themselves have already done so.
        """
        view, lobby = self.session.view, self.session.lobby
        if view is None or view.over or view.turn in view.viewers:
            return
        if lobby is not None and (lobby.paused or lobby.phase != "playing"):
            return
        if not self.sections.first(lambda each: each.waiting()):
            yield _("Still waiting — {what}.", what=self.prompter(view).waiting())

    def people(self) -> Iterator[str]:
        """Yield lines about players and spectators at the table; none before the first lobby."""
        lobby = self.session.lobby
        if lobby is None:
            return
        for seat in lobby.seats:
            about = ", ".join([_families(seat), *notes(seat, lobby)])
            yield with_text(seat.name, f"{about}.")
        if lobby.spectators:
            yield _("Watching: {names}", names=", ".join(lobby.spectators)) + "."
        yield from self.sections.items(lambda each: each.people())

    def names(self) -> Sequence[str]:
        """Return the players' names by seat; at a table without players, the families' names."""
        view, lobby = self.session.view, self.session.lobby
        if view is not None and lobby is not None and not lobby.seats:
            return tuple(map(family_name, view.families))
        return self.session.names()

    def _levels(self, view: View) -> Sequence[str]:
        lobby = self.session.lobby
        return levels_of(() if lobby is None else lobby.seats, view.families)

    def prompter(self, view: View) -> Prompter:
        """Return the prompter that formulates the answers at a view."""
        names = spoken_names(view.families, self.names(), self.session.owners())
        return SpokenPrompter(view, names, ASCII)


def _sentences(
    happened: Sequence[Event], table: TableNames, since: int, overdue: Container[int]
) -> Iterator[str]:
    return (f"{sentence}." for sentence in event_sentences(happened, table, since, overdue))


def _families(seat: messages.SeatInfo) -> str:
    return ", ".join(map(family_name, families_of(seat)))
