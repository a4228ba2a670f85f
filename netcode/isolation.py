"""Isolates wings, the optional parts of the program, at run time.

An unexpected error in a wing is logged in one sentence. The failing part is left out, and
everything else continues. Errors that a seam documents are raised to the caller.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final, Generic, TypeVar

from engine.texts import ExplainedError
from netcode.tracebacks import error_line, import_failure, wing_in, wing_of

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


def log_failure(error: Exception, part: object) -> str:
    """Log an error of a part; return the name of the wing at fault.

    This is the outermost wing in the traceback. Without one, it is the wing of `part`, or the
    module of a part of the core. `part` is the failed object, or a wing's name.
    """
    while isinstance(part, partial):
        part = part.func
    own = part if isinstance(part, str) else wing_of(part.__module__) or part.__module__
    wing = wing_in(error) or own
    _log.error("the optional part %r has failed and is left out: %s", wing, error_line(error))
    return wing


def explained_error(error: Exception, part: object) -> ExplainedError:
    """Return an error of a part with a sentence for the user; log it if it is unexpected."""
    if isinstance(error, ExplainedError):
        return error
    wing = log_failure(error, part)
    why = import_failure(error)
    return ExplainedError(
        "The optional part {part} has failed ({why}): restart the program to use it again.",
        part=wing,
        why=why,
    )


def attempt(
    part: object, call: Callable[[], _Result], otherwise: _Result, *passing: type[Exception]
) -> _Result:
    """Return the result of a call into a part; after an unexpected error, log it.

    The result is then `otherwise`. Errors of the types in `passing` are raised.
    """
    try:
        return call()
    except passing:
        raise
    except Exception as error:
        log_failure(error, part)
        return otherwise


class IsolatedParts(Generic[_Part]):
    """The parts that wings bring to one place. A part that fails is logged and left out.

    Some methods have an argument `passing`: the types of errors that they raise without leaving the
    part out.
    """

    def __init__(self, left_out: Callable[[_Part], object] = lambda _part: None) -> None:
        """Begin without parts. `left_out` is called with each part that has failed."""
        self._parts: tuple[_Part, ...] = ()
        """The parts that have not failed. A change makes a new tuple, so loops need no copy."""
        self._failed: list[_Part] = []
        self._left_out: Final = left_out

    def __iter__(self) -> Iterator[_Part]:
        """Iterate over the parts that have not failed."""
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, build: Callable[[], _Part]) -> _Part | None:
        """Build a part, store it and return it; None if `build` fails or returns None."""
        part = attempt(build, build, None)
        if part is not None:
            self._parts = (*self._parts, part)
        return part

    def leave_out(self, part: _Part, error: Exception) -> None:
        """Log the error of a part, leave the part out from now on, and call `left_out` with it."""
        self._parts = tuple(each for each in self._parts if each is not part)
        self._failed.append(part)
        log_failure(error, part)
        self._left_out(part)

    def results(
        self, call: Callable[[_Part], _Result], *passing: type[Exception]
    ) -> Iterator[_Result]:
        """Yield the result of a call for each part; log and leave out the parts that fail.

        Errors of the types in `passing` are raised.
        """
        for part in self:
            try:
                result = call(part)
            except passing:
                raise
            except Exception as error:
                self.leave_out(part, error)
            else:
                yield result

    def first(self, call: Callable[[_Part], _Result | None]) -> _Result | None:
        """Return the first result of a call that is not None; None if no part has such a result.

        A part that fails is logged and left out.
        """
        for part in self._parts:
            try:
                result = call(part)
            except Exception as error:
                self.leave_out(part, error)
            else:
                if result is not None:
                    return result
        return None

    def each(self, call: Callable[[_Part], object], *passing: type[Exception]) -> None:
        """Make a call for each part; log and leave out the parts that fail.

        Errors of the types in `passing` are raised.
        """
        # This loop is faster than one over `results`, and each input makes several calls.
        for part in self._parts:
            try:
                call(part)
            except passing:
                raise
            except Exception as error:
                self.leave_out(part, error)

    def changed(self, value: _Result, change: Callable[[_Part, _Result], _Result]) -> _Result:
        """Return a value after each part in turn has changed it.

        A part that fails is logged and left out, and the value stays as it was before that part.
        """
        for part in self:
            try:
                value = change(part, value)
            except Exception as error:
                self.leave_out(part, error)
        return value

    async def each_in_turn(
        self, call: Callable[[_Part], Awaitable[object]], *passing: type[Exception]
    ) -> None:
        """Make a call for each part, and wait for its end before the next call.

        A part that fails is logged and left out. Errors of the types in `passing` are raised.
        """
        for part in self:
            try:
                await call(part)
            except passing:
                raise
            except Exception as error:
                self.leave_out(part, error)

    def close(self, call: Callable[[_Part], object]) -> None:
        """Make a last call for each part, also for parts that have failed. Errors are logged."""
        for part in (*self, *self._failed):
            attempt(part, partial(call, part), None)

    async def close_in_turn(self, call: Callable[[_Part], Awaitable[object]]) -> None:
        """Make a last call for each part in turn, also for parts that have failed.

        Errors are logged.
        """
        for part in (*self, *self._failed):
            try:
                await call(part)
            except Exception as error:
                log_failure(error, part)
