"""Declares the commands of a module, with their options and arguments.

typer's version of a command is made only when the command is looked up, which saves time.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, Signature, signature
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand
from typer.main import get_group
from typer.models import OptionInfo

from driflamme_tui.cli.typer_texts import TranslatedHelp
from engine.texts import Text

SEAM: Final = "options"
"""The name of the seam `options`, and of the wing's module that serves it."""

EXAMPLES_OF_WINGS: Final = "{wings}"
"""The place of the wings' examples among the examples of a command."""

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., object])


def option(help: Text, *names: str, usual: object = None, **more: Any) -> Any:
    """Return the parameter default that declares an option; a missing option has the value `usual`.

    Without `names`, the parameter names the option. `more` are further arguments of typer.
    """
    return typer.Option(usual, *names, help=help, **more)


def flag(help: Text, *names: str) -> Any:
    """Return the parameter default that declares an option without a value, off by default."""
    return typer.Option(False, *names, help=help)


class PortInfo(OptionInfo):
    """An option whose value is a port. The value may be left out."""

    usual_port: int


def port_option(help: Text, usual: int, *names: str) -> Any:
    """Return the parameter default that declares an option with a port as its value.

    Help shows `usual` as the default, but a missing option has the value None.
    """
    return option(help, *names, min=0, max=65535, show_default=str(usual))


def optional_port_option(help: Text, usual: int) -> Any:
    """Return the parameter default that declares an option for a port.

    The option without a value means the port `usual`; a missing option has the value None.
    """
    made = PortInfo(
        default=None, help=help, min=0, max=65535, metavar="[PORT]", show_default=str(usual)
    )
    made.usual_port = usual
    return made


def argument(help: Text, metavar: str, usual: object = None, **more: Any) -> Any:
    """Return the parameter default that declares an argument.

    A missing argument has the value `usual`. `more` are further arguments of typer.
    """
    return typer.Argument(usual, metavar=metavar, help=help, **more)


class OptionGroup:
    """A group of options. Each field of a subclass is an option."""

    def __init__(self, **values: Any) -> None:
        """Store the values of the options, by the names of the fields."""
        vars(self).update(values)

    @classmethod
    def parameters(cls, _groups: Sequence["type[OptionGroup]"]) -> Iterator[Parameter]:
        """Yield the options as parameters of a function.

        `_groups` has the wings' groups of the same command, on which a subclass's options may
        depend.
        """
        for name, kind in get_type_hints(cls, include_extras=True).items():
            if get_origin(kind) is not ClassVar:
                yield parameter(name, getattr(cls, name), kind)


class WingOptions(OptionGroup):
    """Options that a wing adds to commands.

    A command accepts all options of a kind by a parameter of the type `tuple[KIND, ...]`.
    """

    commands: ClassVar[tuple[str, ...]] = ()
    """The names of the commands with these options."""
    after: ClassVar[str] = ""
    """The parameter after which the help lists these options; "" to list them first."""
    rank: ClassVar[int] = 0
    """The rank of these options among the options of other wings; the lowest number comes first."""
    examples: ClassVar[Mapping[str, str]] = {}
    """An example for some commands, by name of the command."""
    helps: ClassVar[Mapping[str, Text]] = {}
    """Help texts that replace help texts of the core, by name of the parameter or command."""


class AddedOptions(NamedTuple):
    """The option groups that a wing adds by the seam `options`."""

    groups: tuple[type[WingOptions], ...]


_Added = TypeVar("_Added", bound=WingOptions)


def added_options(kind: type[_Added], command: str) -> list[type[_Added]]:
    """Return the wings' option groups of a kind for a command, in the order of their ranks."""
    from netcode.registry import wing_values

    groups = [
        each for wing in wing_values("driflamme_tui", SEAM, AddedOptions) for each in wing.groups
    ]
    chosen = (each for each in groups if issubclass(each, kind) and command in each.commands)
    return sorted(chosen, key=attrgetter("rank"))


class BuiltCommand(TranslatedHelp, TyperCommand):
    """A command for typer, in which ports may be omitted as values of options."""

    usual_ports: Mapping[str, int] = {}
    """The port that each option means without a value, by the option's name such as `--port`."""
    examples_of_wings: str = ""
    """The text for `EXAMPLES_OF_WINGS` in the examples; "" if no wing adds an example."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Parse a command line, after adding a port to each option of `usual_ports` without one."""
        line: list[str] = []
        for option, after in itertools.zip_longest(args, args[1:], fillvalue=""):
            needs_port = option in self.usual_ports and not after.isdecimal()
            line += [option, str(self.usual_ports[option])] if needs_port else [option]
        return super().parse_args(context, line)


class _Declared(NamedTuple):
    function: Callable[..., object]
    help: str
    examples: str


class Commands:
    """The commands that a module declares."""

    def __init__(self) -> None:
        self.declared: dict[str, _Declared] = {}

    def described(
        self, name: str, help: Text = "", *, examples: Text
    ) -> Callable[[CommandFunction], CommandFunction]:
        """Return a decorator that declares a function as a command.

        The function may accept option groups.

        Args:
            name: The command's name in `command_list` or in a wing's module `commands`.
            help: The help after the sentence of the list.
            examples: Command lines, with a heading.
        """

        def declare(function: CommandFunction) -> CommandFunction:
            self.declared[name] = _Declared(function, help, examples)
            return function

        return declare

    def build(self, name: str) -> BuiltCommand:
        """Return typer's command of this name, with untranslated texts."""
        function, help, examples = self.declared[name]
        run, parameters, added = _option_by_option(function, name)
        helps = {name: text for group in added for name, text in group.helps.items()}
        # Plain help starts faster without rich, and is readable in any terminal.
        alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
        alone.command(name, cls=BuiltCommand, help=helps.get(name, help), epilog=examples)(run)
        command = get_group(alone).commands[name]
        assert isinstance(command, BuiltCommand)
        command.usual_ports = {
            f"--{each.name}": each.default.usual_port
            for each in parameters
            if isinstance(each.default, PortInfo)
        }
        lines = (group.examples[name] for group in added if name in group.examples)
        command.examples_of_wings = "".join(f"  {line}\n" for line in lines)
        for each in command.params:
            if each.name in helps:
                vars(each)["help"] = helps[each.name]
        return command


def _option_by_option(
    function: Callable[..., object], command: str
) -> tuple[Callable[..., object], list[Parameter], list[type[WingOptions]]]:
    """Return a function that calls `function` and has a separate parameter for each option.

    Also return these parameters, and the option groups that wings add to the command.
    """
    own: list[Parameter] = []
    groups: dict[str, type[OptionGroup]] = {}
    added: dict[str, list[type[WingOptions]]] = {}
    for name, each in signature(function).parameters.items():
        kind = each.annotation
        if get_origin(kind) is tuple and issubclass(get_args(kind)[0], WingOptions):
            added[name] = added_options(get_args(kind)[0], command)
        elif isinstance(kind, type) and issubclass(kind, OptionGroup):
            groups[name] = kind
            own += kind.parameters(())
        else:
            own.append(parameter(name, each.default, kind))
    of_wings = [group for found in added.values() for group in found]
    fields: dict[type[OptionGroup], list[Parameter]] = {
        group: [*group.parameters(of_wings)] for group in (*groups.values(), *of_wings)
    }
    beside: dict[str, list[Parameter]] = {"": [], **{each.name: [] for each in own}}
    for group in of_wings:
        beside[group.after] += fields[group]

    def taken(group: type[OptionGroup], values: dict[str, Any]) -> OptionGroup:
        return group(**{each.name: values.pop(each.name) for each in fields[group]})

    def run(**values: Any) -> object:
        for name, group in groups.items():
            values[name] = taken(group, values)
        for name, found in added.items():
            values[name] = tuple(taken(group, values) for group in found)
        return function(**values)

    single = [*beside[""], *(one for each in own for one in (each, *beside[each.name]))]
    vars(run)["__signature__"] = Signature(single)
    return run, single, of_wings


def parameter(name: str, default: Any, annotation: Any) -> Parameter:
    """Return an option or argument as a function's parameter."""
    if isinstance(default, OptionInfo) and default.default is False and not default.param_decls:
        # An option that is off by default needs no opposite.
        default.param_decls = (f"--{name.replace('_', '-')}",)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
