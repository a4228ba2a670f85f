"""How a module declares its commands, with their options and arguments.

What typer makes of a declaration is made when its command is looked up: of all commands of a
module it would take longer.
"""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature, signature
from typing import Any, NamedTuple, TypeVar, get_type_hints

import typer
from typer.main import get_group
from typer.models import OptionInfo

from engine.words import Text

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., object])


def option(help: Text, *names: str, usual: object = None, **more: Any) -> Any:
    """Return what makes a parameter an option, which is called like it unless names are given."""
    return typer.Option(usual, *names, help=help, **more)


def flag(help: Text, *names: str) -> Any:
    """Return what makes a parameter an option that one gives or does not give, without a value."""
    return typer.Option(False, *names, help=help)


def argument(help: Text, metavar: str, usual: object = None, **more: Any) -> Any:
    """Return what makes a parameter an argument, which has no name on the command line."""
    return typer.Argument(usual, metavar=metavar, help=help, **more)


class OptionGroup:
    """Options that go together: each field of a class like this one is an option."""

    def __init__(self, **said: Any) -> None:
        """Know what was said, by the names of the fields."""
        vars(self).update(said)


class _Declared(NamedTuple):
    function: Callable[..., object]
    help: str
    examples: str


class Commands:
    """The commands of a module."""

    def __init__(self) -> None:
        self.declared: dict[str, _Declared] = {}

    def described(
        self, name: str, help: Text = "", *, examples: Text
    ) -> Callable[[CommandFunction], CommandFunction]:
        """Return what makes a function the command of a name; it may take groups of options.

        Args:
            name: As `command_list` or a wing's module `commands` has it.
            help: What its help says besides the sentence there.
            examples: Command lines, under a heading of their own.
        """

        def declare(function: CommandFunction) -> CommandFunction:
            self.declared[name] = _Declared(function, help, examples)
            return function

        return declare

    def build(self, name: str) -> Any:
        """Return typer's command of a name, with its texts as they stand in the code."""
        function, help, examples = self.declared[name]
        # Plain help needs neither rich nor its start-up time, and reads well in any terminal.
        alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
        alone.command(name, help=help, epilog=examples)(_option_by_option(function))
        return get_group(alone).commands[name]


def _option_by_option(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that takes the options of its groups one by one."""
    single: list[Parameter] = []
    groups: dict[str, tuple[type[OptionGroup], Iterable[str]]] = {}
    for name, each in signature(function).parameters.items():
        group = each.annotation
        if isinstance(group, type) and issubclass(group, OptionGroup):
            fields = get_type_hints(group, include_extras=True)
            groups[name] = group, fields
            single += [_parameter(field, getattr(group, field), of) for field, of in fields.items()]
        else:
            single.append(_parameter(name, each.default, each.annotation))

    def run(**said: Any) -> object:
        for name, (group, fields) in groups.items():
            said[name] = group(**{field: said.pop(field) for field in fields})
        return function(**said)

    vars(run)["__signature__"] = Signature(single)
    return run


def _parameter(name: str, default: Any, annotation: Any) -> Parameter:
    if isinstance(default, OptionInfo) and default.default is False and not default.param_decls:
        # There is no option for what is so anyway.
        default.param_decls = (f"--{name.replace('_', '-')}",)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
