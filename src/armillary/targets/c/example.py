"""Beside a C module: an example of its use that can be run, and a CMake file that builds both."""

from collections.abc import Sequence

from armillary.program.program import Input
from armillary.targets import header
from armillary.targets.c.function import INDENT, bracket_of, broken, comment
from armillary.targets.c.module import Module
from armillary.targets.c.operations import RESERVED
from armillary.targets.names import Namer
from armillary.targets.sample import sample

EXAMPLE = "example.c"
"""The file that the example is in."""


def example_file(m: Module) -> str:
    """A main that fills the arguments with sample values, calls every function and prints what it gives."""
    states = {x.name: x for run in m.runs for x in run.program.states}
    values = sample([*states.values(), *m.parameters])
    page = Page(m.name, m.precision.real, {m.pointer, m.constants, *(run.name for run in m.runs)})
    if m.fields:
        page.parameters(m, values)
    if m.setup is not None:
        page.top.append(f"{INDENT}{m.constants_type} {m.constants};")
        page.calls.append(f"{INDENT}{m.name}_setup(&{m.pointer}, &{m.constants});")
    given = {name: page.given(x, values[name]) for name, x in states.items()}
    for run in m.runs:
        arguments = [given[x.name] for x in run.program.states]
        if m.setup is not None or m.fields:
            arguments.append(f"&{m.constants if m.setup is not None else m.pointer}")
        arguments += [page.taken(x.name, x.shape) for x in run.program.outputs]
        page.calls += broken(f"{INDENT}{run.name}({', '.join(arguments)});")
    return page.text(header.about(m.source))


class Page:
    """The lines of `main`: declarations, calls, and what is printed at the end."""

    def __init__(self, name: str, real: str, taken: set[str]) -> None:
        self.name = name
        self.real = real
        self.namer = Namer(RESERVED | taken | {"print"})
        self.top: list[str] = []
        self.calls: list[str] = []
        self.end: list[str] = []

    def parameters(self, m: Module, values: dict[str, tuple[float, ...]]) -> None:
        """The struct of parameters: the defaults, or sample values."""
        if m.has_defaults:
            self.top.append(f"{INDENT}{m.parameters_type} {m.pointer};")
            self.calls.append(f"{INDENT}{m.name}_defaults(&{m.pointer});")
            return
        fields = [
            f"{INDENT * 2}.{m.fields[label]} = {m.precision.decimal(value)},"
            for x in m.parameters
            for label, value in zip(x.labels, values[x.name], strict=True)
        ]
        self.top += [f"{INDENT}const {m.parameters_type} {m.pointer} = {{", *fields, f"{INDENT}}};"]

    def given(self, x: Input, values: Sequence[float]) -> str:
        """An input with its values, as an argument."""
        if not x.size:
            return "NULL"
        name = self.namer.name(x.name)
        suffix = "f" if self.real == "float" else ""
        listed = ", ".join(f"{v!r}{suffix}" for v in values)
        value = f"{{{listed}}}" if x.shape else listed
        self.top += broken(f"{INDENT}const {self.real} {name}{bracket_of(x.shape)} = {value};")
        return name

    def taken(self, wish: str, shape: Sequence[int]) -> str:
        """A variable for an output, printed at the end, as an argument."""
        rows, columns = _page(shape)
        if not rows * columns:
            return "NULL"
        name = self.namer.name(wish)
        self.top.append(f"{INDENT}{self.real} {name}{bracket_of(shape)};")
        argument = name if shape else f"&{name}"
        self.end.append(f'{INDENT}print("{name}", {argument}, {rows}, {columns});')
        return argument

    def text(self, about: list[str]) -> str:
        """The whole file."""
        single = self.real == "float"
        value = "(double)x[i*columns + j]" if single else "x[i*columns + j]"
        lines = comment([EXAMPLE, "", *about, "", f"cc -std=c99 -O2 {EXAMPLE} {self.name}.c -lm -o example"])
        lines += [f'#include "{self.name}.h"', "", "#include <stdio.h>", ""]
        if self.end:
            lines += [
                f"static void print(const char *name, const {self.real} *x, int rows, int columns)",
                "{",
                '    printf("%s =\\n", name);',
                "    for (int i = 0; i < rows; i++) {",
                "        for (int j = 0; j < columns; j++) {",
                f'            printf(" % .{9 if single else 17}g", {value});',
                "        }",
                '        printf("\\n");',
                "    }",
                "}",
                "",
            ]
        blocks = [block for block in (self.top, self.calls, self.end) if block]
        body = [line for block in blocks for line in [*block, ""]]
        return "\n".join([*lines, "int main(void)", "{", *body, f"{INDENT}return 0;", "}"]) + "\n"


def _page(shape: Sequence[int]) -> tuple[int, int]:
    """Rows and columns on paper: the last index runs along the row, a vector is one row."""
    rows = 1
    for n in shape[:-1]:
        rows *= n
    return rows, shape[-1] if shape else 1


_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project({name} LANGUAGES C)

add_library(${{PROJECT_NAME}} {name}.c {name}.h)
target_include_directories(${{PROJECT_NAME}} PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
set_target_properties(${{PROJECT_NAME}} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON)
if(UNIX)
  target_link_libraries(${{PROJECT_NAME}} PUBLIC m)
endif()

add_executable(${{PROJECT_NAME}}_example {example})
target_link_libraries(${{PROJECT_NAME}}_example PRIVATE ${{PROJECT_NAME}})
"""


def cmake_file(name: str, about: list[str]) -> str:
    """CMakeLists.txt: a library and the example."""
    lines = [f"# {line}".rstrip() for line in ["CMakeLists.txt", "", *about]]
    return "\n".join([*lines, "", *_CMAKE.format(name=name, example=EXAMPLE).splitlines()]) + "\n"
