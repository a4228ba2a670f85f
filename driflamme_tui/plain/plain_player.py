"""A player without a screen: what a line that they type means.

No input or output here: `line` returns what is to be written and sent.
"""

from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from msgspec.structs import asdict

from driflamme_tui.keymap.overlay_commands import PeopleCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.line_player import Reply
from driflamme_tui.plain.plain_narrator import PlainNarrator
from driflamme_tui.preferences.even_bots import EVEN
from driflamme_tui.preferences.remembered import next_table
from driflamme_tui.seat.hint_requests import against_bots_only
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.hint_words import others_play
from driflamme_tui.wording.game.card_texts import card_help
from driflamme_tui.wording.game.names import bot_called, card_name
from driflamme_tui.wording.program.people_words import (
    PHRASES,
    is_private,
    paused_sentence,
    silenced_sentence,
    sure_words,
)
from driflamme_tui.wording.program.replay_words import thinking
from driflamme_tui.wording.program.settings_words import (
    SETTINGS_BY_WORD,
    TableSetting,
    free_families,
)
from engine.actions import ACTIONS, Action
from engine.bots import DEFAULT_BOT, bot_names
from engine.cards import CARDS
from engine.legal import why_not
from engine.words import N_
from netcode.client.sealed_news import LeaveBe, VoteMissing
from netcode.protocol import messages
from netcode.protocol.fields import CHAT_LENGTH, NAME_LENGTH, checked
from netcode.protocol.messages import Carry, Club, HandOver
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence

LAST_EVENTS: Final = 12
"""Number of events that are told to somebody who asks what has happened."""


_HELP: Final[dict[str, tuple[str, ...]]] = {
    "game": (
        N_("A number, or an answer in the notation such as A> or + : answer the question."),
        N_("back: choose another card after all."),
        N_("since: what has happened since your last answer, and who has won or lost by it."),
        N_("hint: against bots, what a strong one would do in your place."),
        N_("here: take your seat back from a bot."),
    ),
    "lobby": (
        N_("ready, not ready: in the lobby, and for another game."),
        N_("name, and a name: in the lobby, change your name."),
    ),
    "talk": (
        N_("? : the whole table in words. ?A, ?S and so on: what a card does."),
        N_("score: who is ahead. events: what happened last. who: who is here."),
        N_("say, and a text: talk to everybody at the table."),
        N_("phrases: quick phrases by number. phrase 2: say one, to each in their own language."),
    ),
    "host": (
        N_("start, bot, bot master: the host begins the game, or lets a bot sit down."),
        N_("bot, its name and a level: the host makes it play on that level."),
        N_("two, not two: in the lobby, the host makes it a table for two players or not."),
        N_(
            "sealed, not sealed: in the lobby, the host makes it a sealed table or an ordinary one."
        ),
        N_("best of 3, 5, 7 or 0: in the lobby, the host says how many games decide the evening."),
        N_(
            "edition, first, direction, pace, think or clock, and a value: in the lobby, the host"
            " says how the game is played."
        ),
        N_("pause, go on: the host stops the game for a while."),
        N_(
            "bot for, and a name: the host lets a bot answer for somebody who is away or not "
            "answering."
        ),
        N_("let in, and a name: the host lets somebody who is away come in from another machine."),
        N_("send away, and a name: the host sends a player or a spectator away."),
        N_("silence, no silence: the host lets only players talk, or everybody."),
        N_("new invitation: the host makes one, and the old one stops working."),
        N_("end game: the host ends it for everybody; it stays unfinished."),
        N_("hand over, and a name: the host of a sealed game hands the table to somebody."),
    ),
    "sealed": (
        N_(
            "vote: at a sealed table, that an answer has not come; vote for, and a name: each time."
        ),
        N_(
            "carry, not carry: a sealed table may go on at your machine, if the host is gone; "
            "or not."
        ),
    ),
}
"""What can be typed, a line each, by what it is about."""

_QUIT: Final = N_("quit: leave the table.")


@dataclass
class PlainPlayer(PlainNarrator):
    """Tells a session line by line, and understands lines."""

    _leaving: bool = False
    """Whether the last thing typed was to leave, in the middle of a game."""
    _sure: str = ""
    """The last thing typed, if that cannot be undone and has to be typed twice."""

    def is_answer(self, text: str) -> bool:
        """Return whether a line is about the question that is asked, and so waits for it."""
        text = text.strip()
        return text.lower() in ("hint", "back") or text.isdecimal() or _noted(text) is not None

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
        if word == "phrase":
            return self._phrase(rest.strip())
        if word in ("quit", "leave") and not rest:
            return self._leave()
        self._leaving = False
        match " ".join(text.split()).lower():
            case "score":
                return Reply(list(self.standing()))
            case "events":
                return Reply(list(self.events(max(0, len(self.session.events) - LAST_EVENTS))))
            case "since":
                return Reply(list(self.since_answer()))
            case "phrases":
                return Reply([f"{n}: {_(each)}" for n, each in enumerate(PHRASES.values(), 1)])
            case "who":
                return Reply(list(self.people()))
            case "help":
                return Reply(self._help())
            case each if each.startswith("help ") and each[5:] in _HELP:
                return Reply([_(line) for line in _HELP[each[5:]]])
            case "?" | "??":
                return Reply(list(self.table()))
        if text.startswith("?") and text[1:].strip().upper() in [*CARDS]:
            card = text[1:].strip().upper()
            return Reply([f"{card_name(card)}: {card_help(card)}"])
        lobby = self.session.lobby
        if lobby is None and self.club is not None:
            return self._in_club(self.club, " ".join(text.lower().split()), rest.strip())
        if lobby is None:
            return Reply([_("You have not been let in yet: wait a moment.")])
        reply = self._preside(lobby, " ".join(text.split()), sure)
        if reply is not None:
            return reply
        if lobby.phase != "playing" or self.session.view is None:
            return self.in_lobby(lobby, word, rest)
        return self._in_game(lobby, text)

    def _help(self) -> list[str]:
        """Return what can be typed now, and how to hear of all else."""
        lobby = self.session.lobby
        now = "game" if lobby is not None and lobby.phase == "playing" else "lobby"
        others = ", ".join(f"help {each}" for each in _HELP if each not in (now, "talk"))
        lines = (*_HELP[now], *_HELP["talk"], _QUIT)
        return [*map(_, lines), _("More: {commands}.").format(commands=others)]

    def _leave(self) -> Reply:
        """Leave the table; in the middle of one's own game only if that is said twice."""
        lobby, view = self.session.lobby, self.session.view
        # The last view of a game comes before the word that it is over.
        plays = lobby is not None and lobby.phase == "playing" and lobby.you is not None
        if not plays or view is None or view.over or self._leaving:
            return Reply(leaves=True)
        self._leaving = True
        if is_private(lobby):
            return Reply([_("The game would then be lost. Type quit once more.")])
        return Reply([_("A game is under way; a bot would play on for you. Type quit once more.")])

    def _phrase(self, number: str) -> Reply:
        numbered = {str(n): name for n, name in enumerate(PHRASES, 1)}
        if number not in numbered:
            return Reply([_("Give the number of a phrase; type phrases to list them.")])
        return self._chat(messages.Chat(phrase=numbered[number]))

    def _say(self, text: str) -> Reply:
        text = " ".join("".join(sign for sign in text if sign.isprintable()).split())
        if not text:
            return Reply([_("Say what? Type say, and then a text.")])
        return self._chat(messages.Chat(text=text[:CHAT_LENGTH]))

    def _chat(self, message: messages.Chat) -> Reply:
        """Say something, unless the host lets the reader only read."""
        lobby = self.session.lobby
        if lobby is None:
            return Reply([_("You have not been let in yet: wait a moment.")])
        mine = (seat.name for seat in lobby.seats if seat.family == lobby.you)
        why = silenced_sentence(lobby, next(mine, self.session.name or ""))
        return Reply([why]) if why else Reply(messages=[message])

    def _in_club(self, club: Club, words: str, rest: str) -> Reply:
        """Go to one of a club's tables, or open one."""
        watch, number = words.startswith("watch "), words.removeprefix("watch ")
        if words == "tables":
            return Reply(goes=lambda seat: seat.ask_club())
        if words == "open":
            return Reply(messages=[messages.OpenTable(settings=next_table())])
        if words.startswith("name "):
            problem = name_problem(rest)
            if problem is not None:
                return Reply([refusal_sentence(problem.code, problem.values, _)])
            return Reply(goes=lambda seat: seat.rename(rest))
        numbered = {str(n): table for n, table in enumerate(club.tables, 1)}
        if number in numbered:
            secret = numbered[number].secret
            return Reply(goes=lambda seat: seat.enter(secret, watch=watch))
        return Reply(list(self.tables(club)))

    def in_lobby(self, lobby: messages.Lobby, word: str, rest: str) -> Reply:
        """Do what can be done before a game and after it."""
        free = free_families(lobby) if lobby.you is None else []
        if word == "ready" and not rest and free:
            # Who watches sits down first.
            return Reply(messages=[messages.ChooseFamily(family=free[0])])
        if word == "ready" and not rest:
            return Reply(messages=[_READY])
        if (word, rest) == ("not", "ready"):
            return Reply(messages=[messages.SetReady(ready=False)])
        if word == "start" and not rest:
            return Reply(messages=[messages.Start()])
        if (word, rest) in (("carry", ""), ("not", "carry")):
            return Reply(messages=[Carry(allowed=not rest)])
        if word == "not" and rest in ("two", "sealed"):
            word, rest = rest, "no"
        if word in SETTINGS_BY_WORD:
            return self._change(lobby, SETTINGS_BY_WORD[word], rest.removeprefix("of "))
        if word == "bot":
            return self._bot(lobby, rest)
        if word == "name" and rest:
            problem = name_problem(rest)
            if problem is not None:
                return Reply([refusal_sentence(problem.code, problem.values, _)])
            return Reply(messages=[messages.Rename(rest)])
        if word.isdecimal() and not rest:
            # Likely meant for a question that was there before, or is yet to come.
            return Reply([_("You are not asked anything now; type ? to hear the table.")])
        return Reply([_("That is not a command here; type help for all commands.")])

    def _change(self, lobby: messages.Lobby, setting: TableSetting, text: str) -> Reply:
        """Change what the host decides, or say what can be typed."""
        wanted = asdict(lobby.settings) | {setting.field: setting.typed(text.strip().casefold())}
        try:
            settings = checked(wanted, messages.TableSettings)
        except msgspec.ValidationError:
            text = _("{setting}: type one of these values: {values}.")
            return Reply([text.format(setting=_(setting.name), values=setting.written())])
        return Reply(messages=[messages.ChangeSettings(settings=settings)])

    def _preside(self, lobby: messages.Lobby, text: str, sure: bool) -> Reply | None:
        """Do what a host does about people in any phase; None if the line means something else."""
        words, name = text.lower(), ""
        for begin in ("send away ", "bot for ", "let in ", "hand over "):
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
            return Reply([*asked[:2], _("Type it again if you are sure.")])
        return Reply(messages=[message])

    def _wish(
        self, lobby: messages.Lobby, words: str, name: str
    ) -> messages.ClientMessage | str | None:
        """Return what a host wants, or why that cannot be."""
        match words:
            case "silence" | "no silence":
                return messages.Silence(silenced=words == "silence")
            case "new invitation":
                return messages.NewInvitation()
            case "end game":
                return messages.EndGame()
            case "send away" if name:
                if len(name) > NAME_LENGTH:
                    return refusal_sentence("nobody_called", {"name": name}, _)
                return messages.SendAway(name=name)
            case "hand over" if name:
                return HandOver(name[:NAME_LENGTH])
            case "bot for" | "let in" if name:
                choice: Literal["bot", "admit"] = "bot" if words == "bot for" else "admit"
                for seat in lobby.seats:
                    if seat.name.casefold() == name.casefold():
                        return messages.Absent(family=seat.family, choice=choice)
                return refusal_sentence("nobody_called", {"name": name}, _)
        return None

    def _bot(self, lobby: messages.Lobby, rest: str) -> Reply:
        """Let a bot of a kind sit down or, if one is named first, be of that kind."""
        name, gap, level = rest.rpartition(" ")
        bot = bot_called(level) if rest else DEFAULT_BOT
        if not bot:
            return Reply(
                [
                    _("There is no bot called {bot!r}; there are {bots}.").format(
                        bot=level, bots=", ".join((*bot_names(), EVEN))
                    )
                ]
            )
        if not gap:
            return Reply(messages=[messages.AddBot(bot=bot)])
        for seat in lobby.seats:
            if seat.bot is not None and seat.name.casefold() == name.strip().casefold():
                return Reply(messages=[messages.ChangeBot(family=seat.family, bot=bot)])
        return Reply([_("There is no bot called {name} at the table.").format(name=name)])

    def _in_game(self, lobby: messages.Lobby, text: str) -> Reply:
        command = " ".join(text.lower().split())
        if command == "vote" or command.startswith("vote for "):
            return self._vote(command.removeprefix("vote").removeprefix(" for "))
        if command == "here":
            return Reply(messages=[messages.Here()])
        if command in ("pause", "go on"):
            if not lobby.host:
                return Reply([refusal_sentence("not_the_host", {}, _)])
            return Reply(messages=[messages.Pause(paused=command == "pause")])
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
            return Reply([thinking()], hint=question.view, events=self.session.events)
        if text.lower() == "back":
            question.picked = None
            return Reply(list(self.ask()))
        if text.isdecimal() and text.isascii():
            return self.numbered(question, int(text))
        return self.notated(question, text)

    def _vote(self, name: str) -> Reply:
        """Vote that a step of a sealed game has not come, or let that be done for somebody away."""
        news = self.session.sealed
        away = {} if news is None else {each.casefold(): each for each in news.away}
        if news is not None and name.casefold() in away:
            whom = away[name.casefold()]
            return Reply(messages=[LeaveBe(name=whom, chosen=whom not in news.left_be)])
        if name or news is None or not news.is_vote_wanted:
            return Reply([_("There is nothing to vote about now.")])
        return Reply(messages=[VoteMissing()])

    def numbered(self, question: Question, number: int) -> Reply:
        """Choose by number."""
        most = len(question.options)
        if not 1 <= number <= most:
            return Reply([_("Type a number from 1 to {most}.").format(most=most)])
        question.choose(number - 1)
        action = question.confirm()
        if action is None and len(question.options) == 1:
            # One answer is no question.
            question.choose(0)
            action = question.confirm()
        if action is not None:
            return self._answer(action)
        question.chosen = None
        return Reply(list(self.ask()))

    def notated(self, question: Question, text: str) -> Reply:
        """Answer in the notation."""
        action = _noted(text)
        if action is None:
            return Reply([_("That is not an answer; type a number, or help for all commands.")])
        refusal = why_not(question.view, action)
        if refusal is not None:
            return Reply([self._prompter(question.view).why_not(refusal)])
        return self._answer(action)

    def _answer(self, action: Action) -> Reply:
        """Give an answer, and take note of when."""
        view = self.session.view
        self._answered = len(self.session.events), tuple(view.pools) if view is not None else ()
        return Reply(messages=[self.session.act(action)])


def _noted(text: str) -> Action | None:
    """Return the answer that a text is in the notation; None if it is none."""
    token = text[:1].upper() + text[1:] if text[:1].isalpha() else text
    return ACTIONS.get(token) or ACTIONS.get(text)


_READY: Final = messages.SetReady(ready=True)

_SURE: Final = {
    "send away": PeopleCommands.send_away,
    "new invitation": PeopleCommands.new_invitation,
    "end game": PeopleCommands.end,
}
"""What a host types twice, as it cannot be undone, and the command that it is on the screen."""
