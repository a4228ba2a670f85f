"""Marks texts for translation, and defines errors with a sentence for a player.

The engine returns codes and letters. A caller that shows them to a player passes a `translate`
function, such as gettext's. The catalogues collect every literal whose type is `Text`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

Translate: TypeAlias = Callable[[str], str]

Text: TypeAlias = str
"""A text for the translation catalogues. The program translates it only when it shows it.

`Annotated[Text, "a context"]` is a text with a context for gettext's `pgettext`.
"""

ONLY_WHY: Final = "{why}"
"""The template of an error whose only value is a whole sentence."""


def untranslated(text: str) -> str:
    """Return the text unchanged, in English."""
    return text


class ExplainedError(ValueError):
    """An error with a sentence for a player, made of a template and values.

    A value may be another ExplainedError; the sentence then contains the other error's sentence.
    """

    is_of_machine: ClassVar[bool] = False
    """True if the machine caused the error, not the user's input."""

    def __init__(self, template: Text, **values: "str | int | ExplainedError") -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the arguments for pickling, so that the error can cross processes."""
        return partial(type(self), self.template, **self.values), ()

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return the error as one sentence, in the language of `translate`."""
        values = {
            name: value.sentence(translate) if isinstance(value, ExplainedError) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)
