"""The command line: `armillary COMMAND …`. Commands call only what any user can call."""

import sys
from collections.abc import Sequence

from armillary.cli.command import run
from armillary.cli.commands import COMMANDS


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and end with its exit code: 0 well, 1 an error that was explained, 2 wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from armillary.cli.rich_front import parse
    except ImportError:
        from armillary.cli.plain_front import parse
    chosen = parse(COMMANDS, given)
    sys.exit(0 if chosen is None else run(*chosen))


__all__ = ["COMMANDS", "main"]
