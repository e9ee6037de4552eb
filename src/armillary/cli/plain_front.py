"""Arguments read by the standard library, for an installation without the extra `cli`."""

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from armillary.cli.command import Command, Param

ABOUT = (
    "A compiler for robot mechanics: from a robot's description to its models as mathematics, code and fast functions."
)


def parse(commands: Mapping[str, Command], arguments: Sequence[str]) -> tuple[Command, dict[str, Any]] | None:
    """The command asked for and the values of its parameters."""
    parser = argparse.ArgumentParser("armillary", description=ABOUT)
    choices = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in commands.values():
        words = command.doc.split("\n\n")[0]
        inner = choices.add_parser(
            command.name,
            help=textwrap.shorten(words, 90),
            description=command.help,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        for p in command.params:
            _add(inner, p)
    values = vars(parser.parse_args(arguments))
    command = commands[values.pop("command")]
    return command, {p.key: values[p.key] for p in command.params}


def _add(parser: argparse.ArgumentParser, p: Param) -> None:
    if p.kind is bool:
        parser.add_argument(p.name, dest=p.key, help=p.help, action="store_true", default=False)
    elif p.is_option:
        action = "append" if p.many else "store"
        metavar = p.metavar or None
        parser.add_argument(
            p.name, dest=p.key, help=p.help, type=p.kind, action=action, default=p.start, metavar=metavar
        )
    else:
        count = "*" if p.many else "?" if p.default is not None else None
        parser.add_argument(
            p.name, help=p.help, type=p.kind, nargs=count, default=p.start, metavar=p.metavar or p.name.upper()
        )
