"""Interprets the lines that a player without a screen types.

This module reads and writes nothing: `line` returns the lines to write and the messages to send.
Tables list the commands for each place, and `HELP` explains them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from driflamme_tui.keymap.screen_commands import PeopleCommands
from driflamme_tui.model.pending_question import Question
from driflamme_tui.plain.described_table import with_text
from driflamme_tui.plain.line_player import Judging, LineEffect, Reply, reply_of
from driflamme_tui.plain.plain_narrator import PlainNarrator
from driflamme_tui.plain.typed_words import in_english, typed_command
from driflamme_tui.plain.wing_lines import (
    InGame,
    typed_by_hosts,
    typed_in_game,
    typed_in_lobby,
    wing_commands,
    wing_help,
    with_topics,
)
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import ASCII
from driflamme_tui.wording.game.card_texts import card_help
from driflamme_tui.wording.game.names import bot_called, card_name
from driflamme_tui.wording.program.latecomer_words import bots_seats, typed_offer_sentence
from driflamme_tui.wording.program.people_words import (
    PAUSE,
    PHRASES,
    leaving_meaning,
    paused_sentence,
    silenced_sentence,
    sure_words,
)
from driflamme_tui.wording.program.settings_words import SETTINGS_BY_WORD, free_families
from driflamme_tui.wording.program.table_setting import TableSetting
from engine.actions import ACTIONS, Action
from engine.bots import DEFAULT_BOT, bot_names
from engine.cards import CARDS
from engine.legal import why_not
from engine.texts import Text
from netcode.protocol import messages
from netcode.protocol.fields import CHAT_LENGTH, NAME_LENGTH, FamilyLetter, Message
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence
from netcode.protocol.table_settings import is_valid_value

LAST_EVENTS: Final = 12
"""Number of events that the command "events" describes."""

_SIGNS: Final = ('"', "'", "?")
"""Commands that are a single sign, and need no space before the text."""

_SURE: Final = {
    "send away *": PeopleCommands.send_away,
    "new invitation": PeopleCommands.new_invitation,
    "end game": PeopleCommands.end,
}
"""The host's commands that must be typed twice, since they cannot be undone. The value is the same
command on the screen.
"""

Does: TypeAlias = Callable[["PlainPlayer", str], LineEffect]
"""The function of a command. Its second argument is the text after the command's words."""

Commands: TypeAlias = dict[str, Message | Does]
"""The message or function of each command. A star at the end stands for the text that follows."""


_HELP: Final[dict[str, tuple[Text, ...]]] = {
    "game": (
        "A number, or an answer in the notation such as A> or + : answer the question.",
        "back: choose another card.",
        "since: what has happened since your last answer, and who gained or lost by it.",
        *wing_help(),
        "here: take your seat back from a bot.",
        "seat, and a name: while watching, take the seat of that bot. no seat: withdraw the"
        " request.",
    ),
    "lobby": (
        "ready, not ready: in the lobby, and for another game.",
        "name, and a name: in the lobby, change your name to that.",
        "mistakes: after a game, your accuracy and your costliest decisions.",
    ),
    "chat": (
        "? : describe the whole table. ?A, ?S and so on: what a card does.",
        "score: who is ahead. events: what happened last. who: who is here.",
        "say, and a text: write to everybody at the table.",
        "phrases: quick phrases by number. phrase 2: send one, to each in their own language.",
    ),
    "host": (
        "start, bot, bot master: the host begins the game, or adds a bot.",
        "bot, its name and a level: the host changes the bot's level.",
        "move, a name and a place: in the lobby, the host moves that player to the place.",
        "shuffle: in the lobby, the host puts the seats into a random order.",
        "two, not two: in the lobby, the host makes it a table for two players or not.",
        (
            "best of 3, 5, 7 or 0: in the lobby, the host sets how many games decide the evening; 0"
            " for no limit."
        ),
        (
            "edition, first, direction, pace, think, clock or latecomers, and a value: in the"
            " lobby, the host changes this setting."
        ),
        "pause, resume: the host pauses the game, and resumes it. pause: ask the host for it.",
        (
            "bot for, and a name: the host lets a bot answer for somebody who is away or not "
            "answering."
        ),
        "allow, refuse: the host lets a latecomer have the seat of a bot, or does not.",
        "let in, and a name: the host lets an absent player return from another machine.",
        "send away, and a name: the host sends a player or a spectator away.",
        "silence, no silence: the host lets only players write in the chat, or everybody.",
        "new invitation: the host makes one, and the old one stops working.",
        "new code: the host makes one if somebody guesses the old one; the link stays.",
        "end game: the host ends it for everybody; it stays unfinished.",
    ),
}

HELP: Final = with_topics(_HELP)
"""The help lines for commands, by topic, including the lines of wings."""

QUIT: Final[Text] = "quit: leave the table."


@dataclass
class PlainPlayer(PlainNarrator):
    """Describes a session line by line, and replies to typed lines.

    The function of a command returns its effect: lines to write, messages to send, or a whole
    reply.
    """

    owned: bool = False
    """True if this program hosts the table."""
    _typed: str = ""
    """The last typed line. Commands that cannot be undone must be typed twice in a row."""
    _again: bool = False
    """True if the same line was typed just before."""

    @property
    def commands(self) -> Commands:
        """The commands that can be typed now.

        At a table, the host's commands are always included: `meant` refuses them to other players.
        """
        hosts = {} if self.session.lobby is None else HOSTS
        place, choice = self._place(), dict[str, Message | Does]()
        if place == "choice" and self.choice is not None:
            choice = {words: _given_rest(do) for words, do in self.choice.commands().items()}
        return {**ANYWHERE, **choice, **PLACES[place], **hosts}

    def is_answer(self, text: str) -> bool:
        """Return True if a line answers a question.

        Such a line must wait until the question is asked.
        """
        text = text.strip()
        is_command = in_english(text).lower() in (*wing_commands(), "back")
        return is_command or text.isdecimal() or _noted(text) is not None

    def line(self, text: str) -> Reply:
        """Return the reply to any line."""
        return reply_of(self.meant(text))

    def meant(self, text: str) -> LineEffect:
        """Run a line, and return its effect.

        A line without a command goes to `otherwise`. A guest who types a host's command gets a
        refusal; during a game, `pause` sends the quick phrase instead. A command that cannot be
        undone returns a warning, and has its effect only if it is typed again at once.
        """
        text = " ".join(text.split())
        if text[:1] in _SIGNS and text[1:]:
            text = f"{text[0]} {text[1:].strip()}"
        self._again, self._typed = text == self._typed, text
        text = in_english(text)
        lobby, commands = self.session.lobby, self.commands
        words, rest, key = text, "", text.lower()
        while key not in commands:
            words, _gap, last = words.rpartition(" ")
            rest = f"{last} {rest}".rstrip()
            if not words:
                return self.otherwise(text)
            key = f"{words.lower()} *"
        if key == PAUSE and lobby is not None and not lobby.host and lobby.phase == "playing":
            return self._chat(messages.Chat(phrase=PAUSE))
        if key in HOSTS and lobby is not None and not lobby.host:
            return refusal_sentence(messages.Reason(code="not_the_host"), _)
        does = commands[key]
        effect = does(self, rest) if callable(does) else does
        is_sure = key not in _SURE or self._again or isinstance(effect, str)
        if lobby is None or is_sure:
            return effect
        return [*sure_words(_SURE[key], rest, lobby), _("Type it again if you are sure.")]

    def _place(self) -> str:
        """Return the player's place, a key of `PLACES`; "" before the player is let in."""
        lobby = self.session.lobby
        if lobby is None:
            return "" if self.choice is None else "choice"
        return "game" if lobby.phase == "playing" and self.session.view is not None else "lobby"

    def otherwise(self, text: str) -> LineEffect:
        """Return the effect of a line that is no command, such as an answer or a number.

        An empty line shows the question again.
        """
        match self._place():
            case "game" if (question := self._question) is not None:
                if why := self._why_not_now():
                    return why
                if not text:
                    return self.ask()
                if text.isdecimal() and text.isascii():
                    return self.numbered(question, int(text))
                return self.notated(question, text)
            case "choice" if self.choice is not None:
                return self.choice.otherwise(text)
            case "":
                return _("You have not been let in yet: wait a moment.")
            case "lobby" if not text.isdecimal():
                return _("That is not a command here; type help for all commands.")
        # The number was probably meant for another question, so explain the present state.
        return self._why_not_now()

    def _why_not_now(self) -> str:
        """Return the reason why no answer is possible now; "" if an answer is possible."""
        lobby = self.session.lobby
        if self._question is None:
            return _("There is nothing to answer now; type ? for the state of the table.")
        if lobby is not None and lobby.paused:
            return paused_sentence(is_host=lobby.host, by_lines=True)
        return _("Your answer is on its way.") if self.session.pending is not None else ""

    # Commands for every place

    def help(self, topic: str) -> LineEffect:
        """Return the help about present commands, or about a topic.

        A line with an unknown topic counts as a line that is no command.
        """
        topic = in_english(topic)
        if topic:
            return map(_, HELP[topic]) if topic in HELP else self.otherwise(self._typed)
        now = "game" if self._place() == "game" else "lobby"
        topics = [typed_command(each) for each in HELP if each not in (now, "chat")]
        others = ", ".join(f"{typed_command('help')} {each}" for each in topics)
        lines = (*HELP[now], *HELP["chat"], QUIT)
        return [*map(_, lines), _("More: {commands}.", commands=others)]

    def quit(self, _rest: str) -> LineEffect:
        """Return a reply that leaves the table.

        If leaving has consequences, return a sentence about them until `quit` is typed a second
        time in a row.
        """
        meaning = "" if self._again else self.leaving_means()
        if not meaning:
            return Reply(leaves=True)
        return f"{meaning} {_('Type quit once more to leave.')}"

    def leaving_means(self) -> str:
        """Return the consequences of leaving; "" if there are none."""
        lobby, view = self.session.lobby, self.session.view
        if lobby is not None and view is not None and view.over and lobby.phase == "playing":
            # The last view may arrive before the news of the game's end, so treat the game as
            # ended.
            lobby = replace(lobby, phase="result")
        seated = lobby is not None and lobby.you is not None
        kept = "" if self.player_seat is None else self.player_seat.leaving
        return leaving_meaning(lobby, owned=self.owned, seated=seated, kept=kept)

    def last_events(self, _rest: str) -> LineEffect:
        """Return lines about the last `LAST_EVENTS` events."""
        return self.events(max(0, len(self.session.events) - LAST_EVENTS))

    def about_card(self, letter: str) -> LineEffect:
        """Return a card's name and help. A text that is no card's letter is an unknown command."""
        card = letter.upper()
        if card not in [*CARDS]:
            return self.otherwise(self._typed)
        return with_text(card_name(card), card_help(card))

    def phrases(self, _rest: str) -> LineEffect:
        """Return the quick phrases with their numbers."""
        return [f"{n}: {_(each)}" for n, each in enumerate(PHRASES.values(), 1)]

    def phrase(self, number: str) -> LineEffect:
        """Return the message of the quick phrase with a number; for other texts, an explanation."""
        numbered = {str(n): name for n, name in enumerate(PHRASES, 1)}
        if number not in numbered:
            return _("Give the number of a phrase; type phrases to list them.")
        return self._chat(messages.Chat(phrase=numbered[number]))

    def chat(self, text: str) -> LineEffect:
        """Return the message of a chat line; for an empty or too long text, the reason."""
        text = " ".join("".join(sign for sign in text if sign.isprintable()).split())
        if not text:
            return _("Say what? Type say, and then a text.")
        if len(text) > CHAT_LENGTH:
            return _(
                "Shorten the text to {most} characters: it has {n}, so nothing was sent.",
                most=CHAT_LENGTH,
                n=len(text),
            )
        return self._chat(messages.Chat(text=text))

    def _chat(self, message: messages.Chat) -> LineEffect:
        """Return a chat message, or the reason why the player cannot write now."""
        lobby = self.session.lobby
        if lobby is None:
            return _("You have not been let in yet: wait a moment.")
        mine = (seat.name for seat in lobby.seats if seat.family == lobby.you)
        why = silenced_sentence(lobby, next(mine, self.session.name or ""))
        return why or message

    def other_name(self, name: str) -> LineEffect:
        """Return a reply that renames the player and joins again; for an invalid name, the reason.

        The command is for a player whose earlier name the table has refused.
        """
        return self._named(name, Reply(goes=lambda seat: seat.rename(name)))

    def _named(self, name: str, effect: LineEffect) -> LineEffect:
        """Return `effect` if a name is valid; otherwise return the reason why it is invalid."""
        problem = name_problem(name)
        if problem is None:
            return effect
        return refusal_sentence(problem, _)

    # Before and after a game

    def ready(self, _rest: str) -> LineEffect:
        """Return the message that declares the player ready.

        For a spectator, return the message that takes a free seat, if there is one.
        """
        lobby, self._knows_ready = self.session.lobby, False
        free = free_families(lobby) if lobby is not None and lobby.you is None else []
        if free:
            return messages.ChooseFamily(family=free[0])
        return messages.SetReady(ready=True)

    def name(self, name: str) -> LineEffect:
        """Return the message that changes the player's name, or the reason why it is invalid."""
        return self._named(name, messages.Rename(name))

    def change(self, text: str, setting: TableSetting, *, undone: bool = False) -> LineEffect:
        """Return the message that changes a setting to a typed value.

        For an invalid value, return a sentence with the valid values. With `undone`, the message
        switches the setting off.
        """
        lobby = self.session.lobby
        assert lobby is not None
        text = in_english(text.removeprefix("of ").casefold())
        value = False if undone else setting.typed(text)
        try:
            settings = setting.changed(lobby, value)
            if is_valid_value(setting.field, settings.value(setting.field)):
                return messages.ChangeSettings(settings=settings)
        except msgspec.ValidationError:
            pass
        text = _("{setting}: type one of these values: {values}.")
        values = ", ".join(map(typed_command, setting.written().split(", ")))
        return text.format(setting=_(setting.name), values=values)

    def mistakes(self, _rest: str) -> LineEffect:
        """Return a request to review the player's decisions in the game that has ended.

        Without a record or a seat in that game, return the reason why there is no review.
        """
        session = self.session
        if session.record is None:
            return _(
                "The table has not sent the record of this game: wait a moment, then try again."
            )
        if not session.player_seats:
            return _("You had no seat in this game: see driflamme replay --mistakes --from NAME.")
        # Import here, since few players use this command.
        from driflamme_tui.replay.judging import Review
        from driflamme_tui.replay.kept_judgements import kept_advice
        from driflamme_tui.wording.choices.mistake_words import mistake_lines, progress_sentence
        from engine.replaying import Replay

        replay, seat = Replay.of(session.record), session.player_seats[0]
        review = Review(replay, seat, kept_advice(replay, seat))

        def lines() -> list[str]:
            again = _("To try a decision again, type driflamme replay --mistakes.")
            return [*mistake_lines(review, ASCII), *([again] if review.mistakes else [])]

        return Reply(judging=Judging(review, lambda: progress_sentence(review), lines))

    def bot(self, rest: str) -> LineEffect:
        """Return the message that adds a bot of a kind; for "", of the default kind.

        If `rest` has a bot's name before the kind, the message changes that bot's kind. For an
        unknown name or kind, return the reason.
        """
        name, _gap, level = rest.rpartition(" ")
        bot = bot_called(level) if rest else DEFAULT_BOT
        if not bot:
            text = _("There is no bot called {bot!r}: choose one of {bots}.")
            return text.format(bot=level, bots=", ".join((*bot_names(), EVEN_BOT)))
        if not name:
            return messages.AddBot(bot=bot)
        family = self._family_of(name, bots=True)
        if family is None:
            return _(
                "There is no bot called {name} at the table: type who to list all players.",
                name=name,
            )
        return messages.ChangeBot(family=family, bot=bot)

    def move(self, rest: str) -> LineEffect:
        """Return the message that moves a player's seat to another place in the order of seats.

        `rest` has the player's name and the place. If one of them is wrong, return the reason.
        """
        lobby = self.session.lobby
        assert lobby is not None
        name, _gap, place = rest.rpartition(" ")
        family, most = self._family_of(name, bots=False), len(lobby.seats)
        numbers = {str(n): n - 1 for n in range(1, most + 1)}
        if not name or place not in numbers:
            text = _("Type move, a player's name, and the new place from 1 to {most}.")
            return text.format(most=most)
        if family is None:
            return refusal_sentence(messages.Reason(code="nobody_called", values={"name": name}), _)
        return messages.MoveSeat(family=family, place=numbers[place])

    def _family_of(self, name: str, *, bots: bool) -> FamilyLetter | None:
        """Return the family of the player or bot with this name; None for an unknown name.

        With `bots`, only bots count. Upper and lower case are the same.
        """
        seats = () if self.session.lobby is None else self.session.lobby.seats
        called = (seat for seat in seats if seat.name.casefold() == name.casefold())
        return next((seat.family for seat in called if not bots or seat.bot is not None), None)

    # The host's decisions about people

    def absent(self, name: str, choice: Literal["bot", "admit"]) -> LineEffect:
        """Return the message with the host's decision about an absent player.

        With "bot", a bot plays for the player; with "admit", the player may return from another
        machine. For an unknown name, return the reason.
        """
        family = self._family_of(name, bots=False)
        if family is None:
            return refusal_sentence(messages.Reason(code="nobody_called", values={"name": name}), _)
        return messages.Absent(family=family, choice=choice)

    def send_away(self, name: str) -> LineEffect:
        """Return the message that sends a player or a spectator away by name.

        For a name that is too long to exist, return a sentence.
        """
        if len(name) > NAME_LENGTH:
            return refusal_sentence(messages.Reason(code="nobody_called", values={"name": name}), _)
        return messages.SendAway(name=name)

    def answer_wish(self, name: str, *, granted: bool) -> LineEffect:
        """Return the message that grants or refuses a spectator's wish for a bot's seat.

        `name` is the spectator's name; "" for the oldest wish. Without such a wish, return a
        sentence.
        """
        wishes = () if self.session.lobby is None else self.session.lobby.wishes
        wish = next(
            (each for each in wishes if name.casefold() in ("", each.name.casefold())), None
        )
        if wish is None:
            return _("Nobody is asking for a seat now.")
        return messages.AnswerWish(name=wish.name, family=wish.family, granted=granted)

    # During a game

    def seat(self, name: str) -> LineEffect:
        """Return the message that asks for a bot's seat.

        `name` is the bot's name; "" for the first bot. To a seated player, or for an unknown name,
        return a sentence.
        """
        lobby = self.session.lobby
        assert lobby is not None
        if lobby.you is not None:
            return refusal_sentence(messages.Reason(code="seated"), _)
        bots = bots_seats(lobby)
        family = self._family_of(name, bots=True) if name else bots[0].family if bots else None
        if family is None:
            return typed_offer_sentence(lobby)
        return messages.AskSeat(family)

    def pending(self) -> Question | str:
        """Return the present question, or the reason why no answer is possible now."""
        why = self._why_not_now()
        return why if why or self._question is None else self._question

    def back(self, _rest: str) -> LineEffect:
        """Go back to the question's first step, and return its lines.

        If no answer is possible now, return the reason.
        """
        why = self._why_not_now()
        if why or self._question is None:
            return why
        self._question.picked = None
        return self.ask()

    def numbered(self, question: Question, number: int) -> LineEffect:
        """Choose an option by its number.

        Return the message for the answer, or the lines of the next step. For a wrong number, return
        the possible numbers.
        """
        most = len(question.options)
        if not 1 <= number <= most:
            return _("Type a number from 1 to {most}.", most=most)
        question.choose(number - 1)
        action = question.confirm()
        if action is None and len(question.options) == 1:
            # The only answer leaves nothing to choose, so confirm it at once.
            question.choose(0)
            action = question.confirm()
        if action is not None:
            return self._answer(action)
        question.chosen = None
        return self.ask()

    def notated(self, question: Question, text: str) -> LineEffect:
        """Return the message for an answer in the notation, or the reason why it is impossible."""
        action = _noted(text)
        if action is None:
            return _("That is not an answer; type a number, or help for all commands.")
        refusal = why_not(question.view, action)
        if refusal is not None:
            return self.prompter(question.view).why_not(refusal)
        return self._answer(action)

    def _answer(self, action: Action) -> LineEffect:
        """Return the message for an answer; store the events and influence before it."""
        view = self.session.view
        self._answered = len(self.session.events), tuple(view.pools) if view is not None else ()
        return self.session.act(action)


def _noted(text: str) -> Action | None:
    """Return the answer that a text means in the notation; None if it is no answer."""
    token = text[:1].upper() + text[1:] if text[:1].isalpha() else text
    return ACTIONS.get(token) or ACTIONS.get(text)


def as_reply(lines_of: Callable[[PlainPlayer], Iterable[str]]) -> Does:
    """Return a command that writes the lines of a method."""
    return lambda player, _rest: lines_of(player)


def _settings() -> Iterator[tuple[str, Does]]:
    """Yield the commands that change the table's settings."""
    for word, setting in SETTINGS_BY_WORD.items():
        yield word, partial(PlainPlayer.change, setting=setting)
        yield f"{word} *", partial(PlainPlayer.change, setting=setting)
        if isinstance(setting.values[0], bool):
            yield f"not {word}", partial(PlainPlayer.change, setting=setting, undone=True)


ANYWHERE: Final[Commands] = {
    "quit": PlainPlayer.quit,
    "leave": PlainPlayer.quit,
    "help": PlainPlayer.help,
    "help *": PlainPlayer.help,
    "?": as_reply(PlainPlayer.table),
    "? ?": as_reply(PlainPlayer.table),
    "? *": PlainPlayer.about_card,
    "score": as_reply(PlainPlayer.standing),
    "events": PlainPlayer.last_events,
    "since": as_reply(PlainPlayer.since_answer),
    "who": as_reply(PlainPlayer.people),
    "say": PlainPlayer.chat,
    "say *": PlainPlayer.chat,
    '" *': PlainPlayer.chat,
    "' *": PlainPlayer.chat,
    "phrases": PlainPlayer.phrases,
    "phrase": PlainPlayer.phrase,
    "phrase *": PlainPlayer.phrase,
}
"""The commands that can be typed at any place."""

HOSTS: Final[Commands] = {
    "bot for *": partial(PlainPlayer.absent, choice="bot"),
    "let in *": partial(PlainPlayer.absent, choice="admit"),
    "send away *": PlainPlayer.send_away,
    "allow": partial(PlainPlayer.answer_wish, granted=True),
    "allow *": partial(PlainPlayer.answer_wish, granted=True),
    "refuse": partial(PlainPlayer.answer_wish, granted=False),
    "refuse *": partial(PlainPlayer.answer_wish, granted=False),
    "silence": messages.Silence(silenced=True),
    "no silence": messages.Silence(silenced=False),
    "new invitation": messages.NewInvitation(),
    "new code": messages.NewCode(),
    "end game": messages.EndGame(),
    "pause": messages.Pause(paused=True),
    "resume": messages.Pause(paused=False),
    **typed_by_hosts(),
}
"""The commands of the host, in the lobby and in a game."""


def _given_rest(do: Callable[[str], LineEffect]) -> Does:
    return lambda _player, rest: do(rest)


def _ignoring_rest(do: Callable[[InGame], LineEffect]) -> Does:
    return lambda player, _rest: do(player)


PLACES: Final[dict[str, Commands]] = {
    "": {},
    "choice": {"name *": PlainPlayer.other_name},
    "lobby": {
        "ready": PlainPlayer.ready,
        "not ready": messages.SetReady(ready=False),
        "name *": PlainPlayer.name,
        "start": messages.Start(),
        "bot": PlainPlayer.bot,
        "bot *": PlainPlayer.bot,
        "mistakes": PlainPlayer.mistakes,
        "move": PlainPlayer.move,
        "move *": PlainPlayer.move,
        "shuffle": messages.ShuffleSeats(),
        **dict(_settings()),
        **typed_in_lobby(),
    },
    "game": {
        "back": PlainPlayer.back,
        **{word: _ignoring_rest(do) for word, do in wing_commands().items()},
        "here": messages.Here(),
        "seat": PlainPlayer.seat,
        "seat *": PlainPlayer.seat,
        "no seat": messages.AskSeat(None),
        **typed_in_game(),
    },
}
"""The commands of each place: before joining, at the choice of tables, in the lobby, in a game."""
