"""The face of a C module: what its functions are called and take, and the header that says so."""

from dataclasses import dataclass, replace

from armillary.program.package import split
from armillary.program.program import Input, Output, Program
from armillary.targets import header
from armillary.targets.c.operations import LIBRARY, RESERVED, Precision, comment
from armillary.targets.names import Namer


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a C function: its name, its type and bracket, and what it is."""

    name: str
    kind: str
    bracket: str
    what: str

    def declared(self, qualifier: str = "") -> str:
        """`const double q[6]`; in a definition with `restrict` inside the bracket."""
        if self.bracket and qualifier:
            return f"{self.kind} {self.name}[{f'{qualifier} {self.bracket[1:-1]}'.strip()}]"
        if qualifier and self.kind.endswith("*"):
            return f"{self.kind}{qualifier} {self.name}"
        return f"{self.kind}{'' if self.kind.endswith('*') else ' '}{self.name}{self.bracket}"


@dataclass(frozen=True)
class Module:
    """A Program as C functions of one name.

    `run` takes states and gives outputs. Where the Program has parameters they are the fields of a struct; where it has states
    too, `setup` does the work on parameters once and fills an array that `run` takes in their place. `fields` gives the field
    of each parameter's label, `names` the argument of each state and output; `pointer` is the argument of that struct,
    `array` that of what setup has worked out.
    """

    name: str
    precision: Precision
    program: Program
    run: Program
    setup: Program | None
    fields: dict[str, str]
    names: dict[str, str]
    pointer: str
    array: str

    @property
    def real(self) -> str:
        return self.precision.real

    @property
    def struct(self) -> str:
        return f"{self.name}_parameters"

    @property
    def size(self) -> str:
        """The name of the constant that is the length of the setup array."""
        return f"{self.name.upper()}_SETUP"

    @property
    def has_defaults(self) -> bool:
        return bool(self.fields) and all(x.default is not None for x in self.program.parameters)

    # ---- arguments ----

    def state(self, x: Input) -> Argument:
        bracket = bracket_of(x.shape)
        kind = f"const {self.real}" if bracket else self.real
        return Argument(self.names[x.name], kind, bracket, header.argument(x))

    def output(self, x: Output) -> Argument:
        bracket = bracket_of(x.shape)
        return Argument(self.names[x.name], self.real if bracket else f"{self.real} *", bracket, header.argument(x))

    def parameters(self, const: bool = True) -> Argument:
        kind = f"{'const ' if const else ''}{self.struct} *"
        return Argument(self.pointer, kind, "", "the parameters")

    def carried(self, const: bool) -> Argument:
        what = f"what {self.name}_setup has worked out" if const else "what depends on the parameters alone"
        return Argument(self.array, f"{'const ' if const else ''}{self.real}", f"[{self.size}]", what)

    def run_arguments(self) -> list[Argument]:
        given = [self.state(x) for x in self.program.states]
        if self.setup is not None:
            given.append(self.carried(const=True))
        elif self.fields:
            given.append(self.parameters())
        return given + [self.output(x) for x in self.program.outputs]


def module(program: Program, name: str = "", real: str = "double", cut: bool = True) -> Module:
    """The C module of a Program, cut into setup and run if asked and if it has both parameters and states."""
    own = Namer(RESERVED | LIBRARY).name(name or program.name)
    setup, run = None, program
    if cut and program.parameters and program.states:
        first, second = split(_numbered(program), [x.name for x in program.parameters])
        if first.outputs[0].size:
            setup, run = first, second
    reserved = RESERVED | names_of_module(own)
    fields_namer = Namer(reserved)
    fields = {label: fields_namer.name(label) for x in program.parameters for label in x.labels}
    namer = Namer(reserved)
    names = {x.name: namer.name(x.name) for x in (*program.states, *program.outputs)}
    pointer, array = namer.name("p"), namer.name("setup")
    return Module(own, Precision(real), program, run, setup, fields, names, pointer, array)


def names_of_module(name: str) -> frozenset[str]:
    """What the module of this name defines for all who include it."""
    big = name.upper()
    return frozenset((name, f"{name}_setup", f"{name}_defaults", f"{name}_parameters", f"{big}_SETUP", f"{big}_H"))


def _numbered(program: Program) -> Program:
    """Labels of states that cannot be taken for those of the values that setup hands over."""
    inputs = [
        replace(x, labels=tuple(f"{x.name}#{k}" for k in range(x.size))) if x.role == "state" else x
        for x in program.inputs
    ]
    return program.with_(inputs=tuple(inputs))


def bracket_of(shape: tuple[int, ...]) -> str:
    """`[6]`, `[6*7]`; nothing for a scalar. C has no arrays of length 0, a pointer stands for them."""
    if not shape:
        return ""
    return "[]" if 0 in shape else f"[{'*'.join(map(str, shape))}]"


def header_file(m: Module) -> str:
    """NAME.h: types, sizes and documented declarations."""
    guard = f"{m.name.upper()}_H"
    lines = comment([f"{m.name}.h", "", *header.about(m.program)])
    lines += [f"#ifndef {guard}", f"#define {guard}", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    if m.fields:
        lines += [*_struct(m), ""]
    if m.has_defaults:
        lines += [*comment(["Set every parameter to its default value."])]
        lines += [f"void {m.name}_defaults({m.parameters(const=False).declared()});", ""]
    if m.setup is not None:
        lines += [
            *comment(["The number of values that setup hands to run."]),
            f"enum {{ {m.size} = {m.setup.outputs[0].size} }};",
            "",
        ]
        arguments = [m.parameters(), m.carried(const=False)]
        lines += [*comment(["Do the work on the parameters, once for every set of them.", "", *_documented(arguments)])]
        lines += [*declaration(f"{m.name}_setup", arguments, end=";"), ""]
    arguments = m.run_arguments()
    lines += [*comment([*_purpose(m), *_documented(arguments)]), *declaration(m.name, arguments, end=";"), ""]
    lines += ["#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */"]
    return "\n".join(lines) + "\n"


def declaration(
    name: str, arguments: list[Argument], qualifier: str = "", end: str = "", prefix: str = ""
) -> list[str]:
    """The function's head, on one line where it fits."""
    declared = [a.declared(qualifier) for a in arguments] or ["void"]
    one = f"{prefix}void {name}({', '.join(declared)}){end}"
    if len(one) <= header.WIDTH:
        return [one]
    return [f"{prefix}void {name}(", *(f"    {d}," for d in declared[:-1]), f"    {declared[-1]}){end}"]


def _purpose(m: Module) -> list[str]:
    facts = m.program.about
    of = f" of {facts.robot}" if facts.robot else ""
    first = (
        f"{facts.model[:1].upper()}{facts.model[1:]}{of}."
        if facts.model
        else f"Compute {', '.join(m.names[x.name] for x in m.program.outputs)}."
    )
    return [first, "Arrays hold matrices row by row; those that are given must not overlap those that are taken.", ""]


def _documented(arguments: list[Argument]) -> list[str]:
    return header.table([(f"{a.name}{a.bracket}", a.what) for a in arguments], width=header.WIDTH - 3)


def _struct(m: Module) -> list[str]:
    lines = ["typedef struct {"]
    rows: list[tuple[str, str]] = []
    for x in m.program.parameters:
        for k, label in enumerate(x.labels):
            words = [x.doc] if x.doc else []
            words += [f"({x.unit})"] if x.unit else []
            words += [f"default {x.default[k]!r}"] if x.default is not None else []
            if m.fields[label] != label:
                words.insert(0, label)
            rows.append(
                (f"    {m.real} {m.fields[label]};", ", ".join([" ".join(words[:2]), *words[2:]]) if words else "")
            )
    column = max(len(declared) for declared, _ in rows) + 1
    for declared, what in rows:
        lines += remarked(declared, what, column)
    return [*lines, f"}} {m.struct};"]


def remarked(code: str, what: str, column: int) -> list[str]:
    """A line of code with a comment that starts at a column, and goes on below where it is long."""
    if not what:
        return [code]
    first, *rest = comment(header.wrap(what, max(header.WIDTH - column - 6, 24)))[1:-1]
    lines = [f"{code:<{column}}/* {first[3:]}", *(f"{'':<{column}}   {line[3:]}" for line in rest)]
    return [*lines[:-1], f"{lines[-1]} */"]
