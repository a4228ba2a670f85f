"""Texts for players: how they are marked for translation, and errors that are one.

The engine speaks in codes and letters; whoever shows them to a player passes a `translate`
function (gettext's, say). What stands where the type is `Text` is found for the catalogues.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

Translate: TypeAlias = Callable[[str], str]

Text: TypeAlias = str
"""A text for the catalogues, which is translated when it is shown.

`Annotated[Text, "a context"]` is one for gettext's `pgettext`, in that context.
"""

AS_TOLD: Final = "{why}"
"""The template of an error whose sentence has been told already."""


def untranslated(text: str) -> str:
    """Leave a text in English."""
    return text


class ExplainedError(ValueError):
    """An error whose text is a sentence for a player: a template and what to fill into it.

    What is filled in may be such an error itself: then the sentence says what that one does.
    """

    is_of_machine: ClassVar[bool] = False
    """Whether the machine is to blame, and not what somebody asked for."""

    def __init__(self, template: Text, **values: "str | int | ExplainedError") -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it go from one process to another with its template."""
        return partial(type(self), self.template, **self.values), ()

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return what is wrong as one sentence."""
        values = {
            name: value.sentence(translate) if isinstance(value, ExplainedError) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)
