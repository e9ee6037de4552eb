"""Arguments read by typer, with help that rich lays out."""

from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any

import typer

from armillary.cli.command import Command, Param
from armillary.cli.plain_front import ABOUT


def parse(commands: Mapping[str, Command], arguments: Sequence[str]) -> tuple[Command, dict[str, Any]] | None:
    """The command asked for and the values of its parameters; None where only help was wanted."""
    chosen: list[tuple[Command, dict[str, Any]]] = []
    app = typer.Typer(help=ABOUT, no_args_is_help=True, rich_markup_mode="markdown", add_completion=True)

    @app.callback()
    def top() -> None:
        pass

    for command in commands.values():
        app.command(command.name, help=command.help)(_function(command, chosen))
    try:
        app(list(arguments), prog_name="armillary", standalone_mode=True)
    except SystemExit as stop:
        if stop.code:
            raise
    return chosen[0] if chosen else None


def _function(command: Command, chosen: list[tuple[Command, dict[str, Any]]]) -> Any:
    """A function whose signature says what typer asks for."""

    def note(**values: Any) -> None:
        chosen.append((command, values))

    parameters = [
        Parameter(p.key, Parameter.KEYWORD_ONLY, default=_info(p), annotation=_type(p)) for p in command.params
    ]
    note.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    note.__annotations__ = {p.key: _type(p) for p in command.params}
    return note


def _type(p: Param) -> Any:
    if p.many:
        return list[str]
    return p.kind


def _info(p: Param) -> Any:
    if p.kind is bool:
        return typer.Option(False, p.name, help=p.help)
    if p.is_option:
        return typer.Option(p.start, p.name, help=p.help, metavar=p.metavar or None, show_default=bool(p.start))
    needed = p.start is None
    return typer.Argument(... if needed else p.start, help=p.help, metavar=p.metavar or None, show_default=False)
