"""What a command is, whoever reads its arguments, and how one is run: errors as one line, warnings too, Ctrl-C quietly."""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from armillary.errors import ArmillaryError, RobotWarning


@dataclass(frozen=True, slots=True)
class Param:
    """An argument (`robot`) or an option (`--to`) of a command.

    `many` collects every value given. An argument is needed unless it has a default or is `many`; a `bool` is a switch.
    """

    name: str
    help: str
    kind: type[str] | type[int] | type[bool] = str
    default: Any = None
    many: bool = False
    metavar: str = ""
    into: str = ""

    @property
    def start(self) -> Any:
        """Its value before anything is said."""
        return list[str]() if self.many else self.default

    @property
    def is_option(self) -> bool:
        return self.name.startswith("--")

    @property
    def key(self) -> str:
        """Its name as a Python argument."""
        return self.into or self.name.lstrip("-").replace("-", "_")


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `run(**values)`, what `--help` says of it, and examples."""

    name: str
    run: Callable[..., None]
    doc: str
    params: tuple[Param, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        """The doc and the examples."""
        shown = "".join(f"\n\n    {example}" for example in self.examples)
        return f"{self.doc}{shown}"


def run(command: Command, values: Mapping[str, Any]) -> int:
    """The exit code of a command."""
    warnings.showwarning = _warn
    try:
        command.run(**values)
        sys.stdout.flush()
    except ArmillaryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _warn(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    kind = "warning" if issubclass(category, RobotWarning) else category.__name__
    print(f"{kind}: {message}", file=sys.stderr)
