"""A player without a screen: what they are told, and what a line that they type means.

No input or output here: `news` and `line` return what is to be written and said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from driflamme_tui.keymap.overlay_commands import PeopleCommands
from driflamme_tui.model.question import Option, Question, Step
from driflamme_tui.plain.described_table import described
from driflamme_tui.seat.hint_requests import against_bots_only
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.choices.hint_words import hint_of, others_play, thinking_sentence
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.bot_names import bot_called, bot_name, bot_note
from driflamme_tui.wording.game.card_words import card_help, card_summary
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.names import card_name, family_name
from driflamme_tui.wording.game.result_words import ranking_lines, standing_lines
from driflamme_tui.wording.program.invitation_words import is_link
from driflamme_tui.wording.program.people_words import (
    absence,
    ended_sentence,
    notes,
    paused_sentence,
    silenced_sentence,
    sure_words,
)
from driflamme_tui.wording.program.table_settings_words import families_of
from engine.actions import ACTIONS
from engine.bots import DEFAULT_BOT, bot_names
from engine.cards import CARDS, Seat
from engine.legal import why_not
from engine.view import View
from netcode.client.connection import Connected, Lost
from netcode.client.session import Session
from netcode.protocol.messages import (
    CHAT_LENGTH,
    NAME_LENGTH,
    Absent,
    AddBot,
    ChangeBot,
    ChangeSettings,
    Chat,
    ClientMessage,
    Clock,
    EndGame,
    Goodbye,
    Here,
    HostMessage,
    Lobby,
    NewInvitation,
    Pause,
    Refused,
    SeatInfo,
    SendAway,
    SetReady,
    Silence,
    Start,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.workers.worker_main import BotAnswer

MOST_AT_ONCE: Final = 30
"""Events that are told in one go to somebody who comes, a round's or so; what there were before
is for those who ask."""

LAST_EVENTS: Final = 12
"""That are told to those who ask."""


class SpokenPrompter(Prompter):
    """Words a question for the ear: families by name rather than by sign."""

    def tag(self, seat: Seat) -> str:
        """Return a family's name."""
        return self.family(seat)


@dataclass(frozen=True, slots=True)
class Reply:
    """What follows from a line that was typed."""

    lines: Sequence[str] = ()
    """To be written."""
    messages: Sequence[ClientMessage] = ()
    """To be sent."""
    leaves: bool = False
    """Whether the player leaves the table."""
    hint: View | None = None
    """What a hint is wanted about; `PlainPlayer.hint` is told of it."""


@dataclass
class PlainPlayer:
    """Tells a session line by line, and understands lines."""

    session: Session
    _told: int = 0
    """How many events of the game have been told."""
    _heard: int = 0
    """How many lines of chat."""
    _question: Question | None = None
    _asked: int = 0
    """The revision whose question has been asked."""
    _lobby: Lobby | None = None
    """As it was told last."""
    _over: bool = False
    """Whether the end of the game has been told."""
    _leaving: bool = False
    """Whether the last thing typed was to leave, in the middle of a game."""
    _sure: str = ""
    """The last thing typed, if that cannot be undone and has to be typed twice."""

    def news(self, news: HostMessage | Connected | Lost) -> list[str]:
        """Return what there is to tell, once the session has taken a message in."""
        return list(self._news(news))

    def hint(self, view: View, thought: BotAnswer) -> list[str]:
        """Return what a bot would do at a view of the player's."""
        prompter = SpokenPrompter(view, self._names(), ASCII)
        return [" ".join(hint_of(thought, prompter)).strip()]

    def trouble(self, sentence: str) -> str:
        """Return how to tell that something went wrong."""
        return sentence

    def line(self, text: str) -> Reply:
        """Return what a line means; it may be anything."""
        text = text.strip()
        sure, self._sure = " ".join(text.split()) == self._sure, ""
        word, _gap, rest = text.partition(" ")
        word = word.lower()
        if text.startswith(('"', "'")):
            return self._say(text[1:])
        if word == "say":
            return self._say(rest)
        if word in ("quit", "leave") and not rest:
            return self._leave()
        self._leaving = False
        if word == "score" and not rest:
            return Reply(list(self._standing()))
        if word == "events" and not rest:
            return Reply(list(self._events(max(0, len(self.session.events) - LAST_EVENTS))))
        if word == "who" and not rest:
            return Reply(list(self._who()))
        if word == "help" and not rest:
            return Reply(list(self._help()))
        if text.startswith("?") and text[1:].strip().upper() in [*CARDS]:
            card = text[1:].strip().upper()
            return Reply([f"{card_name(card)}: {card_help(card)}"])
        if text in ("?", "??"):
            return Reply(list(self._table()))
        lobby = self.session.lobby
        if lobby is None:
            return Reply([_("Nobody has let you in yet: wait a moment.")])
        reply = self._preside(lobby, " ".join(text.split()), sure)
        if reply is not None:
            return reply
        if lobby.phase != "playing" or self.session.view is None:
            return self.in_lobby(lobby, word, rest)
        return self._in_game(lobby, text)

    # What is told

    def _news(self, news: HostMessage | Connected | Lost) -> Iterator[str]:
        match news:
            case Lost(wait_s=wait):
                yield _("The line to the host is lost; trying again in {n} seconds.").format(
                    n=round(wait + 0.5)
                )
            case Welcome(family=family) if family is None:
                yield _("You are watching. Type ? to hear the table, help for all commands.")
            case Welcome(family=str(family)):
                yield _("You sit at the table as {family}. Type help for all commands.").format(
                    family=family_name(family)
                )
            case Lobby():
                yield from self._tell_lobby(news)
            case State():
                yield from self._tell_state()
            case Talk():
                yield from self._tell_talk()
            case Clock(left_ms=left, running=True) if self._question is not None:
                yield ngettext(
                    "You have {n} second.", "You have {n} seconds.", left // 1000
                ).format(n=left // 1000)
            case Refused(code=code, values=values):
                yield refusal_sentence(code, values, _)
                yield from self._ask()
            case Goodbye(code=code, values=values) if code != "left":
                yield refusal_sentence(code, values, _)

    def _tell_lobby(self, lobby: Lobby) -> Iterator[str]:
        before, self._lobby = self._lobby, lobby
        if lobby.phase == "lobby":
            self._told, self._over, self._question = 0, False, None
        known = {seat.name: seat for seat in before.seats} if before is not None else {}
        here = {seat.name: seat for seat in lobby.seats}
        for name, seat in here.items():
            family = _families(seat)
            if name not in known:
                if seat.bot is not None:
                    yield _("{name}, a bot of the level {level}, sits as {family}.").format(
                        name=name, level=bot_name(seat.bot), family=family
                    )
                elif seat.family == lobby.you:
                    yield from self._own_families(seat)
                else:
                    yield _("{name} sits at the table as {family}.").format(
                        name=name, family=family
                    )
                continue
            old = known[name]
            if seat.bot is not None and seat.bot != old.bot:
                yield (
                    _("{name} plays on the level {level} now. {note}")
                    .format(name=name, level=bot_name(seat.bot), note=bot_note(seat.bot))
                    .strip()
                )
            if seat.family == lobby.you and (seat.family, seat.second) != (old.family, old.second):
                yield from self._own_families(seat)
            elif (seat.family, seat.second) != (old.family, old.second):
                yield _("{name} is {family} now.").format(name=name, family=family)
            if lobby.phase == "lobby" and seat.ready and not old.ready:
                yield _("{name} is ready.").format(name=name)
            if lobby.phase == "lobby" and old.ready and not seat.ready:
                yield _("{name} is not ready any more.").format(name=name)
            if (seat.present, seat.away) != (old.present, old.away) and seat.bot is None:
                gone = absence(name, seat.present, seat.away)
                yield gone or _("{name} is back.").format(name=name)
        for name in known.keys() - here.keys():
            yield _("{name} has left the table.").format(name=name)
        if before is not None and lobby.ended_by is not None and before.ended_by is None:
            yield ended_sentence(lobby.ended_by)
        if before is not None and lobby.silenced != before.silenced:
            if lobby.silenced:
                yield _("The host lets only players write now.")
            else:
                yield _("Spectators may write again.")
        if before is not None and before.secret != lobby.secret:
            yield _("There is a new invitation: {invitation}").format(invitation=lobby.invitation)
        paused = before is not None and before.paused
        if lobby.paused and not paused:
            yield paused_sentence(lobby.host)
        if paused and not lobby.paused:
            yield _("The game goes on.")
        if lobby.phase == "lobby" and (before is None or before.phase != "lobby"):
            yield from self._how_to_begin(lobby)
        waited = before is not None and before.missing is not None
        if lobby.phase == "lobby" and lobby.host and waited and lobby.missing is None:
            yield _("The game can begin: type start.")

    def _own_families(self, seat: SeatInfo) -> Iterator[str]:
        """Tell a player at a table for two what they play."""
        if seat.second is None:
            return
        yield _("Two at the table: you play {one} and {other}, and win by their sum.").format(
            one=family_name(seat.family), other=family_name(seat.second)
        )

    def _how_to_begin(self, lobby: Lobby) -> Iterator[str]:
        if lobby.invitation and lobby.host:
            way = lobby.invitation
            command = f"driflamme join {way}" if is_link(way) else way
            yield _("Others join with: {command}").format(command=command)
        if lobby.host:
            yield _("Type bot to let a bot sit down, and start to begin.")
        elif lobby.you is not None:
            yield _("Type ready when you are ready to play.")

    def _tell_state(self) -> Iterator[str]:
        view, names = self.session.view, self._names()
        if view is None:
            return
        if self._told > len(self.session.events):
            self._told, self._over = 0, False
        happened = len(self.session.events)
        if not self._told and happened > MOST_AT_ONCE:
            text = _("The game is under way: {n} events so far. Type events to hear the last.")
            yield text.format(n=happened)
            yield from described(view, names)
        else:
            yield from self._events(self._told)
        self._told = happened
        if not view.over:
            yield from self.before_question()
        mine = view.turn in view.viewers and not view.over
        if view.over and not self._over:
            self._over = True
            yield from ranking_lines(view, names, self.session.owners())
            yield _("Everything is laid open: type ? to hear it.")
            if view.viewers:
                yield from self.after_game()
        if not mine:
            self._question = None
        elif self._asked != self.session.revision:
            self._asked = self.session.revision
            self._question = self.question_of(view)
            yield from self._ask()

    def before_question(self) -> Iterator[str]:
        """Return what there is to say between what has happened and what is asked."""
        yield from ()

    def question_of(self, view: View) -> Question:
        """Return the question that a view asks its reader."""
        return Question(view)

    def after_game(self) -> Iterator[str]:
        """Return what a player can do when a game is over."""
        yield _("Type ready for another game, or quit.")

    def _events(self, since: int) -> Iterator[str]:
        """Tell what has happened, from an event on."""
        view = self.session.view
        if view is None:
            return
        table = table_names(view, self._names(), self.session.owners())
        for event in self.session.events[since:]:
            yield event_sentence(event, table) + "."

    def _standing(self) -> Iterator[str]:
        """Tell who is ahead."""
        view = self.session.view
        if view is None:
            yield _("No game is under way.")
        else:
            yield from standing_lines(view, self._names(), self.session.owners())

    def _tell_talk(self) -> Iterator[str]:
        said = self.session.talk
        for line in said[min(self._heard, len(said)) :]:
            yield _("{name} says: {text}").format(name=line.name, text=line.text)
        self._heard = len(said)

    def _ask(self) -> Iterator[str]:
        """Ask the present question, with its numbered choices."""
        question = self._question
        if question is None:
            return
        prompter = self._prompter(question)
        yield prompter.title(question)
        if question.step is Step.CARD:
            # Once, and not with each card.
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
            # Who has heard it in the first round may ask for it later.
            return f"{name}: {card_summary(option.card)}" if question.view.round == 1 else name
        if question.step is Step.LEAVE_OR_REVEAL:
            label = _("Leave it") if str(option.action) == "+" else _("Reveal it")
            return f"{label}: {effect}"
        return effect

    def _table(self) -> Iterator[str]:
        view = self.session.view
        if view is None:
            lobby = self.session.lobby
            for seat in () if lobby is None else lobby.seats:
                ready = _("ready") if seat.ready else _("not ready")
                if seat.bot is not None:
                    ready = _("bot: {bot}").format(bot=bot_name(seat.bot))
                yield f"{seat.name}, {_families(seat)}: {ready}"
            if lobby is not None and lobby.missing is not None:
                yield refusal_sentence(lobby.missing.code, lobby.missing.values, _)
            return
        yield from described(view, self._names())
        if view.over:
            return
        if self._question is not None:
            yield from self._ask()
        else:
            yield SpokenPrompter(view, self._names(), ASCII).waiting() + "."

    def _who(self) -> Iterator[str]:
        """Tell who is here."""
        lobby = self.session.lobby
        if lobby is None:
            return
        for seat in lobby.seats:
            about = ", ".join([_families(seat), *notes(seat, lobby)])
            yield f"{seat.name}: {about}."
        if lobby.spectators:
            yield _("Watching: {names}").format(names=", ".join(lobby.spectators)) + "."

    def _help(self) -> Iterator[str]:
        yield _("A number, or an answer in the notation such as A> or + : answer the question.")
        yield _("? : the whole table in words. ?A, ?S and so on: what a card does.")
        yield _("back: choose another card after all.")
        yield _("score: who is ahead. events: what happened last. who: who is here.")
        yield _("say, and a text: talk to everybody at the table.")
        yield _("ready, not ready: in the lobby, and for another game.")
        yield _("start, bot, bot master: the host begins the game, or lets a bot sit down.")
        yield _("bot, its name and a level: the host makes it play on that level.")
        yield _("two, not two: in the lobby, the host makes it a table for two players or not.")
        yield _("pause, go on: the host stops the game for a while.")
        yield _("bot for, and a name: the host lets a bot answer for somebody away or silent.")
        yield _("send away, and a name: the host sends a player or a spectator away.")
        yield _("silence, no silence: the host lets only players talk, or everybody.")
        yield _("new invitation: the host makes one, and the old one lets nobody in.")
        yield _("end game: the host ends it for everybody; it stays unfinished.")
        yield _("hint: against bots, what a strong one would do in your place.")
        yield _("here: take your seat back from a bot.")
        yield _("quit: leave the table.")

    # What is typed

    def _leave(self) -> Reply:
        """Leave the table; in the middle of one's own game only if that is said twice."""
        lobby, view = self.session.lobby, self.session.view
        # The last view of a game comes before the word that it is over.
        plays = lobby is not None and lobby.phase == "playing" and lobby.you is not None
        if not plays or view is None or view.over or self._leaving:
            return Reply(leaves=True)
        self._leaving = True
        return Reply([_("A game is under way; a bot would play on for you. Type quit once more.")])

    def _say(self, text: str) -> Reply:
        text = " ".join("".join(sign for sign in text if sign.isprintable()).split())
        lobby = self.session.lobby
        if not text or lobby is None:
            return Reply([_("Say what? Type say, and then a text.")])
        mine = (seat.name for seat in lobby.seats if seat.family == lobby.you)
        why = silenced_sentence(lobby, next(mine, self.session.name or ""))
        if why:
            return Reply([why])
        return Reply(messages=[Chat(text=text[:CHAT_LENGTH])])

    def in_lobby(self, lobby: Lobby, word: str, rest: str) -> Reply:
        """Do what can be done before a game and after it."""
        if word == "ready" and not rest:
            return Reply(messages=[Start() if lobby.phase == "result" and lobby.host else _READY])
        if (word, rest) == ("not", "ready"):
            return Reply(messages=[SetReady(ready=False)])
        if word == "start" and not rest:
            return Reply(messages=[Start()])
        if (word, rest) in (("two", ""), ("not", "two")):
            settings = replace(lobby.settings, two=word == "two")
            return Reply(messages=[ChangeSettings(settings=settings)])
        if word == "bot":
            return self._bot(lobby, rest)
        if word.isdecimal() and not rest:
            # Likely meant for a question that was there before, or is yet to come.
            return Reply([_("You are not asked anything now; type ? to hear the table.")])
        return Reply([_("That is no command here; type help for all of them.")])

    def _preside(self, lobby: Lobby, text: str, sure: bool) -> Reply | None:
        """Do what a host does about people in any phase; None if the line means something else."""
        words, name = text.lower(), ""
        for begin in ("send away ", "bot for "):
            if words.startswith(begin):
                words, name = begin.strip(), text[len(begin) :]
        message = self._wish(lobby, words, name)
        if message is None:
            return None
        if not lobby.host:
            return Reply([refusal_sentence("not_the_host", {}, _)])
        if isinstance(message, str):
            return Reply([message])
        asked = sure_words(_SURE[words], name, lobby) if words in _SURE else None
        if asked is not None and not sure:
            self._sure = text
            return Reply([*asked[:2], _("Type it once more if you are sure.")])
        return Reply(messages=[message])

    def _wish(self, lobby: Lobby, words: str, name: str) -> ClientMessage | str | None:
        """Return what a host wants, or why that cannot be."""
        match words:
            case "silence" | "no silence":
                return Silence(silenced=words == "silence")
            case "new invitation":
                return NewInvitation()
            case "end game":
                return EndGame()
            case "send away" if name:
                if len(name) > NAME_LENGTH:
                    return refusal_sentence("nobody_called", {"name": name}, _)
                return SendAway(name=name)
            case "bot for" if name:
                for seat in lobby.seats:
                    if seat.name.casefold() == name.casefold():
                        return Absent(family=seat.family, choice="bot")
                return refusal_sentence("nobody_called", {"name": name}, _)
        return None

    def _bot(self, lobby: Lobby, rest: str) -> Reply:
        """Let a bot of a kind sit down or, if one is named first, be of that kind."""
        name, gap, level = rest.rpartition(" ")
        bot = bot_called(level) if rest else DEFAULT_BOT
        if not bot:
            return Reply(
                [
                    _("There is no bot called {bot!r}; there are {bots}.").format(
                        bot=level, bots=", ".join(bot_names())
                    )
                ]
            )
        if not gap:
            return Reply(messages=[AddBot(bot=bot)])
        for seat in lobby.seats:
            if seat.bot is not None and seat.name.casefold() == name.strip().casefold():
                return Reply(messages=[ChangeBot(family=seat.family, bot=bot)])
        return Reply([_("There is no bot called {name} at the table.").format(name=name)])

    def _in_game(self, lobby: Lobby, text: str) -> Reply:
        command = " ".join(text.lower().split())
        if command == "here":
            return Reply(messages=[Here()])
        if command in ("pause", "go on"):
            if not lobby.host:
                return Reply([refusal_sentence("not_the_host", {}, _)])
            return Reply(messages=[Pause(paused=command == "pause")])
        question = self._question
        if question is None:
            return Reply([_("You are not asked anything now; type ? to hear the table.")])
        if lobby.paused:
            return Reply([paused_sentence(lobby.host)])
        if self.session.pending is not None:
            return Reply([_("Your answer is on its way.")])
        if text.lower() == "hint":
            if not against_bots_only(lobby):
                return Reply([others_play()])
            return Reply([thinking_sentence()], hint=question.view)
        if text.lower() == "back":
            question.picked = None
            return Reply(list(self._ask()))
        if text.isdecimal() and text.isascii():
            return self.numbered(question, int(text))
        return self.notated(question, text)

    def numbered(self, question: Question, number: int) -> Reply:
        """Choose by number."""
        most = len(question.options)
        if not 1 <= number <= most:
            return Reply([_("Type a number from 1 to {most}.").format(most=most)])
        question.choose(number - 1)
        action = question.confirm()
        if action is not None:
            return Reply(messages=[self.session.act(action)])
        question.chosen = None
        return Reply(list(self._ask()))

    def notated(self, question: Question, text: str) -> Reply:
        """Answer in the notation."""
        token = text[:1].upper() + text[1:] if text[:1].isalpha() else text
        action = ACTIONS.get(token) or ACTIONS.get(text)
        if action is None:
            return Reply([_("That is no answer; type a number, or help for all commands.")])
        refusal = why_not(question.view, action)
        if refusal is not None:
            return Reply([refusal.sentence(_)])
        return Reply(messages=[self.session.act(action)])

    def _names(self) -> Sequence[str]:
        return self.session.names()

    def _prompter(self, question: Question) -> Prompter:
        return SpokenPrompter(question.view, self._names(), ASCII)


def _families(seat: SeatInfo) -> str:
    """Return what somebody plays."""
    return ", ".join(map(family_name, families_of(seat)))


_READY: Final = SetReady(ready=True)

_SURE: Final = {
    "send away": PeopleCommands.send_away,
    "new invitation": PeopleCommands.new_invitation,
    "end game": PeopleCommands.end,
}
"""What a host types twice, as it cannot be undone, and the command that it is on the screen."""
